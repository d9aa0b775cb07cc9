/* A set of boards, for telling whether a position was met before. Layer: selfplay. Keeps 64-bit fingerprints, not the
 * boards: two different boards are taken for one with a probability of 2^-64 for each pair.
 */
#ifndef WILLOW_SELFPLAY_BOARD_SET_H
#define WILLOW_SELFPLAY_BOARD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/status.h>

/* Zeroed = empty. 11 to 21 bytes a board. */
struct board_set {
    uint64_t *slots;        /* 0 = free */
    size_t capacity, count; /* capacity is 0 or a power of two */
};

/* Whether the set has the board as it stands: callers hand over canonical ones. */
bool board_set_has(const struct board_set *set, struct willow_board board);

/* *added tells whether it was new. WILLOW_ERR_MEMORY: the set is as before then. */
enum willow_status board_set_add(struct board_set *set, struct willow_board board, bool *added,
                                 struct willow_error *error);

/* Empties it, and keeps the memory for as many boards again. */
void board_set_empty(struct board_set *set);

void board_set_clear(struct board_set *set);

#endif
