/* Relabelling: labels equal a search of each row alone, whatever the threads; ranges, limits, exact scores that stay,
 * games that come along; relabellings that were stopped or killed end with the same rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/clock.h>
#include <willow/random.h>

#include "selfplay/dataset/audit.h"
#include "selfplay/tools/relabel.h"
#include "selfplay/tools/target.h"
#include "support/datasets.h"
#include "support/random_weights.h"
#include "support/scratch.h"

enum {
    FIRST_PLY = 40,
    LAST_PLY = 52,
    EXACT = 9,
    DEPTH = 5,
    SEED = 12,
    GAMES = 20,
    SHARD_ROWS = 200,
    HASH_BYTES = 1 << 15
};

/* From this ply on, rows of even games come with an exact score. */
enum { EXACT_PLY = 48 };

struct fixture {
    char folder[SCRATCH_PATH], source[SCRATCH_PATH];
    struct willow_weights *weights;
    struct willow_row *rows;
    size_t count;
};

static void solve_late_rows(const struct willow_weights *weights, struct willow_row *rows, size_t count)
{
    struct willow_search *search;
    assert_int_equal(willow_search_new(weights, HASH_BYTES, &search, NULL), WILLOW_OK);
    for (size_t i = 0; i < count; i++) {
        struct willow_limits limits = {.exact_empties = 60};
        struct willow_result result;
        if (rows[i].ply < EXACT_PLY || rows[i].game % 2 != 0)
            continue;
        willow_search_run(search, (struct willow_board){rows[i].player, rows[i].opponent}, &limits, &result);
        rows[i].score = (int16_t)result.score;
        rows[i].depth = (uint8_t)result.depth;
        rows[i].selectivity = WILLOW_NOT_SELECTIVE;
        rows[i].flags |= WILLOW_ROW_EXACT;
    }
    willow_search_free(search);
}

/* The same games twice: the second shard meets, ply by ply, what was labelled one ply deeper before. A label that is
 * not the row's alone shows there. */
static void make_source(const char *folder, const struct willow_weights *weights)
{
    struct willow_manifest manifest = {.ruleset = willow_ruleset_default()->id, .seed = SEED};
    assert_int_equal(mkdir(folder, 0777), 0);
    for (uint32_t number = 0; number < 2; number++) {
        struct willow_game_row *records;
        size_t count;
        struct willow_row *rows = datasets_random_games(SEED, 0, GAMES, &records, &count);
        struct willow_shard_info info = {
            .ruleset = manifest.ruleset, .seed = SEED, .first_game = number * GAMES, .rows = count, .games = GAMES};
        struct willow_manifest_shard entry = {number, count, GAMES, info.first_game, ""};
        solve_late_rows(weights, rows, count);
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
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    fixture->weights = random_weights(willow_pattern_set_default(), &stages, 1, WILLOW_SCORE_DISC);
    make_source(fixture->source, fixture->weights);
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
                                    .selectivity = WILLOW_NOT_SELECTIVE,
                                    .exact = EXACT,
                                    .shard_rows = SHARD_ROWS,
                                    .weights = fixture->weights,
                                    .hash_bytes = HASH_BYTES,
                                    .threads = 2,
                                    .tool = "test"};
}

static int by_game_and_ply(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    return a->game != b->game ? (a->game > b->game) - (a->game < b->game) : a->ply - b->ply;
}

