/* A bounded queue of pointers and a gate of tickets. Knows nothing of what is handed over. Layer: selfplay. */
#include "queue.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include <willow/clock.h>

static enum willow_status cannot_make(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for handing over between threads");
}

/* A condition whose timed waits follow the monotonic clock, so that setting the wall clock does not stall a run. */
static int condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    int failed = pthread_condattr_init(&attributes);
    if (failed)
        return failed;
    failed = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (!failed)
        failed = pthread_cond_init(condition, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    return failed;
}

enum willow_status queue_init(struct queue *queue, size_t capacity, struct willow_error *error)
{
    *queue = (struct queue){.capacity = capacity};
    queue->items = calloc(capacity, sizeof *queue->items);
    if (!queue->items)
        return cannot_make(error);
    bool locked = pthread_mutex_init(&queue->mutex, NULL) == 0;
    bool arrived = locked && condition_init(&queue->item_arrived) == 0;
    if (arrived && condition_init(&queue->room_made) == 0)
        return WILLOW_OK;
    if (arrived)
        (void)pthread_cond_destroy(&queue->item_arrived);
    if (locked)
        (void)pthread_mutex_destroy(&queue->mutex);
    free(queue->items);
    queue->items = NULL;
    return cannot_make(error);
}

void queue_clear(struct queue *queue)
{
    if (!queue->items)
        return;
    (void)pthread_cond_destroy(&queue->room_made);
    (void)pthread_cond_destroy(&queue->item_arrived);
    (void)pthread_mutex_destroy(&queue->mutex);
    free(queue->items);
    queue->items = NULL;
}

bool queue_push(struct queue *queue, void *item)
{
    (void)pthread_mutex_lock(&queue->mutex);
    while (!queue->closed && queue->count == queue->capacity)
        (void)pthread_cond_wait(&queue->room_made, &queue->mutex);
    bool open = !queue->closed;
    if (open) {
        queue->items[(queue->head + queue->count) % queue->capacity] = item;
        queue->count++;
        (void)pthread_cond_signal(&queue->item_arrived);
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return open;
}

/* deadline: null = wait for ever. */
static void *pop_until(struct queue *queue, const struct timespec *deadline)
{
    void *item = NULL;
    int failed = 0;
    (void)pthread_mutex_lock(&queue->mutex);
    uint64_t start_ns = queue->count == 0 && !deadline ? willow_clock_ns() : 0;
    while (!queue->closed && queue->count == 0 && failed != ETIMEDOUT)
        failed = deadline ? pthread_cond_timedwait(&queue->item_arrived, &queue->mutex, deadline)
                          : pthread_cond_wait(&queue->item_arrived, &queue->mutex);
    if (start_ns > 0)
        queue->waited_ns += willow_clock_ns() - start_ns;
    if (queue->count > 0) {
        item = queue->items[queue->head];
        queue->head = (queue->head + 1) % queue->capacity;
        queue->count--;
        (void)pthread_cond_signal(&queue->room_made);
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return item;
}

void *queue_pop(struct queue *queue)
{
    return pop_until(queue, NULL);
}

void *queue_pop_within(struct queue *queue, unsigned wait_ms)
{
    struct timespec deadline;
    (void)clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += (time_t)(wait_ms / 1000);
    deadline.tv_nsec += (long)(wait_ms % 1000) * 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_nsec -= 1000000000;
        deadline.tv_sec++;
    }
    return pop_until(queue, &deadline);
}

void queue_close(struct queue *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    queue->closed = true;
    (void)pthread_cond_broadcast(&queue->item_arrived);
    (void)pthread_cond_broadcast(&queue->room_made);
    (void)pthread_mutex_unlock(&queue->mutex);
}

bool queue_is_closed(struct queue *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    bool closed = queue->closed;
    (void)pthread_mutex_unlock(&queue->mutex);
    return closed;
}

size_t queue_count(struct queue *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    size_t count = queue->count;
    (void)pthread_mutex_unlock(&queue->mutex);
    return count;
}

bool queue_warning_due(uint64_t *next_ns, uint64_t now_ns, size_t fill, size_t capacity)
{
    if (fill <= capacity / 2 || now_ns < *next_ns)
        return false;
    *next_ns = now_ns + UINT64_C(60000000000);
    return true;
}

enum willow_status gate_init(struct gate *gate, uint64_t total, uint64_t limit, struct willow_error *error)
{
    *gate = (struct gate){.total = total, .limit = limit};
    if (pthread_mutex_init(&gate->mutex, NULL) != 0)
        return cannot_make(error);
    if (condition_init(&gate->changed) != 0) {
        (void)pthread_mutex_destroy(&gate->mutex);
        return cannot_make(error);
    }
    return WILLOW_OK;
}

void gate_clear(struct gate *gate)
{
    (void)pthread_cond_destroy(&gate->changed);
    (void)pthread_mutex_destroy(&gate->mutex);
}

/* The caller holds the mutex. */
static void wait_below_limit(struct gate *gate)
{
    if (gate->closed || gate->next >= gate->total || gate->next < gate->limit)
        return;
    uint64_t start_ns = willow_clock_ns();
    while (!gate->closed && gate->next < gate->total && gate->next >= gate->limit)
        (void)pthread_cond_wait(&gate->changed, &gate->mutex);
    gate->waited_ns += willow_clock_ns() - start_ns;
}

void gate_wait(struct gate *gate)
{
    (void)pthread_mutex_lock(&gate->mutex);
    wait_below_limit(gate);
    (void)pthread_mutex_unlock(&gate->mutex);
}

bool gate_take(struct gate *gate, uint64_t *ticket)
{
    (void)pthread_mutex_lock(&gate->mutex);
    wait_below_limit(gate);
    bool given = !gate->closed && gate->next < gate->total;
    if (given)
        *ticket = gate->next++;
    (void)pthread_mutex_unlock(&gate->mutex);
    return given;
}

void gate_raise(struct gate *gate, uint64_t limit)
{
    (void)pthread_mutex_lock(&gate->mutex);
    if (limit > gate->limit)
        gate->limit = limit;
    (void)pthread_cond_broadcast(&gate->changed);
    (void)pthread_mutex_unlock(&gate->mutex);
}

void gate_close(struct gate *gate)
{
    (void)pthread_mutex_lock(&gate->mutex);
    gate->closed = true;
    (void)pthread_cond_broadcast(&gate->changed);
    (void)pthread_mutex_unlock(&gate->mutex);
}
