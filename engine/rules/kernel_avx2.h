/* Legal moves and flips in AVX2: the four axes of the board in the four 64-bit lanes of a register.
 * Compiles in every build so that tests can compare it where the processor has AVX2; kernel.h selects it only when the
 * whole build may use it. Layer: rules. For boards of 64 squares.
 */
#ifndef RULES_KERNEL_AVX2_H
#define RULES_KERNEL_AVX2_H

#if defined(__x86_64__) && !defined(WILLOW_WIDE)

#include <immintrin.h>
#include <stdint.h>

#include "rules/kernel_rays.h"

#ifdef __AVX2__
#define KERNEL_SELECTS_AVX2 1
#define KERNEL_AVX2
#else
#define KERNEL_AVX2 __attribute__((target("avx2")))
#endif

/* The lanes of x or-ed together. */
KERNEL_AVX2 static inline uint64_t avx2_or_lanes(__m256i x)
{
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    half = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    return (uint64_t)_mm_cvtsi128_si64(half);
}

/* The parallel prefix of portable_moves_axis, all four axes at once (steps 1, 8, 7, 9). */
KERNEL_AVX2 static inline uint64_t avx2_moves(uint64_t player, uint64_t opponent)
{
    const __m256i step = _mm256_set_epi64x(9, 7, 8, 1);
    const __m256i step2 = _mm256_set_epi64x(18, 14, 16, 2);
    const int64_t columns = 0x7E7E7E7E7E7E7E7E;
    const __m256i p = _mm256_set1_epi64x((int64_t)player);
    const __m256i inner =
        _mm256_and_si256(_mm256_set1_epi64x((int64_t)opponent), _mm256_set_epi64x(columns, columns, -1, columns));

    __m256i up = _mm256_and_si256(inner, _mm256_sllv_epi64(p, step));
    __m256i down = _mm256_and_si256(inner, _mm256_srlv_epi64(p, step));
    up = _mm256_or_si256(up, _mm256_and_si256(inner, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(inner, _mm256_srlv_epi64(down, step)));
    const __m256i pairs_up = _mm256_and_si256(inner, _mm256_sllv_epi64(inner, step));
    const __m256i pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));

    const __m256i ends = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    return avx2_or_lanes(ends) & ~(player | opponent);
}

KERNEL_AVX2 static inline uint64_t avx2_flips(uint64_t player, uint64_t opponent, int square)
{
    const __m256i step = _mm256_set_epi64x(9, 7, 8, 1);
    const __m256i step2 = _mm256_set_epi64x(18, 14, 16, 2);
    const __m256i zero = _mm256_setzero_si256();
    const __m256i ones = _mm256_cmpeq_epi64(zero, zero);
    const __m256i p = _mm256_set1_epi64x((int64_t)player);
    const __m256i o = _mm256_set1_epi64x((int64_t)opponent);
    const __m256i *rays = (const __m256i *)(const void *)kernel_rays[square];

    /* To higher bits: the lowest square of the ray that is not the opponent's, as x & -x, must be the player's. Spelled
     * as a subtraction from zero: gcc 12 turns the complement that an addition needs into a vpternlog with a false
     * dependency, which took perft(11) from 0.27 s to 0.46 s. A lane without an end subtracts nothing. */
    const __m256i ray_up = _mm256_load_si256(rays);
    const __m256i open_up = _mm256_andnot_si256(o, ray_up);
    const __m256i end_up = _mm256_and_si256(_mm256_and_si256(open_up, p), _mm256_sub_epi64(zero, open_up));
    const __m256i none_up = _mm256_cmpeq_epi64(end_up, zero);
    const __m256i below = _mm256_sub_epi64(_mm256_add_epi64(end_up, ones), none_up);
    const __m256i flips_up = _mm256_and_si256(below, ray_up);

    /* To lower bits: AVX2 cannot find the highest bit, so the blocking squares are smeared outwards, by one to six
     * squares (a ray has seven). What the smear leaves of the ray are the discs before the first blocker; that one is
     * the square of the smear whose inner neighbour is not in it. */
    const __m256i ray_down = _mm256_load_si256(rays + 1);
    const __m256i blocked = _mm256_andnot_si256(o, ray_down);
    __m256i beyond = _mm256_srlv_epi64(blocked, step);
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step2));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step2));
    const __m256i first_down = _mm256_andnot_si256(beyond, blocked);
    const __m256i none_down = _mm256_cmpeq_epi64(_mm256_and_si256(first_down, p), zero);
    const __m256i run = _mm256_andnot_si256(_mm256_or_si256(beyond, blocked), ray_down);
    const __m256i flips_down = _mm256_andnot_si256(none_down, run);

    return avx2_or_lanes(_mm256_or_si256(flips_up, flips_down));
}

#endif
#endif
