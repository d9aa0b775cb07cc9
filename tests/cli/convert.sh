#!/bin/sh
# willow convert: every format into every other and back, bad records, single games and positions, hostile files, full disks.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

# From a public list of record games: 23 passes, all of them black's. The shortest game; one that was not played to its
# end; a win by wipe-out from another board.
passes=f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2h2e3f4b1g1c1e1g8g7f3h1h3h4h6
shortest=e6f4e3f6g5d6e7f5c5
start='---------------------------OX------XO--------------------------- X'
wipe='OX-------------------------------------------------------------- O'
printf '%s\n%s\nf5d6c3\n%s c1\n' $passes $shortest "$wipe" >games.txt

# There and back, by content and by name.
for format in transcript ggf sgf; do
  expect 0 "$WILLOW" convert games.txt --to $format --out games.$format
  [ ! -s "$OUT" ] || fail "output beside the file"
  expect 0 "$WILLOW" convert games.$format
  cmp -s "$OUT" games.txt || fail "$format: not the same games"
  "$WILLOW" convert --from $format - <games.$format | cmp -s - games.txt || fail "$format: not the same games by name"
  expect 0 "$WILLOW" convert games.$format --to json
  [ "$(wc -l <"$OUT")" -eq 4 ] || fail "$format: not four objects"
done
# What WTHOR does not know is left out, and said.
expect 1 "$WILLOW" convert games.sgf --to wthor -o games.wtb
has "$ERR" "willow: games.sgf: game 4: WTHOR knows no games that start from another position"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not one line"
[ "$(wc -c <games.wtb)" -eq $((16 + 3 * 68)) ] || fail "not three games"
expect 0 "$WILLOW" convert games.wtb
head -3 games.txt | cmp -s - "$OUT" || fail "wthor: not the same games"
"$WILLOW" convert games.txt games.ggf | cmp -s - games.txt && fail "only one of two files"
[ "$("$WILLOW" convert games.txt - <games.ggf | wc -l)" -eq 8 ] || fail "a file and standard input"

# The game with its passes, in every notation.
expect 0 "$WILLOW" convert --moves "$passes" --to sheet
has "$OUT" "Black passes before move 13, 16, 23, 24, 25, 30, 33, 34, 35, 36, 37, 38, 41,"
has "$OUT" "White wins by 64"
awk 'length > 80' "$OUT" | grep -q . && fail "wider than 80 columns"
[ "$(head -9 "$OUT" | tr -s ' ' '\n' | grep -c '^[0-9]*$')" -ge 55 ] || fail "not all moves"
expect 0 "$WILLOW" convert --moves "$passes" --to json
has "$OUT" '"board": "OOOOOOOOOOOOOOOOOOOOOO-OOOOOOO-OOOOOOOOOOOOOOO-OOOOOOOO-OOOOOOO- X"'
has "$OUT" '"discs": {"black": 0, "white": 59}, "over": true, "result": -64}'
[ "$(grep -o '"pa"' "$OUT" | wc -l)" -eq 23 ] || fail "not 23 passes"
# The side to move has no move: the pass is not made up, but kept where it was written.
expect 0 "$WILLOW" convert --moves F5D6C5F4D3E3F2C6G5B5A5B4B3C4C3A6A7A3F3E6C7B6D7D8B8E7F7E8C8A8A4F8A2B7 --to obf
has "$OUT" "--------X----X--XXXXXX--XXXXXX--XXOXXXX-XOXOX---XOOOOX--OOOOOO-- X"
expect 0 "$WILLOW" convert --moves f5d6c5f4d3e3f2c6g5b5a5b4b3c4c3a6a7a3f3e6c7b6d7d8b8e7f7e8c8a8a4f8a2b7pa --to sgf
has "$OUT" ";W[bg];B[])"
"$WILLOW" convert "$OUT" --to obf >board
has board "--------X----X--XXXXXX--XXXXXX--XXOXXXX-XOXOX---XOOOOX--OOOOOO-- O"

