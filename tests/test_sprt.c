/* The sequential test: against a slow maximisation, at extremes, and its error rates in simulated matches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

#include "selfplay/match/pentanomial.h"
#include "selfplay/match/sprt.h"
#include "support/pairs.h"

enum { OUTCOMES = STATISTICS_PAIR_OUTCOMES };

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not within %.3g of %.9g", value, tolerance, expected);
}

static struct sprt_state judge(double nelo0, double nelo1, const uint64_t pentanomial[OUTCOMES])
{
    const struct sprt_test test = {.nelo0 = nelo0, .nelo1 = nelo1, .alpha = 0.05, .beta = 0.05};
    struct statistics_tally tally = {0};
    struct sprt_state state;

    memcpy(tally.pentanomial, pentanomial, sizeof tally.pentanomial);
    sprt_judge(&test, &tally, &state);
    return state;
}

/* The reference: with the mean fixed, a given t-value fixes the variance too, so that mean and variance are two linear
 * conditions. The least divergence under them is the maximum of a concave function of two multipliers, climbed by
 * Newton's method with halved steps; HUGE_VAL if no distribution on the outcomes has these moments. */
static double divergence_at_mean(const double p[OUTCOMES], double mean, double variance)
{
    double u = 0.0, v = 0.0, best = 0.0;

    for (int i = 0; i + 1 < OUTCOMES; i++)
        if (mean >= i / 4.0 && mean <= (i + 1) / 4.0 && variance <= (mean - i / 4.0) * ((i + 1) / 4.0 - mean) + 1e-12)
            return HUGE_VAL;
    if (variance >= mean * (1.0 - mean) - 1e-12)
        return HUGE_VAL;
    for (int step = 0; step < 200; step++) {
        double gu = 0.0, gv = 0.0, huu = 0.0, huv = 0.0, hvv = 0.0;

        for (int i = 0; i < OUTCOMES; i++) {
            const double x = i / 4.0 - mean, y = x * x - variance, d = 1.0 + u * x + v * y;
            gu += p[i] * x / d;
            gv += p[i] * y / d;
            huu += p[i] * x * x / (d * d);
            huv += p[i] * x * y / (d * d);
            hvv += p[i] * y * y / (d * d);
        }
        const double det = huu * hvv - huv * huv;
        const double du = (hvv * gu - huv * gv) / det, dv = (huu * gv - huv * gu) / det;
        double part = 1.0, value = -HUGE_VAL;
        for (; part > 1e-12; part /= 2.0) {
            value = 0.0;
            for (int i = 0; i < OUTCOMES; i++) {
                const double x = i / 4.0 - mean, y = x * x - variance;
                const double d = 1.0 + (u + part * du) * x + (v + part * dv) * y;
                value += d > 0.0 ? p[i] * log(d) : -HUGE_VAL;
            }
            if (value > best)
                break;
        }
        if (!(value > best))
            break;
        u += part * du;
        v += part * dv;
        best = value;
    }
    return best;
}

static double divergence_at(const double p[OUTCOMES], double t, double mean)
{
    return divergence_at_mean(p, mean, (mean - 0.5) * (mean - 0.5) / (t * t));
}

static double slow_divergence(const double p[OUTCOMES], double t)
{
    enum { GRID = 400 };
    const double sign = t < 0.0 ? -1.0 : 1.0;
    double best = HUGE_VAL, at = 0.0;

    for (int i = 1; i < GRID; i++) {
        const double mean = 0.5 + sign * 0.5 * i / GRID;
        const double value = divergence_at(p, t, mean);
        if (value < best) {
            best = value;
            at = mean;
        }
    }
    double low = at - 0.5 / GRID, high = at + 0.5 / GRID;
    for (int step = 0; step < 60; step++) {
        const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
        if (divergence_at(p, t, left) < divergence_at(p, t, right))
            high = right;
        else
            low = left;
    }
    return fmin(best, divergence_at(p, t, (low + high) / 2.0));
}

static void test_divergence_is_the_least(void **state)
{
    static const double nelos[] = {-1000.0, -300.0, -60.0, -5.0, 0.5, 10.0, 100.0, 500.0, 1000.0};
    struct willow_random random;

    (void)state;
    willow_random_init(&random, 6, 1);
    for (int round = 0; round < 18; round++) {
        double shares[OUTCOMES], total = 0.0;

        for (int i = 0; i < OUTCOMES; i++) {
            /* From one pair in a hundred thousand to nearly all. */
            shares[i] = exp(-12.0 * willow_random_unit(&random) * (round % 3) / 2.0) + 1e-5;
            total += shares[i];
        }
        for (int i = 0; i < OUTCOMES; i++)
            shares[i] /= total;
        for (size_t n = 0; n < sizeof nelos / sizeof *nelos; n++) {
            const double t = pentanomial_t(nelos[n]);
            const double expected = slow_divergence(shares, t);
            assert_near(pentanomial_divergence(shares, t), expected, 1e-9 + 1e-6 * expected);
        }
    }
}

