/* The report of a fit as one HTML page: cards, charts, boards, tables, provenance. Layer: trainer (program). */
#include "fit_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>

#include "chart.h"
#include "fit_page_tables.h"
#include "fit_summary.h"
#include "numbers.h"
#include "page.h"

/* Three parts of a game, in plies. */
struct phase {
    char name[32];
    int first_ply, last_ply;
};
enum { PHASES = 3 };

/* The page as it is printed. chart: room for one. */
struct page {
    FILE *out;
    const struct fit_document *document;
    const struct fit_report *report;
    struct fit_summary summary;
    struct phase phases[PHASES];
    struct chart *chart;
};

static void set_phases(struct page *page)
{
    const int plies = willow_ruleset_squares(page->document->ruleset) - 4;
    for (int p = 0; p < PHASES; p++) {
        struct phase *phase = &page->phases[p];
        phase->first_ply = plies * p / PHASES;
        phase->last_ply = p + 1 < PHASES ? plies * (p + 1) / PHASES - 1 : plies;
        snprintf(phase->name, sizeof phase->name, "plies %d-%d", phase->first_ply, phase->last_ply);
    }
}

static const char *judged_name(const struct page *page)
{
    return fit_judged_name(page->document, &page->summary);
}

static void print_cards(const struct page *page)
{
    const struct fit_summary *summary = &page->summary;
    const struct errors *judged = summary->held_out.rows > 0 ? &summary->held_out : &summary->train;
    char figure[32], words[160], number[32];
    page_cards_begin(page->out);
    snprintf(figure, sizeof figure, "%.3f", judged->mae_discs);
    snprintf(words, sizeof words, "discs: mean absolute error on %s %s rows", report_number(judged->rows, number),
             judged_name(page));
    page_card(page->out, figure, words);
    snprintf(figure, sizeof figure, "%.3f", judged->rmse_discs);
    page_card(page->out, figure, "discs: root of the mean squared error");
    snprintf(figure, sizeof figure, "%+.3f", fit_rounded(judged->bias_discs, 3));
    page_card(page->out, figure, "discs: bias, the mean of prediction - label");
    if (summary->held_out.rows > 0 && summary->train.rows > 0) {
        snprintf(figure, sizeof figure, "%.3f", summary->train.mae_discs);
        snprintf(words, sizeof words, "discs: mean absolute error on the %s training rows",
                 report_number(summary->train.rows, number));
        page_card(page->out, figure, words);
    }
    if (!page->document->measured) {
        snprintf(figure, sizeof figure, "%+.4f", summary->rounding_cost);
        page_card(page->out, figure, "discs: what rounding to 1/32 disc adds to the error");
    }
    if (summary->train.rows > 0) {
        snprintf(figure, sizeof figure, "%.2f%%", 100.0 * judge_unseen_share(&summary->judgement));
        snprintf(words, sizeof words, "of the look-ups of %s rows hit a weight that no training row has",
                 judged_name(page));
        page_card(page->out, figure, words);
    }
    page_card(page->out, willow_duration_text(page->report->seconds, figure),
              page->document->measured ? "to read and measure" : "to read and fit");
    page_cards_end(page->out);
}

static void print_error_chart(const struct page *page)
{
    struct chart *chart = page->chart;
    *chart =
        (struct chart){.title = "Error by stage",
                       .words = "Mean absolute error by stage of held-out and training rows; see the table of stages",
                       .x_title = "discs on the board at the start of the stage",
                       .y_title = "mean absolute error, discs",
                       .from_zero = true};
    struct chart_series *held_out =
        page->summary.held_out.rows > 0 ? chart_series_add(chart, judged_name(page), CHART_LINE) : NULL;
    struct chart_series *train = page->summary.train.rows > 0 ? chart_series_add(chart, "training", CHART_LINE) : NULL;
    for (int i = 0; i < page->report->count; i++) {
        const struct fit_stage *stage = &page->report->stages[i];
        if (held_out && stage->rounding.held_out.all.rows > 0)
            chart_add(held_out, stage->first_ply + 4, stage->rounding.held_out.all.mae_discs);
        if (train && stage->rounding.train.all.rows > 0)
            chart_add(train, stage->first_ply + 4, stage->rounding.train.all.mae_discs);
    }
    chart_print(page->out, chart);
}

