/* Fixed-depth search against plain minimax, roots of every kind, limits, repeatability, and scores of all moves. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include <willow/clock.h>
#include <willow/search.h>

#include "support/positions.h"
#include "support/random_weights.h"

/* Shared by all tests: an evaluation that is noise, so that no ordering helps and every mistake shows. */
static struct willow_weights *noise;
static struct willow_search *search;

static int set_up(void **state)
{
    (void)state;
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 5);
    noise = random_weights(willow_pattern_set_default(), &stages, 3, 80);
    return willow_search_new(noise, 1 << 20, &search, NULL) == WILLOW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    willow_search_free(search);
    willow_weights_free(noise);
    return 0;
}

static struct willow_result run(struct willow_board board, struct willow_limits limits)
{
    struct willow_result result;
    willow_search_run(search, board, &limits, &result);
    return result;
}

static struct willow_board board_at(struct willow_random *random, int empties)
{
    return position_from_play(willow_ruleset_default(), random, empties);
}

/* Follows the line and evaluates its end: the score must be that of the line. */
static void check_line(struct willow_board board, const struct willow_result *result)
{
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    willow_score sign = 1;
    assert_int_equal(result->move, result->pv[0]);
    for (int i = 0; i < result->pv_length; i++) {
        uint64_t legal = willow_board_moves(ruleset, board);
        assert_true(result->pv[i] == WILLOW_PASS ? legal == 0 : (legal >> result->pv[i] & 1) != 0);
        board = willow_board_play(board, result->pv[i]);
        sign = -sign;
    }
    assert_int_equal(sign * position_negamax(noise, ruleset, board, 0), result->score);
}

static void equals_minimax(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    static const int rounds[] = {0, 120, 120, 60, 16};
    struct willow_random random;
    willow_random_init(&random, 4, 0);
    for (int depth = 1; depth <= 4; depth++)
        for (int round = 0; round < rounds[depth]; round++) {
            /* From the opening to where only just no exact search begins. */
            struct willow_board board = board_at(&random, depth + 1 + round % (59 - depth));
            if (willow_board_empties(ruleset, board) <= depth || willow_board_over(ruleset, board))
                continue;
            willow_search_clear(search);
            struct willow_result result = run(board, (struct willow_limits){.depth = depth});
            assert_true(result.complete);
            assert_int_equal(result.depth, depth);
            assert_int_equal(result.score, position_negamax(noise, ruleset, board, depth));
            check_line(board, &result);
        }
}

/* Deeper than minimax can go here: deepening, table and windows must not matter. */
static void deepening_changes_no_score(void **state)
{
    (void)state;
    struct willow_search *single;
    assert_int_equal(willow_search_new(noise, 0, &single, NULL), WILLOW_OK);
    struct willow_random random;
    willow_random_init(&random, 5, 0);
    for (int round = 0; round < 4; round++) {
        struct willow_board board = board_at(&random, 20 + 8 * round);
        struct willow_result without;
        willow_search_run(single, board, &(struct willow_limits){.depth = 6}, &without);
        willow_search_clear(search);
        struct willow_result with = run(board, (struct willow_limits){.depth = 6, .nodes = 1u << 30});
        assert_int_equal(with.score, without.score);
        check_line(board, &with);
    }
    willow_search_free(single);
}

static void same_run_same_nodes(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 6, 0);
    for (int round = 0; round < 10; round++) {
        struct willow_board board = board_at(&random, 12 + 3 * round);
        struct willow_limits limits = {.depth = 5, .exact_empties = 12};
        willow_search_clear(search);
        struct willow_result first = run(board, limits), again = run(board, limits);
        willow_search_clear(search);
        struct willow_result second = run(board, limits);
        assert_int_equal(first.nodes, second.nodes);
        assert_int_equal(first.score, second.score);
        assert_int_equal(first.move, second.move);
        assert_int_equal(first.score, again.score);
    }
}

