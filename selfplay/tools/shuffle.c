/* One dataset made of several, its games dealt out to its shards at random. Layer: selfplay.
 *
 * As many shards as the memory holds are filled in one pass over the sources.
 */
#include "shuffle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <willow/clock.h>

#include "gather.h"
#include "target.h"

struct shuffle {
    const struct shuffle_options *options;
    struct sources sources;
    struct target target;
    char *origin;
    uint64_t shards, passes;        /* of the result; over the sources */
    uint64_t first_shard, filled;   /* those of this pass */
    struct gather *gathers;         /* of these */
    uint64_t rows_each, games_each; /* to be expected in a shard, and some more */
    uint64_t rows_done;
};

static uint64_t shard_of(const struct shuffle *shuffle, uint64_t game)
{
    unsigned char key[16];
    for (int i = 0; i < 8; i++) {
        key[i] = (unsigned char)(shuffle->options->seed >> (8 * i));
        key[8 + i] = (unsigned char)(game >> (8 * i));
    }
    return (uint64_t)(willow_checksum_unit(key, sizeof key) * (double)shuffle->shards);
}

static enum willow_status open_target(struct shuffle *shuffle, struct willow_error *error)
{
    const struct shuffle_options *options = shuffle->options;
    const struct sources *sources = &shuffle->sources;
    char head[256];
    (void)snprintf(head, sizeof head,
                   "# Games of datasets dealt out to shards at random.\n"
                   "made_by: shuffle\n"
                   "shuffle_seed: %" PRIu64 "\n"
                   "shard_rows: %" PRIu64 "\n"
                   "seed: %" PRIu64 "\n",
                   options->seed, options->shard_rows, sources->seed);
    enum willow_status status = sources_origin(sources, head, &shuffle->origin, error);
    if (status)
        return status;
    const struct target_options target = {.folder = options->target,
                                          .configuration = shuffle->origin,
                                          .ruleset = sources->ruleset,
                                          .seed = sources->seed,
                                          .tool = options->tool,
                                          .weights = sources->weights,
                                          .labels = sources->labels,
                                          .layout = options->layout};
    return target_open(&shuffle->target, &target, false, error);
}

/* The rows of a shard are the sum of some thousand games: a sixteenth more than the mean is many deviations. Where it
 * is not enough, memory grows. */
static enum willow_status plan_passes(struct shuffle *shuffle, struct willow_error *error)
{
    const struct shuffle_options *options = shuffle->options;
    const struct sources *sources = &shuffle->sources;
    shuffle->shards = (sources->rows + options->shard_rows - 1) / options->shard_rows;
    if (shuffle->shards == 0)
        shuffle->shards = 1;
    shuffle->rows_each = sources->rows / shuffle->shards / 16 * 17 + 1024;
    shuffle->games_each = sources->games_carried ? sources->games / shuffle->shards / 16 * 17 + 64 : 0;
    const uint64_t bytes =
        shuffle->rows_each * sizeof(struct willow_row) + shuffle->games_each * sizeof(struct willow_game_row);
    uint64_t filled = options->memory_bytes / bytes;
    filled = filled < shuffle->shards ? filled : shuffle->shards;
    shuffle->filled = filled > 0 ? filled : 1;
    shuffle->passes = (shuffle->shards + shuffle->filled - 1) / shuffle->filled;
    shuffle->gathers = calloc((size_t)shuffle->filled, sizeof *shuffle->gathers);
    if (!shuffle->gathers)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    enum willow_status status = WILLOW_OK;
    for (uint64_t i = 0; !status && i < shuffle->filled; i++)
        status = gather_reserve(&shuffle->gathers[i], shuffle->rows_each, shuffle->games_each, error);
    return status;
}

/* Null when the game goes to a shard of another pass. */
static struct gather *gather_of(const struct shuffle *shuffle, uint64_t game)
{
    const uint64_t shard = shard_of(shuffle, game) - shuffle->first_shard;
    return shard < shuffle->filled ? &shuffle->gathers[shard] : NULL;
}

