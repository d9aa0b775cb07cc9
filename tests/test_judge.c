/* Judgement of a stage against a slow reference: every sum made anew, row by row, from the tied indices. */
#include "trainer/fit/judge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

/* More than two blocks in one list, and more rows than are asked for their effects. */
enum { PLIES = 3, ROWS = 10007 };

struct fixture {
    const struct willow_pattern_set *set;
    struct features features;
    struct samples *samples;
    struct sample *rows[PLIES]; /* ROWS rows in all, by ply */
    size_t count[PLIES];
    int16_t *values;
    uint32_t *sightings;
};

static struct willow_board random_board(struct willow_random *random)
{
    const uint64_t occupied = willow_random_u64(random) | willow_random_u64(random), player = willow_random_u64(random);
    return (struct willow_board){occupied & player, occupied & ~player};
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->set = willow_pattern_set_find("p46");
    fixture->features = features_of_patterns(fixture->set);
    assert_int_equal(samples_new(".", &fixture->samples, NULL), WILLOW_OK);
    struct willow_random random;
    willow_random_init(&random, 5, 0);
    const uint32_t weights = fixture->features.weights;
    fixture->values = calloc(weights, sizeof *fixture->values);
    fixture->sightings = calloc(weights, sizeof *fixture->sightings);
    assert_true(fixture->values && fixture->sightings);
    for (uint32_t j = 0; j < weights; j++) {
        fixture->values[j] = (int16_t)((int)willow_random_below(&random, 801) - 400);
        fixture->sightings[j] = willow_random_below(&random, 70) >> willow_random_below(&random, 7);
    }
    fixture->sightings[3] = UINT32_MAX;
    for (int ply = 0; ply < PLIES; ply++)
        assert_non_null(fixture->rows[ply] = calloc(ROWS, sizeof **fixture->rows));
    for (int i = 0; i < ROWS; i++) {
        /* Most rows in ply 1. Every seventh label lies far out. */
        const int ply = i % 10 == 0 ? 0 : i % 10 == 1 ? 2 : 1;
        struct sample *row = &fixture->rows[ply][fixture->count[ply]++];
        const double spread = i % 7 == 0 ? 4096.0 : 1000.0;
        *row = (struct sample){.board = random_board(&random),
                               .label = (float)((willow_random_unit(&random) - 0.5) * spread),
                               .weight = SAMPLE_WEIGHT_ONE,
                               .kind = SAMPLE_SCORE};
        assert_int_equal(samples_append(fixture->samples, ply, SAMPLE_HELD_OUT, row, 1, NULL), WILLOW_OK);
    }
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    samples_free(fixture->samples);
    for (int ply = 0; ply < PLIES; ply++)
        free(fixture->rows[ply]);
    free(fixture->values);
    free(fixture->sightings);
    free(fixture);
    return 0;
}

static void judge(const struct fixture *fixture, struct pass_rows rows, int threads, struct judgement *judgement)
{
    const struct judge_task task = {.features = &fixture->features,
                                    .samples = fixture->samples,
                                    .rows = rows,
                                    .values = fixture->values,
                                    .sightings = fixture->sightings,
                                    .ruleset = willow_ruleset_default(),
                                    .threads = threads};
    struct willow_error error;
    assert_int_equal(judge_run(&task, judgement, &error), WILLOW_OK);
}

static const struct pass_range whole[PLIES] = {{0, SAMPLE_HELD_OUT, 0, SIZE_MAX, 1.0F},
                                               {1, SAMPLE_HELD_OUT, 0, SIZE_MAX, 1.0F},
                                               {2, SAMPLE_HELD_OUT, 0, SIZE_MAX, 1.0F}};

static int reference_sum(const struct fixture *fixture, struct willow_board board, uint64_t *lookups)
{
    uint32_t index[WILLOW_FEATURES_MAX];
    int sum = 0;
    willow_pattern_set_indices(fixture->set, board, index);
    for (int i = 0; i < willow_pattern_set_features(fixture->set); i++) {
        sum += fixture->values[index[i]];
        const uint64_t seen = fixture->sightings[index[i]];
        for (int bin = 0; lookups && bin < JUDGE_SIGHTINGS; bin++) {
            uint64_t first, last;
            judge_sightings_range(bin, &first, &last);
            lookups[bin] += seen >= first && seen <= last;
        }
    }
    return sum;
}

