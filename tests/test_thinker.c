/* Searches in a thread of their own: moves as the search gives them, hints by plain negamax, stops that are obeyed and
 * the grace before them, reports that wait to be taken.
 */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <willow/clock.h>
#include <willow/notation.h>

#include "protocol/thinker.h"
#include "support/positions.h"
#include "support/sanitized.h"

/* What a stop may take in ms here, where the machine may be slow and busy; within 50 on a quiet one. */
enum { STOP_MS = SANITIZED ? 5000 : 1000, REPORT_MS = 60000 };

/* Shared by all tests. */
static struct willow_weights *weights;
static const struct willow_ruleset *ruleset;

static int set_up(void **state)
{
    (void)state;
    if (willow_weights_default(&weights, NULL) != WILLOW_OK)
        return -1;
    ruleset = willow_weights_ruleset(weights);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    willow_weights_free(weights);
    return 0;
}

static struct thinker *new_thinker(int threads)
{
    struct thinker *thinker = NULL;
    assert_int_equal(thinker_new(weights, willow_weights_ruleset(weights), 1 << 20, threads, &thinker, NULL),
                     WILLOW_OK);
    assert_false(thinker_busy(thinker));
    return thinker;
}

static bool readable(const struct thinker *thinker, int timeout_ms)
{
    struct pollfd descriptor = {.fd = thinker_descriptor(thinker), .events = POLLIN};
    return poll(&descriptor, 1, timeout_ms) == 1;
}

static struct think_report next_report(struct thinker *thinker)
{
    static struct think_report report;
    assert_true(thinker_busy(thinker));
    assert_true(readable(thinker, REPORT_MS));
    assert_true(thinker_take(thinker, &report));
    assert_int_equal(thinker_busy(thinker), !report.final);
    return report;
}

static struct think_report final_report(struct thinker *thinker)
{
    for (;;) {
        const struct think_report report = next_report(thinker);
        if (report.final) {
            assert_false(readable(thinker, 0));
            return report;
        }
    }
}

static struct think_request request_of(enum think_kind kind, struct willow_board board, struct willow_limits limits)
{
    return (struct think_request){.kind = kind, .board = board, .choice = {.limits = limits}, .count = 64};
}

static bool is_legal(struct willow_board board, willow_square move)
{
    return move < 64 && (willow_board_moves(ruleset, board) >> move & 1) != 0;
}

static void check_line(struct willow_board board, const willow_square *line, int length)
{
    for (int i = 0; i < length; i++) {
        if (line[i] == WILLOW_PASS)
            assert_true(willow_board_moves(ruleset, board) == 0 && !willow_board_over(ruleset, board));
        else
            assert_true(is_legal(board, line[i]));
        board = willow_board_play(board, line[i]);
    }
}

static void sleep_ms(long ms)
{
    const struct timespec span = {.tv_sec = 0, .tv_nsec = ms * 1000000};
    (void)nanosleep(&span, NULL);
}

