/* Measures weights on datasets, whether they were fitted to them or not: errors and judgement of every stage. Layer:
 * trainer. Changes no weights and prints nothing.
 */
#ifndef TRAINER_MEASURE_H
#define TRAINER_MEASURE_H

#include "fit.h"

struct measure_options {
    const char *const *folders; /* datasets, at least one */
    size_t folder_count;
    const struct willow_weights *weights;
    int first_ply, last_ply; /* rows to measure, 0..SAMPLE_PLIES - 1 */
    const struct label_rules *rules;
    double held_out; /* share of the games that are held out; the others count as those that were fitted. 1 = all */
    bool has_seed;   /* whether `seed` replaces the datasets' own in the choice of held-out games */
    uint64_t seed;
    int threads;                                                 /* >= 1 */
    const char *scratch;                                         /* folder for the scratch file */
    const struct willow_stop *stop;                              /* null = none */
    void (*progress)(void *context, uint64_t rows, uint64_t of); /* of reading; null = none */
    void *context;
};

/* Fills the report of a fit with what holds without one: no steps, no curves, nothing before. Stages without a row have
 * none. The errors of loading_run, WILLOW_ERR_MISMATCH for datasets of a ruleset that the weights do not play and for
 * data without a row in these plies. */
enum willow_status measure_run(const struct measure_options *options, struct fit_report *report,
                               struct willow_error *error);

#endif
