/* One pass over all samples with every thread: gathers weights, measures errors, and sums gradients or curvature.
 * All sums are exact (fixed point), so that the result is the same to the last bit for any number of threads or ranks
 * and any order of the rows. Knows nothing of the minimisation; see solver.h. Layer: trainer.
 */
#ifndef TRAINER_PASS_H
#define TRAINER_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "samples/samples.h"

#include <willow/patterns.h>
#include <willow/ranks.h>

/* What a position looks like to the solver: `count` terms (at most WILLOW_FEATURES_MAX) of value 1. A term is a raw
 * index below `raw`; tie[raw index], where there is a tie, is the number of its weight, below `weights`; several raw
 * indices may share one. A weight that occurs twice counts twice. index gets room for WILLOW_FEATURES_MAX, and must be
 * safe to call from several threads. */
struct features {
    const void *context;
    int count;
    uint32_t raw, weights;
    const uint32_t *tie; /* null = raw indices are weights */
    void (*index)(const void *context, struct willow_board board, uint32_t *index);
};

/* The features of a pattern set. */
struct features features_of_patterns(const struct willow_pattern_set *set);

/* Rows that a pass reads, blocks of one list of samples, and a factor to their weights (0 < factor <= 1). */
struct pass_range {
    int ply;
    enum sample_part part;
    size_t first_block, blocks; /* those that exist; SIZE_MAX = to the end */
    float factor;
};
struct pass_rows {
    const struct pass_range *ranges;
    size_t count;
};

/* Errors of some rows. The prediction is clamped to the range of scores as the engine clamps it, except in loss. */
struct errors {
    uint64_t rows;
    double weight;     /* sum of the weights of the rows, in rows */
    double loss;       /* weighted mean of the Huber loss: r^2 up to the clip, then linear; in (1/32 disc)^2 */
    double mae_discs;  /* mean absolute error, every row alike */
    double rmse_discs; /* root of the mean squared error */
    double bias_discs; /* mean of prediction - label */
};
struct pass_result {
    struct errors all, by_kind[SAMPLE_KINDS]; /* of by_kind no loss */
    double curvature;                         /* direction . H direction; pass_curvature only */
};

struct pass;

/* threads >= 1; where the system refuses a thread, the others do its work. ranks: each has samples of its own, makes
 * the same passes with the same weights, and gets the results of all of them together; this call and every pass is made
 * together; null = this process alone. clip: residuals beyond it (in 1/32 disc, > 0, at most 2^13) keep their sign but
 * not their size. samples and ranks outlive the pass. WILLOW_ERR_MEMORY, and WILLOW_ERR_IO from the ranks. */
enum willow_status pass_new(const struct features *features, const struct samples *samples, struct willow_ranks *ranks,
                            int threads, double clip, struct pass **pass, struct willow_error *error);
void pass_free(struct pass *pass);

/* Weights of the features. */
uint32_t pass_weights(const struct pass *pass);

/* counts[j] = sum over rows of x_j, each with its weight if `weighted`. Each of the following passes fails with the
 * errors of samples_read and of willow_ranks_sum alone. */
enum willow_status pass_counts(struct pass *pass, struct pass_rows rows, bool weighted, double *counts,
                               struct willow_error *error);

/* gradient[j] = sum over rows of weight * x_j * clip(label - w.x): half the downhill slope of the summed loss.
 * gradient = null: the errors alone, which is faster. */
enum willow_status pass_gradient(struct pass *pass, struct pass_rows rows, const double *weights, double *gradient,
                                 struct pass_result *result, struct willow_error *error);

/* product = H direction, where H sums x x^T over the rows, each with its weight times min(1, clip / |residual at
 * `weights`|). */
enum willow_status pass_curvature(struct pass *pass, struct pass_rows rows, const double *weights,
                                  const double *direction, double *product, struct pass_result *result,
                                  struct willow_error *error);

/* Errors with rounded weights, summed in integers exactly as the engine does. */
enum willow_status pass_rounded(struct pass *pass, struct pass_rows rows, const int16_t *values,
                                struct pass_result *result, struct willow_error *error);

/* The evaluation that pass_rounded measures, of one board. */
willow_score pass_evaluate(const struct features *features, const int16_t *values, struct willow_board board);

#endif
