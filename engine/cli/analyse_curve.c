/* What the analysis of a game comes to: each side's sum, the score over the game, and the words for scores.
 * Layer: engine/cli (target willow_analysis).
 */
#include <stdlib.h>

#include "analyse.h"

const char *analyse_side_name(enum willow_side side)
{
    return side == WILLOW_BLACK ? "Black" : "White";
}

willow_score analyse_black_score(const struct analyse_position *position)
{
    return position->side == WILLOW_BLACK ? position->score : -position->score;
}

/* The move that was played in an analysed position; null for a pass, the last position, and one that is not done. */
static const struct analyse_move *played_move(const struct analyse_position *position)
{
    return position->done && position->played_at >= 0 ? &position->moves[position->played_at] : NULL;
}

struct analyse_summary analyse_summarise(const struct analyse_game *analysis, enum willow_side side)
{
    struct analyse_summary summary = {.worst = -1};
    willow_score greatest = 0;
    for (int i = 0; i < analysis->count; i++) {
        const struct analyse_position *position = &analysis->positions[i];
        const struct analyse_move *played = played_move(position);
        if (position->side != side || !played)
            continue;
        summary.moves++;
        summary.best += played->loss == 0;
        summary.mistakes += position->mark == ANALYSE_MISTAKE;
        summary.blunders += position->mark == ANALYSE_BLUNDER;
        summary.lost += played->loss;
        if (played->loss > greatest) {
            greatest = played->loss;
            summary.worst = i;
        }
    }
    return summary;
}

/* Few scales, so that graphs of different games compare; the last one is the board, in a number with quarters. */
static int scale_of(willow_score greatest, int squares)
{
    for (int scale = 8; scale < squares; scale *= 2)
        if (greatest <= scale * WILLOW_SCORE_DISC)
            return scale;
    return (squares + 3) / 4 * 4;
}

void analyse_curve_make(const struct analyse_game *analysis, struct analyse_curve *curve)
{
    *curve = (struct analyse_curve){.solved_from = -1};
    willow_score greatest = 0;
    bool solved = true;
    for (int i = analysis->count - 1; i >= 0; i--) {
        const struct analyse_position *position = &analysis->positions[i];
        const int point = position->number - 1;
        if (point > curve->moves)
            curve->moves = point;
        if (position->played != WILLOW_PASS && position->played != WILLOW_NO_SQUARE) {
            curve->movers[position->number] = position->side;
            curve->marks[position->number] = position->mark;
            curve->indices[position->number] = i;
            if (position->number > curve->moves)
                curve->moves = position->number;
        }
        solved = solved && position->done && position->exact;
        if (solved)
            curve->solved_from = point;
        if (!position->done)
            continue;
        curve->known[point] = true;
        curve->black[point] = analyse_black_score(position);
        if (abs(curve->black[point]) > greatest)
            greatest = abs(curve->black[point]);
    }
    curve->scale_discs = scale_of(greatest, willow_ruleset_squares(analysis->game.ruleset));
}

char *analyse_kind(const struct analyse_position *position, bool exact, char *buffer)
{
    enum { SIZE = 16 };
    if (exact)
        snprintf(buffer, SIZE, "exact");
    else if (position->depth >= position->empties && position->selectivity != WILLOW_NOT_SELECTIVE)
        snprintf(buffer, SIZE, "end@%d%%", position->selectivity);
    else if (position->selectivity != WILLOW_NOT_SELECTIVE)
        snprintf(buffer, SIZE, "%d@%d%%", position->depth, position->selectivity);
    else
        snprintf(buffer, SIZE, "%d", position->depth);
    return buffer;
}

char *analyse_score(const struct analyse_position *position, willow_score score, bool exact, char *buffer)
{
    enum { SIZE = 16 };
    if (exact || position->depth >= position->empties)
        snprintf(buffer, SIZE, "%+d", (int)(score / WILLOW_SCORE_DISC));
    else
        snprintf(buffer, SIZE, "%+.2f", (double)score / WILLOW_SCORE_DISC);
    return buffer;
}
