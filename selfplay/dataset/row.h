/* Rows of a dataset in memory: what a row may hold, their order, how many there are of each ply. Layer:
 * selfplay/dataset, internal. */
#ifndef SELFPLAY_DATASET_ROW_H
#define SELFPLAY_DATASET_ROW_H

#include <willow/dataset.h>

/* Why this row cannot be, in words; null when it can: board, move, ply and the ranges of all fields. */
const char *row_fault(const struct willow_ruleset *ruleset, const struct willow_row *row);

bool row_equal(const struct willow_row *a, const struct willow_row *b);

/* Into the order of a shard: block of block_plies plies, game, ply; ties (possible after merging) by board, so that the
 * order is total. */
void rows_sort(struct willow_row *rows, uint64_t count, unsigned block_plies);

/* Where the rows lie in a shard. */
struct row_layout {
    unsigned block_plies;           /* 1..WILLOW_PLIES */
    uint64_t plies[WILLOW_PLIES];   /* rows of each ply */
    uint64_t before[WILLOW_PLIES];  /* rows before the block that each ply belongs to */
    uint64_t through[WILLOW_PLIES]; /* rows up to the end of that block */
};

/* Fills before and through from block_plies and plies; returns the number of all rows. The sum must not overflow. */
uint64_t row_layout_finish(struct row_layout *layout);

/* Counts rows that were checked. */
void row_layout_count(struct row_layout *layout, const struct willow_row *rows, uint64_t count, unsigned block_plies);

/* Rows of plies first..last. */
uint64_t row_layout_rows(const struct row_layout *layout, int first_ply, int last_ply);

/* Why row `number` cannot stand where it does; null when it can. `former` is the row before it, or null. */
const char *row_layout_fault(const struct row_layout *layout, const struct willow_row *row,
                             const struct willow_row *former, uint64_t number);

/* Why this row of /games cannot be: lengths and squares only, not the play. */
const char *game_row_fault(const struct willow_ruleset *ruleset, const struct willow_game_row *game);

bool game_row_equal(const struct willow_game_row *a, const struct willow_game_row *b);

#endif
