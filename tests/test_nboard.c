/* Conversations in the NBoard protocol: what is answered, and which board counts. What interrupts what, and what is
 * asked of a search, is the subject of test_nboard_turns.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>

#include "support/nboard_talk.h"

/* The square that "go" answers; it must be legal on that board. */
static willow_square go(struct talk *talk, const struct willow_game *game)
{
    struct willow_game copy = *game;
    char text[3] = "";
    talk_clear(talk);
    talk_say(talk, "go");
    const char *answer = talk_answer(talk);
    assert_non_null(answer);
    memcpy(text, answer, 2);
    const willow_square move = willow_square_parse(text);
    assert_int_equal(willow_game_play(&copy, move, NULL), WILLOW_OK);
    return move;
}

/* Tells the moves of a transcript one by one, as a program does while a game is played. */
static struct willow_game tell_moves(struct talk *talk, const char *transcript)
{
    struct willow_game game;
    char line[16], square[3];
    willow_game_init(&game, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&game, transcript, NULL), WILLOW_OK);
    talk_line(talk, GAME(""));
    for (int i = 0; i < game.length; i++) {
        snprintf(line, sizeof line, "move %s//1.5", willow_square_format(game.moves[i], square));
        talk_line(talk, line);
    }
    return game;
}

/* What is no line of version 2, or asks for what is not there, gets a line of status or nothing, and everything behind
 * it works. (The subjects of the protocol's text as NTest keeps it, and of engines that stopped at lines like these.)
 */
static void strange_lines_leave_it_alive(void **state)
{
    (void)state;
    static const char *const lines[] = {"nboard 1",
                                        "nboard 2",
                                        "nboard 3",
                                        "set depth 4",
                                        "set contempt 0",
                                        "set contempt -100",
                                        "set depth 0",
                                        "set depth 100",
                                        "set depth x",
                                        "set depth",
                                        "set foo bar",
                                        "set",
                                        "frobnicate 1",
                                        "",
                                        "   ",
                                        "gogo",
                                        "Go",
                                        "pingpong 3",
                                        "\xff\xfe\x1b[2J",
                                        GAME("B[F5]W[D6]B[C5]"),
                                        "hint 0",
                                        "hint -1",
                                        "move Z9",
                                        "move",
                                        "set game",
                                        "set game broken(;GM[Othello]",
                                        "set game (;GM[Chess]BO[8];)",
                                        "learn",
                                        "analyze",
                                        "ping 1"};
    struct talk talk;
    talk_open(&talk, NULL);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        talk_say(&talk, lines[i]);
    assert_null(talk_foreign(&talk));
    assert_true(talk_has(&talk, "set myname Willow"));
    assert_true(talk_has(&talk, "learned"));
    assert_int_equal(talk_count(&talk, "pong"), 1);
    assert_true(talk_has(&talk, "pong 1"));
    assert_true(talk.goes_on);
    talk_say(&talk, "quit");
    assert_false(talk.goes_on);
    talk_close(&talk);
}

/* From the public report okuhara/edax-reversi-AVX #1: a pass with a time as the last move of a game was overlooked, and
 * an illegal pass answered. */
#define BLACK_PASSES                                                                                                   \
    "B[F5/0.500/1.2]W[D6/0.600/1.2]B[C5/0.700/1.2]W[F4]B[D3]W[E3]B[F2]W[C6]B[G5]W[B5]B[A5]W[B4]B[B3]W[C4]B[C3]W[A6]"   \
    "B[A7]W[A3]B[F3]W[E6]B[C7]W[B6]B[D7]W[D8]B[B8]W[E7]B[F7]W[E8]B[C8]W[A8]B[A4]W[F8]B[A2/3.700/1.2]W[B7/3.800/1.2]"

static void assert_white_moves(struct talk *talk)
{
    static const char legal[] = "A1 G1 B2 C2 D2 E2 G2 G3 G4 H5 F6 G6 G7";
    char move[3] = "";
    talk_say(talk, "ping 1");
    talk_say(talk, "go");
    talk_say(talk, "ping 2");
    assert_non_null(talk_answer(talk));
    memcpy(move, talk_answer(talk), 2);
    assert_non_null(strstr(legal, move));
    assert_null(talk_foreign(talk));
    assert_true(strstr(talk->output, "pong 1\n") < strstr(talk->output, "=== "));
    assert_true(strstr(talk->output, "=== ") < strstr(talk->output, "pong 2\n"));
}

