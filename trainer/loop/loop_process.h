/* Starts another program, waits for it, and takes it down when the loop is asked to stop or dies itself.
 * Layer: trainer (program). One program at a time, by willow/child.h.
 */
#ifndef WILLOW_TRAINER_LOOP_PROCESS_H
#define WILLOW_TRAINER_LOOP_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include <willow/search.h>
#include <willow/status.h>

enum { PROCESS_ARGUMENTS_MAX = 256 };

/* A command line being put together, in the caller's storage. Zeroed = empty. */
struct process_command {
    const char *folder; /* where it will run; null = here. Arguments that lie within lose this prefix */
    int count;
    size_t used;
    char *arguments[PROCESS_ARGUMENTS_MAX + 1]; /* null-terminated; they point into text */
    char text[32768];
    bool overflow;
};

/* Appends one argument, printf-like. An argument that does not fit makes process_run fail. */
void process_add(struct process_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The command as a person would type it, quoted where a shell needs it, cut to fit. Returns buffer. */
char *process_text(const struct process_command *command, char *buffer, size_t size);

struct process_options {
    const char *output;             /* file that receives standard output, created anew; null = as log */
    const char *log;                /* file that standard error is appended to */
    const struct willow_stop *stop; /* null = none */
    void (*tick)(void *context);    /* called about five times a second; null = none */
    void *context;
};

/* Runs the command to its end in a process group of its own. *exit_code is what it returned, 128 + signal when one
 * killed it. When `stop` is set the group gets SIGTERM, and SIGKILL ten seconds later; the result is
 * WILLOW_ERR_STOPPED. What the command started is killed when it ends itself, and all of it with this process, kill -9
 * included. WILLOW_ERR_IO when it cannot be started; _ARGUMENT when the command line is too long. */
enum willow_status process_run(const struct process_command *command, const struct process_options *options,
                               int *exit_code, struct willow_error *error);

#endif
