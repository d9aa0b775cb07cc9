/* The configuration file of `willow match`: its keys and what they set. Layer: selfplay (program). */
#include "match_file.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/child.h>
#include <willow/program.h>

#include "match/runner.h"
#include "run/openings.h"

enum { TEXT_MAX = MATCH_PATH - 1, LIST_MAX = 256 };

/* What libcyaml loads; null = the key is not there. */
struct raw_engine {
    char *name, *weights, *protocol, *command, *folder, *clock;
    char **arguments, **setup;
    unsigned arguments_count, setup_count;
    int64_t *depth, *exact, *selectivity, *level;
    uint64_t *nodes;
    double *time;
    bool *withdrawn;
};

struct raw_sprt {
    double *nelo0, *nelo1, *alpha, *beta;
};

struct raw_match {
    struct raw_engine *engines;
    char **players;
    unsigned engines_count, players_count;
    char *ruleset, *format, *clock, *openings, *anchor, *out;
    int64_t *depth, *exact, *selectivity, *level, *opening, *balance, *threads;
    uint64_t *nodes, *pairs, *seed, *hash, *withdraw_after;
    double *time, *move_limit, *start_limit;
    struct raw_sprt *sprt;
};

struct match_file {
    struct raw_match *raw;
    char *name;
};

#define FLAGS (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)
#define UNSIGNED(of, key) CYAML_FIELD_UINT_PTR(#key, FLAGS, struct of, key)
#define SIGNED(of, key) CYAML_FIELD_INT_PTR(#key, FLAGS, struct of, key)
#define REAL(of, key) CYAML_FIELD_FLOAT_PTR(#key, FLAGS, struct of, key)
#define TEXT(of, key) CYAML_FIELD_STRING_PTR(#key, FLAGS, struct of, key, 0, TEXT_MAX)
#define TEXTS(of, key, most) CYAML_FIELD_SEQUENCE_COUNT(#key, FLAGS, struct of, key, key##_count, &text_schema, 0, most)

static const cyaml_schema_value_t text_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, TEXT_MAX)};

static const cyaml_schema_field_t engine_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct raw_engine, name, 1, ENGINE_NAME_MAX - 1),
    TEXT(raw_engine, weights),
    TEXT(raw_engine, protocol),
    TEXT(raw_engine, command),
    TEXTS(raw_engine, arguments, LIST_MAX),
    TEXT(raw_engine, folder),
    TEXTS(raw_engine, setup, LIST_MAX),
    TEXT(raw_engine, clock),
    SIGNED(raw_engine, depth),
    SIGNED(raw_engine, exact),
    SIGNED(raw_engine, selectivity),
    SIGNED(raw_engine, level),
    UNSIGNED(raw_engine, nodes),
    REAL(raw_engine, time),
    CYAML_FIELD_BOOL_PTR("withdrawn", FLAGS, struct raw_engine, withdrawn),
    CYAML_FIELD_END};
static const cyaml_schema_value_t engine_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_engine, engine_fields)};

static const cyaml_schema_field_t sprt_fields[] = {REAL(raw_sprt, nelo0), REAL(raw_sprt, nelo1), REAL(raw_sprt, alpha),
                                                   REAL(raw_sprt, beta), CYAML_FIELD_END};

static const cyaml_schema_field_t match_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("engines", FLAGS, struct raw_match, engines, engines_count, &engine_schema, 0,
                               SCHEDULE_PLAYERS_MAX),
    TEXTS(raw_match, players, SCHEDULE_PLAYERS_MAX),
    TEXT(raw_match, ruleset),
    TEXT(raw_match, format),
    UNSIGNED(raw_match, pairs),
    SIGNED(raw_match, depth),
    SIGNED(raw_match, exact),
    SIGNED(raw_match, selectivity),
    SIGNED(raw_match, level),
    UNSIGNED(raw_match, nodes),
    REAL(raw_match, time),
    TEXT(raw_match, clock),
    SIGNED(raw_match, opening),
    SIGNED(raw_match, balance),
    TEXT(raw_match, openings),
    UNSIGNED(raw_match, seed),
    SIGNED(raw_match, threads),
    UNSIGNED(raw_match, hash),
    CYAML_FIELD_MAPPING_PTR("sprt", FLAGS, struct raw_match, sprt, sprt_fields),
    REAL(raw_match, move_limit),
    REAL(raw_match, start_limit),
    UNSIGNED(raw_match, withdraw_after),
    TEXT(raw_match, anchor),
    TEXT(raw_match, out),
    CYAML_FIELD_END};
