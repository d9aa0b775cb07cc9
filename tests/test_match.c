/* Matches: equal engines are equal, threads change nothing, the better engine wins, results are those of games replayed
 * by hand, and a stop keeps whole pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <willow/patterns.h>
#include <willow/random.h>
#include <willow/weights.h>

#include "selfplay/match.h"
#include "selfplay/openings.h"

enum { PAIRS = 12 };

struct fixture {
    struct willow_weights *zero, *corner; /* corner: knows that corners are worth having */
    struct willow_game openings[PAIRS];
};

/* Weights that are sure of one thing only: a pattern with the side's own disc on a corner is good, the other's bad.
 * Found by asking which weights change when a corner disc is added to a board, so that no knowledge of pattern sets is
 * needed, except that this one has no mobility terms, which would change as well. */
static struct willow_weights *corner_weights(void)
{
    const struct willow_pattern_set *set = willow_pattern_set_find("p46");
    const struct willow_stages stages = willow_stages_even(1);
    const int features = willow_pattern_set_features(set);
    int16_t *values = calloc(willow_pattern_set_weights(set), sizeof *values);
    struct willow_weights *weights = NULL;
    struct willow_random random;

    assert_non_null(values);
    willow_random_init(&random, 9, 9);
    for (int sample = 0; sample < 20000; sample++) {
        const uint64_t a = willow_random_u64(&random), b = willow_random_u64(&random);
        const struct willow_board without = {a & ~b & ~UINT64_C(1), b & ~a & ~UINT64_C(1)};
        const struct willow_board mine = {without.player | 1, without.opponent};
        const struct willow_board yours = {without.player, without.opponent | 1};
        uint32_t base[WILLOW_FEATURES_MAX], with_mine[WILLOW_FEATURES_MAX], with_yours[WILLOW_FEATURES_MAX];

        willow_pattern_set_indices(set, without, base);
        willow_pattern_set_indices(set, mine, with_mine);
        willow_pattern_set_indices(set, yours, with_yours);
        for (int i = 0; i < features; i++) {
            if (with_mine[i] != base[i] && values[with_mine[i]] == 0)
                values[with_mine[i]] = 64;
            if (with_yours[i] != base[i] && values[with_yours[i]] == 0)
                values[with_yours[i]] = -64;
        }
    }
    assert_int_equal(willow_weights_new(willow_ruleset_othello(), set, &stages, values, NULL, NULL, &weights, NULL),
                     WILLOW_OK);
    free(values);
    return weights;
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const struct openings_options options = {.ruleset = willow_ruleset_othello(), .seed = 4, .plies = 6};

    assert_non_null(fixture);
    assert_int_equal(willow_weights_open("zero", &fixture->clumsy, NULL), WILLOW_OK);
    fixture->corner = corner_weights();
    assert_int_equal(openings_draw(&options, fixture->openings, PAIRS, NULL), WILLOW_OK);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    willow_weights_free(fixture->clumsy);
    willow_weights_free(fixture->corner);
    free(fixture);
    return 0;
}

static struct match_options options_of(const struct willow_weights *a, const struct willow_weights *b, int threads)
{
    const struct willow_limits limits = {.depth = 2};

    return (struct match_options){.players = {{a, limits}, {b, limits}}, .hash_bytes = 1 << 16, .threads = threads};
}

static void test_equal_engines_score_half(void **state)
{
    struct fixture *fixture = *state;
    const struct match_options options = options_of(fixture->corner, fixture->corner, 1);
    struct match_pair pairs[PAIRS];
    struct statistics_tally tally;
    struct statistics_estimate estimate;

    assert_int_equal(match_play(&options, fixture->openings, PAIRS, pairs, NULL), WILLOW_OK);
    match_tally(pairs, PAIRS, &tally);
    statistics_estimate(&tally, &estimate);
    assert_int_equal(tally.pentanomial[2], PAIRS);
    assert_int_equal(tally.discs_sum, 0);
    assert_true(estimate.score == 0.5 && estimate.elo == 0.0 && estimate.discs == 0.0);
}

static void test_threads_change_nothing(void **state)
{
    struct fixture *fixture = *state;
    const struct match_options one = options_of(fixture->corner, fixture->clumsy, 1);
    const struct match_options three = options_of(fixture->corner, fixture->clumsy, 3);
    struct match_pair a[PAIRS], b[PAIRS];

    assert_int_equal(match_play(&one, fixture->openings, PAIRS, a, NULL), WILLOW_OK);
    assert_int_equal(match_play(&three, fixture->openings, PAIRS, b, NULL), WILLOW_OK);
    for (int i = 0; i < PAIRS; i++) {
        assert_true(a[i].finished && b[i].finished);
        assert_int_equal(a[i].discs[0], b[i].discs[0]);
        assert_int_equal(a[i].discs[1], b[i].discs[1]);
    }
}

