/* Judgement of a stage; see judge.h. Layer: trainer.
 *
 * As in a pass, all sums are integers, so that they are the same whatever the threads and however processes share the
 * rows. For the same reason it depends on a row alone whether it is asked for its effects.
 */
#include "judge.h"

#include "team.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Labels are summed in this part of 1/32 disc: 2^36 rows fit. */
static const double label_scale = 65536.0;

/* A block of rows. */
struct block {
    int ply;
    enum sample_part part;
    size_t number;
};

/* Nothing but 64-bit integers. */
struct sums {
    uint64_t rows, effect_rows;
    uint64_t bin_rows[JUDGE_BINS];
    int64_t bin_prediction[JUDGE_BINS], bin_label[JUDGE_BINS];
    uint64_t residuals[JUDGE_RESIDUALS], lookups[JUDGE_SIGHTINGS];
    uint64_t effect_seen[JUDGE_SQUARES];
    int64_t effect[JUDGE_SQUARES]; /* own less other, 1/32 disc */
};

struct worker {
    struct sample *rows; /* SAMPLE_BLOCK_ROWS */
    struct sums sums;
    enum willow_status status;
    struct willow_error error;
};

struct judge {
    const struct judge_task *task;
    struct block *blocks;
    size_t block_count;
    uint64_t stride;        /* about every `stride`-th row is asked for its effects */
    int16_t *values;        /* one a raw index */
    uint8_t *bins;          /* bin of sightings, one a raw index */
    atomic_size_t next;     /* relaxed: it hands out numbers, and joining the threads orders the rest */
    struct worker *workers; /* task->threads */
};

static int bin_of_sightings(uint32_t count)
{
    int bin = 0;
    for (uint64_t last = 0; count > last && bin + 1 < JUDGE_SIGHTINGS; last = bin == 1 ? 1 : 2 * last)
        bin++;
    return bin;
}

void judge_sightings_range(int bin, uint64_t *first, uint64_t *last)
{
    assert(bin >= 0 && bin < JUDGE_SIGHTINGS);
    *last = bin == 0 ? 0 : bin + 1 == JUDGE_SIGHTINGS ? UINT64_MAX : UINT64_C(1) << (bin - 1);
    *first = bin < 2 ? (uint64_t)bin : (UINT64_C(1) << (bin - 2)) + 1;
}

/* Lists the blocks of all ranges. */
static enum willow_status list_blocks(struct judge *judge, struct willow_error *error)
{
    const struct judge_task *task = judge->task;
    size_t count = 0;
    for (size_t i = 0; i < task->rows.count; i++)
        count += samples_blocks(task->samples, task->rows.ranges[i].ply, task->rows.ranges[i].part);
    judge->blocks = calloc(count + 1, sizeof *judge->blocks);
    if (!judge->blocks)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu blocks", count);
    int64_t rows = 0;
    for (size_t i = 0; i < task->rows.count; i++) {
        const struct pass_range *range = &task->rows.ranges[i];
        const uint64_t list_rows = samples_rows(task->samples, range->ply, range->part);
        const size_t blocks = samples_blocks(task->samples, range->ply, range->part);
        for (size_t b = range->first_block; b < blocks && b - range->first_block < range->blocks; b++) {
            judge->blocks[judge->block_count++] = (struct block){range->ply, range->part, b};
            rows += b + 1 < blocks ? SAMPLE_BLOCK_ROWS : (int64_t)(list_rows - (uint64_t)b * SAMPLE_BLOCK_ROWS);
        }
    }
    const enum willow_status status = willow_ranks_sum(task->ranks, &rows, 1, error);
    judge->stride = (uint64_t)(rows / JUDGE_EFFECT_ROWS + (rows % JUDGE_EFFECT_ROWS > 0));
    return status;
}

