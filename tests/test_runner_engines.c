/* Matches of built-in engines: equal ones are equal, the better one wins from either seat, threads change nothing, the
 * results are those of games replayed by hand, and clocks are kept: who oversteps loses, who has time does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/weights.h>

#include "selfplay/match/runner.h"
#include "support/mobility_weights.h"
#include "support/scripted_players.h"

enum { PAIRS = 12, HASH_BYTES = 1 << 16 };

struct fixture {
    struct willow_weights *mobile, *clumsy; /* knows that moves are worth having; believes the opposite */
    struct willow_game openings[PAIRS];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    assert_non_null(fixture);
    fixture->mobile = mobility_weights(WILLOW_SCORE_DISC);
    fixture->clumsy = mobility_weights(-WILLOW_SCORE_DISC);
    for (uint64_t i = 0; i < PAIRS; i++)
        fixture->openings[i] = script_opening(willow_ruleset_default(), i, 6);
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

static struct engine engine_of(struct willow_weights *weights)
{
    return (struct engine){.kind = ENGINE_BUILTIN, .weights = weights, .depth = 2};
}

struct match {
    size_t count;
    struct game_record games[PAIRS][2];
};

static enum willow_status keep(void *context, const struct schedule_pair *pair, const struct game_record games[2],
                               enum runner_wish *wish, struct willow_error *error)
{
    struct match *match = context;

    (void)wish;
    (void)error;
    assert_int_equal(pair->number, match->count);
    memcpy(match->games[match->count++], games, 2 * sizeof *games);
    return WILLOW_OK;
}

static struct match *play(const struct fixture *fixture, const struct engine engines[2], int threads)
{
    struct match *match = calloc(1, sizeof *match);
    struct schedule_pair pairs[PAIRS] = {{0}};
    const struct schedule schedule = {.pairs = pairs, .count = PAIRS, .players = 2, .rounds = 1};
    uint64_t faults[2] = {0, 0};
    bool withdrawn[2] = {false, false};
    const struct runner_options options = {.engines = engines,
                                           .player = {.hash_bytes = HASH_BYTES},
                                           .move_limit_ms = 600000,
                                           .threads = threads,
                                           .faults = faults,
                                           .withdrawn = withdrawn,
                                           .commit = keep,
                                           .context = match};

    assert_non_null(match);
    for (size_t i = 0; i < PAIRS; i++)
        pairs[i] = (struct schedule_pair){.a = 0, .b = 1, .number = i};
    assert_int_equal(runner_play(&options, &schedule, fixture->openings, NULL, NULL), WILLOW_OK);
    assert_int_equal(match->count, PAIRS);
    return match;
}

static void assert_same_game(const struct game_record *a, const struct game_record *b)
{
    assert_int_equal(a->end, GAME_PLAYED);
    assert_int_equal(b->end, GAME_PLAYED);
    assert_int_equal(a->discs, b->discs);
    assert_int_equal(a->game.length, b->game.length);
    for (int i = 0; i < a->game.length; i++) {
        const struct game_move *x = &a->moves[i], *y = &b->moves[i];
        assert_int_equal(a->game.moves[i], b->game.moves[i]);
        assert_true(x->has_score == y->has_score && x->score_discs == y->score_discs);
        assert_true(x->depth == y->depth && x->nodes == y->nodes);
    }
}

static void test_equal_engines_score_half(void **state)
{
    const struct fixture *fixture = *state;
    const struct engine engines[2] = {engine_of(fixture->mobile), engine_of(fixture->mobile)};
    struct match *match = play(fixture, engines, 1);

    for (int i = 0; i < PAIRS; i++)
        assert_same_game(&match->games[i][0], &match->games[i][1]);
    free(match);
}

static void test_threads_change_nothing(void **state)
{
    const struct fixture *fixture = *state;
    const struct engine engines[2] = {engine_of(fixture->mobile), engine_of(fixture->clumsy)};
    struct match *one = play(fixture, engines, 1), *three = play(fixture, engines, 3);

    for (int i = 0; i < PAIRS; i++)
        for (int game = 0; game < 2; game++)
            assert_same_game(&one->games[i][game], &three->games[i][game]);
    free(three);
    free(one);
}

static void test_knowledge_wins_from_either_seat(void **state)
{
    const struct fixture *fixture = *state;
    const struct engine engines[2] = {engine_of(fixture->mobile), engine_of(fixture->clumsy)};
    const struct engine turned[2] = {engines[1], engines[0]};
    struct match *a = play(fixture, engines, 2), *b = play(fixture, turned, 2);
    int wins = 0, losses = 0;

    for (int i = 0; i < PAIRS; i++) {
        for (int game = 0; game < 2; game++) {
            const int discs = game == 0 ? a->games[i][game].discs : -a->games[i][game].discs;
            wins += discs > 0;
            losses += discs < 0;
            /* The same games, from the other seats. */
            assert_same_game(&a->games[i][game], &b->games[i][1 - game]);
        }
    }
    assert_true(wins > 2 * losses);
    free(b);
    free(a);
}

