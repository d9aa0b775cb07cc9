/* Whole matches: equal engines are equal, the better one wins, results are those of games replayed by hand, and
 * threads, stops, a test that decides early and pairs on record change nothing in what the counted pairs say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/weights.h>

#include "selfplay/match/match.h"
#include "selfplay/match/starts.h"
#include "support/mobility_weights.h"
#include "support/scratch.h"

enum { PAIRS = 12, PLAYERS_MAX = 5 };

struct fixture {
    struct willow_weights *mobile, *clumsy; /* knows that moves are worth having; believes the opposite */
    char folder[SCRATCH_PATH], match[SCRATCH_PATH];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    assert_non_null(fixture);
    fixture->mobile = mobility_weights(WILLOW_SCORE_DISC);
    fixture->clumsy = mobility_weights(-WILLOW_SCORE_DISC);
    scratch_make(fixture->folder);
    scratch_join(fixture->match, fixture->folder, "match");
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    willow_weights_free(fixture->clumsy);
    willow_weights_free(fixture->mobile);
    scratch_remove(fixture->folder);
    free(fixture);
    return 0;
}

/* Players whose weights belong to the fixture, and settings of a match between them. */
struct setting {
    struct engine engines[PLAYERS_MAX];
    struct match_settings match;
};

static void add_player(struct setting *setting, const char *name, struct willow_weights *weights, int depth)
{
    struct engine *engine = &setting->engines[setting->match.players++];

    assert_true(setting->match.players <= PLAYERS_MAX);
    *engine = (struct engine){.weights = weights, .depth = depth};
    snprintf(engine->name, sizeof engine->name, "%s", name);
}

static void begin(struct setting *setting, int threads)
{
    *setting = (struct setting){.match = {.engines = setting->engines,
                                          .pairs = PAIRS,
                                          .ruleset = willow_ruleset_default(),
                                          .openings = {.plies = 6, .seed = 4},
                                          .hash_bytes = 1 << 16,
                                          .threads = threads,
                                          .start_limit_ms = 60000,
                                          .move_limit_ms = 600000,
                                          .yaml = "# settings\n"}};
}

/* The better against the worse. */
static void begin_two(struct setting *setting, const struct fixture *fixture, int threads)
{
    begin(setting, threads);
    add_player(setting, "mobile", fixture->mobile, 2);
    add_player(setting, "clumsy", fixture->clumsy, 2);
}

/* A new folder for the match. */
static void keep_games(struct setting *setting, const struct fixture *fixture)
{
    scratch_remove(fixture->match);
    setting->match.folder = fixture->match;
}

static void run(const struct setting *setting, struct match_result *result)
{
    struct willow_error error = {0};
    const enum willow_status status = match_run(&setting->match, result, &error);

    if (status != WILLOW_OK)
        print_error("%s\n", error.reason);
    assert_int_equal(status, WILLOW_OK);
    assert_true(result->complete);
}

static enum willow_status outcome(const struct setting *setting)
{
    struct match_result result;
    const enum willow_status status = match_run(&setting->match, &result, NULL);

    match_result_clear(&result);
    return status;
}

static struct statistics_tally tally_of(const struct setting *setting)
{
    struct match_result result;

    run(setting, &result);
    const struct statistics_tally tally = result.encounters[0].tally;
    match_result_clear(&result);
    return tally;
}

/* games.txt of the folder; the caller frees. */
static char *transcripts(const struct fixture *fixture)
{
    char path[SCRATCH_PATH];
    size_t size;

    return (char *)scratch_read(scratch_join(path, fixture->match, "games.txt"), &size);
}

static void test_equal_engines_score_half(void **state)
{
    const struct fixture *fixture = *state;
    struct setting setting;
    struct statistics_estimate estimate;

    begin(&setting, 1);
    add_player(&setting, "one", fixture->mobile, 2);
    add_player(&setting, "other", fixture->mobile, 2);
    const struct statistics_tally tally = tally_of(&setting);
    statistics_estimate(&tally, 64, &estimate);
    assert_int_equal(tally.pentanomial[2], PAIRS);
    assert_int_equal(tally.discs_sum, 0);
    assert_true(estimate.score == 0.5 && estimate.elo == 0.0 && estimate.discs == 0.0);
}

