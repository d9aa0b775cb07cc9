/* Thousands of short searches by several threads, with stops and changes of their number between them: none hangs, and
 * each is right. What a rare race in waking and sleeping threads would break; a watchdog ends a hang.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/search.h>

#include "support/positions.h"
#include "support/sanitized.h"

enum { POSITIONS = 50, DEPTH = 4, ROUNDS = SANITIZED ? 3 : 20, HANG_SECONDS = 240 };

struct fixture {
    struct willow_weights *weights;
    struct willow_board boards[POSITIONS];
    willow_score scores[POSITIONS]; /* by one thread */
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct willow_search *alone = NULL;
    struct willow_random random;
    willow_random_init(&random, 61, 0);
    if (willow_weights_default(&fixture.weights, NULL) != WILLOW_OK ||
        willow_search_new(fixture.weights, 1 << 20, &alone, NULL) != WILLOW_OK)
        return -1;
    for (int i = 0; i < POSITIONS; i++) {
        struct willow_result result;
        fixture.boards[i] = position_from_play(willow_ruleset_default(), &random, 20);
        willow_search_run(alone, fixture.boards[i], &(struct willow_limits){.depth = DEPTH}, &result);
        fixture.scores[i] = result.score;
    }
    willow_search_free(alone);
    alarm(HANG_SECONDS);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    alarm(0);
    willow_weights_free(fixture->weights);
    return 0;
}

static void check(const struct fixture *fixture, struct willow_search *search, int i)
{
    struct willow_result result;
    willow_search_run(search, fixture->boards[i], &(struct willow_limits){.depth = DEPTH}, &result);
    assert_true(result.complete);
    assert_int_equal(result.score, fixture->scores[i]);
}

/* More threads than this machine may have cores. */
static void searches_of_a_few_hundred_nodes(void **state)
{
    const struct fixture *fixture = *state;
    struct willow_search *search = NULL;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    assert_int_equal(willow_search_set_threads(search, 4, NULL), WILLOW_OK);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < POSITIONS; i++)
            check(fixture, search, i);
    willow_search_free(search);
}

static void stopped_at_once(void **state)
{
    const struct fixture *fixture = *state;
    struct willow_search *search = NULL;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    assert_int_equal(willow_search_set_threads(search, 3, NULL), WILLOW_OK);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < POSITIONS; i++) {
            struct willow_result result;
            willow_search_run(search, fixture->boards[i], &(struct willow_limits){.nodes = 1 + 200 * (uint64_t)i},
                              &result);
            assert_true(willow_board_moves(willow_ruleset_default(), fixture->boards[i]) >> result.move & 1 ||
                        result.move == WILLOW_PASS);
        }
    check(fixture, search, 0);
    willow_search_free(search);
}

static void the_number_of_threads_changes(void **state)
{
    const struct fixture *fixture = *state;
    static const int counts[] = {1, 64, 2, 16, 1, 3, 64, 1, 8, 2};
    struct willow_search *search = NULL;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (int round = 0; round < (SANITIZED ? 10 : 30); round++) {
        assert_int_equal(willow_search_set_threads(search, counts[round % 10], NULL), WILLOW_OK);
        for (int i = 0; i < 5; i++)
            check(fixture, search, (5 * round + i) % POSITIONS);
    }
    assert_int_equal(willow_search_set_threads(search, 0, NULL), WILLOW_ERR_ARGUMENT);
    assert_int_equal(willow_search_set_threads(search, 257, NULL), WILLOW_ERR_ARGUMENT);
    check(fixture, search, 0);
    willow_search_free(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_of_a_few_hundred_nodes),
        cmocka_unit_test(stopped_at_once),
        cmocka_unit_test(the_number_of_threads_changes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
