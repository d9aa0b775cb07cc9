/* Distributions over the five outcomes of a pair of games: moments, normalised Elo, and how well one explains what was
 * seen if its strength is given. Behind the bounds of statistics.h and the test of sprt.h.
 * Layer: selfplay. Pure arithmetic.
 */
#ifndef WILLOW_SELFPLAY_PENTANOMIAL_H
#define WILLOW_SELFPLAY_PENTANOMIAL_H

#include "statistics.h"

/* Outcome i has the score i/4, the first player's share of the pair's points. */
struct pentanomial_moments {
    double mean, variance;
};

struct pentanomial_moments pentanomial_moments(const double shares[STATISTICS_PAIR_OUTCOMES]);

/* The t-value of a pair is (mean - 1/2) / sqrt(variance); normalised Elo is t / sqrt(2) * 800 / ln 10, that is, per
 * game: near equality it is the Elo difference if the games of a pair were independent and without draws. */
double pentanomial_nelo(double t);
double pentanomial_t(double nelo);

/* The least divergence sum p_i ln(p_i / q_i) of the shares p that were seen from a distribution q whose t-value is t.
 * Times the number of pairs it is the log-likelihood that the assumption t costs against no assumption at all: 0 where
 * t is the t-value of p, rising with the distance from it.
 * shares: each above 0, sum 1. |t| <= 10. About 1 us. */
double pentanomial_divergence(const double shares[STATISTICS_PAIR_OUTCOMES], double t);

#endif
