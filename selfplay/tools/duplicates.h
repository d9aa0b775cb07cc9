/* Finds equal positions, mirror images and rotations included, in datasets of any size with bounded memory.
 * Layer: selfplay. Prints nothing.
 */
#ifndef WILLOW_SELFPLAY_DUPLICATES_H
#define WILLOW_SELFPLAY_DUPLICATES_H

#include <willow/dataset.h>
#include <willow/search.h>

/* One row of a group of equal positions. */
struct duplicates_row {
    uint64_t number; /* of the row in the stream that a reader over the same folders and plies 0-60 gives */
    struct willow_row row;
};

struct duplicates_options {
    const char *const *folders;
    size_t count;
    const struct willow_ruleset *ruleset;
    size_t memory_bytes;            /* to be kept to, at least 1 MiB; more passes over the data when it is little */
    const struct willow_stop *stop; /* null = none */

    /* Called once for each row of the datasets, in any order. Null = nobody asks. */
    void (*row)(void *context, const struct willow_row *row);

    /* Called for each group of at least two rows whose boards are equal up to symmetry, sorted by number. Null = only
     * count, which takes less memory and time. */
    enum willow_status (*group)(void *context, const struct duplicates_row *rows, size_t count,
                                struct willow_error *error);
    void (*progress)(void *context, uint64_t rows_done, uint64_t rows_total); /* null = none */
    void *context;
};

struct duplicates_summary {
    uint64_t rows;     /* in all */
    uint64_t distinct; /* positions up to symmetry */
    uint64_t distinct_by_ply[61];
};

/* WILLOW_ERR_MEMORY, _ARGUMENT, _STOPPED, what reading gives and what `group` returns. */
enum willow_status duplicates_find(const struct duplicates_options *options, struct duplicates_summary *summary,
                                   struct willow_error *error);

#endif
