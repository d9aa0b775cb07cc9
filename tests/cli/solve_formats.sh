#!/bin/sh
# willow solve: its formats, every move scored, a time limit, chosen positions, several files, standard input, and
# what is found in files of positions.
. "$(dirname "$0")/common.sh"
ENDGAMES=$DATA/reported-endgames.obf
entries() { grep -v '^%' "$1"; }

# The file scores every move of its positions, best first: the solver writes the same file.
expect 0 "$WILLOW" solve "$ENDGAMES" --all-moves --format obf --threads 2
entries "$ENDGAMES" | cmp -s - "$OUT" || fail "not the entries of the file"
has "$ERR" "accuracy: 30 positions, 60 scored moves"
has "$ERR" "mean absolute error 0.00 discs"
expect 0 "$WILLOW" solve "$ENDGAMES" --all-moves --format obf --quiet --jobs 3 --hash 1
entries "$ENDGAMES" | cmp -s - "$OUT" || fail "not the entries of the file, with jobs"
[ ! -s "$ERR" ] || fail "--quiet is not quiet"
# Its own output is read again, the best moves alone as well.
cp "$OUT" "$SCRATCH/all.obf"
expect 0 "$WILLOW" solve "$SCRATCH/all.obf" --format obf --quiet
cp "$OUT" "$SCRATCH/best.obf"
expect 0 "$WILLOW" solve "$SCRATCH/best.obf" --quiet
has "$OUT" "accuracy: 30 positions, 30 scored moves"
has "$OUT" "best move 100.0%"

# The text names every move, and marks the wrong ones; a wrong score that is not the best one shows only now.
expect 0 "$WILLOW" solve "$ENDGAMES" --all-moves --positions 2
has "$OUT" " a6:-32 b8:-32 e1:-36 e7:-40 c8:-40"
sed 's/E7:+22/E7:+20/' "$ENDGAMES" >"$SCRATCH/wrong.obf"
expect 0 "$WILLOW" solve "$SCRATCH/wrong.obf"
expect 1 "$WILLOW" solve "$SCRATCH/wrong.obf" --all-moves
[ "$(grep -c 'WRONG SCORE' "$OUT")" -eq 1 ] || fail "the wrong move is not marked once"
has "$OUT" "1 exact scores disagree with the file"
# A best score in the file that is not the best one is a mismatch, and is not copied.
sed 's/G7:+32; B2:+28/B2:+34; G7:+32/' "$ENDGAMES" >"$SCRATCH/wrong.obf"
expect 1 "$WILLOW" solve "$SCRATCH/wrong.obf" --format obf --positions 1
grep -q 'X; G7:+32; % the file says +34$' "$OUT" || fail "the mismatch is not behind the entry"

# Games that are over have no move; scores that are not exact say so.
full=XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
echo "$full O" >"$SCRATCH/over.obf"
expect 0 "$WILLOW" solve "$SCRATCH/over.obf" --format obf --quiet
[ "$(cat "$OUT")" = "$full O; % over, -64" ] || fail "a finished game as OBF"
expect 0 "$WILLOW" solve "$ENDGAMES" --format obf --positions 4 --depth 3 --quiet
grep -q 'O; A7:-[0-9]*; % not exact: depth 3$' "$OUT" || fail "a depth as OBF"
cat "$SCRATCH/over.obf" "$OUT" >"$SCRATCH/both.obf"
expect 0 "$WILLOW" solve "$SCRATCH/both.obf" --all-moves --depth 3
has "$OUT" "   1   0  --      -64     -   exact"

# JSON: one object, the totals and each position.
expect 0 "$WILLOW" solve "$ENDGAMES" "$SCRATCH/over.obf" --all-moves --json --positions 30-31
head -1 "$OUT" | grep -qxF '{"ruleset": "othello", "raw": false, "results": [' || fail "JSON begins otherwise"
[ "$(grep -c '^{"number"' "$OUT")" -eq 2 ] || fail "not a line for each position"
has "$OUT" '"number": 30, "file": "'
has "$OUT" '"move": "b1", "score": -64, "exact": true, "depth": 6, "selectivity": 100, "complete": true, "nodes": '
has "$OUT" '"moves": [{"move": "b1", "score": -64, "exact": true}, {"move": "b8", "score": -64, "exact": true}]'
has "$OUT" '"file_score": -64, "wrong_score": false, "wrong_move": false}'
has "$OUT" "\"line\": 1, \"board\": \"$full O\", \"empties\": 0, \"move\": null, \"score\": -64, \"exact\": true"
has "$OUT" '], "positions": 1, "moves": 2, "mean_absolute_error": 0.000000, "best_move": 1.000000'
[ "$(tr -cd '[' <"$OUT" | wc -c)" -eq "$(tr -cd ']' <"$OUT" | wc -c)" ] || fail "JSON brackets"
[ "$(tr -cd '{' <"$OUT" | wc -c)" -eq "$(tr -cd '}' <"$OUT" | wc -c)" ] || fail "JSON braces"
expect 0 "$WILLOW" solve "$ENDGAMES" --format json --quiet
[ "$(wc -l <"$OUT")" -eq 1 ] || fail "totals alone are one line"
expect 0 "$WILLOW" solve "$ENDGAMES" --format json --depth 0
[ "$(wc -l <"$OUT")" -eq 1 ] || fail "totals alone are one line without a search"
expect 0 "$WILLOW" solve "$ENDGAMES" --format json --depth 0 --verbose
has "$OUT" '"number": 30, '

