#!/bin/sh
# willow match: text and JSON, the same result for any number of threads, equal engines, clocks, and refusals.
. "$(dirname "$0")/common.sh"

expect 0 "$WILLOW" match zero zero --depth 1 --pairs 5 --threads 1 --quiet
has "$OUT" "games       10 in 5 pairs"
has "$OUT" "score       50.0%"
[ ! -s "$ERR" ] || fail "progress although quiet"

expect 0 "$WILLOW" match default zero --depth 2 --pairs 6 --threads 1 --quiet --json
cp "$OUT" "$SCRATCH/one"
[ "$(wc -l <"$OUT")" -eq 1 ] || fail "not one line of JSON"
has "$OUT" '"games":12,"pairs":6,'
has "$OUT" '"depth":2,"selectivity":100,"exact":0,'
has "$OUT" '"complete":true'
expect 0 "$WILLOW" match default zero --depth 2 --pairs 6 --threads 2 --quiet --json
cmp -s "$OUT" "$SCRATCH/one" || fail "the result depends on the number of threads"
expect 0 "$WILLOW" match default zero --nodes 500 --pairs 2 --exact 6 --hash 1 --balance 20 --opening 10 --quiet
has "$OUT" "500 nodes"
expect 0 "$WILLOW" match default zero --depth 2 --pairs 6 --seed 2 --quiet --json
cmp -s "$OUT" "$SCRATCH/one" && fail "the seed changes nothing"

# Selective searches: said in both outputs, and other games than full ones.
expect 0 "$WILLOW" match default zero --depth 6 --selectivity 73 --pairs 2 --quiet
has "$OUT" ", depth 6 at 73%, openings"
expect 0 "$WILLOW" match default zero --nodes 300 --selectivity 87 --pairs 1 --quiet
has "$OUT" ", at 87%, 300 nodes"
expect 0 "$WILLOW" match default zero --depth 7 --selectivity 73 --pairs 6 --quiet --json
has "$OUT" '"depth":7,"selectivity":73,'
discs=$(grep -o '"discs":.*' "$OUT")
expect 0 "$WILLOW" match default zero --depth 7 --selectivity 100 --pairs 6 --quiet --json
has "$OUT" '"depth":7,"selectivity":100,'
grep -qF -- "$discs" "$OUT" && fail "the selectivity changes nothing"
for percent in 0 74 73% ''; do
  refused "$WILLOW" match zero zero --pairs 1 --selectivity "$percent"
  has "$ERR" "--selectivity '$percent': 73, 87, 95, 98, 99 or 100 is expected"
done

# Clocks: enough time with few nodes, no time at all, and every form of a control.
expect 0 "$WILLOW" match default zero --clock 20+0.1 --nodes 300 --pairs 2 --quiet
has "$OUT" "clock 20+0.1, 300 nodes"
has "$OUT" "clock A     0 lost on time"
has "$OUT" "clock B     0 lost on time"
expect 0 "$WILLOW" match default default --clock 0.001 --pairs 3 --quiet --json
grep -Eq '"clock":"0.001","time_forfeits":\[[0-6],[0-6]\]' "$OUT" || fail "forfeits"
grep -q '"time_forfeits":\[0,0\]' "$OUT" && fail "a millisecond is not enough for a game"
grep -Eq '"moves":\[[0-9]+,[0-9]+\],"time_used":\[.*\],"longest_move":\[[0-9.]+,[0-9.]+\],"players"' "$OUT" || fail "times"
expect 0 "$WILLOW" match zero zero --clock 1:00+30/5 --depth 1 --pairs 1 --quiet
has "$OUT" "clock 60+30/5, depth 1"
for clock in 0 0+0 0+1 -1 60s 1+2+3 5/0 1+0.0001 99999999999 ''; do
  refused "$WILLOW" match zero zero --pairs 1 --clock "$clock"
  has "$ERR" "--clock '$clock'"
done

# Ctrl-C ends with the pairs that are finished.
"$WILLOW" match default default --depth 12 --pairs 500 --threads 1 --quiet >"$OUT" 2>"$ERR" &
match=$!
until_caught "$match"
sleep 0.5
kill -INT "$match"
wait "$match" || fail "exit code after an interrupt"
has "$OUT" "Stopped"

refused "$WILLOW" match zero zero --opening 2 --balance 0 --pairs 4
has "$ERR" "only 3 distinct openings"
refused "$WILLOW" match zero zero --opening 4 --pairs 60
has "$ERR" "distinct balanced openings"

# Openings from a list: its distinct ones, each played once, and refused when there are too few or one is bad.
printf '# a comment\r\nf5d6c4\r\n\r\nd3c5 # the next one, turned\r\nF5D6\r\n1. f5 f6\r\n' >"$SCRATCH/list"
expect 0 "$WILLOW" match default zero --depth 2 --openings "$SCRATCH/list" --pairs 3 --quiet
has "$OUT" ", openings of $SCRATCH/list from seed 1"
has "$OUT" "games       6 in 3 pairs"
expect 0 "$WILLOW" match default zero --depth 2 --openings "$SCRATCH/list" --pairs 3 --quiet --json
has "$OUT" "\"openings\":\"$SCRATCH/list\",\"seed\":1,"
refused "$WILLOW" match zero zero --openings "$SCRATCH/list" --pairs 4
has "$ERR" "$SCRATCH/list: there are only 3 distinct openings"
refused "$WILLOW" match zero zero --openings "$SCRATCH/list" --pairs 3 --opening 8
refused "$WILLOW" match zero zero --openings "$SCRATCH/missing" --pairs 3
has "$ERR" "$SCRATCH/missing: "
printf 'f5d6\nf5f6f5\n' >"$SCRATCH/bad"
refused "$WILLOW" match zero zero --openings "$SCRATCH/bad" --pairs 1
has "$ERR" "$SCRATCH/bad: line 2, column 5: illegal move f5"
printf 'f5d6\0\n' >"$SCRATCH/bad"
refused "$WILLOW" match zero zero --openings "$SCRATCH/bad" --pairs 1
has "$ERR" "$SCRATCH/bad: not a text"

refused "$WILLOW" match zero
refused "$WILLOW" match zero "$SCRATCH/missing.wlw"
has "$ERR" "missing.wlw"
refused "$WILLOW" match zero zero --pairs 0
refused "$WILLOW" match zero zero --depth 61
refused "$WILLOW" match zero zero --threads 0
refused "$WILLOW" match zero zero --threads 100000
echo "not weights" >"$SCRATCH/bad.wlw"
refused "$WILLOW" match "$SCRATCH/bad.wlw" zero
expect 0 "$WILLOW" match --help
has "$OUT" "Example"