static void print_kind_chart(const struct page *page)
{
    static const char *const names[SAMPLE_KINDS] = {
        [SAMPLE_SCORE] = "score of a search", [SAMPLE_EXACT] = "exact score", [SAMPLE_RESULT] = "result of the game"};
    struct chart *chart = page->chart;
    const bool held_out = page->summary.held_out.rows > 0;
    char title[64];
    snprintf(title, sizeof title, "Error of %s rows by kind of label", judged_name(page));
    *chart = (struct chart){.title = title,
                            .x_title = "discs on the board at the start of the stage",
                            .y_title = "mean absolute error, discs",
                            .from_zero = true};
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        struct chart_series *series = chart_series_add(chart, names[kind], CHART_LINE);
        for (int i = 0; i < page->report->count; i++) {
            const struct fit_stage *stage = &page->report->stages[i];
            const struct errors *errors =
                held_out ? &stage->rounding.held_out.by_kind[kind] : &stage->rounding.train.by_kind[kind];
            if (errors->rows > 0)
                chart_add(series, stage->first_ply + 4, errors->mae_discs);
        }
        chart->count -= series->count == 0;
    }
    chart_print(page->out, chart);
}

static void print_bias_chart(const struct page *page)
{
    struct chart *chart = page->chart;
    *chart = (struct chart){.title = "Bias by stage",
                            .words = "Mean of prediction minus label by stage; see the table of stages",
                            .x_title = "discs on the board at the start of the stage",
                            .y_title = "prediction - label, discs"};
    struct chart_series *series = chart_series_add(chart, judged_name(page), CHART_LINE);
    for (int i = 0; i < page->report->count; i++) {
        const struct fit_stage *stage = &page->report->stages[i];
        if (stage->rows > 0)
            chart_add(series, stage->first_ply + 4, fit_judged_errors(stage)->bias_discs);
    }
    chart_print(page->out, chart);
}

static void print_residual_chart(const struct page *page)
{
    const struct judgement *judgement = &page->summary.judgement;
    struct chart *chart = page->chart;
    const struct fit_residuals residuals = fit_residuals_of(judgement, 0.0005);
    *chart = (struct chart){.title = "Residuals",
                            .words = "Histogram of prediction minus label in bins of one disc",
                            .x_title = "prediction - label, discs; the ends are open",
                            .y_title = "share of the rows, %"};
    struct chart_series *series = chart_series_add(chart, "discs", CHART_BARS);
    for (int i = 0; i <= 2 * residuals.reach; i++)
        chart_add(series, i - residuals.reach, 100.0 * residuals.share[i]);
    chart_print(page->out, chart);
}

/* Mean labels, or how far they lie from the mean predictions, for parts of the game. */
static void add_calibration(const struct page *page, enum chart_marks marks, bool difference)
{
    struct chart *chart = page->chart;
    for (int p = 0; p < PHASES; p++) {
        const struct phase *phase = &page->phases[p];
        const struct fit_summary summary = fit_summary_of(page->report, phase->first_ply, phase->last_ply);
        struct chart_series *series = chart_series_add(chart, phase->name, marks);
        for (int i = 0; i < JUDGE_BINS; i++) {
            const struct judge_bin *bin = &summary.judgement.calibration[i];
            /* A mean of a few rows is noise; in a small dataset it is all there is. */
            if (bin->rows > 0 && (bin->rows >= 20 || summary.judgement.rows < 10000))
                chart_add(series, bin->prediction_discs, bin->label_discs - (difference ? bin->prediction_discs : 0.0));
        }
        chart->count -= series->count == 0;
    }
}

static void print_calibration(const struct page *page)
{
    page_heading(page->out, "calibration", "Calibration");
    page_note(page->out, "Rows by their prediction, in bins of four discs. On the diagonal the evaluation means what "
                         "it says; points below it on the right and above it on the left exaggerate.");
    fprintf(page->out, "<div class=\"charts\">\n");
    *page->chart =
        (struct chart){.title = "Labels against predictions",
                       .words = "Mean label against mean prediction in bins of four discs, for three parts of "
                                "the game, with the diagonal where both are equal",
                       .x_title = "mean prediction, discs",
                       .y_title = "mean label, discs",
                       .diagonal = true};
    add_calibration(page, CHART_DOTS, false);
    chart_print(page->out, page->chart);
    *page->chart =
        (struct chart){.title = "What is missing to the diagonal",
                       .words = "Mean label minus mean prediction by mean prediction, for three parts of the game",
                       .x_title = "mean prediction, discs",
                       .y_title = "mean label - prediction, discs",
                       .tall = true};
    add_calibration(page, CHART_LINE, true);
    chart_print(page->out, page->chart);
    fprintf(page->out, "</div>\n");
}

