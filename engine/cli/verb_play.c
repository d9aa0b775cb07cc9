/* willow play: options and engines of a game at the terminal.
 * Layer: engine/cli (program willow).
 */
#include <stdlib.h>
#include <string.h>

#include <willow/program.h>
#include <willow/ruleset.h>

#include "engine_options.h"
#include "play.h"
#include "verb.h"

/* In a game against itself on one busy core a move at this level took 0.04 s in the mean and 0.3 s at most; two levels
 * up 0.18 s and 1.8 s, four 0.37 s and 3.4 s. Ctrl-C shortens what takes longer. */
enum { DEFAULT_LEVEL = 16 };

/* What an option may say for one side alone. */
struct side_options {
    bool human;
    const char *weights; /* null = as for both */
    int level;           /* 0 = as for both */
    double seconds;      /* 0 = as for both */
    double loss_discs;   /* < 0 = as for both */
    bool clocked;
    struct willow_time_control clock;
};

struct play_options {
    struct engine_options engine;
    struct side_options sides[2];
    const char *ruleset_name, *board;
    const struct willow_ruleset *ruleset;
    bool plain, levels;
};

/* Each key of a side has the one of the other side beside it. */
enum {
    KEY_PLAYER = 256,
    KEY_LEVEL = KEY_PLAYER + 2,
    KEY_SIDE_TIME = KEY_LEVEL + 2,
    KEY_SIDE_LOSS = KEY_SIDE_TIME + 2,
    KEY_SIDE_CLOCK = KEY_SIDE_LOSS + 2,
    KEY_SIDE_WEIGHTS = KEY_SIDE_CLOCK + 2,
    KEY_BOARD = KEY_SIDE_WEIGHTS + 2,
    KEY_PLAIN,
    KEY_CLOCK,
    KEY_LEVELS
};

static const struct argp_option table[] = {
    {"black", KEY_PLAYER, "human|engine", 0, "Who plays Black, who moves first (default: human)", 1},
    {"white", KEY_PLAYER + 1, "human|engine", 0, "Who plays White (default: engine)", 1},
    {"clock", KEY_CLOCK, "TIME", 0,
     "A clock for each side: 300 or 5:00, 3:00+2 (with an increment), 300+30/5 (then 30 seconds for every 5 moves). "
     "Who "
     "is out of time loses all squares to none",
     1},
    {"board", KEY_BOARD, "BOARD", 0, "Start here: the squares from a1 (X O -), a blank, the side to move", 1},
    {"plain", KEY_PLAIN, NULL, 0, "Words in place of a drawn board, for screen readers", 1},
    {"levels", KEY_LEVELS, NULL, 0, "Print what the levels mean, and end", 1},
    {"black-level", KEY_LEVEL, "L", 0, "For Black alone, as --level", 2},
    {"white-level", KEY_LEVEL + 1, "L", 0, "For White alone", 2},
    {"black-time", KEY_SIDE_TIME, "S", 0, "For Black alone, as --time, and in place of any --level", 2},
    {"white-time", KEY_SIDE_TIME + 1, "S", 0, "For White alone", 2},
    {"black-loss", KEY_SIDE_LOSS, "DISCS", 0, "For Black alone, as --loss", 2},
    {"white-loss", KEY_SIDE_LOSS + 1, "DISCS", 0, "For White alone", 2},
    {"black-clock", KEY_SIDE_CLOCK, "TIME", 0, "For Black alone, as --clock", 2},
    {"white-clock", KEY_SIDE_CLOCK + 1, "TIME", 0, "For White alone", 2},
    {"black-weights", KEY_SIDE_WEIGHTS, "NAME", 0, "For Black alone, as --weights", 2},
    {"white-weights", KEY_SIDE_WEIGHTS + 1, "NAME", 0, "For White alone", 2},
    {0}};

static bool parse_player(const char *text, const char *option, struct argp_state *state)
{
    const bool human = strcmp(text, "human") == 0;
    if (!human && strcmp(text, "engine") != 0)
        argp_failure(state, argp_err_exit_status, 0, "%s '%s': human or engine is expected", option, text);
    return human;
}

