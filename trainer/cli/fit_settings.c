/* Command line and checks of the fit; see fit_settings.h. Layer: trainer (program). */
#include "fit_settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/program.h>

/* How a resolved configuration begins. */
static const char saved_mark[] = "# The resolved configuration of a fit";
static const char saved_suffix[] = ".yaml";

#define NUMBER_ROW(name, group, key, option, letter, argument, whole, low, high, standard, help)                       \
    [FIT_##name] = {FIT_GROUP_##group, key, option, letter, argument, whole, low, high, standard, help},
const struct fit_number_row fit_numbers[FIT_NUMBERS] = {FIT_NUMBER_TABLE(NUMBER_ROW)};

const struct fit_words fit_words[FIT_CHOICES] = {
    [FIT_LABEL] = {FIT_GROUP_ROWS,
                   "label",
                   "auto (the score, else the result), score or result (default: auto)",
                   {"auto", "score", "result"}},
    [FIT_START] =
        {FIT_GROUP_MODEL,
         "start",
         "A stage without any weight starts from zero, from the next stage, or from a base, one fit to all rows "
         "(default: zero)",
         {"zero", "next", "base"}},
    [FIT_SOLVER] = {FIT_GROUP_FIT,
                    "solver",
                    "conjugate or descent (default: conjugate)",
                    {"conjugate", "descent", NULL}},
};

bool fit_settings_set_word(struct fit_settings *settings, enum fit_choice choice, const char *word)
{
    for (int i = 0; i < FIT_WORDS_MAX && fit_words[choice].word[i]; i++)
        if (strcmp(word, fit_words[choice].word[i]) == 0) {
            settings->choice[choice] = i;
            return true;
        }
    return false;
}

char *fit_words_text(enum fit_choice choice, char buffer[FIT_WORDS_TEXT])
{
    const char *const *word = fit_words[choice].word;
    if (word[2])
        snprintf(buffer, FIT_WORDS_TEXT, "%s, %s or %s", word[0], word[1], word[2]);
    else
        snprintf(buffer, FIT_WORDS_TEXT, "%s or %s", word[0], word[1]);
    return buffer;
}

bool fit_blend_valid(const struct fit_blend *blend)
{
    const double most = LABEL_BLEND_MAX;
    return blend->score >= 0.0 && blend->score <= most && blend->exact >= 0.0 && blend->exact <= most &&
           blend->result >= 0.0 && blend->result <= most && blend->score + blend->exact + blend->result > 0.0;
}

bool fit_blend_parse(const char *text, struct fit_blend *blend)
{
    char plies[16];
    int end = -1;
    const char *colon = strchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof plies)
        return false;
    snprintf(plies, sizeof plies, "%.*s", (int)(colon - text), text);
    return willow_parse_range(plies, 0, SAMPLE_PLIES - 1, &blend->first_ply, &blend->last_ply) &&
           sscanf(colon + 1, "%lf,%lf,%lf%n", &blend->score, &blend->exact, &blend->result, &end) == 3 && end >= 0 &&
           colon[1 + end] == '\0' && fit_blend_valid(blend);
}

static void set_defaults(struct fit_settings *settings)
{
    *settings = (struct fit_settings){.last_ply = SAMPLE_PLIES - 1};
    for (int i = 0; i < FIT_NUMBERS; i++)
        settings->number[i] = fit_numbers[i].standard;
}

/* The command line is parsed twice: first for the name of the file, then over the file's contents. */
struct parse {
    struct fit_settings *settings;
    size_t data_count; /* folders and blends named on the command line; they replace the file's */
    size_t blend_count;
};

