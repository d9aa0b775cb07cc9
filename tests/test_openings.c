/* Openings of runs and matches: legal, distinct under symmetry by comparison of every pair, used up exactly where few
 * exist, functions of their index alone, as many plies as their shares say, balanced with the probability promised, and
 * lists that are read or refused with the place. */
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

#include "selfplay/run/openings.h"
#include "support/random_weights.h"
#include "support/referee.h"
#include "support/sanitized.h"

static struct openings_options random_options(uint64_t seed, int plies_min, int plies_max)
{
    return (struct openings_options){.kind = OPENINGS_RANDOM,
                                     .ruleset = willow_ruleset_othello(),
                                     .seed = seed,
                                     .plies_min = plies_min,
                                     .plies_max = plies_max,
                                     .repeat = true};
}

static struct openings_options all_options(uint64_t seed, int plies)
{
    return (struct openings_options){
        .kind = OPENINGS_ALL, .ruleset = willow_ruleset_othello(), .seed = seed, .plies_max = plies, .repeat = true};
}

static struct openings_options list_options(const char *list)
{
    return (struct openings_options){.kind = OPENINGS_LIST,
                                     .ruleset = willow_ruleset_othello(),
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

static struct openings *new_openings(const struct openings_options *options)
{
    struct openings *openings = NULL;
    assert_int_equal(openings_new(options, &openings, NULL), WILLOW_OK);
    assert_non_null(openings);
    return openings;
}

static void take(struct openings *openings, uint64_t index, struct opening *opening)
{
    assert_int_equal(openings_take(openings, index, opening, NULL), WILLOW_OK);
}

static bool same_board(struct willow_board a, struct willow_board b)
{
    return a.player == b.player && a.opponent == b.opponent;
}

static bool images_equal(struct willow_board a, struct willow_board b)
{
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++)
        if (same_board(willow_board_symmetry(a, symmetry), b))
            return true;
    return false;
}

/* The referee's view after the moves of a record, each of which it finds legal, with the pass that may be due made. */
static struct willow_board replay(const struct opening *opening)
{
    const struct willow_ruleset *ruleset = opening->game.ruleset;
    struct referee referee = referee_from_words(ruleset->start.player, ruleset->start.opponent, ruleset->playable);
    struct willow_board board;
    int plies = 0;
    for (int i = 0; i < opening->game.length; i++) {
        const uint64_t moves = referee_moves(&referee);
        const int move = opening->game.moves[i];
        assert_true(move == WILLOW_PASS ? moves == 0 : moves >> move & 1);
        referee = referee_play(&referee, move);
        plies += move != WILLOW_PASS;
    }
    assert_int_equal(opening->plies, plies);
    assert_false(referee_over(&referee));
    referee_to_words(&referee, &board.player, &board.opponent);
    assert_true(same_board(board, willow_game_board(&opening->game)));
    if (referee_moves(&referee) == 0)
        board = (struct willow_board){board.opponent, board.player};
    return board;
}

/* Takes openings first .. first + count - 1, replays them and compares every pair. */
static struct willow_board *take_distinct(struct openings *openings, uint64_t first, size_t count)
{
    struct willow_board *boards = calloc(count, sizeof *boards);
    struct opening opening;
    assert_non_null(boards);
    for (size_t i = 0; i < count; i++) {
        take(openings, first + i, &opening);
        boards[i] = replay(&opening);
        for (size_t j = 0; j < i; j++)
            assert_false(images_equal(boards[i], boards[j]));
    }
    return boards;
}

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
            if (images_equal(board, reference->boards[i]))
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
    struct openings *openings = new_openings(&options);
    for (uint64_t round = 0; round < 2; round++)
        free(take_distinct(openings, round * reference->count, reference->count));
    openings_free(openings);

    options.repeat = false;
    openings = new_openings(&options);
    struct willow_board *boards = take_distinct(openings, 0, reference->count);
    for (size_t i = 0; i < reference->count; i++) {
        size_t j = 0;
        while (j < reference->count && !images_equal(boards[i], reference->boards[j]))
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
        make_reference(reference, willow_ruleset_othello(), plies);
        assert_int_equal(reference->count, known[plies]);
        check_rounds(random_options(7, plies, plies), reference);
        check_rounds(all_options(7, plies), reference);
    }
    free(reference);
}

