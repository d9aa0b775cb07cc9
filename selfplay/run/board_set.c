/* Open addressing with steps of one slot, at most three quarters full: a look-up misses the cache once.
 * Layer: selfplay.
 */
#include "board_set.h"

#include <stdlib.h>
#include <string.h>

static uint64_t fingerprint_of(struct willow_board board)
{
    const uint64_t hash = willow_board_hash(board);
    return hash ? hash : 1; /* 0 marks a free slot */
}

/* Where the fingerprint is, or would be put. */
static size_t slot_of(const struct board_set *set, uint64_t fingerprint)
{
    size_t slot = (size_t)fingerprint & (set->capacity - 1);
    while (set->slots[slot] && set->slots[slot] != fingerprint)
        slot = (slot + 1) & (set->capacity - 1);
    return slot;
}

static enum willow_status grow(struct board_set *set, struct willow_error *error)
{
    struct board_set wider = {.capacity = set->capacity ? 2 * set->capacity : 256, .count = set->count};
    wider.slots = calloc(wider.capacity, sizeof *wider.slots);
    if (!wider.slots)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a set of %zu positions", set->count);
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            wider.slots[slot_of(&wider, set->slots[i])] = set->slots[i];
    free(set->slots);
    *set = wider;
    return WILLOW_OK;
}

bool board_set_has(const struct board_set *set, struct willow_board board)
{
    return set->capacity && set->slots[slot_of(set, fingerprint_of(board))];
}

enum willow_status board_set_add(struct board_set *set, struct willow_board board, bool *added,
                                 struct willow_error *error)
{
    if (set->count >= set->capacity / 4 * 3) {
        const enum willow_status status = grow(set, error);
        if (status)
            return status;
    }
    const uint64_t fingerprint = fingerprint_of(board);
    const size_t slot = slot_of(set, fingerprint);
    *added = !set->slots[slot];
    set->slots[slot] = fingerprint;
    set->count += *added;
    return WILLOW_OK;
}

void board_set_empty(struct board_set *set)
{
    if (set->count)
        memset(set->slots, 0, set->capacity * sizeof *set->slots);
    set->count = 0;
}

void board_set_clear(struct board_set *set)
{
    free(set->slots);
    *set = (struct board_set){0};
}
