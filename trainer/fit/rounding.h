/* Fitted weights as the file holds them: whole steps of 1/32 disc. Layer: trainer. */
#ifndef TRAINER_ROUNDING_H
#define TRAINER_ROUNDING_H

#include "pass.h"

struct rounding_report {
    struct pass_result train, held_out; /* errors of the rounded weights */
    uint32_t saturated;                 /* weights cut to the range of int16 */
};

/* values receives the weights of one stage, rounded. WILLOW_ERR_MEMORY, the errors of samples_read. */
enum willow_status rounding_run(struct pass *pass, struct pass_rows train, struct pass_rows held_out,
                                const double *weights, int16_t *values, struct rounding_report *report,
                                struct willow_error *error);

#endif