static void a_pass_with_a_time_is_played(void **state)
{
    (void)state;
    struct talk talk;
    talk_open(&talk, NULL);
    talk_line(&talk, GAME(BLACK_PASSES "B[PA//3.107]"));
    assert_white_moves(&talk);
    talk_line(&talk, GAME(BLACK_PASSES));
    talk_clear(&talk);
    talk_say(&talk, "go");
    assert_true(talk_has(&talk, "=== PA"));
    /* It is not on the board yet. */
    talk_line(&talk, "move PA//3.107");
    talk_clear(&talk);
    assert_white_moves(&talk);
    talk_close(&talk);
}

/* Where the other side has a board that is not known here, no move, no evaluation is told of any board. */
static void a_refused_game_is_not_played_on(void **state)
{
    (void)state;
    static const char *const refused[] = {GAME("B[F5]W[PA]B[D6]"), "move A1", "move pass", "set game broken"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct talk talk;
        talk_open(&talk, NULL);
        talk_line(&talk, GAME("B[F5]"));
        assert_int_equal(talk.size, 0);
        talk_line(&talk, refused[i]);
        assert_int_equal(talk_count(&talk, "status The "), 1);
        static const char *const then[] = {"go", "hint 2", "analyze", "move D6"};
        for (size_t j = 0; j < sizeof then / sizeof then[0]; j++) {
            talk_clear(&talk);
            talk_say(&talk, then[j]);
            assert_int_equal(talk_count(&talk, "status The board is not known"), 1);
            assert_int_equal(talk_count(&talk, ""), 1);
        }
        talk_say(&talk, "ping 1");
        assert_true(talk_has(&talk, "pong 1"));
        talk_line(&talk, GAME("B[F5]W[F6]"));
        talk_clear(&talk);
        talk_say(&talk, "go");
        assert_non_null(talk_answer(&talk));
        talk_close(&talk);
    }
}

/* Text that is no square was not played by anybody: the board stands. So it does after a line that is too long only
 * when a game follows. */
static void what_is_no_move_changes_nothing(void **state)
{
    (void)state;
    struct talk talk;
    struct willow_game game;
    talk_open(&talk, NULL);
    talk_line(&talk, "move Z9");
    talk_line(&talk, "move");
    assert_int_equal(talk_count(&talk, "status 'move"), 2);
    willow_game_init(&game, willow_ruleset_default());
    (void)go(&talk, &game);
    talk_line(&talk, NULL);
    talk_clear(&talk);
    talk_say(&talk, "go");
    assert_null(talk_answer(&talk));
    talk_line(&talk, GAME(""));
    (void)go(&talk, &game);
    talk_close(&talk);
}

/* Games with a forced pass behind the last move, white's in the second (from the public reports Zolomon/reversi-ai PR
 * 6, Egaroucid #67, okuhara/edax-reversi-AVX #1). */
static void forced_passes_are_answered(void **state)
{
    (void)state;
    static const char *const games[] = {
        "e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8",
        "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3",
        "F5D6C5F4D3E3F2C6G5B5A5B4B3C4C3A6A7A3F3E6C7B6D7D8B8E7F7E8C8A8A4F8A2B7",
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct talk talk;
        talk_open(&talk, NULL);
        struct willow_game game = tell_moves(&talk, games[i]);
        assert_int_equal(talk.size, 0);
        assert_int_equal(go(&talk, &game), WILLOW_PASS);
        assert_true(talk_has(&talk, "=== PA"));
        /* Asking again changes nothing; then two more plies. */
        assert_int_equal(go(&talk, &game), WILLOW_PASS);
        talk_line(&talk, "move PA//0.01");
        assert_int_equal(willow_game_play(&game, WILLOW_PASS, NULL), WILLOW_OK);
        for (int ply = 0; ply < 2; ply++) {
            char line[16], square[3];
            const willow_square move = go(&talk, &game);
            snprintf(line, sizeof line, "move %s/1/2", willow_square_format(move, square));
            talk_clear(&talk);
            talk_line(&talk, line);
            assert_int_equal(talk.size, 0);
            assert_int_equal(willow_game_play(&game, move, NULL), WILLOW_OK);
        }
        assert_null(talk_foreign(&talk));
        talk_close(&talk);
    }
}

