/* What the referee of a game sees of a player: it begins games and answers with moves, or fails in one of few ways.
 * Layer: selfplay. A player belongs to one thread at a time. Built-in searches and other programs stand behind it.
 */
#ifndef WILLOW_SELFPLAY_PLAYER_H
#define WILLOW_SELFPLAY_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/game.h>
#include <willow/search.h>
#include <willow/timer.h>

#include "engine.h"

enum player_fault {
    PLAYER_FINE = 0,
    PLAYER_STOPPED,  /* the match's stop was set */
    PLAYER_RESIGNED, /* said so */
    PLAYER_GARBLED,  /* answered with something that its protocol does not allow, or with an error */
    PLAYER_CRASHED,  /* ended, closed its output, or could not be started */
    PLAYER_HUNG      /* no answer by the deadline */
};

enum { PLAYER_REASON = 160 };

/* All about a move to be made. */
struct player_turn {
    const struct willow_game *game; /* opening and all moves so far; the player is to move and has a legal move */
    const struct willow_timer *own; /* null = this side has no clock */
    const struct willow_timer *other;
    uint64_t deadline_ns;           /* of willow_clock_ns: when the player counts as hung */
    const struct willow_stop *stop; /* null = none */
};

struct player_answer {
    willow_square move; /* anything: the referee looks whether it is legal */
    bool has_score;
    double score_discs; /* from the mover's side */
    int depth;          /* 0 = not known */
    uint64_t nodes;     /* 0 = not known */
};

struct player;

struct player_options {
    size_t hash_bytes;       /* table of a built-in search */
    unsigned start_limit_ms; /* how long another program may take to start, and then to begin a game; 0 = 10 s */
    int log_fd;              /* standard errors of other programs; 0 = thrown away */
};

/* A player for the engine, which must be open and outlive it. Another program is started at its first game.
 * WILLOW_ERR_MEMORY. */
enum willow_status player_new(const struct engine *engine, const struct player_options *options, struct player **player,
                              struct willow_error *error);

/* Ends the program if there is one. Null is accepted. */
void player_free(struct player *player);

/* A new game from this opening, in which the player has that side. A program is killed at any fault but a resignation
 * and started anew here. GTP has words for the ruleset's own start alone, and for rulesets other than Othello on a
 * board of some size only where the program knows the command willow-ruleset; NBoard for every start, but not for discs
 * placed freely and for holes. For limits of depth and nodes a game depends on nothing that came before it. *reason
 * (PLAYER_REASON bytes) says in one line what went wrong. */
enum player_fault player_begin(struct player *player, const struct willow_game *opening, enum willow_side side,
                               const struct willow_stop *stop, char *reason);

/* A move. Passes are played by the referee: other programs are told of them. */
enum player_fault player_think(struct player *player, const struct player_turn *turn, struct player_answer *answer,
                               char *reason);

#endif
