/* What a run is given beside its configuration: found by name or as copies, and refused where it is something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "selfplay/run/run_folder.h"
#include "selfplay/run/run_inputs.h"
#include "support/random_weights.h"
#include "support/scratch.h"

static const char list[] = "f5d6c3\nf5f6 # two more\n";

struct fixture {
    char folder[SCRATCH_PATH], copies[SCRATCH_PATH];
    struct run_config config;
};

/* Weights fixed by the seed under this name in the folder. */
static void save_weights(const char *folder, const char *name, uint64_t seed)
{
    char path[SCRATCH_PATH];
    const struct willow_stages stages = willow_stages_even(WILLOW_SQUARES, 1);
    struct willow_weights *weights = random_weights(willow_pattern_set_default(), &stages, seed, WILLOW_SCORE_DISC);
    assert_int_equal(willow_weights_save(weights, scratch_join(path, folder, name), NULL), WILLOW_OK);
    willow_weights_free(weights);
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct run_config *config = &fixture->config;
    char path[SCRATCH_PATH];
    scratch_make(fixture->folder);
    scratch_make(fixture->copies);
    *config = run_config_default();
    config->opening = OPENINGS_LIST;
    config->pool_count = 2;
    save_weights(fixture->folder, "own.wlw", 1);
    save_weights(fixture->folder, "old.wlw", 2);
    save_weights(fixture->copies, RUN_WEIGHTS_FILE, 1);
    save_weights(fixture->copies, "pool-01.wlw", 2);
    save_weights(fixture->copies, "pool-02.wlw", 3);
    scratch_write(scratch_join(path, fixture->folder, "list.txt"), list, strlen(list));
    scratch_write(scratch_join(path, fixture->copies, RUN_OPENINGS_FILE), list, strlen(list));
    scratch_join(config->weights, fixture->folder, "own.wlw");
    scratch_join(config->pool[0], fixture->folder, "old.wlw");
    strcpy(config->pool[1], "zero");
    scratch_join(config->opening_list, fixture->folder, "list.txt");
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    scratch_remove(fixture->folder);
    scratch_remove(fixture->copies);
    free(fixture);
    return 0;
}

static void names_are_resolved(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config, again;
    struct run_inputs inputs;
    assert_int_equal(run_inputs_load(&inputs, config, NULL, NULL), WILLOW_OK);
    assert_string_equal(config->ruleset, "othello");
    assert_string_equal(config->weights_checksum, willow_weights_checksum(inputs.weights[0]));
    assert_string_equal(config->pool_checksums[0], willow_weights_checksum(inputs.weights[1]));
    assert_string_equal(config->pool_checksums[1], willow_weights_checksum(inputs.weights[2]));
    assert_string_not_equal(config->pool_checksums[0], config->pool_checksums[1]);
    assert_int_equal(strlen(config->opening_checksum), WILLOW_CHECKSUM_TEXT - 1);
    assert_null(inputs.weights[3]);
    assert_string_equal(inputs.list, list);
    struct openings_options options = run_inputs_openings(&inputs, config);
    assert_int_equal(options.kind, OPENINGS_LIST);
    assert_ptr_equal(options.list, inputs.list);
    assert_string_equal(options.list_name, config->opening_list);
    run_inputs_clear(&inputs);
    /* Resolved, it accepts the same files. */
    again = *config;
    assert_int_equal(run_inputs_load(&inputs, &again, NULL, NULL), WILLOW_OK);
    assert_memory_equal(&again, config, sizeof again);
    run_inputs_clear(&inputs);
}

static void assert_refused(struct fixture *fixture, const char *folder, const char *name)
{
    struct run_inputs inputs;
    struct willow_error error;
    struct run_config config = fixture->config;
    assert_int_equal(run_inputs_load(&inputs, &config, folder, &error), WILLOW_ERR_MISMATCH);
    assert_string_equal(error.file, name);
    assert_null(inputs.weights[0]);
}

static void other_files_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct run_inputs inputs;
    char path[SCRATCH_PATH];
    assert_int_equal(run_inputs_load(&inputs, config, NULL, NULL), WILLOW_OK);
    run_inputs_clear(&inputs);
    const struct run_config resolved = *config;
    save_weights(fixture->folder, "old.wlw", 5);
    assert_refused(fixture, NULL, config->pool[0]);
    save_weights(fixture->folder, "old.wlw", 2);
    save_weights(fixture->folder, "own.wlw", 5);
    assert_refused(fixture, NULL, config->weights);
    save_weights(fixture->folder, "own.wlw", 1);
    scratch_write(scratch_join(path, fixture->folder, "list.txt"), list, strlen(list) - 1);
    assert_refused(fixture, NULL, config->opening_list);
    config->opening_checksum[0] = '\0';
    assert_int_equal(run_inputs_load(&inputs, config, NULL, NULL), WILLOW_OK);
    run_inputs_clear(&inputs);
    strcpy(config->ruleset, "anti");
    assert_refused(fixture, NULL, config->weights);
    strcpy(config->weights, "zero");
    config->weights_checksum[0] = '\0';
    assert_refused(fixture, NULL, config->pool[0]);
    *config = resolved;
    assert_int_equal(unlink(scratch_join(path, fixture->folder, "list.txt")), 0);
    assert_int_equal(run_inputs_load(&inputs, config, NULL, NULL), WILLOW_ERR_IO);
}

/* When the names are gone, or mean something else by now. */
static void copies_take_the_place_of_names(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct run_inputs inputs;
    char path[SCRATCH_PATH];
    strcpy(config->weights, "gone.wlw");
    strcpy(config->pool[0], "gone.wlw");
    strcpy(config->opening_list, "gone.txt");
    assert_int_equal(run_inputs_load(&inputs, config, fixture->copies, NULL), WILLOW_OK);
    assert_string_equal(inputs.list, list);
    assert_string_equal(config->pool_checksums[1], willow_weights_checksum(inputs.weights[2]));
    assert_string_equal(config->weights, "gone.wlw");
    run_inputs_clear(&inputs);
    save_weights(fixture->copies, "pool-02.wlw", 9);
    assert_refused(fixture, fixture->copies, scratch_join(path, fixture->copies, "pool-02.wlw"));
}

static void openings_follow_the_configuration(void **state)
{
    struct fixture *fixture = *state;
    struct run_config *config = &fixture->config;
    struct run_inputs inputs;
    config->opening = OPENINGS_RANDOM, config->opening_shares[7] = 2, config->seed = 44;
    assert_int_equal(run_inputs_load(&inputs, config, NULL, NULL), WILLOW_OK);
    assert_null(inputs.list);
    struct openings_options options = run_inputs_openings(&inputs, config);
    assert_true(options.kind == OPENINGS_RANDOM && options.plies_min == 4 && options.plies_max == 12);
    assert_true(options.shares[7] == 2 && options.seed == 44 && options.repeat && !options.judge && !options.list_name);
    config->opening_balance = 3;
    options = run_inputs_openings(&inputs, config);
    assert_ptr_equal(options.judge, inputs.weights[0]);
    assert_true(options.soft_discs == 3 && options.judge_depth > 0);
    config->opening = OPENINGS_ALL, config->opening_plies = 6;
    options = run_inputs_openings(&inputs, config);
    assert_true(options.kind == OPENINGS_ALL && options.plies_max == 6 && !options.judge);
    run_inputs_clear(&inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_are_resolved, setup, teardown),
        cmocka_unit_test_setup_teardown(other_files_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_take_the_place_of_names, setup, teardown),
        cmocka_unit_test_setup_teardown(openings_follow_the_configuration, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
