/* Checks of HTML pages; see pages.h. */
#include "support/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

char *pages_printed(void (*print)(FILE *out, const void *what), const void *what)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    print(out, what);
    assert_int_equal(fclose(out), 0);
    return text;
}

void pages_assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is missing", part);
}

int pages_count(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

/* Every element that opens closes, in order; void elements aside. */
static void assert_balanced(const char *page)
{
    char stack[64][16];
    int depth = 0;

    for (const char *at = strchr(page, '<'); at != NULL; at = strchr(at + 1, '<')) {
        char name[16];
        const bool closing = at[1] == '/';
        const char *end = strchr(at, '>');

        assert_non_null(end);
        if (at[1] == '!')
            continue;
        const size_t length = strcspn(at + 1 + closing, " >/");
        assert_true(length > 0 && length < sizeof name);
        memcpy(name, at + 1 + closing, length);
        name[length] = '\0';
        if (strcmp(name, "meta") == 0 || end[-1] == '/')
            continue;
        if (!closing) {
            assert_true(depth < 64);
            memcpy(stack[depth++], name, sizeof name);
            continue;
        }
        assert_true(depth > 0);
        assert_string_equal(stack[--depth], name);
    }
    assert_int_equal(depth, 0);
}

void pages_check(const char *page)
{
    static const char *const foreign[] = {"http", "src=", "<script", "url(", "@import", "nan", "inf\"", "javascript:"};
    assert_balanced(page);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strstr(page, foreign[i]) != NULL)
            fail_msg("the page has \"%s\"", foreign[i]);
    pages_assert_says(page, "prefers-color-scheme:dark");
}
