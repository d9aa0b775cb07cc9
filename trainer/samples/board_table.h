/* A hash table of boards with what a set of rows says of each: whether one is fitted, and the least and the greatest of
 * their exact labels. For one thread. Layer: trainer.
 */
#ifndef TRAINER_BOARD_TABLE_H
#define TRAINER_BOARD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/status.h>

/* In 1/32 disc; of rows whose label is not exact. */
enum { BOARD_TABLE_NO_LABEL = INT16_MIN };

struct board_entry {
    struct willow_board board; /* both words 0 = none */
    int16_t least, greatest;   /* BOARD_TABLE_NO_LABEL = none is exact */
    bool fitted;
};

struct board_table {
    struct board_entry *entries;
    size_t capacity, count;         /* capacity: a power of two, or 0 */
    uint64_t fitted, contradictory; /* boards with a fitted row, boards with two different labels */
};

/* Empty, with room for `boards` different ones; it grows when there are more. What the table held is gone; clear it at
 * the end. WILLOW_ERR_MEMORY. */
enum willow_status board_table_init(struct board_table *table, size_t boards, struct willow_error *error);
void board_table_clear(struct board_table *table);

/* Says that the board with this hash will be looked up soon. */
void board_table_prefetch(const struct board_table *table, uint64_t hash);

/* Adds a row: hash is willow_board_hash(board), the board is not empty. WILLOW_ERR_MEMORY. */
enum willow_status board_table_add(struct board_table *table, struct willow_board board, uint64_t hash, bool fitted,
                                   int16_t label, struct willow_error *error);

/* Whether a row of this board was added as fitted. */
bool board_table_fitted(const struct board_table *table, struct willow_board board, uint64_t hash);

/* The least board, by player and then opponent, that has two different labels; null when there is none. */
const struct board_entry *board_table_contradiction(const struct board_table *table);

/* The order meant there. */
bool board_less(struct willow_board a, struct willow_board b);

#endif
