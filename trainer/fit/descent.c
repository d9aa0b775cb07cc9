/* Descent by mini-batches with momentum; see problem.h for what is minimised. Layer: trainer.
 *
 * A step goes along the mean of the last slopes, each from a batch of blocks of the training rows. The blocks of all
 * ranges come in a random order that is drawn anew for each pass over the rows, so that batches look alike. Every
 * variable moves at its own pace, in essence one over how often it is seen: with one rate for all, a rare weight would
 * not move in a hundred passes. The steps shrink evenly to nothing over the passes that are allowed, which lets the
 * noise of the batches die out.
 *
 * Adam, which takes the pace from the slopes themselves, was tried in its place: after 40 passes over 44 thousand rows
 * it had come to an RMSE of 4.66 discs at its best rate, this one after 30 to 4.40.
 */
#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include <willow/random.h>

/* A slope counts for the next ten steps or so. Steps of up to 38 over the largest eigenvalue are then stable. */
static const double memory = 0.9;

enum { BATCHES_MIN = 5 }; /* of a pass over the rows, as far as there are blocks */

/* One block of the training rows. */
struct place {
    size_t range, block;
};

/* What a step leaves for the next one, beside the arrays. */
struct carry {
    double train_weight;    /* of all training rows */
    size_t next;            /* batch of this pass over the rows */
    struct pass_result sum; /* errors of its batches so far, loss not yet divided by the weight */
};

struct descent {
    struct problem *problem;
    double *storage; /* one block behind the arrays below */
    double *point, *momentum, *gradient;
    struct place *order;
    struct pass_range *batch;
    size_t place_count; /* of this rank */
    size_t batches;     /* of a pass over the rows, the same on all ranks */
    struct carry carry;
};

enum { ARRAYS = 3, SAVED_ARRAYS = 2 };

/* The blocks of all training rows in their own order; returns how many. order may be null. */
static size_t list_places(const struct solver_task *task, struct place *order)
{
    size_t count = 0;
    for (size_t i = 0; i < task->train.count; i++) {
        const struct pass_range *range = &task->train.ranges[i];
        const size_t all = samples_blocks(task->samples, range->ply, range->part);
        const size_t left = range->first_block < all ? all - range->first_block : 0;
        const size_t blocks = range->blocks < left ? range->blocks : left;
        for (size_t block = 0; order && block < blocks; block++)
            order[count + block] = (struct place){i, range->first_block + block};
        count += blocks;
    }
    return count;
}

/* The order of the pass that comes next. */
static void shuffle(struct descent *descent)
{
    const struct problem *problem = descent->problem;
    struct willow_random random;
    willow_random_init(&random, problem->options->seed, (uint64_t)problem->progress.steps);
    list_places(problem->task, descent->order);
    for (size_t left = descent->place_count; left > 1; left--) {
        const size_t drawn = willow_random_below(&random, (uint32_t)left);
        const struct place place = descent->order[left - 1];
        descent->order[left - 1] = descent->order[drawn];
        descent->order[drawn] = place;
    }
}

/* Every rank takes its share of each batch. */
static enum willow_status count_batches(struct descent *descent, struct willow_error *error)
{
    const struct solver_options *options = descent->problem->options;
    descent->place_count = list_places(descent->problem->task, NULL);
    int64_t blocks = (int64_t)descent->place_count;
    const enum willow_status status = willow_ranks_sum(options->ranks, &blocks, 1, error);
    const int64_t least = blocks < BATCHES_MIN ? blocks : BATCHES_MIN;
    const int64_t batches = (blocks + options->batch_blocks - 1) / options->batch_blocks;
    descent->batches = (size_t)(batches < least ? least : batches);
    return status;
}

static enum willow_status allocate(struct descent *descent, struct willow_error *error)
{
    const struct problem *problem = descent->problem;
    descent->storage = calloc(problem->count, ARRAYS * sizeof *descent->storage);
    descent->order = calloc(descent->place_count + 1, sizeof *descent->order);
    descent->batch = calloc(descent->place_count + 1, sizeof *descent->batch);
    if (!descent->storage || !descent->order || !descent->batch)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu variables", problem->count);
    descent->point = descent->storage;
    descent->momentum = descent->point + problem->count;
    descent->gradient = descent->momentum + problem->count;
    return WILLOW_OK;
}

