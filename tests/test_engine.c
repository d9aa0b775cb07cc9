/* Engines of a match: what a description may say, what is refused and how, and the one line that tells two apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/weights.h>

#include "selfplay/match/engine.h"
#include "support/scratch.h"

static struct engine parsed(const char *text)
{
    struct engine engine;
    struct willow_error error = {0};

    if (engine_parse(text, &engine, &error) != WILLOW_OK)
        fail_msg("'%s': %s", text, error.reason);
    return engine;
}

static void test_limits(void **state)
{
    struct engine engine =
        parsed("deep=dir/w.wlw,depth=12,exact=20,selectivity=87,nodes=123456789012,time=0.25,clock=1+0.01");

    (void)state;
    assert_string_equal(engine.name, "deep");
    assert_int_equal(engine.kind, ENGINE_BUILTIN);
    assert_string_equal(engine.weights_name, "dir/w.wlw");
    assert_int_equal(engine.depth, 12);
    assert_int_equal(engine.exact, 20);
    assert_int_equal(engine.selectivity, 87);
    assert_true(engine.nodes == 123456789012);
    assert_true(engine.time_ms == 250);
    assert_true(engine.has_clock && engine.clock.main_ms == 1000 && engine.clock.increment_ms == 10);
    engine_clear(&engine);

    engine = parsed("default,level=30");
    assert_int_equal(engine.level, 30);
    assert_int_equal(engine.depth, 0);
    assert_false(engine.has_clock);
    engine_clear(&engine);
}

static void test_names(void **state)
{
    static const char *const cases[][2] = {{"default", "default"},
                                           {"zero,depth=1", "zero"},
                                           {"runs/7/best.wlw", "best"},
                                           {"./a=b.wlw", "a-b"},
                                           {"my weights(2).wlw", "my-weights-2-"},
                                           {".wlw", ".wlw"},
                                           {"A-1_b.c=zero", "A-1_b.c"},
                                           {"gtp:/usr/games/some-engine -l 2", "some-engine"},
                                           {"nboard:'my engine' x", "my-engine"},
                                           {"N=gtp:a=b", "N"}};
    char text[256];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct engine engine = parsed(cases[i][0]);
        assert_string_equal(engine.name, cases[i][1]);
        engine_clear(&engine);
    }
    /* Cut to fit. */
    memset(text, 'w', 100);
    memcpy(text + 100, ".wlw", sizeof ".wlw");
    struct engine engine = parsed(text);
    assert_int_equal(strlen(engine.name), ENGINE_NAME_MAX - 1);
    engine_clear(&engine);
}

