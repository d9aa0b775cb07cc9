/* A self-play run: how players, collections, writer and ranks work together. What a game is, is in play.c; what a
 * folder is, in run_folder.c. Layer: selfplay.
 *
 * Games in flight live in a fixed pool: a player takes an empty one, fills it and pushes it; the calling thread empties
 * it into its shard's collection and hands whole collections to the writer. A gate keeps the players within a window of
 * shards from the first that is not written, so memory is bounded whatever the speed of the disk: by the rows of the
 * window's shards (4 of 16,384 games or fewer, or 2 larger ones; at most 60 rows of 40 bytes a game of Othello), what
 * packing one of them takes, and the pool.
 */
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <willow/clock.h>

#include "collection.h"
#include "dataset/shard_files.h"
#include "players.h"
#include "team.h"
#include "writer.h"

enum {
    WINDOW_SHARDS = 4,
    WINDOW_SHARDS_MIN = 2,
    WINDOW_GAMES = 1 << 16,
    POOL_GAMES = 2048,
    POLL_MS = 100,
    TEAM_POLL_MS = 10
};

/* A run that has just begun is not warned about. */
#define WARN_AFTER_NS UINT64_C(10000000000)

struct run {
    const struct run_options *options;
    const struct run_config *config;
    struct run_folder folder;
    struct gate gate;
    struct queue empty, finished;
    struct played_game *pool;
    struct players players;
    struct writer writer;
    struct team team;
    struct collection *collections; /* [window], by position in folder.missing modulo window */
    size_t window;
    uint64_t tickets, collected, collected_rows; /* of this process */
    struct run_progress base;                    /* at the start */
    struct run_summary before;
    uint64_t shown_ns, warn_ns;
    bool made_gate;
};

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

static bool leads(const struct run *run)
{
    return willow_ranks_self(run->options->ranks) == 0;
}

static uint64_t count_games(const struct run *run, const uint32_t *shards, size_t count)
{
    uint64_t games = 0;
    for (size_t i = 0; i < count; i++)
        games += run_config_shard_games(run->config, shards[i]);
    return games;
}

static void say(const struct run *run, const char *text)
{
    if (run->options->note)
        run->options->note(run->options->context, text);
}

/* The writer is behind when half of what it may have before it is there, or the caller of this cannot keep up. */
static void warn_of_backlog(struct run *run)
{
    size_t shards = queue_count(&run->writer.jobs), games = queue_count(&run->finished);
    uint64_t now = willow_clock_ns();
    char line[160];
    if (!queue_warning_due(&run->warn_ns, now, shards + 1, run->window) &&
        !queue_warning_due(&run->warn_ns, now, games, run->finished.capacity))
        return;
    (void)snprintf(line, sizeof line,
                   "writing is behind: %zu shards and %zu games wait for it, and the threads that play will wait too",
                   shards, games);
    say(run, line);
}

static void show_progress(struct run *run)
{
    uint64_t now = willow_clock_ns(), games, rows;
    if (!run->options->progress || !leads(run) || now - run->shown_ns < (uint64_t)POLL_MS * 1000000)
        return;
    run->shown_ns = now;
    team_sum(&run->team, &games, &rows);
    struct run_progress progress = run->base;
    progress.new_games = run->collected + games;
    progress.new_rows = run->collected_rows + rows;
    progress.games_done += progress.new_games;
    progress.shards_done += atomic_load_explicit(&run->writer.shards, memory_order_relaxed);
    run->options->progress(run->options->context, &progress);
}

static enum willow_status take_game(struct run *run, struct played_game *played, struct willow_error *error)
{
    size_t position = (size_t)(played->ticket / run->config->shard_games);
    struct collection *collection = &run->collections[position % run->window];
    uint64_t games = run_config_shard_games(run->config, run->folder.missing[position]);
    enum willow_status status =
        collection_add(collection, played->ticket % run->config->shard_games, games, played, error);
    run->collected++;
    run->collected_rows += (uint64_t)played->count;
    (void)queue_push(&run->empty, played);
    if (!status && collection->games_done == games)
        status = writer_write(&run->writer, position, collection, error);
    return status;
}

static enum willow_status check_stop(const struct run *run, struct willow_error *error)
{
    const struct willow_stop *stop = run->options->stop;
    return stop && willow_stop_get(stop) ? willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped") : WILLOW_OK;
}

/* Until all games of this process are collected, somebody fails or the user stops. */
static enum willow_status collect_games(struct run *run, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    while (!status && run->collected < run->tickets) {
        status = check_stop(run, error);
        struct played_game *played = status ? NULL : queue_pop_within(&run->finished, POLL_MS);
        if (played)
            status = take_game(run, played, error);
        /* Nothing left and closed: a player or the writer failed; its own report is taken when it is joined. */
        if (!status && !played && queue_is_closed(&run->finished))
            return WILLOW_OK;
        if (!status)
            status = team_talk(&run->team, &run->writer, run->collected, run->collected_rows, error);
        warn_of_backlog(run);
        show_progress(run);
    }
    return status;
}

