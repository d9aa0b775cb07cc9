/* The configuration file of the fit: read over the settings, and written beside the result. Layer: trainer (program).
 */
#include "fit_settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/program.h>

struct file_blend {
    char *plies;
    double score, exact, result;
};

/* Null or zero = the key is not there. */
struct fit_file {
    char **data;
    unsigned data_count;
    struct file_blend *blend;
    unsigned blend_count;
    char *out, *init, *plies, *patterns, *without, *scratch, *ruleset, *choice[FIT_CHOICES];
    double *number[FIT_NUMBERS];
    int64_t *seed;
    bool *drop_random;
};

enum { OPTIONAL = CYAML_FLAG_OPTIONAL };
#define TEXT(key, member) CYAML_FIELD_STRING_PTR(key, OPTIONAL, struct fit_file, member, 1, CYAML_UNLIMITED)
#define NUMBER(name, group, key, option, letter, argument, whole, low, high, standard, help)                           \
    CYAML_FIELD_FLOAT_PTR(key, OPTIONAL, struct fit_file, number[FIT_##name]),

static const cyaml_schema_value_t folder_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED)};
static const cyaml_schema_field_t blend_fields[] = {
    CYAML_FIELD_STRING_PTR("plies", CYAML_FLAG_POINTER, struct file_blend, plies, 1, CYAML_UNLIMITED),
    CYAML_FIELD_FLOAT("score", OPTIONAL, struct file_blend, score),
    CYAML_FIELD_FLOAT("exact", OPTIONAL, struct file_blend, exact),
    CYAML_FIELD_FLOAT("result", OPTIONAL, struct file_blend, result), CYAML_FIELD_END};
static const cyaml_schema_value_t blend_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct file_blend, blend_fields)};
static const cyaml_schema_field_t file_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("data", OPTIONAL | CYAML_FLAG_POINTER, struct fit_file, data, data_count, &folder_schema,
                               1, CYAML_UNLIMITED),
    TEXT("out", out),
    TEXT("init", init),
    TEXT("plies", plies),
    TEXT("patterns", patterns),
    TEXT("without", without),
    TEXT("scratch", scratch),
    TEXT("ruleset", ruleset),
    TEXT("label", choice[FIT_LABEL]),
    TEXT("start", choice[FIT_START]),
    TEXT("solver", choice[FIT_SOLVER]),
    CYAML_FIELD_SEQUENCE_COUNT("blend", OPTIONAL | CYAML_FLAG_POINTER, struct fit_file, blend, blend_count,
                               &blend_schema, 1, FIT_BLENDS_MAX),
    FIT_NUMBER_TABLE(NUMBER) CYAML_FIELD_INT_PTR("seed", OPTIONAL, struct fit_file, seed),
    CYAML_FIELD_BOOL_PTR("drop_random", OPTIONAL, struct fit_file, drop_random),
    CYAML_FIELD_END};
static const cyaml_schema_value_t file_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct fit_file, file_fields)};

void fit_file_free(struct fit_file *file)
{
    if (file)
        willow_config_free(&file_schema, file);
}

/* Written so that a NaN fails. */
static enum willow_status take_numbers(const struct fit_file *file, struct fit_settings *settings,
                                       struct willow_error *error)
{
    for (int i = 0; i < FIT_NUMBERS; i++) {
        const struct fit_number_row *row = &fit_numbers[i];
        const double *value = file->number[i];
        if (!value)
            continue;
        if (!(*value >= row->low && *value <= row->high))
            return willow_fail(error, WILLOW_ERR_FORMAT, settings->config, row->key, "%g is not between %g and %g",
                               *value, row->low, row->high);
        if (row->whole && *value != floor(*value))
            return willow_fail(error, WILLOW_ERR_FORMAT, settings->config, row->key, "%g is not a whole number",
                               *value);
        settings->number[i] = *value;
    }
    return WILLOW_OK;
}

static enum willow_status take_words(const struct fit_file *file, struct fit_settings *settings,
                                     struct willow_error *error)
{
    char words[FIT_WORDS_TEXT];
    for (int i = 0; i < FIT_CHOICES; i++)
        if (file->choice[i] && !fit_settings_set_word(settings, (enum fit_choice)i, file->choice[i]))
            return willow_fail(error, WILLOW_ERR_FORMAT, settings->config, fit_words[i].key, "'%s' is not %s",
                               file->choice[i], fit_words_text((enum fit_choice)i, words));
    return WILLOW_OK;
}

