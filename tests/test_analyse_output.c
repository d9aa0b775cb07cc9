/* What an analysis prints: tables and graph within 80 columns, the SVG picture whatever the names hold, JSON that reads
 * back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <willow/notation.h>

#include "base/utf8.h"
#include "cli/analyse.h"
#include "support/random_weights.h"

/* Two bad players, one pass, and the end on a full board. */
static const char *const whole_game = "d3c5f6f5f4c3c4d2e2b4d1f3b5e3f2f1a4d6e6e7f7b6e8c6b3a5d7a3e1a6g1a2c2c7b8d8c8g8g6h6"
                                      "g5h5g4h4h3g7h8f8h7a8a7b7a1b2g3g2h2h1c1b1";

/* Shared by all tests: the game above, and a position, as noise sees them. */
static struct analyse_game *game, *position;

static void analyse(struct analyse_game *into, struct willow_search *search, const struct willow_game *played, bool all)
{
    const struct analyse_plan plan = {
        .choice.limits = {.depth = 2, .selectivity = WILLOW_NOT_SELECTIVE, .exact_empties = 8},
        .all = all,
        .blunder_loss = 6 * WILLOW_SCORE_DISC};
    analyse_start(into, played);
    assert_int_equal(analyse_run(into, search, &plan, NULL), WILLOW_OK);
}

static int set_up(void **state)
{
    (void)state;
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 5);
    struct willow_weights *noise = random_weights(willow_pattern_set_default(), &stages, 11, 80);
    struct willow_search *search = NULL;
    game = calloc(1, sizeof *game);
    position = calloc(1, sizeof *position);
    if (!game || !position || willow_search_new(noise, 1 << 20, &search, NULL) != WILLOW_OK)
        return -1;
    struct willow_game played;
    willow_game_init(&played, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&played, whole_game, NULL), WILLOW_OK);
    analyse(game, search, &played, false);
    struct willow_game lone;
    willow_game_init_board(&lone, played.ruleset, played.boards[30], WILLOW_BLACK, NULL);
    analyse(position, search, &lone, true);
    game->number = 7;
    willow_search_free(search);
    willow_weights_free(noise);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(game);
    free(position);
    return 0;
}

enum part { GAME, POSITION, SUMMARY, GRAPH, SVG, JSON };

static char *printed(enum part part, const struct analyse_game *analysis, int lines, struct analyse_style style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    switch (part) {
    case GAME:
        analyse_print_game(stream, analysis, lines, &style);
        break;
    case POSITION:
        analyse_print_position(stream, analysis, lines);
        break;
    case SUMMARY:
        analyse_print_summary(stream, analysis);
        break;
    case GRAPH:
        analyse_print_graph(stream, analysis, &style);
        break;
    case SVG:
        analyse_print_svg(stream, analysis);
        break;
    case JSON:
        analyse_print_json(stream, analysis);
        break;
    }
    assert_int_equal(fclose(stream), 0);
    return text;
}

static int count_of(const char *text, const char *piece)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at += strlen(piece))
        count++;
    return count;
}

/* Characters of one column each, at most 80 in a line, none of them blank at its end. Returns the lines. */
static int check_text(const char *text, bool unicode)
{
    int lines = 0, column = 0;
    char before = '\0';
    for (const char *at = text; *at;) {
        uint32_t point;
        const size_t length = utf8_read(at, &point);
        assert_true(length > 0);
        assert_true(point == '\n' || (point >= ' ' && point != 0x7f));
        assert_true(unicode || point < 0x7f);
        if (point == '\n') {
            assert_true(before != ' ');
            lines++;
            column = -1;
        }
        column++;
        assert_true(column <= 80);
        before = *at;
        at += length;
    }
    assert_int_equal(column, 0);
    return lines;
}

static void test_text_fits(void **state)
{
    (void)state;
    for (int unicode = 0; unicode < 2; unicode++)
        for (int part = GAME; part <= GRAPH; part++) {
            const struct analyse_style style = {.unicode = unicode == 1};
            for (int lines = 0; lines < 3; lines++) {
                char *text = printed((enum part)part, part == POSITION ? position : game, lines, style);
                assert_true(check_text(text, style.unicode) > 1);
                free(text);
            }
        }
    /* Colours add nothing but escape codes. */
    char *plain = printed(GAME, game, 0, (struct analyse_style){0});
    char *inked = printed(GAME, game, 0, (struct analyse_style){.colour = true});
    char *to = inked;
    assert_true(count_of(inked, "\033[1;31m") == count_of(plain, "??"));
    for (const char *from = inked; *from; from++)
        if (*from == '\033')
            from = strchr(from, 'm');
        else
            *to++ = *from;
    *to = '\0';
    assert_string_equal(plain, inked);
    free(plain);
    free(inked);
}

