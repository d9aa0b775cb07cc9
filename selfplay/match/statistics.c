/* Statistics of a match from its pairs. Source of the pentanomial model and of the regularisation of empty cells: Van
 * den Bergh, "Normalized Elo", as used by fishtest; of the bounds: Wilson's score interval with the number of
 * observations divided by the design effect (measured variance over that of a coin with the same mean), the usual
 * remedy for samples that are not coins. Layer: selfplay.
 */
#include "statistics.h"

#include <math.h>

/* 97.5% quantile of the normal distribution. */
static const double normal_quantile = 1.959963984540054;

/* One imaginary pair, spread evenly over the outcomes, joins those that were played where the variance is measured.
 * Fishtest's 0.001 in empty cells alone would let two pairs that happen to end alike claim a certainty of a few Elo;
 * with hundreds of pairs the two agree. */
static const double imaginary_outcome = 1.0 / STATISTICS_PAIR_OUTCOMES;

void statistics_add_pair(struct statistics_tally *tally, int first_discs, int second_discs)
{
    const int discs[2] = {first_discs, second_discs};
    int points = 0;

    for (int game = 0; game < 2; game++) {
        if (discs[game] > 0) {
            tally->wins++;
            points += 2;
        } else if (discs[game] == 0) {
            tally->draws++;
            points += 1;
        } else {
            tally->losses++;
        }
    }
    const int64_t sum = (int64_t)first_discs + second_discs;
    tally->pentanomial[points]++;
    tally->discs_sum += sum;
    tally->discs_squares += sum * sum;
}

uint64_t statistics_pairs(const struct statistics_tally *tally)
{
    uint64_t pairs = 0;

    for (int points = 0; points < STATISTICS_PAIR_OUTCOMES; points++)
        pairs += tally->pentanomial[points];
    return pairs;
}

double statistics_elo(double score)
{
    if (score <= 0.0)
        return -STATISTICS_ELO_LIMIT;
    if (score >= 1.0)
        return STATISTICS_ELO_LIMIT;
    const double elo = 400.0 * log10(score / (1.0 - score));
    return fmax(-STATISTICS_ELO_LIMIT, fmin(STATISTICS_ELO_LIMIT, elo));
}

/* Mean and variance of a pair's score, the imaginary pair included. */
static void regularised_moments(const struct statistics_tally *tally, double *mean, double *variance)
{
    double total = 0.0, sum = 0.0, squares = 0.0;

    for (int points = 0; points < STATISTICS_PAIR_OUTCOMES; points++) {
        const double weight = (double)tally->pentanomial[points] + imaginary_outcome;
        const double score = points / 4.0;
        total += weight;
        sum += weight * score;
        squares += weight * score * score;
    }
    *mean = sum / total;
    *variance = squares / total - *mean * *mean;
}

void statistics_estimate(const struct statistics_tally *tally, struct statistics_estimate *estimate)
{
    const double pairs = (double)statistics_pairs(tally);

    *estimate = (struct statistics_estimate){.score = 0.5,
                                             .score_low = 0.0,
                                             .score_high = 1.0,
                                             .elo_low = -STATISTICS_ELO_LIMIT,
                                             .elo_high = STATISTICS_ELO_LIMIT,
                                             .los = 0.5,
                                             .discs_low = -64.0,
                                             .discs_high = 64.0};
    if (pairs < 1.0)
        return;

    double mean, variance;
    regularised_moments(tally, &mean, &variance);
    const double score = ((double)tally->wins + (double)tally->draws / 2.0) / (2.0 * pairs);
    const double design_effect = variance / (mean * (1.0 - mean));
    const double observations = pairs / design_effect;
    const double z2 = normal_quantile * normal_quantile;
    const double centre = (score + z2 / (2.0 * observations)) / (1.0 + z2 / observations);
    const double width = normal_quantile / (1.0 + z2 / observations) *
                         sqrt(score * (1.0 - score) / observations + z2 / (4.0 * observations * observations));

    estimate->score = score;
    estimate->score_low = fmax(0.0, centre - width);
    estimate->score_high = fmin(1.0, centre + width);
    estimate->elo = statistics_elo(score);
    estimate->elo_low = statistics_elo(estimate->score_low);
    estimate->elo_high = statistics_elo(estimate->score_high);
    estimate->los = 0.5 * erfc(-(score - 0.5) / sqrt(variance / pairs) / sqrt(2.0));

    estimate->discs = (double)tally->discs_sum / (2.0 * pairs);
    if (pairs < 2.0)
        return;
    const double pair_mean = (double)tally->discs_sum / pairs;
    const double spread = fmax(0.0, (double)tally->discs_squares / pairs - pair_mean * pair_mean);
    const double error = sqrt(spread / (pairs - 1.0)) / 2.0;
    estimate->discs_low = fmax(-64.0, estimate->discs - normal_quantile * error);
    estimate->discs_high = fmin(64.0, estimate->discs + normal_quantile * error);
}
