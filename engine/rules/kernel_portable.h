/* Legal moves and flips in plain C: the reference of the SIMD variants, and what a build without AVX2 uses; the flips
 * of the last empty square also with AVX2. Layer: rules.
 */
#ifndef RULES_KERNEL_PORTABLE_H
#define RULES_KERNEL_PORTABLE_H

#include <stdint.h>

#include "rules/kernel_lines.h"
#include "rules/kernel_rays.h"

/* Squares that end a line which starts at a disc of `player` and runs over discs in `inner`, both ways along one axis.
 * Lines hold at most six inner discs: one step, one more, then twice two at once (parallel prefix). */
static inline uint64_t portable_moves_axis(uint64_t player, uint64_t inner, int step)
{
    uint64_t up = inner & player << step;
    uint64_t down = inner & player >> step;
    up |= inner & up << step;
    down |= inner & down >> step;
    const uint64_t pairs_up = inner & inner << step;
    const uint64_t pairs_down = pairs_up >> step;
    up |= pairs_up & up << 2 * step;
    down |= pairs_down & down >> 2 * step;
    up |= pairs_up & up << 2 * step;
    down |= pairs_down & down >> 2 * step;
    return up << step | down >> step;
}

static inline uint64_t portable_moves(uint64_t player, uint64_t opponent)
{
    /* A disc on the a or h column is never inside a line that changes columns; leaving them out also stops the
     * wrap-around. */
    const uint64_t inner = opponent & UINT64_C(0x7E7E7E7E7E7E7E7E);
    const uint64_t ends = portable_moves_axis(player, inner, 1) | portable_moves_axis(player, opponent, 8) |
                          portable_moves_axis(player, inner, 7) | portable_moves_axis(player, inner, 9);
    return ends & ~(player | opponent);
}

static inline uint64_t portable_flips(uint64_t player, uint64_t opponent, int square)
{
    const uint64_t *rays = kernel_rays[square];
    uint64_t flips = 0;

    /* To higher bits: x & -x is the lowest square of the ray that is not the opponent's; it must be the player's. */
    for (int i = 0; i < 4; i++) {
        const uint64_t ray = rays[i];
        const uint64_t open = ~opponent & ray;
        const uint64_t end = open & (0 - open) & player;
        flips |= (end - (end != 0)) & ray;
    }
    /* To lower bits the first such square is the highest one. Bit 0 stands in for "none" and fails the test against the
     * ray or the player; minus twice a bit is the mask of all bits above it. */
    for (int i = 4; i < 8; i++) {
        const uint64_t ray = rays[i];
        const uint64_t first = UINT64_C(1) << 63 >> __builtin_clzll((~opponent & ray) | 1);
        const uint64_t end = first & player & ray;
        flips |= (0 - 2 * end) & ray;
    }
    return flips;
}

/* Four full lines, one look-up each. The products bring a column to the top byte with row 1 lowest, and a diagonal with
 * column a lowest. A place beyond the end of a diagonal counts as the opponent's, and no run ends there. */
static inline int portable_last_flips(uint64_t player, int square)
{
    const int column = square & 7, row = square >> 3;
    const uint64_t every_row = UINT64_C(0x0101010101010101);
    const uint64_t *diagonals = kernel_diagonals[square];
    return kernel_lines[column][player >> 8 * row & 0xFF] +
           kernel_lines[row][(player >> column & every_row) * UINT64_C(0x0102040810204080) >> 56] +
           kernel_lines[column][(player & diagonals[0]) * every_row >> 56] +
           kernel_lines[column][(player & diagonals[1]) * every_row >> 56];
}

#endif
