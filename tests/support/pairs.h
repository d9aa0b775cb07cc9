/* Simulated pairs of games of a known strength, for the tests of what matches say. */
#ifndef WILLOW_TESTS_PAIRS_H
#define WILLOW_TESTS_PAIRS_H

#include <willow/random.h>

#include "selfplay/match/statistics.h"

/* Mean final difference of a won game in simulated pairs, in discs. */
#define PAIRS_MEAN_WIN 17.0

/* Outcomes of a pair among equal engines that play one opening twice: few draws, many games decided by the opening. */
extern const double pairs_equal_engines[STATISTICS_PAIR_OUTCOMES];

double pairs_score(const double shares[STATISTICS_PAIR_OUTCOMES]);

/* (mean - 1/2) / sqrt(2 variance) 800 / ln 10. */
double pairs_nelo(const double shares[STATISTICS_PAIR_OUTCOMES]);

/* Shares proportional to base_i exp(lambda i) whose score, or normalised Elo, is the given one. */
void pairs_of_score(const double base[STATISTICS_PAIR_OUTCOMES], double score, double shares[STATISTICS_PAIR_OUTCOMES]);
void pairs_of_nelo(const double base[STATISTICS_PAIR_OUTCOMES], double nelo, double shares[STATISTICS_PAIR_OUTCOMES]);

/* Draws one pair and adds it. A won game is won by 2, 4 ... 32 discs, all alike. */
void pairs_draw(struct willow_random *random, const double shares[STATISTICS_PAIR_OUTCOMES],
                struct statistics_tally *tally);

#endif