static enum willow_status allocate(struct judge *judge, struct willow_error *error)
{
    const struct judge_task *task = judge->task;
    const struct features *features = task->features;
    judge->values = calloc(features->raw, sizeof *judge->values);
    judge->bins = calloc(features->raw, sizeof *judge->bins);
    judge->workers = calloc((size_t)task->threads, sizeof *judge->workers);
    bool complete = judge->values && judge->bins && judge->workers;
    for (int i = 0; complete && i < task->threads; i++) {
        judge->workers[i].rows = malloc(SAMPLE_BLOCK_ROWS * sizeof *judge->workers[i].rows);
        complete = judge->workers[i].rows != NULL;
    }
    if (!complete)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory to judge %u weights",
                           features->weights);
    for (uint32_t raw = 0; raw < features->raw; raw++) {
        const uint32_t weight = features->tie ? features->tie[raw] : raw;
        judge->values[raw] = task->values[weight];
        judge->bins[raw] = (uint8_t)bin_of_sightings(task->sightings[weight]);
    }
    return WILLOW_OK;
}

static willow_score evaluate(const struct judge *judge, struct willow_board board)
{
    const struct features *features = judge->task->features;
    uint32_t index[WILLOW_FEATURES_MAX];
    willow_score sum = 0;
    features->index(features->context, board, index);
    for (int i = 0; i < features->count; i++)
        sum += judge->values[index[i]];
    return sum;
}

/* What each disc counts. The scores are not clamped: a limit would hide the effect. */
static void add_effects(const struct judge *judge, struct sums *sums, struct willow_board board, willow_score score)
{
    sums->effect_rows++;
    for (willow_bits discs = board.player | board.opponent; discs != 0; discs &= discs - 1) {
        const willow_bits disc = discs & -discs;
        const willow_score turned = evaluate(judge, (struct willow_board){board.player ^ disc, board.opponent ^ disc});
        const int square = willow_bits_first(disc);
        sums->effect_seen[square]++;
        sums->effect[square] += board.player & disc ? score - turned : turned - score;
    }
}

static void judge_row(const struct judge *judge, struct sums *sums, const struct sample *row, bool with_effects)
{
    const struct features *features = judge->task->features;
    uint32_t index[WILLOW_FEATURES_MAX];
    willow_score sum = 0;
    features->index(features->context, row->board, index);
    for (int i = 0; i < features->count; i++) {
        sum += judge->values[index[i]];
        sums->lookups[judge->bins[index[i]]]++;
    }
    const willow_score limit = WILLOW_SCORE_MAX - 1;
    const willow_score prediction = sum > limit ? limit : sum < -limit ? -limit : sum;
    const int bin = (prediction + WILLOW_SCORE_MAX) / (JUDGE_BIN_DISCS * WILLOW_SCORE_DISC);
    const double residual = ((double)prediction - (double)row->label) / WILLOW_SCORE_DISC;
    const int middle = JUDGE_RESIDUALS / 2;
    sums->rows++;
    sums->bin_rows[bin]++;
    sums->bin_prediction[bin] += prediction;
    sums->bin_label[bin] += llrint((double)row->label * label_scale);
    sums->residuals[(int)fmax(0.0, fmin(floor(residual + 0.5) + middle, JUDGE_RESIDUALS - 1))]++;
    if (with_effects)
        add_effects(judge, sums, row->board, sum);
}

/* Blocks go to whichever thread is free. */
static void work(void *context, int number)
{
    struct judge *judge = context;
    struct worker *worker = &judge->workers[number];
    while (worker->status == WILLOW_OK) {
        const size_t n = atomic_fetch_add_explicit(&judge->next, 1, memory_order_relaxed);
        if (n >= judge->block_count)
            break;
        const struct block *block = &judge->blocks[n];
        size_t count = 0;
        worker->status = samples_read(judge->task->samples, block->ply, block->part, block->number, worker->rows,
                                      &count, &worker->error);
        for (size_t i = 0; worker->status == WILLOW_OK && i < count; i++)
            judge_row(judge, &worker->sums, &worker->rows[i],
                      willow_checksum64(&worker->rows[i], sizeof worker->rows[i]) % judge->stride == 0);
    }
}

static enum willow_status run_workers(struct judge *judge, struct willow_error *error)
{
    const int threads = judge->task->threads;
    struct team *team = NULL;
    const enum willow_status status = team_new(threads, &team, error);
    if (status != WILLOW_OK)
        return status;
    team_run(team, work, judge, threads);
    team_free(team);
    for (int i = 0; i < threads; i++)
        if (judge->workers[i].status != WILLOW_OK) {
            if (error)
                *error = judge->workers[i].error;
            return judge->workers[i].status;
        }
    return WILLOW_OK;
}

