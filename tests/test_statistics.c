/* Match statistics: hand-computed values, symmetry, and coverage of the bounds in simulated matches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <willow/random.h>

#include "selfplay/match/statistics.h"
#include "support/pairs.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.6f is not within %.6f of %.6f", value, tolerance, expected);
}

static void test_tally_counts_games_and_pairs(void **state)
{
    struct statistics_tally tally = {0};

    (void)state;
    statistics_add_pair(&tally, 10, 2);   /* 1 */
    statistics_add_pair(&tally, 0, 4);    /* 3/4 */
    statistics_add_pair(&tally, 6, -8);   /* 1/2 */
    statistics_add_pair(&tally, 0, 0);    /* 1/2 */
    statistics_add_pair(&tally, -2, 0);   /* 1/4 */
    statistics_add_pair(&tally, -4, -64); /* 0 */
    assert_int_equal(tally.wins, 4);
    assert_int_equal(tally.draws, 4);
    assert_int_equal(tally.losses, 4);
    assert_int_equal(tally.pentanomial[0], 1);
    assert_int_equal(tally.pentanomial[1], 1);
    assert_int_equal(tally.pentanomial[2], 2);
    assert_int_equal(tally.pentanomial[3], 1);
    assert_int_equal(tally.pentanomial[4], 1);
    assert_int_equal(tally.discs_sum, 12 + 4 - 2 + 0 - 2 - 68);
    assert_int_equal(tally.discs_squares, 144 + 16 + 4 + 0 + 4 + 68 * 68);
    assert_int_equal(statistics_pairs(&tally), 6);
}

/* 100 pairs: 10, 20, 30, 25, 15. By hand: mean (20 * 1/4 + 30 * 1/2 + 25 * 3/4 + 15) / 100 = 0.5375; mean of squares
 * (20 / 16 + 30 / 4 + 25 * 9/16 + 15) / 100 = 0.378125; variance 0.378125 - 0.28890625 = 0.08921875; standard error
 * 0.0298695. The rule of 1.96 standard errors gives 0.4790 .. 0.5960, Elo 400 log10(0.5375 / 0.4625) = 26.107 with
 * -14.6 .. 67.6; los = Phi(0.0375 / 0.0298695) = Phi(1.25546) = 0.89534. */
static void test_hand_computed_match(void **state)
{
    const struct statistics_tally tally = {.wins = 85, .draws = 45, .losses = 70, .pentanomial = {10, 20, 30, 25, 15}};
    struct statistics_estimate estimate;

    (void)state;
    statistics_estimate(&tally, 64, &estimate);
    assert_near(estimate.score, 0.5375, 1e-12);
    assert_near(estimate.elo, 26.107, 0.001);
    assert_near(estimate.score_low, 0.4790, 0.001);
    assert_near(estimate.score_high, 0.5960, 0.001);
    assert_near(estimate.elo_low, -14.6, 0.6);
    assert_near(estimate.elo_high, 67.6, 0.8);
    assert_near(estimate.los, 0.89534, 0.001);
}

/* The same match. The imaginary pair makes the variance 0.0895874: 0.0375 / sqrt(0.1791748) * 800 / ln 10 = 30.78. Near
 * equality the standard error of a pair's t-value is 1 / sqrt(pairs): 1.96 * 800 / (sqrt 2 ln 10 * 10) = 48.2. */
static void test_hand_computed_normalised_elo(void **state)
{
    const struct statistics_tally tally = {.wins = 85, .draws = 45, .losses = 70, .pentanomial = {10, 20, 30, 25, 15}};
    const struct statistics_tally mirrored = {
        .wins = 70, .draws = 45, .losses = 85, .pentanomial = {15, 25, 30, 20, 10}};
    struct statistics_estimate estimate, other;

    (void)state;
    statistics_estimate(&tally, 64, &estimate);
    assert_near(estimate.nelo, 30.78, 0.01);
    assert_near(estimate.nelo_low, 30.78 - 48.2, 1.0);
    assert_near(estimate.nelo_high, 30.78 + 48.2, 1.0);
    statistics_estimate(&mirrored, 64, &other);
    assert_near(other.nelo, -estimate.nelo, 1e-9);
    assert_near(other.nelo_low, -estimate.nelo_high, 1e-3);
    assert_near(other.nelo_high, -estimate.nelo_low, 1e-3);
}

