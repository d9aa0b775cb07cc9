/* Tests of the evaluation: the incremental state equals the one from scratch, SIMD equals portable code, and the value
 * is the plain sum of tied weights that the trainer minimises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>

#include "eval/lanes.h"
#include "eval/model.h"
#include "eval/weight_table.h"
#include "support/random_weights.h"

/* What the documentation of the pattern sets promises, term by term. */
static willow_score reference_score(const struct willow_weights *weights, struct willow_board board)
{
    const struct willow_pattern_set *set = willow_weights_patterns(weights);
    uint32_t index[WILLOW_FEATURES_MAX];
    willow_pattern_set_indices(set, board, index);
    const struct willow_stages *stages = willow_weights_stages(weights);
    size_t stage = (size_t)willow_stage_of_discs(stages, willow_board_discs(board));
    const int16_t *values = willow_weights_values(weights) + stage * willow_pattern_set_weights(set);
    int32_t sum = 0;
    for (int i = 0; i < willow_pattern_set_features(set); i++)
        sum += values[index[i]];
    return sum >= WILLOW_SCORE_MAX ? WILLOW_SCORE_MAX - 1 : sum <= -WILLOW_SCORE_MAX ? 1 - WILLOW_SCORE_MAX : sum;
}

/* Rulesets of this build with boards of every kind; those that are not in it are passed over. */
static const struct willow_ruleset *next_ruleset(int *step)
{
    static const char *const names[] = {"othello", "anti",    "reversi", "4x4",     "4x4-reversi", "6x6", "10x10",
                                        "hole:a1", "hole:b2", "hole:c3", "hole:d3", "hole:f4",     NULL};
    const struct willow_ruleset *ruleset = NULL;
    while (ruleset == NULL && names[*step] != NULL)
        ruleset = willow_ruleset_find(names[(*step)++]);
    return ruleset;
}

static struct willow_stages stages_of(const struct willow_ruleset *ruleset, int count)
{
    return willow_stages_even(willow_ruleset_squares(ruleset), count);
}

/* A random move, or a pass, or WILLOW_NO_SQUARE at the end of the game. */
static willow_square random_move(const struct willow_ruleset *ruleset, struct willow_random *random,
                                 struct willow_board board)
{
    willow_bits moves = willow_board_moves(ruleset, board);
    if (moves == 0)
        return willow_board_over(ruleset, board) ? WILLOW_NO_SQUARE : WILLOW_PASS;
    return (willow_square)willow_random_bit(random, moves);
}

static void assert_state_belongs(const struct willow_weights *weights, const struct model_state *state,
                                 struct willow_board board)
{
    struct model_state scratch;
    model_state_init(weights, board, &scratch);
    assert_memory_equal(state->own, scratch.own, sizeof scratch.own);
    assert_memory_equal(state->other, scratch.other, sizeof scratch.other);
    willow_score score = model_evaluate(weights, state, board);
    assert_int_equal(score, willow_evaluate(weights, board));
    assert_int_equal(score, reference_score(weights, board));
}

/* Plays a game and returns how often a side had to pass. */
static int follow_game(const struct willow_weights *weights, struct willow_random *random)
{
    const struct willow_ruleset *ruleset = willow_weights_ruleset(weights);
    struct willow_board board = ruleset->start;
    struct model_state states[2];
    int now = 0, passes = 0;
    model_state_init(weights, board, &states[now]);
    for (willow_square move; (move = random_move(ruleset, random, board)) != WILLOW_NO_SQUARE; now = !now) {
        if (move == WILLOW_PASS) {
            model_state_pass(&states[now], &states[!now]);
            passes++;
        } else {
            model_state_play(weights, &states[now], &states[!now], move, willow_board_flips(board, move));
        }
        board = willow_board_play(board, move);
        assert_state_belongs(weights, &states[!now], board);
    }
    return passes;
}

static void test_incremental_equals_scratch(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    struct willow_random random;
    willow_random_init(&random, 3, 0);
    for (int step = 0; (ruleset = next_ruleset(&step)) != NULL;) {
        const struct willow_stages stages = stages_of(ruleset, 3);
        int passes = 0;
        for (int s = 0; willow_pattern_set_at(s) != NULL; s++) {
            struct willow_weights *weights = random_weights_on(ruleset, willow_pattern_set_at(s), &stages, 7, 100);
            for (int game = 0; game < 25; game++)
                passes += follow_game(weights, &random);
            willow_weights_free(weights);
        }
        assert_true(passes > 10);
    }
}

