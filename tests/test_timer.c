/* Clocks: what time controls say and what they refuse, the bookkeeping of every kind, budgets that never lose on time
 * under random overruns and do use the time, and searches on a clock with nothing left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <willow/random.h>
#include <willow/timer.h>
#include <willow/weights.h>

static const uint64_t MS = 1000000;

static struct willow_time_control control_of(const char *text)
{
    struct willow_time_control control;

    assert_int_equal(willow_time_control_parse(text, &control, NULL), WILLOW_OK);
    return control;
}

static struct willow_timer timer_of(const char *text)
{
    const struct willow_time_control control = control_of(text);
    struct willow_timer timer;

    willow_timer_start(&timer, &control);
    return timer;
}

static void assert_same(const struct willow_time_control *a, const struct willow_time_control *b)
{
    assert_int_equal(a->main_ms, b->main_ms);
    assert_int_equal(a->increment_ms, b->increment_ms);
    assert_int_equal(a->period_ms, b->period_ms);
    assert_int_equal(a->period_moves, b->period_moves);
}

static void test_texts_are_read_and_printed(void **state)
{
    static const struct {
        const char *text;
        struct willow_time_control control;
        const char *printed;
    } cases[] = {
        {"60", {60000, 0, 0, 0}, "60"},
        {"5:00", {300000, 0, 0, 0}, "300"},
        {"1:00:00.5", {3600500, 0, 0, 0}, "3600.5"},
        {"90:00+30", {5400000, 30000, 0, 0}, "5400+30"},
        {"1+0.01", {1000, 10, 0, 0}, "1+0.01"},
        {"0.25+0.002", {250, 2, 0, 0}, "0.25+0.002"},
        {"1+0", {1000, 0, 0, 0}, "1"},
        {"300/10", {0, 0, 300000, 10}, "300/10"},
        {"0.05/1", {0, 0, 50, 1}, "0.05/1"},
        {"0+30/5", {0, 0, 30000, 5}, "30/5"},
        {"10:00+0:30/1", {600000, 0, 30000, 1}, "600+30/1"},
        {"007.120", {7120, 0, 0, 0}, "7.12"},
        {"8640000", {8640000000, 0, 0, 0}, "8640000"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct willow_time_control control = control_of(cases[i].text);
        char printed[WILLOW_TIME_CONTROL_TEXT];

        assert_same(&control, &cases[i].control);
        assert_string_equal(willow_time_control_format(&control, printed), cases[i].printed);
        const struct willow_time_control again = control_of(printed);
        assert_same(&again, &control);
    }
}

static void test_nonsense_is_refused(void **state)
{
    static const char *const malformed[] = {
        "",        "x",     "-1",    "+1",  "1+",    "1++1",   "1+2+3",  "60 ", " 60",   "1/",
        "1/-1",    "1/2/3", "1/2+3", "1.",  ".5",    "1.2345", "1e3",    "inf", "0x10",  "1:60",
        "1:2:3:4", "1:",    ":30",   "1,5", "60+-1", "1.5:00", "40/60s", "nan", "1/1.5", "9999999999999999999999"};
    static const char *const useless[] = {"0",   "0+0",   "0:00", "0.000",  "0+1",
                                          "0/5", "5+0/5", "5/0",  "1/1001", "8640000.001"};
    static const struct willow_time_control wrong[] = {
        {0, 0, 0, 0},
        {0, 5, 0, 0},
        {1000, 10, 1000, 1},
        {1000, 0, 0, 1},
        {1000, 0, 1000, 0},
        {1000, 0, 1000, -1},
        {WILLOW_TIME_MAX_MS + 1, 0, 0, 0},
        {1000, UINT64_MAX, 0, 0},
        {0, 0, UINT64_MAX, 1},
        {0, 0, 1000, WILLOW_PERIOD_MOVES_MAX + 1},
    };
    struct willow_time_control control;
    struct willow_error error;

    (void)state;
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        error.reason[0] = '\0';
        assert_int_equal(willow_time_control_parse(malformed[i], &control, &error), WILLOW_ERR_FORMAT);
        assert_true(strlen(error.reason) > 0);
    }
    for (size_t i = 0; i < sizeof useless / sizeof useless[0]; i++)
        assert_int_equal(willow_time_control_parse(useless[i], &control, NULL), WILLOW_ERR_ARGUMENT);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(willow_time_control_check(&wrong[i], NULL), WILLOW_ERR_ARGUMENT);
}

static void test_increments_and_flags(void **state)
{
    struct willow_timer timer = timer_of("1+0.01");

    (void)state;
    assert_true(willow_timer_spend(&timer, 400 * MS));
    assert_int_equal(willow_timer_left_ns(&timer), 610 * MS);
    assert_true(willow_timer_spend(&timer, 610 * MS)); /* the last moment is in time */
    assert_int_equal(willow_timer_left_ns(&timer), 10 * MS);
    assert_false(willow_timer_spend(&timer, 10 * MS + 1));
    assert_int_equal(willow_timer_left_ns(&timer), 0);
    assert_false(willow_timer_spend(&timer, 0)); /* a fallen flag stays down */
    assert_int_equal(willow_timer_left_ns(&timer), 0);

    timer = timer_of("0.5");
    assert_true(willow_timer_spend(&timer, 500 * MS));
    assert_true(willow_timer_spend(&timer, 0));
    assert_false(willow_timer_spend(&timer, 1));
}

