/* willow weights: describes, checks, compares and creates weights files. Does not train: that is willow train.
 * Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <stdlib.h>

#include <willow/patterns.h>
#include <willow/program.h>
#include <willow/ruleset.h>
#include <willow/weights.h>

#include "verb.h"
#include "verb_weights.h"
#include "weights_contrast.h"
#include "weights_tally.h"

enum { FILES_MAX = 2 };

struct weights_options {
    const char *files[FILES_MAX];
    int count, wanted_least, wanted_most;
    const char *patterns, *out, *ruleset_name;
    int stages;
    bool json;
    struct weights_diff_options diff;
};

enum {
    KEY_BY_STAGE = 256,
    KEY_JSON,
    KEY_OUT,
    KEY_PATTERNS,
    KEY_POSITIONS,
    KEY_POSITIONS_FILE,
    KEY_SEED,
    KEY_STAGES,
    KEY_TOP
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct weights_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        /* Most of these verbs take the ruleset of their file, and have no such option. */
        if (state->child_inputs)
            state->child_inputs[0] = &options->ruleset_name;
        return 0;
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
    case KEY_POSITIONS:
        options->diff.positions = (size_t)willow_option_integer(argument, 1, WEIGHTS_SAMPLE_MAX, "--positions", state);
        return 0;
    case KEY_POSITIONS_FILE:
        options->diff.positions_file = argument;
        return 0;
    case KEY_SEED:
        options->diff.seed = (uint64_t)willow_option_integer(argument, 0, INT64_MAX, "--seed", state);
        return 0;
    case KEY_TOP:
        options->diff.top = (size_t)willow_option_integer(argument, 0, WEIGHTS_TOP_MAX, "--top", state);
        return 0;
    case KEY_BY_STAGE:
        options->diff.by_stage = true;
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

static const struct argp_child ruleset_children[] = {{&willow_ruleset_argp, 0, NULL, 0}, {0}};

static int choose_ruleset(const char *typed, const struct weights_options *options,
                          const struct willow_ruleset *otherwise, const struct willow_ruleset **ruleset)
{
    return willow_ruleset_choose(typed, options->ruleset_name, OPTION_HOLE_SEED, otherwise, ruleset);
}

