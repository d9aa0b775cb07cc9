/* Counter-based random numbers (Philox4x32-10 from Random123): a stream is fixed by (seed, stream) alone.
 * Layer: base. Not for secrets.
 */
#ifndef WILLOW_RANDOM_H
#define WILLOW_RANDOM_H

#include <stdint.h>

#include <willow/bits.h>

#ifdef __cplusplus
extern "C" {
#endif

/* State of one stream, in the caller's storage. Two streams with another seed or stream number are independent. */
struct willow_random {
    uint64_t seed, stream, counter;
    uint32_t block[4];
    int used;
};

void willow_random_init(struct willow_random *random, uint64_t seed, uint64_t stream);

/* Uniform over all 64-bit values. */
uint64_t willow_random_u64(struct willow_random *random);

/* Uniform in 0 .. bound-1 without bias; bound >= 1. */
uint32_t willow_random_below(struct willow_random *random, uint32_t bound);

/* Number (0 = lowest) of one of the set bits of a mask that is not empty, uniform among them. */
int willow_random_bit(struct willow_random *random, willow_bits mask);

/* Uniform in [0, 1), a multiple of 2^-53. */
double willow_random_unit(struct willow_random *random);

#ifdef __cplusplus
}
#endif
#endif
