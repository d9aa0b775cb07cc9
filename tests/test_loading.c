/* From datasets to labelled rows: the split into fitted and held-out games, the distance from random moves, and what is
 * wrong with the data. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

#include <cmocka.h>

#include <willow/file.h>
#include <willow/random.h>

#include "support/datasets.h"
#include "support/scratch.h"
#include "trainer/samples/loading.h"
#include "trainer/samples/random_moves.h"

enum { GAMES = 100, SHARDS = 3, ALL_GAMES = SHARDS * GAMES, ALL_PLIES = 61 };

/* The datasets have other seeds, for the same one would hide a wrong choice of it. The score names the game, so that
 * the label of a sample says where it came from. */
struct folders {
    char base[SCRATCH_PATH], first[SCRATCH_PATH], second[SCRATCH_PATH];
    struct willow_ranks *ranks;
};

static int move_is_random(uint64_t game, int ply)
{
    const uint64_t key[2] = {game, (uint64_t)ply};
    return ply >= 0 && willow_checksum64(key, sizeof key) % 7 == 0;
}

static void name_game(struct willow_row *row, void *context)
{
    row->score = (int16_t)((int)row->game + *(const int *)context);
    row->depth = 1;
    row->flags = (uint8_t)(move_is_random(row->game, row->ply) ? WILLOW_ROW_RANDOM : 0);
}

static int set_up(void **state)
{
    static struct folders folders;
    int base = 0;
    *state = &folders;
    if (willow_ranks_start(&folders.ranks, NULL) != WILLOW_OK)
        return -1;
    scratch_make(folders.base);
    scratch_join(folders.first, folders.base, "first");
    scratch_join(folders.second, folders.base, "second");
    if (!datasets_write_random(folders.first, 11, SHARDS, GAMES, name_game, &base))
        return -1;
    base = ALL_GAMES;
    return datasets_write_random(folders.second, 12, SHARDS, GAMES, name_game, &base) ? 0 : -1;
}

static int tear_down(void **state)
{
    const struct folders *folders = *state;
    scratch_remove(folders->base);
    willow_ranks_end(folders->ranks);
    return 0;
}

static struct loading_options options_of(const struct label_rules *rules, int first, int last)
{
    return (struct loading_options){
        .ruleset = willow_ruleset_default(), .first_ply = first, .last_ply = last, .rules = rules};
}

static enum willow_status run(const struct folders *folders, const struct loading_options *options,
                              struct samples **samples, struct loading_report *report, struct willow_error *error)
{
    struct label_source sources[2];
    assert_int_equal(label_source_open(folders->first, &sources[0], error), WILLOW_OK);
    assert_int_equal(label_source_open(folders->second, &sources[1], error), WILLOW_OK);
    assert_int_equal(samples_new(folders->base, samples, error), WILLOW_OK);
    return loading_run(sources, 2, options, *samples, report, error);
}

/* Which games (by label) had rows of each ply on each side. */
struct seen {
    unsigned char sides[ALL_PLIES][2 * ALL_GAMES];
};

/* Notes in *seen, bit 0 = training and bit 1 = held out. Returns the samples of each part. */
static void load(const struct folders *folders, const struct loading_options *options, struct seen *seen,
                 uint64_t counts[SAMPLE_PARTS])
{
    static struct sample rows[SAMPLE_BLOCK_ROWS];
    struct willow_error error;
    struct samples *samples = NULL;
    struct loading_report report;
    assert_int_equal(run(folders, options, &samples, &report, &error), WILLOW_OK);
    uint64_t all = 0, verdicts = 0;
    for (int ply = 0; ply < ALL_PLIES; ply++)
        for (int part = 0; part < SAMPLE_PARTS; part++)
            for (size_t block = 0; block < samples_blocks(samples, ply, (enum sample_part)part); block++) {
                size_t count;
                assert_int_equal(samples_read(samples, ply, (enum sample_part)part, block, rows, &count, &error),
                                 WILLOW_OK);
                assert_true(ply >= options->first_ply && ply <= options->last_ply);
                for (size_t i = 0; i < count; i++) {
                    const long game = lrintf(rows[i].label);
                    assert_in_range(game, 0, 2 * ALL_GAMES - 1);
                    assert_int_equal(willow_board_discs(rows[i].board) - 4, ply);
                    assert_int_equal(rows[i].kind, SAMPLE_SCORE);
                    seen->sides[ply][game] |= part == SAMPLE_TRAIN ? 1 : 2;
                }
                counts[part] += count;
                all += count;
            }
    for (int i = 0; i < LABEL_VERDICTS; i++)
        verdicts += report.verdicts[i];
    assert_true(verdicts == report.rows && report.verdicts[LABEL_KEPT] == all);
    samples_free(samples);
}

