/* The configuration file of `willow selfplay run`: its keys and what they set. Layer: selfplay (program). */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/program.h>

#include "run_command.h"

/* A configuration file as libcyaml loads it; null = the key is not there. */
struct run_file {
    uint64_t *games, *seed, *shard_games;
    int64_t *depth, *exact, *opening_min, *opening_max, *noise_plies, *hash, *threads;
    double *noise, *random_move, *keep;
    char *label, *policy, *weights, *weights_checksum, *ruleset, *out;
};

#define UNSIGNED(key) CYAML_FIELD_UINT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define SIGNED(key) CYAML_FIELD_INT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define REAL(key) CYAML_FIELD_FLOAT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define TEXT(key)                                                                                                      \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key, 0, RUN_NAME_MAX - 1)

static const cyaml_schema_field_t file_fields[] = {
    UNSIGNED(games), UNSIGNED(seed),      UNSIGNED(shard_games),  SIGNED(depth),
    SIGNED(exact),   SIGNED(opening_min), SIGNED(hash),           SIGNED(opening_max),
    REAL(noise),     SIGNED(noise_plies), REAL(random_move),      REAL(keep),
    TEXT(label),     TEXT(policy),        TEXT(weights),          SIGNED(threads),
    TEXT(ruleset),   TEXT(out),           TEXT(weights_checksum), CYAML_FIELD_END};

static const cyaml_schema_value_t file_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct run_file, file_fields)};

static enum willow_status bad_key(const char *file, const char *key, const char *what, struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_FORMAT, file, key, "%s", what);
}

struct integer_key {
    const char *name;
    const int64_t *from;
    int *to;
};

static enum willow_status take_integers(const struct integer_key *keys, size_t count, const char *name,
                                        struct willow_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!keys[i].from)
            continue;
        if (*keys[i].from < INT32_MIN || *keys[i].from > INT32_MAX)
            return bad_key(name, keys[i].name, "out of range", error);
        *keys[i].to = (int)*keys[i].from;
    }
    return WILLOW_OK;
}

static enum willow_status take_texts(const struct run_file *file, struct run_command *command, const char *name,
                                     struct willow_error *error)
{
    struct run_config *config = &command->config;
    if (file->label && !run_label_find(file->label, &config->label))
        return bad_key(name, "label", "neither search nor none", error);
    if (file->policy && !run_policy_find(file->policy, &config->policy))
        return bad_key(name, "policy", "neither search nor mobility", error);
    if (file->weights_checksum && strlen(file->weights_checksum) >= sizeof config->weights_checksum)
        return bad_key(name, "weights_checksum", "not a checksum", error);
    if (file->ruleset && strlen(file->ruleset) >= sizeof config->ruleset)
        return bad_key(name, "ruleset", "no ruleset has so long a name", error);
    /* The schema bounds the length of the others. */
    if (file->weights)
        (void)snprintf(config->weights, sizeof config->weights, "%s", file->weights);
    if (file->weights_checksum)
        (void)snprintf(config->weights_checksum, sizeof config->weights_checksum, "%s", file->weights_checksum);
    if (file->ruleset)
        (void)snprintf(config->ruleset, sizeof config->ruleset, "%s", file->ruleset);
    if (file->out)
        (void)snprintf(command->out, sizeof command->out, "%s", file->out);
    return WILLOW_OK;
}

static enum willow_status take_file(const struct run_file *file, struct run_command *command, const char *name,
                                    struct willow_error *error)
{
    struct run_config *config = &command->config;
    const struct integer_key integers[] = {{"depth", file->depth, &config->depth},
                                           {"exact", file->exact, &config->exact},
                                           {"opening_min", file->opening_min, &config->opening_min},
                                           {"opening_max", file->opening_max, &config->opening_max},
                                           {"noise_plies", file->noise_plies, &config->noise_plies},
                                           {"hash", file->hash, &config->hash_mb},
                                           {"threads", file->threads, &command->threads}};
    if (file->games)
        config->games = *file->games;
    if (file->seed)
        config->seed = *file->seed;
    if (file->shard_games)
        config->shard_games = *file->shard_games;
    if (file->noise)
        config->noise = *file->noise;
    if (file->random_move)
        config->random_move = *file->random_move;
    if (file->keep)
        config->keep = *file->keep;
    enum willow_status status = take_integers(integers, sizeof integers / sizeof *integers, name, error);
    if (!status && (command->threads < 1 || command->threads > RUN_THREADS_MAX))
        status = bad_key(name, "threads", "must be 1 .. 256", error);
    if (!status)
        status = take_texts(file, command, name, error);
    struct willow_error fault;
    if (!status && run_config_check(config, &fault) != WILLOW_OK)
        status = bad_key(name, fault.file, fault.reason, error);
    return status;
}

enum willow_status run_file_load(struct run_command *command, const char *name, struct willow_error *error)
{
    void *file = NULL;
    enum willow_status status = willow_config_load(name, &file_schema, &file, error);
    if (!status)
        status = take_file(file, command, name, error);
    willow_config_free(&file_schema, file);
    return status;
}
