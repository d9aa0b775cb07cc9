/* Parts of the training loop: configuration with defaults and refusals, child processes with output, stop and failure,
 * the state file, results read back, and removal of folders. The loop as a whole is in cli/loop_smoke.sh. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/clock.h>
#include <willow/file.h>

#include "support/scratch.h"
#include "trainer/loop/loop_config.h"
#include "trainer/loop/loop_folder.h"
#include "trainer/loop/loop_process.h"
#include "trainer/loop/loop_results.h"
#include "trainer/loop/loop_state.h"

struct folder {
    char path[SCRATCH_PATH];
};

static int set_up(void **state)
{
    struct folder *folder = calloc(1, sizeof *folder);

    assert_non_null(folder);
    scratch_make(folder->path);
    *state = folder;
    return 0;
}

static int tear_down(void **state)
{
    struct folder *folder = *state;

    assert_int_equal(folder_remove(folder->path, NULL), WILLOW_OK);
    assert_false(willow_file_exists(folder->path));
    free(folder);
    return 0;
}

static char *path_of(const struct folder *folder, const char *name, char *path)
{
    assert_int_equal(willow_path_join(path, PATH_MAX, folder->path, name, NULL), WILLOW_OK);
    return path;
}

static char *write_file(const struct folder *folder, const char *name, const char *text, char *path)
{
    path_of(folder, name, path);
    assert_int_equal(willow_file_replace(path, text, strlen(text), NULL), WILLOW_OK);
    return path;
}

static char *read_file(const char *path)
{
    unsigned char *data;
    size_t size;

    assert_int_equal(willow_file_read(path, 1 << 20, &data, &size, NULL), WILLOW_OK);
    return (char *)data;
}

static void test_configuration_fills_in_defaults(void **state)
{
    struct loop_config config;
    char path[PATH_MAX];

    write_file(*state, "c.yaml",
               "backward:\n  - {games: 500, opening: \"2-20\", noise: 0, policy: mobility}\n  - {}\ngenerations:\n  - "
               "{window: 1}\n"
               "gate: {pairs: 3}\n",
               path);
    assert_int_equal(loop_config_load(path, &config, NULL), WILLOW_OK);
    assert_int_equal(config.count, 3);
    assert_int_equal(config.seed, 1);
    assert_int_equal(config.stages, 20);
    assert_string_equal(config.start, "zero");
    assert_false(config.keep_data);
    assert_int_equal(config.generations[0].kind, LOOP_BACKWARD);
    assert_int_equal(config.generations[0].games, 500);
    assert_int_equal(config.generations[0].opening_first, 2);
    assert_int_equal(config.generations[0].opening_last, 20);
    assert_int_equal(config.generations[0].policy, LOOP_POLICY_MOBILITY);
    assert_true(config.generations[0].noise == 0.0); /* zero is not absence */
    assert_true(config.generations[1].noise > 0.0);
    assert_int_equal(config.generations[1].policy, LOOP_POLICY_SEARCH);
    assert_int_equal(config.generations[1].label_depth, 3);
    assert_int_equal(config.generations[1].label_exact, 10);
    assert_int_equal(config.generations[2].kind, LOOP_SELFPLAY);
    assert_int_equal(config.generations[2].window, 1);
    assert_int_equal(config.gate.pairs, 3);
    assert_true(config.gate.minimum == 0.5);
    assert_int_equal(config.final.pairs, 100);
    assert_int_equal(config.final.depth, 4);
    loop_config_clear(&config);
}

/* The resolved text is a configuration again, and resolves to itself. */
static void test_resolved_text_reads_back(void **state)
{
    struct loop_config config;
    char path[PATH_MAX], *first, *second;

    write_file(*state, "set.obf", "", path);
    write_file(
        *state, "c.yaml",
        "seed: 77\nstages: 15\nkeep_data: true\nbackward:\n  - {games: 5, prior: 2.5, iterations: 9, limit: 100}\n"
        "generations: [{random_move: 0.125, result_weight: 0.3}]\nyardsticks: [set.obf]\nfinal: {pairs: 7, exact: 8}\n",
        path);
    assert_int_equal(loop_config_load(path, &config, NULL), WILLOW_OK);
    assert_int_equal(loop_config_text(&config, &first, NULL), WILLOW_OK);
    loop_config_clear(&config);
    write_file(*state, "resolved.yaml", first, path);
    assert_int_equal(loop_config_load(path, &config, NULL), WILLOW_OK);
    assert_int_equal(loop_config_text(&config, &second, NULL), WILLOW_OK);
    assert_string_equal(first, second);
    assert_true(config.generations[0].prior == 2.5);
    assert_true(config.generations[1].random_move == 0.125);
    assert_int_equal(config.final.exact, 8);
    loop_config_clear(&config);
    free(first);
    free(second);
}

