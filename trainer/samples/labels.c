/* Labels and held-out games of dataset rows; see labels.h. Knows nothing of weights. Layer: trainer. */
#include "labels.h"

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

enum willow_status label_of_row(const struct label_options *options, const struct willow_row *row, float *label,
                                struct willow_error *error)
{
    const bool has_score = row->score != WILLOW_SCORE_MISSING;
    const double result = row->result * WILLOW_SCORE_DISC;
    if (options->kind == LABEL_SCORE && !has_score) {
        char place[64];
        snprintf(place, sizeof place, "game %llu ply %u", (unsigned long long)row->game, row->ply);
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, place, "the position has no score to fit");
    }
    if (options->kind == LABEL_RESULT || !has_score)
        *label = (float)result;
    else if (options->kind == LABEL_AUTO && !(row->flags & WILLOW_ROW_EXACT))
        *label = (float)(options->result_weight * result + (1.0 - options->result_weight) * row->score);
    else
        *label = (float)row->score;
    return WILLOW_OK;
}

struct buffers {
    struct willow_row rows[LOAD_ROWS];
    struct sample samples[LOAD_ROWS];
};

/* Converts and stores one read. */
static enum willow_status store(const struct label_source *source, const struct label_options *options, size_t count,
                                struct buffers *buffers, struct samples *samples, struct willow_error *error)
{
    const uint64_t seed = options->has_seed ? options->seed : source->seed;
    for (size_t i = 0; i < count; i++) {
        const struct willow_row *row = &buffers->rows[i];
        struct sample *sample = &buffers->samples[i];
        sample->board = (struct willow_board){row->player, row->opponent};
        sample->held_out = willow_game_held_out(seed, row->game, options->held_out);
        enum willow_status status = label_of_row(options, row, &sample->label, error);
        if (status != WILLOW_OK) {
            if (error)
                snprintf(error->file, sizeof error->file, "%s", source->folder);
            return status;
        }
    }
    return samples_append(samples, buffers->samples, count, error);
}

static enum willow_status load_source(const struct label_source *source, int first_ply, int last_ply,
                                      const struct willow_ruleset *ruleset, const struct label_options *options,
                                      struct buffers *buffers, struct samples *samples, struct willow_error *error)
{
    struct willow_reader *reader = NULL;
    enum willow_status status =
        willow_reader_open(&source->folder, 1, first_ply, last_ply, ruleset, false, &reader, error);
    size_t count = 1;
    while (status == WILLOW_OK && count > 0) {
        if (options->stop && willow_stop_get(options->stop))
            status = willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
        else
            status = willow_reader_next(reader, buffers->rows, LOAD_ROWS, &count, error);
        if (status == WILLOW_OK && count > 0)
            status = store(source, options, count, buffers, samples, error);
    }
    willow_reader_free(reader);
    return status;
}

enum willow_status labels_load(const struct label_source *sources, size_t count, int first_ply, int last_ply,
                               const struct willow_ruleset *ruleset, const struct label_options *options,
                               struct samples *samples, struct willow_error *error)
{
    struct buffers *buffers = malloc(sizeof *buffers);
    if (!buffers)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    enum willow_status status = samples_clear(samples, error);
    for (size_t i = 0; status == WILLOW_OK && i < count; i++)
        status = load_source(&sources[i], first_ply, last_ply, ruleset, options, buffers, samples, error);
    free(buffers);
    return status;
}
