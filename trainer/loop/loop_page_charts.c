/* Charts of the loop's page, with a sentence below each; see loop_page.h. Layer: trainer (program). */
#include "loop_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart.h"

/* What is in the making is not. */
static bool rejected(const struct report *report, const struct report_generation *generation)
{
    return generation->kind != REPORT_START && !generation->accepted && generation->number < report->count;
}

/* A point of generation `number`; bounds that are not known are not drawn. */
static void add_point(struct chart_series *series, const struct report *report, int number, double y, double low,
                      double high)
{
    const struct report_generation *generation = &report->generations[number];

    if (series->count < CHART_POINTS_MAX)
        series->points[series->count++] =
            (struct chart_point){number, y, isnan(low) ? y : low, isnan(high) ? y : high, rejected(report, generation)};
}

/* Difference between the greatest and the smallest of the values that are known. */
static double span(const double *values, int first, int count)
{
    double low = HUGE_VAL, high = -HUGE_VAL;

    for (int i = first; i < count; i++)
        if (!isnan(values[i])) {
            low = fmin(low, values[i]);
            high = fmax(high, values[i]);
        }
    return high > low ? high - low : 0.0;
}

/* Generations that may know nothing yet: number 0, and the first that learnt. */
enum { BEGINNERS = 2 };

/* The first generation that is drawn: beginners who know nothing would press all others into a line. They are left out
 * where the picture would be more than three times as high with them as without, if four others are left. */
static int first_drawn(const double *values, int count)
{
    int first = 0;

    for (int next = 1; next <= BEGINNERS && count - next >= 4; next++)
        if (span(values, first, count) > 3.0 * span(values, next, count))
            first = next;
    return first;
}

enum { NOTE_MAX = 480 };

/* The note, and what is not in the picture. Returns buffer. */
static const char *note_of(const char *note, int first, char buffer[NOTE_MAX])
{
    const int length = snprintf(buffer, NOTE_MAX, "%s", note);

    if (first > 0 && length > 0 && length < NOTE_MAX)
        snprintf(buffer + length, (size_t)(NOTE_MAX - length),
                 " What came before generation %d lies far outside of the picture.", first);
    return buffer;
}

/* Stands where a chart will be. */
static void print_awaited(FILE *out, const char *title, const char *words)
{
    fprintf(out, "<figure>\n<figcaption>");
    chart_escape(out, title);
    fprintf(out, "</figcaption>\n<p class=\"note\">");
    chart_escape(out, words);
    fprintf(out, "</p>\n</figure>\n");
}

static void print_ladder(FILE *out, const struct report *report, struct chart *chart)
{
    double elo[REPORT_GENERATIONS_MAX];
    char y_title[80], note[NOTE_MAX];
    const int rows = report_rows(report);

    if (!report_has_ladder(report)) {
        print_awaited(out, "Strength: the Elo ladder",
                      report->ladder_pairs > 0 ? "No game of the ladder has been played yet; the first ones come with "
                                                 "the first generation that is accepted."
                                               : "The configuration asks for no ladder.");
        return;
    }
    snprintf(y_title, sizeof y_title, "Elo above %s", report->ladder_anchor);
    for (int i = 0; i < rows; i++)
        elo[i] = report->generations[i].ladder.elo;
    const int first = first_drawn(elo, rows);
    *chart = (struct chart){.title = "Strength: the Elo ladder",
                            .words = "Elo of each generation with 95% bounds; see the table of generations",
                            .note = note_of("Higher is stronger, and 200 Elo more take 76% of the points; the true "
                                            "value lies within the whiskers 19 times in 20, rings were rejected, "
                                            "dashed lines are fixed opponents.",
                                            first, note),
                            .x_title = "generation",
                            .y_title = y_title,
                            .tall = true};
    struct chart_series *series = chart_series_add(chart, "generation", CHART_LINE);
    for (int i = first; i < rows; i++) {
        const struct report_rating *ladder = &report->generations[i].ladder;
        add_point(series, report, i, ladder->elo, ladder->elo_low, ladder->elo_high);
    }
    for (int i = 0; i < report->players && i < CHART_LEVELS_MAX; i++) {
        const struct report_player *player = &report->player[i];
        chart->levels[chart->levels_count++] = (struct chart_level){.name = player->name,
                                                                    .y = player->rating.elo,
                                                                    .low = player->rating.elo_low,
                                                                    .high = player->rating.elo_high};
    }
    chart_print(out, chart);
}

static void print_static_errors(FILE *out, const struct report *report, struct chart *chart)
{
    double errors[REPORT_GENERATIONS_MAX];
    char note[NOTE_MAX];
    const int rows = report_rows(report);

    if (report->yardsticks == 0)
        return;
    for (int i = 0; i < rows; i++) {
        errors[i] = 0.0;
        for (int y = 0; y < report->yardsticks; y++)
            errors[i] += report->generations[i].yardstick[y];
    }
    const int first = first_drawn(errors, rows);
    *chart = (struct chart){.title = "Static errors",
                            .words = "Mean absolute error of the evaluation on each file of positions by generation; "
                                     "see the table of generations",
                            .note = note_of("How far the evaluation alone, without looking a move ahead, is from the "
                                            "exact score on positions that it never learnt from; lower is better.",
                                            first, note),
                            .x_title = "generation",
                            .y_title = "mean absolute error, discs",
                            .tall = true};
    for (int y = 0; y < report->yardsticks && y < CHART_SERIES_MAX; y++) {
        struct chart_series *series = chart_series_add(chart, report->yardstick_names[y], CHART_LINE);
        for (int i = first; i < rows; i++)
            add_point(series, report, i, report->generations[i].yardstick[y], (double)NAN, (double)NAN);
    }
    chart_print(out, chart);
}

