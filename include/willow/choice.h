/* How an engine chooses its moves: a level or limits, a clock, and how much it may give away on purpose. Layer: search.
 * One meaning for every program that plays: willow play, GTP, NBoard.
 */
#ifndef WILLOW_CHOICE_H
#define WILLOW_CHOICE_H

#include <willow/level.h>
#include <willow/search.h>
#include <willow/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct willow_choice {
    int level;                   /* WILLOW_LEVEL_MIN .. WILLOW_LEVEL_MAX; 0 = depth, selectivity and exact_empties of
                                    `limits` */
    struct willow_limits limits; /* nodes, times and stop hold with a level, too */

    /* A weaker, human-like player: it moves at random among the moves that are worth at most so many discs less than
     * the best one, the better ones more often (see choice.c); 0 = always the best. */
    double loss_discs; /* 0 .. WILLOW_LOSS_MAX */
    uint64_t seed;     /* of that randomness; the same seed, position and `ply` give the same draw */
};
enum { WILLOW_LOSS_MAX = 64 };

/* The limits of a search of a position with so many empty squares: by the level, or the limits as they stand, with
 * selectivity 73 where a depth is given without one (selectivity 0); tightened by the clock when timer is not null. */
struct willow_limits willow_choice_limits(const struct willow_choice *choice, int empties,
                                          const struct willow_timer *timer);

/* Chooses a move of the board by the handle, as willow_search_run gives it; with loss_discs, result->score is that of
 * the chosen move. `ply` enters the draw alone. Any valid board. */
void willow_choice_run(const struct willow_choice *choice, struct willow_search *search,
                       const struct willow_ruleset *ruleset, struct willow_board board, int ply,
                       const struct willow_timer *timer, struct willow_result *result);

#ifdef __cplusplus
}
#endif
#endif
