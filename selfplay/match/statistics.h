/* What a match says: pairs of games counted, and score, Elo, normalised Elo and disc difference with 95% bounds.
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

/* Beyond this an Elo or normalised Elo says only "far stronger". */
#define STATISTICS_ELO_LIMIT 1200.0

/* 97.5% quantile of the normal distribution: two-sided bounds of 95% lie so many standard errors away. */
#define STATISTICS_QUANTILE 1.959963984540054

/* Estimates with two-sided 95% bounds. The unit of evidence is the pair (its variance is measured, so equal openings
 * and swapped colours count for what they are worth); one imaginary pair, spread evenly over the outcomes, joins where
 * the variance is measured, so that a few pairs that end alike prove little. Without a pair everything is unknown:
 * score 0.5 in 0..1, and the widest bounds of all the others.
 *  - Score: Wilson's bounds with the pairs' own variance; they equal score -+ 1.96 standard errors in the middle and
 *    stay honest near 0 and 1, where that rule gives no width at all. Elo is the same on another scale.
 *  - Normalised Elo: (score - 1/2) / sqrt(2 * variance of a pair's score) * 800 / ln 10, clamped as Elo is. Near
 *    equality it is what the Elo would be if games were independent coins, so it says how easily the difference shows:
 *    the pairs needed depend on it alone, whatever the openings and draws. Bounds: all values that the pairs do not
 *    contradict by the likelihood ratio of sprt.h, 2 ln ratio <= 1.96^2. Near equality they are +-481 / sqrt(pairs).
 *    Where the pairs have hardly a variance, at a score near 0 or 1, the outer bound is the limit.
 *  - los: the normal distribution's, at (score - 1/2) over its standard error.
 *  - Discs: mean -+ Student's quantile times its standard error over pairs; one more pair joins the variance, 2 discs a
 *    game off the mean. One pair alone has no bounds but +-squares, those of the board (willow_ruleset_squares).
 * They hold the truth in 95 +- 3 of 100 matches from 10 pairs on (tests/test_statistics.c).
 * Some 50 us. */
void statistics_estimate(const struct statistics_tally *tally, int squares, struct statistics_estimate *estimate);

/* Elo difference of an expected score, clamped. */
double statistics_elo(double score);

#endif
