/* Relabelling: the calling thread reads blocks of rows and writes shards, workers score the blocks. Layer: selfplay.
 *
 * The blocks form a ring. They are read and written in order and scored in any order, so the result does not depend on
 * the threads; the ring is long enough to keep the workers busy while a shard is written.
 */
#include "relabel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <willow/clock.h>

#include "dataset/shard_files.h"
#include "gather.h"
#include "run/queue.h"
#include "run/run_config.h"
#include "target.h"

enum { BLOCK_ROWS = 2048, RING_BLOCKS = 128, POLL_MS = 100, PATH_BYTES = 4096 };

/* Flags that speak of the game and not of the label. */
enum { GAME_FLAGS = WILLOW_ROW_RANDOM | WILLOW_ROW_AFTER_PASS | WILLOW_ROW_AFTER_RANDOM | WILLOW_ROW_SOLVED_RESULT };

struct block {
    size_t count;
    bool done;
    struct willow_row rows[BLOCK_ROWS];
};

struct job {
    const struct relabel_options *options;
    const struct willow_ruleset *ruleset;
    struct relabel_summary *summary;
    struct willow_manifest source;
    struct willow_reader *reader;
    bool whole;   /* shards and games are those of the source */
    double share; /* of the rows taken; 2 = all */
    uint64_t rows_taken;
    bool ended; /* nothing more to read */
    char *configuration;
    char labels[128];
    struct target target;
    struct block *ring;
    uint64_t next_read, next_emit; /* block numbers; block n is ring[n % RING_BLOCKS] */
    struct queue to_score, scored;
    struct gather gather; /* the shard that is being collected */
    struct relabel_progress progress;
    uint64_t progress_ns;
};

struct labeller {
    struct job *job;
    struct willow_search *search;
    pthread_t thread;
    bool started;
};

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

static bool is_stopped(const struct job *job)
{
    return job->options->stop && willow_stop_get(job->options->stop);
}

/* A cleared search for every row: its label depends on the row alone. */
static void label_row(const struct job *job, struct willow_search *search, struct willow_row *row)
{
    const struct relabel_options *options = job->options;
    struct willow_limits limits = {.depth = options->depth,
                                   .selectivity = options->selectivity,
                                   .exact_empties = options->exact,
                                   .stop = options->stop};
    struct willow_result result;
    struct willow_board board = {row->player, row->opponent};
    int empties = willow_board_empties(job->ruleset, board);
    bool solved =
        empties <= options->exact || (empties <= options->depth && options->selectivity == WILLOW_NOT_SELECTIVE);
    if (!solved && (row->flags & WILLOW_ROW_EXACT))
        return;
    willow_search_clear(search);
    willow_search_run(search, board, &limits, &result);
    row->score = (int16_t)result.score;
    row->depth = (uint8_t)(result.depth > RUN_DEPTH_MAX ? RUN_DEPTH_MAX : result.depth);
    row->selectivity = (uint8_t)(result.exact ? WILLOW_NOT_SELECTIVE : result.selectivity);
    row->flags &= GAME_FLAGS;
    if (result.exact)
        row->flags |= WILLOW_ROW_EXACT;
    else if (result.selectivity < WILLOW_NOT_SELECTIVE)
        row->flags |= WILLOW_ROW_SELECTIVE;
    if (options->results && empties <= options->exact) {
        row->result = (int8_t)(result.score / WILLOW_SCORE_DISC);
        row->flags |= WILLOW_ROW_SOLVED_RESULT;
    }
}

static void *work(void *context)
{
    struct labeller *labeller = context;
    struct job *job = labeller->job;
    for (struct block *block; (block = queue_pop(&job->to_score)) != NULL;) {
        for (size_t i = 0; i < block->count && !is_stopped(job); i++)
            label_row(job, labeller->search, &block->rows[i]);
        if (!queue_push(&job->scored, block))
            break;
    }
    return NULL;
}

