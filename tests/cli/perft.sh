#!/bin/sh
# willow perft: published leaf counts in both pass modes, and other starts.
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

# One move, then the game is over and stays one leaf.
leaves 1 5 --board "XO-------------------------------------------------------------- X"
# A pass costs a ply or not: White has no move, Black then plays c1.
leaves 1 1 --board "XO-------------------------------------------------------------- O"
exit 0
