/* Programs started by willow/child.h: lines whole and in parts, deadlines, how a start fails, exit codes, and above all
 * that nothing that was started stays, whatever it and its parent do. The programs are this one, in the roles of
 * support/child_roles.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/child.h>
#include <willow/clock.h>

#include "support/child_roles.h"
#include "support/scratch.h"

enum { FAMILY = 5 };

/* For what must happen, on however slow a machine; and a while in which something must not. */
static uint64_t soon(void)
{
    return willow_clock_ns() + UINT64_C(60000000000);
}

static uint64_t shortly(void)
{
    return willow_clock_ns() + UINT64_C(30000000);
}

static struct willow_child *start_with(struct willow_child_options options, const char *role, const char *first,
                                       const char *second)
{
    const char *const arguments[] = {"/proc/self/exe", CHILD_ROLE, role, first, second, NULL};
    struct willow_child *child;
    struct willow_error error = {0};
    char text[1200];

    options.arguments = arguments;
    if (willow_child_start(&options, &child, &error) != WILLOW_OK)
        fail_msg("%s", willow_error_text(&error, text, sizeof text));
    return child;
}

static struct willow_child *start(const char *role, const char *first, const char *second)
{
    return start_with((struct willow_child_options){.talk = true}, role, first, second);
}

static void expect_line(struct willow_child *child, const char *expected)
{
    const char *line;

    assert_int_equal(willow_child_read(child, soon(), &line), WILLOW_CHILD_LINE);
    assert_string_equal(line, expected);
}

static long read_number(struct willow_child *child)
{
    const char *line;

    assert_int_equal(willow_child_read(child, soon(), &line), WILLOW_CHILD_LINE);
    const long number = strtol(line, NULL, 10);
    assert_true(number > 1);
    return number;
}

static void tell(struct willow_child *child, const char *text)
{
    assert_int_equal(willow_child_write(child, soon(), text), WILLOW_CHILD_LINE);
}

static int exit_code_of(struct willow_child *child)
{
    int code = -1;

    assert_true(willow_child_wait(child, soon(), &code));
    return code;
}

static bool lives(long process)
{
    return kill((pid_t)process, 0) == 0;
}

/* Gone, or dead and not buried by whoever adopted it. */
static bool runs(long process)
{
    char path[64], text[512] = {0};

    (void)snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    const char *after = strrchr(text, ')');
    return size > 0 && after != NULL && after[2] != 'Z' && after[2] != 'X';
}

static void expect_gone(const long *processes, int count)
{
    for (int i = 0; i < count; i++)
        if (lives(processes[i]))
            fail_msg("process %d of %d lives on", i, count);
}

/* Whether they end soon, with nobody waiting for them. */
static bool vanish(const long *processes, int count)
{
    const uint64_t deadline_ns = soon();

    for (int i = 0; i < count; i++)
        while (runs(processes[i])) {
            if (willow_clock_ns() > deadline_ns)
                return false;
            (void)usleep(1000);
        }
    return true;
}

static int open_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");

    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    (void)closedir(folder);
    return count - 1;
}

static void test_lines_in_parts(void **state)
{
    struct willow_child *child = start("parts", NULL, NULL);
    const char *line;

    (void)state;
    assert_int_equal(willow_child_read(child, shortly(), &line), WILLOW_CHILD_TIMEOUT);
    assert_int_equal(willow_child_read(child, 0, &line), WILLOW_CHILD_TIMEOUT);
    tell(child, "");
    expect_line(child, "partial");
    expect_line(child, "second");
    expect_line(child, "");
    expect_line(child, "");
    tell(child, "");
    assert_int_equal(willow_child_read(child, shortly(), &line), WILLOW_CHILD_TIMEOUT);
    tell(child, "");
    expect_line(child, "third");
    expect_line(child, "fo\rurth");
    tell(child, "");
    expect_line(child, "last");
    for (int i = 0; i < 2; i++)
        assert_int_equal(willow_child_read(child, soon(), &line), WILLOW_CHILD_CLOSED);
    willow_child_end(child, 0, 0);
}

static void test_null_bytes(void **state)
{
    struct willow_child *child = start("nulls", NULL, NULL);

    (void)state;
    expect_line(child, "a?b");
    willow_child_end(child, 0, 0);
}

