/* Reads the loop's YAML through a libcyaml schema, fills in defaults, checks ranges, and writes the resolved text.
 * Layer: trainer (program).
 */
#include "loop_config.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/patterns.h>
#include <willow/program.h>
#include <willow/weights.h>

/* What the file says: null where it says nothing, so that defaults are told from zeros. */
struct raw_generation {
    int64_t *games, *limit;
    int *depth, *exact, *noise_plies, *iterations, *label_depth, *label_exact, *window;
    double *noise, *random_move, *keep, *prior, *result_weight;
    char *opening, *policy;
};

struct raw_match {
    int *pairs, *depth, *exact;
    double *minimum;
};

struct raw_config {
    int64_t *seed;
    char *patterns, *start;
    int *stages;
    bool *keep_data;
    struct raw_generation *backward, *generations;
    unsigned backward_count, generations_count;
    struct raw_match *gate, *final;
    char **yardsticks;
    unsigned yardsticks_count;
};

#define OPTIONAL (CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER)
#define INTEGER(type, name) CYAML_FIELD_INT_PTR(#name, OPTIONAL, type, name)
#define REAL(type, name) CYAML_FIELD_FLOAT_PTR(#name, OPTIONAL, type, name)
#define TEXT(type, name) CYAML_FIELD_STRING_PTR(#name, OPTIONAL, type, name, 1, 4096)

static const cyaml_schema_field_t backward_fields[] = {INTEGER(struct raw_generation, games),
                                                       INTEGER(struct raw_generation, depth),
                                                       INTEGER(struct raw_generation, exact),
                                                       TEXT(struct raw_generation, opening),
                                                       REAL(struct raw_generation, noise),
                                                       INTEGER(struct raw_generation, noise_plies),
                                                       REAL(struct raw_generation, random_move),
                                                       REAL(struct raw_generation, keep),
                                                       INTEGER(struct raw_generation, label_depth),
                                                       INTEGER(struct raw_generation, label_exact),
                                                       INTEGER(struct raw_generation, limit),
                                                       INTEGER(struct raw_generation, iterations),
                                                       REAL(struct raw_generation, prior),
                                                       TEXT(struct raw_generation, policy),
                                                       CYAML_FIELD_END};

static const cyaml_schema_field_t selfplay_fields[] = {INTEGER(struct raw_generation, games),
                                                       INTEGER(struct raw_generation, depth),
                                                       INTEGER(struct raw_generation, exact),
                                                       TEXT(struct raw_generation, opening),
                                                       REAL(struct raw_generation, noise),
                                                       INTEGER(struct raw_generation, noise_plies),
                                                       REAL(struct raw_generation, random_move),
                                                       REAL(struct raw_generation, keep),
                                                       REAL(struct raw_generation, result_weight),
                                                       INTEGER(struct raw_generation, window),
                                                       INTEGER(struct raw_generation, iterations),
                                                       REAL(struct raw_generation, prior),
                                                       CYAML_FIELD_END};

static const cyaml_schema_field_t gate_fields[] = {INTEGER(struct raw_match, pairs), INTEGER(struct raw_match, depth),
                                                   INTEGER(struct raw_match, exact), REAL(struct raw_match, minimum),
                                                   CYAML_FIELD_END};

static const cyaml_schema_field_t final_fields[] = {INTEGER(struct raw_match, pairs), INTEGER(struct raw_match, depth),
                                                    INTEGER(struct raw_match, exact), CYAML_FIELD_END};

static const cyaml_schema_value_t backward_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_generation, backward_fields)};
static const cyaml_schema_value_t selfplay_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_generation, selfplay_fields)};
static const cyaml_schema_value_t path_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 4096)};

static const cyaml_schema_field_t config_fields[] = {
    INTEGER(struct raw_config, seed),
    TEXT(struct raw_config, patterns),
    INTEGER(struct raw_config, stages),
    TEXT(struct raw_config, start),
    CYAML_FIELD_BOOL_PTR("keep_data", OPTIONAL, struct raw_config, keep_data),
    CYAML_FIELD_SEQUENCE("backward", OPTIONAL, struct raw_config, backward, &backward_schema, 0, LOOP_GENERATIONS_MAX),
    CYAML_FIELD_SEQUENCE("generations", OPTIONAL, struct raw_config, generations, &selfplay_schema, 0,
                         LOOP_GENERATIONS_MAX),
    CYAML_FIELD_MAPPING_PTR("gate", OPTIONAL, struct raw_config, gate, gate_fields),
    CYAML_FIELD_MAPPING_PTR("final", OPTIONAL, struct raw_config, final, final_fields),
    CYAML_FIELD_SEQUENCE("yardsticks", OPTIONAL, struct raw_config, yardsticks, &path_schema, 0, LOOP_YARDSTICKS_MAX),
    CYAML_FIELD_END};

