/* Small problems for the tests of the solvers; see solver_fixture.h. */
#include "solver_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

static void toy_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    for (uint32_t g = 0; g < GROUPS; g++)
        index[g] = g * GROUP_SIZE + (uint32_t)(board.player >> (4 * g) & 15);
}

static void tiny_index(const void *context, struct willow_board board, uint32_t *index)
{
    (void)context;
    for (uint32_t g = 0; g < 3; g++)
        index[g] = (uint32_t)(board.player >> (8 * g) & 255) % TINY_WEIGHTS;
}

const struct features solver_toy = {NULL, GROUPS, TOY_WEIGHTS, TOY_WEIGHTS, NULL, toy_index};
const struct features solver_tiny = {NULL, 3, TINY_WEIGHTS, TINY_WEIGHTS, NULL, tiny_index};

void solver_fixture_init(struct solver_fixture *fixture, const struct features *features, int iterations, double prior)
{
    memset(fixture, 0, sizeof *fixture);
    assert_int_equal(samples_new(".", &fixture->samples, NULL), WILLOW_OK);
    fixture->train = (struct pass_range){PLY, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F};
    fixture->held_out = (struct pass_range){PLY, SAMPLE_HELD_OUT, 0, SIZE_MAX, 1.0F};
    fixture->task = (struct solver_task){.features = features,
                                         .samples = fixture->samples,
                                         .train = {&fixture->train, 1},
                                         .held_out = {&fixture->held_out, 1},
                                         .start = fixture->start};
    fixture->options = (struct solver_options){.iterations = iterations,
                                               .patience = 1000,
                                               .prior = prior,
                                               .clip_discs = 24.0,
                                               .rate = 10.0,
                                               .batch_blocks = 1,
                                               .threads = 1};
}

void solver_fixture_clear(struct solver_fixture *fixture)
{
    solver_report_clear(&fixture->report);
    samples_free(fixture->samples);
}

enum willow_status solver_fixture_fit(struct solver_fixture *fixture)
{
    solver_report_clear(&fixture->report);
    return solver_fit(&fixture->task, &fixture->options, fixture->weights, &fixture->report, NULL);
}

void solver_fixture_add(struct solver_fixture *fixture, enum sample_part part, uint64_t player, double label,
                        double weight)
{
    const struct sample row = {.board = {player, 0},
                               .label = (float)label,
                               .weight = (uint16_t)(weight * SAMPLE_WEIGHT_ONE),
                               .kind = SAMPLE_SCORE};
    assert_int_equal(samples_append(fixture->samples, PLY, part, &row, 1, NULL), WILLOW_OK);
}

double solver_fixture_predict(const struct features *features, const double *weights, uint64_t player)
{
    uint32_t index[WILLOW_FEATURES_MAX];
    features->index(features->context, (struct willow_board){player, 0}, index);
    double sum = 0.0;
    for (int i = 0; i < features->count; i++)
        sum += weights[index[i]];
    return sum;
}

void solver_fixture_fill(struct solver_fixture *fixture, const double *truth, size_t count, double noise,
                         size_t outlier)
{
    struct willow_random random;
    willow_random_init(&random, 7, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t player = willow_random_u64(&random);
        double label =
            solver_fixture_predict(fixture->task.features, truth, player) + noise * (willow_random_unit(&random) - 0.5);
        if (outlier > 0 && i % outlier == 0)
            label += 60.0 * WILLOW_SCORE_DISC;
        solver_fixture_add(fixture, outlier == 0 && i % 10 == 0 ? SAMPLE_HELD_OUT : SAMPLE_TRAIN, player, label, 1.0);
    }
}

void solver_fixture_truth(double *truth, uint32_t count, uint32_t spread)
{
    struct willow_random random;
    willow_random_init(&random, 11, 0);
    for (uint32_t j = 0; j < count; j++)
        truth[j] = (double)willow_random_below(&random, 2 * spread + 1) - spread;
}

void solver_fixture_same_reports(const struct solver_report *a, const struct solver_report *b)
{
    struct solver_report first = *a, other = *b;
    assert_int_equal(a->point_count, b->point_count);
    for (size_t i = 0; i < a->point_count; i++) {
        assert_int_equal(a->points[i].step, b->points[i].step);
        assert_true(a->points[i].epochs == b->points[i].epochs);
        assert_memory_equal(&a->points[i].train, &b->points[i].train, sizeof a->points[i].train);
        assert_memory_equal(&a->points[i].held_out, &b->points[i].held_out, sizeof a->points[i].held_out);
    }
    assert_memory_equal(a->sightings, b->sightings, TOY_WEIGHTS * sizeof *a->sightings);
    first.points = other.points = NULL;
    first.sightings = other.sightings = NULL;
    assert_memory_equal(&first, &other, sizeof first);
}
