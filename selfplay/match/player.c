/* Hands each call on to what stands behind a player. Layer: selfplay. */
#include "player_kind.h"

enum willow_status player_new(const struct engine *engine, const struct player_options *options, struct player **player,
                              struct willow_error *error)
{
    return engine->kind == ENGINE_BUILTIN ? player_builtin_new(engine, options, player, error)
                                          : player_program_new(engine, options, player, error);
}

void player_free(struct player *player)
{
    if (player != NULL)
        player->kind->free(player);
}

enum player_fault player_begin(struct player *player, const struct willow_game *opening, enum willow_side side,
                               const struct willow_stop *stop, char *reason)
{
    reason[0] = '\0';
    return player->kind->begin(player, opening, side, stop, reason);
}

enum player_fault player_think(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                               char *reason)
{
    *answer = (struct player_answer){.move = WILLOW_NO_SQUARE};
    reason[0] = '\0';
    return player->kind->think(player, turn, answer, reason);
}
