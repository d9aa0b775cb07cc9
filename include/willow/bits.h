/* The word with a bit for every square of the largest board of a build, and what is counted and found in it.
 * Layer: base.
 *
 * The sources compile for two sizes of board: as they stand for 8x8 and smaller, in words of 64 bits; with WILLOW_WIDE
 * defined for 10x10, in words of 128 bits. The two are different programs and libraries that share files of no kind but
 * text; nothing of the wide one costs the other an instruction.
 */
#ifndef WILLOW_BITS_H
#define WILLOW_BITS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef WILLOW_WIDE
enum { WILLOW_SIDE = 10 };
__extension__ typedef unsigned __int128 willow_bits;
#else
enum { WILLOW_SIDE = 8 };
typedef uint64_t willow_bits;
#endif

/* Square (column, row) is bit WILLOW_SIDE * row + column; of 64-bit words a mask has so many. */
enum { WILLOW_SQUARES = WILLOW_SIDE * WILLOW_SIDE, WILLOW_BITS_WORDS = (WILLOW_SQUARES + 63) / 64 };

/* Constant expressions: one square, all squares. */
#define WILLOW_BIT(square) ((willow_bits)1 << (square))
#define WILLOW_BITS_ALL (((WILLOW_BIT(WILLOW_SQUARES - 1) - 1) << 1) + 1)

static inline int willow_bits_count(willow_bits bits)
{
#ifdef WILLOW_WIDE
    return __builtin_popcountll((uint64_t)bits) + __builtin_popcountll((uint64_t)(bits >> 64));
#else
    return __builtin_popcountll(bits);
#endif
}

/* The lowest square of a mask that is not empty. */
static inline int willow_bits_first(willow_bits bits)
{
#ifdef WILLOW_WIDE
    return (uint64_t)bits != 0 ? __builtin_ctzll((uint64_t)bits) : 64 + __builtin_ctzll((uint64_t)(bits >> 64));
#else
    return __builtin_ctzll(bits);
#endif
}

/* The highest one. */
static inline int willow_bits_last(willow_bits bits)
{
#ifdef WILLOW_WIDE
    return bits >> 64 != 0 ? 127 - __builtin_clzll((uint64_t)(bits >> 64)) : 63 - __builtin_clzll((uint64_t)bits);
#else
    return 63 - __builtin_clzll(bits);
#endif
}

/* Word `index`, 0 .. WILLOW_BITS_WORDS - 1, of a mask, the one with a1 first; and the mask whose other words are 0. */
static inline uint64_t willow_bits_word(willow_bits bits, int index)
{
    return (uint64_t)(bits >> 64 * index);
}

static inline willow_bits willow_bits_of_word(uint64_t word, int index)
{
    return (willow_bits)word << 64 * index;
}

#ifdef __cplusplus
}
#endif
#endif
