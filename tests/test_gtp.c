/* A GTP session driven line by line, without threads: framing, the order of commands, moves, passes and undo,
 * pondering. Searches are answered by the test itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>

#include "protocol/serve.h"
#include "support/gtp_table.h"

static void framing(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "protocol_version", "= 2\n\n");
    table_expect(table, "1 protocol_version", "=1 2\n\n");
    table_expect(table, "   2    name   ", "=2 Tree\n\n");
    table_expect(table, "3\tversion   # a comment", "=3 1.2\n\n");
    table_expect(table, "name", "= Tree\n\n");
    table_expect(table, "na\001me\r", "= Tree\n\n");
    table_expect(table, "# a comment", "");
    table_expect(table, "", "");
    table_expect(table, " \t \r", "");
    table_expect(table, "5 # a comment", "?5 unknown command\n\n");
    table_expect(table, "44", "?44 unknown command\n\n");
    table_expect(table, "7 no_such_thing 1 2 3", "?7 unknown command\n\n");
    table_expect(table, "NAME", "? unknown command\n\n");
    table_expect(table, "99999999999 name", "=99999999999 Tree\n\n");
    table_expect(table, "999999999999999999999999999999 name", "? unknown command\n\n");
    table_expect(table, "-1 name", "? unknown command\n\n");
    table_expect(table, "007 name", "=007 Tree\n\n");
    table_expect(table, "name too", "? syntax error\n\n");
    table_expect(table, "known_command genmove", "= true\n\n");
    table_expect(table, "known_command no_such_thing", "= false\n\n");
    table_expect(table, "8 boardsize 8", "=8\n\n");
    table_expect(table, NULL, "? line too long\n\n");
    gtp_table_free(table);
}

static void many_words_and_long_lines(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    char *line = malloc(SERVE_LINE_MAX + 1);
    assert_non_null(line);
    for (int i = 0; i < SERVE_LINE_MAX; i++)
        line[i] = i % 2 == 0 ? 'b' : ' ';
    line[SERVE_LINE_MAX] = '\0';
    table_expect(table, line, "? syntax error\n\n");
    memcpy(line, "9 gogui-setup ", 14);
    table_expect(table, line, "?9 syntax error\n\n");
    memset(line, '7', SERVE_LINE_MAX);
    table_expect(table, line, "? unknown command\n\n");
    free(line);
    gtp_table_free(table);
}

/* Every command that is listed is known, and the ones of the protocol are among them; each answers one block of lines
 * without an empty one inside. */
static void every_command_answers(void **state)
{
    (void)state;
    static const char *const wanted[] = {"protocol_version",
                                         "name",
                                         "version",
                                         "known_command",
                                         "list_commands",
                                         "quit",
                                         "boardsize",
                                         "clear_board",
                                         "komi",
                                         "play",
                                         "genmove",
                                         "undo",
                                         "time_settings",
                                         "time_left",
                                         "final_score",
                                         "loadsgf",
                                         "printsgf",
                                         "showboard",
                                         "reg_genmove",
                                         "set_game",
                                         "cputime",
                                         "gogui-setup",
                                         "list_games",
                                         "gogui-analyze_commands",
                                         "gogui-interrupt",
                                         "gogui-rules_board"};
    struct gtp_table *table = gtp_table_new();
    char *list = strdup(table_say(table, "list_commands"));
    assert_non_null(list);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char entry[64];
        snprintf(entry, sizeof entry, "%s%s\n", i == 0 ? "= " : "\n", wanted[i]);
        assert_non_null(strstr(list, entry));
    }
    char *rest = list + 2;
    for (const char *name = strtok_r(list + 2, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest)) {
        char line[128];
        snprintf(line, sizeof line, "known_command %s", name);
        table_expect(table, line, "= true\n\n");
        snprintf(line, sizeof line, "12 %s", name);
        if (strcmp(name, "quit") == 0)
            continue;
        (void)table_say(table, line);
        if (table->running)
            gtp_table_think(table);
        const char *end = strstr(table->output, "\n\n");
        assert_true(strncmp(table->output + 1, "12", 2) == 0 && (table->output[0] == '=' || table->output[0] == '?'));
        assert_true(end && end[2] == '\0');
    }
    free(list);
    gtp_table_free(table);
}

