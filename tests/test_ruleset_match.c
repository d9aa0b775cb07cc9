/* A match on the largest board of the build, 8x8 or 10x10: played, kept, read again, and the same from its record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/records.h>

#include "selfplay/match/match.h"
#include "support/scratch.h"

enum { PAIRS = 4 };

static struct match_result play(const struct match_settings *settings)
{
    struct match_result result;
    struct willow_error error = {0};
    if (match_run(settings, &result, &error) != WILLOW_OK)
        fail_msg("%s", error.reason);
    assert_true(result.complete);
    return result;
}

/* Every game of games.ggf is one by the rules, with the result that is told. */
static void check_records(const char *folder)
{
    char path[SCRATCH_PATH];
    size_t size;
    struct willow_records records;
    static struct willow_record record;
    unsigned char *data = scratch_read(scratch_join(path, folder, "games.ggf"), &size);
    assert_int_equal(willow_records_open(&records, willow_ruleset_default(), WILLOW_RECORDS_GGF, data, size, NULL),
                     WILLOW_OK);
    for (int i = 0; i < 2 * PAIRS; i++) {
        assert_true(willow_records_next(&records, &record));
        assert_int_equal(record.kind, WILLOW_RECORD_COMPLETE);
        assert_int_equal(record.result_discs, willow_game_final_discs(&record.game));
    }
    assert_false(willow_records_next(&records, &record));
    free(data);
}

static void a_match_is_kept(void **state)
{
    (void)state;
    char scratch[SCRATCH_PATH], folder[SCRATCH_PATH];
    struct engine engines[2] = {{.name = "one", .depth = 1}, {.name = "two", .depth = 2}};
    scratch_make(scratch);
    const struct match_settings settings = {.engines = engines,
                                            .players = 2,
                                            .ruleset = willow_ruleset_default(),
                                            .pairs = PAIRS,
                                            .openings = {.plies = 6, .seed = 2},
                                            .hash_bytes = 1 << 16,
                                            .threads = 2,
                                            .start_limit_ms = 60000,
                                            .move_limit_ms = 600000,
                                            .folder = scratch_join(folder, scratch, "match"),
                                            .yaml = "# settings\n"};
    assert_int_equal(willow_weights_open("zero", settings.ruleset, &engines[0].weights, NULL), WILLOW_OK);
    engines[1].weights = engines[0].weights;
    struct match_result first = play(&settings);
    assert_int_equal(statistics_pairs(&first.encounters[0].tally), PAIRS);
    assert_true(first.times[0].moves > (WILLOW_SQUARES - 10) / 4 * PAIRS);
    check_records(folder);
    struct match_result again = play(&settings);
    assert_int_equal(again.taken_over, PAIRS);
    assert_memory_equal(&again.encounters[0].tally, &first.encounters[0].tally, sizeof first.encounters[0].tally);
    match_result_clear(&first);
    match_result_clear(&again);
    willow_weights_free(engines[0].weights);
    scratch_remove(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_match_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
