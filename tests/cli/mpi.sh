#!/bin/sh
# willow selfplay run under mpirun: the same rows as one process, ranks that are killed or fail, and resuming. For a build
# with WILLOW_MPI.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

# same DIR DIR: the same positions and games in the same order.
same() {
  for format in csv transcripts; do
    for folder in "$1" "$2"; do
      expect 0 "$WILLOW" selfplay export "$folder" --format $format --out "$folder.$format"
    done
    cmp -s "$1.$format" "$2.$format" || fail "$1 and $2 differ in $format"
  done
  [ "$(wc -l <"$1.csv")" -gt 100 ] || fail "hardly anything to compare"
}

small="--games 100 --shard-games 8 --depth 2 --exact 6 --noise 2 --noise-plies 20 --weights zero"
expect 0 "$WILLOW" selfplay run $small --threads 2 --out one --quiet
expect 0 ranks 3 "$WILLOW" selfplay run $small --out three
has "$OUT" "three: 100 games, "
[ "$(wc -l <"$OUT")" -le 2 ] || fail "more than one rank printed a summary"
same one three
expect 0 "$WILLOW" selfplay verify three --quiet
has "$OUT" "13 shards, 100 games"
# More ranks than shards are missing, with other threads, and nothing to do.
rm three/shard-000003.h5 three/shard-000012.h5
expect 0 ranks 4 "$WILLOW" selfplay resume three --threads 2 --quiet
same one three
expect 0 ranks 2 "$WILLOW" selfplay resume three --quiet
has "$OUT" "three: 100 games, "

# rank_of PID: the rank of a process, empty when it is none.
rank_of() {
  tr '\0' '\n' <"/proc/$1/environ" 2>/dev/null | sed -n 's/^OMPI_COMM_WORLD_RANK=//p'
}

# kill_rank LAUNCHER RANK: kill -9 as soon as a shard is finished.
kill_rank() {
  tries=0
  until [ -n "$(find killed -name 'shard-*.h5' 2>/dev/null)" ]; do
    sleep 0.02
    tries=$((tries + 1))
    [ "$tries" -lt 1500 ] || fail "no shard was finished"
  done
  for child in $(cat "/proc/$1/task/$1/children"); do
    [ "$(rank_of "$child")" != "$2" ] || kill -9 "$child"
  done
}

long="--games 800 --shard-games 20 --depth 4 --exact 10 --weights zero --threads 1 --quiet"
expect 0 "$WILLOW" selfplay run $long --threads 2 --out whole
for rank in 1 0; do
  rm -rf killed
  ranks 3 "$WILLOW" selfplay run $long --out killed >"$OUT" 2>"$ERR" &
  launcher=$!
  # The shell's job is a copy of the shell, whose child is mpirun.
  sleep 0.1
  child=$(cat "/proc/$launcher/task/$launcher/children")
  kill_rank "${child%% *}" $rank
  wait $launcher && fail "exit code after rank $rank was killed"
  [ "$(find killed -name 'shard-*.h5' | wc -l)" -lt 40 ] || fail "the run was over before it could be killed"
  if [ $rank -eq 1 ]; then
    expect 0 "$WILLOW" selfplay resume killed --quiet
  else
    expect 0 ranks 2 "$WILLOW" selfplay run $long --out killed
  fi
  [ -z "$(find killed -name '*.tmp')" ] || fail "temporary files were left"
  same whole killed
done

# One rank fails: one line, what the others finished is listed, and resume plays the rest.
cat >limited.sh <<'S'
[ "$OMPI_COMM_WORLD_RANK" != 2 ] || ulimit -f 8
exec "$@"
S
expect 2 ranks 3 sh limited.sh "$WILLOW" selfplay run $small --shard-games 20 --games 2000 --out full --quiet
one_line
has "$ERR" "File too large"
has full/manifest.json '"number"'
expect 0 "$WILLOW" selfplay verify full --quiet
expect 0 "$WILLOW" selfplay resume full --quiet
has "$OUT" "full: 2000 games"

# Ranks that were told different things, bad input on all, a folder in use, and parts, which know of no ranks.
cat >other.sh <<'S'
[ "$OMPI_COMM_WORLD_RANK" != 1 ] || set -- "$@" --seed 5
exec "$@"
S
expect 2 ranks 3 sh other.sh "$WILLOW" selfplay run $small --out other --quiet
one_line
has "$ERR" "another configuration"
expect 2 ranks 3 "$WILLOW" selfplay run $small --weights missing.wlw --out x
one_line
[ ! -e x ] || fail "a refused run left a folder"
expect 2 ranks 2 "$WILLOW" selfplay run $small --seed 2 --out three
one_line
expect 0 ranks 2 sh -c "\"$WILLOW\" selfplay run $small --out parts --part \$((OMPI_COMM_WORLD_RANK + 1))/2 --quiet"
expect 0 "$WILLOW" selfplay resume parts --quiet
same one parts

# Stopped by the launcher's own signal: nothing is lost but what was being played.
ranks 3 "$WILLOW" selfplay run $long --out stopped >"$OUT" 2>"$ERR" &
launcher=$!
tries=0
until [ -n "$(find stopped -name 'shard-*.h5' 2>/dev/null)" ] || [ $tries -ge 1500 ]; do
  sleep 0.02
  tries=$((tries + 1))
done
kill -TERM $(cat "/proc/$launcher/task/$launcher/children")
wait $launcher && fail "exit code after a stop"
expect 0 "$WILLOW" selfplay resume stopped --quiet
same whole stopped
exit 0
