/* A tournament's cross table and standings with the Brightwell quotient. Layer: selfplay. Pure arithmetic. */
#ifndef WILLOW_SELFPLAY_STANDINGS_H
#define WILLOW_SELFPLAY_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

#include "rating.h"
#include "schedule.h"

/* One player's sums. A win is a point, a draw half a point. */
struct standings_player {
    int player; /* number */
    bool withdrawn;
    uint64_t wins, draws, losses;
    uint64_t byes; /* games, two a pair: of rounds without an opponent, and games that an opponent's withdrawal
                      cancelled. Each counts one point; a withdrawn player gets none */
    double points; /* of games and byes */
    double discs;  /* own; the winner takes the empty squares, a draw is half of them all; byes not included */
    double brightwell;
    struct rating rating;
    uint64_t faults; /* games lost by time, illegal move, crash and the like */
};

struct standings {
    int players;
    struct standings_player *rows; /* best first: points, Brightwell quotient, number; withdrawn ones last */
    double *points;                /* [a * players + b]: points of player a against b */
    uint64_t *games;               /* the same shape */
    int brightwell_factor;         /* c below */
};

struct standings_input {
    const struct schedule *schedule;
    const bool *withdrawn;                     /* by player */
    const struct rating_encounter *encounters; /* what was played */
    size_t count;
    const uint64_t *faults; /* by player */
    int squares;            /* of the board that can hold a disc */
    int anchor;             /* of the ratings */
};

/* The Brightwell quotient of Othello tournaments: the sum over games, but those against withdrawn players and byes, of
 * own discs + c times the tournament points of that opponent; each of the others adds half the squares + c times the
 * player's own points. c is the integer nearest to squares / games of a player who plays in all rounds (halves up): a
 * round is a single game in the tournaments that the rule was made for, and an encounter of pairs here. Games that were
 * played against a player who withdrew later keep their points. WILLOW_ERR_MEMORY (*standings is zeroed then). The
 * caller clears. */
enum willow_status standings_make(const struct standings_input *input, struct standings *standings,
                                  struct willow_error *error);

/* Zeroed standings are accepted, too. */
void standings_clear(struct standings *standings);

#endif
