#!/bin/sh
# willow solve: exact scores against an independent solver's, accuracy, malformed files.
. "$(dirname "$0")/common.sh"

# positions: the lines of single positions on stdout, without what a clock or the number of threads decides.
positions() {
  grep '^ *[0-9][0-9]*  *[0-9][0-9]*  ' "$OUT" | awk '{ print $1, $2, $3, $4, $5, $6 }'
}

expect 0 "$WILLOW" solve "$DATA/late.obf" --threads 1
has "$OUT" "accuracy: 12 positions, 42 scored moves"
has "$OUT" "best move 100.0%, within 3 discs 100.0%, within 6 100.0%, within 9 100.0%, mean absolute error 0.00 discs"
positions >"$SCRATCH/one"
# The same lines in the same order, whatever the threads and the size of the table.
[ "$(wc -l <"$SCRATCH/one")" -eq 12 ] || fail "not one line a position"
for together in "--threads 3 --hash 1" "--jobs 3" "--jobs 2 --threads 2"; do
  # shellcheck disable=SC2086
  expect 0 "$WILLOW" solve "$DATA/late.obf" $together
  positions >"$SCRATCH/other"
  cmp -s "$SCRATCH/one" "$SCRATCH/other" || fail "another result with $together"
done

# Time, nodes, rate and the line to the end of the game: here at most one square stays empty.
expect 0 "$WILLOW" solve "$DATA/ffo-small.obf" --threads 2
has "$OUT" "accuracy: 10 positions, 76 scored moves"
has "$OUT" "within 3 discs 100.0%, within 6 100.0%, within 9 100.0%, mean absolute error 0.00 discs"
awk '$6 == "exact" {
  found++
  moves = 0
  for (i = 11; i <= NF; i++) moves += $i ~ /^[a-h][1-8]$/
  if (moves + 1 < $2 || $11 != $3 || $7 !~ /^[0-9]+[.][0-9]+$/ || $8 < 1 || $10 !~ /^[kM]\/s$/) bad = 1
} END { exit bad || found != 10 }' "$OUT" || fail "the line is not whole"
awk '{ print $4, $6 }' "$OUT" | grep exact >"$SCRATCH/exact"

# Games that are over: full, of one colour, no move for either side. The scores are whole discs.
cat >"$SCRATCH/over.obf" <<END
XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X;
---------------------------XX------XX--------------------------- O;
X--------------------------------------------------------------O X;
END
expect 0 "$WILLOW" solve "$SCRATCH/over.obf" --threads 2
positions >"$SCRATCH/other"
printf '1 0 -- +64 - exact\n2 60 -- -64 - exact\n3 62 -- +0 - exact\n' | cmp -s - "$SCRATCH/other" || fail "finished games"

# Selective: not called exact, and on these positions every score is right all the same at 99 percent.
expect 0 "$WILLOW" solve "$DATA/ffo-small.obf" --selectivity 99 --threads 1
awk '$6 == "end@99%" { print $4, "exact" }' "$OUT" >"$SCRATCH/other"
cmp -s "$SCRATCH/exact" "$SCRATCH/other" || fail "other scores at 99 percent"
expect 0 "$WILLOW" solve "$DATA/ffo-small.obf" --selectivity 73 --depth 6 --exact 0 --threads 1
[ "$(grep -c ' 6@73% ' "$OUT")" -eq 10 ] || fail "depth and selectivity are not shown"
expect 0 "$WILLOW" solve "$DATA/ffo-small.obf" --selectivity 73 --depth 6 --exact 15 --threads 1 --quiet
has "$OUT" "mean absolute error 0.00 discs"

# Who wins: the sign of the file's score, whatever the threads; a file that says otherwise is wrong.
for threads in 1 3; do
  expect 0 "$WILLOW" solve "$DATA/late.obf" --win-loss --threads $threads
  has "$OUT" "best move 100.0%, within 3 discs 100.0%, within 6 100.0%, within 9 100.0%, mean absolute error 0.00 discs"
  [ "$(awk '$6 == "exact" && ($4 == 0 || $4 * $4 == 1) && $4 * $5 >= 0' "$OUT" | wc -l)" -eq 12 ] || fail "win or loss"
done
sed '6s/:+/:-/g' "$DATA/late.obf" >"$SCRATCH/lost.obf"
expect 1 "$WILLOW" solve "$SCRATCH/lost.obf" --win-loss
has "$OUT" "1 exact scores disagree with the file"

expect 0 "$WILLOW" solve "$DATA/late.obf" --depth 8 --exact 0 --json --quiet
[ "$(wc -l <"$OUT")" -eq 1 ] || fail "JSON is one line"
has "$OUT" '"positions": 12, "moves": 42, "mean_absolute_error": 0.000000, "best_move": 1.000000, "within_3": 1.000000'
expect 0 "$WILLOW" solve "$DATA/late.obf" --depth 1 --quiet
has "$OUT" "mean absolute error 0.00 discs"
expect 0 "$WILLOW" solve "$DATA/late.obf" --depth 1 --exact 0 --weights zero
has "$OUT" "+0.00"

