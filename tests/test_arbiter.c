/* The arbiter of a game: what is played is by the rules and on record, every fault costs its player the game and no
 * more, clocks run for those who think alone, and a stop ends it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/match/arbiter.h"
#include "support/referee.h"
#include "support/scripted_players.h"

static const struct engine engines[2] = {{.name = "first", .kind = ENGINE_GTP}, {.name = "second", .kind = ENGINE_GTP}};

/* The small and the backward ones of othello's start, as the table of rulesets will have them. */
static struct willow_ruleset ruleset_of(int size, bool fewest_wins)
{
    struct willow_ruleset ruleset = *willow_ruleset_default();

    ruleset.fewest_wins = fewest_wins;
    ruleset.playable = 0;
    for (int square = 0; square < 64; square++) {
        const int margin = (8 - size) / 2, row = square / 8, column = square % 8;
        if (row >= margin && row < 8 - margin && column >= margin && column < 8 - margin)
            ruleset.playable |= UINT64_C(1) << square;
    }
    return ruleset;
}

/* One game between two scripts, by colour. */
struct table {
    struct script scripts[2];
    const struct willow_time_control *clocks[2];
    struct arbiter_options options;
    struct game_record record;
};

static struct table *lay_table(void)
{
    struct table *table = calloc(1, sizeof *table);

    assert_non_null(table);
    for (int side = 0; side < 2; side++) {
        table->scripts[side].one_in = 1;
        table->scripts[side].watched = true;
    }
    return table;
}

static bool play(struct table *table, const struct willow_game *opening)
{
    const struct player_options options = {0};
    struct arbiter_side sides[2];

    scripted_players_set(engines, table->scripts, 2);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(player_new(&engines[side], &options, &sides[side].player, NULL), WILLOW_OK);
        sides[side].clock = table->clocks[side];
    }
    const bool whole = arbiter_play(opening, sides, &table->options, &table->record);
    for (int side = 0; side < 2; side++)
        player_free(sides[side].player);
    return whole;
}

static struct willow_game start(void)
{
    return script_opening(willow_ruleset_default(), 1, 6);
}

/* The slow referee agrees with every move, every pass and the result; each move stands beside what was said of it. */
static void check_played_out(const struct game_record *record)
{
    const struct willow_game *game = &record->game;
    struct referee cells =
        referee_from_words(game->boards[0].player, game->boards[0].opponent, game->ruleset->playable);
    int thought[2] = {0, 0};
    int side = (int)game->start_side;

    for (int i = 0; i < game->length; i++, side = 1 - side) {
        const struct game_move *move = &record->moves[i];
        const uint64_t moves = referee_moves(&cells);

        assert_false(referee_over(&cells));
        if (game->moves[i] == WILLOW_PASS)
            assert_true(moves == 0);
        else
            assert_true(moves >> game->moves[i] & 1);
        cells = referee_play(&cells, game->moves[i]);
        if (i < record->opening || game->moves[i] == WILLOW_PASS) {
            const struct game_move nothing = {0};
            assert_memory_equal(move, &nothing, sizeof nothing);
            continue;
        }
        thought[side]++;
        assert_true(move->has_score && move->score_discs == (float)thought[side]);
        assert_int_equal(move->depth, 7);
        assert_int_equal(move->nodes, thought[side] * 1000);
        assert_true(move->used_ns > 0);
    }
    assert_true(referee_over(&cells));
    const int discs = referee_final_discs(&cells);
    const bool turned = (side == WILLOW_WHITE) != game->ruleset->fewest_wins;
    assert_int_equal(record->discs, turned ? -discs : discs);
    assert_int_equal(record->end, GAME_PLAYED);
    assert_string_equal(record->reason, "");
}

static void test_games_are_played_by_the_rules(void **state)
{
    const struct willow_ruleset rulesets[] = {ruleset_of(8, false), ruleset_of(8, true), ruleset_of(6, false),
                                              ruleset_of(4, true)};
    int passes = 0;

    (void)state;
    for (size_t i = 0; i < sizeof rulesets / sizeof *rulesets; i++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct table *table = lay_table();
            const struct willow_game opening = script_opening(&rulesets[i], seed, (int)(seed % 4) * 3);

            assert_true(play(table, &opening));
            assert_int_equal(table->record.opening, opening.length);
            check_played_out(&table->record);
            for (int k = opening.length; k < table->record.game.length; k++)
                passes += table->record.game.moves[k] == WILLOW_PASS;
            for (int side = 0; side < 2; side++)
                assert_int_equal(table->scripts[side].begun, 1);
            free(table);
        }
    assert_true(passes > 10);
}

