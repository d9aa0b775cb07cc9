/* Sums over weights: how many are used, how large they are, and what looks odd. Layer: engine/cli (program willow).
 * Prints nothing.
 */
#ifndef WILLOW_CLI_WEIGHTS_TALLY_H
#define WILLOW_CLI_WEIGHTS_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include <willow/weights.h>

/* In steps of 1/32 disc; starts as zero. */
struct weights_tally {
    uint64_t count, nonzero;
    uint64_t at_limit;  /* as large as 16 bits can say: perhaps cut off */
    uint64_t magnitude; /* sum of |weight| */
    int32_t largest;    /* greatest |weight| */
};
void weights_tally_add(struct weights_tally *tally, const int16_t *values, size_t count);
/* All weights of a stage. */
struct weights_tally weights_tally_stage(const struct willow_weights *weights, int stage);
/* In discs; 0 for no weights. */
double weights_tally_mean(const struct weights_tally *tally);

/* The first stage from `from` on that is all zero although one before it and one after it are not: no fit of a whole
 * game leaves such a stage. -1 when there is none. */
int weights_skipped_stage(const struct willow_weights *weights, int from);

#endif
