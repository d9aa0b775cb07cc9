/* Games through every format and back; transcripts over several lines and from a board; what format data is taken for;
 * records that other programs choked on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/records.h>

#include "support/record_checks.h"

enum { GAMES = 150, TEXT_BYTES = 1 << 19 };

#define HEAD "(;GM[Othello]PC[local]PB[player-a]PW[player-b]RE[+4.000]TI[05:00//02:00]TY[8]"
#define BOARD "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"

static struct willow_ggf_game written_game(const struct willow_game *game, int i)
{
    static const char endings[] = {0, 'r', 't'};
    const char ending = endings[i % 3];
    const bool over = willow_game_over(game);
    return (struct willow_ggf_game){.game = game,
                                    .black = i % 2 ? "Black (;] \\" : "",
                                    .white = "J\xC3\xBCrgen",
                                    .result_unknown = !over && !ending,
                                    .result_discs = ending ? (i % 2 ? 64 : -64) : willow_game_final_discs(game),
                                    .ending = ending};
}

/* Appends the game in a format; returns the new end. */
static char *write_game(char *to, enum willow_record_format format, const struct willow_game *game, int i)
{
    const struct willow_ggf_game record = written_game(game, i);
    if (format == WILLOW_RECORDS_WTHOR) {
        assert_int_equal(willow_wthor_format(game, (unsigned char *)to, NULL), WILLOW_OK);
        return to + WILLOW_WTHOR_GAME_BYTES;
    }
    if (format == WILLOW_RECORDS_TRANSCRIPTS) {
        to += strlen(willow_transcript_line(game, to));
    } else {
        to += format == WILLOW_RECORDS_GGF ? willow_ggf_format(&record, to, 16384)
                                           : willow_sgf_format(&record, to, 16384);
    }
    *to++ = '\n';
    return to;
}

static void check_read(const struct willow_record *record, const struct willow_game *wanted,
                       enum willow_record_format format, int i)
{
    struct willow_game game = *wanted;
    const struct willow_ggf_game written = written_game(&game, i);
    /* WTHOR has no passes: one behind the last move is lost. */
    while (format == WILLOW_RECORDS_WTHOR && game.length > 0 && game.moves[game.length - 1] == WILLOW_PASS)
        (void)willow_game_undo(&game);
    if (!record_same_game(&record->game, &game))
        fail_msg("game %d of format %d: %s: %s", i, (int)format, record->error.place, record->error.reason);
    if (format == WILLOW_RECORDS_WTHOR && willow_game_over(&game))
        assert_int_equal(record->result_discs, willow_game_final_discs(&game));
    if (format != WILLOW_RECORDS_GGF && format != WILLOW_RECORDS_SGF)
        return;
    assert_string_equal(record->black, i % 2 ? "Black ( ;] \\" : "");
    assert_string_equal(record->white, "J\xC3\xBCrgen");
    assert_int_equal(record->has_result, !written.result_unknown);
    assert_int_equal(record->result_discs, written.result_unknown ? 0 : written.result_discs);
    assert_int_equal(record->ending, written.ending);
}

