#!/bin/sh
# willow selfplay relabel: a whole dataset and a part of one, a stop and a kill, refusals.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

quick="--weights zero --quiet"
expect 0 "$WILLOW" selfplay run --games 40 --shard-games 16 --depth 1 --exact 6 $quick --out games

# Whole: shards and games stay.
expect 0 "$WILLOW" selfplay relabel games --depth 4 --selectivity 73 --exact 10 --results $quick --out deep
has "$OUT" " of plies 0-60 with 40 games, "
has deep/origin.yaml "selectivity: 73"
has deep/origin.yaml "results: true"
expect 0 "$WILLOW" selfplay verify deep --quiet
has "$OUT" "3 shards, 40 games"
[ ! -e deep/shard-000003.h5 ] || fail "more shards than the source has"

# A part: rows alone.
part="--plies 30-45 --depth 3 --exact 8 --shard-rows 50 --layout plies"
expect 0 "$WILLOW" selfplay relabel games $part $quick --out part
has "$OUT" " of plies 30-45, "
expect 0 "$WILLOW" selfplay verify part --quiet
has "$OUT" ", 0 games"
refused "$WILLOW" selfplay relabel games $part $quick --out part
has "$ERR" "holds a dataset already"

# What a kill leaves is finished by the same command and no other.
rm part/manifest.json part/shard-000004.h5 part/shard-000007.h5
echo torn >part/shard-000004.h5.tmp
refused "$WILLOW" selfplay relabel games $part $quick --depth 4 --out part
has "$ERR" "origin.yaml"
expect 0 "$WILLOW" selfplay relabel games $part $quick --out part
has "$OUT" ", 200 of them from before"
expect 0 "$WILLOW" selfplay verify part --quiet
[ -z "$(find part -name '*.tmp')" ] || fail "temporary files were left"

# Stopped, it fails and says how it goes on.
slow="--depth 14 --exact 24 --weights zero --quiet --out slow"
"$WILLOW" selfplay relabel games $slow >"$OUT" 2>"$ERR" &
pid=$!
until_caught "$pid"
kill -TERM $pid
wait $pid
[ $? -eq 1 ] || fail "exit code of a relabelling that was stopped"
has "$ERR" "the same command goes on"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one line after a stop"
[ ! -e slow/manifest.json ] || fail "an unfinished relabelling passes for a dataset"

# A run without its manifest is not a relabelling.
cp -r games run
rm run/manifest.json
refused "$WILLOW" selfplay relabel games $quick --out run
has "$ERR" "of other origin"

refused "$WILLOW" selfplay relabel nowhere --out x
refused "$WILLOW" selfplay relabel games
has "$ERR" "--out"
refused "$WILLOW" selfplay relabel games games --out x
refused "$WILLOW" selfplay relabel games --selectivity 74 --out x
refused "$WILLOW" selfplay relabel games --layout rows --out x
has "$ERR" "neither compact nor plies"
refused "$WILLOW" selfplay relabel games --results --exact 0 $quick --out x
refused "$WILLOW" selfplay relabel games --shard-rows 1000 $quick --out x
has "$ERR" "keeps the shards of its source"
[ ! -e x ] || fail "a refused relabelling left a folder"
exit 0
