/* GTP sessions of every ruleset: how one is chosen, by size and by name, what is cleared by that, and that boards,
 * moves, scores and searches are those of what is played.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>

#include "support/gtp_table.h"
#include "support/scratch.h"

static const char small_board[] =
    "= 6x6: black (X) 2, white (O) 2, black to move\n    a b c d e f\n  1 . . . . . .\n"
    "  2 . . . . . .\n  3 . . O X . .\n  4 . . X O . .\n  5 . . . . . .\n  6 . . . . . .\n\n";

static void sizes_choose_the_board(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_play_all(table, "f5f6");
    table_expect(table, "boardsize 6", "=\n\n");
    assert_string_equal(table->ruleset->name, "6x6");
    table_expect(table, "showboard", small_board);
    table_expect(table, "gogui-rules_board_size", "= 6\n\n");
    table_expect(table, "gogui-rules_game_id", "= Othello\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= c2 b3 e4 d5\n\n");
    table_expect(table, "undo", "? cannot undo\n\n");
    table_expect(table, "play b g3", "? syntax error\n\n");
    table_expect(table, "gogui-rules_board",
                 "= . . . . . .\n. . . . . .\n. . X O . .\n. . O X . .\n. . . . . .\n. . . . . .\n\n");
    table_expect(table, "boardsize 4", "=\n\n");
    assert_string_equal(table->ruleset->name, "4x4");
    table_expect(table, "boardsize 8", "=\n\n");
    assert_string_equal(table->ruleset->name, "othello");
    table_expect(table, "gogui-rules_legal_moves", "= d3 c4 f5 e6\n\n");
    table_expect(table, "boardsize 10", "? unacceptable size; start with --ruleset 10x10\n\n");
    table_expect(table, "boardsize 7", "? unacceptable size\n\n");
    table_expect(table, "boardsize 0", "? unacceptable size\n\n");
    table_expect(table, "boardsize 6 6", "? syntax error\n\n");
    table_expect(table, "willow-ruleset", "= othello\n\n");
    gtp_table_free(table);
}

/* The same size again is the same game, and so is that of the session's beginning. */
static void sizes_keep_the_variant(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "willow-ruleset 6x6-parallel", "= 6x6-parallel\n\n");
    table_expect(table, "boardsize 6", "=\n\n");
    table_expect(table, "willow-ruleset", "= 6x6-parallel\n\n");
    table_expect(table, "boardsize 8", "=\n\n");
    table_expect(table, "willow-ruleset", "= othello\n\n");
    struct gtp_settings settings = gtp_table_settings(table);
    settings.ruleset = willow_ruleset_find("anti");
    gtp_table_open(table, &settings);
    table_expect(table, "boardsize 6", "=\n\n");
    table_expect(table, "willow-ruleset", "= 6x6\n\n");
    table_expect(table, "boardsize 8", "=\n\n");
    table_expect(table, "willow-ruleset", "= anti\n\n");
    gtp_table_free(table);
}

static void names_choose_the_ruleset(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "willow-ruleset anti", "= anti\n\n");
    table_expect(table, "gogui-rules_game_id", "= anti\n\n");
    table_expect(table, "set_game Othello", "=\n\n");
    table_expect(table, "willow-ruleset", "= othello\n\n");
    table_expect(table, "set_game ANTI", "=\n\n");
    table_expect(table, "willow-ruleset", "= anti\n\n");
    table_expect(table, "set_game Go", "? unacceptable game\n\n");
    table_expect(table, "willow-ruleset hole:d4",
                 "? ruleset 'hole:d4': there cannot be a hole on a square of the start\n\n");
    table_expect(table, "willow-ruleset 10x10", "? another program plays it; start with --ruleset 10x10\n\n");
    assert_int_equal(strncmp(table_say(table, "willow-ruleset foo"), "? unknown ruleset 'foo'", 23), 0);
    table_expect(table, "willow-ruleset", "= anti\n\n");
    assert_non_null(strstr(table_say(table, "list_games"), "Othello\nanti\nreversi\n4x4\n"));
    assert_null(strstr(table->output, "hole:"));
    table_expect(table, "known_command willow-ruleset", "= true\n\n");

    /* The hole of a seed has a name, and that is answered. */
    const char *answer = table_say(table, "willow-ruleset hole:random");
    assert_int_equal(strncmp(answer, "= hole:", 7), 0);
    char first[32];
    snprintf(first, sizeof first, "%s", answer);
    table_expect(table, "willow-ruleset hole:random", first);
    gtp_table_free(table);
}

/* Weights that do not fit, or no memory: the game goes on. */
static void a_refusal_changes_nothing(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_play_all(table, "f5f6");
    table->refuses = true;
    table_expect(table, "boardsize 6", "? unacceptable size: a.wlw: not for 6x6\n\n");
    table_expect(table, "willow-ruleset anti", "? a.wlw: not for anti\n\n");
    table_expect(table, "set_game anti", "? unacceptable game: a.wlw: not for anti\n\n");
    table_expect(table, "willow-ruleset", "= othello\n\n");
    table_expect(table, "play b e6", "=\n\n");
    gtp_table_free(table);
}

