/* What the rounded weights of one stage are worth, beyond their mean errors: calibration, spread of the residuals, how
 * well the weights are covered by training rows, and what a single disc counts. Layer: trainer. Changes nothing.
 */
#ifndef TRAINER_JUDGE_H
#define TRAINER_JUDGE_H

#include "pass.h"

enum {
    JUDGE_BIN_DISCS = 4,
    JUDGE_BINS = 2 * WILLOW_SQUARES / JUDGE_BIN_DISCS, /* of the prediction, from -WILLOW_SQUARES discs */
    JUDGE_RESIDUALS = 65,     /* of prediction - label, one disc wide, about -32 .. 32 discs; both ends open */
    JUDGE_SIGHTINGS = 32,     /* 0, 1, 2, 3-4, 5-8, ...: powers of two, the last one open */
    JUDGE_EFFECT_ROWS = 4096, /* about so many rows at most are asked what their discs count */
    JUDGE_SQUARES = WILLOW_SQUARES
};

/* Rows whose prediction lies in one bin, and their means. */
struct judge_bin {
    uint64_t rows;
    double prediction_discs, label_discs;
};

struct judgement {
    enum sample_part part; /* what was judged: held-out rows where there are any, else training rows */
    uint64_t rows;
    struct judge_bin calibration[JUDGE_BINS];
    uint64_t residuals[JUDGE_RESIDUALS]; /* rows */
    uint64_t weights[JUDGE_SIGHTINGS];   /* how many weights were seen so often */
    uint64_t lookups[JUDGE_SIGHTINGS];   /* how often the judged rows look up such a weight */
    /* What a disc counts: half the mean change of the evaluation when the disc on a square changes from the other side
     * to the side to move, over judged rows with a disc there. A square stands for all its images under the symmetries
     * of the ruleset together; 0 where no row has a disc on one of them. */
    uint64_t effect_rows;                /* rows that were asked */
    uint64_t effect_seen[JUDGE_SQUARES]; /* rows with a disc on this very square */
    double effect_discs[JUDGE_SQUARES];
};

struct judge_task {
    const struct features *features;
    const struct samples *samples;
    struct pass_rows rows;     /* one part; factors are ignored */
    const int16_t *values;     /* one a weight */
    const uint32_t *sightings; /* one a weight: how often it stands in the training rows */
    const struct willow_ruleset *ruleset;
    int threads;                /* >= 1; the result does not depend on it */
    struct willow_ranks *ranks; /* each judges its own samples, and all get the judgement of all; null = this process */
};

/* Costs about what one pass over the rows does. WILLOW_ERR_MEMORY, the errors of samples_read and of ranks. */
enum willow_status judge_run(const struct judge_task *task, struct judgement *judgement, struct willow_error *error);

/* The first and the last count of a bin of sightings; the last is UINT64_MAX in the open one. */
void judge_sightings_range(int bin, uint64_t *first, uint64_t *last);

/* Shares of all judged look-ups that hit weights without a sighting, and with fewer than three (those included). 0
 * without look-ups. */
double judge_unseen_share(const struct judgement *judgement);
double judge_rare_share(const struct judgement *judgement);

#endif
