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
    BATCH_ROWS = 16, /* indices of this many rows stay in the first-level cache between their making and their use */
    AHEAD = 8        /* blocks that the system is asked to fetch before their turn */
};

/* Beyond this a residual cannot lie unless the weights have run away; it bounds the fixed-point sums. */
static const double residual_bound = 16384.0;

/* The most that a row weighs. */
static const double weight_bound = (double)UINT16_MAX / SAMPLE_WEIGHT_ONE;

enum kind { KIND_COUNT, KIND_WEIGHTED_COUNT, KIND_ERRORS, KIND_GRADIENT, KIND_CURVATURE, KIND_ROUNDED };

/* Weight and direction side by side: one cache line serves both lookups. */
struct pair {
    float weight, direction;
};

/* Fixed-point sums of the rows of one kind. */
struct sums {
    uint64_t rows;
    int64_t weight, loss, absolute, squared, bias;
};

struct worker {
    struct pass *pass;
    pthread_t thread;
    bool started;
    struct sample *rows; /* SAMPLE_BLOCK_ROWS */
    int64_t *totals;     /* one a raw index */
    struct sums sums[SAMPLE_KINDS];
    int64_t curvature;
    enum willow_status status;
    struct willow_error error;
};

struct pass {
    struct features features;
    const struct samples *samples;
    int threads;
    float clip;
    struct pair *pairs; /* one a raw index */
    int16_t *rounded;   /* one a raw index */
    int64_t *folded;    /* one a weight */
    struct worker *workers;
    /* Of the pass that runs. */
    enum kind kind;
    struct pass_rows rows;
    double total_scale, error_scale, loss_scale, curvature_scale;
    atomic_size_t next_block; /* relaxed: it hands out numbers, and joining the threads orders the rest */
};

static void pattern_index(const void *context, struct willow_board board, uint32_t *index)
{
    willow_pattern_set_raw_indices(context, board, index);
}

struct features features_of_patterns(const struct willow_pattern_set *set)
{
    return (struct features){.context = set,
                             .count = willow_pattern_set_features(set),
                             .raw = willow_pattern_set_raw(set),
                             .weights = willow_pattern_set_weights(set),
                             .tie = willow_pattern_set_tie(set),
                             .index = pattern_index};
}

static uint32_t weight_of(const struct features *features, uint32_t raw)
{
    return features->tie ? features->tie[raw] : raw;
}