static willow_bits random_bits(struct willow_random *random)
{
    willow_bits bits = 0;
    for (int word = 0; word < WILLOW_BITS_WORDS; word++)
        bits |= willow_bits_of_word(willow_random_u64(random), word);
    return bits & WILLOW_BITS_ALL;
}

/* On a build without AVX2 the selected code is the portable one. */
static void test_portable_equals_selected(void **state)
{
    (void)state;
    struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 2);
    struct willow_weights *weights = random_weights(willow_pattern_set_find("p58"), &stages, 7, INT16_MAX);
    struct willow_random random;
    willow_random_init(&random, 4, 0);
    for (int round = 0; round < 2000; round++) {
        willow_bits a = random_bits(&random), b = random_bits(&random), empty = a & b;
        a &= ~empty;
        b &= ~a & ~empty;
        int square = (int)willow_random_below(&random, WILLOW_SQUARES);
        willow_bits flips = b & random_bits(&random) & ~WILLOW_BIT(square);
        struct model_state fast, slow, fast_next, slow_next;
        lanes_init(weights->set->chunks, a, b, fast.own, fast.other);
        lanes_init_portable(weights->set->chunks, a, b, slow.own, slow.other);
        assert_memory_equal(&fast, &slow, sizeof fast);
        uint32_t fast_index[LANES], slow_index[LANES];
        lanes_indices(weights->set->chunks, weights->set->lane_begin, a, b, fast_index);
        lanes_indices_portable(weights->set->chunks, weights->set->lane_begin, a, b, slow_index);
        assert_memory_equal(fast_index, slow_index, sizeof fast_index);
        lanes_play(weights->set->chunks, fast.own, fast.other, fast_next.own, fast_next.other, square, flips);
        lanes_play_portable(weights->set->chunks, slow.own, slow.other, slow_next.own, slow_next.other, square, flips);
        assert_memory_equal(&fast_next, &slow_next, sizeof fast_next);
        assert_int_equal(lanes_sum(weights->full, weights->set->lane_begin, fast.own),
                         lanes_sum_portable(weights->full, weights->set->lane_begin, fast.own));
    }
    willow_weights_free(weights);
}

static void test_images_have_one_value(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    struct willow_random random;
    willow_random_init(&random, 5, 0);
    for (int step = 0; (ruleset = next_ruleset(&step)) != NULL;) {
        const struct willow_stages stages = stages_of(ruleset, 4);
        for (int s = 0; willow_pattern_set_at(s) != NULL; s++) {
            struct willow_weights *weights = random_weights_on(ruleset, willow_pattern_set_at(s), &stages, 7, 100);
            struct willow_board board = ruleset->start;
            for (willow_square move; (move = random_move(ruleset, &random, board)) != WILLOW_NO_SQUARE;) {
                board = willow_board_play(board, move);
                for (int symmetry = 1; symmetry < WILLOW_SYMMETRIES; symmetry++)
                    if (willow_ruleset_symmetric(ruleset, symmetry))
                        assert_int_equal(willow_evaluate(weights, willow_board_symmetry(ruleset, board, symmetry)),
                                         willow_evaluate(weights, board));
            }
            willow_weights_free(weights);
        }
    }
}

enum { BOARDS = 5 };
static const int board_squares[BOARDS] = {16, 36, 63, 64, 100};

static void test_stages_even(void **state)
{
    (void)state;
    for (int board = 0; board < BOARDS; board++)
        for (int count = 1; count <= WILLOW_STAGES_MAX; count++) {
            const int squares = board_squares[board], width = (squares - 4 + count - 1) / count;
            struct willow_stages stages = willow_stages_even(squares, count);
            assert_int_equal(stages.squares, squares);
            assert_true(stages.count >= 1 && stages.count <= count);
            for (int i = 0; i < stages.count; i++)
                assert_int_equal(stages.first_disc[i], 4 + i * width);
            assert_true(stages.first_disc[stages.count - 1] + width >= squares);
        }
    assert_int_equal(willow_stages_even(64, 20).count, 20);
    assert_int_equal(willow_stages_even(64, 60).count, 60);
    assert_int_equal(willow_stages_even(100, 20).count, 20);
    assert_int_equal(willow_stages_even(16, 20).count, 12);
}

