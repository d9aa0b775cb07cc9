/* Squares, transcripts, boards and OBF lines: every accepted spelling, and refusals that name the column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/random.h>

static void squares(void **state)
{
    (void)state;
    char text[3];
    for (int square = 0; square < 64; square++) {
        const char expected[] = {(char)('a' + square % 8), (char)('1' + square / 8), '\0'};
        const char upper[] = {(char)('A' + square % 8), expected[1], '\0'};
        assert_string_equal(willow_square_format((willow_square)square, text), expected);
        assert_int_equal(willow_square_parse(expected), square);
        assert_int_equal(willow_square_parse(upper), square);
    }
    static const char *const passes[] = {"pa", "PA", "Pa", "pass", "PASS", "ps", "PS", "--"};
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++)
        assert_int_equal(willow_square_parse(passes[i]), WILLOW_PASS);
    static const char *const others[] = {"",    "a", "1",   "a0",    "a9", "i1", "a1 ", " a1",   "a11",     "-",
                                         "---", "p", "pas", "passs", "1a", "@1", "`1",  "a\xB1", "\xE1\x31"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(willow_square_parse(others[i]), WILLOW_NO_SQUARE);
    assert_string_equal(willow_square_format(WILLOW_PASS, text), "pa");
    assert_string_equal(willow_square_format(WILLOW_NO_SQUARE, text), "--");
}

static const char *const game_moves[] = {"d3", "c5", "f6", "f5", "f4", "c3", "c4", "d2", "e2", "b4", "d1", "f3",
                                         "b5", "e3", "f2", "f1", "a4", "d6", "e6", "e7", "f7", "b6", "e8", "c6",
                                         "b3", "a5", "d7", "a3", "e1", "a6", "g1", "a2", "c2", "c7", "b8", "d8",
                                         "c8", "g8", "g6", "h6", "g5", "h5", "g4", "h4", "h3", "g7", "h8", "f8",
                                         "h7", "a8", "a7", "b7", "a1", "b2", "g3", "g2", "h2", "h1", "c1", "b1"};
enum { GAME_MOVES = sizeof game_moves / sizeof game_moves[0], PASS_BEFORE = 59 };

/* The game above with `separator` behind each move, `pass` before move 59, and before every move `number`, a format for
 * the move's number (or, with pairs, for that of every second move). */
static const char *spell(const char *separator, const char *pass, const char *number, bool pairs, bool upper)
{
    static char text[4096];
    size_t used = 0;
    for (int i = 0; i < GAME_MOVES; i++) {
        char move[8];
        snprintf(move, sizeof move, "%s", game_moves[i]);
        if (upper)
            move[0] = (char)(move[0] - 'a' + 'A');
        if (i + 1 == PASS_BEFORE && pass[0])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", pass, separator);
        if (number && (!pairs || i % 2 == 0)) {
            const int value = pairs ? i / 2 + 1 : i + 1;
            char digits[8];
            snprintf(digits, sizeof digits, "%d", value);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", digits, number);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", move, i + 1 < GAME_MOVES ? separator : "");
    }
    return text;
}

/* The same game in every spelling met in the wild (reversatile #22, Fairy-Stockfish #508, WTHOR and OBF habits). */
static void assert_is_that_game(const char *text)
{
    struct willow_game game;
    struct willow_error error = {0};
    willow_game_init(&game, willow_ruleset_othello());
    if (willow_transcript_parse(&game, text, &error) != WILLOW_OK)
        fail_msg("%s: %s in %s", error.place, error.reason, text);
    assert_int_equal(game.length, GAME_MOVES + 1);
    assert_int_equal(game.moves[PASS_BEFORE - 1], WILLOW_PASS);
    assert_true(willow_game_over(&game));
    assert_int_equal(willow_game_final_discs(&game), 0);
    for (int i = 0; i < GAME_MOVES; i++)
        assert_int_equal(game.moves[i + (i + 1 >= PASS_BEFORE)], willow_square_parse(game_moves[i]));
    char formatted[2 * WILLOW_GAME_MAX + 1], plain[2 * GAME_MOVES + 1];
    for (int i = 0; i < GAME_MOVES; i++)
        memcpy(plain + 2 * i, game_moves[i], 3);
    assert_string_equal(willow_transcript_format(&game, formatted), plain);
}

