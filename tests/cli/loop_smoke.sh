#!/bin/sh
# willow train loop, in miniature: an undisturbed run, the same run killed with -9 again and again and resumed, one stopped with
# Ctrl-C, and the commands that a dry run prints run by a shell, all ending in the same weights; the report at any time; a changed
# configuration; budgets; refusals.
. "$(dirname "$0")/common.sh"

cp "$DATA/tiny.yaml" "$DATA/late.obf" "$DATA/openings.txt" "$SCRATCH"
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
for file in match.json ladder.json probcut.json yardstick-01.json match/games.jsonl weights.wlw.report.json; do
  [ -s "$RUN/generation-05/$file" ] || fail "no $file of generation 5"
done
grep -q '"name":"g5"' "$RUN/generation-05/ladder.json" || fail "generation 5 is not in the ladder"
grep -q '"name":"linked"' "$RUN/generation-05/ladder.json" || fail "the fixed opponent is not in the ladder"
for left in "$RUN"/generation-*/games "$RUN"/generation-*/labels "$RUN"/generation-*/making; do
  [ ! -e "$left" ] || fail "left behind: $left"
done
# Programs are told of nothing outside the folder.
! grep -h '^\$' "$RUN"/logs/*.log | grep -F "$SCRATCH" || fail "a command names a path outside the folder"
cp "$RUN/weights.wlw" "$SCRATCH/undisturbed.wlw"
expect 1 "$WILLOW" weights diff "$SCRATCH/undisturbed.wlw" "$RUN/generation-00/weights.wlw"

# The same command again has nothing to do and says the same.
expect 0 loop
cmp -s "$OUT" "$SCRATCH/first" || fail "a finished loop says something else"
cmp -s "$RUN/weights.wlw" "$SCRATCH/undisturbed.wlw" || fail "a finished loop changes its weights"

# The report by itself, over the same results.
cp "$RUN/report.txt" "$SCRATCH/report.txt"
rm "$RUN/report.txt" "$RUN/report.html"
expect 0 "$WILLOW" train loop --out "$RUN" --report --threads 2
has "$OUT" "5 of 5 generations"
for report in "$RUN/report.txt" "$SCRATCH/report.txt"; do
  sed 's/, [^,]* on disk//' "$report" >"$report.compared"
done
cmp -s "$RUN/report.txt.compared" "$SCRATCH/report.txt.compared" || fail "the report says something else"
has "$RUN/report.html" "</html>"
refused "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$SCRATCH/nothing" --report
[ ! -e "$SCRATCH/nothing" ] || fail "a report made a folder"

# The folder goes on without the configuration, also when it was moved and the files that it was begun with are gone.
mv "$RUN" "$SCRATCH/moved"
mkdir "$SCRATCH/away"
mv "$SCRATCH/late.obf" "$SCRATCH/openings.txt" "$SCRATCH/away"
expect 0 "$WILLOW" train loop --out "$SCRATCH/moved" --threads 2 --quiet
has "$OUT" "Against generation 0"
mv "$SCRATCH/away"/* "$SCRATCH"
mv "$SCRATCH/moved" "$RUN"

# A new loop takes no folder that holds files of others under the names of its own, the configuration itself among them.
mkdir "$SCRATCH/mine"
cp "$SCRATCH/tiny.yaml" "$SCRATCH/mine/config.yaml"
cp "$DATA/late.obf" "$DATA/openings.txt" "$SCRATCH/mine"
refused "$WILLOW" train loop "$SCRATCH/mine/config.yaml" --out "$SCRATCH/mine" --quiet
has "$ERR" "mine/config.yaml: the file exists"
cmp -s "$SCRATCH/tiny.yaml" "$SCRATCH/mine/config.yaml" || fail "the user's configuration was replaced"
mkdir "$SCRATCH/mine/inputs"
cp "$RUN"/inputs/* "$SCRATCH/mine/inputs"
cp "$RUN/config.yaml" "$SCRATCH/mine/config.yaml"
echo mine >"$SCRATCH/mine/weights.wlw"
refused "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$SCRATCH/mine" --quiet
has "$ERR" "mine/weights.wlw: the file exists"

# Another configuration is refused, and so are other files that it names.
sed 's/^seed: 3/seed: 4/' "$SCRATCH/tiny.yaml" >"$SCRATCH/other.yaml"
refused "$WILLOW" train loop "$SCRATCH/other.yaml" --out "$RUN" --quiet
has "$ERR" "another configuration"
echo 'f5f4' >>"$SCRATCH/openings.txt"
refused loop
has "$ERR" "other files"
cp "$DATA/openings.txt" "$SCRATCH"

# Killed at growing moments, the programs that it started die with it; then resumed to the end in the same folder.
rm -rf "$RUN"
for moment in 0.2 0.4 0.6 1 2; do
  "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$RUN" --threads 2 --quiet >"$OUT" 2>"$ERR" &
  killed=$!
  sleep "$moment"
  kill -9 "$killed" 2>"$SCRATCH/null"
  wait "$killed" 2>"$SCRATCH/null"
done
if [ -e "$RUN/state.json" ]; then
  expect 0 "$WILLOW" train loop --out "$RUN" --report
  has "$RUN/report.html" "</html>"
fi
[ ! -e "$RUN/final.json" ] || echo "note: the kills came too late to disturb" >&2
expect 0 loop
has "$OUT" "Against generation 0"
expect 0 "$WILLOW" weights diff "$SCRATCH/undisturbed.wlw" "$RUN/weights.wlw"

# Killed between a program's end and the note of it: each step in turn is taken for not done, and nothing changes.
cat >"$SCRATCH/one.yaml" <<'END'
stages: 2
keep_data: true
generations: [{games: 20, opening: "0-20", label_depth: 1, label_exact: 4, fit: {iterations: 1, backoff: 0}}]
gate: {pairs: 2, depth: 1}
ladder: {pairs: 2, depth: 1}
final: {pairs: 0}
END
expect 0 "$WILLOW" train loop "$SCRATCH/one.yaml" --out "$SCRATCH/one" --threads 1 --quiet
cp "$SCRATCH/one/weights.wlw" "$SCRATCH/one.wlw"
for step in games labels fit match ladder closed; do
  sed -i "/generation-01.$step\"/d" "$SCRATCH/one/state.json"
  # The list must end as it did.
  sed -i '$s/,$//; $s/}$/}]}/; $s/}\]}\]}$/}]}/' "$SCRATCH/one/state.json"
  mkdir -p "$SCRATCH/one/generation-01/making"
  expect 0 "$WILLOW" train loop --out "$SCRATCH/one" --threads 1 --quiet
  cmp -s "$SCRATCH/one/weights.wlw" "$SCRATCH/one.wlw" || fail "other weights after $step was done twice"
done

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

# A dry run prints every command and leaves nothing; a shell that runs them does what the loop does.
expect 0 "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$SCRATCH/dry" --threads 2 --dry-run
[ ! -e "$SCRATCH/dry" ] || fail "a dry run made a folder"
cp "$OUT" "$SCRATCH/dry.sh"
[ "$(grep -c '^willow-selfplay relabel' "$SCRATCH/dry.sh")" -eq 9 ] || fail "9 relabel commands expected"
[ "$(grep -cE '^willow-selfplay (run|relabel) .*--layout plies' "$SCRATCH/dry.sh")" -eq \
  "$(grep -cE '^willow-selfplay (run|relabel)' "$SCRATCH/dry.sh")" ] || fail "a dataset of the loop is not laid out by plies"
[ "$(grep -c '^willow-selfplay match' "$SCRATCH/dry.sh")" -eq 12 ] || fail "12 matches expected"
! grep '^willow' "$SCRATCH/dry.sh" | grep -F "$SCRATCH" || fail "a command names a path outside the folder"
expect 0 sh "$SCRATCH/dry.sh"
for generation in 01 02 03; do
  cmp "$RUN/generation-$generation/weights.wlw" "$SCRATCH/dry/generation-$generation/weights.wlw" ||
    fail "generation $generation of the printed commands has other weights"
done

# Budgets and the disk are held against the estimate.
{ cat "$SCRATCH/tiny.yaml" && echo 'budget: {disk_gb: 0.001}'; } >"$SCRATCH/budget.yaml"
refused "$WILLOW" train loop "$SCRATCH/budget.yaml" --out "$SCRATCH/budget"
has "$ERR" "the budget is 0.001 GB"
[ ! -e "$SCRATCH/budget" ] || fail "a loop over its budget made a folder"
echo 'generations: [{games: 1000000000, depth: 20}]' >"$SCRATCH/huge.yaml"
refused "$WILLOW" train loop "$SCRATCH/huge.yaml" --out "$SCRATCH/budget"
has "$ERR" "are free"
echo 'budget: {hours: 1000, disk_gb: 1e9}' >>"$SCRATCH/huge.yaml"
refused "$WILLOW" train loop "$SCRATCH/huge.yaml" --out "$SCRATCH/budget"
has "$ERR" "hours are needed"

# The configurations that come with Willow are good ones.
for configuration in quick loop default-weights; do
  expect 0 "$WILLOW" train loop "$DATA/../../configs/$configuration.yaml" --out "$SCRATCH/shipped" --dry-run
  has "$OUT" "# Estimate: about"
done

# Bad input.
refused "$WILLOW" train loop "$SCRATCH/missing.yaml" --out "$RUN"
refused "$WILLOW" train loop --out "$SCRATCH/nothing"
refused "$WILLOW" train loop "$SCRATCH/tiny.yaml"
echo 'generatoins: []' >"$SCRATCH/bad.yaml"
refused "$WILLOW" train loop "$SCRATCH/bad.yaml" --out "$SCRATCH/bad"
has "$ERR" "generatoins"
echo '{broken' >"$RUN/state.json"
refused "$WILLOW" train loop "$SCRATCH/tiny.yaml" --out "$RUN" --quiet
has "$ERR" "state.json"
