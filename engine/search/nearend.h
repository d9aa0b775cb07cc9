/* The end of the game near its end, and what the search further up shares with it. Scores in discs. Layer: search. */
#ifndef SEARCH_NEAREND_H
#define SEARCH_NEAREND_H

#include <stdbool.h>
#include <stdint.h>

#include "search/moves.h"
#include "search/worker.h"

/* Above every score. */
enum { ENDGAME_INFINITE = WILLOW_SQUARES + 1 };

/* Tests whether the value of a position with fewer than ENDGAME_EVAL_EMPTIES empty squares is above alpha. Fail-soft.
 * Void after a stop. */
int near_search(struct worker *worker, willow_bits player, willow_bits opponent, int alpha, int empties);

/* Gives every move its value for ordering. */
void near_order(const struct worker *worker, willow_bits player, willow_bits opponent, struct move_list *list);

/* True when the other side's stable discs alone keep the value at or below alpha. */
static inline bool endgame_stability_cut(const struct worker *worker, willow_bits player, willow_bits opponent,
                                         int alpha, int *score)
{
    const struct geometry *geometry = &worker->geometry;
    return geometry->full && stability_cut(&worker->search->stability, player, opponent, alpha, geometry->squares,
                                           worker->fewest_wins, score);
}

#endif
