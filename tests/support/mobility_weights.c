/* Weights that know what moves are worth; see mobility_weights.h. */
#include "support/mobility_weights.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/require.h"

struct willow_weights *mobility_weights(int worth)
{
    const struct willow_pattern_set *set = willow_pattern_set_find("p62");
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    const uint32_t count = willow_pattern_set_weights(set);
    struct willow_weights *weights = NULL;
    int16_t *values = calloc(count, sizeof *values);
    int terms = 0;

    require(values != NULL, "out of memory");
    /* The scalar terms stand at the end, each with an entry a square. */
    for (uint32_t i = count - 2 * WILLOW_SQUARES; i < count; i++) {
        char text[64];
        int moves;
        willow_pattern_set_describe(set, i, text, sizeof text);
        if (sscanf(text, "mobility %d", &moves) == 1 && ++terms)
            values[i] = (int16_t)(worth * moves);
        if (sscanf(text, "other-mobility %d", &moves) == 1 && ++terms)
            values[i] = (int16_t)(-worth * moves);
    }
    require(terms == 2 * WILLOW_SQUARES, "the terms of mobility are not where they were");
    require(willow_weights_new(willow_ruleset_default(), set, &stages, values, NULL, NULL, &weights, NULL) == WILLOW_OK,
            "cannot make weights");
    free(values);
    return weights;
}