static void moves_and_colours(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "play blue f6", "? syntax error\n\n");
    table_expect(table, "play white", "? syntax error\n\n");
    table_expect(table, "play white z9", "? syntax error\n\n");
    table_expect(table, "play white a9", "? syntax error\n\n");
    table_expect(table, "play white f5", "? illegal move\n\n");
    table_expect(table, "play black pass", "? illegal move\n\n");
    table_expect(table, "play black a1", "? illegal move\n\n");
    table_expect(table, "play BLACK F5", "=\n\n");
    table_expect(table, "play black f5", "? illegal move\n\n");
    table_expect(table, "play black f4", "? illegal move\n\n");
    table_expect(table, "play white pass", "? illegal move\n\n");
    table_expect(table, "play W f6", "=\n\n");
    table_expect(table, "genmove white", "? it is black's turn\n\n");
    table_expect(table, "genmove", "? syntax error\n\n");
    table_expect(table, "genmove green", "? syntax error\n\n");
    assert_int_equal(table->started, 0);
    table_genmove(table, "genmove b", "e6");
    table_expect(table, "gogui-rules_side_to_move", "= white\n\n");
    /* What an engine in trouble might say. */
    table_expect(table, "genmove w", "");
    assert_true(table_report(table, 0));
    assert_string_equal(table->output, "? the search gave no legal move\n\n");
    table_expect(table, "genmove w", "");
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_string_equal(table->output, "? the search gave no legal move\n\n");
    table_expect(table, "boardsize 7", "? unacceptable size\n\n");
    table_expect(table, "boardsize x", "? syntax error\n\n");
    table_expect(table, "komi 6.5", "=\n\n");
    table_expect(table, "komi -3", "=\n\n");
    table_expect(table, "komi much", "? syntax error\n\n");
    table_expect(table, "set_game Othello", "=\n\n");
    table_expect(table, "set_game Go", "? unacceptable game\n\n");
    table_expect(table, "gogui-play_sequence b f5 w f6 b e6", "=\n\n");
    table_expect(table, "gogui-play_sequence w f4 b a1", "? illegal move\n\n");
    table_expect(table, "gogui-play_sequence w", "? syntax error\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= white\n\n");
    table_expect(table, "play w f4", "=\n\n");
    gtp_table_free(table);
}

static void undo_to_the_start_and_further(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    char *before = strdup(table_say(table, "showboard"));
    table_expect(table, "undo", "? cannot undo\n\n");
    table_expect(table, "play black f5", "=\n\n");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "undo", "? cannot undo\n\n");
    table_expect(table, "play black f5", "=\n\n");
    table_genmove(table, "genmove white", "d6");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "undo", "? cannot undo\n\n");
    table_expect(table, "showboard", before);
    assert_non_null(strstr(before, "black (X) 2, white (O) 2, black to move\n"
                                   "    a b c d e f g h\n"));
    assert_non_null(strstr(before, "\n  4 . . . O X . . .\n  5 . . . X O . . .\n"));
    free(before);
    gtp_table_free(table);
}