static void a_new_ruleset_begins_anew(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "time_settings 60 0 0", "=\n\n");
    table_expect(table, "genmove b", "");
    table->now_ns += UINT64_C(30000000000);
    assert_true(table_report(table, willow_square_parse("f5")));
    table_expect(table, "boardsize 6", "=\n\n");
    table_expect(table, "genmove b", "");
    assert_true(table->request.clocked);
    assert_true(willow_timer_left_ns(&table->request.timer) > UINT64_C(59000000000));
    assert_true(willow_board_valid(table->ruleset, table->request.board));
    assert_int_equal(willow_board_discs(table->request.board), 4);
    assert_true(table_report(table, willow_square_parse("c2")));
    assert_string_equal(table->output, "= c2\n\n");
    gtp_table_free(table);

    /* Whoever ponders stops before the weights go. */
    table = gtp_table_new_pondering();
    table_genmove(table, "genmove b", "f5");
    assert_true(table->running && table->request.kind == THINK_PONDER);
    table_expect(table, "boardsize 6", "");
    assert_int_equal(table->stopped, 1);
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_string_equal(table->output, "=\n\n");
    assert_string_equal(table->ruleset->name, "6x6");
    gtp_table_free(table);
}

/* Both sides think until the end; the board never holds what the rules forbid. */
static void whole_games_are_played(void **state)
{
    (void)state;
    static const char *const names[] = {"4x4", "4x4-anti", "4x4-reversi", "6x6", "6x6-parallel", "hole:c3", "reversi"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct gtp_table *table = gtp_table_new();
        char line[64];
        snprintf(line, sizeof line, "willow-ruleset %s", names[i]);
        (void)table_say(table, line);
        assert_string_equal(table->ruleset->name, names[i]);
        int moves = 0;
        for (; strcmp(table_say(table, "final_score"), "? game is not over\n\n") == 0; moves++) {
            char side[16];
            snprintf(side, sizeof side, "genmove %c", table_say(table, "gogui-rules_side_to_move")[2]);
            (void)table_say(table, side);
            if (table->running)
                gtp_table_think(table);
            assert_int_equal(table->output[0], '=');
            assert_true(moves < WILLOW_GAME_MAX);
        }
        assert_int_equal(table->output[0], '=');
        assert_true(moves >= willow_ruleset_squares(table->ruleset) / 4);
        gtp_table_free(table);
    }
}

static void the_fewest_discs_win(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "willow-ruleset anti", "= anti\n\n");
    table_play_all(table, "e6f4e3f6g5d6e7f5c5");
    table_expect(table, "final_score", "= W+64\n\n");
    table_expect(table, "gogui-rules_final_result", "= White wins by 64\n\n");
    table_expect(table, "willow-ruleset othello", "= othello\n\n");
    table_play_all(table, "e6f4e3f6g5d6e7f5c5");
    table_expect(table, "final_score", "= B+64\n\n");
    gtp_table_free(table);
}

static void discs_are_placed_first(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "willow-ruleset reversi", "= reversi\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= d4 e4 d5 e5\n\n");
    table_expect(table, "final_score", "? game is not over\n\n");
    table_expect(table, "play b d3", "? illegal move\n\n");
    table_expect(table, "play b pass", "? illegal move\n\n");
    assert_non_null(strstr(table_say(table, "willow-static_evaluation"), "#00C040"));
    table_expect(table, "willow-best_moves", "");
    gtp_table_think(table);
    assert_int_equal(table->output[0], '=');
    table_expect(table, "play b d4", "=\n\n");
    table_expect(table, "play w d4", "? illegal move\n\n");
    table_expect(table, "play w e4", "=\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= d5 e5\n\n");
    table_expect(table, "play b d5", "=\n\n");
    table_expect(table, "play w e5", "=\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= f3 f4 f5 f6\n\n");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= e5\n\n");
    assert_non_null(strstr(table_say(table, "printsgf"), "RU[reversi]"));
    gtp_table_free(table);
}

static void a_hole_is_no_move(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "willow-ruleset hole:f5", "= hole:f5\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= d3 c4 e6\n\n");
    table_expect(table, "play b f5", "? illegal move\n\n");
    assert_non_null(strstr(table_say(table, "showboard"), "\n  5 . . . X O # . .\n"));
    assert_non_null(strstr(table_say(table, "willow-set_board "
                                            "-------------------O*------OX----XO#---------------------------- X"),
                           "? "));
    assert_int_equal(table_say(table, "gogui-setup b f5")[0], '?');
    gtp_table_free(table);
}

/* A file of another ruleset is named, and not played. */
static void files_are_of_the_ruleset(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    char folder[SCRATCH_PATH], path[SCRATCH_PATH], line[SCRATCH_PATH + 64];
    scratch_make(folder);
    scratch_join(path, folder, "small.sgf");
    table_expect(table, "boardsize 6", "=\n\n");
    table_play_all(table, "c2d2");
    snprintf(line, sizeof line, "printsgf %s", path);
    table_expect(table, line, "=\n\n");
    char *before = strdup(table_say(table, "showboard"));
    table_expect(table, "clear_board", "=\n\n");
    snprintf(line, sizeof line, "loadsgf %s", path);
    table_expect(table, line, "= black\n\n");
    table_expect(table, "showboard", before);
    table_expect(table, "boardsize 8", "=\n\n");
    const char *answer = table_say(table, line);
    assert_int_equal(strncmp(answer, "? cannot load file: ", 20), 0);
    assert_non_null(strstr(answer, "6x6"));
    table_expect(table, "gogui-rules_legal_moves", "= d3 c4 f5 e6\n\n");
    free(before);
    scratch_remove(folder);
    gtp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_choose_the_board),    cmocka_unit_test(sizes_keep_the_variant),
        cmocka_unit_test(names_choose_the_ruleset),  cmocka_unit_test(a_refusal_changes_nothing),
        cmocka_unit_test(a_new_ruleset_begins_anew), cmocka_unit_test(whole_games_are_played),
        cmocka_unit_test(the_fewest_discs_win),      cmocka_unit_test(discs_are_placed_first),
        cmocka_unit_test(a_hole_is_no_move),         cmocka_unit_test(files_are_of_the_ruleset),
    };
    return cmocka_run_group_tests(tests, gtp_table_set_up, gtp_table_tear_down);
}
