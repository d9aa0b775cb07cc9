/* Preconditioned conjugate gradients over streamed passes; see solver.h for what is minimised. Knows nothing of files
 * or stages. Layer: trainer.
 *
 * A step costs one pass: it gathers the weights w and the direction p together and scatters H p. Residuals beyond the
 * clip enter H with less weight (iteratively reweighted least squares). The gradient is updated by the recursion g -=
 * step * H p; as the weights of the rows change with w, the true gradient is computed again after 1, 2 and 4 steps and
 * then every RENEW. The direction is mixed by Polak and Ribiere's formula, which tolerates the small jump of a renewal
 * and falls back to steepest descent by itself. The preconditioner is the count of a weight: rare and common weights
 * move at their own pace.
 */
#include "solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RENEW = 8 };

/* The fit ends when the preconditioned gradient has fallen so far that fixed-point rounding is all that is left. */
static const double gradient_floor = 1e-13;

struct solver {
    const struct solver_task *task;
    const struct solver_options *options;
    struct solver_report *report;
    struct pass *pass;
    uint32_t count;
    double *storage; /* one block behind the arrays below */
    double *weights, *gradient, *former, *direction, *product, *counts, *best;
    double best_loss;      /* held-out loss; without held-out rows the training loss */
    double reference_loss; /* that of the last step that counted as progress */
    int stale;
};

enum { ARRAYS = 7 };

static enum willow_status solver_init(struct solver *solver, const struct solver_task *task,
                                      const struct solver_options *options, struct solver_report *report,
                                      struct willow_error *error)
{
    memset(solver, 0, sizeof *solver);
    memset(report, 0, sizeof *report);
    solver->task = task;
    solver->options = options;
    solver->report = report;
    solver->count = task->features->weights;
    solver->best_loss = solver->reference_loss = INFINITY;
    solver->storage = calloc(solver->count, ARRAYS * sizeof *solver->storage);
    if (!solver->storage)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %u weights", solver->count);
    double **arrays[ARRAYS] = {&solver->weights, &solver->gradient, &solver->former, &solver->direction,
                               &solver->product, &solver->counts,   &solver->best};
    for (size_t i = 0; i < ARRAYS; i++)
        *arrays[i] = solver->storage + i * solver->count;
    for (uint32_t j = 0; j < solver->count; j++)
        solver->weights[j] = solver->best[j] = task->start[j];
    return pass_new(task->features, task->samples, options->ranks, options->threads,
                    options->clip_discs * WILLOW_SCORE_DISC, &solver->pass, error);
}

static void solver_clear(struct solver *solver)
{
    pass_free(solver->pass);
    free(solver->storage);
}

void solver_report_clear(struct solver_report *report)
{
    free(report->points);
    report->points = NULL;
    report->point_count = 0;
}

static enum willow_status check_stop(const struct solver *solver, struct willow_error *error)
{
    if (solver->options->stop && willow_stop_get(solver->options->stop))
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    return WILLOW_OK;
}

static enum willow_status add_point(struct solver_report *report, const struct solver_point *point,
                                    struct willow_error *error)
{
    struct solver_point *points = reallocarray(report->points, report->point_count + 1, sizeof *points);
    if (!points)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for the learning curve");
    report->points = points;
    points[report->point_count++] = *point;
    return WILLOW_OK;
}

/* Measures the held-out rows with the current weights, takes note, and keeps the weights if they are the best so far.
 * train: errors of the training rows with the same weights. */
static enum willow_status judge(struct solver *solver, const struct pass_result *train, struct willow_error *error)
{
    struct solver_report *report = solver->report;
    struct pass_result held_out;
    enum willow_status status =
        pass_gradient(solver->pass, solver->task->held_out, solver->weights, NULL, &held_out, error);
    if (status != WILLOW_OK)
        return status;
    const bool by_held_out = held_out.all.rows > 0;
    const double loss = by_held_out ? held_out.all.loss : train->all.loss;
    solver->stale++;
    if (loss < solver->reference_loss * (1.0 - solver->options->tolerance)) {
        solver->reference_loss = loss;
        solver->stale = 0;
    }
    if (loss < solver->best_loss || !by_held_out) {
        solver->best_loss = fmin(loss, solver->best_loss);
        memcpy(solver->best, solver->weights, solver->count * sizeof *solver->best);
        report->train_fitted = *train;
        report->held_out_fitted = held_out;
        report->iterations = report->steps;
    }
    const struct solver_point point = {
        .step = report->steps, .epochs = report->passes, .train = train->all, .held_out = held_out.all};
    if (solver->options->progress)
        solver->options->progress(solver->options->context, &point);
    return add_point(report, &point, error);
}

/* The true gradient at the current weights, prior included. */
static enum willow_status renew_gradient(struct solver *solver, struct pass_result *result, struct willow_error *error)
{
    enum willow_status status =
        pass_gradient(solver->pass, solver->task->train, solver->weights, solver->gradient, result, error);
    if (status != WILLOW_OK)
        return status;
    solver->report->passes++;
    for (uint32_t j = 0; j < solver->count; j++)
        solver->gradient[j] -= solver->options->prior * (solver->weights[j] - solver->task->start[j]);
    return WILLOW_OK;
}

