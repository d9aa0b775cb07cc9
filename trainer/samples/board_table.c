/* Boards by hash, open addressing with linear probes; see board_table.h. Layer: trainer. */
#include "board_table.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct board_entry) == 24 * WILLOW_BITS_WORDS, "memory is planned for 24 or 48 bytes an entry");

enum { CAPACITY_MIN = 64 };

/* Full enough to grow: above two thirds, probes become long. */
static bool crowded(size_t count, size_t capacity)
{
    return count > capacity / 3 * 2;
}

static enum willow_status allocate(struct board_table *table, size_t capacity, struct willow_error *error)
{
    table->entries = calloc(capacity, sizeof *table->entries);
    table->capacity = table->entries ? capacity : 0;
    return table->entries ? WILLOW_OK
                          : willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for a table of boards");
}

enum willow_status board_table_init(struct board_table *table, size_t boards, struct willow_error *error)
{
    size_t capacity = CAPACITY_MIN;
    while (crowded(boards, capacity))
        capacity *= 2;
    table->count = 0;
    table->fitted = table->contradictory = 0;
    if (capacity == table->capacity) {
        memset(table->entries, 0, capacity * sizeof *table->entries);
        return WILLOW_OK;
    }
    free(table->entries);
    return allocate(table, capacity, error);
}

void board_table_clear(struct board_table *table)
{
    free(table->entries);
    *table = (struct board_table){0};
}

/* The entry of a board, or the free one where it belongs. */
static struct board_entry *find(const struct board_table *table, struct willow_board board, uint64_t hash)
{
    for (size_t at = hash & (table->capacity - 1);; at = (at + 1) & (table->capacity - 1)) {
        struct board_entry *entry = &table->entries[at];
        if (entry->board.player == board.player && entry->board.opponent == board.opponent)
            return entry;
        if (!(entry->board.player | entry->board.opponent))
            return entry;
    }
}

static enum willow_status grow(struct board_table *table, struct willow_error *error)
{
    struct board_table bigger = *table;
    const enum willow_status status = allocate(&bigger, 2 * table->capacity, error);
    if (status != WILLOW_OK)
        return status;
    for (size_t i = 0; i < table->capacity; i++) {
        const struct board_entry *entry = &table->entries[i];
        if (entry->board.player | entry->board.opponent)
            *find(&bigger, entry->board, willow_board_hash(entry->board)) = *entry;
    }
    free(table->entries);
    *table = bigger;
    return WILLOW_OK;
}

void board_table_prefetch(const struct board_table *table, uint64_t hash)
{
    __builtin_prefetch(&table->entries[hash & (table->capacity - 1)]);
}

static void add_label(struct board_table *table, struct board_entry *entry, int16_t label)
{
    if (label == BOARD_TABLE_NO_LABEL)
        return;
    if (entry->least == BOARD_TABLE_NO_LABEL) {
        entry->least = entry->greatest = label;
        return;
    }
    table->contradictory += entry->least == entry->greatest && label != entry->least;
    if (label < entry->least)
        entry->least = label;
    if (label > entry->greatest)
        entry->greatest = label;
}

enum willow_status board_table_add(struct board_table *table, struct willow_board board, uint64_t hash, bool fitted,
                                   int16_t label, struct willow_error *error)
{
    struct board_entry *entry = find(table, board, hash);
    if (!(entry->board.player | entry->board.opponent)) {
        if (crowded(table->count + 1, table->capacity)) {
            const enum willow_status status = grow(table, error);
            if (status != WILLOW_OK)
                return status;
            entry = find(table, board, hash);
        }
        *entry = (struct board_entry){.board = board, .least = BOARD_TABLE_NO_LABEL, .greatest = BOARD_TABLE_NO_LABEL};
        table->count++;
    }
    table->fitted += fitted && !entry->fitted;
    entry->fitted = entry->fitted || fitted;
    add_label(table, entry, label);
    return WILLOW_OK;
}

bool board_table_fitted(const struct board_table *table, struct willow_board board, uint64_t hash)
{
    return find(table, board, hash)->fitted;
}

bool board_less(struct willow_board a, struct willow_board b)
{
    return a.player != b.player ? a.player < b.player : a.opponent < b.opponent;
}

const struct board_entry *board_table_contradiction(const struct board_table *table)
{
    const struct board_entry *least = NULL;
    for (size_t i = 0; table->contradictory > 0 && i < table->capacity; i++) {
        const struct board_entry *entry = &table->entries[i];
        if (entry->least != entry->greatest && (!least || board_less(entry->board, least->board)))
            least = entry;
    }
    return least;
}
