/* The command line of `willow match`. Layer: selfplay (program). */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/level.h>
#include <willow/program.h>

#include "match/runner.h"
#include "match_command.h"
#include "match_file.h"
#include "run/openings.h"

_Static_assert((int)RUNNER_THREADS_MAX == (int)WILLOW_THREADS_MAX, "one limit of threads for all verbs");

/* Options without a short form. */
enum {
    KEY_HASH = 256,
    KEY_CLOCK,
    KEY_OPENINGS,
    KEY_SELECTIVITY,
    KEY_LEVEL,
    KEY_TIME,
    KEY_CONFIG,
    KEY_FORMAT,
    KEY_SPRT,
    KEY_ALPHA,
    KEY_BETA,
    KEY_OUT,
    KEY_MOVE_LIMIT,
    KEY_START_LIMIT,
    KEY_WITHDRAW_AFTER,
    KEY_WITHDRAW,
    KEY_ANCHOR,
    KEYS_END
};

/* Longest wait for another program, in seconds. */
#define LIMIT_MAX 86400.0

static const struct argp_option options[] = {
    {"config", KEY_CONFIG, "FILE", 0, "Engines and settings of a YAML file; the command line overrides it", 1},
    {"format", KEY_FORMAT, "round-robin|gauntlet", 0,
     "Three or more players: each against each (default), or the first against each of the others", 1},
    {"pairs", 'p', "N", 0, "Openings of each encounter; each is played twice with colours swapped (default: 100)", 1},

    {NULL, 0, NULL, 0, "Limits of built-in engines that do not say their own:", 2},
    {"depth", 'd', "D", 0, "Plies searched for every move (default: 4, or no limit with another of these)", 2},
    {"exact", 'e', "N", 0, "Solve exactly from N empties on (default: 0, never by this rule)", 2},
    {"selectivity", KEY_SELECTIVITY, "PERCENT", 0,
     WILLOW_SELECTIVITY_HELP " (default: 100). Without --depth a search rises to it from 73 by itself", 2},
    {"level", KEY_LEVEL, "L", 0, "Level of play, 1 to 30, instead of a depth", 2},
    {"nodes", 'n', "N", 0, "Nodes searched for every move (default: no limit)", 2},
    {"time", KEY_TIME, "SECONDS", 0, "Time for every move (default: no limit)", 2},
    {"hash", KEY_HASH, "MB", 0, "Transposition table of each engine in each thread (default: 4)", 2},

    {NULL, 0, NULL, 0, "Clocks, of every engine:", 3},
    {"clock", KEY_CLOCK, "TIME", 0,
     "Each side's clock in each game: 60 (seconds for the game), 1+0.01 (with an increment a move), 2/1 (2 seconds a "
     "move), 300+30/5 (then 30 seconds for every 5 moves); a time may be written 5:00. Who oversteps loses 64-0",
     3},
    {"move-limit", KEY_MOVE_LIMIT, "SECONDS", 0,
     "Without a clock, an engine that takes longer for a move counts as hung (default: 60)", 3},
    {"start-limit", KEY_START_LIMIT, "SECONDS", 0,
     "Time for another program to start, and for answers that need no thought (default: 10)", 3},
    {"withdraw-after", KEY_WITHDRAW_AFTER, "N", 0,
     "Withdraw an engine that lost so many games by faults (default: 0, never)", 3},
    {"withdraw", KEY_WITHDRAW, "NAME", 0, "This engine plays no more; its games on record stand (may be repeated)", 3},

    {NULL, 0, NULL, 0, "Openings:", 4},
    {"seed", 's', "S", 0, "Seed of the openings (default: 1)", 4},
    {"opening", 'o', "PLIES", 0, "Random moves before the engines take over (default: 8)", 4},
    {"balance", 'b', "DISCS", 0,
     "Leave out random openings that the built-in weights score further than DISCS from even (default: 6; 0 keeps all)",
     4},
    {"openings", KEY_OPENINGS, "FILE", 0,
     "Instead of random openings, those of a text with one transcript a line (# begins a comment), in random order", 4},

    {NULL, 0, NULL, 0, "Test and result:", 5},
    {"sprt", KEY_SPRT, "A,B", 0,
     "Two players: end as soon as it is clear whether the first is worth A (H0) or B (H1) in normalised Elo", 5},
    {"alpha", KEY_ALPHA, "P", 0, "Probability of H1 when H0 is true (default: 0.05)", 5},
    {"beta", KEY_BETA, "P", 0, "Probability of H0 when H1 is true (default: 0.05)", 5},
    {"anchor", KEY_ANCHOR, "NAME", 0, "The engine whose rating is zero (default: the first)", 5},
    {"out", KEY_OUT, "DIR", 0, "Keep every game there; the same command again goes on where the match stopped", 5},
    {"threads", 't', "T", 0, "Games played at once (default: the cores available)", 5},
    {"quiet", 'q', NULL, 0, "No progress", 5},
    {"json", 'j', NULL, 0, "The result as one JSON object", 5},
    {0}};

