/* A self-play run: threads, order of games, shards. What a game is, is in play.c; what a folder is, in run_folder.c.
 * Layer: selfplay.
 *
 * Games in flight live in a fixed pool: workers take an empty one, fill it and push it; the calling thread empties it.
 * A gate keeps workers within WINDOW_SHARDS of the first shard that is not written, so memory is bounded whatever the
 * speed of the disk.
 */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

#include "dataset/shard_files.h"
#include "play.h"
#include "queue.h"

enum { WINDOW_SHARDS = 2, POOL_GAMES = 2048, POLL_MS = 100 };

/* A shard whose games are still coming in. */
struct collection {
    uint64_t games_done, rows_count, rows_capacity;
    struct willow_row *rows;
    struct willow_game_row *games;
};

struct run {
    const struct run_options *options;
    const struct run_config *config;
    struct run_folder folder;
    struct gate gate;
    struct queue empty, finished;
    bool made_gate;
    pthread_mutex_t draw; /* guards openings, and keeps tickets and openings in step */
    struct openings *openings;
    struct played_game *pool;
    struct collection collections[WINDOW_SHARDS];
    uint64_t next_written; /* position in folder.missing of the first shard not written */
    bool written[WINDOW_SHARDS];
    struct run_progress progress;
    uint64_t progress_ns;
};

struct worker {
    struct run *run;
    struct willow_search *search;
    pthread_t thread;
    bool started;
    enum willow_status status; /* read after the thread has been joined */
    struct willow_error error;
};

/* Ticket t is game t % G of the missing shard t / G; only the run's last shard may be shorter, and it is the last one
 * missing. */
static uint64_t game_of_ticket(const struct run *run, uint64_t ticket)
{
    uint64_t in_shard = run->config->shard_games;
    return run->folder.missing[ticket / in_shard] * in_shard + ticket % in_shard;
}

static uint64_t count_tickets(const struct run *run)
{
    uint64_t tickets = 0;
    for (size_t i = 0; i < run->folder.missing_count; i++)
        tickets += run_config_shard_games(run->config, run->folder.missing[i]);
    return tickets;
}

/* The next game to play and its opening; openings are drawn in order of games. *taken = false at the end. */
static enum willow_status take_ticket(struct run *run, uint64_t *ticket, struct opening *opening, bool *taken,
                                      struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    (void)pthread_mutex_lock(&run->draw);
    *taken = gate_take(&run->gate, ticket);
    if (*taken)
        status = openings_take(run->openings, game_of_ticket(run, *ticket), opening, error);
    (void)pthread_mutex_unlock(&run->draw);
    return status;
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct run *run = worker->run;
    const struct play_options options = {
        .config = run->config, .ruleset = run->folder.ruleset, .searches = &worker->search, .stop = run->options->stop};
    uint64_t ticket;
    struct opening opening;
    bool taken = true;
    while (!worker->status) {
        worker->status = take_ticket(run, &ticket, &opening, &taken, &worker->error);
        struct played_game *played = taken && !worker->status ? queue_pop(&run->empty) : NULL;
        if (!played)
            break;
        worker->status = play_game(&options, game_of_ticket(run, ticket), &opening, played, &worker->error);
        played->ticket = ticket;
        if (!worker->status && !queue_push(&run->finished, played))
            break;
    }
    /* Without this game its shard would never be whole, so the others need not go on. */
    if (worker->status) {
        gate_close(&run->gate);
        queue_close(&run->finished);
    }
    return NULL;
}

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

static enum willow_status collect(struct collection *collection, uint64_t shard_games, const struct played_game *played,
                                  struct willow_error *error)
{
    if (!collection->games) {
        collection->games = calloc((size_t)shard_games, sizeof *collection->games);
        if (!collection->games)
            return out_of_memory(error);
    }
    uint64_t needed = collection->rows_count + (uint64_t)played->count;
    if (needed > collection->rows_capacity) {
        uint64_t capacity = needed + needed / 2 + PLAY_ROWS_MAX;
        struct willow_row *grown = reallocarray(collection->rows, (size_t)capacity, sizeof *grown);
        if (!grown)
            return out_of_memory(error);
        collection->rows = grown;
        collection->rows_capacity = capacity;
    }
    collection->games[played->ticket % shard_games] = played->game;
    if (played->count > 0)
        memcpy(collection->rows + collection->rows_count, played->rows, (size_t)played->count * sizeof *played->rows);
    collection->rows_count = needed;
    collection->games_done++;
    return WILLOW_OK;
}

