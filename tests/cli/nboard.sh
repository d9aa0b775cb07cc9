#!/bin/sh
# willow nboard through a pipe: answers in their order, hints that end, games on a clock, and refusals.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/match_common.sh"

START='BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]'

# session LINES ARGUMENTS...: the lines go in; it must end with exit 0, nothing but the protocol on stdout.
session() {
  lines=$1
  shift
  printf '%b' "$lines" | timeout 60 "$WILLOW" nboard --threads 1 "$@" >"$OUT" 2>"$ERR" || fail "exit code: $*"
  [ ! -s "$ERR" ] || fail "something on stderr"
  grep -Evq '^(set myname Willow|status.*|nodestats [0-9]+ [0-9.]+|search ([A-H][1-8]|PA)+ -?[0-9.]+ 0 [0-9]+(%W?)?|=== (PA|[A-H][1-8]/-?[0-9.]+/[0-9.]+)|pong [0-9]+|learned|analysis [0-9]+ -?[0-9.]+)$' "$OUT" &&
    fail "no line of the protocol"
}
# order PATTERN...: lines that match stand in the output in this order.
order() {
  at=0
  for pattern in "$@"; do
    next=$(tail -n "+$((at + 1))" "$OUT" | grep -n -m 1 -e "$pattern" | cut -d: -f1)
    [ -n "$next" ] || fail "'$pattern' does not follow"
    at=$((at + next))
  done
}

# A session as a program holds it, with line ends of either kind; the end of the input ends it, too.
session 'nboard 2\nset depth 5\nping 1\ngo\nping 2\nmove D3/1.5/0.3\nhint 2\nping 3\nlearn\nanalyze\nping 4\nquit\n'
order 'set myname' '^pong 1$' '^search' '^nodestats' '^===' '^pong 2$' '^search C' '^pong 3$' '^learned$' '^analysis 1 ' '^pong 4$'
session 'nboard 2\r\nset depth 5\r\ngo\r\nping 1\r\n'
order '^===' '^pong 1$'
session 'set depth 5\ngo'
order '^==='
session "set game (;GM[Othello]${START}B[F5]W[D6]B[C5]W[F4]B[D3]W[E3]B[F2];)\\nset depth 8\\nanalyze"
[ "$(grep -c '^analysis' "$OUT")" -eq 8 ] || fail "not every position is analysed"
session ''
[ ! -s "$OUT" ] || fail "it speaks first"
session 'hint 60\n'
order '^search'

# A hint goes on to the exact end by itself, and says so: here ten empty squares.
LATE='BO[8 *******- *****O-- ****OO*- ***O*O** **O***** ***OOO-- **OOO--- *OOO---- O]'
(
  printf 'set game (;GM[Othello]%s;)\nhint 99\n' "$LATE"
  until grep -q '^status$' "$OUT.late" 2>/dev/null; do sleep 0.05; done
  printf 'quit\n'
) | timeout 60 "$WILLOW" nboard --threads 1 >"$OUT.late" 2>"$ERR" || fail "hint to the end"
cp "$OUT.late" "$OUT"
tail -3 "$OUT" | grep -q ' 0 100%$' || fail "not exact at its end"
# Three moves are legal; each is told once at each depth that is told.
[ "$(grep -c '^search' "$OUT")" -eq $((3 * $(grep -c '^nodestats' "$OUT"))) ] || fail "not every move at each depth"
[ "$(grep '^search' "$OUT" | tail -3 | cut -c8-9 | sort -u | wc -l)" -eq 3 ] || fail "a move twice"

# The best exact score is what solving says.
exact=$(grep '^search' "$OUT" | tail -3 | head -1 | cut -d' ' -f3)
session "set game (;GM[Othello]$LATE;)\nset depth 100%\ngo\n"
grep -q '^status .set depth' "$OUT" && fail "no depth"
grep -q "^=== [A-H][1-8]/$exact/" "$OUT" || fail "'go' and 'hint' disagree"

# A game that cannot be read, or an illegal move: nothing is played on another board than the other side's.
session "set game (;GM[Othello]${START}B[F5]W[PA]B[D6];)\ngo\nping 1\n"
order '^status The game was refused: .*illegal pass' '^status The board is not known' '^pong 1$'
grep -q '^===' "$OUT" && fail "an answer for an unknown board"
session "set game (;GM[Othello]${START}TI[5:00]B[F5//1.2]W[D6//2.2];)\nset depth 3\ngo\nping 1\n"
order '^===' '^pong 1$'
(
  head -c 200000 /dev/zero | tr '\0' 'x'
  printf '\ngo\nping 1\nset game (;GM[Othello]%s;)\ngo\nping 2\n' "$START"
) | timeout 60 "$WILLOW" nboard --depth 3 >"$OUT" 2>"$ERR" || fail "long line"
order '^status The game was refused' '^status The board' '^pong 1$' '^===' '^pong 2$'
head -c 20000 /dev/urandom | timeout 60 "$WILLOW" nboard >"$OUT" 2>"$ERR" || fail "random bytes"

# While nothing is asked it fetches its table, which takes a while: the first move may be interrupted, or on the clock.
if [ -r "/proc/$$/status" ]; then
  mkfifo "$OUT.lines"
  "$WILLOW" nboard --threads 1 --hash 256 <"$OUT.lines" >"$OUT" 2>"$ERR" &
  pid=$!
  exec 3>"$OUT.lines"
  echo 'ping 1' >&3
  kb=0
  for _ in $(seq 400); do
    kb=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status")
    [ "${kb:-0}" -lt 262144 ] || break
    sleep 0.05
  done
  exec 3>&-
  wait $pid || fail "it does not end with its input"
  [ "${kb:-0}" -ge 262144 ] || fail "a table of 256 MB, and ${kb:-no} kB in memory"
fi

# The options hold until a depth is set.
session 'go\nping 1\nset depth 4\ngo\nping 2\n' --level 2 --loss 3 --seed 4
order ' 0 2$' '^pong 1$' ' 0 4$' '^pong 2$'

# Whole games on a clock, pondering or not, without a fault.
for mode in "" " --ponder"; do
  expect 0 "$WILLOW" match "willow=nboard:$WILLOW nboard --threads 1 --depth 3 --exact 8$mode" zero --depth 1 --clock 1:00+0.01 \
    --pairs 2 --quiet --json
  has "$OUT" '"complete":true,"games":4,'
  faultless willow zero
done

expect 0 "$WILLOW" nboard --help
has "$OUT" "--ponder"
refused "$WILLOW" nboard --level 31
refused "$WILLOW" nboard --weights /nonexistent
has "$ERR" "/nonexistent"
refused "$WILLOW" nboard nonsense
printf 'ping 1\n' | "$WILLOW" nboard >/dev/full 2>"$ERR"
[ $? -eq 2 ] || fail "a full disk is not noticed"
exit 0
