/* Squares and transcripts: every accepted spelling, and refusals that name the column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
    willow_game_init(&game, willow_ruleset_default());
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
    static const char *const separators[] = {"",   " ", "\t",  "\n", "\r\n",     ",",
                                             ", ", ";", "   ", "-",  "\xC2\xA0", "\xE3\x80\x80"};
    static const char *const passes[] = {"", "pa", "PA", "ps", "PS", "--", "pass", "PASS"};
    static const char *const numbers[] = {NULL, ".", ". ", ":", ": ", " ", ".\t", "...", "... ", ")", ") "};
    for (size_t s = 0; s < sizeof separators / sizeof separators[0]; s++)
        for (size_t p = 0; p < sizeof passes / sizeof passes[0]; p++)
            for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
                /* "d31.": is the 1 part of the square? "d3-1.", "d3---": nobody writes so. */
                const bool hyphen = separators[s][0] == '-';
                if ((numbers[n] && (hyphen || separators[s][0] == '\0')) || (hyphen && strcmp(passes[p], "--") == 0))
                    continue;
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
    willow_game_init(&game, willow_ruleset_default());
    if (willow_transcript_parse(&game, text, &error) != WILLOW_ERR_FORMAT)
        fail_msg("accepted: %s", text);
    assert_int_equal(error.status, WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, place);
    if (!strstr(error.reason, reason))
        fail_msg("\"%s\" does not hold \"%s\"", error.reason, reason);
    assert_int_equal(game.length, moves);
    struct willow_game again;
    willow_game_init(&again, willow_ruleset_default());
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
    assert_refused("f5 -d6", "column 4", 1, "not a move: \"-d6\"");
    assert_refused("f5- d6", "column 3", 1, "not a move: \"-\"");
    assert_refused("f5-", "column 3", 1, "not a move: \"-\"");
    assert_refused("-f5", "column 1", 0, "not a move: \"-f5\"");
    assert_refused("f5--d6", "column 3", 1, "illegal pass: white has a move");
    assert_refused("f5---d6", "column 3", 1, "illegal pass: white has a move");
    assert_refused("f5 d", "column 4", 1, "not a move: \"d\"");
    assert_refused("f5 12345. d6", "column 4", 1, "not a move");
    assert_refused("f5 6", "column 4", 1, "not a move");
    assert_refused("1....f5", "column 5", 0, "not a move");
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
    willow_game_init(&game, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&game, "", NULL), WILLOW_OK);
    assert_int_equal(game.length, 0);
    assert_int_equal(willow_transcript_parse(&game, "f5", NULL), WILLOW_OK);
    assert_int_equal(willow_transcript_parse(&game, "2. d6", NULL), WILLOW_OK);
    assert_int_equal(game.length, 2);
}

/* No input may crash the reader: good transcripts with bytes changed or cut off, in memory of their exact size. */
static void random_bytes_never_crash(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 8, 0);
    for (int i = 0; i < 4000; i++) {
        const char *good = spell(i % 3 ? " " : "-", i % 2 ? "--" : "pass", i % 4 ? NULL : ". ", false, i % 5 == 0);
        const size_t length = willow_random_below(&random, (uint32_t)strlen(good) + 1);
        char *text = malloc(length + 1);
        assert_non_null(text);
        memcpy(text, good, length);
        text[length] = '\0';
        for (uint32_t n = willow_random_below(&random, 4); n > 0 && length > 0; n--)
            text[willow_random_below(&random, (uint32_t)length)] = (char)willow_random_below(&random, 256);
        struct willow_game game;
        struct willow_error error;
        willow_game_init(&game, willow_ruleset_default());
        const enum willow_status status = willow_transcript_parse(&game, text, &error);
        assert_true(status == WILLOW_OK || status == WILLOW_ERR_FORMAT);
        (void)willow_square_parse(text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares),
        cmocka_unit_test(one_game_in_many_spellings),
        cmocka_unit_test(wrong_transcripts_are_refused),
        cmocka_unit_test(transcripts_go_on_from_a_position),
        cmocka_unit_test(random_bytes_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
