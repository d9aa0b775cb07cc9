/* The full check of a shard: silent on good games, and every wrong label, move, board or record found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/search.h>

#include "selfplay/dataset/audit.h"
#include "support/games.h"
#include "support/scratch.h"

enum { GAMES = 12 };

struct shard {
    struct willow_shard_info info;
    struct willow_row rows[GAMES * PLAY_ROWS_MAX];
    struct willow_game_row games[GAMES];
};

static int compare(const void *left, const void *right)
{
    const struct willow_row *a = left, *b = right;
    return a->ply != b->ply ? a->ply - b->ply : (a->game > b->game) - (a->game < b->game);
}

static int setup(void **state)
{
    struct shard *shard = calloc(1, sizeof *shard);
    struct willow_weights *weights;
    struct willow_search *search;
    struct run_config config = run_config_default();
    config.depth = 1, config.exact = 8;
    assert_int_equal(willow_weights_open("zero", &weights, NULL), WILLOW_OK);
    assert_int_equal(willow_search_new(weights, 1 << 20, &search, NULL), WILLOW_OK);
    for (uint64_t game = 0; game < GAMES; game++) {
        struct played_game played;
        assert_int_equal(games_play(&config, search, game, &played), WILLOW_OK);
        shard->games[game] = played.game;
        memcpy(shard->rows + shard->info.rows, played.rows, (size_t)played.count * sizeof *played.rows);
        shard->info.rows += (uint64_t)played.count;
    }
    shard->info.games = GAMES;
    qsort(shard->rows, (size_t)shard->info.rows, sizeof *shard->rows, compare);
    willow_search_free(search);
    willow_weights_free(weights);
    *state = shard;
    return 0;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

struct findings {
    char place[96], reason[256]; /* the last one */
};

static void take(void *context, const char *place, const char *reason)
{
    struct findings *findings = context;
    (void)snprintf(findings->place, sizeof findings->place, "%s", place);
    (void)snprintf(findings->reason, sizeof findings->reason, "%s", reason);
}

static uint64_t faults(const struct shard *shard, struct findings *findings)
{
    struct audit audit = {.ruleset = willow_ruleset_othello(), .report = take, .context = findings};
    assert_int_equal(audit_shard(&audit, &shard->info, shard->rows, shard->games, NULL), WILLOW_OK);
    return audit.faults;
}

static void expect(const struct shard *shard, const char *words)
{
    struct findings findings = {0};
    assert_true(faults(shard, &findings) > 0);
    if (!strstr(findings.reason, words))
        fail_msg("'%s' is not in '%s: %s'", words, findings.place, findings.reason);
}

static void good_games_pass(void **state)
{
    struct shard *shard = *state;
    struct findings findings = {0};
    assert_int_equal(faults(shard, &findings), 0);
    shard->info.games = 0; /* rows alone, as after relabelling */
    assert_int_equal(faults(shard, &findings), 0);
    shard->info.rows = 0;
    assert_int_equal(faults(shard, &findings), 0);
}

/* A row of that ply of game 3. */
static struct willow_row *row_of(struct shard *shard, int ply)
{
    for (uint64_t i = 0; i < shard->info.rows; i++)
        if (shard->rows[i].ply == ply && shard->rows[i].game == 3)
            return &shard->rows[i];
    fail_msg("game 3 has no row of ply %d", ply);
    return NULL;
}

static void wrong_rows_are_found(void **state)
{
    struct shard *shard = *state;
    struct willow_row *row = row_of(shard, 30), good = *row;
    row->result = (int8_t)-row->result;
    if (row->result == 0)
        row->result = 2;
    expect(shard, "the result is");
    *row = good;
    uint64_t moves = willow_board_moves(willow_ruleset_othello(), (struct willow_board){row->player, row->opponent});
    moves &= ~(UINT64_C(1) << row->move);
    if (moves) {
        row->move = (uint8_t)__builtin_ctzll(moves);
        expect(shard, "the move is not the one");
        *row = good;
    }
    row->flags ^= WILLOW_ROW_AFTER_PASS;
    expect(shard, "pass");
    *row = good;
    row->player = good.opponent, row->opponent = good.player;
    expect(shard, "the board is not that of game 3");
    *row = good;
    row->game = 77;
    expect(shard, "game 77 is not in /games");
}

static void wrong_exact_scores_are_found(void **state)
{
    struct shard *shard = *state;
    /* At 7 empties by the game's own perfect ending, at 3 by solving it again; with and without games. */
    for (int empties = 7; empties >= 3; empties -= 4) {
        struct willow_row *row = row_of(shard, 60 - empties), good = *row;
        assert_true(row->flags & WILLOW_ROW_EXACT);
        row->score = (int16_t)(row->score == 0 ? 64 : -row->score);
        expect(shard, "perfect play ended with");
        if (empties == 3) {
            shard->info.games = 0;
            expect(shard, "but the position is worth");
            shard->info.games = GAMES;
        }
        *row = good;
    }
    /* After a random move the game need not end with the exact score of a position before it. */
    struct findings findings;
    struct willow_row *row = row_of(shard, 53);
    row_of(shard, 54)->flags |= WILLOW_ROW_RANDOM;
    row->score = (int16_t)(row->score == 0 ? 64 : -row->score);
    assert_int_equal(faults(shard, &findings), 0);
}

static void wrong_records_are_found(void **state)
{
    struct shard *shard = *state;
    struct willow_game_row *game = &shard->games[5], good = *game;
    game->result = (int8_t)(game->result + 2);
    expect(shard, "instead of");
    *game = good;
    game->length = 20;
    expect(shard, "ends before it is over");
    *game = good;
    game->moves[10] = game->moves[9];
    expect(shard, "move 11");
    *game = good;
    game->id = 4;
    expect(shard, "ids of the games do not rise");
}

static void order_is_checked(void **state)
{
    struct shard *shard = *state;
    struct willow_row swap = shard->rows[0];
    shard->rows[0] = shard->rows[1];
    shard->rows[1] = swap;
    expect(shard, "not in order");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_games_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_rows_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_exact_scores_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_records_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(order_is_checked, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