static void test_game_table(void **state)
{
    (void)state;
    char *text = printed(GAME, game, 0, (struct analyse_style){0});
    assert_int_equal(check_text(text, false), 2 + 60 + 1);
    assert_int_equal(count_of(text, "pass\n"), 1);
    const struct analyse_summary black = analyse_summarise(game, WILLOW_BLACK);
    const struct analyse_summary white = analyse_summarise(game, WILLOW_WHITE);
    assert_int_equal(count_of(text, " ??"), black.blunders + white.blunders);
    assert_int_equal(count_of(text, " ?"), black.blunders + white.blunders + black.mistakes + white.mistakes);
    free(text);
}

static void test_position_table(void **state)
{
    (void)state;
    const int legal = position->positions[0].legal;
    char *text = printed(POSITION, position, 0, (struct analyse_style){0});
    assert_int_equal(check_text(text, false), 1 + legal);
    free(text);
    text = printed(POSITION, position, 3, (struct analyse_style){0});
    assert_int_equal(check_text(text, false), 1 + 3);
    free(text);
    text = printed(POSITION, position, 1000, (struct analyse_style){0});
    assert_int_equal(check_text(text, false), 1 + legal);
    free(text);
}

/* Scores by hand: the bars stand where they belong, and nothing stands where nothing is known. */
static void test_graph_by_hand(void **state)
{
    (void)state;
    struct analyse_game *hand = calloc(1, sizeof *hand);
    assert_non_null(hand);
    static const int black_discs[] = {0, 8, -8, 4, -4, 1};
    struct willow_game played;
    willow_game_init(&played, willow_ruleset_default());
    assert_int_equal(willow_transcript_parse(&played, "f5d6c3d3c4", NULL), WILLOW_OK);
    analyse_start(hand, &played);
    for (int i = 0; i < hand->count; i++) {
        struct analyse_position *at = &hand->positions[i];
        at->done = i != 3;
        at->score = black_discs[i] * WILLOW_SCORE_DISC * (at->side == WILLOW_BLACK ? 1 : -1);
    }
    hand->positions[1].mark = ANALYSE_BLUNDER; /* White's: move 2 */
    hand->positions[4].mark = ANALYSE_MISTAKE; /* Black's: move 5 */
    char *text = printed(GRAPH, hand, 0, (struct analyse_style){0});
    assert_string_equal(text, "Score in discs: Black ahead above the line, White below it\n"
                              "                ?\n"
                              "  +8 |  ##\n"
                              "     |  ##\n"
                              "     |  ##\n"
                              "  +4 |  ##\n"
                              "     |  ##\n"
                              "     |  ##      ##\n"
                              "   0 +------------\n"
                              "     |    ##  ##\n"
                              "     |    ##  ##\n"
                              "  -4 |    ##  ##\n"
                              "     |    ##\n"
                              "     |    ##\n"
                              "  -8 |    ##\n"
                              "          ?\n"
                              "          ?\n"
                              "      0         5  moves\n");
    free(text);
    free(hand);
}

