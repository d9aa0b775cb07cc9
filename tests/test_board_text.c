/* Boards as text: one board in every notation, boards that are wrong, boards that fit two notations, round trips. */
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

/* The board after f5d6c3d3c4, white to move. */
#define REFERENCE "------------------XO------XXX------OXX-----O-------------------- O"
static const char reference_board[] = REFERENCE;
#define REFERENCE_GRID                                                                                                 \
    "  A B C D E F G H\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - X O - - - -\n4 - - X X X - - -\n"                  \
    "5 - - - O X X - -\n6 - - - O - - - -\n7 - - - - - - - -\n8 - - - - - - - -\nO to move"

static struct willow_board reference(void)
{
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&game, "f5d6c3d3c4", NULL), WILLOW_OK);
    assert_int_equal(game.side, WILLOW_WHITE);
    return willow_game_board(&game);
}

/* A copy that ends where its memory ends, so that a sanitizer sees any look behind it. Freed by the caller. */
static char *exact_copy(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void assert_reads(const char *text, enum willow_board_notation notation, struct willow_board expected,
                         enum willow_side expected_side)
{
    char *copy = exact_copy(text, strlen(text));
    struct willow_board board;
    enum willow_side side;
    struct willow_error error = {0};
    if (willow_board_parse_as(willow_ruleset_default(), copy, notation, &board, &side, &error) != WILLOW_OK)
        fail_msg("%s: %s in %s", error.place, error.reason, text);
    free(copy);
    if (side != expected_side || memcmp(&board, &expected, sizeof board) != 0)
        fail_msg("another board: %s", text);
}

/* Expects a refusal that changes nothing; place and reason may be null. */
static void assert_refuses(const char *text, enum willow_board_notation notation, const char *place, const char *reason)
{
    char *copy = exact_copy(text, strlen(text));
    struct willow_board board = {7, 8};
    enum willow_side side = WILLOW_WHITE;
    struct willow_error error = {0};
    if (willow_board_parse_as(willow_ruleset_default(), copy, notation, &board, &side, &error) != WILLOW_ERR_FORMAT)
        fail_msg("accepted: %s", text);
    if ((place && strcmp(error.place, place) != 0) || (reason && !strstr(error.reason, reason)))
        fail_msg("%s: %s in %s", error.place, error.reason, text);
    assert_int_equal(willow_board_parse_as(willow_ruleset_default(), copy, notation, &board, &side, NULL),
                     WILLOW_ERR_FORMAT);
    free(copy);
    assert_int_equal(board.player, 7);
    assert_int_equal(board.opponent, 8);
    assert_int_equal(side, WILLOW_WHITE);
}

/* The reference with its black, white and empty squares and its side written so, `gap` before the side. */
static const char *spell(const char *black, const char *white, const char *empty, const char *gap, const char *side)
{
    static char text[512];
    size_t used = 0;
    for (const char *c = reference_board; *c != ' '; c++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", *c == 'X' ? black : *c == 'O' ? white : empty);
    snprintf(text + used, sizeof text - used, "%s%s", gap, side);
    return text;
}

/* Spellings of one board (from commits and documents of neural-reversi, Edax, Egaroucid and NTest's GGF files). */
static void one_board_in_many_alphabets(void **state)
{
    (void)state;
    static const struct {
        const char *black, *white, *empty, *side;
    } alphabets[] = {
        {"X", "O", "-", "O"},
        {"*", "O", "-", "O"},
        {"x", "o", ".", "o"},
        {"b", "w", ".", "w"},
        {"B", "W", "-", "W"},
        {"1", "2", "0", "2"},
        {"0", "1", ".", "1"},
        {"0", "1", "-", "1"},
        {"#", "o", "_", "O"},
        {"X", "O", "-", "white"},
        {"X", "O", "-", "White to move"},
        {"X", "O", "-", "O to move"},
        {"\xEF\xBC\xB8", "\xEF\xBC\xAF", "\xEF\xBC\x8D", "\xEF\xBC\xAF"}, /* full-width X, O and hyphen */
        {"\xEF\xBD\x98", "\xEF\xBD\x8F", "\xEF\xBC\x8E", "\xEF\xBD\x8F"}, /* full-width x, o and full stop */
        {"\xE2\x97\x8F", "\xE2\x97\x8B", "\xE3\x83\xBB", "\xE2\x97\x8B"}, /* circles and katakana middle dot */
        {"\xE2\x9A\xAB", "\xE2\x9A\xAA", "\xC2\xB7", "\xE2\x9A\xAA"},     /* medium circles and middle dot */
    };
    static const char *const gaps[] = {"", " ", "\t", "   ", "\xE3\x80\x80", "\n"};
    static const char *const frames[] = {"%s",    "  %s  ", "%s\r\n",  "\"%s\"",
                                         "'%s' ", "%s;",    "\"%s;\"", "\xEF\xBB\xBF%s"};
    const struct willow_board board = reference();
    for (size_t a = 0; a < sizeof alphabets / sizeof alphabets[0]; a++)
        for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
            for (size_t f = 0; f < sizeof frames / sizeof frames[0]; f++) {
                const char *text =
                    spell(alphabets[a].black, alphabets[a].white, alphabets[a].empty, gaps[g], alphabets[a].side);
                const size_t before = (size_t)(strchr(frames[f], '%') - frames[f]);
                char framed[600];
                snprintf(framed, sizeof framed, "%.*s%s%s", (int)before, frames[f], text, frames[f] + before + 2);
                assert_reads(framed, WILLOW_BOARD_ANY, board, WILLOW_WHITE);
            }
}

static void one_board_in_many_shapes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "BO[8 -------- -------- --*O---- --***--- ---O**-- ---O---- -------- -------- O]",
        "BO[8 ------------------*O------***------O**-----O-------------------- O]",
        "bo[8------------------*O------***------O**-----O--------------------O]",
        "0x000000301c040000 0x0000080800080000 O",
        "0X000000301C040000 0X0000080800080000 w",
        "000000301c040000 0000080800080000 O",
        "0x301C040000 0x80800080000 white to move",
        "-------- -------- --XO---- --XXX--- ---OXX-- ---O---- -------- -------- O",
        "- - - - - - - - - - - - - - - - - - X O - - - - - - X X X - - - - - - O X X - - - - - O - - - - "
        "- - - - - - - - - - - - - - - - O",
        "--------\n--------\n--XO----\n--XXX---\n---OXX--\n---O----\n--------\n--------\nO",
        "--------\r\n--------\r\n--XO----\r\n--XXX---\r\n---OXX--\r\n---O----\r\n--------\r\n--------\r\nO\r\n",
        REFERENCE_GRID "\n",
        "  a b c d e f g h\r\n1 . . . . . . . . 1\r\n2 . . . . . . . . 2\r\n3 . . * O . . . . 3\r\n4 . . * * * . . . "
        "4\r\n"
        "5 . . . O * * . . 5\r\n6 . . . O . . . . 6\r\n7 . . . . . . . . 7\r\n8 . . . . . . . . 8\r\n"
        "  a b c d e f g h\r\n\r\nwhite\r\n",
        "1 00000000\n2 00000000\n3 00120000\n4 00111000\n5 00021100\n6 00020000\n7 00000000\n8 00000000\n2",
        "1 . . . . . . . .\n2 . . . . . . . .\n3 . . 0 1 . . . .\n4 . . 0 0 0 . . .\n5 . . . 1 0 0 . .\n"
        "6 . . . 1 . . . .\n7 . . . . . . . .\n8 . . . . . . . .\n1",
        "0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 1 2 0 0 0 0\n0 0 1 1 1 0 0 0\n0 0 0 2 1 1 0 0\n0 0 0 2 0 0 0 0\n"
        "0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n2",
        "0000000000000000 0012000000111000 0002110000020000 0000000000000000 2",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_reads(texts[i], WILLOW_BOARD_ANY, reference(), WILLOW_WHITE);
    /* A "1" in the first corner is a square where it is not the first row's number. */
    assert_reads(
        "1 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n"
        "0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 2\n1",
        WILLOW_BOARD_ANY, (struct willow_board){1, UINT64_C(1) << 63}, WILLOW_BLACK);
    assert_reads("1 1 0 0 0 0 0 0 0\n2 0 0 0 0 0 0 0 0\n3 0 0 0 0 0 0 0 0\n4 0 0 0 0 0 0 0 0\n5 0 0 0 0 0 0 0 0\n"
                 "6 0 0 0 0 0 0 0 0\n7 0 0 0 0 0 0 0 0\n8 0 0 0 0 0 0 0 2\n1",
                 WILLOW_BOARD_ANY, (struct willow_board){1, UINT64_C(1) << 63}, WILLOW_BLACK);
}

/* The side to move turns the view, never the colours (Egaroucid #256, #257, #474, #519). */
static void the_side_never_swaps_colours(void **state)
{
    (void)state;
    const struct willow_board white_view = reference();
    const struct willow_board black_view = {white_view.opponent, white_view.player};
    static const char *const blacks[] = {"X", "x", "*", "b", "B", "#", "black", "\xE2\x97\x8F"};
    static const char *const whites[] = {"O", "o", "w", "W", "white", "\xE2\x97\x8B"};
    for (size_t i = 0; i < sizeof blacks / sizeof blacks[0]; i++)
        assert_reads(spell("X", "O", "-", " ", blacks[i]), WILLOW_BOARD_ANY, black_view, WILLOW_BLACK);
    for (size_t i = 0; i < sizeof whites / sizeof whites[0]; i++)
        assert_reads(spell("X", "O", "-", " ", whites[i]), WILLOW_BOARD_ANY, white_view, WILLOW_WHITE);
    assert_reads("0x000000301c040000 0x0000080800080000 X", WILLOW_BOARD_ANY, black_view, WILLOW_BLACK);
    assert_reads(spell("1", "2", "0", " ", "1"), WILLOW_BOARD_ANY, black_view, WILLOW_BLACK);
    assert_reads(spell("0", "1", ".", " ", "0"), WILLOW_BOARD_ANY, black_view, WILLOW_BLACK);
}

/* Training texts write the discs of the side to move as X; nothing in the text says so. */
static void boards_from_the_mover_are_read_by_name_alone(void **state)
{
    (void)state;
    static const char text[] = "------------------OX------OOO------XOO-----X--------------------";
    assert_refuses(text, WILLOW_BOARD_ANY, "column 65", "no side to move");
    assert_reads(text, WILLOW_BOARD_MOVER, reference(), WILLOW_BLACK);
    assert_refuses("------------------OX------OOO------XOO-----X-------------------- X", WILLOW_BOARD_MOVER,
                   "column 66", "text behind the squares");
    assert_refuses("0000000000000000001200000011100000021100000200000000000000000000", WILLOW_BOARD_MOVER, "column 1",
                   "a digit in a board of letters");
}

static void wrong_boards_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *reason;
    } cases[] = {
        /* From neural-reversi commit 063a3c2 (a missing side taken as black, a crash on other than ASCII) and alike. */
        {"", "column 1", "0 squares instead of 64"},
        {"------------------XO------XXX------OXX-----O------------------- O", "column 64", "63 squares instead of 64"},
        {"------------------XO------XXX------OXX-----O--------------------- O", "column 65",
         "an empty square where the side to move"},
        {"------------------XO------XXX------OXX-----O--------------------", "column 65", "no side to move"},
        {"------------------XO------XXX------OXX-----O-------------------- ;", "column 66", "no side to move"},
        {"------------------XO------XXX------OXX-----O-------------------- Z", "column 66",
         "not a side to move: \"Z\""},
        {"------------------XO?-----XXX------OXX-----O-------------------- O", "column 21", "neither a disc"},
        {"----------\\0------XO------XXX------OXX-----O-------------------- O", "column 11", "neither a disc"},
        {"------------------XO------XXX---00021100000200000000000000000000 O", "column 33", "letters and digits mixed"},
        {"00000000000000000012000000111000000211---------O---------------- 2", "column 48", "letters and digits mixed"},
        {"------------------XO------XXX------OXX-----O-------------------- 0", "column 66", "letters and digits mixed"},
        {"------------------XO------XXX------OXX-----O-------------------- O AAAA", "column 68", "behind the side"},
        {"------------------XO------XXX------OXX-----O-------------------- OX", "column 67", "behind the side"},
        {"------------------XO------XXX------OXX-----O-------------------- Ostrich", "column 67", "behind the side"},
        {"------------------XO------XXX------OXX-----O-------------------- O;;", "column 68", "behind the side"},
        {"\"------------------XO------XXX------OXX-----O-------------------- O", "column 68", "no quote"},
        {"\"------------------XO------XXX------OXX-----O-------------------- O'", "column 68", "no quote"},
        {"------------------XO------XXX------OXX-----O-------------------- O\"", "column 67", "behind the side"},
        {"\xEF\xBC\x8D-------\xE2\x97", "column 11", "neither a disc"},
        {"\xC3\xA4", "column 1", "neither a disc"},
        {"-------- -------- --XO---- --XXX--- ---OXX-- ---O---- -------- O", "column 64", "56 squares instead of 64"},
        {"-------- ------- ---XO---- --XXX--- ---OXX-- ---O---- -------- -------- O", "column 17",
         "a blank inside a row"},
        {"- - - - - - - - - - -- - - - - - - X O", "column 22", "no blank between squares"},
        {"--------\n--------\n--XO----\n--XXX--?\n", "line 4, column 8", "neither a disc"},
        {"--------\n--------\n--XO---\n--XXX---\n", "line 3, column 8", "23 squares instead of 64"},
        {"  A B C D E F G H\n1 - - - - - - - -\n3 - - - - - - - -\n", "line 3, column 1", "not the number of row 2"},
        {"  A B C D E F G H\n1 - - - - - - - -\n2 - - - - - - - -\nO to move", "line 4, column 1",
         "16 squares instead of 64"},
        {"1 - - - - - - - -\n2 - - - - - - - - 3 - - - - - - - -\n", "line 2, column 19", "no line of its own"},
        {"  A B C D E F G H\n-------- --------\n", "line 2, column 10", "no line of its own"},
        /* "w" is the first player to some programs (Fairy-Stockfish) and the second to others. */
        {"8/8/2Pp4/2PPP3/3pPP2/3p4/8/8 w", "column 1", "FEN"},
        {"BO[10 ---------- ---------- O]", "column 4", "not a board of 8x8"},
        {"BO[88 ---------- ---------- O]", "column 4", "not a board of 8x8"},
        {"BO[-------- -------- --*O---- --***--- ---O**-- ---O---- -------- -------- O]", "column 4",
         "without its width"},
        {"BO[8 -------- -------- --*O---- --***--- ---O**-- ---O---- -------- --------]", "column 77", "no side"},
        {"BO[8 -------- -------- --*O---- --***--- ---O**-- ---O---- -------- -------- O", "column 79", "no \"]\""},
        {"BO[8 -------- -------- --*O---- --***--- ---O**-- ---O---- -------- -------- O] B[d3]", "column 81",
         "behind the side"},
        {"0x10 0x10 X", "column 6", "both colours on one square"},
        {"0x10 0x20", "column 10", "no side to move at the end"},
        {"0x10 0x20 1", "column 11", "not a side to move"},
        {"0x10 0x20 -", "column 11", "not a side to move"},
        {"0x10 0x2g X", "column 6", "not a hexadecimal number"},
        {"0x10", "column 5", "not a hexadecimal number"},
        {"0x 0x20 X", "column 1", "not a hexadecimal number"},
        {"0x10 0x00000000000000020 X", "column 6", "more than 16"},
        {"0x10 0x20 XO", "column 12", "behind the side"},
        {"0000000810000000 0000001008000000", "column 34", "no side to move at the end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refuses(cases[i].text, WILLOW_BOARD_ANY, cases[i].place, cases[i].reason);
    char *longest = malloc(20001);
    assert_non_null(longest);
    memset(longest, 'A', 20000);
    memcpy(longest, REFERENCE " ", sizeof REFERENCE);
    longest[20000] = '\0';
    assert_refuses(longest, WILLOW_BOARD_ANY, "column 68", "text behind the side to move: \"AAAAAAAA\"");
    free(longest);
}

#define EIGHT(row) row row row row row row row row
#define SQUARES(c) EIGHT(c c c c c c c c)

/* Texts that two alphabets read, or that one digit alone does not explain: refused, and read by name. */
static void what_fits_two_notations_is_refused(void **state)
{
    (void)state;
    const uint64_t all = ~UINT64_C(0), half = UINT64_C(0xAAAAAAAAAAAAAAAA);
    assert_refuses(SQUARES("1") " 1", WILLOW_BOARD_ANY, "column 1", "single digit");
    assert_reads(SQUARES("1") " 1", WILLOW_BOARD_EGAROUCID, (struct willow_board){all, 0}, WILLOW_WHITE);
    assert_reads(SQUARES("1") " 1", WILLOW_BOARD_DIGITS, (struct willow_board){all, 0}, WILLOW_BLACK);
    assert_refuses(EIGHT("01010101") " 1", WILLOW_BOARD_ANY, "column 1", "fits two notations (egaroucid, digits)");
    assert_reads(EIGHT("01010101") " 1", WILLOW_BOARD_EGAROUCID, (struct willow_board){half, ~half}, WILLOW_WHITE);
    assert_reads(EIGHT("01010101") " 1", WILLOW_BOARD_DIGITS, (struct willow_board){half, 0}, WILLOW_BLACK);
    /* The side to move decides. */
    assert_reads(EIGHT("01010101") " 0", WILLOW_BOARD_ANY, (struct willow_board){~half, half}, WILLOW_BLACK);
    assert_reads(EIGHT("01010101") " 2", WILLOW_BOARD_ANY, (struct willow_board){0, half}, WILLOW_WHITE);
    /* Zeros may be letters O. */
    assert_refuses(EIGHT("...00...") " 0", WILLOW_BOARD_ANY, "column 1", "single digit");
    assert_reads(EIGHT("...00...") " 0", WILLOW_BOARD_EGAROUCID, (struct willow_board){UINT64_C(0x1818181818181818), 0},
                 WILLOW_BLACK);
    assert_refuses(EIGHT("...00...") " X", WILLOW_BOARD_ANY, "column 66", "letters and digits mixed");
    assert_refuses(EIGHT("...12...") " 1", WILLOW_BOARD_ANY, "column 5", "2 in a board");
    /* By name: characters of the others. */
    assert_refuses(EIGHT("...12...") " 1", WILLOW_BOARD_DIGITS, "column 1", "neither 0 nor 1 nor 2");
    assert_refuses(EIGHT("...12...") " 1", WILLOW_BOARD_EGAROUCID, "column 5", "neither 0 nor 1 nor an empty");
    assert_refuses(EIGHT("00012000") " 0", WILLOW_BOARD_DIGITS, "column 66", "not a side to move");
    assert_refuses(EIGHT("00012000") " 0", WILLOW_BOARD_ANY, "column 66", "not a side to move");
    assert_refuses(EIGHT("...01...") " 0", WILLOW_BOARD_LETTERS, "column 4", "a digit in a board of letters");
    assert_refuses("BO[8 " EIGHT("...01...") " 0]", WILLOW_BOARD_ANY, "column 9", "a digit in a board of letters");
    assert_refuses(REFERENCE, WILLOW_BOARD_EGAROUCID, "column 19", "a letter in a board of digits");
    assert_refuses(REFERENCE, WILLOW_BOARD_HEX, "column 1", "not a hexadecimal number");
    assert_refuses(REFERENCE, WILLOW_BOARD_GGF, "column 1", "no \"BO[\"");
    assert_refuses(REFERENCE, WILLOW_BOARD_GRID, "column 9", "no line of its own");
    assert_reads("8 10 X", WILLOW_BOARD_HEX, (struct willow_board){8, 16}, WILLOW_BLACK);
    assert_refuses("8 10 X", WILLOW_BOARD_ANY, "column 1", "neither a disc");
}

static void notations_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"auto", "obf", "egaroucid", "digits", "ggf", "hex", "grid", "mover"};
    for (int i = WILLOW_BOARD_ANY; i <= WILLOW_BOARD_MOVER; i++) {
        enum willow_board_notation notation;
        assert_string_equal(willow_board_notation_name((enum willow_board_notation)i), names[i]);
        assert_true(willow_board_notation_find(names[i], &notation));
        assert_int_equal(notation, i);
    }
    enum willow_board_notation notation = WILLOW_BOARD_HEX;
    assert_false(willow_board_notation_find("fen", &notation));
    assert_false(willow_board_notation_find("", &notation));
    assert_int_equal(notation, WILLOW_BOARD_HEX);
}

