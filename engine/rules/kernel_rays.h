/* The eight rays from every square, shared by the flip kernels. The table is constant and generated from the geometry.
 * Layer: rules.
 */
#ifndef RULES_KERNEL_RAYS_H
#define RULES_KERNEL_RAYS_H

#include <willow/bits.h>

/* kernel_rays[square]: squares from the neighbour to the edge, without the square itself. Entries 0-3 run to higher
 * bits (+1, +8, +7, +9; in a wide build +1, +10, +9, +11), entries 4-7 to lower bits in the same order. Each row is one
 * cache line, or two, aligned for 32-byte loads. */
extern const willow_bits kernel_rays[WILLOW_SQUARES][8];

#endif