/* Random games, from any start or from the usual one, finished or not, with every kind of result. */
static void check_round_trip(enum willow_record_format format, bool any_start)
{
    struct willow_game *games = malloc(GAMES * sizeof *games);
    char *data = malloc(TEXT_BYTES), *to = data;
    struct willow_random random;
    struct willow_records records;
    struct willow_record record;
    enum willow_record_format guessed;
    willow_random_init(&random, 31, (uint64_t)format);
    if (format == WILLOW_RECORDS_WTHOR) {
        willow_wthor_header(&(struct willow_wthor_date){2026, 11, 30}, GAMES, 2025, (unsigned char *)to);
        to += WILLOW_WTHOR_HEADER_BYTES;
    }
    for (int i = 0; i < GAMES; i++) {
        games[i] = record_random_game(willow_ruleset_default(), &random, any_start, i % 4 == 0);
        to = write_game(to, format, &games[i], i);
    }
    const size_t size = (size_t)(to - data);
    assert_true(willow_records_guess(data, size, &guessed));
    assert_int_equal(guessed, format);
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), format, data, size, NULL), WILLOW_OK);
    for (int i = 0; i < GAMES; i++) {
        assert_true(willow_records_next(&records, &record));
        check_read(&record, &games[i], format, i);
        /* A record by itself is the same record. */
        char *own = format == WILLOW_RECORDS_WTHOR ? NULL : strndup(data + record.at, record.size_bytes);
        if (own) {
            struct willow_records alone;
            assert_int_equal(
                willow_records_open(&alone, willow_ruleset_default(), format, own, record.size_bytes, NULL), WILLOW_OK);
            assert_true(willow_records_next(&alone, &record));
            check_read(&record, &games[i], format, i);
        }
        free(own);
    }
    assert_false(willow_records_next(&records, &record));
    free(games);
    free(data);
}

static void games_survive_every_format(void **state)
{
    (void)state;
    check_round_trip(WILLOW_RECORDS_GGF, true);
    check_round_trip(WILLOW_RECORDS_GGF, false);
    check_round_trip(WILLOW_RECORDS_SGF, true);
    check_round_trip(WILLOW_RECORDS_SGF, false);
    check_round_trip(WILLOW_RECORDS_TRANSCRIPTS, true);
    check_round_trip(WILLOW_RECORDS_WTHOR, false);
}

/* From a public list of record games: the game with the most passes, 23, all of them black's; with its passes and
 * without, in letters of both cases. And the six games of a public collection of early ends, passes and draws. */
static void the_reported_games_survive(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int length, passes, result;
    } cases[] = {
        {"f5d6c4g5d7c7h5d8b8b7b6a7PAb5a6a5PAb4b3c6e8f8c8a8PAe7PAa4PAb2a2c2d2d1PAe2f2c5PAc3PAa1PAa3PAe6PAd3PAf6f7f1PAg2"
         "h2e3f4b1PAg1PAc1PAe1PAg8PAg7PAf3PAh1PAh3PAh4PAh6",
         78, 23, -64},
        {"F5d6C4g5D7c7H5d8B8b7B6a7b5A6a5b4B3c6E8f8C8a8e7a4b2A2c2D2d1e2F2c5c3a1a3e6d3f6F7f1g2H2e3F4b1g1c1e1g8g7f3h1h3h4"
         "h6",
         78, 23, -64},
        {"e6f4e3f6g5d6e7f5c5", 9, 0, 64},
        {"f5f4c3e6f7g6g4e8g8g5h5", 11, 0, 62},
        {"f5f4c3f6g7f7f3h7f8b2h6e7h8e3d7g3f2f1a1c5", 20, 0, 0},
        {"f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2"
         "b8a8g7h8h7h6",
         60, 0, 0},
        {"d3c5f6f5f4c3c4d2e2b4d1f3b5e3f2f1a4d6e6e7f7b6e8c6b3a5d7a3e1a6g1a2c2c7b8d8c8g8g6h6g5h5g4h4h3g7h8f8h7a8a7b7a1b2"
         "g3g2h2h1c1b1",
         61, 1, 0},
        /* Unfinished: the side to move must pass. From the public reports reversi-ai PR 6, Egaroucid #67, edax-AVX #1.
         */
        {"e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8", 16, 0, 58},
        {"f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3", 43, 0, 24},
        {"F5D6C5F4D3E3F2C6G5B5A5B4B3C4C3A6A7A3F3E6C7B6D7D8B8E7F7E8C8A8A4F8A2B7", 34, 0, 38},
    };
    static const enum willow_record_format formats[] = {WILLOW_RECORDS_GGF, WILLOW_RECORDS_SGF,
                                                        WILLOW_RECORDS_TRANSCRIPTS, WILLOW_RECORDS_WTHOR};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_game game;
        int passes = 0;
        willow_game_init(&game, willow_ruleset_default());
        assert_int_equal(willow_transcript_parse(&game, cases[i].text, NULL), WILLOW_OK);
        for (int k = 0; k < game.length; k++)
            passes += game.moves[k] == WILLOW_PASS;
        assert_int_equal(game.length, cases[i].length);
        assert_int_equal(passes, cases[i].passes);
        assert_int_equal(willow_game_final_discs(&game), cases[i].result);
        for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
            char data[2048], *to = data;
            struct willow_records records;
            struct willow_record record;
            if (formats[f] == WILLOW_RECORDS_WTHOR) {
                willow_wthor_header(&(struct willow_wthor_date){2026, 1, 1}, 1, 2026, (unsigned char *)to);
                to += WILLOW_WTHOR_HEADER_BYTES;
            }
            to = write_game(to, formats[f], &game, (int)i);
            assert_int_equal(
                willow_records_open(&records, willow_ruleset_default(), formats[f], data, (size_t)(to - data), NULL),
                WILLOW_OK);
            assert_true(willow_records_next(&records, &record));
            check_read(&record, &game, formats[f], (int)i);
        }
    }
}

