/* Plays a match with worker threads that take pairs of games from a shared counter.
 * Layer: selfplay. The threads share the openings (unchanged) and the counter; results and errors are handed over under
 * one mutex.
 */
#include "match.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include <willow/clock.h>

#include "run/openings.h"

/* Everything that the threads of one match share. */
struct match {
    const struct match_options *options;
    const struct willow_game *openings;
    size_t count;
    atomic_size_t next; /* pair to take; relaxed, since nothing else is read through it */
    atomic_bool failed; /* tells the others to end; relaxed */

    pthread_mutex_t mutex; /* guards all below and pairs' contents */
    pthread_cond_t changed;
    int running;
    struct match_pair *pairs;
    enum willow_status status; /* the first failure */
    struct willow_error error;
};

/* One thread's own searches. */
struct worker {
    struct match *match;
    struct willow_search *search[2];
};

static bool must_end(const struct match *match)
{
    return (match->options->stop != NULL && willow_stop_get(match->options->stop)) ||
           atomic_load_explicit(&match->failed, memory_order_relaxed);
}

/* Searches for the player, on its clock if it has one. False when its flag fell. */
static bool think(struct worker *worker, int player, const struct willow_game *game, struct willow_timer *timer,
                  struct match_time *time, struct willow_result *result)
{
    const struct match_options *options = worker->match->options;
    const struct match_player *who = &options->players[player];
    const struct willow_board board = willow_game_board(game);
    struct willow_limits limits = who->limits;

    limits.stop = options->stop;
    /* On a clock, no time goes into a pass. */
    if (who->clock != NULL && willow_board_moves(game->ruleset, board) == 0) {
        *result = (struct willow_result){.move = WILLOW_PASS};
        return true;
    }
    const uint64_t start_ns = willow_clock_ns();
    if (who->clock != NULL)
        willow_timer_limit(timer, willow_board_empties(game->ruleset, board), &limits);
    willow_search_run(worker->search[player], board, &limits, result);
    const uint64_t elapsed_ns = willow_clock_ns() - start_ns;

    time->moves++;
    time->used_ns += elapsed_ns;
    if (elapsed_ns > time->longest_ns)
        time->longest_ns = elapsed_ns;
    return who->clock == NULL || willow_timer_spend(timer, elapsed_ns);
}

/* One game from an opening; black is the index of the player that has the first side. *finished = false when the match
 * ends before the game does. */
static enum willow_status play_game(struct worker *worker, const struct willow_game *opening, int black, bool *finished,
                                    int *discs, struct match_time times[2], struct willow_error *error)
{
    const struct match_options *options = worker->match->options;
    struct willow_game game = *opening;
    struct willow_timer timers[2] = {0};

    *finished = false;
    for (int player = 0; player < 2; player++) {
        willow_search_clear(worker->search[player]);
        if (options->players[player].clock != NULL)
            willow_timer_start(&timers[player], options->players[player].clock);
    }
    while (!willow_game_over(&game)) {
        const int player = game.side == WILLOW_BLACK ? black : 1 - black;
        struct willow_result result;

        const bool in_time = think(worker, player, &game, &timers[player], &times[player], &result);
        if (must_end(worker->match))
            return WILLOW_OK;
        if (!in_time) {
            const int squares = __builtin_popcountll(game.ruleset->playable);
            times[player].forfeits++;
            *discs = player == 0 ? -squares : squares;
            *finished = true;
            return WILLOW_OK;
        }
        const enum willow_status status = willow_game_play(&game, result.move, error);
        if (status != WILLOW_OK)
            return status;
    }
    const int black_discs = willow_game_final_discs(&game);
    *discs = black == 0 ? black_discs : -black_discs;
    *finished = true;
    return WILLOW_OK;
}

static enum willow_status play_pair(struct worker *worker, size_t index, struct willow_error *error)
{
    struct match *match = worker->match;
    struct match_pair pair = {.finished = true};

    for (int game = 0; game < 2 && pair.finished; game++) {
        const enum willow_status status =
            play_game(worker, &match->openings[index], game, &pair.finished, &pair.discs[game], pair.times, error);
        if (status != WILLOW_OK)
            return status;
    }
    pthread_mutex_lock(&match->mutex);
    match->pairs[index] = pair;
    pthread_mutex_unlock(&match->mutex);
    return WILLOW_OK;
}

static enum willow_status play_pairs(struct worker *worker, struct willow_error *error)
{
    struct match *match = worker->match;
    enum willow_status status = WILLOW_OK;

    for (int player = 0; player < 2 && status == WILLOW_OK; player++)
        status = willow_search_new(match->options->players[player].weights, match->options->hash_bytes,
                                   &worker->search[player], error);
    while (status == WILLOW_OK && !must_end(match)) {
        const size_t index = atomic_fetch_add_explicit(&match->next, 1, memory_order_relaxed);
        if (index >= match->count)
            break;
        status = play_pair(worker, index, error);
    }
    for (int player = 0; player < 2; player++)
        willow_search_free(worker->search[player]);
    return status;
}

