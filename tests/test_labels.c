/* What a row is worth: every rule for labels, weights and filters against one that spells out all cases. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

#include "trainer/samples/labels.h"

/* What the rules say, case by case. */
static enum label_verdict expected(const struct label_rules *rules, const struct willow_row *row, int since,
                                   double *label, enum sample_kind *kind)
{
    const bool random = row->flags & WILLOW_ROW_RANDOM, exact = row->flags & WILLOW_ROW_EXACT;
    const bool has_score = row->score != WILLOW_SCORE_MISSING;
    const double discs = fabs(row->score / 32.0 - row->result);
    if (rules->drop_random && random)
        return LABEL_RANDOM_MOVE;
    if (rules->random_distance > 0 && since < rules->random_distance)
        return LABEL_NEAR_RANDOM;
    if (has_score && rules->gap_discs > 0.0 && discs > rules->gap_discs)
        return LABEL_GAP;
    const struct label_blend *blend = &rules->blend[row->ply];
    const double result = row->result * 32.0;
    if (has_score && exact && blend->exact > 0.0F) {
        *label = row->score;
        *kind = SAMPLE_EXACT;
    } else if (has_score && !exact && blend->score > 0.0F) {
        const double a = (double)blend->score, b = (double)blend->result;
        *label = (a * row->score + b * result) / (a + b);
        *kind = SAMPLE_SCORE;
    } else if (blend->result > 0.0F || rules->missing == LABEL_MISSING_RESULT) {
        *label = result;
        *kind = SAMPLE_RESULT;
    } else {
        return LABEL_UNLABELLED;
    }
    return rules->weight[*kind] > 0.0 ? LABEL_KEPT : LABEL_KIND;
}

static double pick(struct willow_random *random, const double *values, uint32_t count)
{
    return values[willow_random_below(random, count)];
}

static struct label_rules make_rules(struct willow_random *random)
{
    static const double blends[] = {0.0, 0.0, 1.0, 0.3, 1000.0, 1e-6}, weights[] = {0.0, 1.0, 0.25, 15.0, 1.0 / 4096};
    static const double gaps[] = {0.0, 0.0, 10.0, 3.5, 128.0};
    struct label_rules rules = {.missing = (enum label_missing)willow_random_below(random, 3),
                                .drop_random = willow_random_below(random, 2),
                                .random_distance =
                                    (int)willow_random_below(random, 2) * (int)willow_random_below(random, 9),
                                .gap_discs = pick(random, gaps, 5)};
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        rules.blend[ply] = (struct label_blend){(float)pick(random, blends, 6), (float)pick(random, blends, 6),
                                                (float)pick(random, blends, 6)};
    for (int kind = 0; kind < SAMPLE_KINDS; kind++)
        rules.weight[kind] = pick(random, weights, 5);
    if (rules.weight[0] + rules.weight[1] + rules.weight[2] <= 0.0)
        rules.weight[1] = 1.0;
    return rules;
}

static struct willow_row make_row(struct willow_random *random)
{
    struct willow_row row = {.player = willow_random_u64(random),
                             .result = (int8_t)((int)willow_random_below(random, 129) - 64),
                             .ply = (uint8_t)willow_random_below(random, SAMPLE_PLIES),
                             .score = WILLOW_SCORE_MISSING};
    row.opponent = ~row.player;
    row.flags = (uint8_t)(willow_random_below(random, 3) == 0 ? WILLOW_ROW_RANDOM : 0);
    row.flags |= (uint8_t)(willow_random_below(random, 2) ? WILLOW_ROW_SOLVED_RESULT : 0);
    const uint32_t kind = willow_random_below(random, 3);
    if (kind == 1)
        row.score = (int16_t)((int)willow_random_below(random, 4097) - 2048);
    if (kind == 2) {
        row.score = (int16_t)(((int)willow_random_below(random, 129) - 64) * WILLOW_SCORE_DISC);
        row.flags |= WILLOW_ROW_EXACT;
    }
    /* Near the border of the filter for gaps, on both sides of it. */
    if (kind > 0 && willow_random_below(random, 4) == 0)
        row.result = (int8_t)(row.score / WILLOW_SCORE_DISC / 2);
    return row;
}

