/* Boards and weights at which sums of many rare patterns would leave the range of a score: evaluation and search stay
 * inside, whatever the weights, and only what is solved shows 64 discs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <willow/notation.h>
#include <willow/search.h>

/* From the public report giwarb/othello-trainer T059 (105 discs were shown) and from games and problems with lopsided
 * boards. */
static const char *const boards[] = {
    "-----O-------O----OOXO----XXXOO---XXXOX--OXXXXXX---OX-O----O-OOO X",
    "--XO-O----XOOO--OOXXOOX--OOOXOO---OXOXXX-XXXXX----OXX-----X----- O",
    "--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOOOXXOXX-O-XO--XXXXX X",
    "---O------OO------XOXO---OXXOXX-XXXXXOO-XXXOXOO-X-XXX-----XXX--- X",
    "---X-O-----XOX----OOXX--XXXOOX---XXXOX-----OOX------O----------- X",
    "OOOOOOO-OOOOOOX-OOOOOOX-OOOOXOX-OOOXOXXXOOOOOOX-O-XXXX---------- O",
    "---OOOOO---OOOOO-XXOOOOO-XXOOOOO-XOOOOOO--OOOXOO--OOOXOO--OOOOOO X",
    "------------------OOOO----OXOO----OOXO----OOOO------------------ X",
    "---------O-O-OO--OXOXXO--OXXXOO--X-OX----OX-XXO--OXOOOO--------- X",
    "XXXXXXXXXXXXXXXOXXXXXXXOXXXXXO-OXXOXXO-OXXOOOO--XXOO----X------- X",
};
enum { BOARDS = sizeof boards / sizeof boards[0], MOST = WILLOW_SCORE_MAX - 1 };

static struct willow_board board_of(int i)
{
    struct willow_board board;
    enum willow_side side;
    assert_int_equal(willow_board_parse(willow_ruleset_default(), boards[i], &board, &side, NULL), WILLOW_OK);
    return board;
}

/* The default weights times a factor, cut to what a weight can hold. */
static struct willow_weights *multiplied(int factor)
{
    struct willow_weights *plain = NULL, *made = NULL;
    assert_int_equal(willow_weights_default(&plain, NULL), WILLOW_OK);
    const struct willow_pattern_set *set = willow_weights_patterns(plain);
    const struct willow_stages *stages = willow_weights_stages(plain);
    const int16_t *values = willow_weights_values(plain);
    const size_t count = (size_t)stages->count * willow_pattern_set_weights(set);
    int16_t *products = calloc(count, sizeof *products);
    assert_non_null(products);
    for (size_t i = 0; i < count; i++) {
        const int product = values[i] * factor;
        products[i] = (int16_t)(product > INT16_MAX ? INT16_MAX : product < INT16_MIN ? INT16_MIN : product);
    }
    assert_int_equal(willow_weights_new(willow_weights_ruleset(plain), set, stages, products,
                                        willow_weights_probcut(plain), NULL, &made, NULL),
                     WILLOW_OK);
    free(products);
    willow_weights_free(plain);
    return made;
}

static void check_range(const struct willow_result *result)
{
    assert_in_range(result->score + WILLOW_SCORE_MAX, 0, 2 * WILLOW_SCORE_MAX);
    assert_true(result->move < 64);
}

/* Evaluation, then every depth up to 8, each alone and selectively; turned boards give the same at a fixed depth. */
static void check_weights(const struct willow_weights *weights, int depths)
{
    struct willow_search *search = NULL;
    assert_int_equal(willow_search_new(weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (int i = 0; i < BOARDS; i++) {
        const struct willow_board board = board_of(i);
        const willow_score evaluation = willow_evaluate(weights, board);
        assert_in_range(evaluation + MOST, 0, 2 * MOST);
        for (int s = 1; s < WILLOW_SYMMETRIES; s++)
            assert_int_equal(willow_evaluate(weights, willow_board_symmetry(willow_ruleset_default(), board, s)),
                             evaluation);
        for (int depth = 1; depth <= depths; depth++) {
            struct willow_result result, turned;
            willow_search_clear(search);
            willow_search_run(search, board, &(struct willow_limits){.depth = depth}, &result);
            check_range(&result);
            willow_search_clear(search);
            willow_search_run(search, willow_board_symmetry(willow_ruleset_default(), board, 1 + depth % 7),
                              &(struct willow_limits){.depth = depth}, &turned);
            assert_int_equal(turned.score, result.score);
            willow_search_run(search, board, &(struct willow_limits){.depth = depth, .selectivity = 73}, &result);
            check_range(&result);
        }
        /* Scores of all moves are in the range, too. */
        struct willow_scored_move moves[64];
        const int count = willow_search_moves(search, board, &(struct willow_limits){.depth = 4}, moves);
        for (int m = 0; m < count; m++)
            assert_in_range(moves[m].score + WILLOW_SCORE_MAX, 0, 2 * WILLOW_SCORE_MAX);
    }
    willow_search_free(search);
}

static void the_default_weights(void **state)
{
    (void)state;
    struct willow_weights *weights = NULL;
    assert_int_equal(willow_weights_default(&weights, NULL), WILLOW_OK);
    check_weights(weights, 8);
    willow_weights_free(weights);
}

static void weights_of_zero(void **state)
{
    (void)state;
    struct willow_weights *weights = NULL;
    assert_int_equal(willow_weights_open("zero", NULL, &weights, NULL), WILLOW_OK);
    for (int i = 0; i < BOARDS; i++)
        assert_int_equal(willow_evaluate(weights, board_of(i)), 0);
    check_weights(weights, 4);
    willow_weights_free(weights);
}

/* Clamped and not wrapped around: a huge factor keeps the sign wherever the sum is far from zero. */
static void weights_times_a_thousand(void **state)
{
    (void)state;
    struct willow_weights *plain = multiplied(1), *huge = multiplied(1000), *turned = multiplied(-1000);
    int clamped = 0;
    for (int i = 0; i < BOARDS; i++) {
        const willow_score evaluation = willow_evaluate(huge, board_of(i));
        clamped += abs(evaluation) == MOST;
        assert_true((int64_t)evaluation * willow_evaluate(turned, board_of(i)) <= 0);
    }
    assert_true(clamped > BOARDS / 2);
    check_weights(huge, 4);
    check_weights(turned, 2);
    willow_weights_free(plain);
    willow_weights_free(huge);
    willow_weights_free(turned);
}

/* Exact scores do not come from the evaluation: with senseless weights they are those of the endgame. */
static void exact_scores_in_spite_of_the_weights(void **state)
{
    (void)state;
    struct willow_weights *huge = multiplied(1000);
    struct willow_search *search = NULL;
    struct willow_result result;
    assert_int_equal(willow_search_new(huge, 1 << 20, &search, NULL), WILLOW_OK);
    willow_search_run(search, board_of(2), &(struct willow_limits){0}, &result);
    assert_true(result.exact);
    assert_int_equal(result.score, 32 * WILLOW_SCORE_DISC);
    willow_search_free(search);
    willow_weights_free(huge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_weights),
        cmocka_unit_test(weights_of_zero),
        cmocka_unit_test(weights_times_a_thousand),
        cmocka_unit_test(exact_scores_in_spite_of_the_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
