/* Shuffling: every row once, every game whole and in the shard of its hash, the same result whatever the memory, and
 * shards as even as chance makes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/tools/shuffle.h"
#include "support/two_runs.h"

enum { SHARDS = 2, GAMES = 150, SHARD_ROWS = 2000, LARGE = 1 << 28, NEW_SHARDS_MAX = 32 };

static int setup(void **state)
{
    *state = two_runs_new(SHARDS, GAMES, NULL);
    return 0;
}

static int teardown(void **state)
{
    two_runs_free(*state);
    return 0;
}

static struct shuffle_summary shuffle(struct two_runs *fixture, uint64_t seed, size_t memory_bytes)
{
    const char *folders[] = {fixture->first, fixture->second};
    struct shuffle_summary summary;
    const struct shuffle_options options = {.rewrite = {.folders = folders,
                                                        .count = 2,
                                                        .target = two_runs_folder(fixture, fixture->out),
                                                        .shard_rows = SHARD_ROWS,
                                                        .memory_bytes = memory_bytes,
                                                        .tool = "test"},
                                            .seed = seed};
    assert_int_equal(shuffle_datasets(&options, &summary, NULL), WILLOW_OK);
    return summary;
}

static void every_row_is_there_once(void **state)
{
    struct two_runs *fixture = *state;
    size_t counts[2], count;
    struct willow_row *first = datasets_rows(fixture->first, &counts[0]);
    struct willow_row *second = datasets_rows(fixture->second, &counts[1]);
    first = realloc(first, (counts[0] + counts[1]) * sizeof *first);
    for (size_t i = 0; i < counts[1]; i++) {
        second[i].game += (uint64_t)SHARDS * GAMES;
        first[counts[0] + i] = second[i];
    }
    const struct shuffle_summary summary = shuffle(fixture, 5, LARGE);
    struct willow_row *got = datasets_rows(fixture->out, &count);
    assert_int_equal(summary.rewrite.rows, count);
    assert_int_equal(summary.passes, 1);
    assert_int_equal(summary.rewrite.shards, (count + SHARD_ROWS - 1) / SHARD_ROWS);
    two_runs_sort(first, counts[0] + counts[1]);
    two_runs_sort(got, count);
    assert_true(datasets_rows_equal(got, count, first, counts[0] + counts[1]));
    free(first);
    free(second);
    free(got);
}

static void memory_does_not_matter_and_the_seed_does(void **state)
{
    struct two_runs *fixture = *state;
    size_t count, again_count, other_count;
    shuffle(fixture, 5, LARGE);
    struct willow_row *rows = datasets_rows(fixture->out, &count);
    const struct shuffle_summary summary = shuffle(fixture, 5, 400000);
    assert_in_range(summary.passes, 3, summary.rewrite.shards - 1);
    struct willow_row *again = datasets_rows(fixture->out, &again_count);
    assert_true(datasets_rows_equal(rows, count, again, again_count));
    assert_int_equal(shuffle(fixture, 6, 0).passes, summary.rewrite.shards);
    struct willow_row *other = datasets_rows(fixture->out, &other_count);
    assert_int_equal(other_count, count);
    size_t same = 0;
    for (size_t i = 0; i < count; i++)
        same += rows[i].game == other[i].game;
    assert_true(same < count / 10);
    free(rows);
    free(again);
    free(other);
}

/* The games of each shard are binomial with 600 draws of 1/18: 33 with a deviation of 5.6. From each source as many,
 * within the same chance. */
static void shards_are_fair_samples(void **state)
{
    struct two_runs *fixture = *state;
    const struct shuffle_summary summary = shuffle(fixture, 7, LARGE);
    const double share = 1.0 / (double)summary.rewrite.shards;
    double chi_square[2] = {0, 0};
    bool met[2 * SHARDS * GAMES] = {false};
    assert_in_range(summary.rewrite.shards, 10, NEW_SHARDS_MAX);
    for (uint64_t s = 0; s < summary.rewrite.shards; s++) {
        struct willow_shard_info info;
        struct willow_row *rows;
        struct willow_game_row *games;
        int counts[2] = {0, 0};
        two_runs_shard(fixture->out, (uint32_t)s, &info, &rows, &games);
        for (uint64_t i = 0; i < info.games; i++) {
            assert_false(met[games[i].id]);
            assert_true(i == 0 || games[i].id > games[i - 1].id);
            met[games[i].id] = true;
            counts[games[i].id >= (uint64_t)SHARDS * GAMES]++;
        }
        for (uint64_t i = 0, game; i < info.rows; i++) {
            for (game = 0; game < info.games && games[game].id != rows[i].game;)
                game++;
            assert_true(game < info.games);
        }
        for (int source = 0; source < 2; source++) {
            const double expected = share * SHARDS * GAMES, off = counts[source] - expected;
            chi_square[source] += off * off / expected;
        }
        free(rows);
        free(games);
    }
    /* With 17 degrees of freedom, below 5.7 and above 35.7 once in 200 times each. */
    for (int source = 0; source < 2; source++) {
        assert_true(chi_square[source] > 5.7 * (double)(summary.rewrite.shards - 1) / 17);
        assert_true(chi_square[source] < 35.7 * (double)(summary.rewrite.shards - 1) / 17);
    }
    for (int i = 0; i < 2 * SHARDS * GAMES; i++)
        assert_true(met[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_there_once),
        cmocka_unit_test(memory_does_not_matter_and_the_seed_does),
        cmocka_unit_test(shards_are_fair_samples),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
