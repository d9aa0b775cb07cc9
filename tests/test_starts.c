/* The openings of a match: as many different ones as it is asked for, or none where there are fewer; a greater number
 * begins alike; even ones are even.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/search.h>
#include <willow/weights.h>

#include "selfplay/match/starts.h"

enum { FOUR_PLIES = 60 }; /* positions after four plies, mirrored and turned ones left out */

static struct willow_board position(const struct willow_game *game)
{
    return willow_board_canonical(willow_ruleset_default(), willow_game_board(game), NULL);
}

static void test_openings_differ(void **state)
{
    const struct match_openings four = {.plies = 4, .seed = 4};
    const struct willow_ruleset *othello = willow_ruleset_default();
    struct willow_game *games = calloc(FOUR_PLIES + 1, sizeof *games);
    int balance;

    (void)state;
    assert_non_null(games);
    assert_int_equal(starts_draw(&four, othello, NULL, games, FOUR_PLIES, &balance, NULL), WILLOW_OK);
    assert_int_equal(balance, 0);
    for (int i = 0; i < FOUR_PLIES; i++) {
        const struct willow_board board = position(&games[i]);

        assert_int_equal(willow_board_discs(board), 8);
        for (int j = 0; j < i; j++) {
            const struct willow_board other = position(&games[j]);
            assert_true(board.player != other.player || board.opponent != other.opponent);
        }
    }
    assert_int_equal(starts_draw(&four, othello, NULL, games, FOUR_PLIES + 1, &balance, NULL), WILLOW_ERR_ARGUMENT);
    free(games);
}

static void test_even_openings_are_even(void **state)
{
    enum { COUNT = 61 };
    const struct match_openings even = {.plies = 8, .seed = 4, .balance_discs = MATCH_BALANCE_DEFAULT};
    const struct willow_limits limits = {.depth = MATCH_JUDGE_DEPTH};
    const struct willow_ruleset *othello = willow_ruleset_default();
    struct willow_game *games = calloc(COUNT, sizeof *games), first;
    struct willow_weights *judge;
    struct willow_search *search;
    int balance;

    (void)state;
    assert_non_null(games);
    assert_int_equal(starts_draw(&even, othello, NULL, &first, 1, &balance, NULL), WILLOW_OK);
    assert_int_equal(starts_draw(&even, othello, NULL, games, COUNT, &balance, NULL), WILLOW_OK);
    assert_int_equal(balance, MATCH_BALANCE_DISCS);
    assert_memory_equal(games[0].moves, first.moves, 8);
    assert_int_equal(willow_weights_default(&judge, NULL), WILLOW_OK);
    assert_int_equal(willow_search_new(judge, 1 << 18, &search, NULL), WILLOW_OK);
    for (int i = 0; i < COUNT; i++) {
        struct willow_result result;

        willow_search_clear(search);
        willow_search_run(search, position(&games[i]), &limits, &result);
        assert_in_range(abs(result.score), 0, MATCH_BALANCE_DISCS * WILLOW_SCORE_DISC);
    }
    willow_search_free(search);
    willow_weights_free(judge);
    free(games);
}

/* Where there are too few, the error says how many there are; nothing waits for more. */
static void test_small_boards_have_few(void **state)
{
    static const struct {
        const char *name;
        int plies;
    } cases[] = {{"4x4", 2}, {"4x4", 11}, {"6x6", 3}, {"4x4-reversi", 1}};
    enum { MANY = 4000 };
    struct willow_game *games = calloc(MANY, sizeof *games);

    (void)state;
    assert_non_null(games);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(cases[i].name);
        const struct match_openings openings = {.plies = cases[i].plies, .seed = 1};
        struct willow_error error;
        int balance, few;

        assert_int_equal(starts_draw(&openings, ruleset, NULL, games, MANY, &balance, &error), WILLOW_ERR_ARGUMENT);
        const char *only = strstr(error.reason, "only ");
        assert_non_null(only);
        assert_int_equal(sscanf(only, "only %d", &few), 1);
        assert_int_equal(starts_draw(&openings, ruleset, NULL, games, (size_t)few, &balance, NULL), WILLOW_OK);
        for (int game = 0; game < few; game++)
            assert_false(willow_game_over(&games[game]));
    }
    const struct match_openings all = {.plies = 12, .seed = 1};
    int balance;
    assert_int_equal(starts_draw(&all, willow_ruleset_find("4x4"), NULL, games, 1, &balance, NULL),
                     WILLOW_ERR_ARGUMENT);
    free(games);
}

/* Even ones need weights that know the ruleset; without, any are taken, and asking for even ones is an error. */
static void test_no_judge_no_balance(void **state)
{
    struct match_openings openings = {.plies = 4, .seed = 4, .balance_discs = MATCH_BALANCE_DEFAULT};
    const struct willow_ruleset *hole = willow_ruleset_find("hole:b7"), *reversi = willow_ruleset_find("reversi");
    struct willow_game game;
    struct willow_error error;
    int balance;

    (void)state;
    assert_int_equal(starts_draw(&openings, hole, NULL, &game, 1, &balance, NULL), WILLOW_OK);
    assert_int_equal(balance, 0);
    assert_int_equal(starts_draw(&openings, reversi, NULL, &game, 1, &balance, NULL), WILLOW_OK);
    assert_int_equal(balance, MATCH_BALANCE_DISCS);
    openings.balance_discs = 4;
    assert_int_equal(starts_draw(&openings, hole, NULL, &game, 1, &balance, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.file, "--balance");
    assert_non_null(strstr(error.reason, "hole:b7"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openings_differ),
        cmocka_unit_test(test_even_openings_are_even),
        cmocka_unit_test(test_small_boards_have_few),
        cmocka_unit_test(test_no_judge_no_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