static void one_board_is_written_in_every_notation(void **state)
{
    (void)state;
    static const char *const texts[] = {
        REFERENCE,
        REFERENCE,
        "..................01......000......100.....1.................... 1",
        "0000000000000000001200000011100000021100000200000000000000000000 2",
        "BO[8 -------- -------- --*O---- --***--- ---O**-- ---O---- -------- -------- O]",
        "0x000000301c040000 0x0000080800080000 O",
        REFERENCE_GRID,
        "------------------OX------OOO------XOO-----X--------------------",
    };
    char text[WILLOW_BOARD_TEXT];
    for (int i = WILLOW_BOARD_ANY; i <= WILLOW_BOARD_MOVER; i++)
        assert_string_equal(willow_board_format_as(willow_ruleset_default(), reference(), WILLOW_WHITE,
                                                   (enum willow_board_notation)i, text),
                            texts[i]);
    assert_string_equal(willow_board_format(willow_ruleset_default(), reference(), WILLOW_WHITE, text), REFERENCE);
}

/* Boards from empty to full, also such as hold one colour. */
static struct willow_board random_board(struct willow_random *random)
{
    uint64_t discs = willow_random_u64(random), colours = willow_random_u64(random);
    for (uint32_t n = willow_random_below(random, 4); n > 0; n--)
        discs &= willow_random_u64(random);
    if (willow_random_below(random, 3) == 0)
        discs = ~discs;
    if (willow_random_below(random, 8) == 0)
        discs = willow_random_below(random, 2) ? ~UINT64_C(0) : 0;
    if (willow_random_below(random, 4) == 0)
        colours = willow_random_below(random, 2) ? ~UINT64_C(0) : 0;
    return (struct willow_board){discs & colours, discs & ~colours};
}

