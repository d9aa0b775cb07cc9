/* What a solver minimises, as a function of variables that are zero at the start: it maps them to weights, runs the
 * passes, adds the priors, judges the weights on the held-out rows and keeps the best, and saves and restores the
 * state. Knows nothing of how a minimum is found. Layer: trainer.
 *
 * Variables: u, one a weight, and then the shared parts v of the back-off. Weights = start + u + S v, but those that
 * are fixed = start.
 */
#ifndef TRAINER_PROBLEM_H
#define TRAINER_PROBLEM_H

#include "backoff.h"
#include "snapshot.h"
#include "solver.h"
#include "team.h"

/* How far the fit has come. */
struct problem_progress {
    int steps, passes;     /* made so far */
    int kept;              /* steps that led to the best weights */
    int stale;             /* judgements since the last that counted as progress */
    bool train_known;      /* whether train_fitted is of the best weights */
    double best_loss;      /* held-out loss; without held-out rows the training loss */
    double reference_loss; /* that of the last judgement that counted as progress */
    struct errors train_before, held_out_before;
    struct pass_result train_fitted, held_out_fitted;
};

struct problem {
    const struct solver_task *task;
    const struct solver_options *options;
    size_t count;       /* variables */
    const double *pace; /* by variable: how far to go for a slope of 1; 0 = it never moves */
    struct problem_progress progress;
    /* The rest is the problem's own. */
    struct solver_report *report;
    struct pass *pass;
    struct team *team;       /* of the back-off */
    struct backoff *backoff; /* null = none */
    uint32_t weights;
    const double *variables; /* of the current point */
    double *storage;         /* one block behind the arrays of doubles */
    double *mapped, *mapped_direction, *slope, *best;
    uint64_t identity, saved_ns;
};

/* report receives sightings, unseen and rare at once, and the learning curve bit by bit. The errors of solver_fit. */
enum willow_status problem_init(struct problem *problem, const struct solver_task *task,
                                const struct solver_options *options, struct solver_report *report,
                                struct willow_error *error);
void problem_clear(struct problem *problem);

/* Moves to a point; the array must stay as it is until the next move. What follows is said of this point. */
void problem_move(struct problem *problem, const double *variables);

/* Half the downhill slope, and the errors of the training rows. */
enum willow_status problem_gradient(struct problem *problem, double *gradient, struct pass_result *result,
                                    struct willow_error *error);

/* product = H direction, with H the curvature of half the function; result->curvature = direction . H direction. */
enum willow_status problem_curvature(struct problem *problem, const double *direction, double *product,
                                     struct pass_result *result, struct willow_error *error);

/* The part of the gradient that some of the training rows bring. train_weight: of all training rows. */
enum willow_status problem_batch(struct problem *problem, struct pass_rows rows, double train_weight, double *gradient,
                                 struct errors *errors, struct willow_error *error);

/* Measures the held-out rows, takes note and keeps the weights if they are the best so far. train: of the training rows
 * as far as they are known; `exact` if they are of just these weights. */
enum willow_status problem_judge(struct problem *problem, const struct pass_result *train, bool exact,
                                 struct willow_error *error);

/* Whether the last judgements show no more progress, or all steps are made. */
bool problem_is_over(const struct problem *problem);

/* Between two steps: saves when that is due, and WILLOW_ERR_STOPPED after a stop. blocks: the solver's own state. */
enum willow_status problem_pause(struct problem *problem, const struct snapshot_block *blocks, size_t count,
                                 struct willow_error *error);

/* Restores the solver's state and the problem's from options->resume. */
enum willow_status problem_resume(struct problem *problem, const struct snapshot_block *blocks, size_t count,
                                  struct willow_error *error);

/* The best weights, and the rest of the report. */
enum willow_status problem_finish(struct problem *problem, double *weights, struct willow_error *error);

/* The solvers: from the start, or from options->resume, until problem_is_over. */
enum willow_status conjugate_run(struct problem *problem, struct willow_error *error);
enum willow_status descent_run(struct problem *problem, struct willow_error *error);

#endif
