/* Openings of runs and matches: legal, distinct under symmetry by comparison of every pair, used up exactly where few
 * exist, functions of their index alone, as many plies as their shares say, and lists that are read or refused with the
 * place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include <willow/patterns.h>

#include "support/openings_check.h"
#include "support/random_weights.h"
#include "support/referee.h"
#include "support/sanitized.h"

static struct openings_options list_options(const char *list)
{
    return (struct openings_options){.kind = OPENINGS_LIST,
                                     .ruleset = willow_ruleset_default(),
                                     .seed = 1,
                                     .list = list,
                                     .list_name = "list.txt",
                                     .repeat = true};
}

/* The standard game on the middle 4x4 squares: short, and with passes early on. */
static const struct willow_ruleset small = {.name = "small",
                                            .width = 8,
                                            .height = 8,
                                            .playable = UINT64_C(0x00003C3C3C3C0000),
                                            .start = {UINT64_C(0x0000000810000000), UINT64_C(0x0000001008000000)}};

/* All positions after some plies by the referee and by comparison with each other. */
struct reference {
    struct willow_board boards[2000];
    size_t count;
};

static void list_positions(struct reference *reference, const struct referee *referee, int plies)
{
    if (referee_over(referee))
        return;
    uint64_t moves = referee_moves(referee);
    if (moves == 0) {
        const struct referee passed = referee_play(referee, 64);
        list_positions(reference, &passed, plies);
        return;
    }
    if (plies == 0) {
        struct willow_board board;
        referee_to_words(referee, &board.player, &board.opponent);
        for (size_t i = 0; i < reference->count; i++)
            if (openings_images_equal(board, reference->boards[i]))
                return;
        assert_in_range(reference->count, 0, 1999);
        reference->boards[reference->count++] = board;
        return;
    }
    for (; moves; moves &= moves - 1) {
        const struct referee next = referee_play(referee, __builtin_ctzll(moves));
        list_positions(reference, &next, plies - 1);
    }
}

static void make_reference(struct reference *reference, const struct willow_ruleset *ruleset, int plies)
{
    const struct referee start = referee_from_words(ruleset->start.player, ruleset->start.opponent, ruleset->playable);
    reference->count = 0;
    list_positions(reference, &start, plies);
}

/* Every position comes once, in two rounds after one another, and then the openings end where they may not repeat. */
static void check_rounds(struct openings_options options, const struct reference *reference)
{
    struct opening opening;
    struct willow_error error = {0};
    struct openings *openings = openings_made(&options);
    for (uint64_t round = 0; round < 2; round++)
        free(openings_take_distinct(openings, round * reference->count, reference->count));
    openings_free(openings);

    options.repeat = false;
    openings = openings_made(&options);
    struct willow_board *boards = openings_take_distinct(openings, 0, reference->count);
    for (size_t i = 0; i < reference->count; i++) {
        size_t j = 0;
        while (j < reference->count && !openings_images_equal(boards[i], reference->boards[j]))
            j++;
        assert_true(j < reference->count);
    }
    char number[32];
    snprintf(number, sizeof number, "only %zu distinct", reference->count);
    assert_int_equal(openings_take(openings, reference->count, &opening, &error), WILLOW_ERR_ARGUMENT);
    assert_non_null(strstr(error.reason, number));
    free(boards);
    openings_free(openings);
}

static void test_few_openings_are_used_up_exactly(void **state)
{
    static const size_t known[] = {1, 1, 3, 14, 60, 322};
    struct reference *reference = malloc(sizeof *reference);
    (void)state;
    assert_non_null(reference);
    for (int plies = 0; plies <= 5; plies++) {
        make_reference(reference, willow_ruleset_default(), plies);
        assert_int_equal(reference->count, known[plies]);
        check_rounds(openings_random(7, plies, plies), reference);
        check_rounds(openings_all(7, plies), reference);
    }
    free(reference);
}

