#!/bin/sh
# willow gtp as a controller sees it: bytes of the answers, answers that come at once, the end of the input, options.
. "$(dirname "$0")/common.sh"

# gtp LINES ARGUMENTS...: the lines go in, and the program must end with exit 0 and nothing but answers.
gtp() {
  lines=$1
  shift
  printf '%b' "$lines" | "$WILLOW" gtp --threads 1 "$@" >"$OUT" 2>"$ERR" || fail "exit code: $*"
  [ ! -s "$ERR" ] || fail "something on stderr"
}
answers() {
  printf '%b' "$1" | cmp -s - "$OUT" || fail "not $1"
}

# Framing; line ends of either kind give the same bytes, and nothing behind quit is answered.
session='# a comment\n1 protocol_version\n   2    name   \n\n7 no_such_thing 1 2\n44\nboardsize 8\nclear_board\n8 play black f5\n9 play black f5\n10 play blue f6\n13 play white f6\n14 genmove\n16 quit\n17 name\n'
expected='=1 2\n\n=2 Willow\n\n?7 unknown command\n\n?44 unknown command\n\n=\n\n=\n\n=8\n\n?9 illegal move\n\n?10 syntax error\n\n=13\n\n?14 syntax error\n\n=16\n\n'
gtp "$session"
answers "$expected"
gtp "$(printf '%s' "$session" | sed 's/\\n/\\r\\n/g')"
answers "$expected"
gtp 'name' --name 'Old Tree'
answers '= Old Tree\n\n'
gtp '\0name\n'
answers '? unknown command\n\n'
head -c 200000 /dev/zero | tr '\0' 'x' | "$WILLOW" gtp >"$OUT" 2>"$ERR" || fail "long line"
answers '? line too long\n\n'
head -c 20000 /dev/urandom | "$WILLOW" gtp >"$OUT" 2>"$ERR" || fail "random bytes"
expect 0 "$WILLOW" gtp
[ ! -s "$OUT" ] || fail "output without input"

# The end of the input, and a quit that waits behind it, cut no move short: the search is the same as with patience.
gtp 'play black f5\ngenmove white' --depth 10
cp "$OUT" "$SCRATCH/end"
gtp 'play black f5\ngenmove white\nquit\nname\n' --depth 10
printf '=\n\n' >>"$SCRATCH/end"
cmp -s "$OUT" "$SCRATCH/end" || fail "a move was cut short"
(printf 'play black f5\ngenmove white\n'; sleep 0.5; printf 'quit\n') | "$WILLOW" gtp --threads 1 --depth 10 >"$OUT" 2>"$ERR" || fail "patience"
cmp -s "$OUT" "$SCRATCH/end" || fail "another move with patience"
gtp 'genmove b\ngenmove w\ngenmove b\n' --level 5 --ponder
grep -Ec '^= [a-h][1-8]$' "$OUT" | grep -qx 3 || fail "pondering"

# A controller that waits for each answer; a search without end is ended by an interrupt, pondering by any line.
mkfifo "$SCRATCH/in" "$SCRATCH/out"
"$WILLOW" gtp --level 30 --threads 2 --ponder <"$SCRATCH/in" >"$SCRATCH/out" 2>"$ERR" &
player=$!
exec 3>"$SCRATCH/in" 4<"$SCRATCH/out"
ask() { # LINE: sends it and reads an answer
  printf '%s\n' "$1" >&3
  read -r answer <&4
  while read -r line <&4 && [ -n "$line" ]; do :; done
}
ask name
[ "$answer" = "= Willow" ] || fail "name: $answer"
for _ in 1 2 3; do
  printf 'genmove b\n' >&3
  sleep 0.05
  printf '# interrupt\n' >&3
  read -r answer <&4
  read -r line <&4
  echo "$answer" | grep -Eq '^= [a-h][1-8]$' || fail "interrupt: $answer"
  sleep 0.05
  ask gogui-rules_side_to_move
  [ "$answer" = "= white" ] || fail "side: $answer"
  ask undo
  [ "$answer" = "=" ] || fail "undo: $answer"
done
# The number of threads changes between searches.
ask "willow-param level 6"
for threads in 64 1 7 2 33 1 64 3 16 1; do
  ask "willow-param threads $threads"
  [ "$answer" = "=" ] || fail "threads $threads: $answer"
  ask "reg_genmove b"
  echo "$answer" | grep -Eq '^= [a-h][1-8]$' || fail "move with $threads threads: $answer"
done
for threads in 0 -1 257 1000 65536 4294967297 abc 2.5; do
  ask "willow-param threads $threads"
  [ "$answer" = "? threads: a whole number from 1 to 256 is expected" ] || fail "threads $threads: $answer"
done
ask quit
exec 3>&- 4<&-
wait "$player" || fail "exit code after quit"

# Games to the end over the protocol, both sides the same program; time for all moves together.
moves=$(for _ in $(seq 32); do printf 'genmove b\\ngenmove w\\n'; done)
gtp "time_settings 1 0 0\n${moves}final_score\nundo\nshowboard\n"
grep -Eq '^= ([BW]\+[0-9]+|0)$' "$OUT" || fail "no score"
has "$OUT" " to move"
printf '' >"$SCRATCH/empty"
gtp "play b f5\nprintsgf $SCRATCH/one.sgf\nclear_board\nloadsgf $SCRATCH/one.sgf\nundo\nundo\nloadsgf $SCRATCH/none\nloadsgf $SCRATCH/empty\n"
grep -c '^? cannot load file: ' "$OUT" | grep -qx 2 || fail "bad files"
has "$OUT" "? cannot undo"

# A controller that has gone is an error; bad options are.
"$WILLOW" gtp >/dev/full 2>"$ERR" <<'END'
name
name
END
[ $? -eq 2 ] || fail "exit code of a full output"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not one line for a full output"
expect 0 "$WILLOW" gtp --help
has "$OUT" "Examples:"
for threads in 0 -1 257 100000 two ''; do
  refused "$WILLOW" gtp --threads "$threads"
done
refused "$WILLOW" gtp --level 31
refused "$WILLOW" gtp --level 3 --depth 3
refused "$WILLOW" gtp --name "$(printf 'two\nlines')"
refused "$WILLOW" gtp --weights /nonexistent
exit 0
