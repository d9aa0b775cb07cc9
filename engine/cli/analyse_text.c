/* The analysis of a game or a position as tables in 80 columns. Layer: engine/cli (target willow_analysis). */
#include <string.h>

#include <willow/notation.h>

#include "analyse.h"

enum { COLUMNS = 79, GAME_LINE = 55, POSITION_LINE = 32 };

static const char *const mark_text[] = {"", "?", "??"};

/* The moves of a line in a column of their own, behind what takes `column` columns already; cut where the line of text
 * ends. */
static void print_line(FILE *stream, const struct analyse_move *move, int from, int column, int start)
{
    char text[WILLOW_SQUARE_TEXT];
    if (from < move->line_length && column < start)
        column += fprintf(stream, "%*s", start - column, "");
    for (int i = from; i < move->line_length; i++) {
        willow_square_format(move->line[i], text);
        if (column + 1 + (int)strlen(text) > COLUMNS)
            break;
        column += fprintf(stream, " %s", text);
    }
    fprintf(stream, "\n");
}

/* Losses are scores without a sign. */
static char *format_loss(const struct analyse_position *position, const struct analyse_move *move, char *buffer)
{
    if (move->loss == 0)
        return strcpy(buffer, "0");
    const bool whole = move->loss % WILLOW_SCORE_DISC == 0 && position->depth >= position->empties;
    snprintf(buffer, 16, whole ? "%.0f" : "%.2f", (double)move->loss / WILLOW_SCORE_DISC);
    return buffer;
}

static void print_alternatives(FILE *stream, const struct analyse_position *position, int lines)
{
    char text[WILLOW_SQUARE_TEXT], score[16], loss[16], kind[16];
    for (int i = 0; i < position->count && i < lines; i++) {
        const struct analyse_move *move = &position->moves[i];
        const int column =
            fprintf(stream, "           %-4s %6s  %11s %6s     %s", willow_square_format(move->move, text),
                    analyse_score(position, move->score, move->exact, score), "", format_loss(position, move, loss),
                    analyse_kind(position, move->exact, kind));
        print_line(stream, move, 1, column, GAME_LINE);
    }
}

/* The move that was played beside the best one, with what should have come instead. */
static void print_played(FILE *stream, const struct analyse_position *position, const struct analyse_style *style)
{
    const struct analyse_move *best = &position->moves[0], *played = &position->moves[position->played_at];
    char text[WILLOW_SQUARE_TEXT], best_text[WILLOW_SQUARE_TEXT] = "", score[16], best_score[16] = "", loss[16],
                                   kind[16];
    if (played->loss > 0) {
        willow_square_format(best->move, best_text);
        analyse_score(position, best->score, best->exact, best_score);
    }
    const char *ink = position->mark == ANALYSE_BLUNDER ? "\033[1;31m" : "\033[33m";
    const bool inked = style->colour && position->mark != ANALYSE_GOOD;
    const int column = fprintf(stream, "%3d %-5s  %-4s %6s  %-4s %6s ", position->number,
                               analyse_side_name(position->side), willow_square_format(played->move, text),
                               analyse_score(position, played->score, played->exact, score), best_text, best_score);
    fprintf(stream, "%s%6s %-2s%s  ", inked ? ink : "", format_loss(position, played, loss), mark_text[position->mark],
            inked ? "\033[0m" : "");
    const int kind_column =
        column + 11 + fprintf(stream, "%s", analyse_kind(position, position->exact && played->exact, kind));
    if (played->loss > 0)
        print_line(stream, best, 0, kind_column, GAME_LINE);
    else
        fprintf(stream, "\n");
}

/* What there is to play behind the last move of a game that is not over. */
static void print_next(FILE *stream, const struct analyse_position *position)
{
    char text[WILLOW_SQUARE_TEXT], score[16], kind[16];
    const struct analyse_move *best = &position->moves[0];
    const int column = fprintf(stream, "%3d %-5s  next         %-4s %6s            %s", position->number,
                               analyse_side_name(position->side), willow_square_format(best->move, text),
                               analyse_score(position, best->score, best->exact, score),
                               analyse_kind(position, position->exact, kind));
    print_line(stream, best, 0, column, GAME_LINE);
}

void analyse_print_game(FILE *stream, const struct analyse_game *analysis, int lines, const struct analyse_style *style)
{
    fprintf(stream, "Scores in discs, from the side of the player to move.\n");
    fprintf(stream, "%3s %-5s  %-4s %6s  %-4s %6s %6s     %-8s %s\n", "no", "side", "move", "score", "best", "score",
            "loss", "kind", "better was");
    for (int i = 0; i < analysis->count; i++) {
        const struct analyse_position *position = &analysis->positions[i];
        if (!position->done)
            continue;
        if (position->played == WILLOW_PASS)
            fprintf(stream, "    %-5s  pass\n", analyse_side_name(position->side));
        if (position->count == 0)
            continue;
        if (position->played_at >= 0)
            print_played(stream, position, style);
        else
            print_next(stream, position);
        print_alternatives(stream, position, lines);
    }
}

void analyse_print_position(FILE *stream, const struct analyse_game *analysis, int lines)
{
    const struct analyse_position *position = &analysis->positions[analysis->count - 1];
    if (!position->done || position->over)
        return;
    fprintf(stream, "%3s %-4s %6s %6s  %-8s %s\n", "no", "move", "score", "loss", "kind", "line");
    for (int i = 0; i < position->count && (lines == 0 || i < lines); i++) {
        const struct analyse_move *move = &position->moves[i];
        char text[WILLOW_SQUARE_TEXT], score[16], loss[16], kind[16];
        const int column = fprintf(stream, "%3d %-4s %6s %6s  %s", i + 1, willow_square_format(move->move, text),
                                   analyse_score(position, move->score, move->exact, score),
                                   format_loss(position, move, loss), analyse_kind(position, move->exact, kind));
        print_line(stream, move, 0, column, POSITION_LINE);
    }
}

static void print_side(FILE *stream, const struct analyse_game *analysis, enum willow_side side)
{
    const struct analyse_summary summary = analyse_summarise(analysis, side);
    char worst[48] = "-", text[WILLOW_SQUARE_TEXT];
    if (summary.worst >= 0) {
        const struct analyse_position *position = &analysis->positions[summary.worst];
        snprintf(worst, sizeof worst, "%d. %s (%.2f)", position->number, willow_square_format(position->played, text),
                 (double)position->moves[position->played_at].loss / WILLOW_SCORE_DISC);
    }
    const double moves = summary.moves > 0 ? summary.moves : 1;
    const double lost = (double)summary.lost / WILLOW_SCORE_DISC;
    fprintf(stream, "%-5s %6d %10.2f %10.2f %6.0f%% %9d %9d   %s\n", analyse_side_name(side), summary.moves, lost,
            lost / moves, 100 * summary.best / moves, summary.mistakes, summary.blunders, worst);
}

void analyse_print_summary(FILE *stream, const struct analyse_game *analysis)
{
    fprintf(stream, "side   moves discs lost  mean loss    best  mistakes  blunders   worst move\n");
    print_side(stream, analysis, WILLOW_BLACK);
    print_side(stream, analysis, WILLOW_WHITE);
}
