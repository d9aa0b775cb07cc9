/* The loop's report: what text and page must say, finished or not, and that the page is whole and needs nothing from
 * outside. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/pages.h"
#include "trainer/loop/loop_report.h"
#include "trainer/report/chart.h"

enum { STAGES = 20 };

static struct report_match match_of(double score, double elo, double half_width)
{
    return (struct report_match){.played = true,
                                 .pairs = 50,
                                 .wins = 70,
                                 .draws = 2,
                                 .losses = 28,
                                 .score = score,
                                 .score_low = score - 0.05,
                                 .score_high = score + 0.05,
                                 .elo = elo,
                                 .elo_low = elo - half_width,
                                 .elo_high = elo + half_width,
                                 .nelo = elo * 1.5,
                                 .nelo_low = (elo - half_width) * 1.5,
                                 .nelo_high = (elo + half_width) * 1.5,
                                 .discs = 6.5,
                                 .discs_low = 4.0,
                                 .discs_high = 9.0};
}

static struct report_rating rating_of(double elo, double half_width)
{
    return (struct report_rating){.games = 400, .elo = elo, .elo_low = elo - half_width, .elo_high = elo + half_width};
}

/* The next line of the report, with nothing known; it counts when `closed`. */
static struct report_generation *add(struct report *report, enum report_kind kind, bool closed)
{
    struct report_generation *generation = &report->generations[report->count];

    *generation = (struct report_generation){
        .number = report->count, .kind = kind, .held_out = (double)NAN, .ladder = rating_of((double)NAN, (double)NAN)};
    generation->ladder.games = 0;
    for (int i = 0; i < REPORT_YARDSTICKS_MAX; i++)
        generation->yardstick[i] = (double)NAN;
    for (int i = 0; i < WILLOW_STAGES_MAX; i++)
        generation->stage_held_out[i] = (double)NAN;
    report->count += closed;
    return generation;
}

static void name_yardsticks(struct report *report, int count)
{
    static const char *const names[] = {"hard<30>.obf", "hard-25.obf", "hard-20.obf", "ffo.obf"};

    report->yardsticks = count;
    for (int i = 0; i < count; i++)
        report->yardstick_names[i] = names[i % 4];
}

static void fill(struct report_generation *generation)
{
    const int number = generation->number;

    generation->games = 1234567;
    generation->depth = 1;
    generation->label_depth = number + 2;
    generation->positions = 7654321;
    generation->labelled = 5432109;
    generation->held_out = 5.0 - number;
    generation->stages = STAGES;
    for (int stage = 1; stage < STAGES; stage++) {
        generation->stage_held_out[stage] = 2.0 + stage / 10.0;
        generation->stage_positions[stage] = 1000;
    }
    generation->opponent = number == 3 ? 1 : number - 1;
    generation->accepted = number != 2;
    generation->match = number == 2 ? match_of(0.4, -70.0, 40.0) : match_of(0.7, 150.0, 30.0 * number);
    generation->test = (struct report_test){.tested = true, .llr = -2.97, .lower = -2.94, .upper = 2.94};
    generation->test.verdict = number == 1 ? REPORT_H1 : number == 2 ? REPORT_H0 : REPORT_UNDECIDED;
    generation->ladder = rating_of(180.0 * number - (number == 2 ? 250.0 : 0.0), 25.0);
    generation->seconds = 4090.0;
    for (int work = 0; work < REPORT_WORKS; work++)
        generation->spent[work] = 1000.0 / (work + 1);
    for (int i = 0; i < REPORT_YARDSTICKS_MAX; i++)
        generation->yardstick[i] = 9.0 + 0.3 * i - number;
}

/* Generation 0 and what is the same in all loops. */
static struct report *begun(void)
{
    struct report *report = calloc(1, sizeof *report);

