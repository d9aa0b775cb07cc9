/* The transposition table: what earlier searches proved about a position. Holds whole boards, so a hit is never a
 * mistake. Shared by all threads of a search without locks; knows neither evaluation nor moves. Layer: search.
 */
#ifndef SEARCH_TABLE_H
#define SEARCH_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/status.h>

#include "rules/fold.h"

/* Depth of what was searched to the end of the game: TABLE_EXACT + empty squares. Above every midgame depth. */
enum { TABLE_EXACT = WILLOW_SQUARES };

/* What is known of a position. Bounds are in 1/32 disc. */
struct table_entry {
    int16_t lower, upper;
    uint8_t depth;
    uint8_t selectivity; /* level of the search that found the bounds */
    uint8_t move[2];     /* best move, the one before it; WILLOW_NO_SQUARE where there is none */
};

/* 32 bytes, in a wide build 48; two share a bucket, and the smaller ones a cache line. The board is stored combined
 * with the packed entry: where one thread reads while another writes, words of different stores do not combine to the
 * board that is looked for, and the read is a miss. No order between the words is needed, so all accesses are relaxed.
 */
struct table_slot {
    /* The words of the board, each ^ a scramble of the packed entry. */
    _Atomic uint64_t player[WILLOW_BITS_WORDS], opponent[WILLOW_BITS_WORDS];
    _Atomic uint64_t packed; /* struct table_entry */
    _Atomic uint64_t stamp;  /* epoch << 8 | age; a slot of another epoch is empty */
};

struct table {
    struct table_slot *slots;
    uint64_t mask; /* slots - 1 */
    void *block;   /* the allocation that the slots lie in */
    uint32_t epoch;
    uint8_t age; /* number of the running search: what earlier ones left gives way first */
};

/* The largest power of two of slots within size_bytes, at least one. WILLOW_ERR_MEMORY. */
enum willow_status table_init(struct table *table, size_t size_bytes, struct willow_error *error);
void table_free(struct table *table);

/* Writes to each page of the next 2 MB from *at_bytes on, so that this memory is there; what the table holds stays, and
 * another thread may clear it meanwhile. Only between searches. False when nothing is left. */
bool table_touch(struct table *table, size_t *at_bytes);

/* Forgets everything in constant time (once in 2^32 calls the memory is wiped). Only between searches. */
void table_clear(struct table *table);

/* Records a search to `depth` at the level of selectivity within the window alpha..beta that returned `score`
 * (fail-soft bounds). */
void table_store(struct table *table, willow_bits player, willow_bits opponent, int depth, int selectivity, int alpha,
                 int beta, int score, int move);

/* The product of the two words, folded; the same on every machine. willow_board_hash mixes better, but costs three
 * multiplications more in every node. */
static inline uint64_t table_hash(willow_bits player, willow_bits opponent)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)(fold(player) ^ 0x9E3779B97F4A7C15u) * (fold(opponent) ^ 0xD1B54A32D192ED03u);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* First slot of the bucket. */
static inline struct table_slot *table_bucket(const struct table *table, willow_bits player, willow_bits opponent)
{
    return table->slots + (table_hash(player, opponent) & table->mask & ~(uint64_t)1);
}

static inline uint64_t table_load(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

/* Spreads the entry over all bits, so that two entries never differ as two boards do. */
static inline uint64_t table_scramble(uint64_t packed)
{
    return packed * 0x9E3779B97F4A7C15u;
}

static inline bool table_slot_holds(const struct table_slot *slot, uint32_t epoch, uint64_t packed, willow_bits player,
                                    willow_bits opponent)
{
    uint64_t scramble = table_scramble(packed);
    bool same = true;
    for (int i = 0; i < WILLOW_BITS_WORDS; i++)
        same = same && (table_load(&slot->player[i]) ^ scramble) == willow_bits_word(player, i) &&
               (table_load(&slot->opponent[i]) ^ ~scramble) == willow_bits_word(opponent, i);
    return same && table_load(&slot->stamp) >> 8 == epoch;
}

static inline struct table_entry table_unpack(uint64_t packed)
{
    return (struct table_entry){.lower = (int16_t)packed,
                                .upper = (int16_t)(packed >> 16),
                                .depth = (uint8_t)(packed >> 32),
                                .selectivity = (uint8_t)(packed >> 40),
                                .move = {(uint8_t)(packed >> 48), (uint8_t)(packed >> 56)}};
}

/* Fills *entry with what is known of the position; false when nothing is. */
static inline bool table_probe(const struct table *table, willow_bits player, willow_bits opponent,
                               struct table_entry *entry)
{
    const struct table_slot *slot = table_bucket(table, player, opponent);
    for (uint64_t i = 0; i <= (table->mask & 1); i++, slot++) {
        uint64_t packed = table_load(&slot->packed);
        if (table_slot_holds(slot, table->epoch, packed, player, opponent)) {
            *entry = table_unpack(packed);
            return true;
        }
    }
    return false;
}

/* Begins to fetch the bucket of a position that will be looked up soon. */
static inline void table_prefetch(const struct table *table, willow_bits player, willow_bits opponent)
{
    __builtin_prefetch(table_bucket(table, player, opponent));
}

#endif
