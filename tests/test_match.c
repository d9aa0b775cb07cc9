/* Matches: equal engines are equal, threads change nothing, the better engine wins, results are those of games replayed
 * by hand, a stop keeps whole pairs, and clocks are kept: who oversteps loses, who has time does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <willow/patterns.h>
#include <willow/weights.h>

#include "selfplay/match/match.h"
#include "selfplay/run/openings.h"

enum { PAIRS = 12 };

struct fixture {
    struct willow_weights *mobile, *clumsy; /* knows that moves are worth having; believes the opposite */
    struct willow_game openings[PAIRS];
};

/* Weights that are sure of one thing only: a move more is worth so much, and a move less for the other side. */
static struct willow_weights *mobility_weights(int worth)
{
    const struct willow_pattern_set *set = willow_pattern_set_find("p62");
    const struct willow_stages stages = willow_stages_even(1);
    const uint32_t count = willow_pattern_set_weights(set);
    int16_t *values = calloc(count, sizeof *values);
    struct willow_weights *weights = NULL;
    int terms = 0;

    assert_non_null(values);
    /* The scalar terms stand at the end, each 64 entries long. */
    for (uint32_t i = count - 2 * 64; i < count; i++) {
        char text[64];
        int moves;
        willow_pattern_set_describe(set, i, text, sizeof text);
        if (sscanf(text, "mobility %d", &moves) == 1 && ++terms)
            values[i] = (int16_t)(worth * moves);
        if (sscanf(text, "other-mobility %d", &moves) == 1 && ++terms)
            values[i] = (int16_t)(-worth * moves);
    }
    assert_int_equal(terms, 2 * 64);
    assert_int_equal(willow_weights_new(willow_ruleset_othello(), set, &stages, values, NULL, NULL, &weights, NULL),
                     WILLOW_OK);
    free(values);
    return weights;
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const struct openings_options options = {
        .ruleset = willow_ruleset_othello(), .seed = 4, .plies_min = 6, .plies_max = 6};

    assert_non_null(fixture);
    fixture->mobile = mobility_weights(WILLOW_SCORE_DISC);
    fixture->clumsy = mobility_weights(-WILLOW_SCORE_DISC);
    assert_int_equal(match_draw(&options, fixture->openings, PAIRS, NULL), WILLOW_OK);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    willow_weights_free(fixture->clumsy);
    willow_weights_free(fixture->mobile);
    free(fixture);
    return 0;
}

static struct match_options options_of(const struct willow_weights *a, const struct willow_weights *b, int threads)
{
    const struct willow_limits limits = {.depth = 2};

    return (struct match_options){
        .players = {{a, limits, NULL}, {b, limits, NULL}}, .hash_bytes = 1 << 16, .threads = threads};
}

