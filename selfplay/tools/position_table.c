/* A table of positions in a fixed piece of memory: open addressing with linear probing. Layer: selfplay. */
#include "position_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE_BYTES = 2 << 20 };

uint64_t position_key(int ply, struct willow_board board)
{
    return POSITION_KEY(ply) + (willow_board_hash(board) >> (64 - POSITION_KEY_BITS));
}

int position_key_ply(uint64_t key)
{
    return (int)((key - 1) >> POSITION_KEY_BITS);
}

/* The keys of a table are those of some range. Multiplied by the golden ratio's odd multiplier, its upper half is
 * spread evenly again; its product with the number of slots needs no division. */
static uint64_t home(const struct position_table *table, uint64_t key)
{
    return (key * UINT64_C(0x9E3779B97F4A7C15) >> 32) * table->capacity >> 32;
}

static unsigned char *slot_at(const struct position_table *table, uint64_t index)
{
    return table->slots + (size_t)index * table->entry_bytes;
}

static uint64_t key_at(const struct position_table *table, uint64_t index)
{
    uint64_t key;
    memcpy(&key, slot_at(table, index), sizeof key);
    return key;
}

enum willow_status position_table_init(struct position_table *table, size_t entry_bytes, uint64_t positions,
                                       size_t memory_bytes, struct willow_error *error)
{
    const uint64_t room = memory_bytes / entry_bytes, most = UINT64_C(1) << 32;
    uint64_t capacity = room < most ? room : most;
    /* Filled to three quarters, a search for a new position looks at eight slots in the mean: two lines of keys. */
    if (positions < capacity / 4 * 3)
        capacity = positions + positions / 3 + 16;
    *table = (struct position_table){.entry_bytes = entry_bytes, .capacity = capacity, .limit = capacity / 4 * 3};
    /* A multiple of the page, as aligned_alloc wants it; with large pages most of the misses in the address tables go,
     * which cost as much as those in the cache. The advice may be refused. */
    size_t bytes = (size_t)capacity * entry_bytes;
    bytes += (HUGE_PAGE_BYTES - bytes % HUGE_PAGE_BYTES) % HUGE_PAGE_BYTES;
    table->slots = bytes > HUGE_PAGE_BYTES ? aligned_alloc(HUGE_PAGE_BYTES, bytes) : malloc(bytes);
    if (!table->slots)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (bytes > HUGE_PAGE_BYTES)
        (void)madvise(table->slots, bytes, MADV_HUGEPAGE);
    position_table_empty(table);
    return WILLOW_OK;
}

void position_table_clear(struct position_table *table)
{
    free(table->slots);
    *table = (struct position_table){0};
}

void position_table_empty(struct position_table *table)
{
    memset(table->slots, 0, (size_t)table->capacity * table->entry_bytes);
    table->count = 0;
}

void position_table_prefetch(const struct position_table *table, uint64_t key)
{
    __builtin_prefetch(slot_at(table, home(table, key)), 1);
}

static bool holds(const struct position_table *table, uint64_t index, uint64_t key, struct willow_board board)
{
    if (key_at(table, index) != key)
        return false;
    if (table->entry_bytes == sizeof key)
        return true;
    struct position_entry entry;
    memcpy(&entry, slot_at(table, index), sizeof entry);
    return entry.board.player == board.player && entry.board.opponent == board.opponent;
}

void *position_table_take(struct position_table *table, uint64_t key, struct willow_board board, bool *fresh)
{
    const struct position_entry entry = {key, board};
    uint64_t index = home(table, key);
    while (key_at(table, index) != 0) {
        if (holds(table, index, key, board)) {
            *fresh = false;
            return slot_at(table, index);
        }
        index = index + 1 < table->capacity ? index + 1 : 0;
    }
    const bool alone = table->entry_bytes == sizeof key;
    memcpy(slot_at(table, index), &entry, alone ? sizeof key : sizeof entry);
    table->count++;
    *fresh = true;
    return slot_at(table, index);
}

/* Frees a slot and moves up what would no longer be found behind the gap (Knuth, volume 3, algorithm 6.4R). */
static void remove_at(struct position_table *table, uint64_t gap)
{
    for (uint64_t index = gap;;) {
        index = index + 1 < table->capacity ? index + 1 : 0;
        if (key_at(table, index) == 0)
            break;
        const uint64_t wanted = home(table, key_at(table, index));
        /* Stays when its home lies cyclically behind the gap and not behind itself. */
        const bool stays = gap <= index ? gap < wanted && wanted <= index : gap < wanted || wanted <= index;
        if (stays)
            continue;
        memcpy(slot_at(table, gap), slot_at(table, index), table->entry_bytes);
        gap = index;
    }
    memset(slot_at(table, gap), 0, table->entry_bytes);
    table->count--;
}

static uint64_t count_below(const struct position_table *table, uint64_t end)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < table->capacity; i++) {
        const uint64_t key = key_at(table, i);
        count += key != 0 && key < end;
    }
    return count;
}

bool position_table_cut(struct position_table *table, uint64_t first, uint64_t *end)
{
    uint64_t low = first, high = *end, middle = first;
    while (high - low > 1) {
        middle = low + (high - low) / 2;
        const uint64_t below = count_below(table, middle);
        if (below < table->count / 8 * 3)
            low = middle;
        else if (below > table->count / 8 * 5)
            high = middle;
        else
            break;
    }
    if (middle == first || count_below(table, middle) == table->count)
        return false;
    /* A slot that is freed may be taken by a later entry at once, so it is looked at again. */
    for (uint64_t i = 0; i < table->capacity; i++)
        while (key_at(table, i) >= middle)
            remove_at(table, i);
    *end = middle;
    return true;
}

void *position_table_at(const struct position_table *table, uint64_t index)
{
    return key_at(table, index) != 0 ? slot_at(table, index) : NULL;
}