struct reference {
    uint64_t rows[JUDGE_BINS], residuals[JUDGE_RESIDUALS], lookups[JUDGE_SIGHTINGS], effect_rows;
    double prediction[JUDGE_BINS], label[JUDGE_BINS];
    double effect[JUDGE_SQUARES], seen[JUDGE_SQUARES]; /* a square and its images together */
    uint64_t own_seen[JUDGE_SQUARES];
};

/* Flips each disc to either side and writes the effect to all images of its square. */
static void reference_effects(const struct fixture *fixture, struct willow_board board, struct reference *reference)
{
    reference->effect_rows++;
    for (int square = 0; square < 64; square++) {
        const uint64_t disc = 1ULL << square;
        if (!((board.player | board.opponent) & disc))
            continue;
        const struct willow_board own = {board.player | disc, board.opponent & ~disc};
        const struct willow_board other = {board.player & ~disc, board.opponent | disc};
        const int change = reference_sum(fixture, own, NULL) - reference_sum(fixture, other, NULL);
        reference->own_seen[square]++;
        for (int s = 0; s < WILLOW_SYMMETRIES; s++) {
            reference->effect[willow_square_symmetry(willow_ruleset_default(), (willow_square)square, s)] +=
                change / 64.0;
            reference->seen[willow_square_symmetry(willow_ruleset_default(), (willow_square)square, s)] += 1.0;
        }
    }
}

static void make_reference(const struct fixture *fixture, struct reference *reference)
{
    const uint64_t stride = (ROWS + JUDGE_EFFECT_ROWS - 1) / JUDGE_EFFECT_ROWS;
    memset(reference, 0, sizeof *reference);
    for (int ply = 0; ply < PLIES; ply++)
        for (size_t i = 0; i < fixture->count[ply]; i++) {
            const struct sample *row = &fixture->rows[ply][i];
            int score = reference_sum(fixture, row->board, reference->lookups);
            score = score > 2047 ? 2047 : score < -2047 ? -2047 : score;
            int bin = 0;
            while (score >= -2048 + 128 * (bin + 1))
                bin++;
            reference->rows[bin]++;
            reference->prediction[bin] += score / 32.0;
            reference->label[bin] += (double)row->label / 32.0;
            const double residual = (score - (double)row->label) / 32.0;
            int nearest = 0;
            for (int r = 0; r < JUDGE_RESIDUALS; r++)
                if (fabs(residual - (r - 32)) < fabs(residual - (nearest - 32)))
                    nearest = r;
            reference->residuals[nearest]++;
            if (willow_checksum64(row, sizeof *row) % stride == 0)
                reference_effects(fixture, row->board, reference);
        }
}

static void assert_near(double a, double b, double most)
{
    if (!(fabs(a - b) <= most))
        fail_msg("%.9g is not %.9g", a, b);
}

static void test_equals_reference(void **state)
{
    const struct fixture *fixture = *state;
    struct reference *reference = malloc(sizeof *reference);
    struct judgement judgement;
    assert_non_null(reference);
    make_reference(fixture, reference);
    judge(fixture, (struct pass_rows){whole, PLIES}, 2, &judgement);
    assert_int_equal(judgement.part, SAMPLE_HELD_OUT);
    assert_int_equal(judgement.rows, ROWS);
    int filled = 0;
    for (int bin = 0; bin < JUDGE_BINS; bin++) {
        const struct judge_bin *at = &judgement.calibration[bin];
        const double rows = at->rows > 0 ? (double)at->rows : 1.0;
        assert_int_equal(at->rows, reference->rows[bin]);
        assert_near(at->prediction_discs, reference->prediction[bin] / rows, 1e-9);
        assert_near(at->label_discs, reference->label[bin] / rows, 1e-5);
        filled += at->rows > 0;
    }
    assert_int_equal(filled, JUDGE_BINS); /* the clamped ends among them */
    /* A residual in the middle between two bins may go to either; labels are random, so none does. */
    assert_memory_equal(judgement.residuals, reference->residuals, sizeof judgement.residuals);
    assert_true(judgement.residuals[0] > 0 && judgement.residuals[JUDGE_RESIDUALS - 1] > 0);
    assert_memory_equal(judgement.lookups, reference->lookups, sizeof judgement.lookups);
    assert_int_equal(judgement.effect_rows, reference->effect_rows);
    assert_true(judgement.effect_rows <= JUDGE_EFFECT_ROWS + JUDGE_EFFECT_ROWS / 10 &&
                judgement.effect_rows > JUDGE_EFFECT_ROWS / 2);
    assert_memory_equal(judgement.effect_seen, reference->own_seen, sizeof judgement.effect_seen);
    for (int square = 0; square < JUDGE_SQUARES; square++)
        assert_near(judgement.effect_discs[square], reference->effect[square] / reference->seen[square], 1e-9);
    free(reference);
}

