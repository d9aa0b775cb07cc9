/* Worker threads take pairs in the schedule's order and leave them in a ring; the calling thread empties it in the same
 * order. Layer: selfplay. Whatever decides which pairs count (faults, withdrawals, enough seen) happens in that order
 * too, so that it does not depend on the threads; pairs that were played in vain are dropped.
 */
#include "runner.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include <willow/clock.h>

#include "arbiter.h"

enum { TICK_NS = 100000000 };

/* A pair handed out. The worker that took it writes games until it sets finished, then the calling thread reads them.
 */
struct slot {
    size_t index; /* in the schedule */
    bool finished;
    struct game_record games[2];
};

struct runner {
    const struct runner_options *options;
    const struct schedule *schedule;
    const struct willow_game *openings;
    const bool *done;
    struct willow_stop *stop; /* what players look at: the caller's stop, enough seen, or a failure */

    pthread_mutex_t mutex;   /* guards all below, withdrawn, and slots but for their games */
    pthread_cond_t finished; /* a pair was finished or a worker ended */
    pthread_cond_t emptied;  /* a slot was emptied, or all is to end */
    struct slot *slots;      /* the pair that was handed out as the n-th stands in slots[n % size] */
    size_t size, taken, committed;
    size_t next;          /* pair of the schedule to look at */
    int workers, running; /* threads; games being played */
    bool ending, enough;
    enum willow_status status; /* the first failure */
    struct willow_error error;
};

/* A thread's own players, by seat: of the pair's first and second. */
struct worker {
    struct runner *runner;
    struct player *players[2];
    int who[2]; /* engines; meaningful where there is a player */
};

static bool is_left_out(const struct runner *runner, size_t index)
{
    const struct schedule_pair *pair = &runner->schedule->pairs[index];

    return (runner->done != NULL && runner->done[index]) || runner->options->withdrawn[pair->a] ||
           runner->options->withdrawn[pair->b];
}

/* With the mutex. */
static void end_all(struct runner *runner)
{
    runner->ending = true;
    willow_stop_set(runner->stop, true);
    pthread_cond_broadcast(&runner->emptied);
}

/* With the mutex. */
static void fail(struct runner *runner, enum willow_status status, const struct willow_error *error)
{
    if (runner->status == WILLOW_OK) {
        runner->status = status;
        runner->error = *error;
    }
    end_all(runner);
}

/* The next pair to play; null when there is none. A player's withdrawal may come too late here: see commit_pair. */
static struct slot *take(struct runner *runner)
{
    struct slot *slot = NULL;

    pthread_mutex_lock(&runner->mutex);
    while (!runner->ending && runner->taken - runner->committed == runner->size)
        pthread_cond_wait(&runner->emptied, &runner->mutex);
    while (runner->next < runner->schedule->count && is_left_out(runner, runner->next))
        runner->next++;
    if (!runner->ending && runner->next < runner->schedule->count) {
        slot = &runner->slots[runner->taken++ % runner->size];
        slot->index = runner->next++;
        slot->finished = false;
        runner->running++;
    }
    pthread_mutex_unlock(&runner->mutex);
    return slot;
}

static void give(struct runner *runner, struct slot *slot, bool finished)
{
    pthread_mutex_lock(&runner->mutex);
    slot->finished = finished;
    runner->running--;
    if (!finished)
        end_all(runner);
    pthread_cond_signal(&runner->finished);
    pthread_mutex_unlock(&runner->mutex);
}

static enum willow_status seat(struct worker *worker, int seat, int who, struct willow_error *error)
{
    const struct runner_options *options = worker->runner->options;

    if (worker->players[seat] != NULL && worker->who[seat] == who)
        return WILLOW_OK;
    player_free(worker->players[seat]);
    worker->players[seat] = NULL;
    worker->who[seat] = who;
    return player_new(&options->engines[who], &options->player, &worker->players[seat], error);
}

