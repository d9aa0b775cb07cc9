/* Tests of where two sets of weights disagree. The references count configurations by reading squares, sort everything
 * and sum in two passes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/weights_contrast.h"
#include "support/random_weights.h"

enum { POSITIONS = 3000, STAGES = 4, STEPS = 160, TEXT = 64 };

struct fixture {
    const struct willow_pattern_set *set;
    struct willow_stages stages;
    size_t width;
    struct willow_weights *a, *b; /* nothing in common */
    struct weights_sample sample;
};

static int set_up(void **state)
{
    struct fixture *it = calloc(1, sizeof *it);
    assert_non_null(it);
    *state = it;
    it->set = willow_pattern_set_find("p46");
    it->stages = willow_stages_even(WILLOW_SQUARES, STAGES);
    it->width = willow_pattern_set_weights(it->set);
    it->a = random_weights(it->set, &it->stages, 1, 30);
    it->b = random_weights(it->set, &it->stages, 2, 30);
    return weights_sample_play(it->a, it->b, POSITIONS, 5, &it->sample, NULL) == WILLOW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *it = *state;
    willow_weights_free(it->a);
    willow_weights_free(it->b);
    weights_sample_clear(&it->sample);
    free(it);
    return 0;
}

static struct contrast_range whole(const struct fixture *it)
{
    return (struct contrast_range){.stages = STAGES, .weights = (uint32_t)it->width};
}

static int stage_of(const struct fixture *it, size_t number)
{
    return willow_stage_of_discs(&it->stages, willow_board_discs(it->sample.positions[number].board));
}

/* `a` with one weight raised by STEPS. */
static struct willow_weights *with_one_raised(const struct fixture *it, int stage, uint32_t weight)
{
    const size_t count = STAGES * it->width;
    struct willow_weights *raised = NULL;
    int16_t *values = calloc(count, sizeof *values);
    assert_non_null(values);
    memcpy(values, willow_weights_values(it->a), count * sizeof *values);
    values[(size_t)stage * it->width + weight] += STEPS;
    assert_int_equal(
        willow_weights_new(willow_ruleset_default(), it->set, &it->stages, values, NULL, NULL, &raised, NULL),
        WILLOW_OK);
    free(values);
    return raised;
}

/* On how many of the four edges does the configuration stand, read from either end? The eight images of the board read
 * every edge from both ends; what reads alike from both is found twice. */
static int edges_with(struct willow_board board, const char *wanted)
{
    static const int squares[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 14};
    static const int mirrored[] = {7, 6, 5, 4, 3, 2, 1, 0, 9, 8};
    enum { SQUARES = sizeof squares / sizeof squares[0] };
    int found = 0;
    bool alike = true;
    for (int i = 0; i < SQUARES; i++)
        alike = alike && wanted[i] == wanted[mirrored[i]];
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++) {
        const struct willow_board image = willow_board_symmetry(willow_ruleset_default(), board, symmetry);
        char text[SQUARES + 1] = "";
        for (int i = 0; i < SQUARES; i++)
            text[i] = image.player >> squares[i] & 1 ? 'X' : image.opponent >> squares[i] & 1 ? 'O' : '.';
        found += strcmp(text, wanted) == 0;
    }
    return alike ? found / 2 : found;
}

