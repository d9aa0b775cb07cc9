/* Game records of other programs: games of the slow referee written as WTHOR, GGF and transcripts are read again;
 * faults come with their kind and place; no bytes lead astray. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/random.h>
#include <willow/records.h>

#include "support/record_checks.h"
#include "support/referee.h"

enum { GAMES = 60, TEXT_BYTES = 1 << 18 };

#define START "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
#define HEAD "(;GM[Othello]PC[local]PB[a]PW[b]TY[8]" START

/* A game as the referee played it: moves without passes, and the side of each. */
struct plain_game {
    int count, passes, black_discs_won; /* black's final difference */
    int moves[60];
    bool white[60];
};

static struct plain_game play_plain(uint64_t seed, uint64_t stream)
{
    struct willow_random random;
    struct plain_game game = {0};
    struct referee board = referee_from_words(0x0000000810000000, 0x0000001008000000, UINT64_MAX);
    bool white = false;
    willow_random_init(&random, seed, stream);
    for (; !referee_over(&board); white = !white) {
        const uint64_t moves = referee_moves(&board);
        const int move = moves ? willow_random_bit(&random, moves) : 64;
        if (moves) {
            game.white[game.count] = white;
            game.moves[game.count++] = move;
        } else {
            game.passes++;
        }
        board = referee_play(&board, move);
    }
    game.black_discs_won = white ? -referee_final_discs(&board) : referee_final_discs(&board);
    return game;
}

/* 68 bytes. */
static void write_wthor(unsigned char *bytes, const struct plain_game *game)
{
    memset(bytes, 0, 68);
    bytes[6] = (unsigned char)((game->black_discs_won + 64) / 2);
    for (int i = 0; i < game->count; i++)
        bytes[8 + i] = (unsigned char)(10 * (game->moves[i] / 8 + 1) + game->moves[i] % 8 + 1);
}

static unsigned char *wthor_file(uint64_t seed, uint32_t games, size_t *size)
{
    *size = 16 + (size_t)games * 68;
    unsigned char *bytes = calloc(1, *size);
    bytes[4] = (unsigned char)games, bytes[5] = (unsigned char)(games >> 8);
    bytes[12] = 8;
    for (uint32_t i = 0; i < games; i++) {
        const struct plain_game game = play_plain(seed, i);
        write_wthor(bytes + 16 + (size_t)i * 68, &game);
    }
    return bytes;
}

/* Appends a game as GGF; the style (0 .. 7) varies what writers vary. */
static char *write_ggf(char *to, const struct plain_game *game, int style)
{
    static const char *const passes[] = {NULL, "PA", "pass", "pa//0.5"}; /* NULL = left out */
    const char *pass = passes[style % 4];
    if (style & 1)
        to += sprintf(to, "1 ");
    to += sprintf(to, "%sRE[%+d.000]%s", HEAD, game->black_discs_won, style & 4 ? "\r\n  " : "");
    bool white = false;
    for (int i = 0; i < game->count; i++, white = !white) {
        if (white != game->white[i]) {
            if (pass)
                to += sprintf(to, "%c[%s]", white ? 'W' : 'B', pass);
            white = !white;
        }
        const char *form = style & 2 ? "%c[%c%c/-1.25/0.01]" : "%c[%c%c]";
        to += sprintf(to, form, white ? 'W' : 'B', (style & 4 ? 'A' : 'a') + game->moves[i] % 8,
                      '1' + game->moves[i] / 8);
    }
    return to + sprintf(to, "%s", style & 4 ? ";)" : ";)\n");
}

static char *write_transcript(char *to, const struct plain_game *game)
{
    for (int i = 0; i < game->count; i++)
        to += sprintf(to, "%c%c", 'a' + game->moves[i] % 8, '1' + game->moves[i] / 8);
    return to + sprintf(to, "\n");
}