/* Both games, the first with the pair's first player as black. *finished is false when the stop came before. */
static enum willow_status play_pair(struct worker *worker, struct slot *slot, bool *finished,
                                    struct willow_error *error)
{
    const struct runner *runner = worker->runner;
    const struct schedule_pair *pair = &runner->schedule->pairs[slot->index];
    const struct arbiter_options options = {.move_limit_ms = runner->options->move_limit_ms, .stop = runner->stop};
    struct arbiter_side sides[2];

    *finished = false;
    for (int i = 0; i < 2; i++) {
        const int who = i == 0 ? pair->a : pair->b;
        const struct engine *engine = &runner->options->engines[who];
        const enum willow_status status = seat(worker, i, who, error);
        if (status != WILLOW_OK)
            return status;
        sides[i].player = worker->players[i];
        sides[i].clock = engine->has_clock ? &engine->clock : runner->options->clock;
    }
    const struct arbiter_side swapped[2] = {sides[1], sides[0]};
    const struct willow_game *opening = &runner->openings[pair->number];
    *finished = arbiter_play(opening, sides, &options, &slot->games[0]) &&
                arbiter_play(opening, swapped, &options, &slot->games[1]);
    return WILLOW_OK;
}

static void *run_worker(void *argument)
{
    struct worker worker = {.runner = argument};
    struct runner *runner = worker.runner;
    struct willow_error error = {0};
    enum willow_status status = WILLOW_OK;
    struct slot *slot;

    while (status == WILLOW_OK && (slot = take(runner)) != NULL) {
        bool finished;
        status = play_pair(&worker, slot, &finished, &error);
        give(runner, slot, finished);
    }
    player_free(worker.players[0]);
    player_free(worker.players[1]);

    pthread_mutex_lock(&runner->mutex);
    if (status != WILLOW_OK)
        fail(runner, status, &error);
    runner->workers--;
    pthread_cond_signal(&runner->finished);
    pthread_mutex_unlock(&runner->mutex);
    return NULL;
}

/* With the mutex: books the faults of a pair and withdraws who has too many. */
static void count_faults(struct runner *runner, const struct schedule_pair *pair, const struct game_record games[2])
{
    const struct runner_options *options = runner->options;

    for (int game = 0; game < 2; game++) {
        if (!game_end_is_fault(games[game].end))
            continue;
        const bool first = (games[game].culprit == WILLOW_BLACK) == (game == 0);
        const int who = first ? pair->a : pair->b;
        options->faults[who]++;
        if (options->faults_limit != 0 && options->faults[who] >= options->faults_limit)
            options->withdrawn[who] = true;
    }
}

/* With the mutex, which is free during the caller's part. Commits the next pair or drops it: a player of it may have
 * been withdrawn since it was handed out. */
static void commit_pair(struct runner *runner)
{
    const struct slot *slot = &runner->slots[runner->committed % runner->size];
    const struct schedule_pair *pair = &runner->schedule->pairs[slot->index];

    if (!is_left_out(runner, slot->index)) {
        enum runner_wish wish = RUNNER_GO_ON;
        struct willow_error error = {0};

        count_faults(runner, pair, slot->games);
        pthread_mutex_unlock(&runner->mutex);
        const enum willow_status status =
            runner->options->commit(runner->options->context, pair, slot->games, &wish, &error);
        pthread_mutex_lock(&runner->mutex);
        if (status != WILLOW_OK)
            fail(runner, status, &error);
        if (wish == RUNNER_ENOUGH) {
            runner->enough = true;
            end_all(runner);
        }
    }
    runner->committed++;
    pthread_cond_signal(&runner->emptied);
}

/* With the mutex, which is free during the caller's part. */
static void call_tick(struct runner *runner)
{
    const int running = runner->running;

    if (runner->options->tick == NULL)
        return;
    pthread_mutex_unlock(&runner->mutex);
    runner->options->tick(runner->options->context, running);
    pthread_mutex_lock(&runner->mutex);
}

/* With the mutex: whether there is a pair to commit. */
static bool is_ready(const struct runner *runner)
{
    return !runner->enough && runner->status == WILLOW_OK && runner->committed < runner->taken &&
           runner->slots[runner->committed % runner->size].finished;
}

/* Until every worker has ended and what they finished is committed. After the caller's stop, pairs that were finished
 * in order still count. */