static void parse_clock(struct side_options *side, const char *text, const char *option, struct argp_state *state)
{
    struct willow_error error;
    if (willow_time_control_parse(text, &side->clock, &error) != WILLOW_OK)
        argp_failure(state, argp_err_exit_status, 0, "%s '%s': %s", option, text, error.reason);
    side->clocked = true;
}

/* The options of one side; ARGP_ERR_UNKNOWN when it is none of them. */
static error_t parse_side(int key, const char *argument, struct play_options *options, struct argp_state *state)
{
    if (key < KEY_PLAYER || key >= KEY_BOARD)
        return ARGP_ERR_UNKNOWN;
    const int which = (key - KEY_PLAYER) % 2;
    struct side_options *side = &options->sides[which];
    switch (key - which) {
    case KEY_PLAYER:
        side->human = parse_player(argument, which ? "--white" : "--black", state);
        break;
    case KEY_LEVEL:
        side->level = (int)willow_option_integer(argument, WILLOW_LEVEL_MIN, WILLOW_LEVEL_MAX,
                                                 which ? "--white-level" : "--black-level", state);
        break;
    case KEY_SIDE_TIME:
        side->seconds = willow_option_real(argument, 0.001, 86400, which ? "--white-time" : "--black-time", state);
        break;
    case KEY_SIDE_LOSS:
        side->loss_discs =
            willow_option_real(argument, 0, WILLOW_LOSS_MAX, which ? "--white-loss" : "--black-loss", state);
        break;
    case KEY_SIDE_CLOCK:
        parse_clock(side, argument, which ? "--white-clock" : "--black-clock", state);
        break;
    default:
        side->weights = argument;
        break;
    }
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct play_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->engine;
        state->child_inputs[1] = &options->ruleset_name;
        return 0;
    case KEY_CLOCK:
        parse_clock(&options->sides[WILLOW_BLACK], argument, "--clock", state);
        parse_clock(&options->sides[WILLOW_WHITE], argument, "--clock", state);
        return 0;
    case KEY_BOARD:
        options->board = argument;
        return 0;
    case KEY_PLAIN:
        options->plain = true;
        return 0;
    case KEY_LEVELS:
        options->levels = true;
        return 0;
    default:
        return parse_side(key, argument, options, state);
    }
}

/* How a side plays: its own level or time in place of what is said for both. */
static struct willow_choice choice_of(const struct play_options *options, enum willow_side side)
{
    struct engine_options engine = options->engine;
    const struct side_options *own = &options->sides[side];
    if (own->level > 0 || own->seconds > 0) {
        engine.level = own->level;
        engine.seconds = own->seconds;
        engine.depth = engine.selectivity = 0;
        engine.exact = -1;
    }
    if (own->loss_discs >= 0)
        engine.loss_discs = own->loss_discs;
    return engine_options_choice(&engine, DEFAULT_LEVEL, own->clocked);
}

/* One set of weights serves both sides where both are given the same. */
static enum willow_status open_engines(const struct play_options *options, struct willow_weights *weights[2],
                                       struct play *play, struct willow_error *error)
{
    const char *names[2];
    for (int side = 0; side < 2; side++) {
        names[side] = options->sides[side].weights ? options->sides[side].weights : options->engine.weights;
        const bool same =
            side == 1 && (names[0] == names[1] || (names[0] && names[1] && strcmp(names[0], names[1]) == 0));
        enum willow_status status =
            same ? WILLOW_OK : option_weights(names[side], options->ruleset, &weights[side], error);
        if (status != WILLOW_OK)
            return status;
        struct play_side *own = &play->sides[side];
        own->weights = same ? weights[0] : weights[side];
        status = option_search(own->weights, options->ruleset, (size_t)options->engine.hash_mb << 20,
                               options->engine.threads, &own->search, error);
        if (status != WILLOW_OK)
            return status;
    }
    return WILLOW_OK;
}

