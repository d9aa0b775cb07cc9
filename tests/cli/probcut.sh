#!/bin/sh
# willow train probcut: constants into a weights file, the report, and what it refuses.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

expect 0 "$WILLOW" selfplay run --games 60 --depth 1 --exact 0 --opening 4-40 --seed 5 --shard-games 30 --threads 2 \
  --out games --quiet
expect 0 "$WILLOW" weights zero --out zero.wlw --stages 4

probcut() {
  expect 0 "$WILLOW" train probcut --data games --positions 220 --depth 4 --exact 11 --quiet "$@"
}
probcut --threads 1 --out a.wlw
[ ! -s "$ERR" ] || fail "progress although --quiet"
has "$OUT" "0 to 4"
has "$OUT" "2 to 4"
has "$OUT" "4 to exact"
has "$OUT" "sigma, discs "
has "$OUT" "mean, discs "
has "$OUT" "held-out errors "
has "$OUT" "midgame, without mean "
has "$OUT" "exact, without mean "
has "$OUT" "a.wlw written"
expect 0 "$WILLOW" weights verify a.wlw
expect 0 "$WILLOW" weights info a.wlw
has "$OUT" "probcut:     21 constants"
has "$OUT" "probcut: willow train probcut --data games --positions 220 --depth 4 --exact 11 --quiet --threads 1"
has "$OUT" "probcut fit: positions "
has "$OUT" "stage 19: " # the provenance of the weights themselves stays
expect 0 "$WILLOW" weights diff a.wlw default

# Threads change nothing; another seed other positions. The constants of a file can be fitted again in its place.
constants() { sed -n 's/.*"constants":\[\([^]]*\)\].*/\1/p' "$OUT"; }
probcut --threads 1 --out b.wlw --json
one=$(constants)
[ -n "$one" ] || fail "no constants"
if command -v python3 >/dev/null; then
  cp "$OUT" report.json
  expect 0 python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
for part in report["midgame"], report["exact"]:
    for held_out in part["held_out"], part["held_out_without_mean"]:
        assert abs(held_out["mean"]) < 8 and len(held_out["within"]) == 4
for cell in report["cells"]:
    assert cell["sigma"] > 0 and cell["fitted_sigma"] > 0 and abs(cell["mean"]) < 64
assert any(cell["fitted_mean"] != 0 for cell in report["cells"])
' report.json
fi
probcut --threads 3 --out b.wlw --json
[ "$one" = "$(constants)" ] || fail "constants depend on the threads"
probcut --threads 2 --out c.wlw --json --seed 2
[ "$one" != "$(constants)" ] || fail "constants do not depend on the seed"
probcut --weights a.wlw --out a.wlw games
expect 0 "$WILLOW" weights info a.wlw
[ "$(grep -c '^  probcut' "$OUT")" -eq 3 ] || fail "provenance of constants that are gone"

# Weights that see nothing, no exact part, and a fit of the weights afterwards, which keeps the constants.
probcut --weights zero.wlw --exact 0 --out zero.wlw
has "$OUT" "no position was solved"
expect 0 "$WILLOW" train fit --data games --init a.wlw --plies 30 --iterations 1 --out d.wlw --quiet
expect 0 "$WILLOW" weights info d.wlw
has "$OUT" "probcut:     21 constants"
has "$OUT" "probcut fit: positions "

refused_probcut() {
  text=$1
  shift
  refused "$WILLOW" train probcut --quiet "$@"
  has "$ERR" "$text"
}
cp a.wlw keep.wlw
refused_probcut '--data' --out keep.wlw
refused_probcut '--out' --data games
refused_probcut 'missing' --data missing --out keep.wlw
refused_probcut 'none.wlw' --data games --weights none.wlw --out keep.wlw
refused_probcut '--depth' --data games --depth 1 --out keep.wlw
refused_probcut '--exact' --data games --exact 31 --out keep.wlw
refused_probcut '--positions' --data games --positions 0 --out keep.wlw
refused_probcut '--threads' --data games --threads 0 --out keep.wlw
refused_probcut 'no/such' --data games --out no/such/x.wlw
echo 'not weights' >mine
refused_probcut 'mine: exists and is no weights file' --data games --out mine
cmp -s a.wlw keep.wlw || fail "a refused fit changed the old file"

# Boards of other sizes: the bands of the table hold what was measured, near the end too.
for ruleset in 6x6 10x10; do
  expect 0 "$WILLOW" selfplay run --ruleset $ruleset --games 30 --depth 1 --exact 0 --seed 5 --out "on$ruleset" --weights zero --quiet
  expect 0 "$WILLOW" train probcut --data "on$ruleset" --weights zero --positions 200 --depth 3 --exact 10 \
    --out "on$ruleset.wlw" --quiet
  grep -q '^ *0 to 2 .*[0-9]/' "$OUT" || fail "$ruleset: nothing measured in the midgame"
  grep -q '^ *2 to exact .*[0-9]/' "$OUT" || fail "$ruleset: nothing measured to the end"
done
refused_probcut 'weights of 6x6 do not play othello, which the data are of' --data games --weights on6x6.wlw --out keep.wlw
exit 0
