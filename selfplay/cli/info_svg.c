/* A census as one SVG picture of six panels. Needs no script and no font of its own, and follows a dark page. Layer:
 * selfplay (program).
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "info.h"
#include "svg_panel.h"

/* Two columns and three rows of panels below a head. */
enum {
    WIDTH = 1200,
    HEAD = 96,
    PANEL_HEIGHT = 370,
    HEIGHT = HEAD + 3 * PANEL_HEIGHT + 10,
    COLUMN = WIDTH / 2,
    LEFT = 84,
    RIGHT = 28,
    TOP = 50,
    BOTTOM = 62,
    NAME_LETTERS = 60,
    DISCS_MAX = CENSUS_BINS / 2 * CENSUS_BIN_DISCS, /* of the axes: 64, in a wide build 128 */
    HEAT_SHADES = 16
};

static const char *const style =
    "svg{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',Helvetica,Arial,sans-serif}\n"
    ".back{fill:#fff}.title{font-size:22px;font-weight:600;fill:#1c2430}.sub{font-size:13px;fill:#56606d}\n"
    ".head{font-size:15px;font-weight:600;fill:#1c2430}.name{font-size:13px;fill:#56606d}"
    ".tick{font-size:12px;fill:#56606d}\n"
    ".grid{stroke:#e3e7ec;fill:none}.axis{stroke:#8a94a1;fill:none}.same{stroke:#8a94a1;fill:none;"
    "stroke-dasharray:5 4}\n"
    ".exact{fill:#1a936f}.search{fill:#3a77d0}.none{fill:#b9c1cc}.mean{fill:#d9601a}.heat{fill:#2b66c2}\n"
    ".line{fill:none;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}"
    ".exact.line,.search.line,.mean.line{fill:none}\n"
    ".exact.line{stroke:#1a936f}.search.line{stroke:#3a77d0}.mean.line{stroke:#d9601a}\n"
    "@media (prefers-color-scheme:dark){.back{fill:#14181f}.title,.head{fill:#e9edf2}"
    ".sub,.name,.tick{fill:#a8b2bf}.grid{stroke:#2a313c}.axis,.same{stroke:#7a8593}\n"
    ".exact{fill:#35b98f}.search{fill:#5b95ea}.none{fill:#566170}.mean{fill:#f28a48}.heat{fill:#6aa5ff}\n"
    ".exact.line{stroke:#35b98f}.search.line{stroke:#5b95ea}.mean.line{stroke:#f28a48}}\n";

static struct svg_panel panel_at(int column, int row, const char *title, const char *x_title, const char *y_title)
{
    return (struct svg_panel){.left = column * COLUMN + LEFT,
                              .top = HEAD + row * PANEL_HEIGHT + TOP,
                              .width = COLUMN - LEFT - RIGHT,
                              .height = PANEL_HEIGHT - TOP - BOTTOM,
                              .title = title,
                              .x_title = x_title,
                              .y_title = y_title};
}

/* The end of a name of which no more than NAME_LETTERS bytes are shown, from the beginning of a character on. */
static const char *name_end(const char *name)
{
    size_t length = strlen(name);
    const char *end = length > NAME_LETTERS ? name + length - NAME_LETTERS : name;
    while (((unsigned char)*end & 0xc0) == 0x80)
        end++;
    return end;
}

static void print_name(FILE *out, const struct census *census)
{
    const char *name = census->folders[0].path, *end = name_end(name);
    if (end != name)
        (void)fputs("\u2026", out);
    svg_text(out, end);
    if (census->folders_count > 1)
        fprintf(out, " and %zu more", census->folders_count - 1);
}

/* 1,234,567 */
static void print_count(FILE *out, uint64_t count)
{
    if (count >= 1000) {
        print_count(out, count / 1000);
        fprintf(out, ",%03d", (int)(count % 1000));
    } else {
        fprintf(out, "%d", (int)count);
    }
}

static void print_facts(FILE *out, const struct census *census)
{
    print_count(out, census->rows);
    fprintf(out, " positions of ");
    print_count(out, census->games.games);
    fprintf(out, " games in ");
    print_count(out, census->shards);
    fprintf(out, " shards");
    if (census->rows > 0)
        fprintf(out, ", %.1f bytes a position, %.1f%% exact, %.1f%% searched",
                info_share(census->size_bytes, census->rows), 100 * info_share(info_whole(census).exact, census->rows),
                100 * info_share(info_whole(census).searched, census->rows));
    fprintf(out, "; ruleset %s", census->ruleset->name);
}

