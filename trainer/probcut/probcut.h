/* Fits the ProbCut model of a set of weights to the engine's own searches: positions from datasets, every depth, the
 * exact score near the end, constants, provenance. Layer: trainer.
 */
#ifndef TRAINER_PROBCUT_H
#define TRAINER_PROBCUT_H

#include "probcut_fit.h"

#include <stdbool.h>

#include <willow/search.h>
#include <willow/weights.h>

/* Positions with fewer empty squares are not solved: nobody searches them selectively. */
enum { PROBCUT_EXACT_LOW = 10 };

struct probcut_options {
    const char *const *folders; /* datasets */
    size_t folder_count, positions;
    const char *weights; /* as in willow_weights_open */
    int depth;           /* the deepest midgame search, 1 .. PROBCUT_DEPTH_MAX */
    int exact;           /* solve positions with PROBCUT_EXACT_LOW .. exact empties */
    int threads;         /* the result does not depend on it */
    uint64_t seed;       /* of the choice of positions */
    const struct willow_stop *stop;
    const char *command, *tool; /* for the provenance */
    void (*progress)(void *context, size_t done, size_t count);
    void *context;
};

/* What was measured. Pairs of depths: 0 with every deeper one, and two of the same parity. */
struct probcut_report {
    size_t positions, solved;
    struct probcut_error *errors; /* midgame_errors, then exact_errors; by deep, shallow, discs */
    size_t midgame_errors, exact_errors;
    struct probcut_fit midgame, exact; /* exact: zero without errors; its constants then stay as they were */
    struct willow_probcut probcut;
    double seconds;
};

/* *weights: a copy of the set with the new constants; the caller frees it, and clears *report (always). Besides the
 * errors of the parts, WILLOW_ERR_ARGUMENT when the datasets hold no position to search. */
enum willow_status probcut_run(const struct probcut_options *options, struct willow_weights **weights,
                               struct probcut_report *report, struct willow_error *error);
void probcut_report_clear(struct probcut_report *report);

#endif
