/* The configuration file of `willow selfplay run`: its keys and what they set. Layer: selfplay (program). */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/program.h>

#include "run_command.h"
#include "tools/target.h"

/* A configuration file as libcyaml loads it; null = the key is not there. */
struct run_file {
    uint64_t *games, *seed, *shard_games;
    int64_t *depth, *exact, *selectivity, *opening_min, *opening_max, *opening_plies, *noise_plies, *positions, *tail;
    int64_t *hash, *threads;
    double *opening_balance, *noise, *random_move, *pool_share, *keep, *opening_shares;
    char *opening, *openings, *openings_checksum, *plies, *label, *policy, *weights, *weights_checksum, *ruleset;
    char *layout, *out, **pool, **pool_checksums;
    unsigned opening_shares_count, pool_count, pool_checksums_count;
};

#define UNSIGNED(key) CYAML_FIELD_UINT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define SIGNED(key) CYAML_FIELD_INT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define REAL(key) CYAML_FIELD_FLOAT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key)
#define TEXT(key)                                                                                                      \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key, 0, RUN_NAME_MAX - 1)
#define SEQUENCE(key, entry, most)                                                                                     \
    CYAML_FIELD_SEQUENCE_COUNT(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct run_file, key, key##_count,      \
                               entry, 0, most)

static const cyaml_schema_value_t share_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t name_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, RUN_NAME_MAX - 1)};

static const cyaml_schema_field_t file_fields[] = {UNSIGNED(games),
                                                   UNSIGNED(seed),
                                                   UNSIGNED(shard_games),
                                                   SIGNED(depth),
                                                   SIGNED(exact),
                                                   SIGNED(selectivity),
                                                   SIGNED(hash),
                                                   TEXT(opening),
                                                   SIGNED(opening_min),
                                                   SIGNED(opening_max),
                                                   SEQUENCE(opening_shares, &share_schema, OPENINGS_SHARES),
                                                   REAL(opening_balance),
                                                   SIGNED(opening_plies),
                                                   TEXT(openings),
                                                   TEXT(openings_checksum),
                                                   REAL(noise),
                                                   SIGNED(noise_plies),
                                                   REAL(random_move),
                                                   SEQUENCE(pool, &name_schema, RUN_POOL_MAX),
                                                   SEQUENCE(pool_checksums, &name_schema, RUN_POOL_MAX),
                                                   REAL(pool_share),
                                                   TEXT(plies),
                                                   REAL(keep),
                                                   SIGNED(positions),
                                                   TEXT(label),
                                                   SIGNED(tail),
                                                   TEXT(policy),
                                                   TEXT(weights),
                                                   TEXT(weights_checksum),
                                                   TEXT(ruleset),
                                                   SIGNED(threads),
                                                   TEXT(layout),
                                                   TEXT(out),
                                                   CYAML_FIELD_END};

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

static enum willow_status take_integers(const struct run_file *file, struct run_command *command, const char *name,
                                        struct willow_error *error)
{
    struct run_config *config = &command->config;
    const struct integer_key keys[] = {{"depth", file->depth, &config->depth},
                                       {"exact", file->exact, &config->exact},
                                       {"selectivity", file->selectivity, &config->selectivity},
                                       {"hash", file->hash, &config->hash_mb},
                                       {"opening_min", file->opening_min, &config->opening_min},
                                       {"opening_max", file->opening_max, &config->opening_max},
                                       {"opening_plies", file->opening_plies, &config->opening_plies},
                                       {"noise_plies", file->noise_plies, &config->noise_plies},
                                       {"positions", file->positions, &config->positions},
                                       {"tail", file->tail, &config->tail},
                                       {"threads", file->threads, &command->threads}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!keys[i].from)
            continue;
        if (*keys[i].from < INT32_MIN || *keys[i].from > INT32_MAX)
            return bad_key(name, keys[i].name, "out of range", error);
        *keys[i].to = (int)*keys[i].from;
    }
    if (file->threads && (command->threads < 1 || command->threads > RUN_THREADS_MAX))
        return bad_key(name, "threads", "must be 1 .. 256", error);
    return WILLOW_OK;
}

static void take_numbers(const struct run_file *file, struct run_config *config)
{
    const struct {
        const uint64_t *from;
        uint64_t *to;
    } wholes[] = {
        {file->games, &config->games}, {file->seed, &config->seed}, {file->shard_games, &config->shard_games}};
    const struct {
        const double *from;
        double *to;
    } reals[] = {{file->opening_balance, &config->opening_balance},
                 {file->noise, &config->noise},
                 {file->random_move, &config->random_move},
                 {file->pool_share, &config->pool_share},
                 {file->keep, &config->keep}};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (wholes[i].from)
            *wholes[i].to = *wholes[i].from;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (reals[i].from)
            *reals[i].to = *reals[i].from;
}

/* The schema bounds the length. */
static enum willow_status take_name(const char *from, char to[RUN_NAME_MAX], const char *file, const char *key,
                                    struct willow_error *error)
{
    if (from && !willow_config_text_valid(from))
        return bad_key(file, key, "a name with a character that no configuration can hold", error);
    if (from)
        (void)snprintf(to, RUN_NAME_MAX, "%s", from);
    return WILLOW_OK;
}

