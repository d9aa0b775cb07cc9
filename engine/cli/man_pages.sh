#!/bin/sh
# Manual pages of the three programs, made from what they say themselves: one of each verb that a --help lists, so that
# none can be forgotten. Arguments: folder of the programs, folder of the pages, version, seconds since 1970 for the date.
# Calls itself for one page: SCRIPT page PROGRAM PAGES VERSION "VERB..." SUMMARY.
set -eu
export LC_ALL=C.UTF-8
# Lines are filled by who shows the page; an example must not be broken.
export ARGP_HELP_FMT=rmargin=500

# Reads a --help: "name summary" of each verb that it lists.
list() {
  sed -n '/^Usage: [a-z ]* VERB /,$s/^  \([a-z][a-z0-9-]*\)  *\([^ ].*\)/\1 \2/p'
}

# The text without what is a section of its own or said by every program; the headings of groups as help2man knows them.
plain_help() { # PROGRAM VERB...
  "$@" --help | sed -e '/^Examples\{0,1\}:/,/^$/d' -e '/^Mandatory or optional arguments/d' \
    -e "/ --version' names the build\.\$/d" -e 's/^ \([^ ].*:\)$/\1/'
}

page() { # PROGRAM PAGES VERSION "VERB..." SUMMARY
  name=$(echo "willow $4" | sed 's/ *$//; s/ /-/g')
  # shellcheck disable=SC2086 # verbs are words
  help=$("$1" $4 --help)
  # The same verb of two programs is described once.
  own=${4##* }
  if [ "$own" != "$4" ] && "$1" --help | list | grep -q "^$own "; then
    echo ".so man1/willow-$own.1" >"$2/$name.1"
    return
  fi
  {
    printf '[name]\n%s \\- %s\n\n' "$name" "$5"
    printf '[exit status]\n0 on success, 1 when a check failed, 2 on bad usage or bad input.\n\n'
    if [ -z "$4" ] || echo "$help" | grep -q -e '--[a-z-]*weights='; then
      printf '[environment]\n.TP\n.B WILLOW_WEIGHTS\nThe weights file that is used where no other is named.\n\n'
    fi
    if echo "$help" | grep -q '^Example'; then
      printf '[examples]\n.nf\n'
      echo "$help" | sed -n '/^Examples\{0,1\}:/,/^$/p' | sed -e 's/^Example: /  /' -e '/^Examples\{0,1\}:/d; /^$/d' \
        -e 's/\\/\\e/g' -e "s/'/\\\\(aq/g; s/-/\\\\-/g" -e 's/^  *//'
      printf '.fi\n\n'
    fi
    printf '[see also]\n'
    {
      # What is above it and what is below.
      [ -z "$4" ] || echo "$name" | sed 's/-[a-z0-9]*$//'
      echo "$help" | list | sed "s/ .*//; s/^/$name-/"
    } | sed 's/.*/.BR & (1)/' | sed '$!s/$/,/'
  } >"$2/$name.include"
  help2man --no-info --include="$2/$name.include" --version-string="$3" --source="Willow $3" --manual="Willow" \
    "$0 help $1 $4" >"$2/$name.include.out"
  # In the synopsis the verbs belong to the name.
  sed -e "/^\\.B willow\$/s/\$/${4:+ $4}/" -e "s/^\\\\fI\\\\,${4:-none} \\\\\\/\\\\fR//" -e "s/^\\\\fI\\\\,${4:-none} /\\\\fI\\\\,/" \
    "$2/$name.include.out" >"$2/$name.1"
  rm "$2/$name.include" "$2/$name.include.out"
}

# "VERB..." and summary of every page, a tab between them.
walk() { # PROGRAM
  printf '\tan Othello program that teaches itself\n'
  "$1" --help | list | while read -r verb summary; do
    printf '%s\t%s\n' "$verb" "$summary"
    "$1" "$verb" --help | list | while read -r inner inner_summary; do
      printf '%s %s\t%s\n' "$verb" "$inner" "$inner_summary"
    done
  done
}

case $1 in
  help)
    shift
    # help2man adds --help.
    [ "$#" -lt 2 ] || eval "last=\${$#}"
    while [ "$#" -gt 0 ] && [ "$1" != --help ]; do
      words="${words:-}${words:+ }$1"
      shift
    done
    # shellcheck disable=SC2086
    plain_help $words
    ;;
  page)
    shift
    page "$@"
    ;;
  *)
    programs=$1 pages=$2 version=$3
    export SOURCE_DATE_EPOCH="$4"
    rm -rf "$pages"
    mkdir -p "$pages"
    walk "$programs/willow" | tr '\t\n' '\0\0' |
      xargs -0 -n 2 -P "$(nproc)" "$0" page "$programs/willow" "$pages" "$version"
    ;;
esac
