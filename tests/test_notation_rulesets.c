/* Every notation on every ruleset of the build: random games of the referee are written and read back, as boards, OBF
 * lines, transcripts and records. What only some builds have (holes, other sizes) is in test_other_rulesets.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/records.h>

#include "support/assert_bits.h"
#include "support/record_checks.h"

enum { TEXT_BYTES = 1 << 15 };

/* Calls the check with random games of every ruleset. */
static void with_games(int games, bool any_start, bool cut, void (*check)(const struct willow_game *game))
{
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++) {
        struct willow_random random;
        willow_random_init(&random, 41, ruleset->id);
        for (int g = 0; g < games; g++) {
            const struct willow_game game = record_random_game(ruleset, &random, any_start, cut && g % 2 == 0);
            check(&game);
        }
    }
}

static void squares_are_named(void **state)
{
    (void)state;
    char text[WILLOW_SQUARE_TEXT], expected[16];
    for (int square = 0; square < WILLOW_SQUARES; square++) {
        snprintf(expected, sizeof expected, "%c%d", 'a' + square % WILLOW_SIDE, square / WILLOW_SIDE + 1);
        assert_string_equal(willow_square_format((willow_square)square, text), expected);
        assert_int_equal(willow_square_parse(expected), square);
        expected[0] = (char)(expected[0] - 'a' + 'A');
        assert_int_equal(willow_square_parse(expected), square);
    }
    snprintf(expected, sizeof expected, "a%d", WILLOW_SIDE + 1);
    assert_int_equal(willow_square_parse(expected), WILLOW_NO_SQUARE);
    snprintf(expected, sizeof expected, "%c1", 'a' + WILLOW_SIDE);
    assert_int_equal(willow_square_parse(expected), WILLOW_NO_SQUARE);
    assert_int_equal(willow_square_parse("a0"), WILLOW_NO_SQUARE);
    assert_int_equal(willow_square_parse("a01"), WILLOW_NO_SQUARE);
    assert_int_equal(willow_square_parse("a100"), WILLOW_NO_SQUARE);
}

static void check_board(const struct willow_ruleset *ruleset, struct willow_board board, enum willow_side side)
{
    for (int i = WILLOW_BOARD_LETTERS; i <= WILLOW_BOARD_MOVER; i++) {
        const enum willow_board_notation notation = (enum willow_board_notation)i;
        char text[WILLOW_BOARD_TEXT];
        struct willow_board again = {0};
        enum willow_side mover = side;
        struct willow_error error = {0};
        assert_true(strlen(willow_board_format_as(ruleset, board, side, notation, text)) < sizeof text);
        if (willow_board_parse_as(ruleset, text, notation, &again, &mover, &error) != WILLOW_OK)
            fail_msg("%s, %s: %s: %s in %s", ruleset->name, willow_board_notation_name(notation), error.place,
                     error.reason, text);
        assert_boards_equal(again, board);
        assert_int_equal(mover, notation == WILLOW_BOARD_MOVER ? WILLOW_BLACK : side);
        /* Digits are ambiguous now and then, and then refused. */
        if (notation == WILLOW_BOARD_MOVER || willow_board_parse(ruleset, text, &again, &mover, &error) != WILLOW_OK) {
            assert_true(notation == WILLOW_BOARD_MOVER || notation == WILLOW_BOARD_EGAROUCID ||
                        notation == WILLOW_BOARD_DIGITS);
            continue;
        }
        assert_boards_equal(again, board);
        assert_int_equal(mover, side);
    }
}

static void check_boards(const struct willow_game *game)
{
    for (int i = 0; i <= game->length; i += 3)
        check_board(game->ruleset, game->boards[i], i % 2 == 0 ? game->start_side : 1 - game->start_side);
}

static void boards_are_read_back(void **state)
{
    (void)state;
    with_games(4, false, false, check_boards);
    with_games(6, true, true, check_boards);
}