/* For many pairs and a small t-value the ratio is that of normal distributions of known variance. */
static void test_many_pairs_are_normal(void **state)
{
    static const uint64_t pairs[OUTCOMES] = {199000, 40500, 519000, 40500, 201000};

    (void)state;
    const double total = 1e6, mean = (199000 * 0.0 + 40500 * 0.25 + 519000 * 0.5 + 40500 * 0.75 + 201000 * 1.0) / total;
    const double variance =
        (400000 * 0.25 + 81000 * 0.0625) / total - (mean - 0.5) * (mean - 0.5); /* about 1/2, then about the mean */
    const double t = (mean - 0.5) / sqrt(variance), t0 = pentanomial_t(0.0), t1 = pentanomial_t(2.0);
    const double expected = total / 2.0 * (t1 - t0) * (2.0 * t - t0 - t1);
    assert_near(pentanomial_nelo(t), 0.7579, 0.001);
    assert_near(judge(0.0, 2.0, pairs).llr, expected, 0.001 * fabs(expected));
}

/* Every tally has a finite ratio, of the right sign where the score lies beyond both bounds (between them a lopsided
 * distribution may lean either way); the mirrored match has the opposite one. */
static void test_extremes_are_safe(void **state)
{
    static const uint64_t counts[] = {0, 1, 2, 1000, 1000000};
    static const double bounds[][2] = {{0.0, 10.0}, {-10.0, 30.0}, {-1000.0, 1000.0}, {999.0, 1000.0}, {0.0, 0.01}};
    enum { COUNTS = sizeof counts / sizeof *counts };

    (void)state;
    for (int code = 1; code < COUNTS * COUNTS * COUNTS * COUNTS * COUNTS; code++) {
        uint64_t tally[OUTCOMES], mirrored[OUTCOMES];
        double shares[OUTCOMES];
        const double *const bound = bounds[code % 5];
        int rest = code;

        for (int i = 0; i < OUTCOMES; i++) {
            tally[i] = mirrored[OUTCOMES - 1 - i] = counts[rest % COUNTS];
            shares[i] = fmax(0.001, (double)tally[i]);
            rest /= COUNTS;
        }
        const double llr = judge(bound[0], bound[1], tally).llr;
        const double opposite = judge(-bound[1], -bound[0], mirrored).llr;
        assert_true(isfinite(llr));
        assert_near(opposite, -llr, 1e-7 * (1.0 + fabs(llr)));
        double total = 0.0;
        for (int i = 0; i < OUTCOMES; i++)
            total += shares[i];
        for (int i = 0; i < OUTCOMES; i++)
            shares[i] /= total;
        const double nelo = pairs_nelo(shares);
        assert_true(nelo > bound[0] || llr < 0.0);
        assert_true(nelo < bound[1] || llr > 0.0);
    }
}

static void test_verdicts(void **state)
{
    static const uint64_t none[OUTCOMES] = {0}, one_win[OUTCOMES] = {0, 0, 0, 0, 1}, one_loss[OUTCOMES] = {1};
    static const uint64_t better[OUTCOMES] = {150, 40, 500, 40, 270}, equal[OUTCOMES] = {200, 40, 520, 40, 200};

    (void)state;
    assert_near(judge(0.0, 10.0, none).llr, 0.0, 0.0);
    assert_near(judge(0.0, 10.0, none).lower, -2.944439, 1e-6);
    assert_near(judge(0.0, 10.0, none).upper, 2.944439, 1e-6);
    assert_int_equal(judge(0.0, 10.0, none).verdict, SPRT_UNDECIDED);
    assert_int_equal(judge(0.0, 10.0, one_win).verdict, SPRT_UNDECIDED);
    assert_int_equal(judge(0.0, 10.0, one_loss).verdict, SPRT_UNDECIDED);
    assert_true(judge(0.0, 10.0, one_win).llr > 0.0 && judge(0.0, 10.0, one_loss).llr < 0.0);
    /* Outcomes that were not seen count 0.001. */
    const double shares[OUTCOMES] = {0.001 / 1.004, 0.001 / 1.004, 0.001 / 1.004, 0.001 / 1.004, 1.0 / 1.004};
    const double expected =
        1.004 * (slow_divergence(shares, pentanomial_t(50.0)) - slow_divergence(shares, pentanomial_t(100.0)));
    assert_near(judge(50.0, 100.0, one_win).llr, expected, 1e-5);
    assert_int_equal(judge(0.0, 40.0, better).verdict, SPRT_ACCEPT_H1);
    assert_int_equal(judge(0.0, 40.0, equal).verdict, SPRT_ACCEPT_H0);
    assert_int_equal(judge(-5.0, 5.0, equal).verdict, SPRT_UNDECIDED);
}

