#!/bin/sh
# Lines of perfect play on 6x6 and a game with a hole, as others published or computed them: replayed, read in words,
# and solved at the end.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

# line NAME RULESET MOVES RESULT: the result as the sheet tells it; the moves come back from every format there is.
line() {
  printf '%s\n' "$3" >"$1.txt"
  expect 0 "$WILLOW" convert --ruleset "$2" "$1.txt" --to sheet
  has "$OUT" "$4"
  moves=$(printf '%s' "$3" | tr -d ' ')
  expect 0 "$WILLOW" convert --ruleset "$2" "$1.txt" --to sgf --out "$1.sgf"
  expect 0 "$WILLOW" convert --ruleset "$2" "$1.sgf" --to transcript
  has "$OUT" "$moves"
}

standard='c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 e1 f1'
line standard 6x6 "$standard" 'Game over. Discs: Black 16, White 20. White wins by 4.'
expect 0 "$WILLOW" convert --ruleset 6x6 standard.txt --to sheet
has "$OUT" 'Black passes before move 31'
fewest='c2 b4 d5 e2 e3 c1 b1 e4 d1 d2 f2 e1 f3 f4 b3 d6 a5 a4 a3 a2 b5 b2 e6 c5 c6 f1 f5 e5 f6 b6 a6 a1'
line fewest 6x6-anti "$fewest" 'Game over. Discs: Black 17, White 19. The fewest win: Black wins by 2.'
expect 0 "$WILLOW" convert --ruleset 6x6-anti fewest.txt --to json
has "$OUT" '"ruleset": "6x6-anti"'
has "$OUT" '"result": 2}'
# With the board of the other: the moves are the same, the winner is not.
expect 0 "$WILLOW" convert --ruleset 6x6 fewest.txt --to json
has "$OUT" '"result": -2}'
printf '%s\n' 'c2 d2 e4 d5 e3 f3 f4 f5 e1 b3 b2 e5 c5 b4 a4 d6 a5 b1 d1 c1 e2 a2 b5 a3 c6 b6 e6 f2 f1 f6 a1 a6' >other.txt
expect 0 "$WILLOW" convert --ruleset 6x6-anti other.txt --to sheet
has "$OUT" 'passes before move 32'
has "$OUT" 'The fewest win: Black wins by 2.'

# solved RULESET PLY SCORE FILE: from that move of the line on, to the end.
solved() {
  expect 0 "$WILLOW" convert --ruleset "$1" "$4" --ply "$2" --to obf
  cp "$OUT" there.obf
  expect 0 "$WILLOW" solve --ruleset "$1" --weights zero --json there.obf
  has "$OUT" "\"score\": $3, \"exact\": true"
}
solved 6x6 20 -4 standard.txt
solved 6x6 21 4 standard.txt
solved 6x6-anti 20 2 fewest.txt
solved 6x6-anti 21 -2 fewest.txt
solved 6x6-anti 22 2 other.txt

hole=c4c5e6e3c6e7f3f4f7g2e2e1d7e8d3c2f5d6h1g4d2d8f2g3g1h2h4b6c8c7f1f6b7f8h3b8g6b5c1b4b1g7a7a5b3a2a4d1h7a8
line hole hole:c3 "$hole" 'Discs: Black 33, White 21. Black to move.'
has "$OUT" "$hole"
expect 0 "$WILLOW" convert --ruleset hole:c3 hole.txt --to obf
has "$OUT" '-XXOOXXXO-XOXXXX-X-OXXXXXXXOXXXXOOXOOX---OOXOOX-XOXXXXXXOOOOOO-- X'
cp "$OUT" hole.obf
expect 0 "$WILLOW" solve --ruleset hole:c3 --weights zero --all-moves --format obf hole.obf
has "$OUT" ' X; A6:-21; G5:-25;'
# A hole is no empty square.
expect 0 "$WILLOW" solve --ruleset hole:c3 --weights zero hole.obf
grep -Eq '^ +1 +9 +a6 +-21 ' "$OUT" || fail "the hole is counted"
exit 0
