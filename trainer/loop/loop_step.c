/* Runs one step of the loop: command line to the log, program to its end, output published, state written, progress
 * shown. Layer: trainer (program). Knows nothing of what the steps are for.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/clock.h>
#include <willow/file.h>

#include "loop.h"
#include "loop_folder.h"

/* Seconds a unit of work before any was measured, in the order of enum loop_cost: from one backward pass of 60,000
 * games and 150,000 labels a stage with two threads on two Zen 5 cores. Only the first estimates depend on them. */
static const double rate_guess[LOOP_COSTS] = {0.1, 4e-5, 4e-6, 7e-6, 1e-3, 0.1};

enum willow_status loop_path(const struct loop *loop, char *buffer, struct willow_error *error, const char *format, ...)
{
    char name[256];
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof name)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, loop->folder, NULL, "a name within the folder is too long");
    return willow_path_join(buffer, PATH_MAX, loop->folder, name, error);
}

bool step_done(const struct loop *loop, const char *name)
{
    return loop_state_find(&loop->state, name) != NULL;
}

double loop_seconds(const struct loop *loop, const char *prefix)
{
    double seconds = 0.0;

    for (size_t i = 0; i < loop->state.count; i++)
        if (strncmp(loop->state.steps[i].name, prefix, strlen(prefix)) == 0)
            seconds += loop->state.steps[i].seconds;
    return seconds;
}

static double step_elapsed(const struct loop *loop)
{
    return (double)(willow_clock_ns() - loop->began_ns) * 1e-9;
}

/* Time that the planned and unfinished work will take at the rates measured so far. */
static double seconds_left(const struct loop *loop)
{
    double seconds = -step_elapsed(loop);

    for (int cost = 0; cost < LOOP_COSTS; cost++) {
        const double left = loop->pace.planned[cost] - loop->pace.done[cost];
        const double rate =
            loop->pace.done[cost] > 0.0 ? loop->pace.seconds[cost] / loop->pace.done[cost] : rate_guess[cost];
        seconds += left > 0.0 ? left * rate : 0.0;
    }
    return seconds > 1.0 ? seconds : 1.0;
}

static void show(struct loop *loop, bool last)
{
    char used[32], left[32];

    willow_progress_line(&loop->progress, last && loop->progress.live, "%s, %s used, about %s left", loop->doing,
                         willow_duration_text(loop->seconds + step_elapsed(loop), used),
                         willow_duration_text(seconds_left(loop), left));
}

static void tick(void *context)
{
    show(context, false);
}

static enum willow_status append(const char *path, const char *text, struct willow_error *error)
{
    FILE *log = fopen(path, "ae");

    if (log == NULL)
        return willow_fail_errno(error, path, "open", errno);
    const bool written = fputs(text, log) >= 0;
    if (fclose(log) != 0 || !written)
        return willow_fail_errno(error, path, "write", errno);
    return WILLOW_OK;
}

/* The last line of a log that is not empty: what a program said before it gave up. */
static void last_line(const char *path, char *line, size_t size)
{
    char text[2048];
    FILE *log = fopen(path, "re");

    line[0] = '\0';
    if (log == NULL)
        return;
    if (fseek(log, -(long)(sizeof text - 1), SEEK_END) != 0)
        rewind(log);
    size_t length = fread(text, 1, sizeof text - 1, log);
    (void)fclose(log);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
        length--;
    text[length] = '\0';
    const char *start = strrchr(text, '\n');
    start = start == NULL ? text : start + 1;
    const size_t kept = strlen(start) < size ? strlen(start) : size - 1;
    memcpy(line, start, kept);
    line[kept] = '\0';
}

static enum willow_status finish(struct loop *loop, const struct loop_step *step, double seconds,
                                 struct willow_error *error)
{
    char path[PATH_MAX];
    enum willow_status status = loop_path(loop, path, error, "state.json");

    /* As the file keeps it, so that a resumed loop reports the same sums. */
    seconds = rint(seconds * 1e3) / 1e3;
    if (status == WILLOW_OK)
        status = loop_state_add(&loop->state, step->name, seconds, error);
    if (status == WILLOW_OK)
        status = loop_state_write(path, &loop->state, error);
    loop->seconds += seconds;
    loop->pace.done[step->cost] += step->units;
    loop->pace.seconds[step->cost] += seconds;
    return status;
}

static enum willow_status execute(struct loop *loop, const struct loop_step *step, const char *log,
                                  struct willow_error *error)
{
    char temporary[PATH_MAX];
    struct process_options options = {.log = log, .stop = loop->stop, .tick = tick, .context = loop};
    int exit_code = 0;

    if (step->output != NULL) {
        if (snprintf(temporary, sizeof temporary, "%s.tmp", step->output) >= (int)sizeof temporary)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, step->output, NULL, "the path is too long");
        options.output = temporary;
    }
    enum willow_status status = process_run(&loop->command, &options, &exit_code, error);
    if (status == WILLOW_OK && exit_code != 0) {
        char line[256];

        last_line(log, line, sizeof line);
        status = willow_fail(error, WILLOW_ERR_ARGUMENT, log, NULL, "the step \"%s\" ended with code %d: %s",
                             step->title, exit_code, line);
    }
    if (options.output != NULL) {
        if (status == WILLOW_OK)
            status = willow_file_publish(temporary, step->output, error);
        else
            (void)unlink(temporary);
    }
    return status;
}

/* The log of a step is that of its generation. */
static enum willow_status prepare(struct loop *loop, const struct loop_step *step, const char *text, char *log,
                                  struct willow_error *error)
{
    const int length = (int)strcspn(step->name, "/");
    enum willow_status status = loop_path(loop, log, error, "logs/%.*s.log", length, step->name);

    if (status == WILLOW_OK)
        status = append(log, text, error);
    if (status == WILLOW_OK && step->fresh != NULL)
        status = folder_remove(step->fresh, error);
    return status;
}

enum willow_status step_run(struct loop *loop, const struct loop_step *step, struct willow_error *error)
{
    char log[PATH_MAX], command[8192], text[8200];

    if (loop->mode == LOOP_COUNT) {
        loop->pace.planned[step->cost] += step->units;
        return WILLOW_OK;
    }
    process_text(&loop->command, command, sizeof command);
    if (loop->mode == LOOP_PRINT) {
        printf("%s\n", command);
        return WILLOW_OK;
    }
    const struct loop_state_step *done = loop_state_find(&loop->state, step->name);
    if (done != NULL) {
        loop->seconds += done->seconds;
        loop->pace.done[step->cost] += step->units;
        loop->pace.seconds[step->cost] += done->seconds;
        return WILLOW_OK;
    }
    if (willow_stop_get(loop->stop))
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");

    snprintf(text, sizeof text, "$ %s\n", command);
    snprintf(loop->doing, sizeof loop->doing, "%s", step->title);
    loop->began_ns = willow_clock_ns();
    show(loop, false);
    enum willow_status status = prepare(loop, step, text, log, error);
    if (status == WILLOW_OK)
        status = execute(loop, step, log, error);
    return status == WILLOW_OK ? finish(loop, step, step_elapsed(loop), error) : status;
}

enum willow_status step_note(struct loop *loop, const char *name, struct willow_error *error)
{
    char path[PATH_MAX];

    if (loop->mode != LOOP_RUN || step_done(loop, name))
        return WILLOW_OK;
    enum willow_status status = loop_path(loop, path, error, "state.json");
    if (status == WILLOW_OK)
        status = loop_state_add(&loop->state, name, 0.0, error);
    return status == WILLOW_OK ? loop_state_write(path, &loop->state, error) : status;
}
