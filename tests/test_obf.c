/* Lines of OBF files as they occur in the wild: what is read, what is refused and where, what is written. */
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

#define BOARD "-OOO------OOOO--XXXOOXXX-XOOOXX-XXXXOOOOOXXOOOO---OXOO---OOOO---"
#define MUST_PASS "OO-X----OOXXXX--OXOOXXX-OXXOOXX-OOXOOXXXOXOOOOX-OXXXXXXXOOOOOOOO"

static struct willow_obf read_position(const char *line)
{
    struct willow_obf obf;
    struct willow_error error = {0};
    bool empty = true;
    if (willow_obf_parse(willow_ruleset_default(), line, &obf, &empty, &error) != WILLOW_OK)
        fail_msg("%s: %s in %s", error.place, error.reason, line);
    assert_false(empty);
    return obf;
}

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
        {"\"" BOARD " X\"; E1:+4", 1, {"e1"}, {4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct willow_obf obf = read_position(cases[i].line);
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
    /* A line that was taken out with a "#" has 65 squares. */
    static const char *const lines[] = {"",  "   ", "\t\r",           "% remark",      "  # remark",
                                        "%", "\n",  "# " BOARD " X;", "#" BOARD " X;", "#"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct willow_obf obf;
        bool empty = false;
        assert_int_equal(willow_obf_parse(willow_ruleset_default(), lines[i], &obf, &empty, NULL), WILLOW_OK);
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
        {"--------\n" BOARD " X;", "column 9", "8 squares instead of 64"},
        {"\"" BOARD " X; E1:+2\"", "column 68", "no quote"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_obf obf;
        struct willow_error error = {0};
        bool empty;
        if (willow_obf_parse(willow_ruleset_default(), cases[i].line, &obf, &empty, &error) != WILLOW_ERR_FORMAT)
            fail_msg("accepted: %s", cases[i].line);
        if (strcmp(error.place, cases[i].place) != 0 || !strstr(error.reason, cases[i].reason))
            fail_msg("%s: %s in %s", error.place, error.reason, cases[i].line);
        assert_int_equal(willow_obf_parse(willow_ruleset_default(), cases[i].line, &obf, &empty, NULL),
                         WILLOW_ERR_FORMAT);
    }
}

/* A file with a comment, a blank line, fillers, scores without sign, a board in lower case, one without its blank, and
 * no line end at its end (Edax problem files, neural-reversi commit 063a3c2); how each line is written. */
#define WILD "--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOOOXXOXX-O-XO--XXXXX"
static void lines_met_in_the_wild(void **state)
{
    (void)state;
    static const struct {
        const char *line, *written;
    } cases[] = {
        {WILD " X; G7:+32; B2:+28;\r\n", WILD " X; G7:+32; B2:+28;"},
        {WILD " O", WILD " O;"},
        {WILD " X;   % comment after the position", WILD " X;"},
        {"  " WILD " X   ;g7:32;b2:+28 ;", WILD " X; G7:+32; B2:+28;"},
        {"--ox-oo---oooo-x-oooo-ox-oooooxxxooxxoxx-ooooooxxoxx-o-xo--xxxxx x; g7:+32;", WILD " X; G7:+32;"},
        {WILD "X; G7:+32", WILD " X; G7:+32;"},
        {BOARD " X; E1:+0; F8:-2; --:-127;", BOARD " X; E1:+0; F8:-2;"},
        {MUST_PASS " X; PS:-36;", MUST_PASS " X; PS:-36;"},
        /* Other notations in one line. */
        {"BO[8 --O*-OO- --OOOO-* -OOOO-O* -OOOOO** *OO**O** -OOOOOO* *O**-O-* O--***** *]; G7:+32;",
         WILD " X; G7:+32;"},
        {"0021022000222201022220210222221112211211022222211211020120011111 1; G7:+32;", WILD " X; G7:+32;"},
        {"..10.11...1111.0.1111.10.111110001100100.11111100100.1.01..00000 0 ;G7:+32", WILD " X; G7:+32;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct willow_obf obf = read_position(cases[i].line);
        char text[WILLOW_OBF_TEXT];
        assert_string_equal(willow_obf_format(willow_ruleset_default(), &obf, text), cases[i].written);
    }
}

/* A "#" may be black's disc on a1: a whole board is a position, not a comment. */
static void a_disc_is_no_comment(void **state)
{
    (void)state;
    static const char line[] = "#________O________________##______#O____________________________ O;";
    struct willow_obf obf;
    bool empty = true;
    assert_int_equal(willow_obf_parse(willow_ruleset_default(), line, &obf, &empty, NULL), WILLOW_OK);
    assert_false(empty);
    assert_int_equal(obf.side, WILLOW_WHITE);
    assert_int_equal(obf.board.opponent & 1, 1);
}

/* Any board with scores of all its moves is read back as it was written. */
static void written_lines_are_read_back(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 11, 0);
    for (int i = 0; i < 500; i++) {
        const uint64_t discs = willow_random_u64(&random), colours = willow_random_u64(&random);
        struct willow_obf obf = {.board = {discs & colours, discs & ~colours},
                                 .side = i % 2 ? WILLOW_WHITE : WILLOW_BLACK};
        uint64_t moves = willow_board_moves(willow_ruleset_default(), obf.board);
        for (; moves; moves &= moves - 1) {
            obf.moves[obf.count] = (willow_square)__builtin_ctzll(moves);
            obf.scores_discs[obf.count++] = (int)willow_random_below(&random, 129) - 64;
        }
        char text[WILLOW_OBF_TEXT];
        struct willow_obf back;
        bool empty = true;
        assert_true(strlen(willow_obf_format(willow_ruleset_default(), &obf, text)) < sizeof text);
        assert_int_equal(willow_obf_parse(willow_ruleset_default(), text, &back, &empty, NULL), WILLOW_OK);
        assert_false(empty);
        assert_memory_equal(&back, &obf, sizeof obf);
    }
}

/* No input may crash the reader: good lines with bytes changed or cut off, in memory of their exact size. */
static void changed_lines_never_crash(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 8, 0);
    static const char good[] = BOARD " X; E1:+0; F8:-2; --:-127;";
    for (int i = 0; i < 10000; i++) {
        const size_t length =
            willow_random_below(&random, 4) ? sizeof good - 1 : willow_random_below(&random, sizeof good);
        char *text = malloc(length + 1);
        assert_non_null(text);
        memcpy(text, good, length);
        text[length] = '\0';
        for (uint32_t n = willow_random_below(&random, i % 4 ? 3 : sizeof good); n > 0 && length > 0; n--)
            text[willow_random_below(&random, (uint32_t)length)] = (char)willow_random_below(&random, 256);
        struct willow_obf obf;
        bool empty;
        struct willow_error error;
        const enum willow_status status = willow_obf_parse(willow_ruleset_default(), text, &obf, &empty, &error);
        assert_true(status == WILLOW_OK || status == WILLOW_ERR_FORMAT);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obf_lines_are_read),          cmocka_unit_test(obf_lines_without_a_position_are_empty),
        cmocka_unit_test(wrong_obf_lines_are_refused), cmocka_unit_test(lines_met_in_the_wild),
        cmocka_unit_test(a_disc_is_no_comment),        cmocka_unit_test(written_lines_are_read_back),
        cmocka_unit_test(changed_lines_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
