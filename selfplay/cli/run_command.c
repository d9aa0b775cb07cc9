/* The command lines of `willow selfplay run` and `willow selfplay resume`. Layer: selfplay (program). */
#include "run_command.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

#include <willow/file.h>
#include <willow/program.h>

#include "layout_option.h"
#include "run/run_folder.h"
#include "verbs.h"

_Static_assert((int)RUN_THREADS_MAX == (int)WILLOW_THREADS_MAX, "one limit of threads for all verbs");

/* Options without a short form. */
enum {
    KEY_GAMES = 256,
    KEY_SEED,
    KEY_DEPTH,
    KEY_EXACT,
    KEY_SELECTIVITY,
    KEY_WEIGHTS,
    KEY_OPENING,
    KEY_OPENING_SHARES,
    KEY_OPENING_BALANCE,
    KEY_OPENING_ALL,
    KEY_OPENINGS,
    KEY_NOISE,
    KEY_NOISE_PLIES,
    KEY_RANDOM_MOVE,
    KEY_POOL,
    KEY_POOL_SHARE,
    KEY_PLIES,
    KEY_KEEP,
    KEY_POSITIONS,
    KEY_TAIL,
    KEY_LABEL,
    KEY_POLICY,
    KEY_HASH,
    KEY_SHARD_GAMES,
    KEY_LAYOUT,
    KEY_OUT,
    KEY_THREADS,
    KEY_PART,
    KEY_QUIET
};

/* The options of both verbs. */
#define LAYOUT_OPTION "layout", KEY_LAYOUT, LAYOUT_VALUES, 0, LAYOUT_HELP, 5
#define THREADS_OPTION "threads", KEY_THREADS, "T", 0, "Threads (default: the cores available)", 5
#define QUIET_OPTION "quiet", KEY_QUIET, NULL, 0, "No progress", 5

static const struct argp_option run_options[] = {
    {"games", KEY_GAMES, "N", 0, "Games of the whole run (default: 4096)", 1},
    {"seed", KEY_SEED, "S", 0, "Seed of the run (default: 1)", 1},
    {"weights", KEY_WEIGHTS, "FILE", 0, "Weights file, 'default' or 'zero'", 1},
    {"depth", KEY_DEPTH, "D", 0, "Plies of each search (default: 6)", 1},
    {"exact", KEY_EXACT, "EMPTIES", 0, "Solve exactly at this many empties or fewer (default: 14)", 1},
    {"selectivity", KEY_SELECTIVITY, "PERCENT", 0, WILLOW_SELECTIVITY_HELP " (default: 100)", 1},
    {"policy", KEY_POLICY, "search|mobility", 0,
     "Choose moves by search, or leave the other side few moves (no knowledge needed; default: search)", 1},
    {"hash", KEY_HASH, "MB", 0, "Transposition table of each search (default: 4)", 1},

    {NULL, 0, NULL, 0, "Openings, one of three kinds:", 2},
    {"opening", KEY_OPENING, "A-B", 0, "So many random plies (default: 4-12, by the size of the board)", 2},
    {"opening-shares", KEY_OPENING_SHARES, "LIST", 0, "How often A, A+1, ... plies are drawn: 1,2,1 (default: equally)",
     2},
    {"opening-balance", KEY_OPENING_BALANCE, "DISCS", 0,
     "Prefer even starts: one that is D discs off is taken with probability exp(-D / DISCS) (default: 0, any)", 2},
    {"opening-all", KEY_OPENING_ALL, "N", 0, "Every position after N plies in random order", 2},
    {"openings", KEY_OPENINGS, "FILE", 0, "Those of a file, a transcript a line, in random order", 2},

    {NULL, 0, NULL, 0, "Moves after the opening:", 3},
    {"noise", KEY_NOISE, "DISCS", 0, "Temperature of the choice among scored moves (default: 0, the best)", 3},
    {"noise-plies", KEY_NOISE_PLIES, "N", 0, "Noise applies to the first N plies after the opening (default: 0)", 3},
    {"random-move", KEY_RANDOM_MOVE, "P", 0, "Probability of a random move (default: 0)", 3},
    {"pool", KEY_POOL, "FILE", 0, "Earlier weights to play against (may be repeated)", 3},
    {"pool-share", KEY_POOL_SHARE, "P", 0, "Share of games against one of the pool (default: 0.5)", 3},

    {NULL, 0, NULL, 0, "Positions and labels to store:", 4},
    {"plies", KEY_PLIES, "A-B", 0, "Positions of these plies (default: all)", 4},
    {"keep", KEY_KEEP, "P", 0, "Share of them (default: 1)", 4},
    {"positions", KEY_POSITIONS, "N", 0, "At most N of a game, chosen at random (default: 0, all)", 4},
    {"label", KEY_LABEL, "search|none", 0, "The score of the search or none (default: search)", 4},
    {"tail", KEY_TAIL, "EMPTIES", 0,
     "Results are what the solver says at this many empties (default: 0, how the game ended)", 4},

    {"shard-games", KEY_SHARD_GAMES, "G", 0, "Games of one file (default: 4096)", 4},

    {NULL, 0, NULL, 0, "Work and files; rows do not depend on these:", 5},
    {"out", KEY_OUT, "DIR", 0, "Folder of the dataset; an unfinished run of the same configuration is finished", 5},
    {LAYOUT_OPTION},
    {"part", KEY_PART, "K/N", 0,
     "Play only the K-th of N parts of the shards (K from 1), beside others in the same folder; then resume", 5},
    {THREADS_OPTION},
    {QUIET_OPTION},
    {NULL, 0, NULL, 0, NULL, 0}};

