/* Fits the weights of one stage to its rows: least squares with clipped residuals (Huber), stopped early on the
 * held-out rows. One interface, several solvers. Layer: trainer.
 *
 * Minimised: sum over training rows of weight * huber(label - w.x) + prior * |u|^2 + the priors of the back-off, with
 * w = start + u + S v: u is a weight's own, S v what it shares with others (see backoff.h), and huber(r) = r^2 up to
 * the clip and linear beyond. The prior thus pulls towards the start, not towards zero: a rare weight keeps what the
 * former weights, the neighbouring stage or its relatives say about it.
 */
#ifndef TRAINER_SOLVER_H
#define TRAINER_SOLVER_H

#include "pass.h"

#include <willow/search.h>

enum solver_kind {
    SOLVER_CONJUGATE, /* preconditioned conjugate gradients: every step sees all rows */
    SOLVER_DESCENT,   /* descent by mini-batches: the fewest passes over many rows */
    SOLVER_KINDS
};

/* One point of the learning curve. */
struct solver_point {
    int step;
    double epochs;       /* passes over the training rows so far, held-out ones not counted */
    struct errors train; /* loss alone where a solver sees only part of the rows at a time */
    struct errors held_out;
};

struct solver_options {
    enum solver_kind kind;
    int iterations;       /* at most so many steps (of descent: passes over the rows), >= 0 */
    double tolerance;     /* >= 0: the fit ends when `patience` steps together have not improved the held-out */
    int patience;         /* loss by this share; >= 1 */
    double prior;         /* >= 0; as many imagined rows that say "start" */
    int backoff_squares;  /* configurations share parts with those that agree on up to so many squares (0 .. 3), and */
    double backoff_prior; /* these parts have this prior, > 0; see backoff.h */
    double clip_discs;    /* 0 < clip <= 256 */
    double rate;          /* descent: first step, > 0, in what a constant takes at once; above 38 it runs away */
    int batch_blocks;     /* descent: about so many blocks of rows a step, of all ranks, >= 1 */
    uint64_t seed;        /* descent: order of the blocks */
    int threads;          /* >= 1; the result does not depend on it */
    struct willow_ranks *ranks;                                        /* null = this process alone; see pass.h */
    const struct willow_stop *stop;                                    /* null = none; looked at between passes */
    void (*progress)(void *context, const struct solver_point *point); /* null = none */
    /* Receives the state of the fit between steps, whenever save_seconds have passed since the last time, and when the
     * fit is stopped; on rank 0 alone. Null = none. A failure of it ends the fit. */
    enum willow_status (*save)(void *context, const void *bytes, size_t size, struct willow_error *error);
    double save_seconds;
    void *context;
    const void *resume; /* such a state: the fit goes on from there; null = from the start */
    size_t resume_size;
};

/* What is fitted to what. */
struct solver_task {
    const struct features *features;
    const struct willow_pattern_set *patterns; /* of the features, for the back-off; null = no back-off */
    const struct samples *samples;
    struct pass_rows train, held_out;
    const double *start; /* one a weight, in 1/32 disc */
    const bool *fixed;   /* weights that keep their start; null = none */
};

struct solver_report {
    struct errors train_before, held_out_before;      /* with the start */
    struct pass_result train_fitted, held_out_fitted; /* of the weights that were returned */
    int iterations;                                   /* steps that led to the weights that were kept */
    int steps, passes;                                /* steps made, passes over the training rows */
    uint32_t unseen;     /* weights in no training row of factor 1: only what they share with others moves them */
    uint32_t rare;       /* weights seen once or twice there */
    uint32_t *sightings; /* one a weight: how often it occurs in these rows */
    size_t point_count;
    struct solver_point *points; /* the learning curve, a point each time that the weights were measured */
};

/* weights receives the result, one a weight. Same samples, task and options give the same weights and report, bit for
 * bit, for any number of threads, and after any number of stops and resumptions; with SOLVER_CONJUGATE also for any
 * number of ranks (descent draws batches from the rows that each rank has). Without training rows weights = start.
 * Without held-out rows the last step is kept. What report points to is allocated also after a failure:
 * solver_report_clear. WILLOW_ERR_MEMORY, the errors of the passes and of options->save, WILLOW_ERR_STOPPED (weights
 * undefined), WILLOW_ERR_FORMAT for a state to resume that is damaged or of another task, solver or options. */
enum willow_status solver_fit(const struct solver_task *task, const struct solver_options *options, double *weights,
                              struct solver_report *report, struct willow_error *error);
void solver_report_clear(struct solver_report *report);

#endif
