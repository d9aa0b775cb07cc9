/* Legal moves and flips in plain C: the reference of the SIMD variants, and what a build without AVX2 uses; the flips
 * of the last empty square also with AVX2. Layer: rules.
 */
#ifndef RULES_KERNEL_PORTABLE_H
#define RULES_KERNEL_PORTABLE_H

#include <willow/bits.h>

#include "rules/kernel_lines.h"
#include "rules/kernel_rays.h"

/* Squares that end a line which starts at a disc of `player` and runs over discs in `inner`, both ways along one axis.
 * Lines hold at most six inner discs: one step, one more, then twice two at once (parallel prefix). In a wide build
 * they hold eight. */
static inline willow_bits portable_moves_axis(willow_bits player, willow_bits inner, int step)
{
    willow_bits up = inner & player << step;
    willow_bits down = inner & player >> step;
    up |= inner & up << step;
    down |= inner & down >> step;
    const willow_bits pairs_up = inner & inner << step;
    const willow_bits pairs_down = pairs_up >> step;
    up |= pairs_up & up << 2 * step;
    down |= pairs_down & down >> 2 * step;
    up |= pairs_up & up << 2 * step;
    down |= pairs_down & down >> 2 * step;
    if (WILLOW_SIDE > 8) {
        up |= pairs_up & up << 2 * step;
        down |= pairs_down & down >> 2 * step;
    }
    return up << step | down >> step;
}

/* All columns but the first and the last. */
#ifdef WILLOW_WIDE
#define PORTABLE_INNER_COLUMNS (WILLOW_BITS_ALL / 1023 * 510)
#else
#define PORTABLE_INNER_COLUMNS UINT64_C(0x7E7E7E7E7E7E7E7E)
#endif

static inline willow_bits portable_moves(willow_bits player, willow_bits opponent)
{
    /* A disc on the first or last column is never inside a line that changes columns; leaving them out also stops the
     * wrap-around. */
    const willow_bits inner = opponent & PORTABLE_INNER_COLUMNS;
    const willow_bits ends =
        portable_moves_axis(player, inner, 1) | portable_moves_axis(player, opponent, WILLOW_SIDE) |
        portable_moves_axis(player, inner, WILLOW_SIDE - 1) | portable_moves_axis(player, inner, WILLOW_SIDE + 1);
    return ends & ~(player | opponent);
}

static inline willow_bits portable_flips(willow_bits player, willow_bits opponent, int square)
{
    const willow_bits *rays = kernel_rays[square];
    willow_bits flips = 0;

    /* To higher bits: x & -x is the lowest square of the ray that is not the opponent's; it must be the player's. */
    for (int i = 0; i < 4; i++) {
        const willow_bits ray = rays[i];
        const willow_bits open = ~opponent & ray;
        const willow_bits end = open & (0 - open) & player;
        flips |= (end - (end != 0)) & ray;
    }
    /* To lower bits the first such square is the highest one. Bit 0 stands in for "none" and fails the test against the
     * ray or the player; minus twice a bit is the mask of all bits above it. */
    for (int i = 4; i < 8; i++) {
        const willow_bits ray = rays[i];
        const willow_bits first = WILLOW_BIT(willow_bits_last((~opponent & ray) | 1));
        const willow_bits end = first & player & ray;
        flips |= (0 - 2 * end) & ray;
    }
    return flips;
}

/* Four full lines, one look-up each. The products bring a column to the top byte with row 1 lowest, and a diagonal with
 * column a lowest. A place beyond the end of a diagonal counts as the opponent's, and no run ends there. */
static inline int portable_last_flips(willow_bits player, int square)
{
#ifdef WILLOW_WIDE
    return willow_bits_count(portable_flips(player, WILLOW_BITS_ALL & ~player & ~WILLOW_BIT(square), square));
#else
    const int column = square & 7, row = square >> 3;
    const uint64_t every_row = UINT64_C(0x0101010101010101);
    const uint64_t *diagonals = kernel_diagonals[square];
    return kernel_lines[column][player >> 8 * row & 0xFF] +
           kernel_lines[row][(player >> column & every_row) * UINT64_C(0x0102040810204080) >> 56] +
           kernel_lines[column][(player & diagonals[0]) * every_row >> 56] +
           kernel_lines[column][(player & diagonals[1]) * every_row >> 56];
#endif
}

#endif