/* By name always; by ANY too, but for those that two alphabets of digits share, which are refused and never taken for
 * another board. */
static void boards_survive_a_round_trip(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 6, 0);
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
        const struct willow_board board = random_board(&random);
        const enum willow_side side = i % 2 ? WILLOW_WHITE : WILLOW_BLACK;
        for (int n = WILLOW_BOARD_ANY; n <= WILLOW_BOARD_MOVER; n++) {
            const enum willow_board_notation notation = (enum willow_board_notation)n;
            char text[WILLOW_BOARD_TEXT];
            assert_true(strlen(willow_board_format_as(willow_ruleset_default(), board, side, notation, text)) <
                        sizeof text);
            assert_reads(text, notation, board, notation == WILLOW_BOARD_MOVER ? WILLOW_BLACK : side);
            struct willow_board back;
            enum willow_side side_back;
            if (willow_board_parse(willow_ruleset_default(), text, &back, &side_back, NULL) == WILLOW_OK) {
                assert_memory_equal(&back, &board, sizeof board);
                assert_int_equal(side_back, side);
            } else {
                assert_true(notation == WILLOW_BOARD_EGAROUCID || notation == WILLOW_BOARD_DIGITS ||
                            notation == WILLOW_BOARD_MOVER);
                refused += notation != WILLOW_BOARD_MOVER;
            }
        }
    }
    assert_in_range(refused, 50, 700);
}

