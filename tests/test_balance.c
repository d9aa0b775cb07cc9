/* Balanced openings: taken with the probability promised, never beyond the limit, never twice judged in a round, and an
 * error where nothing is even. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include <willow/patterns.h>

#include "support/openings_check.h"
#include "support/random_weights.h"
#include "support/sanitized.h"

/* What the judge of balanced openings says, asked here as the header promises: |score| in discs. */
struct judge {
    struct willow_weights *weights;
    struct willow_search *search;
};

static struct judge new_judge(void)
{
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    struct judge judge = {.weights = random_weights(willow_pattern_set_default(), &stages, 1, 20)};
    assert_int_equal(willow_search_new(judge.weights, 1 << 16, &judge.search, NULL), WILLOW_OK);
    return judge;
}

static void free_judge(struct judge *judge)
{
    willow_search_free(judge->search);
    willow_weights_free(judge->weights);
}

static double discs_of(const struct judge *judge, struct willow_board board, int depth)
{
    const struct willow_limits limits = {.depth = depth};
    struct willow_result result;
    willow_search_clear(judge->search);
    willow_search_run(judge->search, willow_board_canonical(willow_ruleset_default(), board, NULL), &limits, &result);
    return abs(result.score) / (double)WILLOW_SCORE_DISC;
}

/* Takes openings until there are no more; how many. */
static size_t take_all(const struct openings_options *options, struct willow_board *boards, size_t most)
{
    struct openings *openings = openings_made(options);
    struct opening opening;
    struct willow_error error = {0};
    size_t count = 0;
    while (openings_take(openings, count, &opening, &error) == WILLOW_OK) {
        assert_true(count < most);
        boards[count++] = openings_replay(&opening);
    }
    assert_int_equal(error.status, WILLOW_ERR_ARGUMENT);
    assert_non_null(strstr(error.reason, "balanced"));
    openings_free(openings);
    return count;
}

/* Of the 322 positions after five plies, each round takes one of s discs with probability exp(-|s| / soft), and a
 * refused one does not come back: so often over many seeds, among the even and the uneven alike. */
static void test_even_starts_are_common(void **state)
{
    enum { COUNT = 322, ROUNDS = SANITIZED ? 15 : 60, GROUPS = 3 };
    const double soft = 3.0;
    struct judge judge = new_judge();
    const struct openings_options all = openings_all(1, 5);
    struct openings *openings = openings_made(&all);
    struct willow_board *boards = openings_take_distinct(openings, 0, COUNT);
    double expected[GROUPS] = {0}, variance[GROUPS] = {0}, taken[GROUPS] = {0};
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        const double discs = discs_of(&judge, boards[i], 1), chance = exp(-discs / soft);
        const int group = discs < 3 ? 0 : discs < 6 ? 1 : 2;
        expected[group] += ROUNDS * chance;
        variance[group] += ROUNDS * chance * (1 - chance);
    }
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct openings_options options = openings_random(seed, 5, 5);
        options.judge = judge.weights;
        options.judge_depth = 1;
        options.soft_discs = soft;
        options.repeat = false;
        const size_t count = take_all(&options, boards, COUNT);
        for (size_t i = 0; i < count; i++) {
            const double discs = discs_of(&judge, boards[i], 1);
            taken[discs < 3 ? 0 : discs < 6 ? 1 : 2]++;
        }
    }
    for (int group = 0; group < GROUPS; group++) {
        assert_true(expected[group] > 50);
        assert_true(fabs(taken[group] - expected[group]) < 4 * sqrt(variance[group]));
    }
    free(boards);
    openings_free(openings);
    free_judge(&judge);
}

/* Under a limit alone, all that are within it are taken and no others. */
static void test_the_limit_of_uneven_starts(void **state)
{
    enum { COUNT = 322, LIMIT = 2, DEPTH = 2 };
    struct judge judge = new_judge();
    const struct openings_options all = openings_all(1, 5);
    struct openings_options options = openings_random(9, 5, 5);
    struct openings *openings = openings_made(&all);
    struct willow_board *boards = openings_take_distinct(openings, 0, COUNT);
    size_t within = 0;
    (void)state;
    for (int i = 0; i < COUNT; i++)
        within += discs_of(&judge, boards[i], DEPTH) <= LIMIT;
    assert_in_range(within, 10, COUNT - 10);
    options.judge = judge.weights;
    options.judge_depth = DEPTH;
    options.limit_discs = LIMIT;
    options.repeat = false;
    assert_int_equal(take_all(&options, boards, COUNT), within);
    for (size_t i = 0; i < within; i++)
        assert_true(discs_of(&judge, boards[i], DEPTH) <= LIMIT);
    free(boards);
    openings_free(openings);

    /* In a second round the same ones pass. */
    options.repeat = true;
    openings = openings_made(&options);
    free(openings_take_distinct(openings, 0, within));
    free(openings_take_distinct(openings, within, within));
    openings_free(openings);
    free_judge(&judge);
}

static struct willow_weights *lopsided_weights(void)
{
    const struct willow_pattern_set *set = willow_pattern_set_default();
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    const uint32_t count = willow_pattern_set_weights(set);
    int16_t *values = calloc(count, sizeof *values);
    struct willow_weights *weights;
    assert_non_null(values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = 200;
    assert_int_equal(willow_weights_new(willow_ruleset_default(), set, &stages, values, NULL, NULL, &weights, NULL),
                     WILLOW_OK);
    free(values);
    return weights;
}

/* Where no opening is even enough, long search for one ends: by number of plies with a limit, softness, or both. */
static void test_a_judge_that_likes_nothing(void **state)
{
    struct willow_weights *weights = lopsided_weights();
    static const struct {
        int plies, limit;
        double soft;
        bool slow;
        const char *reason;
    } cases[] = {{0, 60, 0, false, "even to 60 discs, of 1 tried"},
                 {3, 60, 0, false, "even to 60 discs, of 14 tried"},
                 {2, 0, 0.01, true, "even enough"},
                 {12, 0, 0.01, true, "even enough"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct openings_options options = openings_random(1, cases[i].plies, cases[i].plies);
        struct willow_error error = {0};
        struct opening opening;
        if (cases[i].slow && SANITIZED)
            continue;
        options.judge = weights;
        options.judge_depth = 1;
        options.limit_discs = cases[i].limit;
        options.soft_discs = cases[i].soft;
        struct openings *openings = openings_made(&options);
        assert_int_equal(openings_take(openings, 0, &opening, &error), WILLOW_ERR_ARGUMENT);
        assert_non_null(strstr(error.reason, cases[i].reason));
        openings_free(openings);
    }
    willow_weights_free(weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even_starts_are_common),
        cmocka_unit_test(test_the_limit_of_uneven_starts),
        cmocka_unit_test(test_a_judge_that_likes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
