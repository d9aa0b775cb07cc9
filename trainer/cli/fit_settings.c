/* Command line and configuration of the fit; see fit_settings.h. Layer: trainer (program). */
#include "fit_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/file.h>
#include <willow/program.h>
#include <willow/weights.h>

/* Documented ranges, the same for options and for keys. */
enum { PLY_MAX = 60, STAGES_MAX = 60, ITERATIONS_MAX = 100000 };
static const double held_out_max = 0.9, prior_max = 1e9, clip_min = 0.5, clip_max = 256.0;

/* Null or zero = the key is not there. */
struct fit_file {
    char **data;
    unsigned data_count;
    char *out, *init, *plies, *patterns, *label, *scratch;
    int64_t *threads, *iterations, *stages, *seed;
    double *held_out, *prior, *clip, *result_weight;
    bool *from_next;
};

enum { PATH_BYTES = 4096 };

/* How a resolved configuration begins. */
static const char saved_mark[] = "# The resolved configuration of a fit";

enum { OPTIONAL = CYAML_FLAG_OPTIONAL };
static const cyaml_schema_value_t folder_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED)};
static const cyaml_schema_field_t file_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("data", OPTIONAL | CYAML_FLAG_POINTER, struct fit_file, data, data_count, &folder_schema,
                               1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("out", OPTIONAL, struct fit_file, out, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("init", OPTIONAL, struct fit_file, init, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("plies", OPTIONAL, struct fit_file, plies, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("patterns", OPTIONAL, struct fit_file, patterns, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("label", OPTIONAL, struct fit_file, label, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("scratch", OPTIONAL, struct fit_file, scratch, 1, CYAML_UNLIMITED),
    CYAML_FIELD_INT_PTR("threads", OPTIONAL, struct fit_file, threads),
    CYAML_FIELD_INT_PTR("iterations", OPTIONAL, struct fit_file, iterations),
    CYAML_FIELD_INT_PTR("stages", OPTIONAL, struct fit_file, stages),
    CYAML_FIELD_INT_PTR("seed", OPTIONAL, struct fit_file, seed),
    CYAML_FIELD_FLOAT_PTR("held_out", OPTIONAL, struct fit_file, held_out),
    CYAML_FIELD_FLOAT_PTR("prior", OPTIONAL, struct fit_file, prior),
    CYAML_FIELD_FLOAT_PTR("clip", OPTIONAL, struct fit_file, clip),
    CYAML_FIELD_FLOAT_PTR("result_weight", OPTIONAL, struct fit_file, result_weight),
    CYAML_FIELD_BOOL_PTR("from_next", OPTIONAL, struct fit_file, from_next),
    CYAML_FIELD_END};
static const cyaml_schema_value_t file_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct fit_file, file_fields)};

static const char *const label_names[] = {
    [FIT_LABEL_AUTO] = "auto", [FIT_LABEL_SCORE] = "score", [FIT_LABEL_RESULT] = "result"};

static bool find_label(const char *name, enum fit_label *label)
{
    for (size_t i = 0; i < sizeof label_names / sizeof *label_names; i++)
        if (strcmp(name, label_names[i]) == 0) {
            *label = (enum fit_label)i;
            return true;
        }
    return false;
}

static void set_defaults(struct fit_settings *settings)
{
    *settings = (struct fit_settings){.last_ply = PLY_MAX,
                                      .threads = willow_default_threads(),
                                      .iterations = 60,
                                      .held_out = 0.05,
                                      .prior = 30.0,
                                      .clip_discs = 24.0};
}

/* A whole number of the file, where it is given. */
static enum willow_status take_integer(const char *path, const char *key, const int64_t *value, int64_t low,
                                       int64_t high, int *target, struct willow_error *error)
{
    if (!value)
        return WILLOW_OK;
    if (*value < low || *value > high)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, key, "%lld is not between %lld and %lld", (long long)*value,
                           (long long)low, (long long)high);
    *target = (int)*value;
    return WILLOW_OK;
}

/* Written so that a NaN fails. */
static enum willow_status take_real(const char *path, const char *key, const double *value, double low, double high,
                                    double *target, struct willow_error *error)
{
    if (!value)
        return WILLOW_OK;
    if (!(*value >= low && *value <= high))
        return willow_fail(error, WILLOW_ERR_FORMAT, path, key, "%g is not between %g and %g", *value, low, high);
    *target = *value;
    return WILLOW_OK;
}

static enum willow_status take_plies(const char *path, const char *text, struct fit_settings *settings,
                                     struct willow_error *error)
{
    if (!willow_parse_range(text, 0, PLY_MAX, &settings->first_ply, &settings->last_ply))
        return willow_fail(error, WILLOW_ERR_FORMAT, path, "plies", "'%s' is not a range of plies within 0-%d", text,
                           PLY_MAX);
    return WILLOW_OK;
}

/* Loads the configuration over the defaults. */
static enum willow_status take_file(struct fit_settings *settings, struct willow_error *error)
{
    const char *path = settings->config;
    void *loaded = NULL;
    enum willow_status status = willow_config_load(path, &file_schema, &loaded, error);
    if (status != WILLOW_OK)
        return status;
    struct fit_file *file = settings->file = loaded;
    settings->out = file->out;
    settings->init = file->init;
    settings->patterns = file->patterns;
    settings->scratch = file->scratch;
    settings->start = file->from_next && *file->from_next ? FIT_START_NEXT : FIT_START_ZERO;
    settings->has_seed = file->seed != NULL;
    settings->seed = file->seed ? (uint64_t)*file->seed : 0;
    if (file->seed && *file->seed < 0)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, "seed", "the seed is negative");
    if (file->label && !find_label(file->label, &settings->label))
        return willow_fail(error, WILLOW_ERR_FORMAT, path, "label", "'%s' is not auto, score or result", file->label);
    if (file->plies && (status = take_plies(path, file->plies, settings, error)) != WILLOW_OK)
        return status;
    if ((status = take_integer(path, "threads", file->threads, 1, WILLOW_THREADS_MAX, &settings->threads, error)) ||
        (status =
             take_integer(path, "iterations", file->iterations, 0, ITERATIONS_MAX, &settings->iterations, error)) ||
        (status = take_integer(path, "stages", file->stages, 1, STAGES_MAX, &settings->stages, error)) ||
        (status = take_real(path, "held_out", file->held_out, 0.0, held_out_max, &settings->held_out, error)) ||
        (status = take_real(path, "prior", file->prior, 0.0, prior_max, &settings->prior, error)) ||
        (status = take_real(path, "clip", file->clip, clip_min, clip_max, &settings->clip_discs, error)))
        return status;
    return take_real(path, "result_weight", file->result_weight, 0.0, 1.0, &settings->result_weight, error);
}

/* The command line is parsed twice: first for the name of the file, then over the file's contents. */
struct parse {
    struct fit_settings *settings;
    size_t data_count; /* folders named on the command line; they replace the file's */
};

static bool names_config(const char *argument)
{
    const char *dot = strrchr(argument, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static void add_data(struct parse *parse, const char *folder, struct argp_state *state)
{
    if (folder[0] == '\0')
        argp_failure(state, argp_err_exit_status, 0, "the name of a data folder is empty");
    parse->settings->data[parse->data_count++] = folder; /* room for every argument */
    parse->settings->data_count = parse->data_count;
}

static void parse_argument(struct parse *parse, char *argument, struct argp_state *state)
{
    struct fit_settings *settings = parse->settings;
    if (!names_config(argument))
        add_data(parse, argument, state);
    else if (settings->config && strcmp(settings->config, argument) != 0)
        argp_failure(state, argp_err_exit_status, 0, "two configurations: '%s' and '%s'", settings->config, argument);
    else
        settings->config = argument;
}

enum { KEY_HELD_OUT = 256, KEY_CLIP, KEY_RESULT_WEIGHT, KEY_FROM_NEXT, KEY_LABEL, KEY_SCRATCH, KEY_JSON };

static error_t parse_number(int key, char *argument, struct argp_state *state, struct fit_settings *settings)
{
    switch (key) {
    case 't':
        settings->threads = (int)willow_option_integer(argument, 1, WILLOW_THREADS_MAX, "--threads", state);
        return 0;
    case 'i':
        settings->iterations = (int)willow_option_integer(argument, 0, ITERATIONS_MAX, "--iterations", state);
        return 0;
    case 'n':
        settings->stages = (int)willow_option_integer(argument, 1, STAGES_MAX, "--stages", state);
        return 0;
    case 's':
        settings->seed = (uint64_t)willow_option_integer(argument, 0, INT64_MAX, "--seed", state);
        settings->has_seed = true;
        return 0;
    case KEY_HELD_OUT:
        settings->held_out = willow_option_real(argument, 0.0, held_out_max, "--held-out", state);
        return 0;
    case 'p':
        settings->prior = willow_option_real(argument, 0.0, prior_max, "--prior", state);
        return 0;
    case KEY_CLIP:
        settings->clip_discs = willow_option_real(argument, clip_min, clip_max, "--clip", state);
        return 0;
    case KEY_RESULT_WEIGHT:
        settings->result_weight = willow_option_real(argument, 0.0, 1.0, "--result-weight", state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_key(int key, char *argument, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct fit_settings *settings = parse->settings;
    switch (key) {
    case 'd':
        add_data(parse, argument, state);
        return 0;
    case 'o':
        settings->out = argument;
        return 0;
    case 'w':
        settings->init = argument;
        return 0;
    case 'P':
        settings->patterns = argument;
        return 0;
    case 'r':
        willow_option_range(argument, 0, PLY_MAX, &settings->first_ply, &settings->last_ply, "--plies", state);
        return 0;
    case 'q':
        settings->quiet = true;
        return 0;
    case KEY_JSON:
        settings->json = true;
        return 0;
    case KEY_FROM_NEXT:
        settings->start = FIT_START_NEXT;
        return 0;
    case KEY_SCRATCH:
        settings->scratch = argument;
        return 0;
    case KEY_LABEL:
        if (!find_label(argument, &settings->label))
            argp_failure(state, argp_err_exit_status, 0, "--label '%s': auto, score or result is expected", argument);
        return 0;
    case ARGP_KEY_ARG:
        parse_argument(parse, argument, state);
        return 0;
    default:
        return parse_number(key, argument, state, settings);
    }
}

static const struct argp_option option_table[] = {
    {"data", 'd', "DIR", 0, "A dataset; may be given again, and further folders may follow as arguments", 0},
    {"out", 'o', "FILE", 0, "The weights file to write", 0},
    {"init", 'w', "FILE", 0, "Weights to start from (default: zero)", 0},
    {"plies", 'r', "A-B", 0, "Fit the stages of these plies alone; the others are copied (default: 0-60)", 0},
    {"from-next", KEY_FROM_NEXT, NULL, 0, "A stage without any weight starts from the stage after it", 0},
    {"patterns", 'P', "NAME", 0, "Pattern set when starting from zero", 0},
    {"stages", 'n', "N", 0, "Stages when starting from zero (default: 20)", 0},
    {"label", KEY_LABEL, "KIND", 0, "auto (the score, else the result), score or result (default: auto)", 0},
    {"result-weight", KEY_RESULT_WEIGHT, "X", 0, "Share of the result in the label of an inexact score (default: 0)",
     0},
    {"held-out", KEY_HELD_OUT, "SHARE", 0, "Share of the games that are measured, not fitted (default: 0.05)", 0},
    {"prior", 'p', "X", 0, "Pull towards the starting weights, in rows (default: 30)", 0},
    {"clip", KEY_CLIP, "DISCS", 0, "Larger errors count as this one (default: 24)", 0},
    {"iterations", 'i', "N", 0, "At most so many steps a stage (default: 60)", 0},
    {"seed", 's', "S", 0, "Choice of the held-out games (default: each dataset's own)", 0},
    {"threads", 't', "T", 0, "Threads (default: the cores available)", 0},
    {"scratch", KEY_SCRATCH, "DIR", 0, "Folder for the scratch file, 24 bytes a row of a stage (default: that of FILE)",
     0},
    {"json", KEY_JSON, NULL, 0, "The report as one JSON object", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {0}};

static enum willow_status saved_path(const struct fit_settings *settings, char path[PATH_BYTES],
                                     struct willow_error *error)
{
    const int length = snprintf(path, PATH_BYTES, "%s.yaml", settings->out);
    if (length < 0 || length >= PATH_BYTES)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, settings->out, NULL, "the name is too long");
    return WILLOW_OK;
}

/* The resolved configuration must be able to say them. */
static enum willow_status check_names(const struct fit_settings *settings, struct willow_error *error)
{
    const char *const names[] = {settings->out, settings->init, settings->patterns, settings->scratch};
    const size_t count = sizeof names / sizeof *names;
    for (size_t i = 0; i < count + settings->data_count; i++) {
        const char *name = i < count ? names[i] : settings->data[i - count];
        if (name && !willow_config_text_valid(name))
            return willow_fail(error, WILLOW_ERR_ARGUMENT, name, NULL,
                               "the configuration of the fit can hold only names in UTF-8");
    }
    return WILLOW_OK;
}

/* Neither of the two files may cost the user one of another kind, and the fit is too long to find out at its end. */
static enum willow_status check_targets(const struct fit_settings *settings, struct willow_error *error)
{
    char path[PATH_BYTES];
    enum willow_status status = check_names(settings, error);
    if (status == WILLOW_OK)
        status = willow_weights_check_target(settings->out, error);
    if (status == WILLOW_OK)
        status = saved_path(settings, path, error);
    if (status == WILLOW_OK)
        status = willow_file_check_mark(path, saved_mark, sizeof saved_mark - 1, "resolved configuration", error);
    return status;
}

static void set_rules(struct fit_settings *settings)
{
    const float result = settings->label == FIT_LABEL_RESULT ? 1.0F
                         : settings->label == FIT_LABEL_AUTO ? (float)settings->result_weight
                                                             : 0.0F;
    settings->rules = label_rules_default();
    if (settings->label == FIT_LABEL_SCORE)
        settings->rules.missing = LABEL_MISSING_ERROR;
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        settings->rules.blend[ply] = (struct label_blend){
            .score = 1.0F - result, .exact = settings->label == FIT_LABEL_RESULT ? 0.0F : 1.0F, .result = result};
}

enum willow_status fit_settings_parse(struct fit_settings *settings, int argc, char **argv, struct willow_error *error)
{
    static const struct argp argp = {
        option_table,
        parse_key,
        "[CONFIG.yaml] [DIR...]",
        "Fits pattern weights to the labelled positions of datasets, stage by stage, and reports the error on games "
        "that were held out.\vExample:\n  willow train fit --data games --out new.wlw",
        NULL,
        NULL,
        NULL};
    set_defaults(settings);
    const char **data = calloc((size_t)argc + 1, sizeof *data);
    if (!data)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    struct parse parse = {.settings = settings};
    settings->data = data;
    willow_parse_options(&argp, argc, argv, &parse);
    if (settings->config) {
        const char *config = settings->config;
        set_defaults(settings);
        settings->config = config;
        settings->data = data;
        enum willow_status status = take_file(settings, error);
        if (status != WILLOW_OK)
            return status;
        parse.data_count = 0;
        willow_parse_options(&argp, argc, argv, &parse);
    }
    struct fit_file *file = settings->file;
    if (parse.data_count == 0 && file && file->data_count > 0) {
        free(settings->data);
        settings->data = calloc(file->data_count, sizeof *settings->data);
        if (!settings->data)
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
        for (unsigned i = 0; i < file->data_count; i++)
            settings->data[i] = file->data[i];
        settings->data_count = file->data_count;
    }
    if (settings->data_count == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--data", NULL, "no dataset is named");
    if (!settings->out || settings->out[0] == '\0')
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--out", NULL, "the weights file to write is not named");
    set_rules(settings);
    return check_targets(settings, error);
}

void fit_settings_clear(struct fit_settings *settings)
{
    free(settings->data);
    if (settings->file)
        willow_config_free(&file_schema, settings->file);
    *settings = (struct fit_settings){0};
}

/* A double-quoted YAML scalar. */
static void put_text(FILE *stream, const char *prefix, const char *text)
{
    if (!text)
        return;
    fprintf(stream, "%s\"", prefix);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(stream, "\\x%02x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, stream);
    }
    fputs("\"\n", stream);
}

static void put_settings(FILE *stream, const struct fit_settings *settings)
{
    fprintf(stream, "%s; `willow train fit` with this file repeats it.\ndata:\n", saved_mark);
    for (size_t i = 0; i < settings->data_count; i++)
        put_text(stream, "  - ", settings->data[i]);
    put_text(stream, "out: ", settings->out);
    put_text(stream, "init: ", settings->init);
    put_text(stream, "patterns: ", settings->patterns);
    put_text(stream, "scratch: ", settings->scratch);
    if (settings->stages > 0)
        fprintf(stream, "stages: %d\n", settings->stages);
    if (settings->has_seed)
        fprintf(stream, "seed: %llu\n", (unsigned long long)settings->seed);
    fprintf(stream, "plies: %d-%d\nfrom_next: %s\nlabel: %s\nresult_weight: %.17g\nheld_out: %.17g\n",
            settings->first_ply, settings->last_ply, settings->start == FIT_START_NEXT ? "true" : "false",
            label_names[settings->label], settings->result_weight, settings->held_out);
    fprintf(stream, "prior: %.17g\nclip: %.17g\niterations: %d\nthreads: %d\n", settings->prior, settings->clip_discs,
            settings->iterations, settings->threads);
}

enum willow_status fit_settings_save(const struct fit_settings *settings, struct willow_error *error)
{
    char path[PATH_BYTES];
    enum willow_status status = saved_path(settings, path, error);
    if (status != WILLOW_OK)
        return status;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    put_settings(stream, settings);
    bool failed = ferror(stream) != 0;
    failed = fclose(stream) != 0 || failed;
    status = failed ? willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory")
                    : willow_file_replace(path, text, size, error);
    free(text);
    return status;
}
