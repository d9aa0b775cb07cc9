/* Tests of the pattern sets. The reference reads squares one by one from its own list of shapes and knows nothing of
 * place values, lanes or ties; the two meet in the text that describes a weight.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/patterns.h>
#include <willow/random.h>

#include "support/referee.h"

enum { TEXT = 40 };

struct reference_shape {
    const char *name, *squares;
    const char *sets; /* "46 58 62": those that hold it */
};

static const struct reference_shape shapes[] = {
    {"edge2x", "a1b1c1d1e1f1g1h1b2g2", "46 58 62"}, {"corner3x3", "a1b1c1a2b2c2a3b3c3", "46 58 62"},
    {"angle", "a5a4a3a2a1b2b1c1d1e1", "46 58 62"},  {"block", "a1c1d1e1f1h1c2d2e2f2", "46 58 62"},
    {"corner2x5", "a1b1c1d1e1a2b2c2d2e2", "58 62"}, {"triangle", "a1b1c1d1a2b2c2a3b3a4", "58 62"},
    {"row2", "a2b2c2d2e2f2g2h2", "46 58"},          {"row3", "a3b3c3d3e3f3g3h3", "46 58 62"},
    {"row4", "a4b4c4d4e4f4g4h4", "46 58 62"},       {"diagonal8", "a1b2c3d4e5f6g7h8", "46 58 62"},
    {"diagonal7", "a2b3c4d5e6f7g8", "46 58 62"},    {"diagonal6", "a3b4c5d6e7f8", "46 58 62"},
    {"diagonal5", "a4b5c6d7e8", "46 58"},           {"diagonal4", "a5b6c7d8", "46 58"},
    {"row2corners", "a1a2b2c2d2e2f2g2h2h1", "62"},  {"cross", "a1a2b1b2b3c2c3c4d3d4", "62"},
    {"fan", "c1d1c2d2e2b3c3d3c4b2", "62"},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* One of the eight images of a square given as text; the order of the eight does not matter here. */
static int image_of(const char *square, int symmetry)
{
    int column = square[0] - 'a', row = square[1] - '1';
    for (int quarter = 0; quarter < symmetry % 4; quarter++) {
        int turned = 7 - column;
        column = row;
        row = turned;
    }
    return 8 * row + (symmetry < 4 ? column : 7 - column);
}

/* Appends the text of every placement of the shape: of all ways to read it there, the least with . < X < O. */
static int describe_shape(const struct reference_shape *shape, const struct referee *board, char texts[][TEXT],
                          int count)
{
    uint64_t sets[8];
    char best[8][TEXT];
    int sets_count = 0, squares = (int)strlen(shape->squares) / 2;
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        uint64_t set = 0;
        char digits[TEXT] = "";
        for (int i = 0; i < squares; i++) {
            int square = image_of(shape->squares + 2 * i, symmetry);
            set |= UINT64_C(1) << square;
            digits[i] = board->cells[square] == 'X' ? '1' : board->cells[square] == 'O' ? '2' : '0';
        }
        int at = 0;
        while (at < sets_count && sets[at] != set)
            at++;
        if (at == sets_count) {
            sets[sets_count++] = set;
            strcpy(best[at], digits);
        } else if (strcmp(digits, best[at]) < 0) {
            strcpy(best[at], digits);
        }
    }
    for (int i = 0; i < sets_count; i++) {
        for (char *c = best[i]; *c != '\0'; c++)
            *c = ".XO"[*c - '0'];
        snprintf(texts[count++], TEXT, "%s %.10s", shape->name, best[i]);
    }
    return count;
}

static int reference_texts(const char *set, const struct referee *board, char texts[][TEXT])
{
    int count = 0, discs = 0;
    for (int i = 0; i < SHAPES; i++)
        if (strstr(shapes[i].sets, set + 1) != NULL)
            count = describe_shape(&shapes[i], board, texts, count);
    for (int square = 0; square < 64; square++)
        discs += board->cells[square] != '-';
    snprintf(texts[count++], TEXT, "discs %d", discs);
    if (strcmp(set, "p62") == 0) {
        struct referee turned = referee_play(board, 64);
        snprintf(texts[count++], TEXT, "mobility %d", __builtin_popcountll(referee_moves(board)));
        snprintf(texts[count++], TEXT, "other-mobility %d", __builtin_popcountll(referee_moves(&turned)));
    }
    return count;
}

