/* Scores the positions of some plies of a dataset anew and writes them as a dataset of its own. Layer: selfplay. Prints
 * nothing. */
#ifndef WILLOW_SELFPLAY_RELABEL_H
#define WILLOW_SELFPLAY_RELABEL_H

#include <willow/dataset.h>
#include <willow/search.h>
#include <willow/weights.h>

struct relabel_progress {
    uint64_t rows_done, rows_total;
};

struct relabel_options {
    const char *source, *target; /* folders */
    int first_ply, last_ply;
    int depth, exact;    /* of the label's search; exact = 0: never by this rule */
    uint64_t limit;      /* rows at most, spread evenly by a hash of game and ply; 0 = all */
    uint64_t shard_rows; /* rows of a new shard at most */
    const struct willow_weights *weights;
    size_t hash_bytes;              /* table of each thread */
    int threads;                    /* 1 .. RUN_THREADS_MAX */
    const char *tool;               /* version and commit, for the shards */
    const struct willow_stop *stop; /* null = none */
    void (*progress)(void *context,
                     const struct relabel_progress *progress); /* about ten times a second; null = none */
    void *context;
};

struct relabel_summary {
    uint64_t rows_source, rows, size_bytes, shards, time_ns;
};

/* The new rows keep board, result, move, game id and the flags that speak of the game; the games themselves are not
 * copied. The seed is the source's, so that the same games are held out. Rows and their order do not depend on the
 * number of threads. The manifest is written last: a folder without one is unfinished and may be written anew.
 * WILLOW_ERR_BUSY (the target holds a dataset), _MISMATCH (ruleset of the weights), _STOPPED, and what reading and
 * writing give. */
enum willow_status relabel_dataset(const struct relabel_options *options, struct relabel_summary *summary,
                                   struct willow_error *error);

#endif
