/* A mask of squares as one word, for hashing: what a wide board has beyond 64 squares is spread over the rest.
 * Layer: rules. */
#ifndef RULES_FOLD_H
#define RULES_FOLD_H

#include <willow/bits.h>

static inline uint64_t fold(willow_bits mask)
{
    uint64_t word = willow_bits_word(mask, 0);
    for (int i = 1; i < WILLOW_BITS_WORDS; i++)
        word ^= willow_bits_word(mask, i) * UINT64_C(0xC6BC279692B5C323);
    return word;
}

#endif