static void check_game(const struct willow_record *record, const struct plain_game *wanted, bool has_result)
{
    if (record->kind != WILLOW_RECORD_COMPLETE)
        fail_msg("record %d: %s: %s", (int)record->number, record->error.place, record->error.reason);
    int count = 0;
    for (int i = 0; i < record->game.length; i++)
        if (record->game.moves[i] != WILLOW_PASS)
            assert_int_equal(record->game.moves[i], wanted->moves[count++]);
    assert_int_equal(count, wanted->count);
    assert_int_equal(record->game.length, wanted->count + wanted->passes);
    assert_int_equal(willow_game_final_discs(&record->game), wanted->black_discs_won);
    assert_int_equal(record->has_result, has_result);
    assert_int_equal(record->result_discs, has_result ? wanted->black_discs_won : 0);
    assert_string_equal(record->error.reason, "");
}

static void check_games(enum willow_record_format format, const void *data, size_t size, uint64_t seed)
{
    struct willow_records records;
    struct willow_record record;
    int passes = 0;
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), format, data, size, NULL), WILLOW_OK);
    for (uint64_t i = 0; i < GAMES; i++) {
        const struct plain_game wanted = play_plain(seed, i);
        assert_true(willow_records_next(&records, &record));
        assert_int_equal(record.number, i + 1);
        check_game(&record, &wanted, format != WILLOW_RECORDS_TRANSCRIPTS);
        passes += wanted.passes;
    }
    assert_false(willow_records_next(&records, &record));
    assert_false(willow_records_next(&records, &record));
    assert_true(passes > GAMES / 6); /* so that passes were looked at */
}

static void games_of_the_referee_are_read(void **state)
{
    (void)state;
    size_t size;
    unsigned char *wthor = wthor_file(5, GAMES, &size);
    check_games(WILLOW_RECORDS_WTHOR, wthor, size, 5);
    free(wthor);
    char *ggf = malloc(TEXT_BYTES), *transcripts = malloc(TEXT_BYTES), *to = ggf, *line = transcripts;
    line += sprintf(line, "\xEF\xBB\xBF# sixty games\r\n\n  \n");
    for (uint64_t i = 0; i < GAMES; i++) {
        const struct plain_game game = play_plain(6, i);
        to = write_ggf(to, &game, (int)i % 8);
        line = write_transcript(line, &game);
        if (i % 3 == 0)
            line += sprintf(line - 1, "\t # f5 %d\r\n", (int)i) - 1;
    }
    check_games(WILLOW_RECORDS_GGF, ggf, (size_t)(to - ggf), 6);
    check_games(WILLOW_RECORDS_TRANSCRIPTS, transcripts, (size_t)(line - transcripts - 1), 6); /* no final line end */
    free(ggf);
    free(transcripts);
}

/* Writes the referee's game with scores and times, as long as the buffer says, and returns the length. */
static size_t write_game(const struct plain_game *plain, struct willow_game *game, char *buffer, size_t size)
{
    struct willow_ggf_move moves[WILLOW_GAME_MAX] = {0};
    willow_game_init(game, willow_ruleset_default());
    for (int i = 0; i < plain->count; i++) {
        if (willow_game_play(game, (willow_square)plain->moves[i], NULL) != WILLOW_OK) {
            assert_int_equal(willow_game_play(game, WILLOW_PASS, NULL), WILLOW_OK);
            assert_int_equal(willow_game_play(game, (willow_square)plain->moves[i], NULL), WILLOW_OK);
        }
        moves[game->length - 1] = (struct willow_ggf_move){
            .has_score = i % 3 > 0, .has_time = i % 4 > 0, .score_discs = plain->moves[i] - 32.25, .seconds = i / 8.0};
    }
    const struct willow_ggf_game record = {.game = game,
                                           .place = "a \\ [b] (;GM[Othello])",
                                           .black = "\n(;GM[\x7F]\\",
                                           .white = "",
                                           .clock = "5:00",
                                           .moves = moves,
                                           .result_discs = plain->black_discs_won,
                                           .ending = plain->count % 2 ? 't' : 0};
    return willow_ggf_format(&record, buffer, size);
}

static void written_ggf_is_read_again(void **state)
{
    (void)state;
    char *text = malloc(TEXT_BYTES), *cut = malloc(TEXT_BYTES), *to = text;
    struct willow_game game;
    for (uint64_t i = 0; i < GAMES; i++) {
        const struct plain_game plain = play_plain(8, i);
        const size_t length = write_game(&plain, &game, to, 16384);
        assert_int_equal(strlen(to), length);
        assert_true(length < 8192);
        for (size_t size = 0; size <= length + 1; size += 1 + length / 5) {
            memset(cut, 'x', length + 2);
            assert_int_equal(write_game(&plain, &game, cut, size), length);
            assert_memory_equal(cut, to, size ? size - 1 : 0);
            assert_int_equal(cut[size ? size - 1 : 0], size ? '\0' : 'x');
            assert_int_equal(cut[size], 'x');
        }
        to += length;
        *to++ = '\n';
    }
    check_games(WILLOW_RECORDS_GGF, text, (size_t)(to - text), 8);
    free(text);
    free(cut);
}

