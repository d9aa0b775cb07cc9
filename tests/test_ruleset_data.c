/* Rows, shards and checks of every ruleset: what is written is read back, what does not belong is refused, and nothing
 * of another ruleset or another size of board is taken for one's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hdf5.h>

#include "selfplay/dataset/audit.h"
#include "selfplay/dataset/row.h"
#include "support/datasets.h"
#include "support/referee.h"
#include "support/scratch.h"

enum { GAMES = 20 };

/* One hole for all of them; a build leaves out those that it does not have. */
static const char *const names[] = {"othello",      "anti",    "reversi", "4x4",   "6x6",
                                    "6x6-parallel", "hole:c3", "hole:h8", "10x10", NULL};

static const struct willow_ruleset *next_ruleset(int *at)
{
    const struct willow_ruleset *ruleset = NULL;
    while (!ruleset && names[*at])
        ruleset = willow_ruleset_find(names[(*at)++]);
    return ruleset;
}

struct folder {
    char scratch[SCRATCH_PATH], data[SCRATCH_PATH], shard[SCRATCH_PATH];
    struct willow_shard_info info;
    struct willow_row *rows;
    struct willow_game_row *games;
};

static void keep_unscored(struct willow_row *row, void *context)
{
    (void)row;
    (void)context;
}

static void make(struct folder *folder, const struct willow_ruleset *ruleset)
{
    scratch_make(folder->scratch);
    scratch_join(folder->data, folder->scratch, ruleset->name);
    assert_true(datasets_write_of(ruleset, folder->data, 5, 1, GAMES, keep_unscored, NULL));
    scratch_join(folder->shard, folder->data, "shard-000000.h5");
    assert_int_equal(willow_shard_read(folder->shard, &folder->info, &folder->rows, &folder->games, NULL), WILLOW_OK);
}

static void clear(struct folder *folder)
{
    free(folder->rows);
    free(folder->games);
    scratch_remove(folder->scratch);
}

/* Board, side and move of a row at its place in the game, as the referee replays it. */
static void expect_replayed(const struct willow_ruleset *ruleset, const struct folder *folder,
                            const struct willow_game_row *game)
{
    struct referee referee = referee_of(ruleset, ruleset->start);
    uint64_t found = 0, wanted = 0;
    for (int i = 0; i < game->length; i++) {
        struct willow_board board;
        referee_to_words(&referee, &board.player, &board.opponent);
        const int ply = willow_board_discs(board) - 4;
        if (game->moves[i] != WILLOW_PASS)
            assert_true((referee_moves(&referee) & WILLOW_BIT(game->moves[i])) != 0);
        wanted += game->moves[i] != WILLOW_PASS && ply >= 0;
        for (uint64_t r = 0; r < folder->info.rows; r++) {
            const struct willow_row *row = &folder->rows[r];
            if (row->game != game->id || row->ply != ply || game->moves[i] == WILLOW_PASS)
                continue;
            assert_true(row->player == board.player && row->opponent == board.opponent);
            assert_int_equal(row->move, game->moves[i]);
            found++;
        }
        referee = referee_play(&referee, game->moves[i]);
    }
    assert_int_equal(found, wanted);
    assert_true(referee_over(&referee));
    const int discs = referee_final_discs(&referee);
    assert_int_equal(game->result, game->length % 2 == 0 ? discs : -discs);
    for (int i = game->length; i < WILLOW_GAME_MAX; i++)
        assert_int_equal(game->moves[i], WILLOW_NO_SQUARE);
}

static uint64_t faults(const struct willow_ruleset *ruleset, const struct folder *folder)
{
    struct audit audit = {.ruleset = ruleset};
    assert_int_equal(audit_shard(&audit, &folder->info, folder->rows, folder->games, NULL), WILLOW_OK);
    return audit.faults;
}

static void what_is_read_is_what_the_referee_replays(void **state)
{
    const struct willow_ruleset *ruleset;
    (void)state;
    for (int at = 0; (ruleset = next_ruleset(&at));) {
        struct folder folder;
        make(&folder, ruleset);
        assert_int_equal(folder.info.ruleset, ruleset->id);
        assert_int_equal(folder.info.games, GAMES);
        for (uint64_t i = 0; i < GAMES; i++)
            expect_replayed(ruleset, &folder, &folder.games[i]);
        assert_int_equal(faults(ruleset, &folder), 0);
        clear(&folder);
    }
}

static void expect_fault(const struct willow_ruleset *ruleset, struct willow_row row, const char *words)
{
    const char *fault = row_fault(ruleset, &row);
    if (!fault || !strstr(fault, words))
        fail_msg("%s: '%s' instead of '%s'", ruleset->name, fault ? fault : "no fault", words);
}

static void rows_know_the_board_of_their_ruleset(void **state)
{
    const struct willow_ruleset *ruleset;
    (void)state;
    for (int at = 0; (ruleset = next_ruleset(&at));) {
        struct folder folder;
        make(&folder, ruleset);
        const int squares = willow_ruleset_squares(ruleset);
        for (uint64_t i = 0; i < folder.info.rows; i++) {
            struct willow_row row = folder.rows[i];
            assert_null(row_fault(ruleset, &row));
            row.result = (int8_t)squares;
            assert_null(row_fault(ruleset, &row));
            row.result++;
            expect_fault(ruleset, row, "more discs than there are squares");
            row = folder.rows[i];
            row.score = (int16_t)(-squares * WILLOW_SCORE_DISC), row.depth = 1, row.selectivity = 100;
            row.flags |= WILLOW_ROW_EXACT;
            assert_null(row_fault(ruleset, &row));
            row.score = (int16_t)(row.score - WILLOW_SCORE_DISC);
            if (squares < WILLOW_SQUARES)
                expect_fault(ruleset, row, "flagged as exact and is of more discs");
            else
                expect_fault(ruleset, row, "more discs than there are squares");
            row = folder.rows[i];
            const willow_bits outside = WILLOW_BITS_ALL & ~ruleset->playable;
            if (outside) {
                row.player |= WILLOW_BIT(willow_bits_first(outside)), row.ply++;
                expect_fault(ruleset, row, "outside the board");
            }
        }
        clear(&folder);
    }
}

