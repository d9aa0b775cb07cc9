/* Elo ratings of many players from all their encounters at once, with bounds. Layer: selfplay. Pure arithmetic. */
#ifndef WILLOW_SELFPLAY_RATING_H
#define WILLOW_SELFPLAY_RATING_H

#include <stddef.h>

#include <willow/status.h>

#include "statistics.h"

struct rating_encounter {
    int a, b;                      /* players, two different ones */
    struct statistics_tally tally; /* seen from a; may be empty: it connects nobody then */
};

struct rating {
    double elo, elo_low, elo_high; /* 95% bounds; the anchor's are all 0. Unconnected to the anchor: NAN */
};

/* Maximum likelihood of the logistic model (Bradley-Terry, draws are half points) over all encounters, corrected for
 * its bias away from equality as Firth does: as if each encounter had one more pair, evenly spread over the outcomes,
 * that weighs as much as the ratings rest on that encounter (its leverage, 1 for two players alone, in total one less
 * than the players). So a player who won all has a rating, and who plays many opponents is not drawn to them.
 * Bounds are of the difference to the anchor, from the pairs' own deviations from what the ratings expect (the sandwich
 * of the information), that pair included; for two players who met often they are those of statistics_estimate. Several
 * encounters of the same players, in either order, count as one.
 * ratings[0 .. players-1]; 0 <= anchor < players. Time grows with the cube of the players. WILLOW_ERR_MEMORY. */
enum willow_status rating_fit(int players, int anchor, const struct rating_encounter *encounters, size_t count,
                              struct rating *ratings, struct willow_error *error);

#endif
