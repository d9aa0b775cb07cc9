/* Sums of table entries at the indices of a row, and a value added to them: where a pass spends its time. Layer:
 * trainer, internal.
 *
 * Plain loads on purpose: measured on rows of 65 terms with tables in the second- and third-level cache, AVX2 gathers
 * were 5% slower than these loops for one float a term and 25% for a pair of floats; prefetching the entries of coming
 * rows lost too, since the processor already works on several rows at once.
 */
#ifndef TRAINER_GATHER_H
#define TRAINER_GATHER_H

#include <stdint.h>

/* Weight and direction of a term: one load and one addition serve both. */
typedef float gather_pair __attribute__((vector_size(8)));

/* And what rows have added to it: a row that has gathered a cell finds it near when it scatters. */
struct gather_cell {
    gather_pair pair;
    int64_t total;
};

/* Four partial sums shorten the chain of dependent additions; their order is fixed. */
static inline float gather_floats(const float *table, const uint32_t *index, int count)
{
    float a = 0.0F, b = 0.0F, c = 0.0F, d = 0.0F;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        a += table[index[i]];
        b += table[index[i + 1]];
        c += table[index[i + 2]];
        d += table[index[i + 3]];
    }
    for (; i < count; i++)
        a += table[index[i]];
    return (a + b) + (c + d);
}

/* In the same order as gather_floats, so that the weights of a pair have the sum that they have alone. */
static inline gather_pair gather_pairs(const struct gather_cell *cells, const uint32_t *index, int count)
{
    gather_pair a = {0}, b = {0}, c = {0}, d = {0};
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        a += cells[index[i]].pair;
        b += cells[index[i + 1]].pair;
        c += cells[index[i + 2]].pair;
        d += cells[index[i + 3]].pair;
    }
    for (; i < count; i++)
        a += cells[index[i]].pair;
    return (a + b) + (c + d);
}

static inline int32_t gather_integers(const int16_t *table, const uint32_t *index, int count)
{
    int32_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += table[index[i]];
    return sum;
}

/* An index that occurs twice gets the value twice. */
static inline void scatter_integer(struct gather_cell *cells, const uint32_t *index, int count, int64_t value)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        cells[index[i]].total += value;
        cells[index[i + 1]].total += value;
        cells[index[i + 2]].total += value;
        cells[index[i + 3]].total += value;
    }
    for (; i < count; i++)
        cells[index[i]].total += value;
}

#endif
