/* Levels: every row is sound and no weaker than the one before it, and limits follow the empty squares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <willow/level.h>
#include <willow/ruleset.h>
#include <willow/weights.h>

static bool is_selectivity(int percent)
{
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++)
        if (willow_selectivities[i] == percent)
            return true;
    return false;
}

static void test_rows(void **state)
{
    (void)state;
    for (int level = WILLOW_LEVEL_MIN; level <= WILLOW_LEVEL_MAX; level++) {
        const struct willow_level *row = willow_level_find(level);
        assert_true(row->depth >= 1 && is_selectivity(row->selectivity) && is_selectivity(row->end_selectivity));
        /* The end is never searched less deeply than the midgame before it. */
        assert_true(row->exact <= row->selective_end && row->depth <= row->selective_end &&
                    row->selective_end <= WILLOW_SQUARES - 4);
        if (level == WILLOW_LEVEL_MIN)
            continue;
        const struct willow_level *before = willow_level_find(level - 1);
        assert_true(row->depth > before->depth);
        assert_true(row->exact >= before->exact && row->selective_end >= before->selective_end);
    }
}

static void test_limits(void **state)
{
    (void)state;
    for (int level = WILLOW_LEVEL_MIN; level <= WILLOW_LEVEL_MAX; level++) {
        const struct willow_level *row = willow_level_find(level);
        for (int empties = 0; empties <= WILLOW_SQUARES - 4; empties++) {
            struct willow_limits limits = {.nodes = 17, .time_ms = 18};
            willow_level_limit(level, empties, &limits);
            assert_true(limits.nodes == 17 && limits.time_ms == 18);
            assert_int_equal(limits.exact_empties, row->exact);
            if (empties > row->selective_end) {
                assert_int_equal(limits.depth, row->depth);
                assert_int_equal(limits.selectivity, row->selectivity);
            } else {
                assert_true(limits.depth >= empties && limits.depth > 0);
                assert_int_equal(limits.selectivity, row->end_selectivity);
            }
        }
    }
}

/* What the search makes of them: the depth of the midgame, a selective end, an exact end. */
static void test_search(void **state)
{
    struct willow_search *search;
    struct willow_weights *weights;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    const int level = 8;
    const struct willow_level *row = willow_level_find(level);
    struct willow_board board = ruleset->start;

    (void)state;
    assert_int_equal(willow_weights_open("default", ruleset, &weights, NULL), WILLOW_OK);
    assert_int_equal(willow_search_new(weights, 1 << 20, &search, NULL), WILLOW_OK);
    assert_true(row->exact < row->selective_end);
    while (!willow_board_over(ruleset, board)) {
        const int empties = willow_board_empties(ruleset, board);
        struct willow_limits limits = {0};
        struct willow_result result;
        willow_level_limit(level, empties, &limits);
        willow_search_run(search, board, &limits, &result);
        assert_true(result.complete);
        if (empties > row->selective_end)
            assert_true(result.depth == row->depth && !result.exact);
        else
            assert_int_equal(result.depth, empties);
        if (empties <= row->exact)
            assert_true(result.exact);
        board = willow_board_play(board, result.move);
    }
    willow_search_free(search);
    willow_weights_free(weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_search)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
