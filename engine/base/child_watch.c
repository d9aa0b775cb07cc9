/* The watcher: a small process between a parent and the program that it starts, which outlives neither.
 * It is this very executable, started anew and caught before main by its name: a process of its own holds no memory of
 * the parent, may use all of the C library, and does not end with the thread that started it. It takes in every orphan
 * of the program as its subreaper, so that nothing escapes by leaving the group or the session. Layer: base.
 */
#include "child_inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

const char child_watcher_name[] = "willow-child-watcher";

/* Rounds of clearing up in which nothing could be killed and nothing ended, after which only processes of other users
 * can be left: a program that changed its user cannot be held. */
enum { ROUND_MS = 20, IDLE_ROUNDS = 250 };

struct watch {
    int parent;  /* pidfd; -1 where the kernel has none, and the end of the control socket must do */
    int signals; /* signalfd of SIGCHLD */
    pid_t program;
    bool ended; /* and is kept as a zombie, so that its number, which names its group, stays its own */
};

static void report(enum child_news news, int value)
{
    const struct child_report message = {.news = (int32_t)news, .value = value};

    /* A parent that is gone is noticed elsewhere. */
    (void)send(WATCHER_CONTROL, &message, sizeof message, MSG_NOSIGNAL);
}

/* In the program to be: signals, group, folder; then it is the program. What goes wrong is told through `failures`. */
static _Noreturn void become(char **argv, int failures, pid_t watcher)
{
    struct child_report failure = {.news = CHILD_NO_PROGRAM};
    sigset_t none;

    (void)setpgid(0, 0);
    /* For the case that someone kills the watcher, which has one thread: what ends it is its own end. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != watcher)
        _exit(EXIT_FAILURE);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (argv[WATCHER_FOLDER][0] != '\0' && chdir(argv[WATCHER_FOLDER]) != 0) {
        failure.news = CHILD_NO_FOLDER;
    } else {
        (void)execvp(argv[WATCHER_PROGRAM], argv + WATCHER_PROGRAM);
    }
    failure.value = errno;
    (void)!write(failures, &failure, sizeof failure);
    _exit(EXIT_FAILURE);
}

/* Starts the program and tells the parent how that went. */
static bool start(struct watch *watch, char **argv)
{
    struct child_report failure = {.news = CHILD_NO_PROGRAM};
    int failures[2];

    if (pipe2(failures, O_CLOEXEC) != 0) {
        report(CHILD_NO_PROGRAM, errno);
        return false;
    }
    const pid_t self = getpid();
    watch->program = fork();
    if (watch->program == 0)
        become(argv, failures[1], self);
    const int code = errno;
    (void)close(failures[1]);
    if (watch->program < 0) {
        report(CHILD_NO_PROGRAM, code);
        return false;
    }
    /* Both sides set the group, so that neither can act before it exists. */
    (void)setpgid(watch->program, watch->program);
    ssize_t size;
    while ((size = read(failures[0], &failure, sizeof failure)) < 0 && errno == EINTR)
        ;
    (void)close(failures[0]);
    if (size == (ssize_t)sizeof failure) {
        report((enum child_news)failure.news, failure.value);
        return false;
    }
    report(CHILD_STARTED, 0);
    /* The parent sees the end of the program's output only when nobody else holds it. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        (void)close(fd);
    return true;
}

/* Buries what has ended; the program itself only says so and lies until the end. */
static void bury(struct watch *watch)
{
    siginfo_t about;

    while (!watch->ended) {
        about.si_pid = 0;
        if (waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) != 0 || about.si_pid == 0)
            return;
        if (about.si_pid != watch->program) {
            (void)waitpid(about.si_pid, NULL, WNOHANG);
            continue;
        }
        watch->ended = true;
        report(CHILD_ENDED, about.si_code == CLD_EXITED ? about.si_status : 128 + about.si_status);
    }
}

/* Watches until the parent is gone or wants the end. */
static void keep(struct watch *watch)
{
    struct pollfd polls[] = {{.fd = WATCHER_CONTROL, .events = POLLIN},
                             {.fd = watch->parent, .events = POLLIN},
                             {.fd = watch->signals, .events = POLLIN}};

    for (;;) {
        struct signalfd_siginfo about;
        char wish;

        bury(watch);
        if (poll(polls, sizeof polls / sizeof *polls, -1) < 0) {
            if (errno == EINTR)
                continue;
            return;
        }
        if (polls[1].revents != 0)
            return;
        if (polls[2].revents != 0)
            (void)!read(watch->signals, &about, sizeof about);
        if (polls[0].revents == 0)
            continue;
        const ssize_t size = recv(WATCHER_CONTROL, &wish, sizeof wish, MSG_DONTWAIT);
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR))
            return;
        if (size > 0 && !watch->ended) {
            (void)kill(-watch->program, SIGTERM);
            (void)kill(-watch->program, SIGCONT); /* a stopped program would not notice */
        }
    }
}