static void print_sightings_chart(const struct page *page)
{
    const struct fit_summary *summary = &page->summary;
    struct chart *chart = page->chart;
    char texts[JUDGE_SIGHTINGS][FIT_SIGHTINGS_TEXT];
    const char *labels[JUDGE_SIGHTINGS];
    const int bins = fit_sightings_bins(&summary->judgement);
    uint64_t lookups = 0;
    for (int i = 0; i < JUDGE_SIGHTINGS; i++) {
        labels[i] = fit_sightings_text(i, texts[i]);
        lookups += summary->judgement.lookups[i];
    }
    *chart = (struct chart){.title = "How often weights were seen",
                            .words = "Share of the weights and of the look-ups of judged rows by how often training "
                                     "rows look a weight up",
                            .x_title = "times in training rows, up to",
                            .y_title = "share, %",
                            .labels = labels};
    struct chart_series *weights = chart_series_add(chart, "share of the weights", CHART_BARS);
    struct chart_series *looked = chart_series_add(chart, "share of the look-ups", CHART_BARS);
    for (int i = 0; i < bins; i++) {
        chart_add(weights, i, 100.0 * (double)summary->judgement.weights[i] / (double)summary->weights);
        chart_add(looked, i, lookups > 0 ? 100.0 * (double)summary->judgement.lookups[i] / (double)lookups : 0.0);
    }
    chart_print(page->out, chart);
}

static void print_cover_chart(const struct page *page)
{
    struct chart *chart = page->chart;
    *chart = (struct chart){.title = "Look-ups of unseen and rare weights by stage",
                            .x_title = "discs on the board at the start of the stage",
                            .y_title = "share of the look-ups, %",
                            .from_zero = true};
    struct chart_series *rare = chart_series_add(chart, "seen less than three times", CHART_LINE);
    struct chart_series *unseen = chart_series_add(chart, "never seen", CHART_LINE);
    for (int i = 0; i < page->report->count; i++) {
        const struct fit_stage *stage = &page->report->stages[i];
        if (stage->rows == 0)
            continue;
        chart_add(rare, stage->first_ply + 4, 100.0 * judge_rare_share(&stage->judgement));
        chart_add(unseen, stage->first_ply + 4, 100.0 * judge_unseen_share(&stage->judgement));
    }
    chart_print(page->out, chart);
}

/* The points of a curve from where the error is near enough to its least for the rest to be told apart. The last one up
 * to the kept step gets the ring. */
static void add_curve(struct chart_series *series, const struct solver_report *solver, bool held_out, double most)
{
    int kept = -1;
    for (size_t i = 0; i < solver->point_count; i++) {
        const struct solver_point *point = &solver->points[i];
        const double error = held_out ? point->held_out.mae_discs : point->train.mae_discs;
        if (error <= 0.0 || error > most)
            continue;
        chart_add(series, point->epochs, error);
        kept = point->step <= solver->iterations ? series->count - 1 : kept;
    }
    if (kept >= 0)
        series->points[kept].hollow = true;
}

static void print_curve(const struct page *page, const struct fit_stage *stage)
{
    struct chart *chart = page->chart;
    const struct solver_report *solver = &stage->solver;
    char title[64];
    double best = INFINITY;
    for (size_t i = 0; i < solver->point_count; i++)
        best = fmin(best, fit_judged_of_point(stage, &solver->points[i]));
    const double most = fmax(1.6 * best, best + 0.1);
    snprintf(title, sizeof title, "Stage %d, plies %d-%d", stage->stage, stage->first_ply, stage->last_ply);
    *chart =
        (struct chart){.title = title, .x_title = "passes over the rows", .y_title = "error, discs", .small = true};
    add_curve(chart_series_add(chart, "held-out", CHART_CURVE), solver, true, most);
    add_curve(chart_series_add(chart, "training", CHART_CURVE), solver, false, most);
    chart_print(page->out, chart);
}

static void print_curves(const struct page *page)
{
    page_heading(page->out, "curves", "Learning curves");
    page_note(page->out,
              "Mean absolute error against passes over the training rows, before rounding. Each curve begins "
              "where the error is within 60% of its least; the ring marks the weights that were kept.");
    fprintf(page->out, "<p class=\"legend\"><span class=\"s0\"><i></i>held-out rows</span> <span "
                       "class=\"s1\"><i></i>training rows</span></p>\n<div class=\"small\">\n");
    for (int i = 0; i < page->report->count; i++)
        if (page->report->stages[i].solver.point_count > 0)
            print_curve(page, &page->report->stages[i]);
    fprintf(page->out, "</div>\n");
}

static void print_charts(const struct page *page)
{
    page_heading(page->out, "errors", "Errors");
    fprintf(page->out, "<div class=\"charts\">\n");
    print_error_chart(page);
    print_kind_chart(page);
    print_bias_chart(page);
    if (page->summary.judgement.rows > 0)
        print_residual_chart(page);
    fprintf(page->out, "</div>\n");
    print_calibration(page);
    if (page->summary.train.rows == 0)
        return;
    page_heading(page->out, "cover", "How often each weight was seen");
    fprintf(page->out, "<div class=\"charts\">\n");
    print_sightings_chart(page);
    print_cover_chart(page);
    fprintf(page->out, "</div>\n");
}

