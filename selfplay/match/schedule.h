/* Who meets whom, in which round and from which opening: two engines, a gauntlet, or a round robin with byes.
 * Layer: selfplay. Pure arithmetic.
 */
#ifndef WILLOW_SELFPLAY_SCHEDULE_H
#define WILLOW_SELFPLAY_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#include <willow/status.h>

enum schedule_format {
    SCHEDULE_ROUND_ROBIN, /* everyone against everyone, by the circle method: each player at most once a round */
    SCHEDULE_GAUNTLET     /* the first player against each of the others, one round each */
};

enum { SCHEDULE_PLAYERS_MAX = 128, SCHEDULE_PAIRS_MAX = 1000000 };

/* Two games from one opening: in the first a has black. */
struct schedule_pair {
    int round;     /* from 0 */
    int a, b;      /* players, a < b */
    size_t number; /* of the pair within the encounter, from 0: the opening's, too */
};

struct schedule {
    struct schedule_pair *pairs; /* by round, encounter and number: the pairs of an encounter follow each other */
    size_t count, pairs_each;
    int players, rounds;
    int byes[SCHEDULE_PLAYERS_MAX]; /* rounds in which a player does not play (round robins of an odd number) */
};

/* 2..SCHEDULE_PLAYERS_MAX players, pairs_each >= 1 pairs an encounter; the same numbers give the same schedule. The
 * caller clears it. WILLOW_ERR_ARGUMENT (also when there would be more than SCHEDULE_PAIRS_MAX pairs in all), _MEMORY;
 * *schedule is zeroed then. */
enum willow_status schedule_make(enum schedule_format format, int players, size_t pairs_each, struct schedule *schedule,
                                 struct willow_error *error);

/* A zeroed schedule is accepted, too. */
void schedule_clear(struct schedule *schedule);

#endif
