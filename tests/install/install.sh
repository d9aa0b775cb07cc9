#!/bin/sh
# The installed library serves somebody else's program: the example, built against a copy of the installation that was
# moved, through pkg-config and through find_package, as C and as C++. The installed programs find each other wherever
# they were moved. Arguments: build folder, compiler, cmake, pkg-config. A sanitized library says itself what it must be
# linked with.
set -eu
BUILD=$1
COMPILER=$2
CMAKE=$3
PKG_CONFIG=$4
HERE=$(cd "$(dirname "$0")" && pwd)
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
unset WILLOW_WEIGHTS DESTDIR || true
# What is installed on this machine beside it must not be found instead.
unset CMAKE_PREFIX_PATH willow_DIR willow_ROOT || true

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

"$CMAKE" --install "$BUILD" --component engine --prefix "$SCRATCH/first" >/dev/null
# Nothing in it may remember where it was.
mv "$SCRATCH/first" "$SCRATCH/moved"
PREFIX=$SCRATCH/moved
EXAMPLES=$(dirname "$(find "$PREFIX" -path '*/doc/willow/examples/think.c')")
cmp "$HERE/think.c" "$EXAMPLES/think.c" || fail "the installed example is another"
PKG_CONFIG_PATH=$(dirname "$(find "$PREFIX" -name willow.pc)")
export PKG_CONFIG_PATH

# Headers of the programs stay out, the library's are all there.
for header in program dataset ranks; do
  [ ! -e "$PREFIX/include/willow/$header.h" ] || fail "$header.h is no header of the library"
done
for header in "$HERE"/../../include/willow/*.h; do
  case ${header##*/} in program.h | dataset.h | ranks.h) continue ;; esac
  [ -e "$PREFIX/include/willow/${header##*/}" ] || fail "${header##*/} is not installed"
done
if grep -rIl -e "$BUILD" -e "$SCRATCH" "$PREFIX"; then fail "these files name the folder of the build"; fi

# moves PROGRAM WANTED ARGUMENT...: it prints a move that is among the wanted ones.
moves() {
  program=$1
  wanted=$2
  shift 2
  answer=$("$program" "$@") || fail "$program $*: exit $?"
  move=$(echo "$answer" | cut -d ' ' -f 1,2)
  case ",$wanted," in *",$move,"*) ;; *) fail "$program $*: '$answer'; legal: $wanted" ;; esac
}

check() { # PROGRAM
  moves "$1" "black c4,black d3,black e6,black f5"
  # After d3: White's three answers. Then a side without a move, and a game that is over.
  moves "$1" "white c3,white c5,white e3" "-------------------X-------XX------XO--------------------------- O"
  moves "$1" "black pa" "OX-------------------------------------------------------------- X"
  moves "$1" "white --" "X--------------------------------------------------------------- O"
  if "$1" "not a board" 2>"$SCRATCH/error"; then fail "$1 takes anything for a board"; fi
  [ "$(wc -l <"$SCRATCH/error")" -eq 1 ] || fail "$1: not one line"
  if "$1" "-------------------X-------XX------XO--------------------------- O" /dev/null 2>"$SCRATCH/error"; then
    fail "$1 takes an empty file for weights"
  fi
}

flags="-O1 -Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2046,SC2086 # lists of words
"$COMPILER" -std=c17 $flags "$EXAMPLES/think.c" -o "$SCRATCH/think" $("$PKG_CONFIG" --cflags --libs --static willow)
check "$SCRATCH/think"

# The C++ compiler of the same kind: gcc-12 has g++-12, clang has clang++.
plus=$(echo "$COMPILER" | sed -E 's/clang([^/]*)$/clang++\1/; t; s/g?cc([^/]*)$/g++\1/')
if command -v "$plus" >/dev/null && command -v g++ >/dev/null; then
  # shellcheck disable=SC2046,SC2086
  "$plus" -std=c++17 $flags -Wno-missing-field-initializers -x c++ "$EXAMPLES/think.c" -x none -o "$SCRATCH/think++" \
    $("$PKG_CONFIG" --cflags --libs --static willow)
  check "$SCRATCH/think++"
else
  echo "no C++ compiler: not built as C++"
fi

"$CMAKE" -S "$EXAMPLES" -B "$SCRATCH/build" -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_C_COMPILER="$COMPILER" >"$SCRATCH/log" ||
  fail "find_package: $(cat "$SCRATCH/log")"
"$CMAKE" --build "$SCRATCH/build" >"$SCRATCH/log" 2>&1 || fail "cmake --build: $(cat "$SCRATCH/log")"
check "$SCRATCH/build/think"
# A version that this is not.
sed -i 's/find_package(willow 0.1/find_package(willow 9.0/' "$EXAMPLES/CMakeLists.txt"
if "$CMAKE" -S "$EXAMPLES" -B "$SCRATCH/other" -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_C_COMPILER="$COMPILER" >"$SCRATCH/log" 2>&1; then
  fail "version 9.0 was found"
fi

# Programs for boards of more than 64 squares, where the build has them; they lie in another folder than the others.
[ -x "$BUILD/bin/wide/willow" ] || exit 0
"$CMAKE" --install "$BUILD" --prefix "$SCRATCH/second" >/dev/null
mv "$SCRATCH/second" "$SCRATCH/elsewhere"
programs=$(dirname "$(find "$SCRATCH/elsewhere" -path '*/bin/willow')")
[ ! -e "$programs/wide" ] || fail "a folder of programs where programs are looked for"
cd /
for line in "willow perft 6 --ruleset 10x10" "willow-selfplay run --help --ruleset 10x10" "willow train loop --help -R10x10"; do
  # shellcheck disable=SC2086 # words
  "$programs"/$line >"$SCRATCH/log" 2>&1 || fail "$line: $(cat "$SCRATCH/log")"
done
"$programs/willow" perft 6 --ruleset 10x10 | grep -q ': 8200 leaves' || fail "perft of 10x10"
exit 0
