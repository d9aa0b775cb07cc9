/* Workers: their making, and the limits of a run. Layer: search. */
#include "search/worker.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

/* Nodes between two looks at clock and flag: some 0.1 ms in the endgame, 0.5 ms in the midgame. */
enum { CHECK_NODES = 4096 };

/* Small boards are solved from their start, where images of one board meet: the four first moves are one. Larger ones
 * are solved when that is long past. */
enum { FOLD_SIDE = 6, FOLD_EMPTIES = 18 };

enum willow_status worker_new(struct willow_search *search, struct worker **worker, struct willow_error *error)
{
    *worker = NULL;
    size_t size = (sizeof **worker + 63) / 64 * 64;
    struct worker *made = aligned_alloc(64, size);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a search of %zu bytes", size);
    memset(made, 0, size);
    enum willow_status status = near_table_init(&made->near, error);
    if (status != WILLOW_OK) {
        free(made);
        return status;
    }
    made->search = search;
    made->weights = search->weights;
    made->table = &search->table;
    made->neighbours = search->neighbours;
    made->geometry = search->geometry;
    made->fold_empties = search->geometry.side <= FOLD_SIDE ? FOLD_EMPTIES : INT_MAX;
    made->fewest_wins = search->ruleset->fewest_wins;
    worker_set_raw(made, search->raw);
    *worker = made;
    return WILLOW_OK;
}

void worker_free(struct worker *worker)
{
    if (!worker)
        return;
    near_table_free(&worker->near);
    free(worker);
}

void worker_set_raw(struct worker *worker, bool raw)
{
    const struct geometry *geometry = &worker->geometry;
    worker->raw = raw;
    worker->standard = geometry->full && geometry->squares == WILLOW_SQUARES && !worker->fewest_wins && !raw;
}

void worker_begin(struct worker *worker)
{
    worker->nodes = worker->reported = worker->next_check = 0;
    worker->stopped = false;
    worker->verifications = 0;
    worker->split = NULL;
}

/* The node limit is kept to the last few thousand nodes of each thread, and exactly by one thread alone. */
static bool nodes_used_up(struct worker *worker)
{
    struct willow_search *search = worker->search;
    uint64_t fresh = worker->nodes - worker->reported;
    uint64_t total = atomic_fetch_add_explicit(&search->reported, fresh, memory_order_relaxed) + fresh;
    worker->reported = worker->nodes;
    if (total >= search->node_limit)
        return true;
    if (search->node_limit - total < CHECK_NODES)
        worker->next_check = worker->nodes + (search->node_limit - total);
    return false;
}

void worker_check(struct worker *worker)
{
    struct willow_search *search = worker->search;
    worker->next_check = worker->nodes + CHECK_NODES;
    bool stopped = (search->node_limit > 0 && nodes_used_up(worker)) ||
                   (search->stop && willow_stop_get(search->stop)) ||
                   (search->deadline_ns > 0 && willow_clock_ns() >= search->deadline_ns);
    if (stopped)
        atomic_store_explicit(&search->stopped, true, memory_order_relaxed);
    if (atomic_load_explicit(&search->stopped, memory_order_relaxed))
        worker->stopped = true;
}