/* Replaces, inserts, deletes or doubles a few bytes; most of them are such as boards are made of. Returns the length.
 */
static size_t mutate(struct willow_random *random, char *text, size_t length, size_t size)
{
    static const char likely[] = "XO-xo.*bw#_012 \n\"';]0xab\xE2\x97\x8F\xEF\xBC\xB8\xE3\x83\xBB";
    for (uint32_t n = willow_random_below(random, 4); n > 0; n--) {
        const size_t at = willow_random_below(random, (uint32_t)length + 1);
        const char byte = (char)(willow_random_below(random, 4) ? likely[willow_random_below(random, sizeof likely - 1)]
                                                                : (char)(1 + willow_random_below(random, 255)));
        switch (willow_random_below(random, 4)) {
        case 0:
            if (at < length)
                text[at] = byte;
            break;
        case 1:
            if (length + 1 < size) {
                memmove(text + at + 1, text + at, length - at);
                text[at] = byte;
                length++;
            }
            break;
        case 2:
            if (at < length)
                memmove(text + at, text + at + 1, --length - at);
            break;
        default:
            length = at;
        }
    }
    return length;
}

/* Whatever the text: no crash, no look behind its end, a place with every refusal; and what is accepted without a name
 * is no other board to any notation that accepts it by its name. */
