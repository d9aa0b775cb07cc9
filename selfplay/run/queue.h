/* How the threads of a run hand things over: a bounded queue of pointers, and a gate that gives out tickets in order.
 * Layer: selfplay. Every field is guarded by the mutex of its struct; any thread may call any function.
 */
#ifndef WILLOW_SELFPLAY_QUEUE_H
#define WILLOW_SELFPLAY_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

/* First in, first out. Pushing hands the item over to whoever pops it. */
struct queue {
    pthread_mutex_t mutex; /* guards all fields below */
    pthread_cond_t item_arrived, room_made;
    void **items;
    size_t capacity, head, count;
    uint64_t waited_ns; /* of all who found it empty, in queue_pop */
    bool closed;
};

/* WILLOW_ERR_MEMORY. queue_clear ends it; no thread may be inside a call then. Items still in it are the caller's. */
enum willow_status queue_init(struct queue *queue, size_t capacity, struct willow_error *error);
void queue_clear(struct queue *queue);

/* Waits while the queue is full. False, and the item stays the caller's, when the queue is closed. */
bool queue_push(struct queue *queue, void *item);

/* Waits for an item. Null when the queue is closed and empty. */
void *queue_pop(struct queue *queue);

/* As queue_pop, but gives up after wait_ms with null. */
void *queue_pop_within(struct queue *queue, unsigned wait_ms);

/* No more pushes; wakes everybody. */
void queue_close(struct queue *queue);
bool queue_is_closed(struct queue *queue);

/* How many items are in it. */
size_t queue_count(struct queue *queue);

/* Whether it is time to say that something bounded is more than half full: at most once a minute, the first time no
 * sooner than *next_ns, which is moved on. */
bool queue_warning_due(uint64_t *next_ns, uint64_t now_ns, size_t fill, size_t capacity);

/* Tickets 0, 1, ... total - 1, each given out once, none at or above the limit until it is raised. */
struct gate {
    pthread_mutex_t mutex; /* guards all fields below */
    pthread_cond_t changed;
    uint64_t next, limit, total;
    uint64_t waited_ns; /* of all who stood at the limit, together */
    bool closed;
};

enum willow_status gate_init(struct gate *gate, uint64_t total, uint64_t limit, struct willow_error *error);
void gate_clear(struct gate *gate);

/* Waits while the next ticket is at the limit; takes none. */
void gate_wait(struct gate *gate);

/* As gate_wait, and takes a ticket. False when all are out or the gate is closed. */
bool gate_take(struct gate *gate, uint64_t *ticket);
void gate_raise(struct gate *gate, uint64_t limit);
void gate_close(struct gate *gate);

#endif
