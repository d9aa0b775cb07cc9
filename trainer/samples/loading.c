/* From rows of datasets to samples; see loading.h. Knows nothing of weights. Layer: trainer. */
#include "loading.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD_ROWS = 16384 };

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

struct loading {
    const struct loading_options *options;
    const struct label_source *source;
    struct samples *samples;
    struct loading_report *report;
    struct willow_row rows[LOAD_ROWS];
};

/* Labels and stores one read. */
static enum willow_status store(struct loading *loading, size_t count, struct willow_error *error)
{
    const struct loading_options *options = loading->options;
    const uint64_t seed = options->has_seed ? options->seed : loading->source->seed;
    for (size_t i = 0; i < count; i++) {
        const struct willow_row *row = &loading->rows[i];
        struct sample sample;
        const int since_random = row->flags & WILLOW_ROW_AFTER_RANDOM ? 0 : INT_MAX;
        const enum label_verdict verdict = label_of_row(options->rules, row, since_random, &sample);
        loading->report->rows++;
        loading->report->verdicts[verdict]++;
        if (verdict == LABEL_UNLABELLED && options->rules->missing == LABEL_MISSING_ERROR) {
            char place[64];
            snprintf(place, sizeof place, "game %llu ply %u", (unsigned long long)row->game, row->ply);
            return willow_fail(error, WILLOW_ERR_FORMAT, loading->source->folder, place,
                               "the position has no score to fit");
        }
        if (verdict != LABEL_KEPT)
            continue;
        const enum sample_part part =
            willow_game_held_out(seed, row->game, options->held_out) ? SAMPLE_HELD_OUT : SAMPLE_TRAIN;
        const enum willow_status status = samples_append(loading->samples, row->ply, part, &sample, 1, error);
        if (status != WILLOW_OK)
            return status;
    }
    return WILLOW_OK;
}

static enum willow_status load_source(struct loading *loading, struct willow_error *error)
{
    const struct loading_options *options = loading->options;
    struct willow_reader *reader = NULL;
    enum willow_status status = willow_reader_open(&loading->source->folder, 1, options->first_ply, options->last_ply,
                                                   options->ruleset, false, &reader, error);
    size_t count = 1;
    while (status == WILLOW_OK && count > 0) {
        if (options->stop && willow_stop_get(options->stop))
            status = willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        else
            status = willow_reader_next(reader, loading->rows, LOAD_ROWS, &count, error);
        if (status == WILLOW_OK && count > 0)
            status = store(loading, count, error);
    }
    willow_reader_free(reader);
    return status;
}

enum willow_status loading_run(const struct label_source *sources, size_t count, const struct loading_options *options,
                               struct samples *samples, struct loading_report *report, struct willow_error *error)
{
    uint64_t all = 0;
    struct loading *loading = malloc(sizeof *loading);
    if (!loading)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    loading->options = options;
    loading->samples = samples;
    loading->report = report;
    memset(report, 0, sizeof *report);
    for (size_t i = 0; i < count; i++)
        all += sources[i].rows;
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; status == WILLOW_OK && i < count; i++) {
        loading->source = &sources[i];
        status = load_source(loading, error);
        if (status == WILLOW_OK && options->progress)
            options->progress(options->context, report->rows, all);
    }
    free(loading);
    return status;
}
