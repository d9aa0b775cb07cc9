/* Game records: play, passes, undo, refusals, and the ends that programs get wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <willow/game.h>
#include <willow/notation.h>
#include <willow/random.h>

#include "support/referee.h"

static struct willow_game start_of_othello(void)
{
    struct willow_game game;
    willow_game_init(&game, willow_ruleset_default());
    return game;
}

static void assert_games_equal(const struct willow_game *a, const struct willow_game *b)
{
    assert_int_equal(a->length, b->length);
    assert_int_equal(a->side, b->side);
    assert_int_equal(a->start_side, b->start_side);
    assert_memory_equal(a->moves, b->moves, (size_t)a->length * sizeof a->moves[0]);
    assert_memory_equal(a->boards, b->boards, (size_t)(a->length + 1) * sizeof a->boards[0]);
}

/* Back to the start move by move, passes included, and no further; forward again to the same position at every step. */
static void assert_undone_and_played_again(struct willow_game game)
{
    const struct willow_game whole = game;
    enum willow_side side = game.side;
    for (int left = whole.length; left > 0; left--) {
        assert_true(willow_game_undo(&game));
        side = side == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK;
        assert_int_equal(game.length, left - 1);
        assert_int_equal(game.side, side);
    }
    for (int i = 0; i < 100; i++)
        assert_false(willow_game_undo(&game));
    assert_int_equal(game.length, 0);
    assert_int_equal(game.side, whole.start_side);
    for (int i = 0; i < whole.length; i++) {
        const struct willow_board board = willow_game_board(&game);
        assert_memory_equal(&board, &whole.boards[i], sizeof board);
        assert_int_equal(willow_game_play(&game, whole.moves[i], NULL), WILLOW_OK);
    }
    assert_games_equal(&game, &whole);
}

/* The start, the side that begins and the moves as text give the same game, its passes included. */
static void assert_saved_and_loaded(const struct willow_game *game)
{
    char start[WILLOW_BOARD_TEXT], moves[2 * WILLOW_GAME_MAX + 1];
    struct willow_board board;
    enum willow_side side;
    struct willow_game loaded;
    willow_board_format(willow_ruleset_default(), game->boards[0], game->start_side, start);
    assert_int_equal(willow_board_parse(willow_ruleset_default(), start, &board, &side, NULL), WILLOW_OK);
    assert_int_equal(willow_game_init_board(&loaded, game->ruleset, board, side, NULL), WILLOW_OK);
    assert_int_equal(willow_transcript_parse(&loaded, willow_transcript_format(game, moves), NULL), WILLOW_OK);
    assert_games_equal(&loaded, game);
}

/* Public records checked by replay: the shortest game, and one with 23 passes, all by black (most-passes list). */
static const char shortest_game[] = "e6f4e3f6g5d6e7f5c5";
static const char game_of_passes[] =
    "f5d6c4g5d7c7h5d8b8b7b6a7b5a6a5b4b3c6e8f8c8a8e7a4b2a2c2d2d1e2f2c5c3a1a3e6d3f6f7f1g2"
    "h2e3f4b1g1c1e1g8g7f3h1h3h4h6";

static void starts_with_black(void **state)
{
    (void)state;
    const struct willow_game game = start_of_othello();
    char text[68];
    assert_int_equal(game.length, 0);
    assert_int_equal(game.side, WILLOW_BLACK);
    assert_int_equal(game.start_side, WILLOW_BLACK);
    assert_string_equal(willow_board_format(willow_ruleset_default(), willow_game_board(&game), game.side, text),
                        "---------------------------OX------XO--------------------------- X");
    assert_false(willow_game_over(&game));
}