static void no_game_is_on_both_sides(void **state)
{
    const struct label_rules rules = label_rules_default();
    static struct seen parts, whole;
    uint64_t counts[SAMPLE_PARTS] = {0}, again[SAMPLE_PARTS] = {0};
    struct loading_options options = options_of(&rules, 0, 20);
    options.held_out = 0.25;
    /* Loaded in parts: the side of a game must not depend on the part. */
    memset(&parts, 0, sizeof parts);
    memset(&whole, 0, sizeof whole);
    load(*state, &options, &parts, counts);
    options.first_ply = options.last_ply = 21;
    load(*state, &options, &parts, counts);
    options.first_ply = 22;
    options.last_ply = 60;
    load(*state, &options, &parts, counts);
    options.first_ply = 0;
    load(*state, &options, &whole, again);
    assert_memory_equal(counts, again, sizeof counts);
    assert_memory_equal(&parts, &whole, sizeof parts);
    int held_out[2] = {0, 0}, differ = 0;
    unsigned char sides[2 * ALL_GAMES] = {0};
    for (int game = 0; game < 2 * ALL_GAMES; game++) {
        for (int ply = 0; ply < ALL_PLIES; ply++)
            sides[game] |= whole.sides[ply][game];
        assert_true(sides[game] == 1 || sides[game] == 2);
        held_out[game / ALL_GAMES] += sides[game] == 2;
        const uint64_t seed = game < ALL_GAMES ? 11 : 12;
        assert_int_equal(sides[game] == 2, willow_game_held_out(seed, (uint64_t)(game % ALL_GAMES), 0.25));
        differ += game >= ALL_GAMES && sides[game] != sides[game - ALL_GAMES];
    }
    /* 75 expected of 300; the choice is fixed, so this cannot fail by chance later. */
    assert_in_range(held_out[0], 50, 100);
    assert_in_range(held_out[1], 50, 100);
    assert_true(differ > 50); /* each dataset is split by its own seed */
}

static void seed_and_share_choose_the_games(void **state)
{
    const struct label_rules rules = label_rules_default();
    static struct seen own, other, none;
    uint64_t counts[SAMPLE_PARTS] = {0};
    struct loading_options options = options_of(&rules, 30, 32);
    options.held_out = 0.25;
    load(*state, &options, &own, counts);
    options.has_seed = true;
    options.seed = 99;
    load(*state, &options, &other, counts);
    assert_memory_not_equal(&own, &other, sizeof own);
    /* One seed for all: the same ids are held out. Random games may lack a row of a ply, but these have all. */
    assert_memory_equal(other.sides[30], other.sides[30] + ALL_GAMES, ALL_GAMES);
    counts[SAMPLE_HELD_OUT] = 0;
    options.held_out = 0.0;
    load(*state, &options, &none, counts);
    assert_int_equal(counts[SAMPLE_HELD_OUT], 0);
}

/* Every distance, from the flags of moves alone, as datasets of the first version have them. */
static void rows_near_random_moves_are_left_out(void **state)
{
    static const int ranges[][2] = {{0, 60}, {25, 40}, {31, 31}, {2, 29}};
    const struct folders *folders = *state;
    struct label_rules rules = label_rules_default();
    static struct seen all, near;
    memset(&all, 0, sizeof all);
    uint64_t counts[SAMPLE_PARTS] = {0};
    struct loading_options options = options_of(&rules, 0, 60);
    load(folders, &options, &all, counts);
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (int distance = 1; distance < 8; distance += 2) {
            options = options_of(&rules, ranges[r][0], ranges[r][1]);
            rules.random_distance = distance;
            memset(&near, 0, sizeof near);
            load(folders, &options, &near, counts);
            for (int ply = 0; ply < ALL_PLIES; ply++)
                for (int game = 0; game < 2 * ALL_GAMES; game++) {
                    bool wanted = all.sides[ply][game] && ply >= ranges[r][0] && ply <= ranges[r][1];
                    for (int d = 1; d <= distance && ply - d >= 0; d++) /* a game that passed has no row there */
                        wanted = wanted &&
                                 !(all.sides[ply - d][game] && move_is_random((uint64_t)(game % ALL_GAMES), ply - d));
                    assert_int_equal(near.sides[ply][game] != 0, wanted);
                }
        }
}

struct made_row {
    struct willow_row row;
    bool random; /* whether its move was */
};

