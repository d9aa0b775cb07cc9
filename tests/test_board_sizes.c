/* The solver on boards other than the usual one, as rulesets that the test makes itself: 6x6, the fewest discs win, a
 * square out of play. Published perfect lines and solved endgames.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/game.h>
#include <willow/notation.h>
#include <willow/search.h>

/* Boards smaller than 8x8 lie in the corner at a1. Dark is on d3 and c4 of a 6x6 cross, light on c3 and d4. */
#define SQUARES_6X6 UINT64_C(0x00003F3F3F3F3F3F)
#define SQUARES_8X8 UINT64_MAX
enum { C3 = 18, D3 = 19, C4 = 26, D4 = 27 };
#define BIT(square) (UINT64_C(1) << (square))
#define CROSS_6X6                                                                                                      \
    {                                                                                                                  \
        .player = BIT(D3) | BIT(C4), .opponent = BIT(C3) | BIT(D4)                                                     \
    }
#define CROSS_8X8                                                                                                      \
    {                                                                                                                  \
        .player = UINT64_C(0x0000000810000000), .opponent = UINT64_C(0x0000001008000000)                               \
    }

static const struct willow_ruleset six = {
    .name = "test-6x6", .id = 911, .width = 6, .height = 6, .playable = SQUARES_6X6, .start = CROSS_6X6};
static const struct willow_ruleset six_fewest = {.name = "test-6x6-anti",
                                                 .id = 912,
                                                 .width = 6,
                                                 .height = 6,
                                                 .playable = SQUARES_6X6,
                                                 .start = CROSS_6X6,
                                                 .fewest_wins = true};

static struct willow_ruleset with_hole(int size, int hole)
{
    if (size == 6)
        return (struct willow_ruleset){.name = "test-6x6-hole",
                                       .id = 913,
                                       .width = 6,
                                       .height = 6,
                                       .playable = SQUARES_6X6 & ~BIT(hole),
                                       .start = CROSS_6X6};
    return (struct willow_ruleset){.name = "test-8x8-hole",
                                   .id = 914,
                                   .width = 8,
                                   .height = 8,
                                   .playable = SQUARES_8X8 & ~BIT(hole),
                                   .start = CROSS_8X8};
}

/* A search that knows nothing but the rules. Both are the caller's. */
static struct willow_search *new_search(const struct willow_ruleset *ruleset, struct willow_weights **weights)
{
    const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(ruleset), 2);
    struct willow_search *search = NULL;
    assert_int_equal(willow_weights_new_zero(ruleset, willow_pattern_set_default(), &stages, weights, NULL), WILLOW_OK);
    assert_int_equal(willow_search_new(*weights, 1 << 20, &search, NULL), WILLOW_OK);
    return search;
}

/* Published perfect games: standard, from the University of Nottingham's page on the solution of 6x6; the fewest discs
 * win, from tothello.com's list. */
static const struct {
    const struct willow_ruleset *ruleset;
    const char *moves;
    int black, white; /* discs at the end */
    int pass;         /* a pass comes before this move, counted from 1; 0 = none does */
    int value;        /* of every position on the line, for black */
} lines[] = {
    {&six, "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 e1 f1", 16, 20,
     31, -4},
    {&six_fewest, "c2 b4 d5 e2 e3 c1 b1 e4 d1 d2 f2 e1 f3 f4 b3 d6 a5 a4 a3 a2 b5 b2 e6 c5 c6 f1 f5 e5 f6 b6 a6 a1", 17,
     19, 0, 2},
    {&six_fewest, "c2 d2 e4 d5 e3 f3 f4 f5 e1 b3 b2 e5 c5 b4 a4 d6 a5 b1 d1 c1 e2 a2 b5 a3 c6 b6 e6 f2 f1 f6 a1 a6", 17,
     19, 32, 2},
};
enum { LINES = sizeof lines / sizeof lines[0] };

static void perfect_lines_end_as_published(void **state)
{
    (void)state;
    for (int i = 0; i < LINES; i++) {
        struct willow_game game;
        willow_game_init(&game, lines[i].ruleset);
        /* c2, b3, e4 and d5. */
        assert_true(willow_board_moves(game.ruleset, willow_game_board(&game)) ==
                    (BIT(10) | BIT(17) | BIT(28) | BIT(35)));
        assert_int_equal(willow_transcript_parse(&game, lines[i].moves, NULL), WILLOW_OK);
        assert_true(willow_game_over(&game));
        assert_int_equal(game.length, lines[i].pass ? 33 : 32);
        int passes = 0;
        for (int m = 0; m < game.length; m++)
            if (game.moves[m] == WILLOW_PASS) {
                passes++;
                assert_int_equal(m + 1, lines[i].pass);
            }
        assert_int_equal(passes, lines[i].pass > 0);
        const struct willow_board end = willow_game_board(&game);
        const struct willow_board black = game.side == WILLOW_BLACK ? end : willow_board_play(end, WILLOW_PASS);
        assert_int_equal(__builtin_popcountll(black.player), lines[i].black);
        assert_int_equal(__builtin_popcountll(black.opponent), lines[i].white);
        assert_int_equal(willow_game_final_discs(&game), lines[i].value);
    }
}

