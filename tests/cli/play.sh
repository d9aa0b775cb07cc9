#!/bin/sh
# willow play through a pipe: whole games, undo, hints, passes, saving and loading, bad input.
. "$(dirname "$0")/common.sh"

# play LINES ARGUMENTS...: the lines go to the prompt; the game must end with exit 0. One thread always plays the same.
play() {
  lines=$1
  shift
  printf '%b' "$lines" | "$WILLOW" play --depth 2 --exact 6 --threads 1 "$@" >"$OUT" 2>"$ERR" || fail "exit code: $*"
  [ ! -s "$ERR" ] || fail "something on stderr"
}
count() {
  [ "$(grep -c -- "$1" "$OUT")" -eq "$2" ] || fail "'$1' not $2 times"
}

# The end of input ends the game; so does quit.
play ''
has "$OUT" "Black to move: 4 moves"
play 'quit\nf5\n'
count "Willow (White) plays" 0
grep -q "$(printf '\033')" "$OUT" && fail "escape codes in a pipe"

# Moves in either case; an answer; back over it.
play 'F5\nundo\nmoves\nd3\nmoves\n'
count "Willow (White) plays" 2
has "$OUT" "No move has been played."
grep -Eq '^d3[a-h][1-8]$' "$OUT" || fail "moves"
play 'undo\n'
has "$OUT" "Cannot undo: "
play 'undo\n' --black engine --white human
count "Willow (Black) plays" 1
has "$OUT" "Cannot undo: "

# Hints: as many as asked, legal, best first.
play 'hint 2\nhint\nhint 0\nhint x\n'
grep -Ec '^  (d3|c4|f5|e6)  ' "$OUT" | grep -qx 6 || fail "hints"
count "'hint' takes" 2

# Bad input gets a line of advice and the game goes on.
play 'z9\nhello\nf5 now\na1\npass\nundo x\nlevel\nlevel 99\nlevel 3\nload\nsave\nload /nonexistent\n\n   \n\0\001\n;\nf5\n'
count "Not understood" 5
has "$OUT" "Illegal move a1"
has "$OUT" "Illegal pass"
has "$OUT" "'undo' takes how many"
has "$OUT" "Willow plays at level 3 now"
count "'level' takes a number from 1 to 30" 2
has "$OUT" "/nonexistent: cannot open"
count "Willow (White) plays" 1
head -c 20000 /dev/zero | tr '\0' 'x' | "$WILLOW" play >"$OUT" 2>"$ERR" || fail "long line"
head -c 4000 /dev/urandom | "$WILLOW" play --depth 1 >"$OUT" 2>"$ERR" || fail "random bytes"

# A whole game by `go`, saved, loaded again: same moves, same result.
script=$(for _ in $(seq 70); do printf 'go\\n'; done)
play "${script}moves\nsave $SCRATCH/game one.txt\n"
result=$(grep '^Game over\.' "$OUT" | tail -1)
[ -n "$result" ] || fail "no result"
moves=$(grep -E '^([a-h][1-8]){9,}$' "$OUT")
[ "$moves" = "$(cat "$SCRATCH/game one.txt")" ] || fail "the saved game is another"
play "load $SCRATCH/game one.txt\nmoves\n"
has "$OUT" "$result"
has "$OUT" "$moves"
# After the end: undo goes on, new starts again.
play "load $SCRATCH/game one.txt\nundo\nnew\nmoves\nresign\nundo\nf5\n"
count "^Game over" 2
has "$OUT" "No move has been played."
has "$OUT" "Black resigns. White wins."

# The line of a move says how sure its score is. With 16 empty squares: so deep, to the end, and solved.
printf '%.88s\n' "$moves" >"$SCRATCH/late.txt"
play "load $SCRATCH/late.txt\ngo\n" --depth 6 --white human
has "$OUT" "depth 6 at 73%, "
play "load $SCRATCH/late.txt\ngo\n" --depth 6 --selectivity 100 --white human
has "$OUT" "depth 6, "
play "load $SCRATCH/late.txt\ngo\n" --depth 60 --white human
has "$OUT" "73% to the end, "
play "load $SCRATCH/late.txt\ngo\n" --depth 60 --selectivity 100 --white human
solved=$(grep -o 'score [+-][0-9]* exact, ' "$OUT") || fail "not solved"
play "load $SCRATCH/late.txt\nhint 1\ngo\n" --exact 16 --selectivity 73 --threads 3 --white human
has "$OUT" "$solved"
grep -Eq '^  [a-h][1-8]  [+-][0-9]+ exact$' "$OUT" || fail "the hint is not exact"
play "load $SCRATCH/late.txt\ngo\n" --depth 60 --selectivity 95 --white human
has "$OUT" "95% to the end, "
play "load $SCRATCH/late.txt\nlevel 4\ngo\n" --white human
has "$OUT" "depth 4, "
# With time a search becomes ever surer.
printf '%b' "load $SCRATCH/late.txt\ngo\n" | "$WILLOW" play --time 60 --exact 0 --white human >"$OUT" 2>"$ERR" || fail "time"
has "$OUT" "$solved"

