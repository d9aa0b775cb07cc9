/* The ProbCut model: bounded whatever the constants, and what it was without a mean where a file has none; its fit
 * finds known means and sigmas; the positions and scores that feed the fit are what they are said to be.
 */
#include "support/datasets.h"
#include "support/positions.h"
#include "support/random_weights.h"
#include "support/scratch.h"
#include "trainer/probcut/probcut.h"
#include "trainer/probcut/probcut_sample.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/probcut.h>
#include <willow/random.h>

static const struct willow_probcut none = {.count = 0};

static void assert_near(double value, double wanted, double tolerance)
{
    assert_true(fabs(value - wanted) <= tolerance);
}

static struct willow_probcut model_of(const float *constants)
{
    struct willow_probcut probcut = {.count = WILLOW_PROBCUT_COUNT, .constant = {WILLOW_PROBCUT_MODEL}};
    memcpy(probcut.constant + 1, constants, (WILLOW_PROBCUT_COUNT - 1) * sizeof *constants);
    return probcut;
}

static void check_bounded(const struct willow_probcut *probcut)
{
    for (int discs = -3; discs <= 70; discs++)
        for (int shallow = -2; shallow <= 62; shallow += 2) {
            const double exact = willow_probcut_sigma_exact(probcut, discs, shallow);
            assert_true(exact >= WILLOW_PROBCUT_SIGMA_MIN && exact <= WILLOW_PROBCUT_SIGMA_MAX);
            assert_true(fabs(willow_probcut_mean_exact(probcut, discs, shallow)) <= WILLOW_PROBCUT_MEAN_MAX);
            for (int deep = shallow - 1; deep <= 62; deep += 3) {
                const double sigma = willow_probcut_sigma(probcut, discs, shallow, deep);
                assert_true(sigma >= WILLOW_PROBCUT_SIGMA_MIN && sigma <= WILLOW_PROBCUT_SIGMA_MAX);
                assert_true(fabs(willow_probcut_mean(probcut, discs, shallow, deep)) <= WILLOW_PROBCUT_MEAN_MAX);
            }
        }
}

static void hostile_constants_stay_within_bounds(void **state)
{
    (void)state;
    struct willow_random random;
    float constants[WILLOW_PROBCUT_COUNT - 1];
    willow_random_init(&random, 5, 0);
    check_bounded(&none);
    for (int round = 0; round < 24; round++) {
        for (int i = 0; i < WILLOW_PROBCUT_COUNT - 1; i++) {
            const float size = round % 2 ? FLT_MAX : (float)(40.0 * willow_random_unit(&random));
            constants[i] = willow_random_below(&random, 2) ? size : -size;
        }
        const struct willow_probcut probcut = model_of(constants);
        check_bounded(&probcut);
    }
}

static void unknown_constants_fall_back(void **state)
{
    (void)state;
    float constants[WILLOW_PROBCUT_COUNT - 1] = {0};
    struct willow_probcut probcut = model_of(constants);
    assert_near(willow_probcut_sigma(&probcut, 30, 2, 8), 1.0, 1e-12);
    assert_near(willow_probcut_sigma_exact(&probcut, 44, 2), 1.0, 1e-12);
    const double built_in = willow_probcut_sigma(&none, 30, 2, 8);
    const double exact = willow_probcut_sigma_exact(&none, 44, 2);
    assert_true(built_in > 1.5 && built_in < 6.0 && exact > 3.0 && exact < 9.0);
    probcut.constant[0] = WILLOW_PROBCUT_MODEL + 1;
    assert_near(willow_probcut_sigma(&probcut, 30, 2, 8), built_in, 0.0);
    assert_near(willow_probcut_sigma_exact(&probcut, 44, 2), exact, 0.0);
    probcut.constant[0] = WILLOW_PROBCUT_MODEL;
    probcut.count--;
    assert_near(willow_probcut_sigma(&probcut, 30, 2, 8), built_in, 0.0);
    /* The number of the model and that of its constants belong together. */
    probcut.count = WILLOW_PROBCUT_COUNT_WITHOUT_MEAN;
    assert_near(willow_probcut_sigma(&probcut, 30, 2, 8), built_in, 0.0);
    probcut.constant[0] = 1;
    assert_near(willow_probcut_sigma(&probcut, 30, 2, 8), 1.0, 1e-12);
    probcut.count = WILLOW_PROBCUT_COUNT;
    assert_near(willow_probcut_sigma(&probcut, 30, 2, 8), built_in, 0.0);
}

