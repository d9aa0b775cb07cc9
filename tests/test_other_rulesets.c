/* Texts of one ruleset read as another: boards of another size and discs on holes are named, an illegal game names the
 * ruleset that it is legal in, records of another variant the ruleset that reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/records.h>

#include "support/record_checks.h"

#define START_4 "-----XO--OX-----"
#define START_6 "--------------OX----XO--------------"
#define START_8 "---------------------------OX------XO---------------------------"
#define START_10 "--------------------------------------------OX--------XO--------------------------------------------"
#define HOLE_DISC "------------------X--------OX------XO---------------------------" /* on c3 */

static void wrong_boards_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *ruleset, *text, *place, *reason;
    } cases[] = {
        {"othello", START_6 " X", "column 1", "the board has 36 squares (as 6x6 has) instead of 64: "},
        {"othello", START_4 " X", "column 1", "the board has 16 squares (as 4x4 has) instead of 64: "},
        {"othello", START_10 " X", "column 1", "the board has 100 squares (as 10x10 has) instead of 64: "},
        {"othello", "  A B C D\n1 - - - -\n2 - O X -\n3 - X O -\n4 - - - -\nX to move", "column 3",
         "the board has 16 squares (as 4x4 has)"},
        {"6x6", START_8 " X", "column 1", "the board has 64 squares (as othello has) instead of 36 (as 6x6 has): "},
        {"6x6-anti", START_8 "X;", "column 1", "instead of 36 (as 6x6-anti has)"},
        {"6x6", "------ ------ --OX-- --XO-- ------ ----- X", "column 41",
         "the board has 35 squares instead of 36 (as 6x6 has)"},
        {"6x6", START_6 "- X", "column 37", "an empty square where the side to move should be"},
        {"4x4", START_4 "-", "column 17", "an empty square where the side to move should be"},
        {"6x6", "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]", "column 4",
         "not a board of 6x6: \"8\""},
        {"othello", "BO[6 ------ ------ --O*-- --*O-- ------ ------ *]", "column 4", "not a board of 8x8: \"6\""},
        {"6x6", "0x0000000000000040 0 X", "column 1", "a disc on g1, which is no square of 6x6"},
        {"6x6", "0x0 0x0001000000000000 X", "column 5", "a disc on a7, which is no square of 6x6"},
        {"hole:c3", HOLE_DISC " X", "column 19", "a disc on c3, which is no square of hole:c3"},
        {"hole:c3", "0x0 0x40000 X", "column 5", "a disc on c3, which is no square of hole:c3"},
        {"hole:c3",
         "  A B C D E F G H\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - O - - - - -\n4 - - - O X - - -\n"
         "5 - - - X O - - -\n6 - - - - - - - -\n7 - - - - - - - -\n8 - - - - - - - -\nX to move",
         "line 4, column 7", "a disc on c3, which is no square of hole:c3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_board board;
        enum willow_side side;
        struct willow_error error = {0};
        assert_int_equal(
            willow_board_parse(willow_ruleset_find(cases[i].ruleset), cases[i].text, &board, &side, &error),
            WILLOW_ERR_FORMAT);
        if (strcmp(error.place, cases[i].place) != 0 || !strstr(error.reason, cases[i].reason))
            fail_msg("%s, %s: %s: %s", cases[i].ruleset, cases[i].text, error.place, error.reason);
    }
}

static void a_hole_is_written_as_an_empty_square(void **state)
{
    (void)state;
    char text[WILLOW_BOARD_TEXT];
    const struct willow_ruleset *hole = willow_ruleset_find("hole:c3");
    assert_string_equal(willow_board_format(hole, hole->start, WILLOW_BLACK, text), START_8 " X");
    (void)willow_board_format_as(hole, hole->start, WILLOW_BLACK, WILLOW_BOARD_GGF, text);
    assert_string_equal(text, "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]");
    const struct willow_ruleset *small = willow_ruleset_find("4x4");
    (void)willow_board_format_as(small, small->start, WILLOW_WHITE, WILLOW_BOARD_GRID, text);
    assert_string_equal(text, "  A B C D\n1 - - - -\n2 - X O -\n3 - O X -\n4 - - - -\nO to move");
    (void)willow_board_format_as(small, small->start, WILLOW_BLACK, WILLOW_BOARD_HEX, text);
    assert_string_equal(text, "0x0000000000020400 0x0000000000040200 X");
}

