/* Sums over weights; see weights_tally.h. Layer: engine/cli (program willow). Prints nothing. */
#include "weights_tally.h"

#include <stdbool.h>
#include <stdlib.h>

void weights_tally_add(struct weights_tally *tally, const int16_t *values, size_t count)
{
    tally->count += count;
    for (size_t i = 0; i < count; i++) {
        const int magnitude = abs(values[i]);
        tally->nonzero += magnitude != 0;
        tally->at_limit += magnitude >= INT16_MAX;
        tally->magnitude += (uint64_t)magnitude;
        tally->largest = magnitude > tally->largest ? magnitude : tally->largest;
    }
}

struct weights_tally weights_tally_stage(const struct willow_weights *weights, int stage)
{
    struct weights_tally tally = {0};
    const size_t width = willow_pattern_set_weights(willow_weights_patterns(weights));
    weights_tally_add(&tally, willow_weights_values(weights) + (size_t)stage * width, width);
    return tally;
}

double weights_tally_mean(const struct weights_tally *tally)
{
    return tally->count > 0 ? (double)tally->magnitude / (double)tally->count / WILLOW_SCORE_DISC : 0.0;
}

int weights_skipped_stage(const struct willow_weights *weights, int from)
{
    int zero = -1; /* first that is all zero since the last that is not */
    bool begun = false;
    for (int stage = 0; stage < willow_weights_stages(weights)->count; stage++) {
        const bool is_zero = weights_tally_stage(weights, stage).nonzero == 0;
        if (is_zero && begun && zero < 0 && stage >= from)
            zero = stage;
        if (!is_zero && zero >= 0)
            return zero;
        begun = begun || !is_zero;
    }
    return -1;
}