/* The plies of the stages are those whose discs the engine takes to the stage, without gap or overlap. */
static void assert_plies_follow(const struct willow_stages *stages)
{
    int next = 0, first, last;
    for (int stage = 0; stage < stages->count; stage++) {
        if (!willow_stage_plies(stages, stage, &first, &last))
            continue;
        assert_int_equal(first, next);
        for (int ply = first; ply <= last; ply++)
            assert_int_equal(willow_stage_of_discs(stages, 4 + ply), stage);
        next = last + 1;
    }
    assert_int_equal(next, stages->squares - 4);
}

static void test_plies_of_stages(void **state)
{
    (void)state;
    const struct willow_stages odd = {.squares = 64, .count = 3, .first_disc = {2, 30, 64}};
    assert_plies_follow(&odd);
    assert_false(willow_stage_plies(&odd, 2, &(int){0}, &(int){0}));
    for (int board = 0; board < BOARDS; board++)
        for (int count = 1; count <= WILLOW_STAGES_MAX; count++) {
            const struct willow_stages stages = willow_stages_even(board_squares[board], count);
            assert_plies_follow(&stages);
        }
}

/* Every number of discs takes the weights of its own stage: all weights of stage s are zero except its disc counts. */
static void test_stage_borders(void **state)
{
    (void)state;
    const struct willow_stages stages = {
        .squares = WILLOW_SQUARES, .count = 5, .first_disc = {4, 5, 30, 31, WILLOW_SQUARES}};
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    size_t stride = willow_pattern_set_weights(set);
    int16_t *values = calloc(5 * stride, sizeof *values);
    assert_non_null(values);
    for (size_t stage = 0; stage < 5; stage++)
        for (size_t discs = 0; discs <= WILLOW_SQUARES; discs++)
            values[stage * stride + stride - (WILLOW_SQUARES + 1) + discs] = (int16_t)(300 * stage + discs);
    struct willow_weights *weights = NULL;
    assert_int_equal(willow_weights_new(willow_ruleset_default(), set, &stages, values, NULL, NULL, &weights, NULL),
                     WILLOW_OK);
    free(values);
    for (int discs = 0; discs <= WILLOW_SQUARES; discs++) {
        const willow_bits all = discs == 0 ? 0 : WILLOW_BITS_ALL >> (WILLOW_SQUARES - discs);
        const willow_bits every_other = (willow_bits)-1 / 3;
        struct willow_board board = {all & every_other, all & ~every_other};
        int stage = discs < 5 ? 0 : discs < 30 ? 1 : discs < 31 ? 2 : discs < WILLOW_SQUARES ? 3 : 4;
        assert_int_equal(willow_stage_of_discs(&stages, discs), stage);
        assert_int_equal(willow_evaluate(weights, board), 300 * stage + discs);
    }
    willow_weights_free(weights);
}

static void test_extreme_weights_are_clamped(void **state)
{
    (void)state;
    const struct willow_stages stages = {.squares = WILLOW_SQUARES, .count = 1, .first_disc = {4}};
    for (int s = 0; willow_pattern_set_at(s) != NULL; s++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const struct willow_pattern_set *set = willow_pattern_set_at(s);
            size_t count = willow_pattern_set_weights(set);
            int16_t *values = malloc(count * sizeof *values);
            assert_non_null(values);
            for (size_t i = 0; i < count; i++)
                values[i] = sign < 0 ? INT16_MIN : INT16_MAX;
            struct willow_weights *weights = NULL;
            assert_int_equal(
                willow_weights_new(willow_ruleset_default(), set, &stages, values, NULL, NULL, &weights, NULL),
                WILLOW_OK);
            free(values);
            const struct willow_board boards[] = {{0, 0}, {WILLOW_BITS_ALL, 0}, {0, WILLOW_BITS_ALL}, {0x0f0f, 0xf0f0}};
            for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
                assert_int_equal(willow_evaluate(weights, boards[i]), sign * (WILLOW_SCORE_MAX - 1));
            willow_weights_free(weights);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incremental_equals_scratch),
        cmocka_unit_test(test_portable_equals_selected),
        cmocka_unit_test(test_images_have_one_value),
        cmocka_unit_test(test_stages_even),
        cmocka_unit_test(test_plies_of_stages),
        cmocka_unit_test(test_stage_borders),
        cmocka_unit_test(test_extreme_weights_are_clamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
