#!/bin/sh
# The manual pages: one for every verb that a --help lists, rendered without a warning, with an example of that verb. And
# the --help that they are made from: within 80 columns, no example broken.
. "$(dirname "$0")/common.sh"
MAN=$3

# verbs PROGRAM...: the names that its --help lists.
verbs() {
  "$@" --help | sed -n '/^Usage: [a-z ]* VERB /,$s/^  \([a-z][a-z0-9-]*\)  *[^ ].*/\1/p'
}

count=0
check_page() { # VERB...
  page=$MAN/man1/$(echo "willow $*" | sed 's/ *$//; s/ /-/g').1
  count=$((count + 1))
  [ -s "$page" ] || fail "no page of willow $*"
  if command -v groff >/dev/null; then
    (cd "$MAN" && groff -man -ww -z -Tutf8 "$page") 2>"$ERR" || fail "groff: $page"
    [ ! -s "$ERR" ] || fail "warnings of $page"
  fi
  grep -q '^\.so ' "$page" && return
  for section in NAME SYNOPSIS DESCRIPTION '"EXIT STATUS"' '"SEE ALSO"'; do
    has "$page" ".SH $section"
  done
  has "$page" ".B willow${*:+ $*}"
  # Families of verbs leave the examples to their verbs.
  expect 0 "$WILLOW" "$@" --help
  awk 'length > 100 { exit 1 }' "$OUT" || fail "lines of more than 100 columns in willow $* --help"
  if [ -z "$(verbs "$WILLOW" "$@")" ]; then
    has "$page" ".SH EXAMPLES"
    has "$page" "willow $(echo "$*" | sed 's/-/\\-/g')"
    # Behind its heading nothing but examples, none of them broken by the width of --help.
    if sed '1,/^Examples\{0,1\}:/d' "$OUT" | grep -v '^  ' >"$SCRATCH/broken"; then
      fail "willow $* --help: a broken example: $(cat "$SCRATCH/broken")"
    fi
  fi
}

check_page
for verb in $(verbs "$WILLOW"); do
  check_page "$verb"
  for inner in $(verbs "$WILLOW" "$verb"); do
    check_page "$verb" "$inner"
  done
done
[ "$(find "$MAN/man1" -name '*.1' | wc -l)" -eq "$count" ] || fail "$count verbs, but other pages"
[ "$count" -ge 20 ] || fail "only $count verbs were found"
if grep -l '/tmp\|/home' "$MAN"/man1/*.1 >"$OUT"; then fail "pages that name folders of the build"; fi
exit 0
