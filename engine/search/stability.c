/* Stable discs: edges by a table of all 3^8 edges, the inner squares by full lines and stable neighbours.
 * Layer: search.
 */
#include "search/stability.h"

#define LEFT_COLUMN 0x0101010101010101u
#define INNER 0x007E7E7E7E7E7E00u

/* How often stability may spread to neighbours. Without end the nodes near the end are 0.7 % fewer, but the time is
 * more, as the end of such a loop is hard to predict. */
enum { ROUNDS = 4 };

/* Discs of `other` that a disc of `own` on the empty square turns along an edge of eight squares. */
static unsigned edge_flips(unsigned own, unsigned other, int square)
{
    unsigned flips = 0;
    for (int step = -1; step <= 1; step += 2) {
        unsigned line = 0;
        int at = square + step;
        while (at >= 0 && at < 8 && (other >> at & 1u)) {
            line |= 1u << at;
            at += step;
        }
        if (at >= 0 && at < 8 && (own >> at & 1u))
            flips |= line;
    }
    return flips;
}

/* Stable squares of the edge, given that all edges with fewer empty squares are done. Whether a placement is legal
 * depends on the rest of the board, so every empty square may be taken by either side; squares turned by that, or not
 * stable after it, drop out. */
static unsigned edge_stable(const struct stability *stability, unsigned own, unsigned other)
{
    unsigned stable = own | other;
    for (int square = 0; square < 8; square++) {
        unsigned bit = 1u << square;
        if ((own | other) & bit)
            continue;
        unsigned flips = edge_flips(own, other, square);
        unsigned own_after = own | flips | bit, other_after = other & ~flips;
        stable &= ~flips & stability->edge[stability->ternary[own_after] + 2 * stability->ternary[other_after]];
        flips = edge_flips(other, own, square);
        own_after = own & ~flips;
        other_after = other | flips | bit;
        stable &= ~flips & stability->edge[stability->ternary[own_after] + 2 * stability->ternary[other_after]];
    }
    return stable;
}

void stability_init(struct stability *stability)
{
    for (unsigned mask = 0; mask < 256; mask++) {
        unsigned value = 0;
        for (int bit = 7; bit >= 0; bit--)
            value = 3 * value + (mask >> bit & 1u);
        stability->ternary[mask] = (uint16_t)value;
    }
    for (int discs = 8; discs >= 0; discs--)
        for (unsigned taken = 0; taken < 256; taken++) {
            if (__builtin_popcount(taken) != discs)
                continue;
            for (unsigned own = taken;; own = (own - 1) & taken) {
                unsigned other = taken & ~own;
                unsigned index = stability->ternary[own] + 2u * stability->ternary[other];
                stability->edge[index] = (uint8_t)edge_stable(stability, own, other);
                if (own == 0)
                    break;
            }
        }
}

/* A column that starts at a1 or h1 as eight bits, row 1 lowest. The products of the eight set bits do not meet. */
static unsigned column_bits(uint64_t board, int column)
{
    return (unsigned)(((board >> column & LEFT_COLUMN) * 0x0102040810204080u) >> 56);
}

/* Back again. Only seven bits at a time: the products of eight would meet and carry. */
static uint64_t column_mask(unsigned bits, int column)
{
    uint64_t spread = ((uint64_t)(bits & 0x7F) * 0x0002040810204081u & LEFT_COLUMN) | (uint64_t)(bits >> 7) << 56;
    return spread << column;
}

static unsigned edge_lookup(const struct stability *stability, unsigned own, unsigned other)
{
    return stability->edge[stability->ternary[own] + 2u * stability->ternary[other]] & own;
}

static uint64_t stable_edges(const struct stability *stability, uint64_t player, uint64_t opponent)
{
    uint64_t stable = edge_lookup(stability, (unsigned)(player & 0xFF), (unsigned)(opponent & 0xFF));
    stable |= (uint64_t)edge_lookup(stability, (unsigned)(player >> 56), (unsigned)(opponent >> 56)) << 56;
    for (int column = 0; column < 8; column += 7)
        stable |=
            column_mask(edge_lookup(stability, column_bits(player, column), column_bits(opponent, column)), column);
    return stable;
}

/* Squares on lines that are not full yet, by the axes of kernel_rays. With few empty squares this is faster than to
 * look for the full lines. */
struct open_lines {
    uint64_t axis[4];
};

static struct open_lines find_open_lines(uint64_t empty)
{
    struct open_lines open = {{0}};
    for (; empty; empty &= empty - 1) {
        const uint64_t *rays = kernel_rays[kernel_first(empty)];
        for (int i = 0; i < 4; i++)
            open.axis[i] |= rays[i] | rays[i + 4];
    }
    return open;
}

uint64_t stability_discs(const struct stability *stability, uint64_t player, uint64_t opponent)
{
    struct open_lines open = find_open_lines(~(player | opponent));
    uint64_t row = ~open.axis[0], column = ~open.axis[1], rising = ~open.axis[2], falling = ~open.axis[3];
    uint64_t inner = player & INNER;
    uint64_t stable = stable_edges(stability, player, opponent) | (inner & row & column & rising & falling);
    /* An inner disc is stable when each of its four lines is full or ends at a stable disc of its own colour on one
     * side. */
    for (int i = 0; i < ROUNDS; i++)
        stable |= inner & (row | stable >> 1 | stable << 1) & (column | stable >> 8 | stable << 8) &
                  (falling | stable >> 9 | stable << 9) & (rising | stable >> 7 | stable << 7);
    return stable;
}
