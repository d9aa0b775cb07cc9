/* Leaf counts against published tables (8x8: aartbik.com and Egaroucid; small boards: computed with independent
 * programs), and against the referee where a square is missing.
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
static void check_table(const struct willow_ruleset *ruleset, int depths, const uint64_t counts[MAX_DEPTH],
                        const uint64_t free_counts[MAX_DEPTH])
{
    assert_int_equal(willow_perft(ruleset, ruleset->start, 0, false), 1);
    for (int d = 1; d <= depths; d++) {
        const uint64_t free_count = free_counts[d - 1] ? free_counts[d - 1] : counts[d - 1];
        assert_int_equal(willow_perft(ruleset, ruleset->start, d, false), counts[d - 1]);
        assert_int_equal(willow_perft(ruleset, ruleset->start, d, true), free_count);
    }
}

static void othello(void **state)
{
    (void)state;
    static const uint64_t counts[MAX_DEPTH] = {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288};
    static const uint64_t free_counts[MAX_DEPTH] = {[8] = 3005320};
    check_table(willow_ruleset_default(), 9, counts, free_counts);
}

/* The 8x8 start with discs of one colour side by side. */
static void parallel_start(void **state)
{
    (void)state;
    static const uint64_t counts[MAX_DEPTH] = {4, 14, 68, 292, 1690, 9696, 64794, 450012};
    static const uint64_t free_counts[MAX_DEPTH] = {0};
    struct willow_ruleset ruleset = *willow_ruleset_default();
    ruleset.start = (struct willow_board){.player = 0x0000000018000000u, .opponent = 0x0000001800000000u};
    check_table(&ruleset, 8, counts, free_counts);
}

/* Boards of 4x4 and 6x6 in the middle of the 8x8 words, so that the playable mask does the work. */
static void six_by_six(void **state)
{
    (void)state;
    static const uint64_t counts[MAX_DEPTH] = {4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912};
    static const uint64_t free_counts[MAX_DEPTH] = {[8] = 2115128};
    struct willow_ruleset ruleset = *willow_ruleset_default();
    ruleset.playable = 0x007E7E7E7E7E7E00u;
    check_table(&ruleset, 9, counts, free_counts);
}

static void four_by_four_to_its_end(void **state)
{
    (void)state;
    static const uint64_t counts[MAX_DEPTH] = {4,    12,    44,    128,   424,   1256, 3624,
                                               9116, 20044, 36540, 50704, 57436, 59564};
    struct willow_ruleset ruleset = *willow_ruleset_default();
    ruleset.playable = 0x00003C3C3C3C0000u;
    for (int d = 1; d <= MAX_DEPTH; d++)
        assert_int_equal(willow_perft(&ruleset, ruleset.start, d, false), counts[d - 1]);
    /* With free passes twelve plies fill the board; finished games stay leaves at any greater depth. */
    assert_int_equal(willow_perft(&ruleset, ruleset.start, 12, true), 60060);
    assert_int_equal(willow_perft(&ruleset, ruleset.start, 30, true), 60060);
    assert_int_equal(willow_perft(&ruleset, ruleset.start, 30, false), 60060);
}

static uint64_t referee_perft(const struct referee *referee, int depth, bool passes_free)
{
    if (depth == 0 || referee_over(referee))
        return 1;
    const uint64_t moves = referee_moves(referee);
    if (moves == 0) {
        const struct referee passed = referee_play(referee, 64);
        return referee_perft(&passed, passes_free ? depth : depth - 1, passes_free);
    }
    uint64_t leaves = 0;
    for (int square = 0; square < 64; square++)
        if (moves >> square & 1) {
            const struct referee next = referee_play(referee, square);
            leaves += referee_perft(&next, depth - 1, passes_free);
        }
    return leaves;
}

static void hole_against_the_referee(void **state)
{
    (void)state;
    for (int hole = 0; hole < 64; hole += 9) {
        if (willow_ruleset_default()->start.player >> hole & 1 || willow_ruleset_default()->start.opponent >> hole & 1)
            continue;
        struct willow_ruleset ruleset = *willow_ruleset_default();
        ruleset.playable = ~(UINT64_C(1) << hole);
        const struct referee start = referee_from_words(ruleset.start.player, ruleset.start.opponent, ruleset.playable);
        assert_int_equal(willow_perft(&ruleset, ruleset.start, 4, false), referee_perft(&start, 4, false));
    }
}

/* Two rows are left for play, so that passes and early ends occur within a few plies. */
static void passes_against_the_referee(void **state)
{
    (void)state;
    struct willow_ruleset ruleset = *willow_ruleset_default();
    ruleset.playable = 0x000000FFFF000000u;
    const struct referee start = referee_from_words(ruleset.start.player, ruleset.start.opponent, ruleset.playable);
    for (int depth = 1; depth <= 7; depth++)
        for (int passes_free = 0; passes_free <= 1; passes_free++)
            assert_int_equal(willow_perft(&ruleset, ruleset.start, depth, passes_free != 0),
                             referee_perft(&start, depth, passes_free != 0));
}

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
        cmocka_unit_test(othello),
        cmocka_unit_test(parallel_start),
        cmocka_unit_test(six_by_six),
        cmocka_unit_test(four_by_four_to_its_end),
        cmocka_unit_test(hole_against_the_referee),
        cmocka_unit_test(passes_against_the_referee),
        cmocka_unit_test(finished_games_are_one_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
