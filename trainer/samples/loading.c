/* From rows of datasets to samples; see loading.h. Knows nothing of weights. Layer: trainer. */
#include "loading.h"

#include "random_moves.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD_ROWS = 16384, PROGRESS_ROWS = 1 << 20 };

enum willow_status label_source_open(const char *folder, struct label_source *source, struct willow_error *error)
{
    struct willow_manifest manifest = {0};
    enum willow_status status = willow_manifest_read(folder, &manifest, error);
    if (status != WILLOW_OK)
        return status;
    *source = (struct label_source){.folder = folder, .ruleset = manifest.ruleset, .seed = manifest.seed};
    for (size_t i = 0; i < manifest.count; i++)
        source->rows += manifest.shards[i].rows;
    willow_manifest_clear(&manifest);
    return WILLOW_OK;
}

enum willow_status label_sources_open(const char *const *folders, size_t count, struct label_source **sources,
                                      const struct willow_ruleset **ruleset, struct willow_error *error)
{
    *sources = calloc(count, sizeof **sources);
    if (!*sources)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    for (size_t i = 0; i < count; i++) {
        struct label_source *source = &(*sources)[i];
        const enum willow_status status = label_source_open(folders[i], source, error);
        if (status != WILLOW_OK)
            return status;
        *ruleset = willow_ruleset_by_id(source->ruleset);
        if (!*ruleset)
            return willow_fail(error, WILLOW_ERR_MISMATCH, folders[i], NULL,
                               "the dataset's ruleset (id %u) is not known to this build", source->ruleset);
        if (source->ruleset != (*sources)[0].ruleset)
            return willow_fail(error, WILLOW_ERR_MISMATCH, folders[i], NULL,
                               "the dataset is of ruleset %s, the one in %s of %s", (*ruleset)->name, folders[0],
                               willow_ruleset_by_id((*sources)[0].ruleset)->name);
    }
    return WILLOW_OK;
}

struct loading {
    const struct loading_options *options;
    const struct label_source *sources;
    struct samples *samples;
    struct loading_report *report;
    /* Where the rows come from. */
    struct willow_reader *reader;
    const struct label_source *source;
    uint32_t shard;
    /* Of the game of the last row: most rows come with those of their game. */
    uint64_t game;
    enum sample_part part;
    struct random_moves random_moves;
    struct willow_row rows[LOAD_ROWS];
};

static void enter_game(struct loading *loading, uint64_t game)
{
    const struct loading_options *options = loading->options;
    const uint64_t seed = options->has_seed ? options->seed : loading->source->seed;
    loading->game = game;
    loading->part = willow_game_held_out(seed, game, options->held_out) ? SAMPLE_HELD_OUT : SAMPLE_TRAIN;
}

/* After each reading: whether the rows are of another shard than those before. */
static void enter_shard(struct loading *loading)
{
    uint32_t shard;
    const struct label_source *source = &loading->sources[willow_reader_source(loading->reader, &shard)];
    if (source == loading->source && shard == loading->shard)
        return;
    loading->source = source;
    loading->shard = shard;
    random_moves_restart(&loading->random_moves);
    enter_game(loading, loading->rows[0].game);
}

/* Labels one row and stores it. */
static enum willow_status store(struct loading *loading, const struct willow_row *row, int since_random,
                                struct willow_error *error)
{
    const struct label_rules *rules = loading->options->rules;
    struct sample sample;
    const enum label_verdict verdict = label_of_row(rules, row, since_random, &sample);
    loading->report->rows++;
    loading->report->verdicts[verdict]++;
    if (verdict == LABEL_UNLABELLED && rules->missing == LABEL_MISSING_ERROR) {
        char place[64];
        snprintf(place, sizeof place, "game %" PRIu64 " ply %u", row->game, row->ply);
        return willow_fail(error, WILLOW_ERR_FORMAT, loading->source->folder, place,
                           "the position has no score to fit");
    }
    if (verdict != LABEL_KEPT)
        return WILLOW_OK;
    if (row->game != loading->game)
        enter_game(loading, row->game);
    return samples_append(loading->samples, row->ply, loading->part, &sample, 1, error);
}

static enum willow_status store_rows(struct loading *loading, size_t count, struct willow_error *error)
{
    const bool track = loading->options->rules->random_distance > 0;
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; status == WILLOW_OK && i < count; i++) {
        const struct willow_row *row = &loading->rows[i];
        int since_random = INT_MAX;
        if (track)
            status = random_moves_next(&loading->random_moves, row, &since_random, error);
        if (status == WILLOW_OK && row->ply >= loading->options->first_ply)
            status = store(loading, row, since_random, error);
    }
    return status;
}