/* A game played without the runner, move by move. */
static void check_game(const struct game_record *record, const struct willow_game *opening,
                       const struct willow_weights *black, const struct willow_weights *white)
{
    const struct willow_limits limits = {.depth = 3};
    const struct willow_weights *weights[2] = {black, white};
    struct willow_search *search[2];
    struct willow_game game = *opening;

    for (int side = 0; side < 2; side++)
        assert_int_equal(willow_search_new(weights[side], HASH_BYTES, &search[side], NULL), WILLOW_OK);
    while (!willow_game_over(&game)) {
        const struct game_move *move = &record->moves[game.length];
        struct willow_result result = {.move = WILLOW_PASS};

        assert_true(game.length < record->game.length);
        if (willow_board_moves(game.ruleset, willow_game_board(&game)) != 0) {
            willow_search_run(search[game.side], willow_game_board(&game), &limits, &result);
            assert_true(move->has_score && move->score_discs == (float)result.score / WILLOW_SCORE_DISC);
            assert_int_equal(move->nodes, result.nodes);
            assert_int_equal(move->depth, result.depth);
        }
        assert_int_equal(record->game.moves[game.length], result.move);
        assert_int_equal(willow_game_play(&game, result.move, NULL), WILLOW_OK);
    }
    assert_int_equal(record->game.length, game.length);
    assert_int_equal(record->discs, willow_game_final_discs(&game));
    willow_search_free(search[0]);
    willow_search_free(search[1]);
}

static void test_games_are_those_of_the_searches(void **state)
{
    const struct fixture *fixture = *state;
    struct engine engines[2] = {engine_of(fixture->mobile), engine_of(fixture->clumsy)};

    engines[0].depth = engines[1].depth = 3;
    struct match *match = play(fixture, engines, 2);
    for (int i = 0; i < PAIRS; i++) {
        check_game(&match->games[i][0], &fixture->openings[i], fixture->mobile, fixture->clumsy);
        check_game(&match->games[i][1], &fixture->openings[i], fixture->clumsy, fixture->mobile);
    }
    free(match);
}

/* A clock of one millisecond cannot be enough for a game without any other limit: its owner loses all of them, in
 * either seat, as if wiped out, however well it stands. */
static void test_flag_fall_loses(void **state)
{
    const struct fixture *fixture = *state;

    for (int loser = 0; loser < 2; loser++) {
        struct engine engines[2] = {engine_of(fixture->mobile), engine_of(fixture->mobile)};

        for (int i = 0; i < 2; i++) {
            engines[i].has_clock = true;
            engines[i].clock.main_ms = i == loser ? 1 : 3600000;
            engines[i].depth = i == loser ? 0 : 1;
        }
        struct match *match = play(fixture, engines, 2);
        for (int i = 0; i < PAIRS; i++)
            for (int game = 0; game < 2; game++) {
                const struct game_record *record = &match->games[i][game];
                const int black = game;
                assert_int_equal(record->end, GAME_TIME);
                assert_int_equal(record->culprit, black == loser ? WILLOW_BLACK : WILLOW_WHITE);
                assert_int_equal(record->discs, black == loser ? -64 : 64);
            }
        free(match);
    }
}

/* Games well within their clocks are played out, with clocks of their own. */
static void test_clocks_are_kept(void **state)
{
    const struct fixture *fixture = *state;
    struct engine engines[2] = {engine_of(fixture->mobile), engine_of(fixture->clumsy)};

    engines[0].depth = engines[1].depth = 0;
    engines[0].nodes = engines[1].nodes = 1000;
    for (int i = 0; i < 2; i++) {
        engines[i].has_clock = true;
        engines[i].clock = (struct willow_time_control){.main_ms = 60000, .increment_ms = 20};
    }
    struct match *match = play(fixture, engines, 1);
    for (int i = 0; i < PAIRS; i++)
        for (int game = 0; game < 2; game++) {
            const struct game_record *record = &match->games[i][game];
            assert_int_equal(record->end, GAME_PLAYED);
            for (int k = record->opening; k < record->game.length; k++)
                assert_int_equal(record->moves[k].used_ns > 0, record->game.moves[k] != WILLOW_PASS);
        }
    free(match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_engines_score_half),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_knowledge_wins_from_either_seat),
        cmocka_unit_test(test_games_are_those_of_the_searches),
        cmocka_unit_test(test_flag_fall_loses),
        cmocka_unit_test(test_clocks_are_kept),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
