/* The solver against known weights, a dense reference, outliers and any number of threads. */
#include "trainer/fit/solver.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

/* Four groups of sixteen weights, picked by four bits each of the player's word: every weight is seen often. */
enum { GROUPS = 4, GROUP_SIZE = 16, TOY_WEIGHTS = GROUPS * GROUP_SIZE };

static void toy_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    for (uint32_t g = 0; g < GROUPS; g++)
        index[g] = g * GROUP_SIZE + (uint32_t)(board.player >> (4 * g) & 15);
}

/* Three terms among six weights, with repetitions: small enough to solve by hand. */
enum { TINY_WEIGHTS = 6 };

static void tiny_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    for (uint32_t g = 0; g < 3; g++)
        index[g] = (uint32_t)(board.player >> (8 * g) & 255) % TINY_WEIGHTS;
}

static const struct features toy = {NULL, GROUPS, TOY_WEIGHTS, toy_index};
static const struct features tiny = {NULL, 3, TINY_WEIGHTS, tiny_index};

static struct samples *new_samples(void)
{
    struct samples *samples = NULL;
    struct willow_error error;
    assert_int_equal(samples_new(".", &samples, &error), WILLOW_OK);
    return samples;
}

static double predict(const struct features *features, const double *weights, struct willow_board board)
{
    uint32_t index[WILLOW_FEATURES_MAX];
    features->index(features->context, board, index);
    double sum = 0.0;
    for (int i = 0; i < features->count; i++)
        sum += weights[index[i]];
    return sum;
}

/* Rows with labels from `truth` plus noise. outlier = 0: every tenth row is held out; else none is, and every
 * outlier-th is wrong by 60 discs. */
static void make_rows(struct samples *samples, const struct features *features, const double *truth, size_t count,
                      double noise, size_t outlier)
{
    struct willow_random random;
    willow_random_init(&random, 7, count);
    struct willow_error error;
    for (size_t i = 0; i < count; i++) {
        struct sample row = {.board = {willow_random_u64(&random), 0}, .held_out = outlier == 0 && i % 10 == 0};
        double label = predict(features, truth, row.board) + noise * (willow_random_unit(&random) - 0.5);
        if (outlier > 0 && i % outlier == 0)
            label += 60.0 * WILLOW_SCORE_DISC;
        row.label = (float)label;
        assert_int_equal(samples_append(samples, &row, 1, &error), WILLOW_OK);
    }
}

static void random_truth(double *truth, uint32_t count, uint32_t spread)
{
    struct willow_random random;
    willow_random_init(&random, 11, 0);
    for (uint32_t j = 0; j < count; j++)
        truth[j] = (double)willow_random_below(&random, 2 * spread + 1) - spread;
}

static struct solver_options options_with(int iterations, double prior, int threads)
{
    return (struct solver_options){.iterations = iterations, .prior = prior, .clip_discs = 24.0, .threads = threads};
}

