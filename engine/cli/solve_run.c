/* Searches the positions of a set, one after another or several at once, and reports them in file order.
 * Knows nothing of what is reported. Layer: engine/cli (program willow).
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <willow/clock.h>

#include "solve.h"

enum { TICK_NS = 100000000 };

struct run {
    struct solve_set *set;
    const struct solve_plan *plan;
    pthread_mutex_t mutex; /* guards all below and the problems' finished */
    pthread_cond_t progress;
    size_t next;      /* the position to be claimed next */
    size_t finished;  /* how many are */
    bool ended;       /* no further position is begun */
    bool memory_lost; /* that is why */
};

struct worker {
    struct run *run;
    struct willow_search *search;
    pthread_t thread;
    bool started;
};

static bool stop_asked(const struct run *run)
{
    return run->plan->limits.stop && willow_stop_get(run->plan->limits.stop);
}

/* Claims the next position; false when there is none left. */
static bool claim(struct run *run, size_t *index)
{
    pthread_mutex_lock(&run->mutex);
    const bool stopped = run->ended || stop_asked(run);
    const bool found = !stopped && run->next < run->set->count;
    if (found)
        *index = run->next++;
    else
        run->ended = run->ended || stopped;
    pthread_cond_signal(&run->progress);
    pthread_mutex_unlock(&run->mutex);
    return found;
}

/* Scores every move; a forced pass counts as one, a finished game has none. False when memory ran out. */
static bool search_moves(const struct run *run, struct willow_search *search, struct solve_problem *problem)
{
    const struct willow_limits *limits = &run->plan->limits;
    struct willow_result *result = &problem->result;
    struct willow_scored_move moves[WILLOW_SQUARES];
    int count = willow_search_moves_reached(search, problem->obf.board, limits, moves, result);
    if (count == 0) {
        willow_search_run(search, problem->obf.board, limits, result);
        if (result->move == WILLOW_NO_SQUARE)
            return true;
        count = 1;
        moves[0] = (struct willow_scored_move){result->move, result->score, result->exact};
    }
    problem->moves = calloc((size_t)count, sizeof *problem->moves);
    if (!problem->moves)
        return false;
    problem->move_count = count;
    memcpy(problem->moves, moves, (size_t)count * sizeof *moves);
    return true;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct run *run = worker->run;
    const struct solve_plan *plan = run->plan;
    size_t index;
    while (claim(run, &index)) {
        struct solve_problem *problem = &run->set->problems[index];
        bool stored = true;
        /* Each position starts from nothing: its result does not depend on the others. */
        willow_search_clear(worker->search);
        if (plan->all_moves)
            stored = search_moves(run, worker->search, problem);
        else
            willow_search_run(worker->search, problem->obf.board, &plan->limits, &problem->result);
        pthread_mutex_lock(&run->mutex);
        /* One that its time has ended stands; one that was stopped does not. */
        problem->finished = stored && (problem->result.complete || !stop_asked(run));
        run->finished += problem->finished;
        run->memory_lost = run->memory_lost || !stored;
        run->ended = run->ended || !problem->finished;
        pthread_cond_signal(&run->progress);
        pthread_mutex_unlock(&run->mutex);
    }
    return NULL;
}

/* Waits until a position is finished, telling the plan from time to time. False when it will not be, or not be before
 * the other jobs have ended. */
static bool wait_for(struct run *run, const struct solve_problem *problem)
{
    pthread_mutex_lock(&run->mutex);
    while (!problem->finished && !run->ended) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += TICK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&run->progress, &run->mutex, &until);
        const size_t finished = run->finished;
        pthread_mutex_unlock(&run->mutex);
        run->plan->tick(run->plan->context, finished);
        pthread_mutex_lock(&run->mutex);
    }
    const bool finished = problem->finished;
    pthread_mutex_unlock(&run->mutex);
    return finished;
}

/* Reports one position; false when the receiver wants no more. */
static bool report(struct run *run, size_t index)
{
    if (run->plan->report(run->plan->context, index, &run->set->problems[index]))
        return true;
    pthread_mutex_lock(&run->mutex);
    run->ended = true;
    pthread_mutex_unlock(&run->mutex);
    return false;
}

static void join_all(struct worker *workers, size_t jobs)
{
    for (size_t i = 0; i < jobs; i++) {
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    }
}

/* Reports in order while the jobs work; of a run that was cut short, what lies behind the first gap as well. */
static void report_all(struct run *run, struct worker *workers, size_t jobs)
{
    size_t at = 0;
    bool wanted = true;
    for (; at < run->set->count && wanted && wait_for(run, &run->set->problems[at]); at++)
        wanted = report(run, at);
    join_all(workers, jobs);
    for (; at < run->set->count && wanted; at++) {
        if (run->set->problems[at].finished)
            wanted = report(run, at);
    }
}

static enum willow_status make_handles(struct run *run, struct worker *workers, size_t jobs, struct willow_error *error)
{
    for (size_t i = 0; i < jobs; i++) {
        workers[i].run = run;
        enum willow_status status =
            willow_search_new(run->plan->weights, run->plan->hash_bytes, &workers[i].search, error);
        if (status == WILLOW_OK)
            status = willow_search_set_ruleset(workers[i].search, run->set->ruleset, error);
        if (status == WILLOW_OK)
            status = willow_search_set_threads(workers[i].search, run->plan->threads, error);
        if (status != WILLOW_OK)
            return status;
    }
    return WILLOW_OK;
}

/* All or none: fewer than were asked for would only be slower than they seem. */
static enum willow_status start_all(struct run *run, struct worker *workers, size_t jobs, struct willow_error *error)
{
    for (size_t i = 0; i < jobs; i++) {
        workers[i].started = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
        if (workers[i].started)
            continue;
        pthread_mutex_lock(&run->mutex);
        run->ended = true;
        pthread_mutex_unlock(&run->mutex);
        join_all(workers, jobs);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "cannot start job %zu of %zu", i + 1, jobs);
    }
    return WILLOW_OK;
}

enum willow_status solve_run(struct solve_set *set, const struct solve_plan *plan, double *seconds,
                             struct willow_error *error)
{
    *seconds = 0;
    struct run run = {.set = set, .plan = plan, .mutex = PTHREAD_MUTEX_INITIALIZER};
    const size_t jobs = (size_t)plan->jobs < set->count ? (size_t)plan->jobs : set->count;
    struct worker *workers = calloc(jobs, sizeof *workers);
    pthread_condattr_t monotonic;
    if (!workers || pthread_condattr_init(&monotonic) != 0) {
        free(workers);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&run.progress, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    enum willow_status status = make_handles(&run, workers, jobs, error);
    const uint64_t start_ns = willow_clock_ns();
    if (status == WILLOW_OK)
        status = start_all(&run, workers, jobs, error);
    if (status == WILLOW_OK) {
        plan->begin(plan->context);
        report_all(&run, workers, jobs);
    }
    if (run.memory_lost)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    *seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    for (size_t i = 0; i < jobs; i++)
        willow_search_free(workers[i].search);
    free(workers);
    (void)pthread_cond_destroy(&run.progress);
    return status;
}
