/* The solver on every ruleset of the build: against plain negamax played by the referee, small games from the start,
 * the placement phase, and scores without the empty squares.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/search.h>

#include "search/worker.h"
#include "support/positions.h"
#include "support/referee.h"

struct solver {
    const struct willow_ruleset *ruleset;
    struct willow_weights *weights;
    struct willow_search *search;
};

/* A solver that knows nothing but the rules. */
static struct solver new_solver(const struct willow_ruleset *ruleset)
{
    struct solver solver = {.ruleset = ruleset};
    const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(ruleset), 2);
    assert_int_equal(willow_weights_new_zero(ruleset, willow_pattern_set_default(), &stages, &solver.weights, NULL),
                     WILLOW_OK);
    assert_int_equal(willow_search_new(solver.weights, 1 << 16, &solver.search, NULL), WILLOW_OK);
    assert_int_equal(willow_search_set_ruleset(solver.search, ruleset, NULL), WILLOW_OK);
    return solver;
}

static void free_solver(struct solver *solver)
{
    willow_search_free(solver->search);
    willow_weights_free(solver->weights);
}

static int final_discs(const struct willow_ruleset *ruleset, struct willow_board board, bool raw)
{
    if (!raw)
        return willow_board_final_discs(ruleset, board);
    const int difference = willow_bits_count(board.player) - willow_bits_count(board.opponent);
    return ruleset->fewest_wins ? -difference : difference;
}

/* The line must be legal to its end, reach the end of the game and give the score. */
static void check_line(const struct solver *solver, struct willow_board board, const struct willow_result *result,
                       bool raw)
{
    willow_score sign = 1;
    assert_int_equal(result->move, result->pv_length > 0 ? result->pv[0] : WILLOW_NO_SQUARE);
    for (int i = 0; i < result->pv_length; i++, sign = -sign) {
        assert_false(willow_board_over(solver->ruleset, board));
        if (result->pv[i] == WILLOW_PASS)
            assert_true(willow_board_moves(solver->ruleset, board) == 0);
        else
            assert_true(willow_board_legal(solver->ruleset, board, result->pv[i]));
        board = willow_board_play(board, result->pv[i]);
    }
    assert_true(willow_board_over(solver->ruleset, board));
    assert_int_equal(sign * final_discs(solver->ruleset, board, raw) * WILLOW_SCORE_DISC, result->score);
}

/* In discs. */
static int solve(const struct solver *solver, struct willow_board board, bool raw)
{
    struct willow_result result;
    willow_search_run(solver->search, board, &(struct willow_limits){.raw = raw}, &result);
    assert_true(result.exact && result.complete);
    check_line(solver, board, &result, raw);
    return result.score / WILLOW_SCORE_DISC;
}

static int referee_value(const struct referee *referee, bool raw)
{
    willow_bits legal = referee_moves(referee);
    if (referee_over(referee)) {
        if (!raw)
            return referee_final_discs(referee);
        int difference = 0;
        for (int i = 0; i < WILLOW_SQUARES; i++)
            difference += (referee->cells[i] == 'X') - (referee->cells[i] == 'O');
        return referee->fewest_wins ? -difference : difference;
    }
    int best = -WILLOW_SQUARES - 1;
    for (; legal || best < -WILLOW_SQUARES; legal &= legal ? legal - 1 : 0) {
        const struct referee next = referee_play(referee, legal ? willow_bits_first(legal) : WILLOW_PASS);
        const int value = -referee_value(&next, raw);
        best = value > best ? value : best;
    }
    return best;
}

/* The same with the board, which is faster. */
static int board_value(const struct willow_ruleset *ruleset, struct willow_board board, bool raw)
{
    if (willow_board_over(ruleset, board))
        return final_discs(ruleset, board, raw);
    int best = -WILLOW_SQUARES - 1;
    willow_bits legal = willow_board_moves(ruleset, board);
    for (; legal || best < -WILLOW_SQUARES; legal &= legal ? legal - 1 : 0) {
        const willow_square move = (willow_square)(legal ? willow_bits_first(legal) : WILLOW_PASS);
        const int value = -board_value(ruleset, willow_board_play(board, move), raw);
        best = value > best ? value : best;
    }
    return best;
}

