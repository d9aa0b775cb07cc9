/* `willow selfplay export`: command line, the file that is written. Layer: selfplay (program). */
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include <willow/program.h>

#include "run/run_config.h"
#include "tools/export.h"
#include "verbs.h"

enum { KEY_FORMAT = 256, KEY_PLIES, KEY_LIMIT, KEY_OUT };

struct export_command {
    struct export_options options;
    bool transcripts, plies_given;
    const char *out; /* null = standard output */
};

static const struct argp_option export_arguments[] = {
    {"format", KEY_FORMAT, "NAME", 0, "csv: a line for each position (default); transcripts: a line for each game", 0},
    {"plies", KEY_PLIES, "A-B", 0, "csv: positions of these plies (discs on the board - 4; default: all)", 0},
    {"limit", KEY_LIMIT, "N", 0, "Write at most this many positions or games (default: all)", 0},
    {"out", KEY_OUT, "FILE", 0, "Write to this file (default: standard output)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct export_command *command = state->input;
    struct export_options *options = &command->options;
    switch (key) {
    case KEY_FORMAT:
        command->transcripts = strcmp(text, "transcripts") == 0;
        if (!command->transcripts && strcmp(text, "csv") != 0)
            argp_error(state, "--format: '%s' is neither csv nor transcripts", text);
        return 0;
    case KEY_PLIES:
        willow_option_range(text, 0, RUN_PLIES_MAX, &options->first_ply, &options->last_ply, "--plies", state);
        command->plies_given = true;
        return 0;
    case KEY_LIMIT:
        options->limit = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--limit", state);
        return 0;
    case KEY_OUT:
        command->out = text;
        return 0;
    case ARGP_KEY_END:
        if (command->transcripts && command->plies_given)
            argp_error(state, "--plies: transcripts are of whole games");
        return 0;
    default:
        return parse_folder(key, text, state, &options->folder);
    }
}

static int export(const struct export_command *command)
{
    struct willow_error error = {0};
    struct willow_output output;
    uint64_t lines;
    enum willow_status status = willow_output_open(&output, command->out, &error);
    if (!status)
        status = command->transcripts ? export_transcripts(&command->options, output.stream, &lines, &error)
                                      : export_csv(&command->options, output.stream, &lines, &error);
    if (status && output.stream && ferror(output.stream))
        (void)snprintf(error.file, sizeof error.file, "%s", output.name);
    const enum willow_status closed = willow_output_close(&output, !status, status ? NULL : &error);
    status = status ? status : closed;
    if (status == WILLOW_ERR_STOPPED) {
        (void)fprintf(stderr, "stopped before the end\n");
        return WILLOW_EXIT_FAILED;
    }
    return status ? willow_report(&error) : willow_finish(WILLOW_EXIT_OK);
}

int verb_export(int argc, char **argv)
{
    static const char documentation[] =
        "Writes a dataset as text. CSV has a first line with the names of its columns; player and opponent are 16 "
        "hexadecimal digits (bit 0 = a1; of 10x10 32), the board has X for the side to move, scores are in discs and "
        "empty where "
        "there is none. Transcripts can be imported again.\v"
        "Example:\n  willow selfplay export data/first --plies 20-29 --out positions.csv\n"
        "  willow selfplay export data/first --format transcripts | head";
    static const struct argp argp = {export_arguments, parse_option, "DIR", documentation, NULL, NULL, NULL};
    struct export_command command = {.options = {.last_ply = RUN_PLIES_MAX}};
    willow_parse_options(&argp, argc, argv, &command);
    (void)signal(SIGXFSZ, SIG_IGN);
    command.options.stop = willow_interrupt();
    return export(&command);
}