/* The shortest game: black wins by wiping white out on the ninth move. */
static void the_end_of_the_game_is_told(void **state)
{
    (void)state;
    struct talk talk;
    talk_open(&talk, NULL);
    (void)tell_moves(&talk, "e6f4e3f6g5d6e7f5c5");
    talk_say(&talk, "hint 3");
    assert_true(talk_has(&talk, "status The game is over: +64 for black"));
    assert_int_equal(talk_count(&talk, "search"), 0);
    talk_clear(&talk);
    talk_say(&talk, "go");
    assert_true(talk_has(&talk, "status The game is over: +64 for black"));
    assert_true(talk_has(&talk, "=== PA"));
    talk_clear(&talk);
    talk_line(&talk, "move PA");
    assert_int_equal(talk.size, 0);
    talk_say(&talk, "analyze");
    /* From the end backwards; white is to move there and has lost all. */
    assert_int_equal(talk_count(&talk, "analysis"), 10);
    assert_true(strstr(talk.output, "analysis 9 -64.00\n") < strstr(talk.output, "analysis 8 64.00\n"));
    assert_true(strstr(talk.output, "analysis 8 64.00\n") < strstr(talk.output, "analysis 0 "));
    assert_null(talk_foreign(&talk));
    talk_close(&talk);
}

/* One move before that, the winning one is told once, and no more moves than there are. */
static void hints_are_different_moves(void **state)
{
    (void)state;
    static const int wanted[] = {1, 3, 10, 100};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct talk talk;
        char line[16];
        talk_open(&talk, NULL);
        const struct willow_game game = tell_moves(&talk, "e6f4e3f6g5d6e7f5");
        const int exist = __builtin_popcountll(willow_board_moves(game.ruleset, willow_game_board(&game)));
        snprintf(line, sizeof line, "hint %d", wanted[i]);
        talk_say(&talk, line);
        /* Three depths, each with all moves. */
        const int each = wanted[i] < exist ? wanted[i] : exist;
        assert_int_equal(talk_count(&talk, "search"), 3 * each);
        assert_int_equal(talk_count(&talk, "search C5"), 3);
        assert_int_equal(talk_count(&talk, "nodestats"), 3);
        for (const char *at = talk.output; at[0] != '\0'; at = strchr(at, '\n') + 1)
            if (strncmp(at, "status A", 8) == 0 || strncmp(at, "nodestats", 9) == 0)
                assert_true(strncmp(strchr(at, '\n') + 1, "search C5", 9) == 0 ||
                            strncmp(strchr(at, '\n') + 1, "status\n", 7) == 0);
        assert_null(talk_foreign(&talk));
        talk_close(&talk);
    }
}

/* Neither a start with white to move nor moves before it leave anything behind (the subject of Edax PR 1 and PR 2). */
static void a_new_game_forgets_the_old_one(void **state)
{
    (void)state;
    struct talk talk;
    struct willow_game game;
    struct willow_board board;
    enum willow_side side;
    talk_open(&talk, NULL);
    talk_line(&talk, "set game (;GM[Othello]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- "
                     "-------- O];)");
    assert_int_equal(willow_board_parse(willow_ruleset_default(),
                                        "---------------------------OX------XO--------------------------- O", &board,
                                        &side, NULL),
                     WILLOW_OK);
    assert_int_equal(willow_game_init_board(&game, willow_ruleset_default(), board, side, NULL), WILLOW_OK);
    (void)go(&talk, &game);
    talk_line(&talk, "move C5");
    assert_int_equal(willow_game_play(&game, willow_square_parse("c5"), NULL), WILLOW_OK);
    (void)go(&talk, &game);
    talk_line(&talk, GAME(""));
    willow_game_init(&game, willow_ruleset_default());
    (void)go(&talk, &game);

    /* Over a pass and back again, as a program undoes: by games. */
    static const char passing[] =
        "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
    game = tell_moves(&talk, passing);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(go(&talk, &game), WILLOW_PASS);
        talk_clear(&talk);
        talk_line(&talk, "move PA");
        talk_line(&talk, "move A7");
        assert_int_equal(talk.size, 0);
        game = tell_moves(&talk, passing);
    }
    talk_close(&talk);
}

