/* What an NBoard program is told of a game: moves with passes and times, clocks; and depths as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <willow/level.h>
#include <willow/notation.h>

#include "protocol/nboard_game.h"
#include "protocol/nboard_text.h"

static const uint64_t MS = 1000000; /* in ns */

#define START "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"

static struct nboard_game game_of(const char *ggf)
{
    struct nboard_game game;
    nboard_game_init(&game, willow_ruleset_default());
    assert_int_equal(nboard_game_read(willow_ruleset_default(), ggf, &game, NULL), WILLOW_OK);
    return game;
}

static int64_t left_ms(const struct nboard_game *game, enum willow_side side)
{
    assert_true(game->clocked);
    return (int64_t)(willow_timer_left_ns(&game->timers[side]) / MS);
}

/* Black has moved three times with 1.5 s in all, white twice with 2.25 s. */
static struct nboard_game game_on(const char *clock)
{
    char ggf[512];
    snprintf(ggf, sizeof ggf,
             "(;GM[Othello]PC[a (b) TI\\[1\\]]PB[b]PW[]RE[?]%sTY[8]" START
             "B[F5//0.25]W[D6/1.00/2]B[C5//0.25]W[F4/-0.5/0.25]B[D3/1/1];)",
             clock);
    return game_of(ggf);
}