static void one_game_in_many_spellings(void **state)
{
    (void)state;
    static const char *const separators[] = {"", " ", "\t", "\n", "\r\n", ",", ", ", ";", "   "};
    static const char *const passes[] = {"", "pa", "PA", "ps", "PS", "--", "pass", "PASS"};
    static const char *const numbers[] = {NULL, ".", ". ", ":", ": ", " ", ".\t"};
    for (size_t s = 0; s < sizeof separators / sizeof separators[0]; s++)
        for (size_t p = 0; p < sizeof passes / sizeof passes[0]; p++)
            for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
                if (numbers[n] && separators[s][0] == '\0')
                    continue; /* "d31.": is the 1 part of the square? */
                assert_is_that_game(spell(separators[s], passes[p], numbers[n], false, n % 2 == 0));
                assert_is_that_game(spell(separators[s], passes[p], numbers[n], true, n % 2 == 1));
            }
    char padded[5000];
    snprintf(padded, sizeof padded, "\xEF\xBB\xBF  %s ;\r\n", spell(" ", "", NULL, false, false));
    assert_is_that_game(padded);
}

/* Parses text from the start position and expects a refusal at this place after so many moves. */
static void assert_refused(const char *text, const char *place, int moves, const char *reason)
{
    struct willow_game game;
    struct willow_error error = {0};
    willow_game_init(&game, willow_ruleset_othello());
    if (willow_transcript_parse(&game, text, &error) != WILLOW_ERR_FORMAT)
        fail_msg("accepted: %s", text);
    assert_int_equal(error.status, WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, place);
    if (!strstr(error.reason, reason))
        fail_msg("\"%s\" does not hold \"%s\"", error.reason, reason);
    assert_int_equal(game.length, moves);
    struct willow_game again;
    willow_game_init(&again, willow_ruleset_othello());
    assert_int_equal(willow_transcript_parse(&again, text, NULL), WILLOW_ERR_FORMAT);
    assert_int_equal(again.length, moves);
}

static void wrong_transcripts_are_refused(void **state)
{
    (void)state;
    assert_refused("a1", "column 1", 0, "illegal move a1 for black");
    assert_refused("f5 d6 a1", "column 7", 2, "illegal move a1 for black");
    assert_refused("f5d6f5", "column 5", 2, "illegal move f5");
    assert_refused("f5 pa d6", "column 4", 1, "illegal pass: white has a move");
    assert_refused("f5 d9", "column 4", 1, "not a move: \"d9\"");
    assert_refused("f5\nd6\n  x3", "line 3, column 3", 2, "not a move");
    assert_refused("f5-d6", "column 3", 1, "not a move: \"-d6\"");
    assert_refused("f5 d", "column 4", 1, "not a move: \"d\"");
    assert_refused("f5 12345. d6", "column 4", 1, "not a move");
    assert_refused("f5 6", "column 4", 1, "not a move");
    assert_refused("1..f5", "column 3", 0, "not a move");
    assert_refused("f53.d6", "column 3", 1, "not a move");
    assert_refused("f5 \xE2\x97\x8F", "column 4", 1, "not a move");
    assert_refused("e6f4e3f6g5d6e7f5c5 pa", "column 20", 9, "the game is over");
    assert_refused("e6f4e3f6g5d6e7f5c5a1", "column 19", 9, "the game is over");
    /* Black must pass after 16 moves; an illegal move of white's leaves the unwritten pass out. */
    assert_refused("e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8a1", "column 33", 16, "illegal move a1 for white");
}

static void transcripts_go_on_from_a_position(void **state)
{
    (void)state;
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_othello());
    assert_int_equal(willow_transcript_parse(&game, "", NULL), WILLOW_OK);
    assert_int_equal(game.length, 0);
    assert_int_equal(willow_transcript_parse(&game, "f5", NULL), WILLOW_OK);
    assert_int_equal(willow_transcript_parse(&game, "2. d6", NULL), WILLOW_OK);
    assert_int_equal(game.length, 2);
}

/* The board after f5d6c3d3c4 in the spellings that are accepted. */
static const char reference_board[] = "------------------XO------XXX------OXX-----O-------------------- O";

static void one_board_in_many_spellings(void **state)
{
    (void)state;
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_othello());
    assert_int_equal(willow_transcript_parse(&game, "f5d6c3d3c4", NULL), WILLOW_OK);
    static const char *const texts[] = {
        reference_board,
        "------------------XO------XXX------OXX-----O--------------------O",
        "------------------*O------***------O**-----O-------------------- O",
        "..................xo......xxx......oxx.....o.................... o",
        "..................bw......bbb......wbb.....w.................... w",
        "__________________B0______BBB______0BB_____0____________________\tW  \r",
        "  ------------------XO------XXX------OXX-----O--------------------   0",
    };
    char text[67];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct willow_board board;
        enum willow_side side;
        assert_int_equal(willow_board_parse(texts[i], &board, &side, NULL), WILLOW_OK);
        assert_int_equal(side, WILLOW_WHITE);
        assert_memory_equal(&board, &game.boards[game.length], sizeof board);
        assert_string_equal(willow_board_format(board, side, text), reference_board);
    }
}

