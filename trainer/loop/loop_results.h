/* What the loop's programs print with --json, read back.
 * Layer: trainer (program). Keys that are not needed are ignored.
 */
#ifndef WILLOW_TRAINER_LOOP_RESULTS_H
#define WILLOW_TRAINER_LOOP_RESULTS_H

#include "loop_report.h"

#include <willow/status.h>

/* Result of one fit: the stages that it touched. */
struct fit_results {
    int count;
    struct {
        int stage;
        uint64_t rows, held_out_rows; /* rows: both parts together */
        double held_out;              /* mean absolute error in discs; NAN without held-out rows */
    } stages[WILLOW_STAGES_MAX];
};

/* All: WILLOW_ERR_IO, WILLOW_ERR_FORMAT with the file. *test is not `tested` when the match was without. */
enum willow_status results_read_fit(const char *path, struct fit_results *fit, struct willow_error *error);
enum willow_status results_read_match(const char *path, struct report_match *match, struct report_test *test,
                                      struct willow_error *error);

/* A player of the ladder as the report knows it: a generation's number, or REPORT_OPPONENT + index. */
struct results_player {
    char name[64];
    int number;
    struct report_rating *rating;
};

/* Fills in the players' ratings; who is not in the file is not rated. *encounters is allocated, the caller frees it,
 * also after a failure. WILLOW_ERR_MEMORY, too. */
enum willow_status results_read_ladder(const char *path, const struct results_player *players, int count,
                                       struct report_encounter **encounters, int *encounters_count,
                                       struct willow_error *error);
enum willow_status results_read_yardstick(const char *path, double *error_discs, double *best_move,
                                          struct willow_error *error);

#endif
