/* A GTP session across the table. */
#include "support/gtp_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>

#include "protocol/hint.h"

/* Shared by all tests. */
static struct willow_weights *weights;
static struct willow_search *search;

int gtp_table_set_up(void **state)
{
    (void)state;
    if (willow_weights_default(&weights, NULL) != WILLOW_OK)
        return -1;
    return willow_search_new(weights, 1 << 16, &search, NULL) == WILLOW_OK ? 0 : -1;
}

int gtp_table_tear_down(void **state)
{
    (void)state;
    willow_search_free(search);
    willow_weights_free(weights);
    return 0;
}

static void start(void *context, const struct think_request *request)
{
    struct gtp_table *table = context;
    assert_false(table->running);
    table->request = *request;
    table->running = true;
    table->started++;
}

static void stop(void *context)
{
    struct gtp_table *table = context;
    assert_true(table->running);
    table->stopped++;
}

static void clear(void *context)
{
    struct gtp_table *table = context;
    assert_false(table->running);
    table->cleared++;
}

static enum willow_status set_threads(void *context, int threads, struct willow_error *error)
{
    struct gtp_table *table = context;
    assert_false(table->running);
    if (threads > 64)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no room for so many threads");
    table->threads = threads;
    return WILLOW_OK;
}

static enum willow_status set_ruleset(void *context, const struct willow_ruleset *ruleset,
                                      const struct willow_weights **given, struct willow_error *error)
{
    struct gtp_table *table = context;
    assert_false(table->running);
    if (table->refuses)
        return willow_fail(error, WILLOW_ERR_MISMATCH, "a.wlw", NULL, "not for %s", ruleset->name);
    willow_weights_free(table->weights);
    assert_int_equal(willow_weights_open("zero", ruleset, &table->weights, NULL), WILLOW_OK);
    table->ruleset = ruleset;
    *given = table->weights;
    return WILLOW_OK;
}

static bool take_output(void *context, const char *text, size_t length)
{
    struct gtp_table *table = context;
    if (table->deaf)
        return false;
    assert_true(table->length + length < sizeof table->output);
    memcpy(table->output + table->length, text, length);
    table->length += length;
    table->output[table->length] = '\0';
    return true;
}

struct gtp_settings gtp_table_settings(struct gtp_table *table)
{
    return (struct gtp_settings){.name = "Tree",
                                 .version = "1.2",
                                 .ruleset = willow_weights_ruleset(weights),
                                 .weights = weights,
                                 .choice = {.level = 3},
                                 .choice_clocked = {.limits = {.exact_empties = 10}},
                                 .threads = 1,
                                 .files = true,
                                 .engine = {table, start, stop, clear, set_threads, set_ruleset},
                                 .write = take_output,
                                 .output = table};
}

void gtp_table_open(struct gtp_table *table, const struct gtp_settings *settings)
{
    gtp_free(table->gtp);
    assert_int_equal(gtp_new(settings, &table->gtp, NULL), WILLOW_OK);
}

struct gtp_table *gtp_table_new(void)
{
    struct gtp_table *table = calloc(1, sizeof *table);
    assert_non_null(table);
    table->now_ns = 1000000000;
    const struct gtp_settings settings = gtp_table_settings(table);
    gtp_table_open(table, &settings);
    return table;
}

struct gtp_table *gtp_table_new_pondering(void)
{
    struct gtp_table *table = gtp_table_new();
    struct gtp_settings settings = gtp_table_settings(table);
    settings.ponder = true;
    gtp_table_open(table, &settings);
    return table;
}

void gtp_table_free(struct gtp_table *table)
{
    gtp_free(table->gtp);
    willow_weights_free(table->weights);
    free(table);
}

/* What is written for this line. */
const char *table_say(struct gtp_table *table, const char *line)
{
    table->length = 0;
    table->output[0] = '\0';
    (void)gtp_line(table->gtp, line, table->now_ns);
    return table->output;
}

bool table_report(struct gtp_table *table, willow_square move)
{
    static struct think_report made;
    made = (struct think_report){.kind = table->request.kind, .final = true, .result = {.move = move}};
    assert_true(table->running);
    table->running = false;
    return gtp_report(table->gtp, &made, table->now_ns);
}

/* Searches what is asked for, in earnest but not deeply. */
static void no_progress(void *context, const struct think_report *made)
{
    (void)context;
    (void)made;
}

void gtp_table_think(struct gtp_table *table)
{
    static struct think_report made;
    const struct willow_ruleset *ruleset = table->ruleset ? table->ruleset : willow_weights_ruleset(weights);
    struct willow_search *own = NULL, *used = search;
    if (table->ruleset) {
        assert_int_equal(willow_search_new(table->weights, 1 << 16, &own, NULL), WILLOW_OK);
        assert_int_equal(willow_search_set_ruleset(own, ruleset, NULL), WILLOW_OK);
        used = own;
    }
    const struct willow_limits limits = {.depth = 2, .exact_empties = 4};
    assert_true(table->running);
    table->running = false;
    made = (struct think_report){.kind = table->request.kind};
    if (table->request.kind == THINK_MOVE)
        willow_search_run(used, table->request.board, &limits, &made.result);
    else
        hint_run(used, ruleset, table->request.board, &limits, table->request.count, no_progress, NULL, &made);
    willow_search_free(own);
    made.final = true;
    (void)gtp_report(table->gtp, &made, table->now_ns);
}

void table_expect(struct gtp_table *table, const char *line, const char *answer)
{
    assert_string_equal(table_say(table, line), answer);
}

/* Moves of both sides in turn, passes left out. */
void table_play_all(struct gtp_table *table, const char *moves)
{
    for (int i = 0; moves[2 * i] != '\0'; i++) {
        char line[32];
        snprintf(line, sizeof line, "play %s %.2s", i % 2 == 0 ? "b" : "w", moves + 2 * i);
        table_expect(table, line, "=\n\n");
    }
}

void table_genmove(struct gtp_table *table, const char *line, const char *move)
{
    char answer[16];
    table_expect(table, line, "");
    snprintf(answer, sizeof answer, "= %s\n\n", move);
    assert_true(table_report(table, willow_square_parse(move)));
    assert_string_equal(table->output, answer);
}
