/* The loop's report as one HTML page: headline, charts, table, provenance. No scripts, no outside resources.
 * Layer: trainer (program).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>

#include "loop_report.h"
#include "report/chart.h"
#include "report/page.h"

static const char *kind_title(enum report_kind kind)
{
    return kind == REPORT_START ? "start" : kind == REPORT_BACKWARD ? "backward pass" : "self-play";
}

static void print_final_cards(FILE *out, const struct report *report)
{
    const struct report_match *match = &report->final;
    char figure[64], words[160], elo[16], low[16], high[16];

    snprintf(figure, sizeof figure, "%.1f%%", 100.0 * match->score);
    snprintf(words, sizeof words,
             "of the points for generation %d against generation 0: %llu won, %llu drawn, %llu lost at depth %d",
             report->best, (unsigned long long)match->wins, (unsigned long long)match->draws,
             (unsigned long long)match->losses, report->final_depth);
    page_card(out, figure, words);
    snprintf(words, sizeof words, "Elo above generation 0, 95%% bounds %s to %s (score %.1f%% to %.1f%%)",
             report_elo(match->elo_low, low), report_elo(match->elo_high, high), 100.0 * match->score_low,
             100.0 * match->score_high);
    page_card(out, report_elo(match->elo, elo), words);
    snprintf(figure, sizeof figure, "%+.1f", match->discs);
    snprintf(words, sizeof words, "discs a game, 95%% bounds %+.1f to %+.1f", match->discs_low, match->discs_high);
    page_card(out, figure, words);
}

static void print_cards(FILE *out, const struct report *report)
{
    char figure[64], words[160];
    uint64_t positions = 0;
    int64_t games = 0;

    page_cards_begin(out);
    if (report->final.played) {
        print_final_cards(out, report);
    } else {
        snprintf(figure, sizeof figure, "%d of %d", report->count > 0 ? report->count - 1 : 0, report->planned);
        page_card(out, figure,
                  report->complete ? "generations done; none was accepted"
                                   : "generations done; the match against generation 0 comes last");
    }
    for (int i = 0; i < report->count; i++) {
        positions += report->generations[i].positions;
        games += report->generations[i].games;
    }
    snprintf(words, sizeof words, "of work in all: %s self-play games", report_number((uint64_t)games, figure));
    char total[64];
    page_card(out, willow_duration_text(report->seconds, total), words);
    page_card(out, report_number(positions, figure), "positions labelled and fitted");
    page_cards_end(out);
}

static void add_point(struct chart_series *series, double x, double y, double low, double high, bool hollow)
{
    if (series->count < CHART_POINTS_MAX)
        series->points[series->count++] = (struct chart_point){x, y, low, high, hollow};
}

static void print_generation_charts(FILE *out, const struct report *report, struct chart *chart)
{
    *chart = (struct chart){
        .title = "Strength: Elo ladder above generation 0", .x_title = "generation", .y_title = "Elo", .count = 1};
    chart->series[0].name = "generation";
    for (int i = 0; i < report->count; i++) {
        const struct report_generation *g = &report->generations[i];
        add_point(&chart->series[0], g->number, g->ladder, g->ladder_low, g->ladder_high,
                  g->kind != REPORT_START && !g->accepted);
    }
    chart_print(out, chart);

    *chart = (struct chart){.title = "Held-out error against each generation's own labels",
                            .x_title = "generation",
                            .y_title = "mean absolute error, discs",
                            .from_zero = true,
                            .count = 1};
    chart->series[0].name = "generation";
    for (int i = 0; i < report->count; i++) {
        const struct report_generation *g = &report->generations[i];
        add_point(&chart->series[0], g->number, g->held_out, g->held_out, g->held_out, !g->accepted);
    }
    chart_print(out, chart);

    if (report->yardsticks == 0)
        return;
    *chart = (struct chart){.title = "Static error on positions with exact scores",
                            .x_title = "generation",
                            .y_title = "mean absolute error, discs",
                            .from_zero = true,
                            .count = report->yardsticks};
    for (int y = 0; y < report->yardsticks; y++) {
        chart->series[y].name = report->yardstick_names[y];
        for (int i = 0; i < report->count; i++) {
            const struct report_generation *g = &report->generations[i];
            add_point(&chart->series[y], g->number, g->yardstick[y], g->yardstick[y], g->yardstick[y],
                      g->kind != REPORT_START && !g->accepted);
        }
    }
    chart_print(out, chart);
}

static void print_stage_chart(FILE *out, const struct report *report, struct chart *chart)
{
    const struct report_generation *best = &report->generations[report->best];
    char title[96];

    snprintf(title, sizeof title, "Held-out error of generation %d over the game", best->number);
    *chart = (struct chart){.title = title,
                            .x_title = "discs on the board at the start of the stage",
                            .y_title = "mean absolute error, discs",
                            .from_zero = true,
                            .count = 1};
    chart->series[0].name = "from discs";
    for (int stage = 0; stage < best->stages; stage++) {
        const double error = best->stage_held_out[stage];
        add_point(&chart->series[0], report->stages.first_disc[stage], error, error, error, false);
    }
    chart_print(out, chart);
}

static void print_error_cell(FILE *out, double error)
{
    if (isnan(error))
        fprintf(out, "<td>&ndash;</td>");
    else
        fprintf(out, "<td>%.2f</td>", error);
}

static void print_row(FILE *out, const struct report *report, const struct report_generation *g)
{
    char text[32], low[16], high[16], ladder[16];

    fprintf(out, "<tr><td>%d</td><td class=\"name\">%s</td>", g->number, kind_title(g->kind));
    fprintf(out, "<td>%s</td>", report_number((uint64_t)g->games, text));
    fprintf(out, "<td>%s</td>", report_number(g->positions, text));
    print_error_cell(out, g->held_out);
    for (int y = 0; y < report->yardsticks; y++)
        print_error_cell(out, g->yardstick[y]);
    if (g->match.played) {
        fprintf(out, "<td>%.1f%%</td><td>", 100.0 * g->match.score);
        chart_escape(out, report_elo(g->match.elo, text));
        fprintf(out, " <span class=\"soft\">[");
        chart_escape(out, report_elo(g->match.elo_low, low));
        fprintf(out, ", ");
        chart_escape(out, report_elo(g->match.elo_high, high));
        fprintf(out, "]</span></td><td>%d</td>", g->opponent);
    } else {
        fprintf(out, "<td>&ndash;</td><td>&ndash;</td><td>&ndash;</td>");
    }
    snprintf(ladder, sizeof ladder, "%+.0f", g->ladder);
    fprintf(out, "<td>%s</td><td>%s</td>", ladder, willow_duration_text(g->seconds, text));
    if (g->kind == REPORT_START)
        fprintf(out, "<td class=\"name\"></td></tr>\n");
    else
        fprintf(out, "<td class=\"name %s\">%s%s</td></tr>\n", g->accepted ? "yes" : "no",
                g->accepted ? "accepted" : "rejected", g->number == report->best ? ", best" : "");
}

static void print_table(FILE *out, const struct report *report)
{
    fprintf(out, "<h2>Generations</h2>\n");
    page_table_begin(out, "Generations");
    fprintf(out, "<tr><th>no.</th><th "
                 "class=\"name\">kind</th><th>games</th><th>positions</th><th>held-out error</th>");
    for (int y = 0; y < report->yardsticks; y++) {
        fprintf(out, "<th>");
        chart_escape(out, report->yardstick_names[y]);
        fprintf(out, "</th>");
    }
    fprintf(out, "<th>score</th><th>Elo [95%% bounds]</th><th>against</th><th>ladder</th><th>time</th><th "
                 "class=\"name\">gate</th></tr>\n");
    for (int i = 0; i < report->count; i++)
        print_row(out, report, &report->generations[i]);
    page_table_end(out);
    fprintf(
        out,
        "<p class=\"soft\">Errors are mean absolute errors in discs. The held-out error is measured on games that were "
        "not fitted, against the generation's own labels. Those change from generation to generation, so it says how "
        "well the labels were learnt, not how good they are.%s Score and Elo are against the best generation before, "
        "at depth %d; from a score of %.0f%% on it is accepted. The ladder adds up the Elo of accepted steps and grows "
        "less certain with every step (bounds in the chart). Rings are rejected generations. Elo beyond 1200, a score "
        "of 99.9%%, is not told apart.</p>\n",
        report->yardsticks > 0
            ? " The named columns are errors of the evaluation alone, with no search, on positions with exact scores."
            : "",
        report->gate_depth, 100.0 * report->gate_minimum);
}

static void print_provenance(FILE *out, const struct report *report)
{
    fprintf(out, "<h2>Where it comes from</h2>\n<p>Weights: <code>");
    chart_escape(out, report->weights);
    fprintf(out, "</code>, pattern set ");
    chart_escape(out, report->patterns);
    fprintf(out, ". Made by willow ");
    chart_escape(out, report->version);
    fprintf(out, " from seed %lld. Play against them: <code>willow play --weights ", (long long)report->seed);
    chart_escape(out, report->weights);
    fprintf(out, "</code></p>\n<p>The configuration with every default filled in; the same file, version and seed give "
                 "the same weights "
                 "again:</p>\n<pre>");
    chart_escape(out, report->configuration);
    fprintf(out, "</pre>\n");
}

void report_html(FILE *out, const struct report *report)
{
    struct chart *chart = malloc(sizeof *chart);

    page_begin(out, "Willow training loop");
    fprintf(out, "<p class=\"soft\">An Othello engine that begins with ");
    if (strcmp(report->start, "zero") == 0)
        fprintf(out, "nothing but the rules");
    else
        chart_escape(out, report->start);
    fprintf(out, " and teaches itself: %s</p>\n",
            report->complete ? "finished." : "still running or stopped; this page shows what is finished.");
    print_cards(out, report);
    if (chart != NULL && report->count > 0) {
        fprintf(out, "<div class=\"charts\">\n");
        print_generation_charts(out, report, chart);
        print_stage_chart(out, report, chart);
        fprintf(out, "</div>\n");
    }
    free(chart);
    print_table(out, report);
    print_provenance(out, report);
    page_end(out);
}