static void test_bad_configurations_name_the_key(void **state)
{
    static const struct {
        const char *text, *named;
    } cases[] = {
        {"backward: [{games: 0}]\n", "games"},
        {"backward: [{games: 5, dept: 3}]\n", "dept"},
        {"backward: [{games: many}]\n", "games"},
        {"backward: [{opening: \"9-3\"}]\n", "opening"},
        {"backward: [{opening: \"3-\"}]\n", "opening"},
        {"backward: [{random_move: 1.5}]\n", "random_move"},
        {"backward: [{keep: .nan}]\n", "keep"},
        {"backward: [{window: 2}]\n", "window"},
        {"backward: [{policy: greedy}]\n", "policy"},
        {"generations: [{label_depth: 2}]\n", "label_depth"},
        {"generations: [{}]\npatterns: nonesuch\n", "patterns"},
        {"generations: [{}]\nstages: 62\n", "stages"},
        {"generations: [{}]\ngate: {minimum: 2}\n", "minimum"},
        {"generations: [{}]\nyardsticks: [missing.obf]\n", "missing.obf"},
        {"generations: [{}]\nstart: missing.wlw\n", "missing.wlw"},
        {"seed: 4\n", "at least one"},
    };
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loop_config config;
        struct willow_error error = {0};
        char text[1200];

        write_file(*state, "bad.yaml", cases[i].text, path);
        assert_int_not_equal(loop_config_load(path, &config, &error), WILLOW_OK);
        willow_error_text(&error, text, sizeof text);
        if (strstr(text, cases[i].named) == NULL || strstr(text, "bad.yaml") == NULL)
            fail_msg("case %zu: \"%s\" does not name %s", i, text, cases[i].named);
        loop_config_clear(&config);
    }
}

static void test_process_output_and_exit_code(void **state)
{
    struct process_command command = {0};
    char output[PATH_MAX], log[PATH_MAX], *text;
    int exit_code = -1;
    const struct process_options options = {.output = path_of(*state, "out", output),
                                            .log = path_of(*state, "log", log)};

    process_add(&command, "/bin/sh");
    process_add(&command, "-c");
    process_add(&command, "echo \"$1\"; echo warned >&2; exit %d", 3);
    process_add(&command, "sh");
    process_add(&command, "two words; $(touch x)");
    assert_int_equal(process_run(&command, &options, &exit_code, NULL), WILLOW_OK);
    assert_int_equal(exit_code, 3);
    text = read_file(output);
    assert_string_equal(text, "two words; $(touch x)\n");
    free(text);
    text = read_file(log);
    assert_string_equal(text, "warned\n");
    free(text);
}

static void test_process_that_cannot_start(void **state)
{
    struct process_command command = {0};
    struct willow_error error = {0};
    char log[PATH_MAX];
    int exit_code;
    const struct process_options options = {.log = path_of(*state, "log", log)};

    process_add(&command, "/nonexistent/program");
    assert_int_equal(process_run(&command, &options, &exit_code, &error), WILLOW_ERR_IO);
    assert_non_null(strstr(error.file, "/nonexistent/program"));
    for (int i = 0; i < PROCESS_ARGUMENTS_MAX + 1; i++)
        process_add(&command, "x");
    assert_int_equal(process_run(&command, &options, &exit_code, &error), WILLOW_ERR_ARGUMENT);
}

static void test_process_killed_by_a_signal(void **state)
{
    struct process_command command = {0};
    char log[PATH_MAX];
    int exit_code = 0;
    const struct process_options options = {.log = path_of(*state, "log", log)};

    process_add(&command, "/bin/sh");
    process_add(&command, "-c");
    process_add(&command, "kill -9 $$");
    assert_int_equal(process_run(&command, &options, &exit_code, NULL), WILLOW_OK);
    assert_int_equal(exit_code, 128 + SIGKILL);
}

static void set_stop(void *context)
{
    willow_stop_set(context, true);
}