/* The label that a row should get, by searching it alone with a table of its own. */
static void label_alone(const struct relabel_options *options, struct willow_row *row)
{
    struct willow_limits limits = {
        .depth = options->depth, .exact_empties = options->exact, .selectivity = options->selectivity};
    struct willow_result result;
    struct willow_search *search;
    assert_int_equal(willow_search_new(options->weights, HASH_BYTES, &search, NULL), WILLOW_OK);
    willow_search_run(search, (struct willow_board){row->player, row->opponent}, &limits, &result);
    willow_search_free(search);
    if ((row->flags & WILLOW_ROW_EXACT) && !result.exact)
        return;
    row->score = (int16_t)result.score;
    row->depth = (uint8_t)result.depth;
    row->selectivity = (uint8_t)(result.exact ? 100 : result.selectivity);
    row->flags = (uint8_t)(row->flags & ~(WILLOW_ROW_EXACT | WILLOW_ROW_SELECTIVE));
    row->flags = (uint8_t)(row->flags | (result.exact               ? WILLOW_ROW_EXACT
                                         : result.selectivity < 100 ? WILLOW_ROW_SELECTIVE
                                                                    : 0));
    if (options->results && 60 - row->ply <= options->exact) {
        row->result = (int8_t)(result.score / WILLOW_SCORE_DISC);
        row->flags |= WILLOW_ROW_SOLVED_RESULT;
    }
}

static struct willow_row *expected(const struct fixture *fixture, const struct relabel_options *options, size_t *count)
{
    struct willow_row *wanted = malloc(fixture->count * sizeof *wanted);
    *count = 0;
    for (size_t i = 0; i < fixture->count; i++) {
        struct willow_row row = fixture->rows[i];
        if (row.ply < options->first_ply || row.ply > options->last_ply)
            continue;
        label_alone(options, &row);
        wanted[(*count)++] = row;
    }
    qsort(wanted, *count, sizeof *wanted, by_game_and_ply);
    return wanted;
}

/* For one to three threads. The name is that of the target's folder, with the number of threads. */
static void check_labels(const struct fixture *fixture, struct relabel_options options, const char *name)
{
    size_t wanted_count, first_count = 0, count;
    struct willow_row *wanted = expected(fixture, &options, &wanted_count), *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        char part[64], target[SCRATCH_PATH];
        struct relabel_summary summary;
        (void)snprintf(part, sizeof part, "%s-%d", name, threads);
        options.target = scratch_join(target, fixture->folder, part);
        options.threads = threads;
        assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
        assert_int_equal(summary.rows, wanted_count);
        assert_int_equal(summary.rows_new, wanted_count);
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
    struct relabel_options options = options_of(*state, NULL);
    check_labels(*state, options, "late");
    options.first_ply = 2, options.last_ply = 6;
    check_labels(*state, options, "early");
    options.selectivity = 73;
    check_labels(*state, options, "selective");
    options.first_ply = 49, options.last_ply = 54, options.depth = 11;
    options.layout = WILLOW_LAYOUT_PLIES;
    check_labels(*state, options, "selective-to-the-end");
}

static uint64_t count_rows(const struct fixture *fixture, const char *target, int flag)
{
    char path[SCRATCH_PATH];
    size_t count;
    uint64_t found = 0;
    struct willow_row *rows = datasets_rows(scratch_join(path, fixture->folder, target), &count);
    for (size_t i = 0; i < count; i++)
        found += (rows[i].flags & flag) != 0;
    free(rows);
    return found;
}

/* Of the plies that are not solved here, half the rows keep the exact score that they have. */
static void exact_scores_stay_and_become_results(void **state)
{
    struct relabel_options options = options_of(*state, NULL);
    options.first_ply = EXACT_PLY, options.last_ply = 60 - EXACT - 1;
    check_labels(*state, options, "kept");
    assert_true(count_rows(*state, "kept-1", WILLOW_ROW_EXACT) > 20);
    options.last_ply = 56, options.results = true;
    check_labels(*state, options, "solved");
    assert_true(count_rows(*state, "solved-1", WILLOW_ROW_SOLVED_RESULT) > 20);
    struct relabel_summary summary;
    struct willow_error error;
    options.exact = 0;
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_ARGUMENT);
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
        late += rows[i].game >= GAMES;
    assert_in_range(late, 20, 80); /* not the first games alone */
    free(rows);
    options.limit = 1000000;
    options.target = scratch_join(target, fixture->folder, "thick");
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.rows, summary.rows_source);
}

