#!/bin/sh
# willow selfplay run, killed at random instants and started again by the same command or resume, until so many kills have
# been survived: the rows are those of an undisturbed run. The third argument is the number of kills, for trying by hand.
. "$(dirname "$0")/common.sh"
kills=${3:-20}
cd "$SCRATCH" || exit 1

run="$WILLOW selfplay run --games 400 --shard-games 10 --depth 3 --exact 8 --noise 2 --noise-plies 20 --weights zero --quiet"
begin=$(date +%s%N)
expect 0 $run --threads 2 --out whole
whole_ms=$((($(date +%s%N) - begin) / 1000000))
for format in csv transcripts; do
  expect 0 "$WILLOW" selfplay export whole --format $format --out whole.$format
done
[ "$(wc -l <whole.csv)" -gt 20000 ] || fail "the run is too small"

# From before the folder exists to several shards later, however slow the machine is. Some runs end before they can be
# killed, most of them where the machine was slower a moment ago.
awk -v n=$((5 * kills)) -v ms="$whole_ms" 'BEGIN { srand(); for (i = 0; i < n; i++) printf "%.3f\n", rand() * ms / 2000 }' >pauses

survived=0
rounds=0
while read -r pause; do
  case $((survived % 5)) in
  # A part holds half of the shards; where there is no configuration yet, nothing can be resumed.
  4) next="$run --threads 1 --part $((survived % 2 + 1))/2 --out killed" ;;
  3) [ -e killed/config.yaml ] && next="$WILLOW selfplay resume killed --quiet" || next="$run --threads 3 --out killed" ;;
  *) next="$run --threads $((survived % 3 + 1)) --out killed" ;;
  esac
  $next >"$OUT" 2>"$ERR" &
  pid=$!
  sleep "$pause"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  code=$?
  [ $code -ne 137 ] || survived=$((survived + 1))
  [ $code -eq 137 ] || [ $code -eq 0 ] || fail "exit $code instead of death: $next"
  # Whole: compared, and begun anew.
  if [ $code -eq 0 ] && [ -e killed/manifest.json ] && [ "$(grep -c '"number"' killed/manifest.json)" -eq 40 ]; then
    cp -r killed "finished$rounds"
    rounds=$((rounds + 1))
    rm -rf killed
  fi
  # What is announced is sound at any time.
  if [ $((survived % 4)) -eq 0 ] && [ -e killed/manifest.json ]; then
    expect 0 "$WILLOW" selfplay verify killed --quiet
  fi
  [ "$survived" -lt "$kills" ] || break
done <pauses
[ "$survived" -eq "$kills" ] || fail "only $survived of $kills were killed"
if [ -e killed/config.yaml ]; then
  expect 0 "$WILLOW" selfplay resume killed --quiet
  mv killed "finished$rounds"
fi
for folder in finished*; do
  [ -z "$(find "$folder" -name '*.tmp')" ] || fail "temporary files were left"
  expect 0 "$WILLOW" selfplay verify "$folder" --quiet
  for format in csv transcripts; do
    expect 0 "$WILLOW" selfplay export "$folder" --format $format --out other
    cmp -s whole.$format other || fail "$folder: other $format than without kills, after $survived kills"
  done
done
echo "$survived kills, $(ls -d finished* | wc -l) runs"
exit 0
