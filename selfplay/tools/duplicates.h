/* Finds equal positions, mirror images and rotations included, in datasets of any size with bounded memory, and says
 * what is to become of them. Layer: selfplay. Prints nothing, changes no file.
 */
#ifndef WILLOW_SELFPLAY_DUPLICATES_H
#define WILLOW_SELFPLAY_DUPLICATES_H

#include <willow/dataset.h>
#include <willow/search.h>

enum duplicates_rule {
    /* Only count. Positions are told apart by 58 bits of a hash and their ply, at 8 bytes each: among a thousand
     * million positions of one ply, two or so are taken for one. */
    DUPLICATES_COUNT,

    /* Of equal positions the best labelled row stays as it is: an exact score before a searched one and that before
     * none, then the greater depth, then the greater selectivity, then the first. */
    DUPLICATES_DROP,

    /* Of equal positions the first row stays, with new labels. Score: the first exact one, if any; else the mean
     * (rounded to 1/32 disc, half away from zero) of the scores of the greatest depth and, among these, the greatest
     * selectivity; depth, selectivity and the flags of the score go with it. Result: the mean of all results, rounded
     * to a disc, half away from zero; WILLOW_ROW_SOLVED_RESULT stays where all of them have it. Board, move, game and
     * the other flags are the row's own. */
    DUPLICATES_AVERAGE
};

/* New labels of a row that stays; `flags` are all of the row's. */
struct duplicates_labels {
    uint64_t number; /* of the row */
    int16_t score;
    int8_t result;
    uint8_t depth, selectivity, flags;
};

struct duplicates_options {
    const char *const *folders;
    size_t count;
    const struct willow_ruleset *ruleset;
    size_t memory_bytes; /* at least 1 MiB; more passes over the data when it is little. What the reader takes and what
                            the callbacks keep comes on top. */
    const struct willow_stop *stop; /* null = none */
    enum duplicates_rule rule;      /* the last two compare whole boards, and take 64 bytes for each */

    /* Called once for each row of the datasets, in the order of a reader over all plies. Null = nobody asks. */
    void (*row)(void *context, const struct willow_row *row);

    /* Not for DUPLICATES_COUNT. A row's number counts from 0 in the order of a reader over the same folders and all
     * plies. `drop` may come more than once for a row, and comes for every row but one of equal positions; `relabel`
     * (DUPLICATES_AVERAGE alone) comes once for each row that stays for several, in calls sorted by number. */
    void (*drop)(void *context, uint64_t number);
    enum willow_status (*relabel)(void *context, const struct duplicates_labels *labels, size_t count,
                                  struct willow_error *error);

    /* Once for some thousand rows; further passes raise the total. Null = none. */
    void (*progress)(void *context, uint64_t rows_done, uint64_t rows_total);
    void *context;
};

struct duplicates_summary {
    uint64_t rows;     /* in all */
    uint64_t distinct; /* positions up to symmetry */
    uint64_t rows_by_ply[WILLOW_PLIES], distinct_by_ply[WILLOW_PLIES];
    int passes; /* over the data, each perhaps over some plies only */
};

/* WILLOW_ERR_MEMORY, _ARGUMENT, _STOPPED, what reading gives and what `relabel` returns. */
enum willow_status duplicates_find(const struct duplicates_options *options, struct duplicates_summary *summary,
                                   struct willow_error *error);

#endif