static void test_passes_and_ends_on_a_small_board(void **state)
{
    struct reference *reference = malloc(sizeof *reference);
    (void)state;
    assert_non_null(reference);
    for (int plies = 5; plies <= 8; plies++) {
        struct openings_options random = openings_random(7, plies, plies), all = openings_all(7, plies);
        random.ruleset = all.ruleset = &small;
        make_reference(reference, &small, plies);
        assert_in_range(reference->count, 30, 1999);
        check_rounds(random, reference);
        check_rounds(all, reference);
    }
    free(reference);
}

/* Where there may be too many to be listed, nearly all (of 1906, by a listing with a set) come before a round ends, and
 * another round follows. */
static void test_rounds_end_without_a_table(void **state)
{
    enum { PLIES = OPENINGS_ALL_MAX + 2, COUNT = 1906 };
    struct openings_options options = openings_random(2, PLIES, PLIES);
    struct opening opening;
    struct willow_error error = {0};
    size_t count = 0;
    (void)state;
    options.ruleset = &small;
    options.repeat = false;
    struct openings *openings = openings_made(&options);
    while (count <= COUNT && openings_take(openings, count, &opening, &error) == WILLOW_OK)
        count++;
    assert_int_equal(error.status, WILLOW_ERR_ARGUMENT);
    assert_in_range(count, COUNT * 8 / 10, COUNT);
    openings_free(openings);

    options.repeat = true;
    openings = openings_made(&options);
    free(openings_take_distinct(openings, 0, count));
    free(openings_take_distinct(openings, count, COUNT * 8 / 10));
    openings_free(openings);
}

/* Numbers found by an independent listing with a set. */
static void test_counts_of_all_openings(void **state)
{
    static const uint64_t known[] = {1773, 10649, 67245};
    (void)state;
    for (int plies = 6; plies <= 8 - SANITIZED; plies++) {
        const struct openings_options options = openings_all(1, plies);
        struct openings *openings = openings_made(&options);
        assert_int_equal(openings_count(openings), known[plies - 6]);
        openings_free(openings);
    }
}

static void test_long_openings_are_distinct_and_within_bounds(void **state)
{
    const struct openings_options options = openings_random(1, 6, 48);
    struct openings *openings = openings_made(&options);
    struct opening opening;
    int seen[OPENINGS_SHARES] = {0};
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        openings_taken(openings, i, &opening);
        assert_in_range(opening.plies, 6, 48);
        seen[opening.plies]++;
    }
    for (int plies = 6; plies <= 48; plies++)
        assert_in_range(seen[plies], 1, 60);
    openings_free(openings);
    openings = openings_made(&options);
    free(openings_take_distinct(openings, 0, 600));
    assert_int_equal(openings_count(openings), 0);
    openings_free(openings);
}

static void test_shares(void **state)
{
    enum { COUNT = 8000 };
    struct openings_options options = openings_random(3, 8, 14);
    double sum = 0;
    int seen[OPENINGS_SHARES] = {0};
    struct opening opening;
    (void)state;
    options.shares[9] = 1;
    options.shares[10] = 2;
    options.shares[12] = 4.5;
    options.shares[13] = 0.5;
    for (int plies = 0; plies < OPENINGS_SHARES; plies++)
        sum += options.shares[plies];
    struct openings *openings = openings_made(&options);
    for (uint64_t i = 0; i < COUNT; i++) {
        openings_taken(openings, i, &opening);
        seen[opening.plies]++;
    }
    openings_free(openings);
    for (int plies = 0; plies < OPENINGS_SHARES; plies++) {
        const double share = options.shares[plies] / sum;
        assert_true(fabs(seen[plies] - COUNT * share) <= 4 * sqrt(COUNT * share * (1 - share)));
    }
}

/* Taking some indices, the last among them, gives what taking every one gives, and equal ones give the same again. */
static void check_index_alone(const struct openings_options *options)
{
    static const uint64_t some[] = {0, 1, 17, 17, 300, 511, 512, 1999};
    enum { LAST = 1999 };
    struct openings *every = openings_made(options), *few = openings_made(options), *one = openings_made(options);
    struct opening a, b;
    size_t next = 0;
    for (uint64_t i = 0; i <= LAST; i++) {
        openings_taken(every, i, &a);
        for (; next < sizeof some / sizeof some[0] && some[next] == i; next++) {
            openings_taken(few, i, &b);
            assert_int_equal(a.game.length, b.game.length);
            assert_memory_equal(a.game.moves, b.game.moves, sizeof a.game.moves);
        }
    }
    openings_taken(one, LAST, &b);
    assert_memory_equal(a.game.moves, b.game.moves, sizeof a.game.moves);
    assert_int_equal(openings_take(one, LAST - 1, &b, NULL), WILLOW_ERR_ARGUMENT);
    openings_free(every);
    openings_free(few);
    openings_free(one);
}