/* Holes are many and alike: fewer boards each. */
static bool is_hole(const struct willow_ruleset *ruleset)
{
    return strncmp(ruleset->name, "hole:", 5) == 0;
}

static void equals_negamax_on_every_ruleset(void **state)
{
    (void)state;
    struct willow_board (*const make[3])(const struct willow_ruleset *, struct willow_random *,
                                         int) = {position_from_play, position_from_noise, position_from_lopsided_noise};
    enum { MOST_EMPTIES = 7 };
    const struct willow_ruleset *ruleset;
    for (int at = 0; (ruleset = willow_ruleset_at(at)); at++) {
        struct solver solver = new_solver(ruleset);
        struct willow_random random;
        willow_random_init(&random, 71, ruleset->id);
        const int rounds = is_hole(ruleset) ? 12 : 60;
        for (int round = 0; round < rounds; round++) {
            const int empties = MOST_EMPTIES - round % (MOST_EMPTIES + 1);
            const struct willow_board board = make[round % 3](ruleset, &random, empties);
            const bool raw = round / 3 % 2 == 1, small = empties <= 4;
            const struct referee referee = referee_of(ruleset, board);
            assert_int_equal(solve(&solver, board, raw),
                             small ? referee_value(&referee, raw) : board_value(ruleset, board, raw));
        }
        free_solver(&solver);
    }
}

/* Larger ones, where the small table and the cuts by stable discs work. */
static void equals_negamax_further_from_the_end(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    for (int at = 0; (ruleset = willow_ruleset_at(at)); at++) {
        if (is_hole(ruleset) && at % 20 != 0)
            continue;
        struct solver solver = new_solver(ruleset);
        struct willow_random random;
        willow_random_init(&random, 72, ruleset->id);
        for (int round = 0; round < 6; round++) {
            const struct willow_board board = position_from_play(ruleset, &random, 8 + round / 3);
            const bool raw = round % 2 == 1;
            assert_int_equal(solve(&solver, board, raw), board_value(ruleset, board, raw));
        }
        free_solver(&solver);
    }
}

/* A score of one kind must not come out of what was found for the other. */
static void kinds_of_score_do_not_mix(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    for (int at = 0; (ruleset = willow_ruleset_at(at)); at++) {
        if (is_hole(ruleset))
            continue;
        struct solver solver = new_solver(ruleset), other = new_solver(ruleset);
        /* a1 takes b1 from c1, and that is all there is. */
        const struct willow_board wiped = {.player = WILLOW_BIT(0), .opponent = WILLOW_BIT(1)};
        const int sign = ruleset->fewest_wins ? -1 : 1;
        assert_int_equal(solve(&solver, wiped, true), 3 * sign);
        assert_int_equal(solve(&solver, wiped, false), willow_ruleset_squares(ruleset) * sign);
        assert_int_equal(solve(&solver, wiped, true), 3 * sign);
        struct willow_random random;
        willow_random_init(&random, 73, ruleset->id);
        for (int round = 0; round < 12; round++) {
            const struct willow_board board = position_from_lopsided_noise(ruleset, &random, 8 + round % 4);
            const int awarded = solve(&solver, board, false), raw = solve(&other, board, true);
            assert_int_equal(solve(&solver, board, true), raw);
            assert_int_equal(solve(&other, board, false), awarded);
            /* A search to a depth has the winner take the rest, before and after. */
            struct willow_result first, second;
            willow_search_clear(solver.search);
            willow_search_run(solver.search, board, &(struct willow_limits){.depth = 3, .raw = true}, &first);
            solve(&solver, board, true);
            willow_search_run(solver.search, board, &(struct willow_limits){.depth = 3}, &second);
            assert_int_equal(first.score, second.score);
        }
        free_solver(&solver);
        free_solver(&other);
    }
}