    assert_non_null(report);
    report->version = "0.1.0 (test)";
    report->configuration = "seed: 1\nstart: \"a<b>&c\"\n";
    report->weights = "run/weights.wlw";
    report->ruleset = "othello";
    report->patterns = "p58";
    report->start = "zero";
    report->seed = 1;
    report->planned = 3;
    report->stages = willow_stages_even(WILLOW_SQUARES, STAGES);
    report->gate_pairs = 200;
    report->gate_depth = 4;
    report->gate_nelo1 = 10.0;
    report->ladder_pairs = 100;
    report->ladder_depth = 2;
    report->ladder_anchor = "g0";
    report->final_depth = 4;
    report->seconds = 401.0;
    report->disk_bytes = 1.25e9;
    name_yardsticks(report, 1);
    add(report, REPORT_START, true)->accepted = true;
    return report;
}

/* After it a pass that is accepted, one that is rejected, self-play that is accepted without a decision of the test. */
static struct report *example(void)
{
    static const struct report_encounter encounters[] = {
        {0, 1, 200, 0.25}, {0, 3, 200, 0.0625}, {3, 1, 200, 0.75}, {1000, 3, 200, 0.5}};
    struct report *report = begun();

    report->generations[0].ladder = (struct report_rating){.games = 400};
    report->generations[0].yardstick[0] = 12.5;
    for (int number = 1; number <= 3; number++)
        fill(add(report, number < 3 ? REPORT_BACKWARD : REPORT_SELFPLAY, true));
    report->best = 3;
    report->players = 1;
    report->player[0] = (struct report_player){.name = "old<1>", .rating = rating_of(333.0, 20.0)};
    report->encounters = sizeof encounters / sizeof *encounters;
    report->encounter = encounters;
    return report;
}

static void begin_making(struct report *report)
{
    struct report_generation *making = add(report, REPORT_SELFPLAY, false);

    making->games = 50000;
    making->spent[REPORT_GAMES] = making->seconds = 33.0;
    report->planned = 4;
    report->seconds_left = 7200.0;
    report->unfinished = true;
    report->steps = 2;
    snprintf(report->step[0].title, sizeof report->step[0].title, "generation %d: games", making->number);
    snprintf(report->step[1].title, sizeof report->step[1].title, "generation %d: fit <stage 3>", making->number);
    report->step[1].seconds = 33.0;
}

static void print_text(FILE *out, const void *report)
{
    report_text(out, report);
}

static void print_html(FILE *out, const void *report)
{
    report_html(out, report);
}

/* No line is longer than this. */
static void assert_narrow(const char *text, size_t columns)
{
    for (const char *line = text; *line != '\0'; line += line[0] == '\n') {
        const size_t length = strcspn(line, "\n");
        if (length > columns)
            fail_msg("%zu columns: %.*s", length, (int)length, line);
        line += length;
    }
}

static void test_text_says_what_happened(void **state)
{
    struct report *report = example();
    char *text = pages_printed(print_text, report);

    (void)state;
    pages_assert_says(text, "3 of 3 generations");
    pages_assert_says(text, "1.25 GB on disk");
    pages_assert_says(text, "1.23M");
    pages_assert_says(text, "5.43M");
    pages_assert_says(text, "rejected\n");
    pages_assert_says(text, "accepted*, best\n");
    pages_assert_says(text, "+540 [+515, +565]"); /* the ladder */
    pages_assert_says(text, "+225 [+180, +270]"); /* the gate of generation 1 */
    pages_assert_says(text, "+333 [+313, +353]"); /* the fixed opponent */
    pages_assert_says(text, " -2.97  ");
    pages_assert_says(text, "1:08:10");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "Result"));
    assert_narrow(text, 150);
    free(text);

    report->final = match_of(0.97, 604.0, 100.0);
    report->complete = true;
    text = pages_printed(print_text, report);
    pages_assert_says(text, "Result: generation 3 against generation 0 at depth 4: 97.0%");
    free(text);

    report->final.played = false;
    report->best = 0;
    text = pages_printed(print_text, report);
    pages_assert_says(text, "no generation was accepted");
    free(text);
    free(report);
}

