/* Reads the JSON of `train fit`, `match` and `solve` by libcyaml (JSON is YAML), ignoring keys that are not needed.
 * Layer: trainer (program).
 */
#include "loop_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

struct raw_test {
    double llr, lower, upper;
    char *verdict;
};

struct raw_match {
    struct report_match match;
    struct raw_test *sprt;
};

#define TEST_REAL(name) CYAML_FIELD_FLOAT(#name, WANTED, struct raw_test, name)
static const cyaml_schema_field_t test_fields[] = {
    TEST_REAL(llr), TEST_REAL(lower), TEST_REAL(upper),
    CYAML_FIELD_STRING_PTR("verdict", CYAML_FLAG_POINTER, struct raw_test, verdict, 1, 64), CYAML_FIELD_END};

#define MATCH_COUNT(name) CYAML_FIELD_UINT(#name, WANTED, struct raw_match, match.name)
#define MATCH_REAL(name) CYAML_FIELD_FLOAT(#name, WANTED, struct raw_match, match.name)
static const cyaml_schema_field_t match_fields[] = {
    MATCH_COUNT(pairs),
    MATCH_COUNT(wins),
    MATCH_COUNT(draws),
    MATCH_COUNT(losses),
    MATCH_REAL(score),
    MATCH_REAL(score_low),
    MATCH_REAL(score_high),
    MATCH_REAL(elo),
    MATCH_REAL(elo_low),
    MATCH_REAL(elo_high),
    MATCH_REAL(nelo),
    MATCH_REAL(nelo_low),
    MATCH_REAL(nelo_high),
    MATCH_REAL(discs),
    MATCH_REAL(discs_low),
    MATCH_REAL(discs_high),
    CYAML_FIELD_MAPPING_PTR("sprt", NULLABLE, struct raw_match, sprt, test_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t match_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_match, match_fields)};

struct raw_player {
    char *name;
    uint64_t games;
    double *elo, *elo_low, *elo_high;
};

struct raw_encounter {
    char *a, *b;
    uint64_t games;
    double score;
};

struct raw_ladder {
    struct raw_player *players;
    struct raw_encounter *encounters;
    unsigned players_count, encounters_count;
};

static const cyaml_schema_field_t player_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct raw_player, name, 1, 256),
    CYAML_FIELD_UINT("games", WANTED, struct raw_player, games),
    CYAML_FIELD_FLOAT_PTR("elo", NULLABLE, struct raw_player, elo),
    CYAML_FIELD_FLOAT_PTR("elo_low", NULLABLE, struct raw_player, elo_low),
    CYAML_FIELD_FLOAT_PTR("elo_high", NULLABLE, struct raw_player, elo_high),
    CYAML_FIELD_END};
static const cyaml_schema_value_t player_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_player, player_fields)};
static const cyaml_schema_field_t encounter_fields[] = {
    CYAML_FIELD_STRING_PTR("a", CYAML_FLAG_POINTER, struct raw_encounter, a, 1, 256),
    CYAML_FIELD_STRING_PTR("b", CYAML_FLAG_POINTER, struct raw_encounter, b, 1, 256),
    CYAML_FIELD_UINT("games", WANTED, struct raw_encounter, games),
    CYAML_FIELD_FLOAT("score", WANTED, struct raw_encounter, score), CYAML_FIELD_END};
static const cyaml_schema_value_t encounter_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_encounter, encounter_fields)};
static const cyaml_schema_field_t ladder_fields[] = {
    CYAML_FIELD_SEQUENCE("encounters", CYAML_FLAG_POINTER, struct raw_ladder, encounters, &encounter_schema, 0, 10000),
    CYAML_FIELD_SEQUENCE("players", CYAML_FLAG_POINTER, struct raw_ladder, players, &player_schema, 0, 1000),
    CYAML_FIELD_END};
static const cyaml_schema_value_t ladder_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_ladder, ladder_fields)};

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

static enum report_verdict verdict_of(const char *word)
{
    return strcmp(word, "H1") == 0 ? REPORT_H1 : strcmp(word, "H0") == 0 ? REPORT_H0 : REPORT_UNDECIDED;
}

enum willow_status results_read_match(const char *path, struct report_match *match, struct report_test *test,
                                      struct willow_error *error)
{
    void *value;
    const enum willow_status status = read_json(path, &match_schema, &value, error);

    *match = (struct report_match){0};
    *test = (struct report_test){0};
    if (status != WILLOW_OK)
        return status;
    const struct raw_match *raw = value;
    *match = raw->match;
    match->played = match->pairs > 0;
    if (raw->sprt != NULL)
        *test = (struct report_test){.tested = true,
                                     .llr = raw->sprt->llr,
                                     .lower = raw->sprt->lower,
                                     .upper = raw->sprt->upper,
                                     .verdict = verdict_of(raw->sprt->verdict)};
    release(&match_schema, value);
    return WILLOW_OK;
}

static const struct results_player *player_of(const struct results_player *players, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(players[i].name, name) == 0)
            return &players[i];
    return NULL;
}

static void take_ratings(const struct raw_ladder *raw, const struct results_player *players, int count)
{
    for (unsigned i = 0; i < raw->players_count; i++) {
        const struct raw_player *from = &raw->players[i];
        const struct results_player *player = player_of(players, count, from->name);

        if (player == NULL)
            continue;
        player->rating->games = from->games;
        if (from->elo == NULL || from->elo_low == NULL || from->elo_high == NULL)
            continue;
        player->rating->elo = *from->elo;
        player->rating->elo_low = *from->elo_low;
        player->rating->elo_high = *from->elo_high;
    }
}

enum willow_status results_read_ladder(const char *path, const struct results_player *players, int count,
                                       struct report_encounter **encounters, int *encounters_count,
                                       struct willow_error *error)
{
    void *value;
    enum willow_status status = read_json(path, &ladder_schema, &value, error);

    for (int i = 0; i < count; i++)
        *players[i].rating =
            (struct report_rating){.elo = (double)NAN, .elo_low = (double)NAN, .elo_high = (double)NAN};
    *encounters = NULL;
    *encounters_count = 0;
    if (status != WILLOW_OK)
        return status;
    const struct raw_ladder *raw = value;
    take_ratings(raw, players, count);
    *encounters = calloc((size_t)raw->encounters_count + 1, sizeof **encounters);
    if (*encounters == NULL)
        status = willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    for (unsigned i = 0; i < raw->encounters_count && status == WILLOW_OK; i++) {
        const struct raw_encounter *from = &raw->encounters[i];
        const struct results_player *a = player_of(players, count, from->a), *b = player_of(players, count, from->b);

        if (a != NULL && b != NULL)
            (*encounters)[(*encounters_count)++] =
                (struct report_encounter){.a = a->number, .b = b->number, .games = from->games, .score = from->score};
    }
    release(&ladder_schema, value);
    return status;
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
