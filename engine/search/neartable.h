/* The table of one worker for positions near the end of the game: exact bounds in whole discs. Small enough for the
 * processor's cache and shared with nobody, hence without the care and the depths of the big table. Layer: search.
 */
#ifndef SEARCH_NEARTABLE_H
#define SEARCH_NEARTABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/status.h>

#include "rules/fold.h"

/* log2 of the number of slots: 256 KiB, in a wide build twice that. Four times as many save 1 to 3% of the nodes, but
 * push the weights of the evaluation out of the second cache: 4% more time where those matter (FFO 48 and 51). */
enum { NEAR_TABLE_BITS = 13 };

/* Half a cache line, in a wide build a whole one. A slot of another epoch is empty. */
struct near_slot {
    _Alignas(32) willow_bits player;
    willow_bits opponent;
    uint32_t epoch;
    int8_t lower, upper;
    uint8_t move; /* the one that raised alpha last, or a guess */
};

struct near_table {
    struct near_slot *slots;
    uint32_t epoch;
};

/* WILLOW_ERR_MEMORY. */
enum willow_status near_table_init(struct near_table *table, struct willow_error *error);
void near_table_free(struct near_table *table);

/* Forgets everything in constant time (once in 2^32 calls the memory is wiped). */
void near_table_clear(struct near_table *table);

/* The only place of a position; a later one takes it always. */
static inline struct near_slot *near_table_slot(const struct near_table *table, willow_bits player,
                                                willow_bits opponent)
{
    uint64_t mix = fold(player) * 0x9E3779B97F4A7C15u + fold(opponent) * 0xD1B54A32D192ED03u;
    mix = (mix ^ mix >> 32) * 0x9E3779B97F4A7C15u;
    return table->slots + (mix >> (64 - NEAR_TABLE_BITS));
}

static inline bool near_table_holds(const struct near_table *table, const struct near_slot *slot, willow_bits player,
                                    willow_bits opponent)
{
    return slot->player == player && slot->opponent == opponent && slot->epoch == table->epoch;
}

/* Records in the slot of the position that its value was found to be at least `score`, when that is above alpha, and at
 * most `score` otherwise. */
static inline void near_table_store(const struct near_table *table, struct near_slot *slot, willow_bits player,
                                    willow_bits opponent, int alpha, int score, int move)
{
    if (!near_table_holds(table, slot, player, opponent))
        *slot = (struct near_slot){.player = player,
                                   .opponent = opponent,
                                   .epoch = table->epoch,
                                   .lower = -WILLOW_SQUARES,
                                   .upper = WILLOW_SQUARES,
                                   .move = (uint8_t)move};
    if (score <= alpha) {
        slot->upper = (int8_t)score;
        return;
    }
    slot->lower = (int8_t)score;
    slot->move = (uint8_t)move;
}

#endif
