/* `willow selfplay shuffle`: command line, progress, summary. Layer: selfplay (program). */
#include <inttypes.h>

#include <willow/program.h>

#include "sources_option.h"
#include "tools/shuffle.h"
#include "verbs.h"

enum { KEY_SEED = 256 };

struct shuffle_command {
    struct sources_command sources; /* first, as notes want it */
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

int verb_shuffle(int argc, char **argv)
{
    static const char documentation[] =
        "Deals the games of datasets out to the shards of a new one at random, so that each shard is a fair sample of "
        "all games. A game stays whole; the result does not depend on the memory.\v"
        "Example:\n  willow selfplay shuffle data/first data/second --out data/dealt --seed 7";
    static const struct argp argp = {shuffle_arguments, parse_option, "DIR...", documentation,
                                     sources_children,  NULL,         NULL};
    struct shuffle_command command = {.seed = 1};
    struct willow_error error = {0};
    struct shuffle_summary summary;
    willow_parse_options(&argp, argc, argv, &command);
    sources_command_start(&command.sources);
    const struct shuffle_options options = {
        .rewrite = command.sources.options, .seed = command.seed, .progress = show_progress};
    enum willow_status status = shuffle_datasets(&options, &summary, &error);
    if (!status) {
        const struct rewrite_summary *sizes = &summary.rewrite;
        sources_command_done(&command.sources, sizes);
        printf("%s: %" PRIu64 " positions, %" PRIu64 " games, %" PRIu64 " shards dealt by seed %" PRIu64
               ", passes: %" PRIu64 "\n",
               options.rewrite.target, sizes->rows, sizes->games, sizes->shards, command.seed, summary.passes);
        sources_command_sizes(sizes);
    }
    return sources_command_end(&command.sources, status, &error);
}
