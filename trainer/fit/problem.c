/* The function that solvers minimise; see problem.h. Layer: trainer. */
#include "problem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

static enum willow_status allocate(struct problem *problem, struct willow_error *error)
{
    const size_t weights = problem->weights, count = problem->count;
    problem->storage = calloc(count + 4 * weights, sizeof *problem->storage);
    problem->report->sightings = calloc(weights, sizeof *problem->report->sightings);
    if (!problem->storage || !problem->report->sightings)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu weights", count);
    problem->pace = problem->storage;
    problem->mapped = problem->storage + count;
    problem->mapped_direction = problem->mapped + weights;
    problem->slope = problem->mapped_direction + weights;
    problem->best = problem->slope + weights;
    memcpy(problem->best, problem->task->start, weights * sizeof *problem->best);
    return WILLOW_OK;
}

/* How often each weight is seen in the rows that are the stage's own. */
static enum willow_status count_sightings(struct problem *problem, struct willow_error *error)
{
    const struct pass_rows train = problem->task->train;
    struct solver_report *report = problem->report;
    struct pass_range *own = calloc(train.count + 1, sizeof *own);
    if (!own)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    struct pass_rows rows = {own, 0};
    for (size_t i = 0; i < train.count; i++)
        if (train.ranges[i].factor >= 1.0F)
            own[rows.count++] = train.ranges[i];
    const enum willow_status status = pass_counts(problem->pass, rows, false, problem->slope, error);
    free(own);
    for (uint32_t j = 0; status == WILLOW_OK && j < problem->weights; j++) {
        report->sightings[j] = (uint32_t)fmin(problem->slope[j], (double)UINT32_MAX);
        report->unseen += report->sightings[j] == 0;
        report->rare += report->sightings[j] == 1 || report->sightings[j] == 2;
    }
    return status;
}

static bool is_fixed(const struct problem *problem, uint32_t j)
{
    return problem->task->fixed && problem->task->fixed[j];
}

/* For a weight's own part one over the diagonal of the curvature, in essence how often it is seen. */
static enum willow_status find_pace(struct problem *problem, struct willow_error *error)
{
    double *pace = problem->storage;
    const enum willow_status status = pass_counts(problem->pass, problem->task->train, true, pace, error);
    if (status != WILLOW_OK)
        return status;
    for (uint32_t j = 0; j < problem->weights; j++)
        if (is_fixed(problem, j))
            pace[j] = 0.0;
    if (problem->backoff)
        backoff_prepare(problem->backoff, pace, pace + problem->weights);
    for (uint32_t j = 0; j < problem->weights; j++)
        if (pace[j] > 0.0)
            pace[j] = 1.0 / (pace[j] + problem->options->prior);
    return WILLOW_OK;
}

/* Of the rows of a range, of all ranks, in two numbers. */
static enum willow_status digest_rows(const struct problem *problem, const struct pass_range *range, int64_t sums[2],
                                      struct willow_error *error)
{
    uint64_t digest[2] = {0};
    samples_digest(problem->task->samples, range->ply, digest);
    for (int i = 0; i < 2; i++)
        sums[i] = (int64_t)digest[i];
    return willow_ranks_sum(problem->options->ranks, sums, 2, error);
}

/* What must be the same for a state to be taken up: everything that the result depends on. */
static enum willow_status identify(struct problem *problem, struct willow_error *error)
{
    const struct solver_task *task = problem->task;
    const struct solver_options *options = problem->options;
    const double numbers[] = {options->kind,  options->iterations,   options->tolerance,       options->patience,
                              options->prior, options->clip_discs,   options->backoff_squares, options->backoff_prior,
                              options->rate,  options->batch_blocks, (double)problem->count};
    uint64_t chain[] = {options->seed, willow_checksum64(numbers, sizeof numbers),
                        willow_checksum64(task->start, problem->weights * sizeof *task->start),
                        task->fixed ? willow_checksum64(task->fixed, problem->weights * sizeof *task->fixed) : 0, 0};
    const struct pass_rows *parts[] = {&task->train, &task->held_out};
    for (int part = 0; part < 2; part++)
        for (size_t i = 0; i < parts[part]->count; i++) {
            const struct pass_range *range = &parts[part]->ranges[i];
            int64_t row[8] = {part, range->ply, (int64_t)range->part, (int64_t)range->first_block,
                              (int64_t)range->blocks};
            const enum willow_status status = digest_rows(problem, range, row + 5, error);
            if (status != WILLOW_OK)
                return status;
            memcpy(row + 7, &range->factor, sizeof range->factor);
            chain[4] += willow_checksum64(row, sizeof row);
            chain[4] = willow_checksum64(chain, sizeof chain);
        }
    problem->identity = willow_checksum64(chain, sizeof chain);
    return WILLOW_OK;
}

