/* Lists of moves inside a search node: making them, and taking the best of the rest. Says nothing about what is good.
 * Layer: search.
 */
#ifndef SEARCH_MOVES_H
#define SEARCH_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/kernel.h"

#define MOVES_CORNERS 0x8100000000000081u

struct move {
    uint64_t flips;
    int32_t value; /* for ordering, higher first */
    int32_t square;
};

struct move_list {
    int count;
    struct move moves[64];
};

static inline void moves_generate(struct move_list *list, uint64_t player, uint64_t opponent, uint64_t legal)
{
    int count = 0;
    for (; legal; legal &= legal - 1) {
        int square = kernel_first(legal);
        list->moves[count++] = (struct move){.flips = kernel_flips(player, opponent, square), .square = square};
    }
    list->count = count;
}

/* The board after a move, from the next side. */
static inline uint64_t moves_next_player(uint64_t opponent, const struct move *move)
{
    return opponent ^ move->flips;
}

static inline uint64_t moves_next_opponent(uint64_t player, const struct move *move)
{
    return player ^ move->flips ^ (uint64_t)1 << move->square;
}

/* Brings the move on the square to place `at`, where it is not yet further in front; false when there is none. */
static inline bool moves_bring(struct move_list *list, int at, int square)
{
    for (int i = at; i < list->count; i++) {
        if (list->moves[i].square != square)
            continue;
        struct move move = list->moves[i];
        for (; i > at; i--)
            list->moves[i] = list->moves[i - 1];
        list->moves[at] = move;
        return true;
    }
    return false;
}

/* Brings the best of the moves from `at` on to place `at`; among equals the first one. A node that is cut early never
 * pays for a full sort. */
static inline const struct move *moves_pick(struct move_list *list, int at)
{
    int best = at;
    for (int i = at + 1; i < list->count; i++)
        if (list->moves[i].value > list->moves[best].value)
            best = i;
    struct move picked = list->moves[best];
    /* Shift rather than swap: the order of the others stays, and with it the meaning of "first". */
    for (int i = best; i > at; i--)
        list->moves[i] = list->moves[i - 1];
    list->moves[at] = picked;
    return &list->moves[at];
}

/* Legal moves of the side to move, corners counted twice: what it costs the other side to leave them. */
static inline int moves_weighted_mobility(uint64_t legal)
{
    return kernel_count(legal) + kernel_count(legal & MOVES_CORNERS);
}

#endif
