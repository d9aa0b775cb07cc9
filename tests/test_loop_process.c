/* The loop's processes: output, log and exit code, what cannot start, stop, and the end of the whole group. */
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

#include "support/scratch.h"
#include "trainer/loop/loop_process.h"

static int set_up(void **state)
{
    *state = malloc(SCRATCH_PATH);
    assert_non_null(*state);
    scratch_make(*state);
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(*state);
    free(*state);
    return 0;
}

static char *read_file(const char *path)
{
    size_t size;

    return (char *)scratch_read(path, &size);
}

/* An orphan may stay a zombie until init has seen it, but it no longer runs: its command line is gone. */
static void await_end(int process)
{
    char name[64];

    snprintf(name, sizeof name, "/proc/%d/cmdline", process);
    for (int wait = 0; wait < 500; wait++) {
        FILE *file = fopen(name, "r");
        const int first = file == NULL ? EOF : fgetc(file);

        if (file != NULL)
            fclose(file);
        if (first == EOF)
            return;
        usleep(10000);
    }
    fail_msg("process %d still runs", process);
}

static void test_process_output_and_exit_code(void **state)
{
    struct process_command command = {0};
    char output[SCRATCH_PATH], log[SCRATCH_PATH], *text;
    int exit_code = -1;
    const struct process_options options = {.output = scratch_join(output, *state, "out"),
                                            .log = scratch_join(log, *state, "log")};

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
    char log[SCRATCH_PATH];
    int exit_code;
    const struct process_options options = {.log = scratch_join(log, *state, "log")};

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
    char log[SCRATCH_PATH];
    int exit_code = 0;
    const struct process_options options = {.log = scratch_join(log, *state, "log")};

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
    char log[SCRATCH_PATH];
    int exit_code;

    assert_int_equal(willow_stop_new(&stop, NULL), WILLOW_OK);
    const struct process_options options = {
        .log = scratch_join(log, *state, "log"), .stop = stop, .tick = set_stop, .context = stop};
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
    await_end(sleeper);
    willow_stop_free(stop);
}

/* A loop that is killed with -9 takes its child along. */
static void test_child_dies_with_its_parent(void **state)
{
    char log[SCRATCH_PATH];
    struct stat info;

    scratch_join(log, *state, "log");
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
    await_end(child);
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
    process_add(&command, "it's $HOME");
    assert_string_equal(process_text(&command, text, sizeof text), "willow 'a b' '' 'it'\\''s $HOME'");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_process_output_and_exit_code), TEST(test_process_that_cannot_start),
        TEST(test_process_killed_by_a_signal),   TEST(test_stop_ends_the_group),
        TEST(test_child_dies_with_its_parent),   TEST(test_command_text_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