static enum willow_status write_collection(struct run *run, uint64_t shard, struct willow_error *error)
{
    struct collection *collection = &run->collections[shard % WINDOW_SHARDS];
    enum willow_status status = run_folder_add(&run->folder, run->folder.missing[shard], collection->rows,
                                               collection->rows_count, collection->games, error);
    if (status)
        return status;
    collection->games_done = collection->rows_count = 0;
    run->progress.shards_done++;
    run->written[shard % WINDOW_SHARDS] = true;
    while (run->written[run->next_written % WINDOW_SHARDS]) {
        run->written[run->next_written % WINDOW_SHARDS] = false;
        run->next_written++;
    }
    gate_raise(&run->gate, (run->next_written + WINDOW_SHARDS) * run->config->shard_games);
    return WILLOW_OK;
}

static enum willow_status take_game(struct run *run, struct played_game *played, struct willow_error *error)
{
    uint64_t shard = played->ticket / run->config->shard_games;
    struct collection *collection = &run->collections[shard % WINDOW_SHARDS];
    enum willow_status status = collect(collection, run->config->shard_games, played, error);
    run->progress.games_done++;
    run->progress.new_games++;
    run->progress.new_rows += (uint64_t)played->count;
    (void)queue_push(&run->empty, played);
    if (!status && collection->games_done == run_config_shard_games(run->config, run->folder.missing[shard]))
        status = write_collection(run, shard, error);
    return status;
}

static void show_progress(struct run *run)
{
    uint64_t now = willow_clock_ns();
    if (!run->options->progress || now - run->progress_ns < (uint64_t)POLL_MS * 1000000)
        return;
    run->progress_ns = now;
    run->options->progress(run->options->context, &run->progress);
}

/* Until all games are written, a worker fails or the user stops. */
static enum willow_status collect_games(struct run *run, struct willow_error *error)
{
    const struct willow_stop *stop = run->options->stop;
    while (run->next_written < run->folder.missing_count) {
        if (stop && willow_stop_get(stop))
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        struct played_game *played = queue_pop_within(&run->finished, POLL_MS);
        enum willow_status status = played ? take_game(run, played, error) : WILLOW_OK;
        if (status)
            return status;
        show_progress(run);
        /* Nothing left and closed: a worker failed; its own report is taken when it is joined. */
        if (!played && queue_is_closed(&run->finished))
            return WILLOW_OK;
    }
    return WILLOW_OK;
}

static enum willow_status start_workers(struct worker *workers, struct run *run, struct willow_error *error)
{
    size_t hash_bytes = (size_t)run->config->hash_mb << 20;
    enum willow_status status = WILLOW_OK;
    for (int i = 0; !status && i < run->options->threads; i++) {
        workers[i].run = run;
        status = willow_search_new(run->options->weights, hash_bytes, &workers[i].search, error);
    }
    for (int i = 0; !status && i < run->options->threads; i++) {
        int failed = pthread_create(&workers[i].thread, NULL, work, &workers[i]);
        workers[i].started = failed == 0;
        if (failed)
            status = willow_fail_errno(error, NULL, "start a thread", failed);
    }
    return status;
}

static enum willow_status end_workers(struct worker *workers, struct run *run, enum willow_status status,
                                      struct willow_error *error)
{
    gate_close(&run->gate);
    queue_close(&run->empty);
    queue_close(&run->finished);
    for (int i = 0; i < run->options->threads; i++) {
        if (workers[i].started)
            (void)pthread_join(workers[i].thread, NULL);
        /* Stopped workers follow from the caller's stop or from another failure; a real failure comes first. */
        if (workers[i].status && (status == WILLOW_OK || status == WILLOW_ERR_STOPPED) &&
            !(status && workers[i].status == WILLOW_ERR_STOPPED)) {
            status = workers[i].status;
            if (error)
                *error = workers[i].error;
        }
        willow_search_free(workers[i].search);
    }
    free(workers);
    return status;
}

