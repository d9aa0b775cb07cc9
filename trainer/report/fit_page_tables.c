/* Tables of the page of a fit; see fit_page_tables.h. Layer: trainer (program). */
#include "fit_page_tables.h"

#include "fit_summary.h"
#include "numbers.h"
#include "page.h"

static void print_count(FILE *out, uint64_t count)
{
    char number[32];
    fprintf(out, "<td>%s</td>", report_number(count, number));
}

/* The errors of rows that there may not be. */
static void print_errors(FILE *out, const struct errors *errors)
{
    if (errors->rows == 0)
        fprintf(out, "<td>&ndash;</td><td>&ndash;</td><td>&ndash;</td>");
    else
        fprintf(out, "<td>%.3f</td><td>%.3f</td><td>%+.3f</td>", errors->mae_discs, errors->rmse_discs,
                fit_rounded(errors->bias_discs, 3));
}

static void print_stage(FILE *out, const struct fit_stage *stage, bool measured)
{
    const struct rounding_report *rounded = &stage->rounding;
    const struct solver_report *solver = &stage->solver;
    fprintf(out, "<tr><td>%d</td><td>%d-%d</td>", stage->stage, stage->first_ply, stage->last_ply);
    if (stage->rows == 0) {
        fprintf(out, "<td class=\"name soft\" colspan=\"%d\">no position: weights as they were</td></tr>\n",
                measured ? 10 : 16);
        return;
    }
    print_count(out, rounded->held_out.all.rows);
    print_errors(out, &rounded->held_out.all);
    print_count(out, rounded->train.all.rows);
    print_errors(out, &rounded->train.all);
    fprintf(out, "<td>%.2f%%</td><td>%.2f%%</td>", 100.0 * judge_unseen_share(&stage->judgement),
            100.0 * judge_rare_share(&stage->judgement));
    if (!measured)
        fprintf(out, "<td>%.3f</td><td>%+.4f</td><td>%u</td><td>%d of %d</td><td>%d</td><td>%.1f</td>",
                fit_judged_before(stage), fit_document_rounding_cost(stage), rounded->saturated, solver->iterations,
                solver->steps, solver->passes, stage->seconds);
    fprintf(out, "</tr>\n");
}

void fit_page_stages(FILE *out, const struct fit_document *document)
{
    page_table_begin(out, "Stages");
    fprintf(out, "<tr><th>stage</th><th>plies</th><th>held-out rows</th><th>MAE</th><th>RMSE</th><th>bias</th>"
                 "<th>training rows</th><th>MAE</th><th>RMSE</th><th>bias</th><th>unseen</th><th>&lt;3x</th>");
    if (!document->measured)
        fprintf(out, "<th>MAE before</th><th>rounding</th><th>cut</th><th>kept step</th><th>passes</th><th>s</th>");
    fprintf(out, "</tr>\n");
    for (int i = 0; i < document->report->count; i++)
        print_stage(out, &document->report->stages[i], document->measured);
    page_table_end(out);
    fprintf(out,
            "<p class=\"soft\">Errors are those of the rounded and clamped evaluation that the engine plays, in "
            "discs: mean absolute (MAE), root of the mean square (RMSE), bias (mean of prediction - label). Unseen "
            "and &lt;3x: share of the look-ups that hit weights in no training row, or in one or two or none.");
    if (!document->measured)
        fprintf(out, " Before: with the weights that the stage started from. Rounding: what it added to the MAE. Cut: "
                     "weights beyond the range of the file.");
    fprintf(out, "</p>\n");
}

void fit_page_kinds(FILE *out, const struct fit_report *report)
{
    page_table_begin(out, "Errors by kind of label");
    fprintf(out, "<tr><th class=\"name\">label</th><th>held-out rows</th><th>MAE</th><th>RMSE</th><th>bias</th>"
                 "<th>training rows</th><th>MAE</th><th>RMSE</th><th>bias</th></tr>\n");
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        const struct errors held_out = fit_errors_of_kind(report, SAMPLE_HELD_OUT, kind);
        const struct errors train = fit_errors_of_kind(report, SAMPLE_TRAIN, kind);
        if (held_out.rows + train.rows == 0)
            continue;
        fprintf(out, "<tr><td class=\"name\">%s</td>", fit_document_kinds[kind]);
        print_count(out, held_out.rows);
        print_errors(out, &held_out);
        print_count(out, train.rows);
        print_errors(out, &train);
        fprintf(out, "</tr>\n");
    }
    page_table_end(out);
}

void fit_page_effects(FILE *out, const struct fit_document *document)
{
    const struct fit_report *report = document->report;
    willow_square squares[WILLOW_SQUARES];
    const int count = fit_effect_squares(document->ruleset, squares);
    fprintf(out, "<details><summary>The same as a table</summary>\n");
    page_table_begin(out, "What a disc counts on each square, by stage, in discs");
    fprintf(out, "<tr><th>plies</th>");
    for (int s = 0; s < count; s++)
        fprintf(out, "<th>%c%d</th>", 'a' + squares[s] % WILLOW_SIDE, 1 + squares[s] / WILLOW_SIDE);
    fprintf(out, "</tr>\n");
    for (int i = 0; i < report->count; i++) {
        const struct fit_stage *stage = &report->stages[i];
        if (stage->judgement.effect_rows == 0)
            continue;
        fprintf(out, "<tr><td>%d-%d</td>", stage->first_ply, stage->last_ply);
        for (int s = 0; s < count; s++) {
            if (fit_effect_known(document->ruleset, &stage->judgement, squares[s]))
                fprintf(out, "<td>%+.2f</td>", stage->judgement.effect_discs[squares[s]]);
            else
                fprintf(out, "<td>&ndash;</td>");
        }
        fprintf(out, "</tr>\n");
    }
    page_table_end(out);
    fprintf(out, "</details>\n");
}

static void print_fate(FILE *out, const char *words, uint64_t rows)
{
    if (rows == 0)
        return;
    fprintf(out, "<tr><td class=\"name\">%s</td>", words);
    print_count(out, rows);
    fprintf(out, "</tr>\n");
}

void fit_page_loading(FILE *out, const struct fit_report *report)
{
    const struct overlap_counts *overlap = &report->overlap.all;
    page_table_begin(out, "Rows read, and what became of them");
    fprintf(out, "<tr><th class=\"name\">rows of the data</th><th>number</th></tr>\n");
    print_fate(out, "read", report->loading.rows);
    print_fate(out, "kept", report->loading.verdicts[LABEL_KEPT]);
    for (int verdict = LABEL_KEPT + 1; verdict < LABEL_VERDICTS; verdict++) {
        char words[96];
        snprintf(words, sizeof words, "left out: %s", fit_verdict_text((enum label_verdict)verdict));
        print_fate(out, words, report->loading.verdicts[verdict]);
    }
    print_fate(out, "held-out rows dropped: their board is fitted too, turned or mirrored", overlap->dropped);
    print_fate(out, "training rows whose board stood there before", overlap->duplicates);
    print_fate(out, "boards with different exact scores", overlap->contradictory);
    page_table_end(out);
}
