/* `willow selfplay import`: command line, what was left out and why, summary. Layer: selfplay (program). */
#include <inttypes.h>
#include <signal.h>

#include <willow/program.h>

#include "layout_option.h"
#include "run/run_config.h"
#include "tools/import.h"
#include "verbs.h"

enum { KEY_OUT = 256, KEY_FORMAT, KEY_SHARD_GAMES, KEY_SEED, KEY_LAYOUT, KEY_DISTINCT, KEY_STRICT, KEY_QUIET };

enum { SHARD_GAMES = 4096, FAULTS_SHOWN = 20 };

struct import_command {
    struct import_options options;
    const char *ruleset; /* null = not said */
    bool quiet;
    struct willow_progress progress;
    uint64_t faults;
    struct willow_error shown[FAULTS_SHOWN];
};

static const struct argp_option import_arguments[] = {
    {"out", KEY_OUT, "DIR", 0, "Folder of the new dataset", 0},
    {"format", KEY_FORMAT, "NAME", 0,
     "wthor, ggf, sgf or transcript (default: by name, .wtb, .ggf, .sgf, else by content)", 0},
    {"shard-games", KEY_SHARD_GAMES, "G", 0, "Games of one shard (default: 4096)", 0},
    {"seed", KEY_SEED, "S", 0, "Of the choice of held-out games (default: 1)", 0},
    {"layout", KEY_LAYOUT, LAYOUT_VALUES, 0, LAYOUT_HELP, 0},
    {"distinct", KEY_DISTINCT, NULL, 0, "Leave out games that repeat an earlier one, mirrored or not", 0},
    {"strict", KEY_STRICT, NULL, 0, "Leave out games whose recorded result is not that of the board", 0},
    {"quiet", KEY_QUIET, NULL, 0, "No progress, and no names of the games that are left out", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static void check_usage(const struct import_options *options, struct argp_state *state)
{
    if (options->count == 0)
        argp_error(state, "a file of games is needed");
    if (!options->folder)
        argp_error(state, "--out: a folder for the new dataset is needed");
    /* The names are kept in the dataset. */
    for (size_t i = 0; i < options->count; i++)
        if (!willow_config_text_valid(options->files[i]))
            argp_error(state, "file %zu: the name must be UTF-8 without control characters", i + 1);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct import_command *command = state->input;
    struct import_options *options = &command->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->ruleset;
        return 0;
    case KEY_OUT:
        options->folder = text;
        return 0;
    case KEY_FORMAT:
        if (!import_format_find(text, &options->format))
            argp_error(state, "--format: '%s' is none of wthor, ggf, sgf or transcript", text);
        options->by_name = false;
        return 0;
    case KEY_SHARD_GAMES:
        options->shard_games = (uint64_t)willow_option_integer(text, 1, RUN_SHARD_GAMES_MAX, "--shard-games", state);
        return 0;
    case KEY_SEED:
        options->seed = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--seed", state);
        return 0;
    case KEY_LAYOUT:
        options->layout = parse_layout(text, state);
        return 0;
    case KEY_DISTINCT:
        options->distinct = true;
        return 0;
    case KEY_STRICT:
        options->strict = true;
        return 0;
    case KEY_QUIET:
        command->quiet = true;
        return 0;
    case ARGP_KEY_ARGS:
        options->files = (const char *const *)state->argv + state->next;
        options->count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_END:
        check_usage(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void note_fault(void *context, const struct willow_error *fault)
{
    struct import_command *command = context;
    if (command->faults < FAULTS_SHOWN)
        command->shown[command->faults] = *fault;
    command->faults++;
}

static void show_progress(void *context, uint64_t records_done, uint64_t records_total)
{
    struct import_command *command = context;
    willow_progress_line(&command->progress, false, "%" PRIu64 "/%" PRIu64 " games", records_done, records_total);
}

static void show_faults(const struct import_command *command)
{
    char line[1100];
    for (uint64_t i = 0; i < command->faults && i < FAULTS_SHOWN; i++)
        (void)fprintf(stderr, "left out: %s\n", willow_error_text(&command->shown[i], line, sizeof line));
    if (command->faults > FAULTS_SHOWN)
        (void)fprintf(stderr, "left out: %" PRIu64 " more\n", command->faults - FAULTS_SHOWN);
}

static void print_summary(const struct import_command *command, const struct import_summary *summary)
{
    static const char *const kinds[IMPORT_KINDS] = {[WILLOW_RECORD_UNFINISHED] = "unfinished",
                                                    [WILLOW_RECORD_OTHER_START] = "of another start",
                                                    [WILLOW_RECORD_OTHER_VARIANT] = "of another variant",
                                                    [WILLOW_RECORD_ILLEGAL] = "illegal",
                                                    [WILLOW_RECORD_DAMAGED] = "damaged"};
    const struct import_options *options = &command->options;
    printf("%s: %" PRIu64 " of %" PRIu64 " games from %zu file%s, %" PRIu64 " positions in %" PRIu64
           " shard%s, %.1f bytes a position; seed %" PRIu64 "\n",
           options->folder, summary->games, summary->records, options->count, options->count == 1 ? "" : "s",
           summary->rows, summary->shards, summary->shards == 1 ? "" : "s",
           (double)summary->size_bytes / (double)summary->rows, options->seed);
    const char *separator = "left out: ";
    for (int kind = WILLOW_RECORD_UNFINISHED; kind < IMPORT_KINDS; kind++)
        if (summary->kinds[kind] > 0) {
            printf("%s%" PRIu64 " %s", separator, summary->kinds[kind], kinds[kind]);
            separator = ", ";
        }
    if (command->faults > 0 && separator[0] == ',')
        printf("\n");
    if (summary->differing > 0)
        printf("recorded result differs from the board's: %" PRIu64 " games, %s\n", summary->differing,
               options->strict ? "left out" : "imported with the board's");
    if (summary->repeated > 0)
        printf("repeated, mirror images included: %" PRIu64 " games, %s\n", summary->repeated,
               options->distinct ? "left out" : "imported all the same");
}

static int import(struct import_command *command)
{
    struct willow_error error = {0};
    struct import_summary summary;
    willow_progress_start(&command->progress, command->quiet);
    enum willow_status status = import_games(&command->options, &summary, &error);
    /* A live line is ended before anything else is printed. */
    if (command->progress.width > 0)
        willow_progress_line(&command->progress, true, "%" PRIu64 " games", summary.games);
    if (status == WILLOW_ERR_STOPPED) {
        (void)fprintf(stderr, "stopped; the same command begins again\n");
        return willow_finish(WILLOW_EXIT_FAILED);
    }
    if (status)
        return willow_report(&error);
    if (!command->quiet)
        show_faults(command);
    print_summary(command, &summary);
    bool bad = summary.kinds[WILLOW_RECORD_ILLEGAL] > 0 || summary.kinds[WILLOW_RECORD_DAMAGED] > 0 ||
               (command->options.strict && summary.differing > 0);
    return willow_finish(bad ? WILLOW_EXIT_FAILED : WILLOW_EXIT_OK);
}

int verb_import(int argc, char **argv)
{
    static const char documentation[] =
        "Makes a dataset of games played elsewhere: WTHOR archives (.wtb), GGF, SGF, transcripts one a line. Only "
        "complete "
        "legal games of the ruleset are taken; their rows have results and no scores, which `relabel` adds. What "
        "is left out is counted and the first of it named. Exit status 1 when there were illegal or damaged games: the "
        "rest is imported all the same.\v"
        "Example:\n  willow selfplay import WTH_2024.wtb WTH_2025.wtb --out data/human --distinct\n"
        "  willow selfplay relabel data/human --out data/human-labels --depth 6";
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 0}, {NULL, 0, NULL, 0}};
    static const struct argp argp = {import_arguments, parse_option, "FILE...", documentation, children, NULL, NULL};
    struct import_command command = {.options = {.by_name = true,
                                                 .seed = 1,
                                                 .shard_games = SHARD_GAMES,
                                                 .tool = willow_version(),
                                                 .threads = willow_default_threads(),
                                                 .left_out = note_fault,
                                                 .progress = show_progress}};
    willow_parse_options(&argp, argc, argv, &command);
    const int code = willow_ruleset_choose(argv[0], command.ruleset, command.options.seed, willow_ruleset_default(),
                                           &command.options.ruleset);
    if (code != WILLOW_EXIT_OK)
        return code;
    (void)signal(SIGXFSZ, SIG_IGN);
    command.options.stop = willow_interrupt();
    command.options.context = &command;
    return import(&command);
}
