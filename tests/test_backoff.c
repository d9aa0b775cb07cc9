/* The shared parts of configurations: what each part says of each configuration, read square by square. */
#include "trainer/fit/backoff.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

/* Shape 4 of p58 is the corner 2x5, which no symmetry maps to itself: there a configuration is a weight. */
enum { UNTIED_SHAPE = 4, SQUARES = 10, CONFIGURATIONS = 59049 };

static const double prior = 3.0;

static const struct willow_pattern_set *set(void)
{
    return willow_pattern_set_find("p58");
}

static double *random_array(size_t count, uint64_t stream)
{
    struct willow_random random;
    willow_random_init(&random, 3, stream);
    double *array = calloc(count, sizeof *array);
    assert_non_null(array);
    for (size_t i = 0; i < count; i++)
        array[i] = willow_random_unit(&random) - 0.5;
    return array;
}

/* Many weights never seen, many rare, some common. */
static double *random_counts(void)
{
    const uint32_t count = willow_pattern_set_weights(set());
    double *counts = random_array(count, 9);
    for (uint32_t j = 0; j < count; j++)
        counts[j] = counts[j] < 0.0 ? 0.0 : floor(exp(20.0 * counts[j]));
    return counts;
}

struct kit {
    struct team *team;
    struct backoff *backoff;
    double *pace;
    size_t parts;
};

static struct kit make(int squares, int threads)
{
    struct kit kit = {NULL, NULL, NULL, 0};
    double *counts = random_counts();
    assert_int_equal(team_new(threads, &kit.team, NULL), WILLOW_OK);
    assert_int_equal(backoff_new(set(), squares, prior, kit.team, &kit.backoff, NULL), WILLOW_OK);
    kit.parts = backoff_parts(kit.backoff);
    kit.pace = calloc(kit.parts, sizeof *kit.pace);
    assert_non_null(kit.pace);
    backoff_prepare(kit.backoff, counts, kit.pace);
    free(counts);
    return kit;
}

