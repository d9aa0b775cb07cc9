/* Positions for the fit of the ProbCut model: chosen from datasets evenly over the number of discs, and searched to
 * every depth. Layer: trainer.
 */
#ifndef TRAINER_PROBCUT_SAMPLE_H
#define TRAINER_PROBCUT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/search.h>
#include <willow/status.h>
#include <willow/weights.h>

/* Positions have at least 4 discs and PROBCUT_EMPTIES_MIN empty squares: beyond that nobody searches selectively. */
enum {
    PROBCUT_DEPTH_MAX = 24,
    PROBCUT_EMPTIES_MIN = 6,
    PROBCUT_DISCS_MAX = WILLOW_SQUARES - PROBCUT_EMPTIES_MIN,
    PROBCUT_EXACT_MAX = 30
};

struct probcut_position {
    struct willow_board board;
    uint64_t key; /* equal for positions that are equal by symmetry */
    uint8_t discs, empties;
    uint8_t half;                              /* 0 or 1, of its game */
    int8_t depth;                              /* the deepest search made; always less than the empties */
    bool solved;                               /* whether `exact` is set */
    willow_score score[PROBCUT_DEPTH_MAX + 1]; /* by depth, 1/32 disc; [0] is the static evaluation */
    willow_score exact;
};

/* Chooses at most `wanted` positions of the datasets, as many of each number of discs as there are of it, no position
 * twice; ordered by discs. The choice depends on the seed and the rows alone, not on their order. *positions is
 * allocated, also when *count = 0; the caller frees it. The errors of willow_manifest_read and willow_reader_*,
 * WILLOW_ERR_MEMORY, WILLOW_ERR_STOPPED. */
enum willow_status probcut_sample(const char *const *folders, size_t folder_count, const struct willow_ruleset *ruleset,
                                  uint64_t seed, size_t wanted, const struct willow_stop *stop,
                                  struct probcut_position **positions, size_t *count, struct willow_error *error);

struct probcut_search {
    int depth;                      /* 1 .. PROBCUT_DEPTH_MAX */
    int exact_low, exact_high;      /* solve positions with so many empties; none when exact_high < exact_low */
    int threads;                    /* >= 1; the scores do not depend on it */
    const struct willow_stop *stop; /* null = none */
    /* Called from the calling thread now and then; null = none. */
    void (*progress)(void *context, size_t done, size_t count);
    void *context;
};

/* Searches every position, full width, to each depth that leaves a square empty, and to the end where that is asked.
 * WILLOW_ERR_MEMORY, WILLOW_ERR_STOPPED. */
enum willow_status probcut_search(const struct willow_weights *weights, const struct probcut_search *options,
                                  struct probcut_position *positions, size_t count, struct willow_error *error);

#endif