/* One weight of an edge is changed: it alone is found, with its sightings, and the positions that use it most. */
static void check_raised(const struct fixture *it, int stage, uint32_t weight)
{
    char text[TEXT];
    willow_pattern_set_describe(it->set, weight, text, sizeof text);
    assert_memory_equal(text, "edge2x ", 7);
    uint64_t sightings = 0, in_stage = 0, positions = 0;
    int most = 0;
    for (size_t i = 0; i < it->sample.count; i++) {
        const int edges = edges_with(it->sample.positions[i].board, text + 7);
        sightings += (uint64_t)edges;
        if (stage_of(it, i) != stage)
            continue;
        in_stage += (uint64_t)edges;
        positions += edges > 0;
        most = edges > most ? edges : most;
    }
    assert_true(in_stage > 0);

    struct willow_weights *raised = with_one_raised(it, stage, weight);
    struct weights_contrast contrast;
    struct contrast_configuration found[3];
    size_t numbers[WEIGHTS_TOP_MAX];
    assert_false(weights_contrast_equal(it->a, raised));
    assert_int_equal(weights_contrast_init(&contrast, it->a, raised, &it->sample, NULL), WILLOW_OK);
    const struct contrast_range range = whole(it);
    assert_int_equal(weights_contrast_configurations(&contrast, &range, 3, found), 1);
    assert_int_equal(found[0].weight, weight);
    assert_int_equal(found[0].sightings, sightings);
    assert_int_equal(found[0].distance, in_stage * STEPS);
    assert_int_equal(found[0].stage, stage);
    assert_int_equal(found[0].stage_sightings, in_stage);
    assert_int_equal(found[0].value[1] - found[0].value[0], STEPS);
    assert_int_equal(found[0].value[0], willow_weights_values(it->a)[(size_t)stage * it->width + weight]);

    const struct contrast_gap gap = weights_contrast_gap(&contrast, &range);
    assert_int_equal(gap.differing, 1);
    assert_int_equal(gap.distance, STEPS);
    assert_int_equal(gap.largest, STEPS);
    assert_int_equal(gap.seen_distance, in_stage * STEPS);
    assert_int_equal(gap.sightings, POSITIONS * (uint64_t)willow_pattern_set_features(it->set));

    const size_t count = weights_contrast_positions(&contrast, WEIGHTS_TOP_MAX, numbers);
    assert_int_equal(count, positions < WEIGHTS_TOP_MAX ? positions : WEIGHTS_TOP_MAX);
    assert_int_equal(edges_with(it->sample.positions[numbers[0]].board, text + 7), most);
    assert_int_equal(contrast.all.distance, in_stage * STEPS);
    assert_int_equal(contrast.all.offset, -(int64_t)(in_stage * STEPS));
    assert_int_equal(contrast.stage[stage].largest, most * STEPS);
    assert_int_equal(contrast.stage[(stage + 1) % STAGES].distance, 0);
    weights_contrast_clear(&contrast);
    willow_weights_free(raised);
}

static void test_one_changed_weight_is_found(void **state)
{
    const struct fixture *it = *state;
    uint32_t index[WILLOW_FEATURES_MAX];
    check_raised(it, 0, 0); /* the empty edge, alike from both ends */
    for (size_t i = 40; i < POSITIONS; i += 450) {
        willow_pattern_set_indices(it->set, it->sample.positions[i].board, index);
        check_raised(it, stage_of(it, i), index[i % 4]);
    }
}

struct entry {
    uint64_t distance;
    size_t number;
};

static int by_distance(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance < b->distance ? 1 : -1;
    return a->number < b->number ? -1 : 1;
}

static int distance_at(const struct fixture *it, size_t at)
{
    return abs(willow_weights_values(it->a)[at] - willow_weights_values(it->b)[at]);
}