static enum willow_status take_blends(const struct fit_file *file, struct fit_settings *settings,
                                      struct willow_error *error)
{
    for (unsigned i = 0; i < file->blend_count; i++) {
        const struct file_blend *from = &file->blend[i];
        struct fit_blend *blend = &settings->blends[i];
        *blend = (struct fit_blend){.score = from->score, .exact = from->exact, .result = from->result};
        if (!willow_parse_range(from->plies, 0, SAMPLE_PLIES - 1, &blend->first_ply, &blend->last_ply))
            return willow_fail(error, WILLOW_ERR_FORMAT, settings->config, "blend",
                               "'%s' is not a range of plies within 0-%d", from->plies, SAMPLE_PLIES - 1);
        if (!fit_blend_valid(blend))
            return willow_fail(error, WILLOW_ERR_FORMAT, settings->config, "blend",
                               "the shares of plies %s are not numbers from 0 to %d with a positive sum", from->plies,
                               LABEL_BLEND_MAX);
    }
    settings->blend_count = file->blend_count;
    return WILLOW_OK;
}

enum willow_status fit_file_load(struct fit_settings *settings, struct willow_error *error)
{
    const char *path = settings->config;
    void *loaded = NULL;
    enum willow_status status = willow_config_load(path, &file_schema, &loaded, error);
    if (status != WILLOW_OK)
        return status;
    const struct fit_file *file = settings->file = loaded;
    settings->out = file->out;
    settings->init = file->init;
    settings->patterns = file->patterns;
    settings->without = file->without;
    settings->scratch = file->scratch;
    settings->ruleset = file->ruleset;
    settings->drop_random = file->drop_random && *file->drop_random;
    settings->has_seed = file->seed != NULL;
    settings->seed = file->seed ? (uint64_t)*file->seed : 0;
    if (file->seed && *file->seed < 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, "seed", "the seed is negative");
    if (file->plies && !willow_parse_range(file->plies, 0, SAMPLE_PLIES - 1, &settings->first_ply, &settings->last_ply))
        return willow_fail(error, WILLOW_ERR_FORMAT, path, "plies", "'%s' is not a range of plies within 0-%d",
                           file->plies, SAMPLE_PLIES - 1);
    status = take_numbers(file, settings, error);
    if (status == WILLOW_OK)
        status = take_words(file, settings, error);
    if (status == WILLOW_OK)
        status = take_blends(file, settings, error);
    if (status != WILLOW_OK || file->data_count == 0)
        return status;
    free(settings->data);
    settings->data = calloc(file->data_count, sizeof *settings->data);
    if (!settings->data)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    for (unsigned i = 0; i < file->data_count; i++)
        settings->data[i] = file->data[i];
    settings->data_count = file->data_count;
    return WILLOW_OK;
}

static void put_text(FILE *stream, const char *prefix, const char *text)
{
    if (!text)
        return;
    fputs(prefix, stream);
    willow_json_string(stream, text);
    fputc('\n', stream);
}

static void put_settings(FILE *stream, const struct fit_settings *settings, bool work)
{
    fputs("# The resolved configuration of a fit; `willow train fit` with this file repeats it.\ndata:\n", stream);
    for (size_t i = 0; i < settings->data_count; i++)
        put_text(stream, "  - ", settings->data[i]);
    if (work) {
        put_text(stream, "out: ", settings->out);
        put_text(stream, "scratch: ", settings->scratch);
    }
    put_text(stream, "ruleset: ", settings->ruleset);
    put_text(stream, "init: ", settings->init);
    put_text(stream, "patterns: ", settings->patterns);
    put_text(stream, "without: ", settings->without);
    if (settings->has_seed)
        fprintf(stream, "seed: %llu\n", (unsigned long long)settings->seed);
    fprintf(stream, "plies: %d-%d\ndrop_random: %s\n", settings->first_ply, settings->last_ply,
            settings->drop_random ? "true" : "false");
    for (int i = 0; i < FIT_CHOICES; i++)
        fprintf(stream, "%s: %s\n", fit_words[i].key, fit_words[i].word[settings->choice[i]]);
    for (int i = 0; i < FIT_NUMBERS; i++)
        /* A number that was left to the weights has none. */
        if (settings->number[i] >= fit_numbers[i].low && (work || fit_numbers[i].group != FIT_GROUP_WORK))
            fprintf(stream, "%s: %.17g\n", fit_numbers[i].key, settings->number[i]);
    if (settings->blend_count > 0)
        fputs("blend:\n", stream);
    for (size_t i = 0; i < settings->blend_count; i++) {
        const struct fit_blend *blend = &settings->blends[i];
        fprintf(stream, "  - {plies: %d-%d, score: %.17g, exact: %.17g, result: %.17g}\n", blend->first_ply,
                blend->last_ply, blend->score, blend->exact, blend->result);
    }
}

enum willow_status fit_settings_text(const struct fit_settings *settings, bool work, char **text, size_t *size,
                                     struct willow_error *error)
{
    *text = NULL;
    FILE *stream = open_memstream(text, size);
    if (!stream)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    put_settings(stream, settings, work);
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) == 0 && !failed)
        return WILLOW_OK;
    free(*text);
    *text = NULL;
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}
