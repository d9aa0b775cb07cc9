/* Reads and writes DIR/state.json of a training loop. JSON is read as the YAML that it is.
 * Layer: trainer (program).
 */
#include "loop_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/file.h>
#include <willow/program.h>

struct raw_step {
    char *name;
    double seconds;
    int64_t *rows;
};

struct raw_state {
    int version;
    char *configuration;
    struct raw_step *steps;
    unsigned steps_count;
};

enum { STATE_VERSION = 1, STATE_STEPS_MAX = 100000 };

static const cyaml_schema_field_t step_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct raw_step, name, 1, LOOP_STEP_NAME - 1),
    CYAML_FIELD_FLOAT("seconds", CYAML_FLAG_DEFAULT, struct raw_step, seconds),
    CYAML_FIELD_INT_PTR("rows", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, struct raw_step, rows), CYAML_FIELD_END};
static const cyaml_schema_value_t step_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_step, step_fields)};
static const cyaml_schema_field_t state_fields[] = {
    CYAML_FIELD_INT("version", CYAML_FLAG_DEFAULT, struct raw_state, version),
    CYAML_FIELD_STRING_PTR("configuration", CYAML_FLAG_POINTER, struct raw_state, configuration,
                           WILLOW_CHECKSUM_TEXT - 1, WILLOW_CHECKSUM_TEXT - 1),
    CYAML_FIELD_SEQUENCE("steps", CYAML_FLAG_POINTER, struct raw_state, steps, &step_schema, 0, STATE_STEPS_MAX),
    CYAML_FIELD_END};
static const cyaml_schema_value_t state_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_state, state_fields)};

static enum willow_status take(const struct raw_state *raw, const char *path, struct loop_state *state,
                               struct willow_error *error)
{
    if (raw->version != STATE_VERSION)
        return willow_fail(error, WILLOW_ERR_VERSION, path, NULL, "version %d of a loop's state; this build reads %d",
                           raw->version, STATE_VERSION);
    snprintf(state->configuration, sizeof state->configuration, "%s", raw->configuration);
    for (unsigned i = 0; i < raw->steps_count; i++) {
        const struct raw_step *step = &raw->steps[i];
        const enum willow_status status =
            loop_state_add(state, step->name, step->seconds, step->rows != NULL ? *step->rows : -1, error);
        if (status != WILLOW_OK)
            return status;
    }
    return WILLOW_OK;
}

enum willow_status loop_state_read(const char *path, struct loop_state *state, struct willow_error *error)
{
    void *raw = NULL;

    *state = (struct loop_state){0};
    if (!willow_file_exists(path))
        return WILLOW_OK;
    enum willow_status status = willow_config_load(path, &state_schema, &raw, error);
    if (status == WILLOW_OK)
        status = take(raw, path, state, error);
    willow_config_free(&state_schema, raw);
    return status;
}

enum willow_status loop_state_write(const char *path, const struct loop_state *state, struct willow_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    fprintf(out, "{\"version\": %d,\n \"configuration\": \"%s\",\n \"steps\": [", STATE_VERSION, state->configuration);
    for (size_t i = 0; i < state->count; i++) {
        const struct loop_state_step *step = &state->steps[i];

        fprintf(out, "%s\n  {\"name\": \"%s\", \"seconds\": %.3f", i == 0 ? "" : ",", step->name, step->seconds);
        if (step->rows >= 0)
            fprintf(out, ", \"rows\": %lld", (long long)step->rows);
        fprintf(out, "}");
    }
    fprintf(out, "]}\n");
    const bool failed = ferror(out) != 0;
    enum willow_status status = WILLOW_OK;
    if (fclose(out) != 0 || failed)
        status = willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    else
        status = willow_file_replace(path, text, size, error);
    free(text);
    return status;
}

enum willow_status loop_state_add(struct loop_state *state, const char *name, double seconds, int64_t rows,
                                  struct willow_error *error)
{
    if (state->count == state->capacity) {
        const size_t capacity = state->capacity == 0 ? 64 : 2 * state->capacity;
        struct loop_state_step *steps =
            capacity > STATE_STEPS_MAX * 2 ? NULL : realloc(state->steps, capacity * sizeof *steps);
        if (steps == NULL)
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
        state->steps = steps;
        state->capacity = capacity;
    }
    struct loop_state_step *step = &state->steps[state->count++];
    snprintf(step->name, sizeof step->name, "%s", name);
    step->seconds = seconds;
    step->rows = rows;
    return WILLOW_OK;
}

const struct loop_state_step *loop_state_find(const struct loop_state *state, const char *name)
{
    for (size_t i = 0; i < state->count; i++)
        if (strcmp(state->steps[i].name, name) == 0)
            return &state->steps[i];
    return NULL;
}

void loop_state_clear(struct loop_state *state)
{
    free(state->steps);
    *state = (struct loop_state){0};
}
