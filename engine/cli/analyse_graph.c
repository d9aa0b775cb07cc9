/* The score over a game as bars in a terminal: black's side up, white's down. Layer: engine/cli (target
 * willow_analysis).
 */
#include "analyse.h"

/* Rows of bars on each side of the zero line, each of two steps. Beside the labels there is room for one column a move,
 * for two in short games, and for half a column in those of large boards. */
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
    int width;  /* columns of a bar */
    int points; /* that share a bar: the last one is shown, with the worst mark of them all */
    int bars;
};

/* The points of a bar. */
static int first_point(const struct graph *graph, int bar)
{
    return bar * graph->points;
}

static int last_point(const struct graph *graph, int bar)
{
    const int last = (bar + 1) * graph->points - 1;
    return last < graph->curve->moves ? last : graph->curve->moves;
}

static bool bar_has_mark(const struct graph *graph, int bar, enum willow_side side, enum analyse_mark mark)
{
    for (int move = first_point(graph, bar); move <= last_point(graph, bar); move++)
        if (move > 0 && graph->curve->marks[move] >= mark && graph->curve->movers[move] == side)
            return true;
    return false;
}

/* Steps that a bar is high; negative on white's side. What is not level shows. */
static int bar_steps(const struct graph *graph, int bar)
{
    const struct analyse_curve *curve = graph->curve;
    const int point = last_point(graph, bar);
    if (!curve->known[point])
        return 0;
    const int score = curve->black[point], whole = curve->scale_discs * WILLOW_SCORE_DISC;
    const int steps = (2 * STEPS * score + (score > 0 ? whole : -whole)) / (2 * whole);
    const bool level = score > -WILLOW_SCORE_DISC / 2 && score < WILLOW_SCORE_DISC / 2;
    return steps == 0 && !level ? (score > 0 ? 1 : -1) : steps;
}

static const char *bar_ink(const struct graph *graph, int bar)
{
    if (!graph->style->colour)
        return "";
    if (bar_has_mark(graph, bar, WILLOW_BLACK, ANALYSE_BLUNDER) ||
        bar_has_mark(graph, bar, WILLOW_WHITE, ANALYSE_BLUNDER))
        return "\033[31m";
    return graph->curve->black[last_point(graph, bar)] > 0 ? "\033[35m" : "\033[36m";
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
    for (int bar = 0; bar < graph->bars; bar++) {
        const int steps = bar_steps(graph, bar) * (row > 0 ? 1 : -1);
        if (steps < 2 * away - 1) {
            blanks += graph->width;
            continue;
        }
        const char *ink = bar_ink(graph, bar);
        const char *half = row > 0 ? graph->signs->half_up : graph->signs->half_down;
        fprintf(graph->stream, "%*s%s", blanks, "", ink);
        print_times(graph->stream, steps >= 2 * away ? graph->signs->full : half, graph->width);
        fprintf(graph->stream, "%s", ink[0] ? "\033[0m" : "");
        blanks = 0;
    }
    fprintf(graph->stream, "\n");
}

/* A row of question marks at the bars of a side's moves that bear that mark or a worse one: a mistake has one, a
 * blunder another one in the next row. Nothing when there are none. */
static void print_marks(const struct graph *graph, enum willow_side side, enum analyse_mark mark)
{
    int last = -1;
    for (int bar = 0; bar < graph->bars; bar++)
        if (bar_has_mark(graph, bar, side, mark))
            last = bar;
    if (last < 0)
        return;
    fprintf(graph->stream, "      ");
    for (int bar = 0; bar <= last; bar++)
        fprintf(graph->stream, "%-*s", bar < last ? graph->width : 1, bar_has_mark(graph, bar, side, mark) ? "?" : "");
    fprintf(graph->stream, "\n");
}

static void print_zero(const struct graph *graph)
{
    fprintf(graph->stream, "   0 %s", graph->signs->axis);
    print_times(graph->stream, graph->signs->zero, graph->width * graph->bars);
    fprintf(graph->stream, "\n");
}

static void print_numbers(const struct graph *graph)
{
    enum { APART = 5 };
    int column = fprintf(graph->stream, "      0") - 6;
    for (int bar = APART; bar < graph->bars; bar += APART) {
        const int move = first_point(graph, bar);
        column += fprintf(graph->stream, "%*d", bar * graph->width + (move > 9 ? 2 : 1) - column, move);
    }
    fprintf(graph->stream, "  moves");
    if (graph->points > 1)
        fprintf(graph->stream, ", %d a bar", graph->points);
    fprintf(graph->stream, "\n");
}

void analyse_print_graph(FILE *stream, const struct analyse_game *analysis, const struct analyse_style *style)
{
    struct analyse_curve curve;
    analyse_curve_make(analysis, &curve);
    if (curve.moves == 0)
        return;
    const int points = (curve.moves + BAR_COLUMNS) / BAR_COLUMNS; /* of them there are moves + 1 */
    const struct graph graph = {.stream = stream,
                                .curve = &curve,
                                .style = style,
                                .signs = style->unicode ? &blocks : &ascii,
                                .width = 2 * (curve.moves + 1) <= BAR_COLUMNS ? 2 : 1,
                                .points = points,
                                .bars = (curve.moves + points) / points};
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
