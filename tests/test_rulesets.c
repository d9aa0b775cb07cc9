/* The table of rulesets, what users may call them, and random games of every one of them against the referee: legal
 * moves, discs turned, passes, ends and scores. With a number as its argument it plays so many games of each ruleset
 * and says how many.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/game.h>
#include <willow/notation.h>
#include <willow/random.h>

#include "support/assert_bits.h"
#include "support/referee.h"

static void entries_are_found_and_sound(void **state)
{
    (void)state;
    int count = 0;
    for (const struct willow_ruleset *entry; (entry = willow_ruleset_at(count)) != NULL; count++) {
        const struct willow_ruleset *parsed = NULL;
        assert_ptr_equal(willow_ruleset_find(entry->name), entry);
        assert_ptr_equal(willow_ruleset_by_id(entry->id), entry);
        assert_int_equal(willow_ruleset_parse(entry->name, 0, &parsed, NULL), WILLOW_OK);
        assert_ptr_equal(parsed, entry);
        assert_true(willow_board_valid(entry, entry->start));
        assert_int_equal(willow_ruleset_squares(entry), willow_board_discs((struct willow_board){entry->playable, 0}));
        /* A start or a phase of placing, never both; it is a game. */
        assert_int_equal(willow_board_discs(entry->start), entry->placement ? 0 : 4);
        assert_true((entry->placement & ~entry->playable) == 0);
        assert_false(willow_board_over(entry, entry->start));
        for (int i = 0; i < count; i++) {
            assert_true(willow_ruleset_at(i)->id != entry->id);
            assert_string_not_equal(willow_ruleset_at(i)->name, entry->name);
        }
    }
    assert_int_equal(count, WILLOW_SIDE == 8 ? 12 + 60 : 1);
    assert_null(willow_ruleset_at(count + 1));
    assert_null(willow_ruleset_at(-1));
    assert_null(willow_ruleset_by_id(0));
    assert_null(willow_ruleset_find(""));
    assert_ptr_equal(willow_ruleset_at(0), willow_ruleset_default());
}

static void assert_refused(const char *name, const char *reason)
{
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    struct willow_error error;
    assert_int_equal(willow_ruleset_parse(name, 1, &ruleset, &error), WILLOW_ERR_ARGUMENT);
    assert_null(ruleset);
    assert_non_null(strstr(error.reason, reason));
}

/* A legal move, or a pass, of the referee by chance. */
static int random_move(struct willow_random *random, const struct referee *referee)
{
    const willow_bits moves = referee_moves(referee);
    return moves ? willow_random_bit(random, moves) : WILLOW_PASS;
}

static void play_against_the_referee(const struct willow_ruleset *ruleset, struct willow_random *random)
{
    struct willow_game game;
    willow_game_init(&game, ruleset);
    struct referee referee = referee_of(ruleset, ruleset->start);
    while (!referee_over(&referee)) {
        const struct willow_board board = willow_game_board(&game);
        const willow_bits moves = referee_moves(&referee);
        assert_false(willow_game_over(&game));
        assert_bits_equal(willow_board_moves(ruleset, board), moves);
        for (int square = 0; square < WILLOW_SQUARES; square++) {
            assert_int_equal(willow_board_legal(ruleset, board, (willow_square)square), moves >> square & 1);
            if (moves >> square & 1)
                assert_bits_equal(willow_board_flips(board, (willow_square)square), referee_flips(&referee, square));
        }
        const int move = random_move(random, &referee);
        assert_int_equal(willow_game_play(&game, (willow_square)move, NULL), WILLOW_OK);
        referee = referee_play(&referee, move);
        struct willow_board expected;
        referee_to_words(&referee, &expected.player, &expected.opponent);
        assert_boards_equal(willow_game_board(&game), expected);
        assert_true(willow_board_valid(ruleset, expected));
    }
    assert_true(willow_game_over(&game));
    const int discs = referee_final_discs(&referee);
    assert_int_equal(willow_board_final_discs(ruleset, willow_game_board(&game)), discs);
    assert_int_equal(willow_game_final_discs(&game), game.side == WILLOW_BLACK ? discs : -discs);
    assert_int_equal(willow_game_play(&game, WILLOW_PASS, NULL), WILLOW_ERR_ARGUMENT);
}

/* Games of every ruleset; entry and game name the random numbers. */
static void random_games(int games)
{
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++)
        for (int n = 0; n < games; n++) {
            struct willow_random random;
            willow_random_init(&random, ruleset->id, (uint64_t)n);
            play_against_the_referee(ruleset, &random);
        }
}

static void every_ruleset_follows_the_referee(void **state)
{
    (void)state;
    random_games(WILLOW_SIDE == 8 ? 4 : 40);
}