enum { MADE_GAMES = 40, MADE_ROWS = 2 * MADE_GAMES * ALL_PLIES };

static unsigned block_plies; /* of the order of the rows that are sorted */

static int compare(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    const unsigned blocks[2] = {a->ply / block_plies, b->ply / block_plies};
    if (blocks[0] != blocks[1])
        return blocks[0] < blocks[1] ? -1 : 1;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->ply > b->ply) - (a->ply < b->ply);
}

/* A shard's rows of games that kept some of their rows, once in a while two of the same ply. */
static size_t make_shard(struct willow_random *random, bool flag_after, struct willow_row *rows)
{
    size_t count = 0;
    for (uint64_t game = 0; game < MADE_GAMES; game++) {
        const uint64_t id = 2 * game * game + willow_random_below(random, 2);
        const uint32_t keep = willow_random_below(random, 11), often = willow_random_below(random, 6);
        bool random_before = false;
        for (int ply = 0; ply < ALL_PLIES; ply++) {
            const bool now = willow_random_below(random, 10) < often;
            const uint32_t copies = willow_random_below(random, 10) >= keep ? 0
                                    : willow_random_below(random, 20) == 0  ? 2
                                                                            : 1;
            for (uint32_t copy = 0; copy < copies; copy++)
                rows[count++] = (struct willow_row){
                    .game = id,
                    .ply = (uint8_t)ply,
                    /* Merged games may say different things of the same ply. */
                    .flags = (uint8_t)((now && (copy == 0 || copies == 1) ? WILLOW_ROW_RANDOM : 0) |
                                       (flag_after && random_before ? WILLOW_ROW_AFTER_RANDOM : 0))};
            random_before = now;
        }
    }
    return count;
}

/* By looking at all rows of the game. */
static int slow_since(const struct willow_row *rows, size_t count, const struct willow_row *row)
{
    int since = INT_MAX;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].game != row->game || rows[i].ply > row->ply)
            continue;
        if (rows[i].flags & WILLOW_ROW_AFTER_RANDOM && row->ply - rows[i].ply < since)
            since = row->ply - rows[i].ply;
        if (rows[i].flags & WILLOW_ROW_RANDOM && rows[i].ply < row->ply && row->ply - 1 - rows[i].ply < since)
            since = row->ply - 1 - rows[i].ply;
    }
    return since;
}

static void distances_are_those_of_all_rows(void **state)
{
    (void)state;
    static const unsigned blocks[] = {30, 1, 7, 61};
    static struct willow_row rows[MADE_ROWS];
    struct random_moves moves = {0};
    struct willow_random random;
    int finite = 0, infinite = 0;
    willow_random_init(&random, 3, 1);
    for (int shard = 0; shard < 24; shard++) {
        const size_t count = make_shard(&random, shard % 3 > 0, rows);
        block_plies = blocks[shard % 4];
        qsort(rows, count, sizeof *rows, compare);
        random_moves_restart(&moves);
        for (size_t i = 0; i < count; i++) {
            int since = -1;
            assert_int_equal(random_moves_next(&moves, &rows[i], &since, NULL), WILLOW_OK);
            assert_int_equal(since, slow_since(rows, count, &rows[i]));
            finite += since < INT_MAX;
            infinite += since == INT_MAX;
        }
        assert_true(moves.before_room + moves.now_room <= 1024); /* bounded by the games of a shard */
    }
    assert_true(finite > 1000 && infinite > 1000);
    random_moves_clear(&moves);
}

/* What a store holds, whatever the order. */
struct contents {
    uint64_t digests[ALL_PLIES][2], rows[ALL_PLIES][SAMPLE_PARTS];
};

static struct contents contents_of(const struct samples *samples)
{
    struct contents contents = {0};
    for (int ply = 0; ply < ALL_PLIES; ply++) {
        samples_digest(samples, ply, contents.digests[ply]);
        for (int part = 0; part < SAMPLE_PARTS; part++)
            contents.rows[ply][part] = samples_rows(samples, ply, (enum sample_part)part);
    }
    return contents;
}