static void clocks_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *clock;
        int64_t black_ms, white_ms;
    } cases[] = {
        {"TI[5:00]", 298500, 297750},
        {"TI[5:00//2:00]", 298500, 297750},
        {"TI[05:00//02:00]", 298500, 297750},
        {"TI[1:00:00/0:02/0:30]", 3600000 - 1500 + 3 * 2000, 3600000 - 2250 + 2 * 2000},
        {"TI[0:03/0:00.01]", 3000 - 1500 + 30, 3000 - 2250 + 20},
        {"TI[3]", 1500, 750},
        {"TI[5:00,N0/0:10,N1/1:00,N0]", 300000 - 1500 + 30000, 300000 - 2250 + 20000},
        {"ti[5:00]", 298500, 297750},
        /* White's time is over; then the extension runs. */
        {"TI[0:02//2:00]", 500, 119750},
        {"TI[0:02]", 500, 0},
        /* No main time. */
        {"TI[0//2:00]", 118500, 117750},
        {"TI[0:00/0:02/1:00]", 60000 - 1500 + 3 * 2000, 60000 - 2250 + 2 * 2000},
        {"TI[0/0:05]", 5000 - 1500 + 3 * 5000, 5000 - 2250 + 2 * 5000},
        {"TI[/0:05]", 5000 - 1500 + 3 * 5000, 5000 - 2250 + 2 * 5000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct nboard_game game = game_on(cases[i].clock);
        assert_int_equal(left_ms(&game, WILLOW_BLACK), cases[i].black_ms);
        assert_int_equal(left_ms(&game, WILLOW_WHITE), cases[i].white_ms);
        assert_int_equal(game.game.length, 5);
    }
    static const char *const none[] = {"",
                                       "TI[]",
                                       "TI[0:00]",
                                       "TI[x]",
                                       "TI[5:00/x]",
                                       "TI[-1]",
                                       "TI[0/0/0]",
                                       "TI[1:99]",
                                       "TI[1+2]",
                                       "TI[nan]",
                                       "TI[1e9]",
                                       "BT[5:00]",
                                       "TI[99999999999999999999999]",
                                       "TI[5:00;0:01]"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(game_on(none[i]).clocked);
}

static void a_clock_may_stand_behind_the_moves(void **state)
{
    (void)state;
    const struct nboard_game game = game_of("(;GM[Othello]" START "B[F5//20]TI[1:00];)");
    assert_int_equal(left_ms(&game, WILLOW_BLACK), 40000);
    assert_int_equal(left_ms(&game, WILLOW_WHITE), 60000);
}

/* Only the first of several games is on the board, and only its clock counts. */
static void the_first_of_two_games_is_read(void **state)
{
    (void)state;
    const struct nboard_game game = game_of("2 (;GM[Othello]" START "B[F5];)(;GM[Othello]TI[1:00]" START ";)");
    assert_int_equal(game.game.length, 1);
    assert_false(game.clocked);
}

static void moves_are_booked(void **state)
{
    (void)state;
    struct nboard_game game = game_of("(;GM[Othello]TI[0:10/0:01]" START ";)");
    assert_int_equal(nboard_game_move(&game, willow_square_parse("f5"), 3.0, NULL), WILLOW_OK);
    assert_int_equal(left_ms(&game, WILLOW_BLACK), 8000);
    /* Not on the clock: no increment. */
    assert_int_equal(nboard_game_move(&game, willow_square_parse("d6"), -1.0, NULL), WILLOW_OK);
    assert_int_equal(left_ms(&game, WILLOW_WHITE), 10000);
    const struct nboard_game before = game;
    struct willow_error error;
    assert_int_equal(nboard_game_move(&game, willow_square_parse("a1"), 3.0, &error), WILLOW_ERR_ARGUMENT);
    assert_int_equal(nboard_game_move(&game, WILLOW_PASS, 3.0, &error), WILLOW_ERR_ARGUMENT);
    assert_memory_equal(&game, &before, sizeof game);
    assert_int_equal(nboard_game_move(&game, willow_square_parse("c5"), 1e300, NULL), WILLOW_OK);
    assert_int_equal(left_ms(&game, WILLOW_BLACK), 0);
}

/* Black has no move after these (from the public report okuhara/edax-reversi-AVX #1). */
#define BLACK_PASSES                                                                                                   \
    "B[F5]W[D6]B[C5]W[F4]B[D3]W[E3]B[F2]W[C6]B[G5]W[B5]B[A5]W[B4]B[B3]W[C4]B[C3]W[A6]B[A7]W[A3]B[F3]W[E6]B[C7]W[B6]"   \
    "B[D7]W[D8]B[B8]W[E7]B[F7]W[E8]B[C8]W[A8]B[A4]W[F8]B[A2]W[B7]"

/* A pass costs time and earns nothing; a pass that was left out costs nothing, and whose time it is does not change. */
static void passes_are_booked(void **state)
{
    (void)state;
    struct nboard_game written = game_of("(;GM[Othello]TI[0:10/0:01]" START BLACK_PASSES "B[PA//3];)");
    assert_int_equal(written.game.side, WILLOW_WHITE);
    assert_int_equal(written.game.length, 35);
    assert_int_equal(left_ms(&written, WILLOW_BLACK), 7000);

    struct nboard_game left_out = game_of("(;GM[Othello]TI[0:10/0:01]" START BLACK_PASSES ";)");
    assert_int_equal(left_out.game.side, WILLOW_BLACK);
    assert_int_equal(nboard_game_move(&left_out, willow_square_parse("g7"), 2.0, NULL), WILLOW_OK);
    assert_int_equal(left_out.game.length, 36);
    assert_int_equal(left_out.game.side, WILLOW_BLACK);
    assert_int_equal(left_ms(&left_out, WILLOW_BLACK), 10000);
    assert_int_equal(left_ms(&left_out, WILLOW_WHITE), 9000);
}

static void bad_games_change_nothing(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "x",
        "broken(;GM[Othello]",
        "(;GM[Othello]",
        "(;",
        "(;GM[Chess]BO[8];)",
        "(;GM[Othello]TI[1:00];)",
        "(;GM[Othello]BO[10 x];)",
        "(;GM[Othello]TY[8b]" START ";)",
        "(;GM[Othello]TY[10]BO[10 ---------- ---------- ---------- ---------- ----O*---- ----*O---- ---------- "
        "---------- ---------- ---------- *];)",
        "(;GM[Othello]" START "B[F5]W[PA]B[D6];)",
        "(;GM[Othello]" START "B[A1];)",
        "(;GM[Othello]" START "W[F5];)",
        "(;GM[Othello]" START "B[F5//",
    };
    struct nboard_game game = game_of("(;GM[Othello]TI[0:10/0:01]" START "B[D3//1];)");
    const struct nboard_game before = game;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct willow_error error = {.reason = ""};
        assert_int_not_equal(nboard_game_read(willow_ruleset_default(), bad[i], &game, &error), WILLOW_OK);
        assert_true(error.reason[0] != '\0');
        assert_memory_equal(&game, &before, sizeof game);
    }
}