/* A game that the opening has ended already is asked of nobody. */
static void test_finished_opening(void **state)
{
    struct table *table = lay_table();
    const struct willow_ruleset ruleset = ruleset_of(4, false);
    const struct willow_game opening = script_opening(&ruleset, 3, 40);

    (void)state;
    assert_true(willow_game_over(&opening));
    assert_true(play(table, &opening));
    assert_int_equal(table->record.discs, willow_game_final_discs(&opening));
    assert_int_equal(table->record.game.length, opening.length);
    assert_int_equal(table->scripts[0].thought + table->scripts[1].thought, 0);
    free(table);
}

struct fault {
    enum script_deed deed;
    enum game_end end;
    const char *reason; /* null = any but the empty one */
};

static const struct fault faults[] = {{SCRIPT_RESIGN, GAME_RESIGNED, ""},
                                      {SCRIPT_GARBLE, GAME_GARBLED, "as told: garbled"},
                                      {SCRIPT_CRASH, GAME_CRASHED, "as told: crashed"},
                                      {SCRIPT_HANG, GAME_HUNG, "as told: hung"},
                                      {SCRIPT_ILLEGAL, GAME_ILLEGAL, NULL},
                                      {SCRIPT_PASS, GAME_ILLEGAL, NULL}};
enum { FAULTS = sizeof faults / sizeof *faults };

static void check_lost(const struct table *table, enum willow_side culprit, const struct fault *fault)
{
    const struct game_record *record = &table->record;
    const int squares = __builtin_popcountll(record->game.ruleset->playable);

    assert_int_equal(record->end, fault->end);
    assert_int_equal(record->culprit, culprit);
    assert_int_equal(record->discs, culprit == WILLOW_BLACK ? -squares : squares);
    if (fault->reason != NULL)
        assert_string_equal(record->reason, fault->reason);
    else
        assert_true(record->reason[0] != '\0');
    assert_null(strchr(record->reason, '\n'));
}

/* The moves before the fault stand, the faulty one does not; both players learn that the game is over. */
static void test_faults_cost_the_game(void **state)
{
    (void)state;
    for (int i = 0; i < FAULTS; i++)
        for (int culprit = 0; culprit < 2; culprit++) {
            struct table *table = lay_table();
            const struct willow_game opening = start();

            assert_int_equal(opening.side, WILLOW_BLACK);
            table->scripts[culprit].deed = faults[i].deed;
            table->scripts[culprit].at = 2;
            table->options.move_limit_ms = 600000;
            assert_true(play(table, &opening));
            check_lost(table, (enum willow_side)culprit, &faults[i]);
            assert_int_equal(table->record.game.length, opening.length + 2 + culprit);
            assert_int_equal(table->record.game.side, culprit);
            free(table);
        }
}

/* Every square of the ruleset, and for the one who wins with the fewest discs too. */
static void test_what_a_lost_game_counts(void **state)
{
    const struct willow_ruleset rulesets[] = {ruleset_of(4, false), ruleset_of(6, false), ruleset_of(8, true)};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct table *table = lay_table();
        const struct willow_game opening = script_opening(&rulesets[i], 1, 0);

        table->scripts[WILLOW_WHITE].deed = SCRIPT_CRASH;
        table->scripts[WILLOW_WHITE].at = 1;
        assert_true(play(table, &opening));
        check_lost(table, WILLOW_WHITE, &faults[2]);
        free(table);
    }
}