static void print_head(FILE *out, const struct census *census)
{
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>Dataset ",
            WIDTH, HEIGHT);
    print_name(out, census);
    fprintf(out, "</title>\n<style>\n%s</style>\n<rect class=\"back\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", style,
            WIDTH, HEIGHT);
    fprintf(out, "<text class=\"title\" x=\"32\" y=\"42\">");
    print_name(out, census);
    fprintf(out, "</text>\n<text class=\"sub\" x=\"32\" y=\"66\">");
    print_facts(out, census);
    fprintf(out, "</text>\n<text class=\"sub\" x=\"32\" y=\"86\">");
    if (census->folders[0].first.tool[0]) {
        fprintf(out, "written by ");
        svg_text(out, census->folders[0].first.tool);
    }
    if (census->folders[0].first.weights[0]) {
        fprintf(out, ", weights ");
        svg_text(out, census->folders[0].first.weights);
    }
    fprintf(out, "</text>\n");
}

/* A bar from `from` to `to` of the y axis, `wide` units of the x axis, about x. */
static void print_bar(FILE *out, const struct svg_panel *panel, const char *class, double x, double wide, double from,
                      double to)
{
    if (to <= from)
        return;
    double left = svg_x(panel, x - wide / 2);
    fprintf(out, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n", class, left,
            svg_y(panel, to), svg_x(panel, x + wide / 2) - left, svg_y(panel, from) - svg_y(panel, to));
}

static void draw_plies(FILE *out, const struct census *census)
{
    struct svg_panel panel = panel_at(0, 0, "Positions by ply", "ply (discs on the board \u2212 4)", "positions");
    uint64_t most = 0;
    for (int ply = 0; ply < WILLOW_PLIES; ply++)
        most = census->plies[ply].rows > most ? census->plies[ply].rows : most;
    panel.x = svg_axis_fixed(-1, info_plies(census), 10);
    panel.y = svg_axis_up_to((double)(most > 4 ? most : 4));
    static const char *const classes[SVG_LEGEND] = {"exact", "search", "none"};
    static const char *const names[SVG_LEGEND] = {"exact", "searched", "no score"};
    memcpy(panel.legend_class, classes, sizeof classes);
    memcpy(panel.legend, names, sizeof names);
    svg_panel_frame(out, &panel);
    for (int ply = 0; ply < WILLOW_PLIES; ply++) {
        const struct census_ply *at = &census->plies[ply];
        double exact = (double)at->exact, scored = (double)at->fit.rows;
        print_bar(out, &panel, "exact", ply, 0.8, 0, exact);
        print_bar(out, &panel, "search", ply, 0.8, exact, scored);
        print_bar(out, &panel, "none", ply, 0.8, scored, (double)at->rows);
    }
    if (census->rows == 0)
        svg_panel_empty(out, &panel, "no positions");
}

static void draw_histogram(FILE *out, struct svg_panel panel, const char *class, const uint64_t bins[CENSUS_BINS],
                           const char *nothing)
{
    uint64_t total = 0, most = 0;
    for (int bin = 0; bin < CENSUS_BINS; bin++) {
        total += bins[bin];
        most = bins[bin] > most ? bins[bin] : most;
    }
    panel.x = svg_axis_fixed(-DISCS_MAX - CENSUS_BIN_DISCS, DISCS_MAX + CENSUS_BIN_DISCS, DISCS_MAX / 4);
    panel.y = svg_axis_up_to(100 * info_share(most, total));
    svg_panel_frame(out, &panel);
    for (int bin = 0; bin < CENSUS_BINS; bin++)
        print_bar(out, &panel, class, CENSUS_BIN_DISCS * (bin - CENSUS_BINS / 2), 0.85 * CENSUS_BIN_DISCS, 0,
                  100 * info_share(bins[bin], total));
    if (total == 0)
        svg_panel_empty(out, &panel, nothing);
}

/* 0 = nothing, 1 .. HEAT_SHADES by the logarithm of the count. */
static int heat_of(uint64_t count, uint64_t most)
{
    if (count == 0)
        return 0;
    if (most == 1)
        return HEAT_SHADES;
    return 1 + (int)lround((HEAT_SHADES - 1) * log((double)count) / log((double)most));
}

