/* The bounded queue and the gate of tickets, alone and under threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "selfplay/run/queue.h"

enum { ITEMS = 20000, THREADS = 4 };

static void first_in_first_out(void **state)
{
    struct queue queue;
    int items[5];
    (void)state;
    assert_int_equal(queue_init(&queue, 3, NULL), WILLOW_OK);
    for (int round = 0; round < 5; round++) {
        assert_true(queue_push(&queue, &items[0]));
        assert_true(queue_push(&queue, &items[round % 5]));
        assert_ptr_equal(queue_pop(&queue), &items[0]);
        assert_ptr_equal(queue_pop_within(&queue, 1000), &items[round % 5]);
    }
    assert_null(queue_pop_within(&queue, 5));
    assert_false(queue_is_closed(&queue));
    assert_true(queue_push(&queue, &items[1]));
    queue_close(&queue);
    assert_true(queue_is_closed(&queue));
    assert_false(queue_push(&queue, &items[2]));
    assert_ptr_equal(queue_pop(&queue), &items[1]); /* what was in it is not lost */
    assert_null(queue_pop(&queue));
    queue_clear(&queue);
    queue_clear(&queue);
}

struct traffic {
    struct queue queue;
    _Atomic unsigned char seen[ITEMS];
    char items[ITEMS];
    struct gate gate;
    atomic_uint_fast64_t limit; /* as far as it was raised, in the order of raising */
    atomic_int faults;
};

static void *produce(void *context)
{
    struct traffic *traffic = context;
    uint64_t ticket;
    while (gate_take(&traffic->gate, &ticket)) {
        if (ticket >= atomic_load(&traffic->limit))
            atomic_fetch_add(&traffic->faults, 1);
        if (!queue_push(&traffic->queue, &traffic->items[ticket]))
            atomic_fetch_add(&traffic->faults, 1);
    }
    return NULL;
}

static void every_ticket_passes_once_and_within_the_limit(void **state)
{
    struct traffic *traffic = calloc(1, sizeof *traffic);
    pthread_t threads[THREADS];
    (void)state;
    assert_non_null(traffic);
    atomic_store(&traffic->limit, 50);
    assert_int_equal(queue_init(&traffic->queue, 8, NULL), WILLOW_OK);
    assert_int_equal(gate_init(&traffic->gate, ITEMS, 50, NULL), WILLOW_OK);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, produce, traffic), 0);
    for (uint64_t count = 0; count < ITEMS; count++) {
        char *item = queue_pop(&traffic->queue);
        assert_non_null(item);
        assert_int_equal(atomic_fetch_add(&traffic->seen[item - traffic->items], 1), 0);
        atomic_store(&traffic->limit, count + 51);
        gate_raise(&traffic->gate, count + 51);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(atomic_load(&traffic->faults), 0);
    assert_null(queue_pop_within(&traffic->queue, 0));
    gate_clear(&traffic->gate);
    queue_clear(&traffic->queue);
    free(traffic);
}

static void *wait_to_pop(void *context)
{
    return queue_pop(context);
}

static void *wait_to_push(void *context)
{
    return queue_push(context, context) ? context : NULL;
}

static void *wait_for_ticket(void *context)
{
    uint64_t ticket;
    return gate_take(context, &ticket) ? context : NULL;
}

/* Threads that wait must wake and end when queue and gate are closed; a hang shows as the test's timeout. */
static void closing_wakes_everybody(void **state)
{
    struct queue empty, full;
    struct gate gate;
    pthread_t threads[3];
    void *result;
    (void)state;
    assert_int_equal(queue_init(&empty, 1, NULL), WILLOW_OK);
    assert_int_equal(queue_init(&full, 1, NULL), WILLOW_OK);
    assert_true(queue_push(&full, &full));
    assert_int_equal(gate_init(&gate, 10, 0, NULL), WILLOW_OK);
    assert_int_equal(pthread_create(&threads[0], NULL, wait_to_pop, &empty), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, wait_to_push, &full), 0);
    assert_int_equal(pthread_create(&threads[2], NULL, wait_for_ticket, &gate), 0);
    (void)nanosleep(&(struct timespec){0, 20000000}, NULL);
    queue_close(&empty);
    queue_close(&full);
    gate_close(&gate);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_null(result);
    }
    queue_clear(&empty);
    queue_clear(&full);
    gate_clear(&gate);
}

/* Waiting at the limit and for an item is counted; passing without waiting is not. */
static void waits_are_counted(void **state)
{
    struct gate gate;
    struct queue queue;
    pthread_t threads[2];
    uint64_t ticket;
    int item;
    (void)state;
    assert_int_equal(gate_init(&gate, 10, 1, NULL), WILLOW_OK);
    assert_int_equal(queue_init(&queue, 2, NULL), WILLOW_OK);
    gate_wait(&gate);
    assert_true(gate_take(&gate, &ticket));
    assert_true(queue_push(&queue, &item));
    assert_ptr_equal(queue_pop(&queue), &item);
    assert_int_equal(gate.waited_ns, 0);
    assert_int_equal(queue.waited_ns, 0);
    assert_int_equal(pthread_create(&threads[0], NULL, wait_to_pop, &queue), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, wait_for_ticket, &gate), 0);
    (void)nanosleep(&(struct timespec){0, 50000000}, NULL);
    assert_true(queue_push(&queue, &item));
    gate_raise(&gate, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(gate.waited_ns > 1000000 && queue.waited_ns > 1000000);
    assert_int_equal(queue_count(&queue), 0);
    assert_true(queue_push(&queue, &item));
    assert_int_equal(queue_count(&queue), 1);
    gate_clear(&gate);
    queue_clear(&queue);
}

static void warnings_are_rare(void **state)
{
    uint64_t next = 10, minute = UINT64_C(60000000000);
    (void)state;
    assert_false(queue_warning_due(&next, 9, 4, 4));
    assert_false(queue_warning_due(&next, 10, 2, 4));
    assert_true(queue_warning_due(&next, 10, 3, 4));
    assert_false(queue_warning_due(&next, 10 + minute - 1, 4, 4));
    assert_true(queue_warning_due(&next, 10 + minute, 4, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_in_first_out),      cmocka_unit_test(every_ticket_passes_once_and_within_the_limit),
        cmocka_unit_test(closing_wakes_everybody), cmocka_unit_test(waits_are_counted),
        cmocka_unit_test(warnings_are_rare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
