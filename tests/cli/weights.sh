#!/bin/sh
# willow weights: describing, checking and comparing files, good and bad.
. "$(dirname "$0")/common.sh"
ZERO=$SCRATCH/zero.wlw

expect 0 "$WILLOW" weights info
has "$OUT" "weights:     default"
has "$OUT" "ruleset:     othello"
expect 0 "$WILLOW" weights patterns
default=$(sed -n 's/^\* \([^ ]*\) .*/\1/p' "$OUT")
other=$(sed -n 's/^  \([^ ]*\) .*/\1/p' "$OUT" | head -1)
[ -n "$default" ] || fail "no default pattern set"

expect 0 "$WILLOW" weights zero --out "$ZERO" --stages 15
expect 0 "$WILLOW" weights info "$ZERO"
has "$OUT" "stages:      15, from 4 8 12 "
has "$OUT" "patterns:    $default "
has "$OUT" "non-zero:    0 of "
checksum=$(sed -n 's/^checksum: *//p' "$OUT")
[ "${#checksum}" -eq 32 ] || fail "checksum"
expect 0 "$WILLOW" weights info "$ZERO" --json
has "$OUT" "\"checksum\": \"$checksum\""
expect 0 "$WILLOW" weights verify "$ZERO"
has "$OUT" "$checksum"
expect 0 env "WILLOW_WEIGHTS=$ZERO" "$WILLOW" weights info
has "$OUT" "$checksum"

# What holds anything but weights is not replaced.
echo 'not weights' >"$SCRATCH/mine"
refused "$WILLOW" weights zero --out "$SCRATCH/mine"
has "$ERR" "mine: exists and is no weights file"
has "$SCRATCH/mine" "not weights"
: >"$SCRATCH/mine"
expect 0 "$WILLOW" weights zero --out "$SCRATCH/mine"
expect 0 "$WILLOW" weights zero --out "$SCRATCH/mine" --stages 3

# The same command gives the same bytes.
expect 0 "$WILLOW" weights zero --out "$SCRATCH/again.wlw" --stages 15
cmp -s "$ZERO" "$SCRATCH/again.wlw" || fail "two runs differ"
expect 0 "$WILLOW" weights diff "$ZERO" "$SCRATCH/again.wlw"
expect 1 "$WILLOW" weights diff "$ZERO" zero
has "$OUT" "stages differ"
if [ -n "$other" ]; then
  expect 0 "$WILLOW" weights zero --out "$SCRATCH/other.wlw" --patterns "$other" --stages 15
  expect 1 "$WILLOW" weights diff "$ZERO" "$SCRATCH/other.wlw"
  has "$OUT" "pattern sets differ"
fi

refused "$WILLOW" weights zero --out "$SCRATCH/no/folder.wlw"
refused "$WILLOW" weights zero --out "$SCRATCH/x.wlw" --patterns nothing
refused "$WILLOW" weights zero --out "$SCRATCH/x.wlw" --stages 0
refused "$WILLOW" weights zero
[ ! -e "$SCRATCH/x.wlw" ] || fail "a refused command wrote a file"

# Bad files: one line with the file's name and a reason, wherever weights are opened.
bad() {
  refused "$WILLOW" weights info "$1"
  has "$ERR" "$1: "
  refused "$WILLOW" play --weights "$1"
  refused "$WILLOW" bench --weights "$1"
  refused "$WILLOW" solve --weights "$1" "$DATA/late.obf"
  refused env "WILLOW_WEIGHTS=$1" "$WILLOW" weights info
}
# flip OFFSET: the file with one bit turned there.
flip() {
  cp "$ZERO" "$SCRATCH/flipped.wlw"
  byte=$(od -An -tu1 -j "$1" -N 1 "$ZERO" | tr -d ' ')
  # shellcheck disable=SC2059
  printf "\\$(printf '%03o' $((byte ^ 1)))" | dd of="$SCRATCH/flipped.wlw" bs=1 seek="$1" conv=notrunc 2>/dev/null
  cmp -s "$ZERO" "$SCRATCH/flipped.wlw" && fail "no bit was turned"
  bad "$SCRATCH/flipped.wlw"
}
bad "$SCRATCH/none.wlw"
bad "$SCRATCH"
: >"$SCRATCH/empty.wlw"
bad "$SCRATCH/empty.wlw"
bad "$DATA/late.obf"
size=$(wc -c <"$ZERO")
for length in 1 4 8 16 64 $((size / 2)) $((size - 1)); do
  head -c "$length" "$ZERO" >"$SCRATCH/short.wlw"
  bad "$SCRATCH/short.wlw"
done
{ cat "$ZERO"; echo; } >"$SCRATCH/long.wlw"
bad "$SCRATCH/long.wlw"
for offset in 0 4 8 9 12 16 20 40 $((size / 2)) $((size - 1)); do
  flip "$offset"
done
expect 1 "$WILLOW" weights verify "$SCRATCH/flipped.wlw"
expect 2 "$WILLOW" weights verify "$SCRATCH/none.wlw"
exit 0
