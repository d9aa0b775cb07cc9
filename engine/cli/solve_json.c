/* Results of willow solve as JSON: one object, the positions first so that they can be written as they are finished.
 * Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <stdio.h>

#include <willow/notation.h>
#include <willow/program.h>

#include "solve_output.h"

/* In discs: whole where the game was played to its end. */
static void print_score(willow_score score, bool to_end)
{
    if (to_end)
        printf("%d", (int)(score / WILLOW_SCORE_DISC));
    else
        printf("%.2f", (double)score / WILLOW_SCORE_DISC);
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

/* What every position has: which one it is. */
static void print_head(const struct solve_style *style, const struct solve_problem *problem, bool first)
{
    char board[WILLOW_BOARD_TEXT];
    printf("%s\n{\"number\": %zu, \"file\": ", first ? "" : ",", problem->number);
    willow_json_string(stdout, problem->file);
    printf(", \"line\": %zu, \"board\": \"%s\", \"empties\": %d", problem->line,
           willow_board_format(style->ruleset, problem->obf.board, problem->obf.side, board), problem->empties);
}

/* A finished game has no move: null. */
static void print_move(willow_square move)
{
    char text[WILLOW_SQUARE_TEXT];
    if (move == WILLOW_NO_SQUARE)
        printf("null");
    else
        printf("\"%s\"", willow_square_format(move, text));
}

void solve_json_begin(const struct solve_style *style)
{
    printf("{\"ruleset\": \"%s\", \"raw\": %s, ", style->ruleset->name, truth(style->raw));
    if (style->positions)
        printf("\"results\": [");
}

void solve_json_position(const struct solve_style *style, const struct solve_problem *problem,
                         const struct solve_verdict *verdict, bool first)
{
    const struct willow_result *result = &problem->result;
    const bool to_end = result->depth == problem->empties;
    print_head(style, problem, first);
    printf(", \"move\": ");
    print_move(result->move);
    printf(", \"score\": ");
    print_score(result->score, result->exact || to_end);
    printf(", \"exact\": %s, \"depth\": %d, \"selectivity\": %d, \"complete\": %s, \"nodes\": %" PRIu64
           ", \"seconds\": %.6f, \"pv\": [",
           truth(result->exact), result->depth, result->selectivity, truth(result->complete), result->nodes,
           (double)result->time_ns * 1e-9);
    for (int i = 0; i < result->pv_length; i++) {
        printf("%s", i > 0 ? ", " : "");
        print_move(result->pv[i]);
    }
    printf("]");
    if (problem->move_count > 0) {
        printf(", \"moves\": [");
        for (int i = 0; i < problem->move_count; i++) {
            const struct willow_scored_move *scored = &problem->moves[i];
            printf("%s{\"move\": ", i > 0 ? ", " : "");
            print_move(scored->move);
            printf(", \"score\": ");
            print_score(scored->score, scored->exact || to_end);
            printf(", \"exact\": %s}", truth(scored->exact));
        }
        printf("]");
    }
    if (problem->obf.count > 0)
        printf(", \"file_score\": %d, \"wrong_score\": %s, \"wrong_move\": %s", problem->best_discs,
               truth(verdict->wrong_score), truth(verdict->wrong_move));
    printf("}");
}

void solve_json_static(const struct solve_style *style, const struct solve_problem *problem,
                       const struct solve_static *outcome, bool first)
{
    print_head(style, problem, first);
    printf(", \"move\": ");
    print_move(outcome->best_move);
    printf(", \"score\": ");
    print_score(outcome->best_score, false);
    printf(", \"scored_moves\": %d, \"mean_absolute_error\": %.6f, \"file_score\": %d, \"wrong_move\": %s}",
           problem->obf.count, outcome->error_sum / problem->obf.count, problem->best_discs, truth(!outcome->best));
}

/* Without scores in the file there is nothing to measure: null. */
void solve_json_totals(const struct solve_totals *totals)
{
    printf("\"positions\": %" PRIu64 ", \"moves\": %" PRIu64, totals->positions, totals->moves);
    if (totals->positions > 0)
        printf(", \"mean_absolute_error\": %.6f, \"best_move\": %.6f, \"within_3\": %.6f, \"within_6\": %.6f, "
               "\"within_9\": %.6f",
               totals->error_sum / (double)totals->compared, solve_share(totals->best, totals->positions),
               solve_share(totals->within_3, totals->compared), solve_share(totals->within_6, totals->compared),
               solve_share(totals->within_9, totals->compared));
    else
        printf(", \"mean_absolute_error\": null, \"best_move\": null, \"within_3\": null, \"within_6\": null, "
               "\"within_9\": null");
    printf(", \"wrong_exact\": %" PRIu64 ", \"nodes\": %" PRIu64 ", \"seconds\": %.3f}\n", totals->wrong_exact,
           totals->nodes, totals->seconds);
}