static void test_counts_weights_by_sightings(void **state)
{
    const struct fixture *fixture = *state;
    struct judgement judgement;
    uint64_t weights = 0, none = 0, few = 0, lookups = 0;
    judge(fixture, (struct pass_rows){whole, PLIES}, 1, &judgement);
    for (uint32_t j = 0; j < fixture->features.weights; j++) {
        none += fixture->sightings[j] == 0;
        few += fixture->sightings[j] >= 5 && fixture->sightings[j] <= 8;
    }
    for (int bin = 0; bin < JUDGE_SIGHTINGS; bin++) {
        weights += judgement.weights[bin];
        lookups += judgement.lookups[bin];
    }
    assert_int_equal(weights, fixture->features.weights);
    assert_int_equal(lookups, ROWS * (uint64_t)fixture->features.count);
    assert_int_equal(judgement.weights[0], none);
    assert_int_equal(judgement.weights[4], few); /* 5-8 */
    assert_int_equal(judgement.weights[JUDGE_SIGHTINGS - 1], 1);
    assert_near(judge_unseen_share(&judgement), (double)judgement.lookups[0] / (double)lookups, 1e-12);
    assert_near(judge_rare_share(&judgement),
                (double)(judgement.lookups[0] + judgement.lookups[1] + judgement.lookups[2]) / (double)lookups, 1e-12);
    uint64_t expected = 0, first, last;
    for (int bin = 0; bin < JUDGE_SIGHTINGS; bin++) {
        judge_sightings_range(bin, &first, &last);
        assert_int_equal(first, expected);
        expected = last + 1; /* 0 after the open one */
    }
    assert_int_equal(expected, 0);
}

static void test_threads_do_not_matter(void **state)
{
    const struct fixture *fixture = *state;
    struct judgement one, many;
    judge(fixture, (struct pass_rows){whole, PLIES}, 1, &one);
    for (int threads = 2; threads <= 5; threads++) {
        judge(fixture, (struct pass_rows){whole, PLIES}, threads, &many);
        assert_memory_equal(&one, &many, sizeof one);
    }
}

/* A range judges its own blocks alone; no rows, and lists that are empty, are nothing to judge. */
static void test_ranges(void **state)
{
    const struct fixture *fixture = *state;
    struct judgement judgement;
    const struct pass_range second = {1, SAMPLE_HELD_OUT, 1, 1, 1.0F}, none = {7, SAMPLE_TRAIN, 0, SIZE_MAX, 1.0F};
    const struct pass_range later = {1, SAMPLE_HELD_OUT, 2, SIZE_MAX, 1.0F};
    judge(fixture, (struct pass_rows){&second, 1}, 2, &judgement);
    assert_int_equal(judgement.rows, SAMPLE_BLOCK_ROWS);
    judge(fixture, (struct pass_rows){&later, 1}, 2, &judgement);
    assert_int_equal(judgement.rows, fixture->count[1] - 2 * SAMPLE_BLOCK_ROWS);
    judge(fixture, (struct pass_rows){&none, 1}, 2, &judgement);
    assert_int_equal(judgement.rows, 0);
    assert_int_equal(judgement.part, SAMPLE_TRAIN);
    assert_true(judge_unseen_share(&judgement) == 0.0);
    judge(fixture, (struct pass_rows){NULL, 0}, 2, &judgement);
    assert_int_equal(judgement.rows, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_reference),
        cmocka_unit_test(test_counts_weights_by_sightings),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