static void test_recovers_known_weights(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    int16_t start[TOY_WEIGHTS] = {0}, values[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 200);
    struct samples *samples = new_samples();
    make_rows(samples, &toy, truth, 5000, 0.0, 0);
    struct solver_options options = options_with(100, 1e-3, 1);
    struct solver_report report;
    assert_int_equal(solver_fit(&toy, samples, start, &options, values, &report, NULL), WILLOW_OK);
    assert_int_equal(report.held_out.rows, 500);
    assert_int_equal(report.train.rows, 4500);
    assert_true(report.held_out_before.mae_discs > 3.0);
    assert_true(report.held_out_fitted.mae_discs < 0.001);
    assert_true(report.held_out.mae_discs < 4 * 0.5 / WILLOW_SCORE_DISC); /* four roundings at most */
    assert_int_equal(report.unseen, 0);

    /* The groups may trade a constant among them, but differences inside a group are determined. */
    for (uint32_t j = 0; j < TOY_WEIGHTS; j++) {
        uint32_t first = j / GROUP_SIZE * GROUP_SIZE;
        assert_true(fabs((values[j] - values[first]) - (truth[j] - truth[first])) <= 1.01);
    }
    samples_free(samples);
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

/* (X'X + prior) d = X'(y - X w0); repeated indices add up, the prior pulls towards w0. */
static void test_equals_dense_least_squares(void **state)
{
    (void)state;
    const double prior = 3.0;
    double truth[TINY_WEIGHTS], from[TINY_WEIGHTS];
    int16_t start[TINY_WEIGHTS] = {40, -30, 20, 900, 0, -500}, values[TINY_WEIGHTS];
    random_truth(truth, TINY_WEIGHTS, 2000);
    for (int j = 0; j < TINY_WEIGHTS; j++) {
        from[j] = start[j];
        truth[j] += start[j];
    }
    struct samples *samples = new_samples();
    struct willow_random random;
    willow_random_init(&random, 5, 5);
    double a[TINY_WEIGHTS][TINY_WEIGHTS] = {{0}}, b[TINY_WEIGHTS] = {0};
    for (int i = 0; i < 12; i++) {
        struct sample row = {.board = {willow_random_u64(&random), 0}};
        row.label = (float)(predict(&tiny, truth, row.board) + 300.0 * (willow_random_unit(&random) - 0.5));
        assert_int_equal(samples_append(samples, &row, 1, NULL), WILLOW_OK);
        uint32_t index[3];
        tiny_index(NULL, row.board, index);
        double residual = (double)row.label - predict(&tiny, from, row.board);
        for (int k = 0; k < 3; k++) {
            b[index[k]] += residual;
            for (int l = 0; l < 3; l++)
                a[index[k]][index[l]] += 1.0;
        }
    }
    for (int j = 0; j < TINY_WEIGHTS; j++)
        a[j][j] += prior;
    solve_dense(a, b);

    struct solver_options options = options_with(60, prior, 1);
    options.clip_discs = 256.0;
    struct solver_report report;
    assert_int_equal(solver_fit(&tiny, samples, start, &options, values, &report, NULL), WILLOW_OK);
    for (int j = 0; j < TINY_WEIGHTS; j++)
        assert_true(fabs(values[j] - (from[j] + b[j])) <= 0.51);
    samples_free(samples);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    int16_t start[TOY_WEIGHTS] = {0}, one[TOY_WEIGHTS], many[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 200);
    struct samples *samples = new_samples();
    make_rows(samples, &toy, truth, 40000, 500.0, 50);
    struct solver_options options = options_with(12, 1.0, 1);
    struct solver_report first, other;
    assert_int_equal(solver_fit(&toy, samples, start, &options, one, &first, NULL), WILLOW_OK);
    for (int threads = 2; threads <= 5; threads++) {
        options.threads = threads;
        assert_int_equal(solver_fit(&toy, samples, start, &options, many, &other, NULL), WILLOW_OK);
        assert_memory_equal(one, many, sizeof one);
        assert_memory_equal(&first, &other, sizeof first);
    }
    samples_free(samples);
}

/* Mean difference between fitted and true predictions, in discs. */
static double bias_discs(const int16_t *values, const double *truth)
{
    double sum = 0.0;
    for (int j = 0; j < TOY_WEIGHTS; j++)
        sum += (values[j] - truth[j]) / GROUP_SIZE;
    return sum / WILLOW_SCORE_DISC;
}

/* A twentieth of the rows is wrong by 60 discs, all to one side: plain least squares shifts by 3 discs. */
static void test_clipped_outliers_do_not_matter(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    int16_t start[TOY_WEIGHTS] = {0}, values[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 50);
    struct samples *samples = new_samples();
    make_rows(samples, &toy, truth, 20000, 64.0, 20);
    struct solver_options options = options_with(60, 0.1, 1);
    options.clip_discs = 2.0;
    struct solver_report report;
    assert_int_equal(solver_fit(&toy, samples, start, &options, values, &report, NULL), WILLOW_OK);
    assert_true(fabs(bias_discs(values, truth)) < 0.2);
    options.clip_discs = 256.0;
    assert_int_equal(solver_fit(&toy, samples, start, &options, values, &report, NULL), WILLOW_OK);
    assert_true(bias_discs(values, truth) > 2.5);
    samples_free(samples);
}

/* From zero most labels lie beyond the clip. Steps as long as the free rows alone suggest would run away. */
static void test_starts_beyond_the_clip(void **state)
{
    (void)state;
    double truth[TOY_WEIGHTS];
    int16_t start[TOY_WEIGHTS] = {0}, values[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 600);
    struct samples *samples = new_samples();
    make_rows(samples, &toy, truth, 5000, 64.0, 0);
    struct solver_options options = options_with(60, 0.1, 1);
    options.clip_discs = 4.0;
    struct solver_report report;
    assert_int_equal(solver_fit(&toy, samples, start, &options, values, &report, NULL), WILLOW_OK);
    assert_true(report.held_out_before.mae_discs > 12.0);
    assert_true(report.held_out.mae_discs < 0.6);
    samples_free(samples);
}

/* Weights that no training row shows keep their start; held-out rows leave no trace in the weights. */
static void test_unseen_weights_stay(void **state)
{
    (void)state;
    struct samples *samples = new_samples();
    for (uint64_t i = 0; i < 400; i++) {
        struct sample row = {.board = {i % 4, 0}, .label = (float)(1000 * (i % 4)), .held_out = i % 4 == 3};
        assert_int_equal(samples_append(samples, &row, 1, NULL), WILLOW_OK);
    }
    int16_t start[TOY_WEIGHTS], values[TOY_WEIGHTS];
    for (int j = 0; j < TOY_WEIGHTS; j++)
        start[j] = (int16_t)(j + 1);
    struct solver_options options = options_with(50, 1.0, 1);
    struct solver_report report;
    assert_int_equal(solver_fit(&toy, samples, start, &options, values, &report, NULL), WILLOW_OK);
    assert_int_equal(report.unseen, TOY_WEIGHTS - 3 - (GROUPS - 1));
    for (int j = 3; j < GROUP_SIZE; j++)
        assert_int_equal(values[j], start[j]);
    assert_int_not_equal(values[1], start[1]);
    samples_free(samples);
}

static void test_no_rows_and_no_steps(void **state)
{
    (void)state;
    struct samples *samples = new_samples();
    int16_t start[TOY_WEIGHTS] = {5, -7}, values[TOY_WEIGHTS];
    struct solver_options options = options_with(10, 1.0, 2);
    struct solver_report report;
    assert_int_equal(solver_fit(&toy, samples, start, &options, values, &report, NULL), WILLOW_OK);
    assert_memory_equal(start, values, sizeof start);

    double truth[TOY_WEIGHTS];
    random_truth(truth, TOY_WEIGHTS, 50);
    make_rows(samples, &toy, truth, 100, 0.0, 0);
    options.iterations = 0;
    assert_int_equal(solver_fit(&toy, samples, start, &options, values, &report, NULL), WILLOW_OK);
    assert_memory_equal(start, values, sizeof start);
    assert_true(report.held_out.mae_discs > 0.0);
    samples_free(samples);
}

static void test_weights_are_cut_to_range(void **state)
{
    (void)state;
    struct samples *samples = new_samples();
    for (int i = 0; i < 200; i++) {
        struct sample row = {.board = {0, 0}, .label = 2048.0F};
        assert_int_equal(samples_append(samples, &row, 1, NULL), WILLOW_OK);
    }
    int16_t start[TOY_WEIGHTS] = {0}, values[TOY_WEIGHTS];
    start[0] = INT16_MAX;
    start[GROUP_SIZE] = start[2 * GROUP_SIZE] = start[3 * GROUP_SIZE] = -10300;
    struct solver_options options = options_with(10, 0.0, 1);
    struct solver_report report;
    assert_int_equal(solver_fit(&toy, samples, start, &options, values, &report, NULL), WILLOW_OK);
    assert_int_equal(report.saturated, 1);
    assert_int_equal(values[0], INT16_MAX);
    samples_free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers_known_weights), cmocka_unit_test(test_equals_dense_least_squares),
        cmocka_unit_test(test_threads_do_not_matter),  cmocka_unit_test(test_clipped_outliers_do_not_matter),
        cmocka_unit_test(test_starts_beyond_the_clip), cmocka_unit_test(test_unseen_weights_stay),
        cmocka_unit_test(test_no_rows_and_no_steps),   cmocka_unit_test(test_weights_are_cut_to_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
