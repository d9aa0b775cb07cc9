/* Every pass against sums that are plain to see, and the same result to the last bit for any number of threads. */
#include "trainer/fit/pass.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/random.h>

/* Raw indices are tied in threes; the last term of a row often repeats the first. */
enum { TERMS = 11, RAW = 300, WEIGHTS = RAW / 3, CLIP = 300 };

static void toy_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    for (int i = 0; i < TERMS; i++)
        index[i] = (uint32_t)((board.player >> (5 * i)) ^ board.opponent) % RAW;
    if (board.opponent & 1)
        index[TERMS - 1] = index[0];
}

static uint32_t toy_tie[RAW];
static const struct features toy = {NULL, TERMS, RAW, WEIGHTS, toy_tie, toy_index};

/* Two full blocks and a part of one, one full block, a few rows, none. */
enum { PLIES = 4 };
static const size_t ply_rows[PLIES] = {2 * SAMPLE_BLOCK_ROWS + 777, SAMPLE_BLOCK_ROWS, 77, 0};

/* The part-th of `parts` shares of the rows, from first to last or backwards. */
static struct samples *random_share(int part, int parts, bool backwards)
{
    static struct sample made[2 * SAMPLE_BLOCK_ROWS + 777];
    struct samples *samples = NULL;
    assert_int_equal(samples_new(".", &samples, NULL), WILLOW_OK);
    struct willow_random random;
    willow_random_init(&random, 1, 0);
    for (int ply = 0; ply < PLIES; ply++) {
        const size_t count = ply_rows[ply];
        for (size_t i = 0; i < count; i++)
            made[backwards ? count - 1 - i : i] =
                (struct sample){.board = {willow_random_u64(&random), willow_random_u64(&random)},
                                .label = (float)(4096.0 * willow_random_unit(&random) - 2048.0),
                                .weight = (uint16_t)(1 + willow_random_below(&random, UINT16_MAX)),
                                .kind = (uint8_t)willow_random_below(&random, SAMPLE_KINDS)};
        for (size_t i = (size_t)part; i < count; i += (size_t)parts)
            assert_int_equal(samples_append(samples, ply, SAMPLE_TRAIN, &made[i], 1, NULL), WILLOW_OK);
    }
    for (uint32_t raw = 0; raw < RAW; raw++)
        toy_tie[raw] = (raw * 7 + 5) % WEIGHTS;
    return samples;
}

static struct samples *random_samples(bool backwards)
{
    return random_share(0, 1, backwards);
}

/* Weights as the passes see them: they gather single precision. */
static void random_vector(uint64_t seed, double size, double *values)
{
    struct willow_random random;
    willow_random_init(&random, seed, 0);
    for (int j = 0; j < WEIGHTS; j++)
        values[j] = (double)(float)(size * (2.0 * willow_random_unit(&random) - 1.0));
}

struct kind_reference {
    long double rows, weight, loss, absolute, squared, bias;
};
struct reference {
    long double counts[WEIGHTS], weighted[WEIGHTS], gradient[WEIGHTS], product[WEIGHTS];
    long double size[WEIGHTS]; /* sums of absolute values: what a rounding error is measured against */
    long double curvature;
    struct kind_reference kinds[SAMPLE_KINDS];
};

static void add_row(struct reference *reference, const struct sample *row, long double factor, const double *weights,
                    const double *direction)
{
    uint32_t index[WILLOW_FEATURES_MAX];
    toy.index(toy.context, row->board, index);
    const long double weight = factor * row->weight / SAMPLE_WEIGHT_ONE;
    long double prediction = 0, slope = 0;
    for (int i = 0; i < TERMS; i++) {
        prediction += (long double)weights[toy_tie[index[i]]];
        slope += (long double)direction[toy_tie[index[i]]];
    }
    const long double residual = (long double)row->label - prediction, size = fabsl(residual);
    const long double clipped = size <= CLIP ? residual : copysignl(CLIP, residual);
    const long double share = size <= CLIP ? weight : weight * CLIP / size;
    for (int i = 0; i < TERMS; i++) {
        const uint32_t j = toy_tie[index[i]];
        reference->counts[j] += 1;
        reference->weighted[j] += weight;
        reference->gradient[j] += weight * clipped;
        reference->product[j] += share * slope;
        reference->size[j] += weight;
    }
    reference->curvature += share * slope * slope;
    const long double limit = WILLOW_SCORE_MAX - 1;
    const long double off = fmaxl(-limit, fminl(limit, prediction)) - (long double)row->label;
    struct kind_reference *kind = &reference->kinds[row->kind];
    kind->rows += 1;
    kind->weight += weight;
    kind->loss += weight * (size <= CLIP ? size * size : CLIP * (2 * size - CLIP));
    kind->absolute += fabsl(off);
    kind->squared += off * off;
    kind->bias += off;
}

