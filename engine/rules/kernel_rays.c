/* The table of rays, spelled as constant expressions: the squares one to nine steps away that are still on the board.
 * Layer: rules.
 */
#include "rules/kernel_rays.h"

#define ON_BOARD(column, row) ((column) >= 0 && (column) < WILLOW_SIDE && (row) >= 0 && (row) < WILLOW_SIDE)
#define STEP(column, row)                                                                                              \
    (ON_BOARD(column, row) ? WILLOW_BIT(ON_BOARD(column, row) ? WILLOW_SIDE * (row) + (column) : 0) : 0)
#define RAY(c, r, right, down)                                                                                         \
    (STEP(c + 1 * (right), r + 1 * (down)) | STEP(c + 2 * (right), r + 2 * (down)) |                                   \
     STEP(c + 3 * (right), r + 3 * (down)) | STEP(c + 4 * (right), r + 4 * (down)) |                                   \
     STEP(c + 5 * (right), r + 5 * (down)) | STEP(c + 6 * (right), r + 6 * (down)) |                                   \
     STEP(c + 7 * (right), r + 7 * (down)) | STEP(c + 8 * (right), r + 8 * (down)) |                                   \
     STEP(c + 9 * (right), r + 9 * (down)))
#define RAYS(c, r)                                                                                                     \
    {                                                                                                                  \
        RAY(c, r, 1, 0), RAY(c, r, 0, 1), RAY(c, r, -1, 1), RAY(c, r, 1, 1), RAY(c, r, -1, 0), RAY(c, r, 0, -1),       \
            RAY(c, r, 1, -1), RAY(c, r, -1, -1)                                                                        \
    }
#define RAYS_OF_ROW_8(r) RAYS(0, r), RAYS(1, r), RAYS(2, r), RAYS(3, r), RAYS(4, r), RAYS(5, r), RAYS(6, r), RAYS(7, r)
#ifdef WILLOW_WIDE
#define RAYS_OF_ROW(r) RAYS_OF_ROW_8(r), RAYS(8, r), RAYS(9, r)
#else
#define RAYS_OF_ROW(r) RAYS_OF_ROW_8(r)
#endif

_Alignas(64) const willow_bits kernel_rays[WILLOW_SQUARES][8] = {
    RAYS_OF_ROW(0), RAYS_OF_ROW(1), RAYS_OF_ROW(2), RAYS_OF_ROW(3),
    RAYS_OF_ROW(4), RAYS_OF_ROW(5), RAYS_OF_ROW(6), RAYS_OF_ROW(7),
#ifdef WILLOW_WIDE
    RAYS_OF_ROW(8), RAYS_OF_ROW(9),
#endif
};
