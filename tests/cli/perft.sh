#!/bin/sh
# willow perft: published leaf counts of every ruleset in both pass modes, other starts, names that are none.
. "$(dirname "$0")/common.sh"

leaves() {
  wanted_leaves=$1
  shift
  expect 0 "$WILLOW" perft "$@"
  has "$OUT" ": $wanted_leaves leaves, "
}

leaves 1 0
leaves 4 1
leaves 390216 8
leaves 3005288 9
leaves 3005288 9 --passes count
leaves 3005320 9 --passes free
leaves 24571284 10 --ruleset othello
leaves 390216 8 -R anti
leaves 59564 13 --ruleset 4x4
leaves 60060 13 --ruleset=4x4 --passes free
leaves 2114912 9 --ruleset 6x6
leaves 2393900 9 --ruleset 6x6-parallel
leaves 2394196 9 --ruleset 6x6-parallel --passes free
# Four placements and nothing turned, then both kinds of start: four of the six have discs side by side.
leaves 24 4 --ruleset reversi
leaves 96 5 --ruleset reversi
leaves 209312 8 --ruleset hole:c3
has "$OUT" "perft 8 of hole:c3: "
leaves 209312 8 --ruleset hole:C3
expect 0 "$WILLOW" perft 5 --ruleset hole:random
grep -q 'perft 5 of hole:[a-h][1-8]: ' "$OUT" || fail "the drawn hole is not named"

# One move, then the game is over and stays one leaf.
leaves 1 5 --board "XO-------------------------------------------------------------- X"
# A pass costs a ply or not: White has no move, Black then plays c1.
leaves 1 1 --board "XO-------------------------------------------------------------- O"
# A board of a smaller ruleset has its squares alone.
leaves 1 5 --ruleset 4x4 --board "XO-------------- X"

refused "$WILLOW" perft 3 --ruleset othelo
has "$ERR" "willow perft: unknown ruleset 'othelo'; there are othello, anti, "
refused "$WILLOW" perft 3 --ruleset hole:z9
has "$ERR" "a hole is on a square from a1 to h8"
refused "$WILLOW" perft 3 --ruleset hole:d4
has "$ERR" "there cannot be a hole on a square of the start"
refused "$WILLOW" perft 3 --ruleset ""
exit 0
