/* Draws charts with two axes as SVG. Sizes are in the drawing's own units; the page scales it to its column.
 * Layer: trainer (program).
 */
#include "chart.h"

#include <math.h>
#include <string.h>

enum { COLOURS = 8, LABELS_MAX = 14, NAME_HEIGHT = 15 };

struct axis {
    double low, high, step;
};

/* Where the axes stand in the drawing. */
struct frame {
    int width, height, left, right, top, bottom, ticks;
    struct axis x, y;
    int bars;        /* series of bars */
    double bar_step; /* from one group of bars to the next, on the x axis */
};

static const struct frame large = {
    .width = 640, .height = 300, .left = 62, .right = 18, .top = 14, .bottom = 46, .ticks = 5};
static const struct frame tall = {
    .width = 640, .height = 480, .left = 62, .right = 18, .top = 14, .bottom = 46, .ticks = 6};
static const struct frame small = {
    .width = 280, .height = 180, .left = 58, .right = 14, .top = 10, .bottom = 42, .ticks = 3};

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

void chart_add(struct chart_series *series, double x, double y)
{
    if (series->count < CHART_POINTS_MAX)
        series->points[series->count++] = (struct chart_point){.x = x, .y = y, .low = y, .high = y};
}

struct chart_series *chart_series_add(struct chart *chart, const char *name, enum chart_marks marks)
{
    struct chart_series *series = &chart->series[chart->count++];

    series->name = name;
    series->marks = marks;
    series->count = 0;
    return series;
}

/* The step of 1, 2 or 5 times a power of ten that cuts the range into about so many parts. */
static double tick_step(double range, int ticks)
{
    const double rough = range / ticks;
    const double power = pow(10.0, floor(log10(rough)));
    const double mantissa = rough / power;

    return power * (mantissa < 1.5 ? 1.0 : mantissa < 3.5 ? 2.0 : mantissa < 7.5 ? 5.0 : 10.0);
}

static struct axis axis_of(double low, double high, int ticks, bool whole)
{
    struct axis axis;

    if (high - low < 1e-9) {
        low -= whole ? 0.0 : 0.5;
        high += whole ? 1.0 : 0.5;
    }
    axis.step = tick_step(high - low, ticks);
    if (whole && axis.step < 1.0)
        axis.step = 1.0;
    axis.low = whole ? low : floor(low / axis.step) * axis.step;
    axis.high = whole ? high : ceil(high / axis.step) * axis.step;
    return axis;
}

/* The least distance on the x axis between two bars of one series. */
static double bar_step(const struct chart *chart)
{
    double step = INFINITY;
    for (int s = 0; s < chart->count; s++) {
        const struct chart_series *series = &chart->series[s];
        for (int i = 1; series->marks >= CHART_BARS && i < series->count; i++)
            step = fmin(step, series->points[i].x - series->points[i - 1].x);
    }
    return isfinite(step) && step > 0.0 ? step : 1.0;
}

/* Bars of how many series stand side by side. */
static int bars_of(const struct chart *chart)
{
    int bars = 0;
    bool stacked = false;
    for (int s = 0; s < chart->count; s++) {
        bars += chart->series[s].marks == CHART_BARS;
        stacked = stacked || chart->series[s].marks == CHART_STACK;
    }
    return stacked ? 1 : bars;
}

struct range {
    double low, high;
};

/* Empty (low > high) without a point. */
static void measure_points(const struct chart *chart, struct range *x, struct range *y)
{
    *x = *y = (struct range){INFINITY, -INFINITY};
    for (int s = 0; s < chart->count; s++)
        for (int i = 0; i < chart->series[s].count; i++) {
            const struct chart_point *point = &chart->series[s].points[i];
            if (isnan(point->y))
                continue;
            *x = (struct range){fmin(x->low, point->x), fmax(x->high, point->x)};
            *y = (struct range){fmin(y->low, fmin(point->y, point->low)), fmax(y->high, fmax(point->y, point->high))};
        }
    for (int i = 0; i < chart->levels_count; i++) {
        const struct chart_level *level = &chart->levels[i];
        if (!isnan(level->y))
            *y = (struct range){fmin(y->low, fmin(level->y, level->low)), fmax(y->high, fmax(level->y, level->high))};
    }
}

/* False without a point. */
static bool measure(const struct chart *chart, struct frame *frame)
{
    struct range x, y;

    *frame = chart->small ? small : chart->tall || chart->diagonal ? tall : large;
    frame->bars = bars_of(chart);
    measure_points(chart, &x, &y);
    if (x.low > x.high)
        return false;
    if (chart->diagonal)
        x = y = (struct range){fmin(x.low, y.low), fmax(x.high, y.high)};
    if (frame->bars > 0) {
        frame->bar_step = bar_step(chart);
        x.low -= frame->bar_step / 2.0;
        x.high += frame->bar_step / 2.0;
    }
    if (chart->from_zero || frame->bars > 0)
        y.low = 0.0;
    frame->x = axis_of(x.low, x.high, frame->ticks, !chart->diagonal);
    frame->y = axis_of(y.low, y.high, frame->ticks, false);
    /* Names stand under every mark, or under every second one where they would touch. */
    if (chart->labels)
        frame->x.step = frame->x.high - frame->x.low > LABELS_MAX ? 2.0 : 1.0;
    return true;
}

