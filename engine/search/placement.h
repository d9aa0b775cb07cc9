/* The phase in which the first discs are placed freely. Layer: search. */
#ifndef SEARCH_PLACEMENT_H
#define SEARCH_PLACEMENT_H

#include "search/root.h"

/* As root_search, from a board of the placement phase. */
struct outcome placement_search(struct willow_search *search, struct willow_board board, const struct task *task);

/* The same, and a score for every legal move in the order of squares; returns how many there are. */
int placement_moves(struct willow_search *search, struct willow_board board, const struct task *task,
                    struct willow_scored_move *moves, struct outcome *outcome);

#endif