static void check_configurations(const struct fixture *it, const struct weights_contrast *contrast, int first,
                                 int stages)
{
    enum { MOST = 50 };
    struct entry *entries = calloc(it->width, sizeof *entries);
    struct contrast_configuration found[MOST];
    assert_non_null(entries);
    for (size_t i = 0; i < it->width; i++)
        entries[i].number = i;
    for (size_t i = 0; i < it->sample.count; i++) {
        uint32_t index[WILLOW_FEATURES_MAX];
        const int stage = stage_of(it, i);
        willow_pattern_set_indices(it->set, it->sample.positions[i].board, index);
        for (int j = 0; j < willow_pattern_set_features(it->set); j++)
            if (stage >= first && stage < first + stages)
                entries[index[j]].distance += (uint64_t)distance_at(it, (size_t)stage * it->width + index[j]);
    }
    qsort(entries, it->width, sizeof *entries, by_distance);
    const struct contrast_range range = {.first_stage = first, .stages = stages, .weights = (uint32_t)it->width};
    assert_int_equal(weights_contrast_configurations(contrast, &range, MOST, found), MOST);
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(found[i].weight, entries[i].number);
        assert_int_equal(found[i].distance, entries[i].distance);
        assert_in_range(found[i].stage, first, first + stages - 1);
        const size_t at = (size_t)found[i].stage * it->width + found[i].weight;
        assert_int_equal(found[i].stage_sightings, contrast->sightings[at]);
        for (int stage = first; stage < first + stages; stage++) {
            const size_t other = (size_t)stage * it->width + found[i].weight;
            const uint64_t distance = contrast->sightings[other] * (uint64_t)distance_at(it, other);
            assert_true(distance <= found[i].stage_sightings * (uint64_t)distance_at(it, at));
        }
    }
    assert_int_equal(weights_contrast_configurations(contrast, &range, 0, found), 0);
    free(entries);
}

/* Two passes over the scores. */
static void check_agreement(const struct fixture *it, const struct weights_contrast *contrast, int stage)
{
    const struct contrast_agreement *agreement = stage < 0 ? &contrast->all : &contrast->stage[stage];
    double mean[2] = {0.0, 0.0}, square[2] = {0.0, 0.0}, product = 0.0, distance = 0.0, count = 0.0, spread = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < it->sample.count; i++) {
            if (stage >= 0 && stage_of(it, i) != stage)
                continue;
            const struct willow_board board = it->sample.positions[i].board;
            const double x = willow_evaluate(it->a, board), y = willow_evaluate(it->b, board);
            if (pass == 0) {
                count += 1.0;
                mean[0] += x;
                mean[1] += y;
                distance += fabs(x - y);
                continue;
            }
            square[0] += (x - mean[0] / count) * (x - mean[0] / count);
            square[1] += (y - mean[1] / count) * (y - mean[1] / count);
            product += (x - mean[0] / count) * (y - mean[1] / count);
            spread += pow(x - y - (mean[0] - mean[1]) / count, 2.0);
        }
    }
    assert_true(count > 100.0 && count == (double)agreement->count);
    assert_true(distance == (double)agreement->distance);
    assert_true(mean[0] - mean[1] == (double)agreement->offset);
    assert_true(fabs(contrast_agreement_correlation(agreement) - product / sqrt(square[0] * square[1])) < 1e-9);
    assert_true(fabs(contrast_agreement_deviation(agreement) - sqrt(spread / count) / WILLOW_SCORE_DISC) < 1e-9);
}

static void test_different_sets_against_a_reference(void **state)
{
    const struct fixture *it = *state;
    struct weights_contrast contrast;
    assert_int_equal(weights_contrast_init(&contrast, it->a, it->b, &it->sample, NULL), WILLOW_OK);
    check_configurations(it, &contrast, 0, STAGES);
    check_configurations(it, &contrast, 2, 1);
    for (int stage = -1; stage < STAGES; stage++)
        check_agreement(it, &contrast, stage);

    /* Some weights of two stages. */
    const struct contrast_range range = {.first_stage = 1, .stages = 2, .first_weight = 100, .weights = 5000};
    const struct contrast_gap gap = weights_contrast_gap(&contrast, &range);
    uint64_t differing = 0, distance = 0, seen = 0;
    for (size_t stage = 1; stage < 3; stage++) {
        for (size_t at = stage * it->width + 100; at < stage * it->width + 5100; at++) {
            differing += distance_at(it, at) != 0;
            distance += (uint64_t)distance_at(it, at);
            seen += contrast.sightings[at] > 0;
        }
    }
    assert_int_equal(gap.weights, 10000);
    assert_int_equal(gap.differing, differing);
    assert_int_equal(gap.distance, distance);
    assert_int_equal(gap.seen, seen);

    enum { MOST = 40 };
    struct entry *entries = calloc(POSITIONS, sizeof *entries);
    size_t numbers[MOST];
    assert_non_null(entries);
    for (size_t i = 0; i < POSITIONS; i++) {
        const struct willow_board board = it->sample.positions[i].board;
        entries[i] = (struct entry){(uint64_t)abs(willow_evaluate(it->a, board) - willow_evaluate(it->b, board)), i};
    }
    qsort(entries, POSITIONS, sizeof *entries, by_distance);
    assert_int_equal(weights_contrast_positions(&contrast, MOST, numbers), MOST);
    for (int i = 0; i < MOST; i++)
        assert_int_equal(numbers[i], entries[i].number);
    free(entries);
    weights_contrast_clear(&contrast);
}

