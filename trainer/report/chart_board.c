/* Draws boards with shaded squares as SVG; see chart.h. Layer: trainer (program). */
#include "chart.h"

#include <math.h>

enum { CELL = 20, EDGE = 16, SCALE_STEPS = 12 };

/* Of the colour of a value: its size on the scale, with the small ones still told apart. */
static double strength(double value, double most)
{
    return pow(fmin(1.0, fabs(value) / most), 0.7);
}

/* Row by row. */
static int square_at(const struct chart_board *board, int i)
{
    return WILLOW_SIDE * (i / board->width) + i % board->width;
}

static void print_square(FILE *out, const struct chart_board *board, int square)
{
    const double value = board->values[square];
    const int x = EDGE + square % WILLOW_SIDE * CELL, y = EDGE + square / WILLOW_SIDE * CELL;
    if (isnan(value)) {
        fprintf(out, "<rect class=\"none\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", x, y, CELL, CELL);
        return;
    }
    fprintf(out,
            "<rect class=\"%s\" fill-opacity=\"%.3f\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>%c%d: %+.2f ",
            value < 0.0 ? "less" : "more", strength(value, board->most), x, y, CELL, CELL, 'a' + square % WILLOW_SIDE,
            1 + square / WILLOW_SIDE, value);
    chart_escape(out, board->unit);
    fprintf(out, "</title></rect>\n");
}

void chart_board_print(FILE *out, const struct chart_board *board)
{
    const int width = EDGE + board->width * CELL + 1, height = EDGE + board->height * CELL + 1;
    int low = -1, high = -1;
    fprintf(out, "<figure>\n<figcaption>");
    chart_escape(out, board->title);
    for (int i = 0; i < board->width * board->height; i++) {
        const int square = square_at(board, i);
        const double value = board->values[square];
        low = !isnan(value) && (low < 0 || value < board->values[low]) ? square : low;
        high = !isnan(value) && (high < 0 || value > board->values[high]) ? square : high;
    }
    fprintf(out, "</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", width, height);
    chart_escape(out, board->title);
    if (low >= 0) {
        fprintf(out, ": from %+.2f on %c%d to %+.2f on %c%d ", board->values[low], 'a' + low % WILLOW_SIDE,
                1 + low / WILLOW_SIDE, board->values[high], 'a' + high % WILLOW_SIDE, 1 + high / WILLOW_SIDE);
        chart_escape(out, board->unit);
    }
    fprintf(out, "\">\n");
    for (int i = 0; i < board->width; i++)
        fprintf(out, "<text class=\"tick\" x=\"%d\" y=\"11\" text-anchor=\"middle\">%c</text>\n",
                EDGE + i * CELL + CELL / 2, 'a' + i);
    for (int i = 0; i < board->height; i++)
        fprintf(out, "<text class=\"tick\" x=\"6\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                EDGE + i * CELL + CELL / 2 + 4, 1 + i);
    fprintf(out, "<g class=\"board\">\n");
    for (int i = 0; i < board->width * board->height; i++)
        print_square(out, board, square_at(board, i));
    fprintf(out, "</g></svg>\n</figure>\n");
}

void chart_board_legend(FILE *out, double most, const char *unit)
{
    const int wide = 18, height = 16;
    fprintf(out, "<svg class=\"scale\" viewBox=\"0 0 %d 44\" role=\"img\" aria-label=\"Scale from %+.1f to %+.1f ",
            2 * SCALE_STEPS * wide + 60, -most, most);
    chart_escape(out, unit);
    fprintf(out, "\">\n<g class=\"board\">");
    for (int i = 0; i < 2 * SCALE_STEPS; i++) {
        const double value = (i + 0.5 - SCALE_STEPS) / SCALE_STEPS * most;
        fprintf(out, "<rect class=\"%s\" fill-opacity=\"%.3f\" x=\"%d\" y=\"1\" width=\"%d\" height=\"%d\"/>",
                value < 0.0 ? "less" : "more", strength(value, most), 30 + i * wide, wide, height);
    }
    fprintf(out, "</g>\n");
    for (int i = -2; i <= 2; i++)
        fprintf(out, "<text class=\"tick\" x=\"%d\" y=\"36\" text-anchor=\"middle\">%+.1f</text>",
                30 + (SCALE_STEPS + i * SCALE_STEPS / 2) * wide, most * i / 2.0);
    fprintf(out, "\n</svg>\n");
}