static const cyaml_schema_value_t match_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_match, match_fields)};

static const char *const format_names[] = {[SCHEDULE_ROUND_ROBIN] = "round-robin", [SCHEDULE_GAUNTLET] = "gauntlet"};

const char *match_format_name(enum schedule_format format)
{
    return format_names[format];
}

bool match_format_find(const char *name, enum schedule_format *format)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(name, format_names[i]) == 0) {
            *format = (enum schedule_format)i;
            return true;
        }
    return false;
}

static enum willow_status bad_key(const char *file, const char *key, const char *what, struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_FORMAT, file, key, "%s", what);
}

/* A key with a whole number and its bounds. */
struct whole {
    const char *key;
    const int64_t *from;
    int64_t low, high;
    int *to;
};

static enum willow_status take_wholes(const struct whole *wholes, size_t count, const char *name,
                                      struct willow_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct whole *whole = &wholes[i];

        if (whole->from == NULL)
            continue;
        if (*whole->from < whole->low || *whole->from > whole->high)
            return willow_fail(error, WILLOW_ERR_FORMAT, name, whole->key, "must lie in %lld..%lld",
                               (long long)whole->low, (long long)whole->high);
        *whole->to = (int)*whole->from;
    }
    return WILLOW_OK;
}

struct large {
    const char *key;
    const uint64_t *from;
    uint64_t low, high, *to;
};

static enum willow_status take_larges(const struct large *larges, size_t count, const char *name,
                                      struct willow_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct large *large = &larges[i];

        if (large->from == NULL)
            continue;
        if (*large->from < large->low || *large->from > large->high)
            return willow_fail(error, WILLOW_ERR_FORMAT, name, large->key, "must lie in %llu..%llu",
                               (unsigned long long)large->low, (unsigned long long)large->high);
        *large->to = *large->from;
    }
    return WILLOW_OK;
}

static enum willow_status take_seconds(const double *from, uint64_t *to_ms, const char *name, const char *key,
                                       struct willow_error *error)
{
    if (from == NULL)
        return WILLOW_OK;
    if (!(*from >= 0.001 && *from <= 86400.0))
        return bad_key(name, key, "must lie in 0.001..86400 seconds", error);
    *to_ms = (uint64_t)(*from * 1000 + 0.5);
    return WILLOW_OK;
}

static enum willow_status take_clock(const char *text, struct willow_time_control *clock, bool *has_clock,
                                     const char *name, const char *key, struct willow_error *error)
{
    struct willow_error cause;

    if (text == NULL)
        return WILLOW_OK;
    if (willow_time_control_parse(text, clock, &cause) != WILLOW_OK)
        return willow_fail(error, WILLOW_ERR_FORMAT, name, key, "'%s': %s", text, cause.reason);
    *has_clock = true;
    return WILLOW_OK;
}

/* Writes where a file named in the configuration lies: relative names begin at the configuration's folder. */
static enum willow_status place(const char *config, const char *name, char path[MATCH_PATH], const char *key,
                                struct willow_error *error)
{
    const char *slash = strrchr(config, '/');
    const int folder = name[0] != '/' && slash != NULL ? (int)(slash - config) + 1 : 0;
    const int length = snprintf(path, MATCH_PATH, "%.*s%s", folder, config, name);

    if (name[0] == '\0' || length < 0 || length >= MATCH_PATH)
        return bad_key(config, key, "not the name of a file", error);
    return WILLOW_OK;
}

