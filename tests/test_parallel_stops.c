/* Several threads on one position, cut short: limits and stops that all of them obey, a legal move whatever happens,
 * and handles that stay right after a stop.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include <willow/clock.h>
#include <willow/search.h>

#include "support/parallel_fixture.h"
#include "support/sanitized.h"
#include "support/threaded_search.h"

/* What a stop may take in ms: the promise, and what a sanitizer's build gets. */
enum { STOP_MS = SANITIZED ? 1000 : 50 };

static void check_legal(struct willow_board board, const struct willow_result *result)
{
    assert_true(result->move < 64);
    assert_true(willow_board_moves(willow_ruleset_default(), board) >> result->move & 1);
    assert_int_equal(result->pv[0], result->move);
}

/* Sets the flag some time after the search has begun, and notes when. */
struct stopper {
    struct willow_stop *stop;
    long delay_ns;
    _Atomic uint64_t set_ns;
};

static void *stop_later(void *argument)
{
    struct stopper *stopper = argument;
    nanosleep(&(struct timespec){.tv_nsec = stopper->delay_ns}, NULL);
    atomic_store(&stopper->set_ns, willow_clock_ns());
    willow_stop_set(stopper->stop, true);
    return NULL;
}

/* Milliseconds from the flag to the return. */
static double stop_in_the_middle(struct willow_search *search, struct willow_board board, struct willow_limits limits)
{
    struct stopper stopper = {.delay_ns = 20 * 1000 * 1000};
    assert_int_equal(willow_stop_new(&stopper.stop, NULL), WILLOW_OK);
    limits.stop = stopper.stop;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, &stopper), 0);
    const struct willow_result result = parallel_run(search, board, limits);
    const uint64_t end_ns = willow_clock_ns();
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_false(result.complete);
    assert_false(result.exact);
    check_legal(board, &result);
    willow_stop_free(stopper.stop);
    return (double)(end_ns - atomic_load(&stopper.set_ns)) * 1e-6;
}

/* The shortest of some tries counts: others use the machine too, and what is looked for, a thread that never looks at
 * the flag, would show in each of them. */
static void stops_when_told_to(void **state)
{
    (void)state;
    enum { TRIES = 3 };
    const struct willow_limits kinds[] = {{0}, {.depth = 40, .selectivity = 73}, {.win_loss = true, .selectivity = 99}};
    struct willow_random random;
    willow_random_init(&random, 36, 0);
    struct willow_search *alone = threaded_search(parallel_weights, 1 << 20, 1);
    for (int count = 0; count < PARALLEL_COUNTS; count++) {
        struct willow_search *search = threaded_search(parallel_weights, 1 << 22, parallel_counts[count]);
        for (int kind = 0; kind < 3; kind++) {
            double least_ms = 1e9;
            for (int i = 0; i < TRIES && least_ms > STOP_MS; i++) {
                const double ms = stop_in_the_middle(search, parallel_board(&random, 40), kinds[kind]);
                least_ms = ms < least_ms ? ms : least_ms;
            }
            assert_true(least_ms <= STOP_MS);
        }
        /* What the stopped searches have left behind is right. */
        const struct willow_board board = parallel_board(&random, 14);
        assert_int_equal(parallel_solve(search, board).score, parallel_solve(alone, board).score);
        willow_search_free(search);
    }
    willow_search_free(alone);
}

/* The results of searches that were cut short must not reach the table, whichever thread had them. */
static void stopped_searches_leave_no_wrong_entry(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 37, 0);
    struct willow_search *search = threaded_search(parallel_weights, 1 << 18, 4),
                         *alone = threaded_search(parallel_weights, 1 << 20, 1);
    for (int round = 0; round < (SANITIZED ? 8 : 24); round++) {
        const struct willow_board board = parallel_board(&random, 14 + round % 3);
        for (int i = 0; i < 5; i++) {
            const uint64_t nodes = 1 + willow_random_below(&random, i % 2 ? 100000 : 5000);
            const struct willow_result result =
                parallel_run(search, board, (struct willow_limits){.nodes = nodes, .win_loss = i == 2});
            check_legal(board, &result);
            /* Each thread may have some thousand nodes that it has not reported. */
            assert_true(result.nodes < nodes + 4 * 8192);
        }
        const struct willow_result result = parallel_solve(search, board);
        assert_int_equal(result.score, parallel_solve(alone, board).score);
        parallel_check_line(board, &result);
    }
    willow_search_free(search);
    willow_search_free(alone);
}

static void time_limits_all_threads(void **state)
{
    (void)state;
    enum { TRIES = 3, LIMIT_MS = 30 };
    struct willow_random random;
    willow_random_init(&random, 38, 0);
    for (int count = 0; count < PARALLEL_COUNTS; count++) {
        struct willow_search *search = threaded_search(parallel_weights, 1 << 20, parallel_counts[count]);
        uint64_t least_ns = UINT64_MAX;
        for (int i = 0; i < TRIES && least_ns > (LIMIT_MS + STOP_MS) * (uint64_t)1000000; i++) {
            const struct willow_board board = parallel_board(&random, 40);
            const struct willow_result result =
                parallel_run(search, board, (struct willow_limits){.time_ms = LIMIT_MS});
            assert_false(result.complete);
            assert_true(result.time_ns >= LIMIT_MS * (uint64_t)1000000);
            check_legal(board, &result);
            least_ns = result.time_ns < least_ns ? result.time_ns : least_ns;
        }
        assert_true(least_ns <= (LIMIT_MS + STOP_MS) * (uint64_t)1000000);
        /* A soft limit lets the iteration finish, and begins no other. */
        const struct willow_board board = parallel_board(&random, 44);
        const struct willow_result soft =
            parallel_run(search, board, (struct willow_limits){.soft_ms = 5, .time_ms = 60000});
        assert_true(soft.complete && !soft.exact);
        assert_true(soft.depth >= 1 && soft.depth < 30);
        check_legal(board, &soft);
        /* No time at all still gives a move. */
        const struct willow_result none = parallel_run(search, board, (struct willow_limits){.time_ms = 1});
        check_legal(board, &none);
        willow_search_free(search);
    }
}

static void a_flag_set_before_gives_a_move(void **state)
{
    (void)state;
    struct willow_stop *stop;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    struct willow_random random;
    willow_random_init(&random, 39, 0);
    struct willow_search *search = threaded_search(parallel_weights, 1 << 16, 4);
    const struct willow_limits kinds[] = {
        {.stop = stop}, {.stop = stop, .win_loss = true}, {.stop = stop, .depth = 12, .selectivity = 73}};
    for (int round = 0; round < 24; round++) {
        const struct willow_board board = parallel_board(&random, 2 + round * 2);
        const struct willow_result result = parallel_run(search, board, kinds[round % 3]);
        check_legal(board, &result);
        assert_false(result.complete || result.exact);
        struct willow_scored_move moves[64];
        const uint64_t legal = willow_board_moves(willow_ruleset_default(), board);
        assert_int_equal(willow_search_moves(search, board, &kinds[round % 3], moves), __builtin_popcountll(legal));
    }
    willow_search_free(search);
    willow_stop_free(stop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_when_told_to),
        cmocka_unit_test(stopped_searches_leave_no_wrong_entry),
        cmocka_unit_test(time_limits_all_threads),
        cmocka_unit_test(a_flag_set_before_gives_a_move),
    };
    return cmocka_run_group_tests_name("parallel_stops", tests, parallel_set_up, parallel_tear_down);
}
