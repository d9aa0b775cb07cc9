/* Finds a move with Willow as a library: loads weights, sets up a position, thinks, and prints the move.
 *     think                                       the start of a game, the weights inside the library
 *     think "BOARD X" [WEIGHTS.wlw]               64 squares from a1 (X O -), a blank, the side to move
 */
#include <stdio.h>
#include <stdlib.h>

#include <willow/notation.h>
#include <willow/search.h>
#include <willow/weights.h>

/* Whatever can fail returns a status and says why in an error that belongs to the caller. */
static void must(enum willow_status status, const struct willow_error *error)
{
    char text[1024];
    if (status == WILLOW_OK)
        return;
    fprintf(stderr, "think: %s\n", willow_error_text(error, text, sizeof text));
    exit(2);
}

int main(int argc, char **argv)
{
    struct willow_error error;

    /* Immutable: one set serves any number of searches in any number of threads. */
    struct willow_weights *weights;
    must(willow_weights_open(argc > 2 ? argv[2] : "default", NULL, &weights, &error), &error);

    /* A board is always seen from the side to move; the side matters for text alone. */
    struct willow_board board = willow_ruleset_default()->start;
    enum willow_side side = WILLOW_BLACK;
    if (argc > 1)
        must(willow_board_parse(willow_ruleset_default(), argv[1], &board, &side, &error), &error);

    /* One search thinks for one caller at a time, and remembers from move to move what it has found. */
    struct willow_search *search;
    must(willow_search_new(weights, (size_t)32 << 20, &search, &error), &error);

    struct willow_limits limits = {0}; /* zero is no limit: whichever is reached first ends the search */
    limits.depth = 10;
    limits.exact_empties = 16;
    limits.time_ms = 5000;
    struct willow_result result;
    willow_search_run(search, board, &limits, &result);

    char move[3];
    printf("%s %s %+.2f discs, depth %d\n", side == WILLOW_BLACK ? "black" : "white",
           willow_square_format(result.move, move), (double)result.score / WILLOW_SCORE_DISC, result.depth);
    willow_search_free(search);
    willow_weights_free(weights);
    return 0;
}
