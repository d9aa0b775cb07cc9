/* Search handles: their making, and the limits of a run. Layer: search. */
#include "search/handle.h"

#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

/* Nodes between two looks at clock and flag: some 0.2 ms in the endgame, 1 ms in the midgame. */
enum { CHECK_NODES = 4096, NEAR_TABLE_BYTES = 1 << 19 };

static const size_t HASH_BYTES_MAX = (size_t)1 << 40;

static uint64_t neighbours_of(int square)
{
    uint64_t row = (uint64_t)1 << square;
    row |= (row << 1 & 0xFEFEFEFEFEFEFEFEu) | (row >> 1 & 0x7F7F7F7F7F7F7F7Fu);
    return (row | row << 8 | row >> 8) & ~((uint64_t)1 << square);
}

enum willow_status willow_search_new(const struct willow_weights *weights, size_t hash_bytes,
                                     struct willow_search **search, struct willow_error *error)
{
    *search = NULL;
    if (hash_bytes > HASH_BYTES_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "a transposition table of %zu bytes is above 1 TiB",
                           hash_bytes);
    size_t size = (sizeof(struct willow_search) + 63) / 64 * 64;
    struct willow_search *made = aligned_alloc(64, size);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a search of %zu bytes", size);
    memset(made, 0, size);
    enum willow_status status = table_init(&made->table, hash_bytes, error);
    if (status == WILLOW_OK)
        status = table_init(&made->near, NEAR_TABLE_BYTES, error);
    if (status != WILLOW_OK) {
        willow_search_free(made);
        return status;
    }
    const struct willow_ruleset *ruleset = willow_weights_ruleset(weights);
    made->weights = weights;
    made->playable = ruleset->playable;
    made->squares = kernel_count(ruleset->playable);
    made->fewest_wins = ruleset->fewest_wins;
    made->standard = made->squares == 64 && !ruleset->fewest_wins;
    stability_init(&made->stability);
    for (int square = 0; square < 64; square++)
        made->neighbours[square] = neighbours_of(square);
    *search = made;
    return WILLOW_OK;
}

void willow_search_free(struct willow_search *search)
{
    if (!search)
        return;
    table_free(&search->table);
    table_free(&search->near);
    free(search);
}

void willow_search_clear(struct willow_search *search)
{
    table_clear(&search->table);
    table_clear(&search->near);
}

void handle_begin(struct willow_search *search, const struct willow_limits *limits)
{
    search->nodes = 0;
    search->node_limit = limits->nodes;
    search->deadline_ns = 0;
    if (limits->time_ms > 0) {
        uint64_t now = willow_clock_ns();
        uint64_t most = (UINT64_MAX - now) / 1000000;
        search->deadline_ns = now + (limits->time_ms < most ? limits->time_ms : most) * 1000000;
    }
    search->stop = limits->stop;
    search->stopped = false;
    search->table.age++;
    search->near.age++;
    handle_check(search);
}

void handle_unlimit(struct willow_search *search)
{
    search->stopped = false;
    search->next_check = UINT64_MAX;
}

void handle_check(struct willow_search *search)
{
    search->next_check = search->nodes + CHECK_NODES;
    if (search->node_limit > 0) {
        if (search->nodes >= search->node_limit)
            search->stopped = true;
        else if (search->next_check > search->node_limit)
            search->next_check = search->node_limit;
    }
    if (search->stop && willow_stop_get(search->stop))
        search->stopped = true;
    if (search->deadline_ns > 0 && willow_clock_ns() >= search->deadline_ns)
        search->stopped = true;
}
