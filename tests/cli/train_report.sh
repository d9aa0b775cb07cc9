#!/bin/sh
# willow train report: from a fit to its page and its text, weights measured on data, and what is refused.
. "$(dirname "$0")/common.sh"
cd "$SCRATCH" || exit 1

expect 0 "$WILLOW" selfplay run --games 60 --depth 1 --exact 0 --label none --opening 10-30 --weights zero \
  --policy mobility --seed 5 --shard-games 30 --threads 2 --out games --quiet
expect 0 "$WILLOW" train fit --data games --out new.wlw --iterations 3 --stages 10 --threads 2 --quiet
[ -f new.wlw.report.json ] || fail "the fit left no report"
if command -v python3 >/dev/null; then
  expect 0 python3 -c 'import json, sys; json.load(open(sys.argv[1]))' new.wlw.report.json
fi

# A page of one file, and the same as text.
expect 0 "$WILLOW" train report new.wlw
has "$OUT" 'Learning curves'
has "$OUT" 'new.wlw.report.html written'
has new.wlw.report.html 'prefers-color-scheme:dark'
has new.wlw.report.html 'willow train fit --data games --out new.wlw'
! grep -q -e 'http' -e '<script' -e 'src=' new.wlw.report.html || fail "the page needs something from outside"
expect 0 "$WILLOW" train report new.wlw.report.json --html other.html
cmp -s other.html new.wlw.report.html || fail "another page by another name"
rm new.wlw.report.html
expect 0 "$WILLOW" train report new.wlw --text
[ ! -e new.wlw.report.html ] || fail "a page although --text"
has "$OUT" 'What a disc counts'
expect 0 "$WILLOW" train report new.wlw --json
cmp -s "$OUT" new.wlw.report.json || fail "the document changed when it was read"

# Without held-out rows.
expect 0 "$WILLOW" train fit --data games --out all.wlw --iterations 2 --stages 3 --held-out 0 --quiet
expect 0 "$WILLOW" train report all.wlw
has "$OUT" 'training rows'

# The margins of selective search are no part of what was fitted.
expect 0 "$WILLOW" train probcut --data games --weights all.wlw --out all.wlw --positions 60 --depth 3 --exact 0 --quiet
expect 0 "$WILLOW" train report all.wlw --text

# Any weights on any data; those that were fitted have the errors that the fit reported, whatever the threads.
expect 0 "$WILLOW" train report --weights zero --data games --quiet --html zero.html
has zero.html 'weights measured'
expect 0 "$WILLOW" train report --weights new.wlw --data games --held-out 0.05 --threads 1 --quiet --json
grep -o '"held_out_rmse":[^,]*\|"effect":.*' "$OUT" >measured
grep -o '"held_out_rmse":[^,]*\|"effect":.*' new.wlw.report.json >fitted
cmp -s measured fitted || fail "the fit and the measurement disagree"
expect 0 "$WILLOW" train report --weights new.wlw --data games --plies 20-29 --threads 3 --quiet --text
has "$OUT" '20-2'

# What a fit makes of a position is what the engine plays by, whoever is to move.
printf '%s\n' '% two positions' '---------------------------OX------XO--------------------------- X' \
  'OOOOOOO-OOOOOOX-OOOOOOX-OOOOXOX-OOOXOXXXOOOOOOX-O-XXXX---------- O; H1:+64;' >boards.obf
for weights in default new.wlw zero; do
  expect 0 "$WILLOW" train report --weights $weights --positions boards.obf
  has "$OUT" '2 positions, either side to move: 4 evaluations, 0 differ'
  [ "$(grep -Ec '^[-XO]{64} [XO] +[0-9]+ +([-+][0-9.]+) +\1$' "$OUT")" -eq 4 ] || fail "not four pairs of equal numbers"
done

refused_report() {
  text=$1
  shift
  refused "$WILLOW" train report "$@"
  has "$ERR" "$text"
}
refused_report 'is expected'
refused_report 'is expected' new.wlw all.wlw
refused_report '--data' --weights new.wlw
refused_report '--positions' --positions boards.obf
refused_report '--positions' --weights zero --positions boards.obf --data games
printf 'f5d6\n' >game.txt
refused_report 'game.txt' --weights zero --positions game.txt
refused_report 'missing.wlw' missing.wlw
refused_report '--threads' --weights new.wlw --data games --threads 0
refused_report 'missing' --weights new.wlw --data missing --quiet
refused_report 'none.wlw' --weights none.wlw --data games --quiet
refused_report 'no position to measure' --weights new.wlw --data games --plies 60 --quiet
cp new.wlw lonely.wlw
refused_report 'lonely.wlw.report.json' lonely.wlw

# The report of other weights, a foreign file, a damaged one.
cp all.wlw.report.json lonely.wlw.report.json
refused_report 'is the report of other weights' lonely.wlw
echo '{"mine": 1}' >lonely.wlw.report.json
refused_report 'is not the report of a fit' lonely.wlw
head -c 5000 new.wlw.report.json >lonely.wlw.report.json
refused_report 'lonely.wlw.report.json' lonely.wlw
sed 's/"residuals":\[0/"residuals":[1/' new.wlw.report.json >lonely.wlw.report.json
refused_report 'judgement is out of range' lonely.wlw
head -c 3000 new.wlw >damaged.wlw
cp new.wlw.report.json damaged.wlw.report.json
refused_report 'damaged.wlw' damaged.wlw

# A limit on the size of files is an error like a full disk.
(ulimit -f 1 && "$WILLOW" train report new.wlw --html limited.html) >"$OUT" 2>"$ERR" </dev/null
[ $? -eq 2 ] || fail "a page beyond the limit on file sizes does not exit with 2"
has "$ERR" 'limited.html: cannot write'
[ ! -e limited.html.tmp ] || fail "something unfinished lies about"

# Neither the page nor the fit's report replaces a file of another kind.
echo '<p>mine' >mine.html
refused_report 'mine.html: exists and is no page' new.wlw --html mine.html
refused_report 'mine.html: exists and is no page' --weights zero --data games --html mine.html
has mine.html '<p>mine'
echo '{"mine": 1}' >kept.wlw.report.json
refused "$WILLOW" train fit --data games --out kept.wlw --quiet
has "$ERR" 'kept.wlw.report.json: exists and is no report of a fit'
[ ! -e kept.wlw ] || fail "a refused fit wrote weights"
exit 0
