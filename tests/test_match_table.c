/* The tables of a match: their text line by line, its width with many players and long names, and the JSON read back by
 * another library. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "selfplay/cli/match_table.h"

enum { LONG_NAME = 64 };

/* Three players by rank: 2, 0, and 1, who withdrew. */
static struct standings_player rows[3] = {
    {.player = 2,
     .wins = 3,
     .draws = 1,
     .byes = 4,
     .points = 7.5,
     .discs = 148,
     .brightwell = 454,
     .rating = {120.6, -20.2, 260.4}},
    {.player = 0,
     .wins = 2,
     .draws = 1,
     .losses = 3,
     .byes = 2,
     .points = 4.5,
     .discs = 189.5,
     .brightwell = 1428.5,
     .faults = 12},
    {.player = 1, .withdrawn = true, .losses = 2, .discs = 61, .brightwell = 127, .rating = {NAN, NAN, NAN}}};
static double points[9] = {0, 2, 0.5, 0, 0, 0, 3.5, 0, 0};
static uint64_t games[9] = {0, 2, 4, 2, 0, 0, 4, 0, 0};
static const struct standings small = {.players = 3, .rows = rows, .points = points, .games = games};

static char *print_text(const char *const *names, const struct standings *standings, int columns)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    match_table_print(stream, names, standings, columns);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void check_text(const char *const *names, int columns, const char *expected)
{
    char *text = print_text(names, &small, columns);

    if (strcmp(text, expected) != 0)
        fail_msg("printed:\n%sexpected:\n%s", text, expected);
    free(text);
}

static void test_one_table(void **state)
{
    static const char *const names[3] = {"alpha", "b", "gamma-3"};

    (void)state;
    check_text(names, 100,
               "#  player    1   2   3 | points games byes Brightwell discs  Elo       [95%] faults\n"
               "1  gamma-3   x 3.5   . |    7.5     4    4      454.0   148 +121 [-20, +260]      0\n"
               "2  alpha   0.5   x 2.0 |    4.5     6    2     1428.5 189.5   +0      anchor     12\n"
               "3* b         . 0.0   x |    0.0     2    0      127.0    61    -           -      0\n"
               "* withdrawn: its games stand, those that it left out are byes of the others\n");
}

/* One table as long as it fits, to the column. */
static void test_last_column(void **state)
{
    static const char *const names[3] = {"alpha", "b", "gamma-3"};
    char *wide = print_text(names, &small, 100);
    const int width = (int)strcspn(wide, "\n");

    (void)state;
    check_text(names, width, wide);
    char *narrow = print_text(names, &small, width - 1);
    assert_non_null(strstr(narrow, "\n\n"));
    free(narrow);
    free(wide);
}

/* Too narrow for all: the standings first. Names that differ only in their ends can still be told apart. */
static void test_two_tables(void **state)
{
    static const char *const names[3] = {"generation-000001", "generation-000002", "gener\u00e4ti\u00f6n-000003"};

    (void)state;
    check_text(names, 80,
               "#  player            points games byes Brightwell discs  Elo       [95%] faults\n"
               "1  gener\u00e4ti\u00f6n-000003    7.5     4    4      454.0   148 +121 [-20, +260]      0\n"
               "2  generation-000001    4.5     6    2     1428.5 189.5   +0      anchor     12\n"
               "3* generation-000002    0.0     2    0      127.0    61    -           -      0\n"
               "\n"
               "#  player              1   2   3\n"
               "1  gener\u00e4ti\u00f6n-000003   x 3.5   .\n"
               "2  generation-000001 0.5   x 2.0\n"
               "3* generation-000002   . 0.0   x\n"
               "* withdrawn: its games stand, those that it left out are byes of the others\n");
    check_text(names, 20,
               "#  player           points games byes Brightwell discs  Elo       [95%] faults\n"
               "1  gener\u00e4t~n-000003    7.5     4    4      454.0   148 +121 [-20, +260]      0\n"
               "2  generat~n-000001    4.5     6    2     1428.5 189.5   +0      anchor     12\n"
               "3* generat~n-000002    0.0     2    0      127.0    61    -           -      0\n"
               "\n"
               "#  player     1   2\n"
               "1  gen~0003   x 3.5\n"
               "2  gen~0001 0.5   x\n"
               "3* gen~0002   . 0.0\n"
               "\n"
               "#  player     3\n"
               "1  gen~0003   .\n"
               "2  gen~0001 2.0\n"
               "3* gen~0002   x\n"
               "* withdrawn: its games stand, those that it left out are byes of the others\n");
}

/* Any number of players, all with the longest name: no line is wider than the terminal, and each cell is there. */
static void test_width(void **state)
{
    static char texts[SCHEDULE_PLAYERS_MAX][LONG_NAME]; /* alike but for their ends */
    static const char *names[SCHEDULE_PLAYERS_MAX];
    static double many_points[SCHEDULE_PLAYERS_MAX * SCHEDULE_PLAYERS_MAX];
    static uint64_t many_games[SCHEDULE_PLAYERS_MAX * SCHEDULE_PLAYERS_MAX];
    static struct standings_player many_rows[SCHEDULE_PLAYERS_MAX];

    (void)state;
    for (int player = 0; player < SCHEDULE_PLAYERS_MAX; player++) {
        memset(texts[player], 'n', LONG_NAME - 1);
        texts[player][LONG_NAME - 3] = (char)('a' + player / 16);
        texts[player][LONG_NAME - 2] = (char)('a' + player % 16);
        names[player] = texts[player];
        many_rows[player] = (struct standings_player){.player = player,
                                                      .wins = 10000,
                                                      .points = 12000.5,
                                                      .discs = 1234567,
                                                      .brightwell = 1876543.5,
                                                      .rating = {-1000, -1100, -900}};
    }
    for (int players = 2; players <= SCHEDULE_PLAYERS_MAX; players += 9) {
        for (int cell = 0; cell < players * players; cell++) {
            many_games[cell] = cell / players == cell % players ? 0 : 200;
            many_points[cell] = 111.5;
        }
        const struct standings standings = {
            .players = players, .rows = many_rows, .points = many_points, .games = many_games};
        char *text = print_text(names, &standings, 80), *rest = text;
        int cells = 0;

        for (const char *at = text; (at = strstr(at, " 111.5")) != NULL; at++)
            cells++;
        assert_int_equal(cells, players * (players - 1));
        for (const char *line; (line = strsep(&rest, "\n")) != NULL;)
            if (strlen(line) > 80)
                fail_msg("%d players: %zu columns: %s", players, strlen(line), line);
        free(text);
    }
}

