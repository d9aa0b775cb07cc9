/* Plays a match: every opening twice with colours swapped, by worker threads, each move checked by the rules.
 * Layer: selfplay. Prints nothing; opens no files.
 */
#ifndef WILLOW_SELFPLAY_MATCH_H
#define WILLOW_SELFPLAY_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/game.h>
#include <willow/search.h>
#include <willow/timer.h>

#include "statistics.h"

enum { MATCH_THREADS_MAX = 256, MATCH_PAIRS_MAX = 100000 };

struct openings_options; /* of run/openings.h */

/* One side of a match. Everything is shared, unchanged, by all threads. */
struct match_player {
    const struct willow_weights *weights;
    struct willow_limits limits;             /* of every move; `stop` is not used */
    const struct willow_time_control *clock; /* of every game, besides the limits; null = none */
};

/* Called now and then (about ten times a second) on the thread that called match_play, with what is finished. */
typedef void match_progress(void *context, const struct statistics_tally *tally);

struct match_options {
    struct match_player players[2];
    size_t hash_bytes;              /* of each player's table in each thread */
    int threads;                    /* 1..MATCH_THREADS_MAX */
    const struct willow_stop *stop; /* null = none */
    match_progress *progress;       /* null = none */
    void *context;
};

/* What a player's moves took. */
struct match_time {
    uint64_t moves, used_ns, longest_ns; /* of searches; a forced pass takes none */
    uint64_t forfeits;                   /* games lost on time */
};

/* Final differences in discs for players[0]: of the game in which it moves first from the opening's start side (black),
 * and of the other. A game lost on time counts as every square for the other. Meaningful when finished. */
struct match_pair {
    bool finished;
    int discs[2];
    struct match_time times[2]; /* of players[0] and players[1], both games together */
};

/* Draws a match's openings: games[0 .. count-1], each the record of another opening. A greater count only adds to them.
 * What openings_new and openings_take return; WILLOW_ERR_ARGUMENT when there are fewer, where `repeat` is false. */
enum willow_status match_draw(const struct openings_options *options, struct willow_game *games, size_t count,
                              struct willow_error *error);

/* Plays openings[0 .. count-1] twice each and fills pairs[0 .. count-1]. For limits of depth and nodes the result
 * depends on openings and players alone, not on the number of threads: a table is cleared before every game. A match
 * with limits of time or with clocks comes out another way each time; searches must not wait for a core then, so there
 * should be no more threads than cores. A player whose flag falls loses the game, whatever the board says.
 * WILLOW_ERR_STOPPED when `stop` was set: pairs that were finished until then are marked so. WILLOW_ERR_MEMORY, _IO (no
 * thread), _ARGUMENT (an illegal move: a defect of the search). */
enum willow_status match_play(const struct match_options *options, const struct willow_game *openings, size_t count,
                              struct match_pair *pairs, struct willow_error *error);

/* Sums up the finished pairs. */
void match_tally(const struct match_pair *pairs, size_t count, struct statistics_tally *tally);

/* What each player's moves took in them. */
void match_times(const struct match_pair *pairs, size_t count, struct match_time times[2]);

#endif
