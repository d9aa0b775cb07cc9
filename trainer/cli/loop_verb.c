/* The verb `loop`: from a configuration and a folder to a stronger engine, and the last words to the user.
 * Layer: trainer (program).
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/program.h>

#include "loop/loop.h"
#include "verbs.h"

struct loop_verb {
    const char *configuration, *ruleset;
    char *folder;
    int threads;
    bool dry_run, report, force, quiet;
};

enum { OPTION_DRY_RUN = 256, OPTION_REPORT, OPTION_FORCE };

static const struct argp_option options[] = {
    {"out", 'o', "DIR", 0, "Folder of the loop: data, weights, logs and report; the same command again resumes it", 0},
    {"threads", 't', "T", 0, "Threads of every program (default: the cores available)", 0},
    {"dry-run", OPTION_DRY_RUN, NULL, 0, "Print the estimate and the commands, a script for a shell; run nothing", 0},
    {"report", OPTION_REPORT, NULL, 0,
     "Write report.html and report.txt of what is finished and run nothing, also while the loop runs", 0},
    {"force", OPTION_FORCE, NULL, 0, "Start although the estimate of disk or time is over the budget", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {0}};

static const char documentation[] =
    "Teaches the engine: generations of self-play, labels, fit and a gate match, as CONFIG.yaml says.\v"
    "DIR/report.html and DIR/report.txt say after every generation what was learnt; DIR/weights.wlw is the best so "
    "far; "
    "DIR/logs holds every command line. Ctrl-C stops; the same command continues, or without CONFIG.yaml: then it is "
    "DIR/config.yaml.\n\n"
    "Examples:\n  willow train loop configs/quick.yaml --out run\n  willow train loop --out run --report\n  willow "
    "train loop configs/ruleset.yaml --ruleset anti --out anti\n";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct loop_verb *verb = state->input;

    switch (key) {
    case 'o':
        verb->folder = text;
        return 0;
    case 't':
        verb->threads = (int)willow_option_integer(text, 1, WILLOW_THREADS_MAX, "--threads", state);
        return 0;
    case OPTION_DRY_RUN:
        verb->dry_run = true;
        return 0;
    case OPTION_REPORT:
        verb->report = true;
        return 0;
    case OPTION_FORCE:
        verb->force = true;
        return 0;
    case 'q':
        verb->quiet = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &verb->ruleset;
        return 0;
    case ARGP_KEY_ARG:
        if (verb->configuration != NULL)
            argp_error(state, "one configuration is expected; '%s' is a second", text);
        verb->configuration = text;
        return 0;
    case ARGP_KEY_END:
        if (verb->folder == NULL || verb->folder[0] == '\0')
            argp_error(state, "--out DIR is needed");
        if (verb->dry_run && verb->report)
            argp_error(state, "--dry-run and --report exclude each other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_final(const struct report *report, const struct report_match *match, int opponent)
{
    char elo[16], low[16], high[16];

    if (!match->played)
        return;
    printf("Against generation %d at depth %d: %.1f%% of %llu games, 95%% bounds %.1f%% to %.1f%%\n", opponent,
           report->final_depth, 100.0 * match->score, (unsigned long long)(match->wins + match->draws + match->losses),
           100.0 * match->score_low, 100.0 * match->score_high);
    printf("  %llu won, %llu drawn, %llu lost; Elo %s [%s, %s]; %+.1f discs a game\n", (unsigned long long)match->wins,
           (unsigned long long)match->draws, (unsigned long long)match->losses, report_elo(match->elo, elo),
           report_elo(match->elo_low, low), report_elo(match->elo_high, high), match->discs);
}

static void print_result(const struct loop *loop)
{
    const struct report *report = &loop->report;
    const char *ruleset = loop->config->ruleset == willow_ruleset_othello() ? NULL : report->ruleset;
    char seconds[32];

    printf("%d generation%s in %s; the best is number %d.\n", report->count - 1, report->count == 2 ? "" : "s",
           willow_duration_text(report->seconds, seconds), report->best);
    print_final(report, &report->final, 0);
    print_final(report, &report->final_first, 1);
    if (!report->final.played && report->best == 0)
        printf("No generation passed its gate: the weights are those of the start.\n");
    printf("Report:  %s/report.html (and report.txt)\n", loop->options.folder);
    printf("Weights: %s\n", loop->weights);
    printf("Play:    willow play %s%s%s--weights %s\n", ruleset ? "--ruleset " : "", ruleset ? ruleset : "",
           ruleset ? " " : "", loop->weights);
}

static void print_report(const struct loop *loop)
{
    const struct report *report = &loop->report;

    printf("%d of %d generations; the best is number %d.\nReport:  %s/report.html (and report.txt)\n",
           report->count > 0 ? report->count - 1 : 0, report->planned, report->best, loop->options.folder);
}

/* What the verb was asked for, up to the last words. */
static int work(struct loop *loop, const struct loop_verb *verb, const struct loop_config *config)
{
    const struct loop_options wanted = {
        .folder = verb->folder, .threads = verb->threads, .quiet = verb->quiet, .force = verb->force};
    struct willow_error error = {0};
    enum willow_status status;

    if (verb->dry_run)
        status = loop_print(loop, config, &wanted, &error);
    else if (verb->report)
        status = loop_write_report(loop, config, &wanted, &error);
    else
        status = loop_run(loop, config, &wanted, &error);
    if (status == WILLOW_ERR_STOPPED) {
        printf("Stopped. The same command continues: willow train loop --out %s\n", verb->folder);
        return WILLOW_EXIT_FAILED;
    }
    if (status != WILLOW_OK)
        return willow_report(&error);
    if (verb->report)
        print_report(loop);
    else if (!verb->dry_run)
        print_result(loop);
    return WILLOW_EXIT_OK;
}

int verb_loop(int argc, char **argv)
{
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "[CONFIG.yaml]", documentation, children, NULL, NULL};
    struct loop_verb verb = {.threads = willow_default_threads()};
    struct loop_config config = {0};
    struct willow_error error = {0};
    char saved[PATH_MAX];

    willow_parse_options(&argp, argc, argv, &verb);
    /* Paths within the folder are recognised by the folder's name as a prefix. */
    for (size_t length = strlen(verb.folder); length > 1 && verb.folder[length - 1] == '/'; length--)
        verb.folder[length - 1] = '\0';
    struct loop *loop = calloc(1, sizeof *loop);
    enum willow_status status = WILLOW_OK;
    if (loop == NULL)
        status = willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (status == WILLOW_OK && verb.configuration == NULL) {
        status = willow_path_join(saved, sizeof saved, verb.folder, "config.yaml", &error);
        verb.configuration = saved;
    }
    if (status == WILLOW_OK)
        status = loop_config_load(verb.configuration, verb.ruleset, &config, &error);
    const int exit_code = status == WILLOW_OK ? work(loop, &verb, &config) : willow_report(&error);
    if (loop != NULL)
        loop_clear(loop);
    free(loop);
    loop_config_clear(&config);
    return exit_code;
}
