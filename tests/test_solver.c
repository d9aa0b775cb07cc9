/* The solvers against known weights, a dense reference, outliers and any number of threads. */
#include "support/solver_fixture.h"
#include "trainer/fit/backoff.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

static void test_recovers_known_weights(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture fixture;
        solver_fixture_init(&fixture, &solver_toy, 100, 1e-3);
        solver_fixture_fill(&fixture, truth, 20000, 0.0, 0);
        fixture.options.kind = kind;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        const struct solver_report *report = &fixture.report;
        assert_int_equal(report->held_out_fitted.all.rows, 2000);
        assert_int_equal(report->train_fitted.all.rows, 18000);
        assert_true(report->held_out_before.mae_discs > 3.0 && report->train_before.mae_discs > 3.0);
        assert_true(report->held_out_fitted.all.mae_discs < (kind == SOLVER_CONJUGATE ? 0.001 : 0.01));
        assert_true(report->train_fitted.all.mae_discs < 0.02);
        assert_int_equal(report->unseen, 0);
        assert_true(report->sightings[5] > 900 && report->sightings[5] < 1300);
        /* The groups may trade a constant among them, but differences inside a group are determined. */
        for (uint32_t j = 0; j < TOY_WEIGHTS; j++) {
            const uint32_t first = j / GROUP_SIZE * GROUP_SIZE;
            const double difference = fixture.weights[j] - fixture.weights[first];
            assert_true(fabs(difference - (truth[j] - truth[first])) <= 1.0);
        }
        solver_fixture_clear(&fixture);
    }
}

/* Solves a x = b in place by Gaussian elimination with pivoting. */
static void solve_dense(double a[TINY_WEIGHTS][TINY_WEIGHTS], double *b)
{
    for (int c = 0; c < TINY_WEIGHTS; c++) {
        int pivot = c;
        for (int r = c + 1; r < TINY_WEIGHTS; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c]))
                pivot = r;
        for (int k = 0; k < TINY_WEIGHTS; k++) {
            double swap = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        double swap = b[c];
        b[c] = b[pivot];
        b[pivot] = swap;
        for (int r = 0; r < TINY_WEIGHTS; r++) {
            double factor = r == c ? 0.0 : a[r][c] / a[c][c];
            for (int k = 0; k < TINY_WEIGHTS; k++)
                a[r][k] -= factor * a[c][k];
            b[r] -= factor * b[c];
        }
    }
    for (int c = 0; c < TINY_WEIGHTS; c++)
        b[c] /= a[c][c];
}

/* (X'WX + prior) d = X'W (y - X w0); repeated indices add up, the prior pulls towards w0, rows and ranges have weights.
 */
static void test_equals_dense_least_squares(void **state)
{
    (void)state;
    const double prior = 3.0;
    const double start[TINY_WEIGHTS] = {40.25, -30, 20, 900, 0, -500};
    double truth[TINY_WEIGHTS], a[TINY_WEIGHTS][TINY_WEIGHTS] = {{0}}, b[TINY_WEIGHTS] = {0};
    solver_fixture_truth(truth, TINY_WEIGHTS, 2000);
    struct solver_fixture fixture;
    solver_fixture_init(&fixture, &solver_tiny, 60, prior);
    struct willow_random random;
    willow_random_init(&random, 5, 5);
    for (int j = 0; j < TINY_WEIGHTS; j++) {
        fixture.start[j] = start[j];
        truth[j] += start[j];
        a[j][j] = prior;
    }
    const double factor = 0.75;
    fixture.train.factor = (float)factor;
    for (int i = 0; i < 12; i++) {
        const uint64_t player = willow_random_u64(&random);
        const double weight = 0.25 * (1 + i % 5);
        const float label =
            (float)(solver_fixture_predict(&solver_tiny, truth, player) + 300.0 * (willow_random_unit(&random) - 0.5));
        solver_fixture_add(&fixture, SAMPLE_TRAIN, player, (double)label, weight);
        uint32_t index[3];
        solver_tiny.index(NULL, (struct willow_board){player, 0}, index);
        const double residual = (double)label - solver_fixture_predict(&solver_tiny, start, player);
        for (int k = 0; k < 3; k++) {
            b[index[k]] += factor * weight * residual;
            for (int l = 0; l < 3; l++)
                a[index[k]][index[l]] += factor * weight;
        }
    }
    solve_dense(a, b);
    fixture.options.clip_discs = 256.0;
    assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
    for (int j = 0; j < TINY_WEIGHTS; j++)
        assert_true(fabs(fixture.weights[j] - (start[j] + b[j])) <= 0.02);
    /* No row has the full weight of the stage's own. */
    assert_int_equal(fixture.report.unseen, TINY_WEIGHTS);
    solver_fixture_clear(&fixture);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture one, many;
        solver_fixture_init(&one, &solver_toy, 12, 1.0);
        solver_fixture_init(&many, &solver_toy, 12, 1.0);
        solver_fixture_fill(&one, truth, 40000, 500.0, 50);
        solver_fixture_fill(&many, truth, 40000, 500.0, 50);
        one.options.kind = many.options.kind = kind;
        assert_int_equal(solver_fixture_fit(&one), WILLOW_OK);
        for (int threads = 2; threads <= 5; threads++) {
            many.options.threads = threads;
            assert_int_equal(solver_fixture_fit(&many), WILLOW_OK);
            assert_memory_equal(one.weights, many.weights, sizeof one.weights);
            solver_fixture_same_reports(&one.report, &many.report);
        }
        solver_fixture_clear(&one);
        solver_fixture_clear(&many);
    }
}

