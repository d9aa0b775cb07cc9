#!/bin/sh
# willow match, gtp and nboard of other rulesets: matches with built-in engines and programs, their folders, what is
# refused; boards by size and by type over the protocols.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/match_common.sh"

# Built in, over GTP and, where it has words, over NBoard.
gtp="gtp=gtp:$WILLOW gtp --threads 1 --depth 1 --exact 4 --weights zero"
nboard="nboard=nboard:$WILLOW nboard --threads 1 --depth 1 --exact 4 --weights zero"
for ruleset in 6x6 anti 4x4; do
  expect 0 "$WILLOW" match zero "$gtp" "$nboard" --ruleset "$ruleset" --depth 1 --pairs 2 --opening 4 --threads 1 --quiet --json
  has "$OUT" "\"ruleset\":\"$ruleset\""
  has "$OUT" '"complete":true'
  faultless zero gtp nboard
done
for ruleset in hole:c3 6x6-parallel; do
  expect 0 "$WILLOW" match zero "$gtp" --ruleset "$ruleset" --depth 1 --pairs 2 --opening 4 --threads 1 --quiet --json
  has "$OUT" "\"ruleset\":\"$ruleset\""
  faultless zero gtp
done
refused "$WILLOW" match zero "$nboard" --ruleset hole:c3 --depth 1 --pairs 1 --threads 1 --quiet
has "$ERR" "engine 'nboard' does not play hole:c3: NBoard has no word for hole:c3"
if [ -x "$BIN/wide/willow" ]; then
  refused "$WILLOW" match zero "$nboard" --ruleset 10x10 --depth 1 --pairs 1 --threads 1 --quiet
  has "$ERR" "engine 'nboard' does not play 10x10: its status is 'The game was refused: "
fi
refused "$WILLOW" match zero "gtp=gtp:$WILLOW gtp --weights $SCRATCH/none" --ruleset anti --depth 1 --pairs 1 --quiet
has "$ERR" "engine 'gtp' does not play anti"

# A folder: the drawn hole has a name, the settings say it, and no other ruleset goes on there.
expect 0 "$WILLOW" match zero,depth=2 zero --ruleset hole:random --seed 3 --depth 1 --pairs 2 --quiet --out "$SCRATCH/hole"
name=$(sed -n 's/^ruleset: "\(.*\)"$/\1/p' "$SCRATCH/hole/match.yaml")
case $name in
  hole:random | '') fail "no hole in the settings: '$name'" ;;
  hole:*) ;;
  *) fail "another ruleset: '$name'" ;;
esac
has "$OUT" ", $name,"
has "$SCRATCH/hole/games.jsonl" "\"ruleset\":\"$name\""
has "$SCRATCH/hole/games.sgf" "RU[$name]"
has "$SCRATCH/hole/games.txt" "# games of $name"
cp "$OUT" "$SCRATCH/first"
expect 0 "$WILLOW" match --config "$SCRATCH/hole/match.yaml" --quiet --out "$SCRATCH/again"
cmp -s "$SCRATCH/hole/games.txt" "$SCRATCH/again/games.txt" || fail "the settings give another match"
refused "$WILLOW" match zero,depth=2 zero --seed 3 --depth 1 --pairs 2 --quiet --out "$SCRATCH/hole"
has "$ERR" "the folder holds a match of $name, not of othello"

# The file says it, the command line overrides it.
printf 'ruleset: anti\nengines:\n  - {name: a, weights: zero}\n  - {name: b, weights: zero}\npairs: 1\ndepth: 1\n' >"$SCRATCH/anti.yaml"
expect 0 "$WILLOW" match --config "$SCRATCH/anti.yaml" --quiet
has "$OUT" "a against b, anti, depth 1"
expect 0 "$WILLOW" match --config "$SCRATCH/anti.yaml" --ruleset 6x6 --quiet
has "$OUT" "a against b, 6x6, depth 1"
sed 's/anti/chess/' "$SCRATCH/anti.yaml" >"$SCRATCH/chess.yaml"
refused "$WILLOW" match --config "$SCRATCH/chess.yaml" --quiet
has "$ERR" "chess.yaml: ruleset: unknown ruleset 'chess'"

# Few openings, none, weights that know nothing.
refused "$WILLOW" match zero zero --ruleset 4x4 --opening 2 --depth 1 --pairs 60 --quiet
has "$ERR" "only 3 distinct openings"
refused "$WILLOW" match zero zero --ruleset 4x4 --opening 12 --depth 1 --pairs 1 --quiet
refused "$WILLOW" match zero zero --ruleset hole:a1 --balance 4 --depth 1 --pairs 1 --quiet
has "$ERR" "--balance"
refused "$WILLOW" match zero zero --ruleset hole:d4 --quiet
refused "$WILLOW" match zero zero --ruleset chess --quiet
expect 0 "$WILLOW" match zero default --ruleset hole:h8 --depth 1 --pairs 1 --quiet
has "$ERR" "default: no weights are shipped for hole:h8"

# The protocols by themselves.
printf 'boardsize 6\nshowboard\ngenmove b\nboardsize 10\nwillow-ruleset hole:a1\ngogui-rules_game_id\n' |
  "$WILLOW" gtp --depth 2 --threads 1 --weights zero >"$OUT" 2>"$ERR" || fail "gtp"
has "$OUT" "  6 . . . . . ."
has "$OUT" "? unacceptable size; start with --ruleset 10x10"
has "$OUT" "= hole:a1"
printf 'boardsize 6\nplay b c2\nshowboard\n' | "$WILLOW" gtp --ruleset 6x6-parallel --weights zero >"$OUT" 2>"$ERR" || fail "gtp"
has "$OUT" "6x6-parallel: black (X)"
expect 0 "$WILLOW" weights info default --json
printf 'nboard 2\nset depth 2\nset game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TY[6]BO[6 ------ ------ --O*-- --*O-- ------ ------ *]B[b3];)\ngo\nping 1\n' |
  "$WILLOW" nboard --threads 1 --weights zero >"$OUT" 2>"$ERR" || fail "nboard"
grep -Eq '^=== [A-F][1-6]/' "$OUT" || fail "no move on a small board"
refused "$WILLOW" nboard --ruleset hole:c3
has "$ERR" "willow gtp --ruleset hole:c3"
refused "$WILLOW" gtp --ruleset chess
refused "$WILLOW" nboard --ruleset chess
none_left
exit 0
