/* Where two sets of weights disagree; see weights_contrast.h.
 * Layer: engine/cli (program willow). Prints nothing.
 */
#include "weights_contrast.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool weights_contrast_alike(const struct willow_weights *a, const struct willow_weights *b)
{
    const struct willow_stages *left = willow_weights_stages(a), *right = willow_weights_stages(b);
    return willow_weights_patterns(a) == willow_weights_patterns(b) && left->count == right->count &&
           memcmp(left->first_disc, right->first_disc, (size_t)left->count) == 0;
}

bool weights_contrast_equal(const struct willow_weights *a, const struct willow_weights *b)
{
    const size_t count =
        (size_t)willow_weights_stages(a)->count * willow_pattern_set_weights(willow_weights_patterns(a));
    return willow_ruleset_same_play(willow_weights_ruleset(a), willow_weights_ruleset(b)) &&
           weights_contrast_alike(a, b) &&
           memcmp(willow_weights_values(a), willow_weights_values(b), count * sizeof(int16_t)) == 0;
}

/* Welford's way: sums of squares would cancel to noise where an evaluation hardly varies. */
static void agreement_add(struct contrast_agreement *agreement, const int16_t scores[2])
{
    const int difference = scores[0] - scores[1];
    agreement->count++;
    agreement->distance += (uint64_t)abs(difference);
    agreement->offset += difference;
    agreement->largest = abs(difference) > agreement->largest ? abs(difference) : agreement->largest;
    double before[2], after[2];
    for (int i = 0; i < 2; i++) {
        before[i] = scores[i] - agreement->mean[i];
        agreement->mean[i] += before[i] / (double)agreement->count;
        after[i] = scores[i] - agreement->mean[i];
        agreement->square[i] += before[i] * after[i];
    }
    agreement->product += before[0] * after[1];
}

double contrast_agreement_correlation(const struct contrast_agreement *agreement)
{
    const double scale = sqrt(agreement->square[0]) * sqrt(agreement->square[1]);
    return scale > 0.0 ? agreement->product / scale : NAN;
}

double contrast_agreement_deviation(const struct contrast_agreement *agreement)
{
    const double squares = agreement->square[0] + agreement->square[1] - 2.0 * agreement->product;
    return squares > 0.0 ? sqrt(squares / (double)agreement->count) / WILLOW_SCORE_DISC : 0.0;
}

static void add_position(struct weights_contrast *contrast, size_t number)
{
    const struct willow_board board = contrast->sample->positions[number].board;
    int16_t *scores = contrast->scores[number];
    scores[0] = (int16_t)willow_evaluate(contrast->a, board);
    scores[1] = (int16_t)willow_evaluate(contrast->b, board);
    const int stage = willow_stage_of_discs(willow_weights_stages(contrast->a), willow_board_discs(board));
    agreement_add(&contrast->all, scores);
    agreement_add(&contrast->stage[stage], scores);
    if (!contrast->sightings)
        return;
    const struct willow_pattern_set *set = willow_weights_patterns(contrast->a);
    uint32_t *sightings = contrast->sightings + (size_t)stage * contrast->width;
    uint32_t index[WILLOW_FEATURES_MAX];
    willow_pattern_set_indices(set, board, index);
    for (int i = 0; i < willow_pattern_set_features(set); i++)
        sightings[index[i]]++;
}

enum willow_status weights_contrast_init(struct weights_contrast *contrast, const struct willow_weights *a,
                                         const struct willow_weights *b, const struct weights_sample *sample,
                                         struct willow_error *error)
{
    const bool alike = weights_contrast_alike(a, b);
    *contrast = (struct weights_contrast){.a = a, .b = b, .sample = sample};
    contrast->width = willow_pattern_set_weights(willow_weights_patterns(a));
    contrast->scores = calloc(sample->count + 1, sizeof *contrast->scores);
    if (alike)
        contrast->sightings =
            calloc((size_t)willow_weights_stages(a)->count * contrast->width, sizeof *contrast->sightings);
    if (!contrast->scores || (alike && !contrast->sightings)) {
        weights_contrast_clear(contrast);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory to compare weights");
    }
    for (size_t i = 0; i < sample->count; i++)
        add_position(contrast, i);
    return WILLOW_OK;
}

