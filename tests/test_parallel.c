/* Several threads on one position: the same exact scores whatever their number and the size of the table, lines that
 * reach the end of the game, and a table in which every bound is true.
 *
 * The first test solves few positions, so that it takes a second. WILLOW_TEST_POSITIONS=2000 makes it thorough.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <willow/search.h>

#include "search/split.h"
#include "search/worker.h"
#include "support/parallel_fixture.h"
#include "support/positions.h"
#include "support/sanitized.h"
#include "support/threaded_search.h"

static const size_t table_sizes[] = {0, 1 << 14, 16 << 20};
enum { SIZES = 3, HANDLES = PARALLEL_COUNTS * SIZES };

/* 0 = not asked for. */
static int positions_asked_for(void)
{
    const char *text = getenv("WILLOW_TEST_POSITIONS");
    return text ? atoi(text) : 0;
}

static void scores_depend_on_neither_threads_nor_table(void **state)
{
    (void)state;
    const int asked = positions_asked_for(), positions = asked > 0 ? asked : SANITIZED ? 12 : 48;
    struct willow_search *handles[HANDLES];
    for (int i = 0; i < HANDLES; i++)
        handles[i] =
            threaded_search(parallel_weights, table_sizes[i / PARALLEL_COUNTS], parallel_counts[i % PARALLEL_COUNTS]);
    struct willow_search *alone = threaded_search(parallel_weights, 1 << 20, 1);
    struct willow_random random;
    willow_random_init(&random, 30, 0);
    for (int i = 0; i < positions; i++) {
        const struct willow_board board = parallel_board(&random, 10 + i % 7);
        willow_search_clear(alone);
        const willow_score score = parallel_solve(alone, board).score;
        for (int k = 0; k < HANDLES; k++) {
            /* Without being asked for more, a third of the handles for each position; some are never cleared. */
            if (asked == 0 && (i + k + i / HANDLES) % 3 != 0)
                continue;
            if (k % 2 == 0)
                willow_search_clear(handles[k]);
            const struct willow_result result = parallel_solve(handles[k], board);
            assert_int_equal(result.score, score);
            parallel_check_line(board, &result);
        }
    }
    willow_search_free(alone);
    for (int i = 0; i < HANDLES; i++)
        willow_search_free(handles[i]);
}

static void equals_negamax_with_threads(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    const int asked = positions_asked_for(), positions = asked > 0 ? asked : SANITIZED ? 20 : 100;
    struct willow_search *handles[PARALLEL_COUNTS];
    for (int i = 0; i < PARALLEL_COUNTS; i++)
        handles[i] = threaded_search(parallel_weights, 1 << 16, parallel_counts[i]);
    struct willow_random random;
    willow_random_init(&random, 31, 0);
    for (int i = 0; i < positions; i++) {
        const struct willow_board board =
            i % 4 == 0 ? position_from_noise(ruleset, &random, i % 10) : position_from_play(ruleset, &random, i % 10);
        const struct willow_result result = parallel_solve(handles[i / 10 % PARALLEL_COUNTS], board);
        assert_int_equal(result.score, position_negamax(NULL, ruleset, board, 64));
        parallel_check_line(board, &result);
    }
    for (int i = 0; i < PARALLEL_COUNTS; i++)
        willow_search_free(handles[i]);
}

static void threads_share_the_work(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 32, 0);
    struct willow_search *search = threaded_search(parallel_weights, 1 << 20, 4);
    uint64_t total = 0, others = 0;
    for (int i = 0; i < 3; i++) {
        const struct willow_board board = parallel_board(&random, SANITIZED ? 16 : 18);
        const struct willow_result result = parallel_solve(search, board);
        assert_true(result.nodes == search->main->nodes + pool_nodes(search->pool));
        total += result.nodes;
        others += pool_nodes(search->pool);
    }
    /* Of four threads three could have three quarters; on one busy core they still get some. */
    assert_true(others > total / 100);
    willow_search_free(search);
}

