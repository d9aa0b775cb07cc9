/* Fits the stages of a weights file to datasets, one stage after the other from the last to the first, and says how
 * well. Layer: trainer. Prints nothing and writes no weights: the caller saves them.
 */
#ifndef TRAINER_FIT_H
#define TRAINER_FIT_H

#include "judge.h"
#include "rounding.h"
#include "samples/loading.h"
#include "samples/overlap.h"
#include "solver.h"

#include <willow/weights.h>

struct fit_progress {
    bool loading; /* rows of so many have been read; else a stage is being fitted */
    uint64_t loaded, of;
    int stage, first_ply, last_ply;
    uint64_t rows; /* of the stage */
    struct solver_point point;
};

/* Where a stage starts whose weights in `init` are all zero. */
enum fit_start {
    FIT_START_ZERO,
    FIT_START_NEXT, /* from the stage after it, fitted a moment before */
    FIT_START_BASE  /* from one fit to the rows of all stages together: stages are differences from this base */
};

struct fit_options {
    const char *const *folders; /* datasets, at least one */
    size_t folder_count;
    const struct willow_ruleset *ruleset; /* that the data must be of; null = whichever they are */
    const char *init; /* weights to start from, as willow_weights_open reads names; null = zero weights of `patterns`
                         and `stages` */
    const char *patterns; /* pattern set; null = init's, or the default; another than init's is WILLOW_ERR_MISMATCH */
    int stages;           /* number of even stages; 0 = init's, or 20; another than init's is WILLOW_ERR_MISMATCH */
    int first_ply,
        last_ply; /* rows to fit, 0..SAMPLE_PLIES - 1; stages without one of these plies are copied from init */
    enum fit_start start;
    int window; /* a stage is also fitted to the rows of so many plies before and after its own, which count the less
                   the farther they are: (window + 1 - distance) / (window + 1) */
    const char *without; /* shapes and scalars of the set, with commas between, that keep the weights they have; null =
                            none */
    const struct label_rules *rules;
    double held_out; /* 0..1: share of the games that are held out */
    bool has_seed;   /* whether `seed` replaces the datasets' own in the choice of held-out games */
    uint64_t seed;
    struct solver_options solver; /* progress, context and ranks are the fit's own */
    struct willow_ranks *ranks;   /* each reads its share of the shards, and all get the same weights and report; null =
                                     this process alone */
    const char *scratch;          /* folder for the scratch file: sizeof(struct sample) for each row */
    const char *checkpoint; /* file for the state of the unfinished fit: where there is one of this fit, it goes on from
                               there; null = none. It is left when the fit has ended: the caller removes it when the
                               weights are safe */
    double checkpoint_seconds; /* how often that is written; also when the fit is stopped */
    bool fresh;                /* whether an old state is overwritten instead */
    const char *identity;      /* every setting that the weights depend on, as text; null = "" */
    const char *command;       /* command line for the provenance */
    const char *tool;          /* version of the program for the provenance */
    void (*progress)(void *context, const struct fit_progress *progress); /* null = none */
    void (*warning)(void *context, const struct willow_error *error);     /* null = none; the fit goes on */
    void *context;
};

struct fit_stage {
    int stage, first_ply, last_ply;  /* plies that were read */
    uint64_t rows;                   /* training and held-out rows of these plies; 0 = the stage was copied */
    char data[WILLOW_CHECKSUM_TEXT]; /* identity of these rows (samples_digest) */
    struct solver_report solver;
    struct rounding_report rounding;
    struct judgement judgement; /* of the rounded weights */
    double seconds;
};

struct fit_report {
    int count;                                  /* stages that the plies touch */
    struct fit_stage stages[WILLOW_STAGES_MAX]; /* by stage number, rising */
    struct loading_report loading;
    struct overlap_report overlap; /* of all plies that were read; their held-out rows are those that it left */
    uint64_t rows, held_out_rows;
    double held_out_mae_discs; /* over all held-out rows */
    double seconds;            /* since this process began with it */
    double loading_seconds;    /* of these for reading and the search for overlap */
};

/* The caller frees *weights and clears *report, after a failure too. Returns the errors of the parts, and
 * WILLOW_ERR_MISMATCH for datasets or weights of different rulesets and for data without a single training row in these
 * plies. With ranks, all of them call it together; one that fails ends the others once it calls willow_ranks_agree. */
enum willow_status fit_run(const struct fit_options *options, struct willow_weights **weights,
                           struct fit_report *report, struct willow_error *error);
void fit_report_clear(struct fit_report *report);

#endif
