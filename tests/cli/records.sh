#!/bin/sh
# willow selfplay import and export: games from three formats, what is left out, round trips, hostile files, full disks.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

shortest=e6f4e3f6g5d6e7f5c5
start='BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]'
printf '# the shortest game\r\n%s\r\n\r\nf5d6\r\n' "$shortest" >games.txt
printf '1 (;GM[Othello]TY[8]RE[+13.000]%sB[e6//1]W[F4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5];)\n(;TY[10]BO[10 *];)' "$start" >games.ggf
{
  printf '\1\1\1\1\1\0\0\0\0\0\1\1\10\0\30\0' # one game, 8x8
  printf '\1\0\1\0\1\0\100\100\101\056\043\102\071\100\113\070\065'
  head -c 51 /dev/zero
} >games.wtb

# Only unfinished games and other variants were left out: success.
expect 0 "$WILLOW" selfplay import games.txt games.ggf games.wtb --out all
has "$OUT" "all: 3 of 5 games from 3 files, 27 positions in 1 shard, "
has "$OUT" "left out: 1 unfinished, 1 of another variant"
has "$OUT" "recorded result differs from the board's: 1 games, imported"
has "$OUT" "repeated, mirror images included: 2 games, imported"
has "$ERR" "left out: games.txt: line 4, column 1: the game is not over after move 2"
has "$ERR" 'left out: games.ggf: line 2, column 6: a game of 10x10, read as othello; --ruleset 10x10 reads it'
has all/origin.yaml 'name: "games.wtb"'
expect 0 "$WILLOW" selfplay verify all --quiet
has "$OUT" "1 shards, 3 games, 27 positions, 0 faults"
expect 0 "$WILLOW" selfplay relabel all --out labelled --depth 2 --exact 10 --weights zero --quiet
expect 0 "$WILLOW" selfplay verify labelled --quiet

expect 0 "$WILLOW" selfplay import games.txt games.ggf games.wtb --out distinct --distinct --quiet --seed 7 --layout plies
has "$OUT" "distinct: 1 of 5 games"
has "$OUT" "seed 7"
[ ! -s "$ERR" ] || fail "words although quiet"
has distinct/origin.yaml "layout: plies"

# SGF, by its name and by its content; GGF and WTHOR by their content. Positions are no games.
printf '(;GM[2]FF[4]RE[B+13];B[ef](;W[fd];B[ec];W[ff];B[ge];W[df];B[eg];W[fe];B[ce])(;W[ff];B[aa]))(;GM[1];B[aa])' >games.sgf
for file in sgf ggf wtb; do cp games.$file "games of $file"; done
expect 0 "$WILLOW" selfplay import games.sgf "games of sgf" "games of ggf" "games of wtb" --out guessed
has "$OUT" "guessed: 4 of 7 games from 4 files"
has "$OUT" "left out: 3 of another variant"
has "$OUT" "recorded result differs from the board's: 1 games"
has guessed/origin.yaml 'format: sgf'
echo '---------------------------OX------XO--------------------------- X' >boards
refused "$WILLOW" selfplay import games.txt boards --out x
has "$ERR" "boards: it holds positions, which are no games"

# Damaged and illegal games: the rest is imported, and the exit code says it.
printf '%s\nf5a1\nnoise\n' "$shortest" >mixed
expect 1 "$WILLOW" selfplay import mixed --out mixed.set
has "$OUT" "mixed.set: 1 of 3 games"
has "$OUT" "left out: 1 illegal, 1 damaged"
has "$ERR" "left out: mixed: line 2, column 3: illegal move a1 for white"
expect 1 "$WILLOW" selfplay import games.txt games.ggf --out strict --strict
has "$ERR" "game 1: the recorded result is +13, the board's +64"
(echo $shortest && yes noise | head -5000) >noise
expect 1 "$WILLOW" selfplay import noise --out noise.set
[ "$(wc -l <"$ERR")" -eq 21 ] || fail "not 20 faults and their number"
has "$ERR" "left out: 4980 more"