static void test_byo_yomi(void **state)
{
    struct willow_timer timer = timer_of("10+6/3");

    (void)state;
    assert_int_equal(willow_timer_left_ns(&timer), 16000 * MS);
    assert_true(willow_timer_spend(&timer, 9000 * MS));
    assert_int_equal(timer.moves, 0);
    /* One second of main time and one of the period, of which this is the first move. */
    assert_true(willow_timer_spend(&timer, 2000 * MS));
    assert_int_equal(timer.moves, 2);
    assert_int_equal(willow_timer_left_ns(&timer), 5000 * MS);
    assert_true(willow_timer_spend(&timer, 1000 * MS));
    assert_true(willow_timer_spend(&timer, 1000 * MS));
    /* Three moves made: a new period, and what was left of the old one is lost. */
    assert_int_equal(timer.moves, 3);
    assert_int_equal(willow_timer_left_ns(&timer), 6000 * MS);
    assert_true(willow_timer_spend(&timer, 6000 * MS));
    assert_false(willow_timer_spend(&timer, 1));

    /* Main time that is used up to the last moment. */
    timer = timer_of("10+6/3");
    assert_true(willow_timer_spend(&timer, 10000 * MS));
    assert_int_equal(timer.moves, 3);
    assert_int_equal(willow_timer_left_ns(&timer), 6000 * MS);

    timer = timer_of("2/1");
    for (int move = 0; move < 100; move++) {
        assert_int_equal(willow_timer_left_ns(&timer), 2000 * MS);
        assert_true(willow_timer_spend(&timer, 2000 * MS));
    }
    assert_false(willow_timer_spend(&timer, 2000 * MS + 1));
    timer = timer_of("1+2/1");
    assert_false(willow_timer_spend(&timer, 3000 * MS + 1));
}

/* What a search makes of a budget: it stops somewhere between the soft and the hard limit, mostly at the hard one, and
 * close to the end of the game long before. */
static uint64_t search_time(struct willow_random *random, const struct willow_budget *budget, int empties)
{
    if (budget->nodes > 0)
        return MS / 4;
    if (empties < 12 && willow_random_below(random, 2) == 0)
        return MS / 10;
    const uint64_t soft = budget->soft_ms * MS, hard = budget->hard_ms * MS;
    if (willow_random_below(random, 4) != 0)
        return hard;
    return soft + (hard - soft) / 8 * willow_random_below(random, 9);
}

/* An overrun in ns, out of `rest` that may still come: usually below a millisecond, now and then a thread that has lost
 * its core. */