enum willow_status problem_init(struct problem *problem, const struct solver_task *task,
                                const struct solver_options *options, struct solver_report *report,
                                struct willow_error *error)
{
    memset(problem, 0, sizeof *problem);
    problem->task = task;
    problem->options = options;
    problem->report = report;
    problem->count = problem->weights = task->features->weights;
    problem->progress.best_loss = problem->progress.reference_loss = INFINITY;
    problem->saved_ns = willow_clock_ns();
    enum willow_status status = WILLOW_OK;
    if (task->patterns && options->backoff_squares > 0) {
        if ((status = team_new(options->threads, &problem->team, error)) != WILLOW_OK ||
            (status = backoff_new(task->patterns, options->backoff_squares, options->backoff_prior, problem->team,
                                  &problem->backoff, error)) != WILLOW_OK)
            return status;
        problem->count += backoff_parts(problem->backoff);
    }
    if ((status = allocate(problem, error)) != WILLOW_OK ||
        (status = pass_new(task->features, task->samples, options->ranks, options->threads,
                           options->clip_discs * WILLOW_SCORE_DISC, &problem->pass, error)) != WILLOW_OK ||
        (status = count_sightings(problem, error)) != WILLOW_OK || (status = identify(problem, error)) != WILLOW_OK)
        return status;
    return find_pace(problem, error);
}

void problem_clear(struct problem *problem)
{
    pass_free(problem->pass);
    backoff_free(problem->backoff);
    team_free(problem->team);
    free(problem->storage);
}

/* weights = u + S v. */
static void map(struct problem *problem, const double *variables, double *weights)
{
    memcpy(weights, variables, problem->weights * sizeof *weights);
    if (problem->backoff)
        backoff_add(problem->backoff, variables + problem->weights, weights);
    for (uint32_t j = 0; problem->task->fixed && j < problem->weights; j++)
        if (problem->task->fixed[j])
            weights[j] = 0.0;
}

/* The adjoint, from problem->slope, and share * the curvature of the priors * point. */
static void map_back(struct problem *problem, double share, const double *point, double *variables)
{
    for (uint32_t j = 0; problem->task->fixed && j < problem->weights; j++)
        if (problem->task->fixed[j])
            problem->slope[j] = 0.0;
    const double pull = share * problem->options->prior;
    for (uint32_t j = 0; j < problem->weights; j++)
        variables[j] = problem->slope[j] + pull * point[j];
    if (problem->backoff)
        backoff_gather(problem->backoff, problem->slope, share, point + problem->weights, variables + problem->weights);
}

void problem_move(struct problem *problem, const double *variables)
{
    problem->variables = variables;
    map(problem, variables, problem->mapped);
    for (uint32_t j = 0; j < problem->weights; j++)
        problem->mapped[j] += problem->task->start[j];
}

enum willow_status problem_gradient(struct problem *problem, double *gradient, struct pass_result *result,
                                    struct willow_error *error)
{
    const enum willow_status status =
        pass_gradient(problem->pass, problem->task->train, problem->mapped, problem->slope, result, error);
    if (status != WILLOW_OK)
        return status;
    problem->progress.passes++;
    map_back(problem, -1.0, problem->variables, gradient);
    return WILLOW_OK;
}

enum willow_status problem_curvature(struct problem *problem, const double *direction, double *product,
                                     struct pass_result *result, struct willow_error *error)
{
    map(problem, direction, problem->mapped_direction);
    const enum willow_status status = pass_curvature(problem->pass, problem->task->train, problem->mapped,
                                                     problem->mapped_direction, problem->slope, result, error);
    if (status != WILLOW_OK)
        return status;
    problem->progress.passes++;
    map_back(problem, 1.0, direction, product);
    result->curvature = 0.0;
    for (size_t j = 0; j < problem->count; j++)
        result->curvature += direction[j] * product[j];
    return WILLOW_OK;
}

