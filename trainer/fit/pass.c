/* The threaded pass over samples; see pass.h. Layer: trainer.
 *
 * Integers are associative, floating point is not: each thread adds fixed-point numbers into arrays of its own,
 * whichever blocks it happens to take, and the arrays are added up afterwards. The scale of each sum is chosen from the
 * number of rows and the largest value a row can add, so that no sum can overflow.
 */
#include "pass.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_ROWS = 8192, /* one read of 192 KiB; small enough to share out 300,000 rows evenly */
    BATCH_ROWS = 16    /* indices of this many rows stay in the first-level cache between their making and their use */
};

/* Beyond this a residual cannot lie unless the weights have run away; it bounds the fixed-point sums. */
static const double residual_bound = 16384.0;

enum kind { KIND_COUNT, KIND_GRADIENT, KIND_CURVATURE, KIND_ROUNDED };

/* Weight and direction side by side: one cache line serves both lookups. */
struct pair {
    float weight, direction;
};

/* Fixed-point sums of one part of the rows. */
struct sums {
    uint64_t rows;
    int64_t loss, absolute, squared;
};

struct worker {
    struct pass *pass;
    pthread_t thread;
    bool started;
    struct sample *rows; /* BLOCK_ROWS */
    int64_t *totals;     /* one a weight */
    struct sums sums[2]; /* [0] training, [1] held out */
    int64_t curvature;
    enum willow_status status;
    struct willow_error error;
};

struct pass {
    struct features features;
    int threads;
    float clip;
    struct pair *pairs;
    struct worker *workers;
    /* Of the pass that runs. */
    enum kind kind;
    const struct samples *samples;
    const int16_t *values;
    double total_scale, error_scale, loss_scale, curvature_scale;
    atomic_uint_least64_t next_block; /* relaxed: it hands out numbers, and joining the threads orders the rest */
};

static void pattern_index(const void *context, struct willow_board board, uint32_t *index)
{
    willow_pattern_set_indices(context, board, index);
}

struct features features_of_patterns(const struct willow_pattern_set *set)
{
    return (struct features){.context = set,
                             .count = willow_pattern_set_features(set),
                             .weights = willow_pattern_set_weights(set),
                             .index = pattern_index};
}

enum willow_status pass_new(const struct features *features, int threads, double clip, struct pass **pass,
                            struct willow_error *error)
{
    assert(threads >= 1 && clip > 0.0 && clip <= residual_bound / 2);
    assert(features->count >= 1 && features->count <= WILLOW_FEATURES_MAX);
    struct pass *made = calloc(1, sizeof *made);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    made->features = *features;
    made->threads = threads;
    made->clip = (float)clip;
    made->pairs = calloc(features->weights, sizeof *made->pairs);
    made->workers = calloc((size_t)threads, sizeof *made->workers);
    bool complete = made->pairs && made->workers;
    for (int i = 0; complete && i < threads; i++) {
        struct worker *worker = &made->workers[i];
        worker->pass = made;
        worker->rows = malloc(BLOCK_ROWS * sizeof *worker->rows);
        worker->totals = calloc(features->weights, sizeof *worker->totals);
        complete = worker->rows && worker->totals;
    }
    if (!complete) {
        pass_free(made);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %u weights and %d threads",
                           features->weights, threads);
    }
    *pass = made;
    return WILLOW_OK;
}

void pass_free(struct pass *pass)
{
    if (!pass)
        return;
    for (int i = 0; pass->workers && i < pass->threads; i++) {
        free(pass->workers[i].rows);
        free(pass->workers[i].totals);
    }
    free(pass->workers);
    free(pass->pairs);
    free(pass);
}

/* The greatest power of two, at most 2^40, that keeps `rows` values of at most `bound` below 2^61 in sum (twice that
 * with rounding, and still no overflow). */
static double scale_for(uint64_t rows, double bound)
{
    int exponent;
    frexp((double)(rows + 1) * bound, &exponent);
    int bits = 61 - exponent;
    return ldexp(1.0, bits < 40 ? bits : 40);
}

/* Four partial sums shorten the chain of dependent additions; their order is fixed. */
static struct pair gather(const struct pair *table, const uint32_t *index, int count)
{
    struct pair a = {0}, b = {0}, c = {0}, d = {0};
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        a.weight += table[index[i]].weight;
        a.direction += table[index[i]].direction;
        b.weight += table[index[i + 1]].weight;
        b.direction += table[index[i + 1]].direction;
        c.weight += table[index[i + 2]].weight;
        c.direction += table[index[i + 2]].direction;
        d.weight += table[index[i + 3]].weight;
        d.direction += table[index[i + 3]].direction;
    }
    for (; i < count; i++) {
        a.weight += table[index[i]].weight;
        a.direction += table[index[i]].direction;
    }
    return (struct pair){(a.weight + b.weight) + (c.weight + d.weight),
                         (a.direction + b.direction) + (c.direction + d.direction)};
}

