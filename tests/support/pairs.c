/* Simulated pairs of games of a known strength. */
#include "support/pairs.h"

#include <math.h>

enum { OUTCOMES = STATISTICS_PAIR_OUTCOMES };

const double pairs_equal_engines[STATISTICS_PAIR_OUTCOMES] = {0.20, 0.04, 0.52, 0.04, 0.20};

double pairs_score(const double shares[STATISTICS_PAIR_OUTCOMES])
{
    return (shares[1] + 2.0 * shares[2] + 3.0 * shares[3] + 4.0 * shares[4]) / 4.0;
}

double pairs_nelo(const double shares[STATISTICS_PAIR_OUTCOMES])
{
    const double mean = pairs_score(shares);
    double variance = 0.0;

    for (int i = 0; i < OUTCOMES; i++)
        variance += shares[i] * (i / 4.0 - mean) * (i / 4.0 - mean);
    return (mean - 0.5) / sqrt(2.0 * variance) * 800.0 / log(10.0);
}

/* Both measures rise with lambda: bisection. */
static void tilt(const double base[OUTCOMES], double (*measure)(const double *), double target, double shares[OUTCOMES])
{
    double low = -20.0, high = 20.0;

    for (int step = 0; step < 100; step++) {
        const double lambda = (low + high) / 2.0;
        double total = 0.0;

        for (int i = 0; i < OUTCOMES; i++) {
            shares[i] = base[i] * exp(lambda * (i - 2));
            total += shares[i];
        }
        for (int i = 0; i < OUTCOMES; i++)
            shares[i] /= total;
        if (measure(shares) < target)
            low = lambda;
        else
            high = lambda;
    }
}

void pairs_of_score(const double base[STATISTICS_PAIR_OUTCOMES], double score, double shares[STATISTICS_PAIR_OUTCOMES])
{
    tilt(base, pairs_score, score, shares);
}

void pairs_of_nelo(const double base[STATISTICS_PAIR_OUTCOMES], double nelo, double shares[STATISTICS_PAIR_OUTCOMES])
{
    tilt(base, pairs_nelo, nelo, shares);
}

void pairs_draw(struct willow_random *random, const double shares[STATISTICS_PAIR_OUTCOMES],
                struct statistics_tally *tally)
{
    /* Results of both games by the pair's points: one way each is enough. */
    static const int results[OUTCOMES][2] = {{-1, -1}, {-1, 0}, {1, -1}, {1, 0}, {1, 1}};
    double draw = willow_random_unit(random);
    int points = 0;

    while (points < OUTCOMES - 1 && draw >= shares[points])
        draw -= shares[points++];
    const int margin = 2 + 2 * (int)willow_random_below(random, 16);
    const int other_margin = 2 + 2 * (int)willow_random_below(random, 16);
    statistics_add_pair(tally, results[points][0] * margin, results[points][1] * other_margin);
}
