/* Reads the JSON of `train fit`, `match` and `solve` by libcyaml (JSON is YAML), ignoring keys that are not needed.
 * Layer: trainer (program).
 */
#include "loop_results.h"

#include <math.h>
#include <stdlib.h>

#include <cyaml/cyaml.h>

#include <willow/file.h>

enum { RESULT_BYTES_MAX = 1 << 20 };

struct raw_fit_stage {
    int stage;
    uint64_t rows, held_out_rows;
    double *held_out;
};

struct raw_fit {
    struct raw_fit_stage *stages;
    unsigned stages_count;
};

struct raw_yardstick {
    double *error, *best;
};

#define WANTED CYAML_FLAG_DEFAULT
#define NULLABLE (CYAML_FLAG_POINTER_NULL_STR | CYAML_FLAG_OPTIONAL)

static const cyaml_schema_field_t fit_stage_fields[] = {
    CYAML_FIELD_INT("stage", WANTED, struct raw_fit_stage, stage),
    CYAML_FIELD_UINT("rows", WANTED, struct raw_fit_stage, rows),
    CYAML_FIELD_UINT("held_out_rows", WANTED, struct raw_fit_stage, held_out_rows),
    CYAML_FIELD_FLOAT_PTR("held_out_mae", NULLABLE, struct raw_fit_stage, held_out), CYAML_FIELD_END};
static const cyaml_schema_value_t fit_stage_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_fit_stage, fit_stage_fields)};
static const cyaml_schema_field_t fit_fields[] = {
    CYAML_FIELD_SEQUENCE("stages", CYAML_FLAG_POINTER, struct raw_fit, stages, &fit_stage_schema, 0, WILLOW_STAGES_MAX),
    CYAML_FIELD_END};
static const cyaml_schema_value_t fit_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_fit, fit_fields)};

#define MATCH_COUNT(name) CYAML_FIELD_UINT(#name, WANTED, struct report_match, name)
#define MATCH_REAL(name) CYAML_FIELD_FLOAT(#name, WANTED, struct report_match, name)
static const cyaml_schema_field_t match_fields[] = {
    MATCH_COUNT(wins),      MATCH_COUNT(draws),     MATCH_COUNT(losses), MATCH_REAL(score),    MATCH_REAL(score_low),
    MATCH_REAL(score_high), MATCH_REAL(elo),        MATCH_REAL(elo_low), MATCH_REAL(elo_high), MATCH_REAL(discs),
    MATCH_REAL(discs_low),  MATCH_REAL(discs_high), CYAML_FIELD_END};
static const cyaml_schema_value_t match_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct report_match, match_fields)};

static const cyaml_schema_field_t yardstick_fields[] = {
    CYAML_FIELD_FLOAT_PTR("mean_absolute_error", NULLABLE, struct raw_yardstick, error),
    CYAML_FIELD_FLOAT_PTR("best_move", NULLABLE, struct raw_yardstick, best), CYAML_FIELD_END};
static const cyaml_schema_value_t yardstick_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_yardstick, yardstick_fields)};

static const cyaml_config_t reading = {
    .mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR, .flags = CYAML_CFG_IGNORE_UNKNOWN_KEYS | CYAML_CFG_NO_ALIAS};

static enum willow_status read_json(const char *path, const cyaml_schema_value_t *schema, void **value,
                                    struct willow_error *error)
{
    unsigned char *data = NULL;
    size_t size = 0;
    enum willow_status status = willow_file_read(path, RESULT_BYTES_MAX, &data, &size, error);

    *value = NULL;
    if (status != WILLOW_OK)
        return status;
    const cyaml_err_t result = cyaml_load_data(data, size, &reading, schema, value, NULL);
    if (result != CYAML_OK)
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "not the result that is expected here: %s",
                             cyaml_strerror(result));
    free(data);
    return status;
}

static void release(const cyaml_schema_value_t *schema, void *value)
{
    if (value != NULL)
        (void)cyaml_free(&reading, schema, value, 0);
}

enum willow_status results_read_fit(const char *path, struct fit_results *fit, struct willow_error *error)
{
    void *value;
    const enum willow_status status = read_json(path, &fit_schema, &value, error);

    *fit = (struct fit_results){0};
    if (status != WILLOW_OK)
        return status;
    const struct raw_fit *raw = value;
    enum willow_status result = WILLOW_OK;
    for (unsigned i = 0; i < raw->stages_count; i++) {
        const struct raw_fit_stage *stage = &raw->stages[i];

        if (stage->stage < 0 || stage->stage >= WILLOW_STAGES_MAX)
            result = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "stage %d does not exist", stage->stage);
        fit->stages[i].stage = stage->stage;
        fit->stages[i].rows = stage->rows;
        fit->stages[i].held_out_rows = stage->held_out_rows;
        fit->stages[i].held_out = stage->held_out != NULL && stage->held_out_rows > 0 ? *stage->held_out : (double)NAN;
    }
    fit->count = (int)raw->stages_count;
    release(&fit_schema, value);
    return result;
}

enum willow_status results_read_match(const char *path, struct report_match *match, struct willow_error *error)
{
    void *value;
    const enum willow_status status = read_json(path, &match_schema, &value, error);

    *match = (struct report_match){0};
    if (status != WILLOW_OK)
        return status;
    *match = *(const struct report_match *)value;
    match->played = true;
    release(&match_schema, value);
    return WILLOW_OK;
}

enum willow_status results_read_yardstick(const char *path, double *error_discs, double *best_move,
                                          struct willow_error *error)
{
    void *value;
    const enum willow_status status = read_json(path, &yardstick_schema, &value, error);

    *error_discs = *best_move = (double)NAN;
    if (status != WILLOW_OK)
        return status;
    const struct raw_yardstick *raw = value;
    if (raw->error != NULL && raw->best != NULL) {
        *error_discs = *raw->error;
        *best_move = *raw->best;
    }
    release(&yardstick_schema, value);
    return WILLOW_OK;
}
