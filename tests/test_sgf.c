/* Smart Game Format: what others write is read, faults come with their kind and place, what is written is as it should
 * be; no bytes lead astray. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/records.h>

#include "support/record_checks.h"

static struct willow_records open_text(const char *text)
{
    struct willow_records records;
    struct willow_error error;
    enum willow_record_format format;
    if (willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_SGF, text, strlen(text), &error) !=
        WILLOW_OK)
        fail_msg("%s: %s", text, error.reason);
    assert_true(willow_records_guess(text, strlen(text), &format));
    assert_int_equal(format, WILLOW_RECORDS_SGF);
    return records;
}

static struct willow_record read_one(const char *text)
{
    struct willow_record record;
    struct willow_records records = open_text(text);
    assert_true(willow_records_next(&records, &record));
    return record;
}

/* From the public report alpha-zero-general #167: a game that ends with five empty squares because neither side can
 * move. White moves twice in a row five times, without a word of black's passes. */
static void the_reported_game_is_read(void **state)
{
    (void)state;
    static const char text[] =
        "(;GM[2]FF[4]SZ[8]RE[W+59];B[cd];W[ec];B[fc];W[ce];B[dc];W[bd];B[ef];W[fe];B[df];W[fd];B[ff];W[cb];B[bf];W[cc]"
        ";B[ca];W[cf];B[ae];W[af];B[cg];W[ad];B[ac];W[ab];B[bc];W[be];B[db];W[ag];B[bg];W[bh];B[dg];W[dh];B[ch];W[ah]"
        ";B[eh];W[ea];B[da];W[ba];B[bb];W[aa];B[eb];W[eg];B[fg];W[fh];W[fa];B[fb];W[gh];W[gg];W[ge];B[gf];W[hg];W[gd]"
        ";B[gc];W[hc];B[hd];W[he];W[gb])";
    static const int passes_before[] = {43, 46, 47, 50, 55};
    const struct willow_record record = read_one(text);
    assert_int_equal(record.kind, WILLOW_RECORD_COMPLETE);
    int moves = 0, passes = 0;
    for (int i = 0; i < record.game.length; i++)
        if (record.game.moves[i] != WILLOW_PASS)
            moves++;
        else
            assert_int_equal(moves + 1, passes_before[passes++]);
    assert_int_equal(moves, 55);
    assert_int_equal(passes, 5);
    const struct willow_board board = willow_game_board(&record.game);
    assert_int_equal(willow_board_discs(board), 59);
    assert_int_equal(record.game.side, WILLOW_BLACK);
    assert_int_equal(board.player, 0);
    assert_int_equal(willow_game_final_discs(&record.game), -64);
    /* The 59 of the record are the discs on the board: the same result. */
    assert_true(record.has_result);
    assert_int_equal(record.result_discs, -64);
    assert_false(willow_record_result_differs(&record));
}

