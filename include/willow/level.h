/* Levels of play from 1 (a beginner) to 30: what each means for a search. Layer: search. One table for every program.
 */
#ifndef WILLOW_LEVEL_H
#define WILLOW_LEVEL_H

#include <willow/search.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WILLOW_LEVEL_MIN = 1, WILLOW_LEVEL_MAX = 30 };

struct willow_level {
    int depth;                          /* plies in the midgame */
    int selectivity;                    /* percent, in the midgame */
    int exact;                          /* empties from which the game is solved exactly */
    int selective_end, end_selectivity; /* empties from which it is searched to the end at that selectivity */
};

/* The level's row of the table; `level` lies in WILLOW_LEVEL_MIN .. WILLOW_LEVEL_MAX. */
const struct willow_level *willow_level_find(int level);

/* Sets depth, selectivity and exact_empties of *limits for a position with so many empty squares; the rest stays. */
void willow_level_limit(int level, int empties, struct willow_limits *limits);

#ifdef __cplusplus
}
#endif
#endif
