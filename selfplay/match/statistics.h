/* What a match says: pairs of games counted, and score, Elo and disc difference with 95% bounds.
 * Layer: selfplay. Pure arithmetic; plays nothing and prints nothing.
 */
#ifndef WILLOW_SELFPLAY_STATISTICS_H
#define WILLOW_SELFPLAY_STATISTICS_H

#include <stdint.h>

/* A pair is the two games from one opening, colours swapped. Its points lie in 0..4: a win counts 2, a draw 1. */
enum { STATISTICS_PAIR_OUTCOMES = 5 };

/* Finished pairs, seen from the first player. Zeroed = none. */
struct statistics_tally {
    uint64_t wins, draws, losses;                   /* games */
    uint64_t pentanomial[STATISTICS_PAIR_OUTCOMES]; /* pairs by points */
    int64_t discs_sum;                              /* of both games' final differences, over all pairs */
    int64_t discs_squares;                          /* sum over pairs of (sum of the pair's differences) squared */
};

/* Adds one pair by the final differences of its two games in discs, both for the first player. */
void statistics_add_pair(struct statistics_tally *tally, int first_discs, int second_discs);

uint64_t statistics_pairs(const struct statistics_tally *tally);

struct statistics_estimate {
    double score, score_low, score_high; /* share of points, 0..1 */
    double elo, elo_low, elo_high;       /* -400 log10(1/score - 1), clamped to -+STATISTICS_ELO_LIMIT */
    double nelo, nelo_low, nelo_high;    /* normalised Elo, see statistics_estimate */
    double los;                          /* likelihood that the first player is the stronger, 0..1 */
    double discs, discs_low, discs_high; /* mean final difference a game */
};

/* Beyond this a score says only "far stronger". */
#define STATISTICS_ELO_LIMIT 1200.0

/* Estimates with two-sided 95% bounds. The unit of evidence is the pair (its variance is measured, so equal openings
 * and swapped colours count for what they are worth). Bounds of the score are Wilson's with the pairs' own variance:
 * they equal score -+ 1.96 standard errors in the middle and stay honest near 0 and 1, where that rule gives no width
 * at all. Without a pair everything is unknown: score 0.5 in 0..1. */
void statistics_estimate(const struct statistics_tally *tally, struct statistics_estimate *estimate);

/* Elo difference of an expected score, clamped. */
double statistics_elo(double score);

#endif