/* Every tag that opens closes in its order, attributes are quoted, and no '&' or '<' stands alone. */
static void check_xml(const char *text)
{
    const char *open[32];
    int depth = 0;
    for (const char *at = text; *at; at++) {
        uint32_t point;
        assert_true(utf8_read(at, &point) > 0 || ((unsigned char)*at & 0xc0) == 0x80);
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
        if (*at == '&')
            assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0);
        if (*at != '<')
            continue;
        const char *name = at + 1 + (at[1] == '/'), *end = strchr(at, '>');
        assert_non_null(end);
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzPath");
        assert_true(length > 0);
        assert_int_equal(count_of(text, "\"") % 2, 0);
        if (at[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_true(strncmp(open[depth], name, length) == 0);
        } else if (end[-1] != '/') {
            assert_true(depth < 32);
            open[depth++] = name;
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

static void test_svg(void **state)
{
    (void)state;
    strcpy(game->names[WILLOW_BLACK], "<script>&\"'\001\377]]>--\342\200\256");
    strcpy(game->names[WILLOW_WHITE], "Zo\303\253 & a name that is far too long for the title of it");
    char *text = printed(SVG, game, 0, (struct analyse_style){0});
    check_xml(text);
    assert_int_equal(strncmp(text, "<svg ", 5), 0);
    assert_int_equal(count_of(text, "<script"), 0);
    assert_int_equal(count_of(text, "\342\200\256"), 0);
    assert_true(count_of(text, "&lt;script&gt;&amp;\"'") > 0);
    assert_true(count_of(text, "Zo\303\253 &amp; a name") > 0);
    assert_true(count_of(text, "(Black) 32 \342\200\223 32 ") > 0);
    assert_int_equal(count_of(text, "nan"), 0);
    assert_true(count_of(text, "prefers-color-scheme:dark") > 0);
    const struct analyse_summary black = analyse_summarise(game, WILLOW_BLACK);
    const struct analyse_summary white = analyse_summarise(game, WILLOW_WHITE);
    assert_int_equal(count_of(text, "<circle class=\"blunder\""), black.blunders + white.blunders);
    assert_int_equal(count_of(text, "<circle class=\"mistake\""), black.mistakes + white.mistakes);
    free(text);
    /* The widest names: at the usual 20 pixels they would take about twice the picture. */
    memset(game->names[WILLOW_BLACK], 'W', 40);
    memset(game->names[WILLOW_WHITE], 'M', 40);
    game->names[WILLOW_BLACK][40] = game->names[WILLOW_WHITE][40] = '\0';
    text = printed(SVG, game, 0, (struct analyse_style){0});
    assert_int_equal(count_of(text, "y=\"36\" style=\"font-size:9.3px\""), 1);
    free(text);
    /* Stopped half-way, and before anything was done. */
    for (int known = 30; known >= 0; known -= 30) {
        struct analyse_game *part = malloc(sizeof *part);
        assert_non_null(part);
        *part = *game;
        for (int i = 0; i < part->count - known; i++) {
            part->positions[i].done = false;
            part->positions[i].mark = ANALYSE_GOOD;
        }
        text = printed(SVG, part, 0, (struct analyse_style){0});
        check_xml(text);
        assert_int_equal(count_of(text, "nan"), 0);
        free(text);
        free(part);
    }
    game->names[WILLOW_BLACK][0] = game->names[WILLOW_WHITE][0] = '\0';
}

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void test_json(void **state)
{
    (void)state;
    strcpy(game->names[WILLOW_BLACK], "a \"b\" \\ \001");
    char *text = printed(JSON, game, 0, (struct analyse_style){0});
    assert_int_equal(count_of(text, "\n"), 1);
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    assert_non_null(root);
    assert_true(number(root, "game") == 7);
    assert_true(number(root, "result") == 0);
    assert_true(json_is_null(json_object_get(root, "recorded_result")));
    assert_true(json_is_true(json_object_get(root, "complete")));
    assert_string_equal(json_string_value(json_object_get(root, "black")), game->names[WILLOW_BLACK]);
    json_t *positions = json_object_get(root, "positions");
    assert_int_equal((int)json_array_size(positions), game->count);
    double lost[2] = {0, 0};
    for (int i = 0; i < game->count; i++) {
        const struct analyse_position *at = &game->positions[i];
        const json_t *shown = json_array_get(positions, (size_t)i);
        assert_true(number(shown, "score") * WILLOW_SCORE_DISC == at->score);
        assert_true(number(shown, "black_score") * WILLOW_SCORE_DISC == analyse_black_score(at));
        assert_true(number(shown, "number") == at->number);
        assert_int_equal((int)json_array_size(json_object_get(shown, "moves")), at->count);
        if (at->played_at >= 0)
            lost[at->side] += number(shown, "loss");
        assert_int_equal(json_is_null(json_object_get(shown, "played")), at->played == WILLOW_NO_SQUARE);
    }
    const json_t *summary = json_object_get(root, "summary");
    assert_true(number(json_object_get(summary, "black"), "discs_lost") == lost[WILLOW_BLACK]);
    assert_true(number(json_object_get(summary, "white"), "discs_lost") == lost[WILLOW_WHITE]);
    json_decref(root);
    free(text);
    game->names[WILLOW_BLACK][0] = '\0';
}

/* A game of 96 moves, as on a board of 100 squares, shares a bar between two moves and stays within 80 columns; the
 * mark of either of them shows. */
static void test_graph_of_a_long_game(void **state)
{
    (void)state;
    enum { MOVES = 96, BLUNDER_AT = 40 };
    struct analyse_game *longer = calloc(1, sizeof *longer);
    assert_non_null(longer);
    willow_game_init(&longer->game, willow_ruleset_default());
    longer->count = MOVES + 1;
    for (int i = 0; i <= MOVES; i++) {
        struct analyse_position *at = &longer->positions[i];
        at->side = i % 2 == 0 ? WILLOW_BLACK : WILLOW_WHITE;
        at->number = i + 1;
        at->played = (willow_square)(i < MOVES ? i % WILLOW_SQUARES : WILLOW_NO_SQUARE);
        at->done = true;
        at->score = (at->side == WILLOW_BLACK ? 1 : -1) * (i < BLUNDER_AT ? 5 : -5) * WILLOW_SCORE_DISC;
        at->mark = i == BLUNDER_AT ? ANALYSE_BLUNDER : ANALYSE_GOOD;
    }
    char *text = printed(GRAPH, longer, 0, (struct analyse_style){0});
    check_text(text, false);
    assert_int_equal(count_of(text, "  moves, 2 a bar\n"), 1);
    assert_int_equal(count_of(text, " 10 "), 1);
    assert_int_equal(count_of(text, "?"), 2); /* a blunder has two, one below the other */
    /* Bars 0 .. 19 hold points 0 .. 39 and are black's, the others white's. */
    char row[80];
    memset(row, '#', sizeof row);
    char black[32], white[80];
    snprintf(black, sizeof black, "|%.20s\n", row);
    snprintf(white, sizeof white, "|%20s%.29s\n", "", row);
    assert_int_equal(count_of(text, black), 4); /* five of eight discs, in six rows */
    assert_int_equal(count_of(text, white), 4);
    free(text);
    free(longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_fits),
        cmocka_unit_test(test_game_table),
        cmocka_unit_test(test_position_table),
        cmocka_unit_test(test_graph_by_hand),
        cmocka_unit_test(test_svg),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_graph_of_a_long_game),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