static bool game_rows_equal(const struct willow_game_row *a, const struct willow_game_row *b)
{
    return a->id == b->id && a->opening_plies == b->opening_plies && a->result == b->result && a->length == b->length &&
           a->black_weights == b->black_weights && a->white_weights == b->white_weights &&
           memcmp(a->moves, b->moves, sizeof a->moves) == 0;
}

static void check_shard(const struct fixture *fixture, const char *target, uint32_t number)
{
    char name[32], path[SCRATCH_PATH];
    struct willow_shard_info info, old_info;
    struct willow_row *rows;
    struct willow_game_row *games, *old_games;
    struct audit audit = {.ruleset = willow_ruleset_default()};
    (void)snprintf(name, sizeof name, "shard-%06u.h5", (unsigned)number);
    assert_int_equal(willow_shard_read(scratch_join(path, target, name), &info, &rows, &games, NULL), WILLOW_OK);
    assert_int_equal(willow_shard_read(scratch_join(path, fixture->source, name), &old_info, NULL, &old_games, NULL),
                     WILLOW_OK);
    assert_int_equal(info.rows, old_info.rows);
    assert_int_equal(info.games, GAMES);
    assert_int_equal(info.first_game, old_info.first_game);
    for (int i = 0; i < GAMES; i++)
        assert_true(game_rows_equal(&games[i], &old_games[i]));
    assert_int_equal(audit_shard(&audit, &info, rows, games, NULL), WILLOW_OK);
    assert_int_equal(audit.faults, 0);
    free(rows);
    free(games);
    free(old_games);
}

static void whole_sources_keep_shards_and_games(void **state)
{
    struct fixture *fixture = *state;
    char target[SCRATCH_PATH], path[SCRATCH_PATH];
    struct relabel_summary summary;
    struct willow_error error;
    struct relabel_options options = options_of(fixture, scratch_join(target, fixture->folder, "whole"));
    options.first_ply = 0, options.last_ply = 60;
    options.depth = 1, options.results = true;
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_ARGUMENT); /* rows of a shard are fixed */
    options.shard_rows = 0;
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_OK);
    assert_int_equal(summary.rows, fixture->count);
    assert_int_equal(summary.games, 2 * GAMES);
    assert_int_equal(summary.shards, 2);
    check_shard(fixture, target, 0);
    check_shard(fixture, target, 1);
    assert_int_equal(unlink(scratch_join(path, target, "manifest.json")), 0);
    assert_int_equal(unlink(scratch_join(path, target, "shard-000001.h5")), 0);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_OK);
    assert_true(summary.rows_found > 0 && summary.rows_found < fixture->count);
    assert_int_equal(summary.rows_found + summary.rows_new, fixture->count);
    check_shard(fixture, target, 1);
    options.target = scratch_join(target, fixture->folder, "part");
    options.last_ply = 59;
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_OK);
    assert_int_equal(summary.games, 0);
}

/* Shards without rows, first, last and in between, stay too: they may hold games. */
static void empty_shards_of_whole_sources_stay(void **state)
{
    struct fixture *fixture = *state;
    char source[SCRATCH_PATH], folder[SCRATCH_PATH];
    struct relabel_summary summary;
    struct target made;
    struct willow_game_row *games;
    size_t count;
    struct willow_row *rows = datasets_random_games(SEED, 0, GAMES, &games, &count);
    const struct target_options how = {.folder = scratch_join(source, fixture->folder, "holes"),
                                       .configuration = "holes: true\n",
                                       .ruleset = willow_ruleset_default(),
                                       .tool = "test",
                                       .weights = "",
                                       .labels = "none"};
    assert_int_equal(target_open(&made, &how, false, NULL), WILLOW_OK);
    assert_int_equal(target_add(&made, NULL, 0, games, 1, NULL), WILLOW_OK);
    assert_int_equal(target_add(&made, rows, count, games, GAMES, NULL), WILLOW_OK);
    assert_int_equal(target_add(&made, NULL, 0, NULL, 0, NULL), WILLOW_OK);
    assert_int_equal(target_finish(&made, NULL), WILLOW_OK);
    target_close(&made);
    free(rows);
    free(games);
    struct relabel_options options = options_of(fixture, scratch_join(folder, fixture->folder, "filled"));
    options.source = source;
    options.first_ply = 0, options.last_ply = 60;
    options.depth = 1, options.exact = 0, options.shard_rows = 0;
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.shards, 3);
    assert_int_equal(summary.rows, count);
    assert_int_equal(summary.games, GAMES + 1);
}

