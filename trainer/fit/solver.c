/* The choice of a solver, and what all have in common at the start and at the end; see solver.h. Layer: trainer. */
#include "solver.h"

#include "problem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static enum willow_status (*const runs[SOLVER_KINDS])(struct problem *, struct willow_error *) = {
    [SOLVER_CONJUGATE] = conjugate_run, [SOLVER_DESCENT] = descent_run};

void solver_report_clear(struct solver_report *report)
{
    free(report->points);
    free(report->sightings);
    report->points = NULL;
    report->sightings = NULL;
    report->point_count = 0;
}

enum willow_status solver_fit(const struct solver_task *task, const struct solver_options *options, double *weights,
                              struct solver_report *report, struct willow_error *error)
{
    struct problem problem;
    assert(options->kind < SOLVER_KINDS && options->iterations >= 0 && options->patience >= 1);
    memset(report, 0, sizeof *report);
    if (options->stop && willow_stop_get(options->stop))
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    enum willow_status status = problem_init(&problem, task, options, report, error);
    if (status == WILLOW_OK)
        status = runs[options->kind](&problem, error);
    if (status == WILLOW_OK)
        status = problem_finish(&problem, weights, error);
    problem_clear(&problem);
    return status;
}