# Positions: guessed or named, from boards in all notations to all.
echo "$start" >boards
for notation in egaroucid digits hex ggf grid obf; do
  expect 0 "$WILLOW" convert boards --to $notation
  cp "$OUT" board.$notation
  [ $notation = ggf ] && continue # a game from that board
  expect 0 "$WILLOW" convert board.$notation
  cmp -s "$OUT" boards || fail "$notation: another board"
  expect 0 "$WILLOW" convert --from $notation board.$notation
  cmp -s "$OUT" boards || fail "$notation: another board by name"
  expect 0 "$WILLOW" convert --board "$(cat board.$notation)"
  cmp -s "$OUT" boards || fail "$notation: another board from the command line"
done
expect 0 "$WILLOW" convert --board "$start" --moves 'f5 d6' --ply 1 --to hex
has "$OUT" "0x0000003810000000 0x0000000008000000 O"
echo '---------------------------OX------XO---------------------------' >mover
expect 0 "$WILLOW" convert --mover mover
cmp -s "$OUT" boards || fail "mover"
expect 1 "$WILLOW" convert mover
has "$ERR" "mover: "
echo "$start; F5:+0; D3:-1;" >scores.obf
expect 0 "$WILLOW" convert scores.obf --scores
has "$OUT" "$start; F5:+0; D3:-1;"
expect 0 "$WILLOW" convert scores.obf
cmp -s "$OUT" boards || fail "scores although not asked for"
expect 0 "$WILLOW" convert scores.obf --scores --to json
has "$OUT" '"scores": {"f5": 0, "d3": -1}'

# One game of many, one position of a game.
expect 0 "$WILLOW" convert games.txt --game 3
[ "$(cat "$OUT")" = f5d6c3 ] || fail "another game"
expect 0 "$WILLOW" convert games.ggf --game 2 --ply 3
[ "$(cat "$OUT")" = e6f4e3 ] || fail "not the first three moves"
refused "$WILLOW" convert games.txt --game 5
has "$ERR" "--game: there are only 4 games"
expect 1 "$WILLOW" convert games.txt --ply 9 --to obf
[ "$(wc -l <"$OUT")" -eq 2 ] || fail "not two games of nine moves"
has "$ERR" "games.txt: game 3: the game has fewer than 9 moves"

# Names, results; the board decides, and a wrong result is a warning.
printf '(;GM[2]PB[a\\]b]PW[J\303\274rgen\033]RE[B+14];B[ef];W[fd];B[ec];W[ff];B[ge];W[df];B[eg];W[fe];B[ce])\n' >names.sgf
refused "$WILLOW" convert names.sgf
has "$ERR" "no text: a byte of value 27"
tr -d '\033' <names.sgf >good.sgf
expect 0 "$WILLOW" convert good.sgf --to ggf
has "$OUT" "PB[a\\]b]PW[J$(printf '\303\274')rgen]TY[8]RE[+64.000]"
has "$ERR" "willow: good.sgf: game 1: warning: the recorded result is +14, the board's +64"
# What GGF says of a game besides its moves is kept.
printf '(;GM[Othello]PC[here]PB[a]PW[b]TI[5:00//2:00]TY[8]RE[?]%s%s;)\n' \
  'BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]' \
  'B[f5/2.45/1.20]W[d6//0.50]B[c3/-3.00]W[d3]' >timed.ggf
expect 0 "$WILLOW" convert timed.ggf --to ggf
cmp -s "$OUT" timed.ggf || fail "times and scores of GGF"
echo '(;GM[2]RE[W+R];B[fe];W[df])' | "$WILLOW" convert --to ggf >"$OUT" || fail "resigned"
has "$OUT" "RE[-64.000:r]"
"$WILLOW" convert "$OUT" --to sgf | grep -qF 'RE[W+R]' || fail "who resigned is lost"
echo 'f5d6' | "$WILLOW" convert --to ggf | grep -qF 'RE[?]' || fail "a result that there is not"