static void finished_and_odd_roots(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    for (size_t i = 0; i < POSITIONS_OVER; i++) {
        struct willow_limits limits[] = {{0}, {.depth = 3}, {.nodes = 1}};
        for (int k = 0; k < 3; k++) {
            struct willow_result result = run(positions_over[i], limits[k]);
            assert_int_equal(result.move, WILLOW_NO_SQUARE);
            assert_int_equal(result.score, willow_board_final_discs(ruleset, positions_over[i]) * WILLOW_SCORE_DISC);
            assert_true(result.exact && result.complete);
            assert_int_equal(result.pv_length, 0);
            struct willow_scored_move moves[64];
            assert_int_equal(willow_search_moves(search, positions_over[i], &limits[k], moves), 0);
        }
    }
}

static void passing_roots(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_random random;
    willow_random_init(&random, 7, 0);
    int found = 0;
    for (int round = 0; round < 20000 && found < 12; round++) {
        struct willow_board board = board_at(&random, 6 + round % 10);
        if (willow_board_moves(ruleset, board) || willow_board_over(ruleset, board))
            continue;
        found++;
        willow_search_clear(search);
        struct willow_result result = run(board, (struct willow_limits){.depth = 2});
        assert_int_equal(result.move, WILLOW_PASS);
        assert_int_equal(result.score, position_negamax(noise, ruleset, board, 2));
        check_line(board, &result);
        struct willow_scored_move moves[64];
        assert_int_equal(willow_search_moves(search, board, &(struct willow_limits){.depth = 2}, moves), 0);
    }
    assert_int_equal(found, 12);
}

static void check_stopped(struct willow_board board, const struct willow_result *result)
{
    assert_false(result->complete);
    assert_false(result->exact);
    assert_true(result->move < 64);
    assert_true(willow_board_moves(willow_ruleset_default(), board) >> result->move & 1);
    assert_int_equal(result->pv[0], result->move);
}

static void limits_end_the_search(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 8, 0);
    struct willow_stop *stop;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    assert_true(willow_stop_get(stop));
    for (int round = 0; round < 6; round++) {
        struct willow_board board = board_at(&random, 30 + 4 * round);
        willow_search_clear(search);
        static const uint64_t nodes[] = {1, 100, 5000, 50000};
        for (int i = 0; i < 4; i++) {
            struct willow_result result = run(board, (struct willow_limits){.nodes = nodes[i]});
            check_stopped(board, &result);
            assert_true(result.nodes < nodes[i] + 5000);
        }
        struct willow_result result = run(board, (struct willow_limits){.stop = stop});
        check_stopped(board, &result);
        result = run(board, (struct willow_limits){.depth = 20, .time_ms = 5});
        check_stopped(board, &result);
        /* Generous: the machine may be busy, a missing check would cost hours. */
        assert_true(result.time_ns < 500u * 1000000u);
        struct willow_scored_move moves[64];
        int count = willow_search_moves(search, board, &(struct willow_limits){.depth = 12, .nodes = 20000}, moves);
        assert_int_equal(count, __builtin_popcountll(willow_board_moves(willow_ruleset_default(), board)));
    }
    willow_stop_free(stop);
}

/* The deep exact search is left as quickly as the others. */
static void time_limits_the_endgame(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 9, 0);
    struct willow_board board = board_at(&random, 34);
    struct willow_result result = run(board, (struct willow_limits){.exact_empties = 34, .time_ms = 30});
    check_stopped(board, &result);
    assert_true(result.time_ns < 1000u * 1000000u);
}

static void *stop_soon(void *stop)
{
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    willow_stop_set(stop, true);
    return NULL;
}

static void another_thread_stops_it(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 10, 0);
    struct willow_board board = board_at(&random, 44);
    struct willow_stop *stop;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, stop), 0);
    struct willow_result result = run(board, (struct willow_limits){.stop = stop});
    assert_int_equal(pthread_join(thread, NULL), 0);
    check_stopped(board, &result);
    willow_stop_free(stop);
}