/* A file of model 1 has the sigmas that its constants say, and no mean whatever stands behind them. */
static void model_1_has_no_mean(void **state)
{
    (void)state;
    struct willow_probcut old = {.count = WILLOW_PROBCUT_COUNT_WITHOUT_MEAN, .constant = {1}}, new;
    for (int i = 1; i < WILLOW_PROBCUT_COUNT; i++)
        old.constant[i] = 0.07F * (float)i;
    new = old;
    new.count = WILLOW_PROBCUT_COUNT;
    new.constant[0] = WILLOW_PROBCUT_MODEL;
    for (int discs = 4; discs <= 60; discs += 7)
        for (int shallow = 0; shallow < 5; shallow++) {
            assert_near(willow_probcut_mean_exact(&old, discs, shallow), 0.0, 0.0);
            assert_near(willow_probcut_sigma_exact(&old, discs, shallow),
                        willow_probcut_sigma_exact(&new, discs, shallow), 0.0);
            for (int deep = shallow + 1; deep < 9; deep++) {
                assert_near(willow_probcut_mean(&old, discs, shallow, deep), 0.0, 0.0);
                assert_near(willow_probcut_sigma(&old, discs, shallow, deep),
                            willow_probcut_sigma(&new, discs, shallow, deep), 0.0);
            }
        }
    assert_true(fabs(willow_probcut_mean(&new, 40, 2, 5)) > 0.1);
}

/* Means are differences of something that each depth has: they add up over a chain of depths, to the end of the game
 * and from there on. */
static void means_add_up(void **state)
{
    (void)state;
    float constants[WILLOW_PROBCUT_COUNT - 1] = {0};
    const float mean[WILLOW_PROBCUT_MEAN_TERMS] = {-2.0F, -0.5F, -1.5F, 0.75F};
    memcpy(constants + WILLOW_PROBCUT_AT_MEAN - 1, mean, sizeof mean);
    memcpy(constants + WILLOW_PROBCUT_AT_MEAN_EXACT - 1, mean, sizeof mean);
    const struct willow_probcut probcut = model_of(constants);
    for (int discs = 4; discs <= 60; discs++)
        for (int shallow = 0; shallow < 64 - discs && shallow < 8; shallow++) {
            const double exact = willow_probcut_mean_exact(&probcut, discs, shallow);
            for (int deep = shallow + 1; deep < 64 - discs; deep++)
                assert_near(willow_probcut_mean(&probcut, discs, shallow, deep) +
                                willow_probcut_mean_exact(&probcut, discs, deep),
                            exact, 1e-9);
            assert_near(willow_probcut_mean(&probcut, discs, shallow, 64 - discs), exact, 1e-9);
            assert_near(willow_probcut_mean_exact(&probcut, discs, 64 - discs), 0.0, 0.0);
        }
}

/* The constants in the source are those that were fitted to the default weights. */
static void built_in_constants_are_the_default_weights_own(void **state)
{
    (void)state;
    struct willow_weights *weights = NULL;
    assert_int_equal(willow_weights_default(&weights, NULL), WILLOW_OK);
    const struct willow_probcut *fitted = willow_weights_probcut(weights);
    const struct willow_probcut built_in = willow_probcut_in_force(&none), own = willow_probcut_in_force(fitted);
    assert_true(fitted->count == WILLOW_PROBCUT_COUNT || fitted->count == WILLOW_PROBCUT_COUNT_WITHOUT_MEAN);
    for (uint32_t i = 1; i < fitted->count; i++)
        assert_near((double)own.constant[i], (double)fitted->constant[i], 0.0);
    assert_memory_equal(&built_in, &own, sizeof own);
    willow_weights_free(weights);
}

