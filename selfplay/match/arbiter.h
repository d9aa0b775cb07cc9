/* Plays one game between two players: clocks, legality, and what a fault costs. Layer: selfplay. */
#ifndef WILLOW_SELFPLAY_ARBITER_H
#define WILLOW_SELFPLAY_ARBITER_H

#include "game_record.h"

struct arbiter_side {
    struct player *player;
    const struct willow_time_control *clock; /* null = none */
};

struct arbiter_options {
    uint64_t move_limit_ms; /* a player that takes longer for a move counts as hung; on a clock it has what the clock
                               leaves and ARBITER_GRACE_MS instead. 0 = none */
    const struct willow_stop *stop; /* null = none */
};

enum { ARBITER_GRACE_MS = 2000 };

/* Plays the opening on: sides[0] has black. False when `stop` ended it (the record is worth nothing then).
 *
 * A player that resigns or fails loses, also one that fails at the game's beginning: the one that is to move begins
 * first, so it loses where neither works. A player whose flag falls loses, whatever it answers and the board says; one
 * that does not answer at all by the deadline counts as hung, with a clock too. Passes are played by the arbiter and
 * take no time. Both players see the end of the game if they saw its beginning. */
bool arbiter_play(const struct willow_game *opening, const struct arbiter_side sides[2],
                  const struct arbiter_options *options, struct game_record *record);

#endif
