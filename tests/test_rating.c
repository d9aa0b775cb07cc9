/* Ratings: against a slow search for the maximum, against the statistics of one match, and the coverage of their bounds
 * in simulated leagues. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

#include "selfplay/match/rating.h"
#include "support/pairs.h"

enum { MAX_PLAYERS = 8, MAX_ENCOUNTERS = MAX_PLAYERS * (MAX_PLAYERS - 1) / 2 };

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not within %.3g of %.9g", value, tolerance, expected);
}

static double expected_score(double elo)
{
    return 1.0 / (1.0 + pow(10.0, -elo / 400.0));
}

/* Plays every encounter of a league with players of these strengths. */
static size_t play_league(struct willow_random *random, int players, const double *elo, int pairs,
                          struct rating_encounter *encounters)
{
    size_t count = 0;

    for (int a = 0; a < players; a++)
        for (int b = a + 1; b < players; b++) {
            double shares[STATISTICS_PAIR_OUTCOMES];

            pairs_of_score(pairs_equal_engines, expected_score(elo[a] - elo[b]), shares);
            encounters[count] = (struct rating_encounter){.a = a, .b = b};
            for (int pair = 0; pair < pairs; pair++)
                pairs_draw(random, shares, &encounters[count].tally);
            count++;
        }
    return count;
}

static struct rating_encounter mirrored(const struct rating_encounter *encounter)
{
    struct rating_encounter other = {.a = encounter->b, .b = encounter->a};

    for (int i = 0; i < STATISTICS_PAIR_OUTCOMES; i++)
        other.tally.pentanomial[i] = encounter->tally.pentanomial[STATISTICS_PAIR_OUTCOMES - 1 - i];
    return other;
}

static void test_two_players_are_a_match(void **state)
{
    const double elo[2] = {90.0, 0.0};
    struct willow_random random;
    struct rating_encounter encounter;
    struct statistics_estimate estimate;
    struct rating ratings[2];

    (void)state;
    willow_random_init(&random, 1, 1);
    play_league(&random, 2, elo, 3000, &encounter);
    statistics_estimate(&encounter.tally, 64, &estimate);
    assert_int_equal(rating_fit(2, 1, &encounter, 1, ratings, NULL), WILLOW_OK);
    assert_near(ratings[0].elo, estimate.elo, 0.1);
    assert_near(ratings[0].elo_low, estimate.elo_low, 0.2);
    assert_near(ratings[0].elo_high, estimate.elo_high, 0.2);
    assert_true(ratings[1].elo == 0.0 && ratings[1].elo_low == 0.0 && ratings[1].elo_high == 0.0);
}

/* One pair won and nine drawn, by hand: with the imaginary pair the score is (1 + 4.5 + 0.5) / 11 = 6/11, so the Elo is
 * 400 log10(6/5). Squared deviations: (5/11)^2 + 9.2 (1/22)^2 + 0.2 ((6/11)^2 + (13/44)^2 + (9/44)^2 + (5/11)^2)
 * = 0.352273; information 11 (6/11)(5/11) = 2.727273; error 0.593526 / 2.727273 = 0.217626 in units of 400 / ln 10. */
static void test_hand_computed(void **state)
{
    const struct rating_encounter encounter = {.a = 0, .b = 1, .tally = {.pentanomial = {0, 0, 9, 0, 1}}};
    struct rating ratings[2];

    (void)state;
    assert_int_equal(rating_fit(2, 1, &encounter, 1, ratings, NULL), WILLOW_OK);
    assert_near(ratings[0].elo, 400.0 * log10(1.2), 1e-4);
    assert_near(ratings[0].elo_high - ratings[0].elo, 1.959964 * 0.217626 * 400.0 / log(10.0), 0.001);
    assert_near(ratings[0].elo - ratings[0].elo_low, 1.959964 * 0.217626 * 400.0 / log(10.0), 0.001);
}