/* All legal moves with scores at and within the limits; a pass where one is due. */
static void check_obf_lines(const struct willow_game *game)
{
    const int most = willow_ruleset_squares(game->ruleset);
    for (int i = 0; i <= game->length; i += 2) {
        const struct willow_board board = game->boards[i];
        struct willow_obf obf = {.board = board, .side = game->start_side}, again;
        char line[WILLOW_OBF_TEXT + 16];
        struct willow_error error = {0};
        bool empty = true;
        for (int square = 0; square < WILLOW_SQUARES; square++)
            if (willow_board_legal(game->ruleset, board, (willow_square)square)) {
                obf.moves[obf.count] = (willow_square)square;
                obf.scores_discs[obf.count] = obf.count % 3 == 0 ? most : obf.count % 3 == 1 ? -most : square % most;
                obf.count++;
            }
        if (obf.count == 0 && !willow_board_over(game->ruleset, board)) {
            obf.moves[0] = WILLOW_PASS;
            obf.scores_discs[obf.count++] = most;
        }
        assert_true(strlen(willow_obf_format(game->ruleset, &obf, line)) < WILLOW_OBF_TEXT);
        if (willow_obf_parse(game->ruleset, line, &again, &empty, &error) != WILLOW_OK)
            fail_msg("%s: %s: %s in %s", game->ruleset->name, error.place, error.reason, line);
        assert_false(empty);
        assert_boards_equal(again.board, board);
        assert_int_equal(again.count, obf.count);
        assert_memory_equal(again.moves, obf.moves, (size_t)obf.count * sizeof obf.moves[0]);
        assert_memory_equal(again.scores_discs, obf.scores_discs, (size_t)obf.count * sizeof obf.scores_discs[0]);

        /* One more disc than there are squares, and a move that is not legal. */
        char name[WILLOW_SQUARE_TEXT];
        if (obf.count == 0)
            continue;
        const size_t squares = strlen(willow_board_format(game->ruleset, board, obf.side, line));
        willow_square_format(obf.moves[0], name);
        snprintf(line + squares, sizeof line - squares, "; %s:%d;", name, -most - 1);
        assert_int_equal(willow_obf_parse(game->ruleset, line, &again, &empty, &error), WILLOW_ERR_FORMAT);
        assert_non_null(strstr(error.reason, "score outside"));
        int square = 0;
        while (square < WILLOW_SQUARES && willow_board_legal(game->ruleset, board, (willow_square)square))
            square++;
        willow_square_format((willow_square)square, name);
        snprintf(line + squares, sizeof line - squares, "; %s:0;", name);
        assert_int_equal(willow_obf_parse(game->ruleset, line, &again, &empty, &error), WILLOW_ERR_FORMAT);
        assert_non_null(strstr(error.reason, "illegal move"));
    }
}

static void obf_lines_are_read_back(void **state)
{
    (void)state;
    with_games(3, false, false, check_obf_lines);
}

/* Written without separators, with blanks and with numbers. */
static void check_transcripts(const struct willow_game *game)
{
    char text[TEXT_BYTES], name[WILLOW_SQUARE_TEXT];
    for (int form = 0; form < 3; form++) {
        struct willow_game again;
        struct willow_error error = {0};
        size_t used = strlen(willow_transcript_format(game, text));
        for (int i = 0; form > 0 && i < game->length; i++) {
            used = i == 0 ? 0 : used;
            if (form == 2)
                used += (size_t)snprintf(text + used, sizeof text - used, "%d. ", i + 1);
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s ", willow_square_format(game->moves[i], name));
        }
        willow_game_init(&again, game->ruleset);
        if (willow_transcript_parse(&again, text, &error) != WILLOW_OK)
            fail_msg("%s: %s: %s in %s", game->ruleset->name, error.place, error.reason, text);
        assert_true(record_same_game(game, &again));
    }
}

static void transcripts_are_read_back(void **state)
{
    (void)state;
    with_games(12, false, true, check_transcripts);
}

static struct willow_record read_one(const struct willow_ruleset *ruleset, enum willow_record_format format,
                                     const char *text)
{
    struct willow_records records;
    struct willow_record record, second;
    enum willow_record_format guess;
    struct willow_error error = {0};
    assert_true(willow_records_guess(text, strlen(text), &guess));
    if (guess != format)
        fail_msg("%s for %s", willow_record_format_name(guess), text);
    if (willow_records_open(&records, ruleset, format, text, strlen(text), &error) != WILLOW_OK)
        fail_msg("%s: %s in %s", ruleset->name, error.reason, text);
    assert_true(willow_records_next(&records, &record));
    assert_false(willow_records_next(&records, &second));
    return record;
}

static void check_record(const struct willow_game *game, enum willow_record_format format, const char *text)
{
    const struct willow_record record = read_one(game->ruleset, format, text);
    const enum willow_record_kind kind = !willow_game_starts_usually(game) ? WILLOW_RECORD_OTHER_START
                                         : willow_game_over(game)          ? WILLOW_RECORD_COMPLETE
                                                                           : WILLOW_RECORD_UNFINISHED;
    if (record.kind != kind || !record_same_game(game, &record.game))
        fail_msg("%s: kind %d, %s: %s in %s", game->ruleset->name, (int)record.kind, record.error.place,
                 record.error.reason, text);
    assert_false(willow_record_result_differs(&record));
}

