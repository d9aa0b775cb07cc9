/* Draws line charts with error bars as SVG. Sizes are in the drawing's own units; the page scales it to its column.
 * Layer: trainer (program).
 */
#include "chart.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 300, LEFT = 62, RIGHT = 18, TOP = 14, BOTTOM = 46, TICKS = 5, COLOURS = 6 };

struct axis {
    double low, high, step;
};

struct frame {
    struct axis x, y;
};

void chart_escape(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

/* The step of 1, 2 or 5 times a power of ten that cuts the range into about TICKS parts. */
static double tick_step(double range)
{
    const double rough = range / TICKS;
    const double power = pow(10.0, floor(log10(rough)));
    const double mantissa = rough / power;

    return power * (mantissa < 1.5 ? 1.0 : mantissa < 3.5 ? 2.0 : mantissa < 7.5 ? 5.0 : 10.0);
}

static struct axis axis_of(double low, double high, bool whole)
{
    struct axis axis;

    if (high - low < 1e-9) {
        low -= whole ? 0.0 : 0.5;
        high += whole ? 1.0 : 0.5;
    }
    axis.step = tick_step(high - low);
    if (whole && axis.step < 1.0)
        axis.step = 1.0;
    axis.low = whole ? low : floor(low / axis.step) * axis.step;
    axis.high = whole ? high : ceil(high / axis.step) * axis.step;
    return axis;
}

/* False without a point. */
static bool measure(const struct chart *chart, struct frame *frame)
{
    double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;

    for (int s = 0; s < chart->count; s++) {
        for (int i = 0; i < chart->series[s].count; i++) {
            const struct chart_point *point = &chart->series[s].points[i];
            if (isnan(point->y))
                continue;
            x_low = fmin(x_low, point->x);
            x_high = fmax(x_high, point->x);
            y_low = fmin(y_low, fmin(point->y, point->low));
            y_high = fmax(y_high, fmax(point->y, point->high));
        }
    }
    if (x_low > x_high)
        return false;
    if (chart->from_zero)
        y_low = 0.0;
    frame->x = axis_of(x_low, x_high, true);
    frame->y = axis_of(y_low, y_high, false);
    return true;
}

static double place_x(const struct frame *frame, double x)
{
    return LEFT + (x - frame->x.low) / (frame->x.high - frame->x.low) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct frame *frame, double y)
{
    return HEIGHT - BOTTOM - (y - frame->y.low) / (frame->y.high - frame->y.low) * (HEIGHT - TOP - BOTTOM);
}

static void print_axes(FILE *out, const struct chart *chart, const struct frame *frame)
{
    for (int i = 0; frame->y.low + i * frame->y.step <= frame->y.high + frame->y.step * 1e-6; i++) {
        const double value = frame->y.low + i * frame->y.step;
        const double y = place_y(frame, value);

        fprintf(out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y, WIDTH - RIGHT, y);
        fprintf(out, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", LEFT - 8, y + 4.0,
                fabs(value) < frame->y.step * 1e-6 ? 0.0 : value);
    }
    const double first = ceil(frame->x.low / frame->x.step) * frame->x.step;
    for (int i = 0; first + i * frame->x.step <= frame->x.high + 1e-6; i++) {
        const double value = first + i * frame->x.step;
        fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                place_x(frame, value), HEIGHT - BOTTOM + 18, value);
    }
    fprintf(out, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 8);
    chart_escape(out, chart->x_title);
    fprintf(out, "</text>\n<text class=\"axis\" transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    chart_escape(out, chart->y_title);
    fprintf(out, "</text>\n");
}

static void print_series(FILE *out, const struct chart_series *series, int colour, const struct frame *frame)
{
    bool begun = false;

    fprintf(out, "<g class=\"s%d\">\n", colour % COLOURS);
    for (int i = 0; i < series->count; i++) {
        const struct chart_point *point = &series->points[i];
        if (isnan(point->y) || point->hollow)
            continue;
        fprintf(out, "%s%.1f,%.1f", begun ? " " : "<polyline points=\"", place_x(frame, point->x),
                place_y(frame, point->y));
        begun = true;
    }
    if (begun)
        fprintf(out, "\"/>\n");
    for (int i = 0; i < series->count; i++) {
        const struct chart_point *point = &series->points[i];
        if (isnan(point->y))
            continue;
        const double x = place_x(frame, point->x);
        if (point->low < point->high)
            fprintf(out, "<path class=\"bar\" d=\"M%.1f %.1fV%.1fM%.1f %.1fh8M%.1f %.1fh8\"/>", x,
                    place_y(frame, point->low), place_y(frame, point->high), x - 4.0, place_y(frame, point->low),
                    x - 4.0, place_y(frame, point->high));
        fprintf(out, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", point->hollow ? " class=\"hollow\"" : "", x,
                place_y(frame, point->y));
        chart_escape(out, series->name);
        fprintf(out, " %.6g: %.4g", point->x, point->y);
        if (point->low < point->high)
            fprintf(out, " [%.4g, %.4g]", point->low, point->high);
        fprintf(out, "</title></circle>\n");
    }
    fprintf(out, "</g>\n");
}

void chart_print(FILE *out, const struct chart *chart)
{
    struct frame frame;

    if (!measure(chart, &frame))
        return;
    fprintf(out, "<figure>\n<figcaption>");
    chart_escape(out, chart->title);
    fprintf(out, "</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH, HEIGHT);
    print_axes(out, chart, &frame);
    for (int s = 0; s < chart->count; s++)
        print_series(out, &chart->series[s], s, &frame);
    fprintf(out, "</svg>\n");
    if (chart->count > 1) {
        fprintf(out, "<p class=\"legend\">");
        for (int s = 0; s < chart->count; s++) {
            fprintf(out, "<span class=\"s%d\"><i></i>", s % COLOURS);
            chart_escape(out, chart->series[s].name);
            fprintf(out, "</span> ");
        }
        fprintf(out, "</p>\n");
    }
    fprintf(out, "</figure>\n");
}