static struct reference refer(const struct samples *samples, struct pass_rows rows, const double *weights,
                              const double *direction)
{
    static struct sample block_rows[SAMPLE_BLOCK_ROWS];
    struct reference reference = {.curvature = 0};
    for (size_t i = 0; i < rows.count; i++) {
        const struct pass_range *range = &rows.ranges[i];
        for (size_t block = range->first_block; block < samples_blocks(samples, range->ply, range->part); block++) {
            size_t count;
            if (block - range->first_block >= range->blocks)
                break;
            assert_int_equal(samples_read(samples, range->ply, range->part, block, block_rows, &count, NULL),
                             WILLOW_OK);
            for (size_t k = 0; k < count; k++)
                add_row(&reference, &block_rows[k], (long double)range->factor, weights, direction);
        }
    }
    return reference;
}

static bool near(double value, long double expected, long double tolerance)
{
    if (fabsl((long double)value - expected) <= tolerance)
        return true;
    print_error("%.12g instead of %.12Lg\n", value, expected);
    return false;
}

static void assert_errors(const struct errors *errors, const struct kind_reference *expected, bool with_loss)
{
    const long double rows = expected->rows > 0 ? expected->rows : 1, disc = WILLOW_SCORE_DISC;
    assert_true(near((double)errors->rows, expected->rows, 0));
    assert_true(near(errors->weight, expected->weight, 1e-9L * expected->weight));
    assert_true(near(errors->mae_discs, expected->absolute / rows / disc, 1e-4L));
    assert_true(near(errors->rmse_discs, sqrtl(expected->squared / rows) / disc, 1e-4L));
    assert_true(near(errors->bias_discs, expected->bias / rows / disc, 1e-4L));
    if (with_loss && expected->rows > 0)
        assert_true(near(errors->loss, expected->loss / expected->weight, 1e-5L * expected->loss / expected->weight));
}

static void assert_result(const struct pass_result *result, const struct reference *reference)
{
    struct kind_reference all = {0};
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        const struct kind_reference *one = &reference->kinds[kind];
        assert_errors(&result->by_kind[kind], one, false);
        all.rows += one->rows;
        all.weight += one->weight;
        all.loss += one->loss;
        all.absolute += one->absolute;
        all.squared += one->squared;
        all.bias += one->bias;
    }
    assert_errors(&result->all, &all, true);
}

/* tolerance: for one row of weight 1. */
static void assert_totals(const double *totals, const long double *expected, const long double *size,
                          long double tolerance)
{
    for (int j = 0; j < WEIGHTS; j++)
        assert_true(near(totals[j], expected[j], tolerance * size[j]));
}

static struct pass *new_pass(const struct features *features, const struct samples *samples, int threads)
{
    struct pass *pass = NULL;
    assert_int_equal(pass_new(features, samples, NULL, threads, CLIP, &pass, NULL), WILLOW_OK);
    assert_int_equal(pass_weights(pass), features->weights);
    return pass;
}