static void everything_that_is_sgf_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum willow_record_kind kind;
        const char *moves;
    } cases[] = {
        {"(;GM[2];B[fe];W[df])", WILLOW_RECORD_UNFINISHED, "f5d6"},
        {"(;GM[2];B[f5];W[D6])", WILLOW_RECORD_UNFINISHED, "f5d6"},
        {"( ; GM [2] ; B [fe] ; W\n[df] )", WILLOW_RECORD_UNFINISHED, "f5d6"},
        {"(;GaMe[2]VieW[aa]SiZe[8];Black[fe];White[DF])", WILLOW_RECORD_UNFINISHED, "f5d6"},
        {"(;FF[3]SZ[8:8];B[ fe ];W[d\nf])", WILLOW_RECORD_UNFINISHED, "f5d6"},
        {"From: somebody (me)\r\n\r\n(;GM[2]\r\n;B[fe]C[a \\] b \\\\];W[df]LB[aa:1][bb:2])\r\n",
         WILLOW_RECORD_UNFINISHED, "f5d6"},
        {"(;GM[2]C[(;B[fe\\]) see];B[fe](;W[df];B[cc](;W[dc])(;W[zz]))(;W[ff](;B[qq])))", WILLOW_RECORD_UNFINISHED,
         "f5d6c3d3"},
        {"(;GM[2])", WILLOW_RECORD_UNFINISHED, ""},
        {"(;GM[2];;N[nothing];B[fe];BL[12.5]WL[3];W[df]MN[7])", WILLOW_RECORD_UNFINISHED, "f5d6"},
        {"\xEF\xBB\xBF(;GM[2]PL[B];B[fe])", WILLOW_RECORD_UNFINISHED, "f5"},
        /* Other starts: handicap, a colour that begins, what was set up in two nodes. */
        {"(;GM[2]HA[1]AB[aa];W[ec];B[fe])", WILLOW_RECORD_OTHER_START, "e3f5"},
        {"(;GM[2]PL[white];W[ec];B[fe])", WILLOW_RECORD_OTHER_START, "e3f5"},
        {"(;GM[2]PL[2];W[ec])", WILLOW_RECORD_OTHER_START, "e3"},
        {"(;GM[2]AB[aa];AE[aa])", WILLOW_RECORD_UNFINISHED, ""},
        {"(;GM[2]AB[aa];AE[aa];W[ec])", WILLOW_RECORD_OTHER_START, "e3"},
        {"(;GM[2]AE[dd:ee]AB[a1]AW[b1]PL[B];B[ca])", WILLOW_RECORD_OTHER_START, "c1"},
        /* White has no move and passes, in every way of saying so; so does black who then has none. */
        {"(;GM[2]AE[dd:ee]AW[aa]AB[ba][ab]PL[B]PL[W];W[ca];B[];W[ac])", WILLOW_RECORD_OTHER_START, "c1a3"},
        {"(;GM[2]AE[dd:ee]AW[aa]AB[ba][ab]PL[W];W[ca];B[tt];W[ac])", WILLOW_RECORD_OTHER_START, "c1a3"},
        {"(;GM[2]AE[dd:ee]AW[aa]AB[ba][ab]PL[W];W[ca];B[pa];W[ac];B[pass];W[])", WILLOW_RECORD_OTHER_START, "c1a3"},
        {"(;GM[2]AE[dd:ee]AW[aa]AB[ba][ab]PL[W];W[ca];W[ac])", WILLOW_RECORD_OTHER_START, "c1a3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char moves[2 * WILLOW_GAME_MAX + 1];
        const struct willow_record record = read_one(cases[i].text);
        if (record.kind != cases[i].kind || strcmp(willow_transcript_format(&record.game, moves), cases[i].moves) != 0)
            fail_msg("%s: kind %d, %s, %s: %s", cases[i].text, (int)record.kind, moves, record.error.place,
                     record.error.reason);
    }
}

static void starts_are_set_up(void **state)
{
    (void)state;
    char board[67];
    struct willow_record record = read_one("(;GM[2]AB[aa:ca][ha]AW[ab:bc]AE[dd]PL[W])");
    assert_string_equal(
        willow_board_format(willow_ruleset_default(), record.game.boards[0], record.game.start_side, board),
        "XXX----XOO------OO----------X------XO--------------------------- O");
    /* The first move says who begins where PL does not. */
    record = read_one("(;GM[2]AB[aa])");
    assert_int_equal(record.game.side, WILLOW_BLACK);
    record = read_one("(;GM[2]AB[aa];W[ec])");
    assert_int_equal(record.game.start_side, WILLOW_WHITE);
}

