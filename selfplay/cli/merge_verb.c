/* `willow selfplay merge`: command line, progress, summary. Layer: selfplay (program). */
#include <inttypes.h>
#include <string.h>

#include <willow/program.h>

#include "sources_option.h"
#include "tools/merge.h"
#include "verbs.h"

enum { KEY_DUPLICATES = 256 };

struct merge_command {
    struct sources_command sources; /* first, as notes want it */
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
    const struct rewrite_summary *sizes = &summary->rewrite;
    printf("%s: %" PRIu64 " of %" PRIu64 " positions, %" PRIu64 " games, %" PRIu64 " shards, seed %" PRIu64 "\n",
           command->sources.options.target, sizes->rows, sizes->source_rows, sizes->games, sizes->shards, sizes->seed);
    if (command->duplicates != MERGE_KEEP) {
        const uint64_t duplicates = sizes->source_rows - summary->distinct;
        printf("%" PRIu64 " positions up to symmetry, %" PRIu64 " duplicates (%.1f%%)\n", summary->distinct, duplicates,
               sizes->source_rows > 0 ? 100.0 * (double)duplicates / (double)sizes->source_rows : 0);
    }
    sources_command_sizes(sizes);
}

int verb_merge(int argc, char **argv)
{
    static const char documentation[] =
        "Makes one dataset of several. A game stays with its rows in one shard. Parts of one run keep their game "
        "numbers, other sources get numbers behind those before them. The same games twice are refused.\v"
        "Example:\n  willow selfplay merge first second --out both --duplicates drop";
    static const struct argp argp = {merge_arguments,  parse_option, "DIR...", documentation,
                                     sources_children, NULL,         NULL};
    struct merge_command command = {0};
    struct willow_error error = {0};
    struct merge_summary summary;
    willow_parse_options(&argp, argc, argv, &command);
    sources_command_start(&command.sources);
    const struct merge_options options = {
        .rewrite = command.sources.options, .duplicates = command.duplicates, .progress = show_progress};
    enum willow_status status = merge_datasets(&options, &summary, &error);
    if (!status) {
        sources_command_done(&command.sources, &summary.rewrite);
        print_summary(&command, &summary);
    }
    return sources_command_end(&command.sources, status, &error);
}
