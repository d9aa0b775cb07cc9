# What the tests of matches share, behind common.sh. Every program of theirs has the scratch folder among its arguments.

# The pattern finds it in other programs' arguments, not in grep's own.
SCRATCH_PATTERN="$(printf '%s' "$SCRATCH" | sed 's/.$/[&]/')"

running() {
  grep -lsa -- "$SCRATCH_PATTERN" /proc/[0-9]*/cmdline | wc -l
}

# none_left: no program of the match lives, at least not for long.
none_left() {
  tries=0
  until [ "$(running)" -eq 0 ]; do
    sleep 0.1
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "$(running) programs are left"
  done
}

# until_running N: N programs or more run, the match itself included.
until_running() {
  tries=0
  until [ "$(running)" -ge "$1" ]; do
    sleep 0.05
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || fail "$(running) programs run instead of $1"
  done
}

# faultless NAME...: the JSON in $OUT has no faults of theirs.
faultless() {
  for name in "$@"; do
    has "$OUT" "\"$name\":{\"resigned\":0,\"time\":0,\"illegal\":0,\"garbled\":0,\"crashed\":0,\"hung\":0}"
  done
}

# until_lines FILE N: the file has so many lines.
until_lines() {
  tries=0
  until [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; do
    sleep 0.02
    tries=$((tries + 1))
    [ "$tries" -lt 3000 ] || fail "$1 never had $2 lines"
  done
}