/* Firth's likelihood of four players written out, the last one the anchor. */
static double slow_likelihood(const double elo[4], const struct rating_encounter *encounters, size_t count)
{
    double m[3][3] = {{0.0}}, sum = 0.0;

    for (size_t i = 0; i < count; i++) {
        const int a = encounters[i].a, b = encounters[i].b;
        const uint64_t *const cells = encounters[i].tally.pentanomial;
        const double score = expected_score(elo[a] - elo[b]);
        double pairs = 0.0;

        for (int outcome = 0; outcome < STATISTICS_PAIR_OUTCOMES; outcome++) {
            const double share = outcome / 4.0;
            sum += (double)cells[outcome] * (share * log(score) + (1.0 - share) * log(1.0 - score));
            pairs += (double)cells[outcome];
        }
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                m[row][column] +=
                    pairs * score * (1.0 - score) * ((row == a) - (row == b)) * ((column == a) - (column == b));
    }
    const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return sum + log(determinant) / 2.0;
}

/* The reference: one coordinate after the other, in steps that shrink. */
static void slow_fit(const struct rating_encounter *encounters, size_t count, double elo[4])
{
    for (double step = 256.0; step > 1e-5; step /= 2.0)
        for (bool moved = true; moved;) {
            moved = false;
            for (int player = 0; player < 3; player++)
                for (int sign = -1; sign <= 1; sign += 2) {
                    double trial[4];
                    memcpy(trial, elo, sizeof trial);
                    trial[player] += sign * step;
                    if (slow_likelihood(trial, encounters, count) > slow_likelihood(elo, encounters, count) + 1e-13) {
                        memcpy(elo, trial, sizeof trial);
                        moved = true;
                    }
                }
        }
}

static void test_agrees_with_slow_search(void **state)
{
    static const double truth[4] = {250.0, 100.0, -50.0, 0.0};

    (void)state;
    for (int round = 0; round < 12; round++) {
        struct rating_encounter encounters[MAX_ENCOUNTERS];
        struct willow_random random;
        struct rating ratings[4];
        double slow[4] = {0.0};

        willow_random_init(&random, 2, (uint64_t)round);
        size_t count = play_league(&random, 4, truth, 1 + round * round, encounters);
        if (round % 3 == 2)
            count -= 2; /* the anchor knows player 0 alone: a chain */
        slow_fit(encounters, count, slow);
        assert_int_equal(rating_fit(4, 3, encounters, count, ratings, NULL), WILLOW_OK);
        for (int player = 0; player < 4; player++)
            assert_near(ratings[player].elo, slow[player], 0.01);
    }
}

/* Differences of ratings depend neither on the anchor nor on how the encounters are written down. */
static void test_order_and_anchor_do_not_matter(void **state)
{
    static const double truth[5] = {100.0, 30.0, 0.0, -80.0, -200.0};
    struct rating_encounter encounters[MAX_ENCOUNTERS], other[2 * MAX_ENCOUNTERS];
    struct willow_random random;
    struct rating first[5], second[5];
    size_t count, written = 0;

    (void)state;
    willow_random_init(&random, 3, 0);
    count = play_league(&random, 5, truth, 16, encounters);
    for (size_t i = count; i-- > 0;) {
        /* Half of each encounter from the other side. */
        struct rating_encounter left = encounters[i], right = encounters[i];
        for (int outcome = 0; outcome < STATISTICS_PAIR_OUTCOMES; outcome++) {
            left.tally.pentanomial[outcome] /= 2;
            right.tally.pentanomial[outcome] -= left.tally.pentanomial[outcome];
        }
        other[written++] = mirrored(&left);
        other[written++] = right;
    }
    assert_int_equal(rating_fit(5, 0, encounters, count, first, NULL), WILLOW_OK);
    assert_int_equal(rating_fit(5, 0, other, written, second, NULL), WILLOW_OK);
    for (int player = 0; player < 5; player++) {
        assert_near(second[player].elo, first[player].elo, 1e-4);
        assert_near(second[player].elo_low, first[player].elo_low, 1e-4);
    }
    assert_int_equal(rating_fit(5, 3, encounters, count, second, NULL), WILLOW_OK);
    for (int player = 0; player < 5; player++)
        assert_near(second[player].elo - second[0].elo, first[player].elo, 1e-4);
    assert_near(second[0].elo_high - second[0].elo, first[3].elo_high - first[3].elo, 1e-4);
}