static void moves_are_those_of_the_search(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(1);
    struct willow_search *search = NULL;
    struct willow_random random;
    willow_random_init(&random, 11, 0);
    assert_int_equal(willow_search_new(weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (int i = 0; i < 8; i++) {
        const struct willow_board board = position_from_play(ruleset, &random, 50 - 5 * i);
        const struct willow_limits limits = {.depth = 6, .selectivity = 100, .exact_empties = 8};
        const struct think_request request = request_of(THINK_MOVE, board, limits);
        struct willow_result result;
        thinker_start(thinker, &request);
        const struct think_report report = final_report(thinker);
        willow_search_run(search, board, &limits, &result);
        assert_int_equal(report.kind, THINK_MOVE);
        assert_int_equal(report.result.move, result.move);
        assert_int_equal(report.result.score, result.score);
        assert_int_equal(report.result.nodes, result.nodes);
        assert_true(report.result.complete);
    }
    /* Cleared, it knows nothing any more: the same search costs the same again. */
    const struct think_request request = request_of(THINK_MOVE, ruleset->start, (struct willow_limits){.depth = 7});
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        thinker_clear(thinker);
        thinker_start(thinker, &request);
        nodes[i] = final_report(thinker).result.nodes;
    }
    assert_int_equal(nodes[0], nodes[1]);
    thinker_start(thinker, &request);
    assert_true(final_report(thinker).result.nodes < nodes[0]);
    willow_search_free(search);
    thinker_free(thinker);
}

/* Stops at all ages; the move is legal whatever was reached. */
static void stops_are_obeyed(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 12, 0);
    for (int threads = 1; threads <= 3; threads += 2) {
        struct thinker *thinker = new_thinker(threads);
        for (int i = 0; i < 12; i++) {
            const struct willow_board board = position_from_play(ruleset, &random, 54 - 3 * i);
            const enum think_kind kind = i % 3 == 0 ? THINK_HINT : i % 3 == 1 ? THINK_MOVE : THINK_PONDER;
            const struct think_request request = request_of(kind, board, (struct willow_limits){0});
            thinker_start(thinker, &request);
            sleep_ms(i % 4 * 8);
            const uint64_t before_ns = willow_clock_ns();
            thinker_stop(thinker);
            thinker_stop(thinker);
            const struct think_report report = final_report(thinker);
            assert_true(willow_clock_ns() - before_ns < (uint64_t)STOP_MS * 1000000);
            assert_int_equal(report.kind, kind);
            if (kind == THINK_MOVE && willow_board_moves(ruleset, board) != 0)
                assert_true(is_legal(board, report.result.move));
        }
        thinker_free(thinker);
    }
}

/* A stop that comes at once lets a small search finish, and does not reach the next one. */
static void young_moves_have_a_grace(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(1);
    for (int i = 0; i < 20; i++) {
        const struct think_request request = request_of(THINK_MOVE, ruleset->start, (struct willow_limits){.depth = 2});
        thinker_start(thinker, &request);
        if (i % 2 == 0)
            thinker_stop(thinker);
        const struct think_report report = final_report(thinker);
        assert_true(report.result.complete);
        assert_int_equal(report.result.depth, 2);
    }
    /* Stops of what has ended, and of nothing. */
    thinker_stop(thinker);
    thinker_free(thinker);
    thinker_free(NULL);
}

static void clocks_and_losses_reach_the_search(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(1);
    struct think_request request = request_of(THINK_MOVE, ruleset->start, (struct willow_limits){0});
    const struct willow_time_control control = {.period_ms = 200, .period_moves = 1};
    request.clocked = true;
    willow_timer_start(&request.timer, &control);
    thinker_start(thinker, &request);
    const struct think_report report = final_report(thinker);
    assert_true(is_legal(ruleset->start, report.result.move));
    assert_false(report.result.exact);

    /* All but every loss allowed: the draw depends on the ply. The four first moves are worth the same. */
    request = request_of(THINK_MOVE, ruleset->start, (struct willow_limits){.depth = 1});
    request.choice.loss_discs = WILLOW_LOSS_MAX;
    uint64_t seen = 0;
    for (request.ply = 0; request.ply < 40; request.ply++) {
        thinker_start(thinker, &request);
        seen |= (uint64_t)1 << final_report(thinker).result.move;
    }
    assert_int_equal(seen, willow_board_moves(ruleset, ruleset->start));
    thinker_free(thinker);
}

/* Where exact search might begin too early for its time: black to move with 34 empty squares (giwarb/othello-trainer,
 * T034), and random positions up to the end. A score is exact only when the search came to its end. */
