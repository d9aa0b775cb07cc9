/* Moves as written: played with the passes that were left out, and tried as the game of another ruleset. Layer: rules.
 */
#include "rules/written_moves.h"

#include <stdio.h>
#include <string.h>

#include "rules/ruleset_wide.h"

enum willow_status written_move_play(struct willow_game *game, willow_square move, struct willow_error *error)
{
    const bool pass_left_out = move != WILLOW_PASS && !willow_game_over(game) &&
                               willow_board_moves(game->ruleset, willow_game_board(game)) == 0;
    if (!pass_left_out)
        return willow_game_play(game, move, error);
    enum willow_status status = willow_game_play(game, WILLOW_PASS, error);
    if (status != WILLOW_OK)
        return status;
    status = willow_game_play(game, move, error);
    if (status != WILLOW_OK)
        willow_game_undo(game); /* the pass was our reading; without the move it was not in the text */
    return status;
}

void written_moves_add(struct written_moves *written, willow_square move, unsigned side)
{
    if (written->count >= WILLOW_GAME_MAX) {
        written->unreadable = true;
        return;
    }
    written->moves[written->count] = move;
    written->sides[written->count++] = (unsigned char)side;
}

void written_moves_add_played(struct written_moves *written, const struct willow_game *game, int count)
{
    for (int i = 0; i < count; i++)
        if (game->moves[i] != WILLOW_PASS)
            written_moves_add(written, game->moves[i], WRITTEN_ANY_SIDE);
}

static bool legal_in(const struct written_moves *written, const struct willow_ruleset *ruleset)
{
    struct willow_game game;
    willow_game_init(&game, ruleset);
    for (int i = 0; i < written->count; i++) {
        const willow_square move = written->moves[i];
        /* Some programs write the passes of both sides behind the last move. */
        if (move == WILLOW_PASS && written->sides[i] != WRITTEN_ANY_SIDE && willow_game_over(&game))
            continue;
        const bool other_side = written->sides[i] != WRITTEN_ANY_SIDE && written->sides[i] != game.side;
        if (other_side && willow_game_play(&game, WILLOW_PASS, NULL) != WILLOW_OK)
            return false;
        if (written_move_play(&game, move, NULL) != WILLOW_OK)
            return false;
    }
    return true;
}

void written_moves_suggest(const struct written_moves *written, const struct willow_game *game,
                           struct willow_error *error)
{
    const struct willow_ruleset *other;
    const size_t used = strlen(error->reason);
    if (!willow_game_starts_usually(game))
        return;
    /* No first move of the larger board is legal on another: behind a legal one such a square is a slip of the pen. */
    if (written->beyond && game->length == 0)
        (void)snprintf(error->reason + used, sizeof error->reason - used,
                       "; the game has squares that only " RULESET_WIDE_NAME " has");
    if (written->count == 0 || written->unreadable)
        return;
    for (int i = 0; (other = willow_ruleset_at(i)) != NULL; i++) {
        if (other == game->ruleset || !legal_in(written, other))
            continue;
        (void)snprintf(error->reason + used, sizeof error->reason - used, "; the game is legal as %s", other->name);
        return;
    }
}
