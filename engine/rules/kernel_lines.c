/* The tables of lines, spelled as constant expressions: the next disc above and below a place, and the two long
 * diagonals shifted by whole rows. Layer: rules.
 */
#include "rules/kernel_lines.h"

/* The run of zeros from the place to the next bit that is set; without such a bit there is no run. The bits added under
 * __builtin_ctz and __builtin_clz only keep their arguments from being 0. */
#define OVER(line, place) ((line) >> (place) >> 1)
#define UNDER(line, place) ((line) & ((1u << (place)) - 1u))
#define RUN_UP(line, place) (OVER(line, place) ? __builtin_ctz(OVER(line, place) | 256u) : 0)
#define RUN_DOWN(line, place) (UNDER(line, place) ? __builtin_clz(UNDER(line, place) | 1u) - 32 + (place) : 0)

#define LINE(line, place) (uint8_t)(RUN_UP(line, place) + RUN_DOWN(line, place))
#define LINES_4(line, place) LINE(line, place), LINE(line + 1u, place), LINE(line + 2u, place), LINE(line + 3u, place)
#define LINES_16(line, place)                                                                                          \
    LINES_4(line, place), LINES_4(line + 4u, place), LINES_4(line + 8u, place), LINES_4(line + 12u, place)
#define LINES_64(line, place)                                                                                          \
    LINES_16(line, place), LINES_16(line + 16u, place), LINES_16(line + 32u, place), LINES_16(line + 48u, place)
#define LINES(place)                                                                                                   \
    {                                                                                                                  \
        LINES_64(0u, place), LINES_64(64u, place), LINES_64(128u, place), LINES_64(192u, place)                        \
    }

_Alignas(64) const uint8_t kernel_lines[8][256] = {
    LINES(0), LINES(1), LINES(2), LINES(3), LINES(4), LINES(5), LINES(6), LINES(7),
};

/* The diagonal moved up by `rows`, or down when negative. */
#define MOVED(diagonal, rows) ((rows) >= 0 ? (diagonal) << 8 * ((rows)&7) : (diagonal) >> 8 * (-(rows)&7))
#define DIAGONALS(s)                                                                                                   \
    {                                                                                                                  \
        MOVED(UINT64_C(0x0102040810204080), ((s) >> 3) + ((s)&7) - 7),                                                 \
            MOVED(UINT64_C(0x8040201008040201), ((s) >> 3) - ((s)&7))                                                  \
    }
#define DIAGONALS_OF_ROW(s)                                                                                            \
    DIAGONALS(s), DIAGONALS((s) + 1), DIAGONALS((s) + 2), DIAGONALS((s) + 3), DIAGONALS((s) + 4), DIAGONALS((s) + 5),  \
        DIAGONALS((s) + 6), DIAGONALS((s) + 7)

_Alignas(64) const uint64_t kernel_diagonals[64][2] = {
    DIAGONALS_OF_ROW(0),  DIAGONALS_OF_ROW(8),  DIAGONALS_OF_ROW(16), DIAGONALS_OF_ROW(24),
    DIAGONALS_OF_ROW(32), DIAGONALS_OF_ROW(40), DIAGONALS_OF_ROW(48), DIAGONALS_OF_ROW(56),
};
