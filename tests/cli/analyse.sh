#!/bin/sh
# willow analyse: games and positions in, tables, pictures and JSON out; games that end early; limits; bad input.
. "$(dirname "$0")/common.sh"

count() {
  [ "$(grep -c -- "$1" "$OUT")" -eq "$2" ] || fail "'$1' not $2 times"
}
# analyse ARGUMENTS...: must succeed without a word on stderr.
analyse() {
  expect 0 "$WILLOW" analyse --quiet --threads 1 "$@"
  [ ! -s "$ERR" ] || fail "something on stderr: $*"
}

# A game on the command line, as a file, and through a pipe is the same; later moves are solved.
moves=d3c5f6f5f4c3c4d2e2b4d1f3b5e3f2f1a4d6e6e7f7b6e8c6b3a5d7a3e1a6g1a2c2c7b8d8c8g8g6h6g5h5g4h4h3g7h8f8h7a8a7b7a1b2g3g2h2h1c1b1
analyse --level 3 --moves $moves
cp "$OUT" "$SCRATCH/moves"
count ' exact' 7 # moves 55 to 60, and the head of the graph
count '^    Black  pass$' 1
has "$OUT" "Game over. Discs: Black 32, White 32. A draw."
has "$OUT" "mean loss"
grep -q "$(printf '\033')" "$OUT" && fail "escape codes in a pipe"
LC_ALL=C grep -q '[^ -~]' "$OUT" && fail "not ASCII although the locale is"
grep -q '.\{81\}' "$OUT" && fail "more than 80 columns"
echo $moves >"$SCRATCH/game.txt"
analyse --level 3 "$SCRATCH/game.txt"
cmp -s "$OUT" "$SCRATCH/moves" || fail "a file is not the moves in it"
printf '%s\n' $moves | "$WILLOW" analyse -q -t 1 -l 3 >"$OUT" 2>"$ERR" || fail "standard input"
cmp -s "$OUT" "$SCRATCH/moves" || fail "standard input is not the moves in it"
printf '%s\n' $moves | "$WILLOW" analyse -q -t 1 -l 3 - --plain >"$OUT" 2>"$ERR" || fail "standard input as -"
cmp -s "$OUT" "$SCRATCH/moves" || fail "- is not standard input"
if locale -a 2>/dev/null | grep -qi 'C\.utf-\?8'; then
  LC_ALL=C.UTF-8 "$WILLOW" analyse -q -t 1 -l 3 --moves $moves >"$OUT" || fail "in a UTF-8 locale"
  has "$OUT" "█"
  LC_ALL=C.UTF-8 "$WILLOW" analyse -q -t 1 -l 3 --moves $moves --plain >"$OUT" || fail "plain in a UTF-8 locale"
  cmp -s "$OUT" "$SCRATCH/moves" || fail "--plain is not plain"
fi