static void one_thread_repeats_its_node_count(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 33, 0);
    const struct willow_board board = parallel_board(&random, 15), early = parallel_board(&random, 30);
    struct willow_search *search = threaded_search(parallel_weights, 1 << 18, 1);
    const struct willow_limits to_end = {0}, selective = {.selectivity = 87}, deep = {.depth = 9, .selectivity = 73};
    struct willow_result first[3];
    for (int round = 0; round < 3; round++) {
        willow_search_clear(search);
        const struct willow_result results[3] = {parallel_run(search, board, to_end),
                                                 parallel_run(search, board, selective),
                                                 parallel_run(search, early, deep)};
        for (int i = 0; i < 3; i++) {
            if (round == 0)
                first[i] = results[i];
            assert_int_equal(results[i].nodes, first[i].nodes);
            assert_int_equal(results[i].score, first[i].score);
            assert_int_equal(results[i].move, first[i].move);
        }
        /* What other threads have done in between leaves no trace. */
        assert_int_equal(willow_search_set_threads(search, 3, NULL), WILLOW_OK);
        assert_int_equal(parallel_solve(search, board).score, first[0].score);
        assert_int_equal(willow_search_set_threads(search, 1, NULL), WILLOW_OK);
    }
    willow_search_free(search);
}

static void number_of_threads_may_change(void **state)
{
    (void)state;
    static const int counts[] = {1, 4, 2, 2, 8, 1, 64, 3};
    struct willow_random random;
    willow_random_init(&random, 34, 0);
    struct willow_search *search = threaded_search(parallel_weights, 1 << 18, 2),
                         *alone = threaded_search(parallel_weights, 1 << 18, 1);
    struct willow_error error;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        assert_int_equal(willow_search_set_threads(search, counts[i], &error), WILLOW_OK);
        static const int refused[] = {0, -1, WILLOW_SEARCH_THREADS_MAX + 1};
        for (int k = 0; k < 3; k++)
            assert_int_equal(willow_search_set_threads(search, refused[k], &error), WILLOW_ERR_ARGUMENT);
        const struct willow_board board = parallel_board(&random, 14);
        const willow_score score = parallel_solve(alone, board).score;
        assert_int_equal(parallel_solve(search, board).score, score);
        if (i % 2 == 0)
            willow_search_clear(search);
    }
    willow_search_free(search);
    willow_search_free(alone);
    /* Never used, and freed while its threads wait. */
    willow_search_free(threaded_search(parallel_weights, 0, 16));
}

static void more_threads_than_work(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_random random;
    willow_random_init(&random, 35, 0);
    struct willow_search *search = threaded_search(parallel_weights, 0, 64);
    for (int i = 0; i < 40; i++) {
        const struct willow_board board = position_from_play(ruleset, &random, i % 5);
        const struct willow_result result = parallel_solve(search, board);
        assert_int_equal(result.score, position_negamax(NULL, ruleset, board, 64));
        parallel_check_line(board, &result);
    }
    struct willow_search *alone = threaded_search(parallel_weights, 1 << 18, 1);
    const struct willow_board board = parallel_board(&random, 15);
    assert_int_equal(parallel_solve(search, board).score, parallel_solve(alone, board).score);
    willow_search_free(alone);
    willow_search_free(search);
}

/* All threads count the discs at the end in the same way, from one run to the next. */
static void threads_agree_on_the_kind_of_score(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 36, 0);
    struct willow_search *search = threaded_search(parallel_weights, 1 << 20, 4),
                         *alone = threaded_search(parallel_weights, 1 << 20, 1);
    for (int i = 0; i < 24; i++) {
        const struct willow_board board = position_from_lopsided_noise(willow_ruleset_default(), &random, 14 + i % 3);
        const struct willow_limits limits = {.raw = i % 2 == 0};
        assert_int_equal(parallel_run(search, board, limits).score, parallel_run(alone, board, limits).score);
    }
    willow_search_free(search);
    willow_search_free(alone);
}

static void finished_and_odd_roots(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_stop *stop;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    const struct willow_limits limits[] = {{0},
                                           {.depth = 3, .selectivity = 73},
                                           {.nodes = 1},
                                           {.time_ms = 1},
                                           {.win_loss = true, .selectivity = 99},
                                           {.stop = stop}};
    struct willow_search *search = threaded_search(parallel_weights, 0, 4);
    for (size_t i = 0; i < POSITIONS_OVER; i++)
        for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
            const struct willow_result result = parallel_run(search, positions_over[i], limits[k]);
            const int discs = willow_board_final_discs(ruleset, positions_over[i]);
            assert_int_equal(result.score,
                             (limits[k].win_loss ? (discs > 0) - (discs < 0) : discs) * WILLOW_SCORE_DISC);
            assert_int_equal(result.move, WILLOW_NO_SQUARE);
            assert_true(result.exact && result.complete);
            assert_int_equal(result.selectivity, WILLOW_NOT_SELECTIVE);
        }
    /* One disc decides everything: the only move wipes the other side out. */
    const struct willow_board last = {.player = 1, .opponent = 2};
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        const struct willow_result result = parallel_run(search, last, limits[k]);
        assert_int_equal(result.move, 2);
    }
    willow_search_free(search);
    willow_stop_free(stop);
}

