#!/bin/sh
# willow selfplay info and verify: what they show as text, JSON and SVG, of several folders and of almost nothing; what
# verify notes about a folder's files.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

run() { expect 0 "$WILLOW" selfplay run --weights default --threads 1 --quiet "$@"; }
well_formed() {
  if command -v xmllint >/dev/null; then
    xmllint --noout "$1" 2>"$ERR" || fail "$1 is not well-formed"
  elif command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1" 2>"$ERR" || fail "$1 is not well-formed"
  fi
  has "$1" "</svg>"
}
narrow() { # at most 80 columns of ASCII
  [ "$(awk 'length($0) > 80' "$OUT" | wc -l)" -eq 0 ] || fail "a line is longer than 80 columns"
  if LC_ALL=C grep -q '[^ -~]' "$OUT"; then fail "not plain ASCII"; fi
}

run --games 30 --shard-games 16 --depth 2 --exact 8 --opening 4-8 --random-move 0.1 --out one
expect 0 "$WILLOW" selfplay info one --quiet
[ ! -s "$ERR" ] || fail "something on stderr although quiet"
narrow
has "$OUT" "one: ruleset othello, seed 1"
has "$OUT" "2 shards, 30 games, "
has "$OUT" "written by willow"
has "$OUT" "score against result: mean |score - result| "
has "$OUT" " positions are distinct; "
has "$OUT" " 57-60 "
has "$OUT" "openings: 4-8 plies; up to symmetry "
has "$OUT" "O = the mean result"
[ "$(grep -c '^ *[-+]*[0-9]* |.*|$' "$OUT")" -eq 23 ] || fail "the plot has not 23 rows"
if locale -a 2>/dev/null | grep -qi '^C\.utf-*8$'; then
  LC_ALL=C.UTF-8 "$WILLOW" selfplay info one --quiet >"$OUT" || fail "info in a UTF-8 locale"
  has "$OUT" "│"
  has "$OUT" "█"
  LC_ALL=C.UTF-8 "$WILLOW" selfplay info one --quiet --ascii >"$OUT" || fail "info --ascii"
  narrow
fi

# Few bytes of memory change nothing but the time; without the count nothing speaks of it.
expect 0 "$WILLOW" selfplay info one --json --quiet
cp "$OUT" one.json
[ "$(wc -l <one.json)" -eq 1 ] || fail "not one line of JSON"
expect 0 "$WILLOW" selfplay info one --json --quiet --memory 1
cmp -s "$OUT" one.json || fail "little memory changes the counts"
for key in '"ruleset": "othello"' '"seed": "1"' '"games": 30,' '"planned_games": 30,' '"after_random": ' '"by_ply": [' \
  '"density": [' '"openings": {' '"folders": [{"path": "one"' '"shards_differ": false'; do
  has one.json "$key"
done
if command -v python3 >/dev/null; then
  python3 - one.json 2>"$ERR" <<'END' || fail "the JSON does not add up"
import json, sys
d = json.load(open(sys.argv[1]))
assert sum(d["plies"]) == d["positions"] == sum(p["positions"] for p in d["by_ply"])
assert sum(d["labels"]["scores"]) == d["scored"] == sum(map(sum, d["labels"]["density"]))
assert sum(d["labels"]["results"]) == d["positions"] == d["distinct"] + d["repeated"]
assert d["exact"] + sum(s["positions"] for s in d["labels"]["searches"]) == d["scored"]
assert sum(d["openings"]["by_plies"]) == d["games"] == sum(d["game_results"][k] for k in ("black_wins", "draws", "white_wins"))
END
fi
expect 0 "$WILLOW" selfplay info one --json --quiet --no-duplicates
has "$OUT" '"distinct": null, "repeated": null'
expect 0 "$WILLOW" selfplay info one --quiet --no-duplicates
if grep -q "repeat another$" "$OUT"; then fail "repeated positions although not counted"; fi

# A picture, of a folder whose name must be escaped; an older one is replaced, and a folder that is not there refused.
cp -r one '<one> & "two"'
expect 0 "$WILLOW" selfplay info '<one> & "two"' --quiet --svg picture.svg
well_formed picture.svg
has picture.svg '&lt;one&gt; &amp; '
has picture.svg "Positions by ply"
has picture.svg "mean result"
latin=$(printf 'caf\351')
cp -r one "$latin"
expect 0 "$WILLOW" selfplay info "$latin" --quiet --svg picture.svg
well_formed picture.svg
has picture.svg 'caf?'
[ -z "$(find . -name '*.tmp')" ] || fail "a temporary file was left"
expect 2 "$WILLOW" selfplay info one --quiet --svg nowhere/picture.svg
has "$ERR" "nowhere/picture.svg"

# Two folders together; a part of a run; positions without scores; games without positions; one position.
run --games 6 --depth 1 --exact 0 --label none --out none
expect 0 "$WILLOW" selfplay info one none --quiet
has "$OUT" "together: 3 shards, 36 games, "
expect 0 "$WILLOW" selfplay info none --quiet --svg picture.svg
has "$OUT" "100.0% none"
well_formed picture.svg
has picture.svg "no scores"
run --games 2 --depth 1 --plies 60-60 --out nothing
expect 0 "$WILLOW" selfplay info nothing --quiet --svg picture.svg
has "$OUT" "no positions"
well_formed picture.svg
expect 0 "$WILLOW" selfplay info nothing --json --quiet
if grep -qi 'nan\|inf' "$OUT" picture.svg; then fail "a number that is none"; fi
run --games 1 --depth 1 --plies 30-30 --out single
expect 0 "$WILLOW" selfplay info single --quiet --svg picture.svg
has "$OUT" ", 1 positions, "
well_formed picture.svg
if grep -qi 'nan' "$OUT" picture.svg; then fail "a number that is none"; fi

# What verify says of a sound folder, and of files in it that belong to no dataset.
expect 0 "$WILLOW" selfplay verify one --quiet --json
has "$OUT" '{"folder": "one", "shards": 2, "games": 30, "planned_games": 30, "positions": '
has "$OUT" '"faults": 0, "notes": 0}'
cp one/shard-000000.h5 one/shard-000007.h5
echo x >one/shard-000003.h5.tmp
expect 0 "$WILLOW" selfplay verify one --quiet
has "$OUT" "note: shard-000007.h5: the manifest does not list this shard"
has "$OUT" "note: shard-000003.h5.tmp: left by a writer"
cp one/shard-000000.h5 one/shard-000001.h5
expect 1 "$WILLOW" selfplay verify one --quiet
has "$OUT" "it does not match the manifest's checksum"
has "$OUT" "they do not agree with the manifest"
has "$OUT" "game 0 is in two shards"
expect 1 "$WILLOW" selfplay verify one --quiet --json
has "$ERR" "game 0 is in two shards"
[ "$(wc -l <"$OUT")" -eq 1 ] || fail "not one line of JSON"

refused "$WILLOW" selfplay info
refused "$WILLOW" selfplay info one nowhere
refused "$WILLOW" selfplay info none --memory 0
refused "$WILLOW" selfplay info none --svg ""
exit 0