static void ggf_is_written_in_this_form(void **state)
{
    (void)state;
    char text[1024];
    struct willow_game game;
    const struct willow_ggf_move moves[] = {{.has_score = true, .score_discs = 1.5, .has_time = true, .seconds = 0.12},
                                            {.has_time = true, .seconds = 3},
                                            {.has_score = true, .score_discs = -0.001},
                                            {.has_score = true, .score_discs = 0.0 / 0.0}};
    willow_game_init(&game, willow_ruleset_default());
    struct willow_ggf_game record = {
        .game = &game, .place = "Willow", .black = "a[b]", .white = "(;\\", .moves = moves, .result_discs = -4};
    assert_int_equal(willow_transcript_parse(&game, "f5d6c3d3", NULL), WILLOW_OK);
    const size_t length = willow_ggf_format(&record, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, "(;GM[Othello]PC[Willow]PB[a[b\\]]PW[( ;\\\\]TY[8]RE[-4.000]" START
                              "B[f5/1.50/0.12]W[d6//3.00]B[c3/0.00]W[d3];)");

    /* Another start with white to move, which must pass; resigned; nothing known of the moves. */
    struct willow_board board = {UINT64_C(1) << 0, UINT64_C(1) << 9};
    assert_int_equal(willow_game_init_board(&game, game.ruleset, board, WILLOW_WHITE, NULL), WILLOW_OK);
    assert_int_equal(willow_game_play(&game, 18, NULL), WILLOW_OK);
    record.moves = NULL;
    record.clock = "1:00//2:00";
    record.result_discs = 64;
    record.ending = 'r';
    (void)willow_ggf_format(&record, text, sizeof text);
    assert_string_equal(text, "(;GM[Othello]PC[Willow]PB[a[b\\]]PW[( ;\\\\]TI[1:00//2:00]TY[8]RE[+64.000:r]"
                              "BO[8 O------- -*------ -------- -------- -------- -------- -------- -------- O]"
                              "W[c3];)");
    assert_int_equal(willow_game_init_board(&game, game.ruleset, (struct willow_board){board.opponent, board.player},
                                            WILLOW_WHITE, NULL),
                     WILLOW_OK);
    assert_int_equal(willow_game_play(&game, WILLOW_PASS, NULL), WILLOW_OK);
    (void)willow_ggf_format(&record, text, sizeof text);
    assert_string_equal(text + strlen(text) - 9, "O]W[PA];)");

    /* No word of TY means a placement phase or a hole. */
    static const char *const others[] = {"reversi", "4x4-reversi", "hole:c3"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        willow_game_init(&game, willow_ruleset_find(others[i]));
        assert_int_equal(willow_ggf_format(&record, text, sizeof text), 0);
        assert_string_equal(text, "");
    }
    willow_game_init(&game, willow_ruleset_find("6x6-anti"));
    (void)willow_ggf_format(&record, text, sizeof text);
    assert_non_null(strstr(text, "TY[6a]RE[+64.000:r]BO[6 ------ ------ --O*-- --*O-- ------ ------ *];)"));
}

static void check_refused(enum willow_record_format format, const void *data, size_t size, enum willow_status status,
                          const char *place, const char *reason)
{
    struct willow_records records;
    struct willow_error error = {0};
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), format, data, size, &error), status);
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), format, data, size, NULL), status);
    assert_string_equal(error.place, place);
    if (!strstr(error.reason, reason))
        fail_msg("\"%s\" does not hold \"%s\"", error.reason, reason);
}

