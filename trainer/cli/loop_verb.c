/* The verb `loop`: from a configuration and a folder to a stronger engine, and the last words to the user.
 * Layer: trainer (program).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>

#include "loop/loop.h"
#include "verbs.h"

struct loop_verb {
    const char *configuration;
    char *folder;
    int threads;
    bool dry_run, quiet;
};

enum { OPTION_DRY_RUN = 256 };

static const struct argp_option options[] = {
    {"out", 'o', "DIR", 0, "Folder of the loop: data, weights, logs and report; the same command again resumes it", 0},
    {"threads", 't', "T", 0, "Threads of every program (default: the cores available)", 0},
    {"dry-run", OPTION_DRY_RUN, NULL, 0, "Print the command lines and run nothing", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {0}};

static const char documentation[] =
    "Teach the engine: generations of self-play, labels, fit and a gate match, as CONFIG.yaml says.\v"
    "DIR/report.html and DIR/report.txt say after every generation what was learnt; DIR/weights.wlw is the best so "
    "far; "
    "DIR/logs holds every command line. Ctrl-C stops; the same command continues.\n\n"
    "Example:\n  willow train loop configs/quick.yaml --out run\n";

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
    case 'q':
        verb->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (verb->configuration != NULL)
            argp_error(state, "one configuration is expected; '%s' is a second", text);
        verb->configuration = text;
        return 0;
    case ARGP_KEY_END:
        if (verb->configuration == NULL || verb->folder == NULL)
            argp_error(state, "a configuration and --out DIR are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_result(const struct loop *loop)
{
    const struct report *report = &loop->report;
    const struct report_match *match = &report->final;
    char elo[16], low[16], high[16], seconds[32];

    printf("%d generation%s in %s; the best is number %d.\n", report->count - 1, report->count == 2 ? "" : "s",
           willow_duration_text(report->seconds, seconds), report->best);
    if (match->played) {
        printf("Against generation 0 at depth %d: %.1f%% of %llu games, 95%% bounds %.1f%% to %.1f%%\n",
               report->final_depth, 100.0 * match->score,
               (unsigned long long)(match->wins + match->draws + match->losses), 100.0 * match->score_low,
               100.0 * match->score_high);
        printf("  %llu won, %llu drawn, %llu lost; Elo %s [%s, %s]; %+.1f discs a game\n",
               (unsigned long long)match->wins, (unsigned long long)match->draws, (unsigned long long)match->losses,
               report_elo(match->elo, elo), report_elo(match->elo_low, low), report_elo(match->elo_high, high),
               match->discs);
    } else {
        printf("No generation passed its gate: the weights are those of the start.\n");
    }
    printf("Report:  %s/report.html (and report.txt)\n", loop->folder);
    printf("Weights: %s\n", loop->weights);
    printf("Play:    willow play --weights %s\n", loop->weights);
}

int verb_loop(int argc, char **argv)
{
    static const struct argp argp = {options, parse_option, "CONFIG.yaml", documentation, NULL, NULL, NULL};
    struct loop_verb verb = {.threads = willow_default_threads()};
    struct loop_config config = {0};
    struct willow_error error = {0};

    willow_parse_options(&argp, argc, argv, &verb);
    /* Paths within the folder are recognised by the folder's name as a prefix. */
    for (size_t length = strlen(verb.folder); length > 1 && verb.folder[length - 1] == '/'; length--)
        verb.folder[length - 1] = '\0';
    struct loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) {
        willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
        return willow_report(&error);
    }
    enum willow_status status = loop_config_load(verb.configuration, &config, &error);
    if (status == WILLOW_OK)
        status = loop_run(loop, &config, verb.folder, verb.threads, verb.dry_run, verb.quiet, &error);

    int exit_code = WILLOW_EXIT_OK;
    if (status == WILLOW_ERR_STOPPED) {
        printf("Stopped. The same command continues: willow train loop %s --out %s\n", verb.configuration, verb.folder);
        exit_code = WILLOW_EXIT_FAILED;
    } else if (status != WILLOW_OK) {
        exit_code = willow_report(&error);
    } else if (!verb.dry_run) {
        print_result(loop);
    }
    loop_clear(loop);
    free(loop);
    loop_config_clear(&config);
    return exit_code;
}