/* Who cannot begin loses; where neither can, the one to move, and the other is not asked. */
static void test_faults_at_the_beginning(void **state)
{
    (void)state;
    for (int failing = 1; failing < 4; failing++)
        for (int plies = 6; plies < 8; plies++) {
            struct table *table = lay_table();
            const struct willow_game opening = script_opening(willow_ruleset_default(), 1, plies);
            const enum willow_side to_move = opening.side, other = 1 - to_move;
            const bool to_move_fails = failing & 1;

            table->scripts[to_move].deed = to_move_fails ? SCRIPT_CRASH : SCRIPT_PLAY;
            table->scripts[other].deed = failing & 2 ? SCRIPT_CRASH : SCRIPT_PLAY;
            assert_true(play(table, &opening));
            check_lost(table, to_move_fails ? to_move : other, &faults[2]);
            assert_int_equal(table->record.game.length, opening.length);
            assert_int_equal(table->scripts[to_move].begun, 1);
            assert_int_equal(table->scripts[other].begun, to_move_fails ? 0 : 1);
            assert_int_equal(table->scripts[0].thought + table->scripts[1].thought, 0);
            free(table);
        }
}

/* Late is late: a good answer, a resignation, a bad answer. A program that gave none is not merely late. */
static void test_fallen_flag_beats_any_answer(void **state)
{
    static const struct fault late[] = {{SCRIPT_LATE, GAME_TIME, NULL},
                                        {SCRIPT_RESIGN, GAME_TIME, NULL},
                                        {SCRIPT_GARBLE, GAME_TIME, NULL},
                                        {SCRIPT_ILLEGAL, GAME_TIME, NULL},
                                        {SCRIPT_CRASH, GAME_CRASHED, "as told: crashed"}};
    const struct willow_time_control hurried = {.main_ms = 5}, plenty = {.main_ms = 3600000};

    (void)state;
    for (size_t i = 0; i < sizeof late / sizeof *late; i++)
        for (int culprit = 0; culprit < 2; culprit++) {
            struct table *table = lay_table();
            const struct willow_game opening = start();

            table->clocks[culprit] = &hurried;
            table->clocks[1 - culprit] = &plenty;
            table->scripts[culprit].deed = late[i].deed;
            table->scripts[culprit].at = 1;
            table->scripts[culprit].delay_ms = 10;
            assert_true(play(table, &opening));
            check_lost(table, (enum willow_side)culprit, &late[i]);
            assert_int_equal(table->record.game.length, opening.length + culprit);
            free(table);
        }
}

static void test_hung_on_a_clock(void **state)
{
    struct table *table = lay_table();
    const struct willow_time_control clock = {.main_ms = 10};
    const struct willow_game opening = start();

    (void)state;
    table->clocks[WILLOW_BLACK] = &clock;
    table->scripts[WILLOW_BLACK].deed = SCRIPT_HANG;
    table->scripts[WILLOW_BLACK].at = 1;
    table->scripts[WILLOW_BLACK].delay_ms = 15;
    table->options.move_limit_ms = 1; /* holds for those without a clock */
    assert_true(play(table, &opening));
    check_lost(table, WILLOW_BLACK, &faults[3]);
    assert_in_range(table->scripts[WILLOW_BLACK].deadline_in_ns, 1, (10 + ARBITER_GRACE_MS) * UINT64_C(1000000));
    assert_true(table->scripts[WILLOW_BLACK].deadline_in_ns > 500 * UINT64_C(1000000));
    free(table);
}

/* What a player sees of the clocks is what the record says was used: passes and the other's moves take nothing. */
static void test_clocks_are_those_of_the_record(void **state)
{
    const uint64_t second_ns = UINT64_C(1000000000);
    const struct willow_time_control clock = {.main_ms = 7200000};

    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct table *table = lay_table();
        const struct willow_game opening = script_opening(willow_ruleset_default(), seed, 4);
        uint64_t used_ns[2] = {0, 0}, last_ns[2] = {0, 0};
        int last_mover = 0;

        table->clocks[WILLOW_BLACK] = &clock;
        table->clocks[WILLOW_WHITE] = seed % 2 == 0 ? &clock : NULL;
        assert_true(play(table, &opening));
        const struct game_record *record = &table->record;
        int side = (int)record->game.start_side;
        for (int i = 0; i < record->game.length; i++, side = 1 - side)
            if (i >= record->opening && record->game.moves[i] != WILLOW_PASS) {
                used_ns[side] += record->moves[i].used_ns;
                last_ns[side] = record->moves[i].used_ns;
                last_mover = side;
            }
        for (side = 0; side < 2; side++) {
            const uint64_t left_ns = 7200 * second_ns - (used_ns[side] - last_ns[side]);
            assert_int_equal(table->scripts[side].left_ns, table->clocks[side] != NULL ? left_ns : 0);
        }
        /* Who moved last saw what the other one had left in the end. */
        const int other = 1 - last_mover;
        assert_int_equal(table->scripts[last_mover].other_left_ns,
                         table->clocks[other] != NULL ? 7200 * second_ns - used_ns[other] : 0);
        free(table);
    }
}