/* The upper shades differ more: there lies most of the data. */
static double opacity_of(int heat)
{
    return 0.1 + 0.9 * pow((double)heat / HEAT_SHADES, 1.7);
}

/* All cells of one shade as a single path, runs of equal ones joined; drawn in units of a cell. */
static void draw_shade(FILE *out, const struct census *census, uint64_t most, int heat)
{
    bool begun = false;
    for (int result = 0; result < CENSUS_BINS; result++)
        for (int score = 0; score < CENSUS_BINS; score++) {
            int run = 0;
            while (score + run < CENSUS_BINS && heat_of(census->density[score + run][result], most) == heat)
                run++;
            if (run == 0)
                continue;
            if (!begun)
                fprintf(out, "<path class=\"heat\" fill-opacity=\"%.3f\" d=\"", opacity_of(heat));
            begun = true;
            fprintf(out, "M%d %dh%dv1h-%dz", score, CENSUS_BINS - 1 - result, run, run);
            score += run - 1;
        }
    if (begun)
        fprintf(out, "\"/>\n");
}

static void draw_calibration(FILE *out, const struct svg_panel *panel, const struct census *census, uint64_t least)
{
    bool begun = false;
    for (int bin = 0; bin < CENSUS_BINS; bin++) {
        if (census->scores[bin] < least)
            continue;
        fprintf(out, "%s%.1f %.1f", begun ? "L" : "<path class=\"mean line\" d=\"M",
                svg_x(panel, CENSUS_BIN_DISCS * (bin - CENSUS_BINS / 2)),
                svg_y(panel, (double)census->result_by_score[bin] / (double)census->scores[bin]));
        begun = true;
    }
    if (begun)
        fprintf(out, "\"/>\n");
}

static void print_fact(FILE *out, double x, double y, const char *name, double value, int decimals, const char *unit)
{
    fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">%s</text><text class=\"head\" x=\"%.1f\" y=\"%.1f\">", x,
            y, name, x, y + 20);
    svg_number(out, value, decimals);
    fprintf(out, "%s</text>\n", unit);
}

/* Beside the heat map: its scale, and what the scores are worth as a whole. */
static void draw_heat_side(FILE *out, const struct svg_panel *panel, const struct census *census, uint64_t most)
{
    double x = panel->left + panel->width + 24, y = panel->top + 12;
    struct census_fit fit = info_whole(census).fit;
    print_fact(out, x, y, "mean |score \u2212 result|", census_mean_error(&fit), 2, " discs");
    print_fact(out, x, y + 48, "root mean square", census_rms_error(&fit), 2, " discs");
    print_fact(out, x, y + 96, "bias (result \u2212 score)", census_bias(&fit), 2, " discs");
    print_fact(out, x, y + 144, "correlation", census_correlation(&fit), 3, "");
    y = panel->top + panel->height - 42;
    for (int heat = 1; heat <= HEAT_SHADES; heat++)
        fprintf(out, "<rect class=\"heat\" fill-opacity=\"%.3f\" x=\"%.1f\" y=\"%.1f\" width=\"9\" height=\"12\"/>",
                opacity_of(heat), x + 9 * (heat - 1), y);
    fprintf(out,
            "\n<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">positions (log)</text><text class=\"tick\" x=\"%.1f\" "
            "y=\"%.1f\">1</text><text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
            x, y - 8, x, y + 27, x + 9 * HEAT_SHADES, y + 27);
    svg_short_number(out, (double)most);
    fprintf(out, "</text>\n");
}

static void draw_heat(FILE *out, const struct census *census)
{
    struct svg_panel panel = panel_at(1, 0, "Result over score", "score, discs", "result, discs");
    uint64_t most = 0;
    for (int score = 0; score < CENSUS_BINS; score++)
        for (int result = 0; result < CENSUS_BINS; result++)
            most = census->density[score][result] > most ? census->density[score][result] : most;
    panel.width = panel.height + 60;
    panel.x = panel.y =
        svg_axis_fixed(-CENSUS_BINS * CENSUS_BIN_DISCS / 2.0, CENSUS_BINS * CENSUS_BIN_DISCS / 2.0, DISCS_MAX / 2);
    panel.legend_class[0] = "mean", panel.legend[0] = "mean result";
    svg_panel_frame(out, &panel);
    if (most == 0) {
        svg_panel_empty(out, &panel, "no scores");
        return;
    }
    fprintf(out, "<g transform=\"translate(%.2f %.2f) scale(%.5f %.5f)\" shape-rendering=\"crispEdges\">\n", panel.left,
            panel.top, panel.width / CENSUS_BINS, panel.height / CENSUS_BINS);
    for (int heat = 1; heat <= HEAT_SHADES; heat++)
        draw_shade(out, census, most, heat);
    fprintf(out, "</g>\n<path class=\"same\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", svg_x(&panel, -DISCS_MAX),
            svg_y(&panel, -DISCS_MAX), svg_x(&panel, DISCS_MAX), svg_y(&panel, DISCS_MAX));
    /* A mean of a few rows is noise; in a small dataset it is all there is. */
    draw_calibration(out, &panel, census, info_whole(census).fit.rows >= 10000 ? 20 : 1);
    draw_heat_side(out, &panel, census, most);
}

