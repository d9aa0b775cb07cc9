/* Labels of rows, and the split into fitted and held-out games: no game is ever on both sides. */
#include "support/datasets.h"
#include "support/scratch.h"
#include "trainer/samples/labels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 100, SHARDS = 3, ALL_GAMES = SHARDS * GAMES };

/* Two datasets with the same games but other seeds in the manifest would hide a wrong seed, so the seeds differ. The
 * score names the game: the label of a sample says where it came from. */
static char first_folder[] = "split-data-a", second_folder[] = "split-data-b";

static void name_game(struct willow_row *row, void *context)
{
    row->score = (int16_t)((int)row->game + *(const int *)context);
    row->depth = 1;
}

static int set_up(void **state)
{
    (void)state;
    int base = 0;
    scratch_remove(first_folder);
    scratch_remove(second_folder);
    if (!datasets_write_random(first_folder, 11, SHARDS, GAMES, name_game, &base))
        return -1;
    base = ALL_GAMES;
    return datasets_write_random(second_folder, 12, SHARDS, GAMES, name_game, &base) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(first_folder);
    scratch_remove(second_folder);
    return 0;
}

/* Notes for every game whether training (bit 0) and held-out (bit 1) samples came from it. Returns the samples. */
static uint64_t load(const struct label_options *options, int first_ply, int last_ply, unsigned char *seen)
{
    struct willow_error error;
    struct label_source sources[2];
    struct samples *samples = NULL;
    assert_int_equal(label_source_open(first_folder, &sources[0], &error), WILLOW_OK);
    assert_int_equal(label_source_open(second_folder, &sources[1], &error), WILLOW_OK);
    assert_int_equal(samples_new(".", &samples, &error), WILLOW_OK);
    assert_int_equal(labels_load(sources, 2, first_ply, last_ply, willow_ruleset_othello(), options, samples, &error),
                     WILLOW_OK);
    const uint64_t rows = samples_rows(samples);
    struct sample *all = calloc(rows + 1, sizeof *all);
    assert_non_null(all);
    assert_int_equal(samples_read(samples, 0, rows, all, &error), WILLOW_OK);
    uint64_t held_out = 0;
    for (uint64_t i = 0; i < rows; i++) {
        int game = (int)lrintf(all[i].label);
        assert_in_range(game, 0, 2 * ALL_GAMES - 1);
        assert_true(all[i].held_out <= 1);
        int ply = willow_board_discs(all[i].board) - 4;
        assert_in_range(ply, first_ply, last_ply);
        seen[game] |= all[i].held_out ? 2 : 1;
        held_out += all[i].held_out;
    }
    assert_int_equal(held_out, samples_held_out(samples));
    free(all);
    samples_free(samples);
    return rows;
}

static void test_no_game_on_both_sides(void **state)
{
    (void)state;
    struct label_options options = {.kind = LABEL_SCORE, .held_out = 0.25};
    unsigned char seen[2 * ALL_GAMES] = {0};
    /* Loaded in parts, as the stages are: the side of a game must not depend on the part. */
    uint64_t rows = load(&options, 0, 20, seen);
    rows += load(&options, 21, 21, seen);
    rows += load(&options, 22, 60, seen);
    unsigned char whole[2 * ALL_GAMES] = {0};
    assert_int_equal(load(&options, 0, 60, whole), rows);
    int held_out[2] = {0, 0}, differ = 0;
    for (int game = 0; game < 2 * ALL_GAMES; game++) {
        assert_true(seen[game] == 1 || seen[game] == 2);
        assert_int_equal(seen[game], whole[game]);
        held_out[game / ALL_GAMES] += seen[game] == 2;
        uint64_t seed = game < ALL_GAMES ? 11 : 12;
        assert_int_equal(seen[game] == 2, willow_game_held_out(seed, (uint64_t)(game % ALL_GAMES), 0.25));
        differ += game < ALL_GAMES && seen[game] != whole[game + ALL_GAMES];
    }
    /* 75 expected of 300; the choice is fixed, so this cannot fail by chance later. */
    assert_in_range(held_out[0], 50, 100);
    assert_in_range(held_out[1], 50, 100);
    assert_true(differ > 50); /* each dataset is split by its own seed */
}

static void test_seed_and_share(void **state)
{
    (void)state;
    unsigned char own[2 * ALL_GAMES] = {0}, other[2 * ALL_GAMES] = {0}, none[2 * ALL_GAMES] = {0};
    struct label_options options = {.kind = LABEL_SCORE, .held_out = 0.25};
    load(&options, 30, 32, own);
    options.has_seed = true;
    options.seed = 99;
    load(&options, 30, 32, other);
    assert_memory_not_equal(own, other, sizeof own);
    assert_memory_equal(other, other + ALL_GAMES, ALL_GAMES); /* one seed for all: the same ids are held out */
    options.held_out = 0.0;
    load(&options, 30, 32, none);
    for (int game = 0; game < 2 * ALL_GAMES; game++)
        assert_true(none[game] <= 1);
}

static float label(enum label_kind kind, double result_weight, int score, uint8_t flags)
{
    struct label_options options = {.kind = kind, .result_weight = result_weight};
    struct willow_row row = {.score = (int16_t)score, .result = -6, .flags = flags, .ply = 20, .game = 5};
    float value = NAN;
    assert_int_equal(label_of_row(&options, &row, &value, NULL), WILLOW_OK);
    return value;
}

static void test_labels(void **state)
{
    (void)state;
    const float result = -6.0F * WILLOW_SCORE_DISC;
    assert_true(label(LABEL_AUTO, 0.0, 100, 0) == 100.0F);
    assert_true(label(LABEL_AUTO, 0.0, WILLOW_SCORE_MISSING, 0) == result);
    assert_true(label(LABEL_AUTO, 0.5, 100, 0) == 0.5F * result + 50.0F);
    assert_true(label(LABEL_AUTO, 1.0, 100, 0) == result);
    assert_true(label(LABEL_AUTO, 0.5, 96, WILLOW_ROW_EXACT) == 96.0F); /* exact scores are never blended */
    assert_true(label(LABEL_AUTO, 0.5, WILLOW_SCORE_MISSING, 0) == result);
    assert_true(label(LABEL_SCORE, 0.5, 100, 0) == 100.0F);
    assert_true(label(LABEL_RESULT, 0.0, 100, WILLOW_ROW_EXACT) == result);

    struct label_options options = {.kind = LABEL_SCORE};
    struct willow_row row = {.score = WILLOW_SCORE_MISSING, .ply = 20, .game = 5};
    struct willow_error error;
    float value;
    assert_int_equal(label_of_row(&options, &row, &value, &error), WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, "game 5 ply 20");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_game_on_both_sides),
        cmocka_unit_test(test_seed_and_share),
        cmocka_unit_test(test_labels),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
