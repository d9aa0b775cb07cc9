/* The shape of a ruleset's board, derived from its size and its playable squares. Layer: search. */
#include "search/geometry.h"

static willow_bits at(int column, int row)
{
    return WILLOW_BIT(WILLOW_SIDE * row + column);
}

static willow_bits column(int number)
{
    willow_bits squares = 0;
    for (int row = 0; row < WILLOW_SIDE; row++)
        squares |= at(number, row);
    return squares;
}

static willow_bits row(int number)
{
    willow_bits squares = 0;
    for (int i = 0; i < WILLOW_SIDE; i++)
        squares |= at(i, number);
    return squares;
}

willow_bits geometry_beside(willow_bits squares)
{
    willow_bits around = squares;
    around |= (squares & ~column(WILLOW_SIDE - 1)) << 1 | (squares & ~column(0)) >> 1;
    around |= (around & ~row(WILLOW_SIDE - 1)) << WILLOW_SIDE | around >> WILLOW_SIDE;
    return around & ~squares;
}

void geometry_init(struct geometry *geometry, const struct willow_ruleset *ruleset)
{
    const int right = ruleset->width - 1, bottom = ruleset->height - 1;
    const willow_bits playable = ruleset->playable;
    const willow_bits corners = (at(0, 0) | at(right, 0) | at(0, bottom) | at(right, bottom)) & playable;
    const int squares = willow_bits_count(playable);
    const int side = right > bottom ? right + 1 : bottom + 1;
    *geometry = (struct geometry){
        .playable = playable,
        .corners = corners,
        .beside_corners = geometry_beside(corners) & playable,
        .edges = (column(0) | column(right) | row(0) | row(bottom)) & playable,
        .squares = squares,
        .side = side,
        .centring = (WILLOW_SIDE - side) / 2 * (WILLOW_SIDE + 1),
        .full = squares == side * side,
    };
}