static void faults_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum willow_record_kind kind;
        const char *place, *reason;
        int length;
    } cases[] = {
        {"(;GM[1];B[aa])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 6", "not a game of Othello", 0},
        {"(;GM[2]\nSZ[10];B[aa])", WILLOW_RECORD_OTHER_VARIANT, "line 2, column 4",
         "a game of 10x10, read as othello; --ruleset", 0},
        {"(;GM[2]SZ[8:10])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 11", "8x8", 0},
        {"(;B[fe]SZ[19])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 11", "not a board of 8x8: \"19\"", 0},
        {"(;SZ[6:6])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 6", "a game of 6x6, read as othello", 0},
        {"(;RU[anti]SZ[8];B[fe])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 6",
         "a game of anti, read as othello; --ruleset anti reads it", 0},
        {"(;RU[6x6-anti]SZ[6];B[fe])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 6", "a game of 6x6-anti,", 0},
        {"(;RU[hole:C3];B[fe])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 6", "a game of hole:c3,", 0},
        {"(;RU[hole:random];B[fe])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 6", "no ruleset of a game", 0},
        {"(;RU[hole:d4];B[fe])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 6", "no ruleset of a game", 0},
        {"(;RU[Japanese];B[aa])", WILLOW_RECORD_ILLEGAL, "line 1, column 18", "illegal move a1 for black", 0},
        {"(;;B[cb];W[db];B[eb];W[bb])", WILLOW_RECORD_ILLEGAL, "line 1, column 6",
         "illegal move c2 for black; the game is legal as 6x6", 0},
        {"(;;B[cb];W[zz])", WILLOW_RECORD_ILLEGAL, "line 1, column 6", "illegal move c2 for black", 0},
        {"(;GM[2];W[fe])", WILLOW_RECORD_ILLEGAL, "line 1, column 11", "a move of white although black is to move", 0},
        {"(;GM[2];B[fe];B[df])", WILLOW_RECORD_ILLEGAL, "line 1, column 17", "a move of black although white", 1},
        {"(;GM[2];B[fe];W[];B[df])", WILLOW_RECORD_ILLEGAL, "line 1, column 17", "illegal pass: white has a move", 1},
        {"(;GM[2];B[aa])", WILLOW_RECORD_ILLEGAL, "line 1, column 11", "illegal move a1 for black", 0},
        {"(;GM[2];B[fe];W[ii])", WILLOW_RECORD_DAMAGED, "line 1, column 17", "not a move: \"ii\"", 1},
        {"(;GM[2];B[fe];W[d9])", WILLOW_RECORD_DAMAGED, "line 1, column 17", "not a move", 1},
        {"(;GM[2];B[fe];W[df:df])", WILLOW_RECORD_DAMAGED, "line 1, column 17", "not a move", 1},
        {"(;GM[2];B[fe];W[df][ff])", WILLOW_RECORD_DAMAGED, "line 1, column 21", "a second move", 2},
        {"(;GM[2];B[fe];AW[df])", WILLOW_RECORD_DAMAGED, "line 1, column 18", "in the midst of the game", 1},
        {"(;GM[2]AB[aa]AW[aa])", WILLOW_RECORD_DAMAGED, "line 1, column 17", "a square is set up twice", 0},
        {"(;GM[2]AB[zz])", WILLOW_RECORD_DAMAGED, "line 1, column 11", "no square of the board", 0},
        {"(;GM[2]AB[cc:aa])", WILLOW_RECORD_DAMAGED, "line 1, column 11", "no square of the board", 0},
        {"(;GM[2]AB[])", WILLOW_RECORD_DAMAGED, "line 1, column 11", "no square of the board", 0},
        {"(;GM[2]PL[X])", WILLOW_RECORD_DAMAGED, "line 1, column 11", "not a side to move: \"X\"", 0},
        {"(;GM[2];B[fe];W", WILLOW_RECORD_DAMAGED, "line 1, column 16", "the text ends within a game", 1},
        {"(;GM[2];B[fe];W[df]", WILLOW_RECORD_DAMAGED, "line 1, column 20", "the text ends within a game", 2},
        {"(;GM[2];B[fe];W[d", WILLOW_RECORD_DAMAGED, "line 1, column 15", "cut off within a value", 1},
        {"(;GM[2];B[fe];W[df\\]", WILLOW_RECORD_DAMAGED, "line 1, column 15", "cut off within a value", 1},
        {"(;GM[2];B[fe];5[df])", WILLOW_RECORD_DAMAGED, "line 1, column 15", "a property or the end", 1},
        {"(;GM[2];B[fe]\n(;GM[2])", WILLOW_RECORD_DAMAGED, "line 2, column 1", "another game begins", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct willow_record record = read_one(cases[i].text);
        if (record.kind != cases[i].kind || strcmp(record.error.place, cases[i].place) != 0 ||
            !strstr(record.error.reason, cases[i].reason) || record.game.length != cases[i].length)
            fail_msg("%s: kind %d at \"%s\": %s (%d moves)", cases[i].text, (int)record.kind, record.error.place,
                     record.error.reason, record.game.length);
    }
    struct willow_records records;
    struct willow_error error;
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_SGF, "f5d6", 4, &error),
                     WILLOW_ERR_FORMAT);
    assert_string_equal(error.reason, "no SGF: \"(;\", with which a game begins, is missing");
}

