/* The report of a fit as plain text; see fit_page.h. Layer: trainer (program). */
#include "fit_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>

#include "fit_summary.h"
#include "numbers.h"

enum { BAR_COLUMNS = 60 };

void fit_text_stages(FILE *out, const struct fit_report *report)
{
    fputs("                               error on held-out games, discs            weights\n"
          "stage  plies      rows held out   before    MAE   RMSE  train rounding  unseen   <3x steps      s\n",
          out);
    for (int i = 0; i < report->count; i++) {
        const struct fit_stage *stage = &report->stages[i];
        const struct solver_report *solver = &stage->solver;
        fprintf(out, "%5d  %2d-%-2d %9llu", stage->stage, stage->first_ply, stage->last_ply,
                (unsigned long long)stage->rows);
        if (stage->rows == 0) {
            fputs("  no position to fit: weights copied\n", out);
            continue;
        }
        fprintf(out, " %8llu %8.3f %6.3f %6.3f %6.3f %+8.4f %7u %5u %5d %6.2f\n",
                (unsigned long long)stage->rounding.held_out.all.rows, fit_judged_before(stage),
                fit_judged_errors(stage)->mae_discs, fit_judged_errors(stage)->rmse_discs,
                stage->rounding.train.all.mae_discs, fit_document_rounding_cost(stage), solver->unseen, solver->rare,
                solver->iterations, stage->seconds);
        if (stage->rounding.saturated > 0)
            fprintf(out, "       %u weights were cut to the range of the file\n", stage->rounding.saturated);
    }
}

static void print_fate(FILE *out, const char *what, const char *why, uint64_t count)
{
    char number[32];
    if (count > 0)
        fprintf(out, "  %s %s%s\n", report_number(count, number), what, why);
}

void fit_text_rows(FILE *out, const struct fit_report *report)
{
    const struct overlap_counts *overlap = &report->overlap.all;
    char number[32];
    fprintf(out, "%s rows read\n", report_number(report->loading.rows, number));
    for (int verdict = 0; verdict < LABEL_VERDICTS; verdict++)
        if (verdict != LABEL_KEPT)
            print_fate(out, "left out: ", fit_verdict_text((enum label_verdict)verdict),
                       report->loading.verdicts[verdict]);
    print_fate(out, "held-out rows dropped: ", "their board is fitted too", overlap->dropped);
    print_fate(out, "training rows ", "whose board stood there before", overlap->duplicates);
    print_fate(out, "boards ", "with different exact scores", overlap->contradictory);
}

/* Weights that were not fitted here have neither steps nor an error before. */
static void print_measured(FILE *out, const struct fit_report *report, bool train)
{
    fprintf(out, "stage  plies        rows    MAE   RMSE    bias%s\n",
            train ? "  training MAE   look-ups unseen    <3x" : "");
    for (int i = 0; i < report->count; i++) {
        const struct fit_stage *stage = &report->stages[i];
        const struct errors *errors = fit_judged_errors(stage);
        if (stage->rows == 0)
            continue;
        fprintf(out, "%5d  %2d-%-2d %11llu %6.3f %6.3f %+7.3f", stage->stage, stage->first_ply, stage->last_ply,
                (unsigned long long)errors->rows, errors->mae_discs, errors->rmse_discs,
                fit_rounded(errors->bias_discs, 3));
        if (train)
            fprintf(out, "  %12.3f    %13.2f%% %5.2f%%", stage->rounding.train.all.mae_discs,
                    100.0 * judge_unseen_share(&stage->judgement), 100.0 * judge_rare_share(&stage->judgement));
        fputc('\n', out);
    }
}

static void print_bar(FILE *out, double share_of_longest)
{
    const int length = (int)lround(BAR_COLUMNS * share_of_longest);
    for (int i = 0; i < length; i++)
        fputc('#', out);
    fputc('\n', out);
}

static void print_kind(FILE *out, const struct errors *errors)
{
    if (errors->rows == 0)
        fprintf(out, "%16s %6s %6s %7s", "0", "-", "-", "-");
    else
        fprintf(out, "%16llu %6.3f %6.3f %+7.3f", (unsigned long long)errors->rows, errors->mae_discs,
                errors->rmse_discs, fit_rounded(errors->bias_discs, 3));
}