/* "go" is asked for again and again, and moves are told by the other side alone. */
static void go_leaves_the_board_alone(void **state)
{
    (void)state;
    struct talk talk;
    struct willow_game game;
    talk_open(&talk, NULL);
    willow_game_init(&game, willow_ruleset_default());
    const willow_square first = go(&talk, &game);
    assert_int_equal(go(&talk, &game), first);
    assert_int_equal(talk_count(&talk, "search"), 1);
    assert_int_equal(talk_count(&talk, "nodestats"), 1);
    talk_line(&talk, "move F5");
    assert_int_equal(willow_game_play(&game, willow_square_parse("f5"), NULL), WILLOW_OK);
    (void)go(&talk, &game);
    talk_close(&talk);
}

#define SMALL "set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TY[6]BO[6 ------ ------ --O*-- --*O-- ------ ------ *]"
#define ANTI                                                                                                           \
    "set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TY[8a]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- "      \
    "-------- -------- *]"

/* What the game says is played, and 8x8 again with the next usual game. */
static void the_type_chooses_the_ruleset(void **state)
{
    (void)state;
    struct talk talk;
    struct willow_game game;
    talk_open(&talk, NULL);
    talk_line(&talk, SMALL "B[b3];)");
    assert_string_equal(talk.ruleset->name, "6x6");
    willow_game_init(&game, talk.ruleset);
    assert_int_equal(willow_game_play(&game, willow_square_parse("b3"), NULL), WILLOW_OK);
    (void)go(&talk, &game);
    talk_say(&talk, "hint 4");
    assert_null(talk_foreign(&talk));
    talk_line(&talk, ANTI "B[d3];)");
    assert_string_equal(talk.ruleset->name, "anti");
    willow_game_init(&game, talk.ruleset);
    assert_int_equal(willow_game_play(&game, willow_square_parse("d3"), NULL), WILLOW_OK);
    (void)go(&talk, &game);

    /* Who has no disc left has won. */
    talk_line(&talk, ANTI "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5];)");
    talk_clear(&talk);
    talk_say(&talk, "go");
    assert_true(talk_has(&talk, "status The game is over: -64 for black"));
    talk_line(&talk, GAME(""));
    assert_string_equal(talk.ruleset->name, "othello");
    willow_game_init(&game, talk.ruleset);
    (void)go(&talk, &game);
    talk_close(&talk);
}

/* Boards of no ruleset, or of one without weights here: told, and the next game is played. */
static void other_types_are_refused(void **state)
{
    (void)state;
    static const char *const games[] = {
        ("set game (;GM[Othello]TY[10]BO[10 ---------- ---------- ---------- ---------- ----O*---- ----*O---- "
         "---------- ---------- ---------- ---------- *];)"),
        "set game (;GM[Othello]TY[12]BO[12 *];)", "set game (;GM[Othello]TY[8r]BO[8 *];)"};
    struct talk talk;
    struct willow_game game;
    talk_open(&talk, NULL);
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        talk_clear(&talk);
        talk_line(&talk, games[i]);
        assert_int_equal(talk_count(&talk, "status The game was refused: "), 1);
        assert_string_equal(talk.ruleset->name, "othello");
    }
    talk.refuses = true;
    talk_clear(&talk);
    talk_line(&talk, SMALL ";)");
    assert_int_equal(talk_count(&talk, "status The game was refused: not for 6x6"), 1);
    talk_clear(&talk);
    talk_say(&talk, "go");
    assert_int_equal(talk_count(&talk, "status The board is not known"), 1);
    assert_null(talk_answer(&talk));
    talk_line(&talk, GAME(""));
    willow_game_init(&game, willow_ruleset_default());
    (void)go(&talk, &game);
    talk_close(&talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strange_lines_leave_it_alive),    cmocka_unit_test(a_pass_with_a_time_is_played),
        cmocka_unit_test(a_refused_game_is_not_played_on), cmocka_unit_test(what_is_no_move_changes_nothing),
        cmocka_unit_test(forced_passes_are_answered),      cmocka_unit_test(the_end_of_the_game_is_told),
        cmocka_unit_test(hints_are_different_moves),       cmocka_unit_test(a_new_game_forgets_the_old_one),
        cmocka_unit_test(go_leaves_the_board_alone),       cmocka_unit_test(the_type_chooses_the_ruleset),
        cmocka_unit_test(other_types_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
