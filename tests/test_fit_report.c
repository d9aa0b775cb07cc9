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
#include "support/scratch.h"

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

static char *printed(const struct fit_document *document)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    fit_document_print(stream, document);
    assert_int_equal(fclose(stream), 0);
    return text;
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
    char *first = printed(once);
    assert_int_equal(fit_document_save(weights, once, NULL), WILLOW_OK);
    fit_document_free(once);
    once = read_document();
    char *second = printed(once);
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
    char *good = printed(made);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_hostile_documents),
        cmocka_unit_test(test_other_files_are_left_alone),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