static void what_is_no_such_file_is_refused(void **state)
{
    (void)state;
    size_t size;
    unsigned char *file = wthor_file(5, 2, &size);
    for (size_t cut = 0; cut < size; cut++)
        check_refused(WILLOW_RECORDS_WTHOR, file, cut, WILLOW_ERR_FORMAT, cut < 16 ? "" : "offset 4", "no WTHOR file");
    file[7] = 0xFF; /* 4,278,190,082 games */
    check_refused(WILLOW_RECORDS_WTHOR, file, size, WILLOW_ERR_FORMAT, "offset 4",
                  "4278190082 games take 290916925592");
    file[7] = 0;
    file[12] = 10;
    check_refused(WILLOW_RECORDS_WTHOR, file, size, WILLOW_ERR_MISMATCH, "offset 12", "10x10");
    file[12] = 0, file[13] = 1;
    check_refused(WILLOW_RECORDS_WTHOR, file, size, WILLOW_ERR_MISMATCH, "offset 13", "solitaires");
    free(file);
    check_refused(WILLOW_RECORDS_GGF, "", 0, WILLOW_ERR_FORMAT, "", "no GGF");
    check_refused(WILLOW_RECORDS_GGF, "f5d6c3\n", 7, WILLOW_ERR_FORMAT, "", "no GGF");
    check_refused(WILLOW_RECORDS_GGF, "(;\1", 3, WILLOW_ERR_FORMAT, "offset 2", "a byte of value 1");
    check_refused(WILLOW_RECORDS_TRANSCRIPTS, "f5\0d6", 5, WILLOW_ERR_FORMAT, "offset 2", "a byte of value 0");
}

/* What the first record of a text is found to be. */
static void check_record(enum willow_record_format format, const void *data, size_t size, enum willow_record_kind kind,
                         const char *place, const char *reason, int length)
{
    struct willow_records records;
    struct willow_record record;
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), format, data, size, NULL), WILLOW_OK);
    assert_true(willow_records_next(&records, &record));
    if (record.kind != kind || strcmp(record.error.place, place) != 0 || !strstr(record.error.reason, reason) ||
        record.game.length != length)
        fail_msg("kind %d at \"%s\": %s (%d moves) for %.*s", (int)record.kind, record.error.place, record.error.reason,
                 record.game.length, format == WILLOW_RECORDS_WTHOR ? 0 : (int)size, (const char *)data);
    assert_int_equal(record.error.status, WILLOW_ERR_FORMAT);
}