static void test_lines_at_the_limit(void **state)
{
    static const char *const ends[] = {"\n", "\r\n"};
    const char *line;
    char length[16];

    (void)state;
    for (int i = 0; i < 4; i++) {
        const int over = i / 2;
        (void)snprintf(length, sizeof length, "%d", WILLOW_CHILD_LINE_MAX + over);
        struct willow_child *child = start("long", length, ends[i % 2]);
        assert_int_equal(willow_child_read(child, soon(), &line), over ? WILLOW_CHILD_TOO_LONG : WILLOW_CHILD_LINE);
        assert_int_equal(strlen(line), WILLOW_CHILD_LINE_MAX);
        assert_int_equal(strspn(line, "x"), WILLOW_CHILD_LINE_MAX);
        expect_line(child, "after");
        willow_child_end(child, 0, 0);
    }
    struct willow_child *child = start("long", "1000000", "\n");
    assert_int_equal(willow_child_read(child, soon(), &line), WILLOW_CHILD_TOO_LONG);
    expect_line(child, "after");
    willow_child_end(child, 0, 0);
}

/* Output without end holds the reader no longer than it wants to be held. */
static void test_drivel(void **state)
{
    struct willow_child *child = start("drivel", NULL, NULL);
    const char *line;

    (void)state;
    assert_int_equal(willow_child_read(child, soon(), &line), WILLOW_CHILD_TOO_LONG);
    for (int i = 0; i < 3; i++)
        assert_int_equal(willow_child_read(child, shortly(), &line), WILLOW_CHILD_TIMEOUT);
    willow_child_end(child, 0, 0);
}

static void test_writing_more_than_a_pipe_holds(void **state)
{
    struct willow_child *child = start("count", NULL, NULL);
    char *text = malloc(500001);

    (void)state;
    assert_non_null(text);
    memset(text, 'y', 500000);
    text[500000] = '\0';
    tell(child, text);
    tell(child, "four");
    expect_line(child, "500000");
    expect_line(child, "4");
    willow_child_end(child, 0, 0);

    child = start("deaf", NULL, NULL);
    assert_int_equal(willow_child_write(child, shortly(), text), WILLOW_CHILD_TIMEOUT);
    willow_child_end(child, 0, 0);
    free(text);
}

static void test_writing_to_an_ended_program(void **state)
{
    struct willow_child *child = start("exit", "0", NULL);
    sigset_t pending;

    (void)state;
    assert_int_equal(exit_code_of(child), 0);
    assert_int_equal(willow_child_write(child, soon(), "anybody?"), WILLOW_CHILD_CLOSED);
    assert_int_equal(sigpending(&pending), 0);
    assert_int_equal(sigismember(&pending, SIGPIPE), 0);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &pending), 0);
    assert_int_equal(sigismember(&pending, SIGPIPE), 0);
    willow_child_end(child, 1000, 1000);
}

static void test_starts_that_fail(void **state)
{
    static const struct {
        const char *program, *folder, *named, *reason;
    } cases[] = {
        {"/nonexistent/program", NULL, "/nonexistent/program", "No such file"},
        {"surely-no-such-program", NULL, "surely-no-such-program", "No such file"},
        {"/proc/self/maps", NULL, "/proc/self/maps", "Permission denied"},
        {"/proc/self/exe", "/nonexistent", "/nonexistent", "No such file"},
    };
    const int before = open_descriptors();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const arguments[] = {cases[i].program, NULL};
        const struct willow_child_options options = {
            .arguments = arguments, .folder = cases[i].folder, .talk = i % 2 == 0};
        struct willow_child *child;
        struct willow_error error = {0};
        assert_int_equal(willow_child_start(&options, &child, &error), WILLOW_ERR_IO);
        assert_null(child);
        assert_string_equal(error.file, cases[i].named);
        assert_non_null(strstr(error.reason, cases[i].reason));
    }
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    willow_child_end(NULL, 0, 0);
}

static void test_exit_codes(void **state)
{
    static const struct {
        const char *role, *number;
        int code;
    } cases[] = {{"exit", "0", 0}, {"exit", "3", 3}, {"exit", "255", 255}, {"signal", "9", 137}, {"signal", "10", 138}};
    int code = -1;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct willow_child *child = start_with((struct willow_child_options){0}, cases[i].role, cases[i].number, NULL);
        assert_int_equal(exit_code_of(child), cases[i].code);
        assert_int_equal(exit_code_of(child), cases[i].code);
        willow_child_end(child, 0, 0);
    }
    struct willow_child *child = start("echo", NULL, NULL);
    assert_false(willow_child_wait(child, 0, &code));
    assert_false(willow_child_wait(child, shortly(), &code));
    willow_child_end(child, 0, 0);
}

static void test_surroundings(void **state)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigset_t all, mask;
    const int open_to_all = open("/dev/null", O_RDONLY);

    (void)state;
    (void)sigfillset(&all);
    assert_int_equal(sigaction(SIGUSR1, &ignore, &before), 0);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &all, &mask), 0);
    struct willow_child *child =
        start_with((struct willow_child_options){.talk = true, .folder = "/usr"}, "surroundings", NULL, NULL);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &mask, NULL), 0);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
    expect_line(child, "descriptors 3");
    expect_line(child, "signals 0");
    expect_line(child, "own group");
    expect_line(child, "/usr");
    willow_child_end(child, 0, 0);
    (void)close(open_to_all);
}

