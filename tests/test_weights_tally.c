/* Tests of the sums over weights and of what looks odd among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/weights.h>

#include "cli/weights_tally.h"

static void test_tally(void **state)
{
    (void)state;
    const int16_t values[] = {0, -3, 5, INT16_MIN, 0, INT16_MAX, -INT16_MAX, INT16_MAX - 1};
    enum { COUNT = sizeof values / sizeof values[0] };
    struct weights_tally tally = {0};
    assert_true(weights_tally_mean(&tally) == 0.0);
    weights_tally_add(&tally, values, 3);
    assert_int_equal(tally.largest, 5);
    assert_int_equal(tally.at_limit, 0);
    assert_true(weights_tally_mean(&tally) == 8.0 / 3 / WILLOW_SCORE_DISC);
    weights_tally_add(&tally, values + 3, COUNT - 3);
    assert_int_equal(tally.count, COUNT);
    assert_int_equal(tally.nonzero, 6);
    assert_int_equal(tally.at_limit, 3);
    assert_int_equal(tally.magnitude, 8 + 32768 + 2 * 32767 + 32766);
    assert_int_equal(tally.largest, 32768);
}

/* pattern: one character a stage, '.' = all zero. */
static struct willow_weights *weights_of_stages(const char *pattern)
{
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    const size_t width = willow_pattern_set_weights(set);
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, (int)strlen(pattern));
    struct willow_weights *weights = NULL;
    int16_t *values = calloc(strlen(pattern) * width, sizeof *values);
    assert_non_null(values);
    assert_int_equal(stages.count, strlen(pattern));
    for (size_t i = 0; pattern[i]; i++)
        values[(i + 1) * width - 1] = pattern[i] != '.';
    assert_int_equal(willow_weights_new(willow_ruleset_default(), set, &stages, values, NULL, NULL, &weights, NULL),
                     WILLOW_OK);
    free(values);
    return weights;
}

static void test_skipped_stages(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        int skipped[3]; /* ended by -1 */
    } cases[] = {
        {"xxxxx", {-1}}, {".....", {-1}}, {"..xx.", {-1}}, {"x....", {-1}}, {".x.x.", {2, -1}}, {"x..x.x", {1, 2, 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct willow_weights *weights = weights_of_stages(cases[i].pattern);
        int stage = -1;
        for (int j = 0; j < 3; j++) {
            stage = weights_skipped_stage(weights, stage + 1);
            assert_int_equal(stage, cases[i].skipped[j]);
            if (stage < 0)
                break;
        }
        for (int j = 0; j < (int)strlen(cases[i].pattern); j++)
            assert_int_equal(weights_tally_stage(weights, j).nonzero, cases[i].pattern[j] != '.');
        willow_weights_free(weights);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tally),
        cmocka_unit_test(test_skipped_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