static enum willow_status play_missing(struct run *run, struct willow_error *error)
{
    struct worker *workers = calloc((size_t)run->options->threads, sizeof *workers);
    if (!workers)
        return out_of_memory(error);
    enum willow_status status = start_workers(workers, run, error);
    if (!status)
        status = collect_games(run, error);
    return end_workers(workers, run, status, error);
}

static enum willow_status make_handover(struct run *run, struct willow_error *error)
{
    uint64_t tickets = count_tickets(run);
    size_t games = POOL_GAMES + 2 * (size_t)run->options->threads;
    run->progress.games_total = run->config->games;
    run->progress.games_done = run->config->games - tickets;
    run->progress.shards_total = run_config_shards(run->config);
    run->progress.shards_done = run->folder.manifest.count;
    const struct openings_options openings = {.kind = OPENINGS_RANDOM,
                                              .ruleset = run->folder.ruleset,
                                              .seed = run->config->seed,
                                              .plies_min = run->config->opening_min,
                                              .plies_max = run->config->opening_max,
                                              .repeat = true,
                                              .stop = run->options->stop};
    enum willow_status status = openings_new(&openings, &run->openings, error);
    if (!status)
        status = gate_init(&run->gate, tickets, WINDOW_SHARDS * run->config->shard_games, error);
    run->made_gate = status == WILLOW_OK;
    if (!status)
        status = queue_init(&run->empty, games, error);
    if (!status)
        status = queue_init(&run->finished, games, error);
    if (status)
        return status;
    run->pool = calloc(games, sizeof *run->pool);
    if (!run->pool)
        return out_of_memory(error);
    for (size_t i = 0; i < games; i++)
        (void)queue_push(&run->empty, &run->pool[i]);
    return WILLOW_OK;
}

static void clear_run(struct run *run)
{
    for (int i = 0; i < WINDOW_SHARDS; i++) {
        free(run->collections[i].rows);
        free(run->collections[i].games);
    }
    free(run->pool);
    queue_clear(&run->finished);
    queue_clear(&run->empty);
    if (run->made_gate)
        gate_clear(&run->gate);
    openings_free(run->openings);
    (void)pthread_mutex_destroy(&run->draw);
    run_folder_close(&run->folder);
}

/* Adds up what is announced. What is new came in since `before` was taken. */
static void sum_up(const struct run *run, const struct run_summary *before, struct run_summary *summary)
{
    const struct willow_manifest *manifest = &run->folder.manifest;
    struct run_summary sum = {0};
    for (size_t i = 0; i < manifest->count; i++) {
        sum.games += manifest->shards[i].games;
        sum.rows += manifest->shards[i].rows;
        sum.size_bytes += shard_file_bytes(run->folder.path, manifest->shards[i].number);
    }
    sum.new_games = sum.games - before->games;
    sum.new_rows = sum.rows - before->rows;
    *summary = sum;
}

enum willow_status run_dataset(const struct run_options *options, struct run_summary *summary,
                               struct willow_error *error)
{
    uint64_t start_ns = willow_clock_ns();
    *summary = (struct run_summary){0};
    if (options->threads < 1 || options->threads > RUN_THREADS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "threads", NULL, "must be 1 .. %d", (int)RUN_THREADS_MAX);
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return out_of_memory(error);
    if (pthread_mutex_init(&run->draw, NULL) != 0) {
        free(run);
        return out_of_memory(error);
    }
    run->options = options;
    run->config = options->config;
    run->progress_ns = start_ns;
    enum willow_status status = run_folder_open(&run->folder, options->folder, options->config, options->weights,
                                                options->tool, options->note, options->context, error);
    if (!status) {
        struct run_summary before = {0};
        sum_up(run, &before, &before);
        status = make_handover(run, error);
        if (!status && run->folder.missing_count > 0)
            status = play_missing(run, error);
        sum_up(run, &before, summary);
        summary->time_ns = willow_clock_ns() - start_ns;
    }
    clear_run(run);
    free(run);
    return status;
}
