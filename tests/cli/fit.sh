#!/bin/sh
# willow train fit: a whole fit, its report, its configuration, and what it refuses.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

generate() {
  expect 0 "$WILLOW" selfplay run --games "$2" --depth 1 --exact 0 --label none --opening 10-30 --weights zero \
    --policy mobility --seed 3 --shard-games 50 --threads 2 --out "$1" --quiet
}
generate games 100

expect 0 "$WILLOW" train fit --data games --out a.wlw --iterations 3 --stages 10 --threads 1 --quiet
[ ! -s "$ERR" ] || fail "progress although --quiet"
has "$OUT" "held out"
has "$OUT" "a.wlw written"
expect 0 "$WILLOW" weights verify a.wlw
expect 0 "$WILLOW" weights info a.wlw
has "$OUT" "willow train fit --data games --out a.wlw --iterations 3"
has "$OUT" "stage 9: plies 54-"

# The configuration beside the result repeats it, and the command line overrides it; threads do not matter.
cp a.wlw first.wlw
expect 0 "$WILLOW" train fit a.wlw.yaml --quiet
expect 0 "$WILLOW" weights diff first.wlw a.wlw
expect 0 "$WILLOW" train fit a.wlw.yaml --threads 2 --out b.wlw --quiet
expect 0 "$WILLOW" weights diff first.wlw b.wlw

# Several folders after --data, one stage, JSON.
generate more 20
expect 0 "$WILLOW" train fit --data games more --plies 30-31 --init a.wlw --out c.wlw --json --quiet
has "$OUT" '{"stages":[{"stage":5,"first_ply":30,"last_ply":31,"copied":false,"rows":'
has "$OUT" '"rounding_cost":'
if command -v python3 >/dev/null; then
  cp "$OUT" report.json
  expect 0 python3 -c 'import json, sys; json.load(open(sys.argv[1]))' report.json
fi

# The model: ties between stages, parts left out, the other solver; labels blended by ply, weights by kind, filters.
model() {
  expect 0 "$WILLOW" train fit --data games --out d.wlw --patterns p62 --stages 4 --iterations 3 --quiet "$@"
}
model --start base --window 2
model --solver descent --batch 2048 --backoff 0
model --without mobility,other-mobility,edge2x
expect 0 "$WILLOW" weights info d.wlw --json
for part in edge2x mobility other-mobility; do
  grep -q "\"table\": \"$part\", \"weights\": [0-9]*, \"nonzero\": 0," "$OUT" || fail "$part was fitted"
done
grep -q '"table": "discs", "weights": [0-9]*, "nonzero": [1-9]' "$OUT" || fail "discs were not fitted"
model --blend 0-29:0,0,1 --blend 30-60:0,1,2 --weight-result 2 --random-distance 1
model d.wlw.yaml --out e.wlw
has e.wlw.yaml 'plies: 30-60, score: 0, exact: 1, result: 2'
expect 0 "$WILLOW" weights diff d.wlw e.wlw

# Hardly any data: one game, one position of each ply, nothing held out; the same game many times.
generate one 1
expect 0 "$WILLOW" train fit --data one --out f.wlw --stages 2 --iterations 5 --held-out 0 --quiet
has "$OUT" 'none held out'
expect 0 "$WILLOW" train fit --data one one one one --plies 30 --out f.wlw --stages 2 --iterations 5 --held-out 0 --quiet
has "$OUT" '4 rows'
# What became of the rows that are not in the fit stands in its report and in that which can be had later.
expect 0 "$WILLOW" train fit --data one one one one --drop-random --out f.wlw --stages 2 --iterations 1 --held-out 0 --quiet
has "$OUT" ' left out: the move played was random'
has "$OUT" ' training rows whose board stood there before'
expect 0 "$WILLOW" train report f.wlw --text
has "$OUT" ' training rows whose board stood there before'

