#!/bin/sh
# Three players and more: round robin and gauntlet, tables, names, and the configuration file with its refusals.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/match_common.sh"

expect 0 "$WILLOW" match default zero b=default,depth=1 --depth 2 --pairs 3 --quiet --json
has "$OUT" '{"format":"round-robin","depth":2,'
[ "$(grep -o '"pairs":3,' "$OUT" | wc -l)" -eq 3 ] || fail "not three encounters of three pairs"
has "$OUT" '"encounters":[{"a":'
has "$OUT" '"engines":{"default":"default ('
cp "$OUT" "$SCRATCH/one"
expect 0 "$WILLOW" match default zero b=default,depth=1 --depth 2 --pairs 3 --quiet --json --threads 1
cmp -s "$OUT" "$SCRATCH/one" || fail "the result depends on the number of threads"
expect 0 "$WILLOW" match default zero b=default,depth=1 --depth 2 --pairs 3 --quiet
has "$OUT" "3 players, each against each, depth 2"
has "$OUT" "Brightwell"
expect 0 "$WILLOW" match default zero zero zero --format gauntlet --depth 1 --pairs 2 --quiet --json
has "$OUT" '{"format":"gauntlet"'
[ "$(grep -o '"pairs":2,' "$OUT" | wc -l)" -eq 3 ] || fail "a gauntlet of four has three encounters"
has "$OUT" '"name":"zero-3"'
expect 0 "$WILLOW" match zero default --depth 1 --pairs 1 --anchor default --quiet --json
has "$OUT" '"name":"default","games":2,"wins":2,"draws":0,"losses":0,"byes":0,"points":2.0'
grep -q '"name":"default"[^}]*"elo":0.00,"elo_low":0.00' "$OUT" || fail "the anchor is not zero"
expect 0 "$WILLOW" match zero default b=default,depth=1 --depth 1 --pairs 2 --withdraw zero --quiet --json
has "$OUT" '"withdrawn":true'

# The example, then every key of the file.
expect 0 "$WILLOW" match --config "$DATA/../../configs/match.yaml" --pairs 1 --quiet
has "$OUT" "4 players, each against each"
mkdir "$SCRATCH/conf"
printf 'f5d6c4\nf5f6e6\nf5d6c3\n' >"$SCRATCH/conf/list.txt"
cat >"$SCRATCH/conf/match.yaml" <<YAML
engines:
  - {name: one, weights: default, depth: 2, exact: 6, selectivity: 100}
  - {name: two, level: 1}
  - {name: three, weights: zero, nodes: 50, time: 5.5, clock: "60+1", withdrawn: false}
  - {name: "a program", protocol: gtp, command: "'$BIN/fake_engine' --gtp", arguments: [--seed, 7], folder: ., setup: [list_commands]}
  - {name: another, protocol: nboard, command: $BIN/fake_engine --nboard, depth: 3}
players: [one, "a program", three, "own=zero,depth=1"]
format: gauntlet
pairs: 2
depth: 1
exact: 2
nodes: 1000
time: 9
clock: 1:00+1
openings: list.txt
seed: 3
threads: 2
hash: 1
move_limit: 50
start_limit: 60
withdraw_after: 5
anchor: three
out: $SCRATCH/played
YAML
expect 0 "$WILLOW" match --config "$SCRATCH/conf/match.yaml" --quiet --json
has "$OUT" '"format":"gauntlet","depth":1,'
has "$OUT" '"seed":3,"complete":true'
faultless one "a program" three own
[ "$(wc -l <"$SCRATCH/played/games.txt")" -eq 12 ] || fail "not the games of the file"
has "$SCRATCH/played/match.yaml" 'name: "a program"'
none_left
# The command line overrides it, and the resolved file says all.
expect 0 "$WILLOW" match --config "$SCRATCH/conf/match.yaml" one two --pairs 1 --out "$SCRATCH/second" --quiet --json
has "$OUT" '{"a":"one","b":"two"'
has "$OUT" '"pairs":1,'
cd "$SCRATCH" || fail "no scratch folder"
expect 0 "$WILLOW" match --config played/match.yaml --out played --quiet --json
has "$OUT" '"complete":true'
[ "$(wc -l <"$SCRATCH/played/games.txt")" -eq 12 ] || fail "the resolved file is another match"

bad() {
  printf '%s\n' "$1" >"$SCRATCH/bad.yaml"
  refused "$WILLOW" match --config "$SCRATCH/bad.yaml"
  has "$ERR" "$SCRATCH/bad.yaml: "
}
two='engines: [{name: a, weights: zero, depth: 1}, {name: b, weights: zero, depth: 1}]'
bad 'width: 3'
bad 'engines: 3'
bad 'engines: [{weights: zero}]'
bad 'engines: [{name: a}, {name: a}]'
bad 'engines: [{name: a, depth: 61}, {name: b}]'
bad 'engines: [{name: a, depth: 3, level: 3}, {name: b}]'
bad 'engines: [{name: a, protocol: uci, command: x}, {name: b}]'
bad 'engines: [{name: a, protocol: gtp}, {name: b}]'
bad 'engines: [{name: a, protocol: gtp, command: "x '"'"'y"}, {name: b}]'
bad 'engines: [{name: a, command: x}, {name: b}]'
bad 'engines: [{name: a, protocol: gtp, command: x, weights: zero}, {name: b}]'
bad 'engines: [{name: a, exact: 0}, {name: b}]'
bad 'engines: [{name: a, time: -1}, {name: b}]'
bad 'engines: [{name: a, clock: never}, {name: b}]'
for keys in 'format: swiss' 'pairs: 0' 'depth: 99' 'selectivity: 74' 'clock: 0' 'time: 0' 'opening: 70' 'balance: -1' \
  'threads: 0' 'hash: 0' 'move_limit: 0' 'openings: x.txt
opening: 4' 'depth: 3
level: 3' 'sprt: {nelo0: 3}' 'sprt: {nelo0: 3, nelo1: 3}' 'sprt: {nelo0: 0, nelo1: 3, alpha: 2}' 'seed: -1'; do
  bad "$two
$keys"
done
printf '%s\nopenings: none.txt\n' "$two" >"$SCRATCH/bad.yaml"
refused "$WILLOW" match --config "$SCRATCH/bad.yaml"
has "$ERR" "$SCRATCH/none.txt"
refused "$WILLOW" match --config "$SCRATCH/missing.yaml"
refused "$WILLOW" match --config "$SCRATCH/conf/match.yaml" one nobody
has "$ERR" "nobody"
refused "$WILLOW" match zero default --anchor nobody
refused "$WILLOW" match zero default --withdraw nobody
refused "$WILLOW" match zero default --format swiss
refused "$WILLOW" match zero default --level 31
refused "$WILLOW" match zero default --time 0
refused "$WILLOW" match zero default --move-limit 0
refused "$WILLOW" match zero default --start-limit never
refused "$WILLOW" match zero default --withdraw-after -1
refused "$WILLOW" match
refused "$WILLOW" match zero