static void boards_survive_a_round_trip(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 6, 0);
    for (int i = 0; i < 500; i++) {
        const uint64_t a = willow_random_u64(&random), b = willow_random_u64(&random);
        const struct willow_board board = {a, b & ~a};
        const enum willow_side side = i % 2 ? WILLOW_WHITE : WILLOW_BLACK;
        struct willow_board back;
        enum willow_side side_back;
        char text[67];
        assert_int_equal(willow_board_parse(willow_board_format(board, side, text), &back, &side_back, NULL),
                         WILLOW_OK);
        assert_int_equal(side_back, side);
        assert_memory_equal(&back, &board, sizeof board);
    }
}

static void wrong_boards_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *reason;
    } cases[] = {
        {"", "column 1", "0 squares instead of 64"},
        {"------------------XO------XXX------OXX-----O------------------- O", "column 64", "63 squares instead of 64"},
        {"------------------XO------XXX------OXX-----O--------------------- O", "column 65", "not a side"},
        {"------------------XO------XXX------OXX-----O--------------------", "column 65", "no side to move"},
        {"------------------XO------XXX------OXX-----O-------------------- ;", "column 66", "no side to move"},
        {"------------------XO------XXX------OXX-----O-------------------- Z", "column 66",
         "not a side to move: \"Z\""},
        {"------------------XO?-----XXX------OXX-----O-------------------- O", "column 21", "neither a disc"},
        {"----------\\0------XO------XXX------OXX-----O-------------------- O", "column 11", "neither a disc"},
        {"------------------XO------XXX---00021100000200000000000000000000 O", "column 36", "neither a disc"},
        {"------------------XO------XXX------OXX-----O-------------------- O AAAA", "column 68", "behind the side"},
        {"------------------XO------XXX------OXX-----O-------------------- OX", "column 67", "behind the side"},
        {"\xEF\xBC\x8D-------", "column 1", "neither a disc"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_board board = {7, 8};
        enum willow_side side = WILLOW_WHITE;
        struct willow_error error = {0};
        if (willow_board_parse(cases[i].text, &board, &side, &error) != WILLOW_ERR_FORMAT)
            fail_msg("accepted: %s", cases[i].text);
        assert_string_equal(error.place, cases[i].place);
        if (!strstr(error.reason, cases[i].reason))
            fail_msg("\"%s\" does not hold \"%s\"", error.reason, cases[i].reason);
        assert_int_equal(board.player, 7);
        assert_int_equal(side, WILLOW_WHITE);
        assert_int_equal(willow_board_parse(cases[i].text, &board, &side, NULL), WILLOW_ERR_FORMAT);
    }
}

#define BOARD "-OOO------OOOO--XXXOOXXX-XOOOXX-XXXXOOOOOXXOOOO---OXOO---OOOO---"
#define MUST_PASS "OO-X----OOXXXX--OXOOXXX-OXXOOXX-OOXOOXXXOXOOOOX-OXXXXXXXOOOOOOOO"

static void obf_lines_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int count;
        const char *moves[4];
        int scores[4];
    } cases[] = {
        {BOARD " X; E1:+0; F8:-2; --:-127;", 2, {"e1", "f8"}, {0, -2}},
        {BOARD " X; --:-127; f8:-2; E1:0", 2, {"f8", "e1"}, {-2, 0}},
        {BOARD " X;E1:+4;F8:-2;", 2, {"e1", "f8"}, {4, -2}},
        {"  " BOARD " X   ;e1 : 32;f8:+28 ; % remark", 2, {"e1", "f8"}, {32, 28}},
        {BOARD "X", 0, {0}, {0}},
        {BOARD " X;", 0, {0}, {0}},
        {BOARD " X;\r\n", 0, {0}, {0}},
        {BOARD " X;   % remark", 0, {0}, {0}},
        {BOARD " X; E1:+64; F8:-64", 2, {"e1", "f8"}, {64, -64}},
        {MUST_PASS " X; PS:-36;", 1, {"pa"}, {-36}},
        {MUST_PASS " X; --:-36;", 1, {"pa"}, {-36}},
        {MUST_PASS " X; --:-127;", 0, {0}, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_obf obf;
        struct willow_error error = {0};
        bool empty = true;
        if (willow_obf_parse(cases[i].line, &obf, &empty, &error) != WILLOW_OK)
            fail_msg("%s: %s in %s", error.place, error.reason, cases[i].line);
        assert_false(empty);
        assert_int_equal(obf.side, WILLOW_BLACK);
        assert_int_equal(obf.count, cases[i].count);
        for (int m = 0; m < obf.count; m++) {
            assert_int_equal(obf.moves[m], willow_square_parse(cases[i].moves[m]));
            assert_int_equal(obf.scores_discs[m], cases[i].scores[m]);
        }
    }
}