static void time_is_kept_towards_the_end(void **state)
{
    (void)state;
    static const char reported[] = "-----O-------O----OOXO----XXXOO---XXXOX--OXXXXXX---OX-O----O-OOO X";
    struct willow_random random;
    enum willow_side side;
    willow_random_init(&random, 17, 0);
    for (int threads = 1; threads <= 2; threads++) {
        struct thinker *thinker = new_thinker(threads);
        for (int i = 0; i < 4; i++) {
            struct willow_board board = position_from_play(ruleset, &random, 34 - 4 * i);
            if (i == 0)
                assert_int_equal(willow_board_parse(willow_ruleset_default(), reported, &board, &side, NULL),
                                 WILLOW_OK);
            if (willow_board_moves(ruleset, board) == 0)
                continue;
            const struct willow_limits limits = {.exact_empties = 34, .time_ms = 50};
            const struct think_request request = request_of(THINK_MOVE, board, limits);
            thinker_start(thinker, &request);
            const struct think_report report = final_report(thinker);
            assert_true(is_legal(board, report.result.move));
            assert_true(report.result.time_ns < (uint64_t)(50 + STOP_MS) * 1000000);
            assert_true(!report.result.exact || report.result.complete);
        }
        thinker_free(thinker);
    }
}

static void check_hint(const struct think_report *report, struct willow_board board, int plies_left)
{
    const uint64_t legal = willow_board_moves(ruleset, board);
    uint64_t seen = 0;
    for (int i = 0; i < report->count; i++) {
        const willow_square move = report->moves[i].move;
        assert_true(is_legal(board, move));
        assert_false(seen >> move & 1);
        seen |= (uint64_t)1 << move;
        assert_true(i == 0 || report->moves[i - 1].score >= report->moves[i].score);
        const willow_score score = -position_negamax(weights, ruleset, willow_board_play(board, move), plies_left - 1);
        assert_int_equal(report->moves[i].score, score);
        assert_true(report->pv_length[i] >= 1);
        assert_int_equal(report->pv[i][0], move);
        check_line(board, report->pv[i], report->pv_length[i]);
    }
    assert_int_equal(seen, legal);
}

/* Every depth that is reported has the scores of negamax, and none is left out when each report is taken. */
static void hints_are_true(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(1);
    struct willow_random random;
    willow_random_init(&random, 13, 0);
    for (int i = 0; i < 6; i++) {
        const bool to_end = i % 2 != 0;
        const int depth = SANITIZED ? 2 : 3, empties = to_end ? 6 : 40;
        struct willow_board board = position_from_play(ruleset, &random, empties);
        if (willow_board_moves(ruleset, board) == 0)
            continue;
        struct willow_limits limits = {.depth = depth, .selectivity = 100};
        if (to_end)
            limits = (struct willow_limits){0};
        const struct think_request request = request_of(THINK_HINT, board, limits);
        thinker_start(thinker, &request);
        const struct think_report report = final_report(thinker);
        const int reached = to_end ? willow_board_empties(ruleset, board) : depth;
        assert_int_equal(report.result.depth, reached);
        assert_int_equal(report.result.move, report.moves[0].move);
        assert_true(report.result.nodes > 0);
        check_hint(&report, board, to_end ? 64 : depth);
        for (int k = 0; k < report.count && to_end; k++)
            assert_true(report.moves[k].exact);

        /* The best one alone has the same score, and fewer are fewer. */
        for (int count = 1; count <= 2; count++) {
            struct think_request fewer = request;
            fewer.count = count;
            thinker_start(thinker, &fewer);
            const struct think_report few = final_report(thinker);
            assert_true(few.count <= count && few.count <= report.count);
            assert_int_equal(few.moves[0].score, report.moves[0].score);
            check_line(board, few.pv[0], few.pv_length[0]);
        }
    }
    thinker_free(thinker);
}

/* Moves that end the game are exact at once; the others are still looked at. */
static void games_that_end_early(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(1);
    struct willow_random random;
    willow_random_init(&random, 16, 0);
    int ends = 0;
    for (int i = 0; i < 20000 && ends < 20; i++) {
        const struct willow_board board = position_from_lopsided_noise(ruleset, &random, 4);
        const uint64_t legal = willow_board_moves(ruleset, board);
        bool any = false;
        for (willow_square move = 0; move < 64; move++)
            any = any || ((legal >> move & 1) != 0 && willow_board_over(ruleset, willow_board_play(board, move)));
        if (!any || (legal & (legal - 1)) == 0)
            continue;
        ends++;
        struct think_request request = request_of(THINK_HINT, board, (struct willow_limits){0});
        for (request.count = 1; request.count <= 2; request.count++) {
            thinker_start(thinker, &request);
            const struct think_report report = final_report(thinker);
            assert_true(report.moves[0].exact);
            assert_int_equal(report.moves[0].score, position_negamax(NULL, ruleset, board, 64));
        }
    }
    assert_int_equal(ends, 20);
    thinker_free(thinker);
}