static void the_seed_stays(void **state)
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
    assert_int_equal(manifest.shards[0].rows, SHARD_ROWS);
    willow_manifest_clear(&manifest);
}

/* Relabels into a folder of this name and gives its rows. */
static struct willow_row *undisturbed(const struct fixture *fixture, struct relabel_options options, const char *name,
                                      size_t *count)
{
    char target[SCRATCH_PATH];
    struct relabel_summary summary;
    options.target = scratch_join(target, fixture->folder, name);
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    return datasets_rows(target, count);
}

static void check_finished(const struct relabel_options *options, const struct willow_row *wanted, size_t wanted_count)
{
    size_t count;
    struct willow_row *rows = datasets_rows(options->target, &count);
    assert_true(datasets_rows_equal(rows, count, wanted, wanted_count));
    assert_int_equal(scratch_count(options->target, ".tmp"), 0);
    free(rows);
}

struct stopper {
    struct willow_stop *stop;
    uint64_t rows; /* stop once so many are done */
};

static void stop_after(void *context, const struct relabel_progress *progress)
{
    struct stopper *stopper = context;
    if (progress->rows_done >= stopper->rows)
        willow_stop_set(stopper->stop, true);
}

static void stopped_ones_go_on(void **state)
{
    struct fixture *fixture = *state;
    char target[SCRATCH_PATH], path[SCRATCH_PATH];
    struct relabel_summary summary;
    struct stopper stopper = {.rows = 0};
    size_t count;
    struct relabel_options options = options_of(fixture, scratch_join(target, fixture->folder, "labels"));
    options.shard_rows = 50;
    struct willow_row *wanted = undisturbed(fixture, options, "wanted", &count);
    assert_int_equal(willow_stop_new(&stopper.stop, NULL), WILLOW_OK);
    options.stop = stopper.stop, options.progress = stop_after, options.context = &stopper;
    willow_stop_set(stopper.stop, true);
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_ERR_STOPPED);
    willow_stop_set(stopper.stop, false);
    stopper.rows = UINT64_MAX;
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    check_finished(&options, wanted, count);
    /* As a kill leaves it: some shards, the next as a torn temporary file, no manifest. */
    assert_int_equal(unlink(scratch_join(path, target, "manifest.json")), 0);
    assert_int_equal(unlink(scratch_join(path, target, "shard-000005.h5")), 0);
    scratch_write(scratch_join(path, target, "shard-000005.h5.tmp"), "half", 4);
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.rows_found, 5 * 50);
    assert_int_equal(summary.rows_new, count - 5 * 50);
    check_finished(&options, wanted, count);
    /* All shards are there. */
    assert_int_equal(unlink(scratch_join(path, target, "manifest.json")), 0);
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(summary.rows_new, 0);
    check_finished(&options, wanted, count);
    willow_stop_free(stopper.stop);
    free(wanted);
}

/* Runs the relabelling in a process of its own and kills it after so long. True when it ended before. */
static bool killed_after(const struct relabel_options *options, unsigned delay_us)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct relabel_summary summary;
        _exit(relabel_dataset(options, &summary, NULL) == WILLOW_OK ? 0 : 1);
    }
    int state;
    (void)usleep(delay_us);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_true(WIFSIGNALED(state) || WEXITSTATUS(state) == 0);
    return !WIFSIGNALED(state);
}

