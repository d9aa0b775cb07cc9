/* The command lines of `willow selfplay run` and `willow selfplay resume`. Layer: selfplay (program). */
#include "run_command.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

#include <willow/file.h>
#include <willow/program.h>

#include "run/run_folder.h"
#include "verbs.h"

_Static_assert((int)RUN_THREADS_MAX == (int)WILLOW_THREADS_MAX, "one limit of threads for all verbs");

/* Options without a short form. */
enum {
    KEY_GAMES = 256,
    KEY_SEED,
    KEY_DEPTH,
    KEY_EXACT,
    KEY_THREADS,
    KEY_SHARD_GAMES,
    KEY_OUT,
    KEY_WEIGHTS,
    KEY_OPENING,
    KEY_NOISE,
    KEY_NOISE_PLIES,
    KEY_RANDOM_MOVE,
    KEY_KEEP,
    KEY_LABEL,
    KEY_POLICY,
    KEY_HASH,
    KEY_QUIET
};

static const struct argp_option run_options[] = {
    {"games", KEY_GAMES, "N", 0, "Games of the whole run", 0},
    {"seed", KEY_SEED, "S", 0, "Seed of the run (default: 1)", 0},
    {"depth", KEY_DEPTH, "D", 0, "Plies of each search (default: 6)", 0},
    {"exact", KEY_EXACT, "EMPTIES", 0, "Solve exactly at this many empties or fewer (default: 14)", 0},
    {"weights", KEY_WEIGHTS, "FILE", 0, "Weights file, 'default' or 'zero'", 0},
    {"opening", KEY_OPENING, "A-B", 0, "Random plies at the start of a game (default: 4-12)", 0},
    {"noise", KEY_NOISE, "DISCS", 0, "Temperature of the choice among scored moves (default: 0, the best)", 0},
    {"noise-plies", KEY_NOISE_PLIES, "N", 0, "Noise applies below this ply (default: 0)", 0},
    {"random-move", KEY_RANDOM_MOVE, "P", 0, "Probability of a random move after the opening (default: 0)", 0},
    {"keep", KEY_KEEP, "P", 0, "Share of positions to store (default: 1)", 0},
    {"label", KEY_LABEL, "search|none", 0, "Store the score of the search or none (default: search)", 0},
    {"policy", KEY_POLICY, "search|mobility", 0,
     "Choose moves by search, or leave the other side few moves (no knowledge needed; default: search)", 0},
    {"hash", KEY_HASH, "MB", 0, "Transposition table of each thread (default: 4)", 0},
    {"shard-games", KEY_SHARD_GAMES, "G", 0, "Games of one shard (default: 4096)", 0},
    {"out", KEY_OUT, "DIR", 0, "Folder of the dataset; an unfinished run of the same configuration is finished", 0},
    {"threads", KEY_THREADS, "T", 0, "Threads (default: the cores available)", 0},
    {"quiet", KEY_QUIET, NULL, 0, "No progress", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t take_label(struct run_command *command, const char *text, struct argp_state *state)
{
    if (!run_label_find(text, &command->config.label))
        argp_error(state, "--label: '%s' is neither search nor none", text);
    return 0;
}

static error_t take_policy(struct run_command *command, const char *text, struct argp_state *state)
{
    if (!run_policy_find(text, &command->config.policy))
        argp_error(state, "--policy: '%s' is neither search nor mobility", text);
    return 0;
}

static error_t take_weights(struct run_command *command, const char *text, struct argp_state *state)
{
    if (strlen(text) >= sizeof command->config.weights)
        argp_error(state, "--weights: the name is too long");
    if (text[0] == '\0')
        argp_error(state, "--weights: the name is empty");
    if (!willow_config_text_valid(text))
        argp_error(state, "--weights '%s': the configuration of the run can hold only names in UTF-8", text);
    (void)snprintf(command->config.weights, sizeof command->config.weights, "%s", text);
    command->config.weights_checksum[0] = '\0';
    return 0;
}

static error_t parse_real(int key, char *text, struct argp_state *state)
{
    struct run_config *config = &((struct run_command *)state->input)->config;
    switch (key) {
    case KEY_NOISE:
        config->noise = willow_option_real(text, 0, RUN_NOISE_MAX, "--noise", state);
        return 0;
    case KEY_RANDOM_MOVE:
        config->random_move = willow_option_real(text, 0, 1, "--random-move", state);
        return 0;
    case KEY_KEEP:
        config->keep = willow_option_real(text, 0, 1, "--keep", state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_integer(int key, char *text, struct argp_state *state)
{
    struct run_config *config = &((struct run_command *)state->input)->config;
    switch (key) {
    case KEY_GAMES:
        config->games = (uint64_t)willow_option_integer(text, 1, (int64_t)1 << 48, "--games", state);
        return 0;
    case KEY_SEED:
        config->seed = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--seed", state);
        return 0;
    case KEY_SHARD_GAMES:
        config->shard_games = (uint64_t)willow_option_integer(text, 1, RUN_SHARD_GAMES_MAX, "--shard-games", state);
        return 0;
    case KEY_DEPTH:
        config->depth = (int)willow_option_integer(text, 1, RUN_DEPTH_MAX, "--depth", state);
        return 0;
    case KEY_EXACT:
        config->exact = (int)willow_option_integer(text, 0, 60, "--exact", state);
        return 0;
    case KEY_NOISE_PLIES:
        config->noise_plies = (int)willow_option_integer(text, 0, RUN_PLIES_MAX, "--noise-plies", state);
        return 0;
    case KEY_HASH:
        config->hash_mb = (int)willow_option_integer(text, 1, RUN_HASH_MAX_MB, "--hash", state);
        return 0;
    default:
        return parse_real(key, text, state);
    }
}

/* The option of both verbs. */
static error_t parse_common(int key, char *text, struct argp_state *state)
{
    struct run_command *command = state->input;
    switch (key) {
    case KEY_THREADS:
        command->threads = (int)willow_option_integer(text, 1, RUN_THREADS_MAX, "--threads", state);
        return 0;
    case KEY_QUIET:
        command->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_run(int key, char *text, struct argp_state *state)
{
    struct run_command *command = state->input;
    switch (key) {
    case KEY_OPENING:
        willow_option_range(text, 0, RUN_PLIES_MAX, &command->config.opening_min, &command->config.opening_max,
                            "--opening", state);
        return 0;
    case KEY_LABEL:
        return take_label(command, text, state);
    case KEY_POLICY:
        return take_policy(command, text, state);
    case KEY_WEIGHTS:
        return take_weights(command, text, state);
    case KEY_OUT:
        command->folder = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "one configuration file is expected; '%s' is a second", text);
        command->file_name = text;
        return 0;
    default:
        break;
    }
    error_t result = parse_common(key, text, state);
    return result == ARGP_ERR_UNKNOWN ? parse_integer(key, text, state) : result;
}

/* First pass over the command line: only the file's name, so that the options of the second pass override its content.
 */
static error_t parse_file_name(int key, char *text, struct argp_state *state)
{
    if (key == ARGP_KEY_ARG && state->arg_num == 0)
        ((struct run_command *)state->input)->file_name = text;
    return key == ARGP_KEY_ARG || (key >= KEY_GAMES && key <= KEY_QUIET) ? 0 : ARGP_ERR_UNKNOWN;
}

static const char run_documentation[] =
    "Plays games against itself by threads and writes labelled positions to DIR in shards. The rows depend on seed, "
    "configuration and weights alone. Ctrl-C keeps finished shards.\v"
    "Example:\n  willow selfplay run --games 1000 --depth 6 --exact 14 --out data/first\n"
    "  willow selfplay run configs/selfplay.yaml --seed 7 --out data/second";

static struct run_command default_command(void)
{
    return (struct run_command){.config = run_config_default(), .threads = willow_default_threads()};
}

enum willow_status run_command_parse(struct run_command *command, int argc, char **argv, struct willow_error *error)
{
    static const struct argp names = {run_options, parse_file_name, "[CONFIG.yaml]", run_documentation, NULL, NULL,
                                      NULL};
    static const struct argp argp = {run_options, parse_run, "[CONFIG.yaml]", run_documentation, NULL, NULL, NULL};
    enum willow_status status = WILLOW_OK;
    *command = default_command();
    willow_parse_options(&names, argc, argv, command);
    if (command->file_name)
        status = run_file_load(command, command->file_name, error);
    if (status)
        return status;
    willow_parse_options(&argp, argc, argv, command);
    if (!command->folder && command->out[0])
        command->folder = command->out;
    if (!command->folder)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--out", NULL, "a folder for the dataset is needed");
    return run_config_check(&command->config, error);
}

static const struct argp_option resume_options[] = {
    {"threads", KEY_THREADS, "T", 0, "Threads (default: the cores available)", 0},
    {"quiet", KEY_QUIET, NULL, 0, "No progress", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_resume(int key, char *text, struct argp_state *state)
{
    struct run_command *command = state->input;
    const error_t result = parse_common(key, text, state);
    return result == ARGP_ERR_UNKNOWN ? parse_folder(key, text, state, &command->folder) : result;
}

static const char resume_documentation[] =
    "Plays the games of a run that are still missing, with the configuration and weights stored in its folder.\v"
    "Example:\n  willow selfplay resume data/first";

/* The folder must hold a run before anything is loaded from it. */
static enum willow_status load_stored(struct run_command *command, struct willow_error *error)
{
    char path[RUN_COMMAND_PATH];
    struct willow_manifest manifest;
    enum willow_status status = willow_manifest_read(command->folder, &manifest, error);
    if (status)
        return status;
    willow_manifest_clear(&manifest);
    status = willow_path_join(path, sizeof path, command->folder, RUN_CONFIG_FILE, error);
    return status ? status : run_file_load(command, path, error);
}

enum willow_status run_command_parse_resume(struct run_command *command, int argc, char **argv,
                                            struct willow_error *error)
{
    static const struct argp argp = {resume_options, parse_resume, "DIR", resume_documentation, NULL, NULL, NULL};
    *command = default_command();
    willow_parse_options(&argp, argc, argv, command);
    int threads = command->threads;
    enum willow_status status = load_stored(command, error);
    command->threads = threads;
    return status;
}
