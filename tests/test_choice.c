/* How moves are chosen: limits by level, settings and clock; without a loss the plain search; with one a draw that
 * keeps its bound, prefers better moves and is repeatable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <willow/choice.h>
#include <willow/game.h>

#include "support/positions.h"

static const struct willow_ruleset *ruleset;
static struct willow_weights *weights;
static struct willow_search *search, *other;

static int set_up(void **state)
{
    (void)state;
    ruleset = willow_ruleset_default();
    return willow_weights_default(&weights, NULL) != WILLOW_OK ||
           willow_search_new(weights, 1 << 20, &search, NULL) != WILLOW_OK ||
           willow_search_new(weights, 1 << 20, &other, NULL) != WILLOW_OK;
}

static int tear_down(void **state)
{
    (void)state;
    willow_search_free(search);
    willow_search_free(other);
    willow_weights_free(weights);
    return 0;
}

static struct willow_result choose(const struct willow_choice *choice, struct willow_board board, int ply)
{
    struct willow_result result;
    willow_search_clear(search);
    willow_choice_run(choice, search, ruleset, board, ply, NULL, &result);
    return result;
}

static void limits_of_level_settings_and_clock(void **state)
{
    (void)state;
    struct willow_stop *stop;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    struct willow_choice choice = {
        .limits = {.depth = 9, .selectivity = 99, .exact_empties = 3, .nodes = 7, .time_ms = 8, .stop = stop}};
    struct willow_limits limits = willow_choice_limits(&choice, 40, NULL);
    assert_memory_equal(&limits, &choice.limits, sizeof limits);
    /* A depth alone is selective, no depth at all rises to the truth. */
    choice.limits.selectivity = 0;
    assert_int_equal(willow_choice_limits(&choice, 40, NULL).selectivity, 73);
    choice.limits.depth = 0;
    assert_int_equal(willow_choice_limits(&choice, 40, NULL).selectivity, 0);

    for (choice.level = WILLOW_LEVEL_MIN; choice.level <= WILLOW_LEVEL_MAX; choice.level += 7)
        for (int empties = 0; empties <= 60; empties++) {
            struct willow_limits wanted = choice.limits;
            willow_level_limit(choice.level, empties, &wanted);
            limits = willow_choice_limits(&choice, empties, NULL);
            assert_memory_equal(&limits, &wanted, sizeof limits);
        }

    const struct willow_time_control control = {.main_ms = 1000};
    struct willow_timer timer;
    willow_timer_start(&timer, &control);
    choice.level = 12;
    choice.limits.time_ms = 0;
    limits = willow_choice_limits(&choice, 40, &timer);
    assert_int_equal(limits.time_ms, willow_timer_budget(&timer, 40).hard_ms);
    assert_int_equal(limits.soft_ms, willow_timer_budget(&timer, 40).soft_ms);
    assert_int_equal(limits.depth, willow_level_find(12)->depth);
    choice.limits.time_ms = 1;
    assert_int_equal(willow_choice_limits(&choice, 40, &timer).time_ms, 1);
    willow_stop_free(stop);
}

/* The times are nobody's to repeat. */
static void assert_same(struct willow_result one, struct willow_result two)
{
    assert_int_equal(one.move, two.move);
    assert_int_equal(one.score, two.score);
    assert_int_equal(one.depth, two.depth);
    assert_int_equal(one.selectivity, two.selectivity);
    assert_true(one.exact == two.exact && one.complete == two.complete);
    assert_int_equal(one.nodes, two.nodes);
    assert_int_equal(one.pv_length, two.pv_length);
    assert_memory_equal(one.pv, two.pv, (size_t)one.pv_length * sizeof one.pv[0]);
}

static void no_loss_is_the_search(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 1, 0);
    for (int empties = 58; empties >= 2; empties -= 4) {
        const struct willow_board board = position_from_play(ruleset, &random, empties);
        const struct willow_choice choice = {.level = 5, .seed = (uint64_t)empties};
        const struct willow_limits limits = willow_choice_limits(&choice, willow_board_empties(ruleset, board), NULL);
        struct willow_result wanted;
        willow_search_clear(other);
        willow_search_run(other, board, &limits, &wanted);
        assert_same(choose(&choice, board, empties), wanted);
    }
}

