/* YAML configurations: every kind of bad file comes back as one error with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cyaml/cyaml.h>

#include <willow/program.h>

#include "support/scratch.h"

struct inner {
    int depth;
};

struct configuration {
    unsigned games;
    double rate;
    bool fast;
    char *name;
    struct inner search, *levels;
    unsigned levels_count;
};

static const cyaml_schema_field_t inner_fields[] = {CYAML_FIELD_INT("depth", CYAML_FLAG_DEFAULT, struct inner, depth),
                                                    CYAML_FIELD_END};
static const cyaml_schema_value_t inner_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct inner, inner_fields)};
static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_UINT("games", CYAML_FLAG_DEFAULT, struct configuration, games),
    CYAML_FIELD_FLOAT("rate", CYAML_FLAG_OPTIONAL, struct configuration, rate),
    CYAML_FIELD_BOOL("fast", CYAML_FLAG_OPTIONAL, struct configuration, fast),
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct configuration, name, 0, 20),
    CYAML_FIELD_MAPPING("search", CYAML_FLAG_OPTIONAL, struct configuration, search, inner_fields),
    CYAML_FIELD_SEQUENCE_COUNT("levels", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, struct configuration, levels,
                               levels_count, &inner_schema, 0, 4),
    CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct configuration, fields)};

static char folder[SCRATCH_PATH], path[SCRATCH_PATH];

static int make_folder(void **state)
{
    (void)state;
    scratch_make(folder);
    scratch_join(path, folder, "config.yaml");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

static enum willow_status load(const char *text, size_t size, struct configuration **configuration,
                               struct willow_error *error)
{
    scratch_write(path, text, size);
    void *value = (void *)1;
    const enum willow_status status = willow_config_load(path, &schema, &value, error);
    *configuration = value;
    return status;
}

/* The file is refused, at that place, with a reason that holds the text. */
static void refused(const char *text, const char *place, const char *reason)
{
    struct willow_error error = {0};
    struct configuration *configuration = NULL;
    assert_int_equal(load(text, strlen(text), &configuration, &error), WILLOW_ERR_FORMAT);
    assert_null(configuration);
    assert_int_equal(error.status, WILLOW_ERR_FORMAT);
    assert_string_equal(error.file, path);
    assert_string_equal(error.place, place);
    if (!strstr(error.reason, reason))
        fail_msg("'%s' is not in '%s'", reason, error.reason);
    assert_null(strchr(error.reason, '\n'));
}

static void test_good(void **state)
{
    (void)state;
    static const char text[] = "# comment\ngames: 12\nrate: 0.5\nfast: true\nname: quick run\nsearch:\n  depth: -3\n";
    struct willow_error error;
    struct configuration *configuration = NULL;
    assert_int_equal(load(text, sizeof text - 1, &configuration, &error), WILLOW_OK);
    assert_non_null(configuration);
    assert_int_equal(configuration->games, 12);
    assert_true(configuration->rate == 0.5);
    assert_true(configuration->fast);
    assert_string_equal(configuration->name, "quick run");
    assert_int_equal(configuration->search.depth, -3);
    willow_config_free(&schema, configuration);
    willow_config_free(&schema, NULL);
}

static void test_unknown_key(void **state)
{
    (void)state;
    refused("games: 1\nfoo: 2\n", "line 2, column 1", "unknown key 'foo'");
    refused("foo: 2\ngames: 1\n", "line 1, column 1", "unknown key 'foo'");
    refused("games: 1\nsearch:\n  depth: 3\n  width: 4\n", "line 4, column 3", "unknown key 'width'");
    /* The text of the key as a value before it is not its place. */
    refused("games: 1\nname: foo\nfoo: 2\n", "line 3, column 1", "unknown key 'foo'");
    refused("games: 1\ngames: 2\n", "line 2, column 1", "second time");
    /* What is missing has no place; the end of what is there stands for it. */
    refused("rate: 1.0\n", "line 1, column 7", "key 'games' is missing");
}

static void test_wrong_type(void **state)
{
    (void)state;
    refused("games: many\n", "line 1, column 8", "key 'games'");
    refused("rate: 1\ngames: -1\n", "line 2, column 8", "key 'games'");
    refused("games: 99999999999999999999\n", "line 1, column 8", "key 'games'");
    refused("games: 1\nrate: fast\n", "line 2, column 7", "key 'rate'");
    refused("games: 1\nfast: [1, 2]\n", "line 2, column 7", "key 'fast'");
    refused("games: 1\nsearch: 3\n", "line 2, column 9", "key 'search'");
    refused("games: 1\nname: a text that is longer than it may be\n", "line 2, column 7", "key 'name'");
    refused("- 1\n- 2\n", "line 1, column 1", "MAPPING");
    refused("just text\n", "line 1, column 1", "MAPPING");
}

