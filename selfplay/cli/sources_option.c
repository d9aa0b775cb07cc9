/* What the verbs that make one dataset of several share. Layer: selfplay (program). */
#include "sources_option.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "layout_option.h"

enum { KEY_OUT = 512, KEY_SHARD_ROWS, KEY_MEMORY, KEY_LAYOUT, KEY_QUIET };

enum { SHARD_ROWS = 1000000, SHARD_ROWS_MAX = 1 << 27, MEMORY_MB = 1024, MEMORY_MB_MAX = 1 << 24 };

static const struct argp_option options[] = {
    {"out", KEY_OUT, "DIR", 0, "Folder of the new dataset", 0},
    {"shard-rows", KEY_SHARD_ROWS, "ROWS", 0, "Positions of one shard (default: 1000000)", 0},
    {"memory", KEY_MEMORY, "MB", 0, "Memory to work with; less of it takes more time (default: 1024)", 0},
    {"layout", KEY_LAYOUT, LAYOUT_VALUES, 0, LAYOUT_HELP, 0},
    {"quiet", KEY_QUIET, NULL, 0, "No progress and no notes", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static void show_note(void *context, const char *text)
{
    const struct sources_command *command = context;
    if (!command->quiet)
        (void)fprintf(stderr, "%s\n", text);
}

static error_t add_folder(struct sources_command *command, const char *folder, const struct argp_state *state)
{
    if (!command->folders) /* there are no more sources than arguments */
        command->folders = calloc((size_t)state->argc, sizeof *command->folders);
    if (!command->folders)
        return ENOMEM;
    command->folders[command->options.count++] = folder;
    command->options.folders = command->folders;
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct sources_command *command = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        command->options.shard_rows = SHARD_ROWS;
        command->options.memory_bytes = (size_t)MEMORY_MB << 20;
        command->options.tool = willow_version();
        command->options.threads = willow_default_threads();
        command->options.note = show_note;
        return 0;
    case KEY_OUT:
        command->options.target = text;
        return 0;
    case KEY_SHARD_ROWS:
        command->options.shard_rows = (uint64_t)willow_option_integer(text, 1, SHARD_ROWS_MAX, "--shard-rows", state);
        return 0;
    case KEY_MEMORY:
        command->options.memory_bytes = (size_t)willow_option_integer(text, 2, MEMORY_MB_MAX, "--memory", state) << 20;
        return 0;
    case KEY_LAYOUT:
        command->options.layout = parse_layout(text, state);
        return 0;
    case KEY_QUIET:
        command->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t parse_sources(int key, char *text, struct argp_state *state, struct sources_command *command)
{
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = command;
        return 0;
    case ARGP_KEY_ARG:
        return add_folder(command, text, state);
    case ARGP_KEY_END:
        if (command->options.count == 0)
            argp_error(state, "the datasets are missing");
        if (!command->options.target)
            argp_error(state, "--out: a folder for the new dataset is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp sources_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};
const struct argp_child sources_children[] = {{&sources_argp, 0, NULL, 0}, {NULL, 0, NULL, 0}};

void sources_command_done(struct sources_command *command, const struct rewrite_summary *summary)
{
    willow_progress_line(&command->progress, true, "%" PRIu64 " positions in %" PRIu64 " shards", summary->rows,
                         summary->shards);
}

void sources_command_sizes(const struct rewrite_summary *summary)
{
    const double seconds = (double)summary->time_ns * 1e-9;
    printf("%.1f MB of sources became %.1f MB, %.1f bytes a position; %.0f positions/s\n",
           (double)summary->source_bytes * 1e-6, (double)summary->size_bytes * 1e-6,
           summary->rows > 0 ? (double)summary->size_bytes / (double)summary->rows : 0,
           seconds > 0 ? (double)summary->source_rows / seconds : 0);
}

void sources_command_start(struct sources_command *command)
{
    /* A file that may not grow is an error to be reported, not the end. */
    (void)signal(SIGXFSZ, SIG_IGN);
    command->options.stop = willow_interrupt();
    command->options.context = command;
    willow_progress_start(&command->progress, command->quiet);
}

int sources_command_end(struct sources_command *command, enum willow_status status, const struct willow_error *error)
{
    free(command->folders);
    if (!status)
        return willow_finish(WILLOW_EXIT_OK);
    /* A live line is ended before an error is printed. */
    if (command->progress.width > 0)
        (void)fputc('\n', stderr);
    if (status != WILLOW_ERR_STOPPED)
        return willow_report(error);
    (void)fprintf(stderr, "stopped; the same command begins again\n");
    return willow_finish(WILLOW_EXIT_FAILED);
}
