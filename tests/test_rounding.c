/* Rounding against the plain rounding of each weight, on rows that share their weights and on rows that do not. */
#include "trainer/fit/rounding.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

/* Eight groups of sixteen weights, picked by four bits each of the player's word. */
enum { GROUPS = 8, GROUP_SIZE = 16, WEIGHTS = GROUPS * GROUP_SIZE, PLY = 4 };

static void toy_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    for (uint32_t g = 0; g < GROUPS; g++)
        index[g] = g * GROUP_SIZE + (uint32_t)(board.player >> (4 * g) & 15);
}

static const struct features toy = {NULL, GROUPS, WEIGHTS, WEIGHTS, NULL, toy_index};
static const struct pass_range train_range = {PLY, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F};
static const struct pass_range held_out_range = {PLY, SAMPLE_HELD_OUT, 0, SIZE_MAX, 1.0F};
static const struct pass_rows train = {&train_range, 1}, held_out = {&held_out_range, 1};

struct fixture {
    struct samples *samples;
    double weights[WEIGHTS];
    int16_t values[WEIGHTS];
    bool fixed[WEIGHTS];
    struct rounding_report report;
};

static double predict(const double *weights, uint64_t player)
{
    uint32_t index[GROUPS];
    double sum = 0.0;
    toy_index(NULL, (struct willow_board){player, 0}, index);
    for (int g = 0; g < GROUPS; g++)
        sum += weights[index[g]];
    return sum;
}

/* Random weights, and rows of `kinds` boards whose labels are what the weights say. */
static void set_up(struct fixture *fixture, uint32_t kinds, int rows)
{
    struct willow_random random;
    willow_random_init(&random, kinds, (uint64_t)rows);
    memset(fixture, 0, sizeof *fixture);
    for (int j = 0; j < WEIGHTS; j++)
        fixture->weights[j] = 400.0 * (willow_random_unit(&random) - 0.5);
    assert_int_equal(samples_new(".", &fixture->samples, NULL), WILLOW_OK);
    for (int i = 0; i < rows; i++) {
        const uint64_t player = (willow_random_below(&random, kinds) + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
        const struct sample row = {
            .board = {player, 0}, .label = (float)predict(fixture->weights, player), .weight = SAMPLE_WEIGHT_ONE};
        const enum sample_part part = i % 4 ? SAMPLE_TRAIN : SAMPLE_HELD_OUT;
        assert_int_equal(samples_append(fixture->samples, PLY, part, &row, 1, NULL), WILLOW_OK);
    }
}

static void tear_down(struct fixture *fixture)
{
    samples_free(fixture->samples);
}

static void run(struct fixture *fixture, int threads)
{
    struct pass *pass = NULL;
    assert_int_equal(pass_new(&toy, fixture->samples, NULL, threads, 24.0 * WILLOW_SCORE_DISC, &pass, NULL), WILLOW_OK);
    assert_int_equal(
        rounding_run(pass, train, held_out, fixture->weights, fixture->fixed, fixture->values, &fixture->report, NULL),
        WILLOW_OK);
    pass_free(pass);
}

/* RMSE of rounding each weight for itself, in discs. */
static double plain_error(const struct fixture *fixture)
{
    struct pass *pass = NULL;
    struct pass_result result;
    int16_t values[WEIGHTS];
    for (int j = 0; j < WEIGHTS; j++)
        values[j] = (int16_t)lrint(fixture->weights[j]);
    assert_int_equal(pass_new(&toy, fixture->samples, NULL, 1, 24.0 * WILLOW_SCORE_DISC, &pass, NULL), WILLOW_OK);
    assert_int_equal(pass_rounded(pass, train, values, &result, NULL), WILLOW_OK);
    pass_free(pass);
    return result.all.rmse_discs;
}

/* Where a few boards are all there is, their errors can be taken away but for half a step of each. */
static void test_few_boards(void **state)
{
    (void)state;
    double worst = 0.0; /* of plain rounding */
    for (uint32_t trial = 0; trial < 12; trial++) {
        struct fixture fixture;
        set_up(&fixture, 1 + trial % 3, 400 + (int)trial);
        run(&fixture, 1);
        const double plain = plain_error(&fixture), rounded = fixture.report.train.all.rmse_discs;
        worst = fmax(worst, plain);
        assert_true(rounded <= plain);
        assert_true(rounded < 0.6 / WILLOW_SCORE_DISC);
        for (int j = 0; j < WEIGHTS; j++)
            assert_true(fabs(fixture.values[j] - fixture.weights[j]) < 1.5);
        tear_down(&fixture);
    }
    assert_true(worst > 1.2 / WILLOW_SCORE_DISC);
}

static void test_many_boards(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture, 100000, 8000);
    run(&fixture, 1);
    assert_true(fixture.report.train.all.rmse_discs <= plain_error(&fixture));
    assert_int_equal(fixture.report.train.all.rows, 6000);
    assert_int_equal(fixture.report.held_out.all.rows, 2000);
    assert_int_equal(fixture.report.saturated, 0);
    int moved = 0;
    for (int j = 0; j < WEIGHTS; j++)
        moved += fabs(fixture.values[j] - fixture.weights[j]) > 0.5;
    assert_int_equal(moved, fixture.report.moved);
    tear_down(&fixture);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    struct fixture one, many;
    set_up(&one, 50, 3000);
    set_up(&many, 50, 3000);
    run(&one, 1);
    run(&many, 3);
    assert_true(one.report.moved > 0);
    assert_memory_equal(one.values, many.values, sizeof one.values);
    assert_memory_equal(&one.report, &many.report, sizeof one.report);
    tear_down(&one);
    tear_down(&many);
}