/* What libcyaml would guess at: the front of a number, octal digits, 2^64 - 1, any word as true, null as a name. */
static void test_no_guess(void **state)
{
    (void)state;
    static const char *const numbers[] = {"1e6", "2.5", "5-3",   "1k",     "010", "0x10",
                                          "+1",  "-1",  "1_000", "\"1 \"", "\"\""};
    static const char *const reals[] = {"1,5", "0.5x", "nan", ".nan", "inf", ".inf", "1e999", "0x1p3", "\" 1\"", "."};
    static const char *const words[] = {"off", "maybe", "1", "''", "null"};
    char text[128];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(text, sizeof text, "rate: 1\ngames: %s\n", numbers[i]);
        refused(text, "line 2, column 8", "key 'games'");
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        snprintf(text, sizeof text, "games: 1\nrate: %s\n", reals[i]);
        refused(text, "line 2, column 7", "key 'rate'");
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        snprintf(text, sizeof text, "games: 1\nfast: %s\n", words[i]);
        refused(text, "line 2, column 7", "key 'fast'");
    }
    refused("games: 1\nname: null\n", "line 2, column 7", "key 'name'");
    refused("games: 1\nname: ~\n", "line 2, column 7", "key 'name'");
    refused("games: 1\nname: \"a\\0b\"\n", "line 2, column 7", "key 'name'");
    refused("games: 1\nsearch:\n  depth: 3.0\n", "line 3, column 10", "key 'depth'");
    refused("games: 1\nlevels: [{depth: 1}, {depth: -2x}]\n", "line 2, column 30", "key 'depth'");
    refused("games: 1\nlevels: [{depth: 1}, {}]\nfast: on\n", "line 2, column 22", "key 'depth' is missing");

    static const char good[] = "games: 0\nrate: -1.5e-3\nfast: No\nname: 'null'\nlevels: [{depth: 0}, {depth: -12}]\n";
    struct willow_error error;
    struct configuration *configuration = NULL;
    assert_int_equal(load(good, sizeof good - 1, &configuration, &error), WILLOW_OK);
    assert_int_equal(configuration->games, 0);
    assert_true(configuration->rate == -1.5e-3);
    assert_false(configuration->fast);
    assert_string_equal(configuration->name, "null");
    assert_int_equal(configuration->levels_count, 2);
    assert_int_equal(configuration->levels[1].depth, -12);
    willow_config_free(&schema, configuration);
}

static void test_syntax(void **state)
{
    (void)state;
    refused("games: 1\nname: a: b\n", "line 2, column 8", "not YAML: mapping values are not allowed");
    refused("games: [1\n", "line 2, column 1", "not YAML");
    refused("games: 1\n\tname: x\n", "line 2, column 1", "tab");
    refused("games: 1\nname: \"x\n", "line 3, column 1", "not YAML");
    refused("games: 1\n---\ngames: 2\n", "line 2, column 1", "second document");
    refused("games: &a 1\nname: *a\n", "line 2, column 1", "lias");
}

static void test_deep(void **state)
{
    (void)state;
    enum { SIZE = 200000 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, '[', SIZE);
    text[SIZE] = '\0';
    refused(text, "line 1, column 17", "nested deeper");
    free(text);
}

static void test_text_valid(void **state)
{
    (void)state;
    static const char *const good[] = {
        "", "a\tb\n", "\xc3\xa9", "\xe2\x97\x8f", "\xf0\x9f\x8c\xb3", "\xf4\x8f\xbf\xbd"};
    static const char *const bad[] = {"\xff",
                                      "a\xc3",
                                      "\xc3(",
                                      "\xc0\xaf",
                                      "\xe0\x80\xaf",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xe2\x97",
                                      "\x7f",
                                      "\xc2\x9b",
                                      "\x80"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(willow_config_text_valid(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(willow_config_text_valid(bad[i]));
}

static void test_empty(void **state)
{
    (void)state;
    refused("", "", "empty");
    refused("\n\n# nothing but a comment\n", "", "empty");
}

static void test_binary(void **state)
{
    (void)state;
    struct willow_error error = {0};
    struct configuration *configuration = NULL;
    static const char zero[] = "games: 1\nname: a\0b\n";
    assert_int_equal(load(zero, sizeof zero - 1, &configuration, &error), WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, "offset 16");
    static const char invalid[] = "games: 1\nname: \xff\xfe\n";
    assert_int_equal(load(invalid, sizeof invalid - 1, &configuration, &error), WILLOW_ERR_FORMAT);
    assert_string_equal(error.place, "offset 15");
}

static void test_missing(void **state)
{
    (void)state;
    struct willow_error error = {0};
    void *value = (void *)1;
    assert_int_equal(willow_config_load("/nonexistent/run.yaml", &schema, &value, &error), WILLOW_ERR_IO);
    assert_null(value);
    assert_string_equal(error.file, "/nonexistent/run.yaml");
    assert_int_equal(willow_config_load("/tmp", &schema, &value, &error), WILLOW_ERR_FORMAT);
    assert_int_equal(willow_config_load("/tmp", &schema, &value, NULL), WILLOW_ERR_FORMAT);
}

/* Every prefix of a good file loads or is refused, and nothing leaks or crashes. */
static void test_truncated(void **state)
{
    (void)state;
    static const char text[] = "games: 12\nrate: 0.5\nfast: true\nname: 'quick run'\nsearch: {depth: 3}\n";
    for (size_t size = 0; size < sizeof text; size++) {
        struct willow_error error = {0};
        struct configuration *configuration = NULL;
        const enum willow_status status = load(text, size, &configuration, &error);
        assert_true((status == WILLOW_OK) == (configuration != NULL));
        assert_true(status == WILLOW_OK || error.reason[0] != '\0');
        willow_config_free(&schema, configuration);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),     cmocka_unit_test(test_unknown_key), cmocka_unit_test(test_wrong_type),
        cmocka_unit_test(test_no_guess), cmocka_unit_test(test_deep),        cmocka_unit_test(test_text_valid),
        cmocka_unit_test(test_syntax),   cmocka_unit_test(test_empty),       cmocka_unit_test(test_binary),
        cmocka_unit_test(test_missing),  cmocka_unit_test(test_truncated),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
