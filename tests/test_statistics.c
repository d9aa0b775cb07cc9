/* Match statistics: hand-computed values, symmetry, and coverage of the bounds in simulated matches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <willow/random.h>

#include "selfplay/match/statistics.h"

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
    statistics_estimate(&tally, &estimate);
    assert_near(estimate.score, 0.5375, 1e-12);
    assert_near(estimate.elo, 26.107, 0.001);
    assert_near(estimate.score_low, 0.4790, 0.001);
    assert_near(estimate.score_high, 0.5960, 0.001);
    assert_near(estimate.elo_low, -14.6, 0.6);
    assert_near(estimate.elo_high, 67.6, 0.8);
    assert_near(estimate.los, 0.89534, 0.001);
}

/* Pair sums 10, -2, 4, 8: mean 5, squares 184, variance (184 - 100) / 3 = 28, error of the mean sqrt(28 / 4) = 2.6458;
 * a game is half of a pair: 2.5 +- 1.96 * 1.3229 = 2.5929. */
static void test_hand_computed_discs(void **state)
{
    struct statistics_tally tally = {0};
    struct statistics_estimate estimate;

    (void)state;
    statistics_add_pair(&tally, 6, 4);
    statistics_add_pair(&tally, 2, -4);
    statistics_add_pair(&tally, 10, -6);
    statistics_add_pair(&tally, 4, 4);
    statistics_estimate(&tally, &estimate);
    assert_near(estimate.discs, 2.5, 1e-12);
    assert_near(estimate.discs_low, 2.5 - 2.5929, 0.001);
    assert_near(estimate.discs_high, 2.5 + 2.5929, 0.001);
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
    statistics_estimate(&tally, &estimate);
    assert_near(estimate.score, 0.5, 0.0);
    assert_near(estimate.score_low, 0.0, 0.0);
    assert_near(estimate.score_high, 1.0, 0.0);
    assert_near(estimate.los, 0.5, 0.0);
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
    statistics_estimate(&sweep, &few);
    statistics_estimate(&long_sweep, &many);
    statistics_estimate(&defeat, &lost);
    assert_near(few.score, 1.0, 0.0);
    assert_true(few.score_low > 10.0 / (10.0 + 3.85) && few.score_low < 0.85);
    assert_true(many.score_low > 0.975 && many.score_low < 0.99);
    assert_near(few.score_high, 1.0, 1e-9);
    assert_true(few.los > 0.99999);
    assert_near(lost.score_high, 1.0 - few.score_low, 1e-9);
    assert_near(lost.elo_high, -few.elo_low, 1e-6);
}

/* Two pairs that end alike prove next to nothing; many do. */
static void test_few_equal_pairs_keep_width(void **state)
{
    const struct statistics_tally two = {.wins = 2, .losses = 2, .pentanomial = {0, 0, 2, 0, 0}};
    const struct statistics_tally many = {.wins = 400, .losses = 400, .pentanomial = {0, 0, 400, 0, 0}};
    struct statistics_estimate estimate;

    (void)state;
    statistics_estimate(&two, &estimate);
    assert_true(estimate.score == 0.5 && estimate.elo == 0.0);
    assert_true(estimate.score_low < 0.35 && estimate.score_high > 0.65);
    statistics_estimate(&many, &estimate);
    assert_true(estimate.score_low > 0.495 && estimate.score_high < 0.505);
}

/* Draws pair outcomes from known distributions; the bounds must hold the true score in about 95 of 100 matches. 4000
 * matches have a standard error of 0.34%. */
static void test_bounds_cover_the_truth(void **state)
{
    static const double models[][STATISTICS_PAIR_OUTCOMES] = {{0.10, 0.20, 0.40, 0.20, 0.10},
                                                              {0.02, 0.08, 0.30, 0.30, 0.30},
                                                              {0.30, 0.02, 0.36, 0.02, 0.30},
                                                              {0.0, 0.01, 0.08, 0.11, 0.80}};
    enum { MATCHES = 4000, PAIRS = 100 };

    (void)state;
    for (size_t model = 0; model < sizeof models / sizeof *models; model++) {
        struct willow_random random;
        double truth = 0.0;
        int covered = 0;

        for (int points = 0; points < STATISTICS_PAIR_OUTCOMES; points++)
            truth += models[model][points] * points / 4.0;
        willow_random_init(&random, 2, model);
        for (int match = 0; match < MATCHES; match++) {
            static const int discs[STATISTICS_PAIR_OUTCOMES][2] = {{-2, -4}, {-2, 0}, {6, -6}, {0, 8}, {2, 2}};
            struct statistics_tally tally = {0};
            struct statistics_estimate estimate;

            for (int pair = 0; pair < PAIRS; pair++) {
                double draw = willow_random_unit(&random);
                int points = 0;
                while (points < STATISTICS_PAIR_OUTCOMES - 1 && draw >= models[model][points])
                    draw -= models[model][points++];
                statistics_add_pair(&tally, discs[points][0], discs[points][1]);
            }
            statistics_estimate(&tally, &estimate);
            covered += estimate.score_low <= truth && truth <= estimate.score_high;
        }
        if (covered < 0.93 * MATCHES || covered > 0.97 * MATCHES)
            fail_msg("model %zu: %d of %d matches covered the truth", model, covered, MATCHES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tally_counts_games_and_pairs), cmocka_unit_test(test_hand_computed_match),
        cmocka_unit_test(test_hand_computed_discs),          cmocka_unit_test(test_elo_of_scores),
        cmocka_unit_test(test_nothing_played_says_nothing),  cmocka_unit_test(test_clean_sweep_keeps_width),
        cmocka_unit_test(test_few_equal_pairs_keep_width),   cmocka_unit_test(test_bounds_cover_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