static void depths_are_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct nboard_depth depth;
    } cases[] = {
        {"1", {1, 0, false}},     {" 26 ", {26, 0, false}},  {"60", {60, 0, false}},     {"100%", {60, 100, false}},
        {"73%", {60, 73, false}}, {"95% ", {60, 95, false}}, {"100%W", {60, 100, true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct nboard_depth depth = {0};
        assert_true(nboard_depth_parse(cases[i].text, &depth));
        assert_int_equal(depth.plies, cases[i].depth.plies);
        assert_int_equal(depth.selectivity, cases[i].depth.selectivity);
        assert_int_equal(depth.win_loss, cases[i].depth.win_loss);
    }
    static const char *const none[] = {"",   "0",     "61", "100",   "x",
                                       "-1", "+5",    "5x", "5 6",   "74%",
                                       "0%", "100%%", "5W", "100%w", "99999999999999999999"};
    struct nboard_depth depth = {7, 0, false};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(nboard_depth_parse(none[i], &depth));
    assert_int_equal(depth.plies, 7);
}

/* The endgame of a depth is that of the deepest level that looks so far, and no depth looks less far than it says. */
static void depths_are_levels(void **state)
{
    (void)state;
    for (int plies = 1; plies <= 60; plies++)
        for (int empties = 1; empties <= 60; empties++) {
            const struct nboard_depth depth = {.plies = plies};
            struct willow_limits limits = {.depth = 0}, of_level = {.depth = 0};
            int level = 0;
            for (int i = WILLOW_LEVEL_MIN; i <= WILLOW_LEVEL_MAX; i++)
                if (willow_level_find(i)->depth <= plies)
                    level = i;
            nboard_depth_limit(&depth, empties, &limits);
            willow_level_limit(level, empties, &of_level);
            assert_int_equal(limits.exact_empties, of_level.exact_empties < 12 ? 12 : of_level.exact_empties);
            assert_int_equal(limits.selectivity, of_level.selectivity);
            assert_int_equal(limits.depth, of_level.depth < plies ? plies : of_level.depth);
        }
    const struct nboard_depth solve = {60, 100, true};
    struct willow_limits limits = {.depth = 0};
    nboard_depth_limit(&solve, 40, &limits);
    assert_true(limits.depth >= 40 && limits.selectivity == 100 && limits.win_loss);
}

static void searches_are_written(void **state)
{
    (void)state;
    const willow_square pv[] = {willow_square_parse("f5"), WILLOW_PASS, willow_square_parse("a1")};
    const struct nboard_reach midgame = {.depth = 12, .empties = 30, .selectivity = 73};
    const struct nboard_reach probable = {.depth = 20, .empties = 20, .selectivity = 95};
    const struct nboard_reach exact = {.depth = 20, .empties = 20, .selectivity = 100, .exact = true};
    const struct nboard_reach winner = {
        .depth = 20, .empties = 20, .selectivity = 100, .exact = true, .win_loss = true};
    char line[NBOARD_LINE];
    assert_string_equal(nboard_search_format(pv[0], pv, 3, 40, &midgame, line), "search F5PAA1 1.25 0 12");
    assert_string_equal(nboard_search_format(pv[0], pv, 0, -2048, &exact, line), "search F5 -64.00 0 100%");
    assert_string_equal(nboard_search_format(pv[1], pv + 1, 2, 0, &probable, line), "search PAA1 0.00 0 95%");
    assert_string_equal(nboard_search_format(pv[0], pv, 1, 32, &winner, line), "search F5 1.00 0 100%W");
    willow_square longest[WILLOW_PV_MAX];
    memset(longest, 7, sizeof longest);
    assert_int_equal(strlen(nboard_search_format(7, longest, WILLOW_PV_MAX, -2048, &exact, line)),
                     strlen("search  -64.00 0 100%") + 2 * WILLOW_PV_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_read),
        cmocka_unit_test(a_clock_may_stand_behind_the_moves),
        cmocka_unit_test(the_first_of_two_games_is_read),
        cmocka_unit_test(moves_are_booked),
        cmocka_unit_test(passes_are_booked),
        cmocka_unit_test(bad_games_change_nothing),
        cmocka_unit_test(depths_are_parsed),
        cmocka_unit_test(depths_are_levels),
        cmocka_unit_test(searches_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
