#!/bin/sh
# Every ruleset in the verbs of the program willow: whole games, saved, loaded, converted, analysed; solved starts;
# bench; and what does not belong together.
. "$(dirname "$0")/common.sh"

rulesets="anti reversi 4x4 6x6 hole:c3 4x4-anti-reversi"
[ -x "$BIN/wide/willow" ] && rulesets="$rulesets 10x10"

# A game of each: Black moves by `go`, White by itself, and the end is told once.
script=$(for _ in $(seq 110); do printf 'go\\n'; done)
for ruleset in $rulesets; do
  save="save $SCRATCH/game.sgf\nsave $SCRATCH/game.txt\nsave $SCRATCH/game.ggf\n"
  printf '%b' "${script}moves\n$save" |
    "$WILLOW" play --ruleset "$ruleset" --depth 1 --exact 4 --threads 1 --weights zero >"$OUT" 2>"$ERR" || fail "$ruleset"
  [ ! -s "$ERR" ] || fail "$ruleset: something on stderr"
  has "$OUT" "Ruleset $ruleset"
  [ "$(grep -c '^Game over\.' "$OUT")" -eq 1 ] || fail "$ruleset: the end is not told once"
  result=$(grep '^Game over\.' "$OUT")
  moves=$(grep -E '^([a-j][0-9]+|pa){9,}$' "$OUT") || fail "$ruleset: no moves"
  has "$SCRATCH/game.txt" "$moves"
  case $ruleset in
  hole:* | reversi | *-reversi) has "$OUT" "GGF has no word for $ruleset" ;;
  *) has "$OUT" "Saved to $SCRATCH/game.ggf." ;;
  esac
  # 80 columns and 24 lines hold the board.
  ! grep -vxF "$moves" "$OUT" | grep -qE '^.{81}' || fail "$ruleset: more than 80 columns"

  # Back from the files: the same moves and the same result.
  for name in game.sgf game.txt game.ggf; do
    [ -f "$SCRATCH/$name" ] || continue
    printf '%b' "load $SCRATCH/$name\nmoves\nundo all\nlegal\nnew\nmoves\nsettings\n" |
      "$WILLOW" play --ruleset "$ruleset" --depth 1 --weights zero >"$OUT" 2>"$ERR" || fail "$ruleset: load $name"
    has "$OUT" "$result"
    grep -qxF "$moves" "$OUT" || fail "$ruleset: other moves in $name"
    has "$OUT" "Black can play "
    has "$OUT" "No move has been played."
    [ "$(grep -c "^Ruleset $ruleset" "$OUT")" -ge 1 ] || fail "$ruleset: the settings do not name it"
    expect 0 "$WILLOW" convert --ruleset "$ruleset" "$SCRATCH/$name" --to json
    has "$OUT" "\"ruleset\": \"$ruleset\""
    expect 0 "$WILLOW" convert --ruleset "$ruleset" "$SCRATCH/$name" --to sheet
    has "$OUT" "$result"
    expect 0 "$WILLOW" convert --ruleset "$ruleset" "$SCRATCH/$name" --to transcript
    has "$OUT" "$moves"
    rm "$SCRATCH/$name.again" 2>/dev/null
    expect 0 "$WILLOW" convert --ruleset "$ruleset" "$SCRATCH/$name" --to grid --out "$SCRATCH/$name.again"
    expect 0 "$WILLOW" convert --ruleset "$ruleset" "$SCRATCH/$name" --ply 5 --to obf
    cp "$OUT" "$SCRATCH/early.obf"
    expect 0 "$WILLOW" convert --ruleset "$ruleset" "$SCRATCH/early.obf" --to obf
    cmp -s "$OUT" "$SCRATCH/early.obf" || fail "$ruleset: another board"
    rm "$SCRATCH/$name"
  done

  # Analysed: every move has a score, the graph has its scale, JSON and picture name what they must.
  expect 0 "$WILLOW" analyse --ruleset "$ruleset" --weights zero --depth 1 --exact 4 --moves "$moves" --plain \
    --svg "$SCRATCH/game.svg" --quiet
  has "$OUT" "Ruleset $ruleset"
  has "$OUT" "$result"
  has "$OUT" "Score in discs: Black ahead"
  ! grep -qE '^.{81}' "$OUT" || fail "$ruleset: more than 80 columns of analysis"
  grep -q '^<svg' "$SCRATCH/game.svg" || fail "$ruleset: no picture"
  rm "$SCRATCH/game.svg"
  expect 0 "$WILLOW" analyse --ruleset "$ruleset" --weights zero --depth 1 --exact 4 --moves "$moves" --json --quiet
  has "$OUT" "\"ruleset\": \"$ruleset\""
  has "$OUT" '"complete": true'
  expect 0 "$WILLOW" analyse --ruleset "$ruleset" --weights zero --depth 1 --exact 4 --quiet "$SCRATCH/early.obf"
  has "$OUT" "no move  score"
