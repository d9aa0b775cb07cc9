/* `willow selfplay relabel`: command line, progress, summary. Layer: selfplay (program). */
#include <inttypes.h>
#include <signal.h>

#include <willow/clock.h>
#include <willow/program.h>

#include "layout_option.h"
#include "run/run_config.h"
#include "tools/relabel.h"
#include "verbs.h"

enum {
    KEY_OUT = 256,
    KEY_PLIES,
    KEY_DEPTH,
    KEY_SELECTIVITY,
    KEY_EXACT,
    KEY_RESULTS,
    KEY_WEIGHTS,
    KEY_LIMIT,
    KEY_SHARD_ROWS,
    KEY_LAYOUT,
    KEY_HASH,
    KEY_THREADS,
    KEY_QUIET
};

enum { SHARD_ROWS_MAX = 1 << 27 };

struct relabel_command {
    struct relabel_options options;
    const char *weights;
    bool quiet;
    struct willow_progress progress;
};

static const struct argp_option relabel_arguments[] = {
    {"out", KEY_OUT, "DIR", 0, "Folder of the new dataset; what an unfinished relabelling left there is finished", 0},
    {"plies", KEY_PLIES, "A-B", 0, "Plies to take (discs on the board - 4; default: all), without the games", 0},
    {"depth", KEY_DEPTH, "D", 0, "Plies of each label's search (default: 3)", 0},
    {"selectivity", KEY_SELECTIVITY, "PERCENT", 0, WILLOW_SELECTIVITY_HELP " (default: 100)", 0},
    {"exact", KEY_EXACT, "EMPTIES", 0, "Exact labels at this many empties or fewer (default: 10)", 0},
    {"results", KEY_RESULTS, NULL, 0, "At so few empties the exact score becomes the result too", 0},
    {"weights", KEY_WEIGHTS, "FILE", 0, "Weights file, 'default' or 'zero'", 0},
    {"limit", KEY_LIMIT, "ROWS", 0, "Take at most this many rows, evenly spread, without the games (default: all)", 0},
    {"shard-rows", KEY_SHARD_ROWS, "ROWS", 0,
     "Rows of one shard (default: 1000000; a whole dataset keeps the shards of its source)", 0},
    {"layout", KEY_LAYOUT, LAYOUT_VALUES, 0, LAYOUT_HELP, 0},
    {"hash", KEY_HASH, "MB", 0, "Transposition table of each thread (default: 1)", 0},
    {"threads", KEY_THREADS, "T", 0, "Threads (default: the cores available)", 0},
    {"quiet", KEY_QUIET, NULL, 0, "No progress", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_position(int key, char *text, struct argp_state *state)
{
    struct relabel_options *options = &((struct relabel_command *)state->input)->options;
    if (key != ARGP_KEY_END)
        return parse_folder(key, text, state, &options->source);
    if (!options->target)
        argp_error(state, "--out: a folder for the new dataset is needed");
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct relabel_command *command = state->input;
    struct relabel_options *options = &command->options;
    switch (key) {
    case KEY_OUT:
        options->target = text;
        return 0;
    case KEY_PLIES:
        willow_option_range(text, 0, RUN_PLIES_MAX, &options->first_ply, &options->last_ply, "--plies", state);
        return 0;
    case KEY_DEPTH:
        options->depth = (int)willow_option_integer(text, 1, RUN_DEPTH_MAX, "--depth", state);
        return 0;
    case KEY_SELECTIVITY:
        options->selectivity = willow_option_selectivity(text, state);
        return 0;
    case KEY_EXACT:
        options->exact = (int)willow_option_integer(text, 0, RUN_EMPTIES_MAX, "--exact", state);
        return 0;
    case KEY_RESULTS:
        options->results = true;
        return 0;
    case KEY_WEIGHTS:
        command->weights = text;
        return 0;
    case KEY_LIMIT:
        options->limit = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--limit", state);
        return 0;
    case KEY_SHARD_ROWS:
        options->shard_rows = (uint64_t)willow_option_integer(text, 1, SHARD_ROWS_MAX, "--shard-rows", state);
        return 0;
    case KEY_LAYOUT:
        options->layout = parse_layout(text, state);
        return 0;
    case KEY_HASH:
        options->hash_bytes = (size_t)willow_option_integer(text, 1, RUN_HASH_MAX_MB, "--hash", state) << 20;
        return 0;
    case KEY_THREADS:
        options->threads = (int)willow_option_integer(text, 1, RUN_THREADS_MAX, "--threads", state);
        return 0;
    case KEY_QUIET:
        command->quiet = true;
        return 0;
    default:
        return parse_position(key, text, state);
    }
}

static void show_progress(void *context, const struct relabel_progress *progress)
{
    struct relabel_command *command = context;
    char left[32];
    double seconds = (double)(willow_clock_ns() - command->progress.start_ns) * 1e-9;
    double rate = seconds > 0 ? (double)(progress->rows_done - progress->rows_found) / seconds : 0;
    const char *time_left = "?";
    /* A thinned choice may end a little before or after its expected number. */
    uint64_t rows_left = progress->rows_total > progress->rows_done ? progress->rows_total - progress->rows_done : 0;
    if (rate > 0)
        time_left = willow_duration_text((double)rows_left / rate, left);
    willow_progress_line(&command->progress, false, "%" PRIu64 "/%" PRIu64 " positions, %.0f labels/s, %s left",
                         progress->rows_done, progress->rows_total, rate, time_left);
}

static void print_summary(const struct relabel_command *command, const struct relabel_summary *summary)
{
    double seconds = (double)summary->time_ns * 1e-9;
    printf("%s: %" PRIu64 " of %" PRIu64 " positions of plies %d-%d", command->options.target, summary->rows,
           summary->rows_source, command->options.first_ply, command->options.last_ply);
    if (summary->games > 0)
        printf(" with %" PRIu64 " games", summary->games);
    if (summary->rows_found > 0)
        printf(", %" PRIu64 " of them from before", summary->rows_found);
    printf(", %.1f bytes a position; %.0f labels/s\n",
           summary->rows > 0 ? (double)summary->size_bytes / (double)summary->rows : 0,
           seconds > 0 ? (double)summary->rows_new / seconds : 0);
}

/* Those that play the dataset's ruleset. */
static enum willow_status open_weights(const struct relabel_command *command, struct willow_weights **weights,
                                       struct willow_error *error)
{
    struct willow_manifest manifest;
    enum willow_status status = willow_manifest_read(command->options.source, &manifest, error);
    if (status)
        return status;
    const struct willow_ruleset *ruleset = willow_ruleset_by_id(manifest.ruleset);
    willow_manifest_clear(&manifest);
    status = willow_weights_open(command->weights, ruleset, weights, error);
    if (!status)
        willow_tell_of_zero_weights("willow", command->weights, ruleset);
    return status;
}

static int relabel(struct relabel_command *command)
{
    struct willow_error error = {0};
    struct willow_weights *weights = NULL;
    struct relabel_summary summary = {0};
    enum willow_status status = open_weights(command, &weights, &error);
    willow_progress_start(&command->progress, command->quiet);
    if (!status) {
        command->options.weights = weights;
        status = relabel_dataset(&command->options, &summary, &error);
        /* A live line is ended before an error is printed; without one the error stays alone. */
        if (!status || command->progress.width > 0)
            willow_progress_line(&command->progress, true, "%" PRIu64 " positions in shards", summary.rows);
    }
    willow_weights_free(weights);
    if (status == WILLOW_ERR_STOPPED) {
        (void)fprintf(stderr, "stopped after %" PRIu64 " shards; the same command goes on\n", summary.shards);
        return willow_finish(WILLOW_EXIT_FAILED);
    }
    if (status)
        return willow_report(&error);
    print_summary(command, &summary);
    return willow_finish(WILLOW_EXIT_OK);
}

int verb_relabel(int argc, char **argv)
{
    static const char documentation[] = "Scores the positions of some plies of a dataset by search with given weights "
                                        "and writes them as a new dataset. "
                                        "The rows do not depend on the number of threads. "
                                        "A row with an exact score keeps it where the new search would not solve it. "
                                        "A whole dataset comes with its games. "
                                        "After a stop or a kill the same command goes on.\v"
                                        "Examples:\n"
                                        "  willow selfplay relabel data/first --out data/stage9 --plies 27-29 \\\n"
                                        "      --depth 3 --exact 10 --limit 300000\n"
                                        "  willow selfplay relabel data/first --out data/deep --depth 12 \\\n"
                                        "      --selectivity 73 --exact 20";
    static const struct argp argp = {relabel_arguments, parse_option, "DIR", documentation, NULL, NULL, NULL};
    struct relabel_command command = {.options = {.last_ply = RUN_PLIES_MAX,
                                                  .depth = 3,
                                                  .exact = 10,
                                                  .selectivity = WILLOW_NOT_SELECTIVE,
                                                  .hash_bytes = (size_t)1 << 20,
                                                  .threads = willow_default_threads(),
                                                  .tool = willow_version(),
                                                  .progress = show_progress}};
    willow_parse_options(&argp, argc, argv, &command);
    (void)signal(SIGXFSZ, SIG_IGN);
    command.options.stop = willow_interrupt();
    command.options.context = &command;
    return relabel(&command);
}