static const char documentation[] =
    "Plays matches of engines: every opening twice with colours swapped.\v"
    "A, B, ... are weights files, \"default\" (the linked weights of the ruleset), \"zero\" (an engine that knows only "
    "the rules), "
    "each with settings of its own where needed (\"default,depth=8,exact=14\"), programs (\"gtp:COMMAND LINE\", "
    "\"nboard:COMMAND LINE\"), or names of engines of the --config file; NAME= in front gives a name. The same options "
    "give the same result, whatever the number of threads; only games on a clock or by time come out another way each "
    "time, and need a core for each thread. No two openings are the same, mirrored or turned; a match for which there "
    "are too few is refused. An illegal move, a crash, no answer in time or a garbled one cost that engine the game. "
    "Ctrl-C ends the match and reports its finished pairs.\n\n"
    "Examples:\n  willow match run/weights.wlw zero --depth 4 --pairs 100\n"
    "  willow match run/weights.wlw default --depth 12 --selectivity 73 --exact 18\n"
    "  willow match new.wlw default --depth 6 --pairs 5000 --sprt 0,10 --out gate\n"
    "  willow match default,level=10 'gtp:edax -gtp' --clock 60+0.5 --pairs 50\n"
    "  willow match anti.wlw default --ruleset anti --depth 6\n"
    "  willow match --config configs/match.yaml --out tournament\n";

/* What the command line alone says while it is read. */
struct parsing {
    struct match_command *command;
    bool random_given, alpha_given, beta_given;
    const char *ruleset; /* null = not given */
    int typed;
    const char *anchor;
    const char *withdrawn[SCHEDULE_PLAYERS_MAX];
    int withdrawn_count;
};