/* Pair sums 10, -2, 4, 8: mean 5, squares 184, deviations 184 - 100 and 16 of the imaginary pair, variance 100 / 3,
 * error of the mean sqrt(33.333 / 4) = 2.8868; a game is half of a pair: 2.5 +- 3.182 * 1.4434 = 4.593, with Student's
 * quantile for three degrees of freedom. */
static void test_hand_computed_discs(void **state)
{
    struct statistics_tally tally = {0};
    struct statistics_estimate estimate;

    (void)state;
    statistics_add_pair(&tally, 6, 4);
    statistics_add_pair(&tally, 2, -4);
    statistics_add_pair(&tally, 10, -6);
    statistics_add_pair(&tally, 4, 4);
    statistics_estimate(&tally, 64, &estimate);
    assert_near(estimate.discs, 2.5, 1e-12);
    assert_near(estimate.discs_low, 2.5 - 4.593, 0.01);
    assert_near(estimate.discs_high, 2.5 + 4.593, 0.01);
}

static void test_elo_of_scores(void **state)
{
    (void)state;
    assert_near(statistics_elo(0.5), 0.0, 1e-9);
    assert_near(statistics_elo(0.75), 190.848, 0.001);
    assert_near(statistics_elo(0.25), -190.848, 0.001);
    assert_near(statistics_elo(10.0 / 11.0), 400.0, 1e-9);
    assert_near(statistics_elo(1.0), STATISTICS_ELO_LIMIT, 0.0);
    assert_near(statistics_elo(0.0), -STATISTICS_ELO_LIMIT, 0.0);
}

static void test_nothing_played_says_nothing(void **state)
{
    const struct statistics_tally tally = {0};
    struct statistics_estimate estimate;

    (void)state;
    statistics_estimate(&tally, 64, &estimate);
    assert_near(estimate.score, 0.5, 0.0);
    assert_near(estimate.score_low, 0.0, 0.0);
    assert_near(estimate.score_high, 1.0, 0.0);
    assert_near(estimate.los, 0.5, 0.0);
    assert_near(estimate.nelo, 0.0, 0.0);
    assert_near(estimate.nelo_low, -STATISTICS_ELO_LIMIT, 0.0);
    assert_near(estimate.nelo_high, STATISTICS_ELO_LIMIT, 0.0);
    assert_near(estimate.discs_low, -64.0, 0.0);
    assert_near(estimate.discs_high, 64.0, 0.0);
}

/* Where every pair ended alike the sample has no variance; the bounds must still say that few pairs prove little.
 * Reference: the lower end for n wins of n is n / (n + 1.96^2) by Wilson, somewhat higher for the pairs' smaller
 * variance. */
static void test_clean_sweep_keeps_width(void **state)
{
    struct statistics_estimate few, many, lost;
    const struct statistics_tally sweep = {.wins = 20, .pentanomial = {0, 0, 0, 0, 10}};
    const struct statistics_tally long_sweep = {.wins = 400, .pentanomial = {0, 0, 0, 0, 200}};
    const struct statistics_tally defeat = {.losses = 20, .pentanomial = {10, 0, 0, 0, 0}};

    (void)state;
    statistics_estimate(&sweep, 64, &few);
    statistics_estimate(&long_sweep, 64, &many);
    statistics_estimate(&defeat, 64, &lost);
    assert_near(few.score, 1.0, 0.0);
    assert_true(few.score_low > 10.0 / (10.0 + 3.85) && few.score_low < 0.85);
    assert_true(many.score_low > 0.975 && many.score_low < 0.99);
    assert_near(few.score_high, 1.0, 1e-9);
    assert_true(few.los > 0.99999);
    assert_near(lost.score_high, 1.0 - few.score_low, 1e-9);
    assert_near(lost.elo_high, -few.elo_low, 1e-6);
    /* Normalised Elo has no upper end there; what is left below is beyond doubt a win, and more so after more games. */
    assert_near(few.nelo_high, STATISTICS_ELO_LIMIT, 0.0);
    assert_true(few.nelo_low > 100.0 && few.nelo_low < 400.0 && few.nelo > few.nelo_low);
    assert_true(many.nelo_low > 2.0 * few.nelo_low && many.nelo == STATISTICS_ELO_LIMIT);
    assert_near(lost.nelo_high, -few.nelo_low, 1e-3);
    assert_near(lost.nelo_low, -STATISTICS_ELO_LIMIT, 0.0);
}