static void test_deadlines_without_a_clock(void **state)
{
    const uint64_t hour_ns = UINT64_C(3600000000000);

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct table *table = lay_table();
        const struct willow_game opening = start();
        const uint64_t limits_ms[] = {3600000, 0, UINT64_MAX};

        table->options.move_limit_ms = limits_ms[i];
        assert_true(play(table, &opening));
        for (int side = 0; side < 2; side++) {
            if (i == 0)
                assert_in_range(table->scripts[side].deadline_in_ns, hour_ns / 2, hour_ns);
            else
                assert_in_range(table->scripts[side].deadline_in_ns, 1000 * 24 * hour_ns, UINT64_MAX / 2);
        }
        free(table);
    }
}

/* A player that minds the deadline, as all do, and thinks for ever. */
static void test_hung_without_a_clock(void **state)
{
    struct table *table = lay_table();
    const struct fault hung = {SCRIPT_WAIT, GAME_HUNG, ""};
    const struct willow_game opening = start();

    (void)state;
    table->scripts[WILLOW_WHITE].deed = SCRIPT_WAIT;
    table->scripts[WILLOW_WHITE].at = 3;
    table->scripts[WILLOW_WHITE].held = true;
    table->options.move_limit_ms = 20;
    assert_true(play(table, &opening));
    check_lost(table, WILLOW_WHITE, &hung);
    free(table);
}

static void test_scores_that_are_no_numbers(void **state)
{
    struct table *table = lay_table();
    const struct willow_game opening = start();

    (void)state;
    table->scripts[WILLOW_BLACK].odd_score = true;
    assert_true(play(table, &opening));
    for (int i = opening.length; i < table->record.game.length; i++)
        assert_true(table->record.moves[i].score_discs >= 0.0f);
    assert_false(table->record.moves[opening.length].has_score);
    assert_true(table->record.moves[opening.length + 1].has_score);
    free(table);
}

/* Whatever the players say then. Stops within a game are the runner's test's. */
static void test_stop_ends_the_game(void **state)
{
    struct table *table = lay_table();
    struct willow_stop *stop;
    const struct willow_game opening = start();

    (void)state;
    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    table->options.stop = stop;
    assert_true(play(table, &opening));
    willow_stop_set(stop, true);
    assert_false(play(table, &opening));
    assert_int_equal(table->scripts[WILLOW_BLACK].begun, 2);
    assert_int_equal(table->scripts[WILLOW_WHITE].begun, 1);
    table->scripts[WILLOW_BLACK].deed = SCRIPT_CRASH;
    assert_false(play(table, &opening));
    willow_stop_free(stop);
    free(table);
}

static void test_ends_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < GAME_ENDS; i++) {
        assert_non_null(game_end_names[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(game_end_names[i], game_end_names[j]);
    }
    assert_string_equal(game_end_names[GAME_PLAYED], "played");
    assert_string_equal(game_end_names[GAME_HUNG], "hung");
    for (int i = 0; i < GAME_ENDS; i++)
        assert_int_equal(game_end_is_fault((enum game_end)i), i != GAME_PLAYED && i != GAME_RESIGNED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_are_played_by_the_rules),
        cmocka_unit_test(test_finished_opening),
        cmocka_unit_test(test_faults_cost_the_game),
        cmocka_unit_test(test_what_a_lost_game_counts),
        cmocka_unit_test(test_faults_at_the_beginning),
        cmocka_unit_test(test_fallen_flag_beats_any_answer),
        cmocka_unit_test(test_hung_on_a_clock),
        cmocka_unit_test(test_clocks_are_those_of_the_record),
        cmocka_unit_test(test_deadlines_without_a_clock),
        cmocka_unit_test(test_hung_without_a_clock),
        cmocka_unit_test(test_scores_that_are_no_numbers),
        cmocka_unit_test(test_stop_ends_the_game),
        cmocka_unit_test(test_ends_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
