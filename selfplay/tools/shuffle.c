/* One dataset made of several, its games dealt out to its shards at random. Layer: selfplay.
 *
 * As many shards as the memory holds are filled in one pass over the sources.
 */
#include "shuffle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gather.h"

struct shuffle {
    const struct shuffle_options *options;
    struct rewrite rewrite;
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

static enum willow_status begin_target(struct shuffle *shuffle, struct willow_error *error)
{
    char head[256];
    (void)snprintf(head, sizeof head,
                   "# Games of datasets dealt out to shards at random.\n"
                   "made_by: shuffle\n"
                   "shuffle_seed: %" PRIu64 "\n"
                   "shard_rows: %" PRIu64 "\n"
                   "seed: %" PRIu64 "\n",
                   shuffle->options->seed, shuffle->options->rewrite.shard_rows, shuffle->rewrite.sources.seed);
    return rewrite_begin(&shuffle->rewrite, head, error);
}

/* The rows of a shard are the sum of some thousand games: a sixteenth more than the mean is many deviations. Where it
 * is not enough, memory grows. */
static enum willow_status plan_passes(struct shuffle *shuffle, struct willow_error *error)
{
    const struct rewrite_options *options = &shuffle->options->rewrite;
    const struct sources *sources = &shuffle->rewrite.sources;
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
    enum willow_status status = sources_read(&shuffle->rewrite.sources, shard, &rows, &games, error);
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
    const struct sources *sources = &shuffle->rewrite.sources;
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; !status && i < sources->shards_count; i++) {
        status = rewrite_check_stop(&shuffle->rewrite, error);
        if (!status)
            status = deal_shard(shuffle, &sources->shards[i], error);
        if (!status && options->progress)
            options->progress(options->rewrite.context, shuffle->rows_done, sources->rows * shuffle->passes);
    }
    for (uint64_t i = 0; !status && i < shuffle->filled && shuffle->first_shard + i < shuffle->shards; i++) {
        status = rewrite_check_stop(&shuffle->rewrite, error);
        if (!status)
            status = gather_write(&shuffle->gathers[i], &shuffle->rewrite.target, error);
    }
    return status;
}

enum willow_status shuffle_datasets(const struct shuffle_options *options, struct shuffle_summary *summary,
                                    struct willow_error *error)
{
    *summary = (struct shuffle_summary){0};
    struct shuffle shuffle = {.options = options};
    enum willow_status status = rewrite_open(&shuffle.rewrite, &options->rewrite, &summary->rewrite, error);
    if (!status)
        status = begin_target(&shuffle, error);
    if (!status)
        status = plan_passes(&shuffle, error);
    for (; !status && shuffle.first_shard < shuffle.shards; shuffle.first_shard += shuffle.filled)
        status = run_pass(&shuffle, error);
    if (!status)
        status = target_finish(&shuffle.rewrite.target, error);
    summary->passes = shuffle.passes;
    for (uint64_t i = 0; shuffle.gathers && i < shuffle.filled; i++)
        gather_clear(&shuffle.gathers[i]);
    free(shuffle.gathers);
    rewrite_close(&shuffle.rewrite);
    return status;
}