static enum willow_status open_game(const struct play_options *options, struct play *play, struct willow_error *error)
{
    const struct willow_ruleset *ruleset = options->ruleset;
    struct willow_game game;
    willow_game_init(&game, ruleset);
    if (options->board) {
        struct willow_board board;
        enum willow_side side;
        enum willow_status status = option_board(options->board, ruleset, &board, &side, error);
        if (status == WILLOW_OK)
            status = willow_game_init_board(&game, ruleset, board, side, error);
        if (status != WILLOW_OK)
            return status;
    }
    for (int side = 0; side < 2; side++) {
        struct play_side *own = &play->sides[side];
        own->human = options->sides[side].human;
        own->choice = choice_of(options, (enum willow_side)side);
        own->clocked = options->sides[side].clocked;
        if (own->clocked)
            willow_timer_start(&own->timer, &options->sides[side].clock);
    }
    play_begin(play, &game);
    return WILLOW_OK;
}

static enum willow_status run(const struct play_options *options, struct willow_weights *weights[2], struct play *play,
                              struct willow_error *error)
{
    /* The game first, so that what is wrong with its board is all that is said. */
    enum willow_status status = open_game(options, play, error);
    if (status == WILLOW_OK)
        status = open_engines(options, weights, play, error);
    if (status == WILLOW_OK)
        status = willow_stop_new(&play->stop, error);
    if (status == WILLOW_OK)
        status = prompt_new(&play->prompt, error);
    if (status != WILLOW_OK)
        return status;
    char move[WILLOW_SQUARE_TEXT];
    prompt_set_completion(play->prompt, play_completion, play);
    if (options->ruleset != willow_ruleset_othello())
        play_tell_ruleset(options->ruleset);
    if (!play_nobody(play))
        printf("Type a move such as %s; 'hint', 'undo', 'help' and 'quit' do what they say.\n%s",
               play_example(play, move),
               play->screen.words ? "'board' reads the board out, 'legal' what can be played.\n" : "");
    play_run(play);
    return WILLOW_OK;
}

int verb_play(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&engine_options_argp, 0, "How Willow plays:", 3}, {&willow_ruleset_argp, 0, "What is played:", 4}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .children = children,
        .doc = "A game in the terminal, against the engine or watching it. 'help' at the prompt lists the "
               "commands.\v"
               "Examples:\n"
               "  willow play --level 5\n"
               "  willow play --white human --black engine --time 2\n"
               "  willow play --clock 5:00+3 --loss 4\n"
               "  willow play --black engine --black-level 8 --white-level 12\n"
               "  willow play --ruleset anti --weights anti.wlw\n"
               "  willow play --plain"};
    struct play_options options = {.sides = {{.human = true, .loss_discs = -1}, {.human = false, .loss_discs = -1}}};
    engine_options_default(&options.engine);
    willow_parse_options(&argp, argc, argv, &options);
    if (options.levels) {
        engine_options_print_levels();
        return WILLOW_EXIT_OK;
    }

    const int usage = willow_ruleset_choose(argv[0], options.ruleset_name, options.engine.seed,
                                            willow_ruleset_default(), &options.ruleset);
    if (usage != WILLOW_EXIT_OK)
        return usage;
    struct willow_weights *weights[2] = {NULL, NULL};
    struct willow_error error;
    struct play *play = calloc(1, sizeof *play);
    enum willow_status status;
    if (play) {
        play->default_level = DEFAULT_LEVEL;
        play->screen = screen_detect(options.plain);
        status = run(&options, weights, play, &error);
        prompt_free(play->prompt);
        willow_stop_free(play->stop);
        for (int side = 0; side < 2; side++)
            willow_search_free(play->sides[side].search);
    } else {
        status = willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a game");
    }
    free(play);
    for (int side = 0; side < 2; side++)
        willow_weights_free(weights[side]);
    return status == WILLOW_OK ? WILLOW_EXIT_OK : willow_report(&error);
}
