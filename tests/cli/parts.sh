#!/bin/sh
# willow selfplay run --part: parts at once and killed, what they keep out, resuming; and what a run does where it cannot
# write, cannot open or has lost files.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

same() {
  for folder in "$1" "$2"; do
    expect 0 "$WILLOW" selfplay export "$folder" --out "$folder.csv"
  done
  cmp -s "$1.csv" "$2.csv" || fail "$1 and $2 differ"
}

# until_shard DIR: waits until a shard is finished.
until_shard() {
  tries=0
  until [ -n "$(find "$1" -name 'shard-*.h5' 2>/dev/null)" ]; do
    sleep 0.02
    tries=$((tries + 1))
    [ "$tries" -lt 1500 ] || fail "no shard was finished"
  done
}

small="--games 100 --shard-games 8 --depth 2 --exact 6 --noise 2 --noise-plies 20 --weights zero --quiet"
expect 0 "$WILLOW" selfplay run $small --out one
expect 0 "$WILLOW" selfplay run $small --out parts --part 2/3
has "$OUT" "part 2/3 of parts: shards 4 .. 7, 32 games, "
[ ! -e parts/manifest.json ] || fail "a part wrote the manifest"
refused "$WILLOW" selfplay info parts
has "$ERR" "parts: no manifest.json"
# The rest at once, from one folder.
"$WILLOW" selfplay run $small --out parts --part 1/3 >first.out 2>first.err &
first=$!
"$WILLOW" selfplay run $small --out parts --part 3/3 >third.out 2>third.err &
third=$!
wait $first || fail "part 1"
wait $third || fail "part 3"
expect 0 "$WILLOW" selfplay run $small --out parts --part 3/3
has "$OUT" "shards 8 .. 12, 36 games, "
expect 0 "$WILLOW" selfplay run $small --out parts --part 14/14
expect 0 "$WILLOW" selfplay run $small --out parts --part 1/1000
has "$OUT" "part 1/1000 of parts: no shards"
expect 0 "$WILLOW" selfplay resume parts --quiet
has "$OUT" "parts: 100 games, "
same one parts
expect 0 "$WILLOW" selfplay verify parts --quiet
refused "$WILLOW" selfplay run $small --seed 2 --out parts --part 1/3
for part in 0/3 4/3 1 1/0 1/3x x/3 -1/3 1/ /3 1/2000000; do
  refused "$WILLOW" selfplay run $small --out x --part $part
done

# While a part is at work, its shards and the whole are closed to others, the other shards are not.
long="--games 100000 --shard-games 10 --depth 5 --exact 8 --weights zero --threads 1 --quiet"
"$WILLOW" selfplay run $long --out held --part 1/2 >long.out 2>long.err &
pid=$!
until_shard held
refused "$WILLOW" selfplay run $long --out held --part 1/3
has "$ERR" "in use by another run"
refused "$WILLOW" selfplay run $long --out held
has "$ERR" "in use by another run"
refused "$WILLOW" selfplay resume held
expect 0 "$WILLOW" selfplay run $long --out held --part 9999/10000
kill -TERM $pid
wait $pid
[ $? -eq 1 ] || fail "exit code of a stopped part"
has long.err "the same command goes on"

# A run without its manifest, its configuration, or a shard; and one whose configuration was edited.
cp -r one lost
rm lost/manifest.json lost/shard-000002.h5
expect 0 "$WILLOW" selfplay resume lost --quiet
same one lost
rm lost/shard-000002.h5
expect 0 "$WILLOW" selfplay resume lost --quiet
has "$ERR" "shard-000002.h5: listed, but gone"
same one lost
rm lost/config.yaml
refused "$WILLOW" selfplay resume lost
has "$ERR" "config.yaml"
expect 0 "$WILLOW" selfplay run $small --out lost
cmp -s one/config.yaml lost/config.yaml || fail "the configuration was not written again"
sed 's/^depth: 2/depth: 3/' one/config.yaml >lost/config.yaml
refused "$WILLOW" selfplay resume lost
has "$ERR" "another configuration"
refused "$WILLOW" selfplay run $small --out lost
has "$ERR" "lost/config.yaml"
rm lost/manifest.json
refused "$WILLOW" selfplay resume lost
has "$ERR" "of another run"
[ "$(find lost -name 'shard-*.h5' | wc -l)" -eq 13 ] || fail "shards of another run were removed"

# The folder goes away in mid-run: one line, no crash.
"$WILLOW" selfplay run $long --out gone >"$OUT" 2>"$ERR" &
pid=$!
until_shard gone
mv gone moved
wait $pid
[ $? -eq 2 ] || fail "exit code without a folder"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one line without a folder"
expect 0 "$WILLOW" selfplay verify moved --quiet
# Its content goes away, and the folder stays or comes back.
"$WILLOW" selfplay run $long --out cleared >"$OUT" 2>"$ERR" &
pid=$!
until_shard cleared
rm -f cleared/lock
wait $pid
[ $? -eq 2 ] || fail "exit code in a cleared folder"
has "$ERR" "cleared: the folder was removed or cleared while it was in use"

# Few descriptors are enough for many shards. A comma as decimal point changes nothing.
(ulimit -n 24 && exec "$WILLOW" selfplay run $small --shard-games 1 --out narrow) >"$OUT" 2>"$ERR" </dev/null ||
  fail "few file descriptors"
expect 0 "$WILLOW" selfplay run $small --shard-games 1 --out wide
same narrow wide
# (The C library itself keeps the memory of LOCPATH.)
if localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>/dev/null; then
  german="env LOCPATH=$SCRATCH LC_ALL=de_DE.UTF-8 ASAN_OPTIONS=detect_leaks=0"
  expect 0 $german "$WILLOW" selfplay run $small --keep 0.5 --out comma
  has comma/config.yaml "keep: 0.5"
  expect 0 $german "$WILLOW" selfplay resume comma --quiet
fi

# Where root may mount, a disk that is really full; where there is another user, a folder that cannot be written.
mkdir disk
if mount -t tmpfs -o size=2m none disk 2>/dev/null; then
  trap 'umount "$SCRATCH/disk" 2>/dev/null; rm -rf "$SCRATCH"' EXIT
  head -c 1900000 /dev/zero >disk/filler
  refused "$WILLOW" selfplay run $small --out disk/full
  has "$ERR" "No space left on device"
  [ -z "$(find disk/full -name 'shard-*.tmp')" ] || fail "temporary files fill the disk"
  [ ! -e disk/full/manifest.json ] || expect 0 "$WILLOW" selfplay verify disk/full --quiet
  rm disk/filler
  expect 0 "$WILLOW" selfplay run $small --out disk/full
  mv disk/full ./full 2>/dev/null
  same one full
  umount disk
fi
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  mkdir readonly && chmod 555 readonly && chmod 755 "$SCRATCH"
  if setpriv --reuid 65534 --clear-groups test -x "$WILLOW" 2>/dev/null; then
    refused setpriv --reuid 65534 --clear-groups "$WILLOW" selfplay run $small --out readonly
    has "$ERR" "Permission denied"
    refused setpriv --reuid 65534 --clear-groups "$WILLOW" selfplay resume one
    has "$ERR" "Permission denied"
  fi
fi
exit 0