static error_t parse_real(int key, const char *text, struct parsing *parsing, struct argp_state *state)
{
    struct match_command *command = parsing->command;

    switch (key) {
    case KEY_TIME:
        command->limits.time_ms = (uint64_t)(willow_option_real(text, 0.001, LIMIT_MAX, "--time", state) * 1000 + 0.5);
        return 0;
    case KEY_MOVE_LIMIT:
        command->move_limit_ms =
            (uint64_t)(willow_option_real(text, 0.001, LIMIT_MAX, "--move-limit", state) * 1000 + 0.5);
        return 0;
    case KEY_START_LIMIT:
        command->start_limit_ms =
            (unsigned)(willow_option_real(text, 0.001, LIMIT_MAX, "--start-limit", state) * 1000 + 0.5);
        return 0;
    case KEY_ALPHA:
        command->sprt.alpha = willow_option_real(text, MATCH_ERROR_MIN, MATCH_ERROR_MAX, "--alpha", state);
        parsing->alpha_given = true;
        return 0;
    case KEY_BETA:
        command->sprt.beta = willow_option_real(text, MATCH_ERROR_MIN, MATCH_ERROR_MAX, "--beta", state);
        parsing->beta_given = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_whole(int key, const char *text, struct parsing *parsing, struct argp_state *state)
{
    struct match_command *command = parsing->command;

    switch (key) {
    case 'd':
        command->limits.depth = (int)willow_option_integer(text, 1, WILLOW_SQUARES - 4, "--depth", state);
        command->limits.level = 0;
        return 0;
    case 'e':
        command->limits.exact = (int)willow_option_integer(text, 0, WILLOW_SQUARES - 4, "--exact", state);
        return 0;
    case KEY_LEVEL:
        command->limits.level = (int)willow_option_integer(text, WILLOW_LEVEL_MIN, WILLOW_LEVEL_MAX, "--level", state);
        command->limits.depth = 0;
        return 0;
    case 'n':
        command->limits.nodes = (uint64_t)willow_option_integer(text, 1, INT64_MAX, "--nodes", state);
        return 0;
    case KEY_HASH:
        command->hash_mb = (size_t)willow_option_integer(text, 1, 1 << 20, "--hash", state);
        return 0;
    case 'p':
        command->pairs = (size_t)willow_option_integer(text, 1, MATCH_PAIRS_MAX, "--pairs", state);
        return 0;
    case 't':
        command->threads = (int)willow_option_integer(text, 1, RUNNER_THREADS_MAX, "--threads", state);
        return 0;
    case 's':
        command->seed = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--seed", state);
        return 0;
    case 'o':
        command->opening_plies = (int)willow_option_integer(text, 0, OPENINGS_PLIES_MAX, "--opening", state);
        parsing->random_given = true;
        return 0;
    case 'b':
        command->balance_discs = (int)willow_option_integer(text, 0, WILLOW_SQUARES, "--balance", state);
        parsing->random_given = true;
        return 0;
    case KEY_WITHDRAW_AFTER:
        command->withdraw_after = (uint64_t)willow_option_integer(text, 0, INT64_MAX, "--withdraw-after", state);
        return 0;
    default:
        return parse_real(key, text, parsing, state);
    }
}

static void take_path(char to[MATCH_PATH], const char *text, const char *option, struct argp_state *state)
{
    if (text[0] == '\0' || strlen(text) >= MATCH_PATH)
        argp_error(state, "%s '%s': not the name of a file", option, text);
    (void)snprintf(to, MATCH_PATH, "%s", text);
}

static void take_clock(struct match_command *command, const char *text, struct argp_state *state)
{
    struct willow_error error;

    if (willow_time_control_parse(text, &command->clock, &error) != WILLOW_OK)
        argp_failure(state, argp_err_exit_status, 0, "--clock '%s': %s", text, error.reason);
    command->has_clock = true;
}

/* Error rates that the file or another option gave stay. */
static void take_sprt(struct parsing *parsing, const char *text, struct argp_state *state)
{
    struct match_command *command = parsing->command;
    struct sprt_test test;
    struct willow_error error;

    if (sprt_parse(text, &test, &error) != WILLOW_OK)
        argp_failure(state, argp_err_exit_status, 0, "--sprt '%s': %s", text, error.reason);
    if (command->has_sprt || parsing->alpha_given)
        test.alpha = command->sprt.alpha;
    if (command->has_sprt || parsing->beta_given)
        test.beta = command->sprt.beta;
    command->sprt = test;
    command->has_sprt = true;
}

static void take_player(struct parsing *parsing, const char *text, struct argp_state *state)
{
    struct match_command *command = parsing->command;

    if (parsing->typed == SCHEDULE_PLAYERS_MAX)
        argp_error(state, "more than %d players", SCHEDULE_PLAYERS_MAX);
    command->typed[parsing->typed++] = text;
    command->players = parsing->typed;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    struct match_command *command = parsing->command;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &parsing->ruleset;
        return 0;
    case KEY_CONFIG:
        return 0;
    case KEY_FORMAT:
        if (!match_format_find(text, &command->format))
            argp_error(state, "--format '%s': round-robin or gauntlet is expected", text);
        return 0;
    case KEY_SELECTIVITY:
        command->limits.selectivity = willow_option_selectivity(text, state);
        return 0;
    case KEY_CLOCK:
        take_clock(command, text, state);
        return 0;
    case KEY_OPENINGS:
        take_path(command->list, text, "--openings", state);
        return 0;
    case KEY_OUT:
        take_path(command->out, text, "--out", state);
        return 0;
    case KEY_SPRT:
        take_sprt(parsing, text, state);
        return 0;
    case KEY_ANCHOR:
        parsing->anchor = text;
        return 0;
    case KEY_WITHDRAW:
        if (parsing->withdrawn_count == SCHEDULE_PLAYERS_MAX)
            argp_error(state, "--withdraw: more than %d engines", SCHEDULE_PLAYERS_MAX);
        parsing->withdrawn[parsing->withdrawn_count++] = text;
        return 0;
    case 'q':
        command->quiet = true;
        return 0;
    case 'j':
        command->json = true;
        return 0;
    case ARGP_KEY_ARG:
        take_player(parsing, text, state);
        return 0;
    default:
        return parse_whole(key, text, parsing, state);
    }
}

/* The first pass only learns the file's name: options must come after what the file says. */
static error_t parse_config_name(int key, char *text, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    struct match_command *command = parsing->command;

    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = &parsing->ruleset;
    if (key == KEY_CONFIG)
        command->config_name = text;
    return key == ARGP_KEY_ARG || (key > 0 && key < KEYS_END) ? 0 : ARGP_ERR_UNKNOWN;
}

static enum willow_status refuse(struct willow_error *error, const char *option, const char *reason)
{
    return willow_fail(error, WILLOW_ERR_ARGUMENT, option, NULL, "%s", reason);
}

/* The file's anchor is one of the file's players: others may play without it. */
static enum willow_status settle_anchor(const struct parsing *parsing, struct match_command *command,
                                        struct willow_error *error)
{
    const char *name = parsing->anchor != NULL ? parsing->anchor : command->file_anchor;
    const int player = name != NULL ? match_players_find(command, name) : 0;

    command->anchor = player >= 0 ? player : 0;
    if (player < 0 && (parsing->anchor != NULL || parsing->typed == 0))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, parsing->anchor != NULL ? "--anchor" : command->config_name,
                           parsing->anchor != NULL ? NULL : "anchor", "no player has the name '%s'", name);
    return WILLOW_OK;
}