static void hints_come_ever_deeper(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(2);
    struct willow_random random;
    willow_random_init(&random, 14, 0);
    const struct willow_board board = position_from_play(ruleset, &random, 18);
    const struct think_request request = request_of(THINK_HINT, board, (struct willow_limits){.exact_empties = 18});
    int reports = 0, depth = 0, selectivity = 0;
    thinker_start(thinker, &request);
    for (bool final = false; !final; reports++) {
        const struct think_report report = next_report(thinker);
        final = report.final;
        assert_true(report.result.depth >= depth);
        assert_true(report.result.depth > depth || report.result.selectivity >= selectivity);
        depth = report.result.depth;
        selectivity = report.result.selectivity;
    }
    assert_true(reports >= 2);
    assert_int_equal(depth, willow_board_empties(ruleset, board));
    assert_int_equal(selectivity, WILLOW_NOT_SELECTIVE);

    /* What nobody takes is replaced: then one report of progress waits at most, and the final one behind it. */
    const struct think_request shallow = request_of(THINK_HINT, ruleset->start, (struct willow_limits){.depth = 5});
    thinker_start(thinker, &shallow);
    struct think_report report = {.final = false};
    for (int i = 0; i < 2000 && report.result.depth < 5; i++) {
        sleep_ms(10);
        assert_true(thinker_busy(thinker));
        if (i >= 5)
            assert_true(!thinker_take(thinker, &report) || !report.final || report.result.depth == 5);
    }
    while (!report.final)
        report = next_report(thinker);
    assert_int_equal(report.result.depth, 5);
    assert_false(thinker_take(thinker, &report));
    thinker_free(thinker);
}

static void limits_hold_for_the_whole_hint(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(1);
    struct think_request request = request_of(THINK_HINT, ruleset->start, (struct willow_limits){.nodes = 20000});
    thinker_start(thinker, &request);
    struct think_report report = final_report(thinker);
    assert_int_equal(report.count, 4);
    assert_true(report.result.nodes < 40000);
    request.choice.limits = (struct willow_limits){.time_ms = 30};
    thinker_start(thinker, &request);
    report = final_report(thinker);
    assert_int_equal(report.count, 4);
    assert_true(report.result.time_ns < (uint64_t)STOP_MS * 1000000);
    thinker_free(thinker);
}

/* Where there is nothing to choose. */
static void passes_and_ends(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(1);
    /* The side to move has no move, the other one has c1. */
    const struct willow_board pass = {.player = 2, .opponent = 1};
    struct think_request request = request_of(THINK_HINT, pass, (struct willow_limits){.depth = 4});
    assert_int_equal(willow_board_moves(ruleset, pass), 0);
    thinker_start(thinker, &request);
    struct think_report report = final_report(thinker);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.moves[0].move, WILLOW_PASS);
    check_line(pass, report.pv[0], report.pv_length[0]);
    request.kind = THINK_MOVE;
    thinker_start(thinker, &request);
    assert_int_equal(final_report(thinker).result.move, WILLOW_PASS);
    for (int i = 0; i < POSITIONS_OVER; i++) {
        for (enum think_kind kind = THINK_MOVE; kind <= THINK_PONDER; kind++) {
            request = request_of(kind, positions_over[i], (struct willow_limits){0});
            thinker_start(thinker, &request);
            report = final_report(thinker);
            assert_int_equal(report.count, 0);
            if (kind == THINK_MOVE)
                assert_int_equal(report.result.move, WILLOW_NO_SQUARE);
        }
    }
    thinker_free(thinker);
}