# A time limit: a legal move whatever it is, exact only what was finished. Ten milliseconds are enough for most of these.
expect 0 "$WILLOW" solve "$ENDGAMES" --time 0.01 --threads 1
[ "$(grep -c '^ *[0-9][0-9]*  *[0-9][0-9]*  [a-hp][a1-8] ' "$OUT")" -eq 30 ] || fail "no move under a time limit"
start=---------------------------OX------XO---------------------------
echo "$start X" >"$SCRATCH/start.obf"
expect 0 "$WILLOW" solve "$SCRATCH/start.obf" --time 0.02 --threads 2 --json
has "$OUT" '"exact": false'
has "$OUT" '"complete": false'
expect 0 "$WILLOW" solve "$SCRATCH/start.obf" --time 0.02 --all-moves --json
has "$OUT" '"complete": false'
[ "$(grep -o '"move": "[a-h][1-8]", "score"' "$OUT" | wc -l)" -eq 5 ] || fail "not four moves and the best"

# Legal moves of positions on which other programs crashed (Egaroucid #264) or forgot the time (othello-trainer T034).
cat >"$SCRATCH/wide.obf" <<END
--XO-O----XOOO--OOXXOOX--OOOXOO---OXOXXX-XXXXX----OXX-----X----- O
-----O-------O----OOXO----XXXOO---XXXOX--OXXXXXX---OX-O----O-OOO X
END
expect 0 "$WILLOW" solve "$SCRATCH/wide.obf" --all-moves --depth 5 --format obf --quiet
wanted="A5 A7 B1 B2 B7 D8 E8 F7 F8 G2 G6 G7 H2 H3 H4 H6
A6 A7 B2 B3 C2 C7 C8 D2 E2 E8 G1 G2 G3 H3 H4"
moves=$(while read -r board; do
  echo "$board" | grep -o '[A-H][1-8]' | sort | tr '\n' ' ' | sed 's/ $//'
  echo
done <"$OUT")
[ "$moves" = "$wanted" ] || fail "other moves: $moves"

# Several files and standard input are one list.
entries "$ENDGAMES" | head -2 >"$SCRATCH/two.obf"
"$WILLOW" solve "$SCRATCH/two.obf" - "$SCRATCH/two.obf" --positions 2-4 --quiet --format obf <"$SCRATCH/over.obf" >"$OUT" 2>"$ERR" ||
  fail "files and standard input"
[ "$(cut -c 1-67 "$OUT")" = "$(sed -n 2p "$SCRATCH/two.obf" | cut -c 1-67
  sed 's/$/;/' "$SCRATCH/over.obf"
  sed -n 1p "$SCRATCH/two.obf" | cut -c 1-67)" ] || fail "the chosen positions"
refused "$WILLOW" solve "$SCRATCH/two.obf" --positions 2-3
has "$ERR" "--positions '2-3': the files hold 2"
# A pipe is read like a file.
mkfifo "$SCRATCH/pipe"
tail -n 2 "$DATA/late.obf" >"$SCRATCH/pipe" &
expect 0 "$WILLOW" solve "$SCRATCH/pipe" --quiet
has "$OUT" "accuracy: 2 positions"
# An empty standard input, a wrong line in the second file: nothing is solved.
refused "$WILLOW" solve -
has "$ERR" "willow: standard input: no position in the file"
refused "$WILLOW" solve "$SCRATCH/two.obf" "$SCRATCH/none.obf"
printf '%s X\n%s\n' "$start" "$start" >"$SCRATCH/side.obf"
refused "$WILLOW" solve "$SCRATCH/two.obf" "$SCRATCH/side.obf"
has "$ERR" "$SCRATCH/side.obf: line 2, column 65: "

# Contradictions.
for wrong in "" "$ENDGAMES --format csv" "$ENDGAMES --time 0" "$ENDGAMES --time soon" "$ENDGAMES --positions 0" \
  "$ENDGAMES --positions 3-2" "$ENDGAMES --depth 0 --all-moves" "$ENDGAMES --depth 0 --format obf" \
  "$ENDGAMES --depth 0 --time 1" "$ENDGAMES --win-loss --format obf"; do
  # shellcheck disable=SC2086
  refused "$WILLOW" solve $wrong
done

# Threads from nonsense to huge: what is allowed is in the one line.
for threads in 0 -1 257 1000 65536 4294967297 abc 2.5 ""; do
  refused "$WILLOW" solve "$ENDGAMES" --threads "$threads"
  has "$ERR" "--threads '$threads': a whole number from 1 to 256 is expected"
done
for threads in 1 2 3 16 256; do
  expect 0 "$WILLOW" solve "$ENDGAMES" --threads $threads --hash 1 --quiet
  has "$OUT" "best move 100.0%, within 3 discs 100.0%"
done

# Ctrl-C: what is finished stands, in each format; the start position would take for ever, so that it must not outlive a
# failure either.
child=
trap 'kill -9 $child 2>/dev/null; rm -rf "$SCRATCH"' EXIT
for format in text obf json; do
  entries "$ENDGAMES" | head -3 >"$SCRATCH/long.obf"
  echo "$start X" >>"$SCRATCH/long.obf"
  "$WILLOW" solve "$SCRATCH/long.obf" --format $format >"$OUT" 2>"$ERR" &
  child=$!
  until_caught $child
  tries=0
  until grep -q -e '^   3  13  e7' -e '"move": "e7", "score"' -e 'E7:+32;$' "$OUT"; do
    sleep 0.05
    tries=$((tries + 1))
    [ $tries -lt 400 ] || fail "three positions were never finished"
  done
  kill -INT $child
  wait $child
  [ $? -eq 1 ] || fail "exit code after Ctrl-C"
  child=
  has "$ERR" "willow: stopped"
  case $format in
    text) has "$OUT" "accuracy: 3 positions" ;;
    json) has "$OUT" '], "positions": 3, ' ;;
    obf) [ "$(wc -l <"$OUT")" -eq 3 ] || fail "not three entries" ;;
  esac
done
exit 0
