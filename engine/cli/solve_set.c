/* Positions to be solved: reading files of them, line by line. Does not search, compares nothing.
 * Layer: engine/cli (program willow).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "solve.h"

enum { SET_BYTES_MAX = 1 << 28 };

/* Puts file and line in front of the column that the parser gave. */
static enum willow_status place_error(struct willow_error *error, const char *path, size_t line)
{
    if (!error)
        return WILLOW_ERR_FORMAT;
    struct willow_error inner = *error;
    char place[sizeof inner.place];
    if (inner.place[0])
        snprintf(place, sizeof place, "line %zu, %.60s", line, inner.place);
    else
        snprintf(place, sizeof place, "line %zu", line);
    return willow_fail(error, inner.status, path, place, "%s", inner.reason);
}

/* An OBF entry, or a board alone in another notation. A line with a semicolon is meant as OBF. */
static enum willow_status parse_line(const struct willow_ruleset *ruleset, const char *line, struct willow_obf *obf,
                                     bool *empty, struct willow_error *error)
{
    struct willow_board board;
    enum willow_side side;
    const enum willow_status status = willow_obf_parse(ruleset, line, obf, empty, error);
    if (status != WILLOW_ERR_FORMAT || strchr(line, ';') ||
        willow_board_parse(ruleset, line, &board, &side, NULL) != WILLOW_OK)
        return status;
    *obf = (struct willow_obf){.board = board, .side = side};
    *empty = false;
    return WILLOW_OK;
}

static enum willow_status add_position(struct solve_set *set, const char *path, size_t number,
                                       const struct willow_obf *obf, struct willow_error *error)
{
    if (set->count == set->capacity) {
        const size_t grown = set->capacity ? set->capacity * 2 : 64;
        struct solve_problem *problems = reallocarray(set->problems, grown, sizeof *problems);
        if (!problems)
            return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
        set->problems = problems;
        set->capacity = grown;
    }
    struct solve_problem *problem = &set->problems[set->count++];
    memset(problem, 0, sizeof *problem);
    problem->obf = *obf;
    problem->file = path;
    problem->line = number;
    problem->number = set->count;
    problem->empties = willow_board_empties(set->ruleset, obf->board);
    for (int i = 0; i < obf->count; i++) {
        if (i == 0 || obf->scores_discs[i] > problem->best_discs)
            problem->best_discs = obf->scores_discs[i];
    }
    return WILLOW_OK;
}

static enum willow_status add_line(struct solve_set *set, const char *path, size_t number, const char *line,
                                   struct willow_error *error)
{
    struct willow_obf obf;
    bool empty = false;
    if (parse_line(set->ruleset, line, &obf, &empty, error) != WILLOW_OK)
        return place_error(error, path, number);
    return empty ? WILLOW_OK : add_position(set, path, number, &obf, error);
}

enum willow_status solve_set_add_start(struct solve_set *set, struct willow_error *error)
{
    const struct willow_obf obf = {.board = set->ruleset->start, .side = WILLOW_BLACK};
    return add_position(set, "--start", 1, &obf, error);
}

/* Line by line; the data are written over. */
static enum willow_status add_lines(struct solve_set *set, const char *path, char *data, size_t size,
                                    struct willow_error *error)
{
    /* Some editors put a byte order mark in front. */
    size_t at = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    enum willow_status status = WILLOW_OK;
    for (size_t number = 1; status == WILLOW_OK && at < size; number++) {
        char *line = data + at;
        const char *end = memchr(line, '\n', size - at);
        size_t length = end ? (size_t)(end - line) : size - at;
        at += length + 1;
        if (length > 0 && line[length - 1] == '\r')
            length--;
        line[length] = '\0';
        if (strlen(line) != length) {
            char place[64];
            snprintf(place, sizeof place, "line %zu, column %zu", number, strlen(line) + 1);
            status = willow_fail(error, WILLOW_ERR_FORMAT, path, place, "a zero byte; this is not a text file");
        } else {
            status = add_line(set, path, number, line, error);
        }
    }
    return status;
}

enum willow_status solve_set_add(struct solve_set *set, const char *path, struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    const size_t before = set->count;
    const char *name = willow_file_input_name(path);
    enum willow_status status = willow_file_read_input(path, SET_BYTES_MAX, &data, &size, error);
    if (status == WILLOW_OK)
        status = add_lines(set, name, (char *)data, size, error);
    if (status == WILLOW_OK && set->count == before)
        status = willow_fail(error, WILLOW_ERR_FORMAT, name, NULL, "no position in the file");
    free(data);
    return status;
}

enum willow_status solve_set_load(const char *path, const struct willow_ruleset *ruleset, struct solve_set *set,
                                  struct willow_error *error)
{
    *set = (struct solve_set){.ruleset = ruleset};
    const enum willow_status status = solve_set_add(set, path, error);
    if (status != WILLOW_OK)
        solve_set_clear(set);
    return status;
}

void solve_set_clear(struct solve_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->problems[i].moves);
    free(set->problems);
    *set = (struct solve_set){.ruleset = set->ruleset};
}

void solve_set_choose(struct solve_set *set, size_t first, size_t last)
{
    /* Nothing has been solved yet, so that nothing hangs on the positions that are dropped. */
    set->count = last - first + 1;
    memmove(set->problems, set->problems + first - 1, set->count * sizeof *set->problems);
}