/* A fixed choice by (seed, game, ply), so that the same rows are taken whatever else the dataset holds. */
static bool is_taken(const struct job *job, const struct willow_row *row)
{
    if (job->share > 1)
        return true;
    unsigned char key[17];
    for (int i = 0; i < 8; i++) {
        key[i] = (unsigned char)(job->source.seed >> (8 * i));
        key[8 + i] = (unsigned char)(row->game >> (8 * i));
    }
    key[16] = row->ply;
    return willow_checksum_unit(key, sizeof key) < job->share;
}

/* Up to `capacity` rows that are taken; fewer only at the end. */
static enum willow_status take_rows(struct job *job, struct willow_row *rows, size_t capacity, size_t *count,
                                    struct willow_error *error)
{
    *count = 0;
    while (*count < capacity && !job->ended) {
        struct willow_row *fresh = rows + *count;
        size_t got;
        enum willow_status status = willow_reader_next(job->reader, fresh, capacity - *count, &got, error);
        if (status)
            return status;
        job->ended = got == 0;
        for (size_t i = 0; i < got && !job->ended; i++) {
            if (job->options->limit > 0 && job->rows_taken == job->options->limit) {
                job->ended = true;
            } else if (is_taken(job, &fresh[i])) {
                rows[(*count)++] = fresh[i];
                job->rows_taken++;
            }
        }
    }
    return WILLOW_OK;
}

/* Rows that shard `number` of the target may hold. */
static uint64_t shard_room(const struct job *job, size_t number)
{
    if (!job->whole)
        return job->options->shard_rows > 0 ? job->options->shard_rows : RELABEL_SHARD_ROWS;
    return number < job->source.count ? job->source.shards[number].rows : 0;
}

/* The games of a whole source come along with the rows. */
static enum willow_status gather_games(struct job *job, struct willow_error *error)
{
    char path[PATH_BYTES];
    struct willow_shard_info info = {0};
    struct willow_game_row *games = NULL;
    uint32_t number = job->source.shards[job->target.manifest.count].number;
    enum willow_status status = shard_path(path, sizeof path, job->options->source, number, error);
    if (!status)
        status = willow_shard_read(path, &info, NULL, &games, error);
    for (uint64_t i = 0; !status && i < info.games; i++)
        status = gather_game(&job->gather, &games[i], error);
    free(games);
    return status;
}

static enum willow_status write_shard(struct job *job, struct willow_error *error)
{
    uint64_t rows = job->gather.rows_count;
    enum willow_status status = job->whole ? gather_games(job, error) : WILLOW_OK;
    if (!status)
        status = gather_write(&job->gather, &job->target, error);
    job->summary->rows_new += status ? 0 : rows;
    return status;
}

/* Writes what is full, or, at the end, what there is. Shards of a whole source may be empty. */
static enum willow_status write_full(struct job *job, bool last, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    if (job->whole) {
        const struct willow_manifest *made = &job->target.manifest;
        while (!status && made->count < job->source.count && job->gather.rows_count == shard_room(job, made->count))
            status = write_shard(job, error);
    } else if (job->gather.rows_count > 0 && (last || job->gather.rows_count == shard_room(job, 0))) {
        status = write_shard(job, error);
    }
    return status;
}

/* Moves the rows of a scored block into the shard; writes the shard when it is full. */
static enum willow_status emit_block(struct job *job, const struct block *block, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (size_t done = 0; !status && done < block->count;) {
        uint64_t room = shard_room(job, job->target.manifest.count) - job->gather.rows_count;
        size_t part = block->count - done < room ? block->count - done : (size_t)room;
        status = gather_rows(&job->gather, block->rows + done, part, error);
        done += part;
        if (!status)
            status = write_full(job, false, error);
    }
    job->progress.rows_done += block->count;
    return status;
}

