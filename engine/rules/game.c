/* A game record that only legal moves and forced passes can extend.
 * Layer: rules.
 */
#include <willow/game.h>

#include <willow/notation.h>

static enum willow_side other_side(enum willow_side side)
{
    return side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
}

static void start_game(struct willow_game *game, const struct willow_ruleset *ruleset, struct willow_board board,
                       enum willow_side side)
{
    *game = (struct willow_game){.ruleset = ruleset, .start_side = side, .side = side};
    game->boards[0] = board;
}

void willow_game_init(struct willow_game *game, const struct willow_ruleset *ruleset)
{
    start_game(game, ruleset, ruleset->start, WILLOW_BLACK);
}

enum willow_status willow_game_init_board(struct willow_game *game, const struct willow_ruleset *ruleset,
                                          struct willow_board board, enum willow_side side, struct willow_error *error)
{
    if (!willow_board_valid(ruleset, board))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "the board has discs on squares that do not exist in %s, or two on one square",
                           ruleset->name);
    start_game(game, ruleset, board, side);
    return WILLOW_OK;
}

bool willow_game_starts_usually(const struct willow_game *game)
{
    const struct willow_board usual = game->ruleset->start, start = game->boards[0];
    return game->start_side == WILLOW_BLACK && start.player == usual.player && start.opponent == usual.opponent;
}

struct willow_board willow_game_board(const struct willow_game *game)
{
    return game->boards[game->length];
}

enum willow_status willow_game_play(struct willow_game *game, willow_square move, struct willow_error *error)
{
    const struct willow_board board = willow_game_board(game);
    const willow_bits moves = willow_board_moves(game->ruleset, board);
    const char *side = game->side == WILLOW_BLACK ? "black" : "white";
    char name[WILLOW_SQUARE_TEXT];

    if (willow_game_over(game))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "illegal move %s: the game is over",
                           willow_square_format(move, name));
    if (move == WILLOW_PASS && moves != 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "illegal pass: %s has a move", side);
    if (move != WILLOW_PASS && moves == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "illegal move %s: %s must pass",
                           willow_square_format(move, name), side);
    if (move > WILLOW_PASS || (move < WILLOW_PASS && (moves >> move & 1) == 0))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "illegal move %s for %s",
                           willow_square_format(move, name), side);
    /* Out of reach from a valid start: every square once, each after at most one pass. */
    if (game->length >= WILLOW_GAME_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "the record holds at most %d moves",
                           (int)WILLOW_GAME_MAX);

    game->moves[game->length++] = move;
    game->boards[game->length] = willow_board_play(board, move);
    game->side = other_side(game->side);
    return WILLOW_OK;
}

bool willow_game_undo(struct willow_game *game)
{
    if (game->length == 0)
        return false;
    game->length--;
    game->side = other_side(game->side);
    return true;
}

bool willow_game_over(const struct willow_game *game)
{
    return willow_board_over(game->ruleset, willow_game_board(game));
}

int willow_game_final_discs(const struct willow_game *game)
{
    const int discs = willow_board_final_discs(game->ruleset, willow_game_board(game));
    return game->side == WILLOW_BLACK ? discs : -discs;
}