/* Mean difference between fitted and true predictions, in discs. */
static double bias_discs(const double *weights, const double *truth)
{
    double sum = 0.0;
    for (int j = 0; j < TOY_WEIGHTS; j++)
        sum += (weights[j] - truth[j]) / GROUP_SIZE;
    return sum / WILLOW_SCORE_DISC;
}

/* A twentieth of the rows is wrong by 60 discs, all to one side: plain least squares shifts by 3 discs. */
static void test_clipped_outliers_do_not_matter(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 50);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture fixture;
        solver_fixture_init(&fixture, &solver_toy, 60, 0.1);
        solver_fixture_fill(&fixture, truth, 20000, 64.0, 20);
        fixture.options.kind = kind;
        fixture.options.clip_discs = 2.0;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        assert_true(fabs(bias_discs(fixture.weights, truth)) < 0.2);
        fixture.options.clip_discs = 256.0;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        assert_true(bias_discs(fixture.weights, truth) > 2.5);
        solver_fixture_clear(&fixture);
    }
}

/* From zero most labels lie beyond the clip. Steps as long as the free rows alone suggest would run away. */
static void test_starts_beyond_the_clip(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 600);
    struct solver_fixture fixture;
    solver_fixture_init(&fixture, &solver_toy, 60, 0.1);
    solver_fixture_fill(&fixture, truth, 5000, 64.0, 0);
    fixture.options.clip_discs = 4.0;
    assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
    assert_true(fixture.report.held_out_before.mae_discs > 12.0);
    assert_true(fixture.report.held_out_fitted.all.mae_discs < 0.6);
    solver_fixture_clear(&fixture);
}

/* Weights that no training row shows keep their start; held-out rows leave no trace in the weights. */
static void test_unseen_weights_stay(void **state)
{
    (void)state;
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture fixture;
        solver_fixture_init(&fixture, &solver_toy, 50, 1.0);
        for (uint64_t i = 0; i < 400; i++)
            solver_fixture_add(&fixture, i % 4 == 3 ? SAMPLE_HELD_OUT : SAMPLE_TRAIN, i % 4, 1000.0 * (double)(i % 4),
                               1.0);
        solver_fixture_add(&fixture, SAMPLE_TRAIN, 7, 3000.0, 1.0);
        for (int j = 0; j < TOY_WEIGHTS; j++)
            fixture.start[j] = j + 1;
        fixture.options.kind = kind;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        assert_int_equal(fixture.report.unseen, TOY_WEIGHTS - 4 - (GROUPS - 1));
        assert_int_equal(fixture.report.rare, 1);
        assert_int_equal(fixture.report.sightings[0], 100);
        assert_int_equal(fixture.report.sightings[7], 1);
        for (int j = 0; j < GROUP_SIZE; j++)
            assert_true((fixture.weights[j] != fixture.start[j]) == (fixture.report.sightings[j] > 0));
        solver_fixture_clear(&fixture);
    }
}

static void test_fixed_weights_stay(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 200);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture fixture;
        bool fixed[TOY_WEIGHTS] = {false};
        solver_fixture_init(&fixture, &solver_toy, 20, 1.0);
        solver_fixture_fill(&fixture, truth, 5000, 64.0, 0);
        for (int j = 0; j < TOY_WEIGHTS; j++) {
            fixture.start[j] = 0.5 * j;
            fixed[j] = j < GROUP_SIZE || j % 3 == 0;
        }
        fixture.task.fixed = fixed;
        fixture.options.kind = kind;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        for (int j = 0; j < TOY_WEIGHTS; j++)
            assert_true((fixture.weights[j] == fixture.start[j]) == fixed[j]);
        solver_fixture_clear(&fixture);
    }
}

static void test_no_rows_and_no_steps(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 50);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture fixture;
        solver_fixture_init(&fixture, &solver_toy, 10, 1.0);
        fixture.start[0] = 5.0;
        fixture.options.kind = kind;
        fixture.options.threads = 2;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        assert_memory_equal(fixture.start, fixture.weights, sizeof fixture.start);
        solver_fixture_fill(&fixture, truth, 100, 0.0, 0);
        fixture.options.iterations = 0;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        assert_memory_equal(fixture.start, fixture.weights, sizeof fixture.start);
        assert_true(fixture.report.held_out_fitted.all.mae_discs > 0.0);
        assert_int_equal(fixture.report.point_count, 1);
        solver_fixture_clear(&fixture);
    }
}

/* Held-out rows that contradict the training rows: the best weights are those of the start. Without held-out rows the
 * last step is kept, however little it brings. */
