/* The options that say how the engine plays, and the table of levels. Opens no engine. Layer: engine/cli (program
 * willow).
 */
#include <stdio.h>
#include <string.h>

#include <willow/program.h>

#include "engine_options.h"

/* Without a level: the game is solved from here on. Over games from six openings on one busy core that took at most
 * 0.4 s a move; Ctrl-C, --time and a clock shorten what takes longer. */
enum { DEFAULT_EXACT = 20, DEFAULT_HASH_MB = 32 };

/* Above the keys of any verb. */
enum { KEY_EXACT = 1000, KEY_SELECTIVITY, KEY_TIME, KEY_LOSS, KEY_SEED, KEY_HASH };

void engine_options_default(struct engine_options *options)
{
    *options = (struct engine_options){
        .exact = -1, .seed = 1, .threads = willow_default_threads(), .hash_mb = DEFAULT_HASH_MB};
}

static void check(const struct engine_options *options, struct argp_state *state)
{
    const char *other = options->depth > 0         ? "--depth"
                        : options->exact >= 0      ? "--exact"
                        : options->selectivity > 0 ? "--selectivity"
                                                   : NULL;
    if (options->level > 0 && other)
        argp_failure(state, argp_err_exit_status, 0, "--level and %s exclude each other: a level says both", other);
}

static error_t parse_search(int key, char *argument, struct argp_state *state)
{
    struct engine_options *options = state->input;
    switch (key) {
    case 'l':
        options->level = (int)willow_option_integer(argument, WILLOW_LEVEL_MIN, WILLOW_LEVEL_MAX, "--level", state);
        return 0;
    case 'd':
        options->depth = (int)willow_option_integer(argument, 1, WILLOW_SQUARES, "--depth", state);
        return 0;
    case KEY_EXACT:
        options->exact = (int)willow_option_integer(argument, 0, WILLOW_SQUARES, "--exact", state);
        return 0;
    case KEY_SELECTIVITY:
        options->selectivity = willow_option_selectivity(argument, state);
        return 0;
    case KEY_TIME:
        options->seconds = willow_option_real(argument, 0.001, 86400, "--time", state);
        return 0;
    case 't':
        options->threads = (int)willow_option_integer(argument, 1, WILLOW_SEARCH_THREADS_MAX, "--threads", state);
        return 0;
    case KEY_HASH:
        options->hash_mb = willow_option_integer(argument, 1, 1 << 20, "--hash", state);
        return 0;
    case 'w':
        options->weights = argument;
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option search_table[] = {
    {"level", 'l', "L", 0, "Level of play, 1 (the weakest) to 30: plies looked ahead, and where the game is solved", 0},
    {"time", KEY_TIME, "S", 0, "Seconds a move at most", 0},
    {"depth", 'd', "D", 0, "In place of a level: plies that the engine looks ahead", 0},
    {"exact", KEY_EXACT, "E", 0,
     "In place of a level: solve exactly from E empty squares on, whatever the depth and selectivity (default: 20)", 0},
    {"selectivity", KEY_SELECTIVITY, "PERCENT", 0,
     WILLOW_SELECTIVITY_HELP " (default: 73 to a depth; otherwise it rises from there as time allows)", 0},
    {"threads", 't', "T", 0, "Threads that search a move together (default: the cores available)", 0},
    {"hash", KEY_HASH, "MB", 0, "Transposition table (default: 32)", 0},
    {"weights", 'w', "NAME", 0, "Weights file, 'default' or 'zero'", 0},
    {0}};

const struct argp engine_search_argp = {.options = search_table, .parser = parse_search};

static error_t parse_player(int key, char *argument, struct argp_state *state)
{
    struct engine_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case KEY_LOSS:
        options->loss_discs = willow_option_real(argument, 0, WILLOW_LOSS_MAX, "--loss", state);
        return 0;
    case KEY_SEED:
        options->seed = (uint64_t)willow_option_integer(argument, 0, INT64_MAX, "--seed", state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option player_table[] = {
    {"loss", KEY_LOSS, "DISCS", 0,
     "Play weaker: choose at random among moves that are at most so many discs worse than the best, better ones more "
     "often (default: 0, always the best)",
     0},
    {"seed", KEY_SEED, "N", 0, "Of the random numbers of --loss (default: 1)", 0},
    {0}};

static const struct argp_child player_children[] = {{&engine_search_argp, 0, NULL, 0}, {0}};

const struct argp engine_options_argp = {.options = player_table, .parser = parse_player, .children = player_children};

struct willow_choice engine_options_choice(const struct engine_options *options, int default_level, bool clocked)
{
    struct willow_choice choice = {.level = options->level, .loss_discs = options->loss_discs, .seed = options->seed};
    const bool own = options->depth > 0 || options->exact >= 0 || options->selectivity > 0;
    if (choice.level == 0 && !own && !clocked && !(options->seconds > 0))
        choice.level = default_level;
    if (choice.level == 0) {
        /* Never without any limit: solving the first move takes years. */
        const bool timed = clocked || options->seconds > 0;
        choice.limits.depth = options->depth > 0 || timed ? options->depth : willow_level_find(default_level)->depth;
        choice.limits.exact_empties = options->exact >= 0 ? options->exact : DEFAULT_EXACT;
        choice.limits.selectivity = options->selectivity;
    }
    choice.limits.time_ms = (uint64_t)(options->seconds * 1000);
    return choice;
}

/* One level in half a line of 80 columns. */
static void print_level(int level)
{
    const struct willow_level *row = willow_level_find(level);
    char end[32] = "-";
    if (row->selective_end > row->exact)
        snprintf(end, sizeof end, "%d at %d%%", row->selective_end, row->end_selectivity);
    printf("%5d %5d at %3d%% %6d  %10s", level, row->depth, row->selectivity, row->exact, end);
}

/* Points: willow match default,level=L+1 default,level=L --threads 1. Times: willow play --black engine --level L
 * --threads 1, processor time shared out by the nodes of the moves. */
void engine_options_print_levels(void)
{
    enum { ROWS = (WILLOW_LEVEL_MAX - WILLOW_LEVEL_MIN + 2) / 2 };
    static const char heading[] = "level plies ahead  exact  to the end";
    printf("%s  %s\n", heading, heading);
    for (int level = WILLOW_LEVEL_MIN; level < WILLOW_LEVEL_MIN + ROWS; level++) {
        print_level(level);
        if (level + ROWS <= WILLOW_LEVEL_MAX) {
            printf("  ");
            print_level(level + ROWS);
        }
        printf("\n");
    }
    printf("exact: with so many empty squares the game is solved. to the end: before that\n"
           "it is searched to its end, at that confidence; 100%% leaves nothing out.\n"
           "Each level against the one below, 200 games: 75-82%% of the points up to 4,\n"
           "62-72%% up to 11, 57-60%% up to 16. Begin at 1, and go up when you win.\n"
           "A move in a game on one core, mean and longest: 0.02 and 0.1 s at 16,\n"
           "0.1 and 2 s at 20, 1 and 13 s at 25; --time and Ctrl-C shorten it.\n");
}
