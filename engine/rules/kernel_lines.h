/* Tables of single lines for the last empty square of the board, where every line through it is full.
 * The tables are constant and generated from the geometry. Layer: rules.
 */
#ifndef RULES_KERNEL_LINES_H
#define RULES_KERNEL_LINES_H

#include <stdint.h>

/* kernel_lines[place][line]: discs of a line of eight squares that a move at `place` turns. `line` holds the player's
 * discs, every other square counts as the opponent's; the bit of the place itself does not matter. */
extern const uint8_t kernel_lines[8][256];

/* kernel_diagonals[square]: the squares of the two diagonals through it, itself included. */
extern const uint64_t kernel_diagonals[64][2];

#endif