static void test_knowledge_wins_from_either_seat(void **state)
{
    const struct fixture *fixture = *state;
    struct setting first, second;

    begin_two(&first, fixture, 2);
    begin(&second, 2);
    add_player(&second, "clumsy", fixture->clumsy, 2);
    add_player(&second, "mobile", fixture->mobile, 2);
    const struct statistics_tally a = tally_of(&first), b = tally_of(&second);
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
    const struct fixture *fixture = *state;
    struct setting setting;
    struct willow_game openings[PAIRS];
    struct statistics_tally wanted = {0};
    int balance;

    begin_two(&setting, fixture, 1);
    assert_int_equal(
        starts_draw(&setting.match.openings, willow_ruleset_default(), NULL, openings, PAIRS, &balance, NULL),
        WILLOW_OK);
    for (int i = 0; i < PAIRS; i++)
        statistics_add_pair(&wanted, replay(&openings[i], fixture->mobile, fixture->clumsy),
                            -replay(&openings[i], fixture->clumsy, fixture->mobile));
    const struct statistics_tally tally = tally_of(&setting);
    assert_memory_equal(&tally, &wanted, sizeof tally);
}

static void test_threads_change_nothing(void **state)
{
    const struct fixture *fixture = *state;
    char *texts[2];

    for (int i = 0; i < 2; i++) {
        struct setting setting;

        begin(&setting, i == 0 ? 1 : 4);
        add_player(&setting, "mobile", fixture->mobile, 2);
        add_player(&setting, "clumsy", fixture->clumsy, 2);
        add_player(&setting, "deep", fixture->mobile, 3);
        keep_games(&setting, fixture);
        (void)tally_of(&setting);
        texts[i] = transcripts(fixture);
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
static int run_in_pieces(struct setting *setting, struct match_result *result)
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
    const struct fixture *fixture = *state;
    enum { MANY = 100 };
    struct setting setting;
    struct match_result result;

    begin_two(&setting, fixture, 2);
    setting.match.pairs = MANY;
    setting.engines[0].depth = setting.engines[1].depth = 4;
    keep_games(&setting, fixture);
    const struct statistics_tally whole = tally_of(&setting);
    char *wanted = transcripts(fixture);
    assert_int_equal(statistics_pairs(&whole), MANY);

    keep_games(&setting, fixture);
    assert_in_range(run_in_pieces(&setting, &result), 2, 3);
    assert_memory_equal(&result.encounters[0].tally, &whole, sizeof whole);
    assert_in_range(result.taken_over, 1, MANY - 1);
    match_result_clear(&result);
    char *got = transcripts(fixture);
    assert_string_equal(got, wanted);
    free(wanted);
    free(got);

    /* Nothing is left to play: the result comes from the record. */
    run(&setting, &result);
    assert_int_equal(result.taken_over, MANY);
    assert_memory_equal(&result.encounters[0].tally, &whole, sizeof whole);
    assert_true(result.times[0].moves > 20 * MANY);
    match_result_clear(&result);
}

/* The pair at which the test decides is the same with threads, after stops, and among pairs that were played before
 * there was a test. */
static void test_a_test_ends_at_the_same_pair(void **state)
{
    const struct fixture *fixture = *state;
    const struct sprt_test test = {.nelo0 = 0, .nelo1 = 100, .alpha = 0.05, .beta = 0.05};
    struct setting setting;
    struct match_result result;

    begin_two(&setting, fixture, 1);
    setting.match.pairs = 60;
    setting.match.sprt = &test;
    run(&setting, &result);
    const struct statistics_tally wanted = result.encounters[0].tally;
    const double llr = result.sprt.llr;
    assert_int_equal(result.sprt.verdict, SPRT_ACCEPT_H1);
    assert_in_range(result.pairs, 2, 59);
    assert_true(llr >= result.sprt.upper);
    match_result_clear(&result);

    /* One pair less leaves it undecided. */
    setting.match.pairs = (size_t)statistics_pairs(&wanted) - 1;
    run(&setting, &result);
    assert_int_equal(result.sprt.verdict, SPRT_UNDECIDED);
    match_result_clear(&result);

    setting.match.pairs = 60;
    for (int way = 0; way < 3; way++) {
        keep_games(&setting, fixture);
        setting.match.threads = 4;
        if (way == 1) { /* part of the pairs on record */
            setting.match.pairs = 2;
            (void)outcome(&setting);
        }
        if (way == 2) { /* more than the test needs */
            setting.match.sprt = NULL;
            (void)outcome(&setting);
            setting.match.sprt = &test;
        }
        setting.match.pairs = 60;
        run(&setting, &result);
        assert_memory_equal(&result.encounters[0].tally, &wanted, sizeof wanted);
        assert_true(result.sprt.llr == llr && result.sprt.verdict == SPRT_ACCEPT_H1);
        match_result_clear(&result);
        /* And decided again by the record alone. */
        run(&setting, &result);
        assert_memory_equal(&result.encounters[0].tally, &wanted, sizeof wanted);
        assert_int_equal(result.taken_over, statistics_pairs(&wanted));
        match_result_clear(&result);
    }
    add_player(&setting, "third", fixture->mobile, 1);
    assert_int_equal(outcome(&setting), WILLOW_ERR_ARGUMENT);
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
    const struct fixture *fixture = *state;
    struct setting setting;
    struct match_result result;

    begin_two(&setting, fixture, 2);
    keep_games(&setting, fixture);
    const struct statistics_tally first = tally_of(&setting);

    add_player(&setting, "deep", fixture->mobile, 3);
    run(&setting, &result);
    assert_int_equal(result.pairs, 3 * PAIRS);
    assert_int_equal(result.taken_over, PAIRS);
    assert_memory_equal(encounter(&result, 0, 1), &first, sizeof first);
    const struct statistics_tally second = *encounter(&result, 0, 2);
    match_result_clear(&result);

    /* clumsy and then mobile: the same games, seen from the other side; and more pairs. */
    begin(&setting, 2);
    setting.match.folder = fixture->match;
    setting.match.pairs = PAIRS + 1;
    add_player(&setting, "deep", fixture->mobile, 3);
    add_player(&setting, "clumsy", fixture->clumsy, 2);
    add_player(&setting, "mobile", fixture->mobile, 2);
    run(&setting, &result);
    assert_int_equal(result.taken_over, 3 * PAIRS);
    assert_int_equal(result.pairs, 3 * (PAIRS + 1));
    match_result_clear(&result);
    setting.match.pairs = PAIRS;
    run(&setting, &result);
    assert_int_equal(result.taken_over, 3 * PAIRS);
    assert_int_equal(encounter(&result, 1, 2)->wins, first.losses);
    assert_int_equal(encounter(&result, 1, 2)->discs_sum, -first.discs_sum);
    assert_int_equal(encounter(&result, 0, 2)->discs_sum, -second.discs_sum);
    match_result_clear(&result);

    /* A gauntlet of a player less takes what it needs. */
    setting.match.players = 2;
    setting.match.format = SCHEDULE_GAUNTLET;
    run(&setting, &result);
    assert_int_equal(result.taken_over, PAIRS);
    assert_int_equal(result.pairs, PAIRS);
    match_result_clear(&result);
}

static void test_folders_of_other_matches_are_refused(void **state)
{
    const struct fixture *fixture = *state;
    const struct willow_time_control clock = {.main_ms = 60000};
    struct setting setting, other;
    char path[SCRATCH_PATH];
    size_t size;

    begin_two(&setting, fixture, 1);
    setting.match.pairs = 2;
    keep_games(&setting, fixture);
    (void)tally_of(&setting);
    char *wanted = transcripts(fixture);
    for (int way = 0; way < 6; way++) {
        other = setting;
        other.match.engines = other.engines;
        if (way == 0)
            other.match.openings.seed++;
        if (way == 1)
            other.match.openings.plies++;
        if (way == 2)
            other.match.openings.balance_discs = 9;
        if (way == 3)
            other.engines[1].depth++;
        if (way == 4)
            other.engines[0].weights = fixture->clumsy;
        if (way == 5)
            other.match.clock = &clock;
        assert_int_equal(outcome(&other), WILLOW_ERR_MISMATCH);
    }
    char *got = transcripts(fixture);
    assert_string_equal(got, wanted);
    free(wanted);
    free(got);
    /* All pairs on record twice: whoever wrote that, it was no match. */
    unsigned char *lines = scratch_read(scratch_join(path, fixture->match, "games.jsonl"), &size);
    assert_non_null(lines = realloc(lines, 2 * size));
    memcpy(lines + size, lines, size);
    scratch_write(path, lines, 2 * size);
    free(lines);
    assert_int_equal(outcome(&setting), WILLOW_ERR_FORMAT);
}

static void test_withdrawn_players_play_no_more(void **state)
{
    const struct fixture *fixture = *state;
    struct setting setting;
    struct match_result result;
    struct standings standings;

    begin_two(&setting, fixture, 2);
    keep_games(&setting, fixture);
    (void)tally_of(&setting);
    add_player(&setting, "deep", fixture->mobile, 3);
    setting.engines[1].withdrawn = true;
    run(&setting, &result);
    assert_int_equal(statistics_pairs(encounter(&result, 0, 1)), PAIRS);
    assert_int_equal(statistics_pairs(encounter(&result, 1, 2)), 0);
    assert_int_equal(statistics_pairs(encounter(&result, 0, 2)), PAIRS);
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
    const struct fixture *fixture = *state;
    const struct willow_time_control plenty = {.main_ms = 3600000}, hurried = {.main_ms = 1};

    for (int loser = 0; loser < 2; loser++) {
        struct setting setting;
        struct match_result result;
        struct faults_seen seen = {0};

        begin(&setting, 2);
        add_player(&setting, "one", fixture->mobile, 1);
        add_player(&setting, "other", fixture->mobile, 1);
        setting.engines[loser].depth = 0;
        setting.engines[loser].has_clock = true;
        setting.engines[loser].clock = hurried;
        setting.match.clock = &plenty;
        setting.match.fault = see_fault;
        setting.match.context = &seen;
        run(&setting, &result);
        const struct statistics_tally *tally = &result.encounters[0].tally;
        assert_int_equal(loser == 0 ? tally->losses : tally->wins, 2 * PAIRS);
        assert_int_equal(tally->discs_sum, (loser == 0 ? -128 : 128) * PAIRS);
        assert_int_equal(result.ends[loser][GAME_TIME], 2 * PAIRS);
        assert_int_equal(result.faults[loser], 2 * PAIRS);
        assert_int_equal(result.faults[1 - loser], 0);
        assert_int_equal(seen.count, 2 * PAIRS);
        assert_int_equal(seen.player, loser);
        assert_int_equal(seen.end, GAME_TIME);
        match_result_clear(&result);

        /* Enough faults are enough, on record too. */
        setting.match.faults_limit = 3;
        keep_games(&setting, fixture);
        for (int time = 0; time < 2; time++) {
            run(&setting, &result);
            assert_int_equal(result.pairs, 2);
            assert_true(result.withdrawn[loser]);
            match_result_clear(&result);
        }
    }
}

/* Games well within their clocks are played out, and what the moves took is summed up. */
static void test_clocks_are_kept(void **state)
{
    const struct fixture *fixture = *state;
    const struct willow_time_control clock = {.main_ms = 60000, .increment_ms = 20};
    struct setting setting;
    struct match_result result;

    begin_two(&setting, fixture, 1);
    setting.match.pairs = 1;
    setting.match.clock = &clock;
    for (int player = 0; player < 2; player++) {
        setting.engines[player].depth = 0;
        setting.engines[player].nodes = 3000;
    }
    run(&setting, &result);
    for (int player = 0; player < 2; player++) {
        const struct match_time *time = &result.times[player];

        assert_int_equal(result.ends[player][GAME_TIME], 0);
        assert_in_range(time->moves, 20, 60);
        assert_true(time->longest_ns > 0 && time->longest_ns <= time->used_ns);
    }
    match_result_clear(&result);
}

static void test_bad_settings_are_refused(void **state)
{
    const struct fixture *fixture = *state;
    struct setting setting;

    begin_two(&setting, fixture, 0);
    assert_int_equal(outcome(&setting), WILLOW_ERR_ARGUMENT);
    setting.match.threads = 100000;
    assert_int_equal(outcome(&setting), WILLOW_ERR_ARGUMENT);
    setting.match.threads = 1;
    setting.match.pairs = 0;
    assert_int_equal(outcome(&setting), WILLOW_ERR_ARGUMENT);
    setting.match.pairs = (size_t)MATCH_PAIRS_MAX + 1;
    assert_int_equal(outcome(&setting), WILLOW_ERR_ARGUMENT);
    setting.match.pairs = 1;
    setting.match.players = 1;
    assert_int_equal(outcome(&setting), WILLOW_ERR_ARGUMENT);
}

/* By both players with nothing but the rules: the deeper one, on small boards, on one with a hole, and where the fewest
 * discs win. */
static void test_rulesets(void **state)
{
    static const char *const names[] = {"4x4", "6x6", "6x6-parallel", "anti", "hole:c3", "4x4-reversi"};
    struct fixture *fixture = *state;
    struct setting setting;
    struct match_result result;
    struct willow_error error;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(names[i]);
        struct willow_weights *zero = NULL;

        assert_int_equal(willow_weights_open("zero", ruleset, &zero, NULL), WILLOW_OK);
        begin(&setting, 2);
        add_player(&setting, "deep", zero, 3);
        add_player(&setting, "shallow", zero, 1);
        setting.match.ruleset = ruleset;
        setting.match.openings.plies = 8;
        keep_games(&setting, fixture);
        run(&setting, &result);
        assert_ptr_equal(result.ruleset, ruleset);
        assert_int_equal(statistics_pairs(&result.encounters[0].tally), PAIRS);
        const struct statistics_tally tally = result.encounters[0].tally;
        match_result_clear(&result);

        /* The record alone says the same; another ruleset is another match. */
        run(&setting, &result);
        assert_int_equal(result.taken_over, PAIRS);
        assert_memory_equal(&result.encounters[0].tally, &tally, sizeof tally);
        match_result_clear(&result);
        setting.match.ruleset = willow_ruleset_find(i == 0 ? "6x6" : "4x4");
        assert_int_equal(match_run(&setting.match, &result, &error), WILLOW_ERR_MISMATCH);
        assert_non_null(strstr(error.reason, setting.match.ruleset->name));
        match_result_clear(&result);
        willow_weights_free(zero);
    }
}

