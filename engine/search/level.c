/* The table of levels of play. Layer: search. */
#include <willow/level.h>

/* A level is about a ply deeper than the one before it, and its endgame begins as much earlier. Up to level 10 a move
 * comes at once; from then on the columns are matched so that the costliest move of the endgame takes as long as a
 * move of the midgame, within a factor of a few. Where 100 stands, nothing is left out because nothing would be gained.
 */
static const struct willow_level levels[WILLOW_LEVEL_MAX] = {
    /* depth, selectivity, exact, selective end, its selectivity */
    {1, 100, 2, 2, 100},   /* 1 */
    {2, 100, 4, 4, 100},   /* 2 */
    {3, 100, 6, 6, 100},   /* 3 */
    {4, 100, 8, 8, 100},   /* 4 */
    {5, 100, 10, 10, 100}, /* 5 */
    {6, 73, 12, 12, 100},  /* 6 */
    {7, 73, 13, 14, 95},   /* 7 */
    {8, 73, 14, 16, 95},   /* 8 */
    {9, 73, 15, 17, 95},   /* 9 */
    {10, 73, 16, 18, 95},  /* 10 */
    {11, 73, 17, 19, 95},  /* 11 */
    {12, 73, 18, 20, 95},  /* 12 */
    {13, 73, 19, 21, 95},  /* 13 */
    {14, 73, 20, 22, 95},  /* 14 */
    {15, 73, 21, 23, 95},  /* 15 */
    {16, 73, 22, 24, 95},  /* 16 */
    {17, 73, 22, 25, 87},  /* 17 */
    {18, 73, 23, 26, 87},  /* 18 */
    {19, 73, 23, 27, 87},  /* 19 */
    {20, 73, 24, 28, 87},  /* 20 */
    {21, 73, 24, 28, 87},  /* 21 */
    {22, 73, 25, 29, 87},  /* 22 */
    {23, 73, 25, 29, 87},  /* 23 */
    {24, 73, 26, 30, 87},  /* 24 */
    {25, 73, 26, 31, 87},  /* 25 */
    {26, 73, 27, 32, 87},  /* 26 */
    {28, 73, 28, 33, 87},  /* 27 */
    {30, 73, 29, 35, 73},  /* 28 */
    {32, 73, 30, 36, 73},  /* 29 */
    {34, 73, 31, 38, 73},  /* 30 */
};

/* More plies than any game has left. */
enum { TO_THE_END = 64 };

const struct willow_level *willow_level_find(int level)
{
    return &levels[level - WILLOW_LEVEL_MIN];
}

void willow_level_limit(int level, int empties, struct willow_limits *limits)
{
    const struct willow_level *row = willow_level_find(level);
    const bool to_the_end = empties <= row->selective_end;

    limits->depth = to_the_end ? TO_THE_END : row->depth;
    limits->selectivity = to_the_end ? row->end_selectivity : row->selectivity;
    limits->exact_empties = row->exact;
}
