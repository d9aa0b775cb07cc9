/* One dataset made of several: the rows of each source's shards in turn, amended, into new shards. Layer: selfplay. */
#include "merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "amendments.h"
#include "by_game.h"
#include "gather.h"

enum { MEMORY_MIN = 1 << 20 };

struct merge {
    const struct merge_options *options;
    struct merge_summary *summary;
    struct rewrite rewrite;
    struct amendments amendments; /* of no use with MERGE_KEEP */
    struct gather gather;
    uint64_t rows_done; /* of the sources, written */
};

static enum willow_status begin_target(struct merge *merge, struct willow_error *error)
{
    static const char *const names[] = {"keep", "drop", "average"};
    char head[256];
    (void)snprintf(head, sizeof head,
                   "# Several datasets in one.\n"
                   "made_by: merge\n"
                   "duplicates: %s\n"
                   "shard_rows: %" PRIu64 "\n"
                   "seed: %" PRIu64 "\n",
                   names[merge->options->duplicates], merge->options->rewrite.shard_rows, merge->rewrite.sources.seed);
    return rewrite_begin(&merge->rewrite, head, error);
}

static void drop_row(void *context, uint64_t number)
{
    struct merge *merge = context;
    amendments_drop(&merge->amendments, number);
}

static enum willow_status relabel_rows(void *context, const struct duplicates_labels *labels, size_t count,
                                       struct willow_error *error)
{
    struct merge *merge = context;
    return amendments_add(&merge->amendments, labels, count, error);
}

static void show_search(void *context, uint64_t rows_done, uint64_t rows_total)
{
    const struct merge *merge = context;
    if (merge->options->progress)
        merge->options->progress(merge->options->rewrite.context, MERGE_SEARCH, rows_done, rows_total);
}

static enum willow_status find_duplicates(struct merge *merge, struct willow_error *error)
{
    const struct rewrite_options *options = &merge->options->rewrite;
    const uint64_t rows = merge->rewrite.sources.rows;
    const size_t bits = amendments_bytes(rows);
    if (options->memory_bytes < bits || options->memory_bytes - bits < MEMORY_MIN)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "memory", NULL,
                           "%" PRIu64 " positions need at least %zu MB: a bit for each, and one MB", rows,
                           (bits >> 20) + 2);
    enum willow_status status = amendments_init(&merge->amendments, rows, options->target, error);
    if (status)
        return status;
    const struct duplicates_options search = {.folders = options->folders,
                                              .count = options->count,
                                              .ruleset = merge->rewrite.sources.ruleset,
                                              .memory_bytes = options->memory_bytes - bits,
                                              .stop = options->stop,
                                              .rule = merge->options->duplicates == MERGE_DROP ? DUPLICATES_DROP
                                                                                               : DUPLICATES_AVERAGE,
                                              .drop = drop_row,
                                              .relabel = relabel_rows,
                                              .progress = show_search,
                                              .context = merge};
    struct duplicates_summary found;
    status = duplicates_find(&search, &found, error);
    merge->summary->distinct = found.distinct;
    return status;
}

static enum willow_status write_gathered(struct merge *merge, struct willow_error *error)
{
    if (merge->gather.rows_count == 0 && merge->gather.games_count == 0)
        return WILLOW_OK;
    return gather_write(&merge->gather, &merge->rewrite.target, error);
}

/* Rows without games may be parted anywhere. */
static enum willow_status copy_rows(struct merge *merge, const struct willow_row *rows, uint64_t count,
                                    struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (uint64_t done = 0; !status && done < count;) {
        const uint64_t room = merge->options->rewrite.shard_rows - merge->gather.rows_count;
        const uint64_t part = count - done < room ? count - done : room;
        status = gather_rows(&merge->gather, rows + done, part, error);
        done += part;
        if (!status && merge->gather.rows_count == merge->options->rewrite.shard_rows)
            status = write_gathered(merge, error);
    }
    return status;
}

static enum willow_status copy_games(struct merge *merge, const struct by_game *shard, struct willow_error *error)
{
    const bool all = merge->options->duplicates == MERGE_KEEP;
    enum willow_status status = WILLOW_OK;
    for (uint64_t g = 0; !status && g < shard->games_count; g++) {
        const uint64_t count = shard->start[g + 1] - shard->start[g];
        if (count == 0 && !all)
            continue;
        if (merge->gather.rows_count > 0 && merge->gather.rows_count + count > merge->options->rewrite.shard_rows)
            status = write_gathered(merge, error);
        if (!status)
            status = gather_rows(&merge->gather, shard->rows + shard->start[g], count, error);
        if (!status)
            status = gather_game(&merge->gather, &shard->games[g], error);
    }
    return status;
}

static enum willow_status copy_shard(struct merge *merge, const struct sources_shard *shard, struct willow_error *error)
{
    const bool by_games = merge->rewrite.sources.games_carried;
    struct willow_row *rows;
    struct willow_game_row *games;
    struct by_game sorted = {0};
    uint64_t count = shard->rows;
    enum willow_status status = sources_read(&merge->rewrite.sources, shard, &rows, &games, error);
    if (!status && merge->options->duplicates != MERGE_KEEP)
        status = amendments_apply(&merge->amendments, shard->first_row, rows, &count, error);
    if (!status && by_games)
        status = by_game_sort(&sorted, rows, count, games, shard->games,
                              merge->rewrite.sources.list[shard->source].folder, error);
    if (!status)
        status = by_games ? copy_games(merge, &sorted, error) : copy_rows(merge, rows, count, error);
    by_game_clear(&sorted);
    free(rows);
    free(games);
    merge->rows_done += shard->rows;
    return status;
}

static enum willow_status copy_all(struct merge *merge, struct willow_error *error)
{
    const struct merge_options *options = merge->options;
    const struct sources *sources = &merge->rewrite.sources;
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; !status && i < sources->shards_count; i++) {
        status = rewrite_check_stop(&merge->rewrite, error);
        if (!status)
            status = copy_shard(merge, &sources->shards[i], error);
        if (!status && options->progress)
            options->progress(options->rewrite.context, MERGE_WRITE, merge->rows_done, sources->rows);
    }
    return status ? status : write_gathered(merge, error);
}

static void leave_games(struct merge *merge)
{
    const struct rewrite_options *options = &merge->options->rewrite;
    struct sources *sources = &merge->rewrite.sources;
    if (sources->games_carried && sources->games > 0 && options->note)
        options->note(options->context, "averaged results are not those of the games: the result has no games");
    sources_leave_games(sources);
}

enum willow_status merge_datasets(const struct merge_options *options, struct merge_summary *summary,
                                  struct willow_error *error)
{
    *summary = (struct merge_summary){0};
    struct merge merge = {.options = options, .summary = summary, .amendments = {.fd = -1}};
    enum willow_status status = rewrite_open(&merge.rewrite, &options->rewrite, &summary->rewrite, error);
    if (!status && options->duplicates == MERGE_AVERAGE)
        leave_games(&merge);
    if (!status)
        status = begin_target(&merge, error);
    if (!status && options->duplicates != MERGE_KEEP)
        status = find_duplicates(&merge, error);
    if (!status)
        status = copy_all(&merge, error);
    if (!status)
        status = target_finish(&merge.rewrite.target, error);
    gather_clear(&merge.gather);
    amendments_clear(&merge.amendments);
    rewrite_close(&merge.rewrite);
    return status;
}