static void test_passes_and_ends_on_a_small_board(void **state)
{
    struct reference *reference = malloc(sizeof *reference);
    (void)state;
    assert_non_null(reference);
    for (int plies = 5; plies <= 8; plies++) {
        struct openings_options random = random_options(7, plies, plies), all = all_options(7, plies);
        random.ruleset = all.ruleset = &small;
        make_reference(reference, &small, plies);
        assert_in_range(reference->count, 30, 1999);
        check_rounds(random, reference);
        check_rounds(all, reference);
    }
    free(reference);
}

/* Numbers found by an independent listing with a set. */
static void test_counts_of_all_openings(void **state)
{
    static const uint64_t known[] = {1773, 10649, 67245};
    (void)state;
    for (int plies = 6; plies <= 8 - SANITIZED; plies++) {
        const struct openings_options options = all_options(1, plies);
        struct openings *openings = new_openings(&options);
        assert_int_equal(openings_count(openings), known[plies - 6]);
        openings_free(openings);
    }
}

static void test_long_openings_are_distinct_and_within_bounds(void **state)
{
    const struct openings_options options = random_options(1, 6, 48);
    struct openings *openings = new_openings(&options);
    struct opening opening;
    int seen[OPENINGS_SHARES] = {0};
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        take(openings, i, &opening);
        assert_in_range(opening.plies, 6, 48);
        seen[opening.plies]++;
    }
    for (int plies = 6; plies <= 48; plies++)
        assert_in_range(seen[plies], 1, 60);
    openings_free(openings);
    openings = new_openings(&options);
    free(take_distinct(openings, 0, 600));
    assert_int_equal(openings_count(openings), 0);
    openings_free(openings);
}