/* The shortest game: nine moves, and white has no disc left. */
static void after_the_end(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_play_all(table, "e6f4e3f6g5d6e7f5");
    table_expect(table, "final_score", "? game is not over\n\n");
    table_expect(table, "gogui-rules_final_result", "=\n\n");
    table_expect(table, "play b c5", "=\n\n");
    table_expect(table, "final_score", "= B+64\n\n");
    table_expect(table, "gogui-rules_final_result", "= Black wins by 64\n\n");
    table_expect(table, "gogui-rules_legal_moves", "=\n\n");
    char *before = strdup(table_say(table, "showboard"));
    assert_non_null(strstr(before, "black (X) 13, white (O) 0, game over\n"));
    table_expect(table, "genmove white", "= pass\n\n");
    table_expect(table, "genmove black", "= pass\n\n");
    table_expect(table, "reg_genmove black", "= pass\n\n");
    table_expect(table, "play white a1", "? illegal move\n\n");
    table_expect(table, "play white pass", "? illegal move\n\n");
    table_expect(table, "play black pass", "? illegal move\n\n");
    table_expect(table, "willow-best_moves", "=\n\n");
    table_expect(table, "willow-principal_variation", "=\n\n");
    table_expect(table, "showboard", before);
    free(before);
    assert_int_equal(table->started, 0);
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= black\n\n");
    table_genmove(table, "genmove black", "c5");
    table_expect(table, "final_score", "= B+64\n\n");
    gtp_table_free(table);
}

/* White wins, and nobody does. */
static void scores_of_either_side(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "willow-set_board OO-------------------------------------------------------------- X", "=\n\n");
    table_expect(table, "final_score", "= W+64\n\n");
    table_expect(table, "willow-set_board O------------------------------------------------------X-------- X", "=\n\n");
    table_expect(table, "final_score", "= 0\n\n");
    table_expect(table, "gogui-rules_final_result", "= A draw\n\n");
    gtp_table_free(table);
}

/* A forced pass after 16 moves of a game from a public report (Zolomon/reversi-ai, pull request 6). */
static const char forced[] = "e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8";

static void forced_passes(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_play_all(table, forced);
    assert_non_null(strstr(table_say(table, "showboard"), "black (X) 17, white (O) 3, black to move"));
    table_expect(table, "gogui-rules_legal_moves", "= pass\n\n");
    table_expect(table, "reg_genmove black", "= pass\n\n");
    table_expect(table, "genmove black", "= pass\n\n");
    assert_int_equal(table->started, 0);
    table_expect(table, "play black pass", "? illegal move\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= white\n\n");
    table_genmove(table, "genmove white", "b4");
    /* Back over the move, then over the pass that was said. */
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= white\n\n");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= black\n\n");
    table_expect(table, "play black pass", "=\n\n");
    table_expect(table, "play black pass", "? illegal move\n\n");
    table_expect(table, "undo", "=\n\n");

    /* Left out by the controller, it goes with the move behind it, played or generated. */
    table_expect(table, "play white a1", "? illegal move\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= black\n\n");
    table_expect(table, "play white b4", "=\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= black\n\n");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= black\n\n");
    table_expect(table, "reg_genmove white", "");
    assert_true(table_report(table, willow_square_parse("b4")));
    assert_string_equal(table->output, "= b4\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= black\n\n");
    table_genmove(table, "genmove white", "b4");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= pass\n\n");
    gtp_table_free(table);
}

/* White must pass after 43 moves and black has a7 (Egaroucid, issue 67); black after 34 (okuhara/edax-reversi-AVX,
 * issue 1). */
static void passes_of_either_side(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_play_all(table, "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3");
    assert_non_null(strstr(table_say(table, "showboard"), "black (X) 27, white (O) 20, white to move"));
    table_expect(table, "play white a7", "? illegal move\n\n");
    table_expect(table, "genmove white", "= pass\n\n");
    table_expect(table, "play black a7", "=\n\n");
    assert_non_null(strstr(table_say(table, "showboard"), "black (X) 31, white (O) 17, white to move"));
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "genmove black", "");
    assert_true(table_report(table, willow_square_parse("a7")));
    assert_string_equal(table->output, "= a7\n\n");
    for (int i = 0; i < 44; i++)
        (void)table_say(table, "undo");
    table_expect(table, "undo", "? cannot undo\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= black\n\n");

    table_play_all(table, "f5d6c5f4d3e3f2c6g5b5a5b4b3c4c3a6a7a3f3e6c7b6d7d8b8e7f7e8c8a8a4f8a2b7");
    assert_non_null(strstr(table_say(table, "showboard"), "black (X) 25, white (O) 13, black to move"));
    table_expect(table, "genmove black", "= pass\n\n");
    table_expect(table, "genmove black", "? it is white's turn\n\n");
    gtp_table_free(table);
}