static enum willow_status take_sprt(const struct raw_sprt *raw, struct match_command *command, const char *name,
                                    struct willow_error *error)
{
    if (raw == NULL)
        return WILLOW_OK;
    if (raw->nelo0 == NULL || raw->nelo1 == NULL || !(*raw->nelo0 < *raw->nelo1) || !(*raw->nelo0 >= -1000.0) ||
        !(*raw->nelo1 <= 1000.0))
        return bad_key(name, "sprt", "needs nelo0 and nelo1 with -1000 <= nelo0 < nelo1 <= 1000", error);
    command->sprt.nelo0 = *raw->nelo0;
    command->sprt.nelo1 = *raw->nelo1;
    command->has_sprt = true;
    const struct {
        const char *key;
        const double *from;
        double *to;
    } rates[] = {{"alpha", raw->alpha, &command->sprt.alpha}, {"beta", raw->beta, &command->sprt.beta}};
    for (size_t i = 0; i < 2; i++) {
        if (rates[i].from == NULL)
            continue;
        if (!(*rates[i].from >= MATCH_ERROR_MIN && *rates[i].from <= MATCH_ERROR_MAX))
            return bad_key(name, rates[i].key, "must lie in 0.0001..0.4999", error);
        *rates[i].to = *rates[i].from;
    }
    return WILLOW_OK;
}

static bool is_selectivity(int percent)
{
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++)
        if (willow_selectivities[i] == percent)
            return true;
    return false;
}

static enum willow_status take_numbers(const struct raw_match *raw, struct match_command *command, const char *name,
                                       struct willow_error *error)
{
    struct match_limits *limits = &command->limits;
    uint64_t pairs = command->pairs, hash = command->hash_mb, start_limit_ms = command->start_limit_ms;
    const struct whole wholes[] = {{"depth", raw->depth, 1, WILLOW_SQUARES - 4, &limits->depth},
                                   {"exact", raw->exact, 0, WILLOW_SQUARES - 4, &limits->exact},
                                   {"selectivity", raw->selectivity, 73, 100, &limits->selectivity},
                                   {"level", raw->level, 1, 30, &limits->level},
                                   {"opening", raw->opening, 0, OPENINGS_PLIES_MAX, &command->opening_plies},
                                   {"balance", raw->balance, 0, WILLOW_SQUARES, &command->balance_discs},
                                   {"threads", raw->threads, 1, RUNNER_THREADS_MAX, &command->threads}};
    const struct large larges[] = {{"nodes", raw->nodes, 1, INT64_MAX, &limits->nodes},
                                   {"pairs", raw->pairs, 1, MATCH_PAIRS_MAX, &pairs},
                                   {"seed", raw->seed, 0, INT64_MAX, &command->seed},
                                   {"hash", raw->hash, 1, 1 << 20, &hash},
                                   {"withdraw_after", raw->withdraw_after, 0, INT64_MAX, &command->withdraw_after}};

    enum willow_status status = take_wholes(wholes, sizeof wholes / sizeof *wholes, name, error);
    if (status == WILLOW_OK)
        status = take_larges(larges, sizeof larges / sizeof *larges, name, error);
    if (status == WILLOW_OK)
        status = take_seconds(raw->time, &limits->time_ms, name, "time", error);
    if (status == WILLOW_OK)
        status = take_seconds(raw->move_limit, &command->move_limit_ms, name, "move_limit", error);
    if (status == WILLOW_OK)
        status = take_seconds(raw->start_limit, &start_limit_ms, name, "start_limit", error);
    if (status != WILLOW_OK)
        return status;
    if (limits->selectivity != 0 && !is_selectivity(limits->selectivity))
        return bad_key(name, "selectivity", "must be 73, 87, 95, 98, 99 or 100", error);
    if (limits->depth != 0 && limits->level != 0)
        return bad_key(name, "level", "stands instead of a depth", error);
    command->pairs = (size_t)pairs;
    command->hash_mb = (size_t)hash;
    command->start_limit_ms = (unsigned)start_limit_ms;
    return WILLOW_OK;
}

