/* Pattern sets as data: shapes as lists of squares, and which shapes and scalar terms a set consists of; with the
 * tables that are derived from them. What is typed stands in pattern_sets.c, what follows from it in patterns.c. Layer:
 * eval, internal.
 */
#ifndef WILLOW_EVAL_PATTERN_SETS_H
#define WILLOW_EVAL_PATTERN_SETS_H

#include <stdalign.h>
#include <stdint.h>

#include <willow/patterns.h>

#include "eval/lanes.h"

/* One orientation of a shape; the others follow from the symmetries of the board. */
struct pattern_shape {
    const char *name;
    const char *squares; /* "a1 b1 ...": the first square is the most significant digit */
};

/* What a scalar term counts; its value is clipped to its table. */
enum pattern_scalar_kind {
    SCALAR_DISCS,         /* discs on the board: place in the game, and with it parity */
    SCALAR_MOBILITY,      /* legal moves of the side to move */
    SCALAR_OTHER_MOBILITY /* legal moves of the other side */
};

struct pattern_scalar {
    const char *name;
    enum pattern_scalar_kind kind;
    uint32_t size; /* entries of its table: values 0 .. size - 1 */
};

enum { PATTERN_SHAPES_MAX = 16, PATTERN_RAW_MAX = 520000 };

/* Everything derived from the data of one set. "Raw" indices count all configurations of all shapes, shape after shape;
 * "tied" ones only the distinct weights. */
struct pattern_tables {
    int features, shape_count;
    uint32_t raw_count;    /* configurations of all shapes together */
    uint32_t tied_count;   /* distinct weights of them */
    uint32_t scalar_count; /* entries of all scalar tables together */
    uint32_t raw_begin[PATTERN_SHAPES_MAX + 1];
    uint32_t tied_begin[PATTERN_SHAPES_MAX + 1];
    int shape_size[PATTERN_SHAPES_MAX];
    uint8_t feature_shape[WILLOW_PATTERN_FEATURES_MAX];
    uint8_t feature_squares[WILLOW_PATTERN_FEATURES_MAX][WILLOW_PATTERN_SQUARES_MAX];
    alignas(64) int32_t
        lane_begin[LANES];         /* raw index of a lane's first configuration; the zero entry for an idle lane */
    struct lanes rows[8][256];     /* digits 1 of every pattern of discs in a row, as lane sums */
    uint32_t tie[PATTERN_RAW_MAX]; /* raw index -> tied index; the scalar tables follow the shapes in both */
};

struct willow_pattern_set {
    const char *name;
    uint32_t id;
    int shape_count, scalar_count;
    const struct pattern_shape *const *shapes;
    const struct pattern_scalar *const *scalars;
};

enum { PATTERN_SETS = 3, PATTERN_SET_DEFAULT = 2 };
extern const struct willow_pattern_set pattern_sets[PATTERN_SETS];

/* The tables of a set that came from a find function; they live as long as the program. */
const struct pattern_tables *pattern_set_tables(const struct willow_pattern_set *set);

/* Value of a scalar term, within its table. */
uint32_t pattern_scalar_value(const struct pattern_scalar *scalar, struct willow_board board);

#endif
