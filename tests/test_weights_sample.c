/* Tests of the positions on which sets of weights are compared: fixed by the seed, all different, and as in the file.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/ruleset.h>

#include "cli/weights_sample.h"
#include "support/random_weights.h"

static struct willow_weights *guide(uint64_t seed)
{
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 3);
    return random_weights(willow_pattern_set_find("p46"), &stages, seed, 50);
}

static int compare_boards(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct willow_board));
}

static void assert_good(const struct weights_sample *sample, const struct willow_ruleset *ruleset)
{
    struct willow_board *boards = calloc(sample->count, sizeof *boards);
    assert_non_null(boards);
    for (size_t i = 0; i < sample->count; i++) {
        const struct willow_board board = sample->positions[i].board;
        assert_true(willow_board_valid(ruleset, board));
        assert_true(willow_board_moves(ruleset, board) != 0);
        boards[i] = willow_board_canonical(ruleset, board, NULL);
    }
    qsort(boards, sample->count, sizeof *boards, compare_boards);
    for (size_t i = 1; i < sample->count; i++)
        assert_int_not_equal(compare_boards(&boards[i - 1], &boards[i]), 0);
    free(boards);
}

static bool same_positions(const struct weights_sample *a, const struct weights_sample *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = compare_boards(&a->positions[i].board, &b->positions[i].board) == 0 &&
               a->positions[i].side == b->positions[i].side;
    return same;
}

static struct weights_sample played(const struct willow_weights *a, const struct willow_weights *b, size_t count,
                                    uint64_t seed)
{
    struct weights_sample sample;
    assert_int_equal(weights_sample_play(a, b, count, seed, &sample, NULL), WILLOW_OK);
    return sample;
}

static void test_played_positions(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    struct willow_weights *a = guide(1), *b = guide(2);
    struct weights_sample sample = played(a, b, COUNT, 7), again = played(a, b, COUNT, 7);
    assert_int_equal(sample.count, COUNT);
    assert_in_range(sample.games, COUNT / 60, COUNT / 20);
    assert_good(&sample, willow_ruleset_default());
    assert_true(same_positions(&sample, &again));
    assert_memory_equal(&sample.positions[0].board, &willow_ruleset_default()->start, sizeof(struct willow_board));
    /* Positions of one game follow each other: the sides in turn, but for passes. */
    size_t turns = 0;
    for (size_t i = 1; i < COUNT; i++)
        turns += sample.positions[i].side != sample.positions[i - 1].side;
    assert_in_range(turns, COUNT * 9 / 10, COUNT - 1);
    struct weights_sample other = played(a, b, COUNT, 8), only_a = played(a, a, COUNT, 7);
    assert_false(same_positions(&sample, &other));
    /* The first game is led by a, the second by b. */
    assert_false(same_positions(&sample, &only_a));
    assert_memory_equal(&sample.positions[30], &only_a.positions[30], sizeof sample.positions[30]);
    weights_sample_clear(&sample);
    weights_sample_clear(&again);
    weights_sample_clear(&other);
    weights_sample_clear(&only_a);
    willow_weights_free(a);
    willow_weights_free(b);
}

/* How much better than the average move of its position the move is for the guide, in discs; random moves: 0. */
static double advantage(const struct willow_weights *weights, struct willow_board board, struct willow_board next)
{
    double sum = 0.0, chosen = 0.0;
    int count = 0;
    for (uint64_t moves = willow_board_moves(willow_ruleset_default(), board); moves != 0; moves &= moves - 1) {
        const struct willow_board child = willow_board_play(board, (willow_square)__builtin_ctzll(moves));
        const double score = -(double)willow_evaluate(weights, child) / WILLOW_SCORE_DISC;
        sum += score;
        count++;
        if (compare_boards(&child, &next) == 0)
            chosen = score;
    }
    return chosen - sum / count;
}

/* Half of the moves are the guide's, as far as the noise lets it have its way. */
static void test_games_follow_their_guide(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    struct willow_weights *a = guide(1), *other = guide(2);
    struct weights_sample sample = played(a, a, COUNT, 3);
    double guided = 0.0, not_guided = 0.0;
    for (size_t i = 1; i < COUNT; i++) {
        const struct willow_board board = sample.positions[i - 1].board, next = sample.positions[i].board;
        if (willow_board_discs(next) != willow_board_discs(board) + 1)
            continue;
        guided += advantage(a, board, next) / COUNT;
        not_guided += advantage(other, board, next) / COUNT;
    }
    assert_true(guided > 1.0);
    assert_true(fabs(not_guided) < 0.5);
    weights_sample_clear(&sample);
    willow_weights_free(a);
    willow_weights_free(other);
}

/* A board so small that there are fewer positions than are asked for: the games end all the same. */
static void test_small_rulesets_run_dry(void **state)
{
    (void)state;
    enum { ASKED = 1000000 };
    const struct willow_ruleset *small = willow_ruleset_find("4x4");
    const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(small), 1);
    struct willow_weights *weights = NULL;
    assert_int_equal(willow_weights_new_zero(small, willow_pattern_set_find("p46"), &stages, &weights, NULL),
                     WILLOW_OK);
    struct weights_sample sample = played(weights, weights, ASKED, 1);
    assert_in_range(sample.count, 1000, ASKED - 1);
    assert_good(&sample, small);
    weights_sample_clear(&sample);
    willow_weights_free(weights);
}

/* Positions of any ruleset fit it, the squares without a disc included. */
static void test_rulesets(void **state)
{
    (void)state;
    static const char *const names[] = {"anti", "6x6", "6x6-parallel", "hole:c3", "reversi"};
    enum { COUNT = 500 };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(names[i]);
        const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(ruleset), 3);
        struct willow_weights *weights =
            random_weights_on(ruleset, willow_pattern_set_default(), &stages, (uint64_t)i, 50);
        struct weights_sample sample = played(weights, weights, COUNT, 1);
        assert_int_equal(sample.count, COUNT);
        assert_good(&sample, ruleset);
        weights_sample_clear(&sample);
        willow_weights_free(weights);
    }
}

static void test_positions_of_a_file(void **state)
{
    (void)state;
    struct weights_sample sample;
    struct willow_error error;
    assert_int_equal(weights_sample_load(TEST_DATA "/late.obf", willow_ruleset_default(), &sample, &error), WILLOW_OK);
    assert_int_equal(sample.count, 12);
    assert_int_equal(sample.games, 0);
    char text[WILLOW_BOARD_TEXT];
    assert_string_equal(
        willow_board_format(willow_ruleset_default(), sample.positions[0].board, sample.positions[0].side, text),
        "OOXXXXXXOXXXXOOOOOXOXOOOOXOXXOXOOOOOXOXOOOOOOOOO----OOOO----XXXX X");
    weights_sample_clear(&sample);
    assert_int_equal(weights_sample_load(TEST_DATA "/late.obf", willow_ruleset_find("4x4"), &sample, &error),
                     WILLOW_ERR_FORMAT);
    assert_null(sample.positions);
    assert_int_equal(weights_sample_load("no/such/file.obf", willow_ruleset_default(), &sample, &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, "no/such/file.obf");
    weights_sample_clear(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_played_positions),       cmocka_unit_test(test_games_follow_their_guide),
        cmocka_unit_test(test_small_rulesets_run_dry), cmocka_unit_test(test_rulesets),
        cmocka_unit_test(test_positions_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