static void print_kinds(FILE *out, const struct fit_report *report, const char *judged)
{
    fprintf(out, "\nby label %9s: rows    MAE   RMSE    bias   training: rows    MAE   RMSE    bias\n",
            strcmp(judged, "measured") == 0 ? judged : "held out");
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        const struct errors held_out = fit_errors_of_kind(report, SAMPLE_HELD_OUT, kind);
        const struct errors train = fit_errors_of_kind(report, SAMPLE_TRAIN, kind);
        if (held_out.rows + train.rows == 0)
            continue;
        fprintf(out, "%-8s", fit_document_kinds[kind]);
        print_kind(out, &held_out);
        print_kind(out, &train);
        fputc('\n', out);
    }
}

/* The error after so many passes over the rows. */
static void print_curves(FILE *out, const struct fit_report *report)
{
    static const double passes[] = {1, 2, 5, 10, 20, 30, 50, 100, 200, 500};
    enum { COLUMNS = sizeof passes / sizeof *passes };
    fputs("\nLearning curves: mean absolute error after so many passes over the rows, discs\nstage", out);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(out, "%7.0f", passes[c]);
    fputs("    best\n", out);
    for (int i = 0; i < report->count; i++) {
        const struct fit_stage *stage = &report->stages[i];
        const struct solver_report *solver = &stage->solver;
        if (stage->rows == 0 || solver->point_count == 0)
            continue;
        fprintf(out, "%5d", stage->stage);
        double best = INFINITY;
        size_t p = 0;
        for (int c = 0; c < COLUMNS; c++) {
            const size_t before = p;
            for (; p < solver->point_count && solver->points[p].epochs <= passes[c]; p++)
                best = fmin(best, fit_judged_of_point(stage, &solver->points[p]));
            if (p > before)
                fprintf(out, "%7.3f", fit_judged_of_point(stage, &solver->points[p - 1]));
            else
                fputs("       ", out);
        }
        for (; p < solver->point_count; p++)
            best = fmin(best, fit_judged_of_point(stage, &solver->points[p]));
        fprintf(out, "%8.3f\n", best);
    }
}

static void print_errors(FILE *out, const struct fit_report *report)
{
    double most = 1e-9;
    for (int i = 0; i < report->count; i++)
        most = fmax(most, fit_judged_errors(&report->stages[i])->mae_discs);
    fputs("\nMean absolute error by stage, discs\n", out);
    for (int i = 0; i < report->count; i++) {
        const double mae = fit_judged_errors(&report->stages[i])->mae_discs;
        if (report->stages[i].rows == 0)
            continue;
        fprintf(out, "plies %2d-%-2d %7.3f  ", report->stages[i].first_ply, report->stages[i].last_ply, mae);
        print_bar(out, mae / most);
    }
}

static void print_residuals(FILE *out, const struct judgement *judgement)
{
    const struct fit_residuals residuals = fit_residuals_of(judgement, 0.005);
    double most = 1e-9;
    for (int i = 0; i <= 2 * residuals.reach; i++)
        most = fmax(most, residuals.share[i]);
    fputs("\nPrediction - label, discs, and share of the rows; the ends are open\n", out);
    for (int i = 0; i <= 2 * residuals.reach; i++) {
        fprintf(out, "%+5d %6.2f%%  ", i - residuals.reach, 100.0 * residuals.share[i]);
        print_bar(out, residuals.share[i] / most);
    }
}

static void print_calibration(FILE *out, const struct judgement *judgement)
{
    fputs("\nCalibration: rows by their prediction, discs\nmean prediction   mean label   difference        rows\n",
          out);
    for (int i = 0; i < JUDGE_BINS; i++) {
        const struct judge_bin *bin = &judgement->calibration[i];
        if (bin->rows > 0)
            fprintf(out, "%+15.2f %+12.2f %+12.2f %11llu\n", bin->prediction_discs, bin->label_discs,
                    fit_rounded(bin->prediction_discs - bin->label_discs, 2), (unsigned long long)bin->rows);
    }
}

