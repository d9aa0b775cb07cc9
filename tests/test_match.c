/* Whole matches: equal engines are equal, the better one wins, results are those of games replayed by hand, and
 * threads, stops, a test that decides early and pairs on record change nothing in what the counted pairs say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/weights.h>

#include "selfplay/match/match.h"
#include "selfplay/match/starts.h"
#include "support/match_fixture.h"
#include "support/scratch.h"

static void test_equal_engines_score_half(void **state)
{
    const struct match_fixture *fixture = *state;
    struct match_setting setting;
    struct statistics_estimate estimate;

    match_fixture_begin(&setting, 1);
    match_fixture_add_player(&setting, "one", fixture->mobile, 2);
    match_fixture_add_player(&setting, "other", fixture->mobile, 2);
    const struct statistics_tally tally = match_fixture_tally(&setting);
    statistics_estimate(&tally, 64, &estimate);
    assert_int_equal(tally.pentanomial[2], MATCH_FIXTURE_PAIRS);
    assert_int_equal(tally.discs_sum, 0);
    assert_true(estimate.score == 0.5 && estimate.elo == 0.0 && estimate.discs == 0.0);
}

static void test_knowledge_wins_from_either_seat(void **state)
{
    const struct match_fixture *fixture = *state;
    struct match_setting first, second;

    match_fixture_begin_two(&first, fixture, 2);
    match_fixture_begin(&second, 2);
    match_fixture_add_player(&second, "clumsy", fixture->clumsy, 2);
    match_fixture_add_player(&second, "mobile", fixture->mobile, 2);
    const struct statistics_tally a = match_fixture_tally(&first), b = match_fixture_tally(&second);
    assert_true(a.wins > 2 * a.losses);
    /* The same games, seen from the other side. */
    assert_int_equal(a.wins, b.losses);
    assert_int_equal(a.draws, b.draws);
    assert_int_equal(a.discs_sum, -b.discs_sum);
    assert_int_equal(a.discs_squares, b.discs_squares);
}

/* One game played move by move. */
static int replay(const struct willow_game *opening, const struct willow_weights *black,
                  const struct willow_weights *white)
{
    const struct willow_limits limits = {.depth = 2};
    const struct willow_weights *weights[2] = {black, white};
    struct willow_search *search[2];
    struct willow_game game = *opening;

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
    const struct match_fixture *fixture = *state;
    struct match_setting setting;
    struct willow_game openings[MATCH_FIXTURE_PAIRS];
    struct statistics_tally wanted = {0};
    int balance;

    match_fixture_begin_two(&setting, fixture, 1);
    assert_int_equal(starts_draw(&setting.match.openings, willow_ruleset_default(), NULL, openings, MATCH_FIXTURE_PAIRS,
                                 &balance, NULL),
                     WILLOW_OK);
    for (int i = 0; i < MATCH_FIXTURE_PAIRS; i++)
        statistics_add_pair(&wanted, replay(&openings[i], fixture->mobile, fixture->clumsy),
                            -replay(&openings[i], fixture->clumsy, fixture->mobile));
    const struct statistics_tally tally = match_fixture_tally(&setting);
    assert_memory_equal(&tally, &wanted, sizeof tally);
}

