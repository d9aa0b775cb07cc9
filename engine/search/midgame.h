/* Principal-variation search to a fixed depth, with evaluation at the leaves. A pass costs no depth; a finished game
 * counts its discs. Scores in 1/32 disc. Layer: search.
 */
#ifndef SEARCH_MIDGAME_H
#define SEARCH_MIDGAME_H

#include <stdint.h>

#include "search/moves.h"
#include "search/worker.h"

/* Above every score. */
enum { MIDGAME_INFINITE = WILLOW_SCORE_MAX + 1 };

/* All functions want states[ply] to belong to the position. After a stop they return something meaningless. */

/* Value within alpha..beta (fail-soft outside), with the line of best play in lines[ply]. At ply 0 it keeps the
 * handle's root move. */
int midgame_pv(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta,
               int depth);

/* Tests whether the value is above alpha. Fail-soft. */
int midgame_null(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int depth);

/* Value within alpha..beta at depth 0, 1 or 2, without table or line: for leaves and for the ordering of moves. */
int midgame_shallow(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta,
                    int depth);

/* Plays a move on the states: states[ply + 1] then belongs to the position after it. */
static inline void midgame_play(struct worker *worker, int ply, const struct move *move)
{
    model_state_play(worker->weights, &worker->states[ply], &worker->states[ply + 1], move->square, move->flips);
}

/* Gives the moves of a node their values for ordering, from place node->preferred on: a search of `depth` (0 to 2)
 * after the move, less what the other side's mobility weighs. */
void midgame_order(struct worker *worker, const struct node *node, struct move_list *list, int depth,
                   int mobility_weight);

/* Brings the moves of a table entry to the front; returns how many there are. */
int midgame_prefer(struct move_list *list, const struct table_entry *entry);

#endif