static enum willow_status take_checksum(const char *from, char to[WILLOW_CHECKSUM_TEXT], const char *file,
                                        const char *key, struct willow_error *error)
{
    if (from && from[0] && strspn(from, "0123456789abcdef") != WILLOW_CHECKSUM_TEXT - 1)
        return bad_key(file, key, "not a checksum", error);
    if (from && strlen(from) >= WILLOW_CHECKSUM_TEXT)
        return bad_key(file, key, "not a checksum", error);
    if (from)
        (void)snprintf(to, WILLOW_CHECKSUM_TEXT, "%s", from);
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
    if (file->layout && !target_layout_find(file->layout, &command->layout))
        return bad_key(name, "layout", "neither compact nor plies", error);
    if (file->plies && !willow_parse_range(file->plies, 0, RUN_PLIES_MAX, &config->ply_min, &config->ply_max))
        return willow_fail(error, WILLOW_ERR_FORMAT, name, "plies", "must be A-B with 0 <= A <= B <= %d",
                           (int)RUN_PLIES_MAX);
    if (file->out)
        (void)snprintf(command->out, sizeof command->out, "%s", file->out);
    enum willow_status status = take_name(file->weights, config->weights, name, "weights", error);
    return status ? status
                  : take_checksum(file->weights_checksum, config->weights_checksum, name, "weights_checksum", error);
}

/* The kind of opening is what the key `opening` says, or what the others are about. */
static enum willow_status take_kind(const struct run_file *file, struct run_config *config, const char *name,
                                    struct willow_error *error)
{
    const struct {
        const char *key;
        bool there;
        enum openings_kind kind;
    } keys[] = {{"opening_min", file->opening_min, OPENINGS_RANDOM},
                {"opening_max", file->opening_max, OPENINGS_RANDOM},
                {"opening_shares", file->opening_shares, OPENINGS_RANDOM},
                {"opening_balance", file->opening_balance, OPENINGS_RANDOM},
                {"opening_plies", file->opening_plies, OPENINGS_ALL},
                {"openings", file->openings, OPENINGS_LIST},
                {"openings_checksum", file->openings_checksum, OPENINGS_LIST}};
    const char *first = file->opening ? "opening" : NULL;
    if (file->opening && !run_opening_find(file->opening, &config->opening))
        return bad_key(name, "opening", "neither random, all nor list", error);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!keys[i].there)
            continue;
        if (first && keys[i].kind != config->opening)
            return willow_fail(error, WILLOW_ERR_FORMAT, name, keys[i].key, "of another kind of opening than '%s'",
                               first);
        first = first ? first : keys[i].key;
        config->opening = keys[i].kind;
    }
    if (config->opening == OPENINGS_ALL && !file->opening_plies)
        return bad_key(name, "opening_plies", "is missing: all positions after how many plies?", error);
    enum willow_status status = take_name(file->openings, config->opening_list, name, "openings", error);
    return status ? status
                  : take_checksum(file->openings_checksum, config->opening_checksum, name, "openings_checksum", error);
}

static enum willow_status take_pool(const struct run_file *file, struct run_config *config, const char *name,
                                    struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    if (file->pool_checksums_count > 0 && file->pool_checksums_count != file->pool_count)
        return bad_key(name, "pool_checksums", "as many as files in the pool are expected", error);
    for (unsigned i = 0; !status && i < file->pool_count; i++)
        status = take_name(file->pool[i], config->pool[i], name, "pool", error);
    for (unsigned i = 0; !status && i < file->pool_checksums_count; i++)
        status = take_checksum(file->pool_checksums[i], config->pool_checksums[i], name, "pool_checksums", error);
    config->pool_count = (int)file->pool_count;
    return status;
}

/* Options are named with hyphens, keys with underscores. */
static enum willow_status fail_key(const char *name, struct willow_error *fault, struct willow_error *error)
{
    for (char *at = strchr(fault->file, '-'); at; at = strchr(at, '-'))
        *at = '_';
    return bad_key(name, fault->file, fault->reason, error);
}

/* The command line's name takes the place of the file's. What the other keys leave open follows from it. */
static enum willow_status take_ruleset(const struct run_file *file, struct run_config *config, const char *name,
                                       struct willow_error *error)
{
    struct willow_error fault;
    const bool told = config->ruleset[0] != '\0';
    if (file->ruleset && strlen(file->ruleset) >= sizeof config->ruleset)
        return bad_key(name, "ruleset", "no ruleset has so long a name", error);
    if (file->ruleset && !told)
        (void)snprintf(config->ruleset, sizeof config->ruleset, "%s", file->ruleset);
    if (run_config_scale(config, &fault) == WILLOW_OK)
        return WILLOW_OK;
    return told ? willow_fail(error, WILLOW_ERR_ARGUMENT, "--ruleset", NULL, "%s", fault.reason)
                : bad_key(name, fault.file, fault.reason, error);
}

static enum willow_status take_file(const struct run_file *file, struct run_command *command, const char *name,
                                    struct willow_error *error)
{
    struct run_config *config = &command->config;
    struct willow_error fault;
    take_numbers(file, config);
    enum willow_status status = take_ruleset(file, config, name, error);
    if (!status)
        status = take_integers(file, command, name, error);
    if (!status)
        status = take_kind(file, config, name, error);
    if (!status)
        status = take_pool(file, config, name, error);
    if (!status)
        status = take_texts(file, command, name, error);
    if (!status && run_config_check(config, &fault) != WILLOW_OK)
        status = fail_key(name, &fault, error);
    if (!status && file->opening_shares &&
        run_config_set_shares(config, file->opening_shares, file->opening_shares_count, &fault) != WILLOW_OK)
        status = fail_key(name, &fault, error);
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