static const cyaml_schema_value_t config_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_config, config_fields)};

/* What the checks need to name a bad value; the first failure stands. */
struct check {
    const char *path;
    char place[64]; /* "backward 2" */
    enum willow_status status;
    struct willow_error *error;
};

static void refuse(struct check *check, const char *key, const char *wanted)
{
    if (check->status == WILLOW_OK)
        check->status = willow_fail(check->error, WILLOW_ERR_FORMAT, check->path,
                                    check->place[0] != '\0' ? check->place : NULL, "%s: %s is expected", key, wanted);
}

static int64_t integer64(struct check *check, const char *key, const int64_t *value, int64_t otherwise, int64_t low,
                         int64_t high)
{
    char wanted[96];

    if (value == NULL)
        return otherwise;
    if (*value >= low && *value <= high)
        return *value;
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)low, (long long)high);
    refuse(check, key, wanted);
    return otherwise;
}

static int integer(struct check *check, const char *key, const int *value, int otherwise, int low, int high)
{
    const int64_t wide = value == NULL ? 0 : *value;

    return (int)integer64(check, key, value == NULL ? NULL : &wide, otherwise, low, high);
}

static double real(struct check *check, const char *key, const double *value, double otherwise, double low, double high)
{
    char wanted[96];

    if (value == NULL)
        return otherwise;
    if (*value >= low && *value <= high)
        return *value;
    snprintf(wanted, sizeof wanted, "a number from %g to %g", low, high);
    refuse(check, key, wanted);
    return otherwise;
}

/* "A-B" or "A" within 0..50. */
static void opening(struct check *check, const char *text, int *first, int *last)
{
    enum { OPENING_PLIES_MAX = 50 };

    if (text != NULL && !willow_parse_range(text, 0, OPENING_PLIES_MAX, first, last))
        refuse(check, "opening", "A-B or A within 0-50 plies");
}

/* Defaults of both kinds. They are documented in configs/quick.yaml. */
static const struct loop_generation backward_defaults = {.kind = LOOP_BACKWARD,
                                                         .games = 50000,
                                                         .depth = 1,
                                                         .exact = 0,
                                                         .opening_first = 0,
                                                         .opening_last = 10,
                                                         .noise = 4.0,
                                                         .noise_plies = 60,
                                                         .random_move = 0.05,
                                                         .keep = 1.0,
                                                         .iterations = LOOP_ITERATIONS_OF_FIT,
                                                         .prior = LOOP_PRIOR_OF_FIT,
                                                         .label_depth = 3,
                                                         .label_exact = 10};
static const struct loop_generation selfplay_defaults = {.kind = LOOP_SELFPLAY,
                                                         .games = 10000,
                                                         .depth = 6,
                                                         .exact = 14,
                                                         .opening_first = 4,
                                                         .opening_last = 16,
                                                         .noise = 0.0,
                                                         .noise_plies = 0,
                                                         .random_move = 0.02,
                                                         .keep = 1.0,
                                                         .iterations = LOOP_ITERATIONS_OF_FIT,
                                                         .prior = LOOP_PRIOR_OF_FIT,
                                                         .result_weight = 0.0,
                                                         .window = 2};

