#!/bin/sh
# willow play on games and positions where other programs went wrong, told in words (--plain): wipe-outs, many passes,
# forced passes, undo and redo over them, new games after white-first starts, threads, move times, records, settings.
. "$(dirname "$0")/common.sh"

# play LINES ARGUMENTS...: as in play.sh, but both sides are the user's unless said otherwise.
play() {
  lines=$1
  shift
  printf '%b' "$lines" | "$WILLOW" play --plain --white human --depth 4 --exact 8 --threads 1 "$@" >"$OUT" 2>"$ERR" || fail "exit code: $*"
  [ ! -s "$ERR" ] || fail "something on stderr"
}
count() {
  [ "$(grep -c -- "$1" "$OUT")" -eq "$2" ] || fail "'$1' not $2 times"
}
# ends TEXT: the last line of the output.
ends() {
  [ "$(tail -1 "$OUT")" = "$1" ] || fail "the end is not: $1"
}

# The shortest game, nine moves, is a public curiosity: one side is wiped out with 51 squares empty.
wiped="Game over. Discs: Black 13, White 0. Black wins by 64, empty squares included."
play 'play e6f4e3f6g5d6e7f5c5\nhint\neval\nlegal\ngo\ng1\n'
has "$OUT" "$wiped"
count "^The game is over" 5
play 'play e6f4e3f6g5d6e7f5\nhint 1\nhint 3\nhint 10\ngo\n'
count '^  c5  +64 exact' 3
[ "$(grep -Ec '^  [a-h][1-8]  ' "$OUT")" -eq 11 ] || fail "not 1 + 3 + all 7 moves"
[ "$(grep -E '^  [a-h][1-8]  ' "$OUT" | tail -7 | cut -c1-4 | sort -u | wc -l)" -eq 7 ] || fail "a move twice"
has "$OUT" "Willow (Black) plays c5, turning d4, d5, e5, f5 and d6: score +64"
ends "$wiped"

# The record for passes: 23, all by Black. Back to the start and forward again, and through every format.
record=f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2h2e3f4b1g1c1e1g8g7f3h1h3h4h6
lost="Game over. Discs: Black 0, White 59. White wins by 64, empty squares included."
play "play $record\nundo all\nmoves\nlegal\nredo all\nmoves\nundo\nundo\nredo\nredo\n"
count "^$lost" 3
ends "$lost"
has "$OUT" "No move has been played."
has "$OUT" "Black can play d3, c4, f5 and e6."
has "$OUT" "$record"
count "Black has no move and passes" 0
for name in game.ggf game.SGF game.txt; do
  play "play $record\nsave $SCRATCH/$name\nnew\nload $SCRATCH/$name\nmoves\nsheet\n"
  ends "$lost"
  has "$OUT" "$record"
  grep -q "^Black passes before move 13, 16, 23, 24" "$OUT" || fail "passes of $name"
done
grep -q '^(;GM\[Othello\]' "$SCRATCH/game.ggf" || fail "no GGF"
grep -q '^(;GM\[2\]' "$SCRATCH/game.SGF" || fail "no SGF"
[ "$(cat "$SCRATCH/game.txt")" = "$record" ] || fail "no transcript"

# Passes that programs overlooked, long before the board is full: told, made, and the other side moves.
forced() {
  play "play $1\nlegal\ngo\n"
  has "$OUT" "$2 has no move and passes."
  has "$OUT" "$3"
  count "Willow ($4) plays" 1
}
forced e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8 Black "White to move: 3 moves." White
edge=f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3
forced "$edge" White "Black to move: 12 moves." Black
forced F5D6C5F4D3E3F2C6G5B5A5B4B3C4C3A6A7A3F3E6C7B6D7D8B8E7F7E8C8A8A4F8A2B7 Black "White to move: 13 moves." White

