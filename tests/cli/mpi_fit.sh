#!/bin/sh
# willow train fit under mpirun: the weights of one process to the last bit, one rank that speaks, and ranks that fail,
# stop or are killed. For a build with WILLOW_MPI.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

# generate DIR GAMES SEED
generate() {
  expect 0 "$WILLOW" selfplay run --games "$2" --depth 1 --exact 0 --label none --opening 10-30 --weights zero \
    --policy mobility --seed "$3" --shard-games 20 --threads 2 --out "$1" --quiet
}
generate games 100 3
generate more 30 4

# config THREADS: the same command line each time, because the weights say what it was.
config() {
  cat >fit.yaml <<Y
data: [games, more]
out: w.wlw
stages: 3
iterations: 5
window: 1
threads: $1
Y
}

# keep NAME: moves what a fit has left; its report without times, and without what each rank counts among its own rows.
keep() {
  [ ! -e w.wlw.checkpoint ] || fail "a finished fit left a checkpoint"
  mv w.wlw "$1.wlw"
  sed 's/"\([a-z_]*seconds\|duplicates\|contradictory\)":[^,}]*//g' w.wlw.report.json >"$1.json"
  rm w.wlw.report.json w.wlw.yaml
}

# same NAME NAME: weights and reports.
same() {
  cmp -s "$1.wlw" "$2.wlw" || fail "$1 and $2 differ in weights"
  cmp -s "$1.json" "$2.json" || fail "$1 and $2 differ in reports"
}

config 1
expect 0 "$WILLOW" train fit fit.yaml --quiet
lines=$(wc -l <"$OUT")
keep one
config 2
expect 0 "$WILLOW" train fit fit.yaml --quiet
keep two_threads
same one two_threads
# The last with more ranks than shards.
for count in 2 3 8; do
  config $((count % 2 + 1))
  expect 0 ranks $count "$WILLOW" train fit fit.yaml --quiet
  [ "$(wc -l <"$OUT")" -eq "$lines" ] || fail "more than one rank printed a report"
  [ ! -s "$ERR" ] || fail "progress although --quiet"
  keep ranks
  same one ranks
done
[ -s one.json ] && [ "$(wc -c <one.wlw)" -gt 10000 ] || fail "hardly anything to compare"
expect 0 "$WILLOW" weights verify one.wlw

# Only the first rank shows progress.
expect 0 ranks 2 "$WILLOW" train fit fit.yaml
[ "$(grep -c 'rows fitted' "$ERR")" -eq 1 ] || fail "not exactly one rank showed progress"
rm w.wlw*

# refused COMMAND...: exit 2, one line, no weights.
refused_ranks() {
  text=$1
  shift
  expect 2 ranks 3 "$@"
  one_line
  has "$ERR" "$text"
  [ ! -e w.wlw ] || fail "weights although refused: $*"
}

# On all ranks, on some, and on one while the others read or fit.
refused_ranks 'missing' "$WILLOW" train fit fit.yaml --data missing --quiet
echo 'nonsense: 1' >bad.yaml
refused_ranks 'bad.yaml' "$WILLOW" train fit bad.yaml --quiet
refused_ranks 'plies 60-60' "$WILLOW" train fit fit.yaml --plies 60 --window 0 --quiet
cp -r games torn
# The data of one shard, which lies with rank 1; its header stays good.
size=$(wc -c <torn/shard-000001.h5)
for part in 3 4 5; do
  printf 'xxxxxxxx' | dd of=torn/shard-000001.h5 bs=1 seek=$((size * part / 8)) conv=notrunc 2>/dev/null
done
refused_ranks 'shard-000001.h5' "$WILLOW" train fit fit.yaml --data torn --quiet
cat >other.sh <<'S'
[ "$OMPI_COMM_WORLD_RANK" != 1 ] || set -- "$@" --prior 5
exec "$@"
S
refused_ranks 'other settings' sh other.sh "$WILLOW" train fit fit.yaml --quiet
for rank in 0 2; do
  cat >homeless.sh <<S
[ "\$OMPI_COMM_WORLD_RANK" != $rank ] || set -- "\$@" --scratch nowhere
exec "\$@"
S
  refused_ranks 'nowhere' sh homeless.sh "$WILLOW" train fit fit.yaml --quiet
done
refused_ranks 'no/such' "$WILLOW" train fit fit.yaml --out no/such/w.wlw --scratch . --quiet

# Stopped by the launcher's own signal, and killed: what is left is taken up by other numbers of ranks.
cat >long.yaml <<'Y'
data: [games, more]
out: w.wlw
stages: 3
iterations: 40
backoff: 0
tolerance: 1e-9
patience: 40
checkpoint: 1
threads: 1
Y
expect 0 "$WILLOW" train fit long.yaml --quiet
keep whole

# begin: a long fit of three ranks, until there is a checkpoint.
begin() {
  ranks 3 "$WILLOW" train fit long.yaml --quiet >"$OUT" 2>"$ERR" &
  launcher=$!
  tries=0
  until [ -e w.wlw.checkpoint ]; do
    sleep 0.02
    tries=$((tries + 1))
    [ "$tries" -lt 1500 ] || fail "no checkpoint was saved"
  done
  # The shell's job is a copy of the shell, whose child is mpirun.
  mpirun=$(cat "/proc/$launcher/task/$launcher/children")
  mpirun=${mpirun%% *}
}

begin
kill -TERM "$mpirun"
wait $launcher && fail "exit code after a stop"
[ ! -e w.wlw ] || fail "a stopped fit left weights"
expect 0 ranks 2 "$WILLOW" train fit long.yaml --quiet
keep stopped
same whole stopped

begin
for child in $(cat "/proc/$mpirun/task/$mpirun/children"); do
  tr '\0' '\n' <"/proc/$child/environ" | grep -q '^OMPI_COMM_WORLD_RANK=1$' && kill -9 "$child"
done
wait $launcher && fail "exit code after rank 1 was killed"
[ ! -e w.wlw ] || fail "a killed fit left weights"
expect 0 "$WILLOW" train fit long.yaml --quiet
keep killed
same whole killed
exit 0