/* The kinds of all records as digits. */
static void check_kinds(const char *text, const char *wanted)
{
    char kinds[16];
    size_t count = 0;
    struct willow_record record;
    struct willow_records records = open_text(text);
    while (count < sizeof kinds - 1 && willow_records_next(&records, &record))
        kinds[count++] = (char)('0' + (int)record.kind);
    kinds[count] = '\0';
    if (strcmp(kinds, wanted) != 0)
        fail_msg("%s: kinds %s", text, kinds);
}

static void a_fault_does_not_hide_what_follows(void **state)
{
    (void)state;
    check_kinds("(;GM[2];B[fe]) (;GM[2];B[dc];W[ce])(;GM[1])\n", "113");
    check_kinds("(;GM[2];B[zz];W[(;]C[x](;B[aa]))(;GM[2];B[fe])", "51");
    check_kinds("(;GM[2];B[f\n(;GM[2];B[fe])", "51");
    check_kinds("(;GM[2]C[f\n(;FF[4]GM[2];B[fe])", "51");
    check_kinds("(;GM[2];B[fe]\n(;GM[2];B[fe])", "51");
    check_kinds("(;GM[2];B[fe];W\n(;GM[2];B[fe])", "51");
    check_kinds("(;GM[2];B[fe]) noise (;GM[2];B[fe]) )", "1515");
    check_kinds("head (;GM[2];B[fe];C[\\", "5");
}

static void results_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *result;
        bool has;
        int discs;
        char ending;
    } cases[] = {{"B+4", true, 4, 0},
                 {"w+12", true, -12, 0},
                 {"W+12.00", true, -12, 0},
                 {"0", true, 0, 0},
                 {"Draw", true, 0, 0},
                 {"B+R", true, 64, 'r'},
                 {"W+Resign", true, -64, 'r'},
                 {"W+Time", true, -64, 't'},
                 {"B+F", true, 64, 'f'},
                 {"B+", false, 0, 0},
                 {"?", false, 0, 0},
                 {"Void", false, 0, 0},
                 {"B+3.5", false, 0, 0},
                 {"B+1000", false, 0, 0},
                 {"+4", false, 0, 0},
                 {"black wins by a mile or two", false, 0, 0},
                 {"", false, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "(;GM[2]RE[%s];B[fe])", cases[i].result);
        const struct willow_record record = read_one(text);
        if (record.has_result != cases[i].has || record.result_discs != cases[i].discs ||
            record.ending != cases[i].ending)
            fail_msg("%s: %d, %d, '%c'", text, record.has_result, record.result_discs, record.ending);
        assert_false(willow_record_result_differs(&record)); /* the board says nothing yet */
    }
    /* The shortest game, 13-0: with or without the empty squares, and wrong. */
    static const char *const games[] = {"B+13", "B+64", "B+14"};
    for (int i = 0; i < 3; i++) {
        char text[160];
        (void)snprintf(text, sizeof text, "(;GM[2]RE[%s];B[ef];W[fd];B[ec];W[ff];B[ge];W[df];B[eg];W[fe];B[ce])",
                       games[i]);
        const struct willow_record record = read_one(text);
        assert_int_equal(record.kind, WILLOW_RECORD_COMPLETE);
        assert_int_equal(willow_record_result_differs(&record), i == 2);
    }
    /* The same of a game that is over from another start, and has a fault behind its end. */
    const struct willow_record record = read_one("(;GM[2]RE[B+4]AB[aa][ba]AW[ca]AE[dd:ee]PL[B];B[da])");
    assert_int_equal(record.result_discs, 64);
    assert_int_equal(read_one("(;GM[2]RE[B+4]AB[aa][ba]AW[ca]AE[dd:ee];B[da][").result_discs, 64);
}

static void names_are_printable(void **state)
{
    (void)state;
    static const struct {
        const char *name, *wanted;
    } cases[] = {{"Ivan", "Ivan"},
                 {" a\\]b\\\\c\\:d ", "a]b\\c:d"},
                 {"two\nlines\\\nsoft\\\r\nbreaks\tand", "two linessoftbreaks and"},
                 {"J\xC3\xBCrgen \xE7\x94\xB0", "J\xC3\xBCrgen \xE7\x94\xB0"},
                 {"J\xFCrgen\x7F", "J?rgen?"},
                 {"a\xE2\x80\xAE"
                  "b\xC2\x85"
                  "c\xC0\x80",
                  "a?b?c??"},
                 {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "(;GM[2]PW[%s]PB[x])", cases[i].name);
        const struct willow_record record = read_one(text);
        assert_string_equal(record.white, cases[i].wanted);
        assert_string_equal(record.black, "x");
    }
    /* Cut to fit, between characters. */
    char text[512] = "(;GM[2]PB[a";
    for (int i = 0; i < 60; i++)
        strcat(text, "\xE7\x94\xB0");
    strcat(text, "])");
    const struct willow_record record = read_one(text);
    assert_int_equal(strlen(record.black), 1 + 3 * 20);
}

