/* The transposition table: what earlier searches proved about a position. Holds whole boards, so a hit is never a
 * mistake. Used by one thread; knows neither evaluation nor moves. Layer: search.
 */
#ifndef SEARCH_TABLE_H
#define SEARCH_TABLE_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/status.h>

/* Depth of an entry whose bounds are game-theoretical: TABLE_EXACT + empty squares. Above every midgame depth. */
enum { TABLE_EXACT = 64 };

/* 32 bytes; two share a cache line and a bucket. An entry of another epoch is empty. Bounds are in 1/32 disc. */
struct table_entry {
    uint64_t player, opponent;
    int16_t lower, upper;
    uint8_t depth;
    uint8_t age;     /* search that wrote it last */
    uint8_t move[2]; /* best move, the one before it; WILLOW_NO_SQUARE where there is none */
    uint32_t epoch;
};

struct table {
    struct table_entry *entries;
    uint64_t mask; /* entries - 1 */
    uint32_t epoch;
    uint8_t age;
};

/* The largest power of two of entries within size_bytes, at least one. WILLOW_ERR_MEMORY. */
enum willow_status table_init(struct table *table, size_t size_bytes, struct willow_error *error);
void table_free(struct table *table);

/* Forgets everything in constant time (once in 2^32 calls the memory is wiped). */
void table_clear(struct table *table);

/* Records a search to `depth` within the window alpha..beta that returned `score` (fail-soft bounds). */
void table_store(struct table *table, uint64_t player, uint64_t opponent, int depth, int alpha, int beta, int score,
                 int move);

/* The product of the two words, folded; the same on every machine. willow_board_hash mixes better, but costs three
 * multiplications more in every node. */
static inline uint64_t table_hash(uint64_t player, uint64_t opponent)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)(player ^ 0x9E3779B97F4A7C15u) * (opponent ^ 0xD1B54A32D192ED03u);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* First entry of the bucket: one cache line. */
static inline struct table_entry *table_bucket(const struct table *table, uint64_t player, uint64_t opponent)
{
    return table->entries + (table_hash(player, opponent) & table->mask & ~(uint64_t)1);
}

/* What is known of the position, or null. Lives until the next store. */
static inline const struct table_entry *table_probe(const struct table *table, uint64_t player, uint64_t opponent)
{
    const struct table_entry *entry = table_bucket(table, player, opponent);
    if (entry->player == player && entry->opponent == opponent && entry->epoch == table->epoch)
        return entry;
    entry += table->mask & 1;
    if (entry->player == player && entry->opponent == opponent && entry->epoch == table->epoch)
        return entry;
    return NULL;
}

#endif