# Several games, one of them, and the same game whatever stands before it. Other formats.
{
  echo f5d6c3
  echo $moves
  echo f5f6e6f4
} >"$SCRATCH/games.txt"
analyse --level 3 "$SCRATCH/games.txt"
count '^Game [123]$' 3
analyse --level 3 "$SCRATCH/games.txt" --game 2
cmp -s "$OUT" "$SCRATCH/moves" || fail "--game 2 is another game"
refused "$WILLOW" analyse "$SCRATCH/games.txt" --game 4
has "$ERR" "there is no game 4: it holds 3"
{
  echo '(;GM[Othello]PC[x]PB[A <b> & "c"]PW[D]RE[?]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5]W[d6]B[c3];)'
} >"$SCRATCH/game.ggf"
analyse --level 3 "$SCRATCH/game.ggf" --svg "$SCRATCH/game.svg"
has "$OUT" 'A <b> & "c" (Black) - D (White)'
printf '(;GM[2]FF[4]CA[UTF-8]SZ[8]PB[Bj\303\266rk];B[fe])' | "$WILLOW" analyse -q -l 1 >"$OUT" || fail "a name of other letters"
has "$OUT" 'Bj?rk (Black) - ? (White)'
has "$SCRATCH/game.svg" '>A &lt;b&gt; &amp; "c" (Black)'
echo '(;GM[2]FF[4]SZ[8]PB[A]PW[D];B[fe];W[df];B[cc])' >"$SCRATCH/game.sgf"
analyse --level 3 "$SCRATCH/game.sgf" --json
has "$OUT" '"black": "A", "white": "D"'
has "$OUT" '"played": "c3", "done": true'
# The picture replaces pictures and nothing else.
analyse --level 3 "$SCRATCH/game.ggf" --svg "$SCRATCH/game.svg"
echo "my notes" >"$SCRATCH/notes"
refused "$WILLOW" analyse --level 3 "$SCRATCH/game.ggf" --svg "$SCRATCH/notes"
has "$SCRATCH/notes" "my notes"
refused "$WILLOW" analyse --level 3 "$SCRATCH/game.ggf" --svg "$SCRATCH/no/picture.svg"
refused "$WILLOW" analyse "$SCRATCH/games.txt" --svg "$SCRATCH/game.svg"
has "$ERR" "--game chooses it"

# The shortest game, nine moves and a wipe-out (a public record game); before its last move c5 is worth the whole board,
# and each move stands there once, however many are asked for.
analyse --level 4 --moves e6f4e3f6g5d6e7f5c5
has "$OUT" "Black wins by 64, empty squares included."
board="--------------------X------OXX-----OOOX----OXX------X----------- X;"
for lines in 1 3 10 1000; do
  analyse --level 4 --board "$board" --lines $lines
  grep -q '^  1 c5 *+64 *0  exact *c5$' "$OUT" || fail "c5 is not first, or not worth 64"
  found=$(grep -cE '^ +[0-9]+ [a-h][1-8] ' "$OUT")
  [ "$found" -eq $((lines < 7 ? lines : 7)) ] || fail "$found lines of $lines"
done
analyse --level 1 --moves e6f4e3f6g5d6e7f5c5 --json
has "$OUT" '"result": 64'
# Its end alone: nothing to score, and a word about it.
over="--------------------X------XXX----XXXXX----XXX------X----------- O"
analyse --board "$over"
has "$OUT" "Game over. Discs: Black 13, White 0."
analyse --board "$over" --json
has "$OUT" '"score": -64'

# The game with most passes (a public record game), passes written or not.
passes=f5d6c4g5d7c7h5d8b8b7b6a7PAb5a6a5PAb4b3c6e8f8c8a8PAe7PAa4PAb2a2c2d2d1PAe2f2c5PAc3PAa1PAa3PAe6PAd3PAf6f7f1PAg2h2e3f4b1PAg1PAc1PAe1PAg8PAg7PAf3PAh1PAh3PAh4PAh6
analyse --level 3 --moves $passes
count '^    Black  pass$' 23
cp "$OUT" "$SCRATCH/passes"
analyse --level 3 --moves "$(echo $passes | sed 's/PA//g')"
cmp -s "$OUT" "$SCRATCH/passes" || fail "passes that are left out make a difference"

# Games left where a side must pass (from the public report Zolomon/reversi-ai 6 and others): what comes after the pass is
# looked at.
analyse --level 3 --moves e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8
grep -A1 '^    Black  pass$' "$OUT" | grep -q '^ 17 White  next' || fail "White does not go on after the pass"
analyse --level 3 --moves f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3
grep -A1 '^    White  pass$' "$OUT" | grep -q '^ 44 Black  next' || fail "Black does not go on after the pass"

# A position of 29 empty squares (from the public report Egaroucid 264): 16 moves, at a depth, and stopped by the clock.
hard="--XO-O----XOOO--OOXXOOX--OOOXOO---OXOXXX-XXXXX----OXX-----X----- O;"
analyse --board "$hard" --depth 4
[ "$(grep -E '^ +[0-9]+ [a-h][1-8] ' "$OUT" | awk '{print $2}' | sort | tr '\n' ' ')" = "a5 a7 b1 b2 b7 d8 e8 f7 f8 g2 g6 g7 h2 h3 h4 h6 " ] ||
  fail "not the 16 legal moves"
