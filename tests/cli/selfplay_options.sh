#!/bin/sh
# The configuration of willow selfplay run: every option at once, as options, as keys and resolved, and what is refused.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

expect 0 "$WILLOW" weights zero --stages 3 --out early.wlw
printf 'f5d6c3d3c4f4f6 # a line of its own\n\nf5f6e6f4\nf5d6c4g5\n' >list.txt
every="--games 24 --shard-games 8 --seed 5 --weights zero --depth 3 --exact 6 --selectivity 73 --hash 2 --noise 1.50
  --noise-plies 6 --random-move 0.1 --pool early.wlw --pool zero --pool-share 0.75 --plies 3-58 --keep 0.90 --positions 30
  --tail 8 --label search --policy search --quiet"
expect 0 "$WILLOW" selfplay run $every --opening 4-6 --opening-shares 1,0.0,2.50 --opening-balance 6 --layout plies --out random
expect 0 "$WILLOW" selfplay run $every --opening-all 3 --threads 2 --out all
expect 0 "$WILLOW" selfplay run $every --openings list.txt --threads 1 --out list
cat >random.yaml <<'EOF'
games: 24
shard_games: 8
seed: 5
weights: zero
depth: 3
exact: 6
selectivity: 73
hash: 2
opening: random
opening_min: 4
opening_max: 6
opening_shares: [1, 0, 2.5]
opening_balance: 6.00
noise: 15e-1
noise_plies: 6
random_move: 1e-1
pool: [early.wlw, zero]
pool_share: 0.75
plies: 3-58
keep: 0.9
positions: 30
tail: 8
label: search
policy: search
layout: compact
threads: 1
out: typed
EOF
expect 0 "$WILLOW" selfplay run random.yaml --quiet
cmp -s random/config.yaml typed/config.yaml || fail "what a run is depends on how it was typed"
# Rows do not depend on the layout: exported, they are the same text.
for name in random typed; do
  expect 0 "$WILLOW" selfplay export $name --out $name.csv
  [ -s $name.csv ] || fail "nothing was exported"
done
sort random.csv >one && sort typed.csv >two
cmp -s one two || fail "the rows depend on layout or threads"
for name in random all list; do
  expect 0 "$WILLOW" selfplay run $name/config.yaml --quiet --out again-$name
  cmp -s $name/config.yaml again-$name/config.yaml || fail "the configuration of $name did not survive"
  expect 0 "$WILLOW" selfplay verify $name --quiet
  has "$OUT" "3 shards, 24 games"
  has "$OUT" "0 faults"
done
# Options take the place of the file's kind of opening, and of its pool.
expect 0 "$WILLOW" selfplay run random/config.yaml --games 4 --opening-all 2 --out o1 --quiet
has o1/config.yaml "opening: all"
has o1/config.yaml "opening_plies: 2"
expect 0 "$WILLOW" selfplay run all/config.yaml --games 4 --openings list.txt --out o2 --quiet
has o2/config.yaml 'openings: "list.txt"'
expect 0 "$WILLOW" selfplay run list/config.yaml --games 4 --opening 3-5 --pool zero --out o3 --quiet
has o3/config.yaml "opening_max: 5"
[ "$(grep -c '^  - "zero"$' o3/config.yaml)" -eq 1 ] || fail "the pool of the file stayed"
grep -q early o3/config.yaml && fail "the pool of the file stayed"
expect 0 "$WILLOW" selfplay run random/config.yaml --games 4 --opening 8 --out o4 --quiet
grep -q opening_shares o4/config.yaml && fail "shares of other plies stayed"
expect 0 "$WILLOW" selfplay run random/config.yaml --games 4 --opening-shares 0,1,0 --out o5 --quiet
has o5/config.yaml "opening_shares: [0, 1, 0]"
has o5/config.yaml "opening_balance: 6"

# A run goes on when the files it was given are gone; under their names, other files are refused.
rm list/shard-000001.h5 && rm random/shard-000002.h5
mv list.txt moved.txt && mv early.wlw moved.wlw
expect 0 "$WILLOW" selfplay resume list --quiet
expect 0 "$WILLOW" selfplay resume random --layout compact --quiet
expect 0 "$WILLOW" selfplay verify random --quiet
has "$OUT" "3 shards, 24 games"
refused "$WILLOW" selfplay run list/config.yaml --out x
has "$ERR" "early.wlw"
cp list/weights.wlw early.wlw
refused "$WILLOW" selfplay run list/config.yaml --out x
has "$ERR" "early.wlw: these are not the weights whose checksum"
cp moved.wlw early.wlw && echo f5d6 >list.txt
refused "$WILLOW" selfplay run list/config.yaml --out x
has "$ERR" "list.txt: these are not the openings whose checksum"
mv moved.txt list.txt

