#!/bin/sh
# willow train loop, in miniature: an undisturbed run, the same run killed with -9 again and again and resumed, and one stopped with
# Ctrl-C, all ending in the same weights; the report; a changed configuration; dry run; refusals.
. "$(dirname "$0")/common.sh"

cp "$DATA/tiny.yaml" "$SCRATCH/tiny.yaml"
cp "$DATA/late.obf" "$SCRATCH/late.obf"
echo 'yardsticks: [late.obf]' >>"$SCRATCH/tiny.yaml"
RUN=$SCRATCH/run
loop() {
  "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$RUN" --threads 2 --quiet
}

# Undisturbed. Weights are compared by value: their provenance names data files, which name the time of writing.
expect 0 loop
cp "$OUT" "$SCRATCH/first"
has "$OUT" "Against generation 0"
has "$OUT" "willow play --weights $RUN/weights.wlw"
has "$RUN/report.txt" "Result: generation"
has "$RUN/report.html" "</html>"
has "$RUN/config.yaml" "label_exact: 6"
[ -s "$RUN/generation-04/match.json" ] || fail "no match of generation 4"
for left in "$RUN"/generation-*/games "$RUN"/generation-*/labels-* "$RUN"/generation-*/work-*; do
  [ ! -e "$left" ] || fail "left behind: $left"
done
cp "$RUN/weights.wlw" "$SCRATCH/undisturbed.wlw"
expect 1 "$WILLOW" weights diff "$SCRATCH/undisturbed.wlw" "$RUN/generation-00/weights.wlw"

# The same command again has nothing to do and says the same.
expect 0 loop
cmp -s "$OUT" "$SCRATCH/first" || fail "a finished loop says something else"
cmp -s "$RUN/weights.wlw" "$SCRATCH/undisturbed.wlw" || fail "a finished loop changes its weights"

# A new loop takes no folder that holds files of others under the names of its own, the configuration itself among them.
mkdir "$SCRATCH/mine"
cp "$SCRATCH/tiny.yaml" "$SCRATCH/mine/config.yaml"
cp "$DATA/late.obf" "$SCRATCH/mine/late.obf"
refused "$WILLOW" train loop "$SCRATCH/mine/config.yaml" --out "$SCRATCH/mine" --quiet
has "$ERR" "mine/config.yaml: the file exists"
cmp -s "$SCRATCH/tiny.yaml" "$SCRATCH/mine/config.yaml" || fail "the user's configuration was replaced"
cp "$RUN/config.yaml" "$SCRATCH/mine/config.yaml"
echo mine >"$SCRATCH/mine/weights.wlw"
refused "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$SCRATCH/mine" --quiet
has "$ERR" "mine/weights.wlw: the file exists"

# Another configuration is refused.
sed 's/^seed: 3/seed: 4/' "$SCRATCH/tiny.yaml" >"$SCRATCH/other.yaml"
refused "$WILLOW" train loop "$SCRATCH/other.yaml" --out "$RUN" --quiet
has "$ERR" "another configuration"

# Killed at growing moments, the programs that it started die with it; then resumed to the end in the same folder.
rm -rf "$RUN"
for moment in 0.1 0.2 0.3 0.4 0.5; do
  "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$RUN" --threads 2 --quiet >"$OUT" 2>"$ERR" &
  killed=$!
  sleep "$moment"
  kill -9 "$killed" 2>"$SCRATCH/null"
  wait "$killed" 2>"$SCRATCH/null"
done
[ ! -e "$RUN/final.json" ] || echo "note: the kills came too late to disturb" >&2
expect 0 loop
has "$OUT" "Against generation 0"
expect 0 "$WILLOW" weights diff "$SCRATCH/undisturbed.wlw" "$RUN/weights.wlw"

# Ctrl-C: one line, exit 1, and it continues.
rm -rf "$RUN"
"$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$RUN" --threads 2 --quiet >"$OUT" 2>"$ERR" &
stopped=$!
until_caught "$stopped"
sleep 0.5
kill -TERM "$stopped"
wait "$stopped"
code=$?
[ "$code" -eq 1 ] || [ "$code" -eq 0 ] || fail "exit $code after a stop"
[ "$code" -eq 0 ] || has "$OUT" "The same command continues"
expect 0 loop
expect 0 "$WILLOW" weights diff "$SCRATCH/undisturbed.wlw" "$RUN/weights.wlw"

# A dry run prints every command and leaves nothing.
expect 0 "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$SCRATCH/dry" --dry-run
[ "$(grep -c 'willow-selfplay relabel' "$OUT")" -eq 8 ] || fail "8 relabel commands expected"
[ "$(grep -cE 'willow-selfplay (run|relabel) .*--layout plies' "$OUT")" -eq "$(grep -cE 'willow-selfplay (run|relabel)' "$OUT")" ] ||
  fail "a dataset of the loop is not laid out by plies"
[ "$(grep -c 'willow-selfplay match' "$OUT")" -eq 5 ] || fail "5 matches expected"
[ ! -e "$SCRATCH/dry" ] || fail "a dry run made a folder"

# Bad input.
refused "$WILLOW" train loop "$SCRATCH/missing.yaml" --out "$RUN"
refused "$WILLOW" train loop "$SCRATCH/tiny.yaml"
echo 'generatoins: []' >"$SCRATCH/bad.yaml"
refused "$WILLOW" train loop "$SCRATCH/bad.yaml" --out "$SCRATCH/bad"
has "$ERR" "generatoins"
echo '{broken' >"$RUN/state.json"
refused "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$RUN" --quiet
has "$ERR" "state.json"