/* What the command line has said so far; what it says of openings and pool is settled when all of it is known. */
struct parsing {
    struct run_command *command;
    const char *ruleset; /* null = not said */
    bool range, balance, all, list, pool_share;
    size_t shares_count;
    double shares[OPENINGS_SHARES];
    int pool_count;
};

static void take_name(char to[RUN_NAME_MAX], const char *text, const char *option, struct argp_state *state)
{
    if (strlen(text) >= RUN_NAME_MAX)
        argp_error(state, "%s: the name is too long", option);
    if (text[0] == '\0')
        argp_error(state, "%s: the name is empty", option);
    if (!willow_config_text_valid(text))
        argp_error(state, "%s '%s': the configuration of the run can hold only names in UTF-8", option, text);
    (void)snprintf(to, RUN_NAME_MAX, "%s", text);
}

/* The pool of the command line takes the place of the file's. */
static void take_pool(struct parsing *parsing, const char *text, struct argp_state *state)
{
    struct run_config *config = &parsing->command->config;
    int index = parsing->pool_count++;
    if (index >= RUN_POOL_MAX)
        argp_error(state, "--pool: %d files at most", (int)RUN_POOL_MAX);
    take_name(config->pool[index], text, "--pool", state);
    config->pool_checksums[index][0] = '\0';
    config->pool_count = parsing->pool_count;
}

static void take_shares(struct parsing *parsing, char *text, struct argp_state *state)
{
    parsing->shares_count = 0;
    for (char *at = text, *comma; at; at = comma ? comma + 1 : NULL) {
        comma = strchr(at, ',');
        if (parsing->shares_count == OPENINGS_SHARES)
            argp_error(state, "--opening-shares: %d at most", (int)OPENINGS_SHARES);
        if (comma)
            *comma = '\0';
        parsing->shares[parsing->shares_count++] = willow_option_real(at, 0, RUN_SHARE_MAX, "--opening-shares", state);
    }
}

static void take_part(struct run_command *command, const char *text, struct argp_state *state)
{
    unsigned part = 0, parts = 0;
    int end = 0;
    if (text[0] < '0' || text[0] > '9' || sscanf(text, "%6u/%7u%n", &part, &parts, &end) != 2 || text[end] != '\0' ||
        part < 1 || part > parts || parts > RUN_SHARDS_MAX)
        argp_error(state, "--part: '%s' is not K/N with 1 <= K <= N <= %d", text, (int)RUN_SHARDS_MAX);
    command->part = part;
    command->parts = parts;
}