/* Deeper knowledge is never further off, and deeper targets are never nearer, among depths of one parity. */
static void built_in_sigma_is_monotone(void **state)
{
    (void)state;
    for (int discs = 4; discs <= 60; discs++) {
        for (int deep = 3; deep <= 40; deep++)
            for (int shallow = deep & 1; shallow + 2 <= deep; shallow += 2) {
                const double sigma = willow_probcut_sigma(&none, discs, shallow, deep);
                assert_true(willow_probcut_sigma(&none, discs, shallow, deep + 2) > sigma);
                if (shallow + 4 <= deep)
                    assert_true(willow_probcut_sigma(&none, discs, shallow + 2, deep) < sigma);
            }
        for (int shallow = 0; shallow + 1 < 64 - discs; shallow++)
            assert_true(willow_probcut_sigma_exact(&none, discs, shallow + 1) <
                        willow_probcut_sigma_exact(&none, discs, shallow));
    }
}

static double normal(struct willow_random *random)
{
    const double u = 1.0 - willow_random_unit(random), v = willow_random_unit(random);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

/* Errors of the true model; a share of them are blunders, ten times as large and all to one side. */
enum { SIMULATED = 30000 };
static struct probcut_error *simulate(const struct willow_probcut *truth, bool exact, double blunders)
{
    struct probcut_error *errors = malloc(SIMULATED * sizeof *errors);
    struct willow_random random;
    willow_random_init(&random, 17, exact);
    assert_non_null(errors);
    for (int i = 0; i < SIMULATED; i++) {
        const int discs =
            exact ? 40 + (int)willow_random_below(&random, 15) : 4 + (int)willow_random_below(&random, 55);
        const int shallow = (int)willow_random_below(&random, 7);
        const int deep = exact ? PROBCUT_EXACT : shallow + 1 + (int)willow_random_below(&random, 8);
        const double sigma = exact ? willow_probcut_sigma_exact(truth, discs, shallow)
                                   : willow_probcut_sigma(truth, discs, shallow, deep);
        const double mean =
            exact ? willow_probcut_mean_exact(truth, discs, shallow) : willow_probcut_mean(truth, discs, shallow, deep);
        const double draw = normal(&random);
        const double off = willow_random_unit(&random) < blunders ? 10.0 * fabs(draw) : draw;
        errors[i] = (struct probcut_error){.discs_off = (float)(mean + sigma * off),
                                           .discs = (uint8_t)discs,
                                           .shallow = (uint8_t)shallow,
                                           .deep = (uint8_t)deep,
                                           .half = (uint8_t)(i & 1)};
    }
    return errors;
}

/* Largest |log(found / true)| of sigma and difference of the means, in discs, where the search looks. */
static double worst_ratio(const struct willow_probcut *truth, const struct willow_probcut *found, bool exact,
                          double *worst_mean)
{
    double worst = 0.0;
    *worst_mean = 0.0;
    for (int discs = exact ? 40 : 6; discs <= 54; discs += 4)
        for (int shallow = 0; shallow <= 6; shallow += 2)
            for (int deep = shallow + 2; deep <= shallow + 8; deep += 2) {
                const double ratio = exact ? willow_probcut_sigma_exact(found, discs, shallow) /
                                                 willow_probcut_sigma_exact(truth, discs, shallow)
                                           : willow_probcut_sigma(found, discs, shallow, deep) /
                                                 willow_probcut_sigma(truth, discs, shallow, deep);
                const double apart = exact ? willow_probcut_mean_exact(found, discs, shallow) -
                                                 willow_probcut_mean_exact(truth, discs, shallow)
                                           : willow_probcut_mean(found, discs, shallow, deep) -
                                                 willow_probcut_mean(truth, discs, shallow, deep);
                worst = fmax(worst, fabs(log(ratio)));
                *worst_mean = fmax(*worst_mean, fabs(apart));
            }
    return worst;
}

static const float true_constants[WILLOW_PROBCUT_COUNT - 1] = {1.0F,  0.7F,  -0.2F, -0.3F, 0.1F,  0.25F, -0.05F,
                                                               0.2F,  1.5F,  0.6F,  -0.1F, 0.9F,  -2.0F, -0.5F,
                                                               -1.5F, -1.0F, -3.0F, 0.8F,  -1.0F, -0.5F};

static void check_recovery(bool exact, double blunders, double tolerance, double mean_tolerance)
{
    const struct willow_probcut truth = model_of(true_constants);
    struct willow_probcut found = truth;
    struct probcut_error *errors = simulate(&truth, exact, blunders);
    struct probcut_fit fit, again;
    const int at = exact ? WILLOW_PROBCUT_AT_EXACT : WILLOW_PROBCUT_AT;
    const int at_mean = exact ? WILLOW_PROBCUT_AT_MEAN_EXACT : WILLOW_PROBCUT_AT_MEAN;
    const int terms = exact ? WILLOW_PROBCUT_TERMS_EXACT : WILLOW_PROBCUT_TERMS;
    const struct willow_probcut prior = willow_probcut_in_force(&none);
    double worst_mean;
    assert_int_equal(probcut_fit(errors, SIMULATED, prior.constant + at, prior.constant + at_mean, &fit, NULL),
                     WILLOW_OK);
    for (int i = 0; i < terms; i++)
        found.constant[at + i] = (float)fit.sigma[i];
    for (int i = 0; i < WILLOW_PROBCUT_MEAN_TERMS; i++)
        found.constant[at_mean + i] = (float)fit.mean[i];
    assert_true(worst_ratio(&truth, &found, exact, &worst_mean) < tolerance);
    assert_true(worst_mean < mean_tolerance);
    assert_int_equal(fit.held_out.errors, SIMULATED);
    assert_true(fit.held_out.loss > fit.fitted.loss);
    assert_true(fit.held_out_without_mean.loss > fit.held_out.loss + 0.01);
    assert_true(blunders > 0.0 || fabs(fit.held_out.mean) < 0.05);
    for (int w = 0; w < PROBCUT_WIDTHS; w++)
        assert_true(fabs(fit.held_out.share[w] - (1.0 - blunders) * probcut_normal_shares[w]) < 0.01 + 2.0 * blunders);
    assert_int_equal(probcut_fit(errors, SIMULATED, prior.constant + at, prior.constant + at_mean, &again, NULL),
                     WILLOW_OK);
    assert_memory_equal(&fit, &again, sizeof fit);
    free(errors);
}

static void fit_finds_known_means_and_sigmas(void **state)
{
    (void)state;
    check_recovery(false, 0.0, 0.05, 0.1);
    check_recovery(true, 0.0, 0.05, 0.5);
}

/* 3% of blunders would double the root of the mean square, and move the plain mean by a quarter of sigma. */
static void fit_is_about_the_bulk(void **state)
{
    (void)state;
    check_recovery(false, 0.03, 0.12, 0.5);
    check_recovery(true, 0.03, 0.12, 0.5);
}

static void moments_of_a_sample(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    static struct probcut_error errors[COUNT];
    struct willow_random random;
    double mean, sigma;
    willow_random_init(&random, 3, 0);
    for (int i = 0; i < COUNT; i++)
        errors[i].discs_off = (float)(i % 50 == 0 ? 60.0 : 1.5 + 2.0 * normal(&random));
    probcut_moments(errors, COUNT, &mean, &sigma);
    assert_near(mean, 1.5, 0.15);
    assert_near(sigma, 2.1, 0.15);
    probcut_moments(errors, 0, &mean, &sigma);
    assert_near(mean, 0.0, 0.0);
    assert_near(sigma, 0.0, 0.0);
}

/* What the errors leave open comes from the constants before; no data is refused. */
static void fit_of_little_data_stays_sane(void **state)
{
    (void)state;
    const struct willow_probcut before = willow_probcut_in_force(&none);
    const float *prior = before.constant + WILLOW_PROBCUT_AT, *mean_prior = before.constant + WILLOW_PROBCUT_AT_MEAN;
    struct probcut_fit fit;
    struct willow_error error;
    assert_int_equal(probcut_fit(NULL, 0, prior, mean_prior, &fit, &error), WILLOW_ERR_ARGUMENT);

    struct probcut_error same[400];
    for (int i = 0; i < 400; i++)
        same[i] = (struct probcut_error){
            .discs_off = i % 2 ? 2.0F : -2.0F, .discs = 30, .shallow = 2, .deep = 6, .half = i % 4 < 2};
    assert_int_equal(probcut_fit(same, 400, prior, mean_prior, &fit, &error), WILLOW_OK);
    double terms[WILLOW_PROBCUT_TERMS], log_sigma = 0.0, mean, sigma;
    willow_probcut_terms(30, 2, 6, terms);
    for (int i = 0; i < WILLOW_PROBCUT_TERMS; i++)
        log_sigma += fit.sigma[i] * terms[i];
    probcut_moments(same, 400, &mean, &sigma);
    assert_true(fabs(log_sigma - log(sigma)) < 0.02);
    assert_near(fit.sigma[7], (double)prior[7], 1e-6);     /* no pair of odd distance was seen */
    assert_near(fit.mean[1], (double)mean_prior[1], 1e-6); /* nor one of the evaluation */

    for (int i = 0; i < 400; i++)
        same[i].discs_off = 0.0F;
    assert_int_equal(probcut_fit(same, 400, prior, mean_prior, &fit, &error), WILLOW_OK);
    for (int i = 0; i < WILLOW_PROBCUT_TERMS; i++)
        assert_true(isfinite(fit.sigma[i]));
    for (int i = 0; i < WILLOW_PROBCUT_MEAN_TERMS; i++)
        assert_true(isfinite(fit.mean[i]));
}

/* Full-width scores by plain negamax, for several threads as for one. */
static void search_gives_the_value_of_every_depth(void **state)
{
    (void)state;
    enum { POSITIONS = 12, DEPTH = 3, EMPTIES = 7 };
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 10);
    struct willow_weights *weights = random_weights(willow_pattern_set_default(), &stages, 3, 12);
    struct probcut_position positions[POSITIONS] = {0}, again[POSITIONS];
    struct willow_random random;
    willow_random_init(&random, 8, 0);
    for (int i = 0; i < POSITIONS; i++) {
        do
            positions[i].board = position_from_play(ruleset, &random, i < 2 ? 2 : i % 2 ? EMPTIES : 30);
        while (!willow_board_moves(ruleset, positions[i].board));
        positions[i].discs = (uint8_t)willow_board_discs(positions[i].board);
        positions[i].empties = (uint8_t)willow_board_empties(ruleset, positions[i].board);
    }
    memcpy(again, positions, sizeof again);
    struct probcut_search options = {.depth = DEPTH, .exact_low = 1, .exact_high = EMPTIES, .threads = 1};
    assert_int_equal(probcut_search(weights, &options, positions, POSITIONS, NULL), WILLOW_OK);
    options.threads = 3;
    assert_int_equal(probcut_search(weights, &options, again, POSITIONS, NULL), WILLOW_OK);
    assert_memory_equal(positions, again, sizeof again);
    for (int i = 0; i < POSITIONS; i++) {
        const struct probcut_position *position = &positions[i];
        assert_int_equal(position->depth, position->empties <= DEPTH ? position->empties - 1 : DEPTH);
        for (int depth = 0; depth <= position->depth; depth++)
            assert_int_equal(position->score[depth], position_negamax(weights, ruleset, position->board, depth));
        assert_int_equal(position->solved, position->empties <= EMPTIES);
        if (position->solved)
            assert_int_equal(position->exact, position_negamax(NULL, ruleset, position->board, 60));
    }
    willow_weights_free(weights);
}

