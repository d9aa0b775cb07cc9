/* The last four empty squares: exact null-window search without table or lists. Other rulesets than the
 * standard game take a plain loop. Layer: search. */
#ifndef SEARCH_LASTEMPTIES_H
#define SEARCH_LASTEMPTIES_H

#include <stdint.h>

#include "search/worker.h"

enum { LAST_EMPTIES = 4 };

/* Squares of the quadrants with an odd number of `empty` squares. */
static inline uint64_t odd_quadrants(uint64_t empty)
{
    empty ^= empty >> 1;
    empty ^= empty >> 2;
    empty ^= empty >> 8;
    empty ^= empty >> 16;
    return (empty & 0x0000001100000011u) * 0x0F0F0F0Fu;
}

/* Tests whether the value of a position with `empties` <= LAST_EMPTIES is above alpha, in discs. Fail-soft: what comes
 * back is a lower bound when above alpha, else an upper bound. */
int last_empties(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, int empties);

/* The same with LAST_EMPTIES empty squares and the legal moves. */
int last_empties_moves(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, uint64_t legal);

#endif
