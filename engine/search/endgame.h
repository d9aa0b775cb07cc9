/* Exact search to the end of the game. Scores in discs. Layer: search. */
#ifndef SEARCH_ENDGAME_H
#define SEARCH_ENDGAME_H

#include <stdint.h>

#include "search/nearend.h"
#include "search/worker.h"

/* From here up moves are ordered by evaluation: states[ply] must belong to the position at ENDGAME_EVAL_EMPTIES or
 * more. Below, the states are neither read nor written. */
enum { ENDGAME_EVAL_EMPTIES = 12 };

/* Value within alpha..beta (fail-soft outside), with the line of best play to the end of the game in lines[ply]. At ply
 * 0 it keeps the handle's root move. After a stop it returns something meaningless. */
int endgame_pv(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta,
               int empties);

#endif
