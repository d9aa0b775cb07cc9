/* Line charts as inline SVG, coloured by the page's style sheet.
 * Layer: trainer (program). Knows nothing of what the numbers mean.
 */
#ifndef TRAINER_CHART_H
#define TRAINER_CHART_H

#include <stdbool.h>
#include <stdio.h>

enum { CHART_POINTS_MAX = 128, CHART_SERIES_MAX = 16 };

struct chart_point {
    double x, y;
    double low, high; /* error bar; equal to y = none */
    bool hollow;      /* drawn as a ring and left out of the line */
};

struct chart_series {
    const char *name;
    int count;
    struct chart_point points[CHART_POINTS_MAX]; /* by rising x; NAN in y = no point */
};

struct chart {
    const char *title, *x_title, *y_title;
    bool from_zero; /* the y axis begins at 0 */
    int count;
    struct chart_series series[CHART_SERIES_MAX];
};

/* Prints one <figure> with its title, the drawing and, for more than one series, a legend. Nothing without a point. */
void chart_print(FILE *out, const struct chart *chart);

/* The same text with & < > " replaced. */
void chart_escape(FILE *out, const char *text);

#endif
