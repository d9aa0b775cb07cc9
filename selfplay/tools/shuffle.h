/* One dataset made of several, its games dealt out to its shards at random. Layer: selfplay. Prints nothing. */
#ifndef WILLOW_SELFPLAY_SHUFFLE_H
#define WILLOW_SELFPLAY_SHUFFLE_H

#include <willow/dataset.h>
#include <willow/search.h>

#include "sources.h"

struct shuffle_options {
    const char *const *folders;
    size_t count;
    const char *target;
    uint64_t seed;       /* of the dealing */
    uint64_t shard_rows; /* of a new shard in the mean, at most */
    size_t memory_bytes; /* for the shards that are filled in one pass over the sources: at least one is; what one shard
                            of the sources takes comes on top */
    enum willow_shard_layout layout;
    const char *tool;                                                         /* version and commit, for the shards */
    const struct willow_stop *stop;                                           /* null = none */
    sources_note *note;                                                       /* null = none */
    void (*progress)(void *context, uint64_t rows_done, uint64_t rows_total); /* of all passes; null = none */
    void *context;
};

struct shuffle_summary {
    uint64_t source_rows, source_games, source_bytes;
    uint64_t rows, games, shards, size_bytes;
    uint64_t passes;
    uint64_t time_ns;
};

/* Every game goes with all its rows to a shard that a hash of `seed` and its id chooses, so that each shard is a fair
 * sample of the games; in a shard, rows have the order that all shards have. Which rows lie where does not depend on
 * the memory. Ids and the dataset's seed are as merge_datasets makes them, and so is a folder left unfinished.
 * WILLOW_ERR_ARGUMENT (shard_rows 0), _STOPPED, and what sources_open, sources_check_target, target_open, reading and
 * writing give. */
enum willow_status shuffle_datasets(const struct shuffle_options *options, struct shuffle_summary *summary,
                                    struct willow_error *error);

#endif
