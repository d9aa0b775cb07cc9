/* Datasets made from datasets: what may lie in the folder before, which shards of a stopped making are kept, and the
 * manifest at the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "selfplay/tools/target.h"
#include "support/datasets.h"
#include "support/hdf5_leaks.h"
#include "support/scratch.h"

enum { SEED = 3, GAMES = 4 };

static const char origin[] = "# How it is made.\nfrom: 'test'\n";

struct fixture {
    char scratch[SCRATCH_PATH], folder[SCRATCH_PATH];
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    scratch_make(fixture->scratch);
    scratch_join(fixture->folder, fixture->scratch, "made");
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    scratch_remove(fixture->scratch);
    free(fixture);
    return 0;
}

static struct target_options options_of(const struct fixture *fixture)
{
    return (struct target_options){.folder = fixture->folder,
                                   .configuration = origin,
                                   .ruleset = willow_ruleset_default(),
                                   .seed = SEED,
                                   .tool = "test",
                                   .weights = "",
                                   .labels = "none"};
}

/* The shard of a number always holds the same games. */
static void add(struct target *target)
{
    struct willow_game_row *games;
    size_t count;
    struct willow_row *rows = datasets_random_games(SEED, target->manifest.count * GAMES, GAMES, &games, &count);
    assert_int_equal(target_add(target, rows, count, games, GAMES, NULL), WILLOW_OK);
    free(rows);
    free(games);
}

/* Makes shards up to `count` and ends as a kill does: nothing is finished. */
static void leave_unfinished(const struct fixture *fixture, size_t count)
{
    struct target target;
    struct target_options options = options_of(fixture);
    assert_int_equal(target_open(&target, &options, true, NULL), WILLOW_OK);
    while (target.manifest.count < count)
        add(&target);
    target_close(&target);
}

static void finished_ones_are_datasets(void **state)
{
    struct fixture *fixture = *state;
    struct target target;
    struct target_options options = options_of(fixture);
    struct willow_manifest manifest;
    struct willow_error error;
    char path[SCRATCH_PATH];
    size_t count, size;
    assert_int_equal(target_open(&target, &options, false, NULL), WILLOW_OK);
    add(&target);
    assert_int_equal(target_add(&target, NULL, 0, NULL, 0, NULL), WILLOW_OK);
    add(&target);
    assert_int_equal(target_finish(&target, NULL), WILLOW_OK);
    uint64_t rows_count = target.rows, size_bytes = target.size_bytes;
    assert_int_equal(target.games, 2 * GAMES);
    assert_true(size_bytes > 1000);
    target_close(&target);
    target_close(&target);
    assert_int_equal(willow_manifest_read(fixture->folder, &manifest, NULL), WILLOW_OK);
    assert_int_equal(manifest.count, 3);
    assert_int_equal(manifest.seed, SEED);
    assert_int_equal(manifest.shards[2].first_game, 2 * GAMES);
    char checksum[WILLOW_CHECKSUM_TEXT];
    willow_checksum128_text(origin, strlen(origin), checksum);
    assert_string_equal(manifest.configuration_checksum, checksum);
    willow_manifest_clear(&manifest);
    free(datasets_rows(fixture->folder, &count));
    assert_int_equal(count, rows_count);
    unsigned char *text = scratch_read(scratch_join(path, fixture->folder, TARGET_ORIGIN_FILE), &size);
    assert_int_equal(size, strlen(origin));
    assert_memory_equal(text, origin, size);
    free(text);
    assert_int_equal(target_open(&target, &options, true, &error), WILLOW_ERR_BUSY);
    assert_int_equal(target.lock_fd, -1);
}

static void without_rows_there_is_one_empty_shard(void **state)
{
    struct fixture *fixture = *state;
    struct target target;
    struct target_options options = options_of(fixture);
    size_t count;
    assert_int_equal(target_open(&target, &options, false, NULL), WILLOW_OK);
    assert_int_equal(target_finish(&target, NULL), WILLOW_OK);
    target_close(&target);
    free(datasets_rows(fixture->folder, &count));
    assert_int_equal(count, 0);
    assert_int_equal(scratch_count(fixture->folder, ".h5"), 1);
}

/* After damage to the files of an unfinished making with five shards: so many are kept, the rest is made again, and the
 * dataset is the undisturbed one. */
static void check_found(const struct fixture *fixture, uint32_t found)
{
    struct target target;
    struct target_options options = options_of(fixture);
    assert_int_equal(target_open(&target, &options, true, NULL), WILLOW_OK);
    assert_int_equal(target.found, found);
    assert_int_equal(target.manifest.count, found);
    assert_int_equal(target.games, found * GAMES);
    assert_int_equal(scratch_count(fixture->folder, ".h5"), (int)found);
    assert_int_equal(scratch_count(fixture->folder, ".tmp"), 0);
    while (target.manifest.count < 5)
        add(&target);
    assert_int_equal(target_finish(&target, NULL), WILLOW_OK);
    uint64_t rows_count = target.rows;
    target_close(&target);
    size_t count, wanted_count = 0;
    for (uint64_t shard = 0; shard < 5; shard++) {
        struct willow_game_row *games;
        free(datasets_random_games(SEED, shard * GAMES, GAMES, &games, &count));
        free(games);
        wanted_count += count;
    }
    assert_int_equal(rows_count, wanted_count);
    free(datasets_rows(fixture->folder, &count)); /* compares the checksums, those of found shards too */
    assert_int_equal(count, wanted_count);
}

static void sound_shards_of_a_stopped_making_are_kept(void **state)
{
    struct fixture *fixture = *state;
    char path[SCRATCH_PATH];
    leave_unfinished(fixture, 5);
    scratch_write(scratch_join(path, fixture->folder, "shard-000005.h5.tmp"), "half", 4);
    scratch_write(scratch_join(path, fixture->folder, "origin.yaml.tmp"), "half", 4);
    check_found(fixture, 5);
}