static void test_an_opening_depends_on_its_index_alone(void **state)
{
    struct openings_options random = openings_random(5, 2, 12), other = openings_random(6, 12, 12);
    const struct openings_options all = openings_all(5, 4), list = list_options("f5\nf5d6\nf5f6\nf5f4\nf5d6c3\n");
    struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    struct willow_weights *weights = random_weights(willow_pattern_set_default(), &stages, 1, 20);
    struct openings *a, *b;
    struct opening of_a, of_b;
    int different = 0;
    (void)state;
    check_index_alone(&random);
    check_index_alone(&all);
    check_index_alone(&list);
    random.judge = weights;
    random.judge_depth = 1;
    random.soft_discs = 4;
    check_index_alone(&random);

    random = openings_random(5, 12, 12);
    a = openings_made(&random);
    b = openings_made(&other);
    for (uint64_t i = 0; i < 40; i++) {
        openings_taken(a, i, &of_a);
        openings_taken(b, i, &of_b);
        different += memcmp(of_a.game.moves, of_b.game.moves, 12) != 0;
    }
    assert_in_range(different, 35, 40);
    openings_free(a);
    openings_free(b);
    willow_weights_free(weights);
}

static void test_each_round_has_its_order(void **state)
{
    const struct openings_options kinds[] = {openings_random(1, 4, 4), openings_all(1, 4),
                                             list_options("f5\nf5d6\nf5f6\nf5f4\nf5d6c3\nf5d6c4\nf5d6c5\nf5d6c6\n")};
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct openings *openings = openings_made(&kinds[kind]);
        const size_t count = kind == 2 ? 8 : 60;
        struct willow_board *first = openings_take_distinct(openings, 0, count),
                            *second = openings_take_distinct(openings, count, count);
        size_t moved = 0;
        for (size_t i = 0; i < count; i++)
            moved += !openings_images_equal(first[i], second[i]);
        assert_true(moved > count / 3);
        free(first);
        free(second);
        openings_free(openings);
    }
}

/* White has no move after these, and moves again after black's answer. */
#define BEFORE_PASS "f5f6c4g5h5h4f7h6"

static void test_lists_of_every_form(void **state)
{
    static const char text[] = "\xEF\xBB\xBF# openings\r\n"
                               "f5d6c4\r\n"
                               "\r\n"
                               "  \t\n"
                               "1. F5 2. D6, C3 # a comment\n"
                               "d3c5\n"
                               "f5d6\n" /* the same, turned */
                               "f5d6c3d3c4\n"
                               "f5d6c4d3c3\n"       /* the same position by other moves */
        BEFORE_PASS "e7\n" BEFORE_PASS " pass E7\n" /* a pass left out and written */
        BEFORE_PASS "\n" BEFORE_PASS "--\n"
                               "e6f6";
    const struct openings_options options = list_options(text);
    struct openings *openings = openings_made(&options);
    struct opening opening;
    int passes = 0;
    (void)state;
    assert_int_equal(openings_count(openings), 7);
    assert_int_equal(openings_doubles(openings), 4);
    free(openings_take_distinct(openings, 0, 7));
    for (uint64_t i = 7; i < 14; i++) {
        openings_taken(openings, i, &opening);
        passes += opening.game.length - opening.plies;
    }
    assert_int_equal(passes, 1);
    openings_free(openings);
}

