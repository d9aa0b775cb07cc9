/* What stands behind a player: a built-in search or another program. Layer: selfplay; for the files player*.c alone. */
#ifndef WILLOW_SELFPLAY_PLAYER_KIND_H
#define WILLOW_SELFPLAY_PLAYER_KIND_H

#include "player.h"

/* The functions of player.h for one kind of engine. */
struct player_kind {
    enum player_fault (*begin)(struct player *player, const struct willow_game *opening, enum willow_side side,
                               const struct willow_stop *stop, char *reason);
    enum player_fault (*think)(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                               char *reason);
    void (*free)(struct player *player);
};

/* The first member of each kind's own struct. */
struct player {
    const struct player_kind *kind;
};

enum willow_status player_builtin_new(const struct engine *engine, const struct player_options *options,
                                      struct player **player, struct willow_error *error);

/* GTP and NBoard. */
enum willow_status player_program_new(const struct engine *engine, const struct player_options *options,
                                      struct player **player, struct willow_error *error);

#endif