/* Every square at random, from nearly empty to full: more than games reach. */
static struct willow_board random_board(struct willow_random *random, uint32_t filled_of_8)
{
    struct willow_board board = {0, 0};
    for (int square = 0; square < 64; square++)
        if (willow_random_below(random, 8) < filled_of_8) {
            if (willow_random_below(random, 2))
                board.player |= UINT64_C(1) << square;
            else
                board.opponent |= UINT64_C(1) << square;
        }
    return board;
}

static void *find_all(void *unused)
{
    (void)unused;
    uint64_t total = 0;
    for (int i = 0; willow_pattern_set_at(i) != NULL; i++)
        total += willow_pattern_set_weights(willow_pattern_set_at(i));
    return (void *)(uintptr_t)total;
}

/* Comes first, so that the threads meet tables that nobody has derived yet. */
static void test_threads_share_tables(void **state)
{
    (void)state;
    pthread_t threads[4];
    void *totals[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, find_all, NULL), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], &totals[i]), 0);
    for (int i = 0; i < 4; i++)
        assert_ptr_equal(totals[i], find_all(NULL));
}

static void test_sets_are_found(void **state)
{
    (void)state;
    int count = 0;
    for (const struct willow_pattern_set *set; (set = willow_pattern_set_at(count)) != NULL; count++) {
        assert_ptr_equal(set, willow_pattern_set_find(willow_pattern_set_name(set)));
        assert_ptr_equal(set, willow_pattern_set_by_id(willow_pattern_set_id(set)));
    }
    assert_int_equal(count, 3);
    assert_null(willow_pattern_set_at(-1));
    assert_null(willow_pattern_set_find("p59"));
    assert_null(willow_pattern_set_find(NULL));
    assert_null(willow_pattern_set_by_id(0));
    assert_string_equal(willow_pattern_set_name(willow_pattern_set_default()), "p62");
}

/* Ids are stored in files: the sets behind them must never change. Counts by hand: a shape of n squares that a mirror
 * keeps in place with k squares on the mirror has (3^n + 3^k) / 2 distinct configurations. */
static void test_ids_and_sizes_are_fixed(void **state)
{
    (void)state;
    const uint32_t small = 3 * 3321 + 3321 + 1134 + 378 + 135 + 45; /* rows, diagonals */
    const uint32_t p46 = 29646 + 10206 + 29889 + 29646 + small;     /* edge, 3x3, angle, block */
    const uint32_t p58 = p46 + 59049 + 29889;                       /* 2x5, triangle */
    const uint32_t p62 =
        p58 - 3321 - 135 - 45 + 29646 + 30618 + 59049; /* row 2, diagonals; row 2 with corners, cross, fan */
    const struct willow_pattern_set *set = willow_pattern_set_by_id(1);
    assert_string_equal(willow_pattern_set_name(set), "p46");
    assert_int_equal(willow_pattern_set_features(set), 46 + 1);
    assert_int_equal(willow_pattern_set_weights(set), p46 + 65);
    set = willow_pattern_set_by_id(2);
    assert_string_equal(willow_pattern_set_name(set), "p58");
    assert_int_equal(willow_pattern_set_features(set), 58 + 1);
    assert_int_equal(willow_pattern_set_weights(set), p58 + 65);
    set = willow_pattern_set_by_id(3);
    assert_string_equal(willow_pattern_set_name(set), "p62");
    assert_int_equal(willow_pattern_set_features(set), 62 + 3);
    assert_int_equal(willow_pattern_set_weights(set), p62 + 65 + 2 * 64);
}

static void test_indices_equal_reference(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 1, 0);
    for (int s = 0; willow_pattern_set_at(s) != NULL; s++) {
        const struct willow_pattern_set *set = willow_pattern_set_at(s);
        for (uint32_t round = 0; round < 27; round++) {
            struct willow_board board = random_board(&random, round % 9);
            struct referee referee = referee_from_words(board.player, board.opponent, UINT64_MAX);
            char expected[WILLOW_FEATURES_MAX][TEXT], found[WILLOW_FEATURES_MAX][TEXT];
            int count = reference_texts(willow_pattern_set_name(set), &referee, expected);
            assert_int_equal(count, willow_pattern_set_features(set));
            uint32_t index[WILLOW_FEATURES_MAX];
            willow_pattern_set_indices(set, board, index);
            for (int i = 0; i < count; i++) {
                assert_true(index[i] < willow_pattern_set_weights(set));
                willow_pattern_set_describe(set, index[i], found[i], TEXT);
            }
            qsort(expected, (size_t)count, TEXT, by_text);
            qsort(found, (size_t)count, TEXT, by_text);
            for (int i = 0; i < count; i++)
                assert_string_equal(found[i], expected[i]);
        }
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void test_images_use_the_same_weights(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 2, 0);
    for (int s = 0; willow_pattern_set_at(s) != NULL; s++) {
        const struct willow_pattern_set *set = willow_pattern_set_at(s);
        size_t count = (size_t)willow_pattern_set_features(set);
        for (uint32_t round = 0; round < 90; round++) {
            struct willow_board board = random_board(&random, round % 9);
            uint32_t index[WILLOW_FEATURES_MAX], image[WILLOW_FEATURES_MAX];
            willow_pattern_set_indices(set, board, index);
            qsort(index, count, sizeof *index, by_number);
            for (int symmetry = 1; symmetry < WILLOW_SYMMETRIES; symmetry++) {
                willow_pattern_set_indices(set, willow_board_symmetry(willow_ruleset_default(), board, symmetry),
                                           image);
                qsort(image, count, sizeof *image, by_number);
                assert_memory_equal(image, index, count * sizeof *index);
            }
        }
    }
}

