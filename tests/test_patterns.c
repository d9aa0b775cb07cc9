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

/* The names of the sets that hold a shape, and its squares on boards of 8x8, of 4x4, 6x6 and 10x10; null = the same.
 * Shapes that lost too much are not drawn. */
struct reference_shape {
    const char *name, *sets;
    const char *squares, *on_4x4, *on_6x6, *on_10x10;
};

static const struct reference_shape shapes[] = {
    {"edge2x", "46 58 62", "a1b1c1d1e1f1g1h1b2g2", "a1b1c1d1b2c2", "a1b1c1d1e1f1b2e2", "a1b1c1d1g1h1i1j1b2i2"},
    {"corner3x3", "46 58 62", "a1b1c1a2b2c2a3b3c3", NULL, NULL, NULL},
    {"angle", "46 58 62", "a5a4a3a2a1b2b1c1d1e1", "a4a3a2a1b2b1c1d1", NULL, NULL},
    {"block", "46 58 62", "a1c1d1e1f1h1c2d2e2f2", "a1c1d1b1c2d2a2b2", "a1c1d1f1c2d2", "a1c1d1g1h1j1c2d2g2h2"},
    {"corner2x5", "58 62", "a1b1c1d1e1a2b2c2d2e2", "a1b1c1d1a2b2c2d2", NULL, NULL},
    {"triangle", "58 62", "a1b1c1d1a2b2c2a3b3a4", NULL, NULL, NULL},
    {"row2", "46 58", "a2b2c2d2e2f2g2h2", "a2b2c2d2", "a2b2c2d2e2f2", "a2b2c2d2e2f2g2h2i2j2"},
    {"row2corners", "62", "a1a2b2c2d2e2f2g2h2h1", "a1a2b2c2d2d1", "a1a2b2c2d2e2f2f1", "a1a2b2c2d2g2h2i2j2j1"},
    {"row3", "46 58 62", "a3b3c3d3e3f3g3h3", "a3b3c3d3", "a3b3c3d3e3f3", "a3b3c3d3e3f3g3h3i3j3"},
    {"row4", "46 58 62", "a4b4c4d4e4f4g4h4", "a4b4c4d4", "a4b4c4d4e4f4", "a4b4c4d4e4f4g4h4i4j4"},
    {"diagonal8", "46 58 62", "a1b2c3d4e5f6g7h8", "a1b2c3d4", "a1b2c3d4e5f6", "a1b2c3d4e5f6g7h8i9j:"},
    {"diagonal7", "46 58 62", "a2b3c4d5e6f7g8", "a2b3c4", "a2b3c4d5e6", "a2b3c4d5e6f7g8h9i:"},
    {"diagonal6", "46 58 62", "a3b4c5d6e7f8", "", "a3b4c5d6", "a3b4c5d6e7f8g9h:"},
    {"diagonal5", "46 58", "a4b5c6d7e8", "", "a4b5c6", "a4b5c6d7e8f9g:"},
    {"diagonal4", "46 58", "a5b6c7d8", "", "", "a5b6c7d8e9f:"},
    {"cross", "62", "a1a2b1b2b3c2c3c4d3d4", NULL, NULL, NULL},
    {"fan", "62", "c1d1c2d2e2b3c3d3c4b2", "c1d1c2d2b3c3d3c4b2", NULL, NULL},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const char *drawn(const struct reference_shape *shape, const struct willow_ruleset *ruleset)
{
    const char *other = ruleset->width == 4    ? shape->on_4x4
                        : ruleset->width == 6  ? shape->on_6x6
                        : ruleset->width == 10 ? shape->on_10x10
                                               : NULL;
    return other != NULL ? other : shape->squares;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* One of the eight images of a square given as text; the order of the eight does not matter here. */
static int image_of(const char *square, int symmetry, int side)
{
    int column = square[0] - 'a', row = square[1] - '1';
    for (int quarter = 0; quarter < symmetry % 4; quarter++) {
        int turned = side - 1 - column;
        column = row;
        row = turned;
    }
    return WILLOW_SIDE * row + (symmetry < 4 ? column : side - 1 - column);
}

/* What stands on the board, with all placements so far. */
struct reading {
    const struct willow_ruleset *ruleset;
    const struct referee *board;
    int count;
    willow_bits squares[WILLOW_FEATURES_MAX];
    char texts[WILLOW_FEATURES_MAX][TEXT];
};

/* A way to read the shape: which of its squares are holes, then what stands on the others. Holes first, so that of all
 * ways that differ in them the one with the earliest loses only what it must. */
struct way {
    willow_bits whole, left;
    char lost[TEXT], digits[TEXT];
};

static struct way read_way(const char *squares, const struct reading *reading, int symmetry)
{
    struct way way = {0, 0, "", ""};
    for (size_t i = 0; squares[2 * i] != '\0'; i++) {
        const int square = image_of(squares + 2 * i, symmetry, reading->ruleset->width);
        const char cell = reading->board->cells[square];
        way.whole |= WILLOW_BIT(square);
        if (cell == '#') {
            strncat(way.lost, squares + 2 * i, 2);
            continue;
        }
        way.left |= WILLOW_BIT(square);
        strcat(way.digits, cell == 'X' ? "1" : cell == 'O' ? "2" : "0");
    }
    return way;
}

/* Boards of these tests have one hole at most: the lost squares are one square, and the earliest one of the shape is
 * the choice of all ways to read the same placement. */
static bool is_less(const struct way *a, const struct way *b, const char *squares)
{
    if (strcmp(a->lost, b->lost) != 0)
        return strstr(squares, a->lost) < strstr(squares, b->lost);
    return strcmp(a->digits, b->digits) < 0;
}

/* Appends the text of every placement of the shape: of all ways to read it there, the least with . < X < O. */
static void describe_shape(const struct reference_shape *shape, struct reading *reading)
{
    const char *squares = drawn(shape, reading->ruleset);
    struct way best[8];
    int found = 0;
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        const struct way way = read_way(squares, reading, symmetry);
        int at = 0;
        while (at < found && best[at].whole != way.whole)
            at++;
        if (at == found)
            best[found++] = way;
        else if (is_less(&way, &best[at], squares))
            best[at] = way;
    }
    for (int i = 0; i < found; i++) {
        bool is_new = strlen(best[i].digits) >= 3;
        for (int other = 0; other < reading->count; other++)
            is_new = is_new && reading->squares[other] != best[i].left;
        if (!is_new)
            continue;
        for (char *c = best[i].digits; *c != '\0'; c++)
            *c = ".XO"[*c - '0'];
        snprintf(reading->texts[reading->count], TEXT, "%s%s%.2s %.10s", shape->name, best[i].lost[0] ? "-" : "",
                 best[i].lost, best[i].digits);
        reading->squares[reading->count++] = best[i].left;
    }
}

static void read_reference(const char *set, const struct referee *board, struct reading *reading)
{
    int discs = 0;
    reading->board = board;
    reading->count = 0;
    for (int i = 0; i < SHAPES; i++)
        if (strstr(shapes[i].sets, set + 1) != NULL)
            describe_shape(&shapes[i], reading);
    for (int square = 0; square < WILLOW_SQUARES; square++)
        discs += board->cells[square] == 'X' || board->cells[square] == 'O';
    snprintf(reading->texts[reading->count++], TEXT, "discs %d", discs);
    if (strcmp(set, "p62") == 0) {
        struct referee turned = referee_play(board, WILLOW_PASS);
        snprintf(reading->texts[reading->count++], TEXT, "mobility %d", willow_bits_count(referee_moves(board)));
        snprintf(reading->texts[reading->count++], TEXT, "other-mobility %d",
                 willow_bits_count(referee_moves(&turned)));
    }
}

/* Every square at random, from nearly empty to full: more than games reach. */
static struct willow_board random_board(const struct willow_ruleset *ruleset, struct willow_random *random,
                                        uint32_t filled_of_8)
{
    struct willow_board board = {0, 0};
    for (int square = 0; square < WILLOW_SQUARES; square++)
        if ((ruleset->playable & WILLOW_BIT(square)) != 0 && willow_random_below(random, 8) < filled_of_8) {
            if (willow_random_below(random, 2))
                board.player |= WILLOW_BIT(square);
            else
                board.opponent |= WILLOW_BIT(square);
        }
    return board;
}

/* The next set on the next board: all sets on all rulesets of the build, but for most of the holes, of which there is
 * one of those that are images of each other, and a few in other parts of the board. *step begins with 0. Null at the
 * end. */
static const struct willow_pattern_set *next_layout(int *step, const struct willow_ruleset **ruleset)
{
    static const char *const holes[] = {"a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "h1", "g4", "f6", "c8"};
    enum { SETS = 3 };
    for (; (*ruleset = willow_ruleset_at(*step / SETS)) != NULL; *step += SETS) {
        bool used = strncmp((*ruleset)->name, "hole:", 5) != 0;
        for (size_t i = 0; i < sizeof holes / sizeof holes[0]; i++)
            used = used || strcmp((*ruleset)->name + 5, holes[i]) == 0;
        if (used) {
            const struct willow_pattern_set *set = willow_pattern_set_at((*step)++ % SETS);
            return willow_pattern_set_on(set, *ruleset);
        }
    }
    return NULL;
}

static void *find_all(void *unused)
{
    (void)unused;
    uint64_t total = 0;
    const struct willow_ruleset *ruleset;
    const struct willow_pattern_set *set;
    for (int step = 0; (set = next_layout(&step, &ruleset)) != NULL;)
        total += willow_pattern_set_weights(set) + (uintptr_t)set;
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
    assert_ptr_equal(willow_pattern_set_on(willow_pattern_set_default(), willow_ruleset_default()),
                     willow_pattern_set_default());
    assert_null(willow_pattern_set_at(-1));
    assert_null(willow_pattern_set_find("p59"));
    assert_null(willow_pattern_set_find(NULL));
    assert_null(willow_pattern_set_by_id(0));
    assert_string_equal(willow_pattern_set_name(willow_pattern_set_default()), "p62");
}

/* Whatever it lies on, a set keeps its name and id; boards with the same squares share what was derived. */
static void test_layouts_are_shared(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset, *other;
    const struct willow_pattern_set *set;
    for (int step = 0; (set = next_layout(&step, &ruleset)) != NULL;) {
        const struct willow_pattern_set *source = willow_pattern_set_by_id(willow_pattern_set_id(set));
        assert_string_equal(willow_pattern_set_name(set), willow_pattern_set_name(source));
        for (int i = 0; (other = willow_ruleset_at(i)) != NULL; i++) {
            if (other->width == ruleset->width && other->playable == ruleset->playable)
                assert_ptr_equal(willow_pattern_set_on(set, other), set);
        }
        assert_true((set == source) == (ruleset->playable == willow_ruleset_default()->playable));
    }
}

/* Ids are stored in files: the sets behind them must never change. Counts by hand: a shape of n squares that a mirror
 * keeps in place with k squares on the mirror has (3^n + 3^k) / 2 distinct configurations. */
static void test_ids_and_sizes_are_fixed(void **state)
{
    (void)state;
    const uint32_t corners = 10206 + 29889; /* 3x3, angle */
#ifdef WILLOW_WIDE
    /* Edge, block, rows 2, 3, 4 and the main diagonal have 10 squares without one on the mirror. */
    const uint32_t small = 4 * 29646 + 9963 + 3321 + 1134 + 378, edges = 2 * 29646;
    const uint32_t lost = 29646 + 1134 + 378; /* row 2, diagonals */
    const uint32_t discs = 101, moves = 100;
#else
    const uint32_t small = 3 * 3321 + 3321 + 1134 + 378 + 135 + 45, edges = 2 * 29646;
    const uint32_t lost = 3321 + 135 + 45;
    const uint32_t discs = 65, moves = 64;
#endif
    const uint32_t p46 = corners + edges + small;
    const uint32_t p58 = p46 + 59049 + 29889;                /* 2x5, triangle */
    const uint32_t p62 = p58 - lost + 29646 + 30618 + 59049; /* row 2 with corners, cross, fan */
    const struct willow_pattern_set *set = willow_pattern_set_by_id(1);
    assert_string_equal(willow_pattern_set_name(set), "p46");
    assert_int_equal(willow_pattern_set_features(set), 46 + 1);
    assert_int_equal(willow_pattern_set_weights(set), p46 + discs);
    set = willow_pattern_set_by_id(2);
    assert_string_equal(willow_pattern_set_name(set), "p58");
    assert_int_equal(willow_pattern_set_features(set), 58 + 1);
    assert_int_equal(willow_pattern_set_weights(set), p58 + discs);
    set = willow_pattern_set_by_id(3);
    assert_string_equal(willow_pattern_set_name(set), "p62");
    assert_int_equal(willow_pattern_set_features(set), 62 + 3);
    assert_int_equal(willow_pattern_set_weights(set), p62 + discs + 2 * moves);
}

static void test_indices_equal_reference(void **state)
{
    (void)state;
    struct willow_random random;
    const struct willow_ruleset *ruleset;
    const struct willow_pattern_set *set;
    willow_random_init(&random, 1, 0);
    for (int step = 0; (set = next_layout(&step, &ruleset)) != NULL;) {
        for (uint32_t round = 0; round < 18; round++) {
            const struct willow_board board = random_board(ruleset, &random, round % 9);
            const struct referee referee = referee_from_words(board.player, board.opponent, ruleset->playable);
            char found[WILLOW_FEATURES_MAX][TEXT];
            struct reading expected = {.ruleset = ruleset};
            read_reference(willow_pattern_set_name(set), &referee, &expected);
            assert_int_equal(expected.count, willow_pattern_set_features(set));
            uint32_t index[WILLOW_FEATURES_MAX];
            willow_pattern_set_indices(set, board, index);
            for (int i = 0; i < expected.count; i++) {
                assert_true(index[i] < willow_pattern_set_weights(set));
                willow_pattern_set_describe(set, index[i], found[i], TEXT);
            }
            qsort(expected.texts, (size_t)expected.count, TEXT, by_text);
            qsort(found, (size_t)expected.count, TEXT, by_text);
            for (int i = 0; i < expected.count; i++)
                assert_string_equal(found[i], expected.texts[i]);
        }
    }
}

/* Terms at the end of a set that are no placements of shapes. */
static size_t scalars_of(const struct willow_pattern_set *set)
{
    return strcmp(willow_pattern_set_name(set), "p62") == 0 ? 3 : 1;
}

/* Bits of what is no square change no index; a disc on any square changes one, besides the number of discs. */
static void test_squares_enter_indices_if_they_exist(void **state)
{
    (void)state;
    struct willow_random random;
    const struct willow_ruleset *ruleset;
    const struct willow_pattern_set *set;
    willow_random_init(&random, 3, 0);
    for (int step = 0; (set = next_layout(&step, &ruleset)) != NULL;) {
        const size_t placements = (size_t)willow_pattern_set_features(set) - scalars_of(set);
        const struct willow_board board = random_board(ruleset, &random, 4);
        uint32_t index[WILLOW_FEATURES_MAX], changed[WILLOW_FEATURES_MAX];
        willow_pattern_set_raw_indices(set, board, index);
        for (int square = 0; square < WILLOW_SQUARES; square++) {
            const struct willow_board other = {board.player ^ WILLOW_BIT(square), board.opponent & ~WILLOW_BIT(square)};
            const bool exists = (ruleset->playable & WILLOW_BIT(square)) != 0;
            willow_pattern_set_raw_indices(set, other, changed);
            assert_true((memcmp(index, changed, placements * sizeof *index) != 0) == exists);
            if (!exists)
                assert_int_equal(index[placements], changed[placements]);
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
    const struct willow_ruleset *ruleset;
    const struct willow_pattern_set *set;
    willow_random_init(&random, 2, 0);
    for (int step = 0; (set = next_layout(&step, &ruleset)) != NULL;) {
        const size_t count = (size_t)willow_pattern_set_features(set);
        for (uint32_t round = 0; round < 36; round++) {
            const struct willow_board board = random_board(ruleset, &random, round % 9);
            uint32_t index[WILLOW_FEATURES_MAX], image[WILLOW_FEATURES_MAX];
            willow_pattern_set_indices(set, board, index);
            qsort(index, count, sizeof *index, by_number);
            for (int symmetry = 1; symmetry < WILLOW_SYMMETRIES; symmetry++) {
                if (!willow_ruleset_symmetric(ruleset, symmetry))
                    continue;
                willow_pattern_set_indices(set, willow_board_symmetry(ruleset, board, symmetry), image);
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
    assert_string_equal(willow_pattern_set_describe(set, count - 1, text, sizeof text),
                        WILLOW_SQUARES == 64 ? "other-mobility 63" : "other-mobility 99");
    assert_string_equal(willow_pattern_set_describe(set, count, text, sizeof text), "outside the set");
    assert_string_equal(willow_pattern_set_describe(set, UINT32_MAX, text, sizeof text), "outside the set");
    assert_string_equal(willow_pattern_set_describe(set, 0, text, 5), "edge");
#ifndef WILLOW_WIDE
    /* The corner at the hole has its own table, before that of the three others. */
    uint32_t first;
    set = willow_pattern_set_on(set, willow_ruleset_find("hole:c3"));
    assert_string_equal(willow_pattern_set_part(set, 1, &first, &count), "corner3x3-c3");
    assert_string_equal(willow_pattern_set_describe(set, first + 1, text, sizeof text), "corner3x3-c3 .......X");
    assert_string_equal(willow_pattern_set_part(set, 2, NULL, NULL), "corner3x3");
#endif
}

/* The parts follow each other without a gap and end with the set. */
static void test_parts_cover_the_set(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    const struct willow_pattern_set *set;
    for (int step = 0; (set = next_layout(&step, &ruleset)) != NULL;) {
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
        assert_true(part > 8);
        assert_null(willow_pattern_set_part(set, -1, NULL, NULL));
    }
}

/* The square of every digit and the place of every shape among raw indices: one disc on the square gives that index in
 * one of the placements. */
static void test_squares_of_shapes(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    const struct willow_pattern_set *set;
    for (int step = 0; (set = next_layout(&step, &ruleset)) != NULL;) {
        uint8_t squares[WILLOW_PATTERN_SQUARES_MAX];
        uint32_t index[WILLOW_FEATURES_MAX], first = 0, next = 0;
        int shape = 0;
        for (int count; (count = willow_pattern_set_squares(set, shape, squares, &first)) > 0; shape++) {
            assert_int_equal(first, next);
            uint32_t power = 1;
            for (int digit = count - 1; digit >= 0; digit--, power *= 3) {
                const willow_bits disc = WILLOW_BIT(squares[digit]);
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
        cmocka_unit_test(test_layouts_are_shared),          cmocka_unit_test(test_squares_enter_indices_if_they_exist),
        cmocka_unit_test(test_ids_and_sizes_are_fixed),     cmocka_unit_test(test_indices_equal_reference),
        cmocka_unit_test(test_images_use_the_same_weights), cmocka_unit_test(test_describe),
        cmocka_unit_test(test_parts_cover_the_set),         cmocka_unit_test(test_squares_of_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