/* To a fixed depth and without selectivity every position has one score, to the last 1/32 disc: it shows a position, an
 * evaluation or a bound that a thread took from the wrong place where the discs of an exact search are too coarse.
 */
static void fixed_depths_have_one_score(void **state)
{
    (void)state;
    enum { DEPTH = 8 };
    const struct willow_limits limits = {.depth = DEPTH};
    struct willow_random random;
    willow_random_init(&random, 42, 0);
    struct willow_search *alone = threaded_search(parallel_weights, 1 << 20, 1);
    struct willow_search *handles[3] = {threaded_search(parallel_weights, 1 << 20, 2),
                                        threaded_search(parallel_weights, 1 << 14, 4),
                                        threaded_search(parallel_weights, 1 << 20, 8)};
    for (int round = 0; round < (SANITIZED ? 3 : 8); round++) {
        const struct willow_board board = parallel_board(&random, 16 + 4 * round);
        const struct willow_result single = parallel_run(alone, board, limits);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                (void)parallel_run(
                    handles[i], board,
                    (struct willow_limits){.depth = DEPTH,
                                           .nodes = 1 + willow_random_below(&random, (uint32_t)single.nodes)});
            const struct willow_result result = parallel_run(handles[i], board, limits);
            assert_true(result.complete);
            assert_int_equal(result.score, single.score);
            struct willow_board end = board;
            for (int ply = 0; ply < result.pv_length; ply++)
                end = willow_board_play(end, result.pv[ply]);
            const willow_score score = position_negamax(parallel_weights, willow_ruleset_default(), end, 0);
            assert_int_equal(result.pv_length % 2 == 0 ? score : -score, result.score);
        }
    }
    for (int i = 0; i < 3; i++)
        willow_search_free(handles[i]);
    willow_search_free(alone);
}

/* Every full-width bound in the table for a node that threads share, against a search by one thread. To a depth only
 * the nodes of the last iteration: earlier ones may have used, once it had begun, what was deeper. Returns how many
 * there were.
 */
static int check_bounds(const struct willow_search *search, struct willow_search *alone, struct willow_board root,
                        int depth, int shared_depth)
{
    const int last = depth + __builtin_popcountll(root.player | root.opponent);
    int checked = 0;
    for (uint64_t i = 0; i <= search->table.mask; i++) {
        const struct table_slot *slot = &search->table.slots[i];
        const uint64_t packed = table_load(&slot->packed), scramble = table_scramble(packed);
        const struct table_entry entry = table_unpack(packed);
        const struct willow_board board = {.player = table_load(&slot->player[0]) ^ scramble,
                                           .opponent = table_load(&slot->opponent[0]) ^ ~scramble};
        if (table_load(&slot->stamp) >> 8 != search->table.epoch || entry.selectivity != SELECTIVITY_NONE ||
            entry.depth < shared_depth || entry.depth + __builtin_popcountll(board.player | board.opponent) != last)
            continue;
        willow_search_clear(alone);
        const struct willow_result result =
            parallel_run(alone, board, (struct willow_limits){.depth = depth >= TABLE_EXACT ? 0 : entry.depth});
        assert_true(entry.lower <= result.score && result.score <= entry.upper);
        checked++;
    }
    return checked;
}

/* What is void, because a limit was reached or another thread had the answer, must not be stored as if it were known.
 * It seldom shows in a score, so the entries themselves are looked at: after searches that were cut short.
 */