/* A mirrored position has mirrored moves, by the symmetries of the ruleset and by no others. */
static void symmetries_of_every_ruleset(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++) {
        struct willow_random random;
        willow_random_init(&random, 5, (uint64_t)i);
        struct referee referee = referee_of(ruleset, ruleset->start);
        for (int ply = 0; ply < 12 && !referee_over(&referee); ply++) {
            struct willow_board board;
            referee_to_words(&referee, &board.player, &board.opponent);
            const willow_bits moves = willow_board_moves(ruleset, board);
            for (int s = 0; s < WILLOW_SYMMETRIES; s++) {
                const struct willow_board image = willow_board_symmetry(ruleset, board, s);
                assert_int_equal(willow_board_discs(image), willow_board_discs(board));
                bool alike = true;
                for (int square = 0; square < WILLOW_SQUARES; square++)
                    alike =
                        alike &&
                        (ruleset->playable >> square & 1) ==
                            (square / WILLOW_SIDE < ruleset->height && square % WILLOW_SIDE < ruleset->width
                                 ? ruleset->playable >> willow_square_symmetry(ruleset, (willow_square)square, s) & 1
                                 : 0);
                assert_int_equal(willow_ruleset_symmetric(ruleset, s), alike);
                if (!alike)
                    continue;
                const struct willow_board turned = willow_board_symmetry(ruleset, (struct willow_board){moves, 0}, s);
                assert_bits_equal(willow_board_moves(ruleset, image), turned.player);
                int way;
                const struct willow_board least = willow_board_canonical(ruleset, image, &way);
                assert_boards_equal(least, willow_board_canonical(ruleset, board, NULL));
                /* No disc stands in a hole, and the way there is one of the ruleset's own. */
                assert_true(willow_board_valid(ruleset, least) && willow_ruleset_symmetric(ruleset, way));
                assert_boards_equal(willow_board_symmetry(ruleset, image, way), least);
            }
            referee = referee_play(&referee, random_move(&random, &referee));
        }
    }
}

#ifdef WILLOW_WIDE

static void names_of_the_other_build(void **state)
{
    (void)state;
    assert_null(willow_ruleset_othello());
    assert_refused("othello", "10x10");
    assert_refused("hole:c3", "10x10");
    assert_refused("", "unknown ruleset");
    assert_int_equal(willow_ruleset_squares(willow_ruleset_default()), 100);
}

#else

static void names_that_are_none(void **state)
{
    (void)state;
    assert_refused("othelo", "unknown ruleset 'othelo'; there are othello, anti, reversi, 4x4, ");
    assert_refused("othelo", ", 10x10, hole:SQUARE, hole:random");
    assert_refused("", "unknown ruleset ''");
    assert_refused("Othello", "unknown ruleset");
    assert_refused("10x10", "--ruleset 10x10 starts");
    assert_refused("hole", "unknown ruleset");
    static const char *const squares[] = {"hole:z9", "hole:", "hole:a9", "hole:i1", "hole:a1 ", "hole:64", "hole:pa"};
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++)
        assert_refused(squares[i], "a hole is on a square from a1 to h8, or 'random'");
    static const char *const starts[] = {"hole:d4", "hole:e4", "hole:d5", "hole:e5"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        assert_refused(starts[i], "there cannot be a hole on a square of the start");
    char longest[2000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_refused(longest, "unknown ruleset 'xxxx");
}

/* Every square but the start's is drawn, each about as often as the others; a seed always draws the same one. */
static void random_holes(void **state)
{
    (void)state;
    enum { DRAWS = 6000 };
    int drawn[WILLOW_SQUARES] = {0};
    const struct willow_ruleset *ruleset, *again;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        assert_int_equal(willow_ruleset_parse("hole:random", seed, &ruleset, NULL), WILLOW_OK);
        assert_int_equal(willow_ruleset_parse("hole:random", seed, &again, NULL), WILLOW_OK);
        assert_ptr_equal(ruleset, again);
        assert_int_equal(willow_ruleset_squares(ruleset), 63);
        drawn[willow_bits_first(~ruleset->playable)]++;
    }
    const struct willow_board start = willow_ruleset_default()->start;
    for (int square = 0; square < WILLOW_SQUARES; square++)
        if ((start.player | start.opponent) >> square & 1)
            assert_int_equal(drawn[square], 0);
        else
            assert_in_range(drawn[square], 50, 150); /* 100 on average; five standard deviations */
    /* Files say the square, yet a seed should not mean another one in another version. */
    assert_int_equal(willow_ruleset_parse("hole:random", 1, &ruleset, NULL), WILLOW_OK);
    assert_string_equal(ruleset->name, "hole:b2");
}

