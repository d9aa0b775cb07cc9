/* Pattern sets as data: shapes as lists of squares, and which shapes and scalar terms a set consists of; and what such
 * a set becomes on a board. What is typed stands in pattern_sets.c, what follows from it in pattern_layout.c. Layer:
 * eval, internal.
 */
#ifndef WILLOW_EVAL_PATTERN_SETS_H
#define WILLOW_EVAL_PATTERN_SETS_H

#include <stdalign.h>
#include <stdint.h>

#include <willow/patterns.h>

#include "eval/lanes.h"

/* One orientation of a shape, drawn on a board of 8x8; pattern_layout.c says what it is on another. */
struct pattern_shape {
    const char *name;
    const char *squares; /* "a1 b1 ...": the first square is the most significant digit */
};

/* What a scalar term counts. */
enum pattern_scalar_kind {
    SCALAR_DISCS,         /* discs on the board: place in the game, and with it parity */
    SCALAR_MOBILITY,      /* legal moves of the side to move */
    SCALAR_OTHER_MOBILITY /* legal moves of the other side */
};

struct pattern_source {
    const char *name;
    uint32_t id;
    int shape_count, scalar_count;
    const struct pattern_shape *const *shapes;
    const enum pattern_scalar_kind *scalars;
};

enum { PATTERN_SETS = 3, PATTERN_SET_DEFAULT = 2 };
extern const struct pattern_source pattern_sources[PATTERN_SETS];

/* A table of weights: that of a shape, or of the orientations of it that lost the same squares. */
struct pattern_table {
    const struct pattern_shape *shape;
    unsigned dropped; /* bit i: square i of the shape does not exist in these orientations */
    int size;         /* squares that are left: the digits of a configuration */
    uint32_t raw_begin, tied_begin;
    char name[48]; /* that of the shape, with the lost squares of it: "corner3x3-c3" */
};

/* A scalar term on a board; its value is clipped to its table. */
struct pattern_scalar {
    const char *name;
    enum pattern_scalar_kind kind;
    uint32_t size;       /* entries of its table: values 0 .. size - 1 */
    willow_bits counted; /* squares that exist */
};

/* A set as it lies on a board: everything that is derived from its data. "Raw" indices count all configurations of all
 * tables, table after table; "tied" ones only the distinct weights. The scalar tables follow in both. */
struct willow_pattern_set {
    struct lanes chunks[LANES_CHUNKS][LANES_CHUNK_MASKS]; /* digits 1 of every pattern of discs, as lane sums */
    alignas(64) int32_t
        lane_begin[LANES]; /* raw index of a lane's first configuration; the zero entry for an idle lane */
    const struct pattern_source *source;
    willow_bits playable;
    int width, height;
    int features, table_count, scalar_count;
    uint32_t raw_count;      /* configurations of all tables together */
    uint32_t tied_count;     /* distinct weights of them */
    uint32_t scalar_entries; /* of all scalar tables together */
    struct pattern_scalar scalars[WILLOW_SCALAR_FEATURES_MAX];
    struct pattern_table tables[WILLOW_PATTERN_FEATURES_MAX]; /* every table has a feature at least */
    uint8_t feature_table[WILLOW_PATTERN_FEATURES_MAX];
    uint8_t feature_squares[WILLOW_PATTERN_FEATURES_MAX][WILLOW_PATTERN_SQUARES_MAX];
    uint32_t *tie;                         /* raw index -> tied index */
    const struct willow_pattern_set *next; /* in the list of those that were made */
};

/* Lays the set of a source on the board of the ruleset. Null when there is no memory. */
struct willow_pattern_set *pattern_layout(const struct pattern_source *source, const struct willow_ruleset *ruleset);

/* Value of a scalar term, within its table. */
uint32_t pattern_scalar_value(const struct pattern_scalar *scalar, struct willow_board board);

#endif
