/* Matches that are not begun: into the folder of another match, with bad settings, or with a player that cannot play
 * the ruleset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/match/match.h"
#include "support/match_fixture.h"
#include "support/scratch.h"

static void test_folders_of_other_matches_are_refused(void **state)
{
    const struct match_fixture *fixture = *state;
    const struct willow_time_control clock = {.main_ms = 60000};
    struct match_setting setting, other;
    char path[SCRATCH_PATH];
    size_t size;

    match_fixture_begin_two(&setting, fixture, 1);
    setting.match.pairs = 2;
    match_fixture_keep_games(&setting, fixture);
    (void)match_fixture_tally(&setting);
    char *wanted = match_fixture_transcripts(fixture);
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
        assert_int_equal(match_fixture_outcome(&other), WILLOW_ERR_MISMATCH);
    }
    char *got = match_fixture_transcripts(fixture);
    assert_string_equal(got, wanted);
    free(wanted);
    free(got);
    /* All pairs on record twice: whoever wrote that, it was no match. */
    unsigned char *lines = scratch_read(scratch_join(path, fixture->match, "games.jsonl"), &size);
    assert_non_null(lines = realloc(lines, 2 * size));
    memcpy(lines + size, lines, size);
    scratch_write(path, lines, 2 * size);
    free(lines);
    assert_int_equal(match_fixture_outcome(&setting), WILLOW_ERR_FORMAT);
}

static void test_bad_settings_are_refused(void **state)
{
    const struct match_fixture *fixture = *state;
    struct match_setting setting;

    match_fixture_begin_two(&setting, fixture, 0);
    assert_int_equal(match_fixture_outcome(&setting), WILLOW_ERR_ARGUMENT);
    setting.match.threads = 100000;
    assert_int_equal(match_fixture_outcome(&setting), WILLOW_ERR_ARGUMENT);
    setting.match.threads = 1;
    setting.match.pairs = 0;
    assert_int_equal(match_fixture_outcome(&setting), WILLOW_ERR_ARGUMENT);
    setting.match.pairs = (size_t)MATCH_PAIRS_MAX + 1;
    assert_int_equal(match_fixture_outcome(&setting), WILLOW_ERR_ARGUMENT);
    setting.match.pairs = 1;
    setting.match.players = 1;
    assert_int_equal(match_fixture_outcome(&setting), WILLOW_ERR_ARGUMENT);
}

/* Weights of another ruleset, a program that has no word for it: named before anybody plays. */
static void test_who_cannot_play(void **state)
{
    struct match_fixture *fixture = *state;
    struct match_setting setting;
    struct match_result result;
    struct willow_error error;
    char path[SCRATCH_PATH];
    char *fake[] = {(char *)(uintptr_t)FAKE_ENGINE, (char *)(uintptr_t) "--gtp", NULL};

    scratch_join(path, fixture->folder, "mobile.wlw");
    assert_int_equal(willow_weights_save(fixture->mobile, path, NULL), WILLOW_OK);
    match_fixture_begin(&setting, 1);
    match_fixture_add_player(&setting, "a", NULL, 1);
    match_fixture_add_player(&setting, "b", NULL, 1);
    setting.engines[0].weights_name = (char *)(uintptr_t) "zero";
    setting.engines[1].weights_name = path;
    setting.match.ruleset = willow_ruleset_find("anti");
    match_fixture_keep_games(&setting, fixture);
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
        cmocka_unit_test(test_folders_of_other_matches_are_refused),
        cmocka_unit_test(test_bad_settings_are_refused),
        cmocka_unit_test(test_who_cannot_play),
    };
    return cmocka_run_group_tests(tests, match_fixture_set_up, match_fixture_tear_down);
}
