/* Preconditioned conjugate gradients; see problem.h for what is minimised. Layer: trainer.
 *
 * A step costs one pass, which gathers the weights and the direction p together and scatters H p. Residuals beyond the
 * clip enter H with less weight (iteratively reweighted least squares). The gradient is updated by the recursion g -=
 * step * H p; as the weights of the rows change with the point, the true gradient is computed again after 1, 2 and 4
 * steps and then every RENEW. The direction is mixed by Polak and Ribiere's formula, which tolerates the small jump of
 * a renewal and falls back to steepest descent by itself. The preconditioner is the diagonal of H, in essence how often
 * a weight was seen: rare and common weights move at their own pace.
 */
#include "problem.h"

#include <stdlib.h>
#include <string.h>

enum { RENEW = 8 };

/* The fit ends when the preconditioned gradient has fallen so far that fixed-point rounding is all that is left. */
static const double gradient_floor = 1e-13;

/* What a step leaves for the next one, beside the arrays. */
struct carry {
    double size;   /* of the preconditioned gradient, squared */
    double floor;  /* of it */
    bool measured; /* whether the current point has been judged */
};

struct conjugate {
    struct problem *problem;
    double *storage; /* one block behind the arrays below */
    double *point, *gradient, *direction, *product, *former;
    struct carry carry;
};

enum { ARRAYS = 5, SAVED_ARRAYS = 3 };

/* Gradient by preconditioned gradient. */
static double gradient_size(const struct conjugate *conjugate)
{
    const double *pace = conjugate->problem->pace, *gradient = conjugate->gradient;
    double sum = 0.0;
    for (size_t j = 0; j < conjugate->problem->count; j++)
        sum += gradient[j] * gradient[j] * pace[j];
    return sum;
}

/* Polak and Ribiere's share of the old direction, cut at zero. */
static double old_share(const struct conjugate *conjugate, double size, double former_size)
{
    const double *pace = conjugate->problem->pace;
    double cross = 0.0;
    for (size_t j = 0; j < conjugate->problem->count; j++)
        cross += conjugate->gradient[j] * conjugate->former[j] * pace[j];
    const double share = (size - cross) / former_size;
    return share > 0.0 ? share : 0.0;
}

static void turn_direction(struct conjugate *conjugate, double share)
{
    const double *pace = conjugate->problem->pace;
    for (size_t j = 0; j < conjugate->problem->count; j++)
        conjugate->direction[j] = share * conjugate->direction[j] + conjugate->gradient[j] * pace[j];
}

/* The true gradient at the current point, which is judged at that. */
static enum willow_status renew(struct conjugate *conjugate, struct willow_error *error)
{
    struct pass_result result;
    const enum willow_status status = problem_gradient(conjugate->problem, conjugate->gradient, &result, error);
    conjugate->carry.measured = true;
    return status == WILLOW_OK ? problem_judge(conjugate->problem, &result, true, error) : status;
}

/* Goes along the direction to the minimum that the curvature predicts. False when there is none. */
static bool step(struct conjugate *conjugate, double curvature)
{
    const size_t count = conjugate->problem->count;
    double along = 0.0;
    for (size_t j = 0; j < count; j++)
        along += conjugate->gradient[j] * conjugate->direction[j];
    if (!(curvature > 0.0) || !(along > 0.0))
        return false;
    const double length = along / curvature;
    memcpy(conjugate->former, conjugate->gradient, count * sizeof *conjugate->former);
    for (size_t j = 0; j < count; j++) {
        conjugate->point[j] += length * conjugate->direction[j];
        conjugate->gradient[j] -= length * conjugate->product[j];
    }
    problem_move(conjugate->problem, conjugate->point);
    return true;
}

/* Early steps change many residuals from clipped to free. */
static bool renewal_due(int steps)
{
    return steps % RENEW == 0 || steps == 1 || steps == 2 || steps == 4;
}

static enum willow_status begin(struct conjugate *conjugate, const struct snapshot_block *state, size_t count,
                                struct willow_error *error)
{
    struct problem *problem = conjugate->problem;
    if (problem->options->resume) {
        const enum willow_status status = problem_resume(problem, state, count, error);
        problem_move(problem, conjugate->point);
        return status;
    }
    problem_move(problem, conjugate->point);
    const enum willow_status status = renew(conjugate, error);
    conjugate->carry.size = gradient_size(conjugate);
    conjugate->carry.floor = conjugate->carry.size * gradient_floor;
    turn_direction(conjugate, 0.0);
    return status;
}

/* One step. *over: there is none to make. */
static enum willow_status advance(struct conjugate *conjugate, bool *over, struct willow_error *error)
{
    struct problem *problem = conjugate->problem;
    struct carry *carry = &conjugate->carry;
    struct pass_result result;
    enum willow_status status = problem_curvature(problem, conjugate->direction, conjugate->product, &result, error);
    if (status == WILLOW_OK && !carry->measured)
        status = problem_judge(problem, &result, true, error);
    if (status != WILLOW_OK)
        return status;
    carry->measured = true;
    *over = problem_is_over(problem) || !step(conjugate, result.curvature);
    if (*over)
        return WILLOW_OK;
    carry->measured = false;
    const int steps = ++problem->progress.steps;
    if ((renewal_due(steps) || steps == problem->options->iterations) &&
        (status = renew(conjugate, error)) != WILLOW_OK)
        return status;
    const double former_size = carry->size;
    carry->size = gradient_size(conjugate);
    turn_direction(conjugate, old_share(conjugate, carry->size, former_size));
    return WILLOW_OK;
}

enum willow_status conjugate_run(struct problem *problem, struct willow_error *error)
{
    struct conjugate conjugate = {.problem = problem};
    const size_t count = problem->count;
    conjugate.storage = calloc(count, ARRAYS * sizeof *conjugate.storage);
    if (!conjugate.storage)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu variables", count);
    conjugate.point = conjugate.storage;
    conjugate.gradient = conjugate.point + count;
    conjugate.direction = conjugate.gradient + count;
    conjugate.product = conjugate.direction + count;
    conjugate.former = conjugate.product + count;
    const struct snapshot_block state[] = {{conjugate.storage, count * SAVED_ARRAYS * sizeof *conjugate.storage},
                                           {&conjugate.carry, sizeof conjugate.carry}};
    const size_t blocks = sizeof state / sizeof *state;
    enum willow_status status = begin(&conjugate, state, blocks, error);
    bool over = false;
    while (status == WILLOW_OK && !over && !problem_is_over(problem) && conjugate.carry.size > conjugate.carry.floor)
        if ((status = problem_pause(problem, state, blocks, error)) == WILLOW_OK)
            status = advance(&conjugate, &over, error);
    if (status == WILLOW_OK && !conjugate.carry.measured)
        status = renew(&conjugate, error);
    free(conjugate.storage);
    return status;
}