#ifndef WILLOW_WIDE

/* Published or computed by other programs: first player less second, the empty squares nobody's. */
static const struct {
    const char *name;
    int raw;
} small_games[] = {
    {"4x4", -8},         {"4x4-parallel", -3},    {"4x4-anti", 3}, {"4x4-anti-parallel", 0},
    {"4x4-reversi", -3}, {"4x4-anti-reversi", 0},
};
enum { SMALL_GAMES = sizeof small_games / sizeof small_games[0] };

static void small_games_have_the_known_values(void **state)
{
    (void)state;
    for (int i = 0; i < SMALL_GAMES; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(small_games[i].name);
        struct solver solver = new_solver(ruleset);
        assert_int_equal(solve(&solver, ruleset->start, true), small_games[i].raw);
        willow_search_clear(solver.search);
        const int awarded = solve(&solver, ruleset->start, false);
        if (!ruleset->placement)
            assert_int_equal(awarded, board_value(ruleset, ruleset->start, false));
        free_solver(&solver);
    }
    struct solver four = new_solver(willow_ruleset_find("4x4"));
    /* 3-11, and the winner takes two squares. */
    assert_int_equal(solve(&four, four.ruleset->start, false), -10);
    free_solver(&four);
}

static const struct willow_ruleset *placed_rulesets(int at)
{
    static const char *const names[] = {"reversi", "4x4-reversi", "4x4-anti-reversi"};
    return at < 3 ? willow_ruleset_find(names[at]) : NULL;
}

/* From every board of the phase, up to what the start of a game can become by two colours on four squares. */
static void placing_equals_negamax(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_find("4x4-reversi");
    struct solver solver = new_solver(ruleset);
    struct willow_random random;
    willow_random_init(&random, 74, 0);
    for (int round = 0; round < 3; round++) {
        struct willow_board board = ruleset->start;
        for (int placed = 0; placed < 3; placed++)
            board =
                willow_board_play(board, (willow_square)willow_random_bit(&random, willow_board_moves(ruleset, board)));
        assert_true(willow_board_placing(ruleset, board));
        assert_int_equal(solve(&solver, board, round % 2 == 0), board_value(ruleset, board, round % 2 == 0));
    }
    free_solver(&solver);
}

/* However little it may do, the answer is a legal move with a legal line. */
static void placing_answers_within_any_limit(void **state)
{
    (void)state;
    struct willow_stop *stop = NULL;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    const struct willow_limits limits[] = {{.depth = 1},
                                           {.depth = 6},
                                           {.nodes = 1},
                                           {.nodes = 5000},
                                           {.depth = 8, .nodes = 1000},
                                           {.time_ms = 1},
                                           {.soft_ms = 1, .time_ms = 2},
                                           {.win_loss = true, .nodes = 100},
                                           {.stop = stop}};
    const struct willow_ruleset *ruleset;
    for (int at = 0; (ruleset = placed_rulesets(at)); at++) {
        struct solver solver = new_solver(ruleset);
        struct willow_board board = ruleset->start;
        for (int placed = 0; placed < 4; placed++) {
            const willow_bits legal = willow_board_moves(ruleset, board);
            assert_int_equal(willow_bits_count(legal), 4 - placed);
            for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
                struct willow_result result;
                willow_search_clear(solver.search);
                willow_search_run(solver.search, board, &limits[i], &result);
                assert_true(result.move < WILLOW_SQUARES && (legal >> result.move & 1));
                assert_true(result.depth > 4 - placed && result.pv_length >= 4 - placed);
                struct willow_board next = board;
                for (int ply = 0; ply < result.pv_length; ply++) {
                    assert_true(result.pv[ply] == WILLOW_PASS || willow_board_legal(ruleset, next, result.pv[ply]));
                    next = willow_board_play(next, result.pv[ply]);
                }
                struct willow_scored_move moves[WILLOW_SQUARES];
                willow_search_clear(solver.search);
                const int count = willow_search_moves_reached(solver.search, board, &limits[i], moves, &result);
                assert_int_equal(count, 4 - placed);
                assert_int_equal(result.move, moves[0].move);
                for (int m = 1; m < count; m++)
                    assert_true(moves[m].score <= moves[m - 1].score);
            }
            board = willow_board_play(board, (willow_square)willow_bits_first(legal));
        }
        free_solver(&solver);
    }
    willow_stop_free(stop);
}

