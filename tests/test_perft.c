/* Leaf counts of the rulesets against published tables (8x8: aartbik.com and Egaroucid; other boards and starts:
 * computed with independent programs), and against the referee where a square is missing or the first discs are placed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <willow/board.h>
#include <willow/ruleset.h>

#include "support/referee.h"

enum { MAX_DEPTH = 13 };

/* counts[d - 1] = leaves at depth d where a pass costs a ply; `free_counts` where it costs none, 0 = the same. */
struct counts {
    const char *ruleset;
    int depths;
    bool parallel; /* from the start with discs of one colour side by side, black above, not from the ruleset's own */
    uint64_t counts[MAX_DEPTH], free_counts[MAX_DEPTH];
};

static const struct counts tables[] = {
#ifdef WILLOW_WIDE
    {"10x10", 9, false, {4, 12, 56, 244, 1396, 8200, 55180, 392268, 3045812}, {0}},
    {"10x10", 9, true, {4, 14, 68, 292, 1690, 9708, 64976, 453830, 3504236}, {0}},
#else
    {"othello", 9, false, {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288}, {[8] = 3005320}},
    {"othello", 9, true, {4, 14, 68, 292, 1690, 9696, 64794, 450012, 3449900}, {0}},
    {"anti", 8, false, {4, 12, 56, 244, 1396, 8200, 55092, 390216}, {0}},
    /* With free passes twelve plies fill the board, and the last is the only one left. */
    {"4x4",
     13,
     false,
     {4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540, 50704, 57436, 59564},
     {[4] = 436, 1296, 3788, 9768, 22184, 41636, 60060, 60060, 60060}},
    {"6x6", 9, false, {4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912}, {[8] = 2115128}},
    {"6x6-anti", 8, false, {4, 12, 56, 244, 1364, 7604, 47740, 308716}, {0}},
    {"6x6-parallel", 9, false, {4, 14, 68, 292, 1634, 9020, 55610, 355538, 2393900}, {[8] = 2394196}},
    {"hole:a1", 8, false, {4, 12, 56, 244, 1396, 8194, 54986, 388724}, {0}},
    {"hole:c3", 8, false, {4, 10, 44, 168, 912, 4946, 31604, 209312}, {0}},
    {"hole:d3", 8, false, {3, 9, 37, 157, 806, 4476, 27324, 181755}, {0}},
    {"hole:c4", 8, false, {3, 9, 37, 157, 806, 4476, 27324, 181755}, {0}},
    {"hole:d2", 8, false, {4, 12, 56, 236, 1336, 7553, 49601, 337705}, {0}},
#endif
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static void published_counts(void **state)
{
    (void)state;
    for (int i = 0; i < TABLES; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(tables[i].ruleset);
        assert_non_null(ruleset);
        struct willow_board start = ruleset->start;
        if (tables[i].parallel) {
            const willow_bits centre = start.player | start.opponent;
            start.player = WILLOW_BIT(willow_bits_first(centre)) * 3;
            start.opponent = centre ^ start.player;
        }
        assert_int_equal(willow_perft(ruleset, start, 0, false), 1);
        for (int d = 1; d <= tables[i].depths; d++) {
            const uint64_t count = tables[i].counts[d - 1], free_count = tables[i].free_counts[d - 1];
            assert_int_equal(willow_perft(ruleset, start, d, false), count);
            assert_int_equal(willow_perft(ruleset, start, d, true), free_count ? free_count : count);
        }
    }
}

static uint64_t referee_perft(const struct referee *referee, int depth, bool passes_free)
{
    if (depth == 0 || referee_over(referee))
        return 1;
    const willow_bits moves = referee_moves(referee);
    if (moves == 0) {
        const struct referee passed = referee_play(referee, WILLOW_PASS);
        return referee_perft(&passed, passes_free ? depth : depth - 1, passes_free);
    }
    uint64_t leaves = 0;
    for (int square = 0; square < WILLOW_SQUARES; square++)
        if (moves >> square & 1) {
            const struct referee next = referee_play(referee, square);
            leaves += referee_perft(&next, depth - 1, passes_free);
        }
    return leaves;
}

static void check_against_the_referee(const struct willow_ruleset *ruleset, int depths)
{
    const struct referee start = referee_of(ruleset, ruleset->start);
    for (int depth = 1; depth <= depths; depth++)
        for (int passes_free = 0; passes_free <= 1; passes_free++)
            assert_int_equal(willow_perft(ruleset, ruleset->start, depth, passes_free != 0),
                             referee_perft(&start, depth, passes_free != 0));
}

static void every_ruleset_against_the_referee(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    for (int i = 0; (ruleset = willow_ruleset_at(i)) != NULL; i++)
        check_against_the_referee(ruleset, ruleset->placement ? 6 : 3);
}

#ifndef WILLOW_WIDE
/* Nothing is turned while the first four discs are placed: four squares for the first, three for the second, ... */
static void placements_turn_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"reversi", "4x4-reversi", "4x4-anti-reversi"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct willow_ruleset *ruleset = willow_ruleset_find(names[i]);
        static const uint64_t counts[] = {4, 12, 24, 24};
        for (int depth = 1; depth <= 4; depth++)
            assert_int_equal(willow_perft(ruleset, ruleset->start, depth, false), counts[depth - 1]);
        check_against_the_referee(ruleset, ruleset->width == 4 ? 8 : 7);
    }
}

/* Two rows are left for play, so that passes and early ends occur within a few plies. */
static void passes_against_the_referee(void **state)
{
    (void)state;
    struct willow_ruleset ruleset = *willow_ruleset_default();
    ruleset.playable = 0x000000FFFF000000u;
    check_against_the_referee(&ruleset, 7);
    check_against_the_referee(willow_ruleset_find("4x4"), 7);
    /* Finished games stay leaves at any greater depth. */
    const struct willow_ruleset *small = willow_ruleset_find("4x4");
    for (int passes_free = 0; passes_free <= 1; passes_free++)
        assert_int_equal(willow_perft(small, small->start, 30, passes_free != 0), 60060);
}
#endif

static void finished_games_are_one_leaf(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    const struct willow_board wiped = {.player = 0, .opponent = 0x1818};
    assert_int_equal(willow_perft(ruleset, wiped, 5, false), 1);
    assert_int_equal(willow_perft(ruleset, wiped, 5, true), 1);
    /* X a1, O b1: nothing to do for O but to pass, then c1 ends the game. */
    const struct willow_board pass = {.player = 2, .opponent = 1};
    assert_int_equal(willow_perft(ruleset, pass, 1, false), 1);
    assert_int_equal(willow_perft(ruleset, pass, 9, false), 1);
    assert_int_equal(willow_perft(ruleset, pass, 1, true), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_counts),
        cmocka_unit_test(every_ruleset_against_the_referee),
#ifndef WILLOW_WIDE
        cmocka_unit_test(placements_turn_nothing),
        cmocka_unit_test(passes_against_the_referee),
#endif
        cmocka_unit_test(finished_games_are_one_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