/* A line over plies, broken where there is nothing; a ply without neighbours is a dot. */
static void draw_line(FILE *out, const struct svg_panel *panel, const char *class, const double values[WILLOW_PLIES])
{
    bool drawing = false;
    fprintf(out, "<path class=\"%s line\" d=\"", class);
    for (int ply = 0; ply < WILLOW_PLIES; ply++) {
        if (isnan(values[ply])) {
            drawing = false;
            continue;
        }
        fprintf(out, "%s%.1f %.1f", drawing ? "L" : "M", svg_x(panel, ply), svg_y(panel, values[ply]));
        if (!drawing)
            fprintf(out, "h0");
        drawing = true;
    }
    fprintf(out, "\"/>\n");
}

static void draw_errors(FILE *out, const struct census *census)
{
    struct svg_panel panel = panel_at(0, 2, "Score \u2212 result by ply", "ply", "size of the difference, discs");
    double mean[WILLOW_PLIES], rms[WILLOW_PLIES], most = 0;
    for (int ply = 0; ply < WILLOW_PLIES; ply++) {
        const struct census_fit *fit = &census->plies[ply].fit;
        mean[ply] = fit->rows ? census_mean_error(fit) : NAN;
        rms[ply] = fit->rows ? census_rms_error(fit) : NAN;
        most = fit->rows && rms[ply] > most ? rms[ply] : most;
    }
    panel.x = svg_axis_fixed(-1, info_plies(census), 10);
    panel.y = svg_axis_up_to(most);
    panel.legend_class[0] = "search", panel.legend[0] = "mean";
    panel.legend_class[1] = "mean", panel.legend[1] = "root mean square";
    svg_panel_frame(out, &panel);
    if (info_whole(census).fit.rows == 0) {
        svg_panel_empty(out, &panel, "no scores");
        return;
    }
    draw_line(out, &panel, "mean", rms);
    draw_line(out, &panel, "search", mean);
}

static void draw_distinct(FILE *out, const struct census *census)
{
    struct svg_panel panel =
        panel_at(1, 2, "Distinct positions by ply, up to symmetry", "ply", "share of positions, %");
    double share[WILLOW_PLIES];
    for (int ply = 0; ply < WILLOW_PLIES; ply++) {
        const struct census_ply *at = &census->plies[ply];
        share[ply] = at->rows ? 100 * info_share(at->distinct, at->rows) : NAN;
    }
    panel.x = svg_axis_fixed(-1, info_plies(census), 10);
    panel.y = svg_axis_fixed(0, 100, 20);
    svg_panel_frame(out, &panel);
    if (!census->duplicates || census->rows == 0)
        svg_panel_empty(out, &panel, census->rows ? "not counted" : "no positions");
    else
        draw_line(out, &panel, "exact", share);
}

static void draw(FILE *out, const struct census *census)
{
    print_head(out, census);
    draw_plies(out, census);
    draw_heat(out, census);
    draw_histogram(out, panel_at(0, 1, "Scores", "score, discs", "share of scores, %"), "search", census->scores,
                   "no scores");
    draw_histogram(out, panel_at(1, 1, "Results", "result for the side to move, discs", "share of positions, %"),
                   "exact", census->results, "no positions");
    draw_errors(out, census);
    draw_distinct(out, census);
    fprintf(out, "</svg>\n");
}

enum willow_status info_write_svg(const struct census *census, const char *path, struct willow_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    draw(out, census);
    bool good = !ferror(out);
    good = fclose(out) == 0 && good;
    enum willow_status status = good ? willow_file_replace(path, text, size, error)
                                     : willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    free(text);
    return status;
}