static error_t parse_real(int key, char *text, struct parsing *parsing, struct argp_state *state)
{
    struct run_config *config = &parsing->command->config;
    switch (key) {
    case KEY_OPENING_BALANCE:
        config->opening_balance = willow_option_real(text, 0, RUN_BALANCE_MAX, "--opening-balance", state);
        parsing->balance = true;
        return 0;
    case KEY_NOISE:
        config->noise = willow_option_real(text, 0, RUN_NOISE_MAX, "--noise", state);
        return 0;
    case KEY_RANDOM_MOVE:
        config->random_move = willow_option_real(text, 0, 1, "--random-move", state);
        return 0;
    case KEY_POOL_SHARE:
        config->pool_share = willow_option_real(text, 0, 1, "--pool-share", state);
        parsing->pool_share = true;
        return 0;
    case KEY_KEEP:
        config->keep = willow_option_real(text, 0, 1, "--keep", state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_large(int key, char *text, struct run_config *config, struct argp_state *state)
{
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
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_integer(int key, char *text, struct run_config *config, struct argp_state *state)
{
    const struct {
        int key, low, high, *to;
        const char *option;
    } integers[] = {{KEY_DEPTH, 1, RUN_DEPTH_MAX, &config->depth, "--depth"},
                    {KEY_EXACT, 0, RUN_EMPTIES_MAX, &config->exact, "--exact"},
                    {KEY_OPENING_ALL, 0, OPENINGS_ALL_MAX, &config->opening_plies, "--opening-all"},
                    {KEY_NOISE_PLIES, 0, RUN_PLIES_MAX, &config->noise_plies, "--noise-plies"},
                    {KEY_POSITIONS, 0, RUN_PLIES_MAX, &config->positions, "--positions"},
                    {KEY_TAIL, 0, RUN_EMPTIES_MAX, &config->tail, "--tail"},
                    {KEY_HASH, 1, RUN_HASH_MAX_MB, &config->hash_mb, "--hash"}};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        if (integers[i].key == key) {
            *integers[i].to =
                (int)willow_option_integer(text, integers[i].low, integers[i].high, integers[i].option, state);
            return 0;
        }
    return parse_large(key, text, config, state);
}

/* The options of both verbs. */
static error_t parse_common(int key, char *text, struct run_command *command, struct argp_state *state)
{
    switch (key) {
    case KEY_LAYOUT:
        command->layout = parse_layout(text, state);
        return 0;
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

static error_t parse_text(int key, char *text, struct parsing *parsing, struct argp_state *state)
{
    struct run_config *config = &parsing->command->config;
    switch (key) {
    case KEY_LABEL:
        if (!run_label_find(text, &config->label))
            argp_error(state, "--label: '%s' is neither search nor none", text);
        return 0;
    case KEY_POLICY:
        if (!run_policy_find(text, &config->policy))
            argp_error(state, "--policy: '%s' is neither search nor mobility", text);
        return 0;
    case KEY_SELECTIVITY:
        config->selectivity = willow_option_selectivity(text, state);
        return 0;
    case KEY_PLIES:
        willow_option_range(text, 0, RUN_PLIES_MAX, &config->ply_min, &config->ply_max, "--plies", state);
        return 0;
    case KEY_WEIGHTS:
        take_name(config->weights, text, "--weights", state);
        config->weights_checksum[0] = '\0';
        return 0;
    case KEY_POOL:
        take_pool(parsing, text, state);
        return 0;
    case KEY_OUT:
        parsing->command->folder = text;
        return 0;
    default:
        return parse_real(key, text, parsing, state);
    }
}

static error_t parse_run(int key, char *text, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    struct run_command *command = parsing->command;
    struct run_config *config = &command->config;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &parsing->ruleset;
        return 0;
    case KEY_PART:
        take_part(command, text, state);
        return 0;
    case KEY_OPENING:
        willow_option_range(text, 0, OPENINGS_PLIES_MAX, &config->opening_min, &config->opening_max, "--opening",
                            state);
        parsing->range = true;
        return 0;
    case KEY_OPENING_SHARES:
        take_shares(parsing, text, state);
        return 0;
    case KEY_OPENINGS:
        take_name(config->opening_list, text, "--openings", state);
        config->opening_checksum[0] = '\0';
        parsing->list = true;
        return 0;
    case KEY_OPENING_ALL:
        parsing->all = true;
        return parse_integer(key, text, config, state);
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "one configuration file is expected; '%s' is a second", text);
        command->file_name = text;
        return 0;
    default:
        break;
    }
    error_t result = parse_common(key, text, command, state);
    if (result == ARGP_ERR_UNKNOWN)
        result = parse_text(key, text, parsing, state);
    return result == ARGP_ERR_UNKNOWN ? parse_integer(key, text, config, state) : result;
}

/* The first pass only learns the names of file and ruleset: the other options must come after what the file says, and
 * some defaults depend on the ruleset. */
static error_t parse_names(int key, char *text, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = &parsing->ruleset;
    if (key == ARGP_KEY_ARG && state->arg_num == 0)
        parsing->command->file_name = text;
    return key == ARGP_KEY_INIT || key == ARGP_KEY_ARG || (key >= KEY_GAMES && key <= KEY_QUIET) ? 0 : ARGP_ERR_UNKNOWN;
}

/* Before the file, which leaves it then. */
static enum willow_status take_ruleset(const char *name, struct run_config *config, struct willow_error *error)
{
    if (name && (name[0] == '\0' || strlen(name) >= sizeof config->ruleset))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--ruleset", NULL, "'%.64s' is no ruleset", name);
    if (name)
        (void)snprintf(config->ruleset, sizeof config->ruleset, "%s", name);
    return run_config_scale(config, error);
}

/* Options of one kind of opening take the place of the file's kind; those of random ones may also change single
 * properties of the file's. */
static enum willow_status settle_opening(const struct parsing *parsing, struct run_config *config,
                                         struct willow_error *error)
{
    bool random = parsing->range || parsing->shares_count > 0 || parsing->balance;
    if (random + parsing->all + parsing->list > 1)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--opening", NULL,
                           "openings are of one kind: random, --opening-all or --openings");
    if (random)
        config->opening = OPENINGS_RANDOM;
    else if (parsing->all)
        config->opening = OPENINGS_ALL;
    else if (parsing->list)
        config->opening = OPENINGS_LIST;
    if (parsing->range)
        memset(config->opening_shares, 0, sizeof config->opening_shares);
    if (parsing->shares_count > 0)
        return run_config_set_shares(config, parsing->shares, parsing->shares_count, error);
    return WILLOW_OK;
}

static enum willow_status settle(const struct parsing *parsing, struct willow_error *error)
{
    struct run_command *command = parsing->command;
    enum willow_status status = settle_opening(parsing, &command->config, error);
    if (status)
        return status;
    if (parsing->pool_share && command->config.pool_count == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--pool-share", NULL, "there is no --pool");
    if (!command->folder && command->out[0])
        command->folder = command->out;
    if (!command->folder)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "--out", NULL, "a folder for the dataset is needed");
    return run_config_check(&command->config, error);
}

static const char run_documentation[] =
    "Plays games against itself by threads and writes labelled positions to DIR in shards. The rows depend on seed, "
    "configuration and weights alone. Ctrl-C keeps finished shards.\v"
    "Example:\n  willow selfplay run --games 1000 --depth 6 --exact 14 --out data/first\n"
    "  willow selfplay run --ruleset anti --games 1000 --depth 4 --out data/anti\n"
    "  willow selfplay run configs/selfplay.yaml --seed 7 --out data/second";

static struct run_command default_command(void)
{
    return (struct run_command){.config = run_config_default()};
}

enum willow_status run_command_parse(struct run_command *command, int argc, char **argv, struct willow_error *error)
{
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 1}, {NULL, 0, NULL, 0}};
    static const struct argp names = {run_options, parse_names, "[CONFIG.yaml]", run_documentation, children,
                                      NULL,        NULL};
    static const struct argp argp = {run_options, parse_run, "[CONFIG.yaml]", run_documentation, children, NULL, NULL};
    struct parsing parsing = {.command = command};
    enum willow_status status = WILLOW_OK;
    *command = default_command();
    willow_parse_options(&names, argc, argv, &parsing);
    status = take_ruleset(parsing.ruleset, &command->config, error);
    if (!status && command->file_name)
        status = run_file_load(command, command->file_name, error);
    if (status)
        return status;
    willow_parse_options(&argp, argc, argv, &parsing);
    return settle(&parsing, error);
}

static const struct argp_option resume_options[] = {
    {LAYOUT_OPTION}, {THREADS_OPTION}, {QUIET_OPTION}, {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_resume(int key, char *text, struct argp_state *state)
{
    struct run_command *command = state->input;
    const error_t result = parse_common(key, text, command, state);
    return result == ARGP_ERR_UNKNOWN ? parse_folder(key, text, state, &command->folder) : result;
}

static const char resume_documentation[] =
    "Plays the games of a run that are still missing, with the configuration and weights stored in its folder.\v"
    "Example:\n  willow selfplay resume data/first";

/* Parts of a run leave no manifest; the configuration is there as soon as anything is. */
static enum willow_status load_stored(struct run_command *command, struct willow_error *error)
{
    char path[RUN_COMMAND_PATH];
    enum willow_status status = willow_path_join(path, sizeof path, command->folder, RUN_CONFIG_FILE, error);
    return status ? status : run_file_load(command, path, error);
}

enum willow_status run_command_parse_resume(struct run_command *command, int argc, char **argv,
                                            struct willow_error *error)
{
    static const struct argp argp = {resume_options, parse_resume, "DIR", resume_documentation, NULL, NULL, NULL};
    *command = default_command();
    willow_parse_options(&argp, argc, argv, command);
    /* These are no part of a run: the command line alone says them. */
    const struct run_command told = *command;
    enum willow_status status = load_stored(command, error);
    command->threads = told.threads;
    command->layout = told.layout;
    return status;
}
