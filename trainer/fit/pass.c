/* The threaded pass over samples; see pass.h. Layer: trainer.
 *
 * Integers are associative, floating point is not: each thread adds fixed-point numbers into arrays of its own,
 * whichever blocks it happens to take, and the arrays are added up afterwards. Within a block the sums of the errors
 * are floating-point numbers, but of multiples of a power of two so large that nothing is ever lost: which rows share a
 * block does not matter, for processes that share the rows deal them out otherwise. The scale of each sum is chosen
 * from the number of rows and the largest value a row can add, so that no sum can overflow.
 *
 * What bounds a pass (65 terms, 515,000 raw indices, of which half a million rows of three plies touch 160,000): a row
 * reads 24 bytes in sequence, 2 KiB of 256 KiB of place values to make its indices, then 65 cells of 16 bytes out of 8
 * MiB, and adds to the same cells: some 230 loads and 65 stores, many beyond the second-level cache (1 MiB).
 * tests/bench/bench_pass.c measures how long they take alone. Measured and not kept: totals apart from the weights
 * (gradient 2% faster, curvature 15% slower); 32-bit totals (10% faster, but a row's share then has 12 bits); huge
 * pages (no gain); term by term over thousands of rows (15% slower); prefetching and AVX2 gathers (see gather.h).
 */
#include "pass.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "fixed_point.h"
#include "gather.h"
#include "team.h"

enum {
    BATCH_ROWS = 64, /* indices of this many rows stay in the first-level cache between their making and their use */
    AHEAD = 8,       /* blocks that the system is asked to fetch before their turn */
    SLICES = 4       /* parts for each thread of what goes over all weights */
};

/* Beyond this a residual cannot lie unless the weights have run away; it bounds the fixed-point sums. */
static const double residual_bound = 16384.0;

/* The most that a row weighs. */
static const double weight_bound = (double)UINT16_MAX / SAMPLE_WEIGHT_ONE;

enum kind { KIND_COUNT, KIND_WEIGHTED_COUNT, KIND_ERRORS, KIND_GRADIENT, KIND_CURVATURE, KIND_ROUNDED };

/* Fixed-point sums of the rows of one kind, and of all rows. */
struct kind_sums {
    int64_t rows, weight, loss, absolute, squared, bias;
};
struct sums {
    struct kind_sums kinds[SAMPLE_KINDS];
    int64_t curvature;
};
enum { SUMS = sizeof(struct sums) / sizeof(int64_t) };

/* The same of one block. */
struct block_kind {
    int64_t rows;
    double weight, loss, absolute, squared, bias;
};
struct block {
    struct block_kind kinds[SAMPLE_KINDS];
    double curvature;
};

struct worker {
    struct sample *rows;       /* SAMPLE_BLOCK_ROWS */
    struct gather_cell *cells; /* one a raw index */
    struct sums sums;
    enum willow_status status;
    struct willow_error error;
};

/* The pass that runs. */
struct job {
    enum kind kind;
    struct pass_rows rows;
    const double *weights, *direction;
    const int16_t *values;
    double unit; /* size of the largest part of the direction */
    double total_scale, error_scale, loss_scale, curvature_scale;
    double error_ruler, loss_ruler, curvature_ruler; /* of these scales */
    double *totals;                                  /* null for the errors alone */
};