static void changed_texts_never_crash(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 9, 0);
    int accepted = 0;
    for (int i = 0; i < 10000; i++) {
        char text[WILLOW_BOARD_TEXT + 8];
        const enum willow_board_notation written =
            (enum willow_board_notation)willow_random_below(&random, WILLOW_BOARD_MOVER + 1);
        willow_board_format_as(willow_ruleset_default(), random_board(&random), WILLOW_BLACK, written, text);
        const size_t length = mutate(&random, text, strlen(text), sizeof text);
        char *copy = exact_copy(text, length);
        struct willow_board first = {0};
        enum willow_side first_side = WILLOW_BLACK;
        bool any = false;
        for (int n = WILLOW_BOARD_ANY; n <= WILLOW_BOARD_MOVER; n++) {
            struct willow_board board;
            enum willow_side side;
            struct willow_error error = {0};
            const enum willow_status status = willow_board_parse_as(
                willow_ruleset_default(), copy, (enum willow_board_notation)n, &board, &side, &error);
            assert_true(status == WILLOW_OK || (status == WILLOW_ERR_FORMAT && error.place[0] && error.reason[0]));
            if (status != WILLOW_OK)
                continue;
            assert_int_equal(board.player & board.opponent, 0);
            if (n == WILLOW_BOARD_ANY) {
                any = true;
                first = board;
                first_side = side;
            } else if (any && (memcmp(&board, &first, sizeof board) != 0 || side != first_side)) {
                fail_msg("%s reads another board: %s", willow_board_notation_name((enum willow_board_notation)n), copy);
            }
        }
        accepted += any;
        free(copy);
    }
    assert_in_range(accepted, 2000, 8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_board_in_many_alphabets),  cmocka_unit_test(one_board_in_many_shapes),
        cmocka_unit_test(the_side_never_swaps_colours), cmocka_unit_test(boards_from_the_mover_are_read_by_name_alone),
        cmocka_unit_test(wrong_boards_are_refused),     cmocka_unit_test(what_fits_two_notations_is_refused),
        cmocka_unit_test(notations_have_names),         cmocka_unit_test(one_board_is_written_in_every_notation),
        cmocka_unit_test(boards_survive_a_round_trip),  cmocka_unit_test(changed_texts_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