static void obf_lines_without_a_position_are_empty(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "   ", "\t\r", "% remark", "  # remark", "%"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct willow_obf obf;
        bool empty = false;
        assert_int_equal(willow_obf_parse(lines[i], &obf, &empty, NULL), WILLOW_OK);
        assert_true(empty);
    }
}

static void wrong_obf_lines_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *place, *reason;
    } cases[] = {
        {BOARD " X; A1:+32;", "column 69", "illegal move"},
        {BOARD " X; E1:+2; e1:+4", "column 76", "scored twice"},
        {BOARD " X; E1:+65;", "column 72", "outside -64..64"},
        {BOARD " X; E1:-127;", "column 72", "outside -64..64"},
        {BOARD " X; E1:99999999999;", "column 72", "not a score"},
        {BOARD " X; E1:", "column 72", "not a score"},
        {BOARD " X; E1:+;", "column 72", "not a score"},
        {BOARD " X; E1 +2;", "column 72", "no \":\""},
        {BOARD " X; E1", "column 71", "no \":\""},
        {BOARD " X; E1:+2.5;", "column 74", "\";\" expected"},
        {BOARD " X; E1:+2 F8:-2", "column 75", "\";\" expected"},
        {BOARD " X E1:+2;", "column 68", "\";\" expected"},
        {BOARD " X; best;", "column 69", "not a move"},
        {BOARD " X; PS:+2;", "column 69", "illegal move"},
        {BOARD " X; --:+2;", "column 69", "illegal move"},
        {MUST_PASS " X; C1:+2;", "column 69", "illegal move"},
        {BOARD "; E1:+2;", "column 65", "no side to move"},
        {BOARD, "column 65", "no side to move at the end"},
        {"XXXX X; E1:+2;", "column 5", "4 squares instead of 64"},
        {"hello", "column 1", "neither a disc"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_obf obf;
        struct willow_error error = {0};
        bool empty;
        if (willow_obf_parse(cases[i].line, &obf, &empty, &error) != WILLOW_ERR_FORMAT)
            fail_msg("accepted: %s", cases[i].line);
        if (strcmp(error.place, cases[i].place) != 0 || !strstr(error.reason, cases[i].reason))
            fail_msg("%s: %s in %s", error.place, error.reason, cases[i].line);
        assert_int_equal(willow_obf_parse(cases[i].line, &obf, &empty, NULL), WILLOW_ERR_FORMAT);
    }
}

/* No input may crash a reader: random bytes, and good lines with bytes changed or cut off. */
static void random_bytes_never_crash(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 8, 0);
    static const char good[] = BOARD " X; E1:+0; F8:-2; --:-127;";
    for (int i = 0; i < 20000; i++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        for (uint32_t n = 1 + willow_random_below(&random, i % 2 ? 3 : sizeof good); n > 0; n--)
            text[willow_random_below(&random, sizeof good - 1)] = (char)willow_random_below(&random, 256);
        struct willow_obf obf;
        struct willow_board board;
        enum willow_side side;
        bool empty;
        struct willow_game game;
        struct willow_error error;
        const enum willow_status status = willow_obf_parse(text, &obf, &empty, &error);
        assert_true(status == WILLOW_OK || status == WILLOW_ERR_FORMAT);
        (void)willow_board_parse(text, &board, &side, &error);
        willow_game_init(&game, willow_ruleset_othello());
        (void)willow_transcript_parse(&game, text + willow_random_below(&random, sizeof good), &error);
        (void)willow_square_parse(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares),
        cmocka_unit_test(one_game_in_many_spellings),
        cmocka_unit_test(wrong_transcripts_are_refused),
        cmocka_unit_test(transcripts_go_on_from_a_position),
        cmocka_unit_test(one_board_in_many_spellings),
        cmocka_unit_test(boards_survive_a_round_trip),
        cmocka_unit_test(wrong_boards_are_refused),
        cmocka_unit_test(obf_lines_are_read),
        cmocka_unit_test(obf_lines_without_a_position_are_empty),
        cmocka_unit_test(wrong_obf_lines_are_refused),
        cmocka_unit_test(random_bytes_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