static void show_progress(struct job *job)
{
    uint64_t now = willow_clock_ns();
    if (!job->options->progress || now - job->progress_ns < (uint64_t)POLL_MS * 1000000)
        return;
    job->progress_ns = now;
    job->options->progress(job->options->context, &job->progress);
}

/* Reads ahead as far as the ring has room. */
static enum willow_status read_ahead(struct job *job, struct willow_error *error)
{
    while (!job->ended && job->next_read - job->next_emit < RING_BLOCKS) {
        struct block *block = &job->ring[job->next_read % RING_BLOCKS];
        block->done = false;
        enum willow_status status = take_rows(job, block->rows, BLOCK_ROWS, &block->count, error);
        if (status)
            return status;
        if (block->count > 0) {
            job->next_read++;
            (void)queue_push(&job->to_score, block);
        }
    }
    return WILLOW_OK;
}

static enum willow_status label_all(struct job *job, struct willow_error *error)
{
    enum willow_status status = write_full(job, false, error);
    if (!status)
        status = read_ahead(job, error);
    while (!status && job->next_emit < job->next_read) {
        struct block *scored = queue_pop_within(&job->scored, POLL_MS);
        if (is_stopped(job))
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        if (scored)
            scored->done = true;
        struct block *oldest = &job->ring[job->next_emit % RING_BLOCKS];
        while (!status && job->next_emit < job->next_read && oldest->done) {
            status = emit_block(job, oldest, error);
            job->next_emit++;
            oldest = &job->ring[job->next_emit % RING_BLOCKS];
        }
        if (!status)
            status = read_ahead(job, error);
        show_progress(job);
    }
    return status ? status : write_full(job, true, error);
}

static enum willow_status label_with_threads(struct job *job, struct willow_error *error)
{
    int threads = job->options->threads;
    struct labeller *labellers = calloc((size_t)threads, sizeof *labellers);
    if (!labellers)
        return out_of_memory(error);
    enum willow_status status = WILLOW_OK;
    for (int i = 0; !status && i < threads; i++) {
        labellers[i].job = job;
        status = willow_search_new(job->options->weights, job->options->hash_bytes, &labellers[i].search, error);
    }
    for (int i = 0; !status && i < threads; i++) {
        int failed = pthread_create(&labellers[i].thread, NULL, work, &labellers[i]);
        labellers[i].started = failed == 0;
        if (failed)
            status = willow_fail_errno(error, NULL, "start a thread", failed);
    }
    if (!status)
        status = label_all(job, error);
    queue_close(&job->to_score);
    queue_close(&job->scored);
    for (int i = 0; i < threads; i++) {
        if (labellers[i].started)
            (void)pthread_join(labellers[i].thread, NULL);
        willow_search_free(labellers[i].search);
    }
    free(labellers);
    return status;
}

static enum willow_status make_configuration(struct job *job, struct willow_error *error)
{
    const struct relabel_options *options = job->options;
    int length = asprintf(&job->configuration,
                          "# How the rows of this dataset were labelled; the games are those of the source.\n"
                          "source_seed: %" PRIu64 "\n"
                          "source_configuration_checksum: '%s'\n"
                          "plies: %d-%d\n"
                          "depth: %d\n"
                          "selectivity: %d\n"
                          "exact: %d\n"
                          "results: %s\n"
                          "limit: %" PRIu64 "\n"
                          "shard_rows: %" PRIu64 "\n"
                          "layout: %s\n"
                          "hash_bytes: %zu\n"
                          "weights_checksum: '%s'\n",
                          job->source.seed, job->source.configuration_checksum, options->first_ply, options->last_ply,
                          options->depth, options->selectivity, options->exact, options->results ? "true" : "false",
                          options->limit, job->whole ? 0 : shard_room(job, 0), target_layout_name(options->layout),
                          options->hash_bytes, willow_weights_checksum(options->weights));
    if (length < 0) {
        job->configuration = NULL;
        return out_of_memory(error);
    }
    (void)snprintf(
        job->labels, sizeof job->labels,
        "score of a search of %d plies at %d%%, exact at %d empties or fewer, for the side to move, 1/32 disc",
        options->depth, options->selectivity, options->exact);
    return WILLOW_OK;
}

