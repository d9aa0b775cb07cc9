/* GTP and NBoard on the largest board of the build, 8x8 or 10x10: a whole game with every square in its words, the
 * board as lines, what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/records.h>

#include "support/gtp_table.h"
#include "support/nboard_talk.h"

/* The engine answers itself to the end; a copy of the game follows by the rules. */
static void gtp_plays_a_whole_game(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_default());
    bool last = false;
    while (!willow_game_over(&game)) {
        (void)table_say(table, game.side == WILLOW_BLACK ? "genmove b" : "genmove w");
        if (table->running)
            gtp_table_think(table);
        char text[8];
        assert_int_equal(sscanf(table->output, "= %7s", text), 1);
        const willow_square move = willow_square_parse(text);
        last = last || move == WILLOW_SQUARES - 1;
        assert_int_equal(willow_game_play(&game, move, NULL), WILLOW_OK);
    }
    char score[16];
    const int discs = willow_game_final_discs(&game);
    snprintf(score, sizeof score, discs == 0 ? "= 0\n\n" : "= %c+%d\n\n", discs > 0 ? 'B' : 'W', abs(discs));
    table_expect(table, "final_score", score);
    assert_true(game.length > WILLOW_SQUARES / 2 &&
                (last || willow_board_empties(game.ruleset, willow_game_board(&game)) > 0));

    /* What printsgf gives is this game. */
    struct willow_records records;
    static struct willow_record record;
    char *sgf = strdup(table_say(table, "printsgf"));
    assert_int_equal(willow_records_open(&records, game.ruleset, WILLOW_RECORDS_SGF, sgf + 2, strlen(sgf) - 2, NULL),
                     WILLOW_OK);
    assert_true(willow_records_next(&records, &record));
    assert_int_equal(record.kind, WILLOW_RECORD_COMPLETE);
    assert_memory_equal(record.game.moves, game.moves, (size_t)record.game.length);
    free(sgf);
    gtp_table_free(table);
}

static void gtp_shows_the_board(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    char line[64], answer[64];
    snprintf(line, sizeof line, "boardsize %d", WILLOW_SIDE);
    table_expect(table, line, "=\n\n");
    snprintf(answer, sizeof answer, "= %d\n\n", WILLOW_SIDE);
    table_expect(table, "gogui-rules_board_size", answer);
    table_expect(table, "gogui-rules_game_id", "= Othello\n\n");
    snprintf(answer, sizeof answer, "? unacceptable size; start with --ruleset %s\n\n",
             WILLOW_SIDE == 8 ? "10x10" : "othello");
    table_expect(table, WILLOW_SIDE == 8 ? "boardsize 10" : "boardsize 8", answer);

    /* The last square has a name, and the one beside it none. */
    snprintf(line, sizeof line, "gogui-setup b %c%d w %c%d", 'a' + WILLOW_SIDE - 1, WILLOW_SIDE, 'a' + WILLOW_SIDE - 2,
             WILLOW_SIDE);
    table_expect(table, line, "=\n\n");
    snprintf(answer, sizeof answer, "\n %2d", WILLOW_SIDE);
    for (int column = 0; column < WILLOW_SIDE - 2; column++)
        strcat(answer, " .");
    strcat(answer, " O X\n\n");
    assert_non_null(strstr(table_say(table, "showboard"), answer));
    snprintf(answer, sizeof answer, "= %c%d\n\n", 'a' + WILLOW_SIDE - 3, WILLOW_SIDE);
    table_expect(table, "gogui-rules_legal_moves", answer);
    snprintf(line, sizeof line, "play b %c1", 'a' + WILLOW_SIDE);
    table_expect(table, line, "? syntax error\n\n");
    table_expect(table, "willow-static_evaluation", table_say(table, "willow-static_evaluation"));
    assert_non_null(strstr(table->output, "#00C040"));
    gtp_table_free(table);
}

/* A game told by GGF, then every move by itself. */
static void nboard_plays_a_whole_game(void **state)
{
    (void)state;
    struct talk talk;
    struct willow_game game;
    char text[4096], line[64], square[WILLOW_SQUARE_TEXT];
    willow_game_init(&game, willow_ruleset_default());
    const struct willow_ggf_game told = {
        .game = &game, .place = "NBoard", .black = "a", .white = "b", .result_unknown = true};
    assert_true(willow_ggf_format(&told, text + 9, sizeof text - 9) > 0);
    memcpy(text, "set game ", 9);
    talk_open(&talk, NULL);
    talk_line(&talk, text);
    talk_say(&talk, "hint 100");
    assert_true(talk_count(&talk, "search ") >= 4);
    assert_int_equal(talk_count(&talk, "status The game was refused"), 0);
    while (!willow_game_over(&game)) {
        talk_clear(&talk);
        talk_say(&talk, "go");
        const char *answer = talk_answer(&talk);
        assert_non_null(answer);
        snprintf(square, sizeof square, "%.*s", (int)strcspn(answer, "/\n"), answer);
        assert_int_equal(willow_game_play(&game, willow_square_parse(square), NULL), WILLOW_OK);
        snprintf(line, sizeof line, "move %s", square);
        talk_line(&talk, line);
    }
    talk_clear(&talk);
    talk_say(&talk, "go");
    snprintf(line, sizeof line, "status The game is over: %+d for black", willow_game_final_discs(&game));
    assert_true(talk_has(&talk, line));
    talk_say(&talk, "analyze");
    assert_int_equal(talk_count(&talk, "analysis "), game.length + 1);
    talk_close(&talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gtp_plays_a_whole_game),
        cmocka_unit_test(gtp_shows_the_board),
        cmocka_unit_test(nboard_plays_a_whole_game),
    };
    return cmocka_run_group_tests(tests, gtp_table_set_up, gtp_table_tear_down);
}