# Bad records are named and left out; --strict stops at the first.
printf '%s\nf5a1\n(;\n%s\n' $shortest $shortest >mixed
expect 1 "$WILLOW" convert mixed
[ "$(wc -l <"$OUT")" -eq 2 ] || fail "not the two good games"
has "$ERR" "willow: mixed: line 2, column 3: illegal move a1 for white"
has "$ERR" "willow: mixed: line 3, column 1: not a move"
[ "$(wc -l <"$ERR")" -eq 2 ] || fail "not two lines"
expect 2 "$WILLOW" convert --strict mixed --out never
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "strict: not one line"
has "$ERR" "line 2, column 3"
[ ! -e never ] && [ ! -e never.tmp ] || fail "a file although strict"
printf '(;GM[Othello]TY[10]BO[10 *];)(;GM[Othello]TY[8ra]BO[8];)(;GM[1]B[aa])' >variants
expect 1 "$WILLOW" convert --from ggf variants
[ "$(wc -l <"$ERR")" -eq 3 ] && [ ! -s "$OUT" ] || fail "variants"

# What is nothing.
: >empty
printf '# only\n\n' >comment
printf 'f5\000' >binary
for file in nowhere empty comment binary . /dev/null "$WILLOW"; do
  refused "$WILLOW" convert "$file"
done
echo 'hello, world' >words
refused "$WILLOW" convert words
has "$ERR" "willow: words: no games or positions in any known format"
echo "$start" | cut -c 2- >short
expect 1 "$WILLOW" convert short
has "$ERR" "63 squares instead of 64"
head -c 100 games.wtb >cut.wtb
refused "$WILLOW" convert cut.wtb
has "$ERR" "3 games take 220 bytes, but it has 100"
head -c 300000 /dev/zero | tr '\0' '(' >deep.sgf
refused "$WILLOW" convert deep.sgf --from sgf
(printf '(;GM[2]' && head -c 3000000 /dev/zero | tr '\0' '(' && printf ';') >deeper.sgf
expect 1 "$WILLOW" convert deeper.sgf --from sgf

# Usage.
refused "$WILLOW" convert --to pdf games.txt
has "$ERR" "'pdf' is none of"
refused "$WILLOW" convert --from pdf games.txt
refused "$WILLOW" convert --from auto games.txt
refused "$WILLOW" convert --board "$start" games.txt
refused "$WILLOW" convert --moves f5d6a1
has "$ERR" "--moves: column 5: illegal move a1 for black"
refused "$WILLOW" convert --board "$start" --moves a1
refused "$WILLOW" convert --board 'XO X'
has "$ERR" "--board: "
refused "$WILLOW" convert --mover --from hex games.txt
refused "$WILLOW" convert --game 0 games.txt
refused "$WILLOW" convert --ply -1 games.txt

# A pipe as a file, a closed pipe, a disk that is full, a file that cannot be.
mkfifo pipe
cat games.sgf >pipe &
expect 0 "$WILLOW" convert pipe
cmp -s "$OUT" games.txt || fail "from a pipe"
for _ in $(seq 2000); do cat games.txt; done >many.txt
"$WILLOW" convert many.txt | head -1 | grep -q f5d6 || fail "a closed pipe"
expect 2 sh -c "'$WILLOW' convert many.txt >/dev/full"
has "$ERR" "willow: standard output: cannot write: No space left on device"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "full: not one line"
expect 2 sh -c "ulimit -f 8; '$WILLOW' convert many.txt --to json --out big"
[ ! -e big ] && [ ! -e big.tmp ] || fail "a part of a file"
refused "$WILLOW" convert games.txt --out no/file
echo kept >kept
expect 2 "$WILLOW" convert --strict mixed --out kept
has kept kept
exit 0
