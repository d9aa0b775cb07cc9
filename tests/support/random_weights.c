/* Weights of random small values; see random_weights.h. */
#include "random_weights.h"

#include <stdio.h>
#include <stdlib.h>

#include <willow/random.h>

struct willow_weights *random_weights(uint64_t seed)
{
    const struct willow_pattern_set *set = willow_pattern_set_default();
    struct willow_stages stages = willow_stages_even(1);
    uint32_t count = willow_pattern_set_weights(set);
    struct willow_weights *weights = NULL;
    struct willow_random random;
    int16_t *values = calloc(count, sizeof *values);
    willow_random_init(&random, seed, 0);
    for (uint32_t i = 0; values && i < count; i++)
        values[i] = (int16_t)((int)willow_random_below(&random, 65) - 32);
    if (!values || willow_weights_new(willow_ruleset_othello(), set, &stages, values, NULL, NULL, &weights, NULL)) {
        (void)fprintf(stderr, "test support: cannot make weights\n");
        exit(99);
    }
    free(values);
    return weights;
}