static void watch(struct runner *runner)
{
    const struct willow_stop *stop = runner->options->stop;
    uint64_t due_ns = willow_clock_ns() + TICK_NS;

    pthread_mutex_lock(&runner->mutex);
    while (true) {
        if (willow_clock_ns() >= due_ns) {
            call_tick(runner);
            due_ns = willow_clock_ns() + TICK_NS;
        }
        if (stop != NULL && willow_stop_get(stop))
            end_all(runner);
        if (is_ready(runner)) {
            commit_pair(runner);
            continue;
        }
        if (runner->workers == 0)
            break;
        const struct timespec due = {.tv_sec = (time_t)(due_ns / 1000000000), .tv_nsec = (long)(due_ns % 1000000000)};
        pthread_cond_timedwait(&runner->finished, &runner->mutex, &due);
    }
    pthread_mutex_unlock(&runner->mutex);
}

static int start_workers(struct runner *runner, int wanted, pthread_t *threads)
{
    int started = 0;

    pthread_mutex_lock(&runner->mutex);
    while (started < wanted && !runner->ending) {
        const int code = pthread_create(&threads[started], NULL, run_worker, runner);
        if (code == 0) {
            started++;
            continue;
        }
        struct willow_error error;
        fail(runner, willow_fail_errno(&error, NULL, "start a thread", code), &error);
    }
    runner->workers = started;
    pthread_mutex_unlock(&runner->mutex);
    return started;
}

/* Pairs that remain, at most `most`. */
static size_t count_left(const struct runner *runner, size_t most)
{
    size_t left = 0;

    for (size_t i = runner->next; i < runner->schedule->count && left < most; i++)
        left += !is_left_out(runner, i);
    return left;
}

static enum willow_status run(struct runner *runner, int wanted, struct willow_error *error)
{
    pthread_t threads[RUNNER_THREADS_MAX];

    const int started = start_workers(runner, wanted, threads);
    watch(runner);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (runner->status != WILLOW_OK) {
        if (error != NULL)
            *error = runner->error;
        return runner->status;
    }
    if (!runner->enough && (runner->committed < runner->taken || count_left(runner, 1) > 0))
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "the match was stopped");
    return WILLOW_OK;
}

/* The waits of `finished` follow the clock of willow_clock_ns. */
static enum willow_status init_conditions(struct runner *runner, struct willow_error *error)
{
    pthread_condattr_t attributes;
    int code = pthread_condattr_init(&attributes);

    if (code == 0) {
        code = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
        if (code == 0)
            code = pthread_cond_init(&runner->finished, &attributes);
        pthread_condattr_destroy(&attributes);
    }
    return code == 0 ? WILLOW_OK : willow_fail_errno(error, NULL, "set up a thread's condition", code);
}

enum willow_status runner_play(const struct runner_options *options, const struct schedule *schedule,
                               const struct willow_game *openings, const bool *done, struct willow_error *error)
{
    struct runner runner = {.options = options,
                            .schedule = schedule,
                            .openings = openings,
                            .done = done,
                            .mutex = PTHREAD_MUTEX_INITIALIZER,
                            .emptied = PTHREAD_COND_INITIALIZER};
    enum willow_status status;

    if (options->threads < 1 || options->threads > RUNNER_THREADS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "threads must lie in 1..%d", RUNNER_THREADS_MAX);
    runner.size = count_left(&runner, RUNNER_WINDOW);
    if (runner.size == 0)
        return WILLOW_OK;
    runner.slots = calloc(runner.size, sizeof *runner.slots);
    if (runner.slots == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for the games of a match");
    status = willow_stop_new(&runner.stop, error);
    if (status == WILLOW_OK)
        status = init_conditions(&runner, error);
    if (status == WILLOW_OK) {
        const size_t threads = (size_t)options->threads;
        status = run(&runner, (int)(threads < runner.size ? threads : runner.size), error);
        pthread_cond_destroy(&runner.finished);
    }
    willow_stop_free(runner.stop);
    free(runner.slots);
    pthread_cond_destroy(&runner.emptied);
    pthread_mutex_destroy(&runner.mutex);
    return status;
}