/* The true value of a move, by the plain search. */
static int value_of(struct willow_board board, willow_square move)
{
    return -position_negamax(NULL, ruleset, willow_board_play(board, move), 64);
}

/* In solved positions the truth is known: no move may cost more than the loss, and a won game stays won when the
 * loss is less than what it is won by. */
static void loss_is_a_bound(void **state)
{
    (void)state;
    static const double losses[] = {0.01, 1.9, 2, 5, 64};
    struct willow_random random;
    willow_random_init(&random, 2, 0);
    int spoilt = 0, won = 0;
    for (int round = 0; round < 60; round++) {
        const struct willow_board board = position_from_play(ruleset, &random, 4 + round % 4);
        uint64_t moves = willow_board_moves(ruleset, board);
        if (moves == 0)
            continue;
        int best = -WILLOW_SCORE_MAX;
        for (uint64_t rest = moves; rest; rest &= rest - 1) {
            const int value = value_of(board, (willow_square)__builtin_ctzll(rest));
            best = value > best ? value : best;
        }
        for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
            const struct willow_choice choice = {
                .limits = {.exact_empties = 20}, .loss_discs = losses[i], .seed = (uint64_t)round};
            const struct willow_result result = choose(&choice, board, round);
            assert_true(moves >> result.move & 1);
            const int value = value_of(board, result.move);
            assert_int_equal(result.score, value);
            assert_true(result.exact && result.complete);
            assert_int_equal(result.depth, willow_board_empties(ruleset, board));
            assert_true(result.pv_length >= 1 && result.pv[0] == result.move);
            assert_true(value >= best - losses[i] * WILLOW_SCORE_DISC);
            if (best > losses[i] * WILLOW_SCORE_DISC) {
                assert_true(value > 0);
                won++;
            }
            spoilt += value < best;
        }
    }
    assert_true(spoilt > 10 && won > 50);
}

/* One position at depth 1, many seeds: every move well within the loss comes up, none beyond it, better ones more
 * often. */
static void better_moves_more_often(void **state)
{
    (void)state;
    enum { DRAWS = 4000 };
    struct willow_random random;
    willow_random_init(&random, 3, 0);
    const struct willow_board board = position_from_play(ruleset, &random, 30);
    const struct willow_limits limits = {.depth = 1, .selectivity = 100};
    struct willow_scored_move moves[64];
    const int count = willow_search_moves(search, board, &limits, moves);
    assert_true(count >= 6);
    /* Every move but the last is within. */
    const double loss = (double)(moves[0].score - moves[count - 2].score + 8) / WILLOW_SCORE_DISC;
    assert_true(moves[0].score - moves[count - 1].score > loss * WILLOW_SCORE_DISC);

    int drawn[64] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const struct willow_choice choice = {.limits = limits, .loss_discs = loss, .seed = (uint64_t)i};
        struct willow_result result;
        willow_choice_run(&choice, search, ruleset, board, 30, NULL, &result);
        drawn[result.move]++;
    }
    assert_int_equal(drawn[moves[count - 1].move], 0);
    for (int i = 0; i < count - 1; i++) {
        if (moves[0].score - moves[i].score <= loss * WILLOW_SCORE_DISC / 2)
            assert_true(drawn[moves[i].move] > 0);
        /* 200 is more than six standard deviations of the difference. */
        if (i > 0)
            assert_true(drawn[moves[i].move] < drawn[moves[i - 1].move] + 200);
    }
    assert_true(drawn[moves[0].move] > 2 * drawn[moves[count - 2].move]);
}