/* Whole weights and weights without rows are left as they are; what int16 cannot hold is cut. */
static void test_range_and_rest(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture, 1, 100);
    for (int j = 0; j < WEIGHTS; j++)
        fixture.weights[j] = j - 60;
    fixture.weights[0] = 40000.25;
    fixture.weights[17] = -1e9;
    fixture.weights[33] = 32767.0;
    fixture.weights[50] = -3.75;
    run(&fixture, 1);
    assert_int_equal(fixture.report.saturated, 2);
    assert_int_equal(fixture.values[0], INT16_MAX);
    assert_int_equal(fixture.values[17], -INT16_MAX);
    assert_int_equal(fixture.values[33], INT16_MAX);
    assert_int_equal(fixture.values[50], -4);
    for (int j = 51; j < WEIGHTS; j++)
        assert_int_equal(fixture.values[j], j - 60);
    tear_down(&fixture);
}

/* A whole weight can make up for the rounding of others, unless it is fixed. */
static void test_fixed_weights_stay(void **state)
{
    (void)state;
    int moved_if_free = 0;
    for (uint32_t trial = 0; trial < 12; trial++) {
        struct fixture fixture;
        set_up(&fixture, 1 + trial % 3, 400 + (int)trial);
        for (int j = 0; j < WEIGHTS; j += 2)
            fixture.weights[j] = rint(fixture.weights[j]);
        run(&fixture, 1);
        for (int j = 0; j < WEIGHTS; j += 2) {
            moved_if_free += fixture.values[j] != (int)fixture.weights[j];
            fixture.fixed[j] = true;
        }
        run(&fixture, 1);
        for (int j = 0; j < WEIGHTS; j += 2)
            assert_int_equal(fixture.values[j], (int)fixture.weights[j]);
        tear_down(&fixture);
    }
    assert_true(moved_if_free > 0);
}

static void test_no_rows(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture, 1, 0);
    run(&fixture, 2);
    for (int j = 0; j < WEIGHTS; j++)
        assert_int_equal(fixture.values[j], lrint(fixture.weights[j]));
    assert_int_equal(fixture.report.moved, 0);
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_boards),
                                       cmocka_unit_test(test_many_boards),
                                       cmocka_unit_test(test_threads_do_not_matter),
                                       cmocka_unit_test(test_range_and_rest),
                                       cmocka_unit_test(test_fixed_weights_stay),
                                       cmocka_unit_test(test_no_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
