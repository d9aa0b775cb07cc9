/* Search handles: their making, their threads, and the limits of a run. Layer: search. */
#include "search/handle.h"

#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

#include "search/split.h"
#include "search/worker.h"

static const size_t HASH_BYTES_MAX = (size_t)1 << 40;

enum willow_status willow_search_new(const struct willow_weights *weights, size_t hash_bytes,
                                     struct willow_search **search, struct willow_error *error)
{
    *search = NULL;
    if (hash_bytes > HASH_BYTES_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "a transposition table of %zu bytes is above 1 TiB",
                           hash_bytes);
    struct willow_search *made = calloc(1, sizeof *made);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a search of %zu bytes", sizeof *made);
    const struct willow_ruleset *ruleset = willow_weights_ruleset(weights);
    made->weights = weights;
    made->ruleset = ruleset;
    geometry_init(&made->geometry, ruleset);
    stability_init(&made->stability, &made->geometry);
    selectivity_init(&made->margins, willow_weights_probcut(weights), made->geometry.squares);
    for (int square = 0; square < WILLOW_SQUARES; square++)
        made->neighbours[square] = geometry_beside(WILLOW_BIT(square));
    enum willow_status status = table_init(&made->table, hash_bytes, error);
    if (status == WILLOW_OK)
        status = worker_new(made, &made->main, error);
    if (status != WILLOW_OK) {
        willow_search_free(made);
        return status;
    }
    *search = made;
    return WILLOW_OK;
}

enum willow_status willow_search_set_ruleset(struct willow_search *search, const struct willow_ruleset *ruleset,
                                             struct willow_error *error)
{
    const struct willow_ruleset *trained = willow_weights_ruleset(search->weights);
    if (!willow_ruleset_same_play(ruleset, trained))
        return willow_fail(error, WILLOW_ERR_MISMATCH, NULL, NULL, "the weights are for %s, which does not play %s",
                           trained->name, ruleset->name);
    search->ruleset = ruleset;
    return WILLOW_OK;
}

void willow_search_free(struct willow_search *search)
{
    if (!search)
        return;
    pool_free(search->pool);
    worker_free(search->main);
    table_free(&search->table);
    free(search);
}

enum willow_status willow_search_set_threads(struct willow_search *search, int threads, struct willow_error *error)
{
    if (threads < 1 || threads > WILLOW_SEARCH_THREADS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "%d threads: 1 to %d are possible", threads,
                           WILLOW_SEARCH_THREADS_MAX);
    pool_free(search->pool);
    search->pool = NULL;
    return threads > 1 ? pool_new(search, threads - 1, &search->pool, error) : WILLOW_OK;
}

bool willow_search_touch(struct willow_search *search, size_t *at_bytes)
{
    return table_touch(&search->table, at_bytes);
}

void willow_search_clear(struct willow_search *search)
{
    table_clear(&search->table);
    near_table_clear(&search->main->near);
    if (search->pool)
        pool_clear(search->pool);
}

void handle_set_raw(struct willow_search *search, bool raw)
{
    if (search->raw == raw)
        return;
    search->raw = raw;
    willow_search_clear(search);
    worker_set_raw(search->main, raw);
    if (search->pool)
        pool_set_raw(search->pool, raw);
}

/* 0 stays 0; a time beyond the range of the clock is as good as none. */
static uint64_t deadline_after(uint64_t now_ns, uint64_t ms)
{
    if (ms == 0)
        return 0;
    uint64_t most = (UINT64_MAX - now_ns) / 1000000;
    return now_ns + (ms < most ? ms : most) * 1000000;
}

void handle_begin(struct willow_search *search, const struct willow_limits *limits)
{
    uint64_t now_ns = limits->time_ms > 0 || limits->soft_ms > 0 ? willow_clock_ns() : 0;
    search->node_limit = limits->nodes;
    search->deadline_ns = deadline_after(now_ns, limits->time_ms);
    search->soft_deadline_ns = deadline_after(now_ns, limits->soft_ms);
    search->stop = limits->stop;
    atomic_store_explicit(&search->stopped, false, memory_order_relaxed);
    atomic_store_explicit(&search->reported, 0, memory_order_relaxed);
    search->table.age++;
    worker_begin(search->main);
    if (search->pool)
        pool_begin(search->pool);
    worker_check(search->main);
}

void handle_unlimit(struct willow_search *search)
{
    atomic_store_explicit(&search->stopped, false, memory_order_relaxed);
    search->main->stopped = false;
    search->main->next_check = UINT64_MAX;
}

uint64_t handle_nodes(const struct willow_search *search)
{
    return search->main->nodes + (search->pool ? pool_nodes(search->pool) : 0);
}
