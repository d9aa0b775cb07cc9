/* The threads of a run that play. Layer: selfplay. */
#include "players.h"

#include <stdlib.h>

struct player {
    struct players *players;
    struct willow_search *searches[1 + RUN_POOL_MAX]; /* as play.h wants them */
    pthread_t thread;
    bool started;
    enum willow_status status; /* read after the thread has been joined */
    struct willow_error error;
};

uint64_t players_game(const struct players *players, uint64_t ticket)
{
    uint64_t in_shard = players->config->shard_games;
    return players->missing[ticket / in_shard] * in_shard + ticket % in_shard;
}

/* The next game to play and its opening. *taken = false at the end. */
static enum willow_status take_ticket(struct players *players, uint64_t *ticket, struct opening *opening, bool *taken,
                                      struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    gate_wait(players->gate);
    (void)pthread_mutex_lock(&players->draw);
    *taken = gate_take(players->gate, ticket);
    if (*taken)
        status = openings_take(players->openings, players_game(players, *ticket), opening, error);
    (void)pthread_mutex_unlock(&players->draw);
    return status;
}

static void *work(void *context)
{
    struct player *player = context;
    struct players *players = player->players;
    const struct play_options options = {.config = players->config,
                                         .ruleset = players->inputs->ruleset,
                                         .searches = player->searches,
                                         .stop = players->stop};
    uint64_t ticket;
    struct opening opening;
    bool taken = true;
    while (!player->status) {
        player->status = take_ticket(players, &ticket, &opening, &taken, &player->error);
        struct played_game *played = taken && !player->status ? queue_pop(players->empty) : NULL;
        if (!played)
            break;
        player->status = play_game(&options, players_game(players, ticket), &opening, played, &player->error);
        played->ticket = ticket;
        if (!player->status && !queue_push(players->finished, played))
            break;
    }
    /* Without this game its shard would never be whole, so the others need not go on. */
    if (player->status) {
        gate_close(players->gate);
        queue_close(players->finished);
    }
    return NULL;
}

static enum willow_status start_player(struct player *player, struct willow_error *error)
{
    const struct players *players = player->players;
    size_t hash_bytes = (size_t)players->config->hash_mb << 20;
    enum willow_status status = WILLOW_OK;
    for (int i = 0; !status && i <= players->config->pool_count; i++) {
        status = willow_search_new(players->inputs->weights[i], hash_bytes, &player->searches[i], error);
        if (!status)
            status = willow_search_set_ruleset(player->searches[i], players->inputs->ruleset, error);
    }
    if (status)
        return status;
    int failed = pthread_create(&player->thread, NULL, work, player);
    player->started = failed == 0;
    return failed ? willow_fail_errno(error, NULL, "start a thread", failed) : WILLOW_OK;
}

enum willow_status players_start(struct players *players, int count, struct willow_error *error)
{
    players->made_draw = pthread_mutex_init(&players->draw, NULL) == 0;
    if (players->made_draw)
        players->threads = calloc((size_t)count, sizeof *players->threads);
    if (!players->threads)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    players->count = count;
    struct openings_options drawing = run_inputs_openings(players->inputs, players->config);
    drawing.stop = players->stop;
    enum willow_status status = openings_new(&drawing, &players->openings, error);
    for (int i = 0; !status && i < count; i++) {
        players->threads[i].players = players;
        status = start_player(&players->threads[i], error);
    }
    return status;
}

enum willow_status players_end(struct players *players, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (int i = 0; i < players->count; i++) {
        struct player *player = &players->threads[i];
        if (player->started)
            (void)pthread_join(player->thread, NULL);
        /* Stopped players follow from the caller's stop or from another's failure; a real failure comes first. */
        if (player->status && (!status || status == WILLOW_ERR_STOPPED)) {
            status = player->status;
            if (error)
                *error = player->error;
        }
        for (int k = 0; k <= RUN_POOL_MAX; k++)
            willow_search_free(player->searches[k]);
    }
    free(players->threads);
    openings_free(players->openings);
    if (players->made_draw)
        (void)pthread_mutex_destroy(&players->draw);
    *players = (struct players){0};
    return status;
}