/* Who wins must turn with the ruleset, and a first disc that is missing is no board of it. */
static void the_audit_follows_the_ruleset(void **state)
{
    const struct willow_ruleset *ruleset;
    (void)state;
    for (int at = 0; (ruleset = next_ruleset(&at));) {
        struct folder folder;
        make(&folder, ruleset);
        uint64_t turned = 0;
        for (uint64_t i = 0; i < folder.info.games; i++) {
            turned += folder.games[i].result != 0;
            folder.games[i].result = (int8_t)-folder.games[i].result;
        }
        assert_true(turned > 0 && faults(ruleset, &folder) == turned);
        folder.info.games = 0;
        assert_int_equal(faults(ruleset, &folder), 0);
        const willow_bits first = ruleset->start.player | ruleset->start.opponent | ruleset->placement;
        folder.rows[0].player &= ~WILLOW_BIT(willow_bits_first(first));
        folder.rows[0].opponent &= ~WILLOW_BIT(willow_bits_first(first));
        assert_int_equal(faults(ruleset, &folder), 1);
        clear(&folder);
    }
}

static void set_text(const char *path, const char *name, const char *text)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    assert_true(H5Tset_size(type, strlen(text) + 1) >= 0 && H5Adelete(file, name) >= 0);
    hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, text) >= 0 && H5Aclose(attribute) >= 0 && H5Sclose(space) >= 0);
    assert_true(H5Tclose(type) >= 0 && H5Fclose(file) >= 0);
}

static void expect_refused(const char *path, enum willow_status wanted, const char *first, const char *second)
{
    struct willow_error error = {0};
    struct willow_row *rows;
    assert_int_equal(willow_shard_read(path, NULL, &rows, NULL, &error), wanted);
    assert_null(rows);
    if (!strstr(error.reason, first) || !strstr(error.reason, second))
        fail_msg("neither '%s' nor '%s' in '%s'", first, second, error.reason);
}

static void another_name_in_a_shard_is_noticed(void **state)
{
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    const bool wide = WILLOW_SQUARES > 64;
    struct folder folder;
    (void)state;
    make(&folder, ruleset);
    if (!wide) {
        set_text(folder.shard, "ruleset", "anti");
        expect_refused(folder.shard, WILLOW_ERR_FORMAT, "name and number", "do not agree");
    }
    set_text(folder.shard, "ruleset", wide ? "othello" : "10x10");
    expect_refused(folder.shard, WILLOW_ERR_FORMAT, "name and number", "do not agree");
    /* The kind of the other build, whatever else the shard says of itself. */
    set_text(folder.shard, "format", wide ? "willow-dataset" : "willow-wide-dataset");
    expect_refused(folder.shard, WILLOW_ERR_MISMATCH, wide ? "a dataset of othello" : "a dataset of 10x10",
                   wide ? "of 10x10" : "boards up to 8x8");
    set_text(folder.shard, "ruleset", ruleset->name);
    expect_refused(folder.shard, WILLOW_ERR_FORMAT, "is none for boards of", ruleset->name);
    set_text(folder.shard, "format", "other-dataset");
    expect_refused(folder.shard, WILLOW_ERR_FORMAT, "not a shard", "Willow");
    clear(&folder);
}

static void a_reader_names_both_rulesets(void **state)
{
    const struct willow_ruleset *anti = willow_ruleset_find("anti"), *small = willow_ruleset_find("6x6");
    struct willow_reader *reader;
    struct willow_error error = {0};
    struct folder folder;
    (void)state;
    if (!anti || !small)
        return;
    make(&folder, anti);
    const char *path = folder.data;
    assert_int_equal(willow_reader_open(&path, 1, 0, WILLOW_PLIES - 1, small, false, &reader, &error),
                     WILLOW_ERR_MISMATCH);
    assert_non_null(strstr(error.reason, "of ruleset anti, not of 6x6"));
    clear(&folder);
}

/* Listed or not, it counts for what it says itself. */
static void a_shard_of_another_ruleset_is_not_read(void **state)
{
    const struct willow_ruleset *othello = willow_ruleset_othello(), *reversi = willow_ruleset_find("reversi");
    struct willow_reader *reader;
    struct willow_error error = {0};
    struct folder folder, other;
    (void)state;
    if (!othello || !reversi)
        return;
    make(&folder, othello);
    make(&other, reversi);
    const char *path = folder.data;
    assert_int_equal(rename(other.shard, folder.shard), 0);
    assert_int_equal(willow_reader_open(&path, 1, 0, WILLOW_PLIES - 1, othello, false, &reader, &error),
                     WILLOW_ERR_MISMATCH);
    assert_non_null(strstr(error.reason, "the shard is of ruleset reversi, not othello"));
    clear(&other);
    clear(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_what_the_referee_replays),
        cmocka_unit_test(rows_know_the_board_of_their_ruleset),
        cmocka_unit_test(the_audit_follows_the_ruleset),
        cmocka_unit_test(another_name_in_a_shard_is_noticed),
        cmocka_unit_test(a_reader_names_both_rulesets),
        cmocka_unit_test(a_shard_of_another_ruleset_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