/* Keeps the first failure that says more than that the run was stopped. */
static void keep_first(enum willow_status *status, struct willow_error *error, enum willow_status other,
                       const struct willow_error *report)
{
    if (!other || (*status && (*status != WILLOW_ERR_STOPPED || other == WILLOW_ERR_STOPPED)))
        return;
    *status = other;
    if (error)
        *error = *report;
}

static enum willow_status end_players(struct run *run, enum willow_status status, struct willow_error *error)
{
    struct willow_error report = {0};
    gate_close(&run->gate);
    queue_close(&run->empty);
    queue_close(&run->finished);
    keep_first(&status, error, players_end(&run->players, &report), &report);
    return status;
}

static enum willow_status end_writer(struct run *run, enum willow_status status, struct willow_error *error)
{
    struct willow_error report = {0};
    keep_first(&status, error, writer_finish(&run->writer, &report), &report);
    return status;
}

/* Rank 0, when it has played its own games: waits for the others, or ends them when something failed. */
static enum willow_status await_others(struct run *run, enum willow_status status, struct willow_error *error)
{
    while (!team_alone(&run->team) && !run->team.broken) {
        struct willow_error report = {0};
        if (!status && queue_is_closed(&run->writer.jobs))
            status = end_writer(run, status, error);
        keep_first(&status, error, check_stop(run, &report), &report);
        if (status)
            keep_first(&status, error, team_end(&run->team, &report), &report);
        keep_first(&status, error, team_talk(&run->team, &run->writer, 0, 0, &report), &report);
        show_progress(run);
        (void)nanosleep(&(struct timespec){0, TEAM_POLL_MS * 1000000L}, NULL);
    }
    return status;
}

static enum willow_status play_missing(struct run *run, struct willow_error *error)
{
    struct willow_error lost = {0};
    enum willow_status status = collect_games(run, error);
    status = end_players(run, status, error);
    if (leads(run)) {
        status = await_others(run, status, error);
        return end_writer(run, status, error);
    }
    status = end_writer(run, status, error);
    keep_first(&status, error,
               team_leave(&run->team, &run->writer, run->collected, run->collected_rows, status, error, &lost), &lost);
    return status;
}

/* Some shards may wait for the writer, fewer where they are large; and also with the smallest the window holds more
 * games than the threads can have begun. */
static size_t window_of(const struct run *run)
{
    uint64_t games = run->config->shard_games, shards = WINDOW_GAMES / games;
    shards = shards > WINDOW_SHARDS ? WINDOW_SHARDS : shards < WINDOW_SHARDS_MIN ? WINDOW_SHARDS_MIN : shards;
    return (size_t)(shards + 2 * (uint64_t)run->options->threads / games);
}

static enum willow_status make_handover(struct run *run, struct willow_error *error)
{
    size_t games = POOL_GAMES + 2 * (size_t)run->options->threads;
    run->window = window_of(run);
    run->collections = calloc(run->window, sizeof *run->collections);
    run->pool = calloc(games, sizeof *run->pool);
    if (!run->collections || !run->pool)
        return out_of_memory(error);
    enum willow_status status = gate_init(&run->gate, run->tickets, run->window * run->config->shard_games, error);
    run->made_gate = !status;
    if (!status)
        status = queue_init(&run->empty, games, error);
    if (!status)
        status = queue_init(&run->finished, games, error);
    for (size_t i = 0; !status && i < games; i++)
        (void)queue_push(&run->empty, &run->pool[i]);
    return status;
}

static enum willow_status start(struct run *run, struct willow_error *error)
{
    /* The shards of all ranks pass through the writer of the first. */
    size_t jobs_max = (size_t)run_config_shards(run->config) + 1;
    enum willow_status status = team_init(&run->team, run->options->ranks, error);
    if (!status)
        status = make_handover(run, error);
    if (!status)
        status = writer_start(&run->writer, &run->folder, &run->gate, &run->finished, run->window, jobs_max, error);
    run->players = (struct players){.config = run->config,
                                    .inputs = run->options->inputs,
                                    .missing = run->folder.missing,
                                    .stop = run->options->stop,
                                    .gate = &run->gate,
                                    .empty = &run->empty,
                                    .finished = &run->finished};
    return status ? status : players_start(&run->players, run->options->threads, error);
}

/* Once a list or the positions of a ply are used up, games without chance in them are played again and again. */
static void tell_of_openings(const struct run *run)
{
    const struct run_config *config = run->config;
    uint64_t count = openings_count(run->players.openings), doubles = openings_doubles(run->players.openings);
    bool chance = config->random_move > 0 || (config->noise > 0 && config->noise_plies > 0);
    uint64_t sides = config->pool_count > 0 && config->pool_share > 0 ? 1 + 2 * (uint64_t)config->pool_count : 1;
    char line[256];
    if (doubles > 0) {
        (void)snprintf(line, sizeof line,
                       "%" PRIu64 " openings of the list are left out: earlier ones lead to the same positions",
                       doubles);
        say(run, line);
    }
    if (count == 0 || chance || config->games <= count * sides)
        return;
    (void)snprintf(line, sizeof line,
                   "there are %" PRIu64 " openings for %" PRIu64
                   " games, and no noise or random moves: games will repeat",
                   count, config->games);
    say(run, line);
}