struct pass {
    struct features features;
    const struct samples *samples;
    struct willow_ranks *ranks;
    int threads;
    float clip;
    struct team *team;
    struct worker *workers; /* one a thread */
    /* What a job without totals reads, one entry a raw index. */
    float *weights;
    int16_t *rounded;
    gather_pair *pairs; /* what a job with totals reads, one a weight; each worker spreads them over its cells */
    /* Raw indices by weight: those of weight j stand from raw_first[j] to before raw_first[j + 1]. */
    uint32_t *raw_first, *raw_sorted;
    int64_t *folded; /* totals, one a weight, then SUMS: what ranks add up */
    struct job job;
    atomic_size_t next_block; /* relaxed: it hands out numbers, and the team orders the rest */
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

/* Sorts the raw indices by weight, counting. */
static void sort_raw(struct pass *pass)
{
    const struct features *features = &pass->features;
    uint32_t *first = pass->raw_first;
    for (uint32_t raw = 0; raw < features->raw; raw++)
        first[weight_of(features, raw) + 1]++;
    for (uint32_t j = 0; j < features->weights; j++)
        first[j + 1] += first[j];
    for (uint32_t raw = 0; raw < features->raw; raw++) /* moves each start to its end, which is the next one's start */
        pass->raw_sorted[first[weight_of(features, raw)]++] = raw;
    memmove(first + 1, first, features->weights * sizeof *first);
    first[0] = 0;
}

static bool allocate(struct pass *pass)
{
    const struct features *features = &pass->features;
    pass->weights = calloc(features->raw, sizeof *pass->weights);
    pass->pairs = calloc(features->weights, sizeof *pass->pairs);
    pass->rounded = calloc(features->raw, sizeof *pass->rounded);
    pass->raw_first = calloc((size_t)features->weights + 1, sizeof *pass->raw_first);
    pass->raw_sorted = calloc(features->raw, sizeof *pass->raw_sorted);
    pass->folded = calloc((size_t)features->weights + SUMS, sizeof *pass->folded);
    pass->workers = calloc((size_t)pass->threads, sizeof *pass->workers);
    bool complete = pass->weights && pass->pairs && pass->rounded && pass->raw_first && pass->raw_sorted &&
                    pass->folded && pass->workers;
    for (int i = 0; complete && i < pass->threads; i++) {
        struct worker *worker = &pass->workers[i];
        worker->rows = malloc(SAMPLE_BLOCK_ROWS * sizeof *worker->rows);
        worker->cells = calloc(features->raw, sizeof *worker->cells);
        complete = worker->rows && worker->cells;
    }
    return complete;
}

enum willow_status pass_new(const struct features *features, const struct samples *samples, struct willow_ranks *ranks,
                            int threads, double clip, struct pass **pass, struct willow_error *error)
{
    assert(threads >= 1 && clip > 0.0 && clip <= residual_bound / 2);
    assert(features->count >= 1 && features->count <= WILLOW_FEATURES_MAX);
    struct pass *made = calloc(1, sizeof *made);
    enum willow_status status = WILLOW_OK;
    if (made) {
        *made = (struct pass){
            .features = *features, .samples = samples, .ranks = ranks, .threads = threads, .clip = (float)clip};
        status = team_new(threads, &made->team, error);
    }
    if (status == WILLOW_OK && (!made || !allocate(made)))
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %u weights and %d threads",
                             features->weights, threads);
    status = willow_ranks_agree(ranks, status, error);
    if (status != WILLOW_OK) {
        pass_free(made);
        return status;
    }
    sort_raw(made);
    *pass = made;
    return WILLOW_OK;
}

void pass_free(struct pass *pass)
{
    if (!pass)
        return;
    team_free(pass->team);
    for (int i = 0; pass->workers && i < pass->threads; i++) {
        free(pass->workers[i].rows);
        free(pass->workers[i].cells);
    }
    free(pass->workers);
    free(pass->weights);
    free(pass->pairs);
    free(pass->rounded);
    free(pass->raw_first);
    free(pass->raw_sorted);
    free(pass->folded);
    free(pass);
}

uint32_t pass_weights(const struct pass *pass)
{
    return pass->features.weights;
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
    value = value < limit ? value : limit;
    return value > -limit ? value : -limit;
}

/* Adds the errors of one row. Returns its residual before any clamping. */
static float measure(const struct pass *pass, struct block *block, const struct sample *row, double weight,
                     float prediction)
{
    const double error_ruler = pass->job.error_ruler, loss_ruler = pass->job.loss_ruler;
    const float clip = pass->clip;
    struct block_kind *sums = &block->kinds[row->kind];
    const float residual = clamp(row->label - prediction, (float)residual_bound);
    const float size = fabsf(residual);
    const float square = size < clip ? size : clip; /* side of the part of the loss that is a square */
    const float loss = square * (2.0F * size - square);
    const double off = (double)(clamp(prediction, (float)(WILLOW_SCORE_MAX - 1)) - row->label);
    sums->rows++;
    sums->weight += round_to(error_ruler, weight);
    sums->loss += round_to(loss_ruler, weight * (double)loss);
    sums->absolute += round_to(error_ruler, fabs(off));
    sums->squared += round_to(loss_ruler, off * off);
    sums->bias += round_to(error_ruler, off);
    return residual;
}

