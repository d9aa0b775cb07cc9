/* Writes the settings of `willow match` as a configuration file, with every engine's limits in full.
 * Layer: selfplay (program).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>

#include "match_command.h"
#include "match_file.h"

static enum willow_status put_text(FILE *stream, const char *key, const char *text, struct willow_error *error)
{
    if (!willow_config_text_valid(text))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, text, NULL, "the settings of a match cannot hold this text");
    fputs(key, stream);
    willow_json_string(stream, text);
    fputc('\n', stream);
    return WILLOW_OK;
}

/* The settings are kept elsewhere: names that begin at the present folder would lead nowhere. */
static enum willow_status put_path(FILE *stream, const char *key, const char *path, struct willow_error *error)
{
    char *full = realpath(path, NULL);

    if (full == NULL)
        return willow_fail_errno(error, path, "find the file", errno);
    const enum willow_status status = put_text(stream, key, full, error);
    free(full);
    return status;
}

static enum willow_status put_texts(FILE *stream, const char *key, char *const *texts, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;

    if (texts == NULL || texts[0] == NULL)
        return WILLOW_OK;
    fprintf(stream, "    %s:\n", key);
    for (; *texts != NULL && status == WILLOW_OK; texts++)
        status = put_text(stream, "      - ", *texts, error);
    return status;
}

static void put_seconds(FILE *stream, const char *key, uint64_t ms)
{
    fprintf(stream, "%s: %" PRIu64 ".%03u\n", key, ms / 1000, (unsigned)(ms % 1000));
}

/* Keys of limits; 0 = not said. */
static void put_limits(FILE *stream, const char *before, const struct match_limits *limits)
{
    const struct {
        const char *key;
        uint64_t value;
    } keys[] = {{"level", (uint64_t)limits->level},
                {"depth", (uint64_t)limits->depth},
                {"exact", (uint64_t)limits->exact},
                {"selectivity", (uint64_t)limits->selectivity},
                {"nodes", limits->nodes}};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].value != 0)
            fprintf(stream, "%s%s: %" PRIu64 "\n", before, keys[i].key, keys[i].value);
    fputs(limits->time_ms != 0 ? before : "", stream);
    if (limits->time_ms != 0)
        put_seconds(stream, "time", limits->time_ms);
}

/* The program as the one word of its command line, which may hold blanks and quotes. */
static enum willow_status put_command(FILE *stream, const struct engine *engine, struct willow_error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+";
    const char *program = engine->command[0];

    if (program[strspn(program, plain)] == '\0') {
        const enum willow_status status = put_text(stream, "    command: ", program, error);
        return status == WILLOW_OK ? put_texts(stream, "arguments", engine->command + 1, error) : status;
    }
    char *quoted = malloc(4 * strlen(program) + 3), *to = quoted;

    if (quoted == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    *to++ = '\'';
    for (; *program; program++)
        to = *program == '\'' ? stpcpy(to, "'\\''") : (*to = *program, to + 1);
    (void)stpcpy(to, "'");
    enum willow_status status = put_text(stream, "    command: ", quoted, error);
    free(quoted);
    if (status == WILLOW_OK)
        status = put_texts(stream, "arguments", engine->command + 1, error);
    return status;
}

static enum willow_status put_engine(FILE *stream, const struct engine *engine, struct willow_error *error)
{
    const struct match_limits limits = {.depth = engine->depth,
                                        .exact = engine->exact,
                                        .selectivity = engine->selectivity,
                                        .level = engine->level,
                                        .nodes = engine->nodes,
                                        .time_ms = engine->time_ms};
    char clock[WILLOW_TIME_CONTROL_TEXT];

    enum willow_status status = put_text(stream, "  - name: ", engine->name, error);
    if (status == WILLOW_OK && engine->kind == ENGINE_BUILTIN) {
        const char *weights = engine->weights_name;
        const bool word = strcmp(weights, "default") == 0 || strcmp(weights, "zero") == 0;

        status = word ? put_text(stream, "    weights: ", weights, error)
                      : put_path(stream, "    weights: ", weights, error);
    } else if (status == WILLOW_OK) {
        fprintf(stream, "    protocol: %s\n", engine->kind == ENGINE_GTP ? "gtp" : "nboard");
        status = put_command(stream, engine, error);
        if (status == WILLOW_OK && engine->folder != NULL)
            status = put_text(stream, "    folder: ", engine->folder, error);
        if (status == WILLOW_OK)
            status = put_texts(stream, "setup", engine->setup, error);
    }
    put_limits(stream, "    ", &limits);
    if (engine->has_clock)
        fprintf(stream, "    clock: \"%s\"\n", willow_time_control_format(&engine->clock, clock));
    if (engine->withdrawn)
        fputs("    withdrawn: true\n", stream);
    return status;
}

static enum willow_status put_openings(FILE *stream, const struct match_command *command, struct willow_error *error)
{
    fprintf(stream, "seed: %" PRIu64 "\n", command->seed);
    if (command->list[0] != '\0')
        return put_path(stream, "openings: ", command->list, error);
    fprintf(stream, "opening: %d\n", command->opening_plies);
    if (command->balance_discs != MATCH_BALANCE_DEFAULT)
        fprintf(stream, "balance: %d\n", command->balance_discs);
    return WILLOW_OK;
}

static enum willow_status put_match(FILE *stream, const struct match_command *command, struct willow_error *error)
{
    char clock[WILLOW_TIME_CONTROL_TEXT];

    fputs("# The settings of a match: `willow match --config THIS --out DIR` takes them as they stand.\nengines:\n",
          stream);
    for (int i = 0; i < command->players; i++) {
        const enum willow_status status = put_engine(stream, &command->engines[i], error);
        if (status != WILLOW_OK)
            return status;
    }
    fprintf(stream, "ruleset: \"%s\"\n", command->ruleset->name);
    fprintf(stream, "format: %s\npairs: %zu\n", match_format_name(command->format), command->pairs);
    put_limits(stream, "", &command->limits);
    if (command->has_clock)
        fprintf(stream, "clock: \"%s\"\n", willow_time_control_format(&command->clock, clock));
    const enum willow_status status = put_openings(stream, command, error);
    if (status != WILLOW_OK)
        return status;
    fprintf(stream, "hash: %zu\nthreads: %d\n", command->hash_mb, command->threads);
    put_seconds(stream, "move_limit", command->move_limit_ms);
    put_seconds(stream, "start_limit", command->start_limit_ms);
    fprintf(stream, "withdraw_after: %" PRIu64 "\n", command->withdraw_after);
    if (command->has_sprt)
        fprintf(stream, "sprt: {nelo0: %.17g, nelo1: %.17g, alpha: %.17g, beta: %.17g}\n", command->sprt.nelo0,
                command->sprt.nelo1, command->sprt.alpha, command->sprt.beta);
    return put_text(stream, "anchor: ", command->engines[command->anchor].name, error);
}

enum willow_status match_yaml_make(const struct match_command *command, char **text, struct willow_error *error)
{
    size_t size;
    FILE *stream = open_memstream(text, &size);
    enum willow_status status = WILLOW_OK;

    if (stream == NULL) {
        *text = NULL;
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    status = put_match(stream, command, error);
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0)
        failed = true;
    if (status == WILLOW_OK && failed)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (status != WILLOW_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
