/* willow play: options and engines of a game at the terminal.
 * Layer: engine/cli (program willow).
 */
#include <string.h>

#include <willow/program.h>
#include <willow/ruleset.h>

#include "play.h"
#include "verb.h"

/* Over games from six openings on one busy core, a move to this depth at 73% took 0.08 s in the mean and at most 0.4 s,
 * and solving at most 0.4 s; two plies more of both, 0.19 s and 0.7 s. Ctrl-C shortens what takes longer. */
enum { DEFAULT_DEPTH = 18, DEFAULT_EXACT = 20 };

struct play_options {
    bool human[2];
    const char *weights[2];
    const char *board;
    int depth, exact; /* depth -1 = not given */
    int selectivity;  /* 0 = not given */
    int threads;      /* of each search */
    double seconds;   /* 0 = no limit */
    bool clocked;
    struct willow_time_control clock;
    int64_t hash_mb;
    bool plain;
};

enum {
    KEY_BLACK = 256,
    KEY_WHITE,
    KEY_BLACK_WEIGHTS,
    KEY_WHITE_WEIGHTS,
    KEY_BOARD,
    KEY_EXACT,
    KEY_HASH,
    KEY_PLAIN,
    KEY_SELECTIVITY,
    KEY_TIME,
    KEY_CLOCK
};

static bool parse_player(const char *text, const char *option, struct argp_state *state)
{
    const bool human = strcmp(text, "human") == 0;
    if (!human && strcmp(text, "engine") != 0)
        argp_failure(state, argp_err_exit_status, 0, "%s '%s': human or engine is expected", option, text);
    return human;
}

