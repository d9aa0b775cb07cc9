/* The table of levels of play. Layer: search. */
#include <willow/level.h>

/* A level is about a ply deeper than the one before it, and its endgame begins as much earlier. Up to level 10 a move
 * comes at once; from then on the columns are matched so that the costliest move of the endgame takes as long as a
 * move of the midgame, within a factor of a few. Where 100 stands, nothing is left out because nothing would be gained.
 *
 * In the same time a board of 100 squares is solved from three squares less: a position of 18 empty squares takes ten
 * times as long there. Smaller boards take as long as 8x8 for the same number of empty squares. */
#define END(empties) (WILLOW_SIDE == 8 || (empties) <= 12 ? (empties) : (empties) <= 15 ? 12 : (empties)-3)
#define LEVEL(depth, selectivity, exact, selective_end, end_selectivity)                                               \
    {                                                                                                                  \
        depth, selectivity, END(exact), END(selective_end), end_selectivity                                            \
    }

static const struct willow_level levels[WILLOW_LEVEL_MAX] = {
    /* depth, selectivity, exact, selective end, its selectivity */
    LEVEL(1, 100, 2, 2, 100),   /* 1 */
    LEVEL(2, 100, 4, 4, 100),   /* 2 */
    LEVEL(3, 100, 6, 6, 100),   /* 3 */
    LEVEL(4, 100, 8, 8, 100),   /* 4 */
    LEVEL(5, 100, 10, 10, 100), /* 5 */
    LEVEL(6, 73, 12, 12, 100),  /* 6 */
    LEVEL(7, 73, 13, 14, 95),   /* 7 */
    LEVEL(8, 73, 14, 16, 95),   /* 8 */
    LEVEL(9, 73, 15, 17, 95),   /* 9 */
    LEVEL(10, 73, 16, 18, 95),  /* 10 */
    LEVEL(11, 73, 17, 19, 95),  /* 11 */
    LEVEL(12, 73, 18, 20, 95),  /* 12 */
    LEVEL(13, 73, 19, 21, 95),  /* 13 */
    LEVEL(14, 73, 20, 22, 95),  /* 14 */
    LEVEL(15, 73, 21, 23, 95),  /* 15 */
    LEVEL(16, 73, 22, 24, 95),  /* 16 */
    LEVEL(17, 73, 22, 25, 87),  /* 17 */
    LEVEL(18, 73, 23, 26, 87),  /* 18 */
    LEVEL(19, 73, 23, 27, 87),  /* 19 */
    LEVEL(20, 73, 24, 28, 87),  /* 20 */
    LEVEL(21, 73, 24, 28, 87),  /* 21 */
    LEVEL(22, 73, 25, 29, 87),  /* 22 */
    LEVEL(23, 73, 25, 29, 87),  /* 23 */
    LEVEL(24, 73, 26, 30, 87),  /* 24 */
    LEVEL(25, 73, 26, 31, 87),  /* 25 */
    LEVEL(26, 73, 27, 32, 87),  /* 26 */
    LEVEL(28, 73, 28, 33, 87),  /* 27 */
    LEVEL(30, 73, 29, 35, 73),  /* 28 */
    LEVEL(32, 73, 30, 36, 73),  /* 29 */
    LEVEL(34, 73, 31, 38, 73),  /* 30 */
};

/* More plies than any game has left. */
enum { TO_THE_END = WILLOW_SQUARES };

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
