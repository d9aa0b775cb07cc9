#!/bin/sh
# A match in a folder: killed and resumed it has the games of one that was left alone; more pairs and players are added,
# another match is refused.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/match_common.sh"

# The program itself takes the place of the shell that runs this beside the test: its number is the program's.
beside() {
  exec "$WILLOW" match default,depth=5 third=default,depth=4 zero --pairs 6 --threads 2 --quiet --json --out "$@"
}
whole() {
  (beside "$@")
}

expect 0 whole "$SCRATCH/whole"
cp "$OUT" "$SCRATCH/result"

# kill -9 at some points; a torn line at the end, too.
for lines in 2 9 30; do
  beside "$SCRATCH/killed" >/dev/null 2>&1 &
  match=$!
  until_lines "$SCRATCH/killed/games.jsonl" $lines
  kill -9 "$match" 2>/dev/null
  wait "$match"
  none_left
  printf '{"pair":' >>"$SCRATCH/killed/games.jsonl"
done
expect 0 whole "$SCRATCH/killed"
cmp -s "$OUT" "$SCRATCH/result" || fail "another result after kills"
cmp -s "$SCRATCH/whole/games.txt" "$SCRATCH/killed/games.txt" || fail "other games after kills"

# A full disk ends it with a line; what was finished is kept.
limited() {
  (ulimit -f 40 && beside "$SCRATCH/full")
}
refused limited
has "$ERR" "$SCRATCH/full/games.jsonl: cannot write: "
[ "$(wc -l <"$SCRATCH/full/games.jsonl")" -ge 2 ] || fail "nothing was kept on a full disk"
expect 0 whole "$SCRATCH/full"
cmp -s "$SCRATCH/whole/games.txt" "$SCRATCH/full/games.txt" || fail "other games after a full disk"

# Nothing is left to play: the result is printed again, and the games stay.
cp "$SCRATCH/whole/games.jsonl" "$SCRATCH/before"
expect 0 whole "$SCRATCH/whole"
cmp -s "$OUT" "$SCRATCH/result" || fail "another result from the record"
cmp -s "$SCRATCH/whole/games.jsonl" "$SCRATCH/before" || fail "finished games were played again"

# The settings beside the games give the same match; they are found from anywhere.
expect 0 "$WILLOW" match --config "$SCRATCH/whole/match.yaml" --out "$SCRATCH/whole" --quiet --json
sed 's/.*"players"//' "$OUT" >"$SCRATCH/again"
sed 's/.*"players"//' "$SCRATCH/result" | cmp -s - "$SCRATCH/again" || fail "match.yaml is another match"
cmp -s "$SCRATCH/whole/games.jsonl" "$SCRATCH/before" || fail "match.yaml began other games"

# Ctrl-C: whole pairs are kept and counted, and the same command goes on.
beside "$SCRATCH/interrupted" >"$OUT" 2>"$ERR" &
match=$!
until_caught "$match"
until_lines "$SCRATCH/interrupted/games.jsonl" 2
kill -INT "$match" 2>/dev/null
wait "$match" || fail "exit code after an interrupt"
grep -q '"complete":\(true\|false\)' "$OUT" || fail "no result after an interrupt"
[ $(($(wc -l <"$SCRATCH/interrupted/games.jsonl") % 2)) -eq 0 ] || fail "half a pair on record"
expect 0 whole "$SCRATCH/interrupted"
cmp -s "$SCRATCH/whole/games.txt" "$SCRATCH/interrupted/games.txt" || fail "other games after an interrupt"

# More pairs, more players, other threads: what there is stays.
expect 0 "$WILLOW" match default,depth=5 zero third=default,depth=4 new=default,depth=1 --pairs 7 --threads 1 --quiet \
  --out "$SCRATCH/whole"
head -n "$(wc -l <"$SCRATCH/before")" "$SCRATCH/whole/games.jsonl" | cmp -s - "$SCRATCH/before" ||
  fail "finished games were touched"
[ "$(wc -l <"$SCRATCH/whole/games.txt")" -eq 84 ] || fail "not all games of the larger match are on record"

# Other matches, and folders of others.
cp "$SCRATCH/whole/games.jsonl" "$SCRATCH/before"
for other in "--seed 2" "--opening 9" "--balance 3" "--clock 60 --depth 4" "--hash 8"; do
  # shellcheck disable=SC2086 # an option and its value
  refused whole "$SCRATCH/whole" $other
  has "$ERR" "$SCRATCH/whole/match.json: "
done
refused "$WILLOW" match default,depth=6 third=default,depth=4 --pairs 6 --out "$SCRATCH/whole"
has "$ERR" "$SCRATCH/whole/roster.txt: the games on record are of another default: "
cmp -s "$SCRATCH/whole/games.jsonl" "$SCRATCH/before" || fail "a refused match changed the games"
mkdir "$SCRATCH/foreign"
echo hello >"$SCRATCH/foreign/letter"
refused "$WILLOW" match zero zero --out "$SCRATCH/foreign"
refused "$WILLOW" match zero zero --out "$SCRATCH/foreign/letter"
sed '1s/"moves":"../"moves":"a1/' "$SCRATCH/before" >"$SCRATCH/whole/games.jsonl"
refused whole "$SCRATCH/whole"
has "$ERR" "games.jsonl: line 1"

# Two at once.
beside "$SCRATCH/busy" --pairs 500 >/dev/null 2>&1 &
match=$!
until_lines "$SCRATCH/busy/games.jsonl" 2
refused whole "$SCRATCH/busy"
kill -9 "$match"
wait "$match"
none_left