refused_fit() {
  text=$1
  shift
  refused "$WILLOW" train fit --quiet "$@"
  has "$ERR" "$text"
}
# In the help, what changes the weights stands before what does not.
expect 0 "$WILLOW" train fit --help
sed -n '/do not depend on these/,$p' "$OUT" >"$ERR"
! grep -q -e '--label' -e '--start' -e '--solver' "$ERR" || fail "the help says that labels, start or solver do not matter"
# A refusal leaves the old file alone.
cp a.wlw keep.wlw
refused_fit 'no dataset' --out keep.wlw
refused_fit '--out' --data games
refused_fit 'missing' --data missing --out keep.wlw
refused_fit '--prior' --data games --out keep.wlw --prior nan
refused_fit '--clip' --data games --out keep.wlw --clip 0
refused_fit '--held-out' --data games --out keep.wlw --held-out 1
refused_fit "no part 'mobilty'" --data games --out keep.wlw --without mobilty
refused_fit '--blend' --data games --out keep.wlw --blend 0-29:1,1
refused_fit '--blend' --data games --out keep.wlw --blend 0-29:0,0,0
refused_fit '--blend' --data games --out keep.wlw --blend 0-29:nan,1,1
refused_fit '--start' --data games --out keep.wlw --start last
refused_fit '5946 have nothing to fit' --data games --out keep.wlw --blend 0-60:1,0,0
refused_fit '--plies' --data games --out keep.wlw --plies 31-30
refused_fit '--threads' --data games --out keep.wlw --threads 0
refused_fit 'has no score' --data games --out keep.wlw --label score
refused_fit 'plies 60-60' --data games --out keep.wlw --plies 60
refused_fit 'no/such' --data games --out no/such/x.wlw
mkdir folder
refused_fit 'folder: cannot replace' --data games --out folder --scratch missing # before anything else is looked at
refused_fit 'none.wlw' --data games --out keep.wlw --init none.wlw
for line in 'prior: .nan' 'prior: -1' 'clip: x' 'plies: 9-3' 'plies: [3]' 'stages: 61' 'nonsense: 1' 'label: both' \
  'threads: 0' 'data: games' 'seed: -1' 'window: 1.5' 'blend: 1' 'start: here' 'weight_exact: -1' \
  'blend: [{plies: 0-9, score: -1}]' 'blend: [{plies: 9-61, score: 1}]' 'blend: [{score: 1}]' 'gap: .inf'; do
  printf '%s\n' "$line" >bad.yaml
  refused_fit 'bad.yaml' bad.yaml --data games --out keep.wlw
done
cp -r games torn
head -c 3000 games/shard-000001.h5 >torn/shard-000001.h5
refused_fit 'shard-000001.h5' --data torn --out keep.wlw
echo '{}' >torn/manifest.json
refused_fit 'manifest.json' --data torn --out keep.wlw
cmp -s a.wlw keep.wlw || fail "a refused fit changed the old file"
[ ! -e keep.wlw.tmp ] || fail "a refused fit left a temporary file"

# The configuration that is written beside the result must be able to name the files.
refused_fit 'UTF-8' --data games --out "$(printf 'w\351.wlw')"

# Neither the result nor its configuration replaces a file of another kind, and that is said before the fit.
echo 'data: [games] # mine' >mine.yaml
cp mine.yaml own.yaml
refused_fit 'mine.yaml: exists and is no weights file' own.yaml --out mine.yaml
refused_fit 'mine.yaml: exists and is no resolved configuration' mine.yaml --out mine
cmp -s mine.yaml own.yaml && [ ! -e mine ] && [ ! -e mine.yaml.yaml ] || fail "the user's own file was replaced"

# A full disk: nothing can be written where the result belongs.
if [ -w /dev/full ] && [ "$(id -u)" -eq 0 ] && mkdir full && mount -t tmpfs -o size=16k tmpfs full 2>/dev/null; then
  trap 'umount "$SCRATCH/full"; rm -rf "$SCRATCH"' EXIT
  printf '\211WLW\r\n\032\nold' >full/x.wlw
  refused_fit 'full' --data games --out full/x.wlw --scratch . --iterations 2 --checkpoint 0
  has full/x.wlw old
  refused_fit 'full' --data games --out full/y.wlw --iterations 2 --checkpoint 0
  [ ! -e full/y.wlw ] || fail "a file was left on the full disk"
fi
exit 0
