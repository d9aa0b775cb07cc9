/* Where two sets of weights disagree: weight by weight, counted by how often positions use them, and position by
 * position. Layer: engine/cli (program willow). Prints nothing.
 */
#ifndef WILLOW_CLI_WEIGHTS_CONTRAST_H
#define WILLOW_CLI_WEIGHTS_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>
#include <willow/weights.h>

#include "weights_sample.h"

/* The same pattern set and the same stages: then a weight of one set has its counterpart in the other. */
bool weights_contrast_alike(const struct willow_weights *a, const struct willow_weights *b);

/* Alike, of rulesets that are played alike, and all weights equal. ProbCut constants and provenance may differ. */
bool weights_contrast_equal(const struct willow_weights *a, const struct willow_weights *b);

/* How the evaluations of two sets agree over some positions. All zero for no positions. */
struct contrast_agreement {
    uint64_t count;
    uint64_t distance;                  /* sum of |a - b| in 1/32 disc */
    int64_t offset;                     /* sum of a - b */
    willow_score largest;               /* greatest |a - b| */
    double mean[2], square[2], product; /* means; sums of squares and of products of the deviations from them */
};
/* Standard deviation of a - b in discs: what remains of the difference without its mean. */
double contrast_agreement_deviation(const struct contrast_agreement *agreement);
/* Pearson's correlation of the two evaluations; NaN when one of them does not vary. */
double contrast_agreement_correlation(const struct contrast_agreement *agreement);

struct weights_contrast {
    const struct willow_weights *a, *b;  /* borrowed */
    const struct weights_sample *sample; /* borrowed */
    size_t width;                        /* weights of a stage of a */
    int16_t (*scores)[2];                /* evaluation of position i by a and by b, in 1/32 disc */
    /* Uses of every weight in the sample, in the order of willow_weights_values; null when the sets are not alike. A
     * position uses a weight once for each place on the board where its configuration stands. */
    uint32_t *sightings;
    struct contrast_agreement all, stage[WILLOW_STAGES_MAX]; /* by the stages of a */
};

/* Evaluates the sample with both sets and counts the weights that it uses. Sets and sample must outlive *contrast; the
 * sets share a ruleset. WILLOW_ERR_MEMORY. The caller clears *contrast. */
enum willow_status weights_contrast_init(struct weights_contrast *contrast, const struct willow_weights *a,
                                         const struct willow_weights *b, const struct weights_sample *sample,
                                         struct willow_error *error);
void weights_contrast_clear(struct weights_contrast *contrast);

/* Part of the weights: some stages, and in each of them some weights. */
struct contrast_range {
    int first_stage, stages;
    uint32_t first_weight, weights;
};

/* Differences over a range, in steps of 1/32 disc. */
struct contrast_gap {
    uint64_t weights, differing;
    uint64_t distance;                 /* sum of |a - b| over the weights */
    uint32_t largest;                  /* greatest |a - b| */
    uint64_t seen;                     /* weights that the sample uses */
    uint64_t sightings, seen_distance; /* uses; sum of |a - b| over them */
};
/* The sets are alike. */
struct contrast_gap weights_contrast_gap(const struct weights_contrast *contrast, const struct contrast_range *range);

/* One configuration: its uses and the sum of |a - b| over them, over all stages of a range; and the stage among them in
 * which that sum is greatest. */
struct contrast_configuration {
    uint32_t weight; /* within a stage */
    uint64_t sightings, distance;
    int stage;
    uint32_t stage_sightings;
    int16_t value[2]; /* of a and of b in that stage */
};

/* The configurations of the range with the greatest distance, at most `most`, greatest first, ties by number; those
 * without any are left out. Returns how many. The sets are alike. WEIGHTS_TOP_MAX bounds `most`. */
enum { WEIGHTS_TOP_MAX = 1000 };
size_t weights_contrast_configurations(const struct weights_contrast *contrast, const struct contrast_range *range,
                                       size_t most, struct contrast_configuration *found);

/* The same of positions: their numbers in the sample, the greatest |a - b| first. */
size_t weights_contrast_positions(const struct weights_contrast *contrast, size_t most, size_t *found);

#endif