static void what_plays_alike(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {
        {"othello", "reversi", true},  {"othello", "anti", false},        {"othello", "6x6", false},
        {"othello", "hole:a1", false}, {"hole:a1", "hole:h8", false},     {"6x6", "6x6-parallel", true},
        {"6x6", "6x6-anti", false},    {"4x4", "4x4-reversi", true},      {"4x4-anti", "4x4-anti-reversi", true},
        {"4x4", "6x6", false},         {"4x4-anti", "4x4-reversi", false}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct willow_ruleset *a = willow_ruleset_find(pairs[i].a), *b = willow_ruleset_find(pairs[i].b);
        assert_int_equal(willow_ruleset_same_play(a, b), pairs[i].same);
        assert_int_equal(willow_ruleset_same_play(b, a), pairs[i].same);
        assert_true(willow_ruleset_same_play(a, a));
    }
}

/* Discs stay where they are put until all four are there, wherever they are put. */
static void placing(void **state)
{
    (void)state;
    const struct willow_ruleset *reversi = willow_ruleset_find("reversi");
    struct willow_game game;
    willow_game_init(&game, reversi);
    struct willow_error error;
    assert_int_equal(willow_game_play(&game, willow_square_parse("d3"), &error), WILLOW_ERR_ARGUMENT);
    assert_int_equal(willow_game_play(&game, WILLOW_PASS, &error), WILLOW_ERR_ARGUMENT);
    assert_int_equal(willow_transcript_parse(&game, "d4d5e4", NULL), WILLOW_OK);
    assert_true(willow_board_placing(reversi, willow_game_board(&game)));
    assert_int_equal(willow_game_play(&game, willow_square_parse("d4"), &error), WILLOW_ERR_ARGUMENT);
    assert_bits_equal(willow_board_moves(reversi, willow_game_board(&game)), WILLOW_BIT(willow_square_parse("e5")));
    assert_int_equal(willow_transcript_parse(&game, "e5", NULL), WILLOW_OK);
    assert_false(willow_board_placing(reversi, willow_game_board(&game)));
    assert_int_equal(game.side, WILLOW_BLACK);
    /* Black above white: lines of black over white. */
    const struct willow_board board = willow_game_board(&game);
    assert_bits_equal(board.player, WILLOW_BIT(willow_square_parse("d4")) | WILLOW_BIT(willow_square_parse("e4")));
    assert_bits_equal(willow_board_moves(reversi, board), UINT64_C(0x00003C0000000000));
    assert_true(willow_game_undo(&game));
    assert_true(willow_board_placing(reversi, willow_game_board(&game)));
    /* A disc elsewhere: the phase is over although there is room. */
    const struct willow_board later = {.player = 1 | WILLOW_BIT(27), .opponent = WILLOW_BIT(28)};
    assert_false(willow_board_placing(reversi, later));
    assert_false(willow_board_placing(willow_ruleset_othello(), willow_game_board(&game)));
}

/* A random game with the hole on c3: it is never a move, turned or counted. */
static void a_game_with_a_hole(void **state)
{
    (void)state;
    static const char moves[] = "c4c5e6e3c6e7f3f4f7g2e2e1d7e8d3c2f5d6h1g4d2d8f2g3g1h2h4b6c8c7f1f6b7f8h3b8g6b5c1b4b1g7a7"
                                "a5b3a2a4d1h7a8";
    const struct willow_ruleset *ruleset = willow_ruleset_find("hole:c3");
    const int hole = willow_square_parse("c3");
    struct willow_game game;
    willow_game_init(&game, ruleset);
    assert_int_equal(willow_transcript_parse(&game, moves, NULL), WILLOW_OK);
    assert_int_equal((sizeof moves - 1) / 2, 50);
    for (int i = 0; i <= game.length; i++) {
        const struct willow_board board = game.boards[i];
        assert_false((willow_board_moves(ruleset, board) | board.player | board.opponent) >> hole & 1);
    }
    assert_int_equal(game.side, WILLOW_BLACK);
    assert_int_equal(willow_board_empties(ruleset, willow_game_board(&game)), 9);
    /* To the end by any moves: all 63 squares full give an odd difference, and no side gets the hole. */
    while (!willow_game_over(&game)) {
        const willow_bits legal = willow_board_moves(ruleset, willow_game_board(&game));
        const willow_square move = (willow_square)(legal ? willow_bits_first(legal) : WILLOW_PASS);
        assert_int_equal(willow_game_play(&game, move, NULL), WILLOW_OK);
    }
    assert_true(willow_game_final_discs(&game) % 2 != 0);
}

#endif

int main(int argc, char **argv)
{
    if (argc > 1) {
        const int games = atoi(argv[1]);
        random_games(games);
        printf("%d random games of each ruleset follow the referee\n", games);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_found_and_sound),
        cmocka_unit_test(every_ruleset_follows_the_referee),
        cmocka_unit_test(symmetries_of_every_ruleset),
#ifdef WILLOW_WIDE
        cmocka_unit_test(names_of_the_other_build),
#else
        cmocka_unit_test(names_that_are_none),
        cmocka_unit_test(random_holes),
        cmocka_unit_test(what_plays_alike),
        cmocka_unit_test(placing),
        cmocka_unit_test(a_game_with_a_hole),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
