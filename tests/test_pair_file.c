/* Games of a match as lines: one form, room for the longest, and whatever else a file may hold is refused with its line
 * and a reason of plain letters. Pairs in a folder: test_match_folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/notation.h>

#include "selfplay/match/game_json.h"
#include "support/pairs_in_memory.h"

/* A whole game, always the first move that is legal. */
static void play_first_moves(struct willow_game *game)
{
    willow_game_init(game, willow_ruleset_default());
    while (!willow_game_over(game)) {
        const uint64_t moves = willow_board_moves(game->ruleset, willow_game_board(game));
        const willow_square move = moves ? (willow_square)__builtin_ctzll(moves) : WILLOW_PASS;
        assert_int_equal(willow_game_play(game, move, NULL), WILLOW_OK);
    }
}

/* Copies the text without the list of seconds of each line. */
static char *without_seconds(const char *text)
{
    char *copy = strdup(text), *at = copy;
    while ((at = strstr(at, "\"seconds\":[")) != NULL) {
        char *end = strchr(at, ']');
        memmove(at, end, strlen(end) + 1);
    }
    return copy;
}

static void lines_have_one_form(void **state)
{
    (void)state;
    char lines[2][GAME_JSON_MAX + 1];
    struct game_record played = {.opening = 2, .end = GAME_PLAYED};
    play_first_moves(&played.game);
    played.discs = willow_game_final_discs(&played.game);
    for (int i = 0; i < 2; i++) {
        size_t length = 0;
        struct game_json game = {.pair = 7, .black = "a", .white = "b", .record = played};
        if (i == 1)
            for (int j = 0; j < game.record.game.length; j++)
                game.record.moves[j].used_ns += 12345678;
        assert_int_equal(game_json_write(&game, lines[i], &length, NULL), WILLOW_OK);
        lines[i][length] = '\0';
        assert_int_equal(strlen(lines[i]), length);
    }
    assert_string_not_equal(lines[0], lines[1]);
    char *first = without_seconds(lines[0]), *second = without_seconds(lines[1]);
    assert_string_equal(first, second);
    free(first);
    free(second);

    struct game_json game = {.pair = 3, .game = 1, .black = "b", .white = "a\"", .record = {.opening = 1}};
    struct game_record *record = &game.record;
    willow_game_init(&record->game, willow_ruleset_default());
    static const char *const squares[] = {"f5", "d6", "c3"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(willow_game_play(&record->game, willow_square_parse(squares[i]), NULL), WILLOW_OK);
    record->moves[1] = (struct game_move){.has_score = true, .score_discs = -0.001f, .depth = -3, .nodes = UINT64_MAX};
    record->moves[2] = (struct game_move){.score_discs = 2, .depth = 9, .nodes = 12, .used_ns = 1234567890};
    record->end = GAME_CRASHED;
    record->culprit = WILLOW_WHITE;
    record->discs = 64;
    (void)snprintf(record->reason, sizeof record->reason, "ended\xFF with\n1");
    size_t length = 0;
    assert_int_equal(game_json_write(&game, lines[0], &length, NULL), WILLOW_OK);
    lines[0][length] = '\0';
    assert_string_equal(lines[0],
                        "{\"pair\":3,\"game\":1,\"black\":\"b\",\"white\":\"a\\\"\",\"opening\":\"f5\",\"moves\":"
                        "\"d6c3\",\"result\":64,\"end\":\"crashed\",\"by\":\"a\\\"\",\"reason\":\"ended? with\\n1\","
                        "\"seconds\":[0.000000,1.234568],\"scores\":[0.00,null],\"depths\":[0,9],"
                        "\"nodes\":[9223372036854775807,12]}\n");
}

/* The longest line that can be: 60 moves, the largest numbers, reasons and names of characters that take most. */
static void the_longest_line_has_room(void **state)
{
    (void)state;
    char line[GAME_JSON_MAX];
    size_t length = 0;
    static struct game_json game, again;
    play_first_moves(&game.record.game);
    game.record.end = GAME_HUNG;
    game.record.culprit = WILLOW_BLACK;
    game.record.discs = -64;
    game.pair = INT64_MAX;
    memset(game.black, 'b', sizeof game.black - 1);
    memset(game.white, 'w', sizeof game.white - 1);
    memset(game.record.reason, 1, sizeof game.record.reason - 1);
    for (int i = 0; i < game.record.game.length; i++)
        game.record.moves[i] = (struct game_move){true, -3.4e38f, INT32_MAX, UINT64_MAX, UINT64_MAX};
    assert_int_equal(game_json_write(&game, line, &length, NULL), WILLOW_OK);
    assert_int_equal(game_json_read(line, length - 1, willow_ruleset_default(), "f", "line 1", &again, NULL),
                     WILLOW_OK);
    assert_int_equal(again.record.game.length, game.record.game.length);
}

/* Refused with the line and the reason, whether or not somebody wants to know. */
static void check_refused(const char *text, size_t size, const char *place, const char *reason)
{
    struct willow_error error = {0};
    uint64_t whole;
    const enum willow_status status = pairs_in_memory(text, size, &whole, &error);
    if (status != WILLOW_ERR_FORMAT || strcmp(error.file, "games") != 0 || strcmp(error.place, place) != 0 ||
        !strstr(error.reason, reason))
        fail_msg("%d %s: %s: %s, not %s: %s", (int)status, error.file, error.place, error.reason, place, reason);
    for (const char *c = error.reason; *c; c++)
        assert_in_range(*c, ' ', 126);
    assert_int_equal(pairs_in_memory(text, size, &whole, NULL), WILLOW_ERR_FORMAT);
}

#define LISTS "\"seconds\":[0.1],\"scores\":[null],\"depths\":[0],\"nodes\":[0]}\n"
#define TAIL ",\"opening\":\"f5\",\"moves\":\"d6\",\"result\":-64,\"end\":\"resigned\","
static const char good_lines[] = "{\"pair\":0,\"game\":0,\"black\":\"a\",\"white\":\"b\"" TAIL "\"by\":\"a\"," LISTS
                                 "{\"pair\":0,\"game\":1,\"black\":\"b\",\"white\":\"a\"" TAIL "\"by\":\"b\"," LISTS;

/* `from` becomes `to` in the first line that holds it. */
static const struct {
    const char *from, *to, *place, *reason;
} damages[] = {
    {"{\"pair\":0", "{\"pear\":0", "line 1", "\"pear\": unknown key"},
    {"{\"pair\":0", "", "line 1", "not sound JSON"},
    {"\"pair\":0", "\"pair\":0,\"pair\":0", "line 1", "not sound JSON"},
    {"\"pair\":0", "\"pair\":-1", "line 1", "\"pair\": "},
    {"\"pair\":0", "\"pair\":1", "line 2", "another pair"},
    {"\"pair\":0", "\"pair\":99999999999999999999", "line 1", "not sound JSON"},
    {"\"pair\":0", "\"pair\":0.0", "line 1", "\"pair\": "},
    {"\"pair\":0", "\"pair\":{\"pair\":[]}", "line 1", "\"pair\": "},
    {"\"game\":0", "\"game\":1", "line 1", "without the first"},
    {"\"game\":1", "\"game\":0", "line 2", "where the second is due"},
    {"\"game\":1", "\"game\":2", "line 2", "\"game\": "},
    {"\"white\":\"b\"", "\"white\":\"a\"", "line 1", "two names"},
    {"\"white\":\"b\"", "\"white\":\"\"", "line 1", "two names"},
    {"\"white\":\"b\"", "\"white\":\"\\n\"", "line 1", "two names"},
    {"\"black\":\"a\"", "\"black\":null", "line 1", "\"black\": "},
    {"\"black\":\"a\"", "\"black\":\"\\u0000\"", "line 1", "not sound JSON"},
    {"\"black\":\"a\"", "\"black\":\"\x1b[1m\"", "line 1", "not sound JSON"},
    {"\"white\":\"a\"", "\"white\":\"c\"", "line 2", "colours swapped"},
    {"\"white\":\"b\"", "\"white\":\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"", "line 1",
     "\"white\": "},
    {"\"opening\":\"f5\"", "\"opening\":\"a1\"", "line 1", "\"opening\": column 1: illegal move a1"},
    {"\"opening\":\"f5\"", "\"opening\":\"\"", "line 1", "\"moves\": column 1: illegal move d6"},
    {"\"opening\":\"f5\",\"moves\":\"d6\"", "\"opening\":\"f5d6\",\"moves\":\"c3\"", "line 2", "another opening"},
    {"\"opening\":\"f5\"", "\"start\":\"X\",\"opening\":\"f5\"", "line 1", "\"start\": the board has 1 squares"},
    {"\"opening\":\"f5\"", "\"start\":3,\"opening\":\"f5\"", "line 1", "\"start\": "},
    {"\"moves\":\"d6\"", "\"moves\":\"d6 \xC3\xA9\"", "line 1", "\"moves\": column 4: not a move"},
    {"\"moves\":\"d6\"", "\"moves\":\"\"", "line 1", "\"seconds\": more values"},
    {"\"moves\":\"d6\"", "\"moves\":\"d6c3\"", "line 1", "\"seconds\": a value is missing"},
    {"-64", "64", "line 1", "its result is -64, not +64"},
    {"-64", "-6", "line 1", "its result is -64, not -6"},
    {"-64", "-64000", "line 1", "\"result\": "},
    {"\"end\":\"resigned\"", "\"end\":\"lost\"", "line 1", "\"end\": no way"},
    {"\"end\":\"resigned\"", "\"end\":\"played\"", "line 1", "\"by\": the game was played"},
    {"\"end\":\"resigned\",\"by\":\"a\"", "\"end\":\"played\"", "line 1", "it is not over"},
    {"\"by\":\"a\",", "", "line 1", "\"by\": "},
    {"\"by\":\"a\"", "\"by\":\"c\"", "line 1", "\"by\": neither"},
    {"\"by\":\"a\"", "\"by\":\"b\"", "line 1", "its result is +64, not -64"},
    {"\"by\":\"a\"", "\"reason\":7,\"by\":\"a\"", "line 1", "\"reason\": "},
    {"\"seconds\":[0.1]", "\"seconds\":[-0.1]", "line 1", "\"seconds\": a value"},
    {"\"seconds\":[0.1]", "\"seconds\":[1e10]", "line 1", "\"seconds\": a value"},
    {"\"seconds\":[0.1]", "\"seconds\":[1e999]", "line 1", "not sound JSON"},
    {"\"seconds\":[0.1]", "\"seconds\":[null]", "line 1", "\"seconds\": a value"},
    {"\"seconds\":[0.1]", "\"seconds\":0.1", "line 1", "\"seconds\": missing or no list"},
    {"\"scores\":[null]", "\"scores\":[1e300]", "line 1", "\"scores\": a value"},
    {"\"scores\":[null]", "\"scores\":[\"0\"]", "line 1", "\"scores\": a value"},
    {"\"scores\":[null]", "\"scores\":[]", "line 1", "\"scores\": a value is missing"},
    {"\"depths\":[0]", "\"depths\":[4294967296]", "line 1", "\"depths\": a value"},
    {"\"nodes\":[0]", "\"nodes\":[-1]", "line 1", "\"nodes\": a value"},
    {"\"nodes\":[0]", "\"nodes\":[0,0]", "line 1", "\"nodes\": more values"},
    {"\"nodes\":[0]}", "\"nodes\":[0]}{}", "line 1", "not sound JSON"},
    {"\"nodes\":[0]}\n", "\"nodes\":[0]}\n\n", "line 2", "not sound JSON"},
    {"\"nodes\":[0]}\n{", "\"nodes\":[0]}\n[]\n{", "line 2", "not an object"},
};

static void damaged_lines_are_named(void **state)
{
    (void)state;
    char text[2048];
    uint64_t whole;
    assert_int_equal(pairs_in_memory(good_lines, strlen(good_lines), &whole, NULL), WILLOW_OK);
    assert_int_equal(whole, strlen(good_lines));
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const char *at = strstr(good_lines, damages[i].from);
        assert_non_null(at);
        const int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good_lines), good_lines, damages[i].to,
                                    at + strlen(damages[i].from));
        check_refused(text, (size_t)length, damages[i].place, damages[i].reason);
    }
}

