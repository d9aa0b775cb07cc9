/* Starting, waiting for and ending other programs. What keeps them from outliving their parent is in child_watch.c;
 * what is said to them in child_lines.c. Layer: base.
 */
#include "child_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <willow/clock.h>

static const char this_program[] = "/proc/self/exe";

/* Descriptors of the watcher, in its numbering: input, output, errors, control. */
enum { HANDED = WATCHER_CONTROL + 1 };

/* Between two looks at a watcher that has not said how the start went. */
static const uint64_t CONFIRM_NS = 1000000000;

enum child_wake child_wait_for(int fd, short events, uint64_t deadline_ns)
{
    struct pollfd look = {.fd = fd, .events = events};

    for (;;) {
        const uint64_t now_ns = willow_clock_ns();
        const uint64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
        const uint64_t second_ns = UINT64_C(1000000000);
        /* Hour by hour: a deadline that stands for "never" does not fit into a time_t everywhere. */
        const uint64_t step_ns = left_ns < 3600 * second_ns ? left_ns : 3600 * second_ns;
        const struct timespec step = {.tv_sec = (time_t)(step_ns / second_ns), .tv_nsec = (long)(step_ns % second_ns)};
        const int ready = ppoll(&look, 1, &step, NULL);
        if (ready > 0)
            return CHILD_WAKE_READY;
        if (ready < 0 && errno != EINTR)
            return CHILD_WAKE_FAILED;
        if (left_ns == 0)
            return CHILD_WAKE_LATE;
    }
}

static void close_all(int *fds, int count)
{
    for (int i = 0; i < count; i++) {
        if (fds[i] >= 0)
            (void)close(fds[i]);
        fds[i] = -1;
    }
}

/* A copy of fd beyond the numbers that the watcher gets, so that handing over one never overwrites another; the
 * original is closed when it is `ours`. */
static int set_aside(int fd, bool ours)
{
    const int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HANDED);
    const int code = errno;

    if (ours && fd >= 0)
        (void)close(fd);
    errno = code;
    return copy;
}

/* Both ends of a pipe or of the control socket: [0] for the parent, nonblocking, [1] for the watcher. */
static bool open_ends(int fds[2], int handed)
{
    int ends[2];

    if (handed == WATCHER_CONTROL) {
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
            return false;
    } else {
        int pipes[2];
        if (pipe2(pipes, O_CLOEXEC) != 0)
            return false;
        ends[0] = pipes[handed == STDIN_FILENO];
        ends[1] = pipes[handed != STDIN_FILENO];
    }
    fds[0] = ends[0];
    fds[1] = set_aside(ends[1], true);
    return fds[1] >= 0 && fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0;
}

/* Fills in what the watcher gets and the caller's ends. On failure the caller of this closes whatever was opened. */
static bool open_descriptors(const struct willow_child_options *options, struct willow_child *child, int handed[HANDED])
{
    int *const near[HANDED] = {&child->input, &child->output, NULL, &child->control};
    const int given[HANDED] = {0, options->output_fd, options->error_fd, 0};

    for (int i = 0; i < HANDED; i++) {
        if (i == WATCHER_CONTROL || (options->talk && i != STDERR_FILENO)) {
            int ends[2] = {-1, -1};
            const bool done = open_ends(ends, i);
            *near[i] = ends[0];
            handed[i] = ends[1];
            if (!done)
                return false;
        } else if (given[i] > 0) {
            handed[i] = set_aside(given[i], false);
        } else {
            handed[i] = set_aside(open("/dev/null", (i == STDIN_FILENO ? O_RDONLY : O_WRONLY) | O_CLOEXEC), true);
        }
        if (handed[i] < 0)
            return false;
    }
    return true;
}

/* Starts the watcher with these descriptors, a group of its own, and signals as a program expects them.
 * posix_spawn does not copy the page tables, so that large hash tables do not make this slow. Returns an errno value.
 */
