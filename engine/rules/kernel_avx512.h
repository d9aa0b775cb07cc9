/* Legal moves and flips in AVX-512: shorter than in AVX2, because a lane counts its leading zeros and any function of
 * three words is one instruction. Compiles in every build so that tests can compare it where the processor has AVX-512;
 * kernel.h selects it only when the whole build may use it. Layer: rules.
 */
#ifndef RULES_KERNEL_AVX512_H
#define RULES_KERNEL_AVX512_H

#if defined(__x86_64__) && !defined(WILLOW_WIDE)

#include <immintrin.h>
#include <stdint.h>

#include "rules/kernel_avx2.h"
#include "rules/kernel_rays.h"

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512CD__)
#define KERNEL_SELECTS_AVX512 1
#define KERNEL_AVX512
#else
#define KERNEL_SELECTS_AVX512 0
#define KERNEL_AVX512 __attribute__((target("popcnt,avx2,avx512f,avx512vl,avx512cd")))
#endif

/* Truth tables for vpternlog: bit 4a + 2b + c is the value of the function at the bits a, b, c. */
enum {
    TERNARY_A_AND_B_AND_C = 0x80,
    TERNARY_A_AND_NOT_B_AND_C = 0x20,
    TERNARY_NOT_A_AND_B_AND_C = 0x08,
    TERNARY_NOT_A_AND_NOT_B_AND_C = 0x02,
    TERNARY_A_OR_B_AND_C = 0xF8,     /* a | (b & c) */
    TERNARY_NOT_A_AND_B_OR_C = 0xAE, /* (~a & b) | c */
};

/* The eight directions in eight lanes, as rotations to the left. What a rotation brings round an edge lands on the
 * opposite edge, and no disc there lies inside a line of that direction. */
KERNEL_AVX512 static inline uint64_t avx512_moves(uint64_t player, uint64_t opponent)
{
    const __m512i step = _mm512_set_epi64(55, 57, 56, 63, 9, 7, 8, 1);
    const __m512i step2 = _mm512_set_epi64(46, 50, 48, 62, 18, 14, 16, 2);
    const __m512i step3 = _mm512_set_epi64(37, 43, 40, 61, 27, 21, 24, 3);
    const int64_t columns = 0x7E7E7E7E7E7E7E7E, rows = 0x00FFFFFFFFFFFF00, both = columns & rows;
    const __m512i p = _mm512_set1_epi64((int64_t)player);
    const __m512i inner = _mm512_and_si512(_mm512_set1_epi64((int64_t)opponent),
                                           _mm512_set_epi64(both, both, rows, columns, both, both, rows, columns));

    /* Inner discs one, two and three steps from a disc of the player, then those up to six: two dependent steps of
     * three instead of four shorter ones. */
    const __m512i inner1 = _mm512_rolv_epi64(inner, step);
    const __m512i inner2 = _mm512_rolv_epi64(inner, step2);
    const __m512i triples = _mm512_ternarylogic_epi64(inner, inner1, inner2, TERNARY_A_AND_B_AND_C);
    __m512i run = _mm512_ternarylogic_epi64(_mm512_rolv_epi64(p, step2), inner2, _mm512_rolv_epi64(p, step3),
                                            TERNARY_A_OR_B_AND_C);
    run = _mm512_ternarylogic_epi64(_mm512_rolv_epi64(p, step), inner1, run, TERNARY_A_OR_B_AND_C);
    run = _mm512_and_si512(inner, run);
    run = _mm512_ternarylogic_epi64(run, triples, _mm512_rolv_epi64(run, step3), TERNARY_A_OR_B_AND_C);

    const __m512i ends = _mm512_rolv_epi64(run, step);
    const __m256i halves = _mm256_or_si256(_mm512_castsi512_si256(ends), _mm512_extracti64x4_epi64(ends, 1));
    return avx2_or_lanes(halves) & ~(player | opponent);
}

KERNEL_AVX512 static inline uint64_t avx512_flips(uint64_t player, uint64_t opponent, int square)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i ones = _mm256_set1_epi64x(-1);
    const __m256i p = _mm256_set1_epi64x((int64_t)player);
    const __m256i o = _mm256_set1_epi64x((int64_t)opponent);
    const __m256i *rays = (const __m256i *)(const void *)kernel_rays[square];

    /* To higher bits: the lowest square of the ray that is not the opponent's, as x & -x, must be the player's; the
     * bits below it, ~x & (x - 1), do not wait for that test. */
    const __m256i ray_up = _mm256_load_si256(rays);
    const __m256i open_up = _mm256_andnot_si256(o, ray_up);
    const __m256i end_up =
        _mm256_ternarylogic_epi64(open_up, _mm256_sub_epi64(zero, open_up), p, TERNARY_A_AND_B_AND_C);
    const __m256i none_up = _mm256_cmpeq_epi64(end_up, zero);
    const __m256i run_up =
        _mm256_ternarylogic_epi64(open_up, _mm256_add_epi64(open_up, ones), ray_up, TERNARY_NOT_A_AND_B_AND_C);

    /* To lower bits it is the highest such square, and the player's when its bit, shifted to the top, makes the lane
     * negative. A ray without one has 64 leading zeros, and shifts by 64 give 0. */
    const __m256i ray_down = _mm256_load_si256(rays + 1);
    const __m256i before = _mm256_lzcnt_epi64(_mm256_andnot_si256(o, ray_down));
    const __m256i some_down = _mm256_cmpgt_epi64(zero, _mm256_sllv_epi64(p, before));
    const __m256i flips_down =
        _mm256_ternarylogic_epi64(some_down, _mm256_srlv_epi64(ones, before), ray_down, TERNARY_A_AND_NOT_B_AND_C);

    return avx2_or_lanes(_mm256_ternarylogic_epi64(none_up, run_up, flips_down, TERNARY_NOT_A_AND_B_OR_C));
}

/* As above where the opponent holds all other squares: what is open is the player's, so only its presence is tested. */
KERNEL_AVX512 static inline int avx512_last_flips(uint64_t player, int square)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i ones = _mm256_set1_epi64x(-1);
    const __m256i p = _mm256_set1_epi64x((int64_t)player);
    const __m256i *rays = (const __m256i *)(const void *)kernel_rays[square];

    const __m256i ray_up = _mm256_load_si256(rays);
    const __m256i own_up = _mm256_and_si256(p, ray_up);
    const __m256i none_up = _mm256_cmpeq_epi64(own_up, zero);
    const __m256i run_up =
        _mm256_ternarylogic_epi64(own_up, _mm256_add_epi64(own_up, ones), ray_up, TERNARY_NOT_A_AND_B_AND_C);

    const __m256i ray_down = _mm256_load_si256(rays + 1);
    const __m256i own_down = _mm256_and_si256(p, ray_down);
    const __m256i none_down = _mm256_cmpeq_epi64(own_down, zero);
    const __m256i from_end = _mm256_srlv_epi64(ones, _mm256_lzcnt_epi64(own_down));
    const __m256i flips_down = _mm256_ternarylogic_epi64(none_down, from_end, ray_down, TERNARY_NOT_A_AND_NOT_B_AND_C);

    const __m256i flips = _mm256_ternarylogic_epi64(none_up, run_up, flips_down, TERNARY_NOT_A_AND_B_OR_C);
    return __builtin_popcountll(avx2_or_lanes(flips));
}

#endif
#endif
