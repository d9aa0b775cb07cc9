#include "support/match_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/mobility_weights.h"

int match_fixture_set_up(void **state)
{
    struct match_fixture *fixture = calloc(1, sizeof *fixture);

    assert_non_null(fixture);
    fixture->mobile = mobility_weights(WILLOW_SCORE_DISC);
    fixture->clumsy = mobility_weights(-WILLOW_SCORE_DISC);
    scratch_make(fixture->folder);
    scratch_join(fixture->match, fixture->folder, "match");
    *state = fixture;
    return 0;
}

int match_fixture_tear_down(void **state)
{
    struct match_fixture *fixture = *state;

    willow_weights_free(fixture->clumsy);
    willow_weights_free(fixture->mobile);
    scratch_remove(fixture->folder);
    free(fixture);
    return 0;
}

void match_fixture_add_player(struct match_setting *setting, const char *name, struct willow_weights *weights,
                              int depth)
{
    struct engine *engine = &setting->engines[setting->match.players++];

    assert_true(setting->match.players <= MATCH_FIXTURE_PLAYERS_MAX);
    *engine = (struct engine){.weights = weights, .depth = depth};
    snprintf(engine->name, sizeof engine->name, "%s", name);
}

void match_fixture_begin(struct match_setting *setting, int threads)
{
    *setting = (struct match_setting){.match = {.engines = setting->engines,
                                                .pairs = MATCH_FIXTURE_PAIRS,
                                                .ruleset = willow_ruleset_default(),
                                                .openings = {.plies = 6, .seed = 4},
                                                .hash_bytes = 1 << 16,
                                                .threads = threads,
                                                .start_limit_ms = 60000,
                                                .move_limit_ms = 600000,
                                                .yaml = "# settings\n"}};
}

void match_fixture_begin_two(struct match_setting *setting, const struct match_fixture *fixture, int threads)
{
    match_fixture_begin(setting, threads);
    match_fixture_add_player(setting, "mobile", fixture->mobile, 2);
    match_fixture_add_player(setting, "clumsy", fixture->clumsy, 2);
}

void match_fixture_keep_games(struct match_setting *setting, const struct match_fixture *fixture)
{
    scratch_remove(fixture->match);
    setting->match.folder = fixture->match;
}

void match_fixture_run(const struct match_setting *setting, struct match_result *result)
{
    struct willow_error error = {0};
    const enum willow_status status = match_run(&setting->match, result, &error);

    if (status != WILLOW_OK)
        print_error("%s\n", error.reason);
    assert_int_equal(status, WILLOW_OK);
    assert_true(result->complete);
}

enum willow_status match_fixture_outcome(const struct match_setting *setting)
{
    struct match_result result;
    const enum willow_status status = match_run(&setting->match, &result, NULL);

    match_result_clear(&result);
    return status;
}

struct statistics_tally match_fixture_tally(const struct match_setting *setting)
{
    struct match_result result;

    match_fixture_run(setting, &result);
    const struct statistics_tally tally = result.encounters[0].tally;
    match_result_clear(&result);
    return tally;
}

char *match_fixture_transcripts(const struct match_fixture *fixture)
{
    char path[SCRATCH_PATH];
    size_t size;

    return (char *)scratch_read(scratch_join(path, fixture->match, "games.txt"), &size);
}
