#!/bin/sh
# Command lines about boards of more than 64 squares go to the programs for them, all others stay. What is handed over is
# seen by a script in their place; where this build has the programs themselves, they answer at the end.
. "$(dirname "$0")/common.sh"
mkdir -p "$SCRATCH/bin/wide"
for program in willow willow-selfplay willow-train; do
  cp "$BIN/$program" "$SCRATCH/bin"
  printf '#!/bin/sh\necho "wide %s"; printf "(%%s)" "$@"; exit 7\n' $program >"$SCRATCH/bin/wide/$program"
  chmod +x "$SCRATCH/bin/wide/$program"
done
HERE=$SCRATCH/bin
cd "$SCRATCH" || exit 1

# over PROGRAM ARGUMENT...: it is handed over, every argument as it was.
over() {
  program=$1
  shift
  expect 7 "$HERE/$program" "$@"
  has "$OUT" "wide $program"
  # shellcheck disable=SC2059 # the format is given
  [ "$(sed 1d "$OUT")" = "$(printf '(%s)' "$@")" ] || fail "other arguments: $program $*"
}

# stays PROGRAM ARGUMENT...: it is not handed over, whatever it says.
stays() {
  program=$1
  shift
  "$HERE/$program" "$@" >"$OUT" 2>"$ERR" </dev/null
  [ $? -ne 7 ] || fail "handed over: $program $*"
}

# In so many words.
over willow perft 3 --ruleset 10x10
over willow perft 3 --ruleset=10x10
over willow perft 3 -R 10x10
over willow perft 3 -R10x10
over willow play --ruleset 10x10 "a  b" ""
over willow-selfplay run --ruleset 10x10
over willow-train loop --ruleset 10x10
over willow match --ruleset 10x10
over willow perft 3 --ruleset othello -R 10x10
stays willow perft 3 --ruleset 10x10 --ruleset othello
has "$OUT" "perft 3: 56 leaves"
stays willow perft 3 --ruleset 6x6
stays willow perft 3 --ruleset "10x10 "
stays willow perft 3 10x10
stays willow perft 3 --ruleset
stays willow perft 3 --passes 10x10
stays willow --help --ruleset 10x10
has "$OUT" "  perft "

# The beginnings of weights files, up to the number of the ruleset.
printf '\211WLW\r\n\032\n............\007\000\000\000' >big.wlw
printf '\211WLW\r\n\032\n............\001\000\000\000' >small.wlw
over willow weights info big.wlw
over willow play --weights big.wlw
over willow play --weights=big.wlw
over willow play -wbig.wlw
over willow-selfplay match big.wlw big.wlw
stays willow weights info small.wlw
stays willow weights diff big.wlw small.wlw
# A word is stronger than a file.
stays willow weights info big.wlw --ruleset othello
over willow weights info small.wlw --ruleset 10x10
# Less than a header is nothing.
head -c 22 big.wlw >cut.wlw
stays willow weights info cut.wlw

# The variable counts where weights are looked at and nothing else says which; it does not say what is played.
export WILLOW_WEIGHTS=big.wlw
over willow weights info
over willow weights verify
stays willow perft 3
stays willow convert --moves f5 --to transcript
has "$OUT" f5
stays willow play --depth 1
stays willow-selfplay run
stays willow-train loop
stays willow weights info small.wlw
stays willow perft 3 --ruleset othello
stays willow --version
export WILLOW_WEIGHTS=small.wlw
over willow weights info big.wlw
stays willow perft 3
unset WILLOW_WEIGHTS

# Folders and documents.
mkdir big small empty
printf '{"format": "willow", "ruleset" : "10x10", "seed": 1}\n' >big/manifest.json
printf '{"format": "willow", "ruleset": "othello", "note": "10x10"}\n' >small/manifest.json
over willow-selfplay info big
over willow-train fit --data big --out new.wlw
stays willow-selfplay info small
stays willow-selfplay info empty
stays willow-train fit --data small --data big
# What is written anew says nothing against the rest, but the rest decides.
stays willow-train fit --data small --out big.wlw
cp big/manifest.json big.json
over willow-train report big.json

# Configurations, in every spelling of the line.
for line in 'ruleset: 10x10' '  ruleset:   "10x10"   # large' "ruleset: '10x10'" 'ruleset: 10x10# # no comment yet' \
  'ruleset: 10x10	# one' '- ruleset: 10x10'; do
  printf 'seed: 1\n%s\ngames: 3\n' "$line" >config.yaml
  case $line in *no\ comment*) stays willow-train loop config.yaml ;; *) over willow-train loop config.yaml ;; esac
done
mkdir loop
printf 'ruleset: 10x10\n' >loop/config.yaml
over willow-train loop --resume loop
printf 'ruleset: 10x10\r\n' >config.yml
over willow-selfplay run config.yml
printf '# ruleset: 10x10\nruleset: anti\n' >config.yaml
stays willow-train loop config.yaml big
printf 'sruleset: 10x10\nrulesets: 10x10\nname: "ruleset: 10x10"\n' >config.yaml
stays willow-train loop config.yaml
# Without a ruleset of its own, what it names counts.
printf 'data:\n  - small\nout: x.wlw\n' >config.yaml
stays willow-train fit config.yaml
printf 'data:\n  - big # one\nout: x.wlw\n' >config.yaml
over willow-train fit config.yaml
printf 'engines:\n  - weights: "big.wlw"\n  - weights: big.wlw\n' >config.yaml
over willow-selfplay match config.yaml

# What cannot be looked at is left alone, and at once: a pipe that nobody writes to, a device, what is not there.
mkfifo pipe
stays willow weights info pipe
stays willow weights info /dev/zero
stays willow weights info nothing
stays willow weights info ""
stays willow weights info "$(head -c 5000 /dev/zero | tr '\0' x)"
head -c 100000 /dev/zero >zeros.yaml
stays willow-train loop zeros.yaml
yes 'a: [' | head -c 200000 >endless.yaml
stays willow-train loop endless.yaml

# Without the programs: one line that says what is missing.
rm -r "$HERE/wide"
refused "$HERE/willow" perft 3 --ruleset 10x10
has "$ERR" "10x10"
refused "$HERE/willow-train" loop --ruleset 10x10
has "$ERR" "willow-train"

[ -x "$BIN/wide/willow" ] || exit 0
leaves() {
  wanted_leaves=$1
  shift
  expect 0 "$WILLOW" perft "$@"
  has "$OUT" ": $wanted_leaves leaves, "
}
leaves 392268 8 --ruleset 10x10
has "$OUT" "perft 8 of 10x10: "
leaves 392268 8 -R10x10 --passes free
# j10 is a square.
leaves 1 5 --ruleset 10x10 --board "$(head -c 98 /dev/zero | tr '\0' -)OX X"
refused "$WILLOW" perft 3 --ruleset 10x10 --board "XO- X"
expect 0 "$WILLOW" weights zero --out zero.wlw --ruleset 10x10
expect 0 "$WILLOW" weights info zero.wlw
has "$OUT" "10x10"
expect 0 "$WILLOW" selfplay --help
expect 0 "$WILLOW" --version
# In these programs another ruleset is an ordinary mistake.
refused "$BIN/wide/willow" perft 3 --ruleset othello
has "$ERR" "willow perft: unknown ruleset 'othello'"
exit 0
