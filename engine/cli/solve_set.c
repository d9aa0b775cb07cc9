/* Positions with exact scores: reading an OBF file, and comparing scores with it. Does not search.
 * Layer: engine/cli (program willow).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "solve.h"

enum { OBF_BYTES_MAX = 1 << 28 };

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

static enum willow_status add_line(struct solve_set *set, size_t *capacity, const char *path, size_t number,
                                   const char *line, struct willow_error *error)
{
    struct willow_obf obf;
    bool empty = false;
    if (willow_obf_parse(line, &obf, &empty, error) != WILLOW_OK)
        return place_error(error, path, number);
    if (empty)
        return WILLOW_OK;
    if (set->count == *capacity) {
        const size_t grown = *capacity ? *capacity * 2 : 64;
        struct solve_problem *problems = reallocarray(set->problems, grown, sizeof *problems);
        if (!problems)
            return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
        set->problems = problems;
        *capacity = grown;
    }
    struct solve_problem *problem = &set->problems[set->count++];
    memset(problem, 0, sizeof *problem);
    problem->obf = obf;
    problem->empties = 64 - willow_board_discs(obf.board);
    for (int i = 0; i < obf.count; i++) {
        if (i == 0 || obf.scores_discs[i] > problem->best_discs)
            problem->best_discs = obf.scores_discs[i];
    }
    return WILLOW_OK;
}

enum willow_status solve_set_load(const char *path, struct solve_set *set, struct willow_error *error)
{
    *set = (struct solve_set){NULL, 0};
    unsigned char *data = NULL;
    size_t size = 0, capacity = 0;
    enum willow_status status = willow_file_read(path, OBF_BYTES_MAX, &data, &size, error);
    size_t number = 0;
    /* Some editors put a byte order mark in front. */
    const size_t mark = status == WILLOW_OK && size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (size_t at = mark; status == WILLOW_OK && at < size;) {
        char *line = (char *)data + at;
        const char *end = memchr(line, '\n', size - at);
        size_t length = end ? (size_t)(end - line) : size - at;
        at += length + 1;
        number++;
        if (length > 0 && line[length - 1] == '\r')
            length--;
        line[length] = '\0';
        if (strlen(line) != length) {
            char place[64];
            snprintf(place, sizeof place, "line %zu, column %zu", number, strlen(line) + 1);
            status = willow_fail(error, WILLOW_ERR_FORMAT, path, place, "a zero byte; this is not a text file");
        } else {
            status = add_line(set, &capacity, path, number, line, error);
        }
    }
    if (status == WILLOW_OK && set->count == 0)
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "no position in the file");
    free(data);
    if (status != WILLOW_OK)
        solve_set_clear(set);
    return status;
}

void solve_set_clear(struct solve_set *set)
{
    free(set->problems);
    *set = (struct solve_set){NULL, 0};
}

void solve_totals_add(struct solve_totals *totals, double difference_discs)
{
    const double error = fabs(difference_discs);
    totals->compared++;
    totals->error_sum += error;
    totals->within_3 += error <= 3.0;
    totals->within_6 += error <= 6.0;
    totals->within_9 += error <= 9.0;
}

bool solve_file_score(const struct willow_obf *obf, willow_square move, int *discs)
{
    for (int i = 0; i < obf->count; i++) {
        if (obf->moves[i] == move) {
            *discs = obf->scores_discs[i];
            return true;
        }
    }
    return false;
}

/* The value of a position that the other side has to move in, from the side that moved there. */
static willow_score child_score(const struct willow_weights *weights, struct willow_board child)
{
    const struct willow_ruleset *ruleset = willow_weights_ruleset(weights);
    if (willow_board_over(ruleset, child))
        return -willow_board_final_discs(ruleset, child) * WILLOW_SCORE_DISC;
    if (willow_board_moves(ruleset, child) == 0)
        return willow_evaluate(weights, willow_board_play(child, WILLOW_PASS));
    return -willow_evaluate(weights, child);
}

struct solve_static solve_static_position(const struct willow_weights *weights, const struct solve_problem *problem,
                                          struct solve_totals *totals)
{
    const struct willow_obf *obf = &problem->obf;
    struct solve_static outcome = {.best_move = WILLOW_NO_SQUARE};
    int best_file = 0;
    for (int i = 0; i < obf->count; i++) {
        const willow_score score = child_score(weights, willow_board_play(obf->board, obf->moves[i]));
        const double difference = (double)score / WILLOW_SCORE_DISC - obf->scores_discs[i];
        solve_totals_add(totals, difference);
        outcome.error_sum += fabs(difference);
        /* Files list the best move first: ties by place in the file would flatter weights that know nothing. */
        const bool better = outcome.best_move == WILLOW_NO_SQUARE || score > outcome.best_score ||
                            (score == outcome.best_score && obf->moves[i] < outcome.best_move);
        if (better) {
            outcome.best_move = obf->moves[i];
            outcome.best_score = score;
            best_file = obf->scores_discs[i];
        }
    }
    outcome.best = obf->count > 0 && best_file == problem->best_discs;
    return outcome;
}