static void print_sightings(FILE *out, const struct fit_summary *summary)
{
    const struct judgement *judgement = &summary->judgement;
    uint64_t lookups = 0;
    for (int i = 0; i < JUDGE_SIGHTINGS; i++)
        lookups += judgement->lookups[i];
    fputs("\nHow often weights were seen in training, up to; share of the weights and of the look-ups judged\n", out);
    for (int i = 0; i < fit_sightings_bins(judgement); i++) {
        char text[FIT_SIGHTINGS_TEXT];
        const double share = (double)judgement->lookups[i] / (lookups > 0 ? (double)lookups : 1.0);
        fprintf(out, "%5s %6.2f%% %6.2f%%  ", fit_sightings_text(i, text),
                100.0 * (double)judgement->weights[i] / (summary->weights > 0 ? (double)summary->weights : 1.0),
                100.0 * share);
        print_bar(out, share);
    }
}

/* Some of the squares. */
static void print_effects_of(FILE *out, const struct fit_document *document, const willow_square *squares, int count)
{
    const struct fit_report *report = document->report;
    fputs("plies", out);
    for (int s = 0; s < count; s++)
        fprintf(out, "%7c%d", 'a' + squares[s] % WILLOW_SIDE, 1 + squares[s] / WILLOW_SIDE);
    fputc('\n', out);
    for (int i = 0; i < report->count; i++) {
        const struct fit_stage *stage = &report->stages[i];
        if (stage->rows == 0)
            continue;
        fprintf(out, "%2d-%-2d", stage->first_ply, stage->last_ply);
        for (int s = 0; s < count; s++) {
            if (fit_effect_known(document->ruleset, &stage->judgement, squares[s]))
                fprintf(out, " %+7.2f", stage->judgement.effect_discs[squares[s]]);
            else
                fputs("       -", out);
        }
        fputc('\n', out);
    }
}

/* Side by side as far as lines reach: around a hole hardly a square is like another. */
static void print_effects(FILE *out, const struct fit_document *document)
{
    enum { SIDE_BY_SIDE = 11 };
    willow_square squares[WILLOW_SQUARES];
    const int count = fit_effect_squares(document->ruleset, squares);
    const int tables = (count + SIDE_BY_SIDE - 1) / SIDE_BY_SIDE, columns = (count + tables - 1) / tables;
    fputs("\nWhat a disc counts on a square, and on those that are like it, discs\n", out);
    for (int first = 0; first < count; first += columns)
        print_effects_of(out, document, squares + first, count - first < columns ? count - first : columns);
}

static void print_head(FILE *out, const struct fit_document *document, const struct fit_summary *summary)
{
    const struct errors *judged = summary->held_out.rows > 0 ? &summary->held_out : &summary->train;
    char number[32];
    fprintf(out,
            "%s %s, pattern set %s, ruleset %s\nwillow %s: %s\ndata:", document->measured ? "Measurement of" : "Fit of",
            document->weights, document->patterns, document->ruleset->name, document->tool, document->command);
    for (size_t i = 0; i < document->data_count; i++)
        fprintf(out, " %s", document->data[i]);
    fputc('\n', out);
    fit_text_rows(out, document->report);
    fprintf(out, "error on %s %s rows: mean absolute %.3f, root mean square %.3f, bias %+.3f discs\n\n",
            report_number(judged->rows, number), fit_judged_name(document, summary), judged->mae_discs,
            judged->rmse_discs, fit_rounded(judged->bias_discs, 3));
}

void fit_text_print(FILE *out, const struct fit_document *document)
{
    const struct fit_report *report = document->report;
    const struct fit_summary summary = fit_summary_of(report, 0, SAMPLE_PLIES - 1);
    print_head(out, document, &summary);
    if (document->measured)
        print_measured(out, report, summary.train.rows > 0);
    else
        fit_text_stages(out, report);
    print_kinds(out, report, fit_judged_name(document, &summary));
    if (!document->measured)
        print_curves(out, report);
    print_errors(out, report);
    print_residuals(out, &summary.judgement);
    print_calibration(out, &summary.judgement);
    if (summary.train.rows > 0)
        print_sightings(out, &summary);
    print_effects(out, document);
}