/* The caller's descriptors may bear the very numbers that they are to replace, and its own may be closed. */
static void test_descriptors_that_cross(void **state)
{
    char out[SCRATCH_PATH], err[SCRATCH_PATH];
    int status;
    size_t size;

    const pid_t process = fork();
    assert_true(process >= 0);
    scratch_join(out, *state, "one");
    scratch_join(err, *state, "two");
    if (process == 0) {
        (void)close(STDIN_FILENO);
        (void)close(STDOUT_FILENO);
        (void)close(STDERR_FILENO);
        bool good = open(out, O_WRONLY | O_CREAT, 0666) == 0; /* which leaves number 0 to none but this file */
        good = good && dup2(0, 1) == 1 && close(0) == 0;
        good = good && open(err, O_WRONLY | O_CREAT, 0666) == 0 && dup2(0, 2) == 2 && close(0) == 0;
        const char *const both[] = {"/proc/self/exe", CHILD_ROLE, "both", NULL};
        const char *const echo[] = {"/proc/self/exe", CHILD_ROLE, "echo", NULL};
        const struct willow_child_options crossed = {.arguments = both, .output_fd = 2, .error_fd = 1};
        const struct willow_child_options talking = {.arguments = echo, .talk = true};
        struct willow_child *child = NULL;
        const char *line = "";
        int code = -1;
        good = good && willow_child_start(&crossed, &child, NULL) == WILLOW_OK;
        good = good && willow_child_wait(child, soon(), &code) && code == 0;
        willow_child_end(child, 0, 0);
        (void)close(1);
        (void)close(2);
        good = good && willow_child_start(&talking, &child, NULL) == WILLOW_OK;
        good = good && willow_child_write(child, soon(), "hello") == WILLOW_CHILD_LINE;
        good = good && willow_child_read(child, soon(), &line) == WILLOW_CHILD_LINE && strcmp(line, "hello") == 0;
        if (good)
            willow_child_end(child, 0, 0);
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(status, 0);
    unsigned char *text = scratch_read(out, &size);
    assert_int_equal(size, 4);
    assert_memory_equal(text, "err\n", 4);
    free(text);
    text = scratch_read(err, &size);
    assert_int_equal(size, 4);
    assert_memory_equal(text, "out\n", 4);
    free(text);
}

static bool marked(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Each step of an end gives the program the chance that it promises. */
static void test_steps_of_the_end(void **state)
{
    char path[SCRATCH_PATH];
    struct willow_child *child = start("end of input", scratch_join(path, *state, "input"), NULL);

    willow_child_end(child, 60000, 0);
    assert_true(marked(path));

    child = start("signalled", scratch_join(path, *state, "signal"), NULL);
    expect_line(child, "ready");
    willow_child_end(child, 20, 60000);
    assert_true(marked(path));

    child = start("signalled", scratch_join(path, *state, "asked"), NULL);
    expect_line(child, "ready");
    willow_child_terminate(child);
    assert_int_equal(exit_code_of(child), 0);
    assert_true(marked(path));
    willow_child_terminate(child);
    willow_child_end(child, 0, 0);

    child = start("deaf", NULL, NULL);
    const long process = read_number(child);
    willow_child_terminate(child);
    assert_false(willow_child_wait(child, shortly(), NULL));
    willow_child_end(child, 20, 20);
    expect_gone(&process, 1);
}

/* Whatever the program started is gone when the end returns: in its group or not, orphaned, stopped, or left behind. */
static void test_the_end_takes_all(void **state)
{
    static const char *const roles[] = {"family", "family that leaves", "nest"};

    (void)state;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        long processes[FAMILY];
        struct willow_child *child = start(roles[i], NULL, NULL);
        for (int k = 0; k < FAMILY; k++)
            processes[k] = read_number(child);
        for (int k = 0; k < FAMILY; k++)
            assert_true(lives(processes[k]) || i == 1);
        if (i == 1)
            assert_int_equal(exit_code_of(child), 0);
        willow_child_end(child, 0, i == 2 ? 0 : 20);
        expect_gone(processes, FAMILY);
    }
}

/* A program of its own that starts a family and is killed; with a copy of itself that holds its descriptors. */
static void kill_parent(const char *role, bool copy)
{
    long processes[FAMILY], copied = 0;
    int pipes[2];

    assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
    const pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        (void)dup2(pipes[1], STDOUT_FILENO);
        (void)execl("/proc/self/exe", "test", CHILD_ROLE, role, (char *)NULL);
        _exit(95);
    }
    (void)close(pipes[1]);
    FILE *lines = fdopen(pipes[0], "r");
    assert_non_null(lines);
    if (copy)
        assert_int_equal(fscanf(lines, "%ld", &copied), 1);
    for (int i = 0; i < FAMILY; i++)
        assert_int_equal(fscanf(lines, "%ld", &processes[i]), 1);
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    const bool vanished = vanish(processes, FAMILY);
    if (copy)
        assert_int_equal(kill((pid_t)copied, SIGKILL), 0);
    assert_true(vanished);
    (void)fclose(lines);
}

