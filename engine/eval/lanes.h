/* Sixty-four 16-bit pattern indices side by side: from scratch, after a move, and the sum of the weights they point to.
 * The only SIMD file of the evaluation: a portable version of each operation, and one for AVX2 that the build selects.
 * Layer: eval, internal; inline because the search calls these at every node.
 */
#ifndef WILLOW_EVAL_LANES_H
#define WILLOW_EVAL_LANES_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <willow/bits.h>

enum { LANES = 64 };

/* The place values of discs are looked up for a chunk of the board at a time: a row of 8x8; on 10x10 half a row. A
 * move takes as long with whole ones (16.4 and 17.5 ns), whose tables are 1.3 MB instead of 80 KB. */
#ifdef WILLOW_WIDE
enum { LANES_CHUNK = 5 };
#else
enum { LANES_CHUNK = 8 };
#endif
enum { LANES_CHUNKS = (WILLOW_SQUARES + LANES_CHUNK - 1) / LANES_CHUNK, LANES_CHUNK_MASKS = 1 << LANES_CHUNK };

/* One value a pattern feature; idle lanes are zero. */
struct lanes {
    alignas(64) uint16_t lane[LANES];
};

/* The discs of one chunk. */
static inline size_t lanes_mask(willow_bits discs, int chunk)
{
    return (size_t)(discs >> LANES_CHUNK * chunk) & (LANES_CHUNK_MASKS - 1);
}

/* The place values of a disc on the square. */
static inline const uint16_t *lanes_of_square(const struct lanes chunks[][LANES_CHUNK_MASKS], unsigned square)
{
    return chunks[square / LANES_CHUNK][1u << square % LANES_CHUNK].lane;
}

/* With P and O the sums of the place values of the two sides' discs: own = P + 2 O, other = O + 2 P. */
static inline void lanes_init_portable(const struct lanes chunks[][LANES_CHUNK_MASKS], willow_bits player,
                                       willow_bits opponent, uint16_t *restrict own, uint16_t *restrict other)
{
    for (int i = 0; i < LANES; i++)
        own[i] = other[i] = 0;
    for (int chunk = 0; chunk < LANES_CHUNKS; chunk++) {
        const uint16_t *p = chunks[chunk][lanes_mask(player, chunk)].lane;
        const uint16_t *o = chunks[chunk][lanes_mask(opponent, chunk)].lane;
        for (int i = 0; i < LANES; i++) {
            own[i] = (uint16_t)(own[i] + p[i] + 2 * o[i]);
            other[i] = (uint16_t)(other[i] + o[i] + 2 * p[i]);
        }
    }
}

/* The side to move places on the square (place values S) and turns discs (F); the view changes sides. The new mover has
 * P' = O - F, the new other side O' = P + F + S, hence own' = other + F + 2 S and other' = own - F + S. */
static inline void lanes_play_portable(const struct lanes chunks[][LANES_CHUNK_MASKS], const uint16_t *restrict own,
                                       const uint16_t *restrict other, uint16_t *restrict to_own,
                                       uint16_t *restrict to_other, int square, willow_bits flips)
{
    const uint16_t *s = lanes_of_square(chunks, (unsigned)square);
    for (int i = 0; i < LANES; i++) {
        to_own[i] = (uint16_t)(other[i] + 2 * s[i]);
        to_other[i] = (uint16_t)(own[i] + s[i]);
    }
    for (int chunk = 0; chunk < LANES_CHUNKS; chunk++) {
        if (lanes_mask(flips, chunk) == 0)
            continue;
        const uint16_t *f = chunks[chunk][lanes_mask(flips, chunk)].lane;
        for (int i = 0; i < LANES; i++) {
            to_own[i] = (uint16_t)(to_own[i] + f[i]);
            to_other[i] = (uint16_t)(to_other[i] - f[i]);
        }
    }
}

/* index[i] = begin[i] + the own[i] of lanes_init, for who needs one side alone. */
static inline void lanes_indices_portable(const struct lanes chunks[][LANES_CHUNK_MASKS], const int32_t *begin,
                                          willow_bits player, willow_bits opponent, uint32_t *index)
{
    struct lanes own, other;
    lanes_init_portable(chunks, player, opponent, own.lane, other.lane);
    for (int i = 0; i < LANES; i++)
        index[i] = (uint32_t)begin[i] + own.lane[i];
}

/* Sum of table[begin[i] + index[i]] over all lanes. */
static inline int32_t lanes_sum_portable(const int16_t *table, const int32_t *begin, const uint16_t *index)
{
    int32_t sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += table[begin[i] + index[i]];
    return sum;
}

#ifdef __AVX2__

enum { LANES_REGISTERS = 4 };

static inline __m256i lanes_load(const uint16_t *lanes, int i)
{
    return _mm256_load_si256((const __m256i *)(const void *)lanes + i);
}

static inline void lanes_store(uint16_t *lanes, int i, __m256i value)
{
    _mm256_store_si256((__m256i *)(void *)lanes + i, value);
}