done

# Holes are seen, heard, and no squares.
printf 'board\nc3\nsheet\nsetup\nblack c3\ncancel\n' |
  "$WILLOW" play --ruleset hole:c3 --plain --weights zero --depth 1 >"$OUT" 2>"$ERR" || fail "a hole in words"
has "$OUT" "Ruleset hole:c3: c3 is a hole."
grep -qx 'c3 is a hole\.' "$OUT" || fail "the board does not tell the hole"
has "$OUT" "Illegal move c3"
has "$OUT" "'c3' is no square."
has "$OUT" " 3  .  . ##  ."
printf '' | "$WILLOW" play --ruleset hole:c3 --weights zero --depth 1 >"$OUT" 2>"$ERR" || fail "a hole"
has "$OUT" "  3  .  . ### *"
expect 0 "$WILLOW" play --ruleset hole:random --seed 3 --weights zero --depth 1
grep -o '^Ruleset hole:[a-h][1-8]: [a-h][1-8] is a hole\.$' "$OUT" >"$SCRATCH/hole" || fail "hole:random is not resolved"
expect 0 "$WILLOW" play --ruleset hole:random --seed 3 --weights zero --depth 1
has "$OUT" "$(cat "$SCRATCH/hole")"

# The first four discs: placed on the centre alone, taken back, nothing is turned.
printf 'legal\nf5\nxyz\nd4\nmoves\nundo\nlegal\nhint\n' |
  "$WILLOW" play --ruleset reversi --plain --white human --weights zero --depth 2 >"$OUT" 2>"$ERR" || fail "placement"
has "$OUT" "Ruleset reversi: the first 4 discs are placed freely."
[ "$(grep -c 'Black can play d4, e4, d5 and e5\.' "$OUT")" -eq 2 ] || fail "the squares of the placement"
has "$OUT" "Illegal move f5"
has "$OUT" "Type a move such as d4;"
has "$OUT" "Not understood. Type a move such as d4,"
has "$OUT" "Black to place a disc: 4 squares."
has "$OUT" "White to place a disc: 3 squares."
has "$OUT" "Black plays d4."
[ "$(grep -Ec '^  (d4|e4|d5|e5)  [-+]' "$OUT")" -eq 4 ] || fail "hints while discs are placed"

# The fewest discs win: a wipe-out in nine moves is the other side's.
printf 'play e6f4e3f6g5d6e7f5c5\n' | "$WILLOW" play --ruleset anti --plain --white human --weights zero --depth 1 \
  >"$OUT" 2>"$ERR" || fail "anti"
has "$OUT" "Ruleset anti: fewest discs win."
has "$OUT" "Game over. Discs: Black 13, White 0. The fewest win: White wins by 64, empty squares included."

# Out of time costs as many discs as there are squares.
printf 'clock 5:00\n' | "$WILLOW" play --ruleset 6x6 --weights zero --depth 1 >"$OUT" 2>"$ERR" || fail "clock"
has "$OUT" "Who is out of time loses 36-0."

# Starts that are solved, where the empty squares are nobody's: values that are published or were computed elsewhere.
value() {
  expect 0 "$WILLOW" solve --start --raw --ruleset "$1" --weights zero --json
  has "$OUT" "{\"ruleset\": \"$1\", \"raw\": true, "
  has "$OUT" "\"file\": \"--start\""
  has "$OUT" "\"score\": $2, \"exact\": true"
}
value 4x4 -8
value 4x4-parallel -3
value 4x4-anti 3
value 4x4-anti-parallel 0
value 4x4-reversi -3
value 4x4-anti-reversi 0
# The winner takes the empty squares: 16 in all.
expect 0 "$WILLOW" solve --start --ruleset 4x4 --weights zero
grep -Eq '^ +1  12 +[a-d][1-4] +-1[0-6] .* exact ' "$OUT" || fail "4x4 as it counts"
printf '%s\n' '-----OX--XO----- X' >"$SCRATCH/small.obf"
expect 0 "$WILLOW" solve --ruleset 4x4 --weights zero --all-moves --format obf "$SCRATCH/small.obf"
expect 0 "$WILLOW" solve --ruleset 4x4 --weights zero "$SCRATCH/small.obf"
cp "$OUT" "$SCRATCH/solved"
refused "$WILLOW" solve --start "$SCRATCH/small.obf" --ruleset 4x4
refused "$WILLOW" solve --start --depth 0 --ruleset 4x4
refused "$WILLOW" solve --start --raw --depth 3 --ruleset 4x4
refused "$WILLOW" solve --start --raw --win-loss --ruleset 4x4