static enum willow_status open_target(struct job *job, struct willow_error *error)
{
    enum willow_status status = make_configuration(job, error);
    struct target_options options = {.folder = job->options->target,
                                     .configuration = job->configuration,
                                     .ruleset = job->ruleset,
                                     .seed = job->source.seed,
                                     .tool = job->options->tool,
                                     .weights = willow_weights_checksum(job->options->weights),
                                     .labels = job->labels,
                                     .layout = job->options->layout,
                                     .threads = job->options->threads};
    return status ? status : target_open(&job->target, &options, true, error);
}

/* What of a row relabelling keeps. A sum over a shard does not depend on the order in which its rows lie. */
static uint64_t row_key(const struct willow_row *row)
{
    uint64_t words[2 * WILLOW_BITS_WORDS + 2];
    size_t count = 0;
    for (int i = 0; i < WILLOW_BITS_WORDS; i++) {
        words[count++] = willow_bits_word(row->player, i);
        words[count++] = willow_bits_word(row->opponent, i);
    }
    words[count++] = row->game;
    words[count++] = (uint64_t)row->ply << 8 | row->move;
    return willow_checksum64(words, sizeof words);
}

static enum willow_status sum_found(const struct job *job, uint32_t number, uint64_t *sum, struct willow_error *error)
{
    char path[PATH_BYTES];
    struct willow_shard_info info;
    struct willow_row *rows = NULL;
    enum willow_status status = shard_path(path, sizeof path, job->options->target, number, error);
    if (!status)
        status = willow_shard_read(path, &info, &rows, NULL, error);
    *sum = 0;
    for (uint64_t i = 0; !status && i < info.rows; i++)
        *sum += row_key(&rows[i]);
    free(rows);
    return status;
}

/* Passes over the rows of a shard that a stopped relabelling wrote, when they are still the source's. */
static enum willow_status skip_found(struct job *job, uint32_t number, struct block *block, struct willow_error *error)
{
    uint64_t found_sum = 0, sum = 0, rows = 0, room = shard_room(job, number);
    enum willow_status status = sum_found(job, number, &found_sum, error);
    block->count = 1;
    while (!status && rows < room && block->count > 0) {
        size_t part = room - rows < BLOCK_ROWS ? (size_t)(room - rows) : BLOCK_ROWS;
        status = take_rows(job, block->rows, part, &block->count, error);
        for (size_t i = 0; !status && i < block->count; i++)
            sum += row_key(&block->rows[i]);
        rows += status ? 0 : block->count;
    }
    const struct willow_manifest_shard *found = &job->target.manifest.shards[number];
    bool same = rows == found->rows && sum == found_sum &&
                (!job->whole || (number < job->source.count && found->games == job->source.shards[number].games));
    if (!status && !same)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, job->options->source, NULL,
                             "the dataset is not the one that the shards in %s were made from", job->options->target);
    job->progress.rows_found += rows;
    return status;
}

static enum willow_status skip_all_found(struct job *job, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (uint32_t number = 0; !status && number < job->target.found; number++) {
        status = is_stopped(job) ? willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped")
                                 : skip_found(job, number, &job->ring[0], error);
    }
    job->progress.rows_done = job->progress.rows_found;
    job->summary->rows_found = job->progress.rows_found;
    return status;
}

static bool is_whole(const struct relabel_options *options)
{
    return options->first_ply == 0 && options->last_ply == RUN_PLIES_MAX && options->limit == 0;
}

