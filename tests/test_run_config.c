/* The configuration of a self-play run: its limits and its text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selfplay/run/run_config.h"

static void configurations_are_checked(void **state)
{
    struct run_config good = run_config_default(), bad;
    (void)state;
    struct willow_error error;
    char *text;
    assert_int_equal(run_config_check(&good, &error), WILLOW_OK);
    bad = good, bad.games = 0;
    assert_int_equal(run_config_check(&bad, &error), WILLOW_ERR_ARGUMENT);
    bad = good, bad.depth = 0;
    assert_int_equal(run_config_check(&bad, &error), WILLOW_ERR_ARGUMENT);
    bad = good, bad.opening_min = 13;
    assert_int_equal(run_config_check(&bad, &error), WILLOW_ERR_ARGUMENT);
    bad = good, bad.noise = -1;
    assert_int_equal(run_config_check(&bad, &error), WILLOW_ERR_ARGUMENT);
    bad = good, bad.games = (uint64_t)1 << 40;
    assert_int_equal(run_config_check(&bad, &error), WILLOW_ERR_ARGUMENT);
    bad = good, bad.policy = RUN_POLICY_MOBILITY;
    assert_int_equal(run_config_check(&bad, &error), WILLOW_ERR_ARGUMENT);
    strcpy(good.weights, "it's a name");
    good.keep = 1.0 / 3;
    good.random_move = 0.05;
    assert_int_equal(run_config_text(&good, &text, NULL), WILLOW_OK);
    assert_non_null(strstr(text, "weights: \"it's a name\"\n"));
    assert_non_null(strstr(text, "keep: 0.3333333333333333\n"));
    assert_non_null(strstr(text, "random_move: 0.05\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(configurations_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