/* The stop reaches the whole group: the shell's own child too. */
static void test_stop_ends_the_group(void **state)
{
    struct process_command command = {0};
    struct willow_stop *stop;
    char log[PATH_MAX];
    int exit_code;

    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    const struct process_options options = {
        .log = path_of(*state, "log", log), .stop = stop, .tick = set_stop, .context = stop};
    process_add(&command, "/bin/sh");
    process_add(&command, "-c");
    process_add(&command, "sleep 60 & echo $! >&2; wait");
    const uint64_t began = willow_clock_ns();
    assert_int_equal(process_run(&command, &options, &exit_code, NULL), WILLOW_ERR_STOPPED);
    assert_true(willow_clock_ns() - began < UINT64_C(5000000000));
    char *text = read_file(log);
    const int sleeper = atoi(text);
    free(text);
    assert_true(sleeper > 1);
    /* The orphan may stay a zombie until init has seen it, but it no longer runs: its command line is gone. */
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/cmdline", sleeper);
    for (int wait = 0; wait < 100; wait++) {
        FILE *file = fopen(name, "r");
        const int first = file == NULL ? EOF : fgetc(file);

        if (file != NULL)
            fclose(file);
        if (first == EOF)
            break;
        if (wait == 99)
            fail_msg("process %d still runs", sleeper);
        usleep(10000);
    }
    willow_stop_free(stop);
}

/* A loop that is killed with -9 takes its child along. */
static void test_child_dies_with_its_parent(void **state)
{
    char log[PATH_MAX];
    struct stat info;

    path_of(*state, "log", log);
    const pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        struct process_command command = {0};
        int exit_code;
        const struct process_options options = {.log = log};

        process_add(&command, "/bin/sh");
        process_add(&command, "-c");
        process_add(&command, "echo $$ >&2; exec sleep 60");
        (void)process_run(&command, &options, &exit_code, NULL);
        _exit(0);
    }
    for (int wait = 0; wait < 500 && (stat(log, &info) != 0 || info.st_size == 0); wait++)
        usleep(10000);
    char *text = read_file(log);
    const int child = atoi(text);
    free(text);
    assert_true(child > 1);
    assert_int_equal(kill(child, 0), 0);
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/cmdline", child);
    int wait = 0;
    for (; wait < 500; wait++) {
        FILE *file = fopen(name, "r");
        const int first = file == NULL ? EOF : fgetc(file);

        if (file != NULL)
            fclose(file);
        if (first == EOF)
            break;
        usleep(10000);
    }
    assert_true(wait < 500);
}

static void test_command_text_quotes(void **state)
{
    struct process_command command = {0};
    char text[64];

    (void)state;
    process_add(&command, "willow");
    process_add(&command, "a b");
    process_add(&command, "%s", "");
    assert_string_equal(process_text(&command, text, sizeof text), "willow 'a b' ''");
    assert_string_equal(process_text(&command, text, 10), "willow 'a");
}

static void test_state_reads_back(void **state)
{
    struct loop_state written = {0}, read;
    char path[PATH_MAX];

    path_of(*state, "state.json", path);
    assert_int_equal(loop_state_read(path, &read, NULL), WILLOW_OK);
    assert_int_equal(read.count, 0);
    memcpy(written.configuration, "0123456789abcdef0123456789abcdef", WILLOW_CHECKSUM_TEXT);
    assert_int_equal(loop_state_write(path, &written, NULL), WILLOW_OK);
    assert_int_equal(loop_state_read(path, &read, NULL), WILLOW_OK);
    assert_int_equal(read.count, 0);
    loop_state_clear(&read);
    for (int i = 0; i < 200; i++) {
        char name[LOOP_STEP_NAME];
        snprintf(name, sizeof name, "generation-%02d/fit", i);
        assert_int_equal(loop_state_add(&written, name, i / 8.0, NULL), WILLOW_OK);
    }
    assert_int_equal(loop_state_write(path, &written, NULL), WILLOW_OK);
    assert_int_equal(loop_state_read(path, &read, NULL), WILLOW_OK);
    assert_int_equal(read.count, 200);
    assert_string_equal(read.configuration, written.configuration);
    assert_true(loop_state_find(&read, "generation-80/fit")->seconds == 10.0);
    assert_null(loop_state_find(&read, "generation-8/fit"));
    loop_state_clear(&read);
    loop_state_clear(&written);
}

