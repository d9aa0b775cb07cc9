/* The transposition table: allocation, clearing and replacement. Layer: search. */
#include "search/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, PAGE = 4096, HUGE_PAGE = 2 << 20 };

enum willow_status table_init(struct table *table, size_t size_bytes, struct willow_error *error)
{
    size_t count = 1;
    while (count <= size_bytes / sizeof(struct table_slot) / 2)
        count *= 2;
    size_t bytes = count * sizeof(struct table_slot);
    *table = (struct table){.mask = count - 1, .epoch = 1};
    /* Fresh memory is zero, and a large piece comes page by page when it is first touched: a program that answers one
     * question does not wait for a table that it hardly uses. */
    size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : CACHE_LINE;
    table->block = calloc(1, bytes + alignment);
    if (!table->block)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a transposition table of %zu bytes",
                           bytes);
    table->slots = (struct table_slot *)(((uintptr_t)table->block + alignment - 1) & ~(uintptr_t)(alignment - 1));
    /* Every probe of a large table would miss the processor's cache of page addresses. Only a wish. */
    if (bytes >= HUGE_PAGE)
        (void)madvise(table->slots, bytes, MADV_HUGEPAGE);
    return WILLOW_OK;
}

void table_free(struct table *table)
{
    free(table->block);
    *table = (struct table){0};
}

bool table_touch(struct table *table, size_t *at_bytes)
{
    const size_t step = PAGE / sizeof *table->slots, begin = *at_bytes / sizeof *table->slots;
    const size_t end = begin + HUGE_PAGE / sizeof *table->slots;
    for (size_t i = begin; i <= table->mask && i < end; i += step)
        atomic_store_explicit(&table->slots[i].stamp, table_load(&table->slots[i].stamp), memory_order_relaxed);
    *at_bytes = end * sizeof *table->slots;
    return end <= table->mask;
}

void table_clear(struct table *table)
{
    table->age = 0;
    table->epoch++;
    if (table->epoch == 0) {
        memset(table->slots, 0, (table->mask + 1) * sizeof *table->slots);
        table->epoch = 1;
    }
}

/* Entries of the running search are worth their depth; older ones give way first, empty ones before all. */
static int worth(const struct table *table, const struct table_slot *slot)
{
    uint64_t stamp = table_load(&slot->stamp);
    if (stamp >> 8 != table->epoch)
        return -1;
    return table_unpack(table_load(&slot->packed)).depth + ((uint8_t)stamp == table->age ? 256 : 0);
}

static uint64_t pack(struct table_entry entry)
{
    return (uint64_t)(uint16_t)entry.lower | (uint64_t)(uint16_t)entry.upper << 16 | (uint64_t)entry.depth << 32 |
           (uint64_t)entry.selectivity << 40 | (uint64_t)entry.move[0] << 48 | (uint64_t)entry.move[1] << 56;
}

static void put(struct table_slot *slot, const struct table *table, willow_bits player, willow_bits opponent,
                struct table_entry entry)
{
    uint64_t packed = pack(entry), scramble = table_scramble(packed);
    for (int i = 0; i < WILLOW_BITS_WORDS; i++) {
        atomic_store_explicit(&slot->player[i], willow_bits_word(player, i) ^ scramble, memory_order_relaxed);
        atomic_store_explicit(&slot->opponent[i], willow_bits_word(opponent, i) ^ ~scramble, memory_order_relaxed);
    }
    atomic_store_explicit(&slot->packed, packed, memory_order_relaxed);
    atomic_store_explicit(&slot->stamp, (uint64_t)table->epoch << 8 | table->age, memory_order_relaxed);
}

/* The slot of this position, with what it holds, or the one to give up for it. */
static struct table_slot *place(const struct table *table, willow_bits player, willow_bits opponent,
                                struct table_entry *held, bool *same)
{
    struct table_slot *first = table_bucket(table, player, opponent), *second = first + (table->mask & 1);
    struct table_slot *slots[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        uint64_t packed = table_load(&slots[i]->packed);
        *same = table_slot_holds(slots[i], table->epoch, packed, player, opponent);
        if (*same) {
            *held = table_unpack(packed);
            return slots[i];
        }
    }
    *held = (struct table_entry){.move = {WILLOW_NO_SQUARE, WILLOW_NO_SQUARE}};
    return worth(table, first) <= worth(table, second) ? first : second;
}

void table_store(struct table *table, willow_bits player, willow_bits opponent, int depth, int selectivity, int alpha,
                 int beta, int score, int move)
{
    struct table_entry entry;
    bool same;
    struct table_slot *slot = place(table, player, opponent, &entry, &same);
    /* What went deeper and was at least as careful stays. */
    if (same && entry.depth > depth && entry.selectivity >= selectivity)
        return;
    int lower = score > alpha ? score : -WILLOW_SCORE_MAX;
    int upper = score < beta ? score : WILLOW_SCORE_MAX;
    if (same && entry.depth == depth && entry.selectivity == selectivity) {
        lower = lower > entry.lower ? lower : entry.lower;
        upper = upper < entry.upper ? upper : entry.upper;
    }
    entry.lower = (int16_t)lower;
    entry.upper = (int16_t)upper;
    entry.depth = (uint8_t)depth;
    entry.selectivity = (uint8_t)selectivity;
    /* After a fail-low the best move is a guess among losers: keep what an earlier search found. */
    if (move != entry.move[0] && (score > alpha || entry.move[0] == WILLOW_NO_SQUARE)) {
        entry.move[1] = entry.move[0];
        entry.move[0] = (uint8_t)move;
    }
    put(slot, table, player, opponent, entry);
}
