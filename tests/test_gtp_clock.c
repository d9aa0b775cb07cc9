/* The clocks of a GTP session: what time_settings means, whole seconds that correct the own time only where both cannot
 * be true, and the time that a turn is thought to have taken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <willow/notation.h>

#include "protocol/gtp_clock.h"
#include "support/gtp_table.h"

static const uint64_t MS = 1000000;

static struct gtp_clock clock_of(double main_seconds, double period_seconds, int moves)
{
    struct gtp_clock clock = {.used = false};
    assert_true(gtp_clock_set(&clock, main_seconds, period_seconds, moves));
    return clock;
}

static uint64_t left_ms(const struct gtp_clock *clock)
{
    return gtp_clock_timer(clock, WILLOW_BLACK, 0).left_ns / MS;
}

/* Books a move that takes so much on the controller's clock. */
static void book(struct gtp_clock *clock, uint64_t ms)
{
    gtp_clock_spend(clock, WILLOW_BLACK, (ms - GTP_CLOCK_LAG_MS) * MS);
}

static void settings(void **state)
{
    (void)state;
    struct gtp_clock clock = clock_of(60, 0, 0);
    assert_true(clock.used);
    assert_int_equal(clock.control.main_ms, 60000);
    assert_int_equal(left_ms(&clock), 60000);
    clock = clock_of(60, 10, 5);
    assert_int_equal(clock.control.period_ms, 10000);
    assert_int_equal(clock.control.period_moves, 5);
    clock = clock_of(0, 10, 5);
    assert_int_equal(left_ms(&clock), 10000);
    assert_int_equal(clock.timers[WILLOW_WHITE].moves, 5);
    /* No limit at all. */
    assert_false(clock_of(60, 10, 0).used);
    assert_false(clock_of(0, 0, 0).used);
    assert_false(clock_of(0, 0, 5).used);
    /* However short, a limit; and more than anybody waits for. */
    clock = clock_of(0.0001, 0, 0);
    assert_int_equal(left_ms(&clock), 1);
    clock = clock_of(0, 0.0001, 3);
    assert_int_equal(left_ms(&clock), 1);
    assert_int_equal(clock.control.period_moves, 3);
    assert_false(clock_of(60, 0.0001, 0).used);
    clock = clock_of(1e30, 0, 0);
    assert_int_equal(left_ms(&clock), WILLOW_TIME_MAX_MS);
    assert_false(gtp_clock_set(&clock, 0, 10, WILLOW_PERIOD_MOVES_MAX + 1));
}

/* A clock of one second whose controller rounds down: from the second move on it says 0. */
static void seconds_that_agree_change_nothing(void **state)
{
    (void)state;
    struct gtp_clock clock = clock_of(1, 0, 0);
    gtp_clock_told(&clock, WILLOW_BLACK, 1, 0);
    assert_int_equal(left_ms(&clock), 1000);
    for (int move = 0; move < 9; move++) {
        book(&clock, 100);
        gtp_clock_told(&clock, WILLOW_BLACK, 0, 0);
        assert_int_equal(left_ms(&clock), 900 - 100 * move);
        assert_int_equal(clock.timers[WILLOW_WHITE].left_ns, 1000 * MS);
    }
    /* Rounded down, to the nearest and up. */
    for (int told = 41; told <= 43; told++) {
        clock = clock_of(60, 0, 0);
        book(&clock, 18100);
        gtp_clock_told(&clock, WILLOW_BLACK, told, 0);
        assert_int_equal(left_ms(&clock), told == 43 ? 42500 : 41900);
    }
}

static void seconds_that_disagree_are_believed(void **state)
{
    (void)state;
    struct gtp_clock clock = clock_of(60, 0, 0);
    gtp_clock_told(&clock, WILLOW_BLACK, 30, 0);
    assert_int_equal(left_ms(&clock), 30000);
    gtp_clock_told(&clock, WILLOW_BLACK, 31, 0);
    assert_int_equal(left_ms(&clock), 30500);
    /* An increment that nobody told of: never more than can be there, however it was rounded. */
    for (int move = 0; move < 50; move++) {
        gtp_clock_told(&clock, WILLOW_BLACK, 31 + move, 0);
        assert_true(left_ms(&clock) <= (uint64_t)(31 + move) * 1000 &&
                    left_ms(&clock) + 1000 >= (uint64_t)(31 + move) * 1000);
    }
    /* Much less than was thought: something to move with. */
    gtp_clock_told(&clock, WILLOW_BLACK, 0, 0);
    assert_in_range(left_ms(&clock), 1, 999);
    /* A flag that had fallen here, and not there. */
    book(&clock, 5000);
    assert_true(clock.timers[WILLOW_BLACK].fallen);
    gtp_clock_told(&clock, WILLOW_BLACK, 0, 0);
    assert_true(clock.timers[WILLOW_BLACK].fallen);
    gtp_clock_told(&clock, WILLOW_BLACK, 3, 0);
    assert_false(clock.timers[WILLOW_BLACK].fallen);
    assert_in_range(left_ms(&clock), 2000, 3000);
}