/* All passes over these rows. */
static void assert_passes(struct pass *pass, const struct samples *samples, struct pass_rows rows)
{
    double weights[WEIGHTS], direction[WEIGHTS], totals[WEIGHTS];
    int16_t values[WEIGHTS];
    struct pass_result result, alone;
    random_vector(2, 150.0, weights);
    random_vector(3, 2.0, direction);
    struct reference reference = refer(samples, rows, weights, direction);

    assert_int_equal(pass_counts(pass, rows, false, totals, NULL), WILLOW_OK);
    assert_totals(totals, reference.counts, reference.size, 0);
    assert_int_equal(pass_counts(pass, rows, true, totals, NULL), WILLOW_OK);
    assert_totals(totals, reference.weighted, reference.size, 1e-9L);

    assert_int_equal(pass_gradient(pass, rows, weights, totals, &result, NULL), WILLOW_OK);
    assert_totals(totals, reference.gradient, reference.size, 1e-3L); /* single precision of a sum of hundreds */
    assert_result(&result, &reference);
    assert_int_equal(pass_gradient(pass, rows, weights, NULL, &alone, NULL), WILLOW_OK);
    assert_memory_equal(&alone, &result, sizeof alone);

    assert_int_equal(pass_curvature(pass, rows, weights, direction, totals, &result, NULL), WILLOW_OK);
    assert_totals(totals, reference.product, reference.size, 1e-5L);
    assert_true(near(result.curvature, reference.curvature, 1e-5L * reference.curvature));
    result.curvature = 0.0;
    assert_memory_equal(&alone, &result, sizeof alone);

    for (int j = 0; j < WEIGHTS; j++) {
        values[j] = (int16_t)rint(weights[j]);
        weights[j] = values[j];
    }
    reference = refer(samples, rows, weights, direction);
    assert_int_equal(pass_rounded(pass, rows, values, &result, NULL), WILLOW_OK);
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) /* the loss of a clamped prediction is nobody's business */
        assert_errors(&result.by_kind[kind], &reference.kinds[kind], false);
}

static void test_equals_reference(void **state)
{
    (void)state;
    struct samples *samples = random_samples(false);
    const struct pass_range everything[] = {{0, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F},
                                            {1, SAMPLE_TRAIN, 0, SIZE_MAX, 0.5F},
                                            {2, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F / 3.0F},
                                            {3, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F}};
    const struct pass_range parts[] = {{0, SAMPLE_TRAIN, 1, 1, 1.0F},          {1, SAMPLE_TRAIN, 1, SIZE_MAX, 1.0F},
                                       {0, SAMPLE_TRAIN, 2, SIZE_MAX, 0.25F},  {2, SAMPLE_TRAIN, 0, 0, 1.0F},
                                       {2, SAMPLE_TRAIN, 0, 9, 0.75F},         {0, SAMPLE_TRAIN, 77, 1, 1.0F},
                                       {0, SAMPLE_HELD_OUT, 0, SIZE_MAX, 1.0F}};
    const struct pass_range nothing[] = {{3, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F}};
    struct pass *pass = new_pass(&toy, samples, 2);
    assert_passes(pass, samples, (struct pass_rows){everything, 4});
    assert_passes(pass, samples, (struct pass_rows){parts, 7});
    assert_passes(pass, samples, (struct pass_rows){nothing, 1});
    assert_passes(pass, samples, (struct pass_rows){NULL, 0});
    pass_free(pass);
    samples_free(samples);
}

/* Whatever a pass returns, in one piece. */
struct outcome {
    double counts[WEIGHTS], gradient[WEIGHTS], product[WEIGHTS];
    struct pass_result of_gradient, of_curvature, of_rounded;
};

static void run_all(struct pass *pass, struct pass_rows rows, struct outcome *outcome)
{
    double weights[WEIGHTS], direction[WEIGHTS];
    int16_t values[WEIGHTS];
    random_vector(5, 100.0, weights);
    random_vector(6, 1e-7, direction);
    for (int j = 0; j < WEIGHTS; j++)
        values[j] = (int16_t)weights[j];
    assert_int_equal(pass_counts(pass, rows, true, outcome->counts, NULL), WILLOW_OK);
    assert_int_equal(pass_gradient(pass, rows, weights, outcome->gradient, &outcome->of_gradient, NULL), WILLOW_OK);
    assert_int_equal(pass_curvature(pass, rows, weights, direction, outcome->product, &outcome->of_curvature, NULL),
                     WILLOW_OK);
    assert_int_equal(pass_rounded(pass, rows, values, &outcome->of_rounded, NULL), WILLOW_OK);
}

