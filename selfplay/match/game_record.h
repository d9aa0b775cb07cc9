/* A game of a match as it is kept: moves with times and scores, how it ended, and through whose fault.
 * Layer: selfplay. Plain data.
 */
#ifndef WILLOW_SELFPLAY_GAME_RECORD_H
#define WILLOW_SELFPLAY_GAME_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/game.h>

#include "player.h"

enum game_end {
    GAME_PLAYED, /* to its end */
    GAME_RESIGNED,
    GAME_TIME,    /* a flag fell */
    GAME_ILLEGAL, /* a move that the rules forbid */
    GAME_GARBLED, /* an answer that is none */
    GAME_CRASHED,
    GAME_HUNG
};
enum { GAME_ENDS = 7 };

/* "played", "resigned", "time", "illegal", "garbled", "crashed", "hung". */
extern const char *const game_end_names[GAME_ENDS];

/* Whether the culprit failed: all ends but GAME_PLAYED and GAME_RESIGNED. */
bool game_end_is_fault(enum game_end end);

struct game_move {
    bool has_score;
    float score_discs; /* from the mover's side */
    int depth;         /* 0 = not known */
    uint64_t nodes;    /* 0 = not known */
    uint64_t used_ns;  /* 0 for passes and the opening */
};

struct game_record {
    struct willow_game game;
    int opening;                             /* moves of the game, passes included, that were given */
    struct game_move moves[WILLOW_GAME_MAX]; /* beside game.moves */
    enum game_end end;
    enum willow_side culprit;   /* who resigned or failed; not used when end = GAME_PLAYED */
    char reason[PLAYER_REASON]; /* of a fault, one line; else empty */
    int discs;                  /* final difference for black; a game that was not played to its end counts as every
                                   playable square for the culprit's opponent, whatever the board says */
};

#endif
