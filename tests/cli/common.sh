# What the shell tests share; sourced with the arguments of the script: folder of the programs, folder of the data.
set -u
BIN=$1
DATA=$2
WILLOW=$BIN/willow
export LC_ALL=C
unset WILLOW_WEIGHTS NO_COLOR || true
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
OUT=$SCRATCH/stdout
ERR=$SCRATCH/stderr

fail() {
  echo "FAILED: $*" >&2
  echo "--- stdout" >&2
  head -40 "$OUT" >&2
  echo "--- stderr" >&2
  head -40 "$ERR" >&2
  exit 1
}

# expect CODE COMMAND...: runs it with stdin from /dev/null and compares the exit code.
expect() {
  wanted=$1
  shift
  "$@" >"$OUT" 2>"$ERR" </dev/null
  code=$?
  [ "$code" -eq "$wanted" ] || fail "exit $code instead of $wanted: $*"
}

# refused COMMAND...: exit 2, nothing on stdout, exactly one line on stderr.
refused() {
  expect 2 "$@"
  [ ! -s "$OUT" ] || fail "output although refused: $*"
  [ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one line: $*"
}

# has FILE TEXT: the text stands somewhere in the file.
has() {
  grep -qF -- "$2" "$1" || fail "'$2' is missing in $(basename "$1")"
}

# until_caught PID: waits until the program handles SIGINT and SIGTERM itself, or has ended. A shell starts its background
# jobs deaf to SIGINT, and a slow build may not have come to main after any fixed time. SIGINT alone tells nothing: a shell
# that has just forked, and has yet to become the program, still shows its own handler.
until_caught() {
  tries=0
  # SIGTERM is bit 14 of the mask, SIGINT bit 1.
  until [ ! -e "/proc/$1" ] || grep -q -e '^State:.*Z' -e '^SigCgt:.*[4567cdef]..[2367abef]$' "/proc/$1/status" 2>/dev/null; do
    sleep 0.02
    tries=$((tries + 1))
    [ "$tries" -lt 500 ] || fail "the program never handled SIGINT"
  done
}

# ranks K COMMAND...: as K processes under mpirun. For a build with WILLOW_MPI.
ranks() {
  count=$1
  shift
  mpirun --oversubscribe --allow-run-as-root -n "$count" "$@"
}

# one_line: what the program says beside mpirun's own words is one line.
one_line() {
  [ "$(grep -c '^willow' "$ERR")" -eq 1 ] || fail "not exactly one line"
}
