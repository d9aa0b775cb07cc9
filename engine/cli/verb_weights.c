/* willow weights: describes, checks, compares and creates weights files. Does not train: that is willow train.
 * Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <willow/patterns.h>
#include <willow/program.h>
#include <willow/ruleset.h>
#include <willow/weights.h>

#include "verb.h"

enum { FILES_MAX = 2 };

struct weights_options {
    const char *files[FILES_MAX];
    int count, wanted_least, wanted_most;
    const char *patterns, *out;
    int stages;
    bool json;
};

enum { KEY_JSON = 256, KEY_OUT, KEY_PATTERNS, KEY_STAGES };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct weights_options *options = state->input;
    switch (key) {
    case KEY_JSON:
        options->json = true;
        return 0;
    case KEY_OUT:
        options->out = argument;
        return 0;
    case KEY_PATTERNS:
        options->patterns = argument;
        return 0;
    case KEY_STAGES:
        options->stages = (int)willow_option_integer(argument, 1, WILLOW_STAGES_MAX, "--stages", state);
        return 0;
    case ARGP_KEY_ARG:
        if (options->count >= options->wanted_most)
            return ARGP_ERR_UNKNOWN;
        options->files[options->count++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->count < options->wanted_least)
            argp_failure(state, argp_err_exit_status, 0, "%s missing",
                         options->wanted_least > 1 ? "two weights files are" : "the weights file is");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static size_t total_weights(const struct willow_weights *weights)
{
    return (size_t)willow_weights_stages(weights)->count * willow_pattern_set_weights(willow_weights_patterns(weights));
}

static size_t nonzero_weights(const struct willow_weights *weights)
{
    const int16_t *values = willow_weights_values(weights);
    const size_t total = total_weights(weights);
    size_t count = 0;
    for (size_t i = 0; i < total; i++)
        count += values[i] != 0;
    return count;
}

/* Bytes of the file behind a name; -1 when the name stands for no file. */
static long long file_bytes(const char *name)
{
    struct stat status;
    if (!name || !name[0] || strcmp(name, "default") == 0 || strcmp(name, "zero") == 0 || stat(name, &status) != 0)
        return -1;
    return (long long)status.st_size;
}

static void print_stages(const struct willow_stages *stages)
{
    printf("stages:      %d, from", stages->count);
    for (int i = 0; i < stages->count; i++)
        printf(" %d", stages->first_disc[i]);
    printf(" discs\n");
}

/* Every line indented. The text holds no control characters: weights that had some were refused. */
static void print_lines(const char *text)
{
    bool start = true;
    for (const char *at = text; *at; at++) {
        if (start)
            fputs("  ", stdout);
        start = *at == '\n';
        fputc(*at, stdout);
    }
    if (!start)
        fputc('\n', stdout);
}

static void print_info(const char *name, const struct willow_weights *weights)
{
    const struct willow_pattern_set *set = willow_weights_patterns(weights);
    const size_t total = total_weights(weights), nonzero = nonzero_weights(weights);
    printf("weights:     %s\n", name);
    const long long bytes = file_bytes(name);
    if (bytes >= 0)
        printf("file:        %lld bytes\n", bytes);
    printf("checksum:    %s\n", willow_weights_checksum(weights));
    printf("ruleset:     %s\n", willow_weights_ruleset(weights)->name);
    printf("patterns:    %s (%d terms, %" PRIu32 " weights a stage)\n", willow_pattern_set_name(set),
           willow_pattern_set_features(set), willow_pattern_set_weights(set));
    print_stages(willow_weights_stages(weights));
    printf("non-zero:    %zu of %zu weights (%.1f%%)\n", nonzero, total, 100.0 * (double)nonzero / (double)total);
    printf("probcut:     %" PRIu32 " constants\n", willow_weights_probcut(weights)->count);
    const char *provenance = willow_weights_provenance(weights);
    printf("provenance:%s\n", provenance[0] ? "" : "  none");
    print_lines(provenance);
}