/* Two handles with weights of their own share nothing. */
static void handles_do_not_meet(void **state)
{
    (void)state;
    struct willow_weights *zero;
    struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 20);
    assert_int_equal(
        willow_weights_new_zero(willow_ruleset_default(), willow_pattern_set_default(), &stages, &zero, NULL),
        WILLOW_OK);
    struct willow_search *other;
    assert_int_equal(willow_search_new(zero, 1 << 16, &other, NULL), WILLOW_OK);
    struct willow_random random;
    willow_random_init(&random, 11, 0);
    struct willow_board board = board_at(&random, 30);
    struct willow_limits limits = {.depth = 4};
    willow_search_clear(search);
    struct willow_result before = run(board, limits), between;
    willow_search_clear(search);
    willow_search_run(other, board, &limits, &between);
    assert_int_equal(between.score, 0);
    struct willow_result after = run(board, limits);
    assert_int_equal(after.score, before.score);
    assert_int_equal(after.nodes, before.nodes);
    willow_search_free(other);
    willow_weights_free(zero);
}

static void moves_have_their_own_scores(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_random random;
    willow_random_init(&random, 12, 0);
    for (int round = 0; round < 120; round++) {
        struct willow_board board = board_at(&random, 2 + round % 50);
        int depth = 1 + round % 3, empties = willow_board_empties(ruleset, board);
        bool exact = depth >= empties || empties <= 6;
        willow_search_clear(search);
        struct willow_scored_move moves[64];
        int count =
            willow_search_moves(search, board, &(struct willow_limits){.depth = depth, .exact_empties = 6}, moves);
        uint64_t seen = 0;
        for (int i = 0; i < count; i++) {
            struct willow_board next = willow_board_play(board, moves[i].move);
            assert_int_equal(moves[i].score, -position_negamax(noise, ruleset, next, exact ? 64 : depth - 1));
            assert_true(moves[i].exact == (exact || willow_board_over(ruleset, next)));
            if (i > 0)
                assert_true(moves[i - 1].score > moves[i].score ||
                            (moves[i - 1].score == moves[i].score && moves[i - 1].move < moves[i].move));
            seen |= (uint64_t)1 << moves[i].move;
        }
        assert_true(seen == willow_board_moves(ruleset, board));
    }
}

/* On a clock an only move needs no thought; but an only reply to one of several moves does. */
static void only_moves_on_a_clock(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_random random;
    willow_random_init(&random, 77, 0);
    const struct willow_limits clock = {.soft_ms = 60000};
    int only = 0, replies = 0;
    while (only < 5 || replies < 20) {
        const struct willow_board board = board_at(&random, 9);
        const uint64_t moves = willow_board_moves(ruleset, board);
        if (moves == 0)
            continue;
        if ((moves & (moves - 1)) == 0) {
            const struct willow_result result = run(board, clock);
            assert_int_equal(result.move, __builtin_ctzll(moves));
            assert_int_equal(result.depth, 1);
            only++;
            continue;
        }
        struct willow_scored_move scored[64];
        const int count = willow_search_moves(search, board, &clock, scored);
        for (int i = 0; i < count; i++) {
            assert_true(scored[i].exact);
            replies += __builtin_popcountll(willow_board_moves(ruleset, willow_board_play(board, scored[i].move))) == 1;
        }
    }
}

static void refuses_an_absurd_table(void **state)
{
    (void)state;
    struct willow_search *made;
    struct willow_error error;
    assert_int_equal(willow_search_new(noise, ((size_t)1 << 40) + 1, &made, &error), WILLOW_ERR_ARGUMENT);
    assert_null(made);
    willow_search_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_minimax),          cmocka_unit_test(deepening_changes_no_score),
        cmocka_unit_test(same_run_same_nodes),     cmocka_unit_test(finished_and_odd_roots),
        cmocka_unit_test(passing_roots),           cmocka_unit_test(limits_end_the_search),
        cmocka_unit_test(time_limits_the_endgame), cmocka_unit_test(another_thread_stops_it),
        cmocka_unit_test(handles_do_not_meet),     cmocka_unit_test(moves_have_their_own_scores),
        cmocka_unit_test(only_moves_on_a_clock),   cmocka_unit_test(refuses_an_absurd_table),
    };
    return cmocka_run_group_tests_name("search", tests, set_up, tear_down);
}
