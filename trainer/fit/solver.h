/* Fits the weights of one stage to its samples: least squares with clipped residuals (Huber), by preconditioned
 * conjugate gradients, stopped early on the held-out rows. Layer: trainer.
 *
 * Minimised: sum over training rows of huber(label - w.x) + prior * |w - w0|^2, with huber(r) = r^2 up to the clip and
 * linear beyond, w0 = the starting weights. The prior thus pulls towards w0, not towards zero: a rare weight keeps what
 * the former weights or the neighbouring stage said about it.
 */
#ifndef TRAINER_SOLVER_H
#define TRAINER_SOLVER_H

#include "pass.h"

#include <willow/search.h>

struct solver_options {
    int iterations;                 /* at most so many steps, >= 0 */
    double prior;                   /* >= 0; as many imagined rows that say "w0" */
    double clip_discs;              /* 0 < clip <= 256 */
    int threads;                    /* >= 1; the result does not depend on it */
    const struct willow_stop *stop; /* null = none; looked at between passes */
    void (*progress)(void *context, int iteration, double held_out_mae_discs); /* null = none */
    void *context;
};

struct solver_report {
    struct errors train_before, held_out_before; /* with w0 */
    struct errors train_fitted, held_out_fitted; /* before rounding */
    struct errors train, held_out;               /* of the rounded weights that were returned */
    int iterations;                              /* steps that led to the weights that were kept */
    int steps, passes;                           /* steps made, passes over the samples */
    uint32_t unseen;                             /* weights in no training row: they keep w0 */
    uint32_t rare;                               /* weights seen once or twice */
    uint32_t saturated;                          /* weights cut to the range of int16 when rounded */
};

/* start: w0 in 1/32 disc, one a weight; values receives the result. Same samples, start and options give the same
 * values, bit for bit, for any number of threads. Without training rows values = start. Without held-out rows the last
 * step is kept. WILLOW_ERR_MEMORY, WILLOW_ERR_IO (scratch file), WILLOW_ERR_STOPPED (values undefined). */
enum willow_status solver_fit(const struct features *features, const struct samples *samples, const int16_t *start,
                              const struct solver_options *options, int16_t *values, struct solver_report *report,
                              struct willow_error *error);

#endif