/* "hole:random" is drawn by the match's seed, and known by the name of its square from here on. */
static enum willow_status settle_ruleset(const struct parsing *parsing, struct match_command *command,
                                         struct willow_error *error)
{
    const bool typed = parsing->ruleset != NULL;
    struct willow_error cause;

    if (typed)
        command->ruleset_name = parsing->ruleset;
    command->ruleset = willow_ruleset_default();
    if (command->ruleset_name == NULL ||
        willow_ruleset_parse(command->ruleset_name, command->seed, &command->ruleset, &cause) == WILLOW_OK)
        return WILLOW_OK;
    return willow_fail(error, typed ? WILLOW_ERR_ARGUMENT : WILLOW_ERR_FORMAT,
                       typed ? "--ruleset" : command->config_name, typed ? NULL : "ruleset", "%s", cause.reason);
}

static enum willow_status settle(const struct parsing *parsing, struct match_command *command,
                                 struct willow_error *error)
{
    if (command->list[0] != '\0' && parsing->random_given)
        return refuse(error, "--openings", "these openings are played as they are, without --opening and --balance");
    if (!command->has_sprt && (parsing->alpha_given || parsing->beta_given))
        return refuse(error, parsing->alpha_given ? "--alpha" : "--beta", "there is no --sprt");
    if (command->players < 2)
        return refuse(error, NULL,
                      "two or more players are expected: weights files, \"default\", \"zero\", or programs");
    if (command->has_sprt && command->players != 2)
        return refuse(error, "--sprt", "a test is of two players");
    enum willow_status status = settle_ruleset(parsing, command, error);
    if (status == WILLOW_OK)
        status = match_players_make(command, error);
    for (int i = 0; i < parsing->withdrawn_count && status == WILLOW_OK; i++) {
        const int player = match_players_find(command, parsing->withdrawn[i]);

        if (player < 0)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, "--withdraw", NULL, "no player has the name '%s'",
                               parsing->withdrawn[i]);
        command->engines[player].withdrawn = true;
    }
    return status == WILLOW_OK ? settle_anchor(parsing, command, error) : status;
}

enum willow_status match_command_parse(struct match_command *command, int argc, char **argv, struct willow_error *error)
{
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 1}, {0}};
    static const struct argp names = {options, parse_config_name, "A B [C ...]", documentation, children, NULL, NULL};
    static const struct argp argp = {options, parse_option, "A B [C ...]", documentation, children, NULL, NULL};
    struct parsing parsing = {.command = command};
    enum willow_status status = WILLOW_OK;

    *command = (struct match_command){.pairs = 100,
                                      .seed = 1,
                                      .opening_plies = 8,
                                      .balance_discs = MATCH_BALANCE_DEFAULT,
                                      .hash_mb = 4,
                                      .threads = willow_default_threads(),
                                      .sprt = {.alpha = 0.05, .beta = 0.05},
                                      .move_limit_ms = 60000,
                                      .start_limit_ms = 10000};
    willow_parse_options(&names, argc, argv, &parsing);
    if (command->config_name != NULL)
        status = match_file_load(command, command->config_name, error);
    if (status != WILLOW_OK)
        return status;
    willow_parse_options(&argp, argc, argv, &parsing);
    return settle(&parsing, command, error);
}

void match_command_clear(struct match_command *command)
{
    for (int i = 0; i < SCHEDULE_PLAYERS_MAX; i++)
        engine_clear(&command->engines[i]);
    match_file_free(command->file);
    command->file = NULL;
}
