/* The loop's report: ladder arithmetic, what text and page must say, and that the page is whole and needs nothing from
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

static struct report_match match_of(double score, double elo, double half_width)
{
    return (struct report_match){.played = true,
                                 .wins = 70,
                                 .draws = 2,
                                 .losses = 28,
                                 .score = score,
                                 .score_low = score - 0.05,
                                 .score_high = score + 0.05,
                                 .elo = elo,
                                 .elo_low = elo - half_width,
                                 .elo_high = elo + half_width,
                                 .discs = 6.5,
                                 .discs_low = 4.0,
                                 .discs_high = 9.0};
}

static struct report_generation *add(struct report *report, enum report_kind kind)
{
    struct report_generation *generation = &report->generations[report->count];

    *generation = (struct report_generation){.number = report->count, .kind = kind, .held_out = (double)NAN};
    for (int i = 0; i < REPORT_YARDSTICKS_MAX; i++)
        generation->yardstick[i] = (double)NAN;
    report->count++;
    return generation;
}

/* Four generations: start, a pass that is accepted, one that is rejected, self-play that is accepted. */
static struct report *example(void)
{
    struct report *report = calloc(1, sizeof *report);

    assert_non_null(report);
    report->version = "0.1.0 (test)";
    report->configuration = "seed: 1\nstart: \"a<b>&c\"\n";
    report->weights = "run/weights.wlw";
    report->patterns = "p58";
    report->start = "zero";
    report->gate_minimum = 0.5;
    report->seed = 1;
    report->planned = 3;
    report->stages = willow_stages_even(20);
    report->yardsticks = 1;
    report->yardstick_names[0] = "hard<30>.obf";
    report->gate_depth = 4;
    report->final_depth = 4;
    report->seconds = 401.0;
    add(report, REPORT_START)->accepted = true;
    report_climb(report);
    for (int number = 1; number <= 3; number++) {
        struct report_generation *generation = add(report, number < 3 ? REPORT_BACKWARD : REPORT_SELFPLAY);

        generation->games = 1234567;
        generation->positions = 7654321;
        generation->held_out = 5.0 - number;
        generation->stages = 20;
        for (int stage = 0; stage < 20; stage++) {
            generation->stage_held_out[stage] = 2.0 + stage / 10.0;
            generation->stage_positions[stage] = 1000;
        }
        generation->stage_held_out[0] = (double)NAN;
        generation->opponent = number == 3 ? 1 : number - 1;
        generation->accepted = number != 2;
        generation->match = number == 2 ? match_of(0.4, -70.0, 40.0) : match_of(0.7, 150.0, 30.0 * number);
        generation->seconds = 90.0;
        generation->yardstick[0] = 7.0;
        report_climb(report);
        report->best = generation->accepted ? number : report->best;
    }
    return report;
}

static void print_text(FILE *out, const void *report)
{
    report_text(out, report);
}

static void print_html(FILE *out, const void *report)
{
    report_html(out, report);
}

static void test_ladder_adds_differences_and_variances(void **state)
{
    struct report *report = example();

    (void)state;
    assert_true(report->generations[1].ladder == 150.0);
    assert_true(report->generations[1].ladder_low == 120.0);
    assert_true(report->generations[2].ladder == 80.0);
    assert_true(report->generations[3].ladder == 300.0); /* above number 1, not above the rejected number 2 */
    assert_true(fabs(report->generations[3].ladder_high - 300.0 - sqrt(30.0 * 30.0 + 90.0 * 90.0)) < 1e-9);
    free(report);
}

static void test_text_says_what_happened(void **state)
{
    struct report *report = example();
    char *text = pages_printed(print_text, report);

    (void)state;
    pages_assert_says(text, "3 of 3 generations");
    pages_assert_says(text, "1,234,567");
    pages_assert_says(text, "7,654,321");
    pages_assert_says(text, "rejected");
    pages_assert_says(text, "[+120, +180]");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "Result"));
    free(text);

    report->final = match_of(0.97, 604.0, 100.0);
    report->complete = true;
    text = pages_printed(print_text, report);
    pages_assert_says(text, "Result: generation 3 against generation 0 at depth 4: 97.0%");
    free(text);

    report->final.played = false;
    text = pages_printed(print_text, report);
    pages_assert_says(text, "no generation was accepted");
    free(text);
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
    pages_assert_says(page, "<svg");
    pages_assert_says(page, "hard&lt;30&gt;.obf");
    free(page);
    check_page(report);
    report->final = match_of(0.97, 604.0, 100.0);
    report->complete = true;
    check_page(report);
    page = pages_printed(print_html, report);
    pages_assert_says(page, "97.0%");
    free(page);
    report->count = 1; /* only generation 0 so far */
    report->best = 0;
    report->final.played = false;
    report->complete = false;
    check_page(report);
    free(report);
}

static void test_page_with_every_extreme(void **state)
{
    struct report *report = example();

    (void)state;
    report->generations[3].match = match_of(1.0, 1200.0, 0.0);
    report->generations[3].seconds = 100000.0;
    report_climb(report);
    check_page(report);
    while (report->count < REPORT_GENERATIONS_MAX)
        add(report, REPORT_SELFPLAY);
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
    assert_string_equal(report_elo(1200.0, text), "> +1200");
    assert_string_equal(report_elo(-1200.0, text), "< -1200");
    assert_string_equal(report_elo(-3.4, text), "-3");
    assert_string_equal(report_elo(-0.2, text), "+0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ladder_adds_differences_and_variances),
        cmocka_unit_test(test_text_says_what_happened),
        cmocka_unit_test(test_page_is_whole_and_alone),
        cmocka_unit_test(test_page_with_every_extreme),
        cmocka_unit_test(test_chart_without_points_prints_nothing),
        cmocka_unit_test(test_numbers_as_people_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