static void sgf_is_written_in_this_form(void **state)
{
    (void)state;
    char text[1024];
    struct willow_game game;
    struct willow_ggf_game record = {.game = &game, .black = "a[b]", .white = "\n(;\\", .result_discs = -4};
    willow_game_init(&game, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&game, "f5d6c3", NULL), WILLOW_OK);
    const size_t length = willow_sgf_format(&record, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, "(;GM[2]FF[4]CA[UTF-8]SZ[8]PB[a[b\\]]PW[?( ;\\\\]RE[W+4];B[fe];W[df];B[cc])");
    for (size_t size = 0; size <= length; size++) {
        char cut[128];
        memset(cut, 'x', sizeof cut);
        assert_int_equal(willow_sgf_format(&record, cut, size), length);
        assert_memory_equal(cut, text, size ? size - 1 : 0);
        assert_int_equal(cut[size], 'x');
    }

    /* Another start, a pass, a win by time; then nothing known of the result or the players. */
    struct willow_board board = {UINT64_C(1) << 0, UINT64_C(1) << 1 | UINT64_C(1) << 8};
    assert_int_equal(willow_game_init_board(&game, game.ruleset, board, WILLOW_WHITE, NULL), WILLOW_OK);
    assert_int_equal(willow_transcript_parse(&game, "c1 pa a3", NULL), WILLOW_OK);
    record = (struct willow_ggf_game){
        .game = &game, .place = "here", .black = "", .white = "b", .result_discs = 64, .ending = 't'};
    (void)willow_sgf_format(&record, text, sizeof text);
    assert_string_equal(text, "(;GM[2]FF[4]CA[UTF-8]SZ[8]PC[here]PW[b]RE[B+T]AB[ba][ab]AW[aa]AE[dd][ed][de][ee]PL[W]"
                              ";W[ca];B[];W[ac])");
    record.ending = 'r';
    record.result_discs = -64;
    record.white = NULL;
    (void)willow_sgf_format(&record, text, sizeof text);
    assert_non_null(strstr(text, "PC[here]RE[W+R]AB["));
    record.result_unknown = true;
    (void)willow_sgf_format(&record, text, sizeof text);
    assert_null(strstr(text, "RE["));

    willow_game_init(&game, willow_ruleset_find("4x4-reversi"));
    assert_int_equal(willow_transcript_parse(&game, "b2c3", NULL), WILLOW_OK);
    (void)willow_sgf_format(&record, text, sizeof text);
    assert_string_equal(text, "(;GM[2]FF[4]CA[UTF-8]RU[4x4-reversi]SZ[4]PC[here];B[bb];W[cc])");
}

static void no_bytes_lead_astray(void **state)
{
    (void)state;
    enum { TEXT_BYTES = 4096 };
    char *text = calloc(1, TEXT_BYTES), *to = text;
    struct willow_random random;
    willow_random_init(&random, 12, 0);
    for (int i = 0; i < 3; i++) {
        const struct willow_game game = record_random_game(willow_ruleset_default(), &random, i == 1, true);
        const struct willow_ggf_game record = {.game = &game, .black = "a]\xC3\xBC", .white = "(;", .ending = 'r'};
        to += willow_sgf_format(&record, to, 1024);
        to += sprintf(to, "\n");
    }
    to += sprintf(to, "(;FF[4]AB[aa:cc](;PL[W];W[dc](;B[cc])))");
    record_check_garbled(willow_ruleset_default(), WILLOW_RECORDS_SGF, (unsigned char *)text, (size_t)(to - text), 1,
                         6000);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reported_game_is_read),
        cmocka_unit_test(everything_that_is_sgf_is_read),
        cmocka_unit_test(starts_are_set_up),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(a_fault_does_not_hide_what_follows),
        cmocka_unit_test(results_are_read),
        cmocka_unit_test(names_are_printable),
        cmocka_unit_test(sgf_is_written_in_this_form),
        cmocka_unit_test(no_bytes_lead_astray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
