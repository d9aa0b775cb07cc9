/* Fitted weights as the file holds them: whole steps of 1/32 disc. Layer: trainer.
 *
 * Each weight is rounded for itself, and then those are moved by a step that this brings closer to what was fitted: the
 * roundings of a row's terms add up, and where few positions share all weights, as at the start of a game, they do so
 * in the same way in all rows.
 */
#ifndef TRAINER_ROUNDING_H
#define TRAINER_ROUNDING_H

#include "pass.h"

struct rounding_report {
    struct pass_result train, held_out; /* errors of the rounded weights */
    uint32_t saturated;                 /* weights cut to the range of int16 */
    int moved;                          /* weights that were moved by a step */
};

/* values receives the weights of one stage, rounded; the same for any number of threads and ranks. fixed: weights that
 * are not moved, whatever it would bring; null = none. WILLOW_ERR_MEMORY, the errors of the passes. */
enum willow_status rounding_run(struct pass *pass, struct pass_rows train, struct pass_rows held_out,
                                const double *weights, const bool *fixed, int16_t *values,
                                struct rounding_report *report, struct willow_error *error);

#endif
