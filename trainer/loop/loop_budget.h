/* What a loop will cost: time of searches and fits, disk at its peak; guesses of the right order of magnitude.
 * Layer: trainer (program). Arithmetic over the configuration, and the plan as text.
 */
#ifndef WILLOW_TRAINER_LOOP_BUDGET_H
#define WILLOW_TRAINER_LOOP_BUDGET_H

#include <stdio.h>

#include "loop.h"

/* Seconds of one thread that a position costs, the mean over a game of so many plies. */
double budget_search(int plies, int depth, int exact, int selectivity);

/* Rows expected in a generation's data over so many plies: played, and labelled (at most `limit`). */
double budget_rows_played(const struct loop_generation *plan, int plies);
double budget_rows_labelled(const struct loop_generation *plan, int plies);

/* Seconds of one thread for a whole match, and for the fit of some rows. */
double budget_match(const struct loop_config *config, const struct loop_match *match, int encounters);
double budget_fit(double rows);
double budget_probcut(const struct loop_config *config, const struct loop_probcut *probcut);

struct budget_disk {
    double peak_bytes, end_bytes;
};

/* Of the whole loop; generation_peak[i] (may be null) is the need while generation i + 1 is made. */
void budget_disk(const struct loop_config *config, struct budget_disk *disk, double *generation_peak);

/* Prints the plan by generation and its sums, every line after `prefix`; after the walk that counts. */
void budget_print(FILE *out, const struct loop *loop, const char *prefix);

/* WILLOW_ERR_ARGUMENT when the estimate is over the configuration's limits or the free disk, unless forced. */
enum willow_status budget_check(const struct loop *loop, struct willow_error *error);

#endif
