/* Random streams: block n of a stream is Philox4x32-10 of the counter (n, stream) under the key `seed`.
 * Layer: base. No state is shared, so any number of threads may draw from streams of their own.
 */
#include <willow/random.h>

#include <Random123/philox.h>

enum { WORDS = 4 };

void willow_random_init(struct willow_random *random, uint64_t seed, uint64_t stream)
{
    *random = (struct willow_random){.seed = seed, .stream = stream, .used = WORDS};
}

static uint32_t next_word(struct willow_random *random)
{
    if (random->used == WORDS) {
        const philox4x32_ctr_t counter = {{(uint32_t)random->counter, (uint32_t)(random->counter >> 32),
                                           (uint32_t)random->stream, (uint32_t)(random->stream >> 32)}};
        const philox4x32_key_t key = {{(uint32_t)random->seed, (uint32_t)(random->seed >> 32)}};
        const philox4x32_ctr_t block = philox4x32(counter, key);
        for (int i = 0; i < WORDS; i++)
            random->block[i] = block.v[i];
        random->counter++;
        random->used = 0;
    }
    return random->block[random->used++];
}

uint64_t willow_random_u64(struct willow_random *random)
{
    const uint64_t low = next_word(random);
    return low | (uint64_t)next_word(random) << 32;
}

uint32_t willow_random_below(struct willow_random *random, uint32_t bound)
{
    /* Lemire, "Fast Random Integer Generation in an Interval" (2019): the high word of word * bound is uniform once the
     * low words below 2^32 mod bound are drawn again. */
    const uint32_t refused = (0u - bound) % bound;
    uint64_t product;
    do {
        product = (uint64_t)next_word(random) * bound;
    } while ((uint32_t)product < refused);
    return (uint32_t)(product >> 32);
}

int willow_random_bit(struct willow_random *random, willow_bits mask)
{
    for (uint32_t skip = willow_random_below(random, (uint32_t)willow_bits_count(mask)); skip > 0; skip--)
        mask &= mask - 1;
    return willow_bits_first(mask);
}

double willow_random_unit(struct willow_random *random)
{
    return (double)(willow_random_u64(random) >> 11) * 0x1p-53;
}
