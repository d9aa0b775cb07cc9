#!/bin/sh
# A match that ends as soon as it is clear who is stronger: at the same pair with any number of threads, after a kill,
# and when more games are on record than it needs.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/match_common.sh"

# The program itself takes the place of the shell that runs this beside the test: its number is the program's.
beside() {
  exec "$WILLOW" match default,depth=3 default,depth=1 --pairs 400 --sprt 0,40 --quiet "$@"
}
gate() {
  (beside "$@")
}
expect 0 gate --threads 1 --json
cp "$OUT" "$SCRATCH/result"
has "$OUT" '"sprt":{"nelo0":0,"nelo1":40,'
has "$OUT" '"verdict":"H1"}'
has "$OUT" '"complete":true'
pairs=$(grep -o '"pairs":[0-9]*' "$OUT" | head -1 | cut -d: -f2)
[ "$pairs" -gt 1 ] && [ "$pairs" -lt 400 ] || fail "decided after $pairs pairs"
expect 0 gate --threads 4 --json --out "$SCRATCH/gate"
cmp -s "$OUT" "$SCRATCH/result" || fail "the result depends on the number of threads"
[ "$(wc -l <"$SCRATCH/gate/games.txt")" -eq $((2 * pairs)) ] || fail "other games than those that count are on record"

# Killed and resumed; decided already; and with more games than needed on record.
beside --threads 2 --out "$SCRATCH/killed" >/dev/null 2>&1 &
match=$!
until_lines "$SCRATCH/killed/games.jsonl" 4
kill -9 "$match" 2>/dev/null
wait "$match"
expect 0 gate --threads 3 --json --out "$SCRATCH/killed"
cmp -s "$OUT" "$SCRATCH/result" || fail "the result depends on a kill"
cmp -s "$SCRATCH/gate/games.txt" "$SCRATCH/killed/games.txt" || fail "the games depend on a kill"
expect 0 gate --json --out "$SCRATCH/killed"
cmp -s "$OUT" "$SCRATCH/result" || fail "another result from the record"
expect 0 "$WILLOW" match default,depth=3 default,depth=1 --pairs $((pairs + 9)) --quiet --out "$SCRATCH/killed"
has "$OUT" "in $((pairs + 9)) pairs"
expect 0 gate --json --out "$SCRATCH/killed"
cmp -s "$OUT" "$SCRATCH/result" || fail "games beyond the decision change the result"

# The other verdict, none, and text.
expect 0 "$WILLOW" match default,depth=1 default,depth=3 --pairs 400 --sprt 0,40 --alpha 0.01 --beta 0.1 --quiet
has "$OUT" "SPRT        H0 accepted: LLR "
has "$OUT" "nElo 0 against 40, alpha 0.01, beta 0.1"
expect 0 "$WILLOW" match default default --depth 1 --pairs 5 --sprt=-2,2 --quiet --json
has "$OUT" '"verdict":"undecided"'
has "$OUT" '"pairs":5,'

for test in 10 10,0 5,5 a,b 0,10,20 '' 0,2000; do
  refused "$WILLOW" match zero zero --sprt "$test"
  has "$ERR" "--sprt '$test'"
done
refused "$WILLOW" match zero zero zero --sprt 0,10
refused "$WILLOW" match zero zero --alpha 0.01
refused "$WILLOW" match zero zero --sprt 0,10 --alpha 0.5
refused "$WILLOW" match zero zero --sprt 0,10 --beta 0
