/* Compares what the engine says of positions with the scores in their file, by search or by evaluation alone.
 * Does not search, prints nothing. Layer: engine/cli (program willow).
 */
#include <math.h>

#include "solve.h"

static void add_difference(struct solve_totals *totals, double difference_discs)
{
    const double error = fabs(difference_discs);
    totals->compared++;
    totals->error_sum += error;
    totals->within_3 += error <= 3.0;
    totals->within_6 += error <= 6.0;
    totals->within_9 += error <= 9.0;
}

/* The file's score of a move in discs; false when it has none. */
static bool file_score(const struct willow_obf *obf, willow_square move, int *discs)
{
    for (int i = 0; i < obf->count; i++) {
        if (obf->moves[i] == move) {
            *discs = obf->scores_discs[i];
            return true;
        }
    }
    return false;
}

/* What is compared: whole scores, or who wins. */
static int compared(int discs, bool win_loss)
{
    return win_loss ? (discs > 0) - (discs < 0) : discs;
}

/* Moves with an exact score of their own that the file contradicts. */
static uint64_t count_wrong_moves(const struct solve_problem *problem, bool win_loss)
{
    uint64_t wrong = 0;
    int discs = 0;
    for (int i = 0; i < problem->move_count; i++) {
        const struct willow_scored_move *scored = &problem->moves[i];
        if (scored->exact && file_score(&problem->obf, scored->move, &discs))
            wrong += scored->score != compared(discs, win_loss) * WILLOW_SCORE_DISC;
    }
    return wrong;
}

struct solve_verdict solve_judge(const struct solve_problem *problem, bool win_loss, struct solve_totals *totals)
{
    const struct willow_result *result = &problem->result;
    totals->nodes += result->nodes;
    if (problem->obf.count == 0)
        return (struct solve_verdict){false, false};
    totals->positions++;
    totals->moves += (uint64_t)problem->obf.count;
    const int best = compared(problem->best_discs, win_loss);
    add_difference(totals, (double)result->score / WILLOW_SCORE_DISC - best);
    int discs = 0;
    const bool found = file_score(&problem->obf, result->move, &discs);
    uint64_t wrong = count_wrong_moves(problem, win_loss);
    if (wrong == 0)
        wrong = result->exact && result->score != best * WILLOW_SCORE_DISC;
    const struct solve_verdict verdict = {.wrong_score = wrong > 0,
                                          .wrong_move = !found || compared(discs, win_loss) != best};
    totals->best += !verdict.wrong_move;
    totals->wrong_exact += wrong;
    return verdict;
}

/* The value of a position that the other side has to move in, from the side that moved there. */
static willow_score child_score(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                                struct willow_board child)
{
    if (willow_board_over(ruleset, child))
        return -willow_board_final_discs(ruleset, child) * WILLOW_SCORE_DISC;
    if (willow_board_moves(ruleset, child) == 0)
        return willow_evaluate(weights, willow_board_play(child, WILLOW_PASS));
    return -willow_evaluate(weights, child);
}

struct solve_static solve_static_position(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                                          const struct solve_problem *problem, struct solve_totals *totals)
{
    const struct willow_obf *obf = &problem->obf;
    struct solve_static outcome = {.best_move = WILLOW_NO_SQUARE};
    int best_file = 0;
    for (int i = 0; i < obf->count; i++) {
        const willow_score score = child_score(weights, ruleset, willow_board_play(obf->board, obf->moves[i]));
        const double difference = (double)score / WILLOW_SCORE_DISC - obf->scores_discs[i];
        add_difference(totals, difference);
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