/* Two pairs that end alike prove next to nothing; many do. */
static void test_few_equal_pairs_keep_width(void **state)
{
    const struct statistics_tally two = {.wins = 2, .losses = 2, .pentanomial = {0, 0, 2, 0, 0}};
    const struct statistics_tally many = {.wins = 400, .losses = 400, .pentanomial = {0, 0, 400, 0, 0}};
    struct statistics_estimate estimate;

    (void)state;
    statistics_estimate(&two, 64, &estimate);
    assert_true(estimate.score == 0.5 && estimate.elo == 0.0);
    assert_true(estimate.score_low < 0.35 && estimate.score_high > 0.65);
    assert_true(estimate.nelo_low < -300.0 && estimate.nelo == 0.0 && estimate.nelo_high > 300.0);
    assert_true(estimate.discs == 0.0 && estimate.discs_low < -10.0 && estimate.discs_high > 10.0);
    statistics_estimate(&many, 64, &estimate);
    assert_true(estimate.score_low > 0.495 && estimate.score_high < 0.505);
}

/* Any tally has bounds about its estimate; a larger one of the same kind has narrower ones. */
static void test_bounds_hold_the_estimate(void **state)
{
    struct willow_random random;

    (void)state;
    willow_random_init(&random, 3, 0);
    for (int round = 0; round < 2000; round++) {
        struct statistics_tally tally = {0}, larger;
        struct statistics_estimate estimate, narrower;

        for (int i = 0; i < STATISTICS_PAIR_OUTCOMES; i++)
            tally.pentanomial[i] = willow_random_below(&random, 1U << willow_random_below(&random, 12));
        tally.wins = tally.pentanomial[3] + 2 * tally.pentanomial[4] + tally.pentanomial[2];
        tally.draws = tally.pentanomial[1] + tally.pentanomial[3];
        tally.losses = tally.pentanomial[1] + 2 * tally.pentanomial[0] + tally.pentanomial[2];
        larger = tally;
        larger.wins *= 4;
        larger.draws *= 4;
        larger.losses *= 4;
        for (int i = 0; i < STATISTICS_PAIR_OUTCOMES; i++)
            larger.pentanomial[i] *= 4;
        statistics_estimate(&tally, 64, &estimate);
        statistics_estimate(&larger, 64, &narrower);
        assert_true(estimate.score_low <= estimate.score && estimate.score <= estimate.score_high);
        assert_true(estimate.nelo_low <= estimate.nelo && estimate.nelo <= estimate.nelo_high);
        assert_true(estimate.nelo_low >= -STATISTICS_ELO_LIMIT && estimate.nelo_high <= STATISTICS_ELO_LIMIT);
        if (statistics_pairs(&tally) > 0)
            assert_true(narrower.score_high - narrower.score_low < estimate.score_high - estimate.score_low);
        if (statistics_pairs(&tally) > 0 && fabs(estimate.nelo) < 300.0)
            assert_true(narrower.nelo_high - narrower.nelo_low < estimate.nelo_high - estimate.nelo_low);
    }
}

/* How many of simulated matches have bounds that hold the truth, in parts of all. */
struct coverage {
    double score, nelo, discs;
};