static void clear(struct kit *kit)
{
    free(kit->pace);
    backoff_free(kit->backoff);
    team_free(kit->team);
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Parts of a shape's tables of 1 .. squares squares. */
static size_t parts_of(int n, int squares)
{
    const int tables[] = {n, n * (n - 1) / 2, n * (n - 1) * (n - 2) / 6};
    size_t sum = 0;
    for (int i = 0; i < squares; i++)
        sum += (size_t)tables[i] << (i + 1);
    return sum;
}

/* First part of a shape. */
static size_t first_part(int shape, int squares)
{
    uint8_t at[WILLOW_PATTERN_SQUARES_MAX];
    uint32_t first;
    size_t sum = 0;
    for (int i = 0; i < shape; i++)
        sum += parts_of(willow_pattern_set_squares(set(), i, at, &first), squares);
    return sum;
}

/* The entry of a table that a configuration has; digits[0] is of the highest. */
static int entry_of(uint32_t configuration, int squares, const int *digits)
{
    int entry = 0;
    for (int i = 0; i < squares; i++) {
        uint32_t rest = configuration;
        for (int d = 0; d < digits[i]; d++)
            rest /= 3;
        entry = 3 * entry + (int)(rest % 3);
    }
    return entry;
}

/* What the functions of one table say: each depends on its squares alone, and the sums over the rows and the prior of
 * their squares are 1, of products of two of them 0, and of products with any function of fewer squares 0. */
static void check_table(struct backoff *backoff, size_t part, int squares, const int *digits, const double *counts)
{
    const uint32_t *tie = willow_pattern_set_tie(set());
    const uint32_t weights = willow_pattern_set_weights(set());
    uint8_t at[WILLOW_PATTERN_SQUARES_MAX];
    uint32_t first = 0;
    assert_int_equal(willow_pattern_set_squares(set(), UNTIED_SHAPE, at, &first), SQUARES);
    const int entries = squares == 1 ? 3 : squares == 2 ? 9 : 27, parts = 1 << squares;
    double metric[27], value[8][27];
    for (int e = 0; e < entries; e++)
        metric[e] = prior;
    for (uint32_t c = 0; c < CONFIGURATIONS; c++)
        metric[entry_of(c, squares, digits)] += counts[tie[first + c]];
    double *image = calloc(weights, sizeof *image), *unit = calloc(backoff_parts(backoff), sizeof *unit);
    assert_true(image && unit);
    for (int p = 0; p < parts; p++) {
        memset(image, 0, weights * sizeof *image);
        unit[part + (size_t)p] = 1.0;
        backoff_add(backoff, unit, image);
        unit[part + (size_t)p] = 0.0;
        for (uint32_t c = 0; c < CONFIGURATIONS; c++)
            value[p][entry_of(c, squares, digits)] = image[tie[first + c]];
        for (uint32_t c = 0; c < CONFIGURATIONS; c++) {
            assert_true(fabs(image[tie[first + c]] - value[p][entry_of(c, squares, digits)]) < 1e-12);
            image[tie[first + c]] = 0.0;
        }
        assert_true(dot(image, image, weights) == 0.0); /* other shapes have no share in it */
    }
    free(image);
    free(unit);
    for (int p = 0; p < parts; p++) {
        for (int q = 0; q < parts; q++) {
            double sum = 0.0;
            for (int e = 0; e < entries; e++)
                sum += metric[e] * value[p][e] * value[q][e];
            assert_true(fabs(sum - (p == q)) < 1e-9);
        }
        /* Functions that leave out one square are sums of indicators of the values of the others. */
        for (int out = 1; out < entries; out *= 3)
            for (int e = 0; e < entries; e++) {
                const int base = e - e / out % 3 * out;
                double sum = 0.0;
                for (int d = 0; d < 3; d++)
                    sum += metric[base + d * out] * value[p][base + d * out];
                assert_true(fabs(sum) < 1e-6);
            }
    }
}

static void test_functions_of_tables(void **state)
{
    (void)state;
    static const struct {
        int squares, digits[3];
        size_t table; /* in the order of the digits that tell it apart, the highest first */
    } tables[] = {{1, {0}, 0},         {1, {7}, 7},       {2, {1, 0}, 0},
                  {2, {9, 3}, 36 + 3}, {3, {2, 1, 0}, 0}, {3, {5, 3, 1}, 10 + 3 + 1},
                  {3, {9, 8, 7}, 119}};
    double *counts = random_counts();
    struct kit kit = make(3, 2);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const size_t part = first_part(UNTIED_SHAPE, 3) + parts_of(SQUARES, tables[i].squares - 1) +
                            (tables[i].table << tables[i].squares);
        check_table(kit.backoff, part, tables[i].squares, tables[i].digits, counts);
    }
    for (size_t k = 0; k < kit.parts; k++)
        assert_true(kit.pace[k] > 0.0 && kit.pace[k] <= 1.0);
    free(counts);
    clear(&kit);
}

/* Mirrored configurations of the edge, the first shape, share a weight: it gets the mean of what their tables say. */
static void test_tied_configurations(void **state)
{
    (void)state;
    const uint32_t *tie = willow_pattern_set_tie(set()), weights = willow_pattern_set_weights(set());
    struct kit kit = make(1, 1);
    double *image = calloc(weights, sizeof *image), *unit = calloc(kit.parts, sizeof *unit);
    assert_true(image && unit);
    /* "a1 b1 .. h1 b2 g2": digit 9 is a1, digit 2 is h1. */
    unit[2 * 9] = 1.0;
    backoff_add(kit.backoff, unit, image);
    const double none = image[tie[0]];
    const double corner = image[tie[19683]], other = image[tie[2 * 19683]];
    assert_true(tie[19683] == tie[9] && tie[2 * 19683] == tie[2 * 9]);
    assert_true(fabs(corner - none) > 1e-9 || fabs(other - none) > 1e-9);
    /* Both corners: each of the two mirrored halves says it fully. */
    assert_true(fabs((image[tie[19683 + 9]] - none) - 2.0 * (corner - none)) < 1e-12);
    assert_true(fabs((image[tie[19683 + 18]] - none) - (corner - none) - (other - none)) < 1e-12);
    free(unit);
    free(image);
    clear(&kit);
}