static void periods(void **state)
{
    (void)state;
    struct gtp_clock clock = clock_of(10, 5, 3);
    book(&clock, 11000);
    assert_int_equal(clock.timers[WILLOW_BLACK].moves, 2);
    assert_int_equal(left_ms(&clock), 4000);
    gtp_clock_told(&clock, WILLOW_BLACK, 4, 2);
    assert_int_equal(left_ms(&clock), 4000);
    /* Another count of moves is the controller's word. */
    gtp_clock_told(&clock, WILLOW_BLACK, 5, 3);
    assert_int_equal(clock.timers[WILLOW_BLACK].moves, 3);
    assert_int_equal(left_ms(&clock), 5000);
    gtp_clock_told(&clock, WILLOW_BLACK, 7, 0);
    assert_int_equal(clock.timers[WILLOW_BLACK].moves, 0);
    assert_int_equal(left_ms(&clock), 7000);
    /* Told without settings. */
    clock = (struct gtp_clock){.used = false};
    gtp_clock_told(&clock, WILLOW_BLACK, 20, 0);
    assert_true(clock.used && clock.control.period_ms == 0);
    assert_int_equal(left_ms(&clock), 20000);
    clock = (struct gtp_clock){.used = false};
    gtp_clock_told(&clock, WILLOW_BLACK, 20, 4);
    assert_int_equal(clock.timers[WILLOW_BLACK].moves, 4);
    clock = (struct gtp_clock){.used = false};
    gtp_clock_told(&clock, WILLOW_BLACK, 0, 0);
    assert_false(clock.used);
}

static uint64_t asked_ms(struct gtp_table *table, const char *line)
{
    table_expect(table, line, "");
    assert_true(table->request.clocked);
    return table->request.timer.left_ns / MS;
}

static void move(struct gtp_table *table, uint64_t ms, const char *square)
{
    table->now_ns += ms * MS;
    assert_true(table_report(table, willow_square_parse(square)));
}

/* The turn begins with the opponent's move, and ends with the answer and 5 ms for its way; pauses of a human between
 * commands, and the opponent's time, are nobody's here. */
static void turns_are_booked(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "genmove b", "");
    assert_false(table->request.clocked);
    assert_int_equal(table->request.choice.level, 3);
    assert_true(table_report(table, willow_square_parse("f5")));
    table_expect(table, "time_settings 10 0 0", "=\n\n");
    table_expect(table, "clear_board", "=\n\n");
    table->now_ns += 5000 * MS;
    assert_int_equal(asked_ms(table, "genmove b"), 10000);
    assert_int_equal(table->request.choice.level, 0);
    assert_int_equal(table->request.choice.limits.exact_empties, 10);
    move(table, 400, "f5");
    table->now_ns += 3000 * MS;
    table_expect(table, "play w f6", "=\n\n");
    table->now_ns += 50 * MS;
    table_expect(table, "time_left b 9 0", "=\n\n");
    table->now_ns += 50 * MS;
    assert_int_equal(asked_ms(table, "genmove b"), 9495);
    move(table, 100, "e6");
    table->now_ns += 20 * MS;
    /* White is the engine's, too: its own clock, from its own command on. */
    assert_int_equal(asked_ms(table, "genmove w"), 10000);
    move(table, 250, "f4");
    table_expect(table, "name", "= Tree\n\n");
    table->now_ns += 600 * MS;
    assert_int_equal(asked_ms(table, "genmove b"), 9390);
    /* Sent ahead: the turn begins when the former one has ended. */
    table_expect(table, "genmove w", "");
    move(table, 1000, "g7");
    assert_true(table->running);
    assert_int_equal(table->request.timer.left_ns / MS, 9745);
    move(table, 1, "f7");
    /* Not played, not booked. */
    table_expect(table, "reg_genmove b", "");
    assert_false(table->request.clocked);
    move(table, 5000, "e7");
    assert_int_equal(asked_ms(table, "genmove b"), 8385);
    move(table, 1, "e7");
    /* Another game, another clock; and none. */
    table_expect(table, "clear_board", "=\n\n");
    assert_int_equal(asked_ms(table, "genmove b"), 10000);
    move(table, 1, "f5");
    table_expect(table, "time_settings 0 5 0", "=\n\n");
    table_expect(table, "genmove w", "");
    assert_false(table->request.clocked);
    assert_true(table_report(table, willow_square_parse("f6")));
    gtp_table_free(table);
}

