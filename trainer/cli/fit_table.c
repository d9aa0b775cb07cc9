/* The report of a fit in print; see fit_table.h. Layer: trainer (program). */
#include "fit_table.h"

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

static double rounding_cost(const struct fit_stage *stage)
{
    return after(stage) -
           (measured(stage) ? stage->solver.held_out_fitted.all.mae_discs : stage->solver.train_fitted.all.mae_discs);
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
                stage->rounding.held_out.all.rmse_discs, stage->rounding.train.all.mae_discs, rounding_cost(stage),
                solver->unseen, solver->rare, solver->iterations, stage->seconds);
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

static void print_stage(FILE *stream, const struct fit_stage *stage)
{
    const struct solver_report *solver = &stage->solver;
    fprintf(stream,
            "{\"stage\":%d,\"first_ply\":%d,\"last_ply\":%d,\"copied\":%s,\"rows\":%llu,\"held_out_rows\":%llu,",
            stage->stage, stage->first_ply, stage->last_ply, stage->rows == 0 ? "true" : "false",
            (unsigned long long)stage->rows, (unsigned long long)stage->rounding.held_out.all.rows);
    fprintf(stream, "\"held_out_mae\":%.6f,\"held_out_rmse\":%.6f,\"held_out_mae_before\":%.6f,\"rounding_cost\":%.6f,",
            stage->rounding.held_out.all.mae_discs, stage->rounding.held_out.all.rmse_discs,
            solver->held_out_before.mae_discs, rounding_cost(stage));
    fprintf(stream, "\"train_mae\":%.6f,\"train_rmse\":%.6f,\"train_mae_before\":%.6f,",
            stage->rounding.train.all.mae_discs, stage->rounding.train.all.rmse_discs, solver->train_before.mae_discs);
    fprintf(stream, "\"unseen_weights\":%u,\"rare_weights\":%u,\"saturated_weights\":%u,", solver->unseen, solver->rare,
            stage->rounding.saturated);
    fprintf(stream, "\"iterations\":%d,\"passes\":%d,\"seconds\":%.3f}", solver->iterations, solver->passes,
            stage->seconds);
}

void fit_json_print(FILE *stream, const struct fit_report *report, const struct willow_weights *weights)
{
    fputs("{\"stages\":[", stream);
    for (int i = 0; i < report->count; i++) {
        fputs(i > 0 ? "," : "", stream);
        print_stage(stream, &report->stages[i]);
    }
    fprintf(stream, "],\"rows\":%llu,\"held_out_rows\":%llu,\"held_out_mae\":%.6f,\"seconds\":%.3f,",
            (unsigned long long)report->rows, (unsigned long long)report->held_out_rows, report->held_out_mae_discs,
            report->seconds);
    fprintf(stream, "\"weights\":\"%s\"}\n", willow_weights_checksum(weights));
}