enum willow_status pass_new(const struct features *features, const struct samples *samples, int threads, double clip,
                            struct pass **pass, struct willow_error *error)
{
    assert(threads >= 1 && clip > 0.0 && clip <= residual_bound / 2);
    assert(features->count >= 1 && features->count <= WILLOW_FEATURES_MAX);
    struct pass *made = calloc(1, sizeof *made);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    made->features = *features;
    made->samples = samples;
    made->threads = threads;
    made->clip = (float)clip;
    made->pairs = calloc(features->raw, sizeof *made->pairs);
    made->rounded = calloc(features->raw, sizeof *made->rounded);
    made->folded = calloc(features->weights, sizeof *made->folded);
    made->workers = calloc((size_t)threads, sizeof *made->workers);
    bool complete = made->pairs && made->rounded && made->folded && made->workers;
    for (int i = 0; complete && i < threads; i++) {
        struct worker *worker = &made->workers[i];
        worker->pass = made;
        worker->rows = malloc(SAMPLE_BLOCK_ROWS * sizeof *worker->rows);
        worker->totals = calloc(features->raw, sizeof *worker->totals);
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
    free(pass->rounded);
    free(pass->folded);
    free(pass);
}

uint32_t pass_weights(const struct pass *pass)
{
    return pass->features.weights;
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

static willow_score clamp_score(willow_score sum)
{
    const willow_score limit = WILLOW_SCORE_MAX - 1;
    return sum > limit ? limit : sum < -limit ? -limit : sum;
}

willow_score pass_evaluate(const struct features *features, const int16_t *values, struct willow_board board)
{
    uint32_t index[WILLOW_FEATURES_MAX];
    willow_score sum = 0;
    features->index(features->context, board, index);
    for (int i = 0; i < features->count; i++)
        sum += values[weight_of(features, index[i])];
    return clamp_score(sum);
}

static float clamp(float value, float limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

/* Adds the errors of one row. Returns its residual before any clamping. */
static float measure(struct worker *worker, const struct sample *row, double weight, float prediction)
{
    const struct pass *pass = worker->pass;
    struct sums *sums = &worker->sums[row->kind];
    float residual = clamp(row->label - prediction, (float)residual_bound);
    float size = fabsf(residual);
    float loss = size <= pass->clip ? size * size : pass->clip * (2.0F * size - pass->clip);
    float off = clamp(prediction, (float)(WILLOW_SCORE_MAX - 1)) - row->label;
    sums->rows++;
    sums->weight += llrint(weight * pass->error_scale);
    sums->loss += llrint(weight * (double)loss * pass->loss_scale);
    sums->absolute += llrint((double)fabsf(off) * pass->error_scale);
    sums->squared += llrint((double)off * (double)off * pass->loss_scale);
    sums->bias += llrint((double)off * pass->error_scale);
    return residual;
}

static void process_row(struct worker *worker, const struct sample *row, float factor, const uint32_t *index)
{
    const struct pass *pass = worker->pass;
    const int count = pass->features.count;
    const double weight = (double)factor * row->weight / SAMPLE_WEIGHT_ONE;
    if (pass->kind == KIND_COUNT || pass->kind == KIND_WEIGHTED_COUNT) {
        scatter(worker->totals, index, count, pass->kind == KIND_COUNT ? 1 : llrint(weight * pass->total_scale));
        return;
    }
    if (pass->kind == KIND_ROUNDED) {
        willow_score sum = 0;
        for (int i = 0; i < count; i++)
            sum += pass->rounded[index[i]];
        measure(worker, row, weight, (float)clamp_score(sum));
        return;
    }
    struct pair sum = gather(pass->pairs, index, count);
    float residual = measure(worker, row, weight, sum.weight);
    if (pass->kind == KIND_GRADIENT) {
        double step = weight * (double)clamp(residual, pass->clip);
        scatter(worker->totals, index, count, llrint(step * pass->total_scale));
    } else if (pass->kind == KIND_CURVATURE) {
        /* The weight of iteratively reweighted least squares: with it the curvature is that of a parabola which touches
         * the loss at the current weights and lies nowhere below it, so that a step to its minimum never climbs. */
        const double size = (double)fabsf(residual), clip = (double)pass->clip;
        const double share = size <= clip ? weight : weight * clip / size;
        const double slope = (double)sum.direction;
        worker->curvature += llrint(share * slope * slope * pass->curvature_scale);
        scatter(worker->totals, index, count, llrint(share * slope * pass->total_scale));
    }
}

static void process_block(struct worker *worker, float factor, size_t count)
{
    const struct features *features = &worker->pass->features;
    uint32_t index[BATCH_ROWS][WILLOW_FEATURES_MAX];
    for (size_t first = 0; first < count; first += BATCH_ROWS) {
        size_t batch = count - first < BATCH_ROWS ? count - first : BATCH_ROWS;
        for (size_t i = 0; i < batch; i++)
            features->index(features->context, worker->rows[first + i].board, index[i]);
        for (size_t i = 0; i < batch; i++)
            process_row(worker, &worker->rows[first + i], factor, index[i]);
    }
}

static void reset(struct worker *worker)
{
    worker->status = WILLOW_OK;
    worker->curvature = 0;
    memset(worker->sums, 0, sizeof worker->sums);
    memset(worker->totals, 0, worker->pass->features.raw * sizeof *worker->totals);
}

static size_t blocks_of(const struct pass *pass, const struct pass_range *range)
{
    const size_t all = samples_blocks(pass->samples, range->ply, range->part);
    const size_t left = range->first_block < all ? all - range->first_block : 0;
    return range->blocks < left ? range->blocks : left;
}

/* The n-th block of all ranges; null past the end. */
static const struct pass_range *find_block(const struct pass *pass, size_t n, size_t *block)
{
    for (size_t i = 0; i < pass->rows.count; i++) {
        const struct pass_range *range = &pass->rows.ranges[i];
        const size_t blocks = blocks_of(pass, range);
        if (n < blocks) {
            *block = range->first_block + n;
            return range;
        }
        n -= blocks;
    }
    return NULL;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct pass *pass = worker->pass;
    reset(worker);
    for (;;) {
        const size_t n = atomic_fetch_add_explicit(&pass->next_block, 1, memory_order_relaxed);
        size_t block, ahead, count;
        const struct pass_range *range = find_block(pass, n, &block);
        if (!range)
            return NULL;
        const struct pass_range *later = find_block(pass, n + AHEAD, &ahead);
        if (later)
            samples_prefetch(pass->samples, later->ply, later->part, ahead);
        worker->status =
            samples_read(pass->samples, range->ply, range->part, block, worker->rows, &count, &worker->error);
        if (worker->status != WILLOW_OK)
            return NULL;
        process_block(worker, range->factor, count);
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

static struct errors errors_of(const struct pass *pass, int first_kind, int last_kind)
{
    struct sums all = {0};
    for (int i = 0; i < pass->threads; i++)
        for (int kind = first_kind; kind <= last_kind; kind++) {
            const struct sums *sums = &pass->workers[i].sums[kind];
            all.rows += sums->rows;
            all.weight += sums->weight;
            all.loss += sums->loss;
            all.absolute += sums->absolute;
            all.squared += sums->squared;
            all.bias += sums->bias;
        }
    struct errors errors = {.rows = all.rows, .weight = (double)all.weight / pass->error_scale};
    if (all.rows > 0) {
        double rows = (double)all.rows;
        errors.loss = (double)all.loss / pass->loss_scale / errors.weight;
        errors.mae_discs = (double)all.absolute / pass->error_scale / rows / WILLOW_SCORE_DISC;
        errors.rmse_discs = sqrt((double)all.squared / pass->loss_scale / rows) / WILLOW_SCORE_DISC;
        errors.bias_discs = (double)all.bias / pass->error_scale / rows / WILLOW_SCORE_DISC;
    }
    return errors;
}

static uint64_t rows_of(const struct pass *pass, struct pass_rows rows)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < rows.count; i++)
        sum += (uint64_t)blocks_of(pass, &rows.ranges[i]) * SAMPLE_BLOCK_ROWS;
    return sum;
}

/* The totals of all threads, for each weight. */
static void fold_totals(struct pass *pass, double *totals)
{
    const struct features *features = &pass->features;
    memset(pass->folded, 0, features->weights * sizeof *pass->folded);
    for (int i = 0; i < pass->threads; i++)
        for (uint32_t raw = 0; raw < features->raw; raw++)
            pass->folded[weight_of(features, raw)] += pass->workers[i].totals[raw];
    for (uint32_t j = 0; j < features->weights; j++)
        totals[j] = (double)pass->folded[j] / pass->total_scale;
}

/* One pass. total_bound: the most that one occurrence of a weight adds to its total, in absolute value. totals and
 * result may be null. */
static enum willow_status run(struct pass *pass, enum kind kind, struct pass_rows rows, double total_bound,
                              double *totals, struct pass_result *result, struct willow_error *error)
{
    const uint64_t bound = rows_of(pass, rows);
    const double features = pass->features.count;
    pass->kind = kind;
    pass->rows = rows;
    pass->total_scale = kind == KIND_COUNT ? 1.0 : scale_for(bound, weight_bound * total_bound * features);
    pass->error_scale = scale_for(bound, residual_bound);
    pass->loss_scale = scale_for(bound, weight_bound * residual_bound * residual_bound);
    pass->curvature_scale = scale_for(bound, weight_bound * features * features);
    enum willow_status status = run_workers(pass, error);
    if (status != WILLOW_OK)
        return status;
    if (totals)
        fold_totals(pass, totals);
    int64_t curvature = 0;
    for (int i = 0; i < pass->threads; i++)
        curvature += pass->workers[i].curvature;
    if (result) {
        *result = (struct pass_result){.all = errors_of(pass, 0, SAMPLE_KINDS - 1),
                                       .curvature = (double)curvature / pass->curvature_scale};
        for (int part = 0; part < SAMPLE_KINDS; part++)
            result->by_kind[part] = errors_of(pass, part, part);
    }
    return WILLOW_OK;
}

enum willow_status pass_counts(struct pass *pass, struct pass_rows rows, bool weighted, double *counts,
                               struct willow_error *error)
{
    return run(pass, weighted ? KIND_WEIGHTED_COUNT : KIND_COUNT, rows, 1.0, counts, NULL, error);
}

/* Spreads weights, and a direction in units of its largest part, over raw indices. */
static void spread(struct pass *pass, const double *weights, const double *direction, double unit)
{
    for (uint32_t raw = 0; raw < pass->features.raw; raw++) {
        const uint32_t j = weight_of(&pass->features, raw);
        pass->pairs[raw] = (struct pair){(float)weights[j], direction ? (float)(direction[j] / unit) : 0.0F};
    }
}

enum willow_status pass_gradient(struct pass *pass, struct pass_rows rows, const double *weights, double *gradient,
                                 struct pass_result *result, struct willow_error *error)
{
    spread(pass, weights, NULL, 1.0);
    return run(pass, gradient ? KIND_GRADIENT : KIND_ERRORS, rows, (double)pass->clip, gradient, result, error);
}

enum willow_status pass_curvature(struct pass *pass, struct pass_rows rows, const double *weights,
                                  const double *direction, double *product, struct pass_result *result,
                                  struct willow_error *error)
{
    double largest = 0.0;
    for (uint32_t j = 0; j < pass->features.weights; j++)
        largest = fmax(largest, fabs(direction[j]));
    const double unit = largest > 0.0 ? largest : 1.0;
    spread(pass, weights, direction, unit);
    /* With |direction| <= 1 a row's slope is at most the number of terms. */
    enum willow_status status = run(pass, KIND_CURVATURE, rows, (double)pass->features.count, product, result, error);
    if (status != WILLOW_OK)
        return status;
    for (uint32_t j = 0; j < pass->features.weights; j++)
        product[j] *= unit;
    result->curvature *= unit * unit;
    return WILLOW_OK;
}

enum willow_status pass_rounded(struct pass *pass, struct pass_rows rows, const int16_t *values,
                                struct pass_result *result, struct willow_error *error)
{
    for (uint32_t raw = 0; raw < pass->features.raw; raw++)
        pass->rounded[raw] = values[weight_of(&pass->features, raw)];
    return run(pass, KIND_ROUNDED, rows, 1.0, NULL, result, error);
}