/* A new game begins as always, whatever was set up before; setting up never swaps colours. */
static void boards_that_are_set_up(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "willow-set_board ---------------------------OX------XO--------------------------- O", "=\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= e3 f4 c5 d6\n\n");
    table_expect(table, "play black c5", "? illegal move\n\n");
    table_expect(table, "play white c5", "=\n\n");
    table_expect(table, "undo", "=\n\n");
    table_expect(table, "undo", "? cannot undo\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= white\n\n");
    table_expect(table, "clear_board", "=\n\n");
    table_expect(table, "gogui-rules_side_to_move", "= black\n\n");
    table_expect(table, "gogui-rules_legal_moves", "= d3 c4 f5 e6\n\n");
    table_expect(table, "gogui-setup b d5 w e4 b e5", "=\n\n");
    table_expect(table, "gogui-setup_player w", "=\n\n");
    assert_non_null(strstr(table_say(table, "showboard"), "black (X) 2, white (O) 1, white to move"));
    assert_non_null(strstr(table_say(table, "showboard"), "\n  4 . . . . O . . .\n  5 . . . X X . . .\n"));
    table_expect(table, "gogui-setup b d5 w d5",
                 "? the board has discs on squares that do not exist in othello, or two on "
                 "one square\n\n");
    table_expect(table, "gogui-setup b d5 w", "? syntax error\n\n");
    table_expect(table, "gogui-setup b pass", "? syntax error\n\n");
    assert_int_equal(strncmp(table_say(table, "willow-set_board XXXX X"), "? ", 2), 0);
    gtp_table_free(table);
}

/* Commands wait while a move is searched, in their order; what ends the search at once is "# interrupt" alone. */
static void commands_wait_for_the_move(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "1 genmove b", "");
    table_expect(table, "2 name", "");
    table_expect(table, "3 genmove w", "");
    table_expect(table, NULL, "");
    table_expect(table, "# a comment", "");
    table_expect(table, "4 quit", "");
    table_expect(table, "5 name", "");
    assert_int_equal(table->stopped, 0);
    gtp_end(table->gtp);
    assert_int_equal(table->stopped, 0);
    assert_true(table_report(table, willow_square_parse("f5")));
    assert_string_equal(table->output, "=1 f5\n\n=2 Tree\n\n");
    assert_true(table->running);
    table->length = 0;
    assert_false(table_report(table, willow_square_parse("f6")));
    assert_string_equal(table->output, "=3 f6\n\n? line too long\n\n=4\n\n");
    assert_false(gtp_line(table->gtp, "6 name", table->now_ns));
    assert_string_equal(table->output, "=3 f6\n\n? line too long\n\n=4\n\n");
    gtp_table_free(table);
}

static void interrupts(void **state)
{
    (void)state;
    static const char *const yes[] = {"# interrupt", "#interrupt", " \t#  interrupt \r"};
    static const char *const no[] = {"# interrupted", "# do interrupt", "interrupt", "#", "# interrupt now"};
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "# interrupt", "");
    table_expect(table, "gogui-interrupt", "=\n\n");
    table_expect(table, "genmove b", "");
    for (int i = 0; i < 5; i++)
        table_expect(table, no[i], "");
    assert_int_equal(table->stopped, 0);
    for (int i = 0; i < 3; i++) {
        table_expect(table, yes[i], "");
        assert_int_equal(table->stopped, i + 1);
    }
    assert_true(table_report(table, willow_square_parse("f5")));
    assert_string_equal(table->output, "= f5\n\n? unknown command\n\n");
    gtp_table_free(table);
}

