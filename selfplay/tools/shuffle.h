/* One dataset made of several, its games dealt out to its shards at random. Layer: selfplay. Prints nothing. */
#ifndef WILLOW_SELFPLAY_SHUFFLE_H
#define WILLOW_SELFPLAY_SHUFFLE_H

#include "rewrite.h"

struct shuffle_options {
    /* shard_rows: of a shard at most, in the mean. memory_bytes: for the shards that are filled in one pass over the
     * sources, of which there is at least one; a shard of the sources comes on top. */
    struct rewrite_options rewrite;
    uint64_t seed; /* of the dealing */
    /* Of all passes; with the context of `rewrite`; null = none. */
    void (*progress)(void *context, uint64_t rows_done, uint64_t rows_total);
};

struct shuffle_summary {
    struct rewrite_summary rewrite;
    uint64_t passes;
};

/* Every game goes with all its rows to a shard that a hash of `seed` and its id chooses, so that each shard is a fair
 * sample of the games; in a shard, rows have the order that all shards have. Which rows lie where does not depend on
 * the memory. Ids and the dataset's seed are as merge_datasets makes them, and so is a folder left unfinished.
 * WILLOW_ERR_STOPPED, and what rewrite_open, rewrite_begin, reading and writing give. */
enum willow_status shuffle_datasets(const struct shuffle_options *options, struct shuffle_summary *summary,
                                    struct willow_error *error);

#endif
