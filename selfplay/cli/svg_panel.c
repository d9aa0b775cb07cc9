/* Frames and axes of an SVG picture's panels. Knows nothing of datasets. Layer: selfplay (program). */
#include "svg_panel.h"

#include <math.h>
#include <stddef.h>

#include <willow/program.h>

enum { TICKS = 5, TITLE_SPACE = 16, LEGEND_LETTER = 7, LEGEND_SWATCH = 15, LEGEND_GAP = 30 };

void svg_text(FILE *out, const char *text)
{
    /* What a configuration may hold is what XML may, but for control characters. */
    bool valid = willow_config_text_valid(text);
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !valid))
            (void)fputc('?', out);
        else if (byte == '&')
            (void)fputs("&amp;", out);
        else if (byte == '<')
            (void)fputs("&lt;", out);
        else if (byte == '>')
            (void)fputs("&gt;", out);
        else
            (void)fputc(byte, out);
    }
}

/* 1, 2 or 5 times a power of ten, so that about TICKS of them make the range. */
static double round_step(double range)
{
    double rough = range / TICKS, power = pow(10, floor(log10(rough))), times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static struct svg_axis with_unit(struct svg_axis axis)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    axis.unit = 1;
    axis.unit_name = "";
    for (size_t i = 0; i < sizeof units / sizeof *units && axis.unit == 1; i++)
        if (axis.high >= units[i].unit) {
            axis.unit = units[i].unit;
            axis.unit_name = units[i].name;
        }
    return axis;
}

struct svg_axis svg_axis_up_to(double most)
{
    double shown = most > 0 ? most : 1;
    struct svg_axis axis = {.step = round_step(shown)};
    axis.high = ceil(shown / axis.step - 1e-9) * axis.step;
    return with_unit(axis);
}

struct svg_axis svg_axis_fixed(double low, double high, double step)
{
    return with_unit((struct svg_axis){.low = low, .high = high, .step = step});
}

double svg_x(const struct svg_panel *panel, double value)
{
    return panel->left + (value - panel->x.low) / (panel->x.high - panel->x.low) * panel->width;
}

double svg_y(const struct svg_panel *panel, double value)
{
    return panel->top + panel->height - (value - panel->y.low) / (panel->y.high - panel->y.low) * panel->height;
}

/* The i-th tick; false past the end of the axis. */
static bool tick_at(const struct svg_axis *axis, int i, double *value)
{
    *value = (ceil(axis->low / axis->step - 1e-9) + i) * axis->step;
    if (fabs(*value) < axis->step * 1e-6)
        *value = 0; /* no minus sign before it */
    return *value <= axis->high + axis->step * 1e-6;
}

/* The minus sign of typography is as wide as the plus and the digits. */
static const char *minus_of(double value)
{
    return value < 0 ? "\u2212" : "";
}

void svg_number(FILE *out, double value, int decimals)
{
    fprintf(out, "%s%.*f", minus_of(value), decimals, fabs(value));
}

void svg_short_number(FILE *out, double value)
{
    struct svg_axis axis = with_unit((struct svg_axis){.high = fabs(value)});
    fprintf(out, "%s%.3g%s", minus_of(value), fabs(value / axis.unit), axis.unit_name);
}

static void print_tick(FILE *out, const struct svg_axis *axis, double value)
{
    fprintf(out, "%s%.6g%s", minus_of(value), fabs(value / axis->unit), value == 0 ? "" : axis->unit_name);
}

static void print_ticks(FILE *out, const struct svg_panel *panel)
{
    double value, right = panel->left + panel->width, bottom = panel->top + panel->height;
    for (int i = 0; tick_at(&panel->y, i, &value); i++) {
        double y = svg_y(panel, value);
        fprintf(out,
                "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/><text class=\"tick\" x=\"%.1f\" y=\"%.1f\" "
                "text-anchor=\"end\">",
                panel->left, y, right, panel->left - 8, y + 4);
        print_tick(out, &panel->y, value);
        fprintf(out, "</text>\n");
    }
    for (int i = 0; tick_at(&panel->x, i, &value); i++) {
        double x = svg_x(panel, value);
        fprintf(out,
                "<path class=\"axis\" d=\"M%.1f %.1fv5\"/><text class=\"tick\" x=\"%.1f\" y=\"%.1f\" "
                "text-anchor=\"middle\">",
                x, bottom, x, bottom + 18);
        print_tick(out, &panel->x, value);
        fprintf(out, "</text>\n");
    }
    fprintf(out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>\n", panel->left, bottom, right);
}

/* Roughly, from the number of characters: where the text is measured is not where it is drawn. */
static double text_width(const char *text)
{
    double width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) == 0x80 ? 0 : LEGEND_LETTER;
    return width;
}

/* The entries in a line that ends with the frame. */
static void print_legend(FILE *out, const struct svg_panel *panel)
{
    double x = panel->left + panel->width;
    for (int i = 0; i < SVG_LEGEND && panel->legend[i]; i++)
        x -= text_width(panel->legend[i]) + (i ? LEGEND_GAP : LEGEND_SWATCH);
    for (int i = 0; i < SVG_LEGEND && panel->legend[i]; i++) {
        fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" rx=\"2\"/>",
                panel->legend_class[i], x, panel->top - TITLE_SPACE - 9);
        fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">", x + LEGEND_SWATCH, panel->top - TITLE_SPACE);
        svg_text(out, panel->legend[i]);
        fprintf(out, "</text>\n");
        x += text_width(panel->legend[i]) + LEGEND_GAP;
    }
}

void svg_panel_frame(FILE *out, const struct svg_panel *panel)
{
    fprintf(out, "<text class=\"head\" x=\"%.1f\" y=\"%.1f\">", panel->left, panel->top - TITLE_SPACE);
    svg_text(out, panel->title);
    fprintf(out, "</text>\n");
    print_ticks(out, panel);
    print_legend(out, panel);
    fprintf(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", panel->left + panel->width / 2,
            panel->top + panel->height + 38);
    svg_text(out, panel->x_title);
    fprintf(out, "</text>\n<text class=\"name\" transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">",
            panel->left - 52, panel->top + panel->height / 2);
    svg_text(out, panel->y_title);
    fprintf(out, "</text>\n");
}

void svg_panel_empty(FILE *out, const struct svg_panel *panel, const char *words)
{
    fprintf(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", panel->left + panel->width / 2,
            panel->top + panel->height / 2);
    svg_text(out, words);
    fprintf(out, "</text>\n");
}