static void perfect_lines_keep_their_value(void **state)
{
    (void)state;
    enum { EMPTIES = 15 };
    for (int i = 0; i < LINES; i++) {
        struct willow_weights *weights = NULL;
        struct willow_search *search = new_search(lines[i].ruleset, &weights);
        struct willow_game game;
        willow_game_init(&game, lines[i].ruleset);
        assert_int_equal(willow_transcript_parse(&game, lines[i].moves, NULL), WILLOW_OK);
        do {
            struct willow_result result;
            const struct willow_board board = willow_game_board(&game);
            if (willow_board_empties(game.ruleset, board) > EMPTIES)
                break;
            willow_search_run(search, board, &(struct willow_limits){0}, &result);
            assert_true(result.exact);
            assert_int_equal((game.side == WILLOW_BLACK ? result.score : -result.score) / WILLOW_SCORE_DISC,
                             lines[i].value);
        } while (willow_game_undo(&game));
        willow_search_free(search);
        willow_weights_free(weights);
    }
}

/* Squares of the drawn board in its rows: X to move, O, - empty, # the hole. */
static struct willow_board board_of(const char *text, int size)
{
    struct willow_board board = {0, 0};
    assert_int_equal(strlen(text), size * size);
    for (int i = 0; i < size * size; i++) {
        const int square = 8 * (i / size) + i % size;
        board.player |= text[i] == 'X' ? BIT(square) : 0;
        board.opponent |= text[i] == 'O' ? BIT(square) : 0;
    }
    return board;
}

/* The solver's moves against "a2:-24 a3:-34 ...": each move of the list has that score, and the best of all moves is
 * the best of the list. With `all`, the list has every move. */
static void check_moves(struct willow_search *search, struct willow_board board, const char *list, bool all)
{
    struct willow_scored_move moves[64];
    struct willow_result result;
    const int count = willow_search_moves(search, board, &(struct willow_limits){0}, moves);
    int listed = 0, best = -64;
    for (const char *at = list; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' ')) {
        const char name[3] = {at[0], at[1], '\0'};
        const willow_square move = willow_square_parse(name);
        const int discs = (int)strtol(at + 3, NULL, 10);
        int found = 0;
        for (int i = 0; i < count; i++)
            if (moves[i].move == move) {
                found++;
                assert_true(moves[i].exact);
                assert_int_equal(moves[i].score, discs * WILLOW_SCORE_DISC);
            }
        assert_int_equal(found, 1);
        listed++;
        best = discs > best ? discs : best;
    }
    assert_true(all ? listed == count : listed <= count);
    willow_search_run(search, board, &(struct willow_limits){0}, &result);
    assert_true(result.exact);
    assert_int_equal(result.score, best * WILLOW_SCORE_DISC);
    willow_search_run(search, board, &(struct willow_limits){.win_loss = true}, &result);
    assert_int_equal(result.score, ((best > 0) - (best < 0)) * WILLOW_SCORE_DISC);
}

/* Positions of the perfect lines, every move solved by a separate program; the winner takes the empty squares. */
static const struct {
    const struct willow_ruleset *ruleset;
    const char *board, *moves;
} small[] = {
    {&six, "-XXX---OXXXO-OOXXO-OXOXO--OX---O-X--", "a2:-24 a3:-34 a4:-4 a5:-6 b5:-34 c6:-10"},
    {&six, "-XXX---OXXXO-XOXXOXXXOOO--OO---OOX--", "a2:-24 a3:-6 e5:-8 f5:-8 a6:-4 e6:-6"},
    {&six, "-XXX--OOXXXO-OOXXOXXOOOO--OO--XXXX--", "a3:-14 b5:-4 e5:-6 f5:-6"},
    {&six, "-XXX--OOXXXO-OOXXOXOXOOOOOOO--XXXX--", "a3:-8 e5:-6 f5:-6 e6:-4"},
    {&six, "-XXX--OOXXXO-OOXXOXOXOOOOOOOO-XXXXX-", "a3:-4 f5:-6"},
    {&six_fewest, "-XXXO---XOXX-XXXXXOOOOOOX--O-----O--", "f1:-2 a3:+2 b5:+2 c5:+2 e5:+2 f5:+0 c6:-2 e6:+2"},
    {&six_fewest, "-XXXO-O-XOXXXOXXXXXOOOOOX--O-----O--", "a1:-4 f1:-2 b5:+2 c5:-2 e5:+0 f5:-2 c6:-2"},
    {&six_fewest, "-XXXO-OOOOXXXOOXXXXOXOOOXX-O-----O--", "a1:-4 f1:-6 c5:-4 e5:+0 f5:+2 c6:-2 e6:+2"},
    {&six_fewest, "-XXXO-OOOOXXXOOXXXXOOOOOXXOX-----OX-", "a1:-4 f1:-4 e5:+2 f5:+0 b6:+0 c6:+2"},
    {&six_fewest, "-XXXOOOOXOXOXOXXXOXOXOOOXXXX----XXX-", "a1:-2 e5:+0 f5:+2"},
    {&six_fewest, "-O--X--XOX---XXOOOXXOOOOX-OOOO---O--", "c1:+2 d1:+2 c6:+0 e6:+0 f6:-4"},
    {&six_fewest, "-OOXX--XOO---XOOOOXXOOOOX-OOOO---O--", "a1:+0 e2:+2 e6:-2 f6:-6"},
    {&six_fewest, "-OOXX-OXXXX--OOOOOXXOOOOX-OOOO---O--", "a1:-2 b5:+2 c6:-6 e6:-4 f6:-6"},
    {&six_fewest, "-OOXX-OOXXX-OOOXOOXOXOOOXXOOOO---O--", "a1:+0 c6:+2 e6:-4"},
    {&six_fewest, "-OOXX-OOXXX-OOOXOOXOXOOOXOOOOO-OOO--", "a1:-2 a6:-8 e6:+2"},
};