# Weights of a ruleset: made, described, compared, and refused elsewhere with both names.
for ruleset in anti 4x4 6x6 hole:c3; do
  expect 0 "$WILLOW" weights zero --ruleset "$ruleset" --out "$SCRATCH/$ruleset.wlw"
  expect 0 "$WILLOW" weights info "$SCRATCH/$ruleset.wlw"
  has "$OUT" "ruleset:     $ruleset"
  expect 0 "$WILLOW" weights verify "$SCRATCH/$ruleset.wlw"
  has "$OUT" ", for $ruleset"
  expect 0 "$WILLOW" weights diff "$SCRATCH/$ruleset.wlw" zero
done
refused "$WILLOW" weights diff "$SCRATCH/6x6.wlw" "$SCRATCH/anti.wlw"
has "$ERR" "anti.wlw: weights for anti, and $SCRATCH/6x6.wlw is for 6x6"
refused "$WILLOW" weights info "$SCRATCH/6x6.wlw" --ruleset 4x4
for verb in "play --ruleset 6x6" "analyse --moves f5 --ruleset othello" "solve --start --ruleset 4x4" "bench --ruleset anti"; do
  # shellcheck disable=SC2086
  refused "$WILLOW" $verb --weights "$SCRATCH/hole:c3.wlw"
  has "$ERR" "hole:c3"
  has "$ERR" "${verb##* }"
done
# Weights of one ruleset serve another that differs in the start alone.
expect 0 "$WILLOW" play --ruleset 6x6-parallel --weights "$SCRATCH/6x6.wlw" --depth 1
[ ! -s "$ERR" ] || fail "weights of 6x6 for 6x6-parallel"

# Where no weights are shipped one line says what plays.
expect 0 "$WILLOW" play --ruleset hole:a1 --depth 1
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not one line"
has "$ERR" "willow: no weights are shipped for hole:a1: zero weights play, which know only the rules"

# When the input is wrong, that alone is said.
: >"$SCRATCH/nothing.txt"
for verb in "solve" "analyse"; do
  refused "$WILLOW" $verb "$SCRATCH/nothing.txt" --ruleset hole:a1
done
refused "$WILLOW" play --board "-- X" --ruleset hole:a1
refused "$WILLOW" solve --start --positions 2 --ruleset hole:a1

# Bench: the same nodes twice.
expect 0 "$WILLOW" bench --ruleset 4x4 --weights zero --json
has "$OUT" '{"ruleset": "4x4", "signature": '
signature=$(sed 's/.*"signature": \([0-9]*\),.*/\1/' "$OUT")
expect 0 "$WILLOW" bench --ruleset 4x4 --weights zero
has "$OUT" "signature $signature nodes"

# What is no ruleset, a hole on a square of the start or on none; boards and games of another size.
for verb in play "analyse --moves f5" "solve --start" "convert --moves f5" bench "weights zero --out $SCRATCH/x.wlw"; do
  for bad in chess "" 7x7 hole: hole:d4 hole:z9; do
    # shellcheck disable=SC2086
    refused "$WILLOW" $verb --ruleset "$bad"
  done
done
refused "$WILLOW" play --ruleset chess
has "$ERR" "unknown ruleset 'chess'; there are othello, anti, "
refused "$WILLOW" play --ruleset hole:d4
has "$ERR" "there cannot be a hole on a square of the start"
refused "$WILLOW" solve --ruleset 6x6 --weights zero "$SCRATCH/small.obf"
has "$ERR" "small.obf: line 1, "
refused "$WILLOW" play --ruleset 4x4 --weights zero --board "---------------------------OX------XO--------------------------- X"
refused "$WILLOW" analyse --ruleset hole:c3 --weights zero --moves d3c3
has "$ERR" "--moves: column 3"
# A game that only another ruleset allows, a record that names another one: the message names it.
printf 'c2b2a2a1b3d2b1c1d1e1e2a3\n' >"$SCRATCH/six.txt"
expect 1 "$WILLOW" convert "$SCRATCH/six.txt" --to json
has "$ERR" "6x6"
printf '(;GM[2]FF[4]SZ[6]RU[6x6];B[cb])\n' >"$SCRATCH/six.sgf"
expect 1 "$WILLOW" convert "$SCRATCH/six.sgf" --to json
has "$ERR" "6x6"
printf 'load %s\n' "$SCRATCH/six.sgf" | "$WILLOW" play --depth 1 >"$OUT" 2>"$ERR" || fail "load"
has "$OUT" "6x6"
for format in wthor ggf; do
  expect 1 "$WILLOW" convert --ruleset hole:c3 --moves d3 --to $format --out "$SCRATCH/none"
  [ "$(wc -l <"$ERR")" -eq 1 ] || fail "not one line"
done
exit 0
