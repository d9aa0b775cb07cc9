/* Elo ratings of many players from all their encounters at once, with bounds. Layer: selfplay. Pure arithmetic. */
#ifndef WILLOW_SELFPLAY_RATING_H
#define WILLOW_SELFPLAY_RATING_H

#include <stddef.h>

#include <willow/status.h>

#include "statistics.h"

struct rating_encounter {
    int a, b;                      /* players */
    struct statistics_tally tally; /* seen from a */
};

struct rating {
    double elo, elo_low, elo_high; /* 95% bounds; the anchor's are all 0. Unconnected to the anchor: NAN */
};

/* Maximum likelihood of the logistic model (Bradley-Terry, draws are half points) over all encounters, in which one
 * imaginary pair joins each encounter as in statistics.c, so that a player who won all has a rating. Bounds are of the
 * difference to the anchor, from the pairs' own variances. ratings[0 .. players-1]. WILLOW_ERR_MEMORY. */
enum willow_status rating_fit(int players, int anchor, const struct rating_encounter *encounters, size_t count,
                              struct rating *ratings, struct willow_error *error);

#endif
