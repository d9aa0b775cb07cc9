/* One pass over all samples with every thread: gathers weights, measures errors, and sums gradients or curvature.
 * All sums are integers (fixed point), so that the result is the same to the last bit for any number of threads and any
 * order of blocks. Knows nothing of the minimisation; see solver.h. Layer: trainer.
 */
#ifndef TRAINER_PASS_H
#define TRAINER_PASS_H

#include <stdint.h>

#include "samples/samples.h"

#include <willow/patterns.h>

/* What a position looks like to the solver: `count` terms (at most WILLOW_FEATURES_MAX) of value 1 among `weights`
 * weights; a weight that occurs twice counts twice. index must be safe to call from several threads. */
struct features {
    const void *context;
    int count;
    uint32_t weights;
    void (*index)(const void *context, struct willow_board board, uint32_t *index);
};

/* The features of a pattern set. */
struct features features_of_patterns(const struct willow_pattern_set *set);

/* Errors of one part of the rows. The prediction is clamped to the range of scores as the engine clamps it, except in
 * loss. */
struct errors {
    uint64_t rows;
    double loss;       /* mean Huber loss: r^2 up to the clip, then linear; in (1/32 disc)^2 */
    double mae_discs;  /* mean absolute error */
    double rmse_discs; /* root of the mean squared error */
};
struct pass_result {
    struct errors train, held_out;
    double curvature; /* direction . H direction; pass_curvature only */
};

struct pass;

/* threads >= 1; where the system refuses a thread, the others do its work. clip: residuals beyond it (in 1/32 disc, >
 * 0, at most 2^13) keep their sign but not their size. WILLOW_ERR_MEMORY. */
enum willow_status pass_new(const struct features *features, int threads, double clip, struct pass **pass,
                            struct willow_error *error);
void pass_free(struct pass *pass);

/* How often each weight occurs in the training rows. Each of the following passes fails with WILLOW_ERR_IO alone. */
enum willow_status pass_counts(struct pass *pass, const struct samples *samples, double *counts,
                               struct willow_error *error);

/* gradient[j] = sum over training rows of x_j * clip(label - w.x): half the downhill slope of the summed loss. */
enum willow_status pass_gradient(struct pass *pass, const struct samples *samples, const double *weights,
                                 double *gradient, struct pass_result *result, struct willow_error *error);

/* product = H direction, where H sums x x^T over the training rows, each with the weight min(1, clip / |residual at
 * `weights`|). */
enum willow_status pass_curvature(struct pass *pass, const struct samples *samples, const double *weights,
                                  const double *direction, double *product, struct pass_result *result,
                                  struct willow_error *error);

/* Errors with rounded weights, summed in integers exactly as the engine does. */
enum willow_status pass_rounded(struct pass *pass, const struct samples *samples, const int16_t *values,
                                struct pass_result *result, struct willow_error *error);

/* The evaluation that pass_rounded measures, of one board. */
willow_score pass_evaluate(const struct features *features, const int16_t *values, struct willow_board board);

#endif
