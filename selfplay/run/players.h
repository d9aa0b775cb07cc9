/* The threads that play the games of a run. Layer: selfplay. Each plays one game after another, in order of tickets;
 * openings are drawn in order of games.
 */
#ifndef WILLOW_SELFPLAY_PLAYERS_H
#define WILLOW_SELFPLAY_PLAYERS_H

#include <pthread.h>

#include "play.h"
#include "queue.h"
#include "run_inputs.h"

struct player;

/* What they are given, and what they need. */
struct players {
    const struct run_config *config;
    const struct run_inputs *inputs;
    const uint32_t *missing; /* numbers of the shards to play, rising */
    const struct willow_stop *stop;
    struct gate *gate;
    struct queue *empty, *finished; /* of struct played_game */
    struct openings *openings;
    pthread_mutex_t draw; /* guards openings, and keeps tickets and openings in step */
    struct player *threads;
    int count;
    bool made_draw;
};

/* The game of a ticket: ticket t is game t % G of the shard missing[t / G]; only the run's last shard may be shorter,
 * and it is the last one missing. */
uint64_t players_game(const struct players *players, uint64_t ticket);

/* Makes the openings and starts `count` threads; the fields up to `finished` are set. When one fails, it closes gate
 * and finished queue. players_end must follow whatever is returned. What openings_new and willow_search_new return,
 * _IO, _MEMORY. */
enum willow_status players_start(struct players *players, int count, struct willow_error *error);

/* Waits for the threads to end, which they do when the gate and both queues are closed, and frees. The first failure;
 * WILLOW_ERR_STOPPED when `stop` ended a game and nothing worse happened. */
enum willow_status players_end(struct players *players, struct willow_error *error);

#endif
