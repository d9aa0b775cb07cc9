/* The parts of an SVG picture that all of its panels share: frame, axes, legends, escaped text. Layer: selfplay
 * (program).
 */
#ifndef WILLOW_SELFPLAY_SVG_PANEL_H
#define WILLOW_SELFPLAY_SVG_PANEL_H

#include <stdbool.h>
#include <stdio.h>

enum { SVG_LEGEND = 3 };

struct svg_axis {
    double low, high, step; /* step: between ticks, from a multiple of it on */
    double unit;            /* of the printed numbers: 1, 1e3, 1e6, ... */
    const char *unit_name;  /* "", "k", "M", ... behind each of them but 0 */
};

/* A panel whose data are drawn in the rectangle left .. left + width, top .. top + height. */
struct svg_panel {
    double left, top, width, height;
    const char *title, *x_title, *y_title;
    struct svg_axis x, y;
    const char *legend_class[SVG_LEGEND], *legend[SVG_LEGEND]; /* null = none; the class colours a swatch */
};

/* Any bytes as text of an XML document: markup escaped, what XML does not allow replaced. */
void svg_text(FILE *out, const char *text);

/* With so many decimals; and in three digits or fewer with k, M, ... behind them. */
void svg_number(FILE *out, double value, int decimals);
void svg_short_number(FILE *out, double value);

/* From 0 to a round number at or above `most`, cut into about five parts. */
struct svg_axis svg_axis_up_to(double most);
struct svg_axis svg_axis_fixed(double low, double high, double step);

double svg_x(const struct svg_panel *panel, double value);
double svg_y(const struct svg_panel *panel, double value);

/* Title, grid, ticks, axis titles and legend; the data come on top. */
void svg_panel_frame(FILE *out, const struct svg_panel *panel);

/* A sentence in the middle of a panel that has nothing to show. */
void svg_panel_empty(FILE *out, const struct svg_panel *panel, const char *words);

#endif
