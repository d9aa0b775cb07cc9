/* Players that do what a test tells them: they answer at once, late, wrongly, or not at all. They take the place of
 * other programs: the engine of such a player has the kind ENGINE_GTP, and nothing else that matters.
 */
#ifndef TESTS_SUPPORT_SCRIPTED_PLAYERS_H
#define TESTS_SUPPORT_SCRIPTED_PLAYERS_H

#include <stdatomic.h>

#include "selfplay/match/player.h"

enum script_deed {
    SCRIPT_PLAY, /* nothing special */
    SCRIPT_RESIGN,
    SCRIPT_GARBLE,
    SCRIPT_CRASH,
    SCRIPT_HANG,
    SCRIPT_LATE,    /* a good answer after delay_ms */
    SCRIPT_WAIT,    /* a good answer when it is not held any more; until then it minds the deadline and the stop */
    SCRIPT_ILLEGAL, /* a1, which nobody can take early in a game */
    SCRIPT_PASS     /* although there is a move */
};

struct script {
    enum script_deed deed;
    int at;              /* the move of its own, from 1, in which it does the deed; 0 = when the game begins */
    unsigned one_in;     /* games in which it does: 1 = all; else a share that openings and sides decide */
    unsigned delay_ms;   /* before the answer that is the deed */
    unsigned jitter_us;  /* up to so long, at random, when a game begins */
    bool fails_to_start; /* player_new gives WILLOW_ERR_MEMORY */
    bool odd_score;      /* gives scores that are no numbers */

    atomic_bool held;

    /* What was seen; of the last turn where `watched` (for tests of one game). */
    atomic_int made, living, begun, thought;
    bool watched;
    uint64_t left_ns, other_left_ns; /* on the clocks; 0 = no clock */
    uint64_t deadline_in_ns;
};

/* scripts[i] is that of engines[i]. To be called before any player is made; both arrays must stay. */
void scripted_players_set(const struct engine *engines, struct script *scripts, int count);

/* Whether the player with this side does its deed in the game from the opening. */
bool script_strikes(const struct script *script, const struct willow_game *opening, enum willow_side side);

/* What a scripted player chooses: fixed by the board. */
willow_square script_move(const struct willow_game *game);

/* The opening of `plies` random moves that the seed gives, passes included. */
struct willow_game script_opening(const struct willow_ruleset *ruleset, uint64_t seed, int plies);

#endif