static void print_gains(FILE *out, const struct report *report, struct chart *chart)
{
    double gain[REPORT_GENERATIONS_MAX];
    char words[NOTE_MAX / 2], note[NOTE_MAX];
    const int rows = report_rows(report);

    for (int i = 0; i < rows; i++)
        gain[i] = report->generations[i].match.played ? report->generations[i].match.nelo : (double)NAN;
    const int first = first_drawn(gain, rows);
    snprintf(words, sizeof words,
             "Above zero is stronger than the best generation before it; the gate's games stop as soon as it is clear "
             "which of %+g and %+g fits them better, so a short match has long whiskers.",
             report->gate_nelo0, report->gate_nelo1);
    *chart = (struct chart){.title = "Gain on the best before",
                            .words = "Normalised Elo in the gate by generation with 95% bounds; see the table",
                            .note = note_of(words, first, note),
                            .x_title = "generation",
                            .y_title = "normalised Elo"};
    struct chart_series *series = chart_series_add(chart, "generation", CHART_DOTS);
    for (int i = first; i < rows; i++)
        add_point(series, report, i, gain[i], report->generations[i].match.nelo_low,
                  report->generations[i].match.nelo_high);
    chart_print(out, chart);
}

static void print_held_out(FILE *out, const struct report *report, struct chart *chart)
{
    *chart = (struct chart){.title = "Held-out error",
                            .words = "Mean absolute error on held-out games by generation; see the table",
                            .note = "How well each generation learnt its own labels, on games that it was not fitted "
                                    "to; labels change from one to the next, so this need not fall as strength rises.",
                            .x_title = "generation",
                            .y_title = "mean absolute error, discs",
                            .from_zero = true};
    struct chart_series *series = chart_series_add(chart, "generation", CHART_LINE);
    for (int i = 0; i < report_rows(report); i++)
        add_point(series, report, i, report->generations[i].held_out, (double)NAN, (double)NAN);
    chart_print(out, chart);
}

static double longest(const struct report *report)
{
    double most = 0.0;

    for (int i = 0; i < report_rows(report); i++) {
        double sum = 0.0;
        for (int work = 0; work < REPORT_WORKS; work++)
            sum += report->generations[i].spent[work];
        most = fmax(most, sum);
    }
    return most;
}

static void print_times(FILE *out, const struct report *report, struct chart *chart)
{
    const double most = longest(report);
    const double unit = most > 7200.0 ? 3600.0 : most > 120.0 ? 60.0 : 1.0;

    if (most <= 0.0)
        return;
    *chart = (struct chart){.title = "Where the time went",
                            .words = "Time by kind of step and generation; see the table of times",
                            .note = "Time that each generation took, by what it was spent on.",
                            .x_title = "generation",
                            .y_title = unit > 60.0  ? "hours"
                                       : unit > 1.0 ? "minutes"
                                                    : "seconds"};
    for (int work = 0; work < REPORT_WORKS; work++) {
        struct chart_series *series = chart_series_add(chart, report_work_names[work], CHART_STACK);
        for (int i = 0; i < report_rows(report) && i < CHART_POINTS_MAX; i++) {
            const struct report_generation *generation = &report->generations[i];
            double low = 0.0;
            for (int below = 0; below < work; below++)
                low += generation->spent[below] / unit;
            const double y = generation->spent[work] / unit;
            series->points[series->count++] =
                (struct chart_point){.x = generation->number, .y = y, .low = low, .high = low + y};
        }
    }
    chart_print(out, chart);
}

static void print_stages(FILE *out, const struct report *report, struct chart *chart)
{
    const struct report_generation *best = &report->generations[report->best];
    char title[96];

    snprintf(title, sizeof title, "Held-out error of generation %d over the game", best->number);
    *chart = (struct chart){.title = title,
                            .note = "In which part of the game the best generation knows its labels well.",
                            .x_title = "discs on the board at the start of the stage",
                            .y_title = "mean absolute error, discs",
                            .from_zero = true};
    struct chart_series *series = chart_series_add(chart, "from discs", CHART_LINE);
    for (int stage = 0; stage < best->stages; stage++)
        chart_add(series, report->stages.first_disc[stage], best->stage_held_out[stage]);
    chart_print(out, chart);
}

void loop_page_charts(FILE *out, const struct report *report)
{
    struct chart *chart = malloc(sizeof *chart);

    if (chart == NULL)
        return;
    fprintf(out, "<div class=\"charts\">\n");
    print_ladder(out, report, chart);
    print_static_errors(out, report, chart);
    print_gains(out, report, chart);
    print_held_out(out, report, chart);
    print_times(out, report, chart);
    if (report->count > 0)
        print_stages(out, report, chart);
    fprintf(out, "</div>\n");
    free(chart);
}