static void test_text_of_a_loop_at_work(void **state)
{
    struct report *report = example();

    (void)state;
    begin_making(report);
    char *text = pages_printed(print_text, report);
    pages_assert_says(text, "3 of 4 generations, 6 min 41 s used, about 2 h 00 min left");
    pages_assert_says(text, "the latest step done: generation 4: fit <stage 3>");
    pages_assert_says(text, "in the making");
    pages_assert_says(text, "0:33");
    assert_null(strstr(text, "nan"));
    free(text);
    free(report);
}

static void test_text_with_any_number_of_yardsticks(void **state)
{
    struct report *report = example();

    (void)state;
    for (int count = 0; count <= REPORT_YARDSTICKS_MAX; count++) {
        name_yardsticks(report, count);
        char *text = pages_printed(print_text, report);
        assert_narrow(text, 150);
        assert_int_equal(pages_count(text, " hard-20"), (count + 1) / 4); /* each file stands in one table */
        free(text);
    }
    free(report);
}

static void check_page(const struct report *report)
{
    char *page = pages_printed(print_html, report);

    pages_check(page);
    pages_assert_says(page, "a&lt;b&gt;&amp;c");
    assert_null(strstr(page, "a<b>"));
    free(page);
}

static void test_page_is_whole_and_alone(void **state)
{
    struct report *report = example();
    char *page = pages_printed(print_html, report);

    (void)state;
    assert_int_equal(pages_count(page, "<svg"), 6);
    pages_assert_says(page, "hard&lt;30&gt;.obf");
    pages_assert_says(page, "old&lt;1&gt;");
    free(page);
    check_page(report);
    report->final = match_of(0.97, 604.0, 100.0);
    report->complete = true;
    check_page(report);
    page = pages_printed(print_html, report);
    pages_assert_says(page, "97.0%");
    free(page);
    free(report);
}

static void test_page_shows_the_ladder(void **state)
{
    struct report *report = example();
    char *page = pages_printed(print_html, report);

    (void)state;
    pages_assert_says(page, "<title>generation 3: 540 [515, 565]</title>");
    pages_assert_says(page, "<title>old&lt;1&gt;: 333 [313, 353]</title>");
    pages_assert_says(page, "class=\"hollow\"");
    pages_assert_says(page, "<title>labels 1: 8.333</title>"); /* minutes */
    pages_assert_says(page, "+540 <span class=\"soft\">[+515, +565]</span>");
    /* The cross table has both sides of every encounter, the best player first. */
    pages_assert_says(page, "title=\"200 games\">94</td>");
    pages_assert_says(page, "title=\"200 games\">6</td>");
    assert_true(strstr(page, "<td class=\"name\">g3</td>") <
                strstr(page, "<td class=\"name\">old&lt;1&gt;</td><td>+333"));
    assert_int_equal(pages_count(page, "title=\"200 games\""), 8);
    free(page);
    free(report);
}

/* A beginner who would press all others into a line is left out of the picture, and named below it; not when few others
 * are there, and not when it is near. */
static void test_charts_leave_out_beginners(void **state)
{
    static const char words[] = "What came before generation 1 lies far outside of the picture.";
    struct report *report = begun();

    (void)state;
    for (int number = 1; number <= 5; number++) {
        fill(add(report, REPORT_SELFPLAY, true));
        report->generations[0].ladder = rating_of(-9000.0, 10.0);
        char *page = pages_printed(print_html, report);
        assert_int_equal(pages_count(page, words), number < 4 ? 0 : 1);
        assert_int_equal(pages_count(page, "<title>generation 0: -9000"), number < 4 ? 1 : 0);
        free(page);
    }
    report->generations[0].ladder = rating_of(-300.0, 10.0);
    char *page = pages_printed(print_html, report);
    assert_int_equal(pages_count(page, words), 0);
    pages_assert_says(page, "<title>generation 0: -300");
    free(page);
    free(report);
}