/* What a row adds to the totals of its terms. */
static double value_of(const struct pass *pass, struct block *block, const struct sample *row, double weight,
                       gather_pair sum)
{
    if (pass->job.kind == KIND_GRADIENT)
        return weight * (double)clamp(measure(pass, block, row, weight, sum[0]), pass->clip);
    /* The weight of iteratively reweighted least squares: with it the curvature is that of a parabola which touches the
     * loss at the current weights and lies nowhere below it, so that a step to its minimum never climbs. */
    const double size = (double)fabsf(measure(pass, block, row, weight, sum[0])), clip = (double)pass->clip;
    const double share = weight * (clip / (size > clip ? size : clip));
    const double slope = (double)sum[1];
    block->curvature += round_to(pass->job.curvature_ruler, share * slope * slope);
    return share * slope;
}

/* All gathers of a batch come before its scatters: interleaved they hold each other up. */
static void process_batch(struct worker *worker, const struct pass *pass, struct block *block,
                          const struct sample *rows, size_t count, double factor)
{
    const struct features *features = &pass->features;
    const struct job *job = &pass->job;
    uint32_t index[BATCH_ROWS][WILLOW_FEATURES_MAX];
    int64_t values[BATCH_ROWS];
    for (size_t i = 0; i < count; i++)
        features->index(features->context, rows[i].board, index[i]);
    for (size_t i = 0; i < count; i++) {
        const double weight = factor * rows[i].weight / SAMPLE_WEIGHT_ONE;
        if (job->kind == KIND_ERRORS)
            measure(pass, block, &rows[i], weight, gather_floats(pass->weights, index[i], features->count));
        else if (job->kind == KIND_ROUNDED)
            measure(pass, block, &rows[i], weight,
                    (float)clamp_score(gather_integers(pass->rounded, index[i], features->count)));
        else if (job->kind == KIND_COUNT)
            values[i] = 1;
        else if (job->kind == KIND_WEIGHTED_COUNT)
            values[i] = nearest(weight * job->total_scale);
        else
            values[i] = nearest(
                value_of(pass, block, &rows[i], weight, gather_pairs(worker->cells, index[i], features->count)) *
                job->total_scale);
    }
    if (job->totals)
        for (size_t i = 0; i < count; i++)
            scatter_integer(worker->cells, index[i], features->count, values[i]);
}

static void process_block(struct worker *worker, const struct pass *pass, float factor, size_t count)
{
    struct block block = {.curvature = 0.0};
    for (size_t first = 0; first < count; first += BATCH_ROWS)
        process_batch(worker, pass, &block, worker->rows + first,
                      count - first < BATCH_ROWS ? count - first : BATCH_ROWS, (double)factor);
    const struct job *job = &pass->job;
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        struct kind_sums *sums = &worker->sums.kinds[kind];
        sums->rows += block.kinds[kind].rows;
        sums->weight += nearest(block.kinds[kind].weight * job->error_scale);
        sums->loss += nearest(block.kinds[kind].loss * job->loss_scale);
        sums->absolute += nearest(block.kinds[kind].absolute * job->error_scale);
        sums->squared += nearest(block.kinds[kind].squared * job->loss_scale);
        sums->bias += nearest(block.kinds[kind].bias * job->error_scale);
    }
    worker->sums.curvature += nearest(block.curvature * job->curvature_scale);
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
    for (size_t i = 0; i < pass->job.rows.count; i++) {
        const struct pass_range *range = &pass->job.rows.ranges[i];
        const size_t blocks = blocks_of(pass, range);
        if (n < blocks) {
            *block = range->first_block + n;
            return range;
        }
        n -= blocks;
    }
    return NULL;
}

/* Task: the blocks that one worker gets hold of. */
static void work(void *context, int i)
{
    struct pass *pass = context;
    struct worker *worker = &pass->workers[i];
    worker->status = WILLOW_OK;
    memset(&worker->sums, 0, sizeof worker->sums);
    if (pass->job.totals)
        for (uint32_t raw = 0; raw < pass->features.raw; raw++)
            worker->cells[raw] = (struct gather_cell){.pair = pass->pairs[weight_of(&pass->features, raw)]};
    for (;;) {
        const size_t n = atomic_fetch_add_explicit(&pass->next_block, 1, memory_order_relaxed);
        size_t block, ahead, count;
        const struct pass_range *range = find_block(pass, n, &block);
        if (!range)
            return;
        const struct pass_range *later = find_block(pass, n + AHEAD, &ahead);
        if (later)
            samples_prefetch(pass->samples, later->ply, later->part, ahead);
        worker->status =
            samples_read(pass->samples, range->ply, range->part, block, worker->rows, &count, &worker->error);
        if (worker->status != WILLOW_OK)
            return;
        process_block(worker, pass, range->factor, count);
    }
}

