/* Lists of moves inside a search node: making them, and taking the best of the rest. Says nothing about what is good.
 * Layer: search.
 */
#ifndef SEARCH_MOVES_H
#define SEARCH_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/kernel.h"

struct move {
    willow_bits flips;
    int32_t value; /* for ordering, higher first */
    int32_t square;
};

struct move_list {
    int count;
    struct move moves[WILLOW_SQUARES];
};

static inline void moves_generate(struct move_list *list, willow_bits player, willow_bits opponent, willow_bits legal)
{
    int count = 0;
    for (; legal; legal &= legal - 1) {
        int square = kernel_first(legal);
        list->moves[count++] = (struct move){.flips = kernel_flips(player, opponent, square), .square = square};
    }
    list->count = count;
}

/* The board after a move, from the next side. */
static inline willow_bits moves_next_player(willow_bits opponent, const struct move *move)
{
    return opponent ^ move->flips;
}

static inline willow_bits moves_next_opponent(willow_bits player, const struct move *move)
{
    return player ^ move->flips ^ WILLOW_BIT(move->square);
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

#endif
