/* What the weights of a stage consist of: one table for each shape and each scalar term; and sums over some of them.
 * Layer: engine/cli (program willow). Prints nothing.
 */
#ifndef WILLOW_CLI_WEIGHTS_PARTS_H
#define WILLOW_CLI_WEIGHTS_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include <willow/patterns.h>

#include "eval/pattern_sets.h"

enum { WEIGHTS_PARTS_MAX = PATTERN_SHAPES_MAX + WILLOW_SCALAR_FEATURES_MAX };

/* Tied weights first .. first + count - 1 of every stage. */
struct weights_part {
    const char *name; /* as willow_pattern_set_describe begins; lives as long as the program */
    uint32_t first, count;
};

/* Together they hold every weight of a stage once, in rising order. */
struct weights_parts {
    int count;
    struct weights_part part[WEIGHTS_PARTS_MAX];
};
struct weights_parts weights_parts_of(const struct willow_pattern_set *set);

/* Sums over weights, in steps of 1/32 disc; starts as zero. */
struct weights_tally {
    uint64_t count, nonzero;
    uint64_t at_limit;  /* as large as 16 bits can say: perhaps cut off */
    uint64_t magnitude; /* sum of |weight| */
    int32_t largest;    /* greatest |weight| */
};
void weights_tally_add(struct weights_tally *tally, const int16_t *values, size_t count);
/* In discs; 0 for no weights. */
double weights_tally_mean(const struct weights_tally *tally);

#endif
