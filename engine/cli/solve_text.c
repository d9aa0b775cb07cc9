/* Results of willow solve as a table for people: a line a position, then the totals.
 * Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <stdio.h>

#include <willow/notation.h>
#include <willow/program.h>

#include "solve_output.h"

void solve_format_score(willow_score score, bool to_end, char *buffer, size_t size)
{
    if (to_end)
        snprintf(buffer, size, "%+d", (int)(score / WILLOW_SCORE_DISC));
    else
        snprintf(buffer, size, "%+.2f", (double)score / WILLOW_SCORE_DISC);
}

void solve_format_depth(const struct solve_problem *problem, char *buffer, size_t size)
{
    const struct willow_result *result = &problem->result;
    if (result->exact)
        snprintf(buffer, size, "exact");
    else if (result->selectivity == WILLOW_NOT_SELECTIVE)
        snprintf(buffer, size, "%d", result->depth);
    else if (result->depth == problem->empties)
        snprintf(buffer, size, "end@%d%%", result->selectivity);
    else
        snprintf(buffer, size, "%d@%d%%", result->depth, result->selectivity);
}

double solve_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0.0;
}

/* What a node rate reads like: three digits and a unit. */
static void format_rate(double nodes, double seconds, char *buffer, size_t size)
{
    const double rate = seconds > 0 ? nodes / seconds : 0;
    if (rate >= 1e6)
        snprintf(buffer, size, "%.1f M/s", rate * 1e-6);
    else
        snprintf(buffer, size, "%.0f k/s", rate * 1e-3);
}

/* The line to the end of the search, or every move with its score. */
static void print_moves(const struct solve_style *style, const struct solve_problem *problem)
{
    const struct willow_result *result = &problem->result;
    char move[WILLOW_SQUARE_TEXT], score[16];
    if (!style->all_moves) {
        for (int i = 0; i < result->pv_length; i++)
            printf(" %s", willow_square_format(result->pv[i], move));
        return;
    }
    const bool to_end = result->depth == problem->empties;
    for (int i = 0; i < problem->move_count; i++) {
        const struct willow_scored_move *scored = &problem->moves[i];
        solve_format_score(scored->score, scored->exact || to_end, score, sizeof score);
        printf(" %s:%s", willow_square_format(scored->move, move), score);
    }
}

void solve_text_position(const struct solve_style *style, const struct solve_problem *problem,
                         const struct solve_verdict *verdict)
{
    const struct willow_result *result = &problem->result;
    char move[WILLOW_SQUARE_TEXT], score[16], file[16] = "-", depth[16], rate[24];
    solve_format_score(result->score, result->exact || result->depth == problem->empties, score, sizeof score);
    if (problem->obf.count > 0)
        snprintf(file, sizeof file, "%+d", problem->best_discs);
    solve_format_depth(problem, depth, sizeof depth);
    const double seconds = (double)result->time_ns * 1e-9;
    format_rate((double)result->nodes, seconds, rate, sizeof rate);
    printf("%4zu %3d  %-4s %6s %5s %7s %9.3f %13" PRIu64 " %10s ", problem->number, problem->empties,
           willow_square_format(result->move, move), score, file, depth, seconds, result->nodes, rate);
    print_moves(style, problem);
    printf("%s%s\n", verdict->wrong_score ? "  WRONG SCORE" : "", verdict->wrong_move ? "  wrong move" : "");
}

void solve_text_static(const struct solve_problem *problem, const struct solve_static *outcome)
{
    char move[WILLOW_SQUARE_TEXT];
    printf("%4zu %3d  %-4s %+7.2f %+5d  mean error %6.2f over %2d moves%s\n", problem->number, problem->empties,
           willow_square_format(outcome->best_move, move), (double)outcome->best_score / WILLOW_SCORE_DISC,
           problem->best_discs, outcome->error_sum / problem->obf.count, problem->obf.count,
           outcome->best ? "" : "  wrong move");
}

void solve_text_totals(FILE *stream, const struct solve_totals *totals, bool is_static)
{
    char duration[32], rate[24];
    if (!is_static) {
        format_rate((double)totals->nodes, totals->seconds, rate, sizeof rate);
        fprintf(stream, "%s, %" PRIu64 " nodes, %s\n", willow_duration_text(totals->seconds, duration), totals->nodes,
                rate);
    }
    if (totals->positions == 0) {
        fprintf(stream, "no scores to compare with\n");
        return;
    }
    fprintf(stream, "%s: %" PRIu64 " positions, %" PRIu64 " scored moves\n", is_static ? "static accuracy" : "accuracy",
            totals->positions, totals->moves);
    fprintf(
        stream,
        "best move %.1f%%, within 3 discs %.1f%%, within 6 %.1f%%, within 9 %.1f%%, mean absolute error %.2f discs\n",
        100 * solve_share(totals->best, totals->positions), 100 * solve_share(totals->within_3, totals->compared),
        100 * solve_share(totals->within_6, totals->compared), 100 * solve_share(totals->within_9, totals->compared),
        totals->error_sum / (double)totals->compared);
    if (totals->wrong_exact > 0)
        fprintf(stream, "%" PRIu64 " exact scores disagree with the file\n", totals->wrong_exact);
}