static enum willow_status open_source(struct job *job, struct willow_error *error)
{
    const struct relabel_options *options = job->options;
    enum willow_status status = willow_manifest_read(options->source, &job->source, error);
    const struct willow_ruleset *weights = willow_weights_ruleset(options->weights);
    if (!status)
        job->ruleset = willow_ruleset_by_id(job->source.ruleset);
    if (!status && !willow_ruleset_same_play(job->ruleset, weights))
        status = willow_fail(error, WILLOW_ERR_MISMATCH, options->source, NULL,
                             "the dataset is of ruleset %s, the weights are of %s", job->ruleset->name, weights->name);
    if (!status)
        status = willow_reader_open(&options->source, 1, options->first_ply, options->last_ply, job->ruleset, false,
                                    &job->reader, error);
    if (status)
        return status;
    job->whole = is_whole(options);
    uint64_t rows = willow_reader_rows(job->reader), listed = 0;
    for (size_t i = 0; i < job->source.count; i++)
        listed += job->source.shards[i].rows;
    if (job->whole && rows != listed)
        return willow_fail(error, WILLOW_ERR_MISMATCH, options->source, NULL,
                           "the dataset changed while it was opened");
    bool thinned = options->limit > 0 && options->limit < rows;
    job->summary->rows_source = rows;
    job->share = thinned ? (double)options->limit / (double)rows : 2;
    job->progress.rows_total = thinned ? options->limit : rows;
    return WILLOW_OK;
}

static enum willow_status make_ring(struct job *job, struct willow_error *error)
{
    job->ring = calloc(RING_BLOCKS, sizeof *job->ring);
    if (!job->ring)
        return out_of_memory(error);
    enum willow_status status = queue_init(&job->to_score, RING_BLOCKS, error);
    return status ? status : queue_init(&job->scored, RING_BLOCKS, error);
}

static enum willow_status check_options(const struct relabel_options *options, struct willow_error *error)
{
    if (options->depth < 1 || options->depth > RUN_DEPTH_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "depth", NULL, "must be 1 .. %d", (int)RUN_DEPTH_MAX);
    if (options->exact < 0 || options->exact > RUN_EMPTIES_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "exact", NULL, "must be 0 .. %d", (int)RUN_EMPTIES_MAX);
    if (options->threads < 1 || options->threads > RUN_THREADS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "threads", NULL, "must be 1 .. %d", (int)RUN_THREADS_MAX);
    if (options->results && options->exact < 1)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "results", NULL, "need exact scores: exact must be at least 1");
    if (options->shard_rows > 0 && is_whole(options))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "shard-rows", NULL,
                           "a whole dataset keeps the shards of its source, for their games");
    return WILLOW_OK;
}

static void clear_job(struct job *job)
{
    struct relabel_summary *summary = job->summary;
    summary->rows = job->target.rows;
    summary->games = job->target.games;
    summary->size_bytes = job->target.size_bytes;
    summary->shards = job->target.manifest.count;
    target_close(&job->target);
    queue_clear(&job->scored);
    queue_clear(&job->to_score);
    free(job->ring);
    gather_clear(&job->gather);
    free(job->configuration);
    willow_reader_free(job->reader);
    willow_manifest_clear(&job->source);
}

enum willow_status relabel_dataset(const struct relabel_options *options, struct relabel_summary *summary,
                                   struct willow_error *error)
{
    uint64_t start_ns = willow_clock_ns();
    *summary = (struct relabel_summary){0};
    struct job job = {.options = options, .summary = summary, .progress_ns = start_ns};
    enum willow_status status = check_options(options, error);
    if (!status)
        status = open_source(&job, error);
    if (!status)
        status = open_target(&job, error);
    if (!status)
        status = make_ring(&job, error);
    if (!status)
        status = skip_all_found(&job, error);
    if (!status)
        status = label_with_threads(&job, error);
    if (!status)
        status = target_finish(&job.target, error);
    clear_job(&job);
    summary->time_ns = willow_clock_ns() - start_ns;
    return status;
}
