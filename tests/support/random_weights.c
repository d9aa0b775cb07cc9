/* Weights of random values; see random_weights.h. */
#include "support/random_weights.h"

#include <stdlib.h>

#include <willow/random.h>

#include "support/require.h"

struct willow_weights *random_weights_on(const struct willow_ruleset *ruleset, const struct willow_pattern_set *set,
                                         const struct willow_stages *stages, uint64_t seed, int most)
{
    set = willow_pattern_set_on(set, ruleset);
    require(set != NULL, "out of memory");
    const size_t count = (size_t)stages->count * willow_pattern_set_weights(set);
    struct willow_weights *weights = NULL;
    struct willow_random random;
    int16_t *values = calloc(count, sizeof *values);
    willow_random_init(&random, seed, 0);
    require(values != NULL, "out of memory");
    for (size_t i = 0; i < count; i++)
        values[i] = (int16_t)((int)willow_random_below(&random, 2 * (uint32_t)most + 1) - most);
    require(willow_weights_new(ruleset, set, stages, values, NULL, NULL, &weights, NULL) == WILLOW_OK,
            "cannot make weights");
    free(values);
    return weights;
}

struct willow_weights *random_weights(const struct willow_pattern_set *set, const struct willow_stages *stages,
                                      uint64_t seed, int most)
{
    return random_weights_on(willow_ruleset_default(), set, stages, seed, most);
}
