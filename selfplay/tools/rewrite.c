/* What merging and shuffling share. Moves no rows. Layer: selfplay. */
#include "rewrite.h"

#include <stdlib.h>

#include <willow/clock.h>

enum willow_status rewrite_open(struct rewrite *rewrite, const struct rewrite_options *options,
                                struct rewrite_summary *summary, struct willow_error *error)
{
    struct sources *sources = &rewrite->sources;
    *summary = (struct rewrite_summary){0};
    *rewrite = (struct rewrite){
        .options = options, .summary = summary, .target = {.lock_fd = -1}, .start_ns = willow_clock_ns()};
    if (options->shard_rows < 1)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "shard-rows", NULL, "must be at least 1");
    enum willow_status status =
        sources_open(sources, options->folders, options->count, options->note, options->context, error);
    if (!status)
        status = sources_check_target(sources, options->target, error);
    summary->source_rows = sources->rows;
    summary->source_games = sources->games;
    summary->source_bytes = sources->size_bytes;
    summary->seed = sources->seed;
    return status;
}

enum willow_status rewrite_begin(struct rewrite *rewrite, const char *head, struct willow_error *error)
{
    const struct rewrite_options *options = rewrite->options;
    const struct sources *sources = &rewrite->sources;
    enum willow_status status = sources_origin(sources, head, &rewrite->origin, error);
    if (status)
        return status;
    const struct target_options target = {.folder = options->target,
                                          .configuration = rewrite->origin,
                                          .ruleset = sources->ruleset,
                                          .seed = sources->seed,
                                          .tool = options->tool,
                                          .weights = sources->weights,
                                          .labels = sources->labels,
                                          .layout = options->layout,
                                          .threads = options->threads};
    return target_open(&rewrite->target, &target, false, error);
}

enum willow_status rewrite_check_stop(const struct rewrite *rewrite, struct willow_error *error)
{
    const struct willow_stop *stop = rewrite->options->stop;
    return stop && willow_stop_get(stop) ? willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped") : WILLOW_OK;
}

void rewrite_close(struct rewrite *rewrite)
{
    struct rewrite_summary *summary = rewrite->summary;
    summary->rows = rewrite->target.rows;
    summary->games = rewrite->target.games;
    summary->shards = rewrite->target.manifest.count;
    summary->size_bytes = rewrite->target.size_bytes;
    summary->time_ns = willow_clock_ns() - rewrite->start_ns;
    target_close(&rewrite->target);
    sources_clear(&rewrite->sources);
    free(rewrite->origin);
}
