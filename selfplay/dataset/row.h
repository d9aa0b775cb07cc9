/* Rows of a dataset in memory: what a row may hold, their order, where each ply begins. Layer: selfplay/dataset,
 * internal. */
#ifndef SELFPLAY_DATASET_ROW_H
#define SELFPLAY_DATASET_ROW_H

#include <willow/dataset.h>

enum { ROW_PLIES = 61, ROW_OFFSETS = ROW_PLIES + 1 };

/* Why this row cannot be, in words; null when it can: board, move, ply and the ranges of all fields. */
const char *row_fault(const struct willow_ruleset *ruleset, const struct willow_row *row);

bool row_equal(const struct willow_row *a, const struct willow_row *b);

/* Into the one order of a shard: ply, game; ties (possible after merging) by board, so that the order is total. */
void rows_sort(struct willow_row *rows, uint64_t count);

/* offsets[p] = the first row of ply p or later; offsets[61] = count. The rows are sorted and their plies checked. */
void rows_offsets(const struct willow_row *rows, uint64_t count, uint64_t offsets[ROW_OFFSETS]);

/* Why this row of /games cannot be: lengths and squares only, not the play. */
const char *game_row_fault(const struct willow_game_row *game);

#endif
