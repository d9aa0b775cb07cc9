/* The document of a fit, its page and its text: what is written is read again, hostile files are refused in one line,
 * and the page is whole and needs nothing from outside. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/fit_documents.h"
#include "support/pages.h"
#include "support/scratch.h"
#include "trainer/report/chart.h"
#include "trainer/report/fit_page.h"
#include "trainer/report/fit_summary.h"

static char folder[SCRATCH_PATH], weights[SCRATCH_PATH], path[SCRATCH_PATH];

static int set_up(void **state)
{
    (void)state;
    scratch_make(folder);
    scratch_join(weights, folder, "new.wlw");
    scratch_join(path, folder, "new.wlw.report.json");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

static void print_json(FILE *out, const void *document)
{
    fit_document_print(out, document);
}

static void print_page(FILE *out, const void *document)
{
    assert_int_equal(fit_page_print(out, document, NULL), WILLOW_OK);
}

static void print_text(FILE *out, const void *document)
{
    fit_text_print(out, document);
}

static struct fit_document *read_document(void)
{
    struct fit_document *document = NULL;
    struct willow_error error;
    char text[1024];
    if (fit_document_read(path, &document, &error) != WILLOW_OK)
        fail_msg("%s", willow_error_text(&error, text, sizeof text));
    return document;
}

/* What was read is what was written, and says the same again. */
static void round_trip(int stages, bool measured)
{
    struct fit_document *made = fit_documents_make(stages, measured);
    assert_int_equal(fit_document_save(weights, made, NULL), WILLOW_OK);
    struct fit_document *once = read_document();
    const struct fit_report *a = made->report, *b = once->report;
    assert_int_equal(once->measured, measured);
    assert_string_equal(once->weights, made->weights);
    assert_string_equal(once->values, made->values);
    assert_string_equal(once->command, "willow train fit --out 'a<b>&c ?[31m?? \"\\'"); /* harmless on a terminal */
    assert_int_equal(once->data_count, 2);
    assert_string_equal(once->data[1], made->data[1]);
    assert_int_equal(b->count, a->count);
    assert_int_equal(b->loading.verdicts[LABEL_GAP], 45);
    for (int i = 0; i < a->count; i++) {
        const struct fit_stage *x = &a->stages[i], *y = &b->stages[i];
        assert_int_equal(y->last_ply, x->last_ply);
        assert_int_equal(y->rows, x->rows);
        assert_int_equal(y->rounding.held_out.by_kind[SAMPLE_EXACT].rows,
                         x->rounding.held_out.by_kind[SAMPLE_EXACT].rows);
        assert_true(fabs(y->rounding.train.all.bias_discs - x->rounding.train.all.bias_discs) < 1e-6);
        assert_true(fabs(fit_document_rounding_cost(y) - fit_document_rounding_cost(x)) < 2e-6);
        assert_memory_equal(y->judgement.residuals, x->judgement.residuals, sizeof x->judgement.residuals);
        assert_memory_equal(y->judgement.effect_seen, x->judgement.effect_seen, sizeof x->judgement.effect_seen);
        const struct solver_report *s = &x->solver, *t = &y->solver;
        assert_int_equal(t->point_count, s->point_count > 0 ? FIT_DOCUMENT_POINTS_MAX : 0);
        if (t->point_count > 0) {
            assert_int_equal(t->points[0].step, 0);
            assert_int_equal(t->points[t->point_count - 1].step, s->points[s->point_count - 1].step);
            assert_true(fabs(t->points[0].train.loss - s->points[0].train.loss) < 1e-2);
        }
    }
    char *first = pages_printed(print_json, once);
    assert_int_equal(fit_document_save(weights, once, NULL), WILLOW_OK);
    fit_document_free(once);
    once = read_document();
    char *second = pages_printed(print_json, once);
    assert_string_equal(first, second);
    fit_document_free(once);
    free(first);
    free(second);
    fit_documents_free(made);
}

static void test_round_trip(void **state)
{
    (void)state;
    round_trip(20, false);
    round_trip(3, true);
    round_trip(60, false);
}