static bool names_config(const char *argument)
{
    const char *dot = strrchr(argument, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static void add_data(struct parse *parse, const char *folder, struct argp_state *state)
{
    struct fit_settings *settings = parse->settings;
    if (folder[0] == '\0')
        argp_failure(state, argp_err_exit_status, 0, "the name of a data folder is empty");
    if (parse->data_count == 0) {
        free(settings->data);
        settings->data = calloc((size_t)state->argc + 1, sizeof *settings->data); /* room for every argument */
        if (!settings->data)
            argp_failure(state, argp_err_exit_status, 0, "out of memory");
    }
    settings->data[parse->data_count++] = folder;
    settings->data_count = parse->data_count;
}

static void add_blend(struct parse *parse, const char *text, struct argp_state *state)
{
    struct fit_settings *settings = parse->settings;
    if (parse->blend_count == FIT_BLENDS_MAX)
        argp_failure(state, argp_err_exit_status, 0, "more than %d blends", FIT_BLENDS_MAX);
    else if (!fit_blend_parse(text, &settings->blends[parse->blend_count]))
        argp_failure(state, argp_err_exit_status, 0, "--blend '%s': PLIES:SCORE,EXACT,RESULT is expected", text);
    settings->blend_count = ++parse->blend_count;
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

/* Numbers without a letter have the keys from KEY_NUMBER on, words those from KEY_WORD on. */
enum {
    KEY_NUMBER = 256,
    KEY_WORD = KEY_NUMBER + FIT_NUMBERS,
    KEY_BLEND = KEY_WORD + FIT_CHOICES,
    KEY_DROP_RANDOM,
    KEY_WITHOUT,
    KEY_SCRATCH,
    KEY_FRESH,
    KEY_JSON
};

static int key_of_number(int number)
{
    return fit_numbers[number].letter ? fit_numbers[number].letter : KEY_NUMBER + number;
}

static error_t parse_number(int key, const char *argument, struct argp_state *state, struct fit_settings *settings)
{
    for (int i = 0; i < FIT_NUMBERS; i++) {
        const struct fit_number_row *row = &fit_numbers[i];
        char option[64];
        if (key != key_of_number(i))
            continue;
        snprintf(option, sizeof option, "--%s", row->option);
        settings->number[i] =
            row->whole ? (double)willow_option_integer(argument, (int64_t)row->low, (int64_t)row->high, option, state)
                       : willow_option_real(argument, row->low, row->high, option, state);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static error_t parse_word(int key, const char *argument, struct argp_state *state, struct fit_settings *settings)
{
    if (key < KEY_WORD || key >= KEY_WORD + FIT_CHOICES)
        return parse_number(key, argument, state, settings);
    const enum fit_choice choice = (enum fit_choice)(key - KEY_WORD);
    char words[FIT_WORDS_TEXT];
    if (!fit_settings_set_word(settings, choice, argument))
        argp_failure(state, argp_err_exit_status, 0, "--%s '%s': %s is expected", fit_words[choice].key, argument,
                     fit_words_text(choice, words));
    return 0;
}

static error_t parse_flag(int key, char *argument, struct argp_state *state, struct fit_settings *settings)
{
    switch (key) {
    case 'q':
        settings->quiet = true;
        return 0;
    case KEY_JSON:
        settings->json = true;
        return 0;
    case KEY_FRESH:
        settings->fresh = true;
        return 0;
    case KEY_DROP_RANDOM:
        settings->drop_random = true;
        return 0;
    default:
        return parse_word(key, argument, state, settings);
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
        willow_option_range(argument, 0, SAMPLE_PLIES - 1, &settings->first_ply, &settings->last_ply, "--plies", state);
        return 0;
    case 's':
        settings->seed = (uint64_t)willow_option_integer(argument, 0, INT64_MAX, "--seed", state);
        settings->has_seed = true;
        return 0;
    case KEY_WITHOUT:
        settings->without = argument;
        return 0;
    case KEY_SCRATCH:
        settings->scratch = argument;
        return 0;
    case KEY_BLEND:
        add_blend(parse, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        parse_argument(parse, argument, state);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &settings->ruleset;
        return 0;
    default:
        return parse_flag(key, argument, state, settings);
    }
}

static const struct argp_option text_options[] = {
    {"data", 'd', "DIR", 0,
     "A dataset; may be given again, and further folders may follow as arguments; one that is named twice counts twice",
     0},
    {"out", 'o', "FILE", 0, "The weights file to write", 0},
    {"json", KEY_JSON, NULL, 0, "The report as one JSON object", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {NULL, 0, NULL, 0, "Model:", FIT_GROUP_MODEL},
    {"init", 'w', "FILE", 0, "Weights to start from (default: zero)", FIT_GROUP_MODEL},
    {"plies", 'r', "A-B", 0, "Fit the stages of these plies alone; the others are copied (default: all)",
     FIT_GROUP_MODEL},
    {"patterns", 'P', "NAME", 0, "Pattern set when starting from zero", FIT_GROUP_MODEL},
    {"without", KEY_WITHOUT, "NAMES", 0, "Shapes and scalars of the set, with commas, that keep the weights they have",
     FIT_GROUP_MODEL},
    {NULL, 0, NULL, 0, "Rows and their labels:", FIT_GROUP_ROWS},
    {"blend", KEY_BLEND, "PLIES:S,E,R", 0,
     "Shares of score, exact score and result in the labels of these plies; may be given again", FIT_GROUP_ROWS},
    {"drop-random", KEY_DROP_RANDOM, NULL, 0, "Leave out rows whose own move was random", FIT_GROUP_ROWS},
    {"seed", 's', "S", 0, "Choice of the held-out games (default: each dataset's own)", FIT_GROUP_ROWS},
    {NULL, 0, NULL, 0, "Fit:", FIT_GROUP_FIT},
    {NULL, 0, NULL, 0, "Work and files; the weights do not depend on these:", FIT_GROUP_WORK},
    {"scratch", KEY_SCRATCH, "DIR", 0,
     "Folder for the scratch file, 24 bytes a row, 48 on 10x10 (default: that of FILE)", FIT_GROUP_WORK},
    {"fresh", KEY_FRESH, NULL, 0, "Forget what an earlier, unfinished fit saved", FIT_GROUP_WORK},
};
enum { TEXT_OPTIONS = sizeof text_options / sizeof *text_options, OPTIONS = TEXT_OPTIONS + FIT_CHOICES + FIT_NUMBERS };

/* "Help (default: X)" for every number that has a default of its own. */
static void make_options(struct argp_option *options, char (*help)[160])
{
    memcpy(options, text_options, sizeof text_options);
    options += TEXT_OPTIONS;
    for (int i = 0; i < FIT_CHOICES; i++)
        *options++ = (struct argp_option){.name = fit_words[i].key,
                                          .key = KEY_WORD + i,
                                          .arg = "WORD",
                                          .doc = fit_words[i].help,
                                          .group = (int)fit_words[i].group};
    for (int i = 0; i < FIT_NUMBERS; i++) {
        const struct fit_number_row *row = &fit_numbers[i];
        if (strstr(row->help, "(default"))
            snprintf(help[i], sizeof help[i], "%s", row->help);
        else
            snprintf(help[i], sizeof help[i], "%s (default: %g)", row->help, row->standard);
        *options++ = (struct argp_option){.name = row->option,
                                          .key = key_of_number(i),
                                          .arg = row->argument,
                                          .doc = help[i],
                                          .group = (int)row->group};
    }
}

enum willow_status fit_settings_path(const struct fit_settings *settings, const char *suffix, char path[FIT_PATH_BYTES],
                                     struct willow_error *error)
{
    const int length = snprintf(path, FIT_PATH_BYTES, "%s%s", settings->out, suffix);
    if (length < 0 || length >= FIT_PATH_BYTES)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, settings->out, NULL, "the name is too long");
    return WILLOW_OK;
}

/* What the saved configuration must be able to hold. */
static enum willow_status check_names(const struct fit_settings *settings, struct willow_error *error)
{
    const char *const names[] = {settings->out,     settings->init,    settings->patterns,
                                 settings->without, settings->scratch, settings->ruleset};
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
    char path[FIT_PATH_BYTES];
    enum willow_status status = check_names(settings, error);
    if (status == WILLOW_OK)
        status = willow_weights_check_target(settings->out, error);
    if (status == WILLOW_OK)
        status = fit_settings_path(settings, saved_suffix, path, error);
    if (status == WILLOW_OK)
        status = willow_file_check_mark(path, saved_mark, sizeof saved_mark - 1, "resolved configuration", error);
    return status;
}

static void set_rules(struct fit_settings *settings)
{
    struct label_rules *rules = &settings->rules;
    const int label = settings->choice[FIT_LABEL];
    const float result = label == FIT_LABEL_RESULT ? 1.0F
                         : label == FIT_LABEL_AUTO ? (float)settings->number[FIT_RESULT_WEIGHT]
                                                   : 0.0F;
    *rules = label_rules_default();
    if (label == FIT_LABEL_SCORE)
        rules->missing = LABEL_MISSING_ERROR;
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        rules->blend[ply] = (struct label_blend){
            .score = 1.0F - result, .exact = label == FIT_LABEL_RESULT ? 0.0F : 1.0F, .result = result};
    for (size_t i = 0; i < settings->blend_count; i++) {
        const struct fit_blend *blend = &settings->blends[i];
        rules->missing = LABEL_MISSING_DROP;
        for (int ply = blend->first_ply; ply <= blend->last_ply; ply++)
            rules->blend[ply] = (struct label_blend){
                .score = (float)blend->score, .exact = (float)blend->exact, .result = (float)blend->result};
    }
    for (int kind = 0; kind < SAMPLE_KINDS; kind++)
        rules->weight[kind] = settings->number[FIT_WEIGHT_SCORE + kind];
    rules->drop_random = settings->drop_random;
    rules->random_distance = (int)settings->number[FIT_RANDOM_DISTANCE];
    rules->gap_discs = settings->number[FIT_GAP];
}

enum willow_status fit_settings_parse(struct fit_settings *settings, int argc, char **argv, struct willow_error *error)
{
    struct argp_option options[OPTIONS + 1] = {{0}};
    char help[FIT_NUMBERS][160];
    const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, FIT_GROUP_MODEL}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse_key,
                              .children = children,
                              .args_doc = "[CONFIG.yaml] [DIR...]",
                              .doc = "Fits pattern weights to the labelled positions of datasets, stage by stage, and "
                                     "reports the error on games "
                                     "that were held out. What a kill or Ctrl-C leaves unfinished, the same command "
                                     "finishes.\vExample:\n  willow "
                                     "train fit --data games --out new.wlw"};
    make_options(options, help);
    set_defaults(settings);
    struct parse parse = {.settings = settings};
    willow_parse_options(&argp, argc, argv, &parse);
    if (settings->config) {
        const char *config = settings->config;
        free(settings->data);
        set_defaults(settings);
        settings->config = config;
        enum willow_status status = fit_file_load(settings, error);
        if (status != WILLOW_OK)
            return status;
        parse.data_count = parse.blend_count = 0;
        willow_parse_options(&argp, argc, argv, &parse);
    }
    if (settings->data_count == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--data", NULL, "no dataset is named");
    if (!settings->out || settings->out[0] == '\0')
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--out", NULL, "the weights file to write is not named");
    set_rules(settings);
    const enum willow_status status = label_rules_check(&settings->rules, error);
    return status ? status : check_targets(settings, error);
}

void fit_settings_clear(struct fit_settings *settings)
{
    free(settings->data);
    fit_file_free(settings->file);
    *settings = (struct fit_settings){0};
}

enum willow_status fit_settings_save(const struct fit_settings *settings, struct willow_error *error)
{
    char path[FIT_PATH_BYTES];
    char *text = NULL;
    size_t size = 0;
    enum willow_status status = fit_settings_path(settings, saved_suffix, path, error);
    if (status == WILLOW_OK)
        status = fit_settings_text(settings, true, &text, &size, error);
    if (status == WILLOW_OK)
        status = willow_file_replace(path, text, size, error);
    free(text);
    return status;
}