/* Rows in another order stand in other blocks, as they do where processes share them. */
static void test_threads_and_order_give_the_same_bits(void **state)
{
    (void)state;
    struct samples *samples = random_samples(false), *backwards = random_samples(true);
    const struct pass_range ranges[] = {{0, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F},
                                        {1, SAMPLE_TRAIN, 0, SIZE_MAX, 0.7F},
                                        {2, SAMPLE_TRAIN, 0, SIZE_MAX, 0.3F}};
    static struct outcome outcomes[6];
    for (int threads = 1; threads <= 6; threads++) {
        struct pass *pass = new_pass(&toy, threads % 2 ? samples : backwards, threads);
        run_all(pass, (struct pass_rows){ranges, 3}, &outcomes[threads - 1]);
        pass_free(pass);
        assert_memory_equal(&outcomes[threads - 1], &outcomes[0], sizeof outcomes[0]);
    }
    samples_free(backwards);
    samples_free(samples);
}

/* Under mpirun each rank has its share of the rows; the result is that of all rows in one process, to the last bit. */
static void test_ranks_sum_what_each_has(void **state)
{
    struct willow_ranks *ranks = *state;
    struct samples *all = random_samples(false);
    struct samples *share = random_share(willow_ranks_self(ranks), willow_ranks_count(ranks), true);
    const struct pass_range ranges[] = {{0, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F},
                                        {1, SAMPLE_TRAIN, 0, SIZE_MAX, 0.5F},
                                        {3, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F}};
    const struct pass_rows rows = {ranges, 3};
    struct pass *together = NULL, *alone = new_pass(&toy, all, 1);
    assert_int_equal(pass_new(&toy, share, ranks, 2, CLIP, &together, NULL), WILLOW_OK);
    assert_passes(together, all, rows);
    static struct outcome outcomes[2];
    run_all(together, rows, &outcomes[0]);
    run_all(alone, rows, &outcomes[1]);
    assert_memory_equal(&outcomes[0], &outcomes[1], sizeof outcomes[0]);
    pass_free(together);
    pass_free(alone);
    samples_free(share);
    samples_free(all);
}

static void zero_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    (void)board;
    memset(index, 0, WILLOW_FEATURES_MAX * sizeof *index);
}

/* Every term of every row is one and the same weight, and all rows pull the same way as hard as rows can. */
static void test_extremes_do_not_overflow(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    const struct features all_one = {NULL, WILLOW_FEATURES_MAX, 2, 2, NULL, zero_index};
    const double clip = 8192.0, weight = (double)UINT16_MAX / SAMPLE_WEIGHT_ONE, terms = WILLOW_FEATURES_MAX;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct samples *samples = NULL;
        assert_int_equal(samples_new(".", &samples, NULL), WILLOW_OK);
        const struct sample row = {.label = 64.0F * WILLOW_SCORE_DISC * (float)sign, .weight = UINT16_MAX};
        for (int i = 0; i < ROWS; i++)
            assert_int_equal(samples_append(samples, 9, SAMPLE_TRAIN, &row, 1, NULL), WILLOW_OK);
        const struct pass_range range = {9, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F};
        const struct pass_rows rows = {&range, 1};
        struct pass *pass = NULL;
        assert_int_equal(pass_new(&all_one, samples, NULL, 2, clip, &pass, NULL), WILLOW_OK);
        const double weights[2] = {-sign * 1e9, 0.0}, direction[2] = {1e12, 1e-3};
        double totals[2];
        struct pass_result result;
        assert_int_equal(pass_gradient(pass, rows, weights, totals, &result, NULL), WILLOW_OK);
        const double pull = ROWS * weight * terms;
        assert_true(near(totals[0], (long double)(sign * pull * clip), 1e-9L * (long double)(pull * clip)));
        assert_true(totals[1] == 0.0);
        assert_int_equal(result.all.rows, ROWS);
        assert_true(near(result.all.weight, (long double)(ROWS * weight), 1e-6L));
        assert_true(near(result.all.bias_discs, -128.0L * sign, 0.1L));
        assert_true(near(result.all.loss, 3.0L * 8192 * 8192, 1e3L)); /* residuals end at twice the clip */

        const double still[2] = {0.0, 0.0};
        assert_int_equal(pass_curvature(pass, rows, still, direction, totals, &result, NULL), WILLOW_OK);
        assert_true(near(totals[0], (long double)(pull * terms * 1e12), 1e-6L * (long double)(pull * terms * 1e12)));
        assert_true(
            near(result.curvature, (long double)(pull * terms * 1e24), 1e-6L * (long double)(pull * terms * 1e24)));
        pass_free(pass);
        samples_free(samples);
    }
}