/* How far to go: the eigenvalue of what all terms of a row have in common, a constant, is the number of its terms. */
static double step_size(const struct descent *descent)
{
    const struct problem *problem = descent->problem;
    const double passes = problem->progress.steps + (double)descent->carry.next / (double)descent->batches;
    return problem->options->rate / problem->task->features->count * (1.0 - passes / problem->options->iterations);
}

/* One step along the momentum, renewed by the gradient of rows of this weight. */
static void move(struct descent *descent, double weight)
{
    const struct problem *problem = descent->problem;
    const double size = step_size(descent), *pace = problem->pace;
    const double share = weight > 0.0 ? (1.0 - memory) * descent->carry.train_weight / weight : 0.0;
    for (size_t j = 0; j < problem->count; j++) {
        descent->momentum[j] = memory * descent->momentum[j] + share * pace[j] * descent->gradient[j];
        descent->point[j] += size * descent->momentum[j];
    }
}

/* A pass over the rows is over: its steps are judged by where they led. */
static enum willow_status end_pass(struct descent *descent, struct willow_error *error)
{
    struct problem *problem = descent->problem;
    struct errors *sum = &descent->carry.sum.all;
    problem->progress.steps++;
    problem->progress.passes++;
    sum->loss = sum->weight > 0.0 ? sum->loss / sum->weight : 0.0;
    problem_move(problem, descent->point);
    const enum willow_status status = problem_judge(problem, &descent->carry.sum, false, error);
    descent->carry.next = 0;
    memset(&descent->carry.sum, 0, sizeof descent->carry.sum);
    shuffle(descent);
    return status;
}

static enum willow_status advance(struct descent *descent, struct willow_error *error)
{
    struct problem *problem = descent->problem;
    struct carry *carry = &descent->carry;
    struct errors errors;
    const size_t first = descent->place_count * carry->next / descent->batches;
    const size_t end = descent->place_count * (carry->next + 1) / descent->batches;
    for (size_t i = first; i < end; i++) {
        struct pass_range *range = &descent->batch[i - first];
        *range = problem->task->train.ranges[descent->order[i].range];
        range->first_block = descent->order[i].block;
        range->blocks = 1;
    }
    problem_move(problem, descent->point);
    const enum willow_status status = problem_batch(problem, (struct pass_rows){descent->batch, end - first},
                                                    carry->train_weight, descent->gradient, &errors, error);
    if (status != WILLOW_OK)
        return status;
    move(descent, errors.weight);
    carry->sum.all.rows += errors.rows;
    carry->sum.all.weight += errors.weight;
    carry->sum.all.loss += errors.loss * errors.weight;
    return ++carry->next < descent->batches ? WILLOW_OK : end_pass(descent, error);
}

static enum willow_status begin(struct descent *descent, const struct snapshot_block *state, size_t count,
                                struct willow_error *error)
{
    struct problem *problem = descent->problem;
    struct pass_result result;
    if (problem->options->resume)
        return problem_resume(problem, state, count, error);
    problem_move(problem, descent->point);
    const enum willow_status status = problem_gradient(problem, descent->gradient, &result, error);
    if (status != WILLOW_OK)
        return status;
    descent->carry.train_weight = result.all.weight;
    return problem_judge(problem, &result, true, error);
}

static void descent_clear(struct descent *descent)
{
    free(descent->storage);
    free(descent->order);
    free(descent->batch);
}

enum willow_status descent_run(struct problem *problem, struct willow_error *error)
{
    struct descent descent = {.problem = problem};
    enum willow_status status = count_batches(&descent, error);
    if (status == WILLOW_OK)
        status = allocate(&descent, error);
    const struct snapshot_block state[] = {{descent.storage, problem->count * SAVED_ARRAYS * sizeof *descent.storage},
                                           {&descent.carry, sizeof descent.carry}};
    const size_t blocks = sizeof state / sizeof *state;
    if (status == WILLOW_OK)
        status = begin(&descent, state, blocks, error);
    if (status == WILLOW_OK)
        shuffle(&descent);
    while (status == WILLOW_OK && descent.batches > 0 && !problem_is_over(problem))
        if ((status = problem_pause(problem, state, blocks, error)) == WILLOW_OK)
            status = advance(&descent, error);
    descent_clear(&descent);
    return status;
}
