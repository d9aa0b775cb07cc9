/* `willow selfplay merge`: command line, progress, summary. Layer: selfplay (program). */
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include <willow/program.h>

#include "sources_option.h"
#include "tools/merge.h"
#include "verbs.h"

enum { KEY_DUPLICATES = 256 };

struct merge_command {
    struct sources_command sources; /* first: what the notes get */
    enum merge_duplicates duplicates;
};

static const struct argp_option merge_arguments[] = {{"duplicates", KEY_DUPLICATES, "RULE", 0,
                                                      "What to do with equal positions, mirrored and turned ones "
                                                      "included: keep them all (the default), drop all but the "
                                                      "best labelled, or average the labels in one of them",
                                                      0},
                                                     {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    static const char *const names[] = {"keep", "drop", "average"};
    struct merge_command *command = state->input;
    switch (key) {
    case KEY_DUPLICATES:
        for (int i = 0; i < 3; i++)
            if (strcmp(text, names[i]) == 0) {
                command->duplicates = (enum merge_duplicates)i;
                return 0;
            }
        argp_error(state, "--duplicates: '%s' is neither keep, drop nor average", text);
        return 0;
    default:
        return parse_sources(key, text, state, &command->sources);
    }
}

static void show_progress(void *context, enum merge_phase phase, uint64_t rows_done, uint64_t rows_total)
{
    struct merge_command *command = context;
    willow_progress_line(&command->sources.progress, false, "%s: %" PRIu64 "/%" PRIu64 " positions",
                         phase == MERGE_SEARCH ? "looking for equal ones" : "copying", rows_done, rows_total);
}

static void print_summary(const struct merge_command *command, const struct merge_summary *summary)
{
    const double seconds = (double)summary->time_ns * 1e-9;
    printf("%s: %" PRIu64 " of %" PRIu64 " positions, %" PRIu64 " games, %" PRIu64 " shards, seed %" PRIu64 "\n",
           command->sources.out, summary->rows, summary->source_rows, summary->games, summary->shards, summary->seed);
    if (command->duplicates != MERGE_KEEP)
        printf("%" PRIu64 " positions up to symmetry, %" PRIu64 " duplicates (%.1f%%)\n", summary->distinct,
               summary->source_rows - summary->distinct,
               summary->source_rows > 0
                   ? 100.0 * (double)(summary->source_rows - summary->distinct) / (double)summary->source_rows
                   : 0);
    printf("%.1f MB of sources became %.1f MB, %.1f bytes a position; %.0f positions/s\n",
           (double)summary->source_bytes * 1e-6, (double)summary->size_bytes * 1e-6,
           summary->rows > 0 ? (double)summary->size_bytes / (double)summary->rows : 0,
           seconds > 0 ? (double)summary->source_rows / seconds : 0);
}

static int merge(struct merge_command *command)
{
    struct sources_command *sources = &command->sources;
    const struct merge_options options = {.folders = sources->folders,
                                          .count = sources->count,
                                          .target = sources->out,
                                          .duplicates = command->duplicates,
                                          .shard_rows = sources->shard_rows,
                                          .memory_bytes = sources->memory_bytes,
                                          .layout = sources->layout,
                                          .tool = willow_version(),
                                          .stop = willow_interrupt(),
                                          .note = sources_command_note,
                                          .progress = show_progress,
                                          .context = command};
    struct willow_error error = {0};
    struct merge_summary summary;
    willow_progress_start(&sources->progress, sources->quiet);
    enum willow_status status = merge_datasets(&options, &summary, &error);
    if (status)
        return sources_command_failed(sources, status, &error);
    willow_progress_line(&sources->progress, true, "%" PRIu64 " positions in %" PRIu64 " shards", summary.rows,
                         summary.shards);
    print_summary(command, &summary);
    return willow_finish(WILLOW_EXIT_OK);
}

int verb_merge(int argc, char **argv)
{
    static const char documentation[] =
        "Makes one dataset of several. Games that stay keep all their rows in one shard; parts of one run keep their "
        "game numbers, other sources get numbers behind those before them. The same games twice are refused.\v"
        "Example:\n  willow selfplay merge data/first data/second --out data/both --duplicates drop";
    static const struct argp argp = {merge_arguments,  parse_option, "DIR...", documentation,
                                     sources_children, NULL,         NULL};
    struct merge_command command = {0};
    willow_parse_options(&argp, argc, argv, &command);
    (void)signal(SIGXFSZ, SIG_IGN);
    const int code = merge(&command);
    sources_command_clear(&command.sources);
    return code;
}