static void every_bound_in_the_table_is_true(void **state)
{
    (void)state;
    enum { DEPTH = 8, SHARED_DEPTH = 6, EMPTIES = 16, SHARED_EMPTIES = 13 };
    enum { ROUNDS = SANITIZED ? 6 : 10, ROUNDS_MAX = 200, ENOUGH = 50 };
    struct willow_random random;
    willow_random_init(&random, 43, 0);
    struct willow_search *search = threaded_search(parallel_weights, 1 << 20, 4),
                         *alone = threaded_search(parallel_weights, 1 << 20, 1);
    int checked[2] = {0};
    /* How many entries a round leaves is up to how the threads are scheduled. */
    for (int round = 0; round < ROUNDS || (round < ROUNDS_MAX && (checked[0] < ENOUGH || checked[1] < ENOUGH));
         round++) {
        const bool exact = round % 2 != 0;
        const int depth = exact ? TABLE_EXACT + EMPTIES : DEPTH;
        const struct willow_board board = parallel_board(&random, exact ? EMPTIES : 20 + round % 10);
        willow_search_clear(search);
        for (int i = 0; i < 8; i++)
            (void)parallel_run(
                search, board,
                (struct willow_limits){.depth = exact ? 0 : DEPTH, .nodes = 1 + willow_random_below(&random, 60000)});
        checked[exact] +=
            check_bounds(search, alone, board, depth, exact ? TABLE_EXACT + SHARED_EMPTIES : SHARED_DEPTH);
    }
    assert_true(checked[0] >= ENOUGH && checked[1] >= ENOUGH);
    willow_search_free(search);
    willow_search_free(alone);
}

static void scores_of_all_moves_are_those_of_one_thread(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 40, 0);
    struct willow_search *search = threaded_search(parallel_weights, 1 << 20, 4),
                         *alone = threaded_search(parallel_weights, 1 << 20, 1);
    for (int round = 0; round < (SANITIZED ? 2 : 6); round++) {
        const struct willow_board board = parallel_board(&random, 14 + round % 2);
        struct willow_scored_move moves[64], others[64];
        const int count = willow_search_moves(search, board, &(struct willow_limits){0}, moves);
        assert_int_equal(willow_search_moves(alone, board, &(struct willow_limits){0}, others), count);
        for (int i = 0; i < count; i++) {
            assert_true(moves[i].exact && others[i].exact);
            assert_int_equal(moves[i].move, others[i].move);
            assert_int_equal(moves[i].score, others[i].score);
        }
    }
    willow_search_free(search);
    willow_search_free(alone);
}

/* Two callers, each with threads of its own. */
struct caller {
    pthread_t thread;
    uint64_t seed;
    struct willow_board boards[8];
    willow_score scores[8];
};

static void *solve_all(void *argument)
{
    struct caller *caller = argument;
    struct willow_search *search = NULL;
    if (willow_search_new(parallel_weights, 1 << 16, &search, NULL) != WILLOW_OK ||
        willow_search_set_threads(search, 3, NULL) != WILLOW_OK)
        return NULL;
    for (int i = 0; i < 8; i++) {
        struct willow_result result;
        willow_search_run(search, caller->boards[i], &(struct willow_limits){0}, &result);
        caller->scores[i] = result.score;
    }
    willow_search_free(search);
    return NULL;
}

static void handles_share_nothing(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 41, 0);
    struct caller callers[2];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 8; k++)
            callers[i].boards[k] = parallel_board(&random, SANITIZED ? 13 : 15);
        assert_int_equal(pthread_create(&callers[i].thread, NULL, solve_all, &callers[i]), 0);
    }
    struct willow_search *alone = threaded_search(parallel_weights, 1 << 20, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(callers[i].thread, NULL), 0);
        for (int k = 0; k < 8; k++)
            assert_int_equal(callers[i].scores[k], parallel_solve(alone, callers[i].boards[k]).score);
    }
    willow_search_free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_depend_on_neither_threads_nor_table),
        cmocka_unit_test(equals_negamax_with_threads),
        cmocka_unit_test(threads_share_the_work),
        cmocka_unit_test(one_thread_repeats_its_node_count),
        cmocka_unit_test(number_of_threads_may_change),
        cmocka_unit_test(more_threads_than_work),
        cmocka_unit_test(threads_agree_on_the_kind_of_score),
        cmocka_unit_test(finished_and_odd_roots),
        cmocka_unit_test(fixed_depths_have_one_score),
        cmocka_unit_test(every_bound_in_the_table_is_true),
        cmocka_unit_test(scores_of_all_moves_are_those_of_one_thread),
        cmocka_unit_test(handles_share_nothing),
    };
    return cmocka_run_group_tests_name("parallel", tests, parallel_set_up, parallel_tear_down);
}