static void test_equal_sets(void **state)
{
    const struct fixture *it = *state;
    struct willow_weights *again = random_weights(it->set, &it->stages, 1, 30);
    struct weights_contrast contrast;
    struct contrast_configuration configuration;
    size_t number;
    assert_true(weights_contrast_equal(it->a, again));
    assert_false(weights_contrast_equal(it->a, it->b));
    assert_int_equal(weights_contrast_init(&contrast, it->a, again, &it->sample, NULL), WILLOW_OK);
    const struct contrast_range range = whole(it);
    const struct contrast_gap gap = weights_contrast_gap(&contrast, &range);
    assert_int_equal(gap.differing + gap.distance + gap.largest + gap.seen_distance, 0);
    assert_int_equal(weights_contrast_configurations(&contrast, &range, 1, &configuration), 0);
    assert_int_equal(weights_contrast_positions(&contrast, 1, &number), 0);
    assert_true(fabs(contrast_agreement_correlation(&contrast.all) - 1.0) < 1e-12);
    weights_contrast_clear(&contrast);
    willow_weights_free(again);
}

/* Other stages or patterns: no weight has its counterpart, but positions have two evaluations. */
static void test_unlike_sets_are_compared_on_positions(void **state)
{
    const struct fixture *it = *state;
    const struct willow_stages other = willow_stages_even(WILLOW_SQUARES, STAGES + 1);
    struct willow_stages fewer = it->stages;
    fewer.count--;
    struct willow_weights *unlike[] = {random_weights(it->set, &other, 1, 30), random_weights(it->set, &fewer, 1, 30),
                                       random_weights(willow_pattern_set_find("p58"), &it->stages, 1, 30), NULL};
    enum { ZERO = 3, SETS = 4 };
    assert_int_equal(willow_weights_new_zero(willow_ruleset_default(), it->set, &other, &unlike[ZERO], NULL),
                     WILLOW_OK);
    for (int i = 0; i < SETS; i++) {
        struct weights_contrast contrast;
        assert_false(weights_contrast_alike(it->a, unlike[i]));
        assert_false(weights_contrast_alike(unlike[i], it->a));
        assert_false(weights_contrast_equal(it->a, unlike[i]));
        assert_int_equal(weights_contrast_init(&contrast, it->a, unlike[i], &it->sample, NULL), WILLOW_OK);
        assert_null(contrast.sightings);
        assert_int_equal(contrast.all.count, POSITIONS);
        const struct willow_board board = it->sample.positions[POSITIONS / 2].board;
        assert_int_equal(contrast.scores[POSITIONS / 2][0], willow_evaluate(it->a, board));
        assert_int_equal(contrast.scores[POSITIONS / 2][1], willow_evaluate(unlike[i], board));
        assert_true(isnan(contrast_agreement_correlation(&contrast.all)) == (i == ZERO));
        weights_contrast_clear(&contrast);
        willow_weights_free(unlike[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_changed_weight_is_found),
        cmocka_unit_test(test_different_sets_against_a_reference),
        cmocka_unit_test(test_equal_sets),
        cmocka_unit_test(test_unlike_sets_are_compared_on_positions),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