/* Gradient by preconditioned gradient. An unseen weight has gradient 0 and no part in anything. */
static double gradient_size(const struct solver *solver)
{
    double sum = 0.0;
    for (uint32_t j = 0; j < solver->count; j++)
        if (solver->counts[j] > 0.0)
            sum += solver->gradient[j] * solver->gradient[j] / (solver->counts[j] + solver->options->prior);
    return sum;
}

/* Polak and Ribiere's share of the old direction, cut at zero. */
static double old_share(const struct solver *solver, double size, double former_size)
{
    double cross = 0.0;
    for (uint32_t j = 0; j < solver->count; j++)
        if (solver->counts[j] > 0.0)
            cross += solver->gradient[j] * solver->former[j] / (solver->counts[j] + solver->options->prior);
    double share = (size - cross) / former_size;
    return share > 0.0 ? share : 0.0;
}

static void turn_direction(struct solver *solver, double share)
{
    for (uint32_t j = 0; j < solver->count; j++)
        if (solver->counts[j] > 0.0)
            solver->direction[j] =
                share * solver->direction[j] + solver->gradient[j] / (solver->counts[j] + solver->options->prior);
}

/* Moves the weights along the direction to the minimum that the curvature predicts. False when there is none. */
static bool step(struct solver *solver, double curvature)
{
    double along = 0.0;
    for (uint32_t j = 0; j < solver->count; j++) {
        solver->product[j] += solver->options->prior * solver->direction[j];
        curvature += solver->options->prior * solver->direction[j] * solver->direction[j];
        along += solver->gradient[j] * solver->direction[j];
    }
    if (!(curvature > 0.0) || !(along > 0.0))
        return false;
    const double length = along / curvature;
    memcpy(solver->former, solver->gradient, solver->count * sizeof *solver->former);
    for (uint32_t j = 0; j < solver->count; j++) {
        solver->weights[j] += length * solver->direction[j];
        solver->gradient[j] -= length * solver->product[j];
    }
    return true;
}

/* Early steps change many residuals from clipped to free. */
static bool renewal_due(int steps)
{
    return steps % RENEW == 0 || steps == 1 || steps == 2 || steps == 4;
}

/* The steps from the start to the end of progress. On return `best` holds the weights to keep. */
static enum willow_status minimise(struct solver *solver, struct willow_error *error)
{
    struct pass_result result;
    enum willow_status status = renew_gradient(solver, &result, error);
    if (status == WILLOW_OK)
        status = judge(solver, &result, error);
    if (status != WILLOW_OK)
        return status;
    solver->report->train_before = solver->report->train_fitted.all;
    solver->report->held_out_before = solver->report->held_out_fitted.all;
    double size = gradient_size(solver);
    const double floor = size * gradient_floor;
    turn_direction(solver, 0.0);

    int *steps = &solver->report->steps;
    bool measured = true; /* whether the current weights have been judged */
    while (*steps < solver->options->iterations && size > floor && solver->stale < solver->options->patience) {
        if ((status = check_stop(solver, error)) != WILLOW_OK ||
            (status = pass_curvature(solver->pass, solver->task->train, solver->weights, solver->direction,
                                     solver->product, &result, error)) != WILLOW_OK)
            return status;
        solver->report->passes++;
        if (!measured && (status = judge(solver, &result, error)) != WILLOW_OK)
            return status;
        measured = true;
        if (solver->stale >= solver->options->patience || !step(solver, result.curvature))
            break;
        ++*steps;
        measured = false;
        if (renewal_due(*steps) || *steps == solver->options->iterations) {
            if ((status = renew_gradient(solver, &result, error)) != WILLOW_OK ||
                (status = judge(solver, &result, error)) != WILLOW_OK)
                return status;
            measured = true;
        }
        const double former_size = size;
        size = gradient_size(solver);
        turn_direction(solver, old_share(solver, size, former_size));
    }
    if (measured)
        return WILLOW_OK;
    status = renew_gradient(solver, &result, error);
    return status == WILLOW_OK ? judge(solver, &result, error) : status;
}

enum willow_status solver_fit(const struct solver_task *task, const struct solver_options *options, double *weights,
                              struct solver_report *report, struct willow_error *error)
{
    struct solver solver;
    enum willow_status status = solver_init(&solver, task, options, report, error);
    if (status == WILLOW_OK)
        status = check_stop(&solver, error);
    if (status == WILLOW_OK)
        status = pass_counts(solver.pass, task->train, true, solver.counts, error);
    if (status == WILLOW_OK)
        status = minimise(&solver, error);
    if (status == WILLOW_OK) {
        memcpy(weights, solver.best, solver.count * sizeof *weights);
        for (uint32_t j = 0; j < solver.count; j++) {
            report->unseen += solver.counts[j] < 0.5;
            report->rare += solver.counts[j] > 0.5 && solver.counts[j] < 2.5;
        }
    }
    solver_clear(&solver);
    return status;
}