/* GGF as other programs write it; from the public reports edax-reversi-AVX #1 (a pass with a time as the last move) and
 * the public description of the format. */
static void reported_ggf_is_read_or_refused(void **state)
{
    (void)state;
    static const char long_game[] = "f5d6c5f4d3e3f2c6g5b5a5b4b3c4c3a6a7a3f3e6c7b6d7d8b8e7f7e8c8a8a4f8a2b7pa";
#define LONG_GAME(pass)                                                                                                \
    HEAD BOARD "B[F5//1]W[D6]B[C5]W[F4]B[D3]W[E3]B[F2]W[C6]B[G5]W[B5]B[A5]W[B4]B[B3]W[C4]B[C3]W[A6]B[A7]W[A3]B[F3]"    \
               "W[E6]B[C7]W[B6]B[D7]W[D8]B[B8]W[E7]B[F7]W[E8]B[C8]W[A8]B[A4]W[F8]B[A2]W[B7//1.00]B[" pass "];)"
    static const struct {
        const char *text;
        enum willow_record_kind kind;
        const char *moves, *reason;
    } cases[] = {
        {HEAD BOARD "B[f5]W[d6]B[c3];)", WILLOW_RECORD_UNFINISHED, "f5d6c3", "not over"},
        {HEAD BOARD "B[F5/2.449/1.2]W[D6//0.5]B[C3/-3.00];)", WILLOW_RECORD_UNFINISHED, "f5d6c3", "not over"},
        {HEAD "BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)",
         WILLOW_RECORD_UNFINISHED, "f5d6", "not over"},
        {LONG_GAME("PA//3.107"), WILLOW_RECORD_UNFINISHED, long_game, "not over after move 34"},
        {LONG_GAME("pass"), WILLOW_RECORD_UNFINISHED, long_game, "not over after move 34"},
        {HEAD BOARD ";)", WILLOW_RECORD_UNFINISHED, "", "not over after move 0"},
        {HEAD "BO[8 -------- -------- -------- ---O*--- ---***-- -------- -------- -------- O];)",
         WILLOW_RECORD_OTHER_START, "", "another position"},
        {HEAD "BO[8 -------- -------- -------- ---O*--- ---***-- -------- -------- -------- O]W[d6]B[c3];)",
         WILLOW_RECORD_OTHER_START, "d6c3", "another position"},
        {"(;GM[Othello]PB[a\\]b]TY[8]" BOARD "XX[whatever]B[f5];)\r\n", WILLOW_RECORD_UNFINISHED, "f5", "not over"},
        {"(;GM[Othello]TY[10]BO[10 ---------- *]B[g6];)", WILLOW_RECORD_OTHER_VARIANT, "",
         "a game of 10x10, read as othello"},
        {"(;" BOARD "B[f5]TY[8a];)", WILLOW_RECORD_OTHER_VARIANT, "", "a game of anti, read as othello"},
        {"(;GM[Othello]TY[8ra]" BOARD "B[f5];)", WILLOW_RECORD_OTHER_VARIANT, "", "another variant than othello"},
        {HEAD "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- ---", WILLOW_RECORD_DAMAGED, "",
         "cut off"},
        {HEAD BOARD "B[f5]B[d6];)", WILLOW_RECORD_ILLEGAL, "f5", "a move of black although white is to move"},
        {HEAD "BO[8 ------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5];)",
         WILLOW_RECORD_DAMAGED, "", "63 squares"},
        /* Digits are no squares of GGF, although elsewhere they are. */
        {HEAD "BO[8 00000000 00000000 00000000 00012000 00021000 00000000 00000000 00000000 1];)",
         WILLOW_RECORD_DAMAGED, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char moves[2 * WILLOW_GAME_MAX + 1];
        struct willow_records records;
        struct willow_record record;
        const size_t size = strlen(cases[i].text);
        assert_int_equal(
            willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_GGF, cases[i].text, size, NULL),
            WILLOW_OK);
        assert_true(willow_records_next(&records, &record));
        if (record.kind != cases[i].kind || !strstr(record.error.reason, cases[i].reason) ||
            strcmp(willow_transcript_format(&record.game, moves), cases[i].moves) != 0)
            fail_msg("%s: kind %d: %s (%s)", cases[i].text, (int)record.kind, record.error.reason, moves);
        assert_string_equal(record.black, i == 8 ? "a]b" : i >= 9 && i <= 11 ? "" : "player-a");
        assert_string_equal(record.white, i >= 8 && i <= 11 ? "" : "player-b");
        if (record.kind == WILLOW_RECORD_UNFINISHED && i == 3)
            assert_int_equal(record.game.side, WILLOW_WHITE);
    }
#undef LONG_GAME
}