static void test_bad_lists_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *text, *place, *reason;
    } cases[] = {
        {"f5d6\n# one\n\nf5f6 e9\n", "line 4, column 6", "not a move"},
        {"f5d6\r\nf5f6f5\r\n", "line 2, column 5", "illegal move f5"},
        {"\xEF\xBB\xBF"
         "f5f5",
         "line 1, column 3", "illegal move f5"},
        {"f5d6\npa\n", "line 2, column 1", "illegal pass"},
        {"f5\nd3c3b3e3f3d2e6d6c1f7d7c4g8\n", "line 2", "over"},
        {"f5\n1.\n", "line 2", "no move"},
        {"f5\n;;\n", "line 2", "no move"},
        {"# nothing\n\n", "", "no opening"},
        {"", "", "no opening"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct openings_options options = list_options(cases[i].text);
        struct openings *openings = NULL;
        struct willow_error error = {0};
        assert_int_equal(openings_new(&options, &openings, &error), WILLOW_ERR_FORMAT);
        assert_null(openings);
        assert_string_equal(error.file, "list.txt");
        assert_string_equal(error.place, cases[i].place);
        assert_non_null(strstr(error.reason, cases[i].reason));
    }
}

static void test_lists_end_where_they_may_not_repeat(void **state)
{
    struct openings_options options = list_options("f5\nf5d6\nf5f6\nd3c5\n");
    struct willow_error error = {0};
    struct opening opening;
    options.repeat = false;
    struct openings *openings = openings_made(&options);
    (void)state;
    free(openings_take_distinct(openings, 0, 3));
    assert_int_equal(openings_take(openings, 3, &opening, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.file, "list.txt");
    assert_non_null(strstr(error.reason, "only 3 distinct"));
    openings_free(openings);
}

/* Rows four and five of four columns, and squares that no game reaches: it ends after at most four plies. */
static void test_games_too_short_for_the_plies(void **state)
{
    static const struct willow_ruleset narrow = {.name = "narrow",
                                                 .width = 8,
                                                 .height = 8,
                                                 .playable = UINT64_C(0xFF00003C3C000000),
                                                 .start = {UINT64_C(0x0000000810000000), UINT64_C(0x0000001008000000)}};
    (void)state;
    for (int plies = 5; plies <= 11; plies++) {
        struct openings_options options = openings_random(1, plies, plies);
        struct openings *openings;
        struct willow_error error = {0};
        struct opening opening;
        options.ruleset = &narrow;
        openings = openings_made(&options);
        assert_int_equal(openings_take(openings, 0, &opening, &error), WILLOW_ERR_ARGUMENT);
        assert_non_null(strstr(error.reason, "lasts longer"));
        openings_free(openings);
        if (plies > OPENINGS_ALL_MAX)
            continue;
        options.kind = OPENINGS_ALL;
        assert_int_equal(openings_new(&options, &openings, NULL), WILLOW_ERR_ARGUMENT);
    }
}

/* A stop ends a long draw; what comes after it is what would have come without. */
static void test_stop(void **state)
{
    struct openings_options options = openings_random(1, 9, 12);
    struct openings *undisturbed = openings_made(&options);
    struct willow_stop *stop;
    struct opening a, b;
    (void)state;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    options.stop = stop;
    struct openings *openings = openings_made(&options);
    willow_stop_set(stop, true);
    assert_int_equal(openings_take(openings, 5000, &a, NULL), WILLOW_ERR_STOPPED);
    options.kind = OPENINGS_ALL;
    options.plies_max = 6;
    struct openings *none;
    assert_int_equal(openings_new(&options, &none, NULL), WILLOW_ERR_STOPPED);
    willow_stop_set(stop, false);
    openings_taken(openings, 5000, &a);
    openings_taken(undisturbed, 5000, &b);
    assert_memory_equal(a.game.moves, b.game.moves, sizeof a.game.moves);
    openings_free(openings);
    openings_free(undisturbed);
    willow_stop_free(stop);
}

static int compare_moves(const void *left, const void *right)
{
    const struct willow_game *a = &((const struct opening *)left)->game, *b = &((const struct opening *)right)->game;
    const int common = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->moves, b->moves, (size_t)common);
    return order ? order : a->length - b->length;
}

/* A group holds the openings that would be drawn without groups, in order of their moves; what lies before it does not
 * matter to it. */