static void parse_clock(struct play_options *options, const char *text, struct argp_state *state)
{
    struct willow_error error;
    if (willow_time_control_parse(text, &options->clock, &error) != WILLOW_OK)
        argp_failure(state, argp_err_exit_status, 0, "--clock '%s': %s", text, error.reason);
    options->clocked = true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct play_options *options = state->input;
    switch (key) {
    case KEY_BLACK:
        options->human[WILLOW_BLACK] = parse_player(argument, "--black", state);
        return 0;
    case KEY_WHITE:
        options->human[WILLOW_WHITE] = parse_player(argument, "--white", state);
        return 0;
    case 'd':
        options->depth = (int)willow_option_integer(argument, 1, 60, "--depth", state);
        return 0;
    case KEY_EXACT:
        options->exact = (int)willow_option_integer(argument, 0, 60, "--exact", state);
        return 0;
    case KEY_SELECTIVITY:
        options->selectivity = willow_option_selectivity(argument, state);
        return 0;
    case 't':
        options->threads = (int)willow_option_integer(argument, 1, WILLOW_SEARCH_THREADS_MAX, "--threads", state);
        return 0;
    case KEY_TIME:
        options->seconds = willow_option_real(argument, 0.001, 86400, "--time", state);
        return 0;
    case KEY_CLOCK:
        parse_clock(options, argument, state);
        return 0;
    case KEY_HASH:
        options->hash_mb = willow_option_integer(argument, 1, 1 << 20, "--hash", state);
        return 0;
    case 'w':
        options->weights[WILLOW_BLACK] = options->weights[WILLOW_WHITE] = argument;
        return 0;
    case KEY_BLACK_WEIGHTS:
        options->weights[WILLOW_BLACK] = argument;
        return 0;
    case KEY_WHITE_WEIGHTS:
        options->weights[WILLOW_WHITE] = argument;
        return 0;
    case KEY_BOARD:
        options->board = argument;
        return 0;
    case KEY_PLAIN:
        options->plain = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Both sides' weights and engines; the game's ruleset is theirs. */
static enum willow_status open_engines(const struct play_options *options, struct willow_weights *weights[2],
                                       struct play *play, struct willow_error *error)
{
    for (int side = 0; side < 2; side++) {
        enum willow_status status = willow_weights_open(options->weights[side], &weights[side], error);
        if (status == WILLOW_OK)
            status = willow_search_new(weights[side], (size_t)options->hash_mb << 20, &play->search[side], error);
        if (status == WILLOW_OK)
            status = willow_search_set_threads(play->search[side], options->threads, error);
        if (status != WILLOW_OK)
            return status;
    }
    const struct willow_ruleset *ruleset = willow_weights_ruleset(weights[WILLOW_BLACK]);
    if (willow_weights_ruleset(weights[WILLOW_WHITE]) != ruleset)
        return willow_fail(error, WILLOW_ERR_MISMATCH, options->weights[WILLOW_WHITE], NULL,
                           "the two sides' weights are for different rulesets");
    willow_game_init(&play->start, ruleset);
    if (options->board) {
        struct willow_board board;
        enum willow_side side;
        enum willow_status status = option_board(options->board, ruleset, &board, &side, error);
        if (status == WILLOW_OK)
            status = willow_game_init_board(&play->start, ruleset, board, side, error);
        if (status != WILLOW_OK)
            return status;
    }
    play->game = play->start;
    return WILLOW_OK;
}

static void greet(const struct play *play)
{
    if (play->human[WILLOW_BLACK] || play->human[WILLOW_WHITE])
        printf("Type a move such as f5; 'hint', 'undo', 'help' and 'quit' do what they say.\n");
}

int verb_play(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"black", KEY_BLACK, "human|engine", 0, "Who plays Black, who moves first (default: human)", 0},
        {"white", KEY_WHITE, "human|engine", 0, "Who plays White (default: engine)", 0},
        {"depth", 'd', "D", 0, "Plies that the engine looks ahead (default: 18, none with --time or --clock)", 0},
        {"exact", KEY_EXACT, "E", 0,
         "Solve exactly from E empty squares on, whatever the depth and selectivity (default: 20)", 0},
        {"selectivity", KEY_SELECTIVITY, "PERCENT", 0,
         WILLOW_SELECTIVITY_HELP " (default: 73 to a depth; otherwise it rises from there as time allows)", 0},
        {"threads", 't', "T", 0, "Threads that search a move together (default: the cores available)", 0},
        {"time", KEY_TIME, "S", 0, "Seconds a move at most", 0},
        {"clock", KEY_CLOCK, "TIME", 0,
         "The engine's clock for the game: 300 or 5:00, 3:00+2 (with an increment), 300+30/5 (then 30 seconds for "
         "every "
         "5 moves)",
         0},
        {"weights", 'w', "NAME", 0, "Weights file, 'default' or 'zero'", 0},
        {"black-weights", KEY_BLACK_WEIGHTS, "NAME", 0, "The same for Black alone", 0},
        {"white-weights", KEY_WHITE_WEIGHTS, "NAME", 0, "The same for White alone", 0},
        {"hash", KEY_HASH, "MB", 0, "Transposition table of each side (default: 32)", 0},
        {"board", KEY_BOARD, "BOARD", 0, "Start here: 64 squares from a1 (X O -), a blank, the side to move", 0},
        {"plain", KEY_PLAIN, NULL, 0, "ASCII without colours", 0},
        {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .doc = "A game in the terminal, against the engine or watching it. 'help' at the prompt lists the "
               "commands.\v"
               "Examples:\n"
               "  willow play --white human --black engine --time 2\n"
               "  willow play --clock 5:00+3\n"
               "  willow play --black engine --black-weights zero"};
    struct play_options options = {.human = {true, false},
                                   .depth = -1,
                                   .exact = DEFAULT_EXACT,
                                   .threads = willow_default_threads(),
                                   .hash_mb = 32};
    willow_parse_options(&argp, argc, argv, &options);

    struct willow_weights *weights[2] = {NULL, NULL};
    struct play play = {.human = {options.human[0], options.human[1]}, .screen = screen_detect(options.plain)};
    struct willow_error error;
    enum willow_status status = open_engines(&options, weights, &play, &error);
    if (status == WILLOW_OK)
        status = willow_stop_new(&play.stop, &error);
    if (status == WILLOW_OK)
        status = prompt_new(&play.prompt, &error);
    if (status == WILLOW_OK) {
        play.limits = (struct willow_limits){
            .depth = options.depth > 0 ? options.depth : (options.seconds > 0 || options.clocked ? 0 : DEFAULT_DEPTH),
            .exact_empties = options.exact,
            .selectivity = options.selectivity,
            .time_ms = (uint64_t)(options.seconds * 1000),
            .stop = play.stop,
        };
        if (options.clocked)
            play_start_clocks(&play, &options.clock);
        greet(&play);
        play_run(&play);
    }
    prompt_free(play.prompt);
    willow_stop_free(play.stop);
    for (int side = 0; side < 2; side++) {
        willow_search_free(play.search[side]);
        willow_weights_free(weights[side]);
    }
    return status == WILLOW_OK ? WILLOW_EXIT_OK : willow_report(&error);
}