/* Weights of another ruleset, a program that has no word for it: named before anybody plays. */
static void test_who_cannot_play(void **state)
{
    struct fixture *fixture = *state;
    struct setting setting;
    struct match_result result;
    struct willow_error error;
    char path[SCRATCH_PATH];
    char *fake[] = {(char *)(uintptr_t)FAKE_ENGINE, (char *)(uintptr_t) "--gtp", NULL};

    scratch_join(path, fixture->folder, "mobile.wlw");
    assert_int_equal(willow_weights_save(fixture->mobile, path, NULL), WILLOW_OK);
    begin(&setting, 1);
    add_player(&setting, "a", NULL, 1);
    add_player(&setting, "b", NULL, 1);
    setting.engines[0].weights_name = (char *)(uintptr_t) "zero";
    setting.engines[1].weights_name = path;
    setting.match.ruleset = willow_ruleset_find("anti");
    keep_games(&setting, fixture);
    assert_int_equal(match_run(&setting.match, &result, &error), WILLOW_ERR_MISMATCH);
    assert_string_equal(error.file, path);
    match_result_clear(&result);
    willow_weights_free(setting.engines[0].weights);
    setting.engines[0].weights = NULL;

    setting.engines[1] = (struct engine){.name = "guest", .kind = ENGINE_GTP, .command = fake};
    assert_int_equal(match_run(&setting.match, &result, &error), WILLOW_ERR_MISMATCH);
    assert_non_null(strstr(error.reason, "engine 'guest' does not play anti: "));
    assert_int_equal(scratch_count(fixture->folder, "match"), 0);
    match_result_clear(&result);
    willow_weights_free(setting.engines[0].weights);
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
        cmocka_unit_test(test_folders_of_other_matches_are_refused),
        cmocka_unit_test(test_withdrawn_players_play_no_more),
        cmocka_unit_test(test_flag_fall_loses),
        cmocka_unit_test(test_clocks_are_kept),
        cmocka_unit_test(test_bad_settings_are_refused),
        cmocka_unit_test(test_rulesets),
        cmocka_unit_test(test_who_cannot_play),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