static void illegal_moves_change_nothing(void **state)
{
    (void)state;
    struct willow_game game = start_of_othello();
    struct willow_error error;
    assert_int_equal(willow_game_play(&game, willow_square_parse("d3"), NULL), WILLOW_OK);
    const struct willow_game before = game;
    for (int move = 0; move <= 255; move++) {
        const bool legal = move == 18 || move == 20 || move == 34; /* c3 e3 c5 */
        if (legal)
            continue;
        assert_int_equal(willow_game_play(&game, (willow_square)move, &error), WILLOW_ERR_ARGUMENT);
        assert_true(error.reason[0] != '\0');
        assert_memory_equal(&game, &before, sizeof game);
    }
    assert_int_equal(willow_game_play(&game, WILLOW_PASS, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.reason, "illegal pass: white has a move");
    assert_int_equal(willow_game_play(&game, 20, &error), WILLOW_OK);
}

static void invalid_boards_are_refused(void **state)
{
    (void)state;
    struct willow_game game = start_of_othello();
    const struct willow_game before = game;
    struct willow_ruleset hole = *willow_ruleset_default();
    hole.playable = ~UINT64_C(1);
    const struct willow_board on_hole = {.player = 1, .opponent = 2}, overlap = {.player = 3, .opponent = 2};
    struct willow_error error;
    assert_int_equal(willow_game_init_board(&game, &hole, on_hole, WILLOW_WHITE, &error), WILLOW_ERR_ARGUMENT);
    assert_int_equal(willow_game_init_board(&game, willow_ruleset_default(), overlap, WILLOW_WHITE, &error),
                     WILLOW_ERR_ARGUMENT);
    assert_memory_equal(&game, &before, sizeof game);
    assert_int_equal(willow_game_init_board(&game, willow_ruleset_default(), on_hole, WILLOW_WHITE, &error), WILLOW_OK);
    assert_int_equal(game.side, WILLOW_WHITE);
    assert_int_equal(game.start_side, WILLOW_WHITE);
}

static void random_games_follow_the_referee(void **state)
{
    (void)state;
    struct willow_random random;
    willow_random_init(&random, 4, 0);
    for (int n = 0; n < 100; n++) {
        struct willow_game game = start_of_othello();
        struct willow_board board = willow_game_board(&game);
        struct referee referee = referee_from_words(board.player, board.opponent, UINT64_MAX);
        while (!referee_over(&referee)) {
            assert_false(willow_game_over(&game));
            const uint64_t moves = referee_moves(&referee);
            int move = WILLOW_PASS;
            if (moves)
                do
                    move = (int)willow_random_below(&random, 64);
                while ((moves >> move & 1) == 0);
            assert_int_equal(willow_game_play(&game, (willow_square)move, NULL), WILLOW_OK);
            referee = referee_play(&referee, move);
            uint64_t player, opponent;
            referee_to_words(&referee, &player, &opponent);
            board = willow_game_board(&game);
            assert_int_equal(board.player, player);
            assert_int_equal(board.opponent, opponent);
        }
        assert_true(willow_game_over(&game));
        const int discs = referee_final_discs(&referee);
        assert_int_equal(willow_game_final_discs(&game), game.side == WILLOW_BLACK ? discs : -discs);
        const struct willow_game over = game;
        assert_int_equal(willow_game_play(&game, WILLOW_PASS, NULL), WILLOW_ERR_ARGUMENT);
        assert_memory_equal(&game, &over, sizeof game);
    }
}

static void wipe_out_in_nine_moves(void **state)
{
    (void)state;
    struct willow_game game = start_of_othello();
    struct willow_error error;
    assert_int_equal(willow_transcript_parse(&game, shortest_game, &error), WILLOW_OK);
    const struct willow_board board = willow_game_board(&game);
    assert_int_equal(game.length, 9);
    assert_int_equal(game.side, WILLOW_WHITE);
    assert_int_equal(board.player, 0);
    assert_int_equal(willow_board_discs(board), 13);
    assert_int_equal(willow_board_empties(game.ruleset, board), 51);
    assert_true(willow_game_over(&game));
    assert_int_equal(willow_game_final_discs(&game), 64);
    assert_int_equal(willow_game_play(&game, WILLOW_PASS, &error), WILLOW_ERR_ARGUMENT);
    assert_string_equal(error.reason, "illegal move pa: the game is over");
}

static void twenty_three_passes(void **state)
{
    (void)state;
    static const int before_moves[] = {13, 16, 23, 24, 25, 30, 33, 34, 35, 36, 37, 38,
                                       41, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55};
    struct willow_game game = start_of_othello();
    assert_int_equal(willow_transcript_parse(&game, game_of_passes, NULL), WILLOW_OK);
    assert_int_equal(game.length, 55 + 23);
    assert_true(willow_game_over(&game));
    assert_int_equal(willow_game_final_discs(&game), -64);
    assert_int_equal(willow_board_empties(game.ruleset, willow_game_board(&game)), 5);

    struct willow_game replay = start_of_othello();
    int discs_moves = 0, passes = 0;
    for (int i = 0; i < game.length; i++) {
        if (game.moves[i] == WILLOW_PASS) {
            assert_int_equal(replay.side, WILLOW_BLACK);
            assert_int_equal(before_moves[passes++], discs_moves + 1);
        } else {
            discs_moves++;
        }
        assert_int_equal(willow_game_play(&replay, game.moves[i], NULL), WILLOW_OK);
    }
    assert_int_equal(passes, 23);

    /* Back to the start over all passes, then forward again. */
    while (willow_game_undo(&replay)) {
    }
    const struct willow_game start = start_of_othello();
    assert_int_equal(replay.length, 0);
    assert_int_equal(replay.side, WILLOW_BLACK);
    assert_memory_equal(&replay.boards[0], &start.boards[0], sizeof start.boards[0]);
    for (int i = 0; i < game.length; i++)
        assert_int_equal(willow_game_play(&replay, game.moves[i], NULL), WILLOW_OK);
    assert_memory_equal(&replay.boards[replay.length], &game.boards[game.length], sizeof game.boards[0]);

    char text[2 * WILLOW_GAME_MAX + 1];
    assert_string_equal(willow_transcript_format(&game, text), game_of_passes);

    /* The letters' case is no mark of a colour, and passes may be written. */
    static const char *const spellings[] = {
        "F5d6C4g5D7c7H5d8B8b7B6a7b5A6a5b4B3c6E8f8C8a8e7a4b2A2c2D2d1e2F2c5c3a1a3e6d3f6F7f1g2H2e3F4b1g1c1e1g8g7f3h1h3h4h"
        "6",
        "f5d6c4g5d7c7h5d8b8b7b6a7PAb5a6a5PAb4b3c6e8f8c8a8PAe7PAa4PAb2a2c2d2d1PAe2f2c5PAc3PAa1PAa3PAe6PAd3PAf6f7f1PAg2h2"
        "e3f4b1"
        "PAg1PAc1PAe1PAg8PAg7PAf3PAh1PAh3PAh4PAh6",
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct willow_game same = start_of_othello();
        assert_int_equal(willow_transcript_parse(&same, spellings[i], NULL), WILLOW_OK);
        assert_games_equal(&same, &game);
    }
    assert_undone_and_played_again(game);
    assert_saved_and_loaded(&game);
}

/* Public reports: after the last move the side to move has to pass although many squares are empty (Zolomon/reversi-ai
 * PR 6, Egaroucid #67, okuhara/edax-reversi-AVX #1). */
static void passes_that_programs_overlooked(void **state)
{
    (void)state;
    static const struct {
        const char *moves;
        enum willow_side passes;
        int discs_moves, black, white;
    } games[] = {
        {"e6f6c4c5c6d6g7f4g4g6e7h8h6g5g8f8", WILLOW_BLACK, 16, 17, 3},
        {"f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3", WILLOW_WHITE, 43, 27,
         20},
        {"F5D6C5F4D3E3F2C6G5B5A5B4B3C4C3A6A7A3F3E6C7B6D7D8B8E7F7E8C8A8A4F8A2B7", WILLOW_BLACK, 34, 25, 13},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct willow_game game = start_of_othello();
        assert_int_equal(willow_transcript_parse(&game, games[i].moves, NULL), WILLOW_OK);
        const struct willow_board board = willow_game_board(&game);
        const bool black_moves = game.side == WILLOW_BLACK;
        assert_int_equal(game.side, games[i].passes);
        assert_int_equal(__builtin_popcountll(black_moves ? board.player : board.opponent), games[i].black);
        assert_int_equal(__builtin_popcountll(black_moves ? board.opponent : board.player), games[i].white);
        assert_int_equal(willow_board_moves(game.ruleset, board), 0);
        assert_false(willow_game_over(&game));
        assert_int_equal(willow_game_play(&game, WILLOW_PASS, NULL), WILLOW_OK);
        assert_int_equal(game.side, games[i].passes == WILLOW_BLACK ? WILLOW_WHITE : WILLOW_BLACK);
        assert_true(willow_board_moves(game.ruleset, willow_game_board(&game)) != 0);
        assert_int_equal(willow_game_play(&game, WILLOW_PASS, NULL), WILLOW_ERR_ARGUMENT);
        assert_saved_and_loaded(&game); /* a pass behind the last move is written */
        assert_undone_and_played_again(game);
        assert_true(willow_game_undo(&game));
        assert_int_equal(game.side, games[i].passes);
        assert_saved_and_loaded(&game);
    }
}

/* Sets *game up from a text, as a player does. */
static void set_up(struct willow_game *game, const char *text)
{
    struct willow_board board;
    enum willow_side side;
    assert_int_equal(willow_board_parse(willow_ruleset_default(), text, &board, &side, NULL), WILLOW_OK);
    assert_int_equal(willow_game_init_board(game, willow_ruleset_default(), board, side, NULL), WILLOW_OK);
}

/* Public reports: a new game began with white after a board with white to move, undo stopped at a pass or left the
 * wrong side to move, setting up a board swapped its colours (Edax PR 1 and 2, Sensei 7e8b978, Egaroucid #256 #257 #474
 * #519). */
static void white_begins_and_a_new_game_does_not_remember(void **state)
{
    (void)state;
    struct willow_game game;
    set_up(&game, "---------------------------OX------XO--------------------------- O");
    assert_int_equal(game.start_side, WILLOW_WHITE);
    uint64_t moves = 0;
    static const char *const legal[] = {"c5", "d6", "e3", "f4"};
    for (size_t i = 0; i < sizeof legal / sizeof legal[0]; i++)
        moves |= UINT64_C(1) << willow_square_parse(legal[i]);
    assert_int_equal(willow_board_moves(game.ruleset, willow_game_board(&game)), moves);
    assert_int_equal(willow_transcript_parse(&game, "c5", NULL), WILLOW_OK);
    assert_int_equal(game.side, WILLOW_BLACK);
    assert_undone_and_played_again(game);
    assert_saved_and_loaded(&game);

    willow_game_init(&game, willow_ruleset_default());
    const struct willow_game fresh = start_of_othello();
    assert_games_equal(&game, &fresh);
    assert_int_equal(game.side, WILLOW_BLACK);
}

static void undo_over_a_pass(void **state)
{
    (void)state;
    struct willow_game game = start_of_othello();
    static const char moves[] =
        "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
    assert_int_equal(willow_transcript_parse(&game, moves, NULL), WILLOW_OK);
    const struct willow_game before = game;
    assert_int_equal(game.side, WILLOW_WHITE);
    assert_int_equal(willow_transcript_parse(&game, "pass a7", NULL), WILLOW_OK);
    const struct willow_board board = willow_game_board(&game); /* seen from white */
    assert_int_equal(game.side, WILLOW_WHITE);
    assert_true(board.opponent >> willow_square_parse("a7") & 1);
    assert_int_equal(__builtin_popcountll(board.opponent), 31);
    assert_int_equal(__builtin_popcountll(board.player), 17);
    assert_undone_and_played_again(game);
    assert_true(willow_game_undo(&game) && willow_game_undo(&game));
    assert_games_equal(&game, &before);
}

static void a_finished_board_can_be_set_up(void **state)
{
    (void)state;
    struct willow_game passes = start_of_othello();
    assert_int_equal(willow_transcript_parse(&passes, game_of_passes, NULL), WILLOW_OK);
    const uint64_t white = willow_game_board(&passes).player | willow_game_board(&passes).opponent;
    static const char *const sides[] = {"X", "O"};
    for (int i = 0; i < 2; i++) {
        char text[WILLOW_BOARD_TEXT];
        struct willow_game game;
        willow_board_format(willow_ruleset_default(), (struct willow_board){0, white}, WILLOW_BLACK, text);
        text[65] = sides[i][0];
        set_up(&game, text);
        const struct willow_board board = willow_game_board(&game);
        assert_int_equal(i == 0 ? board.opponent : board.player, white); /* the side turns no colours */
        assert_true(willow_game_over(&game));
        assert_int_equal(willow_game_final_discs(&game), -64);
        assert_false(willow_game_undo(&game));
        assert_int_equal(willow_game_play(&game, WILLOW_PASS, NULL), WILLOW_ERR_ARGUMENT);
        assert_int_equal(game.side, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_with_black),
        cmocka_unit_test(illegal_moves_change_nothing),
        cmocka_unit_test(invalid_boards_are_refused),
        cmocka_unit_test(random_games_follow_the_referee),
        cmocka_unit_test(wipe_out_in_nine_moves),
        cmocka_unit_test(twenty_three_passes),
        cmocka_unit_test(passes_that_programs_overlooked),
        cmocka_unit_test(white_begins_and_a_new_game_does_not_remember),
        cmocka_unit_test(undo_over_a_pass),
        cmocka_unit_test(a_finished_board_can_be_set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