static enum willow_status take_texts(const struct raw_match *raw, struct match_command *command, const char *name,
                                     struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;

    if (raw->format != NULL && !match_format_find(raw->format, &command->format))
        return bad_key(name, "format", "neither round-robin nor gauntlet", error);
    if (raw->openings != NULL && (raw->opening != NULL || raw->balance != NULL))
        return bad_key(name, "openings", "these are played as they are, without opening and balance", error);
    if (raw->openings != NULL)
        status = place(name, raw->openings, command->list, "openings", error);
    if (status == WILLOW_OK && raw->out != NULL)
        (void)snprintf(command->out, sizeof command->out, "%s", raw->out);
    return status == WILLOW_OK ? take_clock(raw->clock, &command->clock, &command->has_clock, name, "clock", error)
                               : status;
}

/* Without a list of players all engines play. */
static enum willow_status take_players(const struct raw_match *raw, struct match_command *command, const char *name,
                                       struct willow_error *error)
{
    for (unsigned i = 0; i < raw->engines_count; i++)
        for (unsigned j = 0; j < i; j++)
            if (strcmp(raw->engines[i].name, raw->engines[j].name) == 0)
                return willow_fail(error, WILLOW_ERR_FORMAT, name, "engines", "two have the name '%s'",
                                   raw->engines[i].name);
    command->players = (int)(raw->players_count > 0 ? raw->players_count : raw->engines_count);
    for (int i = 0; i < command->players; i++)
        command->typed[i] = raw->players_count > 0 ? raw->players[i] : raw->engines[i].name;
    return WILLOW_OK;
}

enum willow_status match_file_load(struct match_command *command, const char *name, struct willow_error *error)
{
    struct match_file *file = calloc(1, sizeof *file);
    void *raw = NULL;

    command->file = file;
    if (file == NULL || (file->name = strdup(name)) == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, name, NULL, "out of memory");
    enum willow_status status = willow_config_load(name, &match_schema, &raw, error);
    file->raw = raw;
    if (status == WILLOW_OK)
        status = take_numbers(file->raw, command, name, error);
    if (status == WILLOW_OK)
        status = take_texts(file->raw, command, name, error);
    if (status == WILLOW_OK)
        status = take_sprt(file->raw->sprt, command, name, error);
    if (status == WILLOW_OK)
        status = take_players(file->raw, command, name, error);
    if (status == WILLOW_OK)
        command->file_anchor = file->raw->anchor;
    if (status == WILLOW_OK)
        command->ruleset_name = file->raw->ruleset;
    return status;
}

void match_file_free(struct match_file *file)
{
    if (file == NULL)
        return;
    willow_config_free(&match_schema, file->raw);
    free(file->name);
    free(file);
}

/* The texts of a list in one block, ended by null. */
static char **copy_texts(char *const *first, size_t first_count, char *const *second, size_t second_count)
{
    const size_t count = first_count + second_count;
    size_t bytes = (count + 1) * sizeof(char *);

    for (size_t i = 0; i < count; i++)
        bytes += strlen(i < first_count ? first[i] : second[i - first_count]) + 1;
    char **block = malloc(bytes);
    if (block == NULL)
        return NULL;
    char *text = (char *)(block + count + 1);
    for (size_t i = 0; i < count; i++) {
        block[i] = text;
        text = stpcpy(text, i < first_count ? first[i] : second[i - first_count]) + 1;
    }
    block[count] = NULL;
    return block;
}

static enum willow_status no_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

static enum willow_status take_program(const struct raw_engine *raw, struct engine *engine, const char *file,
                                       struct willow_error *error)
{
    char path[MATCH_PATH], **words = NULL;
    size_t count = 0;
    struct willow_error cause;

    if (raw->command == NULL)
        return willow_fail(error, WILLOW_ERR_FORMAT, file, engine->name, "a protocol needs a command");
    const enum willow_status split = willow_command_split(raw->command, &words, &cause);
    if (split != WILLOW_OK)
        return willow_fail(error, split, file, engine->name, "command: %s", cause.reason);
    while (words[count] != NULL)
        count++;
    engine->command = copy_texts(words, count, raw->arguments, raw->arguments_count);
    free(words);
    if (engine->command == NULL)
        return no_memory(error);
    if (raw->setup_count > 0 && (engine->setup = copy_texts(raw->setup, raw->setup_count, NULL, 0)) == NULL)
        return no_memory(error);
    if (raw->folder == NULL)
        return WILLOW_OK;
    const enum willow_status status = place(file, raw->folder, path, "folder", error);
    if (status == WILLOW_OK && (engine->folder = realpath(path, NULL)) == NULL)
        return willow_fail_errno(error, path, "find the folder", errno);
    return status;
}