static void test_damaged_state_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "{\"version\": 1",
        "{\"version\": 1, \"steps\": []}",
        "[1, 2]",
        "{\"version\": 9, \"configuration\": \"0123456789abcdef0123456789abcdef\", \"steps\": []}",
        "{\"version\": 1, \"configuration\": \"0123456789abcdef\", \"steps\": []}"};
    struct loop_state read;
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct willow_error error = {0};

        write_file(*state, "state.json", texts[i], path);
        assert_int_not_equal(loop_state_read(path, &read, &error), WILLOW_OK);
        assert_non_null(strstr(error.file, "state.json"));
        loop_state_clear(&read);
    }
}

static void test_results_are_read(void **state)
{
    struct fit_results fit;
    struct report_match match;
    double error, best;
    char path[PATH_MAX];

    write_file(*state, "fit.json",
               "{\"stages\":[{\"stage\":3,\"rows\":200,\"held_out_rows\":10,\"held_out_mae\":2.5,\"other\":null},"
               "{\"stage\":4,\"rows\":0,\"held_out_rows\":0,\"held_out_mae\":0}],\"rows\":200}\n",
               path);
    assert_int_equal(results_read_fit(path, &fit, NULL), WILLOW_OK);
    assert_int_equal(fit.count, 2);
    assert_int_equal(fit.stages[0].stage, 3);
    assert_int_equal(fit.stages[0].rows, 200);
    assert_true(fit.stages[0].held_out == 2.5);
    assert_true(isnan(fit.stages[1].held_out));
    write_file(*state, "match.json",
               "{\"a\":\"x\",\"wins\":3,\"draws\":1,\"losses\":0,\"score\":0.875,\"score_low\":0.5,\"score_high\":1,"
               "\"pentanomial\":"
               "[0,0,0,1,1],\"elo\":338.04,\"elo_low\":0,\"elo_high\":1200.00,\"los\":0.9,\"discs\":4.5,\"discs_low\":-"
               "1,\"discs_high\":10}\n",
               path);
    assert_int_equal(results_read_match(path, &match, NULL), WILLOW_OK);
    assert_true(match.played && match.wins == 3 && match.score == 0.875 && match.elo == 338.04 &&
                match.discs_low == -1);
    assert_int_equal(results_read_fit(path, &fit, NULL), WILLOW_ERR_FORMAT);
    write_file(*state, "solve.json", "{\"positions\": 2, \"mean_absolute_error\": 6.25, \"best_move\": 0.5}\n", path);
    assert_int_equal(results_read_yardstick(path, &error, &best, NULL), WILLOW_OK);
    assert_true(error == 6.25 && best == 0.5);
    write_file(*state, "solve.json", "{\"positions\": 0, \"mean_absolute_error\": null, \"best_move\": null}\n", path);
    assert_int_equal(results_read_yardstick(path, &error, &best, NULL), WILLOW_OK);
    assert_true(isnan(error) && isnan(best));
}

static void test_folders_are_removed_but_links_not_followed(void **state)
{
    const struct folder *folder = *state;
    char inner[PATH_MAX], kept[PATH_MAX], path[PATH_MAX], link[PATH_MAX];

    path_of(folder, "labels-01/deep", inner);
    assert_int_equal(willow_folder_create(inner, NULL), WILLOW_OK);
    path_of(folder, "labels-02", path);
    assert_int_equal(willow_folder_create(path, NULL), WILLOW_OK);
    write_file(folder, "kept", "data", kept);
    path_of(folder, "labels-01/link", link);
    assert_int_equal(symlink(kept, link), 0);
    assert_int_equal(folder_remove_matching(folder->path, "labels-", NULL), WILLOW_OK);
    assert_false(willow_file_exists(inner));
    assert_false(willow_file_exists(path));
    assert_true(willow_file_exists(kept));
    assert_int_equal(folder_remove(path, NULL), WILLOW_OK); /* missing already */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_configuration_fills_in_defaults),
        TEST(test_resolved_text_reads_back),
        TEST(test_bad_configurations_name_the_key),
        TEST(test_process_output_and_exit_code),
        TEST(test_process_that_cannot_start),
        TEST(test_process_killed_by_a_signal),
        TEST(test_stop_ends_the_group),
        TEST(test_child_dies_with_its_parent),
        TEST(test_command_text_quotes),
        TEST(test_state_reads_back),
        TEST(test_damaged_state_is_refused),
        TEST(test_results_are_read),
        TEST(test_folders_are_removed_but_links_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
