#!/bin/sh
# An unfinished fit: killed, stopped, out of disk, taken up again by the same command, and what is refused as not its own.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

expect 0 "$WILLOW" selfplay run --games 300 --depth 1 --exact 0 --label none --opening 10-30 --weights zero \
  --policy mobility --seed 3 --shard-games 100 --threads 2 --out games --quiet

# The steps are so many that a checkpoint comes before the end. The weights say what the command line was.
cat >fit.yaml <<Y
data: [games]
out: w.wlw
patterns: p46
stages: 3
iterations: 20
tolerance: 1e-9
patience: 1000
checkpoint: 0.05
Y
fit() {
  "$WILLOW" train fit fit.yaml --quiet
}

# whole NAME: the fit has ended and left what an undisturbed one leaves, apart from times.
whole() {
  [ ! -e w.wlw.checkpoint ] || fail "a finished fit left a checkpoint"
  sed 's/"[a-z_]*seconds":[^,}]*//g' w.wlw.report.json >"$1.json"
  mv w.wlw "$1.wlw"
  rm w.wlw.report.json w.wlw.yaml
}
expect 0 fit
whole undisturbed

# begin: starts the fit and waits for its checkpoint; in $pid the process.
begin() {
  "$WILLOW" train fit fit.yaml --quiet >"$OUT" 2>"$ERR" </dev/null &
  pid=$!
  tries=0
  until [ -e w.wlw.checkpoint ]; do
    sleep 0.02
    tries=$((tries + 1))
    [ -e "/proc/$pid" ] && [ "$tries" -lt 3000 ] || fail "no checkpoint came"
  done
}

begin
kill -9 $pid
wait $pid 2>/dev/null
[ ! -e w.wlw ] || fail "the fit had ended before it was killed"
cp w.wlw.checkpoint killed
expect 0 fit
whole resumed
cmp -s undisturbed.wlw resumed.wlw || fail "the resumed fit has other weights"
cmp -s undisturbed.json resumed.json || fail "the resumed fit has another report"

# Stopped: what was done is kept at once.
begin
kill -TERM $pid
wait $pid
[ $? -eq 1 ] || fail "a stopped fit does not exit with 1"
[ -e w.wlw.checkpoint ] || fail "a stopped fit left nothing"
expect 0 fit
whole stopped
cmp -s undisturbed.wlw stopped.wlw || fail "the stopped and resumed fit has other weights"

# Not its own, not whole, not a checkpoint at all: refused, and left as it is.
cp killed w.wlw.checkpoint
refused "$WILLOW" train fit fit.yaml --prior 31 --quiet
has "$ERR" 'w.wlw.checkpoint: this is what another fit left'
cmp -s killed w.wlw.checkpoint || fail "a foreign checkpoint was touched"
head -c 100000 killed >w.wlw.checkpoint
refused "$WILLOW" train fit fit.yaml --quiet
has "$ERR" 'not a whole checkpoint'
size=$(wc -c <killed)
{ head -c $((size / 2)) killed && printf 'damage' && tail -c +$((size / 2 + 7)) killed; } >w.wlw.checkpoint
refused "$WILLOW" train fit fit.yaml --quiet
has "$ERR" 'the checkpoint is damaged'
echo 'my notes' >w.wlw.checkpoint
refused "$WILLOW" train fit fit.yaml --quiet
has "$ERR" 'not a whole checkpoint'
[ "$(cat w.wlw.checkpoint)" = 'my notes' ] || fail "a file of the user's was touched"
rm w.wlw.checkpoint

# --fresh forgets what there was; another number of threads does not make it another fit.
cp killed w.wlw.checkpoint
expect 0 "$WILLOW" train fit fit.yaml --fresh --quiet
whole fresh
"$WILLOW" weights diff undisturbed.wlw fresh.wlw >"$OUT" || fail "a fresh fit has other weights"
cp killed w.wlw.checkpoint
expect 0 "$WILLOW" train fit fit.yaml --threads 3 --quiet
whole threads
"$WILLOW" weights diff undisturbed.wlw threads.wlw >"$OUT" || fail "threads made other weights"

# No room for a checkpoint: one warning, and the fit goes on. 2 MiB are enough for everything else.
(ulimit -f 4096 && fit) >"$OUT" 2>"$ERR" </dev/null || fail "a full disk at the checkpoint ended the fit"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one warning"
has "$ERR" 'w.wlw.checkpoint'
whole full
cmp -s undisturbed.wlw full.wlw || fail "the fit without checkpoints has other weights"
[ -z "$(find . -name '*.tmp')" ] || fail "something unfinished lies about"