static void faults_of_wthor_games_are_named(void **state)
{
    (void)state;
    static const struct {
        unsigned char moves[12];
        enum willow_record_kind kind;
        const char *place, *reason;
        int length;
    } cases[] = {
        {{0}, WILLOW_RECORD_UNFINISHED, "game 1, offset 16", "not over after move 0", 0},
        {{56, 64, 33}, WILLOW_RECORD_UNFINISHED, "game 1, offset 16", "not over after move 3", 3},
        {{56, 11}, WILLOW_RECORD_ILLEGAL, "game 1, offset 25", "illegal move a1 for white", 1},
        {{56, 56}, WILLOW_RECORD_ILLEGAL, "game 1, offset 25", "illegal move f5 for white", 1},
        {{56, 64, 90}, WILLOW_RECORD_DAMAGED, "game 1, offset 26", "90 is no square", 2},
        {{56, 9}, WILLOW_RECORD_DAMAGED, "game 1, offset 25", "9 is no square", 1},
        {{56, 59}, WILLOW_RECORD_DAMAGED, "game 1, offset 25", "59 is no square", 1},
        {{255}, WILLOW_RECORD_DAMAGED, "game 1, offset 24", "255 is no square", 0},
        {{56, 0, 64}, WILLOW_RECORD_DAMAGED, "game 1, offset 16", "behind the end", 1},
        /* The shortest game, nine moves, and one more. */
        {{65, 46, 35, 66, 57, 64, 75, 56, 53, 54}, WILLOW_RECORD_ILLEGAL, "game 1, offset 33", "the game is over", 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned char file[16 + 68] = {[4] = 1};
        memcpy(file + 24, cases[i].moves, sizeof cases[i].moves);
        check_record(WILLOW_RECORDS_WTHOR, file, sizeof file, cases[i].kind, cases[i].place, cases[i].reason,
                     cases[i].length);
    }
}

static void faults_of_ggf_games_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum willow_record_kind kind;
        const char *place, *reason;
        int length;
    } cases[] = {
        {HEAD "B[f5]W[d6]B[c3];)", WILLOW_RECORD_UNFINISHED, "line 1, column 1", "not over after move 3", 3},
        {HEAD "B[F5/2.449/1.2]W[ D6 //0.5]B[C3/-3.00])", WILLOW_RECORD_UNFINISHED, "line 1, column 1", "move 3", 3},
        {HEAD ";)", WILLOW_RECORD_UNFINISHED, "line 1, column 1", "move 0", 0},
        {"\xEF\xBB\xBF\r\n 17 (;gm[othello]TY[s8]" START "b[f5];)", WILLOW_RECORD_UNFINISHED, "line 2, column 5",
         "move 1", 1},
        {"(;BO[8 ---------------------------O*------*O--------------------------- *]B[f5])", WILLOW_RECORD_UNFINISHED,
         "line 1, column 1", "move 1", 1},
        {HEAD "PB[a\\]b]XX[(;)\n]B[f5];)", WILLOW_RECORD_UNFINISHED, "line 1, column 1", "move 1", 1},
        {"(;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---***-- -------- -------- -------- O]W[d6];)",
         WILLOW_RECORD_OTHER_START, "line 1, column 1", "another position", 1},
        {"(;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- O]W[d3];)",
         WILLOW_RECORD_ILLEGAL, "line 1, column 100", "illegal move d3 for white", 0},
        {"(;GM[Othello]TY[10]BO[10 --- *]B[g6];)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17",
         "a game of 10x10, read as othello; --ruleset 10x10 reads it", 0},
        {"(;GM[Othello]BO[10 --- *]B[g6];)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17", "a game of 10x10, read",
         0},
        {"(;GM[Othello]BO[7 --- *]B[g6];)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17",
         "another variant than othello: \"7 --- *\"", 0},
        {"(;GM[Othello]TY[6]BO[6 --- *]B[g6];)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17", "a game of 6x6,", 0},
        {"(;GM[Othello]TY[4ar]BO[4 --- *]B[g6];)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17",
         "a game of 4x4-anti, read as othello; --ruleset 4x4-anti reads it", 0},
        {"(;GM[Othello]TY[s8r6]BO[8 -------- -------- -------- ---O*--- ---***-- -------- -------- -------- O]W[d6];)",
         WILLOW_RECORD_OTHER_START, "line 1, column 1", "another position", 1},
        {"(;GM[Othello]TY[8R]" START "B[f5];)", WILLOW_RECORD_UNFINISHED, "line 1, column 1", "move 1", 1},
        {"(;GM[Othello]TY[8r14a]" START "B[f5];)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17", "\"8r14a\"", 0},
        {"(;GM[Othello]TY[8k]" START ";)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17", "\"8k\"", 0},
        {"(;GM[Othello]TY[88]" START ";)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17", "\"88\"", 0},
        {"(;GM[Othello]TY[s]" START ";)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17", "\"s\"", 0},
        {"(;GM[Othello]TY[]" START ";)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17", "another variant", 0},
        {"(;GM[Othello]TY[8w]" START ";)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17", "\"8w\"", 0},
        {"(;GM[Othello]TY[8a]" START ";)", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 17",
         "a game of anti, read as othello; --ruleset anti reads it", 0},
        {"(;GM[2]FF[4]SZ[8];B[cd];W[ec])", WILLOW_RECORD_OTHER_VARIANT, "line 1, column 6", "not a game of Othello", 0},
        {HEAD "\nB[f5]B[d6];)", WILLOW_RECORD_ILLEGAL, "line 2, column 8", "although white is to move: \"d6\"", 1},
        {HEAD "W[d6];)", WILLOW_RECORD_ILLEGAL, "line 1, column 119", "although black is to move: \"d6\"", 0},
        {HEAD "B[a1];)", WILLOW_RECORD_ILLEGAL, "line 1, column 119", "illegal move a1 for black", 0},
        {HEAD "B[pass];)", WILLOW_RECORD_ILLEGAL, "line 1, column 119", "illegal pass", 0},
        {HEAD "B[f5]W[d\xC3\xB6z];)", WILLOW_RECORD_DAMAGED, "line 1, column 124", "not a move: \"d??z\"", 1},
        {HEAD "B[];)", WILLOW_RECORD_DAMAGED, "line 1, column 119", "not a move", 0},
        {HEAD "B[f5", WILLOW_RECORD_DAMAGED, "line 1, column 117", "cut off", 0},
        {HEAD "B[f5]W", WILLOW_RECORD_DAMAGED, "line 1, column 123", "ends within a game", 1},
        {HEAD "B[f5] {", WILLOW_RECORD_DAMAGED, "line 1, column 123", "a tag or the end", 1},
        {HEAD START ";)", WILLOW_RECORD_DAMAGED, "line 1, column 117", "a second start", 0},
        {"(;GM[Othello]B[f5]" START ";)", WILLOW_RECORD_DAMAGED, "line 1, column 16", "before the start position", 0},
        {"(;GM[Othello];)", WILLOW_RECORD_DAMAGED, "line 1, column 1", "without a start position", 0},
        {"(;BO[8 ------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *];)", WILLOW_RECORD_DAMAGED,
         "line 1, column 6", "63 squares", 0},
        {"(;BO[8];)", WILLOW_RECORD_DAMAGED, "line 1, column 6", "0 squares", 0},
        {"(;BO[];)", WILLOW_RECORD_DAMAGED, "line 1, column 6", "without its width", 0},
        {"(;BO[8 -------- -------- -------- ---O*--- ---?O--- -------- -------- -------- *];)", WILLOW_RECORD_DAMAGED,
         "line 1, column 6", "neither a disc", 0},
        {"hello " HEAD ";)", WILLOW_RECORD_DAMAGED, "line 1, column 1", "outside of a game", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_record(WILLOW_RECORDS_GGF, cases[i].text, strlen(cases[i].text), cases[i].kind, cases[i].place,
                     cases[i].reason, cases[i].length);
}

/* The game ends before the pass that was not written when the move behind it is illegal. */
static void a_pass_left_out_needs_its_move(void **state)
{
    (void)state;
    int looked_at = 0;
    for (uint64_t stream = 0; stream < 40; stream++) {
        struct plain_game game = play_plain(9, stream);
        int i = 1;
        while (i < game.count && game.white[i] != game.white[i - 1])
            i++;
        if (i == game.count)
            continue;
        char text[2048];
        struct willow_records records;
        struct willow_record record;
        game.count = i + 1;
        game.moves[i] = 27; /* d4, never empty */
        const char *end = write_ggf(text, &game, 0);
        assert_int_equal(willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_GGF, text,
                                             (size_t)(end - text), NULL),
                         WILLOW_OK);
        assert_true(willow_records_next(&records, &record));
        assert_int_equal(record.kind, WILLOW_RECORD_ILLEGAL);
        assert_non_null(strstr(record.error.reason, "illegal move d4"));
        assert_int_equal(record.game.length, i);
        looked_at++;
    }
    assert_true(looked_at > 5);
}

