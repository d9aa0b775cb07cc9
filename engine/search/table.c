/* The transposition table: allocation, clearing and replacement. Layer: search. */
#include "search/table.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 };

enum willow_status table_init(struct table *table, size_t size_bytes, struct willow_error *error)
{
    size_t count = 1;
    while (count <= size_bytes / sizeof(struct table_entry) / 2)
        count *= 2;
    size_t bytes = count * sizeof(struct table_entry);
    *table = (struct table){.mask = count - 1, .epoch = 1};
    table->entries = aligned_alloc(CACHE_LINE, bytes < CACHE_LINE ? CACHE_LINE : bytes);
    if (!table->entries)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a transposition table of %zu bytes",
                           bytes);
    memset(table->entries, 0, bytes);
    return WILLOW_OK;
}

void table_free(struct table *table)
{
    free(table->entries);
    *table = (struct table){0};
}

void table_clear(struct table *table)
{
    table->age = 0;
    table->epoch++;
    if (table->epoch == 0) {
        memset(table->entries, 0, (table->mask + 1) * sizeof *table->entries);
        table->epoch = 1;
    }
}

/* Entries of the running search are worth their depth; older ones give way first, empty ones before all. */
static int worth(const struct table *table, const struct table_entry *entry)
{
    if (entry->epoch != table->epoch)
        return -1;
    return entry->depth + (entry->age == table->age ? 256 : 0);
}

/* The entry of this position, or the one to give up for it. */
static struct table_entry *place(const struct table *table, uint64_t player, uint64_t opponent)
{
    struct table_entry *first = table_bucket(table, player, opponent);
    struct table_entry *second = first + (table->mask & 1);
    if (first->player == player && first->opponent == opponent)
        return first;
    if (second->player == player && second->opponent == opponent)
        return second;
    return worth(table, first) <= worth(table, second) ? first : second;
}

void table_store(struct table *table, uint64_t player, uint64_t opponent, int depth, int alpha, int beta, int score,
                 int move)
{
    struct table_entry *entry = place(table, player, opponent);
    bool same = entry->player == player && entry->opponent == opponent && entry->epoch == table->epoch;
    if (same && entry->depth > depth)
        return;
    int lower = score > alpha ? score : -WILLOW_SCORE_MAX;
    int upper = score < beta ? score : WILLOW_SCORE_MAX;
    if (same && entry->depth == depth) {
        lower = lower > entry->lower ? lower : entry->lower;
        upper = upper < entry->upper ? upper : entry->upper;
    }
    if (!same) {
        entry->player = player;
        entry->opponent = opponent;
        entry->epoch = table->epoch;
        entry->move[0] = entry->move[1] = WILLOW_NO_SQUARE;
    }
    entry->lower = (int16_t)lower;
    entry->upper = (int16_t)upper;
    entry->depth = (uint8_t)depth;
    entry->age = table->age;
    /* After a fail-low the best move is a guess among losers: keep what an earlier search found. */
    if (move != entry->move[0] && (score > alpha || entry->move[0] == WILLOW_NO_SQUARE)) {
        entry->move[1] = entry->move[0];
        entry->move[0] = (uint8_t)move;
    }
}