expect 0 "$WILLOW" analyse --quiet --board "$hard" --time 0.3 --exact 29 --threads 4
count ' exact' 0
[ "$(grep -cE '^ +[0-9]+ [a-h][1-8] ' "$OUT")" -eq 16 ] || fail "not 16 moves on the clock"
# At a depth and by one thread every build gives the same, node for node.
analyse --board "$hard" --depth 6 --json
sed 's/"seconds": [0-9.]*//' "$OUT" >"$SCRATCH/once"
analyse --board "$hard" --depth 6 --json
sed 's/"seconds": [0-9.]*//' "$OUT" | cmp -s - "$SCRATCH/once" || fail "two runs differ"

# Files of positions: each on its own.
analyse --depth 2 "$DATA/late.obf" --lines 1
count '^Game [0-9]*$' 12
[ "$(grep -cE '^ +[0-9]+ [a-h][1-8] ' "$OUT")" -eq 12 ] || fail "not a line for each position"

# Marks follow the option.
analyse --level 3 --moves $moves --blunder 100
grep -q '?' "$OUT" && fail "a mark although no move loses so much"
analyse --level 3 --moves $moves --blunder 0.1
losing=$(grep -cE '^ +[0-9]+ (Black|White) .* [0-9.]+ \?{1,2} ' "$OUT")
[ "$losing" -eq "$(grep -cE '^ +[0-9]+ (Black|White) +[a-h][1-8] +[-+][0-9.]+ +[a-h][1-8] ' "$OUT")" ] ||
  fail "not every move that loses something is marked"

# Stopped: what is done is kept, from the end of the game backwards.
"$WILLOW" analyse --level 30 --threads 1 --moves $moves >"$OUT" 2>"$ERR" &
pid=$!
until_caught $pid
sleep 0.5
kill -INT $pid
wait $pid
[ $? -eq 1 ] || fail "a stopped analysis does not exit with 1"
has "$ERR" "stopped"
has "$OUT" " 60 Black  b1"
grep -q '^  1 Black' "$OUT" && fail "the first move was analysed in no time"

# Bad input: one line that names the place.
echo f5d6a1 >"$SCRATCH/illegal.txt"
refused "$WILLOW" analyse "$SCRATCH/illegal.txt"
has "$ERR" "illegal.txt: line 1, column 5: "
{
  echo $moves
  echo f5f5
} >"$SCRATCH/second.txt"
refused "$WILLOW" analyse "$SCRATCH/second.txt"
has "$ERR" "second.txt: line 2, column 3: "
analyse --level 1 "$SCRATCH/second.txt" --game 1
refused "$WILLOW" analyse --moves f5d6a1
has "$ERR" "--moves: column 5: "
refused "$WILLOW" analyse --board "XO X"
has "$ERR" "--board: column "
: >"$SCRATCH/empty"
head -c 4000 /dev/urandom >"$SCRATCH/random"
for file in empty random none .; do
  refused "$WILLOW" analyse "$SCRATCH/$file"
done
refused "$WILLOW" analyse </dev/null
for wrong in "--level 0" "--level 31" "--lines 0" "--blunder 0" "--blunder x" "--game 0" "--from pgn" "--time 0" \
  "--threads 0" "--level 3 --depth 4" "--loss 3" "--moves f5" "--board x" "extra" "--svg="; do
  # shellcheck disable=SC2086
  refused "$WILLOW" analyse "$SCRATCH/game.txt" $wrong
done
refused "$WILLOW" analyse --board "$hard" --svg "$SCRATCH/position.svg"
[ ! -e "$SCRATCH/position.svg" ] || fail "a picture of nothing"
expect 0 "$WILLOW" analyse --help
has "$OUT" "willow analyse game.sgf --svg game.svg"
exit 0
