#!/bin/sh
# willow train loop with other rulesets, in miniature: --ruleset scales a configuration for 8x8, is written resolved, goes to every
# program, and must stay the same.
. "$(dirname "$0")/common.sh"

cp "$DATA/tiny.yaml" "$DATA/late.obf" "$DATA/openings.txt" "$SCRATCH"
# Transcripts are of one game only.
sed -i 's/, openings: openings.txt//' "$SCRATCH/tiny.yaml"
loop() {
  ruleset=$1 folder=$2
  shift 2
  "$WILLOW" train loop "$SCRATCH/tiny.yaml" --ruleset "$ruleset" --out "$SCRATCH/$folder" --threads 2 --quiet "$@"
}

expect 0 loop 6x6 six
has "$OUT" "Against generation 0"
has "$OUT" "willow play --ruleset 6x6 --weights"
has "$SCRATCH/six/config.yaml" 'ruleset: "6x6"'
has "$SCRATCH/six/config.yaml" 'opening: "0-11"'
has "$SCRATCH/six/config.yaml" 'noise_plies: 32'
has "$SCRATCH/six/report.txt" "ruleset 6x6"
has "$SCRATCH/six/report.html" "ruleset 6x6"
! grep -q 'yardsticks:' "$SCRATCH/six/config.yaml" || fail "a yardstick of another game is kept"
expect 0 "$WILLOW" weights info "$SCRATCH/six/weights.wlw"
has "$OUT" "6x6"

# What was resolved is not scaled again, and the folder stays with its ruleset.
expect 0 "$WILLOW" train loop --out "$SCRATCH/six" --threads 2 --quiet
refused loop 4x4 six
has "$ERR" "begun with ruleset 6x6, not 4x4"

expect 0 loop 6x6-anti dry --dry-run # which no weights are shipped for
has "$OUT" "Left out, since it is not of ruleset 6x6-anti: linked, late.obf."

# A hole is drawn once.
expect 0 loop hole:random hole --dry-run
grep -q -- '--ruleset hole:[a-h][1-8]' "$OUT" || fail "no hole was drawn"
! grep -q 'hole:random' "$OUT" || fail "programs are to draw holes of their own"

expect 0 loop reversi reversi
has "$SCRATCH/reversi/report.txt" "ruleset reversi"
refused loop 7x7 seven
has "$ERR" "7x7"

# The configuration for any of them.
for ruleset in othello anti reversi 4x4 6x6 6x6-parallel hole:c3; do
  expect 0 "$WILLOW" train loop "$DATA/../../configs/ruleset.yaml" --ruleset $ruleset --out "$SCRATCH/shipped" --dry-run
  has "$OUT" "# Estimate: about"
done