static void threads_change_between_requests(void **state)
{
    (void)state;
    struct thinker *thinker = new_thinker(1);
    struct willow_random random;
    struct willow_error error;
    willow_random_init(&random, 15, 0);
    const struct willow_board board = position_from_play(ruleset, &random, 12);
    willow_score first = 0;
    static const int counts[] = {1, 64, 2, 7, 1, 33, 64, 3, 16, 1};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const struct think_request request = request_of(THINK_MOVE, board, (struct willow_limits){0});
        assert_int_equal(thinker_set_threads(thinker, counts[i], &error), WILLOW_OK);
        thinker_clear(thinker);
        thinker_start(thinker, &request);
        const struct think_report report = final_report(thinker);
        assert_true(report.result.exact);
        first = i == 0 ? report.result.score : first;
        assert_int_equal(report.result.score, first);
    }
    assert_int_equal(thinker_set_threads(thinker, 0, &error), WILLOW_ERR_ARGUMENT);
    assert_int_equal(thinker_set_threads(thinker, WILLOW_SEARCH_THREADS_MAX + 1, &error), WILLOW_ERR_ARGUMENT);
    thinker_free(thinker);
    assert_int_equal(thinker_new(weights, willow_weights_ruleset(weights), 1 << 20, 0, &thinker, &error),
                     WILLOW_ERR_ARGUMENT);
    assert_null(thinker);
}

/* At once, while a large table is still fetched, and between requests; a refusal changes nothing. */
static void rulesets_change_between_requests(void **state)
{
    (void)state;
    static const char *const names[] = {"6x6", "anti", "4x4", "othello", "hole:a1"};
    enum { NAMES = sizeof names / sizeof names[0], TABLE_BYTES = 64 << 20 };
    struct willow_weights *used[NAMES] = {0};
    struct thinker *thinker = NULL;
    assert_int_equal(thinker_new(weights, ruleset, TABLE_BYTES, 2, &thinker, NULL), WILLOW_OK);
    for (int i = 0; i < NAMES; i++) {
        const struct willow_ruleset *other = willow_ruleset_find(names[i]);
        assert_int_equal(willow_weights_open("zero", other, &used[i], NULL), WILLOW_OK);
        assert_int_equal(thinker_set_ruleset(thinker, used[i], other, NULL), WILLOW_OK);
        if (i > 0)
            willow_weights_free(used[i - 1]);
        if (i % 2 == 0)
            continue;
        const struct think_request request = request_of(THINK_MOVE, other->start, (struct willow_limits){.depth = 3});
        thinker_start(thinker, &request);
        const struct think_report report = final_report(thinker);
        assert_true(willow_board_legal(other, other->start, report.result.move));
        struct willow_error error;
        assert_int_equal(thinker_set_ruleset(thinker, weights, willow_ruleset_find("6x6"), &error),
                         WILLOW_ERR_MISMATCH);
        thinker_start(thinker, &request);
        assert_int_equal(final_report(thinker).result.move, report.result.move);
    }
    thinker_free(thinker);
    willow_weights_free(used[NAMES - 1]);
}

static void may_be_freed_at_any_time(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct thinker *thinker = new_thinker(i % 2 + 1);
        const struct think_request request =
            request_of(i % 3 == 0 ? THINK_HINT : THINK_MOVE, ruleset->start, (struct willow_limits){0});
        thinker_start(thinker, &request);
        sleep_ms(i * 5);
        if (i > 3)
            thinker_stop(thinker);
        thinker_free(thinker);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_those_of_the_search),
        cmocka_unit_test(stops_are_obeyed),
        cmocka_unit_test(young_moves_have_a_grace),
        cmocka_unit_test(clocks_and_losses_reach_the_search),
        cmocka_unit_test(time_is_kept_towards_the_end),
        cmocka_unit_test(hints_are_true),
        cmocka_unit_test(games_that_end_early),
        cmocka_unit_test(hints_come_ever_deeper),
        cmocka_unit_test(limits_hold_for_the_whole_hint),
        cmocka_unit_test(passes_and_ends),
        cmocka_unit_test(threads_change_between_requests),
        cmocka_unit_test(rulesets_change_between_requests),
        cmocka_unit_test(may_be_freed_at_any_time),
    };
    return cmocka_run_group_tests_name("thinker", tests, set_up, tear_down);
}