static void print_info_json(const char *name, const struct willow_weights *weights)
{
    const struct willow_pattern_set *set = willow_weights_patterns(weights);
    const struct willow_stages *stages = willow_weights_stages(weights);
    printf("{\"weights\": ");
    willow_json_string(stdout, name);
    printf(", \"checksum\": \"%s\", \"ruleset\": \"%s\", \"patterns\": \"%s\", \"terms\": %d, \"weights_a_stage\": "
           "%" PRIu32 ", \"first_disc\": [",
           willow_weights_checksum(weights), willow_weights_ruleset(weights)->name, willow_pattern_set_name(set),
           willow_pattern_set_features(set), willow_pattern_set_weights(set));
    for (int i = 0; i < stages->count; i++)
        printf("%s%d", i ? ", " : "", stages->first_disc[i]);
    printf("], \"nonzero\": %zu, \"probcut\": %" PRIu32 ", \"provenance\": ", nonzero_weights(weights),
           willow_weights_probcut(weights)->count);
    willow_json_string(stdout, willow_weights_provenance(weights));
    printf("}\n");
}

static int run_info(int argc, char **argv)
{
    static const struct argp_option table[] = {{"json", KEY_JSON, NULL, 0, "One JSON object", 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .args_doc = "[FILE]",
        .doc = "Describes a weights file: ruleset, patterns, stages, checksum, provenance. Without FILE: "
               "the weights that the programs use (the variable WILLOW_WEIGHTS, else the linked ones).\v"
               "Example:\n"
               "  willow weights info weights/default.wlw"};
    struct weights_options options = {.wanted_most = 1};
    willow_parse_options(&argp, argc, argv, &options);
    const char *name = options.files[0];
    struct willow_weights *weights = NULL;
    struct willow_error error;
    if (willow_weights_open(name, &weights, &error) != WILLOW_OK)
        return willow_report(&error);
    const char *variable = getenv("WILLOW_WEIGHTS");
    if (!name)
        name = variable && variable[0] ? variable : "default";
    (options.json ? print_info_json : print_info)(name, weights);
    willow_weights_free(weights);
    return WILLOW_EXIT_OK;
}

static int run_verify(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Checks a weights file: lengths, checksum, version, ruleset, patterns. Exit 1 when it is not "
               "good, 2 when it cannot be read.\v"
               "Example:\n"
               "  willow weights verify gen3.wlw"};
    struct weights_options options = {.wanted_least = 1, .wanted_most = 1};
    willow_parse_options(&argp, argc, argv, &options);
    struct willow_weights *weights = NULL;
    struct willow_error error;
    const enum willow_status status = willow_weights_load(options.files[0], &weights, &error);
    if (status != WILLOW_OK) {
        willow_report(&error);
        return status == WILLOW_ERR_IO || status == WILLOW_ERR_MEMORY ? WILLOW_EXIT_USAGE : WILLOW_EXIT_FAILED;
    }
    printf("%s: good, checksum %s\n", options.files[0], willow_weights_checksum(weights));
    willow_weights_free(weights);
    return WILLOW_EXIT_OK;
}

/* One line a stage: how many weights differ and by how much. Returns how many differ in all. */
static size_t print_differences(const struct willow_weights *a, const struct willow_weights *b)
{
    const size_t width = willow_pattern_set_weights(willow_weights_patterns(a));
    const int16_t *left = willow_weights_values(a), *right = willow_weights_values(b);
    const struct willow_stages *stages = willow_weights_stages(a);
    size_t all = 0;
    printf("stage  from discs  differing  mean |difference|  largest   (in discs)\n");
    for (int stage = 0; stage < stages->count; stage++) {
        size_t differing = 0;
        int64_t sum = 0, largest = 0;
        for (size_t i = 0; i < width; i++) {
            const size_t at = (size_t)stage * width + i;
            const int64_t difference = llabs((long long)left[at] - right[at]);
            differing += difference != 0;
            sum += difference;
            largest = difference > largest ? difference : largest;
        }
        printf("%5d  %10d  %9zu  %17.4f  %7.3f\n", stage, stages->first_disc[stage], differing,
               (double)sum / (double)width / WILLOW_SCORE_DISC, (double)largest / WILLOW_SCORE_DISC);
        all += differing;
    }
    return all;
}