static void hostile_files_are_refused(void **state)
{
    (void)state;
    enum { BIG = 1 << 20 };
    char *text = malloc(BIG);
    const size_t good = strlen(good_lines);
    /* Deep nesting, with and without an end; a long line; zeros in the middle; a tail that is nobody's. */
    memset(text, '[', BIG);
    text[9999] = '\n';
    check_refused(text, 10000, "line 1", "not sound JSON");
    text[9999] = '[';
    check_refused(text, 10000, "line 1", "neither a game nor what is left of one");
    check_refused(text, BIG, "line 1", "longer than 16384 bytes");
    memcpy(text, good_lines, good);
    memset(text + good, 0, 100);
    memcpy(text + good + 100, good_lines, good);
    check_refused(text, 2 * good + 100, "line 3", "not sound JSON");
    text[good] = 'x';
    check_refused(text, good + 1, "line 3", "neither a game nor what is left of one");
    memcpy(text + good, "{\"pair\":\0\0x", 11);
    check_refused(text, good + 11, "line 3", "neither a game nor what is left of one");
    text[20] = '\0';
    check_refused(text, good, "line 1", "not sound JSON");
    free(text);
    /* A gigabyte without a line end, most of it a hole. */
    struct willow_error error = {0};
    uint64_t whole;
    const int fd = memfd_create("games", MFD_CLOEXEC);
    assert_true(fd >= 0 && write(fd, good_lines, good) == (ssize_t)good);
    assert_int_equal(ftruncate(fd, 1 << 30), 0);
    assert_int_equal(pair_file_read(fd, "games", willow_ruleset_default(), NULL, NULL, &whole, &error),
                     WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, "line 3");
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_one_form),
        cmocka_unit_test(the_longest_line_has_room),
        cmocka_unit_test(damaged_lines_are_named),
        cmocka_unit_test(hostile_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
