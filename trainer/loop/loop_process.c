/* Command lines of the training loop, and running one to its end; how a program is started and ended is
 * willow/child.h's affair. Layer: trainer (program).
 */
#include "loop_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <willow/child.h>
#include <willow/clock.h>

static const uint64_t tick_ns = UINT64_C(200000000);

/* What a program gets to finish its shard or line after SIGTERM. */
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

/* Appends the text, or what fits of it, to the buffer's string. */
static void append(char *buffer, size_t size, size_t *used, const char *text)
{
    const int length = snprintf(buffer + *used, size - *used, "%s", text);

    if (length > 0)
        *used = (size_t)length < size - *used ? *used + (size_t)length : size - 1;
}

char *process_text(const struct process_command *command, char *buffer, size_t size)
{
    size_t used = 0;

    buffer[0] = '\0';
    for (int i = 0; i < command->count; i++) {
        const char *argument = command->arguments[i];
        const char *const quote = plain(argument) ? "" : "'";

        append(buffer, size, &used, i == 0 ? "" : " ");
        append(buffer, size, &used, quote);
        for (; *argument != '\0'; argument++) {
            const char letter[] = {*argument, '\0'};
            /* A quote within quotes ends them, stands behind a backslash, and opens them again. */
            append(buffer, size, &used, *argument == '\'' ? "'\\''" : letter);
        }
        append(buffer, size, &used, quote);
    }
    return buffer;
}

/* Opens the files and starts the command with them. */
static enum willow_status start(const struct process_command *command, const struct process_options *options,
                                struct willow_child **child, struct willow_error *error)
{
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
    const struct willow_child_options settings = {.arguments = (const char *const *)command->arguments,
                                                  .folder = command->folder,
                                                  .output_fd = output,
                                                  .error_fd = log};
    const enum willow_status status = willow_child_start(&settings, child, error);
    (void)close(log);
    if (output != log)
        (void)close(output);
    return status;
}

/* Waits for the end of the child; passes a stop on. True when it was stopped. */
static bool await(struct willow_child *child, const struct process_options *options, int *exit_code)
{
    uint64_t stopped_ns = 0;

    while (!willow_child_wait(child, willow_clock_ns() + tick_ns, exit_code)) {
        if (options->tick != NULL)
            options->tick(options->context);
        if (stopped_ns == 0 && options->stop != NULL && willow_stop_get(options->stop)) {
            stopped_ns = willow_clock_ns();
            willow_child_terminate(child);
        } else if (stopped_ns != 0 && willow_clock_ns() - stopped_ns > grace_ns) {
            break;
        }
    }
    return stopped_ns != 0;
}

enum willow_status process_run(const struct process_command *command, const struct process_options *options,
                               int *exit_code, struct willow_error *error)
{
    struct willow_child *child;

    if (command->count == 0 || command->overflow)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "a command line is too long");
    const enum willow_status status = start(command, options, &child, error);
    if (status != WILLOW_OK)
        return status;
    const bool stopped = await(child, options, exit_code);
    willow_child_end(child, 0, 0);
    if (stopped)
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    return WILLOW_OK;
}