/* Where the i-th of all slices of `count` things begins. */
static uint32_t slice(const struct pass *pass, uint32_t count, int i)
{
    return (uint32_t)((uint64_t)count * (uint64_t)i / (uint64_t)(SLICES * pass->threads));
}

/* Task: a slice of the weights for a job with totals. */
static void pair_up(void *context, int i)
{
    struct pass *pass = context;
    const struct job *job = &pass->job;
    const double scale = 1.0 / job->unit;
    const uint32_t end = slice(pass, pass->features.weights, i + 1);
    for (uint32_t j = slice(pass, pass->features.weights, i); j < end; j++)
        pass->pairs[j] =
            (gather_pair){(float)job->weights[j], job->direction ? (float)(job->direction[j] * scale) : 0.0F};
}

/* Task: spreads the weights of a job without totals over a slice of the raw indices. */
static void spread(void *context, int i)
{
    struct pass *pass = context;
    const struct job *job = &pass->job;
    const uint32_t end = slice(pass, pass->features.raw, i + 1);
    for (uint32_t raw = slice(pass, pass->features.raw, i); raw < end; raw++) {
        const uint32_t j = weight_of(&pass->features, raw);
        if (job->values)
            pass->rounded[raw] = job->values[j];
        else
            pass->weights[raw] = (float)job->weights[j];
    }
}

/* Task: adds the totals of all workers up, for a slice of the weights. */
static void fold(void *context, int i)
{
    struct pass *pass = context;
    const uint32_t end = slice(pass, pass->features.weights, i + 1);
    for (uint32_t j = slice(pass, pass->features.weights, i); j < end; j++) {
        int64_t sum = 0;
        for (uint32_t k = pass->raw_first[j]; k < pass->raw_first[j + 1]; k++)
            for (int thread = 0; thread < pass->threads; thread++)
                sum += pass->workers[thread].cells[pass->raw_sorted[k]].total;
        pass->folded[j] = sum;
    }
}

/* Task: gives the caller a slice of the totals. */
static void convert(void *context, int i)
{
    struct pass *pass = context;
    const struct job *job = &pass->job;
    const double unit = job->unit / job->total_scale;
    const uint32_t end = slice(pass, pass->features.weights, i + 1);
    for (uint32_t j = slice(pass, pass->features.weights, i); j < end; j++)
        job->totals[j] = (double)pass->folded[j] * unit;
}

/* This rank's. */
static int64_t rows_of(const struct pass *pass, struct pass_rows rows)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const struct pass_range *range = &rows.ranges[i];
        const uint64_t most = (uint64_t)blocks_of(pass, range) * SAMPLE_BLOCK_ROWS;
        const uint64_t left =
            samples_rows(pass->samples, range->ply, range->part) - (uint64_t)range->first_block * SAMPLE_BLOCK_ROWS;
        sum += most == 0 || most < left ? most : left;
    }
    return (int64_t)sum;
}

/* Reads the job's rows with all threads; totals and sums are those of all ranks afterwards. */
static enum willow_status read_rows(struct pass *pass, struct sums *sums, struct willow_error *error)
{
    atomic_store_explicit(&pass->next_block, 0, memory_order_relaxed);
    team_run(pass->team, work, pass, pass->threads);
    enum willow_status status = WILLOW_OK;
    int64_t *tail = pass->folded + pass->features.weights;
    memset(tail, 0, sizeof *sums);
    for (int i = 0; i < pass->threads; i++) {
        const struct worker *worker = &pass->workers[i];
        int64_t own[SUMS];
        memcpy(own, &worker->sums, sizeof own);
        for (int k = 0; k < SUMS; k++)
            tail[k] += own[k];
        if (status == WILLOW_OK && worker->status != WILLOW_OK) {
            status = worker->status;
            if (error)
                *error = worker->error;
        }
    }
    const bool totals = pass->job.totals != NULL;
    if (totals)
        team_run(pass->team, fold, pass, SLICES * pass->threads);
    status = willow_ranks_agree(pass->ranks, status, error);
    if (status == WILLOW_OK)
        status = willow_ranks_sum(pass->ranks, totals ? pass->folded : tail,
                                  SUMS + (totals ? (size_t)pass->features.weights : 0), error);
    memcpy(sums, tail, sizeof *sums);
    return status;
}

