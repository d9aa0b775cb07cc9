/* Relabelling: labels equal a search of each row alone, whatever the threads; ranges, limits, unfinished folders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "selfplay/relabel.h"
#include "selfplay/run.h"
#include "support/scratch.h"

enum { FIRST_PLY = 40, LAST_PLY = 52, EXACT = 9, DEPTH = 2 };

struct fixture {
    char folder[SCRATCH_PATH], source[SCRATCH_PATH];
    struct willow_weights *weights;
    struct willow_row *rows;
    size_t count;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    scratch_make(fixture->folder);
    scratch_join(fixture->source, fixture->folder, "source");
    assert_int_equal(willow_weights_open("zero", &fixture->weights, NULL), WILLOW_OK);
    struct run_config config = run_config_default();
    config.games = 60, config.shard_games = 25, config.seed = 12;
    config.opening_min = config.opening_max = 60; /* random games */
    config.label = RUN_LABEL_NONE;
    strcpy(config.weights_checksum, willow_weights_checksum(fixture->weights));
    const struct run_options options = {
        .config = &config, .weights = fixture->weights, .folder = fixture->source, .tool = "test", .threads = 1};
    struct run_summary summary;
    assert_int_equal(run_dataset(&options, &summary, NULL), WILLOW_OK);
    fixture->rows = scratch_rows(fixture->source, &fixture->count);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    willow_weights_free(fixture->weights);
    scratch_remove(fixture->folder);
    free(fixture->rows);
    free(fixture);
    return 0;
}

static struct relabel_options options_of(const struct fixture *fixture, const char *target)
{
    return (struct relabel_options){.source = fixture->source,
                                    .target = target,
                                    .first_ply = FIRST_PLY,
                                    .last_ply = LAST_PLY,
                                    .depth = DEPTH,
                                    .exact = EXACT,
                                    .shard_rows = 300,
                                    .weights = fixture->weights,
                                    .hash_bytes = 1 << 16,
                                    .threads = 2,
                                    .tool = "test"};
}

static int by_game_and_ply(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    return a->game != b->game ? (a->game > b->game) - (a->game < b->game) : a->ply - b->ply;
}

/* The rows that should come out, by searching each alone with a table of its own. */
static struct willow_row *expected(const struct fixture *fixture, size_t *count)
{
    struct willow_row *wanted = malloc(fixture->count * sizeof *wanted);
    *count = 0;
    for (size_t i = 0; i < fixture->count; i++) {
        struct willow_row row = fixture->rows[i];
        struct willow_limits limits = {.depth = DEPTH, .exact_empties = EXACT};
        struct willow_result result;
        struct willow_search *search;
        if (row.ply < FIRST_PLY || row.ply > LAST_PLY)
            continue;
        assert_int_equal(willow_search_new(fixture->weights, 1 << 16, &search, NULL), WILLOW_OK);
        willow_search_run(search, (struct willow_board){row.player, row.opponent}, &limits, &result);
        willow_search_free(search);
        row.score = (int16_t)result.score;
        row.depth = (uint8_t)result.depth;
        row.flags = (uint8_t)(row.flags | (result.exact ? WILLOW_ROW_EXACT : 0));
        wanted[(*count)++] = row;
    }
    qsort(wanted, *count, sizeof *wanted, by_game_and_ply);
    return wanted;
}

static void labels_equal_single_searches_for_any_threads(void **state)
{
    struct fixture *fixture = *state;
    size_t wanted_count, first_count = 0, count;
    struct willow_row *wanted = expected(fixture, &wanted_count), *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        char name[32], target[SCRATCH_PATH];
        struct relabel_summary summary;
        (void)snprintf(name, sizeof name, "labels%d", threads);
        struct relabel_options options = options_of(fixture, scratch_join(target, fixture->folder, name));
        options.threads = threads;
        assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
        assert_int_equal(summary.rows, wanted_count);
        assert_int_equal(summary.shards, (wanted_count + 299) / 300);
        struct willow_row *rows = scratch_rows(target, &count);
        if (first)
            assert_true(scratch_rows_equal(rows, count, first, first_count)); /* order and shards too */
        free(first);
        first = rows, first_count = count;
    }
    qsort(first, first_count, sizeof *first, by_game_and_ply);
    assert_true(scratch_rows_equal(first, first_count, wanted, wanted_count));
    free(first);
    free(wanted);
}

static void limits_thin_evenly(void **state)
{
    struct fixture *fixture = *state;
    char target[SCRATCH_PATH];
    struct relabel_summary summary;
    size_t count;
    struct relabel_options options = options_of(fixture, scratch_join(target, fixture->folder, "thin"));
    options.limit = 100;
    options.depth = 1, options.exact = 0;
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    assert_in_range(summary.rows, 70, 100);
    struct willow_row *rows = scratch_rows(target, &count);
    int late = 0;
    for (size_t i = 0; i < count; i++)
        late += rows[i].game >= 30;
    assert_in_range(late, 20, 80); /* not the first games alone */
    free(rows);
    options.limit = 1000000;
    options.target = scratch_join(target, fixture->folder, "thick");
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.rows, summary.rows_source);
}

static void seed_and_games_stay(void **state)
{
    struct fixture *fixture = *state;
    char target[SCRATCH_PATH];
    struct relabel_summary summary;
    struct willow_manifest manifest;
    struct relabel_options options = options_of(fixture, scratch_join(target, fixture->folder, "labels"));
    options.depth = 1, options.exact = 0;
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(willow_manifest_read(target, &manifest, NULL), WILLOW_OK);
    assert_int_equal(manifest.seed, 12); /* the same games are held out */
    assert_int_equal(manifest.shards[0].games, 0);
    willow_manifest_clear(&manifest);
}

static void folders_in_use_are_refused_and_unfinished_ones_replaced(void **state)
{
    struct fixture *fixture = *state;
    char target[SCRATCH_PATH], path[SCRATCH_PATH];
    struct relabel_summary summary;
    struct willow_error error;
    size_t first_count, count;
    struct relabel_options options = options_of(fixture, scratch_join(target, fixture->folder, "labels"));
    options.depth = 1, options.exact = 0;
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    struct willow_row *first = scratch_rows(target, &first_count);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_BUSY);
    assert_int_equal(unlink(scratch_join(path, target, "manifest.json")), 0);
    scratch_write(scratch_join(path, target, "shard-000001.h5"), "half", 4);
    scratch_write(scratch_join(path, target, "shard-000001.h5.tmp"), "half", 4);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_OK);
    struct willow_row *rows = scratch_rows(target, &count);
    assert_true(scratch_rows_equal(rows, count, first, first_count));
    assert_int_equal(scratch_count(target, ".tmp"), 0);
    /* A run whose manifest was lost is not a relabelling. */
    assert_int_equal(unlink(scratch_join(path, target, "manifest.json")), 0);
    assert_int_equal(unlink(scratch_join(path, target, "relabel.yaml")), 0);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_BUSY);
    options.source = options.target = fixture->source;
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_BUSY);
    free(rows);
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(labels_equal_single_searches_for_any_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(limits_thin_evenly, setup, teardown),
        cmocka_unit_test_setup_teardown(seed_and_games_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(folders_in_use_are_refused_and_unfinished_ones_replaced, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
