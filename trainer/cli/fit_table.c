/* The report of a fit in print; see fit_table.h. Layer: trainer (program). */
#include "fit_table.h"

#include "report/fit_document.h"

/* Held-out error where there are held-out rows, else training error. */
static bool measured(const struct fit_stage *stage)
{
    return stage->rounding.held_out.all.rows > 0;
}

static double before(const struct fit_stage *stage)
{
    return measured(stage) ? stage->solver.held_out_before.mae_discs : stage->solver.train_before.mae_discs;
}

static double after(const struct fit_stage *stage)
{
    return measured(stage) ? stage->rounding.held_out.all.mae_discs : stage->rounding.train.all.mae_discs;
}

void fit_table_print(FILE *stream, const struct fit_report *report, const char *out)
{
    fputs("                               error on held-out games, discs            weights\n"
          "stage  plies      rows held out   before    MAE   RMSE  train rounding  unseen   <3x steps      s\n",
          stream);
    for (int i = 0; i < report->count; i++) {
        const struct fit_stage *stage = &report->stages[i];
        const struct solver_report *solver = &stage->solver;
        fprintf(stream, "%5d  %2d-%-2d %9llu", stage->stage, stage->first_ply, stage->last_ply,
                (unsigned long long)stage->rows);
        if (stage->rows == 0) {
            fputs("  no position to fit: weights copied\n", stream);
            continue;
        }
        fprintf(stream, " %8llu %8.3f %6.3f %6.3f %6.3f %+8.4f %7u %5u %5d %6.2f\n",
                (unsigned long long)stage->rounding.held_out.all.rows, before(stage), after(stage),
                stage->rounding.held_out.all.rmse_discs, stage->rounding.train.all.mae_discs,
                fit_document_rounding_cost(stage), solver->unseen, solver->rare, solver->iterations, stage->seconds);
        if (stage->rounding.saturated > 0)
            fprintf(stream, "       %u weights were cut to the range of the file\n", stage->rounding.saturated);
    }
    if (report->held_out_rows > 0)
        fprintf(stream, "%llu rows, mean absolute error on %llu held-out rows %.3f discs, %.1f s\n%s written\n",
                (unsigned long long)report->rows, (unsigned long long)report->held_out_rows, report->held_out_mae_discs,
                report->seconds, out);
    else
        fprintf(stream, "%llu rows, none held out: errors are those of the fitted rows, %.1f s\n%s written\n",
                (unsigned long long)report->rows, report->seconds, out);
}

void fit_json_print(FILE *stream, const struct fit_report *report, const struct willow_weights *weights)
{
    fputs("{\"stages\":[", stream);
    for (int i = 0; i < report->count; i++) {
        fputs(i > 0 ? ",{" : "{", stream);
        fit_document_print_stage(stream, &report->stages[i]);
        fputs("}", stream);
    }
    fprintf(stream, "],\"rows\":%llu,\"held_out_rows\":%llu,\"held_out_mae\":%.6f,\"seconds\":%.3f,",
            (unsigned long long)report->rows, (unsigned long long)report->held_out_rows, report->held_out_mae_discs,
            report->seconds);
    fprintf(stream, "\"weights\":\"%s\"}\n", willow_weights_checksum(weights));
}