static void test_equal_engines_score_half(void **state)
{
    struct fixture *fixture = *state;
    const struct match_options options = options_of(fixture->mobile, fixture->mobile, 1);
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
    const struct match_options one = options_of(fixture->mobile, fixture->clumsy, 1);
    const struct match_options three = options_of(fixture->mobile, fixture->clumsy, 3);
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
    const struct match_options first = options_of(fixture->mobile, fixture->clumsy, 2);
    const struct match_options second = options_of(fixture->clumsy, fixture->mobile, 2);
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
    const struct match_options options = options_of(fixture->mobile, fixture->clumsy, 1);
    struct match_pair pair;

    assert_int_equal(match_play(&options, fixture->openings, 1, &pair, NULL), WILLOW_OK);
    assert_int_equal(pair.discs[0], replay(fixture, fixture->mobile, fixture->clumsy));
    assert_int_equal(pair.discs[1], -replay(fixture, fixture->clumsy, fixture->mobile));
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
    const struct openings_options draw = {
        .ruleset = willow_ruleset_othello(), .seed = 8, .plies_min = 8, .plies_max = 8};
    struct match_options options = options_of(fixture->mobile, fixture->clumsy, 2);
    struct stopper stopper;
    struct statistics_tally tally;

    assert_non_null(openings);
    assert_non_null(pairs);
    assert_int_equal(willow_stop_new(&stopper.stop, NULL), WILLOW_OK);
    assert_int_equal(match_draw(&draw, openings, MANY, NULL), WILLOW_OK);
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

/* A clock of one millisecond cannot be enough for a game: its owner loses all of them, in either seat, as if wiped out,
 * however well it stands. */
static void test_flag_fall_loses(void **state)
{
    struct fixture *fixture = *state;
    const struct willow_time_control plenty = {.main_ms = 3600000}, hurried = {.main_ms = 1};

    for (int loser = 0; loser < 2; loser++) {
        struct match_options options = options_of(fixture->mobile, fixture->mobile, 2);
        struct match_pair pairs[PAIRS];
        struct match_time times[2];
        struct statistics_tally tally;

        options.players[loser].clock = &hurried;
        options.players[loser].limits = (struct willow_limits){0};
        options.players[1 - loser].clock = &plenty;
        options.players[1 - loser].limits.depth = 1;
        assert_int_equal(match_play(&options, fixture->openings, PAIRS, pairs, NULL), WILLOW_OK);
        for (int i = 0; i < PAIRS; i++)
            for (int game = 0; game < 2; game++)
                assert_int_equal(pairs[i].discs[game], loser == 0 ? -64 : 64);
        match_times(pairs, PAIRS, times);
        assert_int_equal(times[loser].forfeits, 2 * PAIRS);
        assert_int_equal(times[1 - loser].forfeits, 0);
        match_tally(pairs, PAIRS, &tally);
        assert_int_equal(loser == 0 ? tally.losses : tally.wins, 2 * PAIRS);
    }
}

/* Games well within their clocks are played out, and the sums are those of the pairs. */
static void test_clocks_are_kept(void **state)
{
    struct fixture *fixture = *state;
    const struct willow_time_control clock = {.main_ms = 400, .increment_ms = 20};
    struct match_options options = options_of(fixture->mobile, fixture->clumsy, 1);
    struct match_pair pair;
    struct match_time times[2];

    options.players[0].clock = options.players[1].clock = &clock;
    options.players[0].limits = options.players[1].limits = (struct willow_limits){.nodes = 3000};
    assert_int_equal(match_play(&options, fixture->openings, 1, &pair, NULL), WILLOW_OK);
    match_times(&pair, 1, times);
    for (int player = 0; player < 2; player++) {
        assert_int_equal(times[player].forfeits, 0);
        assert_in_range(times[player].moves, 20, 80);
        assert_true(times[player].longest_ns > 0 && times[player].longest_ns <= times[player].used_ns);
        assert_memory_equal(&times[player], &pair.times[player], sizeof times[player]);
    }
}

/* A match draws as many different openings as it is asked for, or none where there are fewer. */
static void test_openings_of_a_match(void **state)
{
    struct willow_game *games = calloc(61, sizeof *games);
    struct openings_options draw = {.ruleset = willow_ruleset_othello(), .seed = 4, .plies_min = 4, .plies_max = 4};
    struct fixture *fixture = *state;

    assert_non_null(games);
    assert_int_equal(match_draw(&draw, games, 60, NULL), WILLOW_OK);
    for (int i = 0; i < 60; i++) {
        const struct willow_board board = willow_board_canonical(willow_game_board(&games[i]), NULL);
        assert_int_equal(willow_board_discs(board), 8);
        for (int j = 0; j < i; j++) {
            const struct willow_board other = willow_board_canonical(willow_game_board(&games[j]), NULL);
            assert_true(board.player != other.player || board.opponent != other.opponent);
        }
    }
    assert_int_equal(match_draw(&draw, games, 61, NULL), WILLOW_ERR_ARGUMENT);
    draw.plies_min = draw.plies_max = 6;
    assert_int_equal(match_draw(&draw, games, 61, NULL), WILLOW_OK);
    assert_memory_equal(games[PAIRS - 1].moves, fixture->openings[PAIRS - 1].moves, 6);
    free(games);
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
        cmocka_unit_test(test_equal_engines_score_half),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_knowledge_wins_from_either_seat),
        cmocka_unit_test(test_results_are_those_of_the_games),
        cmocka_unit_test(test_stop_keeps_whole_pairs),
        cmocka_unit_test(test_flag_fall_loses),
        cmocka_unit_test(test_clocks_are_kept),
        cmocka_unit_test(test_openings_of_a_match),
        cmocka_unit_test(test_bad_thread_counts_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
