/* The table of rays, spelled as constant expressions: a ray from a1 or h8 is shifted to the square, and what wrapped
 * round the side of the board is masked off by columns. Layer: rules.
 */
#include "rules/kernel_rays.h"

#define EVERY_ROW 0x0101010101010101u
#define COLUMN(s) ((s)&7)
#define LEFT_OF(s) (EVERY_ROW * ((1u << COLUMN(s)) - 1u))
#define RIGHT_OF(s) (EVERY_ROW * (0xFEu << COLUMN(s) & 0xFFu))
#define ROW_OF(s) (UINT64_C(0xFF) << ((s)&56))

/* Each constant holds bit k * step for k = 1..7, or 63 - k * step for the rays to lower bits. */
#define RAYS(s)                                                                                                        \
    {                                                                                                                  \
        ROW_OF(s) & RIGHT_OF(s), UINT64_C(0x0101010101010100) << (s), UINT64_C(0x0002040810204080) << (s)&LEFT_OF(s),  \
            UINT64_C(0x8040201008040200) << (s)&RIGHT_OF(s), ROW_OF(s) & LEFT_OF(s),                                   \
            UINT64_C(0x0080808080808080) >> (63 - (s)), UINT64_C(0x0102040810204000) >> (63 - (s)) & RIGHT_OF(s),      \
            UINT64_C(0x0040201008040201) >> (63 - (s)) & LEFT_OF(s)                                                    \
    }
#define RAYS_OF_ROW(s)                                                                                                 \
    RAYS(s), RAYS((s) + 1), RAYS((s) + 2), RAYS((s) + 3), RAYS((s) + 4), RAYS((s) + 5), RAYS((s) + 6), RAYS((s) + 7)

_Alignas(64) const uint64_t kernel_rays[64][8] = {
    RAYS_OF_ROW(0),  RAYS_OF_ROW(8),  RAYS_OF_ROW(16), RAYS_OF_ROW(24),
    RAYS_OF_ROW(32), RAYS_OF_ROW(40), RAYS_OF_ROW(48), RAYS_OF_ROW(56),
};
