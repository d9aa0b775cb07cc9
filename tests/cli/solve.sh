#!/bin/sh
# willow solve: exact scores against an independent solver's, accuracy, malformed files.
. "$(dirname "$0")/common.sh"

expect 0 "$WILLOW" solve "$DATA/late.obf" --threads 1
has "$OUT" "accuracy: 12 positions, 42 scored moves"
has "$OUT" "best move 100.0%, within 3 discs 100.0%, within 6 100.0%, within 9 100.0%, mean absolute error 0.00 discs"
grep '^ *[0-9][0-9]*  *[0-9][0-9]*  ' "$OUT" | sed 's/ exact .*//' >"$SCRATCH/one"
# The same lines in the same order, whatever the threads and the size of the table.
expect 0 "$WILLOW" solve "$DATA/late.obf" --threads 3 --hash 1
grep '^ *[0-9][0-9]*  *[0-9][0-9]*  ' "$OUT" | sed 's/ exact .*//' >"$SCRATCH/three"
[ "$(wc -l <"$SCRATCH/one")" -eq 12 ] || fail "not one line a position"
cmp -s "$SCRATCH/one" "$SCRATCH/three" || fail "threads change the scores"

expect 0 "$WILLOW" solve "$DATA/late.obf" --depth 8 --json
[ "$(wc -l <"$OUT")" -eq 1 ] || fail "JSON is one line"
has "$OUT" '"positions": 12, "moves": 42, "mean_absolute_error": 0.000000, "best_move": 1.000000, "within_3": 1.000000'
expect 0 "$WILLOW" solve "$DATA/late.obf" --depth 1 --exact 8 --quiet
has "$OUT" "mean absolute error 0.00 discs"
expect 0 "$WILLOW" solve "$DATA/late.obf" --depth 1 --weights zero
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
has "$OUT" "no scores in the file"
expect 0 "$WILLOW" solve "$SCRATCH/full.obf" --json
has "$OUT" '"best_move": null'

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