static void scatter(int64_t *totals, const uint32_t *index, int count, int64_t value)
{
    for (int i = 0; i < count; i++)
        totals[index[i]] += value;
}

static willow_score sum_rounded(const int16_t *values, const uint32_t *index, int count)
{
    willow_score sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[index[i]];
    const willow_score limit = WILLOW_SCORE_MAX - 1;
    return sum > limit ? limit : sum < -limit ? -limit : sum;
}

willow_score pass_evaluate(const struct features *features, const int16_t *values, struct willow_board board)
{
    uint32_t index[WILLOW_FEATURES_MAX];
    features->index(features->context, board, index);
    return sum_rounded(values, index, features->count);
}

static float clamp(float value, float limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

/* Adds the errors of one row. Returns its residual before any clamping. */
static float measure(struct worker *worker, const struct sample *row, float prediction)
{
    const struct pass *pass = worker->pass;
    struct sums *sums = &worker->sums[row->held_out];
    float residual = clamp(row->label - prediction, (float)residual_bound);
    float size = fabsf(residual);
    float loss = size <= pass->clip ? size * size : pass->clip * (2.0F * size - pass->clip);
    float played = fabsf(row->label - clamp(prediction, (float)(WILLOW_SCORE_MAX - 1)));
    sums->rows++;
    sums->loss += llrint((double)loss * pass->loss_scale);
    sums->absolute += llrint((double)played * pass->error_scale);
    sums->squared += llrint((double)played * (double)played * pass->loss_scale);
    return residual;
}

static void process_row(struct worker *worker, const struct sample *row, const uint32_t *index)
{
    const struct pass *pass = worker->pass;
    const int count = pass->features.count;
    if (pass->kind == KIND_COUNT) {
        if (!row->held_out)
            scatter(worker->totals, index, count, 1);
        return;
    }
    if (pass->kind == KIND_ROUNDED) {
        measure(worker, row, (float)sum_rounded(pass->values, index, count));
        return;
    }
    struct pair sum = gather(pass->pairs, index, count);
    float residual = measure(worker, row, sum.weight);
    if (row->held_out)
        return;
    if (pass->kind == KIND_GRADIENT) {
        double step = (double)clamp(residual, pass->clip);
        scatter(worker->totals, index, count, llrint(step * pass->total_scale));
    } else {
        /* The weight of iteratively reweighted least squares: with it the curvature is that of a parabola which touches
         * the loss at the current weights and lies nowhere below it, so that a step to its minimum never climbs. */
        const double size = (double)fabsf(residual), clip = (double)pass->clip;
        const double weight = size <= clip ? 1.0 : clip / size;
        const double slope = (double)sum.direction;
        worker->curvature += llrint(weight * slope * slope * pass->curvature_scale);
        scatter(worker->totals, index, count, llrint(weight * slope * pass->total_scale));
    }
}

static void process_block(struct worker *worker, size_t count)
{
    const struct features *features = &worker->pass->features;
    uint32_t index[BATCH_ROWS][WILLOW_FEATURES_MAX];
    for (size_t first = 0; first < count; first += BATCH_ROWS) {
        size_t batch = count - first < BATCH_ROWS ? count - first : BATCH_ROWS;
        for (size_t i = 0; i < batch; i++)
            features->index(features->context, worker->rows[first + i].board, index[i]);
        for (size_t i = 0; i < batch; i++)
            process_row(worker, &worker->rows[first + i], index[i]);
    }
}

static void reset(struct worker *worker)
{
    worker->status = WILLOW_OK;
    worker->curvature = 0;
    memset(worker->sums, 0, sizeof worker->sums);
    memset(worker->totals, 0, worker->pass->features.weights * sizeof *worker->totals);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct pass *pass = worker->pass;
    const uint64_t rows = samples_rows(pass->samples);
    reset(worker);
    for (;;) {
        uint64_t first = atomic_fetch_add_explicit(&pass->next_block, 1, memory_order_relaxed) * BLOCK_ROWS;
        if (first >= rows)
            return NULL;
        size_t count = rows - first < BLOCK_ROWS ? (size_t)(rows - first) : BLOCK_ROWS;
        worker->status = samples_read(pass->samples, first, count, worker->rows, &worker->error);
        if (worker->status != WILLOW_OK)
            return NULL;
        process_block(worker, count);
    }
}

/* Runs work() on all threads, the caller being the first. */
static enum willow_status run_workers(struct pass *pass, struct willow_error *error)
{
    atomic_store_explicit(&pass->next_block, 0, memory_order_relaxed);
    for (int i = 1; i < pass->threads; i++)
        pass->workers[i].started = pthread_create(&pass->workers[i].thread, NULL, work, &pass->workers[i]) == 0;
    work(&pass->workers[0]);
    for (int i = 1; i < pass->threads; i++) {
        if (pass->workers[i].started)
            pthread_join(pass->workers[i].thread, NULL);
        else
            reset(&pass->workers[i]);
    }
    for (int i = 0; i < pass->threads; i++)
        if (pass->workers[i].status != WILLOW_OK) {
            if (error)
                *error = pass->workers[i].error;
            return pass->workers[i].status;
        }
    return WILLOW_OK;
}

static struct errors errors_of(const struct pass *pass, int part)
{
    struct sums all = {0};
    for (int i = 0; i < pass->threads; i++) {
        const struct sums *sums = &pass->workers[i].sums[part];
        all.rows += sums->rows;
        all.loss += sums->loss;
        all.absolute += sums->absolute;
        all.squared += sums->squared;
    }
    struct errors errors = {.rows = all.rows};
    if (all.rows > 0) {
        double rows = (double)all.rows;
        errors.loss = (double)all.loss / pass->loss_scale / rows;
        errors.mae_discs = (double)all.absolute / pass->error_scale / rows / WILLOW_SCORE_DISC;
        errors.rmse_discs = sqrt((double)all.squared / pass->loss_scale / rows) / WILLOW_SCORE_DISC;
    }
    return errors;
}

/* One pass. total_bound: the most that one occurrence of a weight adds to its total, in absolute value. totals and
 * result may be null. */
static enum willow_status run(struct pass *pass, enum kind kind, const struct samples *samples, double total_bound,
                              double *totals, struct pass_result *result, struct willow_error *error)
{
    const uint64_t rows = samples_rows(samples);
    const double features = pass->features.count;
    pass->kind = kind;
    pass->samples = samples;
    pass->total_scale = kind == KIND_COUNT ? 1.0 : scale_for(rows, total_bound * features);
    pass->error_scale = scale_for(rows, residual_bound);
    pass->loss_scale = scale_for(rows, residual_bound * residual_bound);
    pass->curvature_scale = scale_for(rows, features * features);
    enum willow_status status = run_workers(pass, error);
    if (status != WILLOW_OK)
        return status;

    for (uint32_t j = 0; totals && j < pass->features.weights; j++) {
        int64_t sum = 0;
        for (int i = 0; i < pass->threads; i++)
            sum += pass->workers[i].totals[j];
        totals[j] = (double)sum / pass->total_scale;
    }
    int64_t curvature = 0;
    for (int i = 0; i < pass->threads; i++)
        curvature += pass->workers[i].curvature;
    if (result)
        *result = (struct pass_result){.train = errors_of(pass, 0),
                                       .held_out = errors_of(pass, 1),
                                       .curvature = (double)curvature / pass->curvature_scale};
    return WILLOW_OK;
}

enum willow_status pass_counts(struct pass *pass, const struct samples *samples, double *counts,
                               struct willow_error *error)
{
    return run(pass, KIND_COUNT, samples, 1.0, counts, NULL, error);
}

enum willow_status pass_gradient(struct pass *pass, const struct samples *samples, const double *weights,
                                 double *gradient, struct pass_result *result, struct willow_error *error)
{
    for (uint32_t j = 0; j < pass->features.weights; j++)
        pass->pairs[j] = (struct pair){(float)weights[j], 0.0F};
    return run(pass, KIND_GRADIENT, samples, (double)pass->clip, gradient, result, error);
}

enum willow_status pass_curvature(struct pass *pass, const struct samples *samples, const double *weights,
                                  const double *direction, double *product, struct pass_result *result,
                                  struct willow_error *error)
{
    double largest = 0.0;
    for (uint32_t j = 0; j < pass->features.weights; j++)
        largest = fmax(largest, fabs(direction[j]));
    const double unit = largest > 0.0 ? largest : 1.0;
    for (uint32_t j = 0; j < pass->features.weights; j++)
        pass->pairs[j] = (struct pair){(float)weights[j], (float)(direction[j] / unit)};
    /* With |direction| <= 1 a row's slope is at most the number of terms. */
    enum willow_status status =
        run(pass, KIND_CURVATURE, samples, (double)pass->features.count, product, result, error);
    if (status != WILLOW_OK)
        return status;
    for (uint32_t j = 0; j < pass->features.weights; j++)
        product[j] *= unit;
    result->curvature *= unit * unit;
    return WILLOW_OK;
}

enum willow_status pass_rounded(struct pass *pass, const struct samples *samples, const int16_t *values,
                                struct pass_result *result, struct willow_error *error)
{
    pass->values = values;
    return run(pass, KIND_ROUNDED, samples, 1.0, NULL, result, error);
}