# Zero weights: the static error of a move is the size of its score, and the best move is the first square.
expect 0 "$WILLOW" solve "$DATA/late.obf" --depth 0 --weights zero --json
wanted=$(sed -n 's/^[-XO]* [XO]; //p' "$DATA/late.obf" | tr ';' '\n' |
  awk -F: 'NF == 2 { v = $2 + 0; sum += v < 0 ? -v : v; n++ } END { printf "%.6f", sum / n }')
has "$OUT" "\"mean_absolute_error\": $wanted, "
has "$OUT" '"nodes": 0'
expect 0 "$WILLOW" solve "$DATA/late.obf" --depth 0 --verbose
[ "$(grep -c 'mean error' "$OUT")" -eq 12 ] || fail "a line for each position"

# A wrong score is marked and fails; a wrong move alone does not.
sed 's/A2:+16; B2:+12/A2:+18; B2:+12/' "$DATA/late.obf" >"$SCRATCH/wrong.obf"
expect 1 "$WILLOW" solve "$SCRATCH/wrong.obf"
[ "$(grep -c 'WRONG SCORE' "$OUT")" -eq 1 ] || fail "the wrong score is not marked once"
has "$OUT" "1 exact scores disagree with the file"
expect 1 "$WILLOW" solve "$SCRATCH/wrong.obf" --json --quiet
has "$OUT" '"wrong_exact": 1'

# A finished game whose last moves pass: White takes the empty squares. No scores: nothing to compare.
full=XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
echo "$full X" >"$SCRATCH/full.obf"
echo "O--------------------------------------------------------------- X" >>"$SCRATCH/full.obf"
expect 0 "$WILLOW" solve "$SCRATCH/full.obf"
has "$OUT" "+64"
has "$OUT" "-64"
has "$OUT" "no scores to compare with"
expect 0 "$WILLOW" solve "$SCRATCH/full.obf" --json
has "$OUT" '"best_move": null'

# Options out of range: one line each, and the range or the choice in it.
refused "$WILLOW" solve --threads 0 "$DATA/late.obf"
has "$ERR" "--threads '0': a whole number from 1 to 256 is expected"
for wrong in "--threads 257" "--threads two" "--threads -1" "--jobs 0" "--jobs 100000" "--jobs 1.5" "--selectivity 74" \
  "--selectivity 0" "--selectivity 73%" "--selectivity high" "--win-loss=yes" "--hash 0" "--depth 101" "--exact -1"; do
  # shellcheck disable=SC2086
  refused "$WILLOW" solve "$DATA/late.obf" $wrong
done
refused "$WILLOW" solve "$DATA/late.obf" --selectivity
refused "$WILLOW" solve "$DATA/late.obf" --selectivity 101
has "$ERR" "--selectivity '101': 73, 87, 95, 98, 99 or 100 is expected"
refused "$WILLOW" solve - - --threads 1
has "$ERR" "standard input can be read once"
# Threads that cannot be had are refused before anything is written: what was written would be no JSON.
(ulimit -v 1000000 && exec "$WILLOW" solve "$DATA/late.obf" --threads 256 --hash 1 --json) >"$OUT" 2>"$ERR" </dev/null &&
  fail "256 threads in a gigabyte"
[ ! -s "$OUT" ] || fail "output although there were no threads"
# More threads than cores, and more jobs than positions, are only of no use.
expect 0 "$WILLOW" solve "$DATA/late.obf" --threads 64 --quiet
has "$OUT" "mean absolute error 0.00 discs"
expect 0 "$WILLOW" solve "$DATA/late.obf" --jobs 64 --hash 1 --quiet
has "$OUT" "mean absolute error 0.00 discs"

# Malformed lines name file, line and column. Windows line ends, comments and blank lines are fine.
line=$(grep -v '^%' "$DATA/late.obf" | head -1)
malformed() {
  printf '%% comment\n\n%s\r\n%s\n' "$line" "$1" >"$SCRATCH/bad.obf"
  refused "$WILLOW" solve "$SCRATCH/bad.obf"
  has "$ERR" "$SCRATCH/bad.obf: line 4, column "
}
malformed "XO X"
malformed "${full}X X"
malformed "$full"
malformed "$full ?"
malformed "$(echo "$line" | sed 's/D8:/A1:/')"
malformed "$(echo "$line" | sed 's/D8:/Z9:/')"
malformed "$(echo "$line" | sed 's/D8:+0/D8:+99/')"
malformed "$(echo "$line" | sed 's/C7:/D8:/')"
malformed "not a position"
printf '%s\0\n' "$line" >"$SCRATCH/zero.obf"
refused "$WILLOW" solve "$SCRATCH/zero.obf"
has "$ERR" "line 1, column "
: >"$SCRATCH/empty.obf"
refused "$WILLOW" solve "$SCRATCH/empty.obf"
refused "$WILLOW" solve "$SCRATCH/none.obf"
refused "$WILLOW" solve "$SCRATCH"
printf '\357\273\277%s\r\n' "$line" >"$SCRATCH/marked.obf"
expect 0 "$WILLOW" solve "$SCRATCH/marked.obf"
has "$OUT" "accuracy: 1 positions"
head -c 5000 /dev/urandom >"$SCRATCH/random.obf"
refused "$WILLOW" solve "$SCRATCH/random.obf"
exit 0