/* What a number of simulated tests of one true strength came to. */
struct outcome {
    int accepted; /* H1 */
    double games; /* mean */
};

static struct outcome simulate(const struct sprt_test *test, double nelo, int matches)
{
    struct outcome outcome = {0, 0.0};
    double shares[OUTCOMES];

    pairs_of_nelo(pairs_equal_engines, nelo, shares);
    for (int match = 0; match < matches; match++) {
        struct willow_random random;
        struct statistics_tally tally = {0};
        struct sprt_state state;

        willow_random_init(&random, 66, (uint64_t)match);
        do {
            pairs_draw(&random, shares, &tally);
            sprt_judge(test, &tally, &state);
        } while (state.verdict == SPRT_UNDECIDED);
        outcome.accepted += state.verdict == SPRT_ACCEPT_H1;
        outcome.games += 2.0 * (double)statistics_pairs(&tally) / matches;
    }
    return outcome;
}

/* Three standard errors of the share of 2000 matches are 1.5% at 5% and 3.4% at half. A test that steps over its bound
 * by part of a pair errs somewhat less than asked. In the middle the log-likelihood ratio is a random walk without
 * drift between -+ln 19 whose steps have the standard deviation t1 - t0: (ln 19)^2 / (t1 - t0)^2 pairs on average,
 * somewhat more for the overshoot. */
static void assert_error_rates(double nelo0, double nelo1)
{
    enum { MATCHES = 2000 };
    const struct sprt_test test = {.nelo0 = nelo0, .nelo1 = nelo1, .alpha = 0.05, .beta = 0.05};
    const double step = pentanomial_t(nelo1) - pentanomial_t(nelo0);
    const double longest = 2.0 * log(19.0) * log(19.0) / (step * step);
    const struct outcome h0 = simulate(&test, nelo0, MATCHES), h1 = simulate(&test, nelo1, MATCHES);
    const struct outcome middle = simulate(&test, (nelo0 + nelo1) / 2.0, MATCHES);

    print_message("[%g, %g]: alpha %.2f%% in %.0f games, beta %.2f%% in %.0f, middle %.1f%% in %.0f of %.0f\n", nelo0,
                  nelo1, 100.0 * h0.accepted / MATCHES, h0.games, 100.0 - 100.0 * h1.accepted / MATCHES, h1.games,
                  100.0 * middle.accepted / MATCHES, middle.games, longest);
    assert_in_range(h0.accepted, 0.025 * MATCHES, 0.065 * MATCHES);
    assert_in_range(MATCHES - h1.accepted, 0.025 * MATCHES, 0.065 * MATCHES);
    assert_in_range(middle.accepted, 0.46 * MATCHES, 0.54 * MATCHES);
    if (middle.games < 0.95 * longest || middle.games > 1.25 * longest)
        fail_msg("%.0f games, %.0f expected", middle.games, longest);
    assert_true(h0.games < 0.8 * middle.games && h1.games < 0.8 * middle.games);
}

static void test_error_rates_hold(void **state)
{
    (void)state;
    assert_error_rates(0.0, 80.0);
}

static void test_bounds_are_parsed(void **state)
{
    static const char *const bad[] = {"",       ",",       "5",     "0,",    ",10",   "0,10,20", "10,0",
                                      "3,3",    " 0,10",   "0, 10", "0,10 ", "0,inf", "nan,1",   "0x1,9",
                                      "0,1001", "-1001,0", "0;10",  "--1,5", "1e,5",  "1e9999,2"};
    struct sprt_test test = {0};
    struct willow_error error;

    (void)state;
    assert_int_equal(sprt_parse("-2.5,10", &test, NULL), WILLOW_OK);
    assert_near(test.nelo0, -2.5, 0.0);
    assert_near(test.nelo1, 10.0, 0.0);
    assert_near(test.alpha, 0.05, 0.0);
    assert_near(test.beta, 0.05, 0.0);
    assert_int_equal(sprt_parse("-1000,1e3", &test, NULL), WILLOW_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct sprt_test before = test;

        memset(&error, 0, sizeof error);
        if (sprt_parse(bad[i], &test, &error) != WILLOW_ERR_FORMAT)
            fail_msg("\"%s\" was accepted", bad[i]);
        assert_true(error.reason[0] != '\0' && !memcmp(&before, &test, sizeof test));
    }
}

/* With an argument "A,B": the error rates of these bounds alone, which takes a minute for 0,10. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergence_is_the_least), cmocka_unit_test(test_many_pairs_are_normal),
        cmocka_unit_test(test_extremes_are_safe),       cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_error_rates_hold),        cmocka_unit_test(test_bounds_are_parsed),
    };
    struct sprt_test test;

    if (argc == 2 && sprt_parse(argv[1], &test, NULL) == WILLOW_OK) {
        assert_error_rates(test.nelo0, test.nelo1);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
