/* The end of the game near its end, and what the search further up shares with it. Scores in discs. Layer: search. */
#ifndef SEARCH_NEAREND_H
#define SEARCH_NEAREND_H

#include <stdbool.h>
#include <stdint.h>

#include "search/moves.h"
#include "search/worker.h"

/* Above every score. */
enum { ENDGAME_INFINITE = 65 };

/* Tests whether the value of a position with fewer than ENDGAME_EVAL_EMPTIES empty squares is above alpha. Fail-soft.
 * Void after a stop. */
int near_search(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, int empties);

/* Gives every move its value for ordering. */
void near_order(const struct worker *worker, uint64_t player, uint64_t opponent, struct move_list *list);

/* True when the other side's stable discs alone keep the value at or below alpha. */
static inline bool endgame_stability_cut(const struct worker *worker, uint64_t player, uint64_t opponent, int alpha,
                                         int *score)
{
    return worker->standard && stability_cut(&worker->search->stability, player, opponent, alpha, score);
}

#endif