/* Depth counts the discs that are placed, and every first square is as good as the others. */
static void placing_counts_as_plies(void **state)
{
    (void)state;
    struct solver solver = new_solver(willow_ruleset_find("reversi"));
    const struct willow_board empty = solver.ruleset->start;
    struct willow_result result;
    willow_search_run(solver.search, empty, &(struct willow_limits){.depth = 8}, &result);
    assert_int_equal(result.depth, 8);
    assert_int_equal(result.pv_length, 8);
    assert_true(result.complete && !result.exact);
    struct willow_scored_move moves[WILLOW_SQUARES];
    assert_int_equal(willow_search_moves(solver.search, empty, &(struct willow_limits){.depth = 8}, moves), 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(moves[i].score, result.score);
    free_solver(&solver);
}

/* Far from the end small boards are looked up by their least image: the images of a board, met on one table, have its
 * score, and their own lines. */
static void images_far_from_the_end_score_the_same(void **state)
{
    (void)state;
    struct solver solver = new_solver(willow_ruleset_find("6x6")), other = new_solver(solver.ruleset);
    struct willow_random random;
    willow_random_init(&random, 75, 0);
    for (int round = 0; round < 3; round++) {
        const struct willow_board board = position_from_play(solver.ruleset, &random, 18 + round);
        const int discs = solve(&solver, board, false);
        for (int s = 1; s < WILLOW_SYMMETRIES; s++)
            assert_int_equal(solve(&solver, willow_board_symmetry(solver.ruleset, board, s), false), discs);
        /* And so has the search that does not do it. */
        other.search->main->fold_empties = WILLOW_SQUARES;
        assert_int_equal(solve(&other, board, false), discs);
    }
    free_solver(&solver);
    free_solver(&other);
}

/* Weights of one start serve another; those of another board do not, and nothing changes. */
static void rulesets_that_play_alike_share_weights(void **state)
{
    (void)state;
    struct willow_error error;
    struct solver solver = new_solver(willow_ruleset_find("4x4"));
    const struct willow_ruleset *parallel = willow_ruleset_find("4x4-parallel");
    assert_int_equal(willow_search_set_ruleset(solver.search, parallel, &error), WILLOW_OK);
    assert_int_equal(willow_search_set_ruleset(solver.search, willow_ruleset_find("6x6"), &error), WILLOW_ERR_MISMATCH);
    assert_int_equal(willow_search_set_ruleset(solver.search, willow_ruleset_find("4x4-anti"), &error),
                     WILLOW_ERR_MISMATCH);
    assert_int_equal(solve(&solver, parallel->start, true), -3);
    free_solver(&solver);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_negamax_on_every_ruleset),
        cmocka_unit_test(equals_negamax_further_from_the_end),
        cmocka_unit_test(kinds_of_score_do_not_mix),
#ifndef WILLOW_WIDE
        cmocka_unit_test(small_games_have_the_known_values),
        cmocka_unit_test(placing_equals_negamax),
        cmocka_unit_test(placing_answers_within_any_limit),
        cmocka_unit_test(placing_counts_as_plies),
        cmocka_unit_test(images_far_from_the_end_score_the_same),
        cmocka_unit_test(rulesets_that_play_alike_share_weights),
#endif
    };
    return cmocka_run_group_tests_name("solved_rulesets", tests, NULL, NULL);
}