# Nothing to import: one line, and no folder.
refused "$WILLOW" selfplay import nowhere --out x
refused "$WILLOW" selfplay import /dev/null --out x
refused "$WILLOW" selfplay import . --out x
refused "$WILLOW" selfplay import games.txt nowhere.wtb --out x
has "$ERR" "nowhere.wtb"
: >empty
refused "$WILLOW" selfplay import empty --out x
refused "$WILLOW" selfplay import games.txt --format wthor --out x
has "$ERR" "no WTHOR file"
refused "$WILLOW" selfplay import games.wtb --format transcript --out x
has "$ERR" "no text"
refused "$WILLOW" selfplay import games.txt --format ggf --out x
head -c 83 games.wtb >cut.wtb
refused "$WILLOW" selfplay import cut.wtb --out x
has "$ERR" "1 games take 84 bytes, but it has 83"
(printf '\1\1\1\1\377\377\377\377' && tail -c +9 games.wtb) >huge.wtb
refused "$WILLOW" selfplay import huge.wtb --out x
has "$ERR" "4294967295 games"
(head -c 12 games.wtb && printf '\12' && tail -c +14 games.wtb) >ten.wtb
refused "$WILLOW" selfplay import ten.wtb --out x
has "$ERR" "10x10"
yes 'game,ply,player' | head -2000 >table.csv
refused "$WILLOW" selfplay import table.csv --out x
has "$ERR" "line 1, column 1: not a move: \"game\"; none of 2000 records can be imported"
head -c 10000000 /dev/zero | tr '\0' a >long
refused "$WILLOW" selfplay import long --out x
has "$ERR" "10000000 bytes"
[ ! -e x ] || fail "a refused import left a folder"
refused "$WILLOW" selfplay import games.txt --out all
has "$ERR" "holds a dataset"
refused "$WILLOW" selfplay import --out x
refused "$WILLOW" selfplay import games.txt
refused "$WILLOW" selfplay import games.txt --out x --format positions
has "$ERR" "--format: 'positions' is none of wthor, ggf, sgf or transcript"
refused "$WILLOW" selfplay import games.txt --out x --shard-games 0
refused "$WILLOW" selfplay import "$(printf 'w\351.txt')" --out x
has "$ERR" "UTF-8"

# CSV: names, then a line for each position, whatever the locale.
expect 0 "$WILLOW" selfplay run --games 30 --depth 2 --exact 6 --weights zero --quiet --out run
expect 0 "$WILLOW" selfplay export run
mv "$OUT" run.csv
expect 0 "$WILLOW" selfplay verify run --quiet
has "$OUT" ", $(($(wc -l <run.csv) - 1)) positions, "
[ "$(awk -F, '{print NF}' run.csv | sort -u)" = 16 ] || fail "not 16 columns in every line"
LC_ALL=de_DE.UTF-8 expect 0 "$WILLOW" selfplay export run --out german.csv
cmp -s run.csv german.csv || fail "the file differs from standard output, or the locale shows"
expect 0 "$WILLOW" selfplay export run --plies 10-11 --limit 7
[ "$(wc -l <"$OUT")" -eq 8 ] || fail "not 7 rows"
expect 0 "$WILLOW" selfplay export labelled --limit 1
has "$OUT" ",---------------------------OX------XO---------------------------,"

# Transcripts survive: the same games, and the same rows but for labels.
expect 0 "$WILLOW" selfplay export run --format transcripts --out run.txt
[ "$(wc -l <run.txt)" -eq 30 ] || fail "not 30 games"
expect 0 "$WILLOW" selfplay import run.txt --out again --quiet
expect 0 "$WILLOW" selfplay export again --format transcripts
cmp -s "$OUT" run.txt || fail "the transcripts did not survive"
expect 0 "$WILLOW" selfplay export again
cut -d, -f1-6,8,14 "$OUT" >again.rows
cut -d, -f1-6,8,14 run.csv | cmp -s - again.rows || fail "the rows did not survive"
expect 0 "$WILLOW" selfplay relabel run --out part --plies 40-50 --depth 1 --weights zero --quiet
refused "$WILLOW" selfplay export part --format transcripts
has "$ERR" "not the games they come from"

# A pipe that is closed, a disk that is full, a file that cannot be.
refused "$WILLOW" selfplay export nowhere
refused "$WILLOW" selfplay export run --format json
refused "$WILLOW" selfplay export run --format transcripts --plies 3-4
refused "$WILLOW" selfplay export run --out missing/run.csv
refused "$WILLOW" selfplay export run --out run
[ -d run ] && [ ! -e run.tmp ] || fail "something was left"
(ulimit -f 8 && exec "$WILLOW" selfplay export run --out big.csv) >"$OUT" 2>"$ERR" </dev/null
[ $? -eq 2 ] || fail "exit code on a full disk"
[ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one line on a full disk"
has "$ERR" "File too large"
[ ! -e big.csv ] && [ ! -e big.csv.tmp ] || fail "half a file was left"
if [ -w /dev/full ]; then
  for where in csv transcripts; do
    "$WILLOW" selfplay export run --format $where >/dev/full 2>"$ERR"
    [ $? -eq 2 ] || fail "a full disk under stdout went unnoticed"
    [ "$(wc -l <"$ERR")" -eq 1 ] || fail "not exactly one line for a full disk under stdout"
    has "$ERR" "standard output: cannot write: No space left"
  done
  refused "$WILLOW" selfplay export run --out /dev/full
fi
("$WILLOW" selfplay export run 2>"$ERR" && touch unnoticed) | head -1 >"$OUT"
[ ! -e unnoticed ] || fail "a closed pipe went unnoticed"
exit 0