/* Rows of a game lie together within a block of plies: they go in one piece. */
static enum willow_status deal_rows(struct shuffle *shuffle, const struct willow_row *rows, uint64_t count,
                                    struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (uint64_t first = 0, end; !status && first < count; first = end) {
        for (end = first + 1; end < count && rows[end].game == rows[first].game;)
            end++;
        struct gather *gather = gather_of(shuffle, rows[first].game);
        if (gather)
            status = gather_rows(gather, rows + first, end - first, error);
    }
    return status;
}

static enum willow_status deal_shard(struct shuffle *shuffle, const struct sources_shard *shard,
                                     struct willow_error *error)
{
    struct willow_row *rows;
    struct willow_game_row *games;
    enum willow_status status = sources_read(&shuffle->sources, shard, &rows, &games, error);
    if (!status)
        status = deal_rows(shuffle, rows, shard->rows, error);
    for (uint64_t i = 0; !status && games && i < shard->games; i++) {
        struct gather *gather = gather_of(shuffle, games[i].id);
        if (gather)
            status = gather_game(gather, &games[i], error);
    }
    free(rows);
    free(games);
    shuffle->rows_done += shard->rows;
    return status;
}

static enum willow_status run_pass(struct shuffle *shuffle, struct willow_error *error)
{
    const struct shuffle_options *options = shuffle->options;
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; !status && i < shuffle->sources.shards_count; i++) {
        if (options->stop && willow_stop_get(options->stop))
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        status = deal_shard(shuffle, &shuffle->sources.shards[i], error);
        if (!status && options->progress)
            options->progress(options->context, shuffle->rows_done, shuffle->sources.rows * shuffle->passes);
    }
    for (uint64_t i = 0; !status && i < shuffle->filled && shuffle->first_shard + i < shuffle->shards; i++) {
        if (options->stop && willow_stop_get(options->stop))
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        status = gather_write(&shuffle->gathers[i], &shuffle->target, error);
    }
    return status;
}

static enum willow_status open_sources(struct shuffle *shuffle, struct shuffle_summary *summary,
                                       struct willow_error *error)
{
    const struct shuffle_options *options = shuffle->options;
    if (options->shard_rows < 1)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "shard-rows", NULL, "must be at least 1");
    struct sources *sources = &shuffle->sources;
    enum willow_status status =
        sources_open(sources, options->folders, options->count, options->note, options->context, error);
    if (!status)
        status = sources_check_target(sources, options->target, error);
    summary->source_rows = sources->rows;
    summary->source_games = sources->games;
    summary->source_bytes = sources->size_bytes;
    return status;
}

enum willow_status shuffle_datasets(const struct shuffle_options *options, struct shuffle_summary *summary,
                                    struct willow_error *error)
{
    const uint64_t start_ns = willow_clock_ns();
    *summary = (struct shuffle_summary){0};
    struct shuffle shuffle = {.options = options, .target = {.lock_fd = -1}};
    enum willow_status status = open_sources(&shuffle, summary, error);
    if (!status)
        status = open_target(&shuffle, error);
    if (!status)
        status = plan_passes(&shuffle, error);
    for (; !status && shuffle.first_shard < shuffle.shards; shuffle.first_shard += shuffle.filled)
        status = run_pass(&shuffle, error);
    if (!status)
        status = target_finish(&shuffle.target, error);
    summary->rows = shuffle.target.rows;
    summary->games = shuffle.target.games;
    summary->shards = shuffle.target.manifest.count;
    summary->size_bytes = shuffle.target.size_bytes;
    summary->passes = shuffle.passes;
    target_close(&shuffle.target);
    for (uint64_t i = 0; shuffle.gathers && i < shuffle.filled; i++)
        gather_clear(&shuffle.gathers[i]);
    free(shuffle.gathers);
    sources_clear(&shuffle.sources);
    free(shuffle.origin);
    summary->time_ns = willow_clock_ns() - start_ns;
    return status;
}