static uint64_t overrun(struct willow_random *random, uint64_t *rest)
{
    uint64_t late = willow_random_below(random, 10) == 0 ? willow_random_below(random, 40000000)
                                                         : willow_random_below(random, 800000);
    if (late > *rest)
        late = *rest;
    *rest -= late;
    return late;
}

/* One side's moves of a game, some of them out of turn since the other had to pass. `held` is what the header promises
 * to hold back. */
static void play_one_game(struct willow_random *random, const char *text, uint64_t held, int start)
{
    struct willow_timer timer = timer_of(text);
    uint64_t rest = held / 2 - 1;

    for (int empties = start - (int)willow_random_below(random, 2); empties > 0;
         empties -= willow_random_below(random, 20) == 0 ? 1 : 2) {
        const struct willow_budget budget = willow_timer_budget(&timer, empties);

        assert_true(budget.soft_ms >= 1 && budget.soft_ms <= budget.hard_ms);
        if (timer.control.period_ms > 0 && timer.moves == timer.control.period_moves)
            rest = held / 2 - 1;
        const uint64_t elapsed = search_time(random, &budget, empties) + overrun(random, &rest);
        if (!willow_timer_spend(&timer, elapsed))
            fail_msg("the flag falls at %d empties on the clock %s", empties, text);
    }
}

static void test_no_flag_falls(void **state)
{
    static const struct {
        const char *text;
        unsigned held_ms;
    } clocks[] = {{"1+0.01", 100},
                  {"60", 1000},
                  {"1", 100},
                  {"0.2", 100},
                  {"0.1", 50},
                  {"0.2+0.002", 100},
                  {"5:00+3", 1000},
                  {"10+30", 1000},
                  {"2/1", 100},
                  {"0.1/1", 50},
                  {"0.04/1", 20},
                  {"10/5", 1000},
                  {"300/10", 1000},
                  {"1+0.5/3", 100},
                  {"20+5/1", 250},
                  {"0.3+0.05/1", 25},
                  {"0.05+1", 100},
                  {"1/60", 100},
                  {"8640000", 1000},
                  {"8640000+8640000", 1000},
                  {"8640000+8640000/1000", 1000}};
    enum { CLOCKS = sizeof clocks / sizeof clocks[0], GAMES = 10500 };
    /* Empty squares at the start: the largest board, 6x6 and 4x4. */
    static const int starts[] = {WILLOW_SQUARES - 4, WILLOW_SQUARES - 4, 32, 12};
    enum { STARTS = sizeof starts / sizeof starts[0] };
    struct willow_random random;

    (void)state;
    willow_random_init(&random, 7, 0);
    for (int game = 0; game < GAMES; game++)
        play_one_game(&random, clocks[game % CLOCKS].text, clocks[game % CLOCKS].held_ms * MS,
                      starts[game / CLOCKS % STARTS]);
}

/* A search that ends on the average where the soft limit makes it end: 1.7 times that after its start. */
static void check_use(int start, int middle_game)
{
    char one_period[16]; /* that holds all moves */
    snprintf(one_period, sizeof one_period, "300/%d", start / 2);
    const char *const clocks[] = {"1+0.01", "60", "5:00+3", one_period};

    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        struct willow_timer timer = timer_of(clocks[i]);
        const struct willow_time_control *control = &timer.control;
        const double total =
            (double)(control->main_ms + control->period_ms) + (start / 2 - 1) * (double)control->increment_ms;
        double used = 0.0, middle = 0.0;

        for (int empties = start; empties > 0; empties -= 2) {
            const struct willow_budget budget = willow_timer_budget(&timer, empties);
            const double ms = empties >= 16 ? (double)budget.soft_ms * 1.7 : 0.5;

            used += ms;
            if (empties >= 16 && empties <= middle_game)
                middle += ms;
            assert_true(willow_timer_spend(&timer, (uint64_t)(ms * 1e6)));
        }
        assert_true(used > 0.7 * total);
        assert_true(middle > 0.6 * used);
    }
}