/* The sums P and O of the place values of the two sides' discs. */
static inline void lanes_add_chunks(const struct lanes chunks[][LANES_CHUNK_MASKS], willow_bits player,
                                    willow_bits opponent, __m256i p[LANES_REGISTERS], __m256i o[LANES_REGISTERS])
{
    for (int i = 0; i < LANES_REGISTERS; i++)
        p[i] = o[i] = _mm256_setzero_si256();
    for (int chunk = 0; chunk < LANES_CHUNKS; chunk++) {
        const uint16_t *of_player = chunks[chunk][lanes_mask(player, chunk)].lane;
        const uint16_t *of_opponent = chunks[chunk][lanes_mask(opponent, chunk)].lane;
        for (int i = 0; i < LANES_REGISTERS; i++) {
            p[i] = _mm256_add_epi16(p[i], lanes_load(of_player, i));
            o[i] = _mm256_add_epi16(o[i], lanes_load(of_opponent, i));
        }
    }
}

static inline void lanes_init(const struct lanes chunks[][LANES_CHUNK_MASKS], willow_bits player, willow_bits opponent,
                              uint16_t *own, uint16_t *other)
{
    __m256i p[LANES_REGISTERS], o[LANES_REGISTERS];
    lanes_add_chunks(chunks, player, opponent, p, o);
    for (int i = 0; i < LANES_REGISTERS; i++) {
        lanes_store(own, i, _mm256_add_epi16(p[i], _mm256_add_epi16(o[i], o[i])));
        lanes_store(other, i, _mm256_add_epi16(o[i], _mm256_add_epi16(p[i], p[i])));
    }
}

static inline void lanes_play(const struct lanes chunks[][LANES_CHUNK_MASKS], const uint16_t *own,
                              const uint16_t *other, uint16_t *to_own, uint16_t *to_other, int square,
                              willow_bits flips)
{
    const uint16_t *s = lanes_of_square(chunks, (unsigned)square);
    __m256i f[LANES_REGISTERS];
    for (int i = 0; i < LANES_REGISTERS; i++)
        f[i] = _mm256_setzero_si256();
    while (flips) {
        int chunk = willow_bits_first(flips) / LANES_CHUNK;
        const uint16_t *of_chunk = chunks[chunk][lanes_mask(flips, chunk)].lane;
        for (int i = 0; i < LANES_REGISTERS; i++)
            f[i] = _mm256_add_epi16(f[i], lanes_load(of_chunk, i));
        flips &= ~((willow_bits)(LANES_CHUNK_MASKS - 1) << LANES_CHUNK * chunk);
    }
    for (int i = 0; i < LANES_REGISTERS; i++) {
        __m256i placed = lanes_load(s, i);
        __m256i gain = _mm256_add_epi16(f[i], _mm256_add_epi16(placed, placed));
        __m256i loss = _mm256_sub_epi16(f[i], placed);
        lanes_store(to_own, i, _mm256_add_epi16(lanes_load(other, i), gain));
        lanes_store(to_other, i, _mm256_sub_epi16(lanes_load(own, i), loss));
    }
}

static inline void lanes_indices(const struct lanes chunks[][LANES_CHUNK_MASKS], const int32_t *begin,
                                 willow_bits player, willow_bits opponent, uint32_t *index)
{
    __m256i p[LANES_REGISTERS], o[LANES_REGISTERS];
    lanes_add_chunks(chunks, player, opponent, p, o);
    const __m256i *from = (const __m256i *)(const void *)begin;
    __m256i *to = (__m256i *)(void *)index;
    for (int i = 0; i < LANES_REGISTERS; i++) {
        __m256i own = _mm256_add_epi16(p[i], _mm256_add_epi16(o[i], o[i]));
        __m256i low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(own));
        __m256i high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(own, 1));
        _mm256_storeu_si256(to + 2 * i, _mm256_add_epi32(low, _mm256_load_si256(from + 2 * i)));
        _mm256_storeu_si256(to + 2 * i + 1, _mm256_add_epi32(high, _mm256_load_si256(from + 2 * i + 1)));
    }
}

/* Gathers read four bytes for a weight of two: the table must be readable one entry past the last index. */
static inline int32_t lanes_sum(const int16_t *table, const int32_t *begin, const uint16_t *index)
{
    const __m256i low_half = _mm256_set1_epi32(1); /* (low, high) times (1, 0), added: the low half, sign kept */
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < LANES; i += 8) {
        __m256i at = _mm256_cvtepu16_epi32(_mm_load_si128((const __m128i *)(const void *)(index + i)));
        at = _mm256_add_epi32(at, _mm256_load_si256((const __m256i *)(const void *)(begin + i)));
        __m256i pair = _mm256_i32gather_epi32((const int *)(const void *)table, at, 2);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pair, low_half));
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
}

#else

static inline void lanes_init(const struct lanes chunks[][LANES_CHUNK_MASKS], willow_bits player, willow_bits opponent,
                              uint16_t *own, uint16_t *other)
{
    lanes_init_portable(chunks, player, opponent, own, other);
}

static inline void lanes_play(const struct lanes chunks[][LANES_CHUNK_MASKS], const uint16_t *own,
                              const uint16_t *other, uint16_t *to_own, uint16_t *to_other, int square,
                              willow_bits flips)
{
    lanes_play_portable(chunks, own, other, to_own, to_other, square, flips);
}

static inline void lanes_indices(const struct lanes chunks[][LANES_CHUNK_MASKS], const int32_t *begin,
                                 willow_bits player, willow_bits opponent, uint32_t *index)
{
    lanes_indices_portable(chunks, begin, player, opponent, index);
}

static inline int32_t lanes_sum(const int16_t *table, const int32_t *begin, const uint16_t *index)
{
    return lanes_sum_portable(table, begin, index);
}

#endif
#endif
