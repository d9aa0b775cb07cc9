#!/bin/sh
# Datasets that are empty, of which every row is left out, of another version, or of very many files: each alone and
# beside good ones.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

generate() { expect 0 "$WILLOW" selfplay run --depth 1 --weights zero --quiet "$@"; }
generate --games 12 --exact 4 --seed 4 --out scored
generate --games 12 --exact 0 --label none --seed 5 --out unscored
generate --games 40 --shard-games 1 --exact 4 --seed 6 --out many
expect 0 "$WILLOW" selfplay relabel scored --plies 60 --depth 1 --weights zero --out empty --quiet

# Beside good data they change nothing.
fit() {
  wanted=$1
  shift
  expect "$wanted" "$WILLOW" train fit --blend 0-60:1,0,0 --patterns p46 --stages 1 --backoff 0 --iterations 1 --quiet "$@"
}
counts() { grep -o '],"rows":[1-9][0-9]*,"held_out_rows":[0-9]*,"held_out_mae":[0-9.]*' "$OUT"; }
fit 0 --data scored --out alone.wlw --json
counts >alone || fail "no rows"
for data in 'empty scored' 'unscored scored' 'scored unscored'; do
  # shellcheck disable=SC2086
  fit 0 --data $data --out mixed.wlw --json
  counts | cmp -s - alone || fail "other rows with $data"
  expect 0 "$WILLOW" weights diff alone.wlw mixed.wlw
done

# Alone they are refused, and nothing is written; so is what does not exist, before anything is read.
refused_fit() {
  fit 2 --out nothing.wlw --data "$@"
  [ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one line"
  [ ! -e nothing.wlw ] || fail "weights of nothing"
}
refused_fit empty
has "$ERR" 'empty: the data hold no position to fit'
refused_fit unscored
has "$ERR" 'is left to fit'
refused_fit scored missing
has "$ERR" 'missing/manifest.json: cannot open'
refused_fit scored/shard-000000.h5
has "$ERR" 'no dataset'
for version in 0 2; do
  rm -rf other
  cp -r scored other
  sed "s/\"version\": 1/\"version\": $version/" scored/manifest.json >other/manifest.json
  refused_fit scored other
  has "$ERR" "other/manifest.json: version: version $version; this build reads version 1"
done
# Of another board, alone or beside good ones: both rulesets are named.
for ruleset in anti 6x6 hole:c3; do
  generate --games 4 --exact 4 --ruleset "$ruleset" --out "of-$ruleset"
  for data in "scored of-$ruleset" "of-$ruleset scored"; do
    # shellcheck disable=SC2086
    refused_fit $data
    has "$ERR" "$ruleset"
    has "$ERR" othello
  done
  refused "$WILLOW" selfplay merge scored "of-$ruleset" --out none --quiet
  has "$ERR" "$ruleset"
done
for verb in 'train report --weights zero --data' 'train probcut --weights zero --out nothing.wlw --data'; do
  # shellcheck disable=SC2086
  refused "$WILLOW" $verb empty --quiet
  has "$ERR" ' no position to '
done
expect 0 "$WILLOW" selfplay verify empty --quiet
expect 0 "$WILLOW" selfplay info empty
has "$OUT" 'no positions'
expect 0 "$WILLOW" selfplay merge empty scored --out both --quiet
expect 0 "$WILLOW" selfplay verify both --quiet

# Few open files are enough for many shards, and the weights stay the same.
fit 0 --data many --out wide.wlw
narrow() { (ulimit -n 16 && exec "$WILLOW" "$@") >"$OUT" 2>"$ERR" </dev/null || fail "few open files: $*"; }
narrow train fit --blend 0-60:1,0,0 --patterns p46 --stages 1 --backoff 0 --iterations 1 --quiet --data many --out narrow.wlw
expect 0 "$WILLOW" weights diff wide.wlw narrow.wlw
narrow selfplay verify many --quiet
has "$OUT" '40 shards, 40 games'
narrow selfplay info many --quiet
narrow selfplay merge many --out merged --quiet
narrow selfplay shuffle many --out shuffled --quiet
narrow selfplay relabel many --depth 1 --weights zero --out again --quiet
exit 0