static void resolve_generation(struct check *check, const struct raw_generation *raw,
                               const struct loop_generation *defaults, struct loop_generation *generation)
{
    *generation = *defaults;
    opening(check, raw->opening, &generation->opening_first, &generation->opening_last);
    generation->games = integer64(check, "games", raw->games, defaults->games, 1, 1000000000);
    generation->depth = integer(check, "depth", raw->depth, defaults->depth, 1, 60);
    generation->exact = integer(check, "exact", raw->exact, defaults->exact, 0, 30);
    generation->noise = real(check, "noise", raw->noise, defaults->noise, 0.0, 64.0);
    generation->noise_plies = integer(check, "noise_plies", raw->noise_plies, defaults->noise_plies, 0, 60);
    generation->random_move = real(check, "random_move", raw->random_move, defaults->random_move, 0.0, 1.0);
    generation->keep = real(check, "keep", raw->keep, defaults->keep, 1e-6, 1.0);
    generation->iterations =
        integer(check, "iterations", raw->iterations, defaults->iterations, LOOP_ITERATIONS_OF_FIT, 100000);
    if (raw->prior != NULL)
        generation->prior = real(check, "prior", raw->prior, defaults->prior, 0.0, 1e9);
    generation->label_depth = integer(check, "label_depth", raw->label_depth, defaults->label_depth, 1, 30);
    generation->label_exact = integer(check, "label_exact", raw->label_exact, defaults->label_exact, 0, 30);
    generation->limit = integer64(check, "limit", raw->limit, defaults->limit, 0, INT64_C(1000000000000));
    if (raw->policy != NULL && strcmp(raw->policy, "mobility") == 0)
        generation->policy = LOOP_POLICY_MOBILITY;
    else if (raw->policy != NULL && strcmp(raw->policy, "search") != 0)
        refuse(check, "policy", "search or mobility");
    generation->result_weight = real(check, "result_weight", raw->result_weight, defaults->result_weight, 0.0, 1.0);
    generation->window = integer(check, "window", raw->window, defaults->window, 1, LOOP_GENERATIONS_MAX);
}

static void resolve_match(struct check *check, const struct raw_match *raw, struct loop_match *match)
{
    if (raw == NULL)
        return;
    match->pairs = integer(check, "pairs", raw->pairs, match->pairs, 1, 100000);
    match->depth = integer(check, "depth", raw->depth, match->depth, 1, 60);
    match->exact = integer(check, "exact", raw->exact, match->exact, 0, 30);
    match->minimum = real(check, "minimum", raw->minimum, match->minimum, 0.0, 1.0);
}

/* An absolute path of an existing file that the configuration names, from the configuration's own folder. */
static char *resolve_path(struct check *check, const char *key, const char *name)
{
    char joined[PATH_MAX];
    const char *slash = strrchr(check->path, '/');
    const int folder = slash == NULL || name[0] == '/' ? 0 : (int)(slash - check->path) + 1;
    const int length = snprintf(joined, sizeof joined, "%.*s%s", folder, check->path, name);

    if (check->status != WILLOW_OK)
        return NULL;
    char *path = length < 0 || (size_t)length >= sizeof joined ? NULL : realpath(joined, NULL);
    if (path == NULL) {
        const int code = errno;
        check->status = willow_fail(check->error, WILLOW_ERR_IO, check->path, NULL, "%s: cannot find '%s': %s", key,
                                    name, strerror(code));
    } else if (strpbrk(path, "\"\\\n") != NULL) {
        refuse(check, key, "a path without quotes, backslashes and line ends");
    }
    return path;
}

static char *copy_text(struct check *check, const char *text)
{
    char *copy = strdup(text);

    if (copy == NULL && check->status == WILLOW_OK)
        check->status = willow_fail(check->error, WILLOW_ERR_MEMORY, check->path, NULL, "out of memory");
    return copy;
}

static void resolve_generations(struct check *check, const struct raw_config *raw, struct loop_config *config)
{
    if (raw->backward_count + raw->generations_count > LOOP_GENERATIONS_MAX)
        refuse(check, "backward, generations", "at most 98 together");
    for (unsigned i = 0; i < raw->backward_count && check->status == WILLOW_OK; i++) {
        snprintf(check->place, sizeof check->place, "backward %u", i + 1);
        resolve_generation(check, &raw->backward[i], &backward_defaults, &config->generations[config->count++]);
    }
    for (unsigned i = 0; i < raw->generations_count && check->status == WILLOW_OK; i++) {
        snprintf(check->place, sizeof check->place, "generations %u", i + 1);
        resolve_generation(check, &raw->generations[i], &selfplay_defaults, &config->generations[config->count++]);
    }
    check->place[0] = '\0';
}

