/* Fixed-point numbers for sums that must not depend on the order of their terms, and floating-point ones that add up as
 * exactly. Layer: trainer, internal.
 */
#ifndef TRAINER_FIXED_POINT_H
#define TRAINER_FIXED_POINT_H

#include <math.h>
#include <stdint.h>

#include "samples/samples.h"

/* The greatest power of two, at most 2^40, that keeps `rows` values of at most `bound` below 2^61 in sum (twice that
 * with rounding, and still no overflow). */
static inline double scale_for(int64_t rows, double bound)
{
    int exponent;
    frexp((double)(rows + 1) * bound, &exponent);
    int bits = 61 - exponent;
    return ldexp(1.0, bits < 40 ? bits : 40);
}

/* The same, and small enough that the sum over a block is exact in floating point. */
static inline double block_scale_for(int64_t rows, double bound)
{
    const double most = 0x1p51 / SAMPLE_BLOCK_ROWS, scale = scale_for(rows, bound);
    int exponent;
    frexp(most / bound, &exponent);
    return fmin(scale, ldexp(0.5, exponent));
}

/* What makes a sum with a value below 2^51 / scale lose all that is finer than 1 / scale. */
static inline double ruler_of(double scale)
{
    return 0x1.8p52 / scale;
}

/* To the nearest integer. Unlike llrint this needs no call, whatever the compiler's options. */
static inline int64_t nearest(double value)
{
    return (int64_t)(value + copysign(0.5, value));
}

/* The nearest multiple of 1 / scale; `ruler` is ruler_of(scale). */
static inline double round_to(double ruler, double value)
{
    return value + ruler - ruler;
}

#endif