static void test_shares(void **state)
{
    enum { COUNT = 8000 };
    struct openings_options options = random_options(3, 8, 14);
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
    struct openings *openings = new_openings(&options);
    for (uint64_t i = 0; i < COUNT; i++) {
        take(openings, i, &opening);
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
    struct openings *every = new_openings(options), *few = new_openings(options), *one = new_openings(options);
    struct opening a, b;
    size_t next = 0;
    for (uint64_t i = 0; i <= LAST; i++) {
        take(every, i, &a);
        for (; next < sizeof some / sizeof some[0] && some[next] == i; next++) {
            take(few, i, &b);
            assert_int_equal(a.game.length, b.game.length);
            assert_memory_equal(a.game.moves, b.game.moves, sizeof a.game.moves);
        }
    }
    take(one, LAST, &b);
    assert_memory_equal(a.game.moves, b.game.moves, sizeof a.game.moves);
    assert_int_equal(openings_take(one, LAST - 1, &b, NULL), WILLOW_ERR_ARGUMENT);
    openings_free(every);
    openings_free(few);
    openings_free(one);
}

static void test_an_opening_depends_on_its_index_alone(void **state)
{
    struct openings_options random = random_options(5, 2, 12), other = random_options(6, 12, 12);
    const struct openings_options all = all_options(5, 4), list = list_options("f5\nf5d6\nf5f6\nf5f4\nf5d6c3\n");
    struct willow_stages stages = willow_stages_even(1);
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

    random = random_options(5, 12, 12);
    a = new_openings(&random);
    b = new_openings(&other);
    for (uint64_t i = 0; i < 40; i++) {
        take(a, i, &of_a);
        take(b, i, &of_b);
        different += memcmp(of_a.game.moves, of_b.game.moves, 12) != 0;
    }
    assert_in_range(different, 35, 40);
    openings_free(a);
    openings_free(b);
    willow_weights_free(weights);
}

static void test_each_round_has_its_order(void **state)
{
    const struct openings_options kinds[] = {random_options(1, 4, 4), all_options(1, 4),
                                             list_options("f5\nf5d6\nf5f6\nf5f4\nf5d6c3\nf5d6c4\nf5d6c5\nf5d6c6\n")};
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct openings *openings = new_openings(&kinds[kind]);
        const size_t count = kind == 2 ? 8 : 60;
        struct willow_board *first = take_distinct(openings, 0, count), *second = take_distinct(openings, count, count);
        size_t moved = 0;
        for (size_t i = 0; i < count; i++)
            moved += !images_equal(first[i], second[i]);
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
    struct openings *openings = new_openings(&options);
    struct opening opening;
    int passes = 0;
    (void)state;
    assert_int_equal(openings_count(openings), 7);
    assert_int_equal(openings_doubles(openings), 4);
    free(take_distinct(openings, 0, 7));
    for (uint64_t i = 7; i < 14; i++) {
        take(openings, i, &opening);
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
    struct openings *openings = new_openings(&options);
    (void)state;
    free(take_distinct(openings, 0, 3));
    assert_int_equal(openings_take(openings, 3, &opening, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.file, "list.txt");
    assert_non_null(strstr(error.reason, "only 3 distinct"));
    openings_free(openings);
}

/* What the judge of balanced openings says, asked here as the header promises: |score| in discs. */
struct judge {
    struct willow_weights *weights;
    struct willow_search *search;
};

static struct judge new_judge(void)
{
    const struct willow_stages stages = willow_stages_even(1);
    struct judge judge = {.weights = random_weights(willow_pattern_set_default(), &stages, 1, 20)};
    assert_int_equal(willow_search_new(judge.weights, 1 << 16, &judge.search, NULL), WILLOW_OK);
    return judge;
}

static void free_judge(struct judge *judge)
{
    willow_search_free(judge->search);
    willow_weights_free(judge->weights);
}

static double discs_of(const struct judge *judge, struct willow_board board, int depth)
{
    const struct willow_limits limits = {.depth = depth};
    struct willow_result result;
    willow_search_clear(judge->search);
    willow_search_run(judge->search, willow_board_canonical(board, NULL), &limits, &result);
    return abs(result.score) / (double)WILLOW_SCORE_DISC;
}

/* Takes openings until there are no more; how many. */
static size_t take_all(const struct openings_options *options, struct willow_board *boards, size_t most)
{
    struct openings *openings = new_openings(options);
    struct opening opening;
    struct willow_error error = {0};
    size_t count = 0;
    while (openings_take(openings, count, &opening, &error) == WILLOW_OK) {
        assert_true(count < most);
        boards[count++] = replay(&opening);
    }
    assert_int_equal(error.status, WILLOW_ERR_ARGUMENT);
    assert_non_null(strstr(error.reason, "balanced"));
    openings_free(openings);
    return count;
}

/* Of the 322 positions after five plies, each round takes one of s discs with probability exp(-|s| / soft), and a
 * refused one does not come back: so often over many seeds, among the even and the uneven alike. */
static void test_even_starts_are_common(void **state)
{
    enum { COUNT = 322, ROUNDS = SANITIZED ? 15 : 60, GROUPS = 3 };
    const double soft = 3.0;
    struct judge judge = new_judge();
    const struct openings_options all = all_options(1, 5);
    struct openings *openings = new_openings(&all);
    struct willow_board *boards = take_distinct(openings, 0, COUNT);
    double expected[GROUPS] = {0}, variance[GROUPS] = {0}, taken[GROUPS] = {0};
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        const double discs = discs_of(&judge, boards[i], 1), chance = exp(-discs / soft);
        const int group = discs < 3 ? 0 : discs < 6 ? 1 : 2;
        expected[group] += ROUNDS * chance;
        variance[group] += ROUNDS * chance * (1 - chance);
    }
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct openings_options options = random_options(seed, 5, 5);
        options.judge = judge.weights;
        options.judge_depth = 1;
        options.soft_discs = soft;
        options.repeat = false;
        const size_t count = take_all(&options, boards, COUNT);
        for (size_t i = 0; i < count; i++) {
            const double discs = discs_of(&judge, boards[i], 1);
            taken[discs < 3 ? 0 : discs < 6 ? 1 : 2]++;
        }
    }
    for (int group = 0; group < GROUPS; group++) {
        assert_true(expected[group] > 50);
        assert_true(fabs(taken[group] - expected[group]) < 4 * sqrt(variance[group]));
    }
    free(boards);
    openings_free(openings);
    free_judge(&judge);
}

/* Under a limit alone, all that are within it are taken and no others. */
static void test_the_limit_of_uneven_starts(void **state)
{
    enum { COUNT = 322, LIMIT = 2, DEPTH = 2 };
    struct judge judge = new_judge();
    const struct openings_options all = all_options(1, 5);
    struct openings_options options = random_options(9, 5, 5);
    struct openings *openings = new_openings(&all);
    struct willow_board *boards = take_distinct(openings, 0, COUNT);
    size_t within = 0;
    (void)state;
    for (int i = 0; i < COUNT; i++)
        within += discs_of(&judge, boards[i], DEPTH) <= LIMIT;
    assert_in_range(within, 10, COUNT - 10);
    options.judge = judge.weights;
    options.judge_depth = DEPTH;
    options.limit_discs = LIMIT;
    options.repeat = false;
    assert_int_equal(take_all(&options, boards, COUNT), within);
    for (size_t i = 0; i < within; i++)
        assert_true(discs_of(&judge, boards[i], DEPTH) <= LIMIT);
    free(boards);
    openings_free(openings);

    /* In a second round the same ones pass. */
    options.repeat = true;
    openings = new_openings(&options);
    free(take_distinct(openings, 0, within));
    free(take_distinct(openings, within, within));
    openings_free(openings);
    free_judge(&judge);
}

static struct willow_weights *lopsided_weights(void)
{
    const struct willow_pattern_set *set = willow_pattern_set_default();
    const struct willow_stages stages = willow_stages_even(1);
    const uint32_t count = willow_pattern_set_weights(set);
    int16_t *values = calloc(count, sizeof *values);
    struct willow_weights *weights;
    assert_non_null(values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = 200;
    assert_int_equal(willow_weights_new(willow_ruleset_othello(), set, &stages, values, NULL, NULL, &weights, NULL),
                     WILLOW_OK);
    free(values);
    return weights;
}

/* Where no opening is even enough, long search for one ends: by number of plies with a limit, softness, or both. */
static void test_a_judge_that_likes_nothing(void **state)
{
    struct willow_weights *weights = lopsided_weights();
    static const struct {
        int plies, limit;
        double soft;
        bool slow;
    } cases[] = {{0, 60, 0, false}, {3, 60, 0, false}, {2, 0, 0.01, true}, {12, 0, 0.01, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct openings_options options = random_options(1, cases[i].plies, cases[i].plies);
        struct willow_error error = {0};
        struct opening opening;
        if (cases[i].slow && SANITIZED)
            continue;
        options.judge = weights;
        options.judge_depth = 1;
        options.limit_discs = cases[i].limit;
        options.soft_discs = cases[i].soft;
        struct openings *openings = new_openings(&options);
        assert_int_equal(openings_take(openings, 0, &opening, &error), WILLOW_ERR_ARGUMENT);
        assert_non_null(strstr(error.reason, "even"));
        openings_free(openings);
    }
    willow_weights_free(weights);
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
        struct openings_options options = random_options(1, plies, plies);
        struct openings *openings;
        struct willow_error error = {0};
        struct opening opening;
        options.ruleset = &narrow;
        openings = new_openings(&options);
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
    struct openings_options options = random_options(1, 9, 12);
    struct openings *undisturbed = new_openings(&options);
    struct willow_stop *stop;
    struct opening a, b;
    (void)state;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    options.stop = stop;
    struct openings *openings = new_openings(&options);
    willow_stop_set(stop, true);
    assert_int_equal(openings_take(openings, 5000, &a, NULL), WILLOW_ERR_STOPPED);
    options.kind = OPENINGS_ALL;
    options.plies_max = 6;
    struct openings *none;
    assert_int_equal(openings_new(&options, &none, NULL), WILLOW_ERR_STOPPED);
    willow_stop_set(stop, false);
    take(openings, 5000, &a);
    take(undisturbed, 5000, &b);
    assert_memory_equal(a.game.moves, b.game.moves, sizeof a.game.moves);
    openings_free(openings);
    openings_free(undisturbed);
    willow_stop_free(stop);
}

static void test_bad_options_are_refused(void **state)
{
    struct openings_options cases[10];
    (void)state;
    for (int i = 0; i < 10; i++)
        cases[i] = random_options(1, 4, 8);
    cases[0].plies_min = -1;
    cases[1].plies_min = 9;
    cases[2].plies_max = OPENINGS_PLIES_MAX + 1;
    cases[3].shares[4] = -1;
    cases[4].shares[5] = NAN;
    cases[5].shares[9] = 1;  /* outside the bounds */
    cases[6].soft_discs = 4; /* without a judge */
    cases[7].limit_discs = -1;
    cases[8] = all_options(1, OPENINGS_ALL_MAX + 1);
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
        cmocka_unit_test(test_counts_of_all_openings),
        cmocka_unit_test(test_long_openings_are_distinct_and_within_bounds),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_an_opening_depends_on_its_index_alone),
        cmocka_unit_test(test_each_round_has_its_order),
        cmocka_unit_test(test_lists_of_every_form),
        cmocka_unit_test(test_bad_lists_are_refused_with_their_place),
        cmocka_unit_test(test_lists_end_where_they_may_not_repeat),
        cmocka_unit_test(test_even_starts_are_common),
        cmocka_unit_test(test_the_limit_of_uneven_starts),
        cmocka_unit_test(test_a_judge_that_likes_nothing),
        cmocka_unit_test(test_games_too_short_for_the_plies),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