/* NAN = not known. */
static void moves_come_with_scores_and_times(void **state)
{
    (void)state;
    static const struct {
        const char *text, *move;
        double score, seconds;
    } cases[] = {
        {"F4/1.5/0.3", "f4", 1.5, 0.3},
        {"f6//", "f6", NAN, NAN},
        {"  D3", "d3", NAN, NAN},
        {"d3//.5", "d3", NAN, 0.5},
        {"PA//3.107", "pa", NAN, 3.107},
        {"pass", "pa", NAN, NAN},
        {"E3/-1.5", "e3", -1.5, NAN},
        {"E3/+2/", "e3", 2, NAN},
        {"E3 /1.5/ 2 ", "e3", 1.5, 2},
        {"E3//-1", "e3", NAN, NAN},
        {"E3//nan", "e3", NAN, NAN},
        {"E3//inf", "e3", NAN, NAN},
        {"E3//1e999", "e3", NAN, NAN},
        {"E3/x/y/z", "e3", NAN, NAN},
        {"E3/-/.", "e3", NAN, NAN},
        {"E3/1.2.3/4/5", "e3", NAN, 4},
        {"E3/1/00000000000000000000000000000000000001", "e3", 1, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        willow_square move;
        struct willow_ggf_move known;
        assert_true(willow_ggf_move_parse(cases[i].text, strlen(cases[i].text), &move, &known));
        assert_int_equal(move, willow_square_parse(cases[i].move));
        if (known.has_score == isnan(cases[i].score) || (known.has_score && known.score_discs != cases[i].score) ||
            known.has_time == isnan(cases[i].seconds) || (known.has_time && known.seconds != cases[i].seconds))
            fail_msg("%s", cases[i].text);
        /* Behind the length nothing is looked at. */
        assert_false(willow_ggf_move_parse(cases[i].text, cases[i].text[0] == ' ' ? 3 : 1, &move, &known));
    }
    static const char *const none[] = {"", "Z9", "e9", "e33", "/1/2", "///", "passing", "e3e6", "E3]//5", "\377\376"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        willow_square move;
        struct willow_ggf_move known;
        assert_false(willow_ggf_move_parse(none[i], strlen(none[i]), &move, &known));
    }
}

/* Kinds of all records as digits, each with the number of its moves: "1:3 4:1". */
static void check_lines(enum willow_record_format format, const char *text, const char *wanted)
{
    char found[256] = "";
    struct willow_records records;
    struct willow_record record;
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), format, text, strlen(text), NULL),
                     WILLOW_OK);
    while (willow_records_next(&records, &record) && strlen(found) < sizeof found - 16)
        (void)sprintf(found + strlen(found), "%s%d:%d", found[0] ? " " : "", (int)record.kind, record.game.length);
    if (strcmp(found, wanted) != 0)
        fail_msg("%s: %s instead of %s", text, found, wanted);
}