static void rules_hold_for_all_rows(void **state)
{
    (void)state;
    struct willow_random random;
    uint64_t seen[LABEL_VERDICTS] = {0}, kinds[SAMPLE_KINDS] = {0};
    willow_random_init(&random, 2, 1);
    for (int set = 0; set < 400; set++) {
        const struct label_rules rules = make_rules(&random);
        assert_int_equal(label_rules_check(&rules, NULL), WILLOW_OK);
        for (int i = 0; i < 250; i++) {
            const struct willow_row row = make_row(&random);
            const int since = willow_random_below(&random, 4) == 0 ? INT_MAX : (int)willow_random_below(&random, 12);
            double label = NAN;
            enum sample_kind kind = SAMPLE_KINDS;
            struct sample sample;
            memset(&sample, 0xA5, sizeof sample);
            const enum label_verdict verdict = label_of_row(&rules, &row, since, &sample);
            assert_int_equal(verdict, expected(&rules, &row, since, &label, &kind));
            seen[verdict]++;
            if (verdict != LABEL_KEPT)
                continue;
            kinds[kind]++;
            assert_true(sample.board.player == row.player && sample.board.opponent == row.opponent);
            assert_true(fabs((double)sample.label - label) <= 1e-3);
            assert_true(sample.label == (float)label || kind == SAMPLE_SCORE);
            assert_int_equal(sample.weight, lrint(rules.weight[kind] * SAMPLE_WEIGHT_ONE));
            assert_int_equal(sample.kind, kind);
            assert_int_equal(sample.padding[0], 0);
        }
    }
    for (int verdict = 0; verdict < LABEL_VERDICTS; verdict++)
        assert_true(seen[verdict] > 1000);
    for (int kind = 0; kind < SAMPLE_KINDS; kind++)
        assert_true(kinds[kind] > 1000);
}

static float label_of(const struct label_rules *rules, int score, int result, uint8_t flags)
{
    const struct willow_row row = {.score = (int16_t)score, .result = (int8_t)result, .flags = flags, .ply = 30};
    struct sample sample = {.label = NAN};
    assert_int_equal(label_of_row(rules, &row, INT_MAX, &sample), LABEL_KEPT);
    return sample.label;
}

static void some_labels_by_hand(void **state)
{
    (void)state;
    struct label_rules rules = label_rules_default();
    assert_true(label_of(&rules, 100, -6, 0) == 100.0F);
    assert_true(label_of(&rules, WILLOW_SCORE_MISSING, -6, 0) == -192.0F);
    assert_true(label_of(&rules, 96, -6, WILLOW_ROW_EXACT) == 96.0F);
    rules.blend[30] = (struct label_blend){.score = 0.5F, .exact = 0.5F, .result = 0.5F};
    assert_true(label_of(&rules, 100, -6, 0) == -46.0F);
    assert_true(label_of(&rules, 100, -6, WILLOW_ROW_SOLVED_RESULT) == -46.0F); /* a result like any other */
    assert_true(label_of(&rules, 96, -6, WILLOW_ROW_EXACT) == 96.0F);           /* the result would be noise */
    assert_true(label_of(&rules, 96, -6, WILLOW_ROW_EXACT | WILLOW_ROW_SOLVED_RESULT) == 96.0F);
    rules.blend[30].exact = 0.0F;
    assert_true(label_of(&rules, 96, -6, WILLOW_ROW_EXACT) == -192.0F);
    rules.blend[29] = (struct label_blend){.score = 1.0F}; /* another ply changes nothing */
    assert_true(label_of(&rules, 100, -6, 0) == -46.0F);
}

static void expect_refused(const struct label_rules *rules, const char *place)
{
    struct willow_error error;
    assert_int_equal(label_rules_check(rules, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.place, place);
}

static void bad_rules_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {NAN, -1.0, -1e-9, INFINITY, -INFINITY, 1e9};
    static const char *const weights[] = {"weight of scores", "weight of exact scores", "weight of results"};
    const struct label_rules good = label_rules_default();
    assert_int_equal(label_rules_check(&good, NULL), WILLOW_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct label_rules rules = good;
        rules.blend[0].score = (float)bad[i];
        expect_refused(&rules, "blend of ply 0");
        rules = good;
        rules.blend[60].exact = (float)bad[i];
        expect_refused(&rules, "blend of ply 60");
        rules = good;
        rules.blend[17].result = (float)bad[i];
        expect_refused(&rules, "blend of ply 17");
        for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
            rules = good;
            rules.weight[kind] = bad[i];
            expect_refused(&rules, weights[kind]);
        }
        rules = good;
        rules.gap_discs = bad[i];
        expect_refused(&rules, "gap");
    }
    struct label_rules rules = good;
    rules.weight[SAMPLE_RESULT] = 15.01;
    expect_refused(&rules, "weight of results");
    rules.weight[SAMPLE_RESULT] = 1e-5; /* would be rounded to nothing */
    expect_refused(&rules, "weight of results");
    rules.weight[SAMPLE_RESULT] = rules.weight[SAMPLE_SCORE] = rules.weight[SAMPLE_EXACT] = 0.0;
    expect_refused(&rules, "weights");
    rules = good;
    rules.random_distance = -1;
    expect_refused(&rules, "random distance");
    rules.random_distance = 61;
    expect_refused(&rules, "random distance");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_hold_for_all_rows),
        cmocka_unit_test(some_labels_by_hand),
        cmocka_unit_test(bad_rules_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
