/* Tests of opening weights by name, for a ruleset: linked sets, files, the variable WILLOW_WEIGHTS, and weights of
 * another ruleset.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/checksum.h>
#include <willow/file.h>
#include <willow/weights.h>

#include "support/scratch.h"

struct fixture {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL)
        return -1;
    scratch_make(fixture->folder);
    scratch_join(fixture->path, fixture->folder, "a.wlw");
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    scratch_remove(fixture->folder);
    free(fixture);
    return 0;
}

/* A file of a few hundred bytes. */
static struct willow_weights *small_weights(const struct willow_ruleset *ruleset)
{
    const struct willow_stages stages = willow_stages_even(willow_ruleset_squares(ruleset), 2);
    struct willow_weights *weights = NULL;
    assert_int_equal(willow_weights_new_zero(ruleset, willow_pattern_set_find("p46"), &stages, &weights, NULL),
                     WILLOW_OK);
    return weights;
}

/* For every ruleset "default" is a linked set that plays it, or the same as "zero". */
static void test_open_for_every_ruleset(void **state)
{
    (void)state;
    const struct willow_ruleset *ruleset;
    for (int r = 0; (ruleset = willow_ruleset_at(r)) != NULL; r += strncmp(ruleset->name, "hole:", 5) == 0 ? 13 : 1) {
        struct willow_weights *zero = NULL, *linked = NULL;
        assert_int_equal(willow_weights_open("zero", ruleset, &zero, NULL), WILLOW_OK);
        assert_int_equal(willow_weights_open("default", ruleset, &linked, NULL), WILLOW_OK);
        assert_ptr_equal(willow_weights_ruleset(zero), ruleset);
        assert_true(willow_ruleset_same_play(willow_weights_ruleset(linked), ruleset));
        assert_int_equal(willow_weights_stages(zero)->squares, willow_ruleset_squares(ruleset));
        assert_true((strcmp(willow_weights_checksum(zero), willow_weights_checksum(linked)) != 0) ==
                    willow_weights_shipped(ruleset));
        willow_weights_free(zero);
        willow_weights_free(linked);
    }
#ifndef WILLOW_WIDE
    assert_true(willow_weights_shipped(willow_ruleset_find("othello")));
    assert_true(willow_weights_shipped(willow_ruleset_find("reversi")));
    assert_false(willow_weights_shipped(willow_ruleset_find("4x4")));
    assert_false(willow_weights_shipped(willow_ruleset_find("hole:c3")));
#endif
}

#ifndef WILLOW_WIDE
static void test_weights_of_another_ruleset_do_not_open(void **state)
{
    const struct fixture *fixture = *state;
    const struct willow_ruleset *anti = willow_ruleset_find("anti");
    struct willow_weights *weights = small_weights(anti), *opened = NULL;
    struct willow_error error;
    assert_int_equal(willow_weights_save(weights, fixture->path, NULL), WILLOW_OK);
    willow_weights_free(weights);
    assert_int_equal(willow_weights_open(fixture->path, willow_ruleset_othello(), &opened, &error),
                     WILLOW_ERR_MISMATCH);
    assert_null(opened);
    assert_string_equal(error.reason, "weights of anti do not play othello: say --ruleset anti");
    assert_string_equal(error.file, fixture->path);
    assert_int_equal(willow_weights_open(fixture->path, anti, &opened, NULL), WILLOW_OK);
    willow_weights_free(opened);
    assert_int_equal(willow_weights_open(fixture->path, NULL, &opened, NULL), WILLOW_OK);
    assert_ptr_equal(willow_weights_ruleset(opened), anti);
    willow_weights_free(opened);

    /* Only the start differs. */
    weights = small_weights(willow_ruleset_othello());
    assert_int_equal(willow_weights_save(weights, fixture->path, NULL), WILLOW_OK);
    willow_weights_free(weights);
    assert_int_equal(willow_weights_open(fixture->path, willow_ruleset_find("reversi"), &opened, NULL), WILLOW_OK);
    willow_weights_free(opened);
}
#endif