static void sample_is_even_and_knows_no_order(void **state)
{
    (void)state;
    static const char first[] = "probcut-data-a", second[] = "probcut-data-b";
    const char *const folders[] = {first, second}, *const turned[] = {second, first};
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    enum { QUOTA = 9, CLASSES = PROBCUT_DISCS_MAX - 3 };
    struct probcut_position *positions = NULL, *again = NULL;
    size_t count = 0, count_again = 0, by_discs[65] = {0};
    scratch_remove(first);
    scratch_remove(second);
    assert_true(datasets_write_random(first, 1, 1, 30, NULL, NULL));
    assert_true(datasets_write_random(second, 2, 1, 30, NULL, NULL));
    assert_int_equal(probcut_sample(folders, 2, ruleset, 4, QUOTA * CLASSES, NULL, &positions, &count, NULL),
                     WILLOW_OK);
    assert_int_equal(probcut_sample(turned, 2, ruleset, 4, QUOTA * CLASSES, NULL, &again, &count_again, NULL),
                     WILLOW_OK);
    assert_int_equal(count, count_again);
    assert_memory_equal(positions, again, count * sizeof *positions);
    int halves[2] = {0};
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(positions[i].discs, willow_board_discs(positions[i].board));
        assert_int_equal(positions[i].empties, 64 - positions[i].discs);
        by_discs[positions[i].discs]++;
        halves[positions[i].half]++;
        for (size_t j = 0; j < i; j++)
            assert_false(positions[i].board.player == positions[j].board.player &&
                         positions[i].board.opponent == positions[j].board.opponent);
    }
    assert_int_equal(by_discs[4], 1); /* there is one start */
    for (int discs = 10; discs <= PROBCUT_DISCS_MAX; discs++)
        assert_int_equal(by_discs[discs], QUOTA);
    assert_true(halves[0] > (int)count / 4 && halves[1] > (int)count / 4);
    free(again);
    assert_int_equal(probcut_sample(folders, 2, ruleset, 5, QUOTA * CLASSES, NULL, &again, &count_again, NULL),
                     WILLOW_OK);
    assert_memory_not_equal(positions, again, count * sizeof *positions); /* the seed matters */
    free(positions);
    free(again);
    scratch_remove(first);
    scratch_remove(second);
}