static int run_diff(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "A B",
        .doc = "Compares two sets of weights by stage (files, 'default' or 'zero'). Exit 0 when the weights "
               "are equal, 1 when not.\v"
               "Example:\n"
               "  willow weights diff gen3.wlw gen4.wlw"};
    struct weights_options options = {.wanted_least = 2, .wanted_most = 2};
    willow_parse_options(&argp, argc, argv, &options);
    struct willow_weights *a = NULL, *b = NULL;
    struct willow_error error;
    int code = WILLOW_EXIT_FAILED;
    if (willow_weights_open(options.files[0], &a, &error) != WILLOW_OK ||
        willow_weights_open(options.files[1], &b, &error) != WILLOW_OK) {
        code = willow_report(&error);
    } else if (willow_weights_ruleset(a) != willow_weights_ruleset(b)) {
        printf("rulesets differ: %s, %s\n", willow_weights_ruleset(a)->name, willow_weights_ruleset(b)->name);
    } else if (willow_weights_patterns(a) != willow_weights_patterns(b)) {
        printf("pattern sets differ: %s, %s\n", willow_pattern_set_name(willow_weights_patterns(a)),
               willow_pattern_set_name(willow_weights_patterns(b)));
    } else if (willow_weights_stages(a)->count != willow_weights_stages(b)->count ||
               memcmp(willow_weights_stages(a)->first_disc, willow_weights_stages(b)->first_disc,
                      (size_t)willow_weights_stages(a)->count) != 0) {
        printf("stages differ\n");
    } else {
        code = print_differences(a, b) == 0 ? WILLOW_EXIT_OK : WILLOW_EXIT_FAILED;
    }
    willow_weights_free(a);
    willow_weights_free(b);
    return code;
}

static int run_zero(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"patterns", KEY_PATTERNS, "NAME", 0, "Pattern set (default: the one that 'willow weights patterns' marks)", 0},
        {"stages", KEY_STAGES, "N", 0, "Stages of equal width (default: 20)", 0},
        {"out", KEY_OUT, "FILE", 0, "Where to write", 0},
        {0}};
    static const struct argp argp = {.options = table,
                                     .parser = parse,
                                     .doc = "Writes weights that are all zero: an engine that knows only the rules.\v"
                                            "Example:\n"
                                            "  willow weights zero --stages 20 --out zero.wlw"};
    struct weights_options options = {.stages = 20};
    willow_parse_options(&argp, argc, argv, &options);
    struct willow_error error;
    if (!options.out) {
        willow_fail(&error, WILLOW_ERR_ARGUMENT, "--out", NULL, "the file to write is missing");
        return willow_report(&error);
    }
    const struct willow_pattern_set *set =
        options.patterns ? willow_pattern_set_find(options.patterns) : willow_pattern_set_default();
    if (!set) {
        willow_fail(&error, WILLOW_ERR_ARGUMENT, "--patterns", NULL,
                    "unknown pattern set '%.64s'; 'willow weights patterns' lists them", options.patterns);
        return willow_report(&error);
    }
    const struct willow_stages stages = willow_stages_even(options.stages);
    struct willow_weights *weights = NULL;
    enum willow_status status =
        willow_weights_new(willow_ruleset_othello(), set, &stages, NULL, NULL,
                           "made: untrained, all weights zero (willow weights zero)\n", &weights, &error);
    if (status == WILLOW_OK)
        status = willow_weights_save(weights, options.out, &error);
    if (status == WILLOW_OK)
        printf("%s: %s, %d stages, all zero, checksum %s\n", options.out, willow_pattern_set_name(set),
               willow_weights_stages(weights)->count, willow_weights_checksum(weights));
    willow_weights_free(weights);
    return status == WILLOW_OK ? WILLOW_EXIT_OK : willow_report(&error);
}

static int run_patterns(int argc, char **argv)
{
    static const struct argp argp = {.parser = parse,
                                     .doc = "Lists the pattern sets that this build knows; the default has a star.\v"
                                            "Example:\n"
                                            "  willow weights patterns"};
    struct weights_options options = {0};
    willow_parse_options(&argp, argc, argv, &options);
    const struct willow_pattern_set *set;
    for (int i = 0; (set = willow_pattern_set_at(i)) != NULL; i++)
        printf("%c %-16s %3d terms, %8" PRIu32 " weights a stage\n", set == willow_pattern_set_default() ? '*' : ' ',
               willow_pattern_set_name(set), willow_pattern_set_features(set), willow_pattern_set_weights(set));
    return WILLOW_EXIT_OK;
}

int verb_weights(int argc, char **argv)
{
    static const struct willow_verb verbs[] = {
        {"info", "what a weights file holds and where it came from", run_info},
        {"verify", "check that a weights file is good", run_verify},
        {"diff", "compare two sets of weights", run_diff},
        {"zero", "write weights that are all zero", run_zero},
        {"patterns", "list the pattern sets", run_patterns},
        {NULL, NULL, NULL},
    };
    return willow_program_main(argc, argv, "willow weights",
                               "Describes, checks, compares and creates weights files.\n"
                               "Example: willow weights info",
                               verbs, NULL);
}
