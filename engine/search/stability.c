/* Stable discs: edges by a table of all edges, the inner squares by full lines and stable neighbours.
 * Layer: search.
 */
#include "search/stability.h"

#define LEFT_COLUMN UINT64_C(0x0101010101010101)
#define ROW_MASK ((1u << WILLOW_SIDE) - 1u)

/* How often stability may spread to neighbours. Without end the nodes near the end are 0.7 % fewer, but the time is
 * more, as the end of such a loop is hard to predict. */
enum { ROUNDS = 4 };

/* Discs of `other` that a disc of `own` on the empty square turns along an edge of so many squares. */
static unsigned edge_flips(unsigned own, unsigned other, int square, int side)
{
    unsigned flips = 0;
    for (int step = -1; step <= 1; step += 2) {
        unsigned line = 0;
        int at = square + step;
        while (at >= 0 && at < side && (other >> at & 1u)) {
            line |= 1u << at;
            at += step;
        }
        if (at >= 0 && at < side && (own >> at & 1u))
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
    for (int square = 0; square < stability->side; square++) {
        unsigned bit = 1u << square;
        if ((own | other) & bit)
            continue;
        unsigned flips = edge_flips(own, other, square, stability->side);
        unsigned own_after = own | flips | bit, other_after = other & ~flips;
        stable &= ~flips & stability->edge[stability->ternary[own_after] + 2 * stability->ternary[other_after]];
        flips = edge_flips(other, own, square, stability->side);
        own_after = own & ~flips;
        other_after = other | flips | bit;
        stable &= ~flips & stability->edge[stability->ternary[own_after] + 2 * stability->ternary[other_after]];
    }
    return stable;
}

void stability_init(struct stability *stability, const struct geometry *geometry)
{
    const int side = geometry->side;
    const unsigned masks = 1u << side;
    stability->side = side;
    stability->playable = geometry->playable;
    stability->inner = geometry->playable & ~geometry->edges;
    for (unsigned mask = 0; mask < masks; mask++) {
        unsigned value = 0;
        for (int bit = side - 1; bit >= 0; bit--)
            value = 3 * value + (mask >> bit & 1u);
        stability->ternary[mask] = (uint16_t)value;
    }
    for (int discs = side; discs >= 0; discs--)
        for (unsigned taken = 0; taken < masks; taken++) {
            if (__builtin_popcount(taken) != discs)
                continue;
            for (unsigned own = taken;; own = (own - 1) & taken) {
                unsigned other = taken & ~own;
                unsigned index = stability->ternary[own] + 2u * stability->ternary[other];
                stability->edge[index] = (stability_edge)edge_stable(stability, own, other);
                if (own == 0)
                    break;
            }
        }
}

#ifdef WILLOW_WIDE

/* A column as bits, row 1 lowest. */
static unsigned column_bits(willow_bits board, int column)
{
    unsigned bits = 0;
    for (int row = 0; row < WILLOW_SIDE; row++)
        bits |= (unsigned)(board >> (WILLOW_SIDE * row + column) & 1) << row;
    return bits;
}

/* Back again. */
static willow_bits column_mask(unsigned bits, int column)
{
    willow_bits mask = 0;
    for (int row = 0; row < WILLOW_SIDE; row++)
        mask |= (willow_bits)(bits >> row & 1u) << (WILLOW_SIDE * row + column);
    return mask;
}

#else

/* A column as eight bits, row 1 lowest. The products of the eight set bits do not meet. */
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

#endif

static unsigned edge_lookup(const struct stability *stability, unsigned own, unsigned other)
{
    return stability->edge[stability->ternary[own] + 2u * stability->ternary[other]] & own;
}

static willow_bits stable_edges(const struct stability *stability, willow_bits player, willow_bits opponent)
{
    const int last = stability->side - 1, shift = WILLOW_SIDE * last;
    willow_bits stable = edge_lookup(stability, (unsigned)player & ROW_MASK, (unsigned)opponent & ROW_MASK);
    stable |= (willow_bits)edge_lookup(stability, (unsigned)(player >> shift) & ROW_MASK,
                                       (unsigned)(opponent >> shift) & ROW_MASK)
              << shift;
    for (int column = 0; column <= last; column += last)
        stable |=
            column_mask(edge_lookup(stability, column_bits(player, column), column_bits(opponent, column)), column);
    return stable;
}

/* Squares on lines that are not full yet, by the axes of kernel_rays. With few empty squares this is faster than to
 * look for the full lines. */
struct open_lines {
    willow_bits axis[4];
};

static struct open_lines find_open_lines(willow_bits empty)
{
    struct open_lines open = {{0}};
    for (; empty; empty &= empty - 1) {
        const willow_bits *rays = kernel_rays[kernel_first(empty)];
        for (int i = 0; i < 4; i++)
            open.axis[i] |= rays[i] | rays[i + 4];
    }
    return open;
}

willow_bits stability_discs(const struct stability *stability, willow_bits player, willow_bits opponent)
{
    struct open_lines open = find_open_lines(stability->playable & ~(player | opponent));
    willow_bits row = ~open.axis[0], column = ~open.axis[1], rising = ~open.axis[2], falling = ~open.axis[3];
    willow_bits inner = player & stability->inner;
    willow_bits stable = stable_edges(stability, player, opponent) | (inner & row & column & rising & falling);
    /* An inner disc is stable when each of its four lines is full or ends at a stable disc of its own colour on one
     * side. */
    for (int i = 0; i < ROUNDS; i++)
        stable |= inner & (row | stable >> 1 | stable << 1) & (column | stable >> WILLOW_SIDE | stable << WILLOW_SIDE) &
                  (falling | stable >> (WILLOW_SIDE + 1) | stable << (WILLOW_SIDE + 1)) &
                  (rising | stable >> (WILLOW_SIDE - 1) | stable << (WILLOW_SIDE - 1));
    return stable;
}
