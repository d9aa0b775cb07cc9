/* The exact solver against plain negamax, on play and on noise, on several rulesets, and against published scores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/search.h>

#include "search/stability.h"
#include "search/worker.h"
#include "support/positions.h"

static struct willow_weights *zero_weights(const struct willow_ruleset *ruleset)
{
    struct willow_weights *weights = NULL;
    struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 20);
    assert_int_equal(willow_weights_new_zero(ruleset, willow_pattern_set_default(), &stages, &weights, NULL),
                     WILLOW_OK);
    return weights;
}

static struct willow_search *new_search(const struct willow_weights *weights, size_t hash_bytes)
{
    struct willow_search *search = NULL;
    assert_int_equal(willow_search_new(weights, hash_bytes, &search, NULL), WILLOW_OK);
    return search;
}

static struct willow_result solve(struct willow_search *search, struct willow_board board)
{
    struct willow_result result;
    willow_search_run(search, board, &(struct willow_limits){0}, &result);
    assert_true(result.exact && result.complete);
    return result;
}

/* The line must be legal to its end, reach the end of the game and give the score. */
static void check_line(const struct willow_ruleset *ruleset, struct willow_board board,
                       const struct willow_result *result)
{
    willow_score sign = 1;
    assert_int_equal(result->move, result->pv_length > 0 ? result->pv[0] : WILLOW_NO_SQUARE);
    for (int i = 0; i < result->pv_length; i++) {
        uint64_t legal = willow_board_moves(ruleset, board);
        assert_false(willow_board_over(ruleset, board));
        if (result->pv[i] == WILLOW_PASS)
            assert_true(legal == 0);
        else
            assert_true(legal >> result->pv[i] & 1);
        board = willow_board_play(board, result->pv[i]);
        sign = -sign;
    }
    assert_true(willow_board_over(ruleset, board));
    assert_int_equal(sign * willow_board_final_discs(ruleset, board) * WILLOW_SCORE_DISC, result->score);
}

static void compare_with_negamax(const struct willow_ruleset *ruleset, int most_empties, int rounds)
{
    struct willow_weights *weights = zero_weights(ruleset);
    struct willow_search *search = new_search(weights, 1 << 16);
    struct willow_random random;
    willow_random_init(&random, 7, ruleset->id);
    struct willow_board (*const make[3])(const struct willow_ruleset *, struct willow_random *,
                                         int) = {position_from_play, position_from_noise, position_from_lopsided_noise};
    for (int round = 0; round < rounds; round++) {
        int empties = round % (most_empties + 1);
        struct willow_board board = make[round / (most_empties + 1) % 3](ruleset, &random, empties);
        struct willow_result result = solve(search, board);
        assert_int_equal(result.score, position_negamax(NULL, ruleset, board, 64));
        check_line(ruleset, board, &result);
    }
    willow_search_free(search);
    willow_weights_free(weights);
}

static void equals_negamax(void **state)
{
    (void)state;
    compare_with_negamax(willow_ruleset_default(), 8, 1350);
    /* The last empties by themselves: cheap, so many. */
    compare_with_negamax(willow_ruleset_default(), 3, 12000);
}

static void symmetric_boards_score_the_same(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_weights *weights = zero_weights(ruleset);
    struct willow_search *search = new_search(weights, 1 << 20);
    struct willow_random random;
    willow_random_init(&random, 8, 0);
    for (int round = 0; round < 12; round++) {
        struct willow_board board = position_from_play(ruleset, &random, 11);
        willow_score score = solve(search, board).score;
        for (int s = 1; s < WILLOW_SYMMETRIES; s++)
            assert_int_equal(solve(search, willow_board_symmetry(willow_ruleset_default(), board, s)).score, score);
    }
    willow_search_free(search);
    willow_weights_free(weights);
}

/* What stays in the table from other positions must not change a score, nor a table of a single entry. */
static void table_changes_no_score(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_weights *weights = zero_weights(ruleset);
    struct willow_search *keeping = new_search(weights, 1 << 14), *clearing = new_search(weights, 1 << 20),
                         *single = new_search(weights, 0);
    struct willow_random random;
    willow_random_init(&random, 9, 0);
    for (int round = 0; round < 40; round++) {
        struct willow_board board = position_from_play(ruleset, &random, 11 + round % 5);
        willow_search_clear(clearing);
        willow_score score = solve(clearing, board).score;
        struct willow_result kept = solve(keeping, board);
        assert_int_equal(kept.score, score);
        check_line(ruleset, board, &kept);
        assert_int_equal(solve(single, board).score, score);
    }
    willow_search_free(keeping);
    willow_search_free(clearing);
    willow_search_free(single);
    willow_weights_free(weights);
}

/* The shortcuts of the standard game, stable discs above all, against the same search without them, where plain negamax
 * would take too long: a bound that is wrong by a disc pair only shows several plies below the root. */