static void recorded_results_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool known;
        int discs;
    } cases[] = {{"RE[+4.000]", true, 4},  {"RE[-64]", true, -64},      {"RE[0.00]", true, 0}, {"RE[12:r]", true, 12},
                 {"RE[+7.500]", false, 7}, {"RE[?]", false, 0},         {"RE[]", false, 0},    {"RE[-]", false, 0},
                 {"", false, 0},           {"RE[99999999]", true, 9999}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        struct willow_records records;
        struct willow_record record;
        const int size = snprintf(text, sizeof text, "%s%sB[f5];)", HEAD, cases[i].text);
        assert_int_equal(
            willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_GGF, text, (size_t)size, NULL),
            WILLOW_OK);
        assert_true(willow_records_next(&records, &record));
        assert_int_equal(record.has_result, cases[i].known);
        if (cases[i].known)
            assert_int_equal(record.result_discs, cases[i].discs);
    }
}

/* Reads everything; returns the kinds as digits. */
static char *kinds_of(enum willow_record_format format, const char *text, char *kinds, size_t size)
{
    struct willow_records records;
    struct willow_record record;
    size_t count = 0;
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), format, text, strlen(text), NULL),
                     WILLOW_OK);
    while (count + 1 < size && willow_records_next(&records, &record))
        kinds[count++] = (char)('0' + (int)record.kind);
    kinds[count] = '\0';
    return kinds;
}