static void shards_after_a_gap_are_not(void **state)
{
    struct fixture *fixture = *state;
    char path[SCRATCH_PATH];
    leave_unfinished(fixture, 5);
    assert_int_equal(unlink(scratch_join(path, fixture->folder, "shard-000002.h5")), 0);
    check_found(fixture, 2);
}

/* A flipped bit in the rows shows only when all of them are read; one in the unused space of a file does not matter. */
static void shards_after_a_damaged_one_are_not(void **state)
{
    struct fixture *fixture = *state;
    char path[SCRATCH_PATH];
    size_t size;
    int noticed = 0;
    leave_unfinished(fixture, 5);
    unsigned char *data = scratch_read(scratch_join(path, fixture->folder, "shard-000003.h5"), &size);
    for (size_t tenth = 1; tenth < 10; tenth++) {
        struct target target;
        struct target_options options = options_of(fixture);
        data[size * tenth / 10] ^= 1;
        scratch_write(path, data, size);
        data[size * tenth / 10] ^= 1;
        assert_int_equal(target_open(&target, &options, true, NULL), WILLOW_OK);
        const uint32_t found = target.found;
        target_close(&target);
        /* What lay behind goes with the first damage. */
        assert_true(found == 3 || found == (noticed ? 4 : 5));
        noticed += found == 3;
    }
    assert_true(noticed >= 7);
    data[0] ^= 1;
    scratch_write(path, data, size);
    free(data);
    check_found(fixture, 3);
}

/* origin.yaml alone does not make a shard ours: its own text must say so too. */
static void shards_of_another_making_are_not(void **state)
{
    struct fixture *fixture = *state;
    struct target target;
    char path[SCRATCH_PATH], other[SCRATCH_PATH], from[SCRATCH_PATH];
    struct target_options options = options_of(fixture);
    options.folder = scratch_join(other, fixture->scratch, "other");
    options.configuration = "# How it is made.\nfrom: 'elsewhere'\n";
    assert_int_equal(target_open(&target, &options, false, NULL), WILLOW_OK);
    add(&target);
    add(&target);
    target_close(&target);
    leave_unfinished(fixture, 5);
    assert_int_equal(
        rename(scratch_join(from, other, "shard-000001.h5"), scratch_join(path, fixture->folder, "shard-000001.h5")),
        0);
    check_found(fixture, 1);
}

static void without_resume_all_shards_of_a_stopped_making_go(void **state)
{
    struct fixture *fixture = *state;
    struct target target;
    struct target_options options = options_of(fixture);
    leave_unfinished(fixture, 2);
    assert_int_equal(target_open(&target, &options, false, NULL), WILLOW_OK);
    assert_int_equal(target.found, 0);
    assert_int_equal(target.rows, 0);
    assert_int_equal(scratch_count(fixture->folder, ".h5"), 0);
    target_close(&target);
}

static void folders_of_others_are_refused_untouched(void **state)
{
    struct fixture *fixture = *state;
    struct target target, second;
    struct willow_error error;
    char path[SCRATCH_PATH];
    struct target_options options = options_of(fixture);
    leave_unfinished(fixture, 2);
    options.configuration = "# How it is made.\nfrom: 'elsewhere'\n";
    assert_int_equal(target_open(&target, &options, true, &error), WILLOW_ERR_BUSY);
    assert_non_null(strstr(error.reason, TARGET_ORIGIN_FILE));
    assert_int_equal(target_open(&target, &options, false, &error), WILLOW_ERR_BUSY);
    assert_int_equal(scratch_count(fixture->folder, ".h5"), 2);
    options.configuration = origin;
    assert_int_equal(target_open(&target, &options, true, NULL), WILLOW_OK);
    assert_int_equal(target_open(&second, &options, true, &error), WILLOW_ERR_BUSY); /* somebody works there */
    target_close(&target);
    assert_int_equal(unlink(scratch_join(path, fixture->folder, TARGET_ORIGIN_FILE)), 0);
    assert_int_equal(target_open(&target, &options, true, &error), WILLOW_ERR_BUSY);
    assert_int_equal(scratch_count(fixture->folder, ".h5"), 2);
    assert_int_equal(scratch_count(fixture->folder, ".yaml"), 0);
}

static void layouts_have_names(void **state)
{
    (void)state;
    enum willow_shard_layout layout = WILLOW_LAYOUT_COMPACT;
    assert_true(target_layout_find(target_layout_name(WILLOW_LAYOUT_PLIES), &layout));
    assert_int_equal(layout, WILLOW_LAYOUT_PLIES);
    assert_true(target_layout_find("compact", &layout));
    assert_int_equal(layout, WILLOW_LAYOUT_COMPACT);
    assert_false(target_layout_find("comp", &layout));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finished_ones_are_datasets, setup, teardown),
        cmocka_unit_test_setup_teardown(without_rows_there_is_one_empty_shard, setup, teardown),
        cmocka_unit_test_setup_teardown(sound_shards_of_a_stopped_making_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(shards_after_a_gap_are_not, setup, teardown),
        cmocka_unit_test_setup_teardown(shards_after_a_damaged_one_are_not, setup, teardown),
        cmocka_unit_test_setup_teardown(shards_of_another_making_are_not, setup, teardown),
        cmocka_unit_test_setup_teardown(without_resume_all_shards_of_a_stopped_making_go, setup, teardown),
        cmocka_unit_test_setup_teardown(folders_of_others_are_refused_untouched, setup, teardown),
        cmocka_unit_test(layouts_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