static void refuse(const char *text, enum willow_status status, const char *reason)
{
    struct fit_document *document = NULL;
    struct willow_error error = {0};
    char words[1024];
    scratch_write(path, text, strlen(text));
    if (fit_document_read(path, &document, &error) != status)
        fail_msg("status %d instead of %d: %s", (int)error.status, (int)status, reason);
    assert_null(document);
    if (!strstr(willow_error_text(&error, words, sizeof words), reason) || strchr(words, '\n'))
        fail_msg("'%s' does not say '%s'", words, reason);
}

/* The good document with the first `from` replaced by `to`. */
static void refuse_change(const char *good, const char *from, const char *to, const char *reason)
{
    const char *at = strstr(good, from);
    if (!at)
        fail_msg("the document has no '%s'", from);
    char *bad = malloc(strlen(good) + strlen(to) + 1);
    assert_non_null(bad);
    sprintf(bad, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    refuse(bad, WILLOW_ERR_FORMAT, reason);
    free(bad);
}

static void test_hostile_documents(void **state)
{
    (void)state;
    struct fit_document *made = fit_documents_make(4, false);
    char *good = pages_printed(print_json, made);
    refuse("", WILLOW_ERR_FORMAT, "is not the report of a fit");
    refuse("{\"stages\":[]}", WILLOW_ERR_FORMAT, "is not the report of a fit");
    refuse("{\"willow_fit_report\":2,\"new\":1}", WILLOW_ERR_VERSION, "another version");
    refuse("{\"willow_fit_report\":1,", WILLOW_ERR_FORMAT, "not YAML");
    refuse("{\"willow_fit_report\":1}", WILLOW_ERR_FORMAT, "missing");
    refuse_change(good, "\"kind\":\"fit\"", "\"kind\":\"fat\"", "kind");
    refuse_change(good, "\"tool\":", "\"spade\":", "spade");
    refuse_change(good, "\"stage\":0", "\"stage\":2", "out of range");
    refuse_change(good, "\"stage\":0", "\"stage\":-1", "out of range");
    refuse_change(good, "\"last_ply\":", "\"last_ply\":9", "out of range");
    refuse_change(good, "\"held_out_mae\":", "\"held_out_mae\":-", "out of range");
    refuse_change(good, "\"held_out_mae\":", "\"held_out_mae\":9999", "out of range");
    refuse_change(good, "\"held_out_mae\":", "\"held_out_mae\":.nan,\"x\":", "FLOAT");
    refuse_change(good, "\"held_out_mae\":", "\"held_out_mae\":1e999", "number");
    refuse_change(good, "\"rows\":", "\"rows\":-", "whole number");
    refuse_change(good, "\"judged_rows\":", "\"judged_rows\":1", "judgement");
    refuse_change(good, "\"judged\":\"held_out\"", "\"judged\":\"5\"", "judged");
    refuse_change(good, "\"residuals\":[0,", "\"residuals\":[", "entries");
    refuse_change(good, "\"residuals\":[0,", "\"residuals\":[18446744073709551615,", "judgement");
    refuse_change(good, "\"effect\":[", "\"effect\":[1,", "entries");
    refuse_change(good, "\"curve\":[{\"step\":0,", "\"curve\":[{\"step\":-5,", "learning curve");
    refuse_change(good, "\"curve\":[", "\"curve\":[[[[[[[[[[[[[[[[[[", "");
    refuse_change(good, "\"data\":[\"games\"", "\"data\":[&a \"games\",*a", "");
    /* Cut anywhere, it is not taken for whole. */
    const size_t length = strlen(good);
    for (size_t cut = 30; cut + 3 < length; cut += length / 23) {
        char *part = strdup(good);
        assert_non_null(part);
        part[cut] = '\0';
        refuse(part, WILLOW_ERR_FORMAT, "line");
        free(part);
    }
    free(good);
    fit_documents_free(made);
}

static void test_other_files_are_left_alone(void **state)
{
    (void)state;
    struct fit_document *made = fit_documents_make(2, false);
    struct willow_error error;
    scratch_write(path, "{\"mine\":1}", 10);
    assert_int_equal(fit_document_check_target(weights, &error), WILLOW_ERR_BUSY);
    assert_int_equal(fit_document_save(weights, made, &error), WILLOW_ERR_BUSY);
    assert_non_null(strstr(error.reason, "no report of a fit"));
    size_t size = 0;
    unsigned char *kept = scratch_read(path, &size);
    assert_int_equal(size, 10);
    free(kept);
    assert_int_equal(remove(path), 0);
    assert_int_equal(fit_document_check_target(weights, &error), WILLOW_OK);
    assert_int_equal(fit_document_save(weights, made, &error), WILLOW_OK);
    assert_int_equal(fit_document_save(weights, made, &error), WILLOW_OK); /* its own kind it replaces */
    assert_int_equal(fit_document_check_target("no-such-folder/x.wlw", &error), WILLOW_ERR_IO);
    fit_documents_free(made);
}

/* Every drawing is there, has words for who cannot see it and titles on its axes. */
static void test_page(void **state)
{
    (void)state;
    struct fit_document *document = fit_documents_make(20, false);
    char *page = pages_printed(print_page, document);
    pages_check(page);
    static const char *const parts[] = {"Error by stage",
                                        "rows by kind of label",
                                        "Bias by stage",
                                        "Residuals",
                                        "Labels against predictions",
                                        "What is missing to the diagonal",
                                        "How often weights were seen",
                                        "Look-ups of unseen and rare weights by stage",
                                        "Stage 19, plies 57-59",
                                        "plies 57-59",
                                        "<line class=\"same\"",
                                        "mean absolute error, discs",
                                        "passes over the rows",
                                        "What a disc counts",
                                        "no position: weights as they were",
                                        "score far from result",
                                        "4,321",
                                        "held-out rows dropped",
                                        "a&lt;b&gt;&amp;c",
                                        "more &lt;games&gt; &amp; &quot;others&quot;",
                                        "name=\"viewport\"",
                                        "<html lang=\"en\">"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        pages_assert_says(page, parts[i]);
    /* 8 charts, 19 learning curves and 19 boards of the stages that have rows, and the scale of the boards. */
    assert_int_equal(pages_count(page, "<svg"), 8 + 19 + 19 + 1);
    assert_int_equal(pages_count(page, "role=\"img\" aria-label=\""), pages_count(page, "<svg"));
    assert_int_equal(pages_count(page, "<figcaption>"), 8 + 19 + 19);
    free(page);
    fit_documents_free(document);

    document = fit_documents_make(60, false);
    page = pages_printed(print_page, document);
    pages_check(page);
    free(page);
    fit_documents_free(document);

    document = fit_documents_make(5, true);
    page = pages_printed(print_page, document);
    pages_check(page);
    pages_assert_says(page, "Willow: weights measured");
    assert_null(strstr(page, "aria-label=\"\""));
    assert_null(strstr(page, "Learning curves"));
    free(page);
    fit_documents_free(document);
}

/* Stages without rows alone, and without held-out rows: nothing is divided by zero. */
static void test_page_of_little(void **state)
{
    (void)state;
    struct fit_report *report = calloc(1, sizeof *report);
    assert_non_null(report);
    const struct fit_document document = {.tool = "t",
                                          .command = "c",
                                          .weights = "w",
                                          .patterns = "p",
                                          .ruleset = willow_ruleset_default(),
                                          .report = report};
    for (int round = 0; round < 3; round++) {
        char *page = pages_printed(print_page, &document), *text = pages_printed(print_text, &document);
        pages_check(page);
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        free(page);
        free(text);
        /* Then a stage without rows, then one with a single training row. */
        report->count = 1;
        report->rows = report->stages[0].rows = (uint64_t)round;
        report->stages[0].rounding.train.all.rows = (uint64_t)round;
        report->stages[0].judgement.rows = (uint64_t)round;
        report->stages[0].judgement.residuals[JUDGE_RESIDUALS / 2] = (uint64_t)round;
    }
    free(report);
}

/* From the sixth line on, which the names of files come before, nothing is wider than 100 columns. */
static void assert_narrow(const char *text)
{
    int line = 0;
    assert_null(strstr(text, "nan"));
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (++line > 5 && strcspn(at, "\n") > 100)
            fail_msg("line %d is too wide: %.120s", line, at);
}

static void test_text(void **state)
{
    (void)state;
    struct fit_document *document = fit_documents_make(20, false);
    char *text = pages_printed(print_text, document);
    static const char *const parts[] = {"12,345 rows",
                                        "45 left out: score far from result",
                                        "Learning curves",
                                        "Mean absolute error by stage",
                                        "Prediction - label",
                                        "Calibration",
                                        "How often weights were seen",
                                        "What a disc counts",
                                        "no position to fit",
                                        "###"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        pages_assert_says(text, parts[i]);
    assert_narrow(text);
    free(text);
    fit_documents_free(document);
}

/* Every square is there once, by itself or by one that is like it. */
static void test_squares_around_a_hole(void **state)
{
    (void)state;
    struct fit_document *document = fit_documents_make(3, false);
    document->ruleset = willow_ruleset_find("hole:c3");
    willow_square squares[WILLOW_SQUARES];
    /* The diagonal's seven squares, and the others in pairs. */
    assert_int_equal(fit_effect_squares(document->ruleset, squares), 7 + 28);
    char *text = pages_printed(print_text, document), *page = pages_printed(print_page, document);
    assert_narrow(text);
    pages_assert_says(text, "     h8\n");
    assert_null(strstr(text, "     c3"));
    assert_null(strstr(text, "     a2"));
    pages_assert_says(page, "<th>h8</th>");
    assert_null(strstr(page, "<th>c3</th>"));
    free(text);
    free(page);
    fit_documents_free(document);
}

/* Sums over stages weigh every row alike. */
static void test_summary(void **state)
{
    (void)state;
    struct fit_report *report = calloc(1, sizeof *report);
    assert_non_null(report);
    report->count = 4;
    report->held_out_rows = 40;
    const uint64_t rows[] = {10, 0, 30};
    for (int i = 0; i < 3; i++) {
        struct fit_stage *stage = &report->stages[i];
        stage->first_ply = 20 * i;
        stage->rows = rows[i];
        stage->rounding.held_out.all =
            (struct errors){.rows = rows[i], .mae_discs = 1.0 + i, .rmse_discs = 2.0 + i, .bias_discs = i - 1.0};
        stage->solver.held_out_fitted.all.mae_discs = 1.0;
        stage->judgement.part = SAMPLE_HELD_OUT;
        stage->judgement.rows = rows[i];
        stage->judgement.calibration[3] = (struct judge_bin){rows[i], 4.0 * i, -8.0 * i};
        stage->judgement.residuals[JUDGE_RESIDUALS / 2 + 5 * i] = rows[i];
        stage->judgement.weights[2] = 7;
    }
    /* This one has training rows alone. */
    report->stages[3].first_ply = 59;
    report->stages[3].rows = report->stages[3].judgement.rows = report->stages[3].rounding.train.all.rows = 1000;
    report->stages[3].judgement.residuals[0] = 1000;
    report->stages[3].judgement.weights[2] = 100;
    const struct fit_summary all = fit_summary_of(report, 0, 60), late = fit_summary_of(report, 20, 60);
    assert_int_equal(all.stages, 3);
    assert_int_equal(all.train.rows, 1000);
    assert_int_equal(all.judgement.rows, 40);
    assert_int_equal(all.held_out.rows, 40);
    assert_true(fabs(all.held_out.mae_discs - (10.0 * 1.0 + 30.0 * 3.0) / 40.0) < 1e-12);
    assert_true(fabs(all.held_out.rmse_discs - sqrt((10.0 * 4.0 + 30.0 * 16.0) / 40.0)) < 1e-12);
    assert_true(fabs(all.held_out.bias_discs - (-10.0 + 30.0) / 40.0) < 1e-12);
    assert_true(fabs(all.rounding_cost - 30.0 * 2.0 / 40.0) < 1e-12);
    assert_true(fabs(all.judgement.calibration[3].prediction_discs - 30.0 * 8.0 / 40.0) < 1e-12);
    assert_true(fabs(all.judgement.calibration[3].label_discs + 30.0 * 16.0 / 40.0) < 1e-12);
    assert_int_equal(all.weights, 114);
    assert_int_equal(late.held_out.rows, 30);
    const struct fit_residuals residuals = fit_residuals_of(&all.judgement, 0.5);
    assert_int_equal(residuals.reach, 10);
    assert_true(fabs(residuals.share[10] - 0.25) < 1e-12 && fabs(residuals.share[20] - 0.75) < 1e-12);
    const struct fit_residuals narrow = fit_residuals_of(&all.judgement, 0.9);
    assert_int_equal(narrow.reach, 1);
    assert_true(fabs(narrow.share[2] - 0.75) < 1e-12); /* the open end */
    char text[FIT_SIGHTINGS_TEXT];
    assert_string_equal(fit_sightings_text(0, text), "0");
    assert_string_equal(fit_sightings_text(3, text), "4");
    assert_string_equal(fit_sightings_text(10, text), "512");
    assert_string_equal(fit_sightings_text(11, text), "1k");
    assert_string_equal(fit_sightings_text(JUDGE_SIGHTINGS - 1, text), "more");
    free(report);
}

static void print_chart(FILE *out, const void *chart)
{
    chart_print(out, chart);
}

static void print_board(FILE *out, const void *board)
{
    chart_board_print(out, board);
}

static void test_bars_and_boards(void **state)
{
    (void)state;
    static const char *const labels[] = {"none", "a<b", "many"};
    struct chart *chart = calloc(1, sizeof *chart);
    assert_non_null(chart);
    *chart = (struct chart){.title = "t", .x_title = "x", .y_title = "y", .labels = labels, .count = 2};
    for (int s = 0; s < 2; s++) {
        chart->series[s].name = "s";
        chart->series[s].marks = CHART_BARS;
        for (int i = 0; i < 3; i++)
            chart_add(&chart->series[s], i, i * (1 + s)); /* the first one is of no height */
    }
    char *text = pages_printed(print_chart, chart);
    assert_int_equal(pages_count(text, "<rect"), 4);
    pages_assert_says(text, "a&lt;b: 2");
    /* The bars of both series at x = 1 touch each other in the middle, above the name; the second one is twice as high.
     */
    double x[4], y[4], width[4], height[4], name = 0.0;
    const char *at = text;
    for (int i = 0; i < 4; i++, at++) {
        at = strstr(at, "<rect");
        assert_int_equal(
            sscanf(at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x[i], &y[i], &width[i], &height[i]),
            4);
    }
    at = strstr(text, "middle\">a&lt;b") - strlen("<text class=\"tick\" x=\"000.0\" y=\"000\" text-anchor=\"");
    assert_int_equal(sscanf(at, "<text class=\"tick\" x=\"%lf\"", &name), 1);
    assert_true(fabs(x[0] + width[0] - x[2]) < 0.2 && fabs(x[2] - name) < 0.2 && x[0] + 2.0 * width[0] < x[1]);
    assert_true(fabs(height[2] - 2.0 * height[0]) < 0.2 && fabs(y[0] + height[0] - y[2] - height[2]) < 0.2);
    pages_assert_says(text, ">many</text>");
    free(text);
    free(chart);

    double values[CHART_SQUARES];
    for (int square = 0; square < CHART_SQUARES; square++)
        values[square] = square == 5 ? (double)NAN : square - 20.0;
    const struct chart_board board = {"b<1>", 8, 8, values, 10.0, "discs"};
    text = pages_printed(print_board, &board);
    assert_int_equal(pages_count(text, "<rect"), 64);
    assert_int_equal(pages_count(text, "class=\"less\""), 19);
    pages_assert_says(text, "aria-label=\"b&lt;1&gt;: from -20.00 on a1 to +43.00 on h8 discs\"");
    assert_null(strstr(text, "nan"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_hostile_documents),
        cmocka_unit_test(test_other_files_are_left_alone),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_page_of_little),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_squares_around_a_hole),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_bars_and_boards),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
