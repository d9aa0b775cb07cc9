/* The roster of a match's folder: engines join under any name, and none changes behind its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/match/roster.h"
#include "support/scratch.h"

enum { ENGINES = 5 };

/* Programs, whose weights need not be opened; one with a command longer than a line of the roster. */
static void set_up_engines(struct engine engines[ENGINES])
{
    static const char *const names[ENGINES] = {"a: b", "a", "a: gtp", "b", ": "};

    for (int i = 0; i < ENGINES; i++) {
        struct willow_error error;
        char text[2000];
        const int length = snprintf(text, sizeof text, "gtp:engine %d", i);

        if (i == 3)
            snprintf(text + length, sizeof text - (size_t)length, "%1500s", "7");
        assert_int_equal(engine_parse(text, &engines[i], &error), WILLOW_OK);
        snprintf(engines[i].name, sizeof engines[i].name, "%s", names[i]);
    }
}

static void test_names_are_told_apart(void **state)
{
    char folder[SCRATCH_PATH];
    struct engine engines[ENGINES];

    (void)state;
    scratch_make(folder);
    set_up_engines(engines);
    for (int count = 1; count <= ENGINES; count++) {
        assert_int_equal(roster_check(folder, engines, count, NULL), WILLOW_OK);
        assert_int_equal(roster_update(folder, engines, count, NULL), WILLOW_OK);
    }
    for (int i = 0; i < ENGINES; i++) {
        char *const word = engines[i].command[1];
        const char before = *word;

        assert_int_equal(roster_check(folder, &engines[i], 1, NULL), WILLOW_OK);
        *word = 'x';
        assert_int_equal(roster_check(folder, engines, ENGINES, NULL), WILLOW_ERR_MISMATCH);
        *word = before;
    }
    assert_int_equal(roster_check(folder, engines, ENGINES, NULL), WILLOW_OK);
    for (int i = 0; i < ENGINES; i++)
        engine_clear(&engines[i]);
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
