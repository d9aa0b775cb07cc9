/* Plays the pairs of a schedule by worker threads and hands them back one by one in the schedule's order.
 * Layer: selfplay. Prints nothing; opens no files; what a result means is for the caller to say.
 */
#ifndef WILLOW_SELFPLAY_RUNNER_H
#define WILLOW_SELFPLAY_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/game.h>

#include "engine.h"
#include "game_record.h"
#include "player.h"
#include "schedule.h"

enum { RUNNER_THREADS_MAX = 256 };

/* So many pairs at most are handed out beyond the first one that is not finished: behind one long game the other
 * threads wait rather than pile up games. */
enum { RUNNER_WINDOW = 1024 };

enum runner_wish { RUNNER_GO_ON, RUNNER_ENOUGH };

/* A finished pair, in the order of the schedule whatever the threads did, on the thread that called runner_play: the
 * same settings give the same sequence of pairs with any number of threads, also where the caller has seen enough
 * (pairs behind that one are dropped). *wish is RUNNER_GO_ON before the call. */
typedef enum willow_status runner_commit(void *context, const struct schedule_pair *pair,
                                         const struct game_record games[2], enum runner_wish *wish,
                                         struct willow_error *error);

/* About ten times a second on the same thread. `running` games are being played. */
typedef void runner_tick(void *context, int running);

struct runner_options {
    const struct engine *engines;            /* as many as the schedule has players; open */
    const struct willow_time_control *clock; /* of engines without one of their own; null = none */
    struct player_options player;
    uint64_t move_limit_ms; /* see arbiter.h */
    int threads;            /* games at once, 1..RUNNER_THREADS_MAX */

    /* By player; the caller fills in what was before, and changes nothing meanwhile. */
    uint64_t *faults;      /* games lost by game_end_is_fault, kept up to date before each commit */
    bool *withdrawn;       /* pairs with a withdrawn player are left out; set, before the commit of that pair, when
                              faults reach the limit in it */
    uint64_t faults_limit; /* 0 = none */

    const struct willow_stop *stop; /* null = none; noticed within a tenth of a second */
    runner_commit *commit;
    runner_tick *tick; /* null = none */
    void *context;
};

/* Plays the pairs for which done[i] is false (null = all), each from openings[pair.number]. A thread keeps the players
 * of its last pair that play the next one too, so that programs are not started for every pair. For limits of depth and
 * nodes the games depend on openings and engines alone. With clocks there should be no more threads than cores.
 * WILLOW_ERR_STOPPED when `stop` was set before the last pair: those that were committed stand. What commit returned;
 * _MEMORY, _IO (no thread), _ARGUMENT (threads). After any of them no thread and no program is left. */
enum willow_status runner_play(const struct runner_options *options, const struct schedule *schedule,
                               const struct willow_game *openings, const bool *done, struct willow_error *error);

#endif
