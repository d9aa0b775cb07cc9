/* Random streams: known answers, uniformity, independence of streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <willow/random.h>

/* Philox4x32-10 answers as published with Random123 (its file kat_vectors): counter, key, result. */
static void known_answers(void **state)
{
    (void)state;
    static const struct {
        uint64_t counter, stream, seed;
        uint32_t result[4];
    } cases[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {0x85a308d3243f6a88u,
         0x0370734413198a2eu,
         0x299f31d0a4093822u,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_random random;
        willow_random_init(&random, cases[i].seed, cases[i].stream);
        random.counter = cases[i].counter;
        const uint32_t *r = cases[i].result;
        assert_int_equal(willow_random_u64(&random), (uint64_t)r[1] << 32 | r[0]);
        assert_int_equal(willow_random_u64(&random), (uint64_t)r[3] << 32 | r[2]);
    }
}

static void same_seed_and_stream_repeat(void **state)
{
    (void)state;
    struct willow_random a, b;
    willow_random_init(&a, 5, 9);
    for (int i = 0; i < 7; i++)
        (void)willow_random_below(&a, 10);
    b = a; /* a copy goes on from the same point, in the middle of a block too */
    for (int i = 0; i < 1000; i++)
        assert_int_equal(willow_random_u64(&a), willow_random_u64(&b));
}

/* Streams that differ in one bit of seed or stream, or exchange the two, share no more bits than chance. */
static void streams_are_independent(void **state)
{
    (void)state;
    static const uint64_t pairs[][4] = {
        {1, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 1, 0}, {7, 7, 7, 8}, {7, 1, 7, UINT64_C(1) << 32 | 1},
    };
    enum { DRAWS = 4000 };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct willow_random a, b;
        willow_random_init(&a, pairs[i][0], pairs[i][1]);
        willow_random_init(&b, pairs[i][2], pairs[i][3]);
        int differing = 0;
        for (int n = 0; n < DRAWS; n++)
            differing += __builtin_popcountll(willow_random_u64(&a) ^ willow_random_u64(&b));
        /* Mean 32 a draw; the standard deviation of the sum is 4 * sqrt(4000) = 253. */
        assert_in_range(differing, 32 * DRAWS - 1300, 32 * DRAWS + 1300);
    }
}

static void below_is_uniform(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 1, 2);
    int counts[6] = {0};
    for (int i = 0; i < 60000; i++) {
        const uint32_t value = willow_random_below(&random, 6);
        assert_true(value < 6);
        counts[value]++;
    }
    double chi_square = 0;
    for (int i = 0; i < 6; i++)
        chi_square += (counts[i] - 10000.0) * (counts[i] - 10000.0) / 10000.0;
    assert_true(chi_square < 25); /* 5 degrees of freedom: exceeded once in 7,000 seeds */

    for (int i = 0; i < 100; i++)
        assert_int_equal(willow_random_below(&random, 1), 0);
}

/* Without the rejection step half of all values below 3 * 2^30 would be multiples of three. */
static void below_has_no_bias_for_large_bounds(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 3, 4);
    int multiples = 0;
    for (int i = 0; i < 30000; i++)
        multiples += willow_random_below(&random, 3u << 30) % 3 == 0;
    assert_in_range(multiples, 9500, 10500); /* standard deviation 82 */
}

static void bit_is_uniform_among_set_ones(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 5, 6);
    const uint64_t mask = UINT64_C(0x8000010000000011); /* bits 0, 4, 40, 63 */
    int counts[64] = {0};
    for (int i = 0; i < 40000; i++)
        counts[willow_random_bit(&random, mask)]++;
    for (int bit = 0; bit < 64; bit++) {
        if (mask >> bit & 1)
            assert_in_range(counts[bit], 9600, 10400); /* standard deviation 87 */
        else
            assert_int_equal(counts[bit], 0);
    }
    assert_int_equal(willow_random_bit(&random, UINT64_C(1) << 63), 63);
}

static void unit_is_uniform(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 11, 0);
    double sum = 0, squares = 0;
    enum { DRAWS = 50000 };
    for (int i = 0; i < DRAWS; i++) {
        const double x = willow_random_unit(&random);
        assert_true(x >= 0 && x < 1);
        assert_true(x * 0x1p53 == (double)(uint64_t)(x * 0x1p53));
        sum += x;
        squares += x * x;
    }
    const double mean = sum / DRAWS, variance = squares / DRAWS - mean * mean;
    assert_true(mean > 0.493 && mean < 0.507);
    assert_true(variance > 0.0815 && variance < 0.0852); /* 1/12 = 0.0833 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(same_seed_and_stream_repeat),
        cmocka_unit_test(streams_are_independent),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(below_has_no_bias_for_large_bounds),
        cmocka_unit_test(bit_is_uniform_among_set_ones),
        cmocka_unit_test(unit_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
