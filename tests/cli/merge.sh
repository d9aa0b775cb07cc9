#!/bin/sh
# willow selfplay merge, shuffle: what they say and write, that both verify, stops, and what a careless user is spared.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

run() {
  folder=$1
  shift
  expect 0 "$WILLOW" selfplay run --games 40 --shard-games 16 --depth 1 --exact 6 --weights zero --quiet --out "$folder" "$@"
}
run one --seed 1
run two --seed 2
run same --seed 1 --depth 2

expect 0 "$WILLOW" selfplay merge one two --out both --quiet
has "$OUT" "both: "
has "$OUT" ", 80 games, 1 shards, seed "
[ ! -s "$ERR" ] || fail "progress although quiet"
expect 0 "$WILLOW" selfplay verify both --quiet
has "$OUT" "1 shards, 80 games"
has "$OUT" "0 faults"
has both/origin.yaml "made_by: merge"
has both/origin.yaml "game_shift: 40}"

# The seed that all agree on stays; other games under the same numbers get other numbers.
expect 0 "$WILLOW" selfplay merge one same --out agreed --shard-rows 1000
has "$OUT" "seed 1"
has "$OUT" "80 games"
has "$ERR" "positions in "
expect 0 "$WILLOW" selfplay verify agreed --quiet
has "$OUT" "0 faults"

# Equal positions: the openings of two runs share the first moves at least.
expect 0 "$WILLOW" selfplay merge one two --out dropped --duplicates drop --quiet --layout plies
has "$OUT" " positions up to symmetry, "
left=$(sed -n 's/^dropped: \([0-9]*\) of.*/\1/p' "$OUT")
has "$OUT" "$left positions up to symmetry"
expect 0 "$WILLOW" selfplay verify dropped --quiet
has "$OUT" "$left positions, 0 faults"
expect 0 "$WILLOW" selfplay merge one two --out averaged --duplicates average --memory 2
has "$OUT" "averaged: $left of"
has "$ERR" "the result has no games"
expect 0 "$WILLOW" selfplay verify averaged --quiet
has "$OUT" "0 games, $left positions, 0 faults"
# Without symmetric copies left, nothing more is found.
expect 0 "$WILLOW" selfplay merge averaged --out again --duplicates drop --quiet
has "$OUT" "$left positions up to symmetry, 0 duplicates (0.0%)"

# A run beside its own games read back from text: every position is there twice, and the labelled ones stay.
expect 0 "$WILLOW" selfplay export one --format transcripts --out one.txt
expect 0 "$WILLOW" selfplay import one.txt --out read-back --quiet
expect 0 "$WILLOW" selfplay merge one --out alone --duplicates drop --quiet
left=$(sed -n 's/^alone: \([0-9]*\) of.*/\1/p' "$OUT")
expect 0 "$WILLOW" selfplay merge read-back one --out labelled --duplicates drop --quiet
has "$OUT" "labelled: $left of"
expect 0 "$WILLOW" selfplay export labelled --out labelled.csv
expect 0 "$WILLOW" selfplay export alone --out alone.csv
scored() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "score") at = i } NR > 1 && $at != ""' "$1" | wc -l; }
[ "$(scored labelled.csv)" -eq "$(scored alone.csv)" ] || fail "rows without scores stayed beside better ones"
[ "$(scored alone.csv)" -gt 0 ] || fail "no scores at all"

expect 0 "$WILLOW" selfplay shuffle one two --out dealt --seed 3 --shard-rows 500 --quiet
has "$OUT" " dealt by seed 3, passes: 1"
expect 0 "$WILLOW" selfplay verify dealt --quiet
has "$OUT" "80 games"
has "$OUT" "0 faults"
expect 0 "$WILLOW" selfplay shuffle dealt --out dealt-again --seed 4 --quiet
expect 0 "$WILLOW" selfplay verify dealt-again --quiet
has "$OUT" "0 faults"

# A run and its relabelled copy are no two runs: a word about it.
expect 0 "$WILLOW" selfplay relabel one --out deeper --depth 2 --exact 6 --weights zero --quiet
expect 0 "$WILLOW" selfplay merge two one deeper --out doubled
has "$ERR" "deeper has games of one, with other labels perhaps"

# An unfinished run may be merged, with a word about it.
"$WILLOW" selfplay run --games 100000 --shard-games 10 --depth 4 --exact 8 --weights zero --quiet --out unfinished \
  >"$OUT" 2>"$ERR" </dev/null &
pid=$!
until [ -e unfinished/shard-000001.h5 ]; do
  kill -0 $pid 2>/dev/null || fail "the run ended"
  sleep 0.02
done
kill -TERM $pid
wait $pid
expect 0 "$WILLOW" selfplay merge unfinished two --out part
has "$ERR" "unfinished: an unfinished run: "
has "$ERR" " of 100000 games"

# What a careless user is spared.
cp -r one copy
refused "$WILLOW" selfplay merge one two one --out x
has "$ERR" "one: the dataset is given twice"
refused "$WILLOW" selfplay merge one ./two/../one --out x
refused "$WILLOW" selfplay merge one copy --out x
has "$ERR" "copy: game 0 of the same run is in one too"
refused "$WILLOW" selfplay shuffle one copy --out x
refused "$WILLOW" selfplay merge one two --out one/x
has "$ERR" "one/x: the result cannot lie in the source one"
refused "$WILLOW" selfplay merge one two --out two
refused "$WILLOW" selfplay merge one two --out both
has "$ERR" "holds a dataset already"
refused "$WILLOW" selfplay merge one nowhere --out x
has "$ERR" "nowhere"
refused "$WILLOW" selfplay merge one two
has "$ERR" "--out"
refused "$WILLOW" selfplay merge --out x
refused "$WILLOW" selfplay merge one --out x --duplicates some
refused "$WILLOW" selfplay merge one --out x --layout wide
refused "$WILLOW" selfplay merge one --out x --memory 1
refused "$WILLOW" selfplay merge one --out x --shard-rows 0
refused "$WILLOW" selfplay shuffle one --out x --seed -1
refused "$WILLOW" selfplay shuffle --out x
cp -r two damaged
truncate -s 2000 damaged/shard-000001.h5
refused "$WILLOW" selfplay merge one damaged --out x
has "$ERR" "damaged/shard-000001.h5"
[ ! -e x ] || fail "a refused merge left a folder"

# No room: one line, no dataset; with room the same command makes it.
(ulimit -f 8 && exec "$WILLOW" selfplay merge one two --out full --quiet) >"$OUT" 2>"$ERR" </dev/null
[ $? -eq 2 ] || fail "exit code on a full disk"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one line on a full disk"
[ ! -e full/manifest.json ] || fail "a dataset although the disk was full"
expect 0 "$WILLOW" selfplay merge one two --out full --quiet
expect 0 "$WILLOW" selfplay verify full --quiet
exit 0