/* The parent's number of a process, from /proc; 0 when it is gone. The name before it may hold anything, ')' too. */
static long parent_of(const char *process)
{
    char path[64], text[512];
    long parent = 0;

    (void)snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    const char *after = strrchr(text, ')');
    return after != NULL && sscanf(after + 1, " %*c %ld", &parent) == 1 ? parent : 0;
}

/* Kills every process whose parent is this one. The number of those that it may kill, zombies among them. */
static int kill_children(void)
{
    const long self = getpid();
    DIR *folder = opendir("/proc");
    int count = 0;

    if (folder == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && parent_of(entry->d_name) == self)
            count += kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL) == 0;
    (void)closedir(folder);
    return count;
}

/* Kills the program, its group and all that came of it. The children of a killed process become this one's, so that
 * each round reaches one step further down, until there is nothing left to wait for. */
static void clear_up(const struct watch *watch)
{
    struct pollfd poll_signals = {.fd = watch->signals, .events = POLLIN};

    (void)kill(-watch->program, SIGKILL);
    for (int idle = 0; idle < IDLE_ROUNDS; idle++) {
        struct signalfd_siginfo about;
        pid_t buried;

        while ((buried = waitpid(-1, NULL, WNOHANG)) > 0)
            idle = 0;
        if (buried < 0 && errno == ECHILD)
            return;
        if (kill_children() > 0)
            idle = 0;
        if (poll(&poll_signals, 1, ROUND_MS) > 0)
            (void)!read(watch->signals, &about, sizeof about);
    }
}

static _Noreturn void watch_program(char **argv)
{
    struct watch watch = {.parent = -1};
    sigset_t all, children;

    /* Nothing but SIGKILL ends the watcher before its time. The parent started it with all signals at their defaults.
     */
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    (void)sigemptyset(&children);
    (void)sigaddset(&children, SIGCHLD);
    watch.signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    const pid_t parent = (pid_t)strtol(argv[WATCHER_PARENT], NULL, 10);
    watch.parent = pidfd_open(parent, 0);
    if (getppid() != parent)
        _exit(EXIT_FAILURE); /* gone already; the number may be another's by now */
    if (watch.signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 ||
        fcntl(WATCHER_CONTROL, F_SETFD, FD_CLOEXEC) != 0) {
        report(CHILD_NO_PROGRAM, errno);
        _exit(EXIT_FAILURE);
    }
    if (start(&watch, argv)) {
        keep(&watch);
        clear_up(&watch);
    }
    _exit(EXIT_SUCCESS);
}

/* Runs before main in every program that can start others, with main's arguments (the C library of GNU passes them).
 * The name alone is not enough to take a program over: only a parent of ours leaves such a socket. */
__attribute__((constructor)) static void catch_watcher(int argc, char **argv)
{
    int type = 0;
    socklen_t size = sizeof type;

    if (argc > WATCHER_PROGRAM && strcmp(argv[0], child_watcher_name) == 0 &&
        getsockopt(WATCHER_CONTROL, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET)
        watch_program(argv);
}
