/* Fits the stages of a weights file to datasets, one stage after the other from the last to the first, and says how
 * well. Layer: trainer. Prints nothing and writes no weights: the caller saves them.
 */
#ifndef TRAINER_FIT_H
#define TRAINER_FIT_H

#include "samples/labels.h"
#include "solver.h"

#include <willow/weights.h>

struct fit_progress {
    int stage, first_ply, last_ply;
    uint64_t rows;
    int iteration;
    double held_out_mae_discs;
};

struct fit_options {
    const char *const *folders; /* datasets, at least one */
    size_t folder_count;
    const char *init; /* weights to start from, as willow_weights_open reads names; null = zero weights of `patterns`
                         and `stages` */
    const char *patterns; /* pattern set; null = init's, or the default; another than init's is WILLOW_ERR_MISMATCH */
    int stages;           /* number of even stages; 0 = init's, or 20; another than init's is WILLOW_ERR_MISMATCH */
    int first_ply, last_ply; /* rows to fit, 0..60; stages without one of these plies are copied from init */
    bool from_next;          /* a stage whose weights are all zero starts from the stage after it */
    struct label_options labels;
    struct solver_options solver; /* progress and context are the fit's own */
    const char *scratch;          /* folder for the scratch file: 24 bytes for each row of the largest stage */
    const char *command;          /* command line for the provenance */
    const char *tool;             /* version of the program for the provenance */
    void (*progress)(void *context, const struct fit_progress *progress); /* null = none */
    void *context;
};

struct fit_stage {
    int stage, first_ply, last_ply;  /* plies that were read */
    uint64_t rows;                   /* training and held-out rows together; 0 = the stage was copied */
    char data[WILLOW_CHECKSUM_TEXT]; /* samples_checksum of these rows */
    struct solver_report solver;
    double seconds;
};

struct fit_report {
    int count;                                  /* stages that the plies touch */
    struct fit_stage stages[WILLOW_STAGES_MAX]; /* by stage number, rising */
    uint64_t rows, held_out_rows;
    double held_out_mae_discs; /* over all held-out rows */
    double seconds;
};

/* The caller frees *weights. Returns the errors of the parts, and WILLOW_ERR_MISMATCH for datasets or weights of
 * different rulesets and for data without a single training row in these plies. */
enum willow_status fit_run(const struct fit_options *options, struct willow_weights **weights,
                           struct fit_report *report, struct willow_error *error);

#endif