static void test_a_killed_parent_takes_all(void **state)
{
    (void)state;
    kill_parent("nest", false);
    kill_parent("nest with a copy", true);
}

static void test_a_killed_watcher_takes_the_program(void **state)
{
    struct willow_child *child = start("surroundings", NULL, NULL);

    (void)state;
    for (int i = 0; i < 4; i++) {
        const char *line;
        assert_int_equal(willow_child_read(child, soon(), &line), WILLOW_CHILD_LINE);
    }
    const long watcher = read_number(child);
    assert_int_not_equal(watcher, getpid());
    for (int i = 1; i < 32; i++) /* nothing else ends it */
        if (i != SIGKILL && i != SIGSTOP)
            assert_int_equal(kill((pid_t)watcher, i), 0);
    assert_false(willow_child_wait(child, shortly(), NULL));
    assert_int_equal(kill((pid_t)watcher, SIGKILL), 0);
    assert_int_equal(exit_code_of(child), 128 + SIGKILL);
    const char *line;
    assert_int_equal(willow_child_read(child, soon(), &line), WILLOW_CHILD_CLOSED);
    willow_child_terminate(child);
    willow_child_end(child, 1000, 1000);
}

static void test_a_stopped_watcher_is_woken(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct willow_child *child = start("stops its watcher", NULL, NULL);

        expect_line(child, "ready");
        willow_child_end(child, 0, 0);
    }
}

static void *start_echo(void *place)
{
    *(struct willow_child **)place = start("echo", NULL, NULL);
    return NULL;
}

/* What belongs to a match belongs to its process, not to the thread that happened to start it. */
static void test_the_starting_thread_may_end(void **state)
{
    struct willow_child *child = NULL;
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, start_echo, &child), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_non_null(child);
    assert_false(willow_child_wait(child, shortly(), NULL));
    tell(child, "still there");
    expect_line(child, "still there");
    willow_child_end(child, 0, 0);
}

/* Asserts nothing itself: cmocka's failures belong to the main thread. */
static void *start_many(void *faults)
{
    const char *const arguments[] = {"/proc/self/exe", CHILD_ROLE, "surroundings", NULL};
    const struct willow_child_options options = {.arguments = arguments, .talk = true};

    for (int i = 0; i < 5; i++) {
        struct willow_child *child;
        const char *line = "";
        if (willow_child_start(&options, &child, NULL) != WILLOW_OK) {
            ++*(int *)faults;
            continue;
        }
        if (willow_child_read(child, soon(), &line) != WILLOW_CHILD_LINE || strcmp(line, "descriptors 3") != 0)
            ++*(int *)faults;
        willow_child_end(child, 0, 0);
    }
    return NULL;
}

static void test_many_threads_start(void **state)
{
    enum { THREADS = 6 };
    const int before = open_descriptors();
    pthread_t threads[THREADS];
    int faults[THREADS] = {0};

    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, start_many, &faults[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(faults[i], 0);
    }
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static int set_up(void **state)
{
    char *folder = malloc(SCRATCH_PATH);

    assert_non_null(folder);
    scratch_make(folder);
    *state = folder;
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(*state);
    free(*state);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_in_parts),
        cmocka_unit_test(test_null_bytes),
        cmocka_unit_test(test_lines_at_the_limit),
        cmocka_unit_test(test_drivel),
        cmocka_unit_test(test_writing_more_than_a_pipe_holds),
        cmocka_unit_test(test_writing_to_an_ended_program),
        cmocka_unit_test(test_starts_that_fail),
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(test_surroundings),
        cmocka_unit_test_setup_teardown(test_descriptors_that_cross, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_steps_of_the_end, set_up, tear_down),
        cmocka_unit_test(test_the_end_takes_all),
        cmocka_unit_test(test_a_killed_parent_takes_all),
        cmocka_unit_test(test_a_killed_watcher_takes_the_program),
        cmocka_unit_test(test_a_stopped_watcher_is_woken),
        cmocka_unit_test(test_the_starting_thread_may_end),
        cmocka_unit_test(test_many_threads_start),
    };

    if (argc > 2 && strcmp(argv[1], CHILD_ROLE) == 0)
        return child_role_play(argv + 2);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
