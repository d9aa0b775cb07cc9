/* `willow selfplay shuffle`: command line, progress, summary. Layer: selfplay (program). */
#include <inttypes.h>
#include <signal.h>

#include <willow/program.h>

#include "sources_option.h"
#include "tools/shuffle.h"
#include "verbs.h"

enum { KEY_SEED = 256 };

struct shuffle_command {
    struct sources_command sources; /* first: what the notes get */
    uint64_t seed;
};

static const struct argp_option shuffle_arguments[] = {
    {"seed", KEY_SEED, "S", 0, "Chooses the shard of every game (default: 1)", 0}, {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct shuffle_command *command = state->input;
    switch (key) {
    case KEY_SEED:
        command->seed = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--seed", state);
        return 0;
    default:
        return parse_sources(key, text, state, &command->sources);
    }
}

static void show_progress(void *context, uint64_t rows_done, uint64_t rows_total)
{
    struct shuffle_command *command = context;
    willow_progress_line(&command->sources.progress, false, "dealing: %" PRIu64 "/%" PRIu64 " positions", rows_done,
                         rows_total);
}

static int shuffle(struct shuffle_command *command)
{
    struct sources_command *sources = &command->sources;
    const struct shuffle_options options = {.folders = sources->folders,
                                            .count = sources->count,
                                            .target = sources->out,
                                            .seed = command->seed,
                                            .shard_rows = sources->shard_rows,
                                            .memory_bytes = sources->memory_bytes,
                                            .layout = sources->layout,
                                            .tool = willow_version(),
                                            .stop = willow_interrupt(),
                                            .note = sources_command_note,
                                            .progress = show_progress,
                                            .context = command};
    struct willow_error error = {0};
    struct shuffle_summary summary;
    willow_progress_start(&sources->progress, sources->quiet);
    enum willow_status status = shuffle_datasets(&options, &summary, &error);
    if (status)
        return sources_command_failed(sources, status, &error);
    const double seconds = (double)summary.time_ns * 1e-9;
    willow_progress_line(&sources->progress, true, "%" PRIu64 " positions in %" PRIu64 " shards", summary.rows,
                         summary.shards);
    printf("%s: %" PRIu64 " positions, %" PRIu64 " games, %" PRIu64 " shards dealt by seed %" PRIu64 " in %" PRIu64
           " passes\n"
           "%.1f MB of sources became %.1f MB, %.1f bytes a position; %.0f positions/s\n",
           sources->out, summary.rows, summary.games, summary.shards, command->seed, summary.passes,
           (double)summary.source_bytes * 1e-6, (double)summary.size_bytes * 1e-6,
           summary.rows > 0 ? (double)summary.size_bytes / (double)summary.rows : 0,
           seconds > 0 ? (double)summary.rows / seconds : 0);
    return willow_finish(WILLOW_EXIT_OK);
}

int verb_shuffle(int argc, char **argv)
{
    static const char documentation[] =
        "Deals the games of datasets out to the shards of a new one at random, so that each shard is a fair sample of "
        "all games. A game stays whole; the result does not depend on the memory.\v"
        "Example:\n  willow selfplay shuffle data/first data/second --out data/dealt --seed 7";
    static const struct argp argp = {shuffle_arguments, parse_option, "DIR...", documentation,
                                     sources_children,  NULL,         NULL};
    struct shuffle_command command = {.seed = 1};
    willow_parse_options(&argp, argc, argv, &command);
    (void)signal(SIGXFSZ, SIG_IGN);
    const int code = shuffle(&command);
    sources_command_clear(&command.sources);
    return code;
}
