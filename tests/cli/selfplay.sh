#!/bin/sh
# willow selfplay run, resume, info, verify, relabel: a whole round, stops and kills, damage found, refusals.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

small="--games 20 --shard-games 8 --depth 2 --exact 6 --weights zero --quiet"
expect 0 "$WILLOW" selfplay run $small --threads 2 --out one
has "$OUT" "one: 20 games, "
has "$OUT" "seed 1"
[ ! -s "$ERR" ] || fail "progress although quiet"
expect 0 "$WILLOW" selfplay verify one --quiet
has "$OUT" "3 shards, 20 games"
has "$OUT" "0 faults"
expect 0 "$WILLOW" selfplay info one
has "$OUT" "3 shards, 20 games, "
expect 0 "$WILLOW" selfplay info one --json
has "$OUT" '"games": 20,'
[ "$(wc -l <"$OUT")" -eq 1 ] || fail "not one line of JSON"

# The resolved configuration gives the same run again; the command line overrides it.
expect 0 "$WILLOW" selfplay run one/config.yaml --threads 1 --out two --quiet
cmp -s one/config.yaml two/config.yaml || fail "the configuration did not survive"
expect 0 "$WILLOW" selfplay run one/config.yaml --seed 9 --games 4 --keep 0.5 --out three --quiet
has three/config.yaml "seed: 9"
has three/config.yaml "keep: 0.5"
has three/config.yaml "depth: 2"
# The same run into the same folder has nothing to do; another one is refused.
expect 0 "$WILLOW" selfplay run $small --out one
expect 0 "$WILLOW" selfplay resume one --quiet
refused "$WILLOW" selfplay run $small --seed 2 --out one
has "$ERR" "another configuration"

# A kill and an interrupt lose no finished shard, and resume ends with the same rows.
long="--games 1200 --shard-games 80 --depth 4 --exact 10 --weights zero --quiet"
"$WILLOW" selfplay run $long --out killed >"$OUT" 2>"$ERR" &
sleep 0.3
kill -9 $! || fail "the run was over before it could be killed"
wait $! 2>/dev/null
"$WILLOW" selfplay run $long --out killed >"$OUT" 2>"$ERR" &
pid=$!
until_caught "$pid"
sleep 0.3
kill -INT $pid 2>/dev/null
wait $pid
[ $? -le 1 ] || fail "exit code after an interrupt"
expect 0 "$WILLOW" selfplay verify killed --quiet
expect 0 "$WILLOW" selfplay resume killed --threads 1 --quiet
expect 0 "$WILLOW" selfplay verify killed --quiet
has "$OUT" "15 shards, 1200 games"
[ -z "$(find killed -name '*.tmp')" ] || fail "temporary files were left"
if command -v h5ls >/dev/null; then
  h5ls -r killed/shard-000000.h5 >"$OUT" || fail "h5ls cannot read a shard"
  has "$OUT" "/positions/score"
fi

expect 0 "$WILLOW" selfplay relabel one --out late --plies 50-55 --depth 3 --exact 8 --weights zero --quiet
has "$OUT" "of plies 50-55"
expect 0 "$WILLOW" selfplay verify late --quiet
has "$OUT" "0 games"
refused "$WILLOW" selfplay relabel one --out late --weights zero --quiet
has "$ERR" "holds a dataset already"

# Stopped before its end, a run says so: what follows it in a script must not take the part for the whole.
"$WILLOW" selfplay run --games 100000 --shard-games 10 --depth 5 --exact 8 --weights zero --quiet --out part >"$OUT" 2>"$ERR" &
pid=$!
until_caught "$pid"
sleep 0.2
kill -TERM $pid
wait $pid
[ $? -eq 1 ] || fail "exit code of an unfinished run"
has "$ERR" "willow selfplay resume part"
expect 0 "$WILLOW" selfplay verify part --quiet

# A label run that is stopped says that it failed, and how it goes on.
"$WILLOW" selfplay relabel killed --out never --depth 14 --exact 24 --weights zero --quiet >"$OUT" 2>"$ERR" &
pid=$!
until_caught "$pid"
kill -TERM $pid
wait $pid
[ $? -eq 1 ] || fail "exit code after stopping relabel"
has "$ERR" "the same command goes on"