static double place_x(const struct frame *frame, double x)
{
    return frame->left +
           (x - frame->x.low) / (frame->x.high - frame->x.low) * (frame->width - frame->left - frame->right);
}

static double place_y(const struct frame *frame, double y)
{
    return frame->height - frame->bottom -
           (y - frame->y.low) / (frame->y.high - frame->y.low) * (frame->height - frame->top - frame->bottom);
}

/* No -0 and no 1e-17 on an axis. */
static double tick_value(const struct axis *axis, double first, int n)
{
    const double value = first + n * axis->step;
    return fabs(value) < axis->step * 1e-6 ? 0.0 : value;
}

static void print_x_ticks(FILE *out, const struct chart *chart, const struct frame *frame)
{
    const double first = ceil(frame->x.low / frame->x.step - 1e-6) * frame->x.step;
    for (int i = 0; first + i * frame->x.step <= frame->x.high + 1e-6; i++) {
        const double value = tick_value(&frame->x, first, i);
        fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", place_x(frame, value),
                frame->height - frame->bottom + 18);
        if (chart->labels)
            chart_escape(out, chart->labels[(int)value]);
        else
            fprintf(out, "%.6g", value);
        fprintf(out, "</text>\n");
    }
}

static void print_axes(FILE *out, const struct chart *chart, const struct frame *frame)
{
    for (int i = 0; frame->y.low + i * frame->y.step <= frame->y.high + frame->y.step * 1e-6; i++) {
        const double value = tick_value(&frame->y, frame->y.low, i);
        const double y = place_y(frame, value);

        fprintf(out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", frame->left, y,
                frame->width - frame->right, y);
        fprintf(out, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", frame->left - 8,
                y + 4.0, value);
    }
    print_x_ticks(out, chart, frame);
    if (chart->diagonal)
        fprintf(out, "<line class=\"same\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                place_x(frame, frame->x.low), place_y(frame, frame->x.low), place_x(frame, frame->x.high),
                place_y(frame, frame->x.high));
    fprintf(out, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
            (frame->left + frame->width - frame->right) / 2, frame->height - 8);
    chart_escape(out, chart->x_title);
    fprintf(out, "</text>\n<text class=\"axis\" transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
            (frame->top + frame->height - frame->bottom) / 2);
    chart_escape(out, chart->y_title);
    fprintf(out, "</text>\n");
}

static void print_line(FILE *out, const struct chart_series *series, const struct frame *frame)
{
    bool begun = false;
    for (int i = 0; i < series->count; i++) {
        const struct chart_point *point = &series->points[i];
        if (isnan(point->y) || (point->hollow && series->marks == CHART_LINE))
            continue;
        fprintf(out, "%s%.1f,%.1f", begun ? " " : "<polyline points=\"", place_x(frame, point->x),
                place_y(frame, point->y));
        begun = true;
    }
    if (begun)
        fprintf(out, "\"/>\n");
}

/* What the pointer shows over a mark. */
static void print_tip(FILE *out, const struct chart *chart, const struct chart_series *series,
                      const struct chart_point *point)
{
    fprintf(out, "<title>");
    chart_escape(out, series->name);
    if (chart->labels)
        fprintf(out, " ");
    else
        fprintf(out, " %.6g", point->x);
    if (chart->labels)
        chart_escape(out, chart->labels[(int)point->x]);
    fprintf(out, ": %.4g", point->y);
    if (point->low < point->high && series->marks != CHART_STACK)
        fprintf(out, " [%.4g, %.4g]", point->low, point->high);
    fprintf(out, "</title>");
}

static void print_mark(FILE *out, const struct chart *chart, const struct chart_series *series,
                       const struct chart_point *point, const struct frame *frame)
{
    const double x = place_x(frame, point->x);
    if (point->low < point->high)
        fprintf(out, "<path class=\"bar\" d=\"M%.1f %.1fV%.1fM%.1f %.1fh8M%.1f %.1fh8\"/>", x,
                place_y(frame, point->low), place_y(frame, point->high), x - 4.0, place_y(frame, point->low), x - 4.0,
                place_y(frame, point->high));
    fprintf(out, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"4\">", point->hollow ? " class=\"hollow\"" : "", x,
            place_y(frame, point->y));
    print_tip(out, chart, series, point);
    fprintf(out, "</circle>\n");
}

/* `number`: of the series among those of bars. */
static void print_bars(FILE *out, const struct chart *chart, const struct chart_series *series, int number,
                       const struct frame *frame)
{
    const double wide = 0.84 * frame->bar_step / frame->bars;
    for (int i = 0; i < series->count; i++) {
        const struct chart_point *point = &series->points[i];
        if (isnan(point->y) || point->y <= 0.0)
            continue;
        const double left = place_x(frame, point->x + wide * (number - frame->bars / 2.0));
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">", left, place_y(frame, point->y),
                place_x(frame, point->x + wide * (number + 1 - frame->bars / 2.0)) - left,
                place_y(frame, 0.0) - place_y(frame, point->y));
        print_tip(out, chart, series, point);
        fprintf(out, "</rect>\n");
    }
}