static void endgames_on_6x6(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        struct willow_weights *weights = NULL;
        struct willow_search *search = new_search(small[i].ruleset, &weights);
        check_moves(search, board_of(small[i].board, 6), small[i].moves, true);
        willow_search_free(search);
        willow_weights_free(weights);
    }
}

/* Positions of random games with a hole, solved by a separate program. Moves whose score depends on how empty squares
 * are counted are left out. */
static const struct {
    int size;
    const char *board, *moves;
} holed[] = {
    {8, "#OOOOOOOOOO-XOOO-XOOXOOOXXOOXOXOXXOXOXXXXXXXXXX-OXO-OOX---OOOO--", "d2:-39 d7:-39 a8:-35 b8:-49 g8:-45"},
    {8, "#OOOOOOOXXOOOX--XXOOO-X-XXOOXOXXXXXOXXX---XOXXXOOOOOXXXOXO-O-OXO", "f3:-15 a6:-17 c8:-11 e8:+5"},
    {8, "-XXOOXXXO-XOXXXX-X#OXXXXXXXOXXXXOOXOOX---OOXOOX-XOXXXXXXOOOOOO--", "g5:-25 a6:-21"},
    {8, "--XOOO-XOOOOOXXXO-#OOXXXOXOXXXOXOOXOXXO-O-OOOXOO-OXXXO-XOOOOOOO-", "b1:-17 g1:+29 a7:-1 g7:-13"},
    {8, "XXXXXXXXXXXXXOXXXOOXOXOXXOOOXOOXX-OOOXOX-OOO#XO---XXXXOX-OX---OX",
     "b5:+41 h6:+41 a7:+33 b7:+37 a8:+37 f8:+45"},
    {8, "X-OOOX--OXXOOXX--OOOOXXOXOOOOXXOOOOOXXXOOOOO#X-OOOXOOOOOOOXX-X--", "b1:-25 a3:-23 e8:-19 h8:-27"},
    {8, "-OOOOOOXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOOO-XXXOXOOO---OOX#O--OOX--O", "a1:+31 h5:-5 c7:-7 b8:-13 f8:-13"},
    {8, "XXXXXX--XOOOOX--XOOOO-XOXOOXOXOOXOXOOOXO-OXO-OOOXOXOOO#O-OXOOO-O", "f3:+19 a6:+17 e6:+15 a8:+23 g8:+23"},
    {6, "---XOOX#XOOOOXXXOO-OOOOO-O-X---OOOOO", "a4:-9 a5:-21 c5:-17 e5:-13 f5:-21 a6:-29"},
    {6, "--XXX-X#XXXOXXOOO-XOXOXX--OXOO---OOO", "f3:+17 a5:-25 b5:-29 c6:-23"},
    {6, "XXXO--X#OX-OOOXOO-OOXOOX-OXOOO-O-X--", "e1:+23 e2:+19 f3:+21 a5:+13 a6:+15 e6:+23 f6:+21"},
};

static void endgames_with_a_hole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof holed / sizeof holed[0]; i++) {
        const int size = holed[i].size, at = (int)strcspn(holed[i].board, "#");
        const struct willow_ruleset ruleset = with_hole(size, 8 * (at / size) + at % size);
        struct willow_weights *weights = NULL;
        struct willow_search *search = new_search(&ruleset, &weights);
        check_moves(search, board_of(holed[i].board, size), holed[i].moves, false);
        willow_search_free(search);
        willow_weights_free(weights);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfect_lines_end_as_published),
        cmocka_unit_test(perfect_lines_keep_their_value),
        cmocka_unit_test(endgames_on_6x6),
        cmocka_unit_test(endgames_with_a_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