/* Truncates the file without a name that this process has open in its folder. */
static void truncate_scratch(void)
{
    char folder[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    for (int fd = 3; fd < 256; fd++) {
        char link[64], target[4200];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        const ssize_t length = readlink(link, target, sizeof target - 1);
        if (length <= 0)
            continue;
        target[length] = '\0';
        if (strstr(target, "(deleted)") && strncmp(target, folder, strlen(folder)) == 0) {
            assert_int_equal(ftruncate(fd, 0), 0);
            return;
        }
    }
    fail_msg("no scratch file");
}

static void test_a_failed_pass_says_so_and_leaves_nothing(void **state)
{
    (void)state;
    struct samples *samples = random_samples(false);
    truncate_scratch();
    const struct pass_range ranges[] = {{2, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F}, {1, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F}};
    struct pass *pass = new_pass(&toy, samples, 1);
    double counts[WEIGHTS];
    struct willow_error error;
    assert_int_equal(pass_counts(pass, (struct pass_rows){ranges, 2}, false, counts, &error), WILLOW_ERR_IO);
    assert_non_null(strstr(error.reason, "scratch"));
    assert_passes(pass, samples, (struct pass_rows){ranges, 1}); /* these rows never left memory */
    pass_free(pass);
    samples_free(samples);
}

static void test_patterns_are_their_tied_weights(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 8, 0);
    for (int s = 0; willow_pattern_set_at(s); s++) {
        const struct willow_pattern_set *set = willow_pattern_set_at(s);
        const struct features features = features_of_patterns(set);
        int16_t *values = malloc(features.weights * sizeof *values);
        assert_non_null(values);
        for (uint32_t j = 0; j < features.weights; j++)
            values[j] = (int16_t)((int)willow_random_below(&random, 1200) - 600); /* sums beyond the limit */
        for (int i = 0; i < 500; i++) {
            const uint64_t a = willow_random_u64(&random), b = willow_random_u64(&random);
            const struct willow_board board = {a & ~b, b & ~a};
            uint32_t index[WILLOW_FEATURES_MAX];
            willow_score sum = 0;
            willow_pattern_set_indices(set, board, index);
            for (int k = 0; k < features.count; k++)
                sum += values[index[k]];
            const willow_score limit = WILLOW_SCORE_MAX - 1;
            assert_int_equal(pass_evaluate(&features, values, board), sum > limit    ? limit
                                                                      : sum < -limit ? -limit
                                                                                     : sum);
        }
        free(values);
    }
}

int main(void)
{
    struct willow_ranks *ranks = NULL;
    if (willow_ranks_start(&ranks, NULL) != WILLOW_OK)
        return EXIT_FAILURE;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_reference),
        cmocka_unit_test(test_threads_and_order_give_the_same_bits),
        cmocka_unit_test_prestate(test_ranks_sum_what_each_has, ranks),
        cmocka_unit_test(test_extremes_do_not_overflow),
        cmocka_unit_test(test_a_failed_pass_says_so_and_leaves_nothing),
        cmocka_unit_test(test_patterns_are_their_tied_weights),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    willow_ranks_end(ranks);
    return failures;
}