static json_t *print_json(const char *const *names, const struct standings *standings,
                          const struct rating_encounter *encounters, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    json_error_t error;

    assert_non_null(stream);
    fputc('{', stream);
    match_table_json(stream, names, standings, encounters, count, 64);
    fputc('}', stream);
    assert_int_equal(fclose(stream), 0);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("%s in %s", error.text, text);
    free(text);
    return root;
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_number(value))
        fail_msg("%s is not a number", key);
    return json_number_value(value);
}

static void check_name(const json_t *object, const char *key, const char *expected)
{
    const char *name = json_string_value(json_object_get(object, key));

    assert_non_null(name);
    assert_string_equal(name, expected);
}

static void test_json_players(void **state)
{
    static const char *const names[3] = {"al\"pha", "b\\", "gamma"};
    json_t *root = print_json(names, &small, NULL, 0);
    const json_t *players = json_object_get(root, "players");

    (void)state;
    assert_int_equal(json_array_size(players), 3);
    assert_int_equal(json_array_size(json_object_get(root, "encounters")), 0);
    for (size_t i = 0; i < 3; i++) {
        const json_t *player = json_array_get(players, i);
        const struct standings_player *row = &rows[i];

        check_name(player, "name", names[row->player]);
        assert_true(number(player, "games") == (double)(row->wins + row->draws + row->losses));
        assert_true(number(player, "wins") == (double)row->wins);
        assert_true(number(player, "draws") == (double)row->draws);
        assert_true(number(player, "losses") == (double)row->losses);
        assert_true(number(player, "byes") == (double)row->byes);
        assert_true(number(player, "faults") == (double)row->faults);
        assert_true(number(player, "points") == row->points);
        assert_true(number(player, "discs") == row->discs);
        assert_true(number(player, "brightwell") == row->brightwell);
        assert_int_equal(json_is_true(json_object_get(player, "withdrawn")), row->withdrawn);
    }
    assert_true(number(json_array_get(players, 0), "elo") == 120.6);
    assert_true(number(json_array_get(players, 0), "elo_low") == -20.2);
    assert_true(number(json_array_get(players, 0), "elo_high") == 260.4);
    assert_true(json_is_null(json_object_get(json_array_get(players, 2), "elo")));
    assert_true(json_is_null(json_object_get(json_array_get(players, 2), "elo_high")));
    json_decref(root);
}

static void test_json_encounters(void **state)
{
    static const char *const names[3] = {"alpha", "b", "gamma"};
    static const char *const known[] = {"score",    "score_low", "score_high", "elo",       "elo_low",
                                        "elo_high", "nelo",      "nelo_low",   "nelo_high", "los",
                                        "discs",    "discs_low", "discs_high"};
    struct rating_encounter encounters[2] = {{.a = 2, .b = 0}, {.a = 0, .b = 1}};
    struct statistics_estimate estimate;

    (void)state;
    statistics_add_pair(&encounters[0].tally, 10, 20);
    statistics_add_pair(&encounters[0].tally, 0, -6);
    json_t *root = print_json(names, &small, encounters, 2);
    const json_t *first = json_array_get(json_object_get(root, "encounters"), 0);
    const json_t *second = json_array_get(json_object_get(root, "encounters"), 1);
    statistics_estimate(&encounters[0].tally, 64, &estimate);
    assert_int_equal(json_array_size(json_object_get(root, "encounters")), 2);
    check_name(first, "a", "gamma");
    check_name(first, "b", "alpha");
    assert_true(number(first, "games") == 4 && number(first, "pairs") == 2 && number(first, "wins") == 2 &&
                number(first, "draws") == 1 && number(first, "losses") == 1);
    assert_true(number(first, "score") == 0.625 && number(first, "discs") == 6);
    assert_true(fabs(number(first, "elo") - estimate.elo) < 0.006);
    assert_true(fabs(number(first, "elo_low") - estimate.elo_low) < 0.006);
    assert_true(fabs(number(first, "score_high") - estimate.score_high) < 1e-6);
    assert_true(fabs(number(first, "los") - estimate.los) < 1e-6);
    for (size_t outcome = 0; outcome < STATISTICS_PAIR_OUTCOMES; outcome++)
        assert_int_equal(json_integer_value(json_array_get(json_object_get(first, "pentanomial"), outcome)),
                         outcome == 1 || outcome == 4);

    /* Nothing was played: nothing is known. */
    check_name(second, "b", "b");
    assert_true(number(second, "pairs") == 0);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_true(json_is_number(json_object_get(first, known[i])));
        assert_true(json_is_null(json_object_get(second, known[i])));
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_table),    cmocka_unit_test(test_last_column),
                                       cmocka_unit_test(test_two_tables),   cmocka_unit_test(test_width),
                                       cmocka_unit_test(test_json_players), cmocka_unit_test(test_json_encounters)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