# Several threads play a whole game, with everything else as it comes.
"$WILLOW" play --black engine --white engine --depth 6 --exact 10 --threads 2 >"$OUT" 2>"$ERR" </dev/null || fail "threads"
has "$OUT" "Game over."

# Files that are no games leave the game as it is.
echo "f5d6a1" >"$SCRATCH/illegal.txt"
printf 'f5\000' >"$SCRATCH/binary.txt"
play "load $SCRATCH/illegal.txt\nload $SCRATCH/binary.txt\nload $SCRATCH\nsave $SCRATCH/no/file\nmoves\n"
has "$OUT" "illegal.txt: line 1, column 5: "
has "$OUT" "binary.txt: "
count "^Loaded" 0
has "$OUT" "No move has been played."

# Saving replaces games, and nothing else.
echo "my notes" >"$SCRATCH/notes.txt"
play "f5\nsave $SCRATCH/notes.txt\nsave $SCRATCH/one.txt\nsave $SCRATCH/one.txt\n"
has "$OUT" "notes.txt exists and is no saved game"
has "$SCRATCH/notes.txt" "my notes"
count "^Saved to" 2

# White has no move after Black's, Black none after that: passes are announced, and undo goes back over them.
pass="XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-OXXXXO-- X"
play 'h7\nundo\nmoves\n' --board "$pass"
has "$OUT" "No move has been played."
has "$OUT" "White has no move and passes."
# White wins by wipe-out and takes the empty squares.
wipe="OX-------------------------------------------------------------- O"
play 'c1\n' --board "$wipe" --black engine --white human
has "$OUT" "Game over. Discs: Black 0, White 3. White wins by 64, empty squares included."
# A board that is over from the start.
play '' --board "O--------------------------------------------------------------- X"
has "$OUT" "White wins by 64"
# A game that began elsewhere is saved with its board.
play "c1\nsave $SCRATCH/wipe.txt\n" --board "$wipe" --black engine --white human
play "load $SCRATCH/wipe.txt\n"
has "$OUT" "White wins by 64"

# The engine alone plays to the end without asking, the same game every time; sides can be swapped.
play 'f5\n' --black engine --white engine --white-weights zero
cp "$OUT" "$SCRATCH/first"
has "$OUT" "Game over."
play '' --black engine --white engine --white-weights zero
sed 's/ nodes.*//' "$SCRATCH/first" >"$SCRATCH/first.moves"
sed 's/ nodes.*//' "$OUT" | cmp -s - "$SCRATCH/first.moves" || fail "two runs differ"
play 'swap\nmoves\n'
has "$OUT" "You play White now."
count "Willow (Black) plays" 1
play 'f5\n' --time 0.05 --plain
count "Willow (White) plays" 1
# On a clock each move says what is left; hints cost nothing, a new game starts the clock again, and at the end of its
# time the engine still moves.
play 'hint\nf5\nhint\nnew\nf5\n' --clock 1:00+0.5 --depth 1
grep -Eq 'Willow \(White\) plays .* s, 60\.[45][0-9] s left' "$OUT" || fail "no time left"
count ' s left$' 2
play '' --black engine --white engine --depth 60 --clock 0.001
has "$OUT" "Game over. Black is out of time. White wins 64-0, whatever the board says."
refused "$WILLOW" play --clock 0
has "$ERR" "--clock '0'"
for percent in 0 74 101 -73 73% 073 '73 ' seventy ''; do
  refused "$WILLOW" play --selectivity "$percent"
  has "$ERR" "--selectivity '$percent': 73, 87, 95, 98, 99 or 100 is expected"
done
for threads in 0 -1 257 100000 two ''; do
  refused "$WILLOW" play --threads "$threads"
  has "$ERR" "--threads '$threads': a whole number from 1 to 256 is expected"
done
