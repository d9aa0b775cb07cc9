/* Writes the provenance of fitted weights; see provenance.h. Layer: trainer. */
#include "provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for everything but the lines of datasets: the longest command line kept, and a line for each of 61 stages. */
enum {
    COMMAND_MAX = 4096,
    STAGE_LINE_MAX = 224,
    VALUE_MAX = 512,
    DATA_ROOM = 26000 - WILLOW_STAGES_MAX * STAGE_LINE_MAX
};

/* The lines of the ProbCut constants: command, tool, fit. */
enum { PROBCUT_COMMAND_MAX = 512, PROBCUT_TOOL_MAX = 128, PROBCUT_FIT_MAX = 320 };
enum { PROBCUT_ROOM = PROBCUT_COMMAND_MAX + PROBCUT_TOOL_MAX + PROBCUT_FIT_MAX };
static const char probcut_key[] = "probcut";

_Static_assert(COMMAND_MAX + 3 * VALUE_MAX + 2 * 64 + WILLOW_STAGES_MAX * STAGE_LINE_MAX + DATA_ROOM + PROBCUT_ROOM <=
                   WILLOW_PROVENANCE_MAX,
               "every line fits into the provenance");

/* One line; control characters would break the block's shape and become blanks. */
static void put(FILE *stream, const char *key, const char *value, size_t limit)
{
    fprintf(stream, "%s: ", key);
    for (size_t i = 0; value[i] && i + strlen(key) + 4 < limit; i++)
        fputc((unsigned char)value[i] < ' ' ? ' ' : value[i], stream);
    fputc('\n', stream);
}

static void put_data(FILE *stream, const struct fit_options *options, const struct label_source *sources)
{
    size_t used = 0;
    for (size_t i = 0; i < options->folder_count; i++) {
        char value[VALUE_MAX];
        snprintf(value, sizeof value, "rows %llu seed %llu %.400s", (unsigned long long)sources[i].rows,
                 (unsigned long long)sources[i].seed, sources[i].folder);
        used += strlen(value) + 8;
        if (used + 64 > DATA_ROOM) {
            fprintf(stream, "data: and %zu more\n", options->folder_count - i);
            return;
        }
        put(stream, "data", value, VALUE_MAX);
    }
}

static const struct fit_stage *find_stage(const struct fit_report *report, int stage)
{
    for (int i = 0; i < report->count; i++)
        if (report->stages[i].stage == stage && report->stages[i].rows > 0)
            return &report->stages[i];
    return NULL;
}

/* Copies the line of a stage from older provenance, if it has one. */
static void put_old_stage(FILE *stream, const char *old, int stage)
{
    char key[32];
    int length = snprintf(key, sizeof key, "stage %d: ", stage);
    for (const char *line = old; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, (size_t)length) != 0)
            continue;
        size_t size = strcspn(line, "\n");
        if (size < STAGE_LINE_MAX)
            fprintf(stream, "%.*s\n", (int)size, line);
        return;
    }
}

static void put_stages(FILE *stream, const struct fit_report *report, const char *old)
{
    for (int stage = 0; stage < WILLOW_STAGES_MAX; stage++) {
        const struct fit_stage *fitted = find_stage(report, stage);
        if (!fitted) {
            put_old_stage(stream, old, stage);
            continue;
        }
        fprintf(stream, "stage %d: plies %d-%d rows %llu held-out %llu mae %.4f rmse %.4f data %s\n", stage,
                fitted->first_ply, fitted->last_ply, (unsigned long long)fitted->rows,
                (unsigned long long)fitted->rounding.held_out.all.rows, fitted->rounding.held_out.all.mae_discs,
                fitted->rounding.held_out.all.rmse_discs, fitted->data);
    }
}

/* Copies the lines of `text` whose key begins with probcut_key, or all others. */
static void put_lines(FILE *stream, const char *text, bool probcut, size_t limit)
{
    while (*text) {
        const size_t size = strcspn(text, "\n"), whole = size + (text[size] == '\n');
        const bool is_probcut = strncmp(text, probcut_key, sizeof probcut_key - 1) == 0;
        if (is_probcut == probcut && size < limit) {
            fprintf(stream, "%.*s\n", (int)size, text);
            limit -= size + 1;
        }
        text += whole;
    }
}

static enum willow_status finish(FILE *stream, char **text, struct willow_error *error)
{
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(*text);
        *text = NULL;
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    return WILLOW_OK;
}

enum willow_status provenance_write(const struct fit_options *options, const struct fit_report *report,
                                    const struct label_source *sources, const struct willow_ruleset *ruleset,
                                    const struct willow_weights *init, char **text, struct willow_error *error)
{
    size_t size = 0;
    char value[VALUE_MAX];
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    put(stream, "command", options->command ? options->command : "", COMMAND_MAX);
    put(stream, "tool", options->tool ? options->tool : "", VALUE_MAX);
    if (options->has_seed)
        fprintf(stream, "seed: %llu\n", (unsigned long long)options->seed);
    else
        fprintf(stream, "seed: of the data\n");
    fprintf(stream, "ruleset: %s\n", ruleset->name);
    if (options->init)
        snprintf(value, sizeof value, "%s %.400s", willow_weights_checksum(init), options->init);
    else
        snprintf(value, sizeof value, "zero");
    put(stream, "init", value, VALUE_MAX);
    put_data(stream, options, sources);
    fprintf(stream, "rows: %llu\n", (unsigned long long)report->rows);
    put_stages(stream, report, willow_weights_provenance(init));
    put_lines(stream, willow_weights_provenance(init), true, PROBCUT_ROOM);
    return finish(stream, text, error);
}

enum willow_status provenance_with_probcut(const char *old, const char *command, const char *tool, const char *fit,
                                           char **text, struct willow_error *error)
{
    size_t size = 0;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    put_lines(stream, old, false, WILLOW_PROVENANCE_MAX - PROBCUT_ROOM);
    put(stream, "probcut", command, PROBCUT_COMMAND_MAX);
    put(stream, "probcut tool", tool, PROBCUT_TOOL_MAX);
    put(stream, "probcut fit", fit, PROBCUT_FIT_MAX);
    return finish(stream, text, error);
}