static void print_stack(FILE *out, const struct chart *chart, const struct chart_series *series,
                        const struct frame *frame)
{
    const double wide = 0.7 * frame->bar_step;
    for (int i = 0; i < series->count; i++) {
        const struct chart_point *point = &series->points[i];
        if (isnan(point->y) || point->low >= point->high)
            continue;
        const double left = place_x(frame, point->x - wide / 2.0);
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">", left, place_y(frame, point->high),
                place_x(frame, point->x + wide / 2.0) - left, place_y(frame, point->low) - place_y(frame, point->high));
        print_tip(out, chart, series, point);
        fprintf(out, "</rect>\n");
    }
}

static void print_level(FILE *out, const struct chart_level *level, double name_y, const struct frame *frame)
{
    const double y = place_y(frame, level->y);
    const int right = frame->width - frame->right;

    if (level->low < level->high)
        fprintf(out, "<rect class=\"band\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>", frame->left,
                place_y(frame, level->high), right - frame->left,
                place_y(frame, level->low) - place_y(frame, level->high));
    fprintf(out, "<line class=\"level\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"><title>", frame->left, y, right, y);
    chart_escape(out, level->name);
    fprintf(out, ": %.4g", level->y);
    if (level->low < level->high)
        fprintf(out, " [%.4g, %.4g]", level->low, level->high);
    fprintf(out, "</title></line><text class=\"level\" x=\"%d\" y=\"%.1f\">", frame->left + 6, name_y);
    chart_escape(out, level->name);
    fprintf(out, "</text>\n");
}

/* From the highest to the lowest; names stand on their lines, or below the name before where they would touch. Early
 * points of a chart that rises leave the most room at the left. */
static void print_levels(FILE *out, const struct chart *chart, const struct frame *frame)
{
    bool printed[CHART_LEVELS_MAX] = {false};
    double last = -INFINITY;

    for (int n = 0; n < chart->levels_count; n++) {
        int next = -1;
        for (int i = 0; i < chart->levels_count; i++)
            if (!printed[i] && !isnan(chart->levels[i].y) && (next < 0 || chart->levels[i].y > chart->levels[next].y))
                next = i;
        if (next < 0)
            return;
        printed[next] = true;
        last = fmax(place_y(frame, chart->levels[next].y) - 4.0, last + NAME_HEIGHT);
        fprintf(out, "<g class=\"s%d\">", (chart->count + next) % COLOURS);
        print_level(out, &chart->levels[next], last, frame);
        fprintf(out, "</g>\n");
    }
}

static void print_series(FILE *out, const struct chart *chart, int s, int *bars, const struct frame *frame)
{
    const struct chart_series *series = &chart->series[s];

    fprintf(out, "<g class=\"s%d\">\n", s % COLOURS);
    if (series->marks == CHART_BARS)
        print_bars(out, chart, series, (*bars)++, frame);
    if (series->marks == CHART_STACK)
        print_stack(out, chart, series, frame);
    if (series->marks == CHART_LINE || series->marks == CHART_CURVE)
        print_line(out, series, frame);
    for (int i = 0; i < series->count; i++) {
        const struct chart_point *point = &series->points[i];
        const bool marked = series->marks == CHART_LINE || series->marks == CHART_DOTS ||
                            (series->marks == CHART_CURVE && point->hollow);
        if (marked && !isnan(point->y))
            print_mark(out, chart, series, point, frame);
    }
    fprintf(out, "</g>\n");
}

static void print_legend(FILE *out, const struct chart *chart)
{
    fprintf(out, "<p class=\"legend\">");
    for (int s = 0; s < chart->count; s++) {
        fprintf(out, "<span class=\"s%d\"><i></i>", s % COLOURS);
        chart_escape(out, chart->series[s].name);
        fprintf(out, "</span> ");
    }
    fprintf(out, "</p>\n");
}

void chart_print(FILE *out, const struct chart *chart)
{
    struct frame frame;
    int bars = 0;

    if (!measure(chart, &frame))
        return;
    fprintf(out, "<figure>\n<figcaption>");
    chart_escape(out, chart->title);
    fprintf(out, "</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", frame.width, frame.height);
    chart_escape(out, chart->words ? chart->words : chart->title);
    fprintf(out, "\">\n");
    print_axes(out, chart, &frame);
    print_levels(out, chart, &frame);
    for (int s = 0; s < chart->count; s++)
        print_series(out, chart, s, &bars, &frame);
    fprintf(out, "</svg>\n");
    if (chart->count > 1 && !chart->small)
        print_legend(out, chart);
    if (chart->note != NULL) {
        fprintf(out, "<p class=\"note\">");
        chart_escape(out, chart->note);
        fprintf(out, "</p>\n");
    }
    fprintf(out, "</figure>\n");
}