static void test_threads_change_nothing(void **state)
{
    const struct match_fixture *fixture = *state;
    char *texts[2];

    for (int i = 0; i < 2; i++) {
        struct match_setting setting;

        match_fixture_begin(&setting, i == 0 ? 1 : 4);
        match_fixture_add_player(&setting, "mobile", fixture->mobile, 2);
        match_fixture_add_player(&setting, "clumsy", fixture->clumsy, 2);
        match_fixture_add_player(&setting, "deep", fixture->mobile, 3);
        match_fixture_keep_games(&setting, fixture);
        (void)match_fixture_tally(&setting);
        texts[i] = match_fixture_transcripts(fixture);
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

static void stop_soon(void *context, const struct match_result *result)
{
    if (result->pairs >= 2)
        willow_stop_set(context, true);
}

/* Runs the match again and again, each time stopped after some pairs, until it is complete. */
static int run_in_pieces(struct match_setting *setting, struct match_result *result)
{
    struct willow_stop *stop;
    int pieces = 1;

    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    setting->match.stop = stop;
    setting->match.tick = stop_soon;
    setting->match.context = stop;
    for (;; pieces++) {
        const enum willow_status status = match_run(&setting->match, result, NULL);

        if (status == WILLOW_OK)
            break;
        assert_int_equal(status, WILLOW_ERR_STOPPED);
        assert_false(result->complete);
        assert_in_range(result->pairs, 1, setting->match.pairs - 1);
        assert_int_equal(statistics_pairs(&result->encounters[0].tally), result->pairs);
        match_result_clear(result);
        willow_stop_set(stop, false);
        if (pieces == 2)
            setting->match.tick = NULL;
    }
    willow_stop_free(stop);
    setting->match.stop = NULL;
    setting->match.tick = NULL;
    return pieces;
}

static void test_a_stopped_match_goes_on(void **state)
{
    const struct match_fixture *fixture = *state;
    enum { MANY = 100 };
    struct match_setting setting;
    struct match_result result;

    match_fixture_begin_two(&setting, fixture, 2);
    setting.match.pairs = MANY;
    setting.engines[0].depth = setting.engines[1].depth = 4;
    match_fixture_keep_games(&setting, fixture);
    const struct statistics_tally whole = match_fixture_tally(&setting);
    char *wanted = match_fixture_transcripts(fixture);
    assert_int_equal(statistics_pairs(&whole), MANY);

    match_fixture_keep_games(&setting, fixture);
    assert_in_range(run_in_pieces(&setting, &result), 2, 3);
    assert_memory_equal(&result.encounters[0].tally, &whole, sizeof whole);
    assert_in_range(result.taken_over, 1, MANY - 1);
    match_result_clear(&result);
    char *got = match_fixture_transcripts(fixture);
    assert_string_equal(got, wanted);
    free(wanted);
    free(got);

    /* Nothing is left to play: the result comes from the record. */
    match_fixture_run(&setting, &result);
    assert_int_equal(result.taken_over, MANY);
    assert_memory_equal(&result.encounters[0].tally, &whole, sizeof whole);
    assert_true(result.times[0].moves > 20 * MANY);
    match_result_clear(&result);
}

/* The pair at which the test decides is the same with threads, after stops, and among pairs that were played before
 * there was a test. */
static void test_a_test_ends_at_the_same_pair(void **state)
{
    const struct match_fixture *fixture = *state;
    const struct sprt_test test = {.nelo0 = 0, .nelo1 = 100, .alpha = 0.05, .beta = 0.05};
    struct match_setting setting;
    struct match_result result;

    match_fixture_begin_two(&setting, fixture, 1);
    setting.match.pairs = 60;
    setting.match.sprt = &test;
    match_fixture_run(&setting, &result);
    const struct statistics_tally wanted = result.encounters[0].tally;
    const double llr = result.sprt.llr;
    assert_int_equal(result.sprt.verdict, SPRT_ACCEPT_H1);
    assert_in_range(result.pairs, 2, 59);
    assert_true(llr >= result.sprt.upper);
    match_result_clear(&result);

    /* One pair less leaves it undecided. */
    setting.match.pairs = (size_t)statistics_pairs(&wanted) - 1;
    match_fixture_run(&setting, &result);
    assert_int_equal(result.sprt.verdict, SPRT_UNDECIDED);
    match_result_clear(&result);

    setting.match.pairs = 60;
    for (int way = 0; way < 3; way++) {
        match_fixture_keep_games(&setting, fixture);
        setting.match.threads = 4;
        if (way == 1) { /* part of the pairs on record */
            setting.match.pairs = 2;
            (void)match_fixture_outcome(&setting);
        }
        if (way == 2) { /* more than the test needs */
            setting.match.sprt = NULL;
            (void)match_fixture_outcome(&setting);
            setting.match.sprt = &test;
        }
        setting.match.pairs = 60;
        match_fixture_run(&setting, &result);
        assert_memory_equal(&result.encounters[0].tally, &wanted, sizeof wanted);
        assert_true(result.sprt.llr == llr && result.sprt.verdict == SPRT_ACCEPT_H1);
        match_result_clear(&result);
        /* And decided again by the record alone. */
        match_fixture_run(&setting, &result);
        assert_memory_equal(&result.encounters[0].tally, &wanted, sizeof wanted);
        assert_int_equal(result.taken_over, statistics_pairs(&wanted));
        match_result_clear(&result);
    }
    match_fixture_add_player(&setting, "third", fixture->mobile, 1);
    assert_int_equal(match_fixture_outcome(&setting), WILLOW_ERR_ARGUMENT);
}

static const struct statistics_tally *encounter(const struct match_result *result, int a, int b)
{
    for (size_t i = 0; i < result->encounters_count; i++)
        if (result->encounters[i].a == a && result->encounters[i].b == b)
            return &result->encounters[i].tally;
    fail();
    return NULL;
}

/* A ladder: a player more each time; what was played is not played again, and the order of players may change. */
static void test_players_join_a_match(void **state)
{
    const struct match_fixture *fixture = *state;
    struct match_setting setting;
    struct match_result result;

    match_fixture_begin_two(&setting, fixture, 2);
    match_fixture_keep_games(&setting, fixture);
    const struct statistics_tally first = match_fixture_tally(&setting);

    match_fixture_add_player(&setting, "deep", fixture->mobile, 3);
    match_fixture_run(&setting, &result);
    assert_int_equal(result.pairs, 3 * MATCH_FIXTURE_PAIRS);
    assert_int_equal(result.taken_over, MATCH_FIXTURE_PAIRS);
    assert_memory_equal(encounter(&result, 0, 1), &first, sizeof first);
    const struct statistics_tally second = *encounter(&result, 0, 2);
    match_result_clear(&result);

    /* clumsy and then mobile: the same games, seen from the other side; and more pairs. */
    match_fixture_begin(&setting, 2);
    setting.match.folder = fixture->match;
    setting.match.pairs = MATCH_FIXTURE_PAIRS + 1;
    match_fixture_add_player(&setting, "deep", fixture->mobile, 3);
    match_fixture_add_player(&setting, "clumsy", fixture->clumsy, 2);
    match_fixture_add_player(&setting, "mobile", fixture->mobile, 2);
    match_fixture_run(&setting, &result);
    assert_int_equal(result.taken_over, 3 * MATCH_FIXTURE_PAIRS);
    assert_int_equal(result.pairs, 3 * (MATCH_FIXTURE_PAIRS + 1));
    match_result_clear(&result);
    setting.match.pairs = MATCH_FIXTURE_PAIRS;
    match_fixture_run(&setting, &result);
    assert_int_equal(result.taken_over, 3 * MATCH_FIXTURE_PAIRS);
    assert_int_equal(encounter(&result, 1, 2)->wins, first.losses);
    assert_int_equal(encounter(&result, 1, 2)->discs_sum, -first.discs_sum);
    assert_int_equal(encounter(&result, 0, 2)->discs_sum, -second.discs_sum);
    match_result_clear(&result);

    /* A gauntlet of a player less takes what it needs. */
    setting.match.players = 2;
    setting.match.format = SCHEDULE_GAUNTLET;
    match_fixture_run(&setting, &result);
    assert_int_equal(result.taken_over, MATCH_FIXTURE_PAIRS);
    assert_int_equal(result.pairs, MATCH_FIXTURE_PAIRS);
    match_result_clear(&result);
}

static void test_withdrawn_players_play_no_more(void **state)
{
    const struct match_fixture *fixture = *state;
    struct match_setting setting;
    struct match_result result;
    struct standings standings;

    match_fixture_begin_two(&setting, fixture, 2);
    match_fixture_keep_games(&setting, fixture);
    (void)match_fixture_tally(&setting);
    match_fixture_add_player(&setting, "deep", fixture->mobile, 3);
    setting.engines[1].withdrawn = true;
    match_fixture_run(&setting, &result);
    assert_int_equal(statistics_pairs(encounter(&result, 0, 1)), MATCH_FIXTURE_PAIRS);
    assert_int_equal(statistics_pairs(encounter(&result, 1, 2)), 0);
    assert_int_equal(statistics_pairs(encounter(&result, 0, 2)), MATCH_FIXTURE_PAIRS);
    assert_int_equal(match_standings(&result, 0, &standings, NULL), WILLOW_OK);
    assert_int_equal(standings.rows[2].player, 1);
    assert_true(standings.rows[2].withdrawn);
    standings_clear(&standings);
    match_result_clear(&result);
}

struct faults_seen {
    int count, player;
    enum game_end end;
};

static void see_fault(void *context, const struct match_fault *fault)
{
    struct faults_seen *seen = context;

    seen->count++;
    seen->player = fault->player;
    seen->end = fault->record->end;
    assert_int_equal(fault->opponent, 1 - fault->player);
}

/* A clock of one millisecond cannot be enough for a game: its owner loses all of them, in either seat, as if wiped out,
 * however well it stands. */
static void test_flag_fall_loses(void **state)
{
    const struct match_fixture *fixture = *state;
    const struct willow_time_control plenty = {.main_ms = 3600000}, hurried = {.main_ms = 1};

    for (int loser = 0; loser < 2; loser++) {
        struct match_setting setting;
        struct match_result result;
        struct faults_seen seen = {0};

        match_fixture_begin(&setting, 2);
        match_fixture_add_player(&setting, "one", fixture->mobile, 1);
        match_fixture_add_player(&setting, "other", fixture->mobile, 1);
        setting.engines[loser].depth = 0;
        setting.engines[loser].has_clock = true;
        setting.engines[loser].clock = hurried;
        setting.match.clock = &plenty;
        setting.match.fault = see_fault;
        setting.match.context = &seen;
        match_fixture_run(&setting, &result);
        const struct statistics_tally *tally = &result.encounters[0].tally;
        assert_int_equal(loser == 0 ? tally->losses : tally->wins, 2 * MATCH_FIXTURE_PAIRS);
        assert_int_equal(tally->discs_sum, (loser == 0 ? -128 : 128) * MATCH_FIXTURE_PAIRS);
        assert_int_equal(result.ends[loser][GAME_TIME], 2 * MATCH_FIXTURE_PAIRS);
        assert_int_equal(result.faults[loser], 2 * MATCH_FIXTURE_PAIRS);
        assert_int_equal(result.faults[1 - loser], 0);
        assert_int_equal(seen.count, 2 * MATCH_FIXTURE_PAIRS);
        assert_int_equal(seen.player, loser);
        assert_int_equal(seen.end, GAME_TIME);
        match_result_clear(&result);

        /* Enough faults are enough, on record too. */
        setting.match.faults_limit = 3;
        match_fixture_keep_games(&setting, fixture);
        for (int time = 0; time < 2; time++) {
            match_fixture_run(&setting, &result);
            assert_int_equal(result.pairs, 2);
            assert_true(result.withdrawn[loser]);
            match_result_clear(&result);
        }
    }
}

/* Games well within their clocks are played out, and what the moves took is summed up. */
static void test_clocks_are_kept(void **state)
{
    const struct match_fixture *fixture = *state;
    const struct willow_time_control clock = {.main_ms = 60000, .increment_ms = 20};
    struct match_setting setting;
    struct match_result result;

    match_fixture_begin_two(&setting, fixture, 1);
    setting.match.pairs = 1;
    setting.match.clock = &clock;
    for (int player = 0; player < 2; player++) {
        setting.engines[player].depth = 0;
        setting.engines[player].nodes = 3000;
    }
    match_fixture_run(&setting, &result);
    for (int player = 0; player < 2; player++) {
        const struct match_time *time = &result.times[player];

        assert_int_equal(result.ends[player][GAME_TIME], 0);
        assert_in_range(time->moves, 20, 60);
        assert_true(time->longest_ns > 0 && time->longest_ns <= time->used_ns);
    }
    match_result_clear(&result);
}

/* By both players with nothing but the rules: the deeper one, on small boards, on one with a hole, and where the fewest
 * discs win. */
static void test_rulesets(void **state)
{
    static const char *const names[] = {"4x4", "6x6", "6x6-parallel", "anti", "hole:c3", "4x4-reversi"};
    struct match_fixture *fixture = *state;
    struct match_setting setting;
    struct match_result result;
    struct willow_error error;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(names[i]);
        struct willow_weights *zero = NULL;

        assert_int_equal(willow_weights_open("zero", ruleset, &zero, NULL), WILLOW_OK);
        match_fixture_begin(&setting, 2);
        match_fixture_add_player(&setting, "deep", zero, 3);
        match_fixture_add_player(&setting, "shallow", zero, 1);
        setting.match.ruleset = ruleset;
        setting.match.openings.plies = 8;
        match_fixture_keep_games(&setting, fixture);
        match_fixture_run(&setting, &result);
        assert_ptr_equal(result.ruleset, ruleset);
        assert_int_equal(statistics_pairs(&result.encounters[0].tally), MATCH_FIXTURE_PAIRS);
        const struct statistics_tally tally = result.encounters[0].tally;
        match_result_clear(&result);

        /* The record alone says the same; another ruleset is another match. */
        match_fixture_run(&setting, &result);
        assert_int_equal(result.taken_over, MATCH_FIXTURE_PAIRS);
        assert_memory_equal(&result.encounters[0].tally, &tally, sizeof tally);
        match_result_clear(&result);
        setting.match.ruleset = willow_ruleset_find(i == 0 ? "6x6" : "4x4");
        assert_int_equal(match_run(&setting.match, &result, &error), WILLOW_ERR_MISMATCH);
        assert_non_null(strstr(error.reason, setting.match.ruleset->name));
        match_result_clear(&result);
        willow_weights_free(zero);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_engines_score_half),
        cmocka_unit_test(test_knowledge_wins_from_either_seat),
        cmocka_unit_test(test_results_are_those_of_the_games),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_a_stopped_match_goes_on),
        cmocka_unit_test(test_a_test_ends_at_the_same_pair),
        cmocka_unit_test(test_players_join_a_match),
        cmocka_unit_test(test_withdrawn_players_play_no_more),
        cmocka_unit_test(test_flag_fall_loses),
        cmocka_unit_test(test_clocks_are_kept),
        cmocka_unit_test(test_rulesets),
    };
    return cmocka_run_group_tests(tests, match_fixture_set_up, match_fixture_tear_down);
}
