/* Plays one game between two players: clocks, legality, and what a fault costs. Layer: selfplay. */
#ifndef WILLOW_SELFPLAY_REFEREE_H
#define WILLOW_SELFPLAY_REFEREE_H

#include "game_record.h"

struct referee_side {
    struct player *player;
    const struct willow_time_control *clock; /* null = none */
};

struct referee_options {
    uint64_t move_limit_ms;         /* a player that takes longer for a move counts as hung; on a clock it has what the
                                       clock leaves and REFEREE_GRACE_MS */
    const struct willow_stop *stop; /* null = none */
};

enum { REFEREE_GRACE_MS = 2000 };

/* Plays the opening on: sides[0] has black. False when `stop` ended it (the record is worth nothing then). A player
 * whose flag falls loses, whatever the board says; no time goes into a pass. */
bool referee_play(const struct willow_game *opening, const struct referee_side sides[2],
                  const struct referee_options *options, struct game_record *record);

#endif
