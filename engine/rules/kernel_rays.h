/* The eight rays from every square, shared by the flip kernels. The table is constant and generated from the geometry.
 * Layer: rules.
 */
#ifndef RULES_KERNEL_RAYS_H
#define RULES_KERNEL_RAYS_H

#include <stdint.h>

/* kernel_rays[square]: squares from the neighbour to the edge, without the square itself. Entries 0-3 run to higher
 * bits (+1, +8, +7, +9), entries 4-7 to lower bits (-1, -8, -7, -9). Each row is one cache line, aligned for 32-byte
 * loads. */
extern const uint64_t kernel_rays[64][8];

#endif