static void resolve(struct check *check, const struct raw_config *raw, struct loop_config *config)
{
    config->seed = integer64(check, "seed", raw->seed, 1, 0, INT64_C(1000000000000));
    config->stages = integer(check, "stages", raw->stages, 20, 1, WILLOW_STAGES_MAX);
    config->keep_data = raw->keep_data != NULL && *raw->keep_data;
    config->patterns =
        copy_text(check, raw->patterns != NULL ? raw->patterns : willow_pattern_set_name(willow_pattern_set_default()));
    if (config->patterns != NULL && willow_pattern_set_find(config->patterns) == NULL)
        refuse(check, "patterns", "the name of a pattern set");
    if (raw->start == NULL || strcmp(raw->start, "zero") == 0)
        config->start = copy_text(check, "zero");
    else
        config->start = resolve_path(check, "start", raw->start);
    resolve_generations(check, raw, config);
    if (config->count == 0)
        refuse(check, "backward, generations", "at least one entry in one of them");

    config->gate = (struct loop_match){.pairs = 50, .depth = 4, .exact = 0, .minimum = 0.5};
    config->final = (struct loop_match){.pairs = 100, .depth = 4, .exact = 0, .minimum = 0.0};
    snprintf(check->place, sizeof check->place, "gate");
    resolve_match(check, raw->gate, &config->gate);
    snprintf(check->place, sizeof check->place, "final");
    resolve_match(check, raw->final, &config->final);
    check->place[0] = '\0';
    for (unsigned i = 0; i < raw->yardsticks_count && check->status == WILLOW_OK; i++)
        config->yardstick[config->yardsticks++] = resolve_path(check, "yardsticks", raw->yardsticks[i]);
}

enum willow_status loop_config_load(const char *path, struct loop_config *config, struct willow_error *error)
{
    struct check check = {.path = path, .status = WILLOW_OK, .error = error};
    void *raw = NULL;

    *config = (struct loop_config){0};
    check.status = willow_config_load(path, &config_schema, &raw, error);
    if (check.status == WILLOW_OK)
        resolve(&check, raw, config);
    willow_config_free(&config_schema, raw);
    return check.status;
}

void loop_config_clear(struct loop_config *config)
{
    free(config->patterns);
    free(config->start);
    for (int i = 0; i < config->yardsticks; i++)
        free(config->yardstick[i]);
    *config = (struct loop_config){0};
}

static void write_generation(FILE *out, const struct loop_generation *generation)
{
    fprintf(out, "  - games: %lld\n    depth: %d\n    exact: %d\n    opening: \"%d-%d\"\n",
            (long long)generation->games, generation->depth, generation->exact, generation->opening_first,
            generation->opening_last);
    fprintf(out, "    noise: %.9g\n    noise_plies: %d\n    random_move: %.9g\n    keep: %.9g\n", generation->noise,
            generation->noise_plies, generation->random_move, generation->keep);
    if (generation->kind == LOOP_BACKWARD)
        fprintf(out, "    label_depth: %d\n    label_exact: %d\n    limit: %lld\n    policy: %s\n",
                generation->label_depth, generation->label_exact, (long long)generation->limit,
                generation->policy == LOOP_POLICY_MOBILITY ? "mobility" : "search");
    else
        fprintf(out, "    result_weight: %.9g\n    window: %d\n", generation->result_weight, generation->window);
    if (generation->iterations != LOOP_ITERATIONS_OF_FIT)
        fprintf(out, "    iterations: %d\n", generation->iterations);
    if (generation->prior >= 0.0)
        fprintf(out, "    prior: %.9g\n", generation->prior);
}

static void write_kind(FILE *out, const struct loop_config *config, enum loop_kind kind, const char *key)
{
    bool any = false;

    for (int i = 0; i < config->count; i++) {
        if (config->generations[i].kind != kind)
            continue;
        if (!any)
            fprintf(out, "%s:\n", key);
        any = true;
        write_generation(out, &config->generations[i]);
    }
}

enum willow_status loop_config_text(const struct loop_config *config, char **text, struct willow_error *error)
{
    size_t size;
    FILE *out = open_memstream(text, &size);

    if (out == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    fprintf(out, "seed: %lld\npatterns: \"%s\"\nstages: %d\nstart: \"%s\"\nkeep_data: %s\n", (long long)config->seed,
            config->patterns, config->stages, config->start, config->keep_data ? "true" : "false");
    write_kind(out, config, LOOP_BACKWARD, "backward");
    write_kind(out, config, LOOP_SELFPLAY, "generations");
    fprintf(out, "gate:\n  pairs: %d\n  depth: %d\n  exact: %d\n  minimum: %.9g\n", config->gate.pairs,
            config->gate.depth, config->gate.exact, config->gate.minimum);
    fprintf(out, "final:\n  pairs: %d\n  depth: %d\n  exact: %d\n", config->final.pairs, config->final.depth,
            config->final.exact);
    if (config->yardsticks > 0)
        fprintf(out, "yardsticks:\n");
    for (int i = 0; i < config->yardsticks; i++)
        fprintf(out, "  - \"%s\"\n", config->yardstick[i]);
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(*text);
        *text = NULL;
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    return WILLOW_OK;
}