static enum willow_status take_kind(const struct raw_engine *raw, struct engine *engine, const char *file,
                                    struct willow_error *error)
{
    char path[MATCH_PATH];

    if (raw->protocol == NULL) {
        if (raw->command != NULL || raw->arguments_count > 0 || raw->setup_count > 0 || raw->folder != NULL)
            return willow_fail(error, WILLOW_ERR_FORMAT, file, engine->name,
                               "command, arguments, setup and folder need a protocol: gtp or nboard");
        const char *weights = raw->weights != NULL ? raw->weights : "default";
        const bool word = strcmp(weights, "default") == 0 || strcmp(weights, "zero") == 0;
        const enum willow_status status = word ? WILLOW_OK : place(file, weights, path, "weights", error);
        if (status != WILLOW_OK)
            return status;
        engine->weights_name = strdup(word ? weights : path);
        return engine->weights_name != NULL ? WILLOW_OK : no_memory(error);
    }
    if (strcmp(raw->protocol, "gtp") == 0)
        engine->kind = ENGINE_GTP;
    else if (strcmp(raw->protocol, "nboard") == 0)
        engine->kind = ENGINE_NBOARD;
    else
        return willow_fail(error, WILLOW_ERR_FORMAT, file, engine->name, "protocol '%s': neither gtp nor nboard",
                           raw->protocol);
    if (raw->weights != NULL)
        return willow_fail(error, WILLOW_ERR_FORMAT, file, engine->name, "weights or a protocol, not both");
    return take_program(raw, engine, file, error);
}

static enum willow_status make_engine(const struct raw_engine *raw, struct engine *engine, const char *file,
                                      struct willow_error *error)
{
    *engine = (struct engine){.withdrawn = raw->withdrawn != NULL && *raw->withdrawn};
    snprintf(engine->name, sizeof engine->name, "%s", raw->name);
    const struct whole wholes[] = {{engine->name, raw->depth, 1, WILLOW_SQUARES - 4, &engine->depth},
                                   {engine->name, raw->exact, 1, WILLOW_SQUARES - 4, &engine->exact},
                                   {engine->name, raw->selectivity, 73, 100, &engine->selectivity},
                                   {engine->name, raw->level, 1, 30, &engine->level}};
    const struct large nodes = {engine->name, raw->nodes, 1, INT64_MAX, &engine->nodes};

    enum willow_status status = take_kind(raw, engine, file, error);
    if (status == WILLOW_OK)
        status = take_wholes(wholes, sizeof wholes / sizeof *wholes, file, error);
    if (status == WILLOW_OK)
        status = take_larges(&nodes, 1, file, error);
    if (status == WILLOW_OK)
        status = take_seconds(raw->time, &engine->time_ms, file, engine->name, error);
    if (status == WILLOW_OK)
        status = take_clock(raw->clock, &engine->clock, &engine->has_clock, file, engine->name, error);
    return status;
}

enum willow_status match_file_engine(const struct match_file *file, const char *name, struct engine *engine,
                                     bool *found, struct willow_error *error)
{
    *found = false;
    for (unsigned i = 0; file != NULL && i < file->raw->engines_count; i++) {
        struct willow_error cause;

        if (strcmp(file->raw->engines[i].name, name) != 0)
            continue;
        *found = true;
        const enum willow_status status = make_engine(&file->raw->engines[i], engine, file->name, error);
        if (status != WILLOW_OK)
            return status;
        return engine_check(engine, &cause) == WILLOW_OK
                   ? WILLOW_OK
                   : willow_fail(error, WILLOW_ERR_FORMAT, file->name, NULL, "%s", cause.reason);
    }
    return WILLOW_OK;
}
