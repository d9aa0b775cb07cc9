#!/bin/sh
# Other programs in a match: whatever they do costs them the game and nobody else anything, and none of them is left.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/match_common.sh"
FAKE="$BIN/fake_engine --log $SCRATCH/fake.log"

# Well behaved, over both protocols.
expect 0 "$WILLOW" match "fake=gtp:$FAKE --gtp" "other=nboard:$FAKE --nboard --dialect crlf" zero --depth 1 --pairs 2 \
  --quiet --json --out "$SCRATCH/good"
has "$OUT" '"complete":true'
faultless fake other zero
[ ! -s "$ERR" ] || fail "words although nothing happened"
[ "$(wc -l <"$SCRATCH/good/games.txt")" -eq 12 ] || fail "not all games are on record"
none_left

# One fault a game, or at least one; the others of the match win by it.
fault() {
  kind=$1
  shift
  expect 0 "$WILLOW" match "bad=gtp:$FAKE --gtp $*" zero --depth 1 --pairs 2 --threads 2 --move-limit 1 --quiet --json
  has "$OUT" '"complete":true,"games":4,'
  faultless zero
  faults=$(grep -o '"bad":{"resigned[^}]*' "$OUT" | grep -o "\"$kind\":[0-9]*" | cut -d: -f2)
  [ "${faults:-0}" -ge 1 ] || fail "no $kind: $*"
  others=$(grep -o '"bad":{"resigned[^}]*' "$OUT" | grep -o ':[0-9]*' | tr -d ':\n' | tr -d 0 | wc -c)
  [ "$others" -eq 1 ] || fail "faults of another kind than $kind: $*"
  [ "$kind" = resigned ] || has "$ERR" "bad lost a game of pair 1 against zero: $kind"
  none_left
}
fault crashed --misbehave crash --at 3
fault crashed --misbehave exit
fault crashed --misbehave exit-at-once
fault hung --misbehave hang --at 2
fault illegal --misbehave illegal --at 2
fault illegal --misbehave pass --at 2
fault garbled --misbehave garbage --at 4
fault resigned --misbehave resign --at 2

# A mistyped command is told before a game is played.
for command in "$SCRATCH/not-there" no-such-engine-anywhere "$SCRATCH"; do
  refused "$WILLOW" match "none=gtp:$command" zero --depth 1 --pairs 3 --out "$SCRATCH/nothing"
  has "$ERR" "$command: cannot start: "
done
[ ! -e "$SCRATCH/nothing" ] || fail "a folder for a match that cannot be"

# One that ends at once loses every game, and too many faults end the trouble.
expect 0 "$WILLOW" match "none=gtp:$FAKE --misbehave exit-at-once" zero --depth 1 --pairs 3 --quiet
has "$OUT" "lost        none: 6 crashed"
expect 0 "$WILLOW" match "none=gtp:$FAKE --misbehave exit-at-once" zero --depth 1 --pairs 3 --withdraw-after 2 --quiet
has "$OUT" "lost        none: 2 crashed; withdrawn"
has "$OUT" "games       2 in 1 pairs"

# Many faults are told in few lines.
expect 0 "$WILLOW" match "none=gtp:$FAKE --misbehave exit-at-once" zero --depth 1 --pairs 20 --quiet
[ "$(wc -l <"$ERR")" -eq 25 ] || fail "$(wc -l <"$ERR") lines about faults"
has "$ERR" "further faults are counted only"

# The same games by one thread and by four, faults included; only the times differ.
for threads in 1 4; do
  expect 0 "$WILLOW" match "fake=gtp:$FAKE --gtp" "weak=nboard:$FAKE --nboard --misbehave crash --at 6" zero \
    default --depth 2 --pairs 6 --threads $threads --quiet --out "$SCRATCH/threads-$threads"
  sed 's/"seconds":\[[^]]*\]//' "$SCRATCH/threads-$threads/games.jsonl" >"$SCRATCH/games-$threads"
done
cmp -s "$SCRATCH/games-1" "$SCRATCH/games-4" || fail "the games depend on the number of threads"
cmp -s "$SCRATCH/threads-1/games.txt" "$SCRATCH/threads-4/games.txt" || fail "the transcripts do"
[ "$(wc -l <"$SCRATCH/games-1")" -eq 72 ] || fail "not all games are on record"

# Many programs at once need more descriptors than the soft limit may allow.
(
  ulimit -S -n 24
  expect 0 "$WILLOW" match "one=gtp:$FAKE --gtp" "two=gtp:$FAKE --gtp" --pairs 8 --threads 8 --quiet --json
) || exit 1
faultless one two

# Ctrl-C and kill -9 while programs think, some of which mind no signal: none is left.
for signal in INT KILL; do
  "$WILLOW" match "slow=gtp:$FAKE --gtp --delay 200" "deaf=gtp:$FAKE --gtp --misbehave hang --at 2" --pairs 50 --threads 2 \
    --quiet --out "$SCRATCH/signal-$signal" >"$OUT" 2>"$ERR" &
  match=$!
  until_caught "$match"
  until_running 2
  sleep 0.3
  kill -$signal "$match"
  wait "$match"
  code=$?
  if [ $signal = INT ]; then
    [ $code -eq 0 ] || fail "exit $code after an interrupt"
    has "$OUT" "The same command goes on."
  fi
  none_left
done

refused "$WILLOW" match "gtp:" zero
refused "$WILLOW" match "gtp:fake 'open" zero
refused "$WILLOW" match "x=,depth=3" zero
refused "$WILLOW" match default,depth=0 zero
refused "$WILLOW" match default,depth=3,level=2 zero
refused "$WILLOW" match default,width=3 zero