void weights_contrast_clear(struct weights_contrast *contrast)
{
    free(contrast->scores);
    free(contrast->sightings);
    *contrast = (struct weights_contrast){.a = NULL};
}

/* What stands at one place: the values, and how far apart they are. */
struct pair {
    int16_t value[2];
    uint32_t distance, sightings;
};

static struct pair pair_at(const struct weights_contrast *contrast, int stage, uint32_t weight)
{
    const size_t at = (size_t)stage * contrast->width + weight;
    const int16_t left = willow_weights_values(contrast->a)[at], right = willow_weights_values(contrast->b)[at];
    return (struct pair){{left, right}, (uint32_t)abs(left - right), contrast->sightings[at]};
}

struct contrast_gap weights_contrast_gap(const struct weights_contrast *contrast, const struct contrast_range *range)
{
    struct contrast_gap gap = {.weights = (uint64_t)range->stages * range->weights};
    for (int stage = range->first_stage; stage < range->first_stage + range->stages; stage++) {
        for (uint32_t i = range->first_weight; i < range->first_weight + range->weights; i++) {
            const struct pair pair = pair_at(contrast, stage, i);
            gap.differing += pair.distance != 0;
            gap.distance += pair.distance;
            gap.largest = pair.distance > gap.largest ? pair.distance : gap.largest;
            gap.seen += pair.sightings != 0;
            gap.sightings += pair.sightings;
            gap.seen_distance += (uint64_t)pair.sightings * pair.distance;
        }
    }
    return gap;
}

/* The greatest distances so far, falling. */
struct ranking {
    uint64_t distance[WEIGHTS_TOP_MAX];
    size_t count, most;
};

/* Puts a distance into its place, behind its equals, and returns that; `most` when it has none. The caller moves what
 * belongs to the distances in the same way. */
static size_t ranking_place(struct ranking *ranking, uint64_t distance)
{
    size_t place = ranking->count;
    while (place > 0 && ranking->distance[place - 1] < distance)
        place--;
    if (distance == 0 || place == ranking->most)
        return ranking->most;
    ranking->count += ranking->count < ranking->most;
    memmove(ranking->distance + place + 1, ranking->distance + place,
            (ranking->count - 1 - place) * sizeof *ranking->distance);
    ranking->distance[place] = distance;
    return place;
}

static struct contrast_configuration configuration_at(const struct weights_contrast *contrast,
                                                      const struct contrast_range *range, uint32_t weight)
{
    struct contrast_configuration sum = {.weight = weight};
    uint64_t greatest = 0;
    for (int stage = range->first_stage; stage < range->first_stage + range->stages; stage++) {
        const struct pair pair = pair_at(contrast, stage, weight);
        const uint64_t distance = (uint64_t)pair.sightings * pair.distance;
        sum.sightings += pair.sightings;
        sum.distance += distance;
        if (distance <= greatest)
            continue;
        greatest = distance;
        sum.stage = stage;
        sum.stage_sightings = pair.sightings;
        memcpy(sum.value, pair.value, sizeof sum.value);
    }
    return sum;
}

size_t weights_contrast_configurations(const struct weights_contrast *contrast, const struct contrast_range *range,
                                       size_t most, struct contrast_configuration *found)
{
    assert(most <= WEIGHTS_TOP_MAX);
    struct ranking ranking = {.most = most};
    for (uint32_t i = range->first_weight; i < range->first_weight + range->weights; i++) {
        const struct contrast_configuration configuration = configuration_at(contrast, range, i);
        const size_t place = ranking_place(&ranking, configuration.distance);
        if (place == most)
            continue;
        memmove(found + place + 1, found + place, (ranking.count - 1 - place) * sizeof *found);
        found[place] = configuration;
    }
    return ranking.count;
}

size_t weights_contrast_positions(const struct weights_contrast *contrast, size_t most, size_t *found)
{
    assert(most <= WEIGHTS_TOP_MAX);
    struct ranking ranking = {.most = most};
    for (size_t i = 0; i < contrast->sample->count; i++) {
        const int16_t *scores = contrast->scores[i];
        const size_t place = ranking_place(&ranking, (uint64_t)abs(scores[0] - scores[1]));
        if (place == most)
            continue;
        memmove(found + place + 1, found + place, (ranking.count - 1 - place) * sizeof *found);
        found[place] = i;
    }
    return ranking.count;
}
