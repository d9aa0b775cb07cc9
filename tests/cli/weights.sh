#!/bin/sh
# willow weights: describing, checking and comparing files, good and bad.
. "$(dirname "$0")/common.sh"
ZERO=$SCRATCH/zero.wlw

expect 0 "$WILLOW" weights info
has "$OUT" "weights:     default"
has "$OUT" "ruleset:     othello"
expect 0 "$WILLOW" weights patterns
default=$(sed -n 's/^\* \([^ ]*\) .*/\1/p' "$OUT")
other=$(sed -n 's/^  \([^ ]*\) .*/\1/p' "$OUT" | head -1)
[ -n "$default" ] || fail "no default pattern set"

expect 0 "$WILLOW" weights zero --out "$ZERO" --stages 15
expect 0 "$WILLOW" weights info "$ZERO"
has "$OUT" "stages:      15, from 4 8 12 "
has "$OUT" "patterns:    $default "
has "$OUT" "non-zero:    0 of "
checksum=$(sed -n 's/^checksum: *//p' "$OUT")
[ "${#checksum}" -eq 32 ] || fail "checksum"
expect 0 "$WILLOW" weights info "$ZERO" --json
has "$OUT" "\"checksum\": \"$checksum\""
expect 0 "$WILLOW" weights verify "$ZERO"
has "$OUT" "$checksum"
expect 0 env "WILLOW_WEIGHTS=$ZERO" "$WILLOW" weights info
has "$OUT" "$checksum"

# What holds anything but weights is not replaced.
echo 'not weights' >"$SCRATCH/mine"
refused "$WILLOW" weights zero --out "$SCRATCH/mine"
has "$ERR" "mine: exists and is no weights file"
has "$SCRATCH/mine" "not weights"
: >"$SCRATCH/mine"
expect 0 "$WILLOW" weights zero --out "$SCRATCH/mine"
expect 0 "$WILLOW" weights zero --out "$SCRATCH/mine" --stages 3

# The same command gives the same bytes.
expect 0 "$WILLOW" weights zero --out "$SCRATCH/again.wlw" --stages 15
cmp -s "$ZERO" "$SCRATCH/again.wlw" || fail "two runs differ"
expect 0 "$WILLOW" weights diff "$ZERO" "$SCRATCH/again.wlw"
expect 1 "$WILLOW" weights diff "$ZERO" zero
has "$OUT" "stages differ"
has "$OUT" "positions: 100000, no two alike, of "
expect 0 "$WILLOW" weights zero --out "$SCRATCH/other.wlw" --patterns "$other" --stages 15
expect 1 "$WILLOW" weights diff "$ZERO" "$SCRATCH/other.wlw" --positions 100
has "$OUT" "pattern sets differ"
has "$OUT" "positions: 100, no two alike, of "

# What the default weights hold. The file is small enough to be part of a program.
shipped=$DATA/../../weights/default.wlw
[ "$(wc -c <"$shipped")" -le $((8 << 20)) ] || fail "the default weights take more than 8 MiB"
expect 0 "$WILLOW" weights verify "$shipped"
[ ! -s "$ERR" ] || fail "warnings of the default weights"
expect 0 "$WILLOW" weights info "$shipped"
has "$OUT" "file:        $(wc -c <"$shipped" | tr -d ' ') bytes, "
has "$OUT" "at a limit:  0 weights"
has "$OUT" " constants, model "
grep -Eq '^edge2x .*  a1 b1 c1 d1 e1 f1 g1 h1 b2 g2$' "$OUT" || fail "no squares of a shape"
awk '$2 ~ /^[0-9]+$/ && $3 ~ /%$/ { count[/^ /]++ } END { exit count[1] < 1 || count[0] < 2 }' "$OUT" ||
  fail "no table by stage or none by table"

# Where two sets disagree: the same positions each time, others with another seed.
diff_default() {
  expect 1 "$WILLOW" weights diff default zero --positions 3000 "$@"
}
diff_default
has "$OUT" "b: zero, checksum "
has "$OUT" "positions: 3000, no two alike, of "
has "$OUT" "games, seed 1"
for title in "stage  from discs  differing " "table " "sightings " "stage  from discs  positions " "       a        b "; do
  has "$OUT" "$title"