# Back and forward over the pass; never further than there is; colours and sides stay.
play "play $edge\na7\nboard\nundo 2\nredo 2\nboard\nundo 100\nundo\nmoves\nredo 100\nboard\n"
[ "$(grep -c '^Discs: black 31, white 17' "$OUT")" -eq 3 ] || fail "not the same board again"
count "^Black plays a7, turning d4, c5 and b6" 1
count "^Cannot undo" 1
has "$OUT" "No move has been played."
white="---------------------------OX------XO--------------------------- O"
play "board $white\nlegal\nc5\nundo\nundo\nlegal\nrestart\nnew\nlegal\nredo\n"
has "$OUT" "White can play e3, f4, c5 and d6."
count "^White can play e3, f4, c5 and d6" 2
count "^Cannot undo" 1
count "^Black can play d3, c4, f5 and e6" 1
ends "Cannot redo: nothing was taken back."
for name in start.txt start.ggf start.sgf; do
  play "board $white\nc5\nsave $SCRATCH/$name\nnew\nload $SCRATCH/$name\nundo\nlegal\nundo\n"
  has "$OUT" "White can play e3, f4, c5 and d6."
  count "^Cannot undo" 1
done
grep -q 'RE\[?\]' "$SCRATCH/start.ggf" || fail "a result of an unfinished game"
# A move that differs ends what can be played again; the same one does not.
play 'play f5d6c3\nundo 2\nd6\nredo\nmoves\nundo 2\nf6\nredo\n'
has "$OUT" "f5d6c3"
ends "Cannot redo: nothing was taken back."
# Who listens is told which moves come and go, and after a resignation how the game ended, whatever is shown.
play 'play f5d6c3\nundo\nredo\nundo 2\nresign\nredo\nsheet\nswap\n'
has "$OUT" "Taken back: c3."
has "$OUT" "Played again: c3."
has "$OUT" "Taken back: d6 c3."
count "^Cannot redo" 0
count "^The game is over; 'undo', 'new' or 'quit'." 1
count "^Game over. White resigns. Black wins." 2
play "play $record\nundo all\nredo all\n"
has "$OUT" "Taken back: 78 moves from f5 on."
has "$OUT" "Played again: 78 moves from f5 on."
# A position in which nobody can move.
play 'board OOOOOOOOOOOOOOOOOOOOOO-OOOOOOO-OOOOOOOOOOOOOO-OOOOOOOO-OOOOOOOO- X\nundo\nlegal\n'
has "$OUT" "$lost"
has "$OUT" "Cannot undo"

# Positions disc by disc; cancelled, nothing happens; other notations.
play 'f5\nsetup\nclear\nblack d4 e4\nwhite c4, f9\nwhite c4\nturn white\ncancel\nmoves\n'
has "$OUT" "'f9' is no square."
ends "f5"
play 'setup\nclear\nblack d4 e4\nwhite c4\nblack c4\nempty e4\nwhite e4\nturn white\nhello\ndone\nlegal\nboard\nundo\n'
has "$OUT" "White can play b4."
has "$OUT" "Row 4: c and d black, e white."
ends "Cannot undo: there is no earlier turn of yours."
play 'setup\nclear all\nquit now\nhint\nstart\nturn white\ndone\nlegal\n'
count "takes nothing after it" 2
has "$OUT" "Not understood. The game's commands come after 'done' or 'cancel'."
has "$OUT" "White can play e3, f4, c5 and d6."
play 'board 0x0000000810000000 0x0000001008000000 O\nboard nonsense\nlegal\n'
has "$OUT" "White can play e3, f4, c5 and d6."

# Threads: refused outside 1 to 256, and changed while the program runs.
for threads in 0 -1 257 1000 65536 4294967297 abc 2.5 ''; do
  refused "$WILLOW" play --threads "$threads"
  has "$ERR" "--threads '$threads': a whole number from 1 to 256 is expected"
done
for threads in 2 3 16 64; do
  play 'f5\ngo\n' --threads "$threads"
  count "^Willow (White) plays" 1
done
play 'threads 3\ngo\nthreads 64\ngo\nthreads 0\nthreads 257\nthreads 1\ngo\nthreads 33\ngo\nthreads 2\nhint\n'
count "^Willow" 4
count "^'threads' takes a number from 1 to 256" 2

# A time is kept with 34 empty squares, where solving has begun for none; and nothing is called exact.
late="-----O-------O----OOXO----XXXOO---XXXOX--OXXXXXX---OX-O----O-OOO X"
play 'time 0.05\ngo\n' --board "$late"
grep -Eq '^Willow \(Black\) plays (g1|[bcdeg]2|[bg]3|[ha]4|h3|a[67]|c[78]|e8)' "$OUT" || fail "no legal move in time"
count exact 0

