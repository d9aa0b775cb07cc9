/* The end of the game near its end, and what it shares with the search further up. Scores in discs. Layer: search. */
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

/* Bounds in the table are those of a search to the end only at TABLE_EXACT and above; there they are whole discs. */
static inline bool endgame_table_cut(const struct worker *worker, const struct table_entry *entry, int alpha,
                                     int *score)
{
    if (entry->depth < TABLE_EXACT || entry->selectivity < worker->selectivity)
        return false;
    int lower = entry->lower / WILLOW_SCORE_DISC, upper = entry->upper / WILLOW_SCORE_DISC;
    *score = lower > alpha ? lower : upper;
    return lower > alpha || upper <= alpha;
}

static inline void endgame_store(struct table *table, uint64_t player, uint64_t opponent, int empties, int selectivity,
                                 int alpha, int beta, int score, int square)
{
    table_store(table, player, opponent, TABLE_EXACT + empties, selectivity, alpha * WILLOW_SCORE_DISC,
                beta * WILLOW_SCORE_DISC, score * WILLOW_SCORE_DISC, square);
}

#endif
