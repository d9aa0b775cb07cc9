/* Our end of a conversation with another program, and what a protocol has to offer to a player.
 * Layer: selfplay; for player_program.c and the protocols. Nothing that a program sends is trusted.
 */
#ifndef WILLOW_SELFPLAY_CLIENT_H
#define WILLOW_SELFPLAY_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/child.h>

#include "player.h"

struct client {
    const struct client_protocol *protocol;
    const struct engine *engine;
    struct willow_child *child; /* null = not running */

    /* Of the present call: when the program counts as hung, what ends the wait, where the reason of a fault goes. */
    uint64_t deadline_ns;
    const struct willow_stop *stop;
    char *reason;

    uint64_t called_ns; /* when the present call began */

    /* What the protocols remember. */
    enum willow_side side;                /* in this game */
    int seen;                             /* moves of this game, from its start, that the program knows of */
    bool clock_told;                      /* in this game */
    unsigned number;                      /* of the last command (GTP) or ping (NBoard) */
    unsigned commands;                    /* GTP: those of its optional commands that the program knows */
    const struct willow_ruleset *ruleset; /* GTP: which it was told to play; null = none yet */
    uint64_t answered_ns; /* NBoard: when it last answered; 0 = a move of the other side was told since */
    double thought_s;     /* NBoard: what that move took */
    bool scored;          /* NBoard: whether it came with a score: */
    double score_discs;
    char status[96]; /* NBoard: the last one since the last ping, or the first that refuses */
};

/* Each call may wait for the program, until the client's deadline. */
struct client_protocol {
    enum player_fault (*start)(struct client *client); /* once, before all others */
    enum player_fault (*begin)(struct client *client, const struct willow_game *opening);
    enum player_fault (*tell)(struct client *client, enum willow_side side, willow_square move);
    /* Advances `seen` when the program has played its own move, too. */
    enum player_fault (*think)(struct client *client, const struct player_turn *turn, struct player_answer *answer);
    void (*quit)(struct client *client); /* asks it to end */
};

extern const struct client_protocol gtp_protocol, nboard_protocol;

/* Sends one line. */
__attribute__((format(printf, 2, 3))) enum player_fault client_send(struct client *client, const char *format, ...);

/* Waits for a line; it is valid until the next call. `awaited` says in a reason what did not come. */
enum player_fault client_receive(struct client *client, const char *awaited, const char **line);

/* Writes the reason as one line of printable ASCII, whatever it quotes, and returns the fault. */
__attribute__((format(printf, 3, 4))) enum player_fault client_fault(struct client *client, enum player_fault fault,
                                                                     const char *format, ...);

#endif