static void check_kills(const struct fixture *fixture, struct relabel_options options, const char *name, int kills)
{
    char target[SCRATCH_PATH];
    struct relabel_summary summary;
    struct willow_random random;
    size_t count;
    uint64_t start_ns = willow_clock_ns();
    struct willow_row *wanted = undisturbed(fixture, options, "undisturbed", &count);
    uint32_t longest_us = (uint32_t)((willow_clock_ns() - start_ns) / 4000) + 1;
    options.target = scratch_join(target, fixture->folder, name);
    willow_random_init(&random, 4, 4);
    for (int i = 0; i < kills; i++)
        if (killed_after(&options, (unsigned)willow_random_below(&random, longest_us))) {
            check_finished(&options, wanted, count);
            scratch_remove(target);
        }
    if (scratch_count(fixture->folder, name) == 0 || scratch_count(target, "manifest.json") == 0)
        assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    check_finished(&options, wanted, count);
    free(wanted);
}

static void kills_lose_no_shard_and_change_no_row(void **state)
{
    struct relabel_options options = options_of(*state, NULL);
    options.depth = 3, options.first_ply = 20, options.shard_rows = 60;
    check_kills(*state, options, "killed", 10);
}

/* What was done is not mixed with what another source, or other options, would give. */
static void foreign_shards_are_refused(void **state)
{
    struct fixture *fixture = *state;
    char target[SCRATCH_PATH], path[SCRATCH_PATH];
    struct relabel_summary summary;
    struct willow_error error;
    struct relabel_options options = options_of(fixture, scratch_join(target, fixture->folder, "labels"));
    options.depth = 1, options.exact = 0;
    assert_int_equal(relabel_dataset(&options, &summary, NULL), WILLOW_OK);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_BUSY);
    assert_int_equal(unlink(scratch_join(path, target, "manifest.json")), 0);
    options.depth = 2;
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_BUSY);
    assert_non_null(strstr(error.reason, "origin.yaml"));
    options.depth = 1;
    /* Same configuration, other rows. */
    scratch_remove(fixture->source);
    assert_int_equal(mkdir(fixture->source, 0777), 0);
    assert_true(datasets_write_random(fixture->source, SEED, 2, GAMES, NULL, NULL));
    struct willow_manifest manifest;
    assert_int_equal(willow_manifest_read(fixture->source, &manifest, NULL), WILLOW_OK);
    manifest.configuration_checksum[0] = '\0';
    assert_int_equal(willow_manifest_write(fixture->source, &manifest, NULL), WILLOW_OK);
    willow_manifest_clear(&manifest);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_MISMATCH);
    assert_string_equal(error.file, fixture->source);
    /* A run whose manifest was lost is not a relabelling. */
    assert_int_equal(unlink(scratch_join(path, target, "origin.yaml")), 0);
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_BUSY);
    options.source = options.target = fixture->source;
    assert_int_equal(relabel_dataset(&options, &summary, &error), WILLOW_ERR_BUSY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(labels_equal_single_searches_for_any_threads, setup, teardown),
        cmocka_unit_test_setup_teardown(exact_scores_stay_and_become_results, setup, teardown),
        cmocka_unit_test_setup_teardown(limits_thin_evenly, setup, teardown),
        cmocka_unit_test_setup_teardown(whole_sources_keep_shards_and_games, setup, teardown),
        cmocka_unit_test_setup_teardown(empty_shards_of_whole_sources_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(the_seed_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(stopped_ones_go_on, setup, teardown),
        cmocka_unit_test_setup_teardown(kills_lose_no_shard_and_change_no_row, setup, teardown),
        cmocka_unit_test_setup_teardown(foreign_shards_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
