/* Two runs of random games and a scratch folder for what is made of them, for tests of merging and shuffling. */
#ifndef TESTS_TWO_RUNS_H
#define TESTS_TWO_RUNS_H

#include "support/datasets.h"
#include "support/scratch.h"

struct two_runs {
    char scratch[SCRATCH_PATH], first[SCRATCH_PATH], second[SCRATCH_PATH]; /* of seeds 1 and 2 */
    char out[SCRATCH_PATH];                                                /* free for the test's use */
    int made;
};

/* Each of `shards` shards with `games` games. The caller frees with two_runs_free. */
struct two_runs *two_runs_new(uint32_t shards, uint32_t games, datasets_label *label);
void two_runs_free(struct two_runs *runs);

/* A name in the scratch folder that is not taken; returns path. */
const char *two_runs_folder(struct two_runs *runs, char path[SCRATCH_PATH]);

/* One shard of a dataset, whole; ends the test program when it cannot be read. The caller frees. */
void two_runs_shard(const char *folder, uint32_t number, struct willow_shard_info *info, struct willow_row **rows,
                    struct willow_game_row **games);

/* By game, then by ply. */
void two_runs_sort(struct willow_row *rows, size_t count);

#endif
