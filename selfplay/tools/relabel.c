/* Relabelling: the calling thread reads blocks of rows and writes shards, workers score the blocks. Layer: selfplay.
 *
 * The blocks form a ring. They are read and written in order and scored in any order, so the result does not depend on
 * the threads; the ring is long enough to keep the workers busy while a shard is written.
 */
#include "relabel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/file.h>

#include "dataset/shard_files.h"
#include "run/queue.h"
#include "run/run_config.h"

enum { BLOCK_ROWS = 2048, RING_BLOCKS = 128, POLL_MS = 100, PATH_BYTES = 4096 };

struct block {
    size_t count;
    bool done;
    struct willow_row rows[BLOCK_ROWS];
};

struct job {
    const struct relabel_options *options;
    const struct willow_ruleset *ruleset;
    struct relabel_summary *summary;
    int lock_fd;
    char *configuration;
    struct willow_manifest source, target;
    struct willow_reader *reader;
    double share; /* of the rows taken; 2 = all */
    uint64_t rows_taken;
    bool ended; /* nothing more to read */
    struct block *ring;
    uint64_t next_read, next_emit; /* block numbers; block n is ring[n % RING_BLOCKS] */
    struct queue to_score, scored;
    struct willow_row *rows; /* of the shard that is being collected */
    uint64_t rows_count, rows_capacity;
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
static void label_row(const struct relabel_options *options, struct willow_search *search, struct willow_row *row)
{
    struct willow_limits limits = {.depth = options->depth, .exact_empties = options->exact, .stop = options->stop};
    struct willow_result result;
    willow_search_clear(search);
    willow_search_run(search, (struct willow_board){row->player, row->opponent}, &limits, &result);
    row->score = (int16_t)result.score;
    row->depth = (uint8_t)(result.depth > 60 ? 60 : result.depth);
    row->flags = (uint8_t)(row->flags & (WILLOW_ROW_RANDOM | WILLOW_ROW_AFTER_PASS));
    if (result.exact)
        row->flags |= WILLOW_ROW_EXACT;
}

static void *work(void *context)
{
    struct labeller *labeller = context;
    struct job *job = labeller->job;
    for (struct block *block; (block = queue_pop(&job->to_score)) != NULL;) {
        for (size_t i = 0; i < block->count && !is_stopped(job); i++)
            label_row(job->options, labeller->search, &block->rows[i]);
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

/* Fills one block with rows that are taken; leaves it short only at the end. */
static enum willow_status read_block(struct job *job, struct block *block, struct willow_error *error)
{
    block->count = 0;
    block->done = false;
    while (block->count < BLOCK_ROWS && !job->ended) {
        struct willow_row *fresh = block->rows + block->count;
        size_t count;
        enum willow_status status = willow_reader_next(job->reader, fresh, BLOCK_ROWS - block->count, &count, error);
        if (status)
            return status;
        job->ended = count == 0;
        for (size_t i = 0; i < count && !job->ended; i++) {
            if (job->options->limit > 0 && job->rows_taken == job->options->limit) {
                job->ended = true;
            } else if (is_taken(job, &fresh[i])) {
                block->rows[block->count++] = fresh[i];
                job->rows_taken++;
            }
        }
    }
    return WILLOW_OK;
}

static enum willow_status write_shard(struct job *job, struct willow_error *error)
{
    const struct relabel_options *options = job->options;
    struct willow_shard_info info = {.ruleset = job->ruleset->id,
                                     .seed = job->source.seed,
                                     .rows = job->rows_count,
                                     .configuration = job->configuration};
    struct willow_manifest_shard entry = {.number = (uint32_t)job->target.count, .rows = job->rows_count};
    (void)snprintf(info.tool, sizeof info.tool, "willow %s", options->tool);
    (void)snprintf(info.weights, sizeof info.weights, "%s", willow_weights_checksum(options->weights));
    (void)snprintf(info.labels, sizeof info.labels,
                   "score of a search of %d plies, exact at %d empties or fewer, for the side to move, 1/32 disc",
                   options->depth, options->exact);
    enum willow_status status =
        willow_shard_write(options->target, entry.number, &info, job->rows, NULL, entry.checksum, error);
    if (!status)
        status = willow_manifest_add(&job->target, &entry, error);
    if (status)
        return status;
    job->summary->rows += job->rows_count;
    job->summary->size_bytes += shard_file_bytes(options->target, entry.number);
    job->summary->shards++;
    job->rows_count = 0;
    return WILLOW_OK;
}

/* Moves the rows of a scored block into the shard; writes the shard when it is full. */
static enum willow_status emit_block(struct job *job, const struct block *block, struct willow_error *error)
{
    for (size_t done = 0; done < block->count;) {
        uint64_t room = job->options->shard_rows - job->rows_count;
        size_t part = block->count - done < room ? block->count - done : (size_t)room;
        uint64_t needed = job->rows_count + part;
        if (needed > job->rows_capacity) {
            uint64_t capacity = needed + needed / 2;
            struct willow_row *grown = reallocarray(job->rows, (size_t)capacity, sizeof *grown);
            if (!grown)
                return out_of_memory(error);
            job->rows = grown;
            job->rows_capacity = capacity;
        }
        memcpy(job->rows + job->rows_count, block->rows + done, part * sizeof *block->rows);
        job->rows_count = needed;
        done += part;
        if (job->rows_count == job->options->shard_rows) {
            enum willow_status status = write_shard(job, error);
            if (status)
                return status;
        }
    }
    job->progress.rows_done += block->count;
    return WILLOW_OK;
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
        enum willow_status status = read_block(job, block, error);
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
    enum willow_status status = read_ahead(job, error);
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
    if (!status && (job->rows_count > 0 || job->target.count == 0))
        status = write_shard(job, error);
    return status;
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
                          "exact: %d\n"
                          "limit: %" PRIu64 "\n"
                          "hash_bytes: %zu\n"
                          "weights_checksum: '%s'\n",
                          job->source.seed, job->source.configuration_checksum, options->first_ply, options->last_ply,
                          options->depth, options->exact, options->limit, options->hash_bytes,
                          willow_weights_checksum(options->weights));
    if (length < 0) {
        job->configuration = NULL;
        return out_of_memory(error);
    }
    return WILLOW_OK;
}

/* relabel.yaml marks the folder as ours: only then are shards without a manifest known to be a killed relabelling's. */
static enum willow_status prepare_target(struct job *job, struct willow_error *error)
{
    const char *target = job->options->target;
    char manifest[PATH_BYTES], marker[PATH_BYTES];
    bool shards;
    enum willow_status status = willow_folder_create(target, error);
    if (!status)
        status = willow_folder_lock(target, &job->lock_fd, error);
    if (!status)
        status = willow_path_join(manifest, sizeof manifest, target, "manifest.json", error);
    if (!status)
        status = willow_path_join(marker, sizeof marker, target, "relabel.yaml", error);
    if (!status && willow_file_exists(manifest))
        status = willow_fail(error, WILLOW_ERR_BUSY, target, NULL, "the folder holds a dataset already");
    if (!status)
        status = shard_files_sweep(target, &shards, error);
    if (!status && shards && !willow_file_exists(marker))
        status =
            willow_fail(error, WILLOW_ERR_BUSY, target, NULL, "the folder holds shards that are not of a relabelling");
    if (!status && shards)
        status = shard_files_remove(target, 0, error);
    if (!status)
        status = make_configuration(job, error);
    if (!status)
        status = willow_file_replace(marker, job->configuration, strlen(job->configuration), error);
    if (status)
        return status;
    job->target = (struct willow_manifest){.ruleset = job->ruleset->id, .seed = job->source.seed};
    willow_checksum128_text(job->configuration, strlen(job->configuration), job->target.configuration_checksum);
    return WILLOW_OK;
}

static enum willow_status open_source(struct job *job, struct willow_error *error)
{
    const struct relabel_options *options = job->options;
    enum willow_status status = willow_manifest_read(options->source, &job->source, error);
    if (!status && job->source.ruleset != job->ruleset->id)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, options->source, NULL,
                             "the dataset is not of ruleset %s, as the weights are", job->ruleset->name);
    if (!status)
        status = willow_reader_open(&options->source, 1, options->first_ply, options->last_ply, job->ruleset, false,
                                    &job->reader, error);
    if (status)
        return status;
    uint64_t rows = willow_reader_rows(job->reader);
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
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "depth", NULL, "must be 1 .. 60");
    if (options->exact < 0 || options->exact > 60)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "exact", NULL, "must be 0 .. 60");
    if (options->threads < 1 || options->threads > RUN_THREADS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "threads", NULL, "must be 1 .. %d", (int)RUN_THREADS_MAX);
    if (options->shard_rows < 1)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "shard-rows", NULL, "must be at least 1");
    return WILLOW_OK;
}

static void clear_job(struct job *job)
{
    if (job->lock_fd >= 0)
        willow_folder_unlock(job->lock_fd);
    queue_clear(&job->scored);
    queue_clear(&job->to_score);
    free(job->ring);
    free(job->rows);
    free(job->configuration);
    willow_reader_free(job->reader);
    willow_manifest_clear(&job->source);
    willow_manifest_clear(&job->target);
}

enum willow_status relabel_dataset(const struct relabel_options *options, struct relabel_summary *summary,
                                   struct willow_error *error)
{
    uint64_t start_ns = willow_clock_ns();
    *summary = (struct relabel_summary){0};
    struct job job = {.options = options,
                      .ruleset = willow_weights_ruleset(options->weights),
                      .summary = summary,
                      .lock_fd = -1,
                      .progress_ns = start_ns};
    enum willow_status status = check_options(options, error);
    if (!status)
        status = open_source(&job, error);
    if (!status)
        status = prepare_target(&job, error);
    if (!status)
        status = make_ring(&job, error);
    if (!status)
        status = label_with_threads(&job, error);
    if (!status)
        status = willow_manifest_write(options->target, &job.target, error);
    clear_job(&job);
    summary->time_ns = willow_clock_ns() - start_ns;
    return status;
}
