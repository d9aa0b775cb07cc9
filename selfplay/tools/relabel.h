/* Scores the positions of some plies of a dataset anew and writes them as a dataset of its own. Layer: selfplay. Prints
 * nothing. */
#ifndef WILLOW_SELFPLAY_RELABEL_H
#define WILLOW_SELFPLAY_RELABEL_H

#include <willow/dataset.h>
#include <willow/search.h>
#include <willow/weights.h>

struct relabel_progress {
    uint64_t rows_done, rows_total; /* those of a relabelling that was stopped before included */
    uint64_t rows_found;            /* these alone */
};

struct relabel_options {
    const char *source, *target; /* folders */
    int first_ply, last_ply;
    int depth, exact;    /* of the label's search; exact = 0: never by this rule */
    int selectivity;     /* of it, one of willow_selectivities; what is solved leaves out nothing */
    bool results;        /* rows of `exact` empties or fewer get their exact score as result too */
    uint64_t limit;      /* rows at most, spread evenly by a hash of game and ply; 0 = all */
    uint64_t shard_rows; /* rows of a new shard at most; 0 = as RELABEL_SHARD_ROWS says, or as in a whole source */
    enum willow_shard_layout layout;
    const struct willow_weights *weights;
    size_t hash_bytes;              /* table of each thread */
    int threads;                    /* 1 .. RUN_THREADS_MAX */
    const char *tool;               /* version and commit, for the shards */
    const struct willow_stop *stop; /* null = none */
    void (*progress)(void *context,
                     const struct relabel_progress *progress); /* about ten times a second; null = none */
    void *context;
};

enum { RELABEL_SHARD_ROWS = 1000000 };

struct relabel_summary {
    uint64_t rows_source, rows, size_bytes, shards; /* of the whole new dataset */
    uint64_t games;                                 /* that came with the rows */
    uint64_t rows_new, rows_found;                  /* written by this call, and by one that was stopped before */
    uint64_t time_ns;
};

/* The new rows keep board, result, move, game id and the flags that speak of the game. A row that has an exact score
 * keeps it where the new search would not solve it. The seed is the source's, so that the same games are held out.
 *
 * All rows without a limit are a whole source: each of its shards becomes one with the same rows and games, so that the
 * games can be replayed. Otherwise the games are left out. Rows and their order do not depend on the number of threads.
 *
 * Finished shards that a relabelling with the same options left in the target are kept: the rows in them are read again
 * from the source and compared, but not searched. The manifest is written last. WILLOW_ERR_BUSY (the target holds a
 * dataset, or shards made otherwise), _MISMATCH (ruleset of the weights; the source is not the one that the found
 * shards were made from), _ARGUMENT, _STOPPED, and what reading and writing give. */
enum willow_status relabel_dataset(const struct relabel_options *options, struct relabel_summary *summary,
                                   struct willow_error *error);

#endif
