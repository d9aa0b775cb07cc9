/* Child processes of the training loop: fork, exec, wait, stop.
 * Layer: trainer (program). The loop has one thread, so fork without exec of library code in the child is safe; the
 * child calls only async-signal-safe functions.
 */
#include "loop_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <willow/clock.h>

enum { TICK_MS = 200, EXIT_NO_EXEC = 127 };

/* What a child gets to finish its shard or line after SIGTERM. */
static const uint64_t grace_ns = UINT64_C(10000000000);

void process_add(struct process_command *command, const char *format, ...)
{
    const size_t room = sizeof command->text - command->used;
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(command->text + command->used, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room || command->count >= PROCESS_ARGUMENTS_MAX) {
        command->overflow = true;
        return;
    }
    char *argument = command->text + command->used;
    const size_t prefix = command->folder == NULL ? 0 : strlen(command->folder);
    if (prefix > 0 && strncmp(argument, command->folder, prefix) == 0 && argument[prefix] == '/')
        argument += prefix + 1;
    command->arguments[command->count++] = argument;
    command->arguments[command->count] = NULL;
    command->used += (size_t)length + 1;
}

static bool plain(const char *argument)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";

    return argument[0] != '\0' && argument[strspn(argument, safe)] == '\0';
}

char *process_text(const struct process_command *command, char *buffer, size_t size)
{
    size_t used = 0;

    buffer[0] = '\0';
    for (int i = 0; i < command->count; i++) {
        const char *argument = command->arguments[i];
        const char *quote = plain(argument) ? "" : "'";
        const int length = snprintf(buffer + used, size - used, "%s%s%s%s", i == 0 ? "" : " ", quote, argument, quote);
        if (length < 0 || (size_t)length >= size - used)
            break;
        used += (size_t)length;
    }
    return buffer;
}

/* In the child: descriptors, signals and the group, then the program. Never returns. */
static _Noreturn void become(const struct process_command *command, int output, int log, pid_t parent)
{
    sigset_t none;

    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_NO_EXEC); /* the parent died before the line above could see it */
    (void)signal(SIGPIPE, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    const int input = open("/dev/null", O_RDONLY);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
        _exit(EXIT_NO_EXEC);
    if (command->folder != NULL && chdir(command->folder) != 0)
        _exit(EXIT_NO_EXEC);
    execv(command->arguments[0], command->arguments);
    _exit(EXIT_NO_EXEC);
}

/* Waits for the end of the child; passes a stop on. True when it was stopped. */
static bool await(pid_t child, int handle, const struct process_options *options)
{
    struct pollfd poll_handle = {.fd = handle, .events = POLLIN};
    uint64_t stopped_ns = 0;
    bool killed = false;

    while (poll(&poll_handle, 1, TICK_MS) <= 0) {
        if (options->tick != NULL)
            options->tick(options->context);
        if (stopped_ns == 0 && options->stop != NULL && willow_stop_get(options->stop)) {
            stopped_ns = willow_clock_ns();
            (void)kill(-child, SIGTERM);
        } else if (stopped_ns != 0 && !killed && willow_clock_ns() - stopped_ns > grace_ns) {
            killed = kill(-child, SIGKILL) == 0;
        }
    }
    return stopped_ns != 0;
}

static enum willow_status start(const struct process_command *command, const struct process_options *options,
                                pid_t *child, struct willow_error *error)
{
    const pid_t self = getpid();
    const int log = open(options->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

    if (log < 0)
        return willow_fail_errno(error, options->log, "open", errno);
    const int output =
        options->output == NULL ? log : open(options->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0) {
        const int code = errno;
        (void)close(log);
        return willow_fail_errno(error, options->output, "create", code);
    }
    *child = fork();
    if (*child == 0)
        become(command, output, log, self);
    const int code = errno;
    (void)close(log);
    if (output != log)
        (void)close(output);
    if (*child < 0)
        return willow_fail_errno(error, command->arguments[0], "start", code);
    /* Both sides set the group, so that neither can act before it exists. */
    (void)setpgid(*child, *child);
    return WILLOW_OK;
}

enum willow_status process_run(const struct process_command *command, const struct process_options *options,
                               int *exit_code, struct willow_error *error)
{
    pid_t child = -1;
    int state = 0;

    if (command->count == 0 || command->overflow)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "a command line is too long");
    if (access(command->arguments[0], X_OK) != 0)
        return willow_fail_errno(error, command->arguments[0], "start", errno);
    const enum willow_status status = start(command, options, &child, error);
    if (status != WILLOW_OK)
        return status;

    const int handle = pidfd_open(child, 0);
    if (handle < 0) {
        const int code = errno;
        (void)kill(-child, SIGKILL);
        (void)waitpid(child, &state, 0);
        return willow_fail_errno(error, command->arguments[0], "watch", code);
    }
    const bool stopped = await(child, handle, options);
    (void)close(handle);
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return willow_fail_errno(error, command->arguments[0], "wait for", errno);
    *exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    if (stopped)
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    return WILLOW_OK;
}