/* All ranks together load what one loads alone; with the only one, both are the same. */
static void ranks_share_the_rows(void **state)
{
    const struct folders *folders = *state;
    struct label_rules rules = label_rules_default();
    rules.random_distance = 3;
    struct loading_options options = options_of(&rules, 8, 55);
    options.held_out = 0.3;
    struct samples *alone = NULL, *share = NULL;
    struct loading_report whole, together;
    assert_int_equal(run(folders, &options, &alone, &whole, NULL), WILLOW_OK);
    options.ranks = folders->ranks;
    assert_int_equal(run(folders, &options, &share, &together, NULL), WILLOW_OK);
    assert_memory_equal(&whole, &together, sizeof whole);
    const struct contents wanted = contents_of(alone);
    struct contents sum = contents_of(share);
    const int ranks = willow_ranks_count(folders->ranks);
    assert_true(ranks == 1 || memcmp(&sum, &wanted, sizeof sum) != 0);
    int64_t values[sizeof sum / sizeof(int64_t)];
    memcpy(values, &sum, sizeof sum);
    assert_int_equal(willow_ranks_sum(folders->ranks, values, sizeof values / sizeof *values, NULL), WILLOW_OK);
    assert_memory_equal(values, &wanted, sizeof values);
    samples_free(alone);
    samples_free(share);
}

struct progress {
    uint64_t last, of;
    int calls;
};

static void note_progress(void *context, uint64_t rows, uint64_t of)
{
    struct progress *progress = context;
    assert_true(rows >= progress->last && rows <= of);
    *progress = (struct progress){rows, of, progress->calls + 1};
}

static void progress_ends_at_all_rows(void **state)
{
    const struct label_rules rules = label_rules_default();
    struct progress progress = {0};
    struct loading_options options = options_of(&rules, 10, 40);
    struct samples *samples = NULL;
    struct loading_report report;
    options.progress = note_progress;
    options.context = &progress;
    assert_int_equal(run(*state, &options, &samples, &report, NULL), WILLOW_OK);
    assert_true(progress.calls >= 1 && progress.last == progress.of && progress.of == report.rows);
    samples_free(samples);
}

static void stop_ends_the_reading(void **state)
{
    const struct label_rules rules = label_rules_default();
    struct willow_stop *stop = NULL;
    struct willow_error error;
    struct loading_options options = options_of(&rules, 0, 60);
    struct samples *samples = NULL;
    struct loading_report report;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    willow_stop_set(stop, true);
    options.stop = stop;
    assert_int_equal(run(*state, &options, &samples, &report, &error), WILLOW_ERR_STOPPED);
    samples_free(samples);
    willow_stop_free(stop);
}

static void expect_failure(const struct folders *folders, const struct loading_options *options,
                           enum willow_status status, const char *file, const char *reason)
{
    struct samples *samples = NULL;
    struct loading_report report;
    struct willow_error error = {0};
    assert_int_equal(run(folders, options, &samples, &report, &error), status);
    assert_non_null(strstr(error.file, file));
    assert_non_null(strstr(error.reason, reason));
    samples_free(samples);
}

/* One kind of reason for all rows, then two. */
static void all_rows_left_out_is_an_error_with_reasons(void **state)
{
    struct label_rules rules = label_rules_default();
    struct loading_options options = options_of(&rules, 0, 60);
    rules.weight[SAMPLE_SCORE] = 0.0;
    expect_failure(*state, &options, WILLOW_ERR_MISMATCH, "first", " are of a kind of weight 0");
    rules = label_rules_default();
    rules.missing = LABEL_MISSING_DROP;
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        rules.blend[ply] = (struct label_blend){.exact = 1.0F};
    expect_failure(*state, &options, WILLOW_ERR_MISMATCH, "first", " have nothing to fit");
    rules.drop_random = true;
    expect_failure(*state, &options, WILLOW_ERR_MISMATCH, "first", " have nothing to fit, ");
    expect_failure(*state, &options, WILLOW_ERR_MISMATCH, "first", " have a random move");
    rules.missing = LABEL_MISSING_ERROR;
    expect_failure(*state, &options, WILLOW_ERR_FORMAT, "first", "the position has no score to fit");
}

/* No position of ply 60 exists, for nobody could move there: no rows, and no error of the reading. */
static void an_empty_ply_is_no_error(void **state)
{
    const struct label_rules rules = label_rules_default();
    const struct loading_options options = options_of(&rules, 60, 60);
    struct samples *samples = NULL;
    struct loading_report report;
    assert_int_equal(run(*state, &options, &samples, &report, NULL), WILLOW_OK);
    assert_true(report.rows == 0 && report.verdicts[LABEL_KEPT] == 0);
    samples_free(samples);
}

