/* GTP commands beside the rules of the game: files, GoGui's analyses, settings while the engine runs. */
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

static void games_are_saved_and_loaded(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    char folder[SCRATCH_PATH], path[SCRATCH_PATH], line[SCRATCH_PATH + 64];
    scratch_make(folder);
    scratch_join(path, folder, "a game.sgf");
    table_play_all(table, "f5f6e6");
    assert_int_equal(strncmp(table_say(table, "printsgf"), "= (;", 4), 0);
    snprintf(line, sizeof line, "printsgf %s", path);
    table_expect(table, line, "=\n\n");
    table_expect(table, line, "=\n\n");
    char *before = strdup(table_say(table, "showboard"));
    table_expect(table, "clear_board", "=\n\n");
    snprintf(line, sizeof line, "loadsgf %s", path);
    table_expect(table, line, "= white\n\n");
    table_expect(table, "showboard", before);
    snprintf(line, sizeof line, "loadsgf %s 3", path);
    table_expect(table, line, "= black\n\n");
    table_expect(table, "play b e6", "=\n\n");
    table_expect(table, "showboard", before);
    snprintf(line, sizeof line, "loadsgf %s 1", path);
    table_expect(table, line, "= black\n\n");
    table_expect(table, "undo", "? cannot undo\n\n");
    snprintf(line, sizeof line, "loadsgf %s 99", path);
    table_expect(table, line, "= white\n\n");
    free(before);

    /* What cannot be read leaves the game alone; what is no game is not replaced. */
    scratch_join(path, folder, "notes");
    scratch_write(path, "my notes", 8);
    snprintf(line, sizeof line, "loadsgf %s", path);
    assert_int_equal(strncmp(table_say(table, line), "? cannot load file: ", 20), 0);
    snprintf(line, sizeof line, "printsgf %s", path);
    assert_int_equal(strncmp(table_say(table, line), "? cannot write file: ", 21), 0);
    assert_int_equal(strncmp(table_say(table, "loadsgf /nonexistent/game"), "? cannot load file: ", 20), 0);
    table_expect(table, "loadsgf", "? syntax error\n\n");
    scratch_join(path, folder, "illegal.sgf");
    scratch_write(path, "(;GM[2]SZ[8];B[aa])", 19);
    snprintf(line, sizeof line, "loadsgf %s", path);
    assert_int_equal(strncmp(table_say(table, line), "? cannot load file: ", 20), 0);
    table_expect(table, "gogui-rules_side_to_move", "= white\n\n");

    /* A session may be kept from files. */
    struct gtp_settings settings = gtp_table_settings(table);
    settings.files = false;
    gtp_table_open(table, &settings);
    assert_int_equal(strncmp(table_say(table, line), "? cannot load file: ", 20), 0);
    snprintf(line, sizeof line, "printsgf %s/new", folder);
    assert_int_equal(strncmp(table_say(table, line), "? cannot write file: ", 21), 0);
    assert_int_equal(scratch_count(folder, "new"), 0);
    scratch_remove(folder);
    gtp_table_free(table);
}

static void gogui_sees_the_rules(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "gogui-rules_game_id", "= Othello\n\n");
    table_expect(table, "gogui-rules_board_size", "= 8\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= d3 c4 f5 e6\n\n");
    /* The first row is the one that GoGui calls 8. */
    table_expect(table, "gogui-rules_board",
                 "= . . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . X O . . .\n. . . O X . . .\n"
                 ". . . . . . . .\n. . . . . . . .\n. . . . . . . .\n\n");
    table_expect(table, "play b d3", "=\n\n");
    table_expect(table, "gogui-rules_board",
                 "= . . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . X O . . .\n. . . X X . . .\n"
                 ". . . X . . . .\n. . . . . . . .\n. . . . . . . .\n\n");
    const char *analyses = table_say(table, "gogui-analyze_commands");
    char *list = strdup(analyses + 2), *rest = list;
    for (const char *entry = strtok_r(list, "\n", &rest); entry; entry = strtok_r(NULL, "\n", &rest)) {
        /* type/label/command */
        char line[128];
        const char *command = strchr(strchr(entry, '/') + 1, '/') + 1;
        snprintf(line, sizeof line, "known_command %.*s", (int)strcspn(command, " "), command);
        table_expect(table, line, "= true\n\n");
    }
    free(list);
    gtp_table_free(table);
}