static void test_groups_are_sorted_and_otherwise_the_same(void **state)
{
    enum { TOTAL = 250, GROUP = 100 };
    static struct opening plain[TOTAL], grouped[TOTAL];
    struct openings_options all = openings_all(3, 5);
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        struct openings_options options = kind ? all : openings_random(3, 2, 9);
        struct openings *openings = openings_made(&options);
        for (uint64_t i = 0; i < TOTAL; i++)
            openings_taken(openings, i, &plain[i]);
        openings_free(openings);
        options.group = GROUP;
        options.total = TOTAL;
        openings = openings_made(&options);
        for (uint64_t i = 0; i < TOTAL; i++)
            openings_taken(openings, i, &grouped[i]);
        struct opening beyond;
        assert_int_equal(openings_take(openings, TOTAL, &beyond, NULL), WILLOW_ERR_ARGUMENT);
        assert_int_equal(openings_take(openings, 7, &beyond, NULL), WILLOW_ERR_ARGUMENT);
        openings_free(openings);
        const struct opening first_of_last[1] = {grouped[2 * GROUP]};
        int moved = 0;
        for (size_t first = 0; first < TOTAL; first += GROUP) {
            const size_t count = TOTAL - first < GROUP ? TOTAL - first : GROUP;
            for (size_t i = first + 1; i < first + count; i++) {
                const struct willow_game *a = &grouped[i - 1].game, *b = &grouped[i].game;
                for (int at = 0; at < a->length && at < b->length && a->moves[at] >= b->moves[at]; at++)
                    assert_int_equal(a->moves[at], b->moves[at]);
                moved += plain[i].plies != grouped[i].plies;
            }
            qsort(plain + first, count, sizeof *plain, compare_moves);
            qsort(grouped + first, count, sizeof *grouped, compare_moves);
            for (size_t i = first; i < first + count; i++) {
                assert_int_equal(plain[i].plies, grouped[i].plies);
                assert_memory_equal(plain[i].game.moves, grouped[i].game.moves, (size_t)plain[i].game.length);
            }
        }
        assert_true(kind || moved > 0);
        openings = openings_made(&options);
        struct opening alone;
        openings_taken(openings, 2 * GROUP, &alone);
        assert_int_equal(compare_moves(&alone, first_of_last), 0);
        openings_free(openings);
    }
}

static void test_bad_options_are_refused(void **state)
{
    struct openings_options cases[10];
    (void)state;
    for (int i = 0; i < 10; i++)
        cases[i] = openings_random(1, 4, 8);
    cases[0].plies_min = -1;
    cases[1].plies_min = 9;
    cases[2].plies_max = OPENINGS_PLIES_MAX + 1;
    cases[3].shares[4] = -1;
    cases[4].shares[5] = NAN;
    cases[5].shares[9] = 1;  /* outside the bounds */
    cases[6].soft_discs = 4; /* without a judge */
    cases[7].limit_discs = -1;
    cases[8] = openings_all(1, OPENINGS_ALL_MAX + 1);
    cases[9].ruleset = &small;
    cases[9].plies_max = 12;
    for (int i = 0; i < 10; i++) {
        struct openings *openings;
        struct willow_error error = {0};
        assert_int_equal(openings_new(&cases[i], &openings, &error), WILLOW_ERR_ARGUMENT);
        assert_true(error.reason[0] != '\0');
        assert_null(openings);
    }
    openings_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_openings_are_used_up_exactly),
        cmocka_unit_test(test_passes_and_ends_on_a_small_board),
        cmocka_unit_test(test_rounds_end_without_a_table),
        cmocka_unit_test(test_counts_of_all_openings),
        cmocka_unit_test(test_long_openings_are_distinct_and_within_bounds),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_an_opening_depends_on_its_index_alone),
        cmocka_unit_test(test_each_round_has_its_order),
        cmocka_unit_test(test_lists_of_every_form),
        cmocka_unit_test(test_bad_lists_are_refused_with_their_place),
        cmocka_unit_test(test_lists_end_where_they_may_not_repeat),
        cmocka_unit_test(test_games_too_short_for_the_plies),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_groups_are_sorted_and_otherwise_the_same),
        cmocka_unit_test(test_bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