/* However many lines come, those that were taken are answered; the rest is refused before it is lost. */
static void the_queue_is_bounded(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    for (int round = 0; round < 3; round++) {
        const char *const move = round == 0 ? "f5" : round == 1 ? "f6" : "e6";
        table_expect(table, round % 2 == 0 ? "genmove b" : "genmove w", "");
        int taken = 0;
        for (; gtp_ready(table->gtp); taken++)
            (void)gtp_line(table->gtp, "known_command nothing", table->now_ns);
        assert_true(taken > 1000);
        table->length = 0;
        assert_true(table_report(table, willow_square_parse(move)));
        assert_int_equal(table->length, 6 + (size_t)taken * strlen("= false\n\n"));
        assert_true(gtp_ready(table->gtp));
    }
    gtp_table_free(table);
}

static void pondering(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new_pondering();
    table_expect(table, "play b f5", "=\n\n");
    assert_false(table->running);
    table_genmove(table, "genmove w", "f6");
    assert_true(table->running);
    assert_int_equal(table->request.kind, THINK_PONDER);
    /* Any line stops it, and is answered when it has ended; it goes on where the position is the same. */
    table_expect(table, "name", "");
    assert_int_equal(table->stopped, 1);
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_string_equal(table->output, "= Tree\n\n");
    assert_true(table->running);
    table_expect(table, "# a comment", "");
    assert_int_equal(table->stopped, 1);
    /* Not after the opponent's move: that is our time. */
    table_expect(table, "play b e6", "");
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_string_equal(table->output, "=\n\n");
    assert_false(table->running);
    table_genmove(table, "genmove w", "f4");
    assert_true(table->running);
    /* Nothing more to find out: it does not begin again. */
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_false(table->running);
    table_expect(table, "name", "= Tree\n\n");
    assert_false(table->running);
    /* An interrupt is not for it, but for the search that waits for its end; the end of the input is. */
    table_genmove(table, "genmove b", "g7");
    int stopped = table->stopped;
    table_expect(table, "# interrupt", "");
    assert_int_equal(table->stopped, stopped);
    table_expect(table, "name", "");
    table_expect(table, "reg_genmove w", "");
    table_expect(table, "# interrupt", "");
    table_expect(table, "version", "");
    stopped = table->stopped;
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_int_equal(table->request.kind, THINK_MOVE);
    assert_int_equal(table->stopped, stopped + 1);
    assert_true(table_report(table, willow_square_parse("f7")));
    assert_string_equal(table->output, "= Tree\n\n= f7\n\n= 1.2\n\n");
    assert_int_equal(table->request.kind, THINK_PONDER);
    table_expect(table, "name", "");
    table_expect(table, "# interrupt", "");
    stopped = table->stopped;
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_int_equal(table->request.kind, THINK_PONDER);
    gtp_end(table->gtp);
    assert_int_equal(table->stopped, stopped + 1);
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_false(table->running);
    gtp_table_free(table);
}

static void failing_output_is_noticed(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table->deaf = true;
    assert_false(gtp_failed(table->gtp));
    table_expect(table, "name", "");
    assert_true(gtp_failed(table->gtp));
    gtp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framing),
        cmocka_unit_test(many_words_and_long_lines),
        cmocka_unit_test(every_command_answers),
        cmocka_unit_test(moves_and_colours),
        cmocka_unit_test(undo_to_the_start_and_further),
        cmocka_unit_test(after_the_end),
        cmocka_unit_test(scores_of_either_side),
        cmocka_unit_test(forced_passes),
        cmocka_unit_test(passes_of_either_side),
        cmocka_unit_test(boards_that_are_set_up),
        cmocka_unit_test(commands_wait_for_the_move),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(the_queue_is_bounded),
        cmocka_unit_test(pondering),
        cmocka_unit_test(failing_output_is_noticed),
    };
    return cmocka_run_group_tests_name("gtp", tests, gtp_table_set_up, gtp_table_tear_down);
}
