/* Files: reads with a limit, replacement that survives a kill and a full disk, folders, locks between processes. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/file.h>

#include "support/scratch.h"

/* The path of `name` in the test's own folder, in one of a few static buffers. */
static const char *in_folder(void **state, const char *name)
{
    static char buffers[4][256];
    static int next;
    next = (next + 1) % 4;
    snprintf(buffers[next], sizeof buffers[next], "%s/%s", (const char *)*state, name);
    return buffers[next];
}

static int make_folder(void **state)
{
    static char folder[SCRATCH_PATH];
    scratch_make(folder);
    *state = folder;
    return 0;
}

static int remove_folder(void **state)
{
    scratch_remove(*state);
    return 0;
}

static void assert_content(const char *path, const char *expected)
{
    unsigned char *data = NULL;
    size_t size = 0;
    assert_int_equal(willow_file_read(path, 1 << 20, &data, &size, NULL), WILLOW_OK);
    assert_int_equal(size, strlen(expected));
    assert_string_equal((char *)data, expected); /* the extra zero byte ends it */
    free(data);
}

static void reads_up_to_the_limit(void **state)
{
    const char *path = in_folder(state, "a");
    struct willow_error error;
    unsigned char *data = NULL;
    size_t size = 99;
    assert_int_equal(willow_file_replace(path, "12345", 5, NULL), WILLOW_OK);
    assert_int_equal(willow_file_read(path, 5, &data, &size, &error), WILLOW_OK);
    assert_int_equal(size, 5);
    free(data);
    assert_int_equal(willow_file_read(path, 4, &data, &size, &error), WILLOW_ERR_FORMAT);
    assert_string_equal(error.file, path);

    assert_int_equal(willow_file_replace(path, "", 0, NULL), WILLOW_OK);
    assert_int_equal(willow_file_read(path, 0, &data, &size, &error), WILLOW_OK);
    assert_int_equal(size, 0);
    assert_int_equal(data[0], 0);
    free(data);
}

/* Files of /proc say that they are empty, as a file that grows under the reader would. */
static void reads_more_than_was_announced(void **state)
{
    (void)state;
    unsigned char *data = NULL;
    size_t size = 0;
    assert_int_equal(willow_file_read("/proc/self/status", 1 << 20, &data, &size, NULL), WILLOW_OK);
    assert_true(size > 100);
    assert_int_equal(strlen((char *)data), size);
    free(data);
    assert_int_equal(willow_file_read("/proc/self/status", 20, &data, &size, NULL), WILLOW_ERR_FORMAT);
}

