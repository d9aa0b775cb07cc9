/* The data of the pattern sets: the squares of every shape, and the shapes and scalar terms of every set. The one place
 * where a set is typed; a new set gets a new id, an id is never given to other data. Layer: eval.
 */
#include "eval/pattern_sets.h"

/* Shapes that have long proved themselves in Othello programs. Pattern instances on the board: in brackets. */
static const struct pattern_shape edge_2x = {"edge2x", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"};       /* (4) */
static const struct pattern_shape corner_3x3 = {"corner3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"};    /* (4) */
static const struct pattern_shape angle = {"angle", "a5 a4 a3 a2 a1 b2 b1 c1 d1 e1"};          /* (4) */
static const struct pattern_shape block = {"block", "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2"};          /* (4) */
static const struct pattern_shape corner_2x5 = {"corner2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"}; /* (8) */
static const struct pattern_shape triangle = {"triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"};    /* (4) */
static const struct pattern_shape row_2 = {"row2", "a2 b2 c2 d2 e2 f2 g2 h2"};                 /* (4) */
static const struct pattern_shape row_3 = {"row3", "a3 b3 c3 d3 e3 f3 g3 h3"};                 /* (4) */
static const struct pattern_shape row_4 = {"row4", "a4 b4 c4 d4 e4 f4 g4 h4"};                 /* (4) */
static const struct pattern_shape diagonal_8 = {"diagonal8", "a1 b2 c3 d4 e5 f6 g7 h8"};       /* (2) */
static const struct pattern_shape diagonal_7 = {"diagonal7", "a2 b3 c4 d5 e6 f7 g8"};          /* (4) */
static const struct pattern_shape diagonal_6 = {"diagonal6", "a3 b4 c5 d6 e7 f8"};             /* (4) */
static const struct pattern_shape diagonal_5 = {"diagonal5", "a4 b5 c6 d7 e8"};                /* (4) */
static const struct pattern_shape diagonal_4 = {"diagonal4", "a5 b6 c7 d8"};                   /* (4) */

/* Chosen by held-out error, see trainer/README.md. */
static const struct pattern_shape row_2_corners = {"row2corners", "a1 a2 b2 c2 d2 e2 f2 g2 h2 h1"}; /* (4) */
static const struct pattern_shape cross = {"cross", "a1 a2 b1 b2 b3 c2 c3 c4 d3 d4"};               /* (4) */
static const struct pattern_shape fan = {"fan", "c1 d1 c2 d2 e2 b3 c3 d3 c4 b2"};                   /* (8) */

static const struct pattern_shape *const shapes_46[] = {
    &edge_2x, &corner_3x3, &angle,      &block,      &row_2,      &row_3,
    &row_4,   &diagonal_8, &diagonal_7, &diagonal_6, &diagonal_5, &diagonal_4,
};
static const struct pattern_shape *const shapes_58[] = {
    &edge_2x, &corner_3x3, &angle,      &block,      &corner_2x5, &triangle,   &row_2,
    &row_3,   &row_4,      &diagonal_8, &diagonal_7, &diagonal_6, &diagonal_5, &diagonal_4,
};
static const struct pattern_shape *const shapes_62[] = {
    &edge_2x, &corner_3x3, &angle,      &block,      &corner_2x5, &triangle, &row_2_corners,
    &row_3,   &row_4,      &diagonal_8, &diagonal_7, &diagonal_6, &cross,    &fan,
};

static const enum pattern_scalar_kind scalars_place[] = {SCALAR_DISCS};
static const enum pattern_scalar_kind scalars_mobility[] = {SCALAR_DISCS, SCALAR_MOBILITY, SCALAR_OTHER_MOBILITY};

const struct pattern_source pattern_sources[PATTERN_SETS] = {
    {.name = "p46", .id = 1, .shapes = shapes_46, .shape_count = 12, .scalars = scalars_place, .scalar_count = 1},
    {.name = "p58", .id = 2, .shapes = shapes_58, .shape_count = 14, .scalars = scalars_place, .scalar_count = 1},
    {.name = "p62", .id = 3, .shapes = shapes_62, .shape_count = 14, .scalars = scalars_mobility, .scalar_count = 3},
};
