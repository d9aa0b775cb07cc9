/* Command lines split into words: quotes and backslashes as in a shell, and nothing else of one; programs that are
 * there and such that are not. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/child.h>

static void test_command_lines(void **state)
{
    static const struct {
        const char *text, *words[5];
    } cases[] = {
        {"engine", {"engine"}},
        {"  a\tb \n c  ", {"a", "b", "c"}},
        {"'a b' \"c d\" e\\ f", {"a b", "c d", "e f"}},
        {"a'b'\"c\"d ''", {"abcd", ""}},
        {"'\\n' \"\\\\ \\\" \\n \\$\"", {"\\n", "\\ \" \\n $"}},
        {"$HOME *.c ; rm | x", {"$HOME", "*.c", ";", "rm", "|"}},
        {"\"it's\" 'say \"x\"'", {"it's", "say \"x\""}},
    };
    static const struct {
        const char *text, *place;
    } bad[] = {
        {"", "column 1"}, {"   ", "column 1"}, {"a 'b", "column 3"}, {"a\"b\\\"", "column 2"}, {"a b\\", "column 4"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char **words;
        assert_int_equal(willow_command_split(cases[i].text, &words, NULL), WILLOW_OK);
        int k = 0;
        for (; k < 5 && cases[i].words[k] != NULL; k++) {
            assert_non_null(words[k]);
            assert_string_equal(words[k], cases[i].words[k]);
        }
        assert_true(k == 5 || words[k] == NULL);
        free(words);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char **words;
        struct willow_error error = {0};
        assert_int_equal(willow_command_split(bad[i].text, &words, &error), WILLOW_ERR_FORMAT);
        assert_null(words);
        assert_string_equal(error.place, bad[i].place);
    }
}

static void test_programs(void **state)
{
    struct willow_error error;

    (void)state;
    assert_int_equal(willow_command_check("sh", NULL, NULL), WILLOW_OK);
    assert_int_equal(willow_command_check("sh", "/", NULL), WILLOW_OK);
    assert_int_equal(willow_command_check("/bin/sh", NULL, NULL), WILLOW_OK);
    assert_int_equal(willow_command_check("./sh", "/bin", NULL), WILLOW_OK);
    assert_int_equal(willow_command_check("./sh", "/proc", &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, "./sh");
    assert_int_equal(willow_command_check("no-such-program-anywhere", NULL, &error), WILLOW_ERR_IO);
    assert_non_null(strstr(error.reason, strerror(ENOENT)));
    assert_int_equal(willow_command_check("/proc", NULL, &error), WILLOW_ERR_IO);
    assert_non_null(strstr(error.reason, strerror(EACCES)));
    assert_int_equal(willow_command_check("/proc/version", NULL, &error), WILLOW_ERR_IO);
    assert_int_equal(willow_command_check("", NULL, &error), WILLOW_ERR_IO);
    assert_int_equal(willow_command_check("sh", "/no/such/folder", &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, "/no/such/folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_command_lines), cmocka_unit_test(test_programs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