/* Positions of small boards count by how far they are from the end, as searches look their margins up. */
static void errors_count_from_the_end(void **state)
{
    (void)state;
    static const char folder[] = "probcut-data-small", *const names[] = {"6x6", "hole:c3", "othello"};
    const char *const folders[] = {folder};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(names[i]);
        const struct probcut_options options = {.folders = folders,
                                                .folder_count = 1,
                                                .positions = 150,
                                                .weights = "zero",
                                                .depth = 2,
                                                .exact = PROBCUT_EXACT_LOW,
                                                .threads = 1,
                                                .command = "",
                                                .tool = ""};
        struct probcut_report report;
        struct willow_weights *weights = NULL;
        scratch_remove(folder);
        assert_true(datasets_write_of(ruleset, folder, 3, 1, 20, NULL, NULL));
        assert_int_equal(probcut_run(&options, &weights, &report, NULL), WILLOW_OK);
        assert_true(report.midgame_errors > 0 && report.exact_errors > 0);
        int least = WILLOW_SQUARES, most = 0;
        for (size_t e = 0; e < report.midgame_errors; e++) {
            least = report.errors[e].discs < least ? report.errors[e].discs : least;
            most = report.errors[e].discs > most ? report.errors[e].discs : most;
        }
        assert_int_equal(least, 4 + 64 - willow_ruleset_squares(ruleset)); /* the start */
        assert_int_equal(most, 64 - PROBCUT_EMPTIES_MIN);
        for (size_t e = 0; e < report.exact_errors; e++)
            assert_int_equal(report.errors[report.midgame_errors + e].discs, 64 - PROBCUT_EXACT_LOW);
        willow_weights_free(weights);
        probcut_report_clear(&report);
    }
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_constants_stay_within_bounds),
        cmocka_unit_test(unknown_constants_fall_back),
        cmocka_unit_test(model_1_has_no_mean),
        cmocka_unit_test(means_add_up),
        cmocka_unit_test(built_in_constants_are_the_default_weights_own),
        cmocka_unit_test(built_in_sigma_is_monotone),
        cmocka_unit_test(fit_finds_known_means_and_sigmas),
        cmocka_unit_test(fit_is_about_the_bulk),
        cmocka_unit_test(moments_of_a_sample),
        cmocka_unit_test(fit_of_little_data_stays_sane),
        cmocka_unit_test(search_gives_the_value_of_every_depth),
        cmocka_unit_test(sample_is_even_and_knows_no_order),
        cmocka_unit_test(errors_count_from_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