static void check_records(const struct willow_game *game)
{
    char text[TEXT_BYTES], line[WILLOW_TRANSCRIPT_LINE];
    const struct willow_ggf_game written = {
        .game = game, .black = "a", .white = "b", .result_discs = willow_game_final_discs(game)};
    const size_t size = willow_ggf_format(&written, text, sizeof text);
    assert_int_equal(size == 0, game->ruleset->placement != 0 || strncmp(game->ruleset->name, "hole", 4) == 0);
    if (size > 0)
        check_record(game, WILLOW_RECORDS_GGF, text);
    assert_in_range(willow_sgf_format(&written, text, sizeof text), 1, sizeof text - 1);
    check_record(game, WILLOW_RECORDS_SGF, text);
    (void)willow_transcript_line(game, line);
    if (game->length > 0)
        check_record(game, WILLOW_RECORDS_TRANSCRIPTS, line);
    struct willow_game position;
    assert_int_equal(willow_game_init_board(&position, game->ruleset, willow_game_board(game), game->side, NULL),
                     WILLOW_OK);
    (void)willow_board_format(game->ruleset, position.boards[0], position.side, line);
    check_record(&position, WILLOW_RECORDS_POSITIONS, line);
}

static void records_are_read_back(void **state)
{
    (void)state;
    with_games(4, false, true, check_records);
    with_games(4, true, true, check_records);
}

/* Whatever the ruleset, garbled records are read to their end. */
static void no_bytes_lead_astray(void **state)
{
    (void)state;
    static const enum willow_record_format formats[] = {WILLOW_RECORDS_GGF, WILLOW_RECORDS_SGF,
                                                        WILLOW_RECORDS_TRANSCRIPTS, WILLOW_RECORDS_POSITIONS};
    const struct willow_ruleset *ruleset;
    for (int i = 0; i < 14 && (ruleset = willow_ruleset_at(i)) != NULL; i++)
        for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
            char text[TEXT_BYTES], board[WILLOW_BOARD_LINE];
            struct willow_random random;
            willow_random_init(&random, 43, ruleset->id);
            const struct willow_game game = record_random_game(ruleset, &random, f % 2 == 0, true);
            const struct willow_ggf_game written = {.game = &game, .black = "a", .white = "b"};
            text[0] = '\0';
            if (formats[f] == WILLOW_RECORDS_GGF)
                (void)willow_ggf_format(&written, text, sizeof text);
            else if (formats[f] == WILLOW_RECORDS_SGF)
                (void)willow_sgf_format(&written, text, sizeof text);
            else if (formats[f] == WILLOW_RECORDS_TRANSCRIPTS)
                (void)willow_transcript_line(&game, text);
            else
                (void)snprintf(text, sizeof text, "%s;\n",
                               willow_board_format(ruleset, game.boards[0], game.start_side, board));
            if (text[0] != '\0')
                record_check_garbled(ruleset, formats[f], (unsigned char *)text, strlen(text), 5, 300);
        }
}

/* The format of the archive knows othello alone. */
static void wthor_is_of_othello(void **state)
{
    (void)state;
    unsigned char file[WILLOW_WTHOR_HEADER_BYTES + WILLOW_WTHOR_GAME_BYTES];
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++) {
        struct willow_records records;
        struct willow_error error = {0};
        struct willow_game game;
        const bool othello = strcmp(ruleset->name, "othello") == 0;
        const enum willow_status expected = othello ? WILLOW_OK : WILLOW_ERR_MISMATCH;
        memset(file, 0, sizeof file);
        willow_wthor_header(&(struct willow_wthor_date){2000, 1, 2}, 1, 2000, file);
        willow_game_init(&game, ruleset);
        assert_int_equal(willow_wthor_format(&game, file + WILLOW_WTHOR_HEADER_BYTES, &error), expected);
        assert_true(othello || strstr(error.reason, ruleset->name));
        assert_int_equal(willow_records_open(&records, ruleset, WILLOW_RECORDS_WTHOR, file, sizeof file, &error),
                         expected);
        assert_true(othello || strstr(error.reason, ruleset->name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_named),       cmocka_unit_test(boards_are_read_back),
        cmocka_unit_test(obf_lines_are_read_back), cmocka_unit_test(transcripts_are_read_back),
        cmocka_unit_test(records_are_read_back),   cmocka_unit_test(no_bytes_lead_astray),
        cmocka_unit_test(wthor_is_of_othello),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