/* Scores of the placement, a hole among the moves, and the limit of a small board. */
static void obf_lines_follow_their_ruleset(void **state)
{
    (void)state;
    static const struct {
        const char *ruleset, *line, *reason; /* "" = good */
    } cases[] = {
        {"reversi", "---------------------------X------------------------------------ O; E4:+2; D5:0; E5:-2;", ""},
        {"reversi", "---------------------------X------------------------------------ O; D3:+2;", "illegal move"},
        {"othello", "---------------------------X------------------------------------ O; E4:+2;", "illegal move"},
        {"othello", START_8 " X; D3:+64", ""},
        {"hole:d3", START_8 " X; D3:+2;", "illegal move"},
        {"hole:a1", START_8 " X; D3:+64;", "score outside -63..63"},
        {"6x6", START_6 " X; C2:+36; B3:-36;", ""},
        {"6x6", START_6 " X; C2:+37", "score outside -36..36"},
        {"4x4", START_4 " X; B1:16; D1:0", "illegal move"},
        {"4x4", START_6 " X; B1:16; D1:0", "the board has 36 squares (as 6x6 has) instead of 16 (as 4x4 has)"},
        {"6x6", "#" START_6 " X;", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_obf obf;
        bool empty;
        struct willow_error error = {0};
        const enum willow_status status =
            willow_obf_parse(willow_ruleset_find(cases[i].ruleset), cases[i].line, &obf, &empty, &error);
        if ((status == WILLOW_OK) != (cases[i].reason[0] == '\0') || !strstr(error.reason, cases[i].reason))
            fail_msg("%s, %s: %s: %s", cases[i].ruleset, cases[i].line, error.place, error.reason);
    }
}

/* The whole reason: what it says of other rulesets is its end. */
static void illegal_games_name_their_ruleset(void **state)
{
    (void)state;
    static const struct {
        const char *ruleset, *text, *place, *reason;
    } cases[] = {
        {"6x6", "f5d6c3", "column 1", "illegal move f5 for black; the game is legal as othello"},
        {"othello", "c2d2e2b2", "column 1", "illegal move c2 for black; the game is legal as 6x6"},
        {"6x6", "1. c5 b4", "column 4", "illegal move c5 for black; the game is legal as 6x6-parallel"},
        {"othello", "d4e4d5e5f4", "column 1", "illegal move d4 for black; the game is legal as reversi"},
        {"othello", "f5d6c3a1", "column 7", "illegal move a1 for white"},
        {"othello", "f5d6a1c3", "column 5", "illegal move a1 for black"},
        {"othello", "c2d2e2b2 f?", "column 1", "illegal move c2 for black"},
        {"othello", "e4d4d5f4i3", "column 1", "illegal move e4 for black; the game has squares that only 10x10 has"},
        {"anti", "1. e4 d4 2. d5 c9", "column 4",
         "illegal move e4 for black; the game has squares that only 10x10 has"},
        {"6x6", "d5e6a10", "column 3", "illegal move e6 for white"},
        {"hole:a1", "e4a10", "column 1", "illegal move e4 for black; the game has squares that only 10x10 has"},
        {"hole:d3", "f5d6c3d3", "column 7", "illegal move d3 for white; the game is legal as othello"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(cases[i].ruleset);
        struct willow_game game;
        struct willow_error error = {0};
        struct willow_records records;
        struct willow_record record;
        willow_game_init(&game, ruleset);
        assert_int_equal(willow_transcript_parse(&game, cases[i].text, &error), WILLOW_ERR_FORMAT);
        if (strcmp(error.place, cases[i].place) != 0 || strcmp(error.reason, cases[i].reason) != 0)
            fail_msg("%s, %s: %s: %s", cases[i].ruleset, cases[i].text, error.place, error.reason);
        willow_game_init(&game, ruleset);
        assert_int_equal(willow_transcript_parse(&game, cases[i].text, NULL), WILLOW_ERR_FORMAT);
        assert_int_equal(willow_records_open(&records, ruleset, WILLOW_RECORDS_TRANSCRIPTS, cases[i].text,
                                             strlen(cases[i].text), NULL),
                         WILLOW_OK);
        assert_true(willow_records_next(&records, &record));
        assert_int_equal(record.kind, WILLOW_RECORD_ILLEGAL);
        assert_string_equal(record.error.reason, cases[i].reason);
    }
}

/* A hole matters late: only passes and lines that it stops tell such a game from one of othello. */
static void games_of_a_hole_are_told(void **state)
{
    (void)state;
    const struct willow_ruleset *hole = willow_ruleset_find("hole:c3"), *othello = willow_ruleset_othello();
    struct willow_random random;
    int illegal = 0;
    willow_random_init(&random, 47, 0);
    for (int i = 0; i < 40; i++) {
        const struct willow_game game = record_random_game(hole, &random, false, false);
        char text[WILLOW_TRANSCRIPT_TEXT];
        struct willow_game again;
        struct willow_error error = {0};
        willow_game_init(&again, othello);
        if (willow_transcript_parse(&again, willow_transcript_format(&game, text), &error) == WILLOW_OK)
            continue;
        illegal++;
        if (!strstr(error.reason, "; the game is legal as hole:"))
            fail_msg("%s: %s", text, error.reason);
    }
    assert_in_range(illegal, 1, 40);
}

/* Moves in several lines, before and behind the fault; and moves that nothing reads. */
static void games_over_several_lines_name_their_ruleset(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"1. c2 d2\n2. e2 b2\n", "illegal move c2 for black; the game is legal as 6x6"},
        {"1. c2 d2\n2. a1 b2\n", "illegal move c2 for black"},
        {"1. c2 d2\n2. e2 bb\n", "illegal move c2 for black"},
        {"1. e4 d4\n2. d5 b9\n", "illegal move e4 for black; the game has squares that only 10x10 has"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_records records;
        struct willow_record record;
        assert_int_equal(willow_records_open(&records, willow_ruleset_othello(), WILLOW_RECORDS_TRANSCRIPTS,
                                             cases[i].text, strlen(cases[i].text), NULL),
                         WILLOW_OK);
        assert_true(willow_records_next(&records, &record));
        assert_int_equal(record.kind, WILLOW_RECORD_ILLEGAL);
        assert_string_equal(record.error.reason, cases[i].reason);
        assert_false(willow_records_next(&records, &record));
    }
}

static void records_name_their_ruleset(void **state)
{
    (void)state;
    static const struct {
        const char *ruleset;
        enum willow_record_format format;
        const char *text;
        enum willow_record_kind kind;
        const char *reason;
    } cases[] = {
        {"anti", WILLOW_RECORDS_GGF,
         "(;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5];)",
         WILLOW_RECORD_OTHER_VARIANT, "a game of othello, read as anti; --ruleset othello reads it"},
        {"reversi", WILLOW_RECORDS_GGF,
         "(;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5];)",
         WILLOW_RECORD_OTHER_VARIANT, "a game of othello, read as reversi"},
        {"6x6", WILLOW_RECORDS_GGF, "(;GM[Othello]TY[6r20]BO[6 ------ ------ --O*-- --*O-- ------ ------ *]B[c2];)",
         WILLOW_RECORD_UNFINISHED, "not over after move 1"},
        {"6x6", WILLOW_RECORDS_GGF, "(;GM[Othello]TY[6]BO[6 ------ ------ --**-- --OO-- ------ ------ *]B[b5];)",
         WILLOW_RECORD_OTHER_START, "it starts from another position than 6x6 does, as a game of 6x6-parallel"},
        {"6x6-parallel", WILLOW_RECORDS_GGF,
         "(;GM[Othello]TY[6]BO[6 ------ ------ --**-- --OO-- ------ ------ *]B[b5];)", WILLOW_RECORD_UNFINISHED, ""},
        {"hole:c3", WILLOW_RECORDS_GGF,
         "(;BO[8 -------- -------- --O----- ---O*--- ---*O--- -------- -------- -------- *];)", WILLOW_RECORD_DAMAGED,
         "a disc on c3, which is no square of hole:c3"},
        {"6x6", WILLOW_RECORDS_SGF, "(;SZ[6:6];B[cb])", WILLOW_RECORD_UNFINISHED, ""},
        {"6x6", WILLOW_RECORDS_SGF, "(;RU[6x6-anti]SZ[6];B[cb])", WILLOW_RECORD_OTHER_VARIANT,
         "a game of 6x6-anti, read as 6x6; --ruleset 6x6-anti reads it"},
        {"hole:c3", WILLOW_RECORDS_SGF, "(;RU[hole:c3]AB[cc])", WILLOW_RECORD_DAMAGED,
         "a disc on what is no square of hole:c3: \"cc\""},
        {"hole:c3", WILLOW_RECORDS_SGF, "(;AE[aa:hh];AB[aa]AW[ba];B[ca])", WILLOW_RECORD_OTHER_START, ""},
        {"6x6", WILLOW_RECORDS_SGF, "(;AB[fa]AB[ga])", WILLOW_RECORD_DAMAGED, "no square of 6x6: \"ga\""},
        {"4x4", WILLOW_RECORDS_SGF, "(;SZ[4]RE[W+R];B[ba])", WILLOW_RECORD_UNFINISHED, ""},
        {"hole:d3", WILLOW_RECORDS_SGF, "(;;B[fe];W[df];B[cc];W[dc];B[cd])", WILLOW_RECORD_ILLEGAL,
         "illegal move d3 for white; the game is legal as othello"},
        {"6x6", WILLOW_RECORDS_TRANSCRIPTS, START_6 " X c2", WILLOW_RECORD_UNFINISHED, ""},
        {"6x6", WILLOW_RECORDS_TRANSCRIPTS, "----------------X c2", WILLOW_RECORD_DAMAGED, "16 squares (as 4x4 has)"},
        {"6x6", WILLOW_RECORDS_POSITIONS, START_8 " X", WILLOW_RECORD_DAMAGED, "the board has 64 squares (as othello"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_records records;
        struct willow_record record;
        assert_int_equal(willow_records_open(&records, willow_ruleset_find(cases[i].ruleset), cases[i].format,
                                             cases[i].text, strlen(cases[i].text), NULL),
                         WILLOW_OK);
        assert_true(willow_records_next(&records, &record));
        if (record.kind != cases[i].kind || !strstr(record.error.reason, cases[i].reason))
            fail_msg("%s, %s: kind %d: %s", cases[i].ruleset, cases[i].text, (int)record.kind, record.error.reason);
        assert_ptr_equal(record.game.ruleset, willow_ruleset_find(cases[i].ruleset));
    }
}

/* A win without a number is by all squares of the ruleset. */
static void results_follow_their_ruleset(void **state)
{
    (void)state;
    static const char text[] = "(;SZ[4]RE[W+R];B[ba])";
    struct willow_records records;
    struct willow_record record;
    assert_int_equal(
        willow_records_open(&records, willow_ruleset_find("4x4"), WILLOW_RECORDS_SGF, text, strlen(text), NULL),
        WILLOW_OK);
    assert_true(willow_records_next(&records, &record));
    assert_int_equal(record.result_discs, -16);
}

/* The board of any size tells what a file is, whoever reads it. */
static void formats_are_guessed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum willow_record_format format;
    } cases[] = {
        {START_4 " X", WILLOW_RECORDS_POSITIONS},           {START_4 " X;\n" START_4 " O;\n", WILLOW_RECORDS_POSITIONS},
        {START_6 " X; C2:+4;", WILLOW_RECORDS_POSITIONS},   {"\"" START_6 " X\"; C2:+4;", WILLOW_RECORDS_POSITIONS},
        {START_10 " O % remark", WILLOW_RECORDS_POSITIONS}, {START_6 " X c2d2", WILLOW_RECORDS_TRANSCRIPTS},
        {START_4 " X\nb1\n", WILLOW_RECORDS_TRANSCRIPTS},   {"c2d2e2", WILLOW_RECORDS_TRANSCRIPTS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum willow_record_format format;
        if (!willow_records_guess(cases[i].text, strlen(cases[i].text), &format) || format != cases[i].format)
            fail_msg("%s", cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_boards_are_named),
        cmocka_unit_test(a_hole_is_written_as_an_empty_square),
        cmocka_unit_test(obf_lines_follow_their_ruleset),
        cmocka_unit_test(illegal_games_name_their_ruleset),
        cmocka_unit_test(games_of_a_hole_are_told),
        cmocka_unit_test(games_over_several_lines_name_their_ruleset),
        cmocka_unit_test(records_name_their_ruleset),
        cmocka_unit_test(results_follow_their_ruleset),
        cmocka_unit_test(formats_are_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