static int spawn_watcher(const int handed[HANDED], char **argv, pid_t *watcher)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;

    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    for (int i = 0; i < HANDED && code == 0; i++)
        code = posix_spawn_file_actions_adddup2(&actions, handed[i], i);
    if (code == 0)
        code = posix_spawn_file_actions_addclosefrom_np(&actions, HANDED);
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    if (code == 0)
        code = posix_spawnattr_setsigmask(&attributes, &none);
    if (code == 0)
        code = posix_spawnattr_setsigdefault(&attributes, &all);
    if (code == 0)
        code = posix_spawnattr_setflags(&attributes,
                                        POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (code == 0)
        code = posix_spawn(watcher, this_program, &actions, &attributes, argv, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* The next report, if one comes by then. False at the deadline and at the watcher's end; *gone tells which. */
static bool receive(struct willow_child *child, uint64_t deadline_ns, struct child_report *report, bool *gone)
{
    *gone = false;
    for (;;) {
        const ssize_t size = recv(child->control, report, sizeof *report, 0);
        if (size == (ssize_t)sizeof *report)
            return true;
        if (size >= 0 || (errno != EAGAIN && errno != EINTR)) {
            *gone = true;
            return false;
        }
        if (errno == EAGAIN && child_wait_for(child->control, POLLIN, deadline_ns) == CHILD_WAKE_LATE)
            return false;
    }
}

/* Ends the watcher, and with it all that it watches. */
static void release(struct willow_child *child)
{
    int fds[] = {child->input, child->output, child->control};

    /* Not close alone: a process that this one forked meanwhile may hold a copy. */
    if (child->control >= 0)
        (void)shutdown(child->control, SHUT_RDWR);
    /* The program may have stopped its watcher, as often as it likes. */
    if (child->watcher > 0)
        for (int state; waitpid(child->watcher, &state, WUNTRACED) < 0 ? errno == EINTR : WIFSTOPPED(state);)
            (void)kill(child->watcher, SIGCONT);
    close_all(fds, sizeof fds / sizeof *fds);
    free(child);
}

/* Waits for the watcher's word on how the start went. */
static enum willow_status confirm(struct willow_child *child, const struct willow_child_options *options,
                                  struct willow_error *error)
{
    struct child_report first;
    bool gone = false;

    /* A program that runs before its watcher says so may have stopped it. */
    while (!receive(child, willow_clock_ns() + CONFIRM_NS, &first, &gone) && !gone)
        (void)kill(child->watcher, SIGCONT);
    if (gone)
        return willow_fail(error, WILLOW_ERR_IO, options->arguments[0], NULL, "cannot start: its watcher ended");
    if (first.news == CHILD_STARTED)
        return WILLOW_OK;
    if (first.news == CHILD_NO_FOLDER)
        return willow_fail_errno(error, options->folder, "start a program there", first.value);
    return willow_fail_errno(error, options->arguments[0], "start", first.value);
}

/* The watcher's command line; the texts stay the options'. Null when memory is short. */
static char **watcher_arguments(const struct willow_child_options *options, const char *parent)
{
    size_t count = 0;

    while (options->arguments[count] != NULL)
        count++;
    char **argv = calloc(WATCHER_PROGRAM + count + 1, sizeof *argv);
    if (argv == NULL)
        return NULL;
    /* posix_spawn promises not to change what it takes without const. */
    argv[0] = (char *)(uintptr_t)child_watcher_name;
    argv[WATCHER_PARENT] = (char *)(uintptr_t)parent;
    argv[WATCHER_FOLDER] = (char *)(uintptr_t)(options->folder == NULL ? "" : options->folder);
    for (size_t i = 0; i < count; i++)
        argv[WATCHER_PROGRAM + i] = (char *)(uintptr_t)options->arguments[i];
    return argv;
}

enum willow_status willow_child_start(const struct willow_child_options *options, struct willow_child **child,
                                      struct willow_error *error)
{
    const char *const name = options->arguments[0];
    int handed[HANDED] = {-1, -1, -1, -1};
    enum willow_status status = WILLOW_OK;
    char parent[24];

    *child = NULL;
    if (name == NULL)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "no program to start");
    (void)snprintf(parent, sizeof parent, "%ld", (long)getpid());
    char **argv = watcher_arguments(options, parent);
    struct willow_child *started = malloc(sizeof *started);
    if (argv == NULL || started == NULL) {
        free(argv);
        free(started);
        return willow_fail(error, WILLOW_ERR_MEMORY, name, NULL, "not enough memory to start it");
    }
    /* Not the 64 KiB of text, which would cost more than they are worth where nobody reads. */
    started->watcher = -1;
    started->control = started->input = started->output = -1;
    started->ended = started->skipping = false;
    started->exit_code = 0;
    started->start = started->seen = started->used = 0;

    if (!open_descriptors(options, started, handed))
        status = willow_fail_errno(error, name, "open the descriptors of", errno);
    if (status == WILLOW_OK) {
        const int code = spawn_watcher(handed, argv, &started->watcher);
        if (code != 0) {
            started->watcher = -1;
            status = willow_fail_errno(error, name, "start the watcher of", code);
        }
    }
    close_all(handed, HANDED);
    free(argv);
    if (status == WILLOW_OK)
        status = confirm(started, options, error);
    if (status != WILLOW_OK)
        release(started);
    else
        *child = started;
    return status;
}

bool willow_child_wait(struct willow_child *child, uint64_t deadline_ns, int *exit_code)
{
    struct child_report report;
    bool gone = false;

    if (!child->ended && receive(child, deadline_ns, &report, &gone)) {
        child->ended = true;
        child->exit_code = report.value;
    } else if (gone) {
        /* Someone killed the watcher, and so the program. */
        child->ended = true;
        child->exit_code = 128 + SIGKILL;
    }
    if (child->ended && exit_code != NULL)
        *exit_code = child->exit_code;
    return child->ended;
}

void willow_child_terminate(struct willow_child *child)
{
    /* An error means that the watcher is gone, and all that it watched with it. */
    if (!child->ended)
        (void)send(child->control, &child_terminate_byte, sizeof child_terminate_byte, MSG_NOSIGNAL);
}

static void close_end(int *fd)
{
    close_all(fd, 1);
}

/* Waits for the program's end, throwing away what it writes: a full pipe would keep it from ending. */
static bool await_end(struct willow_child *child, unsigned limit_ms)
{
    const uint64_t deadline_ns = willow_clock_ns() + limit_ms * UINT64_C(1000000);
    char waste[4096];

    while (child->output >= 0 && !willow_child_wait(child, 0, NULL)) {
        struct pollfd polls[] = {{.fd = child->output, .events = POLLIN}, {.fd = child->control, .events = POLLIN}};
        const uint64_t now_ns = willow_clock_ns();
        if (now_ns >= deadline_ns)
            return false;
        const int left_ms = (int)((deadline_ns - now_ns) / 1000000 + 1);
        if (poll(polls, 2, left_ms) > 0 && polls[0].revents != 0) {
            const ssize_t size = read(child->output, waste, sizeof waste);
            if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR))
                close_end(&child->output);
        }
    }
    return willow_child_wait(child, deadline_ns, NULL);
}

void willow_child_end(struct willow_child *child, unsigned quit_ms, unsigned kill_ms)
{
    if (child == NULL)
        return;
    close_end(&child->input);
    if ((quit_ms == 0 || !await_end(child, quit_ms)) && kill_ms > 0) {
        willow_child_terminate(child);
        (void)await_end(child, kill_ms);
    }
    release(child);
}
