/* Error reports: filled, cut, joined to one line. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <willow/status.h>

static void fail_fills_every_field(void **state)
{
    (void)state;
    struct willow_error error;
    memset(&error, 'x', sizeof error);
    assert_int_equal(willow_fail(&error, WILLOW_ERR_FORMAT, "a.h5", "row 3", "bad value %d", 7), WILLOW_ERR_FORMAT);
    assert_int_equal(error.status, WILLOW_ERR_FORMAT);
    assert_string_equal(error.file, "a.h5");
    assert_string_equal(error.place, "row 3");
    assert_string_equal(error.reason, "bad value 7");

    assert_int_equal(willow_fail(&error, WILLOW_ERR_MEMORY, NULL, NULL, "none"), WILLOW_ERR_MEMORY);
    assert_string_equal(error.file, "");
    assert_string_equal(error.place, "");
}

static void fail_accepts_no_report(void **state)
{
    (void)state;
    assert_int_equal(willow_fail(NULL, WILLOW_ERR_BUSY, "f", "p", "%s", "r"), WILLOW_ERR_BUSY);
    assert_int_equal(willow_fail_errno(NULL, "f", "open", ENOENT), WILLOW_ERR_IO);
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'y', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct {
        struct willow_error error;
        char guard[16];
    } box;
    memset(&box, 'g', sizeof box);
    willow_fail(&box.error, WILLOW_ERR_IO, text, text, "%s", text);
    assert_int_equal(strlen(box.error.file), sizeof box.error.file - 1);
    assert_int_equal(strlen(box.error.place), sizeof box.error.place - 1);
    assert_int_equal(strlen(box.error.reason), sizeof box.error.reason - 1);
    assert_memory_equal(box.guard, "gggggggggggggggg", 16);
}

static void errno_becomes_words(void **state)
{
    (void)state;
    struct willow_error error;
    char text[256];
    assert_int_equal(willow_fail_errno(&error, "w.wlw", "open", ENOENT), WILLOW_ERR_IO);
    assert_string_equal(willow_error_text(&error, text, sizeof text), "w.wlw: cannot open: No such file or directory");
    willow_fail_errno(&error, "", "open", ENOENT);
    assert_string_equal(willow_error_text(&error, text, sizeof text), "'': cannot open: No such file or directory");
}

static void text_leaves_out_empty_parts(void **state)
{
    (void)state;
    struct willow_error error;
    char text[64];
    willow_fail(&error, WILLOW_ERR_FORMAT, "f", "line 2", "why");
    assert_string_equal(willow_error_text(&error, text, sizeof text), "f: line 2: why");
    willow_fail(&error, WILLOW_ERR_FORMAT, "f", NULL, "why");
    assert_string_equal(willow_error_text(&error, text, sizeof text), "f: why");
    willow_fail(&error, WILLOW_ERR_FORMAT, NULL, "line 2", "why");
    assert_string_equal(willow_error_text(&error, text, sizeof text), "line 2: why");
    willow_fail(&error, WILLOW_ERR_FORMAT, NULL, NULL, "why");
    assert_string_equal(willow_error_text(&error, text, sizeof text), "why");
}

static void text_is_cut_and_stays_one_line(void **state)
{
    (void)state;
    struct willow_error error;
    char text[64];
    willow_fail(&error, WILLOW_ERR_FORMAT, "a\nb", NULL, "\x1b[31m\x7f tab\t");
    assert_string_equal(willow_error_text(&error, text, sizeof text), "a?b: ?[31m? tab?");
    assert_string_equal(willow_error_text(&error, text, 4), "a?b");
    text[0] = '\n';
    willow_error_text(&error, text, 0);
    assert_int_equal(text[0], '\n');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_fills_every_field),      cmocka_unit_test(fail_accepts_no_report),
        cmocka_unit_test(long_texts_are_cut),          cmocka_unit_test(errno_becomes_words),
        cmocka_unit_test(text_leaves_out_empty_parts), cmocka_unit_test(text_is_cut_and_stays_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