static struct errors errors_of(const struct job *job, const struct kind_sums *sums, int kinds)
{
    struct kind_sums all = {0};
    for (int i = 0; i < kinds; i++) {
        all.rows += sums[i].rows;
        all.weight += sums[i].weight;
        all.loss += sums[i].loss;
        all.absolute += sums[i].absolute;
        all.squared += sums[i].squared;
        all.bias += sums[i].bias;
    }
    struct errors errors = {.rows = (uint64_t)all.rows, .weight = (double)all.weight / job->error_scale};
    if (all.rows > 0) {
        double rows = (double)all.rows;
        errors.loss = (double)all.loss / job->loss_scale / errors.weight;
        errors.mae_discs = (double)all.absolute / job->error_scale / rows / WILLOW_SCORE_DISC;
        errors.rmse_discs = sqrt((double)all.squared / job->loss_scale / rows) / WILLOW_SCORE_DISC;
        errors.bias_discs = (double)all.bias / job->error_scale / rows / WILLOW_SCORE_DISC;
    }
    return errors;
}

/* One pass. total_bound: the most that one occurrence of a weight adds to its total, in absolute value and units of
 * job.unit. result may be null. */
static enum willow_status run(struct pass *pass, struct job job, double total_bound, struct pass_result *result,
                              struct willow_error *error)
{
    const double features = pass->features.count;
    int64_t rows = rows_of(pass, job.rows);
    enum willow_status status = willow_ranks_sum(pass->ranks, &rows, 1, error);
    if (status != WILLOW_OK)
        return status;
    job.total_scale = job.kind == KIND_COUNT ? 1.0 : scale_for(rows, weight_bound * total_bound * features);
    job.error_scale = block_scale_for(rows, residual_bound);
    job.loss_scale = block_scale_for(rows, weight_bound * residual_bound * residual_bound);
    job.curvature_scale = block_scale_for(rows, weight_bound * features * features);
    job.error_ruler = ruler_of(job.error_scale);
    job.loss_ruler = ruler_of(job.loss_scale);
    job.curvature_ruler = ruler_of(job.curvature_scale);
    pass->job = job;
    if (!job.totals)
        team_run(pass->team, spread, pass, SLICES * pass->threads);
    else if (job.weights)
        team_run(pass->team, pair_up, pass, SLICES * pass->threads);
    struct sums sums;
    status = read_rows(pass, &sums, error);
    if (status != WILLOW_OK)
        return status;
    if (job.totals)
        team_run(pass->team, convert, pass, SLICES * pass->threads);
    if (result) {
        *result = (struct pass_result){.all = errors_of(&job, sums.kinds, SAMPLE_KINDS),
                                       .curvature = (double)sums.curvature / job.curvature_scale * job.unit * job.unit};
        for (int kind = 0; kind < SAMPLE_KINDS; kind++)
            result->by_kind[kind] = errors_of(&job, &sums.kinds[kind], 1);
    }
    return WILLOW_OK;
}

enum willow_status pass_counts(struct pass *pass, struct pass_rows rows, bool weighted, double *counts,
                               struct willow_error *error)
{
    const struct job job = {
        .kind = weighted ? KIND_WEIGHTED_COUNT : KIND_COUNT, .rows = rows, .unit = 1.0, .totals = counts};
    return run(pass, job, 1.0, NULL, error);
}

enum willow_status pass_gradient(struct pass *pass, struct pass_rows rows, const double *weights, double *gradient,
                                 struct pass_result *result, struct willow_error *error)
{
    const struct job job = {.kind = gradient ? KIND_GRADIENT : KIND_ERRORS,
                            .rows = rows,
                            .weights = weights,
                            .unit = 1.0,
                            .totals = gradient};
    return run(pass, job, (double)pass->clip, result, error);
}

enum willow_status pass_curvature(struct pass *pass, struct pass_rows rows, const double *weights,
                                  const double *direction, double *product, struct pass_result *result,
                                  struct willow_error *error)
{
    double largest = 0.0;
    for (uint32_t j = 0; j < pass->features.weights; j++)
        largest = fabs(direction[j]) > largest ? fabs(direction[j]) : largest;
    const struct job job = {.kind = KIND_CURVATURE,
                            .rows = rows,
                            .weights = weights,
                            .direction = direction,
                            .unit = largest > 0.0 ? largest : 1.0,
                            .totals = product};
    /* With |direction| <= 1 a row's slope is at most the number of terms. */
    return run(pass, job, (double)pass->features.count, result, error);
}

enum willow_status pass_rounded(struct pass *pass, struct pass_rows rows, const int16_t *values,
                                struct pass_result *result, struct willow_error *error)
{
    const struct job job = {.kind = KIND_ROUNDED, .rows = rows, .values = values, .unit = 1.0};
    return run(pass, job, 1.0, result, error);
}