static void *run_worker(void *argument)
{
    struct match *match = argument;
    struct worker worker = {.match = match};
    struct willow_error error = {0};
    const enum willow_status status = play_pairs(&worker, &error);

    pthread_mutex_lock(&match->mutex);
    if (status != WILLOW_OK && match->status == WILLOW_OK) {
        match->status = status;
        match->error = error;
        atomic_store_explicit(&match->failed, true, memory_order_relaxed);
    }
    match->running--;
    pthread_cond_signal(&match->changed);
    pthread_mutex_unlock(&match->mutex);
    return NULL;
}

/* Waits until every worker has ended, reporting progress meanwhile. */
static void watch(struct match *match)
{
    const struct match_options *options = match->options;

    pthread_mutex_lock(&match->mutex);
    while (match->running > 0) {
        struct timespec due;

        clock_gettime(CLOCK_REALTIME, &due);
        due.tv_nsec += 100000000;
        if (due.tv_nsec >= 1000000000) {
            due.tv_sec++;
            due.tv_nsec -= 1000000000;
        }
        pthread_cond_timedwait(&match->changed, &match->mutex, &due);
        if (options->progress != NULL) {
            struct statistics_tally tally;

            match_tally(match->pairs, match->count, &tally);
            pthread_mutex_unlock(&match->mutex);
            options->progress(options->context, &tally);
            pthread_mutex_lock(&match->mutex);
        }
    }
    pthread_mutex_unlock(&match->mutex);
}

static void start_workers(struct match *match, pthread_t *threads, int *started)
{
    const int wanted = match->options->threads;

    for (*started = 0; *started < wanted; ++*started) {
        pthread_mutex_lock(&match->mutex);
        match->running++;
        pthread_mutex_unlock(&match->mutex);
        const int code = pthread_create(&threads[*started], NULL, run_worker, match);
        if (code == 0)
            continue;
        pthread_mutex_lock(&match->mutex);
        match->running--;
        if (match->status == WILLOW_OK)
            match->status = willow_fail_errno(&match->error, NULL, "start a thread", code);
        atomic_store_explicit(&match->failed, true, memory_order_relaxed);
        pthread_mutex_unlock(&match->mutex);
        return;
    }
}

enum willow_status match_play(const struct match_options *options, const struct willow_game *openings, size_t count,
                              struct match_pair *pairs, struct willow_error *error)
{
    pthread_t threads[MATCH_THREADS_MAX];
    int started;
    struct match match = {.options = options,
                          .openings = openings,
                          .count = count,
                          .mutex = PTHREAD_MUTEX_INITIALIZER,
                          .changed = PTHREAD_COND_INITIALIZER,
                          .pairs = pairs};

    if (options->threads < 1 || options->threads > MATCH_THREADS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "threads must lie in 1..%d", MATCH_THREADS_MAX);
    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct match_pair){0};
    start_workers(&match, threads, &started);
    watch(&match);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&match.changed);
    pthread_mutex_destroy(&match.mutex);

    if (match.status != WILLOW_OK) {
        if (error != NULL)
            *error = match.error;
        return match.status;
    }
    for (size_t i = 0; i < count; i++)
        if (!pairs[i].finished)
            return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "the match was stopped");
    return WILLOW_OK;
}

enum willow_status match_draw(const struct openings_options *options, struct willow_game *games, size_t count,
                              struct willow_error *error)
{
    struct openings *openings;
    struct opening opening;
    enum willow_status status = openings_new(options, &openings, error);

    for (size_t i = 0; i < count && status == WILLOW_OK; i++) {
        status = openings_take(openings, i, &opening, error);
        if (status == WILLOW_OK)
            games[i] = opening.game;
    }
    openings_free(openings);
    return status;
}

void match_tally(const struct match_pair *pairs, size_t count, struct statistics_tally *tally)
{
    *tally = (struct statistics_tally){0};
    for (size_t i = 0; i < count; i++)
        if (pairs[i].finished)
            statistics_add_pair(tally, pairs[i].discs[0], pairs[i].discs[1]);
}

void match_times(const struct match_pair *pairs, size_t count, struct match_time times[2])
{
    for (int player = 0; player < 2; player++) {
        struct match_time *sum = &times[player];

        *sum = (struct match_time){0};
        for (size_t i = 0; i < count; i++) {
            const struct match_time *time = &pairs[i].times[player];

            if (!pairs[i].finished)
                continue;
            sum->moves += time->moves;
            sum->used_ns += time->used_ns;
            sum->forfeits += time->forfeits;
            if (time->longest_ns > sum->longest_ns)
                sum->longest_ns = time->longest_ns;
        }
    }
}
