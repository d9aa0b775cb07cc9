/* Searches the positions of a set, one after another or several at once, and reports them in file order.
 * Knows nothing of what is reported. Layer: engine/cli (program willow).
 */
#include <pthread.h>
#include <stdlib.h>

#include <willow/clock.h>

#include "solve.h"

struct run {
    struct solve_set *set;
    const struct solve_plan *plan;
    pthread_mutex_t mutex; /* guards next, ended and the problems' finished */
    pthread_cond_t progress;
    size_t next;
    bool ended; /* report wants no more */
};

struct worker {
    struct run *run;
    struct willow_search *search;
    pthread_t thread;
    bool started;
};

/* Claims the next position; false when there is none left. */
static bool claim(struct run *run, size_t *index)
{
    pthread_mutex_lock(&run->mutex);
    const bool stopped = run->ended || (run->plan->limits.stop && willow_stop_get(run->plan->limits.stop));
    const bool found = !stopped && run->next < run->set->count;
    if (found)
        *index = run->next++;
    else
        run->ended = run->ended || stopped;
    pthread_cond_signal(&run->progress);
    pthread_mutex_unlock(&run->mutex);
    return found;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct run *run = worker->run;
    size_t index;
    while (claim(run, &index)) {
        struct solve_problem *problem = &run->set->problems[index];
        /* Each position starts from nothing: its result does not depend on the others. */
        willow_search_clear(worker->search);
        willow_search_run(worker->search, problem->obf.board, &run->plan->limits, &problem->result);
        pthread_mutex_lock(&run->mutex);
        problem->finished = problem->result.complete;
        run->ended = run->ended || !problem->finished;
        pthread_cond_signal(&run->progress);
        pthread_mutex_unlock(&run->mutex);
    }
    return NULL;
}

/* Waits for the positions in order. A stopped run still reports those that were finished before the first gap. */
static void report_all(struct run *run)
{
    for (size_t i = 0; i < run->set->count; i++) {
        struct solve_problem *problem = &run->set->problems[i];
        pthread_mutex_lock(&run->mutex);
        while (!problem->finished && !run->ended)
            pthread_cond_wait(&run->progress, &run->mutex);
        const bool finished = problem->finished;
        pthread_mutex_unlock(&run->mutex);
        if (!finished)
            return;
        if (!run->plan->report(run->plan->context, i, problem)) {
            pthread_mutex_lock(&run->mutex);
            run->ended = true;
            pthread_mutex_unlock(&run->mutex);
            return;
        }
    }
}

enum willow_status solve_run(struct solve_set *set, const struct solve_plan *plan, double *seconds,
                             struct willow_error *error)
{
    *seconds = 0;
    struct run run = {
        .set = set, .plan = plan, .mutex = PTHREAD_MUTEX_INITIALIZER, .progress = PTHREAD_COND_INITIALIZER};
    const size_t jobs = (size_t)plan->jobs < set->count ? (size_t)plan->jobs : set->count;
    struct worker *workers = calloc(jobs, sizeof *workers);
    if (!workers)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; i < jobs && status == WILLOW_OK; i++) {
        workers[i].run = &run;
        status = willow_search_new(plan->weights, plan->hash_bytes, &workers[i].search, error);
        if (status == WILLOW_OK)
            status = willow_search_set_threads(workers[i].search, plan->threads, error);
    }
    const uint64_t start_ns = willow_clock_ns();
    size_t running = 0;
    for (size_t i = 0; i < jobs && status == WILLOW_OK; i++) {
        workers[i].started = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
        running += workers[i].started;
    }
    if (running > 0)
        report_all(&run);
    else if (status == WILLOW_OK)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "cannot start a thread");
    for (size_t i = 0; i < jobs; i++) {
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    }
    *seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    for (size_t i = 0; i < jobs; i++)
        willow_search_free(workers[i].search);
    free(workers);
    return status;
}