/* The time until pondering has ended belongs to the turn. */
static void the_end_of_pondering_is_booked(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new_pondering();
    table_expect(table, "time_settings 10 0 0", "=\n\n");
    assert_int_equal(asked_ms(table, "genmove b"), 10000);
    move(table, 1000, "f5");
    assert_true(table->running);
    table->now_ns += 7000 * MS;
    table_expect(table, "play w f6", "");
    table->now_ns += 30 * MS;
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_false(table->running);
    assert_int_equal(asked_ms(table, "genmove b"), 8965);
    move(table, 0, "e6");
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    gtp_table_free(table);
}

/* The last second is for moves alone; byo-yomi of a second or more to come is time enough. */
static void no_pondering_short_of_time(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new_pondering();
    table_expect(table, "time_settings 3 0 0", "=\n\n");
    assert_int_equal(asked_ms(table, "genmove b"), 3000);
    move(table, 1900, "f5");
    assert_true(table->running);
    table_expect(table, "play w f6", "");
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    assert_in_range(asked_ms(table, "genmove b"), 1000, 1100);
    move(table, 100, "e6");
    assert_false(table->running);
    table_expect(table, "time_settings 0.5 1 1", "=\n\n");
    assert_true(table->running);
    assert_true(table_report(table, WILLOW_NO_SQUARE));
    gtp_table_free(table);
}

/* A clock that ran on below nothing: nothing is left, and a move is asked for all the same. */
static void overdrawn_clocks(void **state)
{
    (void)state;
    struct gtp_table *table = gtp_table_new();
    table_expect(table, "time_settings 10 0 0", "=\n\n");
    table_expect(table, "time_left b -3 0", "=\n\n");
    assert_in_range(asked_ms(table, "genmove b"), 1, 999);
    move(table, 1, "f5");
    assert_int_equal(asked_ms(table, "genmove w"), 10000);
    move(table, 1, "f6");
    table_expect(table, "time_left w -99999999999999999999999999.5 0", "=\n\n");
    table_expect(table, "time_left b 99999999999999999999999999.5 0", "=\n\n");
    assert_int_equal(asked_ms(table, "genmove b"), WILLOW_TIME_MAX_MS);
    move(table, 1, "e6");
    assert_in_range(asked_ms(table, "genmove w"), 1, 999);
    move(table, 1, "f4");
    gtp_table_free(table);
}

static void bad_times_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"time_settings 10 0",        "time_settings x 0 0",   "time_settings 10 -1 0",
                                        "time_settings 10 5 100000", "time_left b 5",         "time_left x 5 0",
                                        "time_left b 5 x",           "time_settings 1e3 0 0", "time_settings nan 0 0",
                                        "time_left b --5 0",         "time_left b - 0",       "time_left b 5 -1"};
    struct gtp_table *table = gtp_table_new();
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        table_expect(table, lines[i], "? syntax error\n\n");
    table_expect(table, "genmove b", "");
    assert_false(table->request.clocked);
    assert_true(table_report(table, willow_square_parse("f5")));
    gtp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings),
        cmocka_unit_test(seconds_that_agree_change_nothing),
        cmocka_unit_test(seconds_that_disagree_are_believed),
        cmocka_unit_test(periods),
        cmocka_unit_test(turns_are_booked),
        cmocka_unit_test(the_end_of_pondering_is_booked),
        cmocka_unit_test(no_pondering_short_of_time),
        cmocka_unit_test(overdrawn_clocks),
        cmocka_unit_test(bad_times_are_refused),
    };
    return cmocka_run_group_tests_name("gtp_clock", tests, gtp_table_set_up, gtp_table_tear_down);
}
