/* One dataset made of several, equal positions kept, dropped or averaged. Layer: selfplay. Prints nothing. */
#ifndef WILLOW_SELFPLAY_MERGE_H
#define WILLOW_SELFPLAY_MERGE_H

#include "rewrite.h"

/* What the last two do is written in duplicates.h. */
enum merge_duplicates { MERGE_KEEP, MERGE_DROP, MERGE_AVERAGE };

enum merge_phase { MERGE_SEARCH, MERGE_WRITE }; /* looking for equal positions; copying */

struct merge_options {
    /* shard_rows: of a shard at most, but for a game that is longer. memory_bytes: for the search, at least 1 MiB and a
     * bit for each row; copying takes that of one shard of the sources, twice, and one of the result. */
    struct rewrite_options rewrite;
    enum merge_duplicates duplicates;
    /* With the context of `rewrite`; null = none. */
    void (*progress)(void *context, enum merge_phase phase, uint64_t rows_done, uint64_t rows_total);
};

struct merge_summary {
    struct rewrite_summary rewrite;
    uint64_t distinct; /* positions up to symmetry among all rows; 0 with MERGE_KEEP, which does not look */
};

/* Rows keep the order of the sources, those of one run that of their games. With games, a game and all its rows lie in
 * one shard; MERGE_DROP leaves out games of which no row is left, MERGE_AVERAGE all games, since results no longer are
 * those of the games. Stopped or killed, it leaves a folder without a manifest, in which the same call begins again.
 * WILLOW_ERR_ARGUMENT (memory too little for the bits), _STOPPED, and what rewrite_open, rewrite_begin, reading and
 * writing give. */
enum willow_status merge_datasets(const struct merge_options *options, struct merge_summary *summary,
                                  struct willow_error *error);

#endif