/* Of all threads and ranks. */
static enum willow_status add_sums(const struct judge *judge, struct sums *sums, struct willow_error *error)
{
    enum { COUNT = sizeof *sums / sizeof(int64_t) };
    int64_t all[COUNT] = {0};
    for (int i = 0; i < judge->task->threads; i++) {
        uint64_t own[COUNT];
        memcpy(own, &judge->workers[i].sums, sizeof own);
        for (int k = 0; k < COUNT; k++)
            all[k] = (int64_t)((uint64_t)all[k] + own[k]);
    }
    const enum willow_status status = willow_ranks_sum(judge->task->ranks, all, COUNT, error);
    memcpy(sums, all, sizeof all);
    return status;
}

/* Sums over the images of each square. */
static void set_effects(const struct willow_ruleset *ruleset, const struct sums *sums, struct judgement *judgement)
{
    for (int square = 0; square < JUDGE_SQUARES; square++) {
        int64_t effect = 0;
        uint64_t seen = 0;
        for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES && ruleset->playable & WILLOW_BIT(square); symmetry++) {
            if (!willow_ruleset_symmetric(ruleset, symmetry))
                continue;
            const int image = willow_square_symmetry(ruleset, (willow_square)square, symmetry);
            effect += sums->effect[image];
            seen += sums->effect_seen[image];
        }
        judgement->effect_seen[square] = sums->effect_seen[square];
        if (seen > 0)
            judgement->effect_discs[square] = (double)effect / (double)seen / 2.0 / WILLOW_SCORE_DISC;
    }
}

static void set_judgement(const struct judge *judge, const struct sums *sums, struct judgement *judgement)
{
    const struct judge_task *task = judge->task;
    judgement->part = task->rows.count > 0 ? task->rows.ranges[0].part : SAMPLE_HELD_OUT;
    judgement->rows = sums->rows;
    judgement->effect_rows = sums->effect_rows;
    for (int i = 0; i < JUDGE_BINS; i++) {
        const double rows = (double)sums->bin_rows[i];
        judgement->calibration[i].rows = sums->bin_rows[i];
        if (sums->bin_rows[i] > 0) {
            judgement->calibration[i].prediction_discs = (double)sums->bin_prediction[i] / rows / WILLOW_SCORE_DISC;
            judgement->calibration[i].label_discs = (double)sums->bin_label[i] / label_scale / rows / WILLOW_SCORE_DISC;
        }
    }
    memcpy(judgement->residuals, sums->residuals, sizeof judgement->residuals);
    memcpy(judgement->lookups, sums->lookups, sizeof judgement->lookups);
    for (uint32_t j = 0; j < task->features->weights; j++)
        judgement->weights[bin_of_sightings(task->sightings[j])]++;
    set_effects(task->ruleset, sums, judgement);
}

static void clear(struct judge *judge)
{
    for (int i = 0; judge->workers && i < judge->task->threads; i++)
        free(judge->workers[i].rows);
    free(judge->workers);
    free(judge->blocks);
    free(judge->values);
    free(judge->bins);
}

enum willow_status judge_run(const struct judge_task *task, struct judgement *judgement, struct willow_error *error)
{
    assert(task->threads >= 1);
    struct judge judge = {.task = task};
    *judgement = (struct judgement){.rows = 0};
    enum willow_status status = list_blocks(&judge, error);
    if (status == WILLOW_OK)
        status = allocate(&judge, error);
    if (status == WILLOW_OK)
        status = run_workers(&judge, error);
    struct sums sums;
    if (status == WILLOW_OK)
        status = add_sums(&judge, &sums, error);
    if (status == WILLOW_OK)
        set_judgement(&judge, &sums, judgement);
    clear(&judge);
    return status;
}

static double share_up_to(const struct judgement *judgement, int last)
{
    uint64_t part = 0, all = 0;
    for (int bin = 0; bin < JUDGE_SIGHTINGS; bin++) {
        all += judgement->lookups[bin];
        part += bin <= last ? judgement->lookups[bin] : 0;
    }
    return all > 0 ? (double)part / (double)all : 0.0;
}

double judge_unseen_share(const struct judgement *judgement)
{
    return share_up_to(judgement, 0);
}

double judge_rare_share(const struct judgement *judgement)
{
    return share_up_to(judgement, 2);
}
