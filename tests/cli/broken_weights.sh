#!/bin/sh
# Weights files that are missing, cut, damaged or of another kind or version: every program that takes weights ends with
# one line that names the file and the reason, and plays, measures or writes nothing with others instead.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

expect 0 "$WILLOW" weights zero --out good.wlw --stages 15
expect 0 "$WILLOW" selfplay run --games 4 --depth 1 --exact 0 --weights zero --out games --quiet
echo f5d6c3d3c4 >game.txt
size=$(wc -c <good.wlw)

# bad FILE REASON: by its own verbs, and by one that plays.
bad() {
  refused "$WILLOW" weights info "$1"
  has "$ERR" "willow: $1: "
  has "$ERR" "$2"
  refused "$WILLOW" bench --weights "$1"
  has "$ERR" "willow: $1: "
  has "$ERR" "$2"
}
# patch OFFSET BYTE...: the file with other bytes there, each in octal.
patch() {
  cp good.wlw patched.wlw
  at=$1
  shift
  # shellcheck disable=SC2059
  printf "$(printf '\\%s' "$@")" | dd of=patched.wlw bs=1 seek="$at" conv=notrunc 2>/dev/null
  cmp -s good.wlw patched.wlw && fail "nothing was patched"
}
flip() {
  byte=$(od -An -tu1 -j "$1" -N 1 good.wlw | tr -d ' ')
  patch "$1" "$(printf '%03o' $((byte ^ 1)))"
}

bad none.wlw 'No such file'
bad . 'it is a folder'
bad /dev/zero 'not a regular file'
ln -s nowhere dangling.wlw
bad dangling.wlw 'No such file'
mkfifo pipe.wlw
bad pipe.wlw 'not a regular file'
: >empty.wlw
bad empty.wlw 'the file is empty'
for length in 1 8 16 127; do
  head -c "$length" good.wlw >short.wlw
  bad short.wlw "the file is cut off: $length bytes of more than 128"
done
for length in $((size / 2)) $((size - 1)); do
  head -c "$length" good.wlw >short.wlw
  bad short.wlw "the file is cut off: $length bytes of $size"
done
{ cat good.wlw; printf x; } >long.wlw
bad long.wlw "offset $size: bytes after the end"
cat good.wlw good.wlw >long.wlw
bad long.wlw "offset $size: bytes after the end"
dd if=good.wlw of=swapped.wlw conv=swab 2>/dev/null
head -c "$size" /dev/zero >zeros.wlw
printf '<html>404 Not Found</html>' >page.wlw
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n' >pointer.wlw
patch 0 132 132 132 132
for file in swapped.wlw zeros.wlw page.wlw pointer.wlw patched.wlw "$DATA/late.obf"; do
  bad "$file" 'not a Willow weights file'
done
# The version at offset 8: the next one, none, the right one in the other byte order, the one before with this header.
for version in '003 000 000 000=3' '000 000 000 000=0' '000 000 000 002=33554432'; do
  # shellcheck disable=SC2086
  patch 8 ${version%=*}
  bad patched.wlw "offset 8: version ${version#*=} of the format; this build reads versions 1 to 2"
done
patch 8 001
bad patched.wlw 'impossible'
flip $((size / 2))
bad patched.wlw 'does not match its checksum: the file is damaged'
for offset in 12 16 20 40 $((size - 1)); do
  flip "$offset"
  bad patched.wlw 'offset '
done
expect 1 "$WILLOW" weights verify patched.wlw
has "$ERR" "patched.wlw: offset "
expect 2 "$WILLOW" weights verify none.wlw
cp good.wlw locked.wlw
chmod 000 locked.wlw
[ -r locked.wlw ] || bad locked.wlw 'Permission denied' # root may read it

# every NAME COMMAND...: the file is named whatever the program wants it for.
every() {
  for words in 'play' 'gtp' 'nboard' "solve $DATA/late.obf" 'analyse game.txt' 'bench' 'weights info' \
    'selfplay run --out made --games 1' 'selfplay relabel games --out made' 'train probcut --data games --out made'; do
    # shellcheck disable=SC2086
    "$@" $words
    has "$ERR" 'willow: patched.wlw: offset '
  done
}
by_option() {
  case $1 in
  weights) refused "$WILLOW" "$@" patched.wlw ;;
  *) refused "$WILLOW" "$@" --weights patched.wlw ;;
  esac
}
by_variable() { refused env WILLOW_WEIGHTS=patched.wlw "$WILLOW" "$@"; }
every by_option
every by_variable
for words in 'play --black-weights patched.wlw' 'match patched.wlw zero --depth 1 --pairs 1' \
  'match zero patched.wlw --depth 1 --pairs 1' 'selfplay run --weights zero --pool patched.wlw --out made --games 1' \
  'train fit --data games --init patched.wlw --out made' 'train report --weights patched.wlw --data games' \
  'weights diff zero patched.wlw'; do
  # shellcheck disable=SC2086
  refused "$WILLOW" $words
  has "$ERR" 'willow: patched.wlw: offset '
done
[ ! -e made ] || fail "something was made with other weights"
# What names its weights does not look at the variable.
expect 0 env WILLOW_WEIGHTS=patched.wlw "$WILLOW" weights info good.wlw
expect 0 env WILLOW_WEIGHTS= "$WILLOW" weights info
has "$OUT" 'weights:     default'
exit 0