static void refuses_what_is_no_file(void **state)
{
    struct willow_error error;
    unsigned char *data = NULL;
    size_t size = 0;
    assert_int_equal(willow_file_read(in_folder(state, "missing"), 9, &data, &size, &error), WILLOW_ERR_IO);
    assert_int_equal(willow_file_read(*state, 9, &data, &size, &error), WILLOW_ERR_FORMAT);
    const char *pipe_path = in_folder(state, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(willow_file_read(pipe_path, 9, &data, &size, &error), WILLOW_ERR_FORMAT); /* and does not wait */
    assert_int_equal(willow_file_read("/dev/full", 9, &data, &size, &error), WILLOW_ERR_FORMAT);
    assert_null(data);
}

static void replaces_and_leaves_nothing_behind(void **state)
{
    const char *path = in_folder(state, "a"), *temporary = in_folder(state, "a.tmp");
    assert_false(willow_file_exists(path));
    assert_int_equal(willow_file_replace(path, "old", 3, NULL), WILLOW_OK);
    assert_content(path, "old");
    assert_int_equal(willow_file_replace(temporary, "stale and longer", 16, NULL),
                     WILLOW_OK); /* left by an earlier kill */
    assert_int_equal(willow_file_replace(path, "newer", 5, NULL), WILLOW_OK);
    assert_content(path, "newer");
    assert_true(willow_file_exists(path));
    assert_false(willow_file_exists(temporary));
}

/* A limit on file sizes stands in for a full disk: write() fails half-way. */
static void full_disk_keeps_the_old_content(void **state)
{
    const char *path = in_folder(state, "a");
    static char large[100000];
    memset(large, 'n', sizeof large);
    assert_int_equal(willow_file_replace(path, "old", 3, NULL), WILLOW_OK);

    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit tight = before;
    tight.rlim_cur = 50000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    struct willow_error error = {0};
    const enum willow_status status = willow_file_replace(path, large, sizeof large, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);

    assert_int_equal(status, WILLOW_ERR_IO);
    assert_string_equal(error.file, path);
    assert_content(path, "old");
    assert_false(willow_file_exists(in_folder(state, "a.tmp")));
}

static void files_of_another_kind_are_told_by_their_start(void **state)
{
    char path[SCRATCH_PATH];
    struct willow_error error = {0};
    scratch_join(path, *state, "file");
    assert_int_equal(willow_file_check_mark(path, "mark", 4, "mark", &error), WILLOW_OK);
    static const char *const good[] = {"", "ma", "mark", "mark and more"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(willow_file_replace(path, good[i], strlen(good[i]), NULL), WILLOW_OK);
        assert_int_equal(willow_file_check_mark(path, "mark", 4, "mark", &error), WILLOW_OK);
    }
    static const char *const other[] = {"x", "mask", " mark"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        assert_int_equal(willow_file_replace(path, other[i], strlen(other[i]), NULL), WILLOW_OK);
        assert_int_equal(willow_file_check_mark(path, "mark", 4, "mark", &error), WILLOW_ERR_BUSY);
        assert_string_equal(error.file, path);
        assert_string_equal(error.reason, "exists and is no mark; it is left alone");
    }
    scratch_join(path, *state, "no/such");
    assert_int_equal(willow_file_check_mark(path, "mark", 4, "mark", &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, path);

    /* What willow_file_replace would refuse is refused here already. */
    assert_int_equal(willow_file_check_mark(*state, "mark", 4, "mark", &error), WILLOW_ERR_IO);
    assert_int_equal(willow_file_check_mark("/dev/full", "mark", 4, "mark", &error), WILLOW_ERR_IO);
    char name[253] = ""; /* only the temporary file's name is too long */
    memset(name, 'a', sizeof name - 1);
    scratch_join(path, *state, name);
    assert_int_equal(willow_file_check_mark(path, "mark", 4, "mark", &error), WILLOW_ERR_IO);
    if (geteuid() != 0) { /* root may write everywhere */
        assert_int_equal(chmod(*state, 0500), 0);
        assert_int_equal(willow_file_check_mark(in_folder(state, "b"), "mark", 4, "mark", &error), WILLOW_ERR_IO);
        assert_int_equal(chmod(*state, 0700), 0);
    }
}

static void devices_and_links_are_not_replaced(void **state)
{
    struct willow_error error;
    const char *pipe_path = in_folder(state, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(willow_file_replace(pipe_path, "x", 1, &error), WILLOW_ERR_IO);
    assert_int_equal(willow_file_replace(*state, "x", 1, &error), WILLOW_ERR_IO);

    const char *path = in_folder(state, "a"), *temporary = in_folder(state, "a.tmp");
    assert_int_equal(symlink("/dev/full", temporary), 0);
    assert_int_equal(willow_file_replace(path, "x", 1, &error), WILLOW_ERR_IO);
    assert_false(willow_file_exists(path));
}

/* A child replaces the file for ever and is killed at some instant; one whole content must be there each time. */
static void kill_leaves_a_whole_file(void **state)
{
    enum { SIZE = 200000 };
    const char *path = in_folder(state, "a");
    static char contents[2][SIZE];
    memset(contents[0], 'a', SIZE);
    memset(contents[1], 'b', SIZE);
    assert_int_equal(willow_file_replace(path, contents[0], SIZE, NULL), WILLOW_OK);
    for (int round = 0; round < 15; round++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            for (int i = 0;; i++)
                (void)willow_file_replace(path, contents[i % 2], SIZE, NULL);
        usleep((useconds_t)(2000 + 700 * round));
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);

        unsigned char *data = NULL;
        size_t size = 0;
        assert_int_equal(willow_file_read(path, 1 << 20, &data, &size, NULL), WILLOW_OK);
        assert_int_equal(size, SIZE);
        assert_memory_equal(data, contents[data[0] == 'b'], SIZE);
        free(data);
    }
}

static void publishes_a_finished_file(void **state)
{
    const char *temporary = in_folder(state, "shard.tmp"), *path = in_folder(state, "shard");
    struct willow_error error;
    assert_int_equal(willow_file_replace(temporary, "rows", 4, NULL), WILLOW_OK);
    assert_int_equal(willow_file_publish(temporary, path, &error), WILLOW_OK);
    assert_content(path, "rows");
    assert_false(willow_file_exists(temporary));
    assert_int_equal(willow_file_publish(temporary, path, &error), WILLOW_ERR_IO);
    assert_content(path, "rows");
}

static void creates_nested_folders(void **state)
{
    struct willow_error error;
    struct stat about;
    const char *path = in_folder(state, "one/two//three/");
    assert_int_equal(willow_folder_create(path, &error), WILLOW_OK);
    assert_int_equal(stat(path, &about), 0);
    assert_true(S_ISDIR(about.st_mode));
    assert_int_equal(willow_folder_create(path, &error), WILLOW_OK);
    assert_int_equal(willow_folder_create("/", &error), WILLOW_OK);
    assert_int_equal(willow_folder_create("", &error), WILLOW_ERR_IO);

    const char *file = in_folder(state, "file");
    assert_int_equal(willow_file_replace(file, "x", 1, NULL), WILLOW_OK);
    assert_int_equal(willow_folder_create(file, &error), WILLOW_ERR_IO);
    assert_int_equal(willow_folder_create(in_folder(state, "file/below"), &error), WILLOW_ERR_IO);
}

/* Permissions do not bind root, so a child gives that up first. Its exit status is the number of the check that failed.
 */
static void read_only_folder_is_reported(void **state)
{
    const char *folder = in_folder(state, "locked");
    assert_int_equal(chmod(*state, 0755), 0);
    assert_int_equal(mkdir(folder, 0555), 0);
    const char *path = in_folder(state, "locked/a");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct willow_error error;
        int lock_fd;
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(1);
        if (willow_file_replace(path, "x", 1, &error) != WILLOW_ERR_IO || !strstr(error.reason, "Permission denied"))
            _exit(2);
        if (willow_folder_create(path, &error) != WILLOW_ERR_IO)
            _exit(3);
        if (willow_folder_lock(folder, &lock_fd, &error) != WILLOW_ERR_IO)
            _exit(4);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_false(willow_file_exists(path));
}

static void joins_paths(void **state)
{
    (void)state;
    char buffer[10];
    struct willow_error error;
    assert_int_equal(willow_path_join(buffer, sizeof buffer, "abc", "defgh", &error), WILLOW_OK);
    assert_string_equal(buffer, "abc/defgh");
    assert_int_equal(willow_path_join(buffer, sizeof buffer, "abc", "defghi", &error), WILLOW_ERR_ARGUMENT);
    assert_int_equal(willow_path_join(buffer, sizeof buffer, "abc/", "defgh", &error), WILLOW_OK);
    assert_string_equal(buffer, "abc/defgh");
    assert_int_equal(willow_path_join(buffer, sizeof buffer, "/", "x", &error), WILLOW_OK);
    assert_string_equal(buffer, "/x");
}

/* In a child: takes the lock, says so through the pipe, and holds it until killed. */
static void hold_lock(const char *folder, int pipe_fd)
{
    int lock_fd;
    const char answer = willow_folder_lock(folder, &lock_fd, NULL) == WILLOW_OK ? 'y' : 'n';
    if (write(pipe_fd, &answer, 1) == 1)
        pause();
    _exit(1);
}

static void lock_keeps_others_out_until_death(void **state)
{
    int ends[2], lock_fd = -1;
    char answer = 0;
    struct willow_error error;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        hold_lock(*state, ends[1]);
    assert_int_equal(read(ends[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    assert_int_equal(willow_folder_lock(*state, &lock_fd, &error), WILLOW_ERR_BUSY);
    assert_string_equal(error.file, *state);

    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(willow_folder_lock(*state, &lock_fd, &error), WILLOW_OK);
    int second = -1;
    assert_int_equal(willow_folder_lock(*state, &second, &error), WILLOW_ERR_BUSY);
    willow_folder_unlock(lock_fd);
    assert_int_equal(willow_folder_lock(*state, &second, &error), WILLOW_OK);
    willow_folder_unlock(second);
    willow_folder_unlock(-1);
    close(ends[0]);
    close(ends[1]);
}

/* Ranges that meet exclude each other, whoever asks; others do not. */
static void locks_of_ranges_meet_or_do_not(void **state)
{
    static const struct {
        uint64_t first, count;
        enum willow_status status;
    } others[] = {{0, 10, WILLOW_OK},
                  {9, 1, WILLOW_OK},
                  {20, 1, WILLOW_OK},
                  {10, 1, WILLOW_ERR_BUSY},
                  {19, 5, WILLOW_ERR_BUSY},
                  {0, 11, WILLOW_ERR_BUSY},
                  {5, 100, WILLOW_ERR_BUSY},
                  {12, 3, WILLOW_ERR_BUSY},
                  {0, 0, WILLOW_ERR_BUSY},
                  {20, 0, WILLOW_OK},
                  {(uint64_t)1 << 60, 1, WILLOW_OK}};
    struct willow_error error;
    int held, fd;
    assert_int_equal(willow_folder_lock_range(*state, 10, 10, false, &held, &error), WILLOW_OK);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        fd = -1;
        assert_int_equal(willow_folder_lock_range(*state, others[i].first, others[i].count, false, &fd, &error),
                         others[i].status);
        assert_true((fd >= 0) == (others[i].status == WILLOW_OK));
        willow_folder_unlock(fd);
    }
    willow_folder_unlock(held);
    assert_int_equal(willow_folder_lock(*state, &held, &error), WILLOW_OK);
    assert_int_equal(willow_folder_lock_range(*state, 10, 1, false, &fd, &error), WILLOW_ERR_BUSY);
    assert_string_equal(error.reason, "in use by another run");
    willow_folder_unlock(held);
}

/* One who waits gets the lock at the holder's death. A hang shows as the test's timeout. */
static void a_waiter_gets_the_lock_at_last(void **state)
{
    int ends[2], lock_fd = -1;
    char answer = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        hold_lock(*state, ends[1]);
    assert_int_equal(read(ends[0], &answer, 1), 1);
    const pid_t killer = fork();
    if (killer == 0) {
        usleep(20000);
        _exit(kill(child, SIGKILL) != 0);
    }
    assert_int_equal(willow_folder_lock_range(*state, 3, 1, true, &lock_fd, NULL), WILLOW_OK);
    int status = 1;
    assert_int_equal(waitpid(killer, &status, 0), killer);
    assert_int_equal(status, 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    willow_folder_unlock(lock_fd);
    close(ends[0]);
    close(ends[1]);
}

static void a_lock_of_a_folder_that_is_gone(void **state)
{
    char path[SCRATCH_PATH];
    int lock_fd, second;
    struct willow_error error = {0};
    assert_int_equal(willow_folder_lock(*state, &lock_fd, NULL), WILLOW_OK);
    assert_int_equal(willow_folder_lock_check(*state, lock_fd, NULL), WILLOW_OK);
    assert_int_equal(unlink(scratch_join(path, *state, "lock")), 0);
    assert_int_equal(willow_folder_lock_check(*state, lock_fd, &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, *state);
    /* Somebody else's lock now. */
    assert_int_equal(willow_folder_lock(*state, &second, NULL), WILLOW_OK);
    assert_int_equal(willow_folder_lock_check(*state, second, NULL), WILLOW_OK);
    assert_int_equal(willow_folder_lock_check(*state, lock_fd, NULL), WILLOW_ERR_IO);
    willow_folder_unlock(lock_fd);
    willow_folder_unlock(second);
}

#define FOLDER_TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(reads_up_to_the_limit),
        cmocka_unit_test(reads_more_than_was_announced),
        FOLDER_TEST(refuses_what_is_no_file),
        FOLDER_TEST(replaces_and_leaves_nothing_behind),
        FOLDER_TEST(files_of_another_kind_are_told_by_their_start),
        FOLDER_TEST(full_disk_keeps_the_old_content),
        FOLDER_TEST(devices_and_links_are_not_replaced),
        FOLDER_TEST(kill_leaves_a_whole_file),
        FOLDER_TEST(publishes_a_finished_file),
        FOLDER_TEST(creates_nested_folders),
        FOLDER_TEST(read_only_folder_is_reported),
        cmocka_unit_test(joins_paths),
        FOLDER_TEST(lock_keeps_others_out_until_death),
        FOLDER_TEST(locks_of_ranges_meet_or_do_not),
        FOLDER_TEST(a_waiter_gets_the_lock_at_last),
        FOLDER_TEST(a_lock_of_a_folder_that_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
