/* Every move kernel against the referee: reachable positions, arbitrary patterns, and single lines of every length. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "rules/kernel.h"
#include "support/referee_random.h"

struct kernel {
    const char *name;
    willow_bits (*moves)(willow_bits player, willow_bits opponent);
    willow_bits (*flips)(willow_bits player, willow_bits opponent, int square);
    int (*last_flips)(willow_bits player, int square); /* null = the variant has none */
};

enum { MAX_KERNELS = 4 };

/* The kernels that this processor can run; a build for an older one still tests the others where they can run. */
static int list_kernels(struct kernel kernels[MAX_KERNELS])
{
    int count = 0;
    kernels[count++] = (struct kernel){"portable", portable_moves, portable_flips, portable_last_flips};
    kernels[count++] = (struct kernel){"selected", kernel_moves, kernel_flips, kernel_last_flips};
#if defined(__x86_64__) && !defined(WILLOW_WIDE)
    if (__builtin_cpu_supports("avx2"))
        kernels[count++] = (struct kernel){"avx2", avx2_moves, avx2_flips, NULL};
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
        kernels[count++] = (struct kernel){"avx512", avx512_moves, avx512_flips, avx512_last_flips};
#endif
    return count;
}

static void fail_at(const struct kernel *kernel, const char *what, willow_bits player, willow_bits opponent, int square)
{
    char text[2][40];
    const willow_bits words[2] = {player, opponent};
    for (int i = 0; i < 2; i++) {
        int length = 0;
        for (int word = WILLOW_BITS_WORDS - 1; word >= 0; word--)
            length += snprintf(text[i] + length, sizeof text[i] - (size_t)length, "%016" PRIx64,
                               willow_bits_word(words[i], word));
    }
    fail_msg("%s %s of %s %s at %d", kernel->name, what, text[0], text[1], square);
}

static void compare(const struct referee *position)
{
    struct kernel kernels[MAX_KERNELS];
    const int count = list_kernels(kernels);
    willow_bits player, opponent;
    referee_to_words(position, &player, &opponent);
    const willow_bits moves = referee_moves(position);
    for (int k = 0; k < count; k++)
        if ((kernels[k].moves(player, opponent) & WILLOW_BITS_ALL) != moves)
            fail_at(&kernels[k], "moves", player, opponent, -1);
    for (int square = 0; square < WILLOW_SQUARES; square++) {
        if (position->cells[square] != '-')
            continue;
        const willow_bits flips = referee_flips(position, square);
        for (int k = 0; k < count; k++)
            if (kernels[k].flips(player, opponent, square) != flips)
                fail_at(&kernels[k], "flips", player, opponent, square);
    }
}

/* The count of the last empty square against the referee, which sees the board and turns disc after disc. */
static void compare_last(willow_bits player, int square)
{
    struct kernel kernels[MAX_KERNELS];
    const int count = list_kernels(kernels);
    const willow_bits own = player & WILLOW_BITS_ALL & ~WILLOW_BIT(square);
    const struct referee position =
        referee_from_words(own, WILLOW_BITS_ALL & ~(own | WILLOW_BIT(square)), WILLOW_BITS_ALL);
    const int flips = kernel_count(referee_flips(&position, square));
    for (int k = 0; k < count; k++)
        if (kernels[k].last_flips && kernels[k].last_flips(own, square) != flips)
            fail_at(&kernels[k], "counts of the last square", own, 0, square);
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

/* From every square in every direction: a run of any length that ends at a disc, an empty square or the edge, on a
 * board that is otherwise empty or otherwise full of the opponent's discs. */
static void single_lines(void **state)
{
    (void)state;
    static const int directions[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (int square = 0; square < WILLOW_SQUARES; square++)
        for (int d = 0; d < 8; d++)
            for (int run = 0; run < WILLOW_SIDE; run++)
                for (int variant = 0; variant < 4; variant++) {
                    struct referee position = referee_from_words(0, 0, WILLOW_BITS_ALL);
                    if (variant & 1)
                        position = referee_from_words(0, WILLOW_BITS_ALL, WILLOW_BITS_ALL);
                    position.cells[square] = '-';
                    for (int i = 1; i <= run + 1; i++) {
                        const int column = square % WILLOW_SIDE + i * directions[d][0];
                        const int row = square / WILLOW_SIDE + i * directions[d][1];
                        if (column < 0 || column >= WILLOW_SIDE || row < 0 || row >= WILLOW_SIDE)
                            break;
                        position.cells[WILLOW_SIDE * row + column] = i <= run ? 'O' : variant & 2 ? 'X' : '-';
                    }
                    compare(&position);
                }
}

static willow_bits random_bits(struct willow_random *random)
{
    willow_bits bits = 0;
    for (int word = 0; word < WILLOW_BITS_WORDS; word++)
        bits |= willow_bits_of_word(willow_random_u64(random), word);
    return bits;
}

/* Random full boards, from few discs of the player to many, and boards that only one ray decides. */
static void last_empty_square(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 3, 0);
    for (int square = 0; square < WILLOW_SQUARES; square++) {
        compare_last(0, square);
        compare_last(WILLOW_BITS_ALL, square);
        for (int other = 0; other < WILLOW_SQUARES; other++) {
            compare_last(WILLOW_BIT(other), square);
            compare_last(~WILLOW_BIT(other), square);
        }
        for (int i = 0; i < 100; i++) {
            const willow_bits a = random_bits(&random), b = random_bits(&random);
            compare_last(a, square);
            compare_last(a & b, square);
            compare_last(a | b, square);
        }
    }
}

static void empty_and_full_boards(void **state)
{
    (void)state;
    const willow_bits half = WILLOW_BIT(WILLOW_SQUARES / 2) - 1;
    const willow_bits words[][2] = {{0, 0}, {WILLOW_BITS_ALL, 0}, {0, WILLOW_BITS_ALL}, {half, WILLOW_BITS_ALL ^ half}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const struct referee position = referee_from_words(words[i][0], words[i][1], WILLOW_BITS_ALL);
        compare(&position);
    }
}

static void masks_are_counted_and_walked(void **state)
{
    (void)state;
    assert_int_equal(kernel_count(0), 0);
    assert_int_equal(kernel_count(WILLOW_BITS_ALL), WILLOW_SQUARES);
    for (int square = 0; square < WILLOW_SQUARES; square++)
        assert_int_equal(kernel_first(WILLOW_BITS_ALL << square), square);
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
