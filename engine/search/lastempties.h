/* The last four empty squares: exact null-window search without table or lists. Boards with
 * holes take a plain loop. Layer: search. */
#ifndef SEARCH_LASTEMPTIES_H
#define SEARCH_LASTEMPTIES_H

#include <stdint.h>

#include "search/worker.h"

enum { LAST_EMPTIES = 4 };

/* Squares of the quadrants with an odd number of `empty` squares, and others that are not playable. centring: of the
 * geometry. */
static inline willow_bits odd_quadrants(willow_bits empty, int centring)
{
#ifdef WILLOW_WIDE
    const willow_bits quadrant = WILLOW_BITS_ALL / 1023 / (1 + WILLOW_BIT(50)) * 31;
    willow_bits odd = 0;
    (void)centring;
    for (int square = 0; square < 60; square += square == 5 ? 45 : 5)
        if (willow_bits_count(empty & quadrant << square) & 1)
            odd |= quadrant << square;
    return odd;
#else
    empty <<= centring;
    empty ^= empty >> 1;
    empty ^= empty >> 2;
    empty ^= empty >> 8;
    empty ^= empty >> 16;
    return (empty & 0x0000001100000011u) * 0x0F0F0F0Fu >> centring;
#endif
}

/* Tests whether the value of a position with `empties` <= LAST_EMPTIES is above alpha, in discs. Fail-soft: what comes
 * back is a lower bound when above alpha, else an upper bound. */
int last_empties(struct worker *worker, willow_bits player, willow_bits opponent, int alpha, int empties);

/* The same with LAST_EMPTIES empty squares and the legal moves. */
int last_empties_moves(struct worker *worker, willow_bits player, willow_bits opponent, int alpha, willow_bits legal);

#endif