static void shortcuts_change_no_score(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_weights *weights = zero_weights(ruleset);
    struct willow_search *standard = new_search(weights, 1 << 16), *plain = new_search(weights, 1 << 16);
    struct willow_random random;
    willow_random_init(&random, 8, 0);
    plain->main->standard = false;
    plain->main->geometry.full = false;
    for (int round = 0; round < 500; round++) {
        int empties = 8 + round % 5;
        struct willow_board board = round % 4 == 0   ? position_from_play(ruleset, &random, empties)
                                    : round % 4 == 1 ? position_from_noise(ruleset, &random, empties)
                                                     : position_from_lopsided_noise(ruleset, &random, empties);
        willow_search_clear(standard);
        willow_search_clear(plain);
        assert_int_equal(solve(standard, board).score, solve(plain, board).score);
    }
    willow_search_free(standard);
    willow_search_free(plain);
    willow_weights_free(weights);
}

static void published_scores(void **state)
{
    (void)state;
    struct willow_weights *weights = zero_weights(willow_ruleset_default());
    struct willow_search *search = new_search(weights, 1 << 22);
    FILE *file = fopen(TEST_DATA "/ffo-small.obf", "r");
    assert_non_null(file);
    char line[1024];
    int solved = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        struct willow_obf obf;
        bool empty;
        assert_int_equal(willow_obf_parse(willow_ruleset_default(), line, &obf, &empty, NULL), WILLOW_OK);
        if (empty)
            continue;
        assert_int_equal(solve(search, obf.board).score, obf.scores_discs[0] * WILLOW_SCORE_DISC);
        struct willow_scored_move moves[64];
        int count = willow_search_moves(search, obf.board, &(struct willow_limits){0}, moves);
        assert_int_equal(count, obf.count);
        for (int i = 0; i < count; i++) {
            int at = 0;
            while (at < count && moves[at].move != obf.moves[i])
                at++;
            assert_true(at < count && moves[at].exact);
            assert_int_equal(moves[at].score, obf.scores_discs[i] * WILLOW_SCORE_DISC);
        }
        solved++;
    }
    fclose(file);
    assert_int_equal(solved, 10);
    willow_search_free(search);
    willow_weights_free(weights);
}

static void init_stability(struct stability *stability, const struct willow_ruleset *ruleset)
{
    struct geometry geometry;
    geometry_init(&geometry, ruleset);
    stability_init(stability, &geometry);
}

/* No disc that is called stable may turn in any continuation; random ones are tried. */
static void check_stable_discs(const struct willow_ruleset *ruleset, int least)
{
    struct stability *stability = malloc(sizeof *stability);
    assert_non_null(stability);
    init_stability(stability, ruleset);
    struct willow_random random;
    willow_random_init(&random, 10, 0);
    const int most = willow_ruleset_squares(ruleset) * 2 / 5;
    int found = 0;
    for (int round = 0; round < 1000; round++) {
        struct willow_board board = round % 2 == 0 ? position_from_play(ruleset, &random, 1 + round % most)
                                                   : position_from_noise(ruleset, &random, 1 + round % most);
        uint64_t own = stability_discs(stability, board.player, board.opponent);
        uint64_t other = stability_discs(stability, board.opponent, board.player);
        found += __builtin_popcountll(own | other);
        assert_true((own & ~board.player) == 0 && (other & ~board.opponent) == 0);
        bool turned = false;
        while (!willow_board_over(ruleset, board)) {
            uint64_t legal = willow_board_moves(ruleset, board);
            board = willow_board_play(board, (willow_square)(legal ? willow_random_bit(&random, legal) : WILLOW_PASS));
            turned = !turned;
            assert_true((own & ~(turned ? board.opponent : board.player)) == 0);
            assert_true((other & ~(turned ? board.player : board.opponent)) == 0);
        }
    }
    /* The bound must also be worth something. */
    assert_true(found > least);
    free(stability);
}

static void stable_discs_stay(void **state)
{
    (void)state;
    check_stable_discs(willow_ruleset_default(), 10000);
    check_stable_discs(willow_ruleset_find("6x6"), 5000);
    check_stable_discs(willow_ruleset_find("4x4"), 2000);
}

static void stable_discs_of_known_boards(void **state)
{
    (void)state;
    struct stability *stability = malloc(sizeof *stability);
    assert_non_null(stability);
    init_stability(stability, willow_ruleset_default());
    assert_true(stability_discs(stability, 0x00000000000000FFu, ~(uint64_t)0xFF) == 0xFF);
    assert_true(stability_discs(stability, ~(uint64_t)0xFF, 0xFF) == ~(uint64_t)0xFF);
    assert_true(stability_discs(stability, 0x0000001008000000u, 0x0000000810000000u) == 0);
    /* A corner and what hangs on it: a1 b1 c1, a2 b2, a3. */
    assert_true(stability_discs(stability, 0x0000000000010307u, 0) == 0x0000000000010307u);
    /* b1 without the corner is not safe; h8 is. */
    assert_true(stability_discs(stability, 0x8000000000000002u, 4) == 0x8000000000000000u);
    free(stability);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_negamax),
        cmocka_unit_test(symmetric_boards_score_the_same),
        cmocka_unit_test(table_changes_no_score),
        cmocka_unit_test(shortcuts_change_no_score),
        cmocka_unit_test(published_scores),
        cmocka_unit_test(stable_discs_stay),
        cmocka_unit_test(stable_discs_of_known_boards),
    };
    return cmocka_run_group_tests_name("endgame", tests, NULL, NULL);
}