static void test_describe(void **state)
{
    (void)state;
    const struct willow_pattern_set *set = willow_pattern_set_find("p62");
    char text[TEXT];
    uint32_t count = willow_pattern_set_weights(set);
    assert_string_equal(willow_pattern_set_describe(set, 0, text, sizeof text), "edge2x ..........");
    assert_string_equal(willow_pattern_set_describe(set, count - 1, text, sizeof text), "other-mobility 63");
    assert_string_equal(willow_pattern_set_describe(set, count, text, sizeof text), "outside the set");
    assert_string_equal(willow_pattern_set_describe(set, UINT32_MAX, text, sizeof text), "outside the set");
    assert_string_equal(willow_pattern_set_describe(set, 0, text, 5), "edge");
}

/* The parts follow each other without a gap and end with the set. */
static void test_parts_cover_the_set(void **state)
{
    (void)state;
    const struct willow_pattern_set *set;
    for (int i = 0; (set = willow_pattern_set_at(i)) != NULL; i++) {
        uint32_t next = 0;
        int part = 0;
        const char *name;
        for (uint32_t first, count; (name = willow_pattern_set_part(set, part, &first, &count)) != NULL; part++) {
            char text[128];
            assert_int_equal(first, next);
            assert_true(count > 0);
            next = first + count;
            assert_memory_equal(willow_pattern_set_describe(set, first, text, sizeof text), name, strlen(name));
            assert_memory_equal(willow_pattern_set_describe(set, next - 1, text, sizeof text), name, strlen(name));
        }
        assert_int_equal(next, willow_pattern_set_weights(set));
        assert_true(part > 12);
        assert_null(willow_pattern_set_part(set, -1, NULL, NULL));
    }
}

/* The square of every digit and the place of every shape among raw indices: one disc on the square gives that index in
 * one of the placements. */
static void test_squares_of_shapes(void **state)
{
    (void)state;
    const struct willow_pattern_set *set;
    for (int i = 0; (set = willow_pattern_set_at(i)) != NULL; i++) {
        uint8_t squares[WILLOW_PATTERN_SQUARES_MAX];
        uint32_t index[WILLOW_FEATURES_MAX], first = 0, next = 0;
        int shape = 0;
        for (int count; (count = willow_pattern_set_squares(set, shape, squares, &first)) > 0; shape++) {
            assert_int_equal(first, next);
            uint32_t power = 1;
            for (int digit = count - 1; digit >= 0; digit--, power *= 3) {
                const uint64_t disc = UINT64_C(1) << squares[digit];
                for (uint32_t side = 1; side <= 2; side++) {
                    const struct willow_board board = {side == 1 ? disc : 0, side == 2 ? disc : 0};
                    willow_pattern_set_raw_indices(set, board, index);
                    bool found = false;
                    for (int f = 0; f < willow_pattern_set_features(set); f++)
                        found = found || index[f] == first + side * power;
                    assert_true(found);
                }
            }
            next = first + power;
        }
        const char *name = willow_pattern_set_part(set, shape, NULL, NULL);
        assert_string_equal(name, "discs");
        assert_int_equal(willow_pattern_set_squares(set, -1, squares, &first), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_share_tables),        cmocka_unit_test(test_sets_are_found),
        cmocka_unit_test(test_ids_and_sizes_are_fixed),     cmocka_unit_test(test_indices_equal_reference),
        cmocka_unit_test(test_images_use_the_same_weights), cmocka_unit_test(test_describe),
        cmocka_unit_test(test_parts_cover_the_set),         cmocka_unit_test(test_squares_of_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