/* <S v, g> = <v, S^T g>; <v, R p> = <R v, p>, and with <v, R v> = prior * entries^2 where the entries can be seen. */
static void test_adjoint(void **state)
{
    (void)state;
    const uint32_t count = willow_pattern_set_weights(set());
    double *g = random_array(count, 2), *zero = calloc(count, sizeof *zero);
    for (int squares = 1; squares <= 3; squares++) {
        struct kit kit = make(squares, 1);
        struct backoff *backoff = kit.backoff;
        const size_t parts = kit.parts;
        double *v = random_array(parts, 1), *p = random_array(parts, 4);
        double *back = random_array(parts, 3), *other = random_array(parts, 3), *image = calloc(count, sizeof *image);
        backoff_add(backoff, v, image);
        backoff_gather(backoff, g, 0.0, v, back);
        const double size = sqrt(dot(image, image, count) * dot(g, g, count));
        assert_true(fabs(dot(image, g, count) - dot(v, back, parts)) < 1e-12 * size);
        backoff_gather(backoff, g, -2.0, p, other);
        for (size_t k = 0; k < parts; k++)
            other[k] = (other[k] - back[k]) / -2.0; /* R p */
        const double cross = dot(v, other, parts);
        backoff_gather(backoff, zero, 1.0, v, back);
        assert_true(fabs(dot(back, p, parts) - cross) < 1e-9 * (1.0 + fabs(cross)));
        assert_true(dot(back, v, parts) > 0.0);
        free(v);
        free(p);
        free(back);
        free(other);
        free(image);
        clear(&kit);
    }
    free(g);
    free(zero);
}

static void test_prior_counts_entries(void **state)
{
    (void)state;
    const uint32_t count = willow_pattern_set_weights(set()), *tie = willow_pattern_set_tie(set());
    double *zero = calloc(count, sizeof *zero);
    struct kit kit = make(2, 1);
    const size_t parts = kit.parts, part = first_part(UNTIED_SHAPE, 2) + parts_of(SQUARES, 1);
    double *unit = calloc(parts, sizeof *unit), *back = calloc(parts, sizeof *back);
    double *image = calloc(count, sizeof *image);
    uint8_t at[WILLOW_PATTERN_SQUARES_MAX];
    uint32_t first = 0;
    willow_pattern_set_squares(set(), UNTIED_SHAPE, at, &first);
    unit[part] = 1.0; /* a function of digits 1 and 0 */
    backoff_add(kit.backoff, unit, image);
    backoff_gather(kit.backoff, zero, 1.0, unit, back);
    double sum = 0.0;
    for (uint32_t e = 0; e < 9; e++)
        sum += image[tie[first + e]] * image[tie[first + e]];
    assert_true(fabs(back[part] - prior * sum) < 1e-12);
    free(zero);
    free(unit);
    free(back);
    free(image);
    clear(&kit);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    const uint32_t count = willow_pattern_set_weights(set());
    struct kit one = make(3, 1), many = make(3, 5);
    const size_t parts = one.parts;
    double *v = random_array(parts, 1), *a = random_array(count, 2), *b = random_array(count, 2);
    backoff_add(one.backoff, v, a);
    backoff_add(many.backoff, v, b);
    assert_memory_equal(a, b, count * sizeof *a);
    double *first = random_array(parts, 3), *other = random_array(parts, 4);
    backoff_gather(one.backoff, a, 0.5, v, first);
    backoff_gather(many.backoff, a, 0.5, v, other);
    assert_memory_equal(first, other, parts * sizeof *first);
    assert_memory_equal(one.pace, many.pace, parts * sizeof *one.pace);
    free(v);
    free(a);
    free(b);
    free(first);
    free(other);
    clear(&one);
    clear(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions_of_tables),
                                       cmocka_unit_test(test_tied_configurations), cmocka_unit_test(test_adjoint),
                                       cmocka_unit_test(test_prior_counts_entries),
                                       cmocka_unit_test(test_threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
