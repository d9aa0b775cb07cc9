/* Relabelling: labels equal a search of each row alone, whatever the threads; ranges, limits, unfinished folders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "selfplay/tools/relabel.h"
#include "support/datasets.h"
#include "support/random_weights.h"
#include "support/scratch.h"

enum { FIRST_PLY = 40, LAST_PLY = 52, EXACT = 9, DEPTH = 5, SEED = 12, GAMES = 30 };

struct fixture {
    char folder[SCRATCH_PATH], source[SCRATCH_PATH];
    struct willow_weights *weights;
    struct willow_row *rows;
    size_t count;
};

/* The same games twice: the second shard meets, ply by ply, what was labelled one ply deeper before. A label that is
 * not the row's alone shows there. */
static void make_source(const char *folder)
{
    struct willow_manifest manifest = {.ruleset = willow_ruleset_othello()->id, .seed = SEED};
    assert_int_equal(mkdir(folder, 0777), 0);
    for (uint32_t number = 0; number < 2; number++) {
        struct willow_game_row *records;
        size_t count;
        struct willow_row *rows = datasets_random_games(SEED, 0, GAMES, &records, &count);
        struct willow_shard_info info = {
            .ruleset = manifest.ruleset, .seed = SEED, .first_game = number * GAMES, .rows = count, .games = GAMES};
        struct willow_manifest_shard entry = {number, count, GAMES, info.first_game, ""};
        for (size_t i = 0; i < count; i++)
            rows[i].game += info.first_game;
        for (size_t i = 0; i < GAMES; i++)
            records[i].id += info.first_game;
        assert_int_equal(willow_shard_write(folder, number, &info, rows, records, entry.checksum, NULL), WILLOW_OK);
        assert_int_equal(willow_manifest_add(&manifest, &entry, NULL), WILLOW_OK);
        free(rows);
        free(records);
    }
    assert_int_equal(willow_manifest_write(folder, &manifest, NULL), WILLOW_OK);
    willow_manifest_clear(&manifest);
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    scratch_make(fixture->folder);
    scratch_join(fixture->source, fixture->folder, "source");
    const struct willow_stages stages = willow_stages_even(1);
    fixture->weights = random_weights(willow_pattern_set_default(), &stages, 1, WILLOW_SCORE_DISC);
    make_source(fixture->source);
    fixture->rows = datasets_rows(fixture->source, &fixture->count);
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
                                    .hash_bytes = 1 << 20,
                                    .threads = 2,
                                    .tool = "test"};
}

static int by_game_and_ply(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    return a->game != b->game ? (a->game > b->game) - (a->game < b->game) : a->ply - b->ply;
}

/* The rows that should come out, by searching each alone with a table of its own. */
static struct willow_row *expected(const struct fixture *fixture, int first_ply, int last_ply, size_t *count)
{
    struct willow_row *wanted = malloc(fixture->count * sizeof *wanted);
    *count = 0;
    for (size_t i = 0; i < fixture->count; i++) {
        struct willow_row row = fixture->rows[i];
        struct willow_limits limits = {.depth = DEPTH, .exact_empties = EXACT};
        struct willow_result result;
        struct willow_search *search;
        if (row.ply < first_ply || row.ply > last_ply)
            continue;
        assert_int_equal(willow_search_new(fixture->weights, 1 << 20, &search, NULL), WILLOW_OK);
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

static void check_labels(const struct fixture *fixture, int first_ply, int last_ply)
{
    size_t wanted_count, first_count = 0, count;
    struct willow_row *wanted = expected(fixture, first_ply, last_ply, &wanted_count), *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        char name[32], target[SCRATCH_PATH];
        struct relabel_summary summary;
        (void)snprintf(name, sizeof name, "labels%d-%d", first_ply, threads);
        struct relabel_options options = options_of(fixture, scratch_join(target, fixture->folder, name));
        options.first_ply = first_ply, options.last_ply = last_ply;
        options.threads = threads;
        assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
        assert_int_equal(summary.rows, wanted_count);
        assert_int_equal(summary.shards, (wanted_count + 299) / 300);
        struct willow_row *rows = datasets_rows(target, &count);
        if (first)
            assert_true(datasets_rows_equal(rows, count, first, first_count)); /* order and shards too */
        free(first);
        first = rows, first_count = count;
    }
    qsort(first, first_count, sizeof *first, by_game_and_ply);
    assert_true(datasets_rows_equal(first, first_count, wanted, wanted_count));
    free(first);
    free(wanted);
}

static void labels_equal_single_searches_for_any_threads(void **state)
{
    check_labels(*state, FIRST_PLY, LAST_PLY);
    check_labels(*state, 2, 8);
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
    struct willow_row *rows = datasets_rows(target, &count);
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
    assert_int_equal(manifest.seed, SEED); /* the same games are held out */
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
    struct willow_row *first = datasets_rows(target, &first_count);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_BUSY);
    assert_int_equal(unlink(scratch_join(path, target, "manifest.json")), 0);
    scratch_write(scratch_join(path, target, "shard-000001.h5"), "half", 4);
    scratch_write(scratch_join(path, target, "shard-000001.h5.tmp"), "half", 4);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_OK);
    struct willow_row *rows = datasets_rows(target, &count);
    assert_true(datasets_rows_equal(rows, count, first, first_count));
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
