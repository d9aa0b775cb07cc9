/* The score over a game as bars in a terminal: black's side up, white's down. Layer: engine/cli (target
 * willow_analysis).
 */
#include "analyse.h"

/* Rows of bars on each side of the zero line, each of two steps. Beside the labels there is room for one column a move,
 * and for two in short games. */
enum { ROWS = 6, STEPS = 2 * ROWS, BAR_COLUMNS = 74 };

/* The signs that bars are made of. */
struct signs {
    const char *full, *half_up, *half_down, *axis, *zero, *side;
};
static const struct signs ascii = {"#", ".", "'", "+", "-", "|"};
static const struct signs blocks = {"█", "▄", "▀", "┼", "─", "│"};

struct graph {
    FILE *stream;
    const struct analyse_curve *curve;
    const struct analyse_style *style;
    const struct signs *signs;
    int width; /* columns of a move */
};

/* Steps that the bar of a point is high; negative on white's side. What is not level shows. */
static int bar_steps(const struct analyse_curve *curve, int point)
{
    const int score = curve->black[point], whole = curve->scale_discs * WILLOW_SCORE_DISC;
    const int steps = (2 * STEPS * score + (score > 0 ? whole : -whole)) / (2 * whole);
    const bool level = score > -WILLOW_SCORE_DISC / 2 && score < WILLOW_SCORE_DISC / 2;
    return steps == 0 && !level ? (score > 0 ? 1 : -1) : steps;
}

static const char *bar_ink(const struct graph *graph, int point)
{
    if (!graph->style->colour)
        return "";
    if (graph->curve->marks[point] == ANALYSE_BLUNDER)
        return "\033[31m";
    return graph->curve->black[point] > 0 ? "\033[35m" : "\033[36m";
}

static void print_times(FILE *stream, const char *sign, int times)
{
    for (int i = 0; i < times; i++)
        fprintf(stream, "%s", sign);
}

/* A row of bars: `row` counts from the zero line, from 1, negative below it. */
static void print_row(const struct graph *graph, int row)
{
    const int away = row > 0 ? row : -row, scale = graph->curve->scale_discs;
    if (away % 3 == 0)
        fprintf(graph->stream, "%+4d %s", row * scale / ROWS, graph->signs->side);
    else
        fprintf(graph->stream, "     %s", graph->signs->side);
    int blanks = 0;
    for (int point = 0; point <= graph->curve->moves; point++) {
        const int steps = graph->curve->known[point] ? bar_steps(graph->curve, point) * (row > 0 ? 1 : -1) : 0;
        if (steps < 2 * away - 1) {
            blanks += graph->width;
            continue;
        }
        const char *ink = bar_ink(graph, point);
        const char *half = row > 0 ? graph->signs->half_up : graph->signs->half_down;
        fprintf(graph->stream, "%*s%s", blanks, "", ink);
        print_times(graph->stream, steps >= 2 * away ? graph->signs->full : half, graph->width);
        fprintf(graph->stream, "%s", ink[0] ? "\033[0m" : "");
        blanks = 0;
    }
    fprintf(graph->stream, "\n");
}

static bool has_mark(const struct analyse_curve *curve, int move, enum willow_side side, enum analyse_mark mark)
{
    return curve->marks[move] >= mark && curve->movers[move] == side;
}

/* A row of question marks at the moves of a side that bear that mark or a worse one: a mistake has one, a blunder
 * another one in the next row. Nothing when there are none. */
static void print_marks(const struct graph *graph, enum willow_side side, enum analyse_mark mark)
{
    int last = 0;
    for (int move = 1; move <= graph->curve->moves; move++)
        if (has_mark(graph->curve, move, side, mark))
            last = move;
    if (last == 0)
        return;
    fprintf(graph->stream, "      ");
    for (int move = 0; move <= last; move++)
        fprintf(graph->stream, "%-*s", move < last ? graph->width : 1,
                move > 0 && has_mark(graph->curve, move, side, mark) ? "?" : "");
    fprintf(graph->stream, "\n");
}

static void print_zero(const struct graph *graph)
{
    fprintf(graph->stream, "   0 %s", graph->signs->axis);
    print_times(graph->stream, graph->signs->zero, graph->width * (graph->curve->moves + 1));
    fprintf(graph->stream, "\n");
}

static void print_numbers(const struct graph *graph)
{
    enum { APART = 5 };
    int column = fprintf(graph->stream, "      0") - 6;
    for (int move = APART; move <= graph->curve->moves; move += APART)
        column += fprintf(graph->stream, "%*d", move * graph->width + (move > 9 ? 2 : 1) - column, move);
    fprintf(graph->stream, "  moves\n");
}

void analyse_print_graph(FILE *stream, const struct analyse_game *analysis, const struct analyse_style *style)
{
    struct analyse_curve curve;
    analyse_curve_make(analysis, &curve);
    if (curve.moves == 0)
        return;
    const struct graph graph = {.stream = stream,
                                .curve = &curve,
                                .style = style,
                                .signs = style->unicode ? &blocks : &ascii,
                                .width = 2 * (curve.moves + 1) <= BAR_COLUMNS ? 2 : 1};
    fprintf(stream, "Score in discs: Black ahead above the line, White below it");
    if (curve.solved_from >= 0 && curve.solved_from < curve.moves)
        fprintf(stream, "; exact from move %d", curve.solved_from + 1);
    fprintf(stream, "\n");
    print_marks(&graph, WILLOW_BLACK, ANALYSE_BLUNDER);
    print_marks(&graph, WILLOW_BLACK, ANALYSE_MISTAKE);
    for (int row = ROWS; row > 0; row--)
        print_row(&graph, row);
    print_zero(&graph);
    for (int row = 1; row <= ROWS; row++)
        print_row(&graph, -row);
    print_marks(&graph, WILLOW_WHITE, ANALYSE_MISTAKE);
    print_marks(&graph, WILLOW_WHITE, ANALYSE_BLUNDER);
    print_numbers(&graph);
}