# Names with all that is hard to write down.
small="--games 2 --depth 1 --exact 0 --quiet"
odd=$(printf " #1: it's \"a\\\\b\"\n\tc\302\205d\342\200\250e")
cp early.wlw "$odd" && cp list.txt "$odd.txt"
expect 0 "$WILLOW" selfplay run $small --weights "$odd" --pool "$odd" --openings "$odd.txt" --out odd
expect 0 "$WILLOW" selfplay run odd/config.yaml --out even --quiet
cmp -s odd/config.yaml even/config.yaml || fail "odd names did not survive"
rm odd/shard-000000.h5
expect 0 "$WILLOW" selfplay resume odd --quiet
latin=$(printf 'w\351')
for option in --weights --pool --openings; do
  refused "$WILLOW" selfplay run $small $option "$latin" --out x
  has "$ERR" "UTF-8"
  refused "$WILLOW" selfplay run $small $option "" --out x
  has "$ERR" "empty"
done

echo 'f5 f6 a1' >illegal.txt
echo '# nothing' >blank.txt
while read -r options; do
  refused "$WILLOW" selfplay run $small $options --out x
done <<'EOF'
--selectivity 74
--selectivity 101
--opening 3-51
--opening 9-3
--opening-shares 1,2
--opening 4-6 --opening-shares 1,2
--opening 4-6 --opening-shares 1,,2
--opening 4-6 --opening-shares 0,0,0
--opening 4-6 --opening-shares 1,-1,1
--opening 4-6 --opening-shares 1,nan,1
--opening-balance -1
--opening-balance 65
--opening-all 10
--opening-all 3 --opening 2-4
--opening-all 3 --openings list.txt
--openings list.txt --opening-balance 3
--openings missing.txt
--openings illegal.txt
--openings blank.txt
--noise 65
--noise-plies 61
--random-move 1.1
--pool missing.wlw
--pool list.txt
--pool-share 0.5
--pool zero --pool-share 1.5
--plies 5-61
--plies 9-8
--keep 1.1
--positions 61
--tail 61
--label both
--policy mobility
--policy mobility --label none --pool zero
--hash 0
--layout wide
EOF
sixteen=$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do printf -- '--pool zero '; done)
expect 0 "$WILLOW" selfplay run $small $sixteen --out most
refused "$WILLOW" selfplay run $small $sixteen --pool zero --out x
has "$ERR" "--pool"

# wrong KEY LINES...: the file is refused with that key or place in the one line.
wrong() {
  place=$1
  shift
  printf '%s\n' "$@" >wrong.yaml
  refused "$WILLOW" selfplay run wrong.yaml $small --out x
  has "$ERR" "wrong.yaml: $place"
}
wrong "opening: neither" "opening: some"
wrong "openings: of another kind" "opening: all" "opening_plies: 3" "openings: list.txt"
wrong "opening_min: of another kind" "opening: list" "openings: list.txt" "opening_min: 3"
wrong "openings: of another kind of opening than 'opening_plies'" "opening_plies: 3" "openings: list.txt"
wrong "opening_plies: is missing" "opening: all"
wrong "openings: the name is empty" "opening: list"
wrong "opening_plies: must be 0 .. 9" "opening_plies: 10"
wrong "opening: must be A-B" "opening_min: 13"
wrong "opening_shares: 2 for the 3" "opening_min: 4" "opening_max: 6" "opening_shares: [1, 2]"
wrong "line 1, column 18: " "opening_shares: [x, 2]"
wrong "opening_balance: must be" "opening_balance: 65"
wrong "openings_checksum: not a checksum" "openings: list.txt" "openings_checksum: 12"
wrong "weights_checksum: not a checksum" "weights_checksum: zz"
wrong "pool_checksums: as many" "pool: [zero, zero]" "pool_checksums: [12]"
wrong "pool_checksums: not a checksum" "pool: [zero]" "pool_checksums: [12]"
wrong "pool: the name is empty" "pool: ['']"
wrong "line 1" "pool: zero"
wrong "pool_share: must be 0 .. 1" "pool: [zero]" "pool_share: 2"
wrong "plies: must be A-B" "plies: 7-3"
wrong "positions: must be 0 .. 60" "positions: -1"
wrong "tail: must be 0 .. 60" "tail: 61"
wrong "tail: out of range" "tail: 99999999999"
wrong "selectivity: must be 73" "selectivity: 50"
wrong "noise_plies: must be 0 .. 60" "noise_plies: 61"
wrong "random_move: must be" "random_move: 2"
wrong "layout: neither" "layout: wide"
wrong "weights: a name with a character" 'weights: "a\x7f"'
wrong "line 1, column 14: key 'selectivity'" "selectivity: high"
wrong "ruleset: unknown ruleset '5x5'" "ruleset: 5x5"
wrong "ruleset:" "ruleset: hole:d4"
wrong "ruleset: no ruleset has so long a name" "ruleset: a-ruleset-whose-name-no-file-could-hold"
wrong "opening: 12 plies leave nothing to play: 4x4 has 12" "ruleset: 4x4" "opening_max: 12"
wrong "plies: there are none of 33-40: 6x6 has 0-32" "ruleset: 6x6" "plies: 33-40"
[ ! -e x ] || fail "a refused run left a folder"