/* A file for a board of the other build is named as such, with what to type, and never by this build's terms. */
static void test_weights_of_another_build_do_not_open(void **state)
{
    const struct fixture *fixture = *state;
    enum { AT_RULESET = 20, OTHELLO = 1, IS_10X10 = 7, CHECKSUM_BYTES = WILLOW_CHECKSUM_TEXT - 1 };
    struct willow_weights *small = small_weights(willow_ruleset_default()), *opened = NULL;
    struct willow_error error;
    char checksum[WILLOW_CHECKSUM_TEXT];
    unsigned char *data = NULL;
    size_t size = 0;
    assert_int_equal(willow_weights_save(small, fixture->path, NULL), WILLOW_OK);
    willow_weights_free(small);
    assert_int_equal(willow_file_read(fixture->path, 1 << 20, &data, &size, NULL), WILLOW_OK);
    data[AT_RULESET] = WILLOW_SQUARES > 64 ? OTHELLO : IS_10X10;
    willow_checksum128_text(data, size - CHECKSUM_BYTES, checksum);
    memcpy(data + size - CHECKSUM_BYTES, checksum, CHECKSUM_BYTES);
    assert_int_equal(willow_file_replace(fixture->path, data, size, NULL), WILLOW_OK);
    free(data);
    assert_int_equal(willow_weights_open(fixture->path, willow_ruleset_default(), &opened, &error),
                     WILLOW_ERR_MISMATCH);
    assert_null(opened);
    assert_string_equal(error.file, fixture->path);
    assert_string_equal(error.reason, WILLOW_SQUARES > 64
                                          ? "weights of another ruleset (id 1) do not play 10x10; "
                                            "'willow weights info' names it, without --ruleset"
                                          : "weights of 10x10 serve no other ruleset; --ruleset 10x10 plays them");
}

static void assert_opens(const char *name, const char *checksum)
{
    struct willow_weights *weights = NULL;
    assert_int_equal(willow_weights_open(name, NULL, &weights, NULL), WILLOW_OK);
    assert_string_equal(willow_weights_checksum(weights), checksum);
    willow_weights_free(weights);
}

static void test_open_by_name(void **state)
{
    const struct fixture *fixture = *state;
    struct willow_weights *linked = NULL, *zero = NULL, *small = small_weights(willow_ruleset_default());
    struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 20);
    assert_int_equal(willow_weights_default(&linked, NULL), WILLOW_OK);
    assert_int_equal(
        willow_weights_new_zero(willow_ruleset_default(), willow_pattern_set_default(), &stages, &zero, NULL),
        WILLOW_OK);
    assert_int_equal(willow_weights_save(small, fixture->path, NULL), WILLOW_OK);

    assert_int_equal(unsetenv("WILLOW_WEIGHTS"), 0);
    assert_opens(NULL, willow_weights_checksum(linked));
    assert_opens("zero", willow_weights_checksum(zero));
    assert_opens(fixture->path, willow_weights_checksum(small));
    assert_int_equal(setenv("WILLOW_WEIGHTS", fixture->path, 1), 0);
    assert_opens(NULL, willow_weights_checksum(small));
    assert_opens("default", willow_weights_checksum(linked));
    assert_opens("zero", willow_weights_checksum(zero));
    assert_int_equal(setenv("WILLOW_WEIGHTS", "no/such/file", 1), 0);
    struct willow_weights *none = NULL;
    assert_int_equal(willow_weights_open(NULL, NULL, &none, NULL), WILLOW_ERR_IO);
    assert_int_equal(willow_weights_open("", NULL, &none, NULL), WILLOW_ERR_ARGUMENT);
    assert_int_equal(unsetenv("WILLOW_WEIGHTS"), 0);

    willow_weights_free(linked);
    willow_weights_free(zero);
    willow_weights_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_for_every_ruleset),
        cmocka_unit_test(test_open_by_name),
        cmocka_unit_test(test_weights_of_another_build_do_not_open),
#ifndef WILLOW_WIDE
        cmocka_unit_test(test_weights_of_another_ruleset_do_not_open),
#endif
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