# With the standard streams closed, no file takes their place: what is printed lands nowhere.
expect 0 "$WILLOW" selfplay run $small --out closed
rm closed/shard-000001.h5
"$WILLOW" selfplay resume closed 2>&- >"$OUT" || fail "exit code without standard error"
[ ! -s closed/lock ] || fail "a message landed in the lock file"
expect 0 "$WILLOW" selfplay verify closed --quiet
"$WILLOW" selfplay resume closed <&- >&- 2>&-
[ $? -eq 2 ] || fail "exit code without standard output"
expect 0 "$WILLOW" selfplay verify closed --quiet

# Damage: verify says where and fails, readers refuse in one line.
cp -r one bad
printf '\377' | dd of=bad/shard-000001.h5 bs=1 seek=9000 conv=notrunc 2>/dev/null
expect 1 "$WILLOW" selfplay verify bad --quiet
has "$OUT" "bad/shard-000001.h5"
truncate -s 2000 bad/shard-000002.h5
expect 1 "$WILLOW" selfplay verify bad --quiet
has "$OUT" "bad/shard-000002.h5"
refused "$WILLOW" selfplay info bad
has "$ERR" "bad/shard-000002.h5"
rm bad/shard-000002.h5
expect 1 "$WILLOW" selfplay verify bad --quiet
echo '{' >bad/manifest.json
expect 1 "$WILLOW" selfplay verify bad --quiet
refused "$WILLOW" selfplay resume bad
has "$ERR" "line 2, column"

# Other weights in the folder of a run: the file that is wrong is named, not the name that they once had.
cp -r one swapped
expect 0 "$WILLOW" weights zero --stages 3 --out swapped/weights.wlw
refused "$WILLOW" selfplay resume swapped
has "$ERR" "swapped/weights.wlw: these are not the weights"

refused "$WILLOW" selfplay run --games 5
has "$ERR" "--out"
refused "$WILLOW" selfplay run --games 0 --out x
refused "$WILLOW" selfplay run --games many --out x
refused "$WILLOW" selfplay run --threads 0 --out x
refused "$WILLOW" selfplay run --threads 257 --out x
refused "$WILLOW" selfplay run --opening 9-3 --out x
refused "$WILLOW" selfplay run --label both --out x
refused "$WILLOW" selfplay run --policy mobility --out x
refused "$WILLOW" selfplay run --weights missing.wlw --out x
has "$ERR" "missing.wlw"
refused "$WILLOW" selfplay run --weights "" --out x
refused "$WILLOW" selfplay run $small --out ""
has "$ERR" "''"
# A name that the stored configuration could not hold would make the run impossible to resume.
latin=$(printf 'w\351.wlw')
cp one/weights.wlw "$latin"
refused "$WILLOW" selfplay run --games 5 --weights "$latin" --out x
has "$ERR" "UTF-8"
printf 'threads: 0\n' >wrong.yaml
refused "$WILLOW" selfplay run wrong.yaml --out x
has "$ERR" "wrong.yaml: threads: must be 1 .. 256"
refused "$WILLOW" selfplay run missing.yaml --out x
printf 'games: 5\nsped: 3\n' >wrong.yaml
refused "$WILLOW" selfplay run wrong.yaml --out x
has "$ERR" "wrong.yaml: line 2"
printf 'games: 5\nkeep: 2\n' >wrong.yaml
refused "$WILLOW" selfplay run wrong.yaml --out x
has "$ERR" "keep"
refused "$WILLOW" selfplay run $small --out wrong.yaml
refused "$WILLOW" selfplay resume nowhere
refused "$WILLOW" selfplay verify nowhere
refused "$WILLOW" selfplay info nowhere
refused "$WILLOW" selfplay relabel nowhere --out x
refused "$WILLOW" selfplay relabel one
refused "$WILLOW" selfplay verify
[ ! -e x ] || fail "a refused run left a folder"

# No room for the shards: one line, and what is there stays sound.
(ulimit -f 8 && exec "$WILLOW" selfplay run --games 200 --shard-games 50 --depth 1 --exact 0 --weights zero --quiet --out full) \
  >"$OUT" 2>"$ERR" </dev/null
[ $? -eq 2 ] || fail "exit code on a full disk"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one line on a full disk"
has "$ERR" "File too large"
expect 0 "$WILLOW" selfplay verify full --quiet
expect 0 "$WILLOW" selfplay resume full --quiet
expect 0 "$WILLOW" selfplay verify full --quiet
has "$OUT" "4 shards, 200 games"
if [ -w /dev/full ]; then
  "$WILLOW" selfplay info one >/dev/full 2>"$ERR"
  [ $? -eq 2 ] || fail "a full disk under stdout went unnoticed"
fi
exit 0