done
# boards: the positions that are listed, in a form that --positions-file reads; configurations: those that are listed.
boards() { grep -Eo '[-XO]{64} [XO]$' "$OUT"; }
configurations() { grep -Ec '  [a-z0-9]+ [.XO]{4,10}$|  [-a-z]+ [0-9]+$' "$OUT"; }
boards >"$SCRATCH/boards.obf"
[ "$(wc -l <"$SCRATCH/boards.obf")" -eq 10 ] || fail "not ten positions"
[ "$(configurations)" -eq 10 ] || fail "not ten configurations"
cp "$OUT" "$SCRATCH/first"
diff_default --seed 1
cmp -s "$OUT" "$SCRATCH/first" || fail "two comparisons differ"
diff_default --seed 2
has "$OUT" "seed 2"
boards | cmp -s - "$SCRATCH/boards.obf" && fail "the same positions with another seed"
diff_default --top 3
[ "$(boards | wc -l)" -eq 3 ] || fail "not three positions"
[ "$(configurations)" -eq 3 ] || fail "not three configurations"
diff_default --top 2 --by-stage
[ "$(configurations)" -gt 20 ] || fail "no list for every stage"
diff_default --top 0
[ "$(boards | wc -l)$(configurations)" = 00 ] || fail "a list of nothing"
expect 1 "$WILLOW" weights diff default zero --positions-file "$SCRATCH/boards.obf"
has "$OUT" "positions: 10 of $SCRATCH/boards.obf"
boards | cmp -s - "$SCRATCH/boards.obf" || fail "positions of the file"

if command -v python3 >/dev/null; then
  cat >"$SCRATCH/check.py" <<'PY'
import json, sys
it = json.load(open(sys.argv[1]))
for path in sys.argv[2:]:
    path, _, wanted = path.partition("=")
    value = it
    for key in path.split("/"):
        value = len(value) if key == "#" else value[int(key) if isinstance(value, list) else key]
    if wanted and str(value) != wanted:
        sys.exit("%s: %s" % (path, value))
PY
  json() { python3 "$SCRATCH/check.py" "$OUT" "$@" 2>"$ERR" || fail "JSON: $*"; }
  expect 0 "$WILLOW" weights info "$ZERO" --json
  json nonzero=0 at_limit=0 probcut/#=0 stages/#=15 stages/14/first_disc=60 tables/0/table=edge2x file_bytes provenance
  expect 0 "$WILLOW" weights diff "$ZERO" "$SCRATCH/again.wlw" --json
  json equal=True alike=True sets/1/stages=15
  diff_default --json --top 4
  json equal=False alike=True stages/0/sightings tables/0/mean_as_seen configurations/#=4 configurations/3/configuration \
    evaluation/positions=3000 evaluation/correlation=None evaluation_by_stage/#=20 positions/#=4 positions/0/board seed=1
  diff_default --json --top 1 --by-stage --positions-file "$SCRATCH/boards.obf"
  json configurations/#=20 "positions_file=$SCRATCH/boards.obf" evaluation/positions=10
  expect 1 "$WILLOW" weights diff "$ZERO" zero --json --positions 50
  json alike=False evaluation/largest=0.0 positions/#=0
fi

# A good file of which one stage was left out is told apart.
expect 0 "$WILLOW" selfplay run --games 30 --depth 1 --exact 0 --label none --opening 10-30 --weights zero --seed 3 \
  --out "$SCRATCH/games" --quiet
expect 0 "$WILLOW" weights zero --out "$SCRATCH/gap.wlw" --stages 10
for plies in 30-31 42-43; do
  expect 0 "$WILLOW" train fit --data "$SCRATCH/games" --plies $plies --init "$SCRATCH/gap.wlw" \
    --held-out 0 --out "$SCRATCH/fit.wlw" --quiet
  mv "$SCRATCH/fit.wlw" "$SCRATCH/gap.wlw"
done
expect 0 "$WILLOW" weights verify "$SCRATCH/gap.wlw"
has "$OUT" "gap.wlw: good, checksum "
has "$ERR" "gap.wlw: warning: stage 6 (from 40 discs) is all zero, between stages that are not"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "another warning"

printf '%s\n' '% no position' >"$SCRATCH/none.obf"
for bad in none.obf none.txt; do
  refused "$WILLOW" weights diff default zero --positions-file "$SCRATCH/$bad"
  has "$ERR" "$SCRATCH/$bad: "
done
refused "$WILLOW" weights diff default "$SCRATCH/none.wlw"
refused "$WILLOW" weights diff default
for option in "--positions 0" "--positions 10000001" "--top 1001" "--top -1" "--seed x"; do
  # shellcheck disable=SC2086
  refused "$WILLOW" weights diff default zero $option
done

refused "$WILLOW" weights zero --out "$SCRATCH/no/folder.wlw"
refused "$WILLOW" weights zero --out "$SCRATCH/x.wlw" --patterns nothing
refused "$WILLOW" weights zero --out "$SCRATCH/x.wlw" --stages 0
refused "$WILLOW" weights zero
[ ! -e "$SCRATCH/x.wlw" ] || fail "a refused command wrote a file"
exit 0