/* One reader for all sources: a bad shard of the last one is found before the first one is read. */
static enum willow_status open_reader(struct loading *loading, size_t count, struct willow_error *error)
{
    const struct loading_options *options = loading->options;
    const char **folders = calloc(count, sizeof *folders);
    if (!folders)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    for (size_t i = 0; i < count; i++)
        folders[i] = loading->sources[i].folder;
    const int distance = options->rules->random_distance;
    const int first = options->first_ply > distance ? options->first_ply - distance : 0;
    const enum willow_status status =
        willow_reader_open(folders, count, first, options->last_ply, options->ruleset, false, &loading->reader, error);
    free(folders);
    if (status == WILLOW_OK)
        willow_reader_share(loading->reader, willow_ranks_self(options->ranks), willow_ranks_count(options->ranks));
    return status;
}

static enum willow_status read_all(struct loading *loading, size_t sources, struct willow_error *error)
{
    const struct loading_options *options = loading->options;
    enum willow_status status = open_reader(loading, sources, error);
    const uint64_t all = status == WILLOW_OK ? willow_reader_rows(loading->reader) : 0;
    uint64_t done = 0, said = 0;
    for (size_t count = 1; status == WILLOW_OK && count > 0;) {
        if (options->stop && willow_stop_get(options->stop))
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        status = willow_reader_next(loading->reader, loading->rows, LOAD_ROWS, &count, error);
        if (status == WILLOW_OK && count > 0) {
            enter_shard(loading);
            status = store_rows(loading, count, error);
        }
        done += count;
        if (status == WILLOW_OK && options->progress && (count == 0 || done - said >= PROGRESS_ROWS)) {
            options->progress(options->context, done, all);
            said = done;
        }
    }
    return status;
}

/* When rows were read and none was kept: why. */
static enum willow_status check_kept(const struct label_source *sources, const struct loading_options *options,
                                     const struct loading_report *report, struct willow_error *error)
{
    static const char *const reasons[] = {[LABEL_UNLABELLED] = "have nothing to fit",
                                          [LABEL_KIND] = "are of a kind of weight 0",
                                          [LABEL_RANDOM_MOVE] = "have a random move",
                                          [LABEL_NEAR_RANDOM] = "come too soon after a random move",
                                          [LABEL_GAP] = "have a result too far from their score"};
    if (report->rows == 0 || report->verdicts[LABEL_KEPT] > 0)
        return WILLOW_OK;
    char text[300] = "";
    size_t length = 0;
    for (size_t i = LABEL_KEPT + 1; i < LABEL_VERDICTS; i++)
        if (report->verdicts[i] > 0 && length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%" PRIu64 " %s", length > 0 ? ", " : "",
                                       report->verdicts[i], reasons[i]);
    return willow_fail(error, WILLOW_ERR_MISMATCH, sources[0].folder, NULL,
                       "no position of plies %d-%d is left to fit: %s", options->first_ply, options->last_ply, text);
}

static enum willow_status sum_report(struct willow_ranks *ranks, struct loading_report *report,
                                     struct willow_error *error)
{
    int64_t sums[1 + LABEL_VERDICTS] = {(int64_t)report->rows};
    for (int i = 0; i < LABEL_VERDICTS; i++)
        sums[1 + i] = (int64_t)report->verdicts[i];
    const enum willow_status status = willow_ranks_sum(ranks, sums, sizeof sums / sizeof *sums, error);
    report->rows = (uint64_t)sums[0];
    for (int i = 0; i < LABEL_VERDICTS; i++)
        report->verdicts[i] = (uint64_t)sums[1 + i];
    return status;
}

enum willow_status loading_run(const struct label_source *sources, size_t count, const struct loading_options *options,
                               struct samples *samples, struct loading_report *report, struct willow_error *error)
{
    *report = (struct loading_report){0};
    struct loading *loading = calloc(1, sizeof *loading);
    enum willow_status status = WILLOW_OK;
    if (loading) {
        loading->options = options;
        loading->sources = sources;
        loading->samples = samples;
        loading->report = report;
        status = read_all(loading, count, error);
        willow_reader_free(loading->reader);
        random_moves_clear(&loading->random_moves);
        free(loading);
    } else {
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    status = willow_ranks_agree(options->ranks, status, error);
    if (status == WILLOW_OK)
        status = sum_report(options->ranks, report, error);
    if (status == WILLOW_OK)
        status = check_kept(sources, options, report, error);
    return status;
}
