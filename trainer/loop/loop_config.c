/* Reads the loop's YAML through a libcyaml schema, and frees what came of it.
 * Layer: trainer (program). Defaults and checks are in loop_config_resolve.c.
 */
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/program.h>

#include "loop_config_raw.h"

#define OPTIONAL (CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER)
#define INTEGER(type, name) CYAML_FIELD_INT_PTR(#name, OPTIONAL, type, name)
#define REAL(type, name) CYAML_FIELD_FLOAT_PTR(#name, OPTIONAL, type, name)
#define TEXT(type, name) CYAML_FIELD_STRING_PTR(#name, OPTIONAL, type, name, 1, 4096)
#define TRUTH(type, name) CYAML_FIELD_BOOL_PTR(#name, OPTIONAL, type, name)
#define MAPPING(type, name, fields) CYAML_FIELD_MAPPING_PTR(#name, OPTIONAL, type, name, fields)
#define FIT_NUMBER(name, index) CYAML_FIELD_FLOAT_PTR(name, OPTIONAL, struct raw_fit, number[index])

static const cyaml_schema_field_t fit_fields[] = {FIT_NUMBER("iterations", LOOP_FIT_ITERATIONS),
                                                  FIT_NUMBER("prior", LOOP_FIT_PRIOR),
                                                  FIT_NUMBER("window", LOOP_FIT_WINDOW),
                                                  FIT_NUMBER("backoff", LOOP_FIT_BACKOFF),
                                                  FIT_NUMBER("backoff_prior", LOOP_FIT_BACKOFF_PRIOR),
                                                  FIT_NUMBER("tolerance", LOOP_FIT_TOLERANCE),
                                                  FIT_NUMBER("patience", LOOP_FIT_PATIENCE),
                                                  FIT_NUMBER("clip", LOOP_FIT_CLIP),
                                                  FIT_NUMBER("rate", LOOP_FIT_RATE),
                                                  FIT_NUMBER("random_distance", LOOP_FIT_RANDOM_DISTANCE),
                                                  FIT_NUMBER("held_out", LOOP_FIT_HELD_OUT),
                                                  TEXT(struct raw_fit, start),
                                                  TEXT(struct raw_fit, solver),
                                                  CYAML_FIELD_END};

static const cyaml_schema_field_t probcut_fields[] = {INTEGER(struct raw_probcut, positions),
                                                      INTEGER(struct raw_probcut, depth),
                                                      INTEGER(struct raw_probcut, exact), CYAML_FIELD_END};

/* What both kinds of generations have. */
#define GENERATION_FIELDS                                                                                              \
    INTEGER(struct raw_generation, games), INTEGER(struct raw_generation, depth),                                      \
        INTEGER(struct raw_generation, exact), INTEGER(struct raw_generation, selectivity),                            \
        TEXT(struct raw_generation, opening), TEXT(struct raw_generation, openings),                                   \
        REAL(struct raw_generation, noise), INTEGER(struct raw_generation, noise_plies),                               \
        REAL(struct raw_generation, random_move), REAL(struct raw_generation, keep),                                   \
        INTEGER(struct raw_generation, label_depth), INTEGER(struct raw_generation, label_exact),                      \
        INTEGER(struct raw_generation, label_selectivity), INTEGER(struct raw_generation, limit),                      \
        MAPPING(struct raw_generation, fit, fit_fields), MAPPING(struct raw_generation, probcut, probcut_fields)

static const cyaml_schema_field_t backward_fields[] = {GENERATION_FIELDS, TEXT(struct raw_generation, policy),
                                                       CYAML_FIELD_END};
static const cyaml_schema_field_t selfplay_fields[] = {GENERATION_FIELDS, REAL(struct raw_generation, result_weight),
                                                       INTEGER(struct raw_generation, window),
                                                       TEXT(struct raw_generation, from), CYAML_FIELD_END};

#define MATCH_FIELDS                                                                                                   \
    INTEGER(struct raw_match, pairs), INTEGER(struct raw_match, depth), INTEGER(struct raw_match, exact),              \
        INTEGER(struct raw_match, selectivity)

