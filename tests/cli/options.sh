#!/bin/sh
# Help, versions, bad usage, hand-over and write errors of the program willow.
. "$(dirname "$0")/common.sh"

expect 0 "$WILLOW" --help
for verb in play solve perft bench weights match selfplay train; do
  has "$OUT" "  $verb "
done
expect 2 "$WILLOW"
has "$ERR" "  play "
expect 0 "$WILLOW" --version
grep -Eq '^willow [0-9]+\.[0-9]+\.[0-9]+ \(([0-9a-f]{12}|unknown)\)$' "$OUT" || fail "version"

for verb in play solve perft bench "weights info" "weights verify" "weights diff" "weights zero" "weights patterns"; do
  # shellcheck disable=SC2086
  expect 0 "$WILLOW" $verb --help
  has "$OUT" "Example"
  has "$OUT" "willow $verb"
  # shellcheck disable=SC2086
  expect 0 "$WILLOW" $verb --version
  # shellcheck disable=SC2086
  refused "$WILLOW" $verb --no-such-option
  has "$ERR" "willow $verb: unknown option '--no-such-option'"
  # shellcheck disable=SC2086
  refused "$WILLOW" $verb -Z
  # shellcheck disable=SC2086
  refused "$WILLOW" $verb one two three
done

refused "$WILLOW" frobnicate
refused "$WILLOW" ../perft
refused "$WILLOW" --frobnicate
refused "$WILLOW" weights frobnicate
refused "$WILLOW" perft
refused "$WILLOW" perft x
refused "$WILLOW" perft 3x
refused "$WILLOW" perft -1
refused "$WILLOW" perft 99999999999999999999
refused "$WILLOW" perft 3 4
refused "$WILLOW" perft 3 --passes sometimes
refused "$WILLOW" perft 3 --pass free
refused "$WILLOW" perft 3 --passes
refused "$WILLOW" perft 3 --ruleset chess
refused "$WILLOW" perft 3 --board XO
refused "$WILLOW" play --time nan
refused "$WILLOW" play --time 0x10
refused "$WILLOW" play --black nobody
refused "$WILLOW" solve
refused "$WILLOW" solve --threads 0 "$DATA/late.obf"
for percent in 0 74 73% ''; do
  refused "$WILLOW" solve --selectivity "$percent" "$DATA/late.obf"
  has "$ERR" "--selectivity '$percent': 73, 87, 95, 98, 99 or 100 is expected"
done
for verb in play solve match; do
  expect 0 "$WILLOW" $verb --help
  has "$OUT" "--selectivity=PERCENT"
done
refused "$WILLOW" bench --weights "$SCRATCH/none.wlw"

# Line ends and escape sequences in what is quoted leave one harmless line; an empty name is named.
wild=$(printf 'a\033[31m\nb')
refused "$WILLOW" "$wild"
has "$ERR" "unknown verb 'a?[31m?b'"
refused "$WILLOW" perft "--$wild"
has "$ERR" "unknown option '--a?[31m?b'"
refused "$WILLOW" perft "$wild"
has "$ERR" "N 'a?[31m?b': a whole number from 0"
refused "$WILLOW" selfplay run --seed 18446744073709551615 --out "$SCRATCH/x"
has "$ERR" "a whole number from 0 to 9223372036854775807 is expected"
refused "$WILLOW" solve ""
has "$ERR" "'': cannot open"
refused "$WILLOW" weights info ""
refused "$WILLOW" bench --weights ""

# What the user typed reaches a sister program, in argv[0]; the rest follows untouched.
mkdir "$SCRATCH/bin"
cp "$WILLOW" "$SCRATCH/bin/willow"
cat >"$SCRATCH/sister.c" <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        printf("[%s]", argv[i]);
    return 7;
}
C
refused "$SCRATCH/bin/willow" selfplay run
if command -v "${CC:-cc}" >/dev/null; then
  "${CC:-cc}" -o "$SCRATCH/bin/willow-selfplay" "$SCRATCH/sister.c" || fail "cannot build the sister program"
  cp "$SCRATCH/bin/willow-selfplay" "$SCRATCH/bin/willow-other"
  expect 7 "$SCRATCH/bin/willow" selfplay run --games 3
  [ "$(cat "$OUT")" = "[willow selfplay][run][--games][3]" ] || fail "hand-over of selfplay"
  expect 7 "$SCRATCH/bin/willow" match a "b c"
  [ "$(cat "$OUT")" = "[willow][match][a][b c]" ] || fail "hand-over of match"
  expect 7 "$SCRATCH/bin/willow" other
  [ "$(cat "$OUT")" = "[willow other]" ] || fail "hand-over of another program"
fi

# A full disk and a closed pipe end in one line and exit 2.
for arguments in "--help" "--version" "perft 3" "perft --help" "weights info" "bench --version" "solve $DATA/late.obf" \
  "play --black engine --white engine --depth 1 --exact 0"; do
  # shellcheck disable=SC2086
  "$WILLOW" $arguments >/dev/full 2>"$ERR" </dev/null
  [ $? -eq 2 ] || fail "full disk: $arguments"
  [ "$(wc -l <"$ERR")" -eq 1 ] || fail "full disk, not one line: $arguments"
done
exit 0