static void test_programs(void **state)
{
    struct engine engine = parsed("x=gtp:prog -a 'two words' b\\ c \"d,depth=3\"");

    (void)state;
    assert_int_equal(engine.kind, ENGINE_GTP);
    assert_null(engine.weights_name);
    const char *const words[] = {"prog", "-a", "two words", "b c", "d,depth=3"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(engine.command[i], words[i]);
    assert_null(engine.command[5]);
    assert_int_equal(engine_open(&engine, willow_ruleset_default(), NULL), WILLOW_OK);
    assert_null(engine.weights);
    engine_clear(&engine);
}

static void test_refusals(void **state)
{
    static const char *const cases[][2] = {
        {"", "has no weights"},
        {",depth=3", "has no weights"},
        {"=zero", "no name before"},
        {"a=", "has no weights"},
        {"zero,", "'' is not KEY=VALUE"},
        {"zero,depth", "'depth' is not KEY=VALUE"},
        {"zero,Depth=3", "no setting 'Depth'"},
        {"zero,depth=3,depth=4", "depth is given twice"},
        {"zero,depth=0", "1 to 60"},
        {"zero,depth=61", "1 to 60"},
        {"zero,depth=", "1 to 60"},
        {"zero,depth=+3", "1 to 60"},
        {"zero,depth=99999999999999999999999", "1 to 60"},
        {"zero,exact=61", "1 to 60"},
        {"zero,selectivity=80", "73, 87"},
        {"zero,level=31", "1 to 30"},
        {"zero,level=0", "1 to 30"},
        {"zero,level=3,depth=4", "exclude each other"},
        {"zero,nodes=0", "from 1"},
        {"zero,nodes=9223372036854775808", "from 1"},
        {"zero,time=0", "0.001"},
        {"zero,time=0.0001", "0.001"},
        {"zero,time=1+1", "0.001"},
        {"zero,time=2/1", "0.001"},
        {"zero,clock=soon", "time control"},
        {"gtp:", "command '': "},
        {"gtp:'a", "quote"},
        {"gtp:''", "command is empty"},
        {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl=zero", "more than 63"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct willow_error error = {0};
        struct engine engine;
        const enum willow_status status = engine_parse(cases[i][0], &engine, &error);
        if ((status != WILLOW_ERR_ARGUMENT && status != WILLOW_ERR_FORMAT) || strstr(error.reason, cases[i][1]) == NULL)
            fail_msg("'%s': status %d, '%s'", cases[i][0], (int)status, error.reason);
        engine_clear(&engine);
    }
}

/* Fields as another reader may fill them in. */
static void test_check(void **state)
{
    static char *command[] = {(char *)"prog", NULL};
    static char *setup[] = {(char *)"good", (char *)"two\nlines", NULL};
    const struct {
        struct engine engine;
        const char *part; /* null = accepted */
    } cases[] = {
        {{.name = "a b", .kind = ENGINE_NBOARD, .command = command, .depth = 60}, NULL},
        {{.name = "a", .kind = ENGINE_NBOARD, .command = command, .level = 12}, NULL},
        {{.name = "a", .has_clock = true, .clock = {.main_ms = 1}}, NULL},
        {{.name = ""}, "no name"},
        {{.name = "a\"b"}, "quotes"},
        {{.name = "a\nb"}, "printable"},
        {{.name = "a "}, "blank"},
        {{.name = "a", .depth = -1}, "depth"},
        {{.name = "a", .exact = 61}, "exact"},
        {{.name = "a", .selectivity = 72}, "selectivity"},
        {{.name = "a", .level = 31}, "level"},
        {{.name = "a", .time_ms = UINT64_MAX}, "100 days"},
        {{.name = "a", .has_clock = true}, "clock"},
        {{.name = "a", .command = command}, "command"},
        {{.name = "a", .weights_name = (char *)""}, "weights is empty"},
        {{.name = "a", .kind = ENGINE_GTP}, "command is empty"},
        {{.name = "a", .kind = ENGINE_GTP, .command = command, .depth = 3}, "depth cannot be told"},
        {{.name = "a", .kind = ENGINE_GTP, .command = command, .level = 3}, "level cannot be told"},
        {{.name = "a", .kind = ENGINE_NBOARD, .command = command, .nodes = 3}, "nodes cannot be told"},
        {{.name = "a", .kind = ENGINE_NBOARD, .command = command, .weights_name = (char *)"zero"}, "weights and"},
        {{.name = "a", .kind = ENGINE_GTP, .command = command, .folder = (char *)""}, "folder"},
        {{.name = "a", .kind = ENGINE_GTP, .command = command, .setup = setup}, "setup"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct willow_error error = {0};
        const enum willow_status status = engine_check(&cases[i].engine, &error);
        if (status != (cases[i].part == NULL ? WILLOW_OK : WILLOW_ERR_ARGUMENT) ||
            (cases[i].part != NULL && strstr(error.reason, cases[i].part) == NULL))
            fail_msg("case %zu: status %d, '%s'", i, (int)status, error.reason);
    }
}

/* Engines that differ in anything that fixes their games have different lines; the folder of their weights does not. */
static void test_description(void **state)
{
    static const char *const all[] = {
        "zero,depth=3",     "zero,depth=4",       "zero,depth=3,exact=4", "zero,depth=3,selectivity=73",
        "zero,nodes=3",     "zero,level=3",       "zero,time=3",          "zero,time=0.003",
        "zero,clock=3",     "default,depth=3",    "gtp:zero depth",       "nboard:zero depth",
        "gtp:'zero depth'", "gtp:'zero \"depth'", "gtp:zero 'depth\n'",   "gtp:zero 'depth?'"};
    enum { COUNT = sizeof all / sizeof *all };
    char texts[COUNT][256], small[12], folder[SCRATCH_PATH], path[SCRATCH_PATH];

    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        struct engine engine = parsed(all[i]);
        assert_int_equal(engine_open(&engine, willow_ruleset_default(), NULL), WILLOW_OK);
        assert_ptr_equal(engine_describe(&engine, texts[i], sizeof texts[i]), texts[i]);
        if (engine.kind == ENGINE_BUILTIN)
            assert_non_null(strstr(texts[i], willow_weights_checksum(engine.weights)));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(texts[i], texts[j]);
        (void)engine_describe(&engine, small, sizeof small);
        assert_memory_equal(small, texts[i], sizeof small - 1);
        assert_int_equal(strlen(small), sizeof small - 1);
        engine_clear(&engine);
    }
    assert_string_equal(texts[13], "gtp: \"zero \\\"depth\"");

    scratch_make(folder);
    struct engine engine = parsed("zero,depth=3");
    assert_int_equal(engine_open(&engine, willow_ruleset_default(), NULL), WILLOW_OK);
    assert_int_equal(willow_weights_save(engine.weights, scratch_join(path, folder, "zero"), NULL), WILLOW_OK);
    engine_clear(&engine);
    engine = parsed("other=zero,depth=3");
    free(engine.weights_name);
    engine.weights_name = strdup(path);
    assert_int_equal(engine_open(&engine, willow_ruleset_default(), NULL), WILLOW_OK);
    assert_string_equal(engine_describe(&engine, texts[1], sizeof texts[1]), texts[0]);
    engine_clear(&engine);
    scratch_remove(folder);
}

static void test_open_failure(void **state)
{
    struct engine engine = parsed("no/such/file.wlw");
    struct willow_error error;

    (void)state;
    assert_int_equal(engine_open(&engine, willow_ruleset_default(), &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, "no/such/file.wlw");
    assert_null(engine.weights);
    engine_clear(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits),      cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_programs),    cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_check),       cmocka_unit_test(test_description),
                                       cmocka_unit_test(test_open_failure)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
