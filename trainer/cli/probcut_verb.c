/* willow train probcut: options in, weights file and report out. Layer: trainer (program). */
#include <stdlib.h>

#include <willow/program.h>

#include "command_line.h"
#include "probcut/probcut.h"
#include "probcut/probcut_sample.h"
#include "probcut_table.h"
#include "verbs.h"

enum { POSITIONS_MAX = 1000000 };

struct probcut_verb {
    const char **data;
    size_t data_count;
    const char *weights, *out;
    int64_t positions, seed;
    int depth, exact, threads;
    bool json, quiet;
};

enum { KEY_JSON = 256 };

static const struct argp_option option_table[] = {
    {"data", 'd', "DIR", 0, "A dataset; may be given again, and further folders may follow as arguments", 0},
    {"out", 'o', "FILE", 0, "The weights file to write: the same weights with new constants", 0},
    {"weights", 'w', "NAME", 0, "Weights file, 'default' or 'zero' (default: WILLOW_WEIGHTS, else 'default')", 0},
    {"positions", 'n', "N", 0, "Positions to search, evenly over the number of discs (default: 3000)", 0},
    {"depth", 'D', "D", 0, "The deepest search, 2-24 (default: 10)", 0},
    {"exact", 'e', "E", 0, "Solve positions with 10 to E empties, 0-30 (default: 20)", 0},
    {"seed", 's', "S", 0, "Choice of the positions (default: 1)", 0},
    {"threads", 't', "T", 0, "Threads (default: the cores available)", 0},
    {"json", KEY_JSON, NULL, 0, "The report as one JSON object", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {0}};

static void add_data(struct probcut_verb *verb, const char *folder, struct argp_state *state)
{
    if (folder[0] == '\0')
        argp_failure(state, argp_err_exit_status, 0, "the name of a data folder is empty");
    verb->data[verb->data_count++] = folder; /* room for every argument */
}

static error_t parse_key(int key, char *argument, struct argp_state *state)
{
    struct probcut_verb *verb = state->input;
    switch (key) {
    case 'd':
    case ARGP_KEY_ARG:
        add_data(verb, argument, state);
        return 0;
    case 'o':
        verb->out = argument;
        return 0;
    case 'w':
        verb->weights = argument;
        return 0;
    case 'n':
        verb->positions = willow_option_integer(argument, 1, POSITIONS_MAX, "--positions", state);
        return 0;
    case 'D':
        verb->depth = (int)willow_option_integer(argument, 2, PROBCUT_DEPTH_MAX, "--depth", state);
        return 0;
    case 'e':
        verb->exact = (int)willow_option_integer(argument, 0, PROBCUT_EXACT_MAX, "--exact", state);
        return 0;
    case 's':
        verb->seed = willow_option_integer(argument, 0, INT64_MAX, "--seed", state);
        return 0;
    case 't':
        verb->threads = (int)willow_option_integer(argument, 1, WILLOW_THREADS_MAX, "--threads", state);
        return 0;
    case KEY_JSON:
        verb->json = true;
        return 0;
    case 'q':
        verb->quiet = true;
        return 0;
    case ARGP_KEY_END:
        if (verb->data_count == 0)
            argp_failure(state, argp_err_exit_status, 0, "--data: no dataset is named");
        if (!verb->out || verb->out[0] == '\0')
            argp_failure(state, argp_err_exit_status, 0, "--out: the weights file to write is not named");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void show_progress(void *context, size_t done, size_t count)
{
    willow_progress_line(context, false, "%zu of %zu positions searched", done, count);
}

static enum willow_status run(const struct probcut_verb *verb, const char *command, struct willow_error *error)
{
    struct willow_progress progress;
    struct probcut_report report = {0};
    struct willow_weights *weights = NULL;
    const struct probcut_options options = {.folders = verb->data,
                                            .folder_count = verb->data_count,
                                            .positions = (size_t)verb->positions,
                                            .weights = verb->weights,
                                            .depth = verb->depth,
                                            .exact = verb->exact,
                                            .threads = verb->threads,
                                            .seed = (uint64_t)verb->seed,
                                            .stop = willow_interrupt(),
                                            .command = command,
                                            .tool = willow_version(),
                                            .progress = show_progress,
                                            .context = &progress};
    /* The searches are too long to find out at their end. */
    enum willow_status status = willow_weights_check_target(verb->out, error);
    willow_progress_start(&progress, verb->quiet);
    if (status == WILLOW_OK)
        status = probcut_run(&options, &weights, &report, error);
    if (status == WILLOW_OK)
        willow_progress_line(&progress, true, "%zu positions searched", report.positions);
    if (status == WILLOW_OK)
        status = willow_weights_save(weights, verb->out, error);
    if (status == WILLOW_OK && verb->json)
        probcut_json_print(stdout, &report, weights);
    else if (status == WILLOW_OK)
        probcut_table_print(stdout, &report, verb->out);
    willow_weights_free(weights);
    probcut_report_clear(&report);
    return status;
}

int verb_probcut(int argc, char **argv)
{
    static const struct argp argp = {
        option_table,
        parse_key,
        "[DIR...]",
        "Measures how far shallow searches lie from deep ones and from exact scores with a set of weights, and fits "
        "the margins of selective search to it.\vExample:\n  willow train probcut --data games --weights new.wlw "
        "--out new.wlw",
        NULL,
        NULL,
        NULL};
    struct willow_error error;
    struct probcut_verb verb = {
        .positions = 3000, .depth = 10, .exact = 20, .seed = 1, .threads = willow_default_threads()};
    char *command = command_line_join(argc, argv); /* before argp reorders the arguments */
    verb.data = calloc((size_t)argc + 1, sizeof *verb.data);
    enum willow_status status = WILLOW_OK;
    if (!command || !verb.data) {
        status = willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    } else {
        willow_parse_options(&argp, argc, argv, &verb);
        status = run(&verb, command, &error);
    }
    free(verb.data);
    free(command);
    if (status == WILLOW_OK)
        return WILLOW_EXIT_OK;
    const int code = willow_report(&error);
    return status == WILLOW_ERR_STOPPED ? WILLOW_EXIT_FAILED : code;
}
