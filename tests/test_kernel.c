/* Every move kernel against the referee: reachable positions, arbitrary patterns, and single lines of every length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules/kernel.h"
#include "support/referee_random.h"

struct kernel {
    const char *name;
    uint64_t (*moves)(uint64_t player, uint64_t opponent);
    uint64_t (*flips)(uint64_t player, uint64_t opponent, int square);
    int (*last_flips)(uint64_t player, int square); /* null = the variant has none */
};

enum { MAX_KERNELS = 4 };

/* The kernels that this processor can run; a build for an older one still tests the others where they can run. */
static int list_kernels(struct kernel kernels[MAX_KERNELS])
{
    int count = 0;
    kernels[count++] = (struct kernel){"portable", portable_moves, portable_flips, portable_last_flips};
    kernels[count++] = (struct kernel){"selected", kernel_moves, kernel_flips, kernel_last_flips};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        kernels[count++] = (struct kernel){"avx2", avx2_moves, avx2_flips, NULL};
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
        kernels[count++] = (struct kernel){"avx512", avx512_moves, avx512_flips, avx512_last_flips};
#endif
    return count;
}

static void compare(const struct referee *position)
{
    struct kernel kernels[MAX_KERNELS];
    const int count = list_kernels(kernels);
    uint64_t player, opponent;
    referee_to_words(position, &player, &opponent);
    const uint64_t moves = referee_moves(position);
    for (int k = 0; k < count; k++)
        if (kernels[k].moves(player, opponent) != moves)
            fail_msg("%s moves of %016lx %016lx", kernels[k].name, player, opponent);
    for (int square = 0; square < 64; square++) {
        if (position->cells[square] != '-')
            continue;
        const uint64_t flips = referee_flips(position, square);
        for (int k = 0; k < count; k++)
            if (kernels[k].flips(player, opponent, square) != flips)
                fail_msg("%s flips of %016lx %016lx at %d", kernels[k].name, player, opponent, square);
    }
}

/* The count of the last empty square against the referee, which sees the board and turns disc after disc. */
static void compare_last(uint64_t player, int square)
{
    struct kernel kernels[MAX_KERNELS];
    const int count = list_kernels(kernels);
    const uint64_t own = player & ~(UINT64_C(1) << square), other = ~(player | UINT64_C(1) << square);
    const struct referee position = referee_from_words(own, other, UINT64_MAX);
    const int flips = kernel_count(referee_flips(&position, square));
    for (int k = 0; k < count; k++)
        if (kernels[k].last_flips && kernels[k].last_flips(own, square) != flips)
            fail_msg("%s counts other flips of %016lx at %d", kernels[k].name, own, square);
}

static void reachable_positions(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 1, 0);
    for (int i = 0; i < 2000; i++) {
        const struct referee position = referee_random_game(&random);
        compare(&position);
    }
}

static void arbitrary_patterns(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 2, 0);
    for (int i = 0; i < 6000; i++) {
        const struct referee position = referee_random_pattern(&random);
        compare(&position);
    }
}

/* From every square in every direction: a run of 0-7 discs that ends at a disc, an empty square or the edge, on a board
 * that is otherwise empty or otherwise full of the opponent's discs. */
static void single_lines(void **state)
{
    (void)state;
    static const int directions[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (int square = 0; square < 64; square++)
        for (int d = 0; d < 8; d++)
            for (int run = 0; run <= 7; run++)
                for (int variant = 0; variant < 4; variant++) {
                    struct referee position = referee_from_words(0, 0, UINT64_MAX);
                    if (variant & 1)
                        position = referee_from_words(0, UINT64_MAX, UINT64_MAX);
                    position.cells[square] = '-';
                    for (int i = 1; i <= run + 1; i++) {
                        const int column = square % 8 + i * directions[d][0], row = square / 8 + i * directions[d][1];
                        if (column < 0 || column > 7 || row < 0 || row > 7)
                            break;
                        position.cells[8 * row + column] = i <= run ? 'O' : variant & 2 ? 'X' : '-';
                    }
                    compare(&position);
                }
}

/* Random full boards, from few discs of the player to many, and boards that only one ray decides. */
static void last_empty_square(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 3, 0);
    for (int square = 0; square < 64; square++) {
        compare_last(0, square);
        compare_last(UINT64_MAX, square);
        for (int other = 0; other < 64; other++) {
            compare_last(UINT64_C(1) << other, square);
            compare_last(~(UINT64_C(1) << other), square);
        }
        for (int i = 0; i < 100; i++) {
            const uint64_t a = willow_random_u64(&random), b = willow_random_u64(&random);
            compare_last(a, square);
            compare_last(a & b, square);
            compare_last(a | b, square);
        }
    }
}

static void empty_and_full_boards(void **state)
{
    (void)state;
    const uint64_t words[][2] = {{0, 0}, {UINT64_MAX, 0}, {0, UINT64_MAX}, {0x00000000FFFFFFFFu, 0xFFFFFFFF00000000u}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const struct referee position = referee_from_words(words[i][0], words[i][1], UINT64_MAX);
        compare(&position);
    }
}

static void masks_are_counted_and_walked(void **state)
{
    (void)state;
    assert_int_equal(kernel_count(0), 0);
    assert_int_equal(kernel_count(UINT64_MAX), 64);
    for (int square = 0; square < 64; square++)
        assert_int_equal(kernel_first(UINT64_MAX << square), square);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reachable_positions),   cmocka_unit_test(arbitrary_patterns),
        cmocka_unit_test(single_lines),          cmocka_unit_test(last_empty_square),
        cmocka_unit_test(empty_and_full_boards), cmocka_unit_test(masks_are_counted_and_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
