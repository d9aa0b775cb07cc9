/* One game of self-play: what its configuration says of moves, labels and rows, and that nothing else decides them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/datasets.h"
#include "support/games.h"
#include "support/random_weights.h"

struct fixture {
    struct willow_weights *weights;
    struct run_config config;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const struct willow_stages stages = willow_stages_even(1);
    fixture->weights = random_weights(willow_pattern_set_default(), &stages, 1, WILLOW_SCORE_DISC);
    struct run_config *config = &fixture->config;
    *config = run_config_default();
    config->depth = 2;
    config->exact = 5;
    config->noise = 2;
    config->noise_plies = 12;
    config->random_move = 0.05;
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    willow_weights_free(fixture->weights);
    free(fixture);
    return 0;
}

static void play_follows_the_configuration(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game all, half;
    int lengths = 0, halves = 0, rows = 0, random = 0;
    assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < 60; game++) {
        config->keep = 1;
        assert_int_equal(games_play(config, search, game, &all), WILLOW_OK);
        int opening = all.game.opening_plies, exact_discs = 64 - config->exact;
        assert_in_range(opening, config->opening_min, config->opening_max);
        lengths |= 1 << opening;
        for (int i = 0; i < all.count; i++) {
            const struct willow_row *row = &all.rows[i];
            assert_true(row->ply >= opening || (row->flags & WILLOW_ROW_RANDOM));
            assert_true(row->score != WILLOW_SCORE_MISSING);
            assert_true(row->ply + 4 < exact_discs || (row->flags & WILLOW_ROW_EXACT));
            random += row->ply >= opening && (row->flags & WILLOW_ROW_RANDOM);
        }
        /* Fewer rows of the same game, and no other ones. */
        config->keep = 0.5;
        assert_int_equal(games_play(config, search, game, &half), WILLOW_OK);
        assert_memory_equal(half.game.moves, all.game.moves, sizeof all.game.moves);
        for (int i = 0, at = 0; i < half.count; i++, at++) {
            while (at < all.count && all.rows[at].ply != half.rows[i].ply)
                at++;
            assert_true(at < all.count && datasets_rows_equal(&half.rows[i], 1, &all.rows[at], 1));
        }
        halves += half.count;
        rows += all.count;
    }
    assert_int_equal(lengths, 0x1FF0); /* every length of 4 .. 12 */
    assert_in_range(halves, rows * 45 / 100, rows * 55 / 100);
    assert_true(random > 0);
    config->label = RUN_LABEL_NONE;
    config->policy = RUN_POLICY_MOBILITY;
    config->keep = 1;
    assert_int_equal(games_play(config, search, 5, &all), WILLOW_OK);
    for (int i = 0; i < all.count; i++)
        assert_true(all.rows[i].score == WILLOW_SCORE_MISSING && all.rows[i].depth == 0);
    willow_search_free(search);
}

/* A search that has played other games gives the same rows as a fresh one. Deep enough for its table to matter. */
static void a_game_does_not_depend_on_the_games_before_it(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *used, *fresh;
    struct played_game after, alone;
    config->depth = 5, config->noise = config->random_move = 0;
    config->opening_min = config->opening_max = 2; /* the games meet again and again */
    assert_int_equal(willow_search_new(fixture->weights, 1 << 22, &used, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < 12; game++) {
        assert_int_equal(willow_search_new(fixture->weights, 1 << 22, &fresh, NULL), WILLOW_OK);
        assert_int_equal(games_play(config, used, game, &after), WILLOW_OK);
        assert_int_equal(games_play(config, fresh, game, &alone), WILLOW_OK);
        assert_true(datasets_rows_equal(after.rows, (size_t)after.count, alone.rows, (size_t)alone.count));
        willow_search_free(fresh);
    }
    willow_search_free(used);
}

/* Without noise every move of the search's part is the one that the search itself gives. */
static void moves_and_labels_are_the_searches(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct willow_search *search;
    struct played_game played;
    config->noise = config->random_move = 0;
    for (int depth = 1; depth <= 3; depth++) {
        config->depth = depth;
        assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
        assert_int_equal(games_play(config, search, 3, &played), WILLOW_OK);
        for (int i = 0; i < played.count; i++) {
            const struct willow_row *row = &played.rows[i];
            struct willow_limits limits = {.depth = depth, .exact_empties = config->exact};
            struct willow_result result;
            willow_search_clear(search);
            willow_search_run(search, (struct willow_board){row->player, row->opponent}, &limits, &result);
            assert_int_equal(result.score, row->score);
            assert_int_equal((row->flags & WILLOW_ROW_EXACT) != 0, result.exact);
        }
        willow_search_free(search);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(play_follows_the_configuration, setup, teardown),
        cmocka_unit_test_setup_teardown(a_game_does_not_depend_on_the_games_before_it, setup, teardown),
        cmocka_unit_test_setup_teardown(moves_and_labels_are_the_searches, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