/* A dataset without a single game: beside another one it adds nothing, before it or behind it; alone it has no rows. */
static void an_empty_dataset_adds_nothing(void **state)
{
    const struct folders *folders = *state;
    const struct label_rules rules = label_rules_default();
    const struct loading_options options = options_of(&rules, 0, 60);
    char empty[SCRATCH_PATH];
    scratch_join(empty, folders->base, "empty");
    assert_true(datasets_write_random(empty, 13, 1, 0, NULL, NULL));
    const char *const lists[][2] = {
        {folders->first, NULL}, {folders->first, empty}, {empty, folders->first}, {empty, NULL}};
    struct loading_report reports[4];
    for (int i = 0; i < 4; i++) {
        struct label_source sources[2];
        struct samples *samples = NULL;
        const size_t count = lists[i][1] ? 2 : 1;
        for (size_t k = 0; k < count; k++)
            assert_int_equal(label_source_open(lists[i][k], &sources[k], NULL), WILLOW_OK);
        assert_int_equal(samples_new(folders->base, &samples, NULL), WILLOW_OK);
        assert_int_equal(loading_run(sources, count, &options, samples, &reports[i], NULL), WILLOW_OK);
        samples_free(samples);
    }
    assert_true(reports[0].rows > 0);
    assert_memory_equal(&reports[1], &reports[0], sizeof reports[0]);
    assert_memory_equal(&reports[2], &reports[0], sizeof reports[0]);
    assert_true(reports[3].rows == 0);
}

static void shard_name(char path[SCRATCH_PATH], const char *folder, int number)
{
    char name[32];
    (void)snprintf(name, sizeof name, "shard-%06d.h5", number);
    scratch_join(path, folder, name);
}

/* Every byte between header and end that is changed: the reading ends with the name of the file, or all rows are there,
 * for a few bytes hold nothing. */
static void a_damaged_shard_is_named(void **state)
{
    const struct folders *folders = *state;
    const struct label_rules rules = label_rules_default();
    const struct loading_options options = options_of(&rules, 0, 60);
    char path[SCRATCH_PATH];
    size_t size;
    shard_name(path, folders->second, 1);
    unsigned char *data = scratch_read(path, &size);
    int noticed = 0;
    for (int i = 1; i <= 10; i++) {
        struct samples *samples = NULL;
        struct loading_report report;
        struct willow_error error = {0};
        const size_t at = size * (size_t)i / 11;
        data[at] ^= 0x10;
        scratch_write(path, data, size);
        data[at] ^= 0x10;
        if (run(folders, &options, &samples, &report, &error) != WILLOW_OK) {
            noticed++;
            assert_string_equal(error.file, path);
            assert_true(error.reason[0] != '\0');
        }
        samples_free(samples);
    }
    scratch_write(path, data, size);
    free(data);
    assert_true(noticed >= 5);
}

static void other_rulesets_and_versions_are_refused(void **state)
{
    const struct folders *folders = *state;
    const struct label_rules rules = label_rules_default();
    struct loading_options options = options_of(&rules, 0, 60);
    char path[SCRATCH_PATH];
    struct willow_ruleset other = *willow_ruleset_default();
    other.name = "anti";
    other.id++;
    options.ruleset = &other;
    expect_failure(folders, &options, WILLOW_ERR_MISMATCH, "first", "anti");
    options.ruleset = willow_ruleset_default();

    shard_name(path, folders->second, 2);
    size_t size;
    unsigned char *data = scratch_read(path, &size);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t attribute = H5Aopen(file, "version", H5P_DEFAULT);
    const uint32_t later = WILLOW_DATASET_VERSION + 1;
    assert_true(H5Awrite(attribute, H5T_NATIVE_UINT32, &later) >= 0 && H5Aclose(attribute) >= 0 && H5Fclose(file) >= 0);
    expect_failure(folders, &options, WILLOW_ERR_VERSION, "shard-000002", "version");
    scratch_write(path, data, size);
    free(data);

    struct label_source source;
    struct willow_error error;
    assert_int_equal(label_source_open("no-such-folder", &source, &error), WILLOW_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_game_is_on_both_sides),
        cmocka_unit_test(seed_and_share_choose_the_games),
        cmocka_unit_test(rows_near_random_moves_are_left_out),
        cmocka_unit_test(distances_are_those_of_all_rows),
        cmocka_unit_test(ranks_share_the_rows),
        cmocka_unit_test(progress_ends_at_all_rows),
        cmocka_unit_test(stop_ends_the_reading),
        cmocka_unit_test(all_rows_left_out_is_an_error_with_reasons),
        cmocka_unit_test(an_empty_ply_is_no_error),
        cmocka_unit_test(an_empty_dataset_adds_nothing),
        cmocka_unit_test(a_damaged_shard_is_named),
        cmocka_unit_test(other_rulesets_and_versions_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