#define START "---------------------------OX------XO--------------------------- X"
#define OTHER "---------------------------OX------XXX-------------------------- O"

static void transcripts_go_over_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"f5d6c3\nd3c4f4\n", "1:3 4:1"}, /* both begin as games do: two games */
        {"f5d6\nc3d3\n", "1:4"},         /* no game begins with c3 */
        {"f5d6 # first\n\n# more\nc3d3c4\nf4f6\n", "1:7"},
        {"1. f5 d6\n2. c3 d3\n3. c4 f4\n", "1:6"}, /* c4 may begin a game, but all is one, and numbered */
        {"f5 d6\nc3 d3\nc4 f4\n", "1:6"},
        {"f5d6\nc4e3\n", "1:2 1:2"}, /* may be both: two games */
        {"f5d6c3\nf5f4\ne3\n", "1:3 1:2 4:0"},
        {"1. f5d6\n2. f5f4\n", "1:2 1:2"}, /* a numbered list of games */
        {"f5d6\nhello\n", "1:2 5:0"},
        {"f5d6\na1\n", "4:2"}, /* one game with a fault in its second line */
        {"f5d6\nc3 a1\nd3\n", "1:2 4:0 1:1"},
        {START " f5d6\n" OTHER " d6c3\n" OTHER "\n", "1:2 2:2 2:0"},
        {START "\nf5d6c3\n", "1:3"},
        {OTHER "\nd6\nc3\n", "2:2"},
        {OTHER "\nd3\nf5\n", "2:0 1:1 1:1"},
        {START "f5\n", "5:0"},
        {"1.f5d6c3d3c4f4f6f3e6a1", "4:9"},
        {OTHER " a1\n", "4:0"},
        {"# nothing\n\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_lines(WILLOW_RECORDS_TRANSCRIPTS, cases[i].text, cases[i].wanted);
    /* A board with '#' for black's discs is no comment. */
    check_lines(WILLOW_RECORDS_TRANSCRIPTS,
                "---------------------------O#------###-------------------------- O d6c3 # c2\n", "2:2");
    /* Places are those of the file. */
    struct willow_records records;
    struct willow_record record;
    static const char text[] = "f5d6\n# more\n c3 a1\n";
    assert_int_equal(
        willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_TRANSCRIPTS, text, strlen(text), NULL),
        WILLOW_OK);
    assert_true(willow_records_next(&records, &record));
    assert_string_equal(record.error.place, "line 3, column 5");
    static const char board[] = "# a board\n" OTHER " d6 a1";
    assert_int_equal(
        willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_TRANSCRIPTS, board, strlen(board), NULL),
        WILLOW_OK);
    assert_true(willow_records_next(&records, &record));
    assert_string_equal(record.error.place, "line 2, column 71");
    assert_int_equal(record.at, strlen("# a board\n"));
}

