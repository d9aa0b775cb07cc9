/* A self-play run: worker threads play games, the calling thread collects them, a writer makes shards of them.
 * Layer: selfplay. Prints nothing.
 */
#ifndef WILLOW_SELFPLAY_RUN_H
#define WILLOW_SELFPLAY_RUN_H

#include <willow/ranks.h>
#include <willow/search.h>

#include "run_config.h"
#include "run_folder.h"
#include "run_inputs.h"

struct run_progress {
    uint64_t games_done, games_total; /* of the whole run, or of the part */
    uint64_t new_games, new_rows;     /* since this call began; rows may still be in memory */
    uint64_t shards_done, shards_total;
};

struct run_options {
    const struct run_config *config; /* resolved and checked */
    const struct run_inputs *inputs;
    const char *folder;
    enum willow_shard_layout layout;                                      /* of the shards that are written now */
    const char *tool;                                                     /* version and commit, for the shards */
    int threads;                                                          /* 1 .. RUN_THREADS_MAX */
    uint32_t part, parts;                                                 /* see run_folder.h; 0 of 0 = everything */
    struct willow_ranks *ranks;                                           /* null = alone */
    const struct willow_stop *stop;                                       /* null = none */
    void (*progress)(void *context, const struct run_progress *progress); /* about ten times a second; null = none */
    run_note *note;                                                       /* null = none */
    void *context;
};

struct run_summary {
    uint64_t games, rows, size_bytes; /* announced, in the whole dataset or the part */
    uint64_t new_games, new_rows;     /* announced since this call began */
    uint64_t time_ns;
    uint64_t waited_ns; /* of all workers of this process together, for the writer */
};

/* Starts a run or finishes one of the same configuration. What is announced when the function returns is kept, whatever
 * it returns; *summary is filled when the folder could be opened. With ranks, all of them call it; rank 0 has progress,
 * summary and the first failure of any. WILLOW_ERR_STOPPED when `stop` was set; else as run_folder_open, openings_new,
 * willow_shard_write and willow_search_new. */
enum willow_status run_dataset(const struct run_options *options, struct run_summary *summary,
                               struct willow_error *error);

#endif
