/* Openings of matches: legal, distinct under symmetry by comparison of every pair, repeatable, balanced where asked,
 * and refused when there are not enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/patterns.h>
#include <willow/weights.h>

#include "selfplay/match/match_openings.h"

static struct openings_options options_of(uint64_t seed, int plies)
{
    return (struct openings_options){.ruleset = willow_ruleset_othello(), .seed = seed, .plies = plies};
}

static int images_equal(struct willow_board a, struct willow_board b)
{
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++) {
        const struct willow_board image = willow_board_symmetry(a, symmetry);
        if (image.player == b.player && image.opponent == b.opponent)
            return 1;
    }
    return 0;
}

static void test_openings_are_distinct_under_symmetry(void **state)
{
    enum { COUNT = 300 };
    const struct openings_options options = options_of(1, 5); /* 322 positions in all: most trials repeat one */
    struct willow_game *games = calloc(COUNT, sizeof *games);

    (void)state;
    assert_non_null(games);
    assert_int_equal(openings_draw(&options, games, COUNT, NULL), WILLOW_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(willow_board_discs(willow_game_board(&games[i])), 9);
        assert_false(willow_game_over(&games[i]));
        for (int j = 0; j < i; j++)
            assert_false(images_equal(willow_game_board(&games[i]), willow_game_board(&games[j])));
    }
    free(games);
}

/* Positions after 1, 2 and 3 plies that no symmetry maps to each other: 1, 3 and 14, counted by hand and by perft with
 * a set. */
static void test_exactly_all_short_openings_are_found(void **state)
{
    static const size_t existing[] = {1, 1, 3, 14, 60, 322};
    struct willow_game *games = calloc(400, sizeof *games);

    (void)state;
    assert_non_null(games);
    for (int plies = 0; plies <= 5; plies++) {
        const struct openings_options options = options_of(7, plies);
        struct willow_error error = {0};

        assert_int_equal(openings_draw(&options, games, existing[plies], NULL), WILLOW_OK);
        assert_int_equal(openings_draw(&options, games, existing[plies] + 1, &error), WILLOW_ERR_ARGUMENT);
        assert_non_null(strstr(error.reason, "distinct"));
    }
    free(games);
}

static void test_same_seed_same_openings_and_prefix(void **state)
{
    struct willow_game *a = calloc(40, sizeof *a), *b = calloc(40, sizeof *b);
    const struct openings_options one = options_of(5, 8), other = options_of(6, 8);
    int different = 0;

    (void)state;
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(openings_draw(&one, a, 40, NULL), WILLOW_OK);
    assert_int_equal(openings_draw(&one, b, 20, NULL), WILLOW_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(a[i].length, b[i].length);
        assert_memory_equal(a[i].moves, b[i].moves, (size_t)a[i].length);
    }
    assert_int_equal(openings_draw(&other, b, 40, NULL), WILLOW_OK);
    for (int i = 0; i < 40; i++)
        different += memcmp(a[i].moves, b[i].moves, 8) != 0;
    assert_true(different > 30);
    free(a);
    free(b);
}

static void test_balance_keeps_only_even_openings(void **state)
{
    enum { COUNT = 20, LIMIT = 1 };
    struct openings_options options = options_of(3, 8);
    struct willow_game *games = calloc(COUNT, sizeof *games), *all = calloc(COUNT, sizeof *all);
    struct willow_weights *weights = NULL;
    struct willow_search *search = NULL;
    const struct willow_limits limits = {.depth = 4};
    const struct willow_pattern_set *set = willow_pattern_set_default();
    const struct willow_stages stages = willow_stages_even(1);
    const uint32_t count = willow_pattern_set_weights(set);
    int16_t *values = calloc(count, sizeof *values);

    (void)state;
    assert_non_null(games);
    assert_non_null(all);
    assert_non_null(values);
    for (uint32_t i = 0; i < count; i++) /* arbitrary, so that positions differ */
        values[i] = (int16_t)((i * 2654435761u >> 16) % 65) - 32;
    assert_int_equal(willow_weights_new(willow_ruleset_othello(), set, &stages, values, NULL, NULL, &weights, NULL),
                     WILLOW_OK);
    assert_int_equal(openings_draw(&options, all, COUNT, NULL), WILLOW_OK);
    options.judge = weights;
    options.balance_discs = LIMIT;
    assert_int_equal(openings_draw(&options, games, COUNT, NULL), WILLOW_OK);
    assert_int_equal(willow_search_new(weights, 1 << 20, &search, NULL), WILLOW_OK);
    int unbalanced = 0;
    for (int i = 0; i < COUNT; i++) {
        struct willow_result result;

        willow_search_run(search, willow_board_canonical(willow_game_board(&games[i]), NULL), &limits, &result);
        assert_true(abs(result.score) <= LIMIT * WILLOW_SCORE_DISC);
        willow_search_run(search, willow_board_canonical(willow_game_board(&all[i]), NULL), &limits, &result);
        unbalanced += abs(result.score) > LIMIT * WILLOW_SCORE_DISC;
    }
    assert_true(unbalanced > 0); /* else this test would prove nothing */
    willow_search_free(search);
    willow_weights_free(weights);
    free(values);
    free(games);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openings_are_distinct_under_symmetry),
        cmocka_unit_test(test_exactly_all_short_openings_are_found),
        cmocka_unit_test(test_same_seed_same_openings_and_prefix),
        cmocka_unit_test(test_balance_keeps_only_even_openings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
