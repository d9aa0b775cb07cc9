#!/bin/sh
# Repeated, turned and mirrored games: counted, left out, merged away, and on one side of a fit alone.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

expect 0 "$WILLOW" selfplay import "$DATA/repeated-games.txt" --out all --quiet
has "$OUT" "all: 15 of 15 games from 1 file, 880 positions in 1 shard"
has "$OUT" "repeated, mirror images included: 12 games, imported"
expect 0 "$WILLOW" selfplay info all
has "$OUT" "up to symmetry 167 positions are distinct; 713 (81.0%) repeat another"
expect 0 "$WILLOW" selfplay export all
[ "$(sed 1d "$OUT" | cut -d, -f3,4 | sort -u | wc -l)" -eq 665 ] || fail "not 665 different boards"
expect 0 "$WILLOW" selfplay import "$DATA/repeated-games.txt" --out three --distinct --quiet
has "$OUT" "three: 3 of 15 games"
for rule in drop average; do
  expect 0 "$WILLOW" selfplay merge all --out $rule --duplicates $rule --quiet
  has "$OUT" "$rule: 167 of 880 positions"
  has "$OUT" "167 positions up to symmetry, 713 duplicates"
done

# A fit drops what stands on both sides, whichever games are held out, and says how much that was.
fit() {
  expect 0 "$WILLOW" train fit --out w.wlw --patterns p46 --stages 1 --backoff 0 --iterations 1 --plies 30-60 --quiet "$@"
}
for seed in 1 2 3; do
  fit --data all --seed $seed --held-out 0.3
  has "$OUT" "held-out rows dropped: their board is fitted too"
  has "$OUT" "training rows whose board stood there before"
done
# The order in which datasets are named decides nothing.
expect 0 "$WILLOW" selfplay run --games 30 --depth 1 --exact 0 --weights zero --seed 4 --out more --quiet
counts() { grep -o '],"rows":[0-9]*,"held_out_rows":[1-9][0-9]*' "$OUT"; }
fit --data three more --held-out 0.4 --json
counts >one || fail "nothing was held out"
fit --data more three --held-out 0.4 --json
counts | cmp -s - one || fail "another split in another order"
exit 0
