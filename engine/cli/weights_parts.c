/* The tables that a stage of weights consists of, and sums over weights; see weights_parts.h.
 * Layer: engine/cli (program willow). Prints nothing.
 */
#include "weights_parts.h"

#include <stdlib.h>

static void add_part(struct weights_parts *parts, const char *name, uint32_t count)
{
    const struct weights_part *last = parts->count > 0 ? &parts->part[parts->count - 1] : NULL;
    const uint32_t first = last ? last->first + last->count : 0;
    parts->part[parts->count++] = (struct weights_part){.name = name, .first = first, .count = count};
}

struct weights_parts weights_parts_of(const struct willow_pattern_set *set)
{
    const struct pattern_tables *tables = pattern_set_tables(set);
    struct weights_parts parts = {.count = 0};
    for (int i = 0; i < set->shape_count; i++)
        add_part(&parts, set->shapes[i]->name, tables->tied_begin[i + 1] - tables->tied_begin[i]);
    for (int i = 0; i < set->scalar_count; i++)
        add_part(&parts, set->scalars[i]->name, set->scalars[i]->size);
    return parts;
}

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

double weights_tally_mean(const struct weights_tally *tally)
{
    return tally->count > 0 ? (double)tally->magnitude / (double)tally->count / WILLOW_SCORE_DISC : 0.0;
}
