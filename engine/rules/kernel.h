/* The hot operations of the board for code inside the engine: legal moves and flips, in the best variant that this
 * build may use. Masks of playable squares are the caller's business; no function here looks at the ruleset. Layer:
 * rules.
 */
#ifndef RULES_KERNEL_H
#define RULES_KERNEL_H

#include <willow/bits.h>

#include "rules/kernel_avx2.h"
#include "rules/kernel_avx512.h"
#include "rules/kernel_portable.h"

/* Empty squares where `player` turns at least one disc. Bits outside the playable squares are not removed. */
static inline willow_bits kernel_moves(willow_bits player, willow_bits opponent)
{
#if KERNEL_SELECTS_AVX512
    return avx512_moves(player, opponent);
#elif KERNEL_SELECTS_AVX2
    return avx2_moves(player, opponent);
#else
    return portable_moves(player, opponent);
#endif
}

/* Discs of `opponent` that a disc of `player` on the empty square turns; 0 when there are none. */
static inline willow_bits kernel_flips(willow_bits player, willow_bits opponent, int square)
{
#if KERNEL_SELECTS_AVX512
    return avx512_flips(player, opponent, square);
#elif KERNEL_SELECTS_AVX2
    return avx2_flips(player, opponent, square);
#else
    return portable_flips(player, opponent, square);
#endif
}

/* How many discs a disc of `player` on `square` turns when all other squares of the full board, 8x8 or in a wide build
 * 10x10, are taken, those that are not the player's by the opponent; 0 when there are none. */
static inline int kernel_last_flips(willow_bits player, int square)
{
#if KERNEL_SELECTS_AVX512
    return avx512_last_flips(player, square);
#else
    return portable_last_flips(player, square);
#endif
}

static inline int kernel_count(willow_bits mask)
{
    return willow_bits_count(mask);
}

/* Lowest square of a mask that is not empty. */
static inline int kernel_first(willow_bits mask)
{
    return willow_bits_first(mask);
}

#endif
