/* Charts as inline SVG, coloured by the style sheet of the page (page.h): lines, points and bars over two axes, and
 * boards whose squares are shaded. Layer: trainer (program). Knows nothing of what the numbers mean.
 */
#ifndef TRAINER_CHART_H
#define TRAINER_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include <willow/bits.h>

enum { CHART_POINTS_MAX = 128, CHART_SERIES_MAX = 16, CHART_LEVELS_MAX = 16, CHART_SQUARES = WILLOW_SQUARES };

struct chart_point {
    double x, y;
    double low, high; /* error bar of a line; equal to y = none */
    bool hollow;      /* drawn as a ring and left out of the line */
};

enum chart_marks {
    CHART_LINE,  /* points joined by a line */
    CHART_CURVE, /* the line alone: for many points, of which hollow ones are still marked */
    CHART_DOTS,  /* the points alone */
    CHART_BARS,  /* bars from 0, those of several series side by side */
    CHART_STACK  /* bars from `low` to `high` of each point, those of all series in one column; y is for the pointer */
};

struct chart_series {
    const char *name;
    enum chart_marks marks;
    int count;
    struct chart_point points[CHART_POINTS_MAX]; /* by rising x; NAN in y = no point */
};

/* A line from side to side with its name on it, and how sure it is. */
struct chart_level {
    const char *name;
    double y, low, high; /* NAN in y = not drawn */
};

struct chart {
    const char *title, *x_title, *y_title;
    const char *note;          /* a sentence for below it; null = none */
    const char *words;         /* what it shows, for who cannot see it; null = the title */
    bool small;                /* one of many of its kind */
    bool tall;                 /* nearly square, as those with a diagonal are */
    bool from_zero;            /* the y axis begins at 0; always so with bars */
    bool diagonal;             /* both axes have one range, and a line shows where y = x */
    const char *const *labels; /* of x = 0, 1, ..., as many as the x axis needs; null = numbers */
    int count;
    struct chart_series series[CHART_SERIES_MAX];
    int levels_count; /* drawn in the colours that come after those of the series */
    struct chart_level levels[CHART_LEVELS_MAX];
};

/* Prints one <figure> with its title, the drawing for more than one series a legend, and the note. Nothing without a
 * point. */
void chart_print(FILE *out, const struct chart *chart);

/* Adds a point without error bar; one too many is left out. */
void chart_add(struct chart_series *series, double x, double y);

/* Starts a series of the chart. */
struct chart_series *chart_series_add(struct chart *chart, const char *name, enum chart_marks marks);

struct chart_board {
    const char *title;
    int width, height;
    const double *values; /* one a square, CHART_SQUARES, as boards number them; NAN = none */
    double most;          /* the size that has the full colour; > 0 */
    const char *unit;     /* "discs" */
};

/* Prints one <figure> with a board. The sign chooses the colour, the size its strength. */
void chart_board_print(FILE *out, const struct chart_board *board);

/* The scale of such boards. */
void chart_board_legend(FILE *out, double most, const char *unit);

/* The same text with & < > " replaced. */
void chart_escape(FILE *out, const char *text);

#endif
