/* Threads that wait for work; see team.h. Layer: trainer. */
#include "team.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct team {
    pthread_mutex_t lock; /* guards what follows, up to next_task */
    pthread_cond_t job_given, job_done;
    uint64_t jobs; /* given so far */
    int working;   /* helpers that have not finished the latest job */
    bool stop;
    void (*task)(void *context, int i);
    void *context;
    int tasks;
    atomic_int next_task; /* relaxed: it hands out numbers, and the lock orders the rest */
    int helpers;          /* threads that were started */
    pthread_t threads[];
};

static void take_tasks(struct team *team, void (*task)(void *context, int i), void *context, int tasks)
{
    int i;
    while ((i = atomic_fetch_add_explicit(&team->next_task, 1, memory_order_relaxed)) < tasks)
        task(context, i);
}

static void *help(void *argument)
{
    struct team *team = argument;
    uint64_t done = 0;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->jobs == done && !team->stop)
            pthread_cond_wait(&team->job_given, &team->lock);
        if (team->stop)
            break;
        done = team->jobs;
        void (*task)(void *context, int i) = team->task;
        void *context = team->context;
        const int tasks = team->tasks;
        pthread_mutex_unlock(&team->lock);
        take_tasks(team, task, context, tasks);
        pthread_mutex_lock(&team->lock);
        if (--team->working == 0)
            pthread_cond_signal(&team->job_done);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

enum willow_status team_new(int threads, struct team **team, struct willow_error *error)
{
    assert(threads >= 1);
    struct team *made = calloc(1, sizeof *made + (size_t)(threads - 1) * sizeof made->threads[0]);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %d threads", threads);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->job_given, NULL);
    pthread_cond_init(&made->job_done, NULL);
    atomic_init(&made->next_task, 0);
    while (made->helpers < threads - 1 && pthread_create(&made->threads[made->helpers], NULL, help, made) == 0)
        made->helpers++;
    *team = made;
    return WILLOW_OK;
}

void team_free(struct team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    team->stop = true;
    pthread_cond_broadcast(&team->job_given);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->helpers; i++)
        pthread_join(team->threads[i], NULL);
    pthread_cond_destroy(&team->job_done);
    pthread_cond_destroy(&team->job_given);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

void team_run(struct team *team, void (*task)(void *context, int i), void *context, int tasks)
{
    pthread_mutex_lock(&team->lock);
    team->task = task;
    team->context = context;
    team->tasks = tasks;
    team->working = team->helpers;
    team->jobs++;
    atomic_store_explicit(&team->next_task, 0, memory_order_relaxed);
    pthread_cond_broadcast(&team->job_given);
    pthread_mutex_unlock(&team->lock);
    take_tasks(team, task, context, tasks);
    pthread_mutex_lock(&team->lock);
    while (team->working > 0)
        pthread_cond_wait(&team->job_done, &team->lock);
    pthread_mutex_unlock(&team->lock);
}