static void draws_are_repeatable(void **state)
{
    (void)state;
    struct willow_choice choice = {.limits = {.depth = 2}, .loss_discs = 8, .seed = 5};
    const struct willow_board start = ruleset->start;
    int by_seed = 0, by_ply = 0;
    const struct willow_result first = choose(&choice, start, 0);
    assert_same(choose(&choice, start, 0), first);
    for (int ply = 1; ply < 30; ply++)
        by_ply += choose(&choice, start, ply).move != first.move;
    for (choice.seed = 6; choice.seed < 36; choice.seed++)
        by_seed += choose(&choice, start, 0).move != first.move;
    assert_true(by_ply > 5 && by_seed > 5);
}

static void boards_without_a_choice(void **state)
{
    (void)state;
    const struct willow_choice choice = {.level = 3, .loss_discs = 20};
    for (int i = 0; i < POSITIONS_OVER; i++)
        assert_int_equal(choose(&choice, positions_over[i], 60).move, WILLOW_NO_SQUARE);
    struct willow_random random;
    willow_random_init(&random, 4, 0);
    int passes = 0, only = 0;
    for (int round = 0; round < 20000 && (passes < 3 || only < 3); round++) {
        const struct willow_board board = position_from_play(ruleset, &random, 3 + round % 8);
        const int moves = __builtin_popcountll(willow_board_moves(ruleset, board));
        if (willow_board_over(ruleset, board) || moves > 1)
            continue;
        const struct willow_result result = choose(&choice, board, 50);
        if (moves == 0)
            assert_int_equal(result.move, WILLOW_PASS);
        else
            assert_int_equal(result.move, __builtin_ctzll(willow_board_moves(ruleset, board)));
        passes += moves == 0;
        only += moves == 1;
    }
    assert_true(passes >= 3 && only >= 3);
}

/* What a stopped or hurried engine plays is legal, too. */
static void stopped_at_once(void **state)
{
    (void)state;
    struct willow_stop *stop;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    const struct willow_choice choice = {.level = 20, .limits = {.stop = stop}, .loss_discs = 3};
    const struct willow_result result = choose(&choice, ruleset->start, 0);
    assert_true(willow_board_moves(ruleset, ruleset->start) >> result.move & 1);
    assert_true(!result.complete && !result.exact);
    assert_int_equal(result.depth, 1);
    willow_stop_free(stop);
}

/* Whole games of other rulesets by a player that gives something away: every move is legal and within the bound. */
static void other_rulesets(void **state)
{
    (void)state;
    static const char *const names[] = {"4x4", "6x6", "anti", "reversi", "4x4-anti-reversi", "hole:e1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct willow_ruleset *played = willow_ruleset_find(names[i]);
        struct willow_weights *zero = NULL;
        struct willow_search *own = NULL;
        struct willow_game game;
        assert_int_equal(willow_weights_open("zero", played, &zero, NULL), WILLOW_OK);
        assert_int_equal(willow_search_new(zero, 1 << 20, &own, NULL), WILLOW_OK);
        assert_int_equal(willow_search_set_ruleset(own, played, NULL), WILLOW_OK);
        willow_game_init(&game, played);
        while (!willow_game_over(&game)) {
            const struct willow_board board = willow_game_board(&game);
            const struct willow_choice choice = {.level = 1, .loss_discs = game.length % 3, .seed = i};
            struct willow_result result;
            willow_choice_run(&choice, own, played, board, game.length, NULL, &result);
            assert_true(willow_board_moves(played, board) == 0 ? result.move == WILLOW_PASS
                                                               : willow_board_legal(played, board, result.move));
            assert_int_equal(willow_game_play(&game, result.move, NULL), WILLOW_OK);
        }
        willow_search_free(own);
        willow_weights_free(zero);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_level_settings_and_clock),
        cmocka_unit_test(no_loss_is_the_search),
        cmocka_unit_test(loss_is_a_bound),
        cmocka_unit_test(better_moves_more_often),
        cmocka_unit_test(draws_are_repeatable),
        cmocka_unit_test(boards_without_a_choice),
        cmocka_unit_test(stopped_at_once),
        cmocka_unit_test(other_rulesets),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