static int run_info(int argc, char **argv)
{
    static const struct argp_option table[] = {{"json", KEY_JSON, NULL, 0, "One JSON object", 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .children = ruleset_children,
        .args_doc = "[FILE]",
        .doc =
            "Describes a weights file: ruleset, patterns, stages, checksum, provenance, and how large its weights are "
            "by stage and by table. Without FILE: "
            "the weights that the programs use (the variable WILLOW_WEIGHTS, else the linked ones). With --ruleset, "
            "weights of another one are refused.\v"
            "Example:\n"
            "  willow weights info weights/default.wlw"};
    struct weights_options options = {.wanted_most = 1};
    willow_parse_options(&argp, argc, argv, &options);
    const struct willow_ruleset *ruleset;
    const int usage = choose_ruleset(argv[0], &options, NULL, &ruleset);
    if (usage != WILLOW_EXIT_OK)
        return usage;
    const char *name = options.files[0];
    struct willow_weights *weights = NULL;
    struct willow_error error;
    if (willow_weights_open(name, ruleset, &weights, &error) != WILLOW_OK)
        return willow_report(&error);
    const char *variable = getenv("WILLOW_WEIGHTS");
    if (!name)
        name = variable && variable[0] ? variable : "default";
    weights_info(name, weights, options.json);
    willow_weights_free(weights);
    return WILLOW_EXIT_OK;
}

/* What a good file may hold and a good fit does not: lines on stderr, no failure. */
static void warn_of_oddities(const char *name, const struct willow_weights *weights)
{
    struct willow_error warning;
    uint64_t at_limit = 0;
    for (int stage = 0; stage < willow_weights_stages(weights)->count; stage++)
        at_limit += weights_tally_stage(weights, stage).at_limit;
    if (at_limit > 0) {
        willow_fail(&warning, WILLOW_ERR_FORMAT, name, NULL,
                    "warning: %" PRIu64 " weights are as large as 16 bits can say, perhaps cut off", at_limit);
        willow_report(&warning);
    }
    for (int stage = -1; (stage = weights_skipped_stage(weights, stage + 1)) >= 0;) {
        willow_fail(&warning, WILLOW_ERR_FORMAT, name, NULL,
                    "warning: stage %d (from %d discs) is all zero, between stages that are not", stage,
                    willow_weights_stages(weights)->first_disc[stage]);
        willow_report(&warning);
    }
}

static int run_verify(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "FILE",
        .doc = "Checks a weights file: lengths, checksum, version, ruleset, patterns. Exit 1 when it is not "
               "good, 2 when it cannot be read. Warns of stages that are all zero between others, and of weights "
               "as large as 16 bits can say.\v"
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
    printf("%s: good, checksum %s, for %s\n", options.files[0], willow_weights_checksum(weights),
           willow_weights_ruleset(weights)->name);
    warn_of_oddities(options.files[0], weights);
    willow_weights_free(weights);
    return WILLOW_EXIT_OK;
}

static int run_diff(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"positions", KEY_POSITIONS, "N", 0, "Compare on N positions of games played for it (default: 100000)", 0},
        {"seed", KEY_SEED, "S", 0, "Of those games (default: 1)", 0},
        {"positions-file", KEY_POSITIONS_FILE, "FILE", 0, "Compare on the positions of this OBF file instead", 0},
        {"top", KEY_TOP, "N", 0, "List the N configurations and positions that differ most (default: 10)", 0},
        {"by-stage", KEY_BY_STAGE, NULL, 0, "List N configurations of every stage", 0},
        {"json", KEY_JSON, NULL, 0, "One JSON object", 0},
        {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .args_doc = "A B",
        .doc = "Says where two sets of weights (files, 'default' or 'zero') disagree most: weight by weight, and "
               "position by position. Exit 0 when the weights are equal, 1 when not.\v"
               "Seen: how often the positions use a weight; 'as seen' is a mean over these uses. Half of the moves of "
               "the games are random, half follow A and B in turn. The patterns overlap, so that sets fitted apart "
               "may differ in many weights and yet agree on positions. Sets with other patterns or stages are "
               "compared on positions alone. Deviation: of the difference from its mean. 'willow weights info' "
               "names the squares of a configuration.\n\n"
               "Examples:\n"
               "  willow weights diff gen3.wlw gen4.wlw\n"
               "  willow weights diff default gen4.wlw --positions-file hard-30.obf --top 20"};
    struct weights_options options = {
        .wanted_least = 2, .wanted_most = 2, .diff = {.positions = 100000, .seed = 1, .top = 10}};
    willow_parse_options(&argp, argc, argv, &options);
    options.diff.name[0] = options.files[0];
    options.diff.name[1] = options.files[1];
    options.diff.json = options.json;
    return weights_diff(&options.diff);
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
                                     .children = ruleset_children,
                                     .doc = "Writes weights that are all zero: an engine that knows only the rules.\v"
                                            "Examples:\n"
                                            "  willow weights zero --stages 20 --out zero.wlw\n"
                                            "  willow weights zero --ruleset 6x6 --out zero-6x6.wlw"};
    struct weights_options options = {.stages = 20};
    willow_parse_options(&argp, argc, argv, &options);
    const struct willow_ruleset *ruleset;
    const int usage = choose_ruleset(argv[0], &options, willow_ruleset_default(), &ruleset);
    if (usage != WILLOW_EXIT_OK)
        return usage;
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
    const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(ruleset), options.stages);
    struct willow_weights *weights = NULL;
    enum willow_status status =
        willow_weights_new(ruleset, set, &stages, NULL, NULL,
                           "made: untrained, all weights zero (willow weights zero)\n", &weights, &error);
    if (status == WILLOW_OK)
        status = willow_weights_save(weights, options.out, &error);
    if (status == WILLOW_OK)
        printf("%s: %s, %s, %d stages, all zero, checksum %s\n", options.out, ruleset->name,
               willow_pattern_set_name(set), willow_weights_stages(weights)->count, willow_weights_checksum(weights));
    willow_weights_free(weights);
    return status == WILLOW_OK ? WILLOW_EXIT_OK : willow_report(&error);
}

static int run_patterns(int argc, char **argv)
{
    static const struct argp argp = {.parser = parse,
                                     .children = ruleset_children,
                                     .doc = "Lists the pattern sets that this build knows, with their sizes on the "
                                            "board of the ruleset; the default has a star.\v"
                                            "Examples:\n"
                                            "  willow weights patterns\n"
                                            "  willow weights patterns --ruleset 6x6"};
    struct weights_options options = {0};
    willow_parse_options(&argp, argc, argv, &options);
    const struct willow_ruleset *ruleset;
    const int usage = choose_ruleset(argv[0], &options, willow_ruleset_default(), &ruleset);
    if (usage != WILLOW_EXIT_OK)
        return usage;
    const struct willow_pattern_set *set;
    for (int i = 0; (set = willow_pattern_set_at(i)) != NULL; i++) {
        const struct willow_pattern_set *laid = willow_pattern_set_on(set, ruleset);
        struct willow_error error;
        if (!laid) {
            willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
            return willow_report(&error);
        }
        printf("%c %-16s %3d terms, %8" PRIu32 " weights a stage\n", set == willow_pattern_set_default() ? '*' : ' ',
               willow_pattern_set_name(laid), willow_pattern_set_features(laid), willow_pattern_set_weights(laid));
    }
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
