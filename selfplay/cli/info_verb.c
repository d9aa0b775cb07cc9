/* `willow selfplay info`: what datasets hold, as text, JSON or a picture. Layer: selfplay (program). */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>

#include "info.h"
#include "verbs.h"

enum { KEY_JSON = 256, KEY_SVG, KEY_ASCII, KEY_NO_DUPLICATES, KEY_MEMORY, KEY_QUIET };
enum { MEMORY_MB = 512, MEMORY_MAX_MB = 1 << 20 };

struct info_command {
    const char **folders;
    size_t count;
    const char *svg;
    bool json, ascii, no_duplicates, quiet;
    int64_t memory_mb;
    struct willow_progress progress;
};

const char *const info_flag_names[CENSUS_FLAGS] = {"random",    "exact",        "after_pass",
                                                   "selective", "after_random", "solved_result"};

double info_share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

uint64_t info_games_planned(const struct census *census)
{
    uint64_t planned = 0;
    for (size_t i = 0; i < census->folders_count; i++)
        planned += census->folders[i].planned_games;
    return planned;
}

int info_plies(const struct census *census)
{
    return willow_ruleset_squares(census->ruleset) - 3;
}

struct census_ply info_whole(const struct census *census)
{
    return census_plies(census, 0, WILLOW_PLIES - 1);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct info_command *command = state->input;
    switch (key) {
    case KEY_JSON:
        command->json = true;
        return 0;
    case KEY_SVG:
        if (!*text)
            argp_error(state, "--svg: the name of the file is empty");
        command->svg = text;
        return 0;
    case KEY_ASCII:
        command->ascii = true;
        return 0;
    case KEY_NO_DUPLICATES:
        command->no_duplicates = true;
        return 0;
    case KEY_MEMORY:
        command->memory_mb = willow_option_integer(text, 1, MEMORY_MAX_MB, "--memory", state);
        return 0;
    case KEY_QUIET:
        command->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        command->folders[command->count++] = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "the dataset is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void show_progress(void *context, uint64_t rows_done, uint64_t rows_total)
{
    struct info_command *command = context;
    /* The last line ends a live one; elsewhere what follows on stdout says the same. */
    willow_progress_line(&command->progress, command->progress.live && rows_done == rows_total,
                         "%llu of %llu positions", (unsigned long long)rows_done, (unsigned long long)rows_total);
}

static enum willow_status show(const struct info_command *command, const struct census *census,
                               struct willow_error *error)
{
    if (command->svg) {
        enum willow_status status = info_write_svg(census, command->svg, error);
        if (status)
            return status;
    }
    if (command->json)
        info_print_json(census);
    else
        info_print_text(census, !command->ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
    return WILLOW_OK;
}

static enum willow_status run(struct info_command *command, struct willow_error *error)
{
    struct census_options options = {.folders = command->folders,
                                     .count = command->count,
                                     .duplicates = !command->no_duplicates,
                                     .memory_bytes = (size_t)command->memory_mb << 20,
                                     .stop = willow_interrupt(),
                                     .progress = show_progress,
                                     .context = command};
    struct census *census = calloc(1, sizeof *census);
    if (!census)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    willow_progress_start(&command->progress, command->quiet);
    enum willow_status status = census_take(&options, census, error);
    if (!status)
        status = show(command, census, error);
    census_clear(census);
    free(census);
    return status;
}

int verb_info(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"json", KEY_JSON, NULL, 0, "One JSON object in one line, for programs", 0},
        {"svg", KEY_SVG, "FILE", 0, "Draw the counts as a picture too", 0},
        {"ascii", KEY_ASCII, NULL, 0, "Plots without block characters", 0},
        {"no-duplicates", KEY_NO_DUPLICATES, NULL, 0, "Do not look for equal positions: less memory and time", 0},
        {"memory", KEY_MEMORY, "MB", 0, "For finding equal positions (default 512)", 0},
        {"quiet", KEY_QUIET, NULL, 0, "No progress", 0},
        {NULL, 0, NULL, 0, NULL, 0}};
    static const char documentation[] =
        "Counts what datasets hold: positions by ply, labels, scores against results, positions and games that repeat "
        "others up to symmetry, openings, results.\v"
        "Scores, results and differences are in discs; bias is the mean of result - score. In the JSON, \"plies\" "
        "counts positions by ply, \"by_ply\" the rest; a bin of \"labels\" is 2 discs wide, the first one about -64 "
        "(of 10x10 4, -128); "
        "\"density\" is indexed by bin of score, then of result; what was not counted is null.\n\n"
        "Examples:\n"
        "  willow selfplay info data/first\n"
        "  willow selfplay info data/first data/second --svg both.svg";
    static const struct argp argp = {options, parse_option, "DIR...", documentation, NULL, NULL, NULL};
    struct info_command command = {.memory_mb = MEMORY_MB};
    struct willow_error error = {0};
    command.folders = calloc((size_t)argc + 1, sizeof *command.folders);
    if (!command.folders) {
        (void)willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
        return willow_report(&error);
    }
    willow_parse_options(&argp, argc, argv, &command);
    enum willow_status status = run(&command, &error);
    free(command.folders);
    if (!status)
        return willow_finish(WILLOW_EXIT_OK);
    /* A live line is ended before an error is printed. */
    if (command.progress.live && command.progress.width > 0)
        (void)fputc('\n', stderr);
    if (status != WILLOW_ERR_STOPPED)
        return willow_report(&error);
    (void)fprintf(stderr, "stopped\n");
    return willow_finish(WILLOW_EXIT_FAILED);
}