/* A chain of clean sweeps, each of them the least that can be known: all are finite and far from certain. */
static void test_sweeps_have_ratings(void **state)
{
    struct rating_encounter encounters[3];
    struct rating ratings[4];

    (void)state;
    for (int i = 0; i < 3; i++)
        encounters[i] = (struct rating_encounter){.a = i, .b = i + 1, .tally = {.pentanomial = {0, 0, 0, 0, 10}}};
    assert_int_equal(rating_fit(4, 3, encounters, 3, ratings, NULL), WILLOW_OK);
    for (int i = 0; i < 3; i++) {
        assert_near(ratings[i].elo, (3 - i) * 400.0 * log10(10.5 / 0.5), 0.01);
        assert_true(ratings[i].elo_low > 0.0 && ratings[i].elo_low < 0.6 * ratings[i].elo);
    }
    encounters[0].tally.pentanomial[4] = 1000000;
    assert_int_equal(rating_fit(4, 3, encounters, 3, ratings, NULL), WILLOW_OK);
    assert_near(ratings[0].elo - ratings[1].elo, 400.0 * log10(1000000.5 / 0.5), 0.1);
}

static void test_strangers_have_none(void **state)
{
    const struct rating_encounter encounters[] = {
        {.a = 0, .b = 1, .tally = {.pentanomial = {1, 2, 3, 4, 5}}},
        {.a = 2, .b = 3, .tally = {.pentanomial = {1, 2, 3, 4, 5}}},
        {.a = 1, .b = 2, .tally = {.wins = 0}}, /* nothing played */
    };
    struct rating ratings[5];

    (void)state;
    assert_int_equal(rating_fit(5, 1, encounters, 3, ratings, NULL), WILLOW_OK);
    assert_true(ratings[0].elo > 0.0 && ratings[1].elo == 0.0);
    for (int player = 2; player < 5; player++)
        assert_true(isnan(ratings[player].elo) && isnan(ratings[player].elo_low) && isnan(ratings[player].elo_high));
    assert_int_equal(rating_fit(1, 0, NULL, 0, ratings, NULL), WILLOW_OK);
    assert_true(ratings[0].elo == 0.0 && ratings[0].elo_high == 0.0);
}

/* Bounds must hold the true difference to the anchor in about 95 of 100 cases, and the mean rating must be right: the
 * imaginary pairs may not draw the strong to the weak. */
static void assert_coverage(int players, int pairs, int leagues, double spread)
{
    double elo[MAX_PLAYERS], error = 0.0;
    int covered = 0;

    for (int player = 0; player < players; player++)
        elo[player] = spread * (1.0 - (double)player / (players - 1));
    for (int league = 0; league < leagues; league++) {
        struct rating_encounter encounters[MAX_ENCOUNTERS];
        struct willow_random random;
        struct rating ratings[MAX_PLAYERS];

        willow_random_init(&random, 4, (uint64_t)league);
        const size_t count = play_league(&random, players, elo, pairs, encounters);
        assert_int_equal(rating_fit(players, players - 1, encounters, count, ratings, NULL), WILLOW_OK);
        for (int player = 0; player < players - 1; player++)
            covered += ratings[player].elo_low <= elo[player] && elo[player] <= ratings[player].elo_high;
        error += (ratings[0].elo - elo[0]) / leagues;
    }
    const double share = (double)covered / (leagues * (players - 1.0));
    print_message("%d players, %d pairs, %.0f Elo apart: %.1f%% covered, bias %.1f Elo\n", players, pairs, spread,
                  100.0 * share, error);
    assert_true(share > 0.925 && share < 0.975);
    assert_true(fabs(error) < 0.05 * spread);
}

static void test_bounds_cover_the_truth(void **state)
{
    (void)state;
    assert_coverage(6, 40, 400, 300.0);
    assert_coverage(8, 4, 400, 300.0);
    assert_coverage(3, 100, 800, 100.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_players_are_a_match), cmocka_unit_test(test_hand_computed),
        cmocka_unit_test(test_agrees_with_slow_search), cmocka_unit_test(test_order_and_anchor_do_not_matter),
        cmocka_unit_test(test_sweeps_have_ratings),     cmocka_unit_test(test_strangers_have_none),
        cmocka_unit_test(test_bounds_cover_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
