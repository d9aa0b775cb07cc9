/* Statistics of a match from its pairs. Source of the pentanomial model and of the regularisation of empty cells: Van
 * den Bergh, "Normalized Elo", as used by fishtest; of the bounds: Wilson's score interval with the number of
 * observations divided by the design effect (measured variance over that of a coin with the same mean), the usual
 * remedy for samples that are not coins. Layer: selfplay.
 */
#include "statistics.h"

#include <math.h>

#include "pentanomial.h"

/* One imaginary pair, spread evenly over the outcomes, joins those that were played where the variance is measured.
 * Fishtest's 0.001 in empty cells alone would let two pairs that happen to end alike claim a certainty of a few Elo;
 * with hundreds of pairs the two agree. */
static const double imaginary_outcome = 1.0 / STATISTICS_PAIR_OUTCOMES;

/* Its disc difference lies this much off the mean, two discs a game, squared: pairs that happen to end alike say no
 * more about discs than about points. */
static const double imaginary_square = 4.0 * 4.0;

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

/* Shares of the outcomes, the imaginary pair included. */
static void regularised_shares(const struct statistics_tally *tally, double pairs, double shares[])
{
    for (int points = 0; points < STATISTICS_PAIR_OUTCOMES; points++)
        shares[points] = ((double)tally->pentanomial[points] + imaginary_outcome) / (pairs + 1.0);
}

/* 97.5% quantile of Student's distribution, by Cornish and Fisher's expansion about the normal one; within 0.2% from
 * three degrees of freedom on, 11.3 and 4.27 for 12.7 and 4.30 below. */
static double student_quantile(double freedom)
{
    const double z = STATISTICS_QUANTILE, z2 = z * z, n = freedom;

    return z * (1.0 + (z2 + 1.0) / (4.0 * n) + ((5.0 * z2 + 16.0) * z2 + 3.0) / (96.0 * n * n) +
                (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / (384.0 * n * n * n) +
                ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / (92160.0 * n * n * n * n));
}

static void estimate_score(double pairs, struct pentanomial_moments moments, struct statistics_estimate *estimate)
{
    const double score = estimate->score;
    const double design_effect = moments.variance / (moments.mean * (1.0 - moments.mean));
    const double observations = pairs / design_effect;
    const double z2 = STATISTICS_QUANTILE * STATISTICS_QUANTILE;
    const double centre = (score + z2 / (2.0 * observations)) / (1.0 + z2 / observations);
    const double width = STATISTICS_QUANTILE / (1.0 + z2 / observations) *
                         sqrt(score * (1.0 - score) / observations + z2 / (4.0 * observations * observations));

    /* Rounding must not leave a score of 0 or 1 outside. */
    estimate->score_low = fmax(0.0, fmin(score, centre - width));
    estimate->score_high = fmin(1.0, fmax(score, centre + width));
    estimate->elo = statistics_elo(score);
    estimate->elo_low = statistics_elo(estimate->score_low);
    estimate->elo_high = statistics_elo(estimate->score_high);
    estimate->los = 0.5 * erfc(-(score - 0.5) / sqrt(moments.variance / pairs) / sqrt(2.0));
}

/* The t-value between the likeliest one and an outer one where the pairs begin to contradict it; the outer one if they
 * do not contradict that. The root of the log-likelihood is almost a straight line in t: regula falsi (Illinois). */
static double likely_end(const double shares[], double pairs, double inner, double outer)
{
    const double limit = STATISTICS_QUANTILE / sqrt(2.0);
    double below = -limit, above = sqrt(pairs * pentanomial_divergence(shares, outer)) - limit;

    if (above <= 0.0)
        return outer;
    for (int step = 0, last = 0; step < 50; step++) {
        const double middle = outer - above * (outer - inner) / (above - below);
        const double value = sqrt(pairs * pentanomial_divergence(shares, middle)) - limit;
        const int side = value > 0.0 ? 1 : -1;

        if (fabs(value) < 1e-6)
            return middle;
        if (side > 0) {
            outer = middle;
            above = value;
            below /= side == last ? 2.0 : 1.0;
        } else {
            inner = middle;
            below = value;
            above /= side == last ? 2.0 : 1.0;
        }
        last = side;
    }
    return outer;
}

static void estimate_nelo(const double shares[], double pairs, struct pentanomial_moments moments,
                          struct statistics_estimate *estimate)
{
    const double most = pentanomial_t(STATISTICS_ELO_LIMIT), sigma = sqrt(moments.variance);
    const double likeliest = fmax(-most, fmin(most, (moments.mean - 0.5) / sigma));
    const double t = fmax(-most, fmin(most, (estimate->score - 0.5) / sigma));

    estimate->nelo = pentanomial_nelo(t);
    estimate->nelo_low = pentanomial_nelo(likely_end(shares, pairs, likeliest, -most));
    estimate->nelo_high = pentanomial_nelo(likely_end(shares, pairs, likeliest, most));
}

static void estimate_discs(const struct statistics_tally *tally, double pairs, double most,
                           struct statistics_estimate *estimate)
{
    const double pair_mean = (double)tally->discs_sum / pairs;

    estimate->discs = pair_mean / 2.0;
    if (pairs < 2.0)
        return;
    const double squares = fmax(0.0, (double)tally->discs_squares - pairs * pair_mean * pair_mean) + imaginary_square;
    const double error = sqrt(squares / (pairs - 1.0) / pairs) / 2.0;
    const double width = student_quantile(pairs - 1.0) * error;
    estimate->discs_low = fmax(-most, estimate->discs - width);
    estimate->discs_high = fmin(most, estimate->discs + width);
}

void statistics_estimate(const struct statistics_tally *tally, int squares, struct statistics_estimate *estimate)
{
    const double pairs = (double)statistics_pairs(tally);
    double shares[STATISTICS_PAIR_OUTCOMES];

    *estimate = (struct statistics_estimate){.score = 0.5,
                                             .score_low = 0.0,
                                             .score_high = 1.0,
                                             .elo_low = -STATISTICS_ELO_LIMIT,
                                             .elo_high = STATISTICS_ELO_LIMIT,
                                             .nelo_low = -STATISTICS_ELO_LIMIT,
                                             .nelo_high = STATISTICS_ELO_LIMIT,
                                             .los = 0.5,
                                             .discs_low = -squares,
                                             .discs_high = squares};
    if (pairs < 1.0)
        return;
    regularised_shares(tally, pairs, shares);
    const struct pentanomial_moments moments = pentanomial_moments(shares);
    estimate->score = ((double)tally->wins + (double)tally->draws / 2.0) / (2.0 * pairs);
    estimate_score(pairs, moments, estimate);
    estimate_nelo(shares, pairs, moments, estimate);
    estimate_discs(tally, pairs, squares, estimate);
}
