/* Chooses among the formats of willow solve, and writes OBF: a position with its moves and scores, as it is read.
 * Layer: engine/cli (program willow).
 */
#include <stdio.h>

#include "solve_output.h"

/* Scores in OBF are whole discs. */
static int nearest_discs(willow_score score)
{
    const int half = score < 0 ? -WILLOW_SCORE_DISC / 2 : WILLOW_SCORE_DISC / 2;
    return (score + half) / WILLOW_SCORE_DISC;
}

/* What an entry cannot say stands behind it as a comment. */
static void print_obf(const struct solve_style *style, const struct solve_problem *problem,
                      const struct solve_verdict *verdict)
{
    const struct willow_result *result = &problem->result;
    struct willow_obf obf = {.board = problem->obf.board, .side = problem->obf.side};
    char text[WILLOW_OBF_TEXT], depth[16];
    if (problem->move_count > 0) {
        for (; obf.count < problem->move_count; obf.count++) {
            obf.moves[obf.count] = problem->moves[obf.count].move;
            obf.scores_discs[obf.count] = nearest_discs(problem->moves[obf.count].score);
        }
    } else if (result->move != WILLOW_NO_SQUARE) {
        obf.moves[0] = result->move;
        obf.scores_discs[0] = nearest_discs(result->score);
        obf.count = 1;
    }
    printf("%s", willow_obf_format(style->ruleset, &obf, text));
    if (obf.count == 0)
        printf(" %% over, %+d", nearest_discs(result->score));
    solve_format_depth(problem, depth, sizeof depth);
    if (!result->exact)
        printf(" %% not exact: depth %s", depth);
    if (verdict->wrong_score)
        printf(" %% the file says %+d", problem->best_discs);
    printf("\n");
}

void solve_output_begin(const struct solve_style *style)
{
    if (style->format == SOLVE_JSON)
        solve_json_begin(style);
    else if (style->positions && style->format == SOLVE_TEXT && !style->is_static)
        printf("   # empties move score  file   depth   seconds         nodes       rate  %s\n",
               style->all_moves ? "moves" : "line");
}

void solve_output_position(const struct solve_style *style, const struct solve_problem *problem,
                           const struct solve_verdict *verdict, bool first)
{
    if (!style->positions)
        return;
    if (style->format == SOLVE_JSON)
        solve_json_position(style, problem, verdict, first);
    else if (style->format == SOLVE_OBF)
        print_obf(style, problem, verdict);
    else
        solve_text_position(style, problem, verdict);
    fflush(stdout);
}

void solve_output_static(const struct solve_style *style, const struct solve_problem *problem,
                         const struct solve_static *outcome, bool first)
{
    if (!style->positions)
        return;
    if (style->format == SOLVE_JSON)
        solve_json_static(style, problem, outcome, first);
    else
        solve_text_static(problem, outcome);
}

void solve_output_end(const struct solve_style *style, const struct solve_totals *totals)
{
    if (style->format == SOLVE_JSON) {
        if (style->positions)
            printf("\n], ");
        solve_json_totals(totals);
    } else if (style->format == SOLVE_TEXT) {
        solve_text_totals(stdout, totals, style->is_static);
    }
}