# Advice is no worse for a weak opponent: hints look as far as at the usual level, or further where that was said.
advice() {
  printf '%b' "$1" | "$WILLOW" play --plain --threads 1 --level "$2" >"$OUT" 2>"$ERR" || fail "advice"
}
advice 'hint 1\neval\nsettings\nf5\n' 1
has "$OUT" "Scores in discs for Black, depth 16 at 73%"
grep -q "^Score for Black: .*, depth 16 at 73%" "$OUT" || fail "the score at a level too low"
has "$OUT" "Black: you; hints, level 16."
has "$OUT" "White: Willow, level 1."
grep -q "^Willow (White) plays .*, depth 1," "$OUT" || fail "not the level that was asked for"
advice 'hint 1\n' 17
has "$OUT" "Scores in discs for Black, depth 17 at 73%"

# Each side's own settings; a weaker Willow is repeatable, and another with another seed.
play 'black level 3\nwhite level 7\nwhite loss 4\nwhite time 0.5\nsettings\nlevel 31\nblack level\nloss -1\ntime 0\nclock nonsense\nblack sleeps\n'
has "$OUT" "Black: you; hints, level 16."
has "$OUT" "White: you; hints, at most 0.5 s a move."
count "^'level' takes" 2
has "$OUT" "'loss' takes discs"
has "$OUT" "'time' takes seconds"
has "$OUT" "'clock' takes a time"
has "$OUT" "'black' takes human"
weak() {
  "$WILLOW" play --black engine --level 1 --loss 8 --threads 1 "$@" </dev/null >"$OUT" 2>"$ERR" || fail "loss"
  grep -o 'plays [a-h][1-8]' "$OUT"
}
weak --seed 1 >"$SCRATCH/first"
weak --seed 1 | cmp -s - "$SCRATCH/first" || fail "the same seed plays another game"
weak --seed 2 | cmp -s - "$SCRATCH/first" && fail "another seed plays the same game"
play 'hint all\nswap\n' --black-level 2 --white engine --white-level 5 2>/dev/null
has "$OUT" "You play White now."
refused "$WILLOW" play --level 3 --depth 4
has "$ERR" "--level and --depth exclude each other"
refused "$WILLOW" play --level 31
refused "$WILLOW" play --loss -1
expect 0 "$WILLOW" play --levels
[ "$(wc -L <"$OUT")" -lt 80 ] || fail "the table of levels is too wide"
[ "$(grep -c '%' "$OUT")" -ge 15 ] || fail "the table of levels"

# A clock that the user oversteps; undo takes the loss back, and the time.
# timed CONTROL SECONDS LINES: the lines come so long after the clock was set, however long the program took to start.
timed() {
  : >"$OUT"
  {
    printf 'clock %s\n' "$1"
    tries=0
    until grep -q 'White has' "$OUT" || [ "$tries" -ge 500 ]; do
      sleep 0.02
      tries=$((tries + 1))
    done
    sleep "$2"
    printf '%b' "$3"
  } | "$WILLOW" play --plain --white human >"$OUT" 2>"$ERR" || fail "clock"
}
timed 0.3 0.4 'f5\nmoves\nundo\nclock off\nf5\nmoves\n'
has "$OUT" "Game over. Black is out of time. White wins 64-0, whatever the board says."
has "$OUT" "The game is over; 'undo', 'new' or 'quit'."
has "$OUT" "No move has been played."
ends "f5"
# A human that leaves the move to the engine has used the time before it, too.
timed 59 1.1 'go\n'
grep -Eq '^Willow \(Black\) plays .* (5[0-7]|[1-4]?[0-9])\.[0-9]* s left' "$OUT" || fail "time before go is not booked"
# What a move took comes back with undo, and is gone again with redo.
timed 59 1.5 'f5\nclock\nundo\nclock\nredo\nclock\n'
left=$(sed -n 's/^Black has 0:\([0-9]*\) left.*/\1/p' "$OUT" | tail -3 | tr '\n' ' ')
set -- $left
[ "$2" -gt "$1" ] && [ "$3" -eq "$1" ] || fail "clocks: $left"
exit 0
