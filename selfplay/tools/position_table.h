/* A table of positions in a fixed piece of memory, each with whatever its user keeps with it. Layer: selfplay.
 *
 * A position is known by its key and, where entries are large enough to hold it, by its board. Keys are ordered, so
 * that a table that ran full can give up the positions above some key: they are looked for in a later pass.
 */
#ifndef WILLOW_SELFPLAY_POSITION_TABLE_H
#define WILLOW_SELFPLAY_POSITION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <willow/board.h>
#include <willow/dataset.h>
#include <willow/status.h>

/* What every entry begins with; the board is there unless the entry is the key alone. */
struct position_entry {
    uint64_t key; /* 0 = free */
    struct willow_board board;
};

struct position_table {
    unsigned char *slots;
    size_t entry_bytes; /* sizeof(uint64_t): keys alone; else a multiple of it, from sizeof(struct position_entry) */
    uint64_t capacity, count, limit; /* slots; those in use; how many may be */
};

/* Keys of ply p lie from POSITION_KEY(p) up to and without POSITION_KEY(p + 1). */
#define POSITION_KEY_BITS (WILLOW_PLIES < 64 ? 58 : 57)
#define POSITION_KEY(ply) (((uint64_t)(ply) << POSITION_KEY_BITS) + 1)

/* Of a canonical board of that ply (0 .. WILLOW_PLIES - 1): the upper bits of its hash behind the ply. */
uint64_t position_key(int ply, struct willow_board board);
int position_key_ply(uint64_t key);

/* Room for `positions`, or as many as the memory holds. WILLOW_ERR_MEMORY. The caller clears, also after a failure. */
enum willow_status position_table_init(struct position_table *table, size_t entry_bytes, uint64_t positions,
                                       size_t memory_bytes, struct willow_error *error);
void position_table_clear(struct position_table *table);
void position_table_empty(struct position_table *table);

/* Brings the place of a key nearer, some time before it is asked for. */
void position_table_prefetch(const struct position_table *table, uint64_t key);

/* The entry of a position; a new one (*fresh) has key and board set and the rest zero. It stays where it is until
 * position_table_cut. The table must not be full. */
void *position_table_take(struct position_table *table, uint64_t key, struct willow_board board, bool *fresh);

static inline bool position_table_full(const struct position_table *table)
{
    return table->count >= table->limit;
}

/* Gives up the upper half, about, of the positions, all of them with keys in first .. *end - 1, and lowers *end so that
 * those left lie below it. False when they cannot be parted. */
bool position_table_cut(struct position_table *table, uint64_t first, uint64_t *end);

/* Slot `index` of 0 .. capacity - 1; null when it is free. */
void *position_table_at(const struct position_table *table, uint64_t index);

#endif