static enum willow_status play(struct run *run, struct willow_error *error)
{
    if (willow_ranks_count(run->options->ranks) == 1 && run->tickets == 0)
        return WILLOW_OK;
    enum willow_status own = start(run, error);
    enum willow_status status = willow_ranks_agree(run->options->ranks, own, error);
    if (!status) {
        if (leads(run))
            tell_of_openings(run);
        return play_missing(run, error);
    }
    /* Nobody has a game by now that would be missed. */
    if (run->players.made_draw)
        (void)end_players(run, status, NULL);
    return status;
}

static void clear_run(struct run *run)
{
    writer_clear(&run->writer);
    team_clear(&run->team);
    for (size_t i = 0; run->collections && i < run->window; i++)
        collection_clear(&run->collections[i]);
    free(run->collections);
    free(run->pool);
    queue_clear(&run->finished);
    queue_clear(&run->empty);
    if (run->made_gate)
        gate_clear(&run->gate);
    run_folder_close(&run->folder);
}

/* Adds up what is announced. What is new came in since the run was opened. */
static void sum_up(const struct run *run, struct run_summary *summary)
{
    const struct willow_manifest *manifest = &run->folder.manifest;
    struct run_summary sum = {0};
    for (size_t i = 0; i < manifest->count; i++) {
        sum.games += manifest->shards[i].games;
        sum.rows += manifest->shards[i].rows;
        sum.size_bytes += shard_file_bytes(run->options->folder, manifest->shards[i].number);
    }
    sum.new_games = sum.games - run->before.games;
    sum.new_rows = sum.rows - run->before.rows;
    sum.waited_ns = run->gate.waited_ns + run->empty.waited_ns;
    *summary = sum;
}

/* Opens the folder: rank 0 first, the others once it is theirs to enter. */
static enum willow_status open_folder(struct run *run, struct willow_error *error)
{
    const struct run_options *options = run->options;
    const struct run_folder_options folder = {.path = options->folder,
                                              .config = options->config,
                                              .inputs = options->inputs,
                                              .layout = options->layout,
                                              .threads = options->threads,
                                              .tool = options->tool,
                                              .part = options->part,
                                              .parts = options->parts,
                                              .rank = willow_ranks_self(options->ranks),
                                              .ranks = willow_ranks_count(options->ranks),
                                              .note = options->note,
                                              .context = options->context};
    enum willow_status status = leads(run) ? run_folder_open(&run->folder, &folder, error) : WILLOW_OK;
    status = willow_ranks_agree(options->ranks, status, error);
    if (!status && !leads(run))
        status = run_folder_open(&run->folder, &folder, error);
    uint32_t first, end;
    run_part_shards(run->config, options->part, options->parts, &first, &end);
    uint64_t games = first < end ? (uint64_t)(end - 1 - first) * run->config->shard_games +
                                       run_config_shard_games(run->config, end - 1)
                                 : 0;
    run->base =
        (struct run_progress){.games_total = games,
                              .games_done = games - count_games(run, run->folder.missing, run->folder.missing_count),
                              .shards_total = end - first,
                              .shards_done = run->folder.manifest.count};
    status = team_deal(options->ranks, &run->folder, status, error);
    run->tickets = count_games(run, run->folder.missing, run->folder.missing_count);
    return status;
}

static enum willow_status check_options(const struct run_options *options, struct willow_error *error)
{
    if (options->threads < 1 || options->threads > RUN_THREADS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "threads", NULL, "must be 1 .. %d", (int)RUN_THREADS_MAX);
    if (options->part > options->parts || (options->parts > 0 && options->part == 0))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "part", NULL, "must be 1/N .. N/N");
    if (options->parts > 0 && willow_ranks_count(options->ranks) > 1)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "part", NULL, "a part is played by one process");
    return WILLOW_OK;
}

enum willow_status run_dataset(const struct run_options *options, struct run_summary *summary,
                               struct willow_error *error)
{
    uint64_t start_ns = willow_clock_ns();
    *summary = (struct run_summary){0};
    enum willow_status status = check_options(options, error);
    if (status)
        return status;
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return out_of_memory(error);
    run->options = options;
    run->config = options->config;
    run->folder.lock_fd = -1;
    run->shown_ns = start_ns;
    run->warn_ns = start_ns + WARN_AFTER_NS;
    status = open_folder(run, error);
    if (!status) {
        sum_up(run, &run->before);
        status = play(run, error);
        sum_up(run, summary);
        summary->time_ns = willow_clock_ns() - start_ns;
    }
    clear_run(run);
    free(run);
    return status;
}