enum willow_status problem_batch(struct problem *problem, struct pass_rows rows, double train_weight, double *gradient,
                                 struct errors *errors, struct willow_error *error)
{
    struct pass_result result;
    const enum willow_status status =
        pass_gradient(problem->pass, rows, problem->mapped, problem->slope, &result, error);
    if (status != WILLOW_OK)
        return status;
    *errors = result.all;
    map_back(problem, -errors->weight / train_weight, problem->variables, gradient);
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

enum willow_status problem_judge(struct problem *problem, const struct pass_result *train, bool exact,
                                 struct willow_error *error)
{
    struct problem_progress *progress = &problem->progress;
    const struct solver_options *options = problem->options;
    struct pass_result held_out;
    const enum willow_status status =
        pass_gradient(problem->pass, problem->task->held_out, problem->mapped, NULL, &held_out, error);
    if (status != WILLOW_OK)
        return status;
    const bool by_held_out = held_out.all.rows > 0;
    const double loss = by_held_out ? held_out.all.loss : train->all.loss;
    if (progress->passes == 1) {
        progress->train_before = train->all;
        progress->held_out_before = held_out.all;
    }
    progress->stale++;
    if (loss < progress->reference_loss * (1.0 - options->tolerance)) {
        progress->reference_loss = loss;
        progress->stale = 0;
    }
    if (loss < progress->best_loss || !by_held_out) {
        progress->best_loss = fmin(loss, progress->best_loss);
        memcpy(problem->best, problem->mapped, problem->weights * sizeof *problem->best);
        progress->train_fitted = *train;
        progress->train_known = exact;
        progress->held_out_fitted = held_out;
        progress->kept = progress->steps;
    }
    const struct solver_point point = {
        .step = progress->steps, .epochs = progress->passes, .train = train->all, .held_out = held_out.all};
    if (options->progress)
        options->progress(options->context, &point);
    return add_point(problem->report, &point, error);
}

bool problem_is_over(const struct problem *problem)
{
    return problem->progress.steps >= problem->options->iterations ||
           problem->progress.stale >= problem->options->patience;
}

/* Of a saved state: those of a solver, and then the problem's own. */
enum { SOLVER_BLOCKS_MAX = 4, OWN_BLOCKS = 3, BLOCKS_MAX = SOLVER_BLOCKS_MAX + OWN_BLOCKS };

static size_t all_blocks(struct problem *problem, const struct snapshot_block *blocks, size_t count,
                         struct snapshot_block all[BLOCKS_MAX])
{
    assert(count <= SOLVER_BLOCKS_MAX);
    memcpy(all, blocks, count * sizeof *all);
    all[count++] = (struct snapshot_block){&problem->progress, sizeof problem->progress};
    all[count++] = (struct snapshot_block){problem->best, problem->weights * sizeof *problem->best};
    all[count++] = (struct snapshot_block){problem->report->points,
                                           problem->report->point_count * sizeof *problem->report->points};
    return count;
}

enum willow_status problem_pause(struct problem *problem, const struct snapshot_block *blocks, size_t count,
                                 struct willow_error *error)
{
    const struct solver_options *options = problem->options;
    enum willow_status stop = WILLOW_OK;
    if (options->stop && willow_stop_get(options->stop))
        stop = willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    /* All ranks stop after the same step, so that the state which is saved is everybody's. */
    stop = willow_ranks_agree(options->ranks, stop, error);
    if (stop != WILLOW_OK && stop != WILLOW_ERR_STOPPED)
        return stop;
    const bool saves = options->save && willow_ranks_self(options->ranks) == 0;
    const double seconds = (double)(willow_clock_ns() - problem->saved_ns) * 1e-9;
    if (saves && (stop == WILLOW_ERR_STOPPED || seconds >= options->save_seconds)) {
        struct snapshot_block all[BLOCKS_MAX];
        unsigned char *bytes = NULL;
        size_t size = 0;
        const size_t all_count = all_blocks(problem, blocks, count, all);
        enum willow_status status = snapshot_write(problem->identity, all, all_count, &bytes, &size, error);
        if (status == WILLOW_OK)
            status = options->save(options->context, bytes, size, error);
        free(bytes);
        if (status != WILLOW_OK)
            return status;
        problem->saved_ns = willow_clock_ns();
    }
    return stop;
}

enum willow_status problem_resume(struct problem *problem, const struct snapshot_block *blocks, size_t count,
                                  struct willow_error *error)
{
    const struct solver_options *options = problem->options;
    struct solver_report *report = problem->report;
    struct snapshot_block all[BLOCKS_MAX];
    size_t all_count = all_blocks(problem, blocks, count, all), content = snapshot_content(options->resume_size);
    /* All blocks but the learning curve have sizes that are known. */
    for (size_t i = 0; i + 1 < all_count; i++)
        content = content > all[i].size ? content - all[i].size : 0;
    report->point_count = content / sizeof *report->points;
    report->points = calloc(report->point_count + 1, sizeof *report->points);
    if (!report->points)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for the learning curve");
    all_count = all_blocks(problem, blocks, count, all);
    return snapshot_read(problem->identity, all, all_count, options->resume, options->resume_size, error);
}

enum willow_status problem_finish(struct problem *problem, double *weights, struct willow_error *error)
{
    struct problem_progress *progress = &problem->progress;
    struct solver_report *report = problem->report;
    enum willow_status status = WILLOW_OK;
    if (!progress->train_known)
        status =
            pass_gradient(problem->pass, problem->task->train, problem->best, NULL, &progress->train_fitted, error);
    memcpy(weights, problem->best, problem->weights * sizeof *weights);
    report->train_before = progress->train_before;
    report->held_out_before = progress->held_out_before;
    report->train_fitted = progress->train_fitted;
    report->held_out_fitted = progress->held_out_fitted;
    report->iterations = progress->kept;
    report->steps = progress->steps;
    report->passes = progress->passes;
    return status;
}