static const cyaml_schema_field_t final_fields[] = {MATCH_FIELDS, CYAML_FIELD_END};
static const cyaml_schema_field_t gate_fields[] = {MATCH_FIELDS,
                                                   REAL(struct raw_match, nelo0),
                                                   REAL(struct raw_match, nelo1),
                                                   REAL(struct raw_match, alpha),
                                                   REAL(struct raw_match, beta),
                                                   CYAML_FIELD_END};

static const cyaml_schema_field_t opponent_fields[] = {TEXT(struct raw_opponent, name),
                                                       TEXT(struct raw_opponent, weights), CYAML_FIELD_END};
static const cyaml_schema_value_t opponent_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_opponent, opponent_fields)};
static const cyaml_schema_field_t ladder_fields[] = {
    MATCH_FIELDS, TRUTH(struct raw_match, rejected), TEXT(struct raw_match, anchor),
    CYAML_FIELD_SEQUENCE("opponents", OPTIONAL, struct raw_match, opponents, &opponent_schema, 0, LOOP_OPPONENTS_MAX),
    CYAML_FIELD_END};

static const cyaml_schema_field_t limits_fields[] = {REAL(struct raw_limits, disk_gb), REAL(struct raw_limits, hours),
                                                     CYAML_FIELD_END};

static const cyaml_schema_value_t backward_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_generation, backward_fields)};
static const cyaml_schema_value_t selfplay_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_generation, selfplay_fields)};
static const cyaml_schema_value_t path_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 4096)};

static const cyaml_schema_field_t config_fields[] = {
    INTEGER(struct raw_config, seed),
    TEXT(struct raw_config, ruleset),
    TEXT(struct raw_config, patterns),
    INTEGER(struct raw_config, stages),
    TEXT(struct raw_config, start),
    TRUTH(struct raw_config, keep_data),
    MAPPING(struct raw_config, fit, fit_fields),
    MAPPING(struct raw_config, probcut, probcut_fields),
    MAPPING(struct raw_config, every_backward, backward_fields),
    MAPPING(struct raw_config, every_generation, selfplay_fields),
    CYAML_FIELD_SEQUENCE("backward", OPTIONAL, struct raw_config, backward, &backward_schema, 0, LOOP_GENERATIONS_MAX),
    CYAML_FIELD_SEQUENCE("generations", OPTIONAL, struct raw_config, generations, &selfplay_schema, 0,
                         LOOP_GENERATIONS_MAX),
    MAPPING(struct raw_config, gate, gate_fields),
    MAPPING(struct raw_config, ladder, ladder_fields),
    MAPPING(struct raw_config, final, final_fields),
    MAPPING(struct raw_config, budget, limits_fields),
    CYAML_FIELD_SEQUENCE("yardsticks", OPTIONAL, struct raw_config, yardsticks, &path_schema, 0, LOOP_YARDSTICKS_MAX),
    CYAML_FIELD_END};

static const cyaml_schema_value_t config_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_config, config_fields)};

enum willow_status loop_config_load(const char *path, const char *ruleset, struct loop_config *config,
                                    struct willow_error *error)
{
    void *raw = NULL;

    *config = (struct loop_config){.start = LOOP_NO_INPUT};
    enum willow_status status = willow_config_load(path, &config_schema, &raw, error);
    if (status == WILLOW_OK)
        status = loop_config_resolve(path, raw, ruleset, config, error);
    willow_config_free(&config_schema, raw);
    return status;
}

void loop_config_clear(struct loop_config *config)
{
    free(config->patterns);
    for (int i = 0; i < config->inputs; i++)
        free(config->input[i]);
    *config = (struct loop_config){.start = LOOP_NO_INPUT};
}

int loop_config_plies(const struct loop_config *config)
{
    return willow_ruleset_squares(config->ruleset) - 4;
}

const char *loop_config_input_name(const struct loop_config *config, int input)
{
    return strrchr(config->input[input], '/') + 1;
}