static void a_fault_does_not_hide_what_follows(void **state)
{
    (void)state;
    char text[8192], kinds[16], *to;
    const struct plain_game game = play_plain(7, 1);
    static const char *const faults[] = {
        HEAD "B[f5]W[a1]B[zz]W[(;]\n;)\n", HEAD "B[f", HEAD "B[f5]W\n", HEAD "B[f5]\n1 ",
        "(;GM[Othello]BO[8 ---",           "1 (;\n",   "noise\n",       "(;GM[a\\"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        to = write_ggf(text, &game, 0);
        to += sprintf(to, "%s", faults[i]);
        to = write_ggf(to, &game, 0);
        (void)kinds_of(WILLOW_RECORDS_GGF, text, kinds, sizeof kinds);
        if (kinds[0] != '0' || kinds[1] < '4' || kinds[2] != '0' || kinds[3] != '\0')
            fail_msg("%s: kinds %s", faults[i], kinds);
    }
    /* A count without its game, at the very end. */
    (void)sprintf(write_ggf(text, &game, 0), " 12 ");
    assert_string_equal(kinds_of(WILLOW_RECORDS_GGF, text, kinds, sizeof kinds), "05");
    to = write_transcript(text, &game);
    to += sprintf(to, "f5d6a1\nf5 d6 x\n\nf5\nd6\n");
    (void)write_transcript(to, &game);
    assert_string_equal(kinds_of(WILLOW_RECORDS_TRANSCRIPTS, text, kinds, sizeof kinds), "045140");
}

static void faults_of_transcripts_are_named(void **state)
{
    (void)state;
    static const char two[] = "# two\n\nf5d6a1";
    check_record(WILLOW_RECORDS_TRANSCRIPTS, two, strlen(two), WILLOW_RECORD_ILLEGAL, "line 3, column 5",
                 "illegal move a1 for black", 2);
    check_record(WILLOW_RECORDS_TRANSCRIPTS, "f5 hm", 5, WILLOW_RECORD_DAMAGED, "line 1, column 4", "not a move", 1);
    check_record(WILLOW_RECORDS_TRANSCRIPTS, "f5", 2, WILLOW_RECORD_UNFINISHED, "line 1, column 1", "move 1", 1);
    const size_t size = 10 << 20; /* a line of ten megabytes */
    char *line = malloc(size);
    memset(line, ' ', size);
    memcpy(line + size - 2, "f5", 2);
    check_record(WILLOW_RECORDS_TRANSCRIPTS, line, size, WILLOW_RECORD_DAMAGED, "line 1, column 1", "10485760 bytes",
                 0);
    free(line);
}

static void no_bytes_lead_astray(void **state)
{
    (void)state;
    char *text = malloc(TEXT_BYTES);
    for (int format = WILLOW_RECORDS_WTHOR; format <= WILLOW_RECORDS_TRANSCRIPTS; format++) {
        size_t size = 0;
        char *to = text;
        for (uint64_t i = 0; i < 3; i++) {
            const struct plain_game game = play_plain(8, i);
            to = format == WILLOW_RECORDS_GGF ? write_ggf(to, &game, (int)i + 2) : write_transcript(to, &game);
        }
        unsigned char *data = format == WILLOW_RECORDS_WTHOR ? wthor_file(8, 3, &size) : (unsigned char *)strdup(text);
        size = format == WILLOW_RECORDS_WTHOR ? size : strlen(text);
        record_check_garbled(willow_ruleset_default(), (enum willow_record_format)format, data, size, 1, 4000);
        free(data);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_of_the_referee_are_read),
        cmocka_unit_test(written_ggf_is_read_again),
        cmocka_unit_test(ggf_is_written_in_this_form),
        cmocka_unit_test(what_is_no_such_file_is_refused),
        cmocka_unit_test(faults_of_wthor_games_are_named),
        cmocka_unit_test(faults_of_ggf_games_are_named),
        cmocka_unit_test(a_pass_left_out_needs_its_move),
        cmocka_unit_test(recorded_results_are_read),
        cmocka_unit_test(a_fault_does_not_hide_what_follows),
        cmocka_unit_test(faults_of_transcripts_are_named),
        cmocka_unit_test(no_bytes_lead_astray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