static void positions_are_read(void **state)
{
    (void)state;
    check_lines(WILLOW_RECORDS_POSITIONS,
                "% scores\n\n# of nothing\n" START "; F5:+0; D3:-1;\n" OTHER " % comment\r\n"
                "0x0000000810000000 0x0000001008000000 X\n"
                "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\n"
                "###------------------------OX------XO--------------------------- X\n",
                "1:0 2:0 1:0 1:0 2:0");
    check_lines(WILLOW_RECORDS_POSITIONS, START "; A1:+4;\n" START "; F5:+0\n----\nf5d6\n" OTHER,
                "5:0 1:0 5:0 5:0 2:0");
    struct willow_records records;
    struct willow_record record;
    static const char mover[] =
        "---------------------------OX------XO--------------------------- % mine\n% no\n# no\n--\n";
    assert_int_equal(
        willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_POSITIONS, mover, strlen(mover), NULL),
        WILLOW_OK);
    records.notation = WILLOW_BOARD_MOVER;
    assert_true(willow_records_next(&records, &record));
    assert_int_equal(record.kind, WILLOW_RECORD_UNFINISHED);
    assert_true(willow_records_next(&records, &record));
    assert_int_equal(record.kind, WILLOW_RECORD_DAMAGED);
    assert_memory_equal(record.error.place, "line 4, ", 8);
    assert_false(willow_records_next(&records, &record));
    char *line = malloc(1 << 20);
    memset(line, '-', 1 << 20);
    line[(1 << 20) - 1] = '\0';
    check_lines(WILLOW_RECORDS_POSITIONS, line, "5:0");
    free(line);
}

static void formats_are_known_by_content_and_name(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int format; /* -1 = none */
    } cases[] = {
        {"f5d6", WILLOW_RECORDS_TRANSCRIPTS},
        {"\xEF\xBB\xBF# games\r\n\r\nF5 D6\r\n", WILLOW_RECORDS_TRANSCRIPTS},
        {"1. f5 d6", WILLOW_RECORDS_TRANSCRIPTS},
        {START "\nf5d6\n", WILLOW_RECORDS_TRANSCRIPTS},
        {OTHER " d6c3\n", WILLOW_RECORDS_TRANSCRIPTS},
        {START "\n", WILLOW_RECORDS_POSITIONS},
        {"% file\n" START "; f5:+0;\n", WILLOW_RECORDS_POSITIONS},
        {START "\n" OTHER "\n", WILLOW_RECORDS_POSITIONS},
        {"0x0000000810000000 0x0000001008000000 X", WILLOW_RECORDS_POSITIONS},
        {"BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]", WILLOW_RECORDS_POSITIONS},
        {"000000000000000000000000000210000001200000000000000000000000000 1",
         WILLOW_RECORDS_POSITIONS}, /* 63 squares */
        {"(;GM[Othello]TY[8]", WILLOW_RECORDS_GGF},
        {"1 (;GM[Othello]TY[8]", WILLOW_RECORDS_GGF},
        {"\n(;GM[2]", WILLOW_RECORDS_SGF},
        {"(;FF[4]CA[UTF-8]GM[1];B[aa])", WILLOW_RECORDS_SGF},
        {"(;B[fe])", WILLOW_RECORDS_SGF},
        {"(;" BOARD "B[f5];)", WILLOW_RECORDS_GGF},
        {"From: a b\nParis, today\n(;GM[2];B[fe])", WILLOW_RECORDS_SGF},
        {"", -1},
        {"\n\n", -1},
        {"hello", -1},
        {"Passing through", -1},
        {"game,ply\n1,2\n", -1},
    };
    enum willow_record_format format;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool known = willow_records_guess(cases[i].text, strlen(cases[i].text), &format);
        if (known != (cases[i].format >= 0) || (known && (int)format != cases[i].format))
            fail_msg("%s: %d, %d", cases[i].text, known, known ? (int)format : -1);
    }
    /* WTHOR: whole, of another board, cut off; bytes that are nothing. */
    unsigned char file[WILLOW_WTHOR_HEADER_BYTES + WILLOW_WTHOR_GAME_BYTES] = {0};
    willow_wthor_header(&(struct willow_wthor_date){2026, 11, 30}, 1, 2026, file);
    for (int cut = 0; cut < 3; cut++) {
        assert_true(willow_records_guess(file, sizeof file - (size_t)cut, &format));
        assert_int_equal(format, WILLOW_RECORDS_WTHOR);
    }
    file[12] = 10;
    assert_true(willow_records_guess(file, sizeof file, &format));
    memset(file, 7, sizeof file);
    assert_false(willow_records_guess(file, sizeof file, &format));
    assert_false(willow_records_guess("f5\0d6", 5, &format));

    for (int i = WILLOW_RECORDS_WTHOR; i <= WILLOW_RECORDS_POSITIONS; i++) {
        assert_true(willow_record_format_find(willow_record_format_name((enum willow_record_format)i), &format));
        assert_int_equal(format, i);
    }
    assert_false(willow_record_format_find("pdf", &format));
    assert_false(willow_record_format_find("", &format));
}

