/* What the files of one fit share: fit.c opens and loads, fit_stages.c fits, fit_state.c saves what is unfinished.
 * Layer: trainer, internal.
 */
#ifndef TRAINER_FIT_INSIDE_H
#define TRAINER_FIT_INSIDE_H

#include "checkpoint.h"
#include "fit.h"

/* How many rows there are, and which. */
struct fit_rows {
    int64_t count[SAMPLE_PLIES][SAMPLE_PARTS];
    int64_t digest[SAMPLE_PLIES][2];
};

struct fit {
    const struct fit_options *options;
    struct fit_report *report;
    struct label_source *sources;
    const struct willow_ruleset *ruleset; /* of the data, and of the weights that come of them */
    struct willow_weights *init;
    struct samples *samples; /* this rank's */
    struct fit_rows all;     /* of all ranks */
    struct features features;
    int16_t *values;               /* all stages; becomes the result */
    double *start, *fitted, *base; /* one stage */
    bool *fixed;                   /* weights that are left out; null = none */
    struct fit_stage *current;

    /* How far the fit has come: what a checkpoint holds. */
    int next;                   /* stages report->stages[next + 1 ...] are done */
    bool base_done;             /* the base is fitted, or none is wanted */
    struct checkpoint restored; /* its last block is the state of the solver in the part that comes next */
    bool solver_restored;
    char identity[WILLOW_CHECKSUM_TEXT];
    uint64_t saved_ns;
    bool save_failed; /* the user has been told */
};

/* Rows of some plies. */
uint64_t fit_count_rows(const struct fit *fit, int first, int last, enum sample_part part);

/* Fits the base where one is wanted, then the stages from fit->next down. The errors of solver_fit. */
enum willow_status fit_stages_run(struct fit *fit, struct willow_error *error);

/* Takes up what an earlier run of the same fit left, if it left anything. The errors of checkpoint_load. */
enum willow_status fit_state_restore(struct fit *fit, struct willow_error *error);

/* Between parts: saves when it is time or the fit was stopped. A disk that is full costs no more than the state: the
 * user is warned, once, and the fit goes on. */
void fit_state_save(struct fit *fit);

/* Within a part, with the state of its solver: for solver_options.save. */
enum willow_status fit_state_save_solver(void *context, const void *bytes, size_t size, struct willow_error *error);

#endif