static void test_page_of_a_loop_at_work(void **state)
{
    struct report *report = begun();

    (void)state;
    check_page(report); /* generation 0 alone */
    char *page = pages_printed(print_html, report);
    pages_assert_says(page, "No game of the ladder has been played yet");
    assert_int_equal(pages_count(page, "<svg"), 0);
    free(page);
    begin_making(report);
    check_page(report);
    page = pages_printed(print_html, report);
    pages_assert_says(page, "Generation 1 in the making");
    pages_assert_says(page, "fit &lt;stage 3&gt;");
    pages_assert_says(page, "about 2 h 00 min left");
    free(page);
    report->steps = 0;
    check_page(report);
    report->count = 0; /* not even that */
    report->unfinished = false;
    check_page(report);
    free(report);
}

static void test_page_with_every_extreme(void **state)
{
    struct report *report = example();

    (void)state;
    report->generations[3].match = match_of(1.0, 1200.0, 0.0);
    report->generations[3].seconds = 100000.0;
    check_page(report);
    name_yardsticks(report, REPORT_YARDSTICKS_MAX);
    while (report->count < REPORT_GENERATIONS_MAX)
        fill(add(report, REPORT_SELFPLAY, true));
    report->players = REPORT_PLAYERS_MAX;
    for (int i = 0; i < REPORT_PLAYERS_MAX; i++)
        report->player[i] = report->player[0];
    report->unfinished = true; /* there is no room for it */
    check_page(report);
    free(report);
}

static void test_chart_without_points_prints_nothing(void **state)
{
    struct chart *chart = calloc(1, sizeof *chart);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_non_null(chart);
    assert_non_null(out);
    chart->title = chart->x_title = chart->y_title = chart->series[0].name = "t";
    chart->count = 1;
    chart->series[0].count = 1;
    chart->series[0].points[0].y = (double)NAN;
    chart_print(out, chart);
    assert_int_equal(fflush(out), 0);
    assert_int_equal(size, 0);
    chart->series[0].points[0] = (struct chart_point){.x = 3, .y = 7, .low = 7, .high = 7};
    chart_print(out, chart);
    assert_int_equal(fclose(out), 0);
    assert_true(size > 0);
    pages_assert_says(text, "<circle");
    assert_null(strstr(text, "nan"));
    free(text);
    free(chart);
}

static void test_numbers_as_people_write_them(void **state)
{
    char text[32];

    (void)state;
    assert_string_equal(report_number(0, text), "0");
    assert_string_equal(report_number(999, text), "999");
    assert_string_equal(report_number(1000, text), "1,000");
    assert_string_equal(report_number(UINT64_MAX, text), "18,446,744,073,709,551,615");
    assert_string_equal(report_short(9999, text), "9,999");
    assert_string_equal(report_short(10000, text), "10.0k");
    assert_string_equal(report_short(999499, text), "999k");
    assert_string_equal(report_short(999500, text), "1.00M");
    assert_string_equal(report_short(UINT64_MAX, text), "18.4E");
    assert_string_equal(report_bytes(0.0, text), "0 B");
    assert_string_equal(report_bytes(1234567890.0, text), "1.23 GB");
    assert_string_equal(report_clock(0.4, text), "0:00");
    assert_string_equal(report_clock(3599.4, text), "59:59");
    assert_string_equal(report_clock(3723.0, text), "1:02:03");
    assert_string_equal(report_ladder_elo(1234.4, text), "+1234");
    assert_string_equal(report_elo(1200.0, text), "> +1200");
    assert_string_equal(report_elo(-1200.0, text), "< -1200");
    assert_string_equal(report_elo(-3.4, text), "-3");
    assert_string_equal(report_elo(-0.2, text), "+0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_says_what_happened),
        cmocka_unit_test(test_text_of_a_loop_at_work),
        cmocka_unit_test(test_text_with_any_number_of_yardsticks),
        cmocka_unit_test(test_page_is_whole_and_alone),
        cmocka_unit_test(test_page_shows_the_ladder),
        cmocka_unit_test(test_charts_leave_out_beginners),
        cmocka_unit_test(test_page_of_a_loop_at_work),
        cmocka_unit_test(test_page_with_every_extreme),
        cmocka_unit_test(test_chart_without_points_prints_nothing),
        cmocka_unit_test(test_numbers_as_people_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