static void print_boards(const struct page *page)
{
    const struct willow_ruleset *ruleset = page->document->ruleset;
    double most = 1e-3;
    uint64_t rows = 0;
    char text[400], number[32];
    for (int i = 0; i < page->report->count; i++) {
        const struct judgement *judgement = &page->report->stages[i].judgement;
        rows = judgement->effect_rows > rows ? judgement->effect_rows : rows;
        for (int square = 0; square < JUDGE_SQUARES; square++)
            most = fmax(most, fabs(judgement->effect_discs[square]));
    }
    page_heading(page->out, "squares", "What a disc counts");
    snprintf(
        text, sizeof text,
        "Half the mean change of the evaluation when the disc on a square changes to the side to move, all else "
        "left as it is; over up to %s %s rows a stage, drawn evenly from all, and over the symmetries of the board.",
        report_number(rows, number), judged_name(page));
    page_note(page->out, text);
    chart_board_legend(page->out, most, "discs");
    fprintf(page->out, "<div class=\"boards\">\n");
    for (int i = 0; i < page->report->count; i++) {
        const struct fit_stage *stage = &page->report->stages[i];
        double values[JUDGE_SQUARES];
        char title[32];
        if (stage->judgement.effect_rows == 0)
            continue;
        for (int square = 0; square < JUDGE_SQUARES; square++)
            values[square] = fit_effect_known(ruleset, &stage->judgement, square)
                                 ? stage->judgement.effect_discs[square]
                                 : (double)NAN;
        snprintf(title, sizeof title, "plies %d-%d", stage->first_ply, stage->last_ply);
        const struct chart_board board = {title, ruleset->width, ruleset->height, values, most, "discs"};
        chart_board_print(page->out, &board);
    }
    fprintf(page->out, "</div>\n");
    fit_page_effects(page->out, page->document);
}

static void print_provenance(const struct page *page)
{
    const struct fit_document *document = page->document;
    page_heading(page->out, "source", "Where it comes from");
    fprintf(page->out, "<p>Weights <code>");
    chart_escape(page->out, document->weights);
    fprintf(page->out, "</code>, pattern set ");
    chart_escape(page->out, document->patterns);
    fprintf(page->out, ", ruleset ");
    chart_escape(page->out, document->ruleset->name);
    fprintf(page->out, "; %s by willow ", document->measured ? "measured" : "fitted");
    chart_escape(page->out, document->tool);
    fprintf(page->out, ".</p>\n<pre tabindex=\"0\">");
    chart_escape(page->out, document->command);
    fprintf(page->out, "</pre>\n<p>Data:");
    for (size_t i = 0; i < document->data_count; i++) {
        fprintf(page->out, " <code>");
        chart_escape(page->out, document->data[i]);
        fprintf(page->out, "</code>");
    }
    fprintf(page->out, "</p>\n");
    fit_page_loading(page->out, page->report);
}

static void print_contents(const struct page *page)
{
    fprintf(page->out, "<nav aria-label=\"Contents\"><a href=\"#errors\">Errors</a> <a "
                       "href=\"#calibration\">Calibration</a>");
    if (page->summary.train.rows > 0)
        fprintf(page->out, " <a href=\"#cover\">Weights seen</a>");
    if (!page->document->measured)
        fprintf(page->out, " <a href=\"#curves\">Learning curves</a>");
    fprintf(page->out, " <a href=\"#squares\">Squares</a> <a href=\"#stages\">Stages</a> <a "
                       "href=\"#source\">Source</a></nav>\n");
}

enum willow_status fit_page_print(FILE *out, const struct fit_document *document, struct willow_error *error)
{
    struct page page = {.out = out, .document = document, .report = document->report};
    page.chart = malloc(sizeof *page.chart);
    if (!page.chart)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    set_phases(&page);
    page.summary = fit_summary_of(page.report, 0, SAMPLE_PLIES - 1);
    page_begin(out, document->measured ? "Willow: weights measured" : "Willow: report of a fit");
    print_cards(&page);
    print_contents(&page);
    print_charts(&page);
    if (!document->measured)
        print_curves(&page);
    print_boards(&page);
    page_heading(out, "stages", "Stages");
    fit_page_stages(out, document);
    fit_page_kinds(out, page.report);
    print_provenance(&page);
    page_end(out);
    free(page.chart);
    return WILLOW_OK;
}