/* Squares and scores in turn, each legal move once. */
static void best_moves_and_lines(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    char square[8], score[16];
    int length, total = 0;
    table_expect(table, "willow-best_moves", "");
    assert_int_equal(table->request.kind, THINK_HINT);
    assert_int_equal(table->request.choice.level, 3);
    assert_int_equal(table->request.choice.limits.time_ms, 2000);
    gtp_table_think(table);
    const char *at = table->output + 2;
    double last = 64;
    for (; sscanf(at, "%7s %15s%n", square, score, &length) == 2; at += length, total++) {
        assert_non_null(strstr("d3 c4 f5 e6", square));
        assert_true(strtod(score, NULL) <= last);
        last = strtod(score, NULL);
    }
    assert_int_equal(total, 4);
    assert_string_equal(at, "\n\n");
    table_expect(table, "willow-best_moves 2", "");
    assert_int_equal(table->request.count, 2);
    gtp_table_think(table);
    table_expect(table, "willow-best_moves 0", "? syntax error\n\n");
    table_expect(table, "willow-best_moves 65", "? syntax error\n\n");

    /* Exact scores have no decimals: the move that wins at once. */
    table_expect(table, "willow-set_board OX-------------------------------------------------------------- O", "=\n\n");
    table_expect(table, "willow-best_moves", "");
    gtp_table_think(table);
    assert_string_equal(table->output, "= c1 +64\n\n");
    table_expect(table, "willow-principal_variation", "");
    gtp_table_think(table);
    assert_string_equal(table->output, "= c1\n\n");
    table_expect(table, "willow-principal_variation black", "? it is white's turn\n\n");
    /* A pass is part of a line. */
    table_expect(table, "willow-set_board OX-------------------------------------------------------------- X", "=\n\n");
    table_expect(table, "willow-best_moves", "=\n\n");
    table_expect(table, "willow-principal_variation black", "");
    gtp_table_think(table);
    assert_string_equal(table->output, "= pass c1\n\n");
    gtp_table_free(table);
}

static void the_evaluation_has_colours(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    const char *text = table_say(table, "willow-static_evaluation") + 2;
    int cells = 0, coloured = 0, length;
    for (char cell[16]; sscanf(text, "%15s%n", cell, &length) == 1; text += length, cells++)
        coloured += strcmp(cell, "\"\"") != 0;
    assert_int_equal(cells, 64);
    assert_int_equal(coloured, 4);
    /* One move ends the game and wins: green; the four first moves are worth the same. */
    assert_non_null(strstr(table_say(table, "willow-static_evaluation"), "#00C040"));
    assert_null(strstr(table->output, "#C00040"));
    gtp_table_free(table);
}

static void settings_change_while_it_runs(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "willow-param",
                 "= [string] level 3\n[string] time 0\n[string] loss 0\n[string] threads 1\n[bool] ponder 0\n"
                 "[string] analysis_time 2\n\n");
    table_expect(table, "willow-param level 7", "=\n\n");
    table_expect(table, "willow-param time 0.25", "=\n\n");
    table_expect(table, "willow-param loss 2.5", "=\n\n");
    table_expect(table, "willow-param threads 64", "=\n\n");
    assert_int_equal(table->threads, 64);
    table_expect(table, "willow-param ponder 1", "=\n\n");
    table_expect(table, "willow-param analysis_time 0.5", "=\n\n");
    table_expect(table, "willow-param",
                 "= [string] level 7\n[string] time 0.25\n[string] loss 2.5\n[string] threads 64\n[bool] ponder 1\n"
                 "[string] analysis_time 0.5\n\n");
    table_expect(table, "genmove b", "");
    assert_int_equal(table->request.choice.level, 7);
    assert_int_equal(table->request.choice.limits.time_ms, 250);
    assert_true(table->request.choice.loss_discs > 2.4);
    /* Changed between searches: the command waits for its turn. */
    table_expect(table, "willow-param threads 2", "");
    assert_int_equal(table->threads, 64);
    assert_true(table_report(table, willow_square_parse("f5")));
    assert_int_equal(table->threads, 2);
    table_expect(table, "willow-param threads 65", "");
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_string_equal(table->output, "? no room for so many threads; there is one thread now\n\n");
    table_expect(table, "willow-param ponder 0", "");
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    static const char *const bad[] = {"level 0", "level 31",        "level x",     "time -1",     "time x",
                                      "loss 65", "threads 0",       "threads 257", "threads",     "ponder 2",
                                      "depth 3", "analysis_time 0", "threads -1",  "threads 2.5", "threads 4294967297"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "willow-param %s", bad[i]);
        assert_int_equal(table_say(table, line)[0], '?');
    }
    assert_int_equal(table->threads, 2);
    table_expect(table, "willow-param threads 1000", "? threads: a whole number from 1 to 256 is expected\n\n");
    gtp_table_free(table);

    /* No limit of time where nothing else limits a move. */
    table = gtp_table_new();
    struct gtp_settings settings = gtp_table_settings(table);
    settings.choice = settings.choice_clocked = (struct willow_choice){.limits = {.time_ms = 100}};
    gtp_table_open(table, &settings);
    assert_non_null(strstr(table_say(table, "willow-param"), "level none\n"));
    assert_int_equal(table_say(table, "willow-param time 0")[0], '?');
    /* What is told can be sent back. */
    char *told = strdup(table_say(table, "willow-param") + 2), *rest = told;
    for (const char *entry = strtok_r(told, "\n", &rest); entry; entry = strtok_r(NULL, "\n", &rest)) {
        char line[128];
        snprintf(line, sizeof line, "willow-param %s", strchr(entry, ' ') + 1);
        table_expect(table, line, "=\n\n");
    }
    free(told);
    table_expect(table, "willow-param level 2", "=\n\n");
    assert_int_equal(table_say(table, "willow-param level none")[0], '?');
    table_expect(table, "willow-param time 0", "=\n\n");
    gtp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_saved_and_loaded),    cmocka_unit_test(gogui_sees_the_rules),
        cmocka_unit_test(best_moves_and_lines),          cmocka_unit_test(the_evaluation_has_colours),
        cmocka_unit_test(settings_change_while_it_runs),
    };
    return cmocka_run_group_tests_name("gtp_commands", tests, gtp_table_set_up, gtp_table_tear_down);
}
