/* willow perft: counts the leaves of the game tree at a depth, to check and to time the move generator.
 * Layer: engine/cli (program willow).
 */
#include <inttypes.h>
#include <string.h>

#include <willow/clock.h>
#include <willow/program.h>
#include <willow/ruleset.h>

#include "verb.h"

struct perft_options {
    int depth; /* -1 = not given */
    bool passes_free;
    const char *ruleset, *board; /* null = the usual one */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct perft_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->ruleset;
        return 0;
    case 'p':
        options->passes_free = strcmp(argument, "free") == 0;
        if (!options->passes_free && strcmp(argument, "count") != 0)
            argp_failure(state, argp_err_exit_status, 0, "--passes '%s': count or free is expected", argument);
        return 0;
    case 'b':
        options->board = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->depth >= 0)
            return ARGP_ERR_UNKNOWN;
        options->depth = (int)willow_option_integer(argument, 0, 100, "N", state);
        return 0;
    case ARGP_KEY_END:
        if (options->depth < 0)
            argp_failure(state, argp_err_exit_status, 0, "N, the depth in plies, is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int verb_perft(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"passes", 'p', "count|free", 0, "Whether a pass costs a ply (default: count)", 0},
        {"board", 'b', "BOARD", 0, "Start here: the squares from a1 (X O -), a blank, the side to move", 0},
        {0}};
    static const struct argp_child children[] = {{&willow_ruleset_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = table,
        .parser = parse,
        .children = children,
        .args_doc = "N",
        .doc = "Counts the leaves of the game tree N plies deep. A game that is over before counts as one "
               "leaf.\v"
               "Examples:\n"
               "  willow perft 9 --passes free\n"
               "  willow perft 8 --ruleset 10x10"};
    struct perft_options options = {.depth = -1};
    willow_parse_options(&argp, argc, argv, &options);

    const struct willow_ruleset *ruleset = NULL;
    const int code =
        willow_ruleset_choose(argv[0], options.ruleset, OPTION_HOLE_SEED, willow_ruleset_default(), &ruleset);
    if (code != WILLOW_EXIT_OK)
        return code;
    struct willow_board board = ruleset->start;
    enum willow_side side = WILLOW_BLACK;
    struct willow_error error;
    if (options.board && option_board(options.board, ruleset, &board, &side, &error) != WILLOW_OK)
        return willow_report(&error);

    const uint64_t start_ns = willow_clock_ns();
    const uint64_t leaves = willow_perft(ruleset, board, options.depth, options.passes_free);
    const double seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    printf("perft %d", options.depth);
    if (ruleset != willow_ruleset_othello())
        printf(" of %s", ruleset->name);
    printf(": %" PRIu64 " leaves, %.3f s, %.1f million leaves/s\n", leaves, seconds,
           seconds > 0 ? (double)leaves * 1e-6 / seconds : 0.0);
    return WILLOW_EXIT_OK;
}