# What is said of the ruleset, by the command line over the file; a drawn hole is named everywhere.
echo "ruleset: 6x6-anti" >ruleset.yaml
small="--games 4 --depth 1 --exact 2 --quiet"
expect 0 "$WILLOW" selfplay run ruleset.yaml $small --out fewest
has "$ERR" "no weights are shipped for 6x6-anti: zero weights play"
has fewest/config.yaml 'ruleset: "6x6-anti"'
has fewest/manifest.json '"ruleset": "6x6-anti"'
expect 0 "$WILLOW" selfplay run ruleset.yaml --ruleset 6x6 --weights zero $small --out six
[ ! -s "$ERR" ] || fail "zero weights were asked for, and are told of"
has six/config.yaml 'ruleset: "6x6"'
# Its charts go as far as its board.
expect 0 "$WILLOW" selfplay info six
grep -q "^  +40 .*%" "$OUT" || fail "no bar for 36 discs"
! grep -q "^  +5[04] " "$OUT" || fail "results that 6x6 does not have"
has six/config.yaml 'opening_max: 8'
expect 0 "$WILLOW" selfplay run --ruleset hole:random --seed 3 --weights zero $small --out hole
hole=$(sed -n 's/^ruleset: "\(hole:[a-h][1-8]\)"$/\1/p' hole/config.yaml)
[ -n "$hole" ] || fail "the hole has no name"
expect 0 "$WILLOW" selfplay info hole --json
has "$OUT" "\"ruleset\": \"$hole\""
for data in fewest six hole; do
  expect 0 "$WILLOW" selfplay verify $data --quiet
  has "$OUT" "4 games"
done
refused "$WILLOW" selfplay run ruleset.yaml --ruleset 6x6 --weights zero $small --seed 2 --out six
refused "$WILLOW" selfplay run --ruleset anti $small --out six
refused "$WILLOW" selfplay merge fewest six --out both
has "$ERR" "six: the dataset is of ruleset 6x6, not 6x6-anti as fewest is"
refused "$WILLOW" selfplay info fewest six
has "$ERR" "six: the dataset is of ruleset 6x6, not of 6x6-anti"

# The tools ask the data; games of another ruleset are not taken for one's own.
for data in fewest six; do
  expect 0 "$WILLOW" selfplay relabel $data --out $data-labels --depth 2 --exact 4 --weights zero --quiet
  expect 0 "$WILLOW" selfplay verify $data-labels --quiet
  expect 0 "$WILLOW" selfplay export $data --format transcripts --out $data.txt
done
expect 0 "$WILLOW" selfplay import six.txt --ruleset 6x6 --out again --quiet
expect 0 "$WILLOW" selfplay verify again --quiet
has "$OUT" "4 games"
refused "$WILLOW" selfplay import six.txt --out never --quiet
refused "$WILLOW" selfplay import six.txt --ruleset 5x5 --out never
exit 0
