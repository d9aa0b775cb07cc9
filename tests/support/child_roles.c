#include "support/child_roles.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/child.h>

static _Noreturn void pause_forever(void)
{
    for (;;)
        (void)pause();
}

static void say(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) != (ssize_t)strlen(text))
        _exit(90);
}

static void say_number(const char *name, long number)
{
    char text[64];

    (void)snprintf(text, sizeof text, "%s%ld\n", name, number);
    say(text);
}

static void leave_mark(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        _exit(91);
    (void)close(fd);
}

static void read_to_end(void)
{
    char waste[4096];

    while (read(STDIN_FILENO, waste, sizeof waste) > 0)
        ;
}

/* Every line comes back. */
static int echo(void)
{
    char *line = NULL;
    size_t size = 0;

    while (getline(&line, &size, stdin) > 0)
        say(line);
    free(line);
    return 0;
}

/* How long each line is. */
static int count(void)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    while ((length = getline(&line, &size, stdin)) > 0)
        say_number("", (long)length - 1);
    free(line);
    return 0;
}

/* The next part of the output follows each line of the input. */
static int parts(void)
{
    static const char *const texts[] = {"par", "tial\r\nsecond\n\n\r\nthi", "rd\r", "\nfo\rurth\nlast"};
    char letter;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        say(texts[i]);
        while (read(STDIN_FILENO, &letter, 1) == 1 && letter != '\n')
            ;
    }
    return 0;
}

static int long_line(size_t length, const char *end)
{
    for (size_t i = 0; i < length; i++)
        (void)putchar('x');
    (void)printf("%safter\n", end);
    (void)fflush(stdout);
    pause_forever();
}

/* Writes without end and without a line. */
static int drivel(void)
{
    static const char text[4096] = {'x'};

    while (write(STDOUT_FILENO, text, sizeof text) > 0)
        ;
    return 0;
}

/* What a program finds when it begins. */
static int surroundings(void)
{
    sigset_t blocked;
    char here[PATH_MAX];
    int descriptors = 0, signals = 0;
    DIR *folder = opendir("/proc/self/fd");

    if (folder == NULL)
        return 92;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        descriptors += entry->d_name[0] != '.';
    (void)closedir(folder);
    (void)sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int i = 1; i < SIGRTMIN; i++) {
        struct sigaction action;
        signals += sigismember(&blocked, i) == 1;
        /* Sanitizers set handlers of their own. */
        signals += sigaction(i, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
    }
    say_number("descriptors ", descriptors - 1);
    say_number("signals ", signals);
    say(getpgrp() == getpid() ? "own group\n" : "group of others\n");
    say(getcwd(here, sizeof here) == NULL ? "nowhere" : here);
    say("\n");
    say_number("", getppid());
    pause_forever();
}

static _Noreturn void say_and_stay(void)
{
    (void)signal(SIGTERM, SIG_IGN);
    say_number("", getpid());
    pause_forever();
}

/* Five processes, each of which says its number: the program, one in its group, one in a session of its own, an orphan
 * in a session of its own, and an orphan that was stopped. */
static int family(bool leave)
{
    if (fork() == 0)
        say_and_stay();
    if (fork() == 0) {
        (void)setsid();
        say_and_stay();
    }
    for (int i = 0; i < 2; i++) {
        const pid_t between = fork();
        if (between == 0) {
            (void)setsid();
            if (fork() == 0) {
                if (i == 0)
                    say_and_stay();
                say_number("", getpid());
                (void)raise(SIGSTOP);
                pause_forever();
            }
            _exit(0);
        }
    }
    say_number("", getpid());
    if (leave)
        _exit(0);
    pause_forever();
}

/* A program that starts others as the tests do, and passes their lines on. With `copy` a fork of it stays behind, which
 * holds all its descriptors and says its number first. */
static int nest(bool copy)
{
    const char *const arguments[] = {"/proc/self/exe", CHILD_ROLE, "family", NULL};
    const struct willow_child_options options = {.arguments = arguments, .talk = true};
    struct willow_child *child;
    const char *line;

    if (willow_child_start(&options, &child, NULL) != WILLOW_OK)
        return 93;
    if (copy) {
        const pid_t copied = fork();
        if (copied == 0)
            pause_forever();
        say_number("", copied);
    }
    while (willow_child_read(child, UINT64_MAX, &line) == WILLOW_CHILD_LINE) {
        say(line);
        say("\n");
    }
    return 94;
}

int child_role_play(char **arguments)
{
    const char *role = arguments[0];

    if (strcmp(role, "echo") == 0)
        return echo();
    if (strcmp(role, "count") == 0)
        return count();
    if (strcmp(role, "parts") == 0)
        return parts();
    if (strcmp(role, "long") == 0)
        return long_line((size_t)atol(arguments[1]), arguments[2]);
    if (strcmp(role, "drivel") == 0)
        return drivel();
    if (strcmp(role, "nulls") == 0) {
        (void)!write(STDOUT_FILENO, "a\0b\n", 4);
        return 0;
    }
    if (strcmp(role, "both") == 0) {
        say("out\n");
        (void)!write(STDERR_FILENO, "err\n", 4);
        return 0;
    }
    if (strcmp(role, "surroundings") == 0)
        return surroundings();
    if (strcmp(role, "family") == 0)
        return family(false);
    if (strcmp(role, "family that leaves") == 0)
        return family(true);
    if (strcmp(role, "nest") == 0)
        return nest(false);
    if (strcmp(role, "nest with a copy") == 0)
        return nest(true);
    if (strcmp(role, "exit") == 0)
        return atoi(arguments[1]);
    if (strcmp(role, "signal") == 0)
        return raise(atoi(arguments[1]));
    if (strcmp(role, "stops its watcher") == 0) {
        say("ready\n");
        while (kill(getppid(), SIGSTOP) == 0)
            continue;
        pause_forever();
    }
    if (strcmp(role, "deaf") == 0)
        say_and_stay();
    if (strcmp(role, "end of input") == 0) { /* much to say on leaving: more than a pipe holds */
        read_to_end();
        for (int i = 0; i < 300; i++)
            (void)printf("%4096d\n", i);
        (void)fflush(stdout);
        leave_mark(arguments[1]);
        return 0;
    }
    if (strcmp(role, "signalled") == 0) {
        /* Waited for, not handled: a handler that a sanitizer puts off to the next call never runs in a pause. */
        sigset_t end;
        int number;
        (void)sigemptyset(&end);
        (void)sigaddset(&end, SIGTERM);
        (void)sigprocmask(SIG_BLOCK, &end, NULL);
        say("ready\n");
        (void)sigwait(&end, &number);
        leave_mark(arguments[1]);
        return 0;
    }
    return 99;
}
