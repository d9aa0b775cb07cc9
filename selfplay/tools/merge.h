/* One dataset made of several, equal positions kept, dropped or averaged. Layer: selfplay. Prints nothing. */
#ifndef WILLOW_SELFPLAY_MERGE_H
#define WILLOW_SELFPLAY_MERGE_H

#include <willow/dataset.h>
#include <willow/search.h>

#include "sources.h"

/* What the last two do is written in duplicates.h. */
enum merge_duplicates { MERGE_KEEP, MERGE_DROP, MERGE_AVERAGE };

enum merge_phase { MERGE_SEARCH, MERGE_WRITE }; /* looking for equal positions; copying */

struct merge_options {
    const char *const *folders;
    size_t count;
    const char *target;
    enum merge_duplicates duplicates;
    uint64_t shard_rows; /* of a new shard at most, but for a game that is longer */
    size_t memory_bytes; /* for the search, at least 1 MiB and a bit for each row; copying takes that of one shard of
                            the sources and one of the result */
    enum willow_shard_layout layout;
    const char *tool;               /* version and commit, for the shards */
    const struct willow_stop *stop; /* null = none */
    sources_note *note;             /* null = none */
    void (*progress)(void *context, enum merge_phase phase, uint64_t rows_done, uint64_t rows_total); /* null = none */
    void *context;
};

struct merge_summary {
    uint64_t source_rows, source_games, source_bytes;
    uint64_t rows, games, shards, size_bytes, seed;
    uint64_t distinct; /* positions up to symmetry among all rows; 0 with MERGE_KEEP, which does not look */
    uint64_t time_ns;
};

/* Rows keep the order of the sources, those of one run that of their games. With games, a game and all its rows lie in
 * one shard; MERGE_DROP leaves out games of which no row is left, MERGE_AVERAGE all games, since results no longer are
 * those of the games. The seed, which chooses the held-out games, is that of the sources if all agree, else a hash of
 * theirs. Stopped or killed, it leaves a folder without a manifest, in which the same call begins again.
 * WILLOW_ERR_ARGUMENT (memory too little for the bits, shard_rows 0), _STOPPED, and what sources_open,
 * sources_check_target, target_open, reading and writing give. */
enum willow_status merge_datasets(const struct merge_options *options, struct merge_summary *summary,
                                  struct willow_error *error);

#endif