static void test_knowledge_wins_from_either_seat(void **state)
{
    struct fixture *fixture = *state;
    const struct match_options first = options_of(fixture->corner, fixture->clumsy, 2);
    const struct match_options second = options_of(fixture->clumsy, fixture->corner, 2);
    struct match_pair a[PAIRS], b[PAIRS];
    struct statistics_tally tally;

    assert_int_equal(match_play(&first, fixture->openings, PAIRS, a, NULL), WILLOW_OK);
    assert_int_equal(match_play(&second, fixture->openings, PAIRS, b, NULL), WILLOW_OK);
    match_tally(a, PAIRS, &tally);
    assert_true(tally.wins > 2 * tally.losses);
    /* The same games, seen from the other side. */
    for (int i = 0; i < PAIRS; i++) {
        assert_int_equal(a[i].discs[0], -b[i].discs[1]);
        assert_int_equal(a[i].discs[1], -b[i].discs[0]);
    }
}

/* One pair played without match.c, move by move. */
static int replay(const struct fixture *fixture, const struct willow_weights *black, const struct willow_weights *white)
{
    const struct willow_limits limits = {.depth = 2};
    const struct willow_weights *weights[2] = {black, white};
    struct willow_search *search[2];
    struct willow_game game = fixture->openings[0];

    for (int side = 0; side < 2; side++)
        assert_int_equal(willow_search_new(weights[side], 1 << 16, &search[side], NULL), WILLOW_OK);
    while (!willow_game_over(&game)) {
        struct willow_result result;

        willow_search_run(search[game.side], willow_game_board(&game), &limits, &result);
        assert_int_equal(willow_game_play(&game, result.move, NULL), WILLOW_OK);
    }
    willow_search_free(search[0]);
    willow_search_free(search[1]);
    return willow_game_final_discs(&game);
}

static void test_results_are_those_of_the_games(void **state)
{
    struct fixture *fixture = *state;
    const struct match_options options = options_of(fixture->corner, fixture->clumsy, 1);
    struct match_pair pair;

    assert_int_equal(match_play(&options, fixture->openings, 1, &pair, NULL), WILLOW_OK);
    assert_int_equal(pair.discs[0], replay(fixture, fixture->corner, fixture->clumsy));
    assert_int_equal(pair.discs[1], -replay(fixture, fixture->clumsy, fixture->corner));
}

struct stopper {
    struct willow_stop *stop;
};

static void stop_soon(void *context, const struct statistics_tally *tally)
{
    struct stopper *stopper = context;

    if (statistics_pairs(tally) >= 1)
        willow_stop_set(stopper->stop, true);
}

static void test_stop_keeps_whole_pairs(void **state)
{
    struct fixture *fixture = *state;
    enum { MANY = 400 };
    struct willow_game *openings = calloc(MANY, sizeof *openings);
    struct match_pair *pairs = calloc(MANY, sizeof *pairs);
    const struct openings_options draw = {.ruleset = willow_ruleset_othello(), .seed = 8, .plies = 8};
    struct match_options options = options_of(fixture->corner, fixture->clumsy, 2);
    struct stopper stopper;
    struct statistics_tally tally;

    assert_non_null(openings);
    assert_non_null(pairs);
    assert_int_equal(willow_stop_new(&stopper.stop, NULL), WILLOW_OK);
    assert_int_equal(openings_draw(&draw, openings, MANY, NULL), WILLOW_OK);
    options.players[0].limits.depth = options.players[1].limits.depth = 6;
    options.stop = stopper.stop;
    options.progress = stop_soon;
    options.context = &stopper;
    assert_int_equal(match_play(&options, openings, MANY, pairs, NULL), WILLOW_ERR_STOPPED);
    match_tally(pairs, MANY, &tally);
    assert_in_range(statistics_pairs(&tally), 1, MANY - 1);
    assert_int_equal(tally.wins + tally.draws + tally.losses, 2 * statistics_pairs(&tally));
    willow_stop_free(stopper.stop);
    free(openings);
    free(pairs);
}

static void test_bad_thread_counts_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct match_options options = options_of(fixture->clumsy, fixture->clumsy, 0);
    struct match_pair pair;

    assert_int_equal(match_play(&options, fixture->openings, 1, &pair, NULL), WILLOW_ERR_ARGUMENT);
    options.threads = MATCH_THREADS_MAX + 1;
    assert_int_equal(match_play(&options, fixture->openings, 1, &pair, NULL), WILLOW_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_engines_score_half),        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_knowledge_wins_from_either_seat), cmocka_unit_test(test_results_are_those_of_the_games),
        cmocka_unit_test(test_stop_keeps_whole_pairs),          cmocka_unit_test(test_bad_thread_counts_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
