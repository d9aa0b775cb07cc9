/* Discs that can never be turned again, as a lower bound: they cap what the other side can still win. Right only where
 * all 64 squares are playable. Layer: search.
 */
#ifndef SEARCH_STABILITY_H
#define SEARCH_STABILITY_H

#include <stdint.h>

enum { STABILITY_EDGES = 6561 }; /* 3^8 */

/* Derived once per handle; then constant. An edge is a base-3 number, the lowest bit's square the least digit. */
struct stability {
    uint16_t ternary[256];         /* value of a mask with every set bit as digit 1 */
    uint8_t edge[STABILITY_EDGES]; /* squares whose disc no play along this edge turns */
};

void stability_init(struct stability *stability);

/* Mask of discs of `player` that are certainly stable. */
uint64_t stability_discs(const struct stability *stability, uint64_t player, uint64_t opponent);

#endif