static void wthor_is_written_in_this_form(void **state)
{
    (void)state;
    unsigned char header[WILLOW_WTHOR_HEADER_BYTES], bytes[WILLOW_WTHOR_GAME_BYTES];
    static const unsigned char wanted[] = {20, 26, 11, 30, 0x2C, 1, 0, 0, 0, 0, 0xE9, 7, 8, 0, 0, 0};
    willow_wthor_header(&(struct willow_wthor_date){2026, 11, 30}, 300, 2025, header);
    assert_memory_equal(header, wanted, sizeof wanted);
    struct willow_game game;
    struct willow_error error;
    willow_game_init(&game, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&game, "e6f4e3f6g5d6e7f5", NULL), WILLOW_OK);
    assert_int_equal(willow_wthor_format(&game, bytes, NULL), WILLOW_OK);
    static const unsigned char record[] = {0, 0, 0, 0, 0, 0, 7, 7, 65, 46, 35, 66, 57, 64, 75, 56, 0};
    assert_memory_equal(bytes, record, sizeof record);
    assert_int_equal(willow_game_play(&game, 34, NULL), WILLOW_OK); /* c5: 13-0 */
    assert_int_equal(willow_wthor_format(&game, bytes, NULL), WILLOW_OK);
    assert_int_equal(bytes[6], 64);
    assert_int_equal(bytes[16], 53);
    assert_int_equal(willow_game_init_board(&game, game.ruleset, willow_game_board(&game), WILLOW_BLACK, NULL),
                     WILLOW_OK);
    assert_int_equal(willow_wthor_format(&game, bytes, &error), WILLOW_ERR_MISMATCH);
}

static void no_bytes_lead_astray(void **state)
{
    (void)state;
    static const char positions[] = "% scores\n" START "; F5:+0; D3:-1;\n" OTHER " % comment\r\n"
                                    "0x0000000810000000 0x0000001008000000 X\n"
                                    "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\n";
    static const char transcripts[] = OTHER " d6c3 # and\n1. f5d6\n2. c3 pa d3\n";
    static const char lines[] = START "\nf5d6\nc3d3\n";
    static const struct {
        enum willow_record_format format;
        const char *text;
    } cases[] = {{WILLOW_RECORDS_POSITIONS, positions},
                 {WILLOW_RECORDS_TRANSCRIPTS, transcripts},
                 {WILLOW_RECORDS_TRANSCRIPTS, lines}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned char *data = (unsigned char *)strdup(cases[i].text);
        record_check_garbled(willow_ruleset_default(), cases[i].format, data, strlen(cases[i].text), 1, 4000);
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_survive_every_format),
        cmocka_unit_test(the_reported_games_survive),
        cmocka_unit_test(reported_ggf_is_read_or_refused),
        cmocka_unit_test(moves_come_with_scores_and_times),
        cmocka_unit_test(transcripts_go_over_lines),
        cmocka_unit_test(positions_are_read),
        cmocka_unit_test(formats_are_known_by_content_and_name),
        cmocka_unit_test(wthor_is_written_in_this_form),
        cmocka_unit_test(no_bytes_lead_astray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