static struct coverage cover(const double shares[STATISTICS_PAIR_OUTCOMES], int pairs, int matches)
{
    struct coverage coverage = {0.0, 0.0, 0.0};
    const double score = pairs_score(shares), nelo = pairs_nelo(shares);
    const double discs = PAIRS_MEAN_WIN * (2.0 * score - 1.0);

    for (int match = 0; match < matches; match++) {
        struct willow_random random;
        struct statistics_tally tally = {0};
        struct statistics_estimate estimate;

        willow_random_init(&random, (uint64_t)pairs, (uint64_t)match);
        for (int pair = 0; pair < pairs; pair++)
            pairs_draw(&random, shares, &tally);
        statistics_estimate(&tally, 64, &estimate);
        coverage.score += (estimate.score_low <= score && score <= estimate.score_high) / (double)matches;
        coverage.nelo += (estimate.nelo_low <= nelo && nelo <= estimate.nelo_high) / (double)matches;
        coverage.discs += (estimate.discs_low <= discs && discs <= estimate.discs_high) / (double)matches;
    }
    return coverage;
}

/* About 95 of 100 bounds must hold the truth; 2000 matches have a standard error of 0.5%. */
static void test_bounds_cover_the_truth(void **state)
{
    static const double models[][STATISTICS_PAIR_OUTCOMES] = {{0.20, 0.04, 0.52, 0.04, 0.20},
                                                              {0.10, 0.20, 0.40, 0.20, 0.10},
                                                              {0.02, 0.08, 0.30, 0.30, 0.30},
                                                              {0.30, 0.02, 0.36, 0.02, 0.30},
                                                              {0.0, 0.01, 0.08, 0.11, 0.80}};
    enum { MATCHES = 2000, PAIRS = 100 };

    (void)state;
    for (size_t model = 0; model < sizeof models / sizeof *models; model++) {
        const struct coverage coverage = cover(models[model], PAIRS, MATCHES);

        print_message("model %zu: score %.1f%%, normalised Elo %.1f%%, discs %.1f%%\n", model, 100.0 * coverage.score,
                      100.0 * coverage.nelo, 100.0 * coverage.discs);
        assert_true(coverage.score > 0.93 && coverage.score < 0.97);
        assert_true(coverage.nelo > 0.93 && coverage.nelo < 0.97);
        assert_true(coverage.discs > 0.93 && coverage.discs < 0.97);
    }
}

/* With few pairs, of players near and far, bounds may be too wide but not much too narrow. */
static void test_few_pairs_are_covered(void **state)
{
    static const double nelos[] = {0.0, 150.0, 400.0};
    static const int pairs[] = {4, 10, 20};

    (void)state;
    for (size_t n = 0; n < sizeof nelos / sizeof *nelos; n++)
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
            double shares[STATISTICS_PAIR_OUTCOMES];

            pairs_of_nelo(pairs_equal_engines, nelos[n], shares);
            const struct coverage coverage = cover(shares, pairs[p], 1000);
            if (coverage.score < 0.91 || coverage.nelo < 0.925 || coverage.discs < 0.925)
                fail_msg("%d pairs at %g: score %.3f, normalised Elo %.3f, discs %.3f", pairs[p], nelos[n],
                         coverage.score, coverage.nelo, coverage.discs);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tally_counts_games_and_pairs),
        cmocka_unit_test(test_hand_computed_match),
        cmocka_unit_test(test_hand_computed_normalised_elo),
        cmocka_unit_test(test_hand_computed_discs),
        cmocka_unit_test(test_elo_of_scores),
        cmocka_unit_test(test_nothing_played_says_nothing),
        cmocka_unit_test(test_clean_sweep_keeps_width),
        cmocka_unit_test(test_few_equal_pairs_keep_width),
        cmocka_unit_test(test_bounds_hold_the_estimate),
        cmocka_unit_test(test_bounds_cover_the_truth),
        cmocka_unit_test(test_few_pairs_are_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