static void test_which_weights_are_kept(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    solver_fixture_truth(truth, TOY_WEIGHTS, 50);
    for (enum solver_kind kind = 0; kind < SOLVER_KINDS; kind++) {
        struct solver_fixture fixture;
        solver_fixture_init(&fixture, &solver_toy, 30, 1.0);
        solver_fixture_fill(&fixture, truth, 5000, 200.0, 60000);
        fixture.options.kind = kind;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        assert_int_equal(fixture.report.iterations, fixture.report.steps);
        assert_true(fixture.report.steps > 3);
        for (uint64_t i = 0; i < 100; i++)
            solver_fixture_add(&fixture, SAMPLE_HELD_OUT, 0x9d3f7 * i,
                               -solver_fixture_predict(&solver_toy, truth, 0x9d3f7 * i), 1.0);
        fixture.options.patience = 4;
        assert_int_equal(solver_fixture_fit(&fixture), WILLOW_OK);
        assert_int_equal(fixture.report.iterations, 0);
        assert_int_equal(fixture.report.steps, 4);
        assert_memory_equal(fixture.weights, fixture.start, sizeof fixture.start);
        solver_fixture_clear(&fixture);
    }
}

/* Random boards of many discs with labels from the weights of a set; every tenth is held out. */
static void make_boards(struct solver_fixture *fixture, const struct willow_pattern_set *set, const double *truth,
                        int count)
{
    struct willow_random random;
    willow_random_init(&random, 2, 2);
    for (int i = 0; i < count; i++) {
        const uint64_t discs = willow_random_u64(&random), side = willow_random_u64(&random);
        struct sample row = {.board = {discs & side, discs & ~side}, .weight = SAMPLE_WEIGHT_ONE};
        uint32_t index[WILLOW_FEATURES_MAX];
        double label = 0.0;
        willow_pattern_set_indices(set, row.board, index);
        for (int f = 0; f < willow_pattern_set_features(set); f++)
            label += truth[index[f]];
        row.label = (float)label;
        const enum sample_part part = i % 10 == 0 ? SAMPLE_HELD_OUT : SAMPLE_TRAIN;
        assert_int_equal(samples_append(fixture->samples, PLY, part, &row, 1, NULL), WILLOW_OK);
    }
}

/* Weights that are sums of what pairs of squares say, fitted to so few boards that most configurations are never seen.
 * With shared parts they are known all the same, by pairs as by triples. */
static void test_backoff_predicts_unseen(void **state)
{
    (void)state;
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    const struct features features = features_of_patterns(set);
    struct team *team = NULL;
    struct backoff *backoff = NULL;
    assert_int_equal(team_new(1, &team, NULL), WILLOW_OK);
    assert_int_equal(backoff_new(set, 2, 1.0, team, &backoff, NULL), WILLOW_OK);
    double *parts = calloc(backoff_parts(backoff), sizeof *parts);
    double *truth = calloc(features.weights, sizeof *truth), *weights = calloc(features.weights, sizeof *weights);
    double *start = calloc(features.weights, sizeof *start), *pace = calloc(backoff_parts(backoff), sizeof *pace);
    backoff_prepare(backoff, start, pace);
    struct willow_random random;
    willow_random_init(&random, 3, 3);
    for (size_t k = 0; k < backoff_parts(backoff); k++)
        parts[k] = 8.0 * (willow_random_unit(&random) - 0.5);
    backoff_add(backoff, parts, truth);

    struct solver_fixture fixture;
    solver_fixture_init(&fixture, &features, 30, 10.0);
    make_boards(&fixture, set, truth, 3000);
    fixture.task.start = start;
    fixture.task.patterns = set;
    double mae[3];
    for (int with = 0; with < 3; with++) {
        fixture.options.backoff_squares = with == 0 ? 0 : with + 1;
        fixture.options.backoff_prior = 1.0;
        solver_report_clear(&fixture.report);
        assert_int_equal(solver_fit(&fixture.task, &fixture.options, weights, &fixture.report, NULL), WILLOW_OK);
        assert_true(fixture.report.unseen > features.weights / 2);
        mae[with] = fixture.report.held_out_fitted.all.mae_discs;
    }
    assert_true(mae[1] < 0.4 * mae[0] && mae[2] < 0.7 * mae[0]);
    solver_fixture_clear(&fixture);
    free(parts);
    free(pace);
    free(truth);
    free(weights);
    free(start);
    backoff_free(backoff);
    team_free(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers_known_weights), cmocka_unit_test(test_equals_dense_least_squares),
        cmocka_unit_test(test_threads_do_not_matter),  cmocka_unit_test(test_clipped_outliers_do_not_matter),
        cmocka_unit_test(test_starts_beyond_the_clip), cmocka_unit_test(test_unseen_weights_stay),
        cmocka_unit_test(test_fixed_weights_stay),     cmocka_unit_test(test_no_rows_and_no_steps),
        cmocka_unit_test(test_which_weights_are_kept), cmocka_unit_test(test_backoff_predicts_unseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
