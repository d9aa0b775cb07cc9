/* The label of every row of imported games against a slow replay: sign of the mover, passes, early ends, draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/tools/import.h"
#include "support/datasets.h"
#include "support/referee.h"
#include "support/scratch.h"

/* Black's final difference, as the file says it. */
static const int finals[] = {64, 62, 0, -64, 0, 0};
enum { GAMES = sizeof finals / sizeof *finals };

static int compare_rows(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    return a->game != b->game ? (a->game > b->game) - (a->game < b->game) : a->ply - b->ply;
}

/* The moves of the next game of the file; false at its end. */
static bool next_game(FILE *file, char line[256])
{
    while (fgets(line, 256, file))
        if (line[0] != '#')
            return true;
    return false;
}

/* Compares the rows of one game, of which the first is *row, and moves on to those of the next. */
static void check_game(const char *moves, int final, const struct willow_row **row, const struct willow_row *end)
{
    struct referee board = referee_from_words(UINT64_C(0x0000000810000000), UINT64_C(0x0000001008000000), UINT64_MAX);
    bool black = true, after_pass = false;
    for (const char *at = moves; *at > ' '; at += 2, (*row)++) {
        uint64_t player, opponent;
        const int square = ((at[0] | 32) - 'a') + 8 * (at[1] - '1');
        after_pass = referee_moves(&board) == 0;
        if (after_pass) {
            board = referee_play(&board, 64);
            black = !black;
        }
        assert_true(*row < end);
        referee_to_words(&board, &player, &opponent);
        assert_int_equal((*row)->player, player);
        assert_int_equal((*row)->opponent, opponent);
        assert_int_equal((*row)->move, square);
        assert_int_equal((*row)->result, black ? final : -final);
        assert_int_equal((*row)->score, WILLOW_SCORE_MISSING);
        assert_int_equal(((*row)->flags & WILLOW_ROW_AFTER_PASS) != 0, after_pass);
        assert_true(referee_flips(&board, square) != 0);
        board = referee_play(&board, square);
        black = !black;
    }
    assert_true(referee_over(&board));
    assert_int_equal(referee_final_discs(&board), black ? final : -final);
}

static void test_labels_are_those_of_a_replay(void **state)
{
    (void)state;
    static const char *const files[] = {TEST_DATA "/label-games.txt"};
    char scratch[SCRATCH_PATH], folder[SCRATCH_PATH], line[256];
    scratch_make(scratch);
    const struct import_options options = {.ruleset = willow_ruleset_default(),
                                           .files = files,
                                           .count = 1,
                                           .by_name = true,
                                           .folder = scratch_join(folder, scratch, "imported"),
                                           .seed = 1,
                                           .shard_games = 4,
                                           .tool = "test"};
    struct import_summary summary;
    struct willow_error error = {0};
    if (import_games(&options, &summary, &error) != WILLOW_OK)
        fail_msg("%s: %s", error.place, error.reason);
    assert_int_equal(summary.games, GAMES);
    size_t count;
    struct willow_row *rows = datasets_rows(folder, &count);
    qsort(rows, count, sizeof *rows, compare_rows);
    const struct willow_row *row = rows;
    FILE *file = fopen(files[0], "r");
    assert_non_null(file);
    for (int game = 0; game < GAMES; game++) {
        assert_true(next_game(file, line));
        check_game(line, finals[game], &row, rows + count);
    }
    assert_false(next_game(file, line));
    assert_ptr_equal(row, rows + count);
    (void)fclose(file);
    free(rows);
    scratch_remove(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_labels_are_those_of_a_replay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