static void test_time_is_used_where_it_matters(void **state)
{
    (void)state;
    check_use(WILLOW_SQUARES - 4, (WILLOW_SQUARES - 4) * 7 / 10);
    check_use(32, 32);
    /* A move that cannot save anything for the next takes all but what is held back. */
    struct willow_timer timer = timer_of("2/1");
    const struct willow_budget budget = willow_timer_budget(&timer, 50);
    assert_int_equal(budget.soft_ms, 1900);
    assert_int_equal(budget.hard_ms, 1900);
}

/* A search that takes all it may, at any point of the game, leaves the next move a good part of what it would have had.
 */
static void test_no_move_robs_the_next(void **state)
{
    static const char *const clocks[] = {"1+0.01", "60", "5:00+3", "300/30"};

    (void)state;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
        for (int empties = WILLOW_SQUARES - 4; empties >= 20; empties--) {
            struct willow_timer timer = timer_of(clocks[i]);
            const struct willow_budget budget = willow_timer_budget(&timer, empties);

            assert_true(budget.hard_ms <= 5 * budget.soft_ms + 5);
            assert_true(willow_timer_spend(&timer, budget.hard_ms * MS));
            assert_true(willow_timer_budget(&timer, empties - 2).soft_ms > budget.soft_ms / 3);
        }
}

/* The least time still gives a budget, and a search on it answers at once with a legal move. */
static void test_an_empty_clock_still_moves(void **state)
{
    const struct willow_ruleset *ruleset = willow_ruleset_default();
    static const uint64_t lefts[] = {0, 1, 1000000};
    struct willow_weights *weights;
    struct willow_search *search;

    (void)state;
    assert_int_equal(willow_weights_open("zero", NULL, &weights, NULL), WILLOW_OK);
    assert_int_equal(willow_search_new(weights, 1 << 16, &search, NULL), WILLOW_OK);
    for (size_t i = 0; i < sizeof lefts / sizeof lefts[0]; i++) {
        struct willow_timer timer = timer_of("60");
        struct willow_limits limits = {.time_ms = 5000, .nodes = 1 << 30};
        struct willow_result result;

        timer.left_ns = lefts[i];
        for (int empties = 0; empties <= 64; empties++)
            assert_int_equal(willow_timer_budget(&timer, empties).hard_ms, 1);
        willow_timer_limit(&timer, 60, &limits);
        assert_int_equal(limits.time_ms, 1);
        willow_search_run(search, ruleset->start, &limits, &result);
        assert_true(willow_board_moves(ruleset, ruleset->start) >> result.move & 1);
        assert_true(result.nodes < 20000);
    }
    willow_search_free(search);
    willow_weights_free(weights);
}

static void test_limits_are_only_tightened(void **state)
{
    const struct willow_timer timer = timer_of("60");
    const struct willow_budget budget = willow_timer_budget(&timer, 40);
    struct willow_limits limits = {.depth = 5, .nodes = 77, .time_ms = 10, .soft_ms = 3};

    (void)state;
    willow_timer_limit(&timer, 40, &limits);
    assert_int_equal(limits.depth, 5);
    assert_int_equal(limits.nodes, 77);
    assert_int_equal(limits.time_ms, 10);
    assert_int_equal(limits.soft_ms, 3);
    limits = (struct willow_limits){.time_ms = 1000000};
    willow_timer_limit(&timer, 40, &limits);
    assert_int_equal(limits.nodes, 0);
    assert_int_equal(limits.time_ms, budget.hard_ms);
    assert_int_equal(limits.soft_ms, budget.soft_ms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_read_and_printed),
        cmocka_unit_test(test_nonsense_is_refused),
        cmocka_unit_test(test_increments_and_flags),
        cmocka_unit_test(test_byo_yomi),
        cmocka_unit_test(test_no_flag_falls),
        cmocka_unit_test(test_time_is_used_where_it_matters),
        cmocka_unit_test(test_no_move_robs_the_next),
        cmocka_unit_test(test_an_empty_clock_still_moves),
        cmocka_unit_test(test_limits_are_only_tightened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
