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
#include <willow/dataset.h>
#include <willow/file.h>

#include "loop.h"
#include "loop_folder.h"

enum willow_status loop_path(const struct loop *loop, char *buffer, struct willow_error *error, const char *format, ...)
{
    char name[256];
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof name)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, loop->options.folder, NULL,
                           "a name within the folder is too long");
    return willow_path_join(buffer, PATH_MAX, loop->options.folder, name, error);
}

enum willow_status loop_input_path(const struct loop *loop, char *buffer, int input, struct willow_error *error)
{
    return loop_path(loop, buffer, error, "inputs/%s", loop_config_input_name(loop->config, input));
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

/* Seconds that a unit of work of this kind takes here. */
static double rate_of(const struct loop *loop, enum loop_cost cost)
{
    double done = 0.0, taken = 0.0;

    if (loop->pace.done[cost] > 0.0)
        return loop->pace.seconds[cost] / loop->pace.done[cost];
    /* What other kinds of steps took so far says how fast the machine is at this one. */
    for (int other = 0; other < LOOP_COSTS; other++) {
        done += loop->pace.done[other];
        taken += loop->pace.seconds[other];
    }
    return done > 0.0 ? taken / done : 1.0 / loop->options.threads;
}

double loop_seconds_left(const struct loop *loop)
{
    double seconds = loop->doing[0] == '\0' ? 0.0 : -step_elapsed(loop);

    for (int cost = 0; cost < LOOP_COSTS; cost++) {
        const double left = loop->pace.planned[cost] - loop->pace.done[cost];

        seconds += left > 0.0 ? left * rate_of(loop, (enum loop_cost)cost) : 0.0;
    }
    return seconds > 1.0 ? seconds : 1.0;
}

static void tick(void *context)
{
    struct loop *loop = context;
    const double elapsed = step_elapsed(loop);
    const struct live_moment moment = {.step = loop->doing,
                                       .generation = loop->report.count,
                                       .planned = loop->config->count,
                                       .step_share =
                                           elapsed < loop->expected_seconds ? elapsed / loop->expected_seconds : 1.0,
                                       .used_seconds = loop->seconds + elapsed,
                                       .left_seconds = loop_seconds_left(loop),
                                       .disk_bytes = loop->report.disk_bytes};

    live_tick(&loop->live, &moment);
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
static enum willow_status open_log(struct loop *loop, const struct loop_step *step, const char *text, char *log,
                                   struct willow_error *error)
{
    const int length = (int)strcspn(step->name, "/");
    const enum willow_status status = loop_path(loop, log, error, "logs/%.*s.log", length, step->name);

    return status == WILLOW_OK ? append(log, text, error) : status;
}

/* The command as it runs in the folder, wherever the programs are. */
static char *command_words(struct loop *loop, char *buffer, size_t size)
{
    char *const program = loop->command.arguments[0];
    const char *slash = strrchr(program, '/');

    loop->command.arguments[0] = slash == NULL ? program : program + (slash - program) + 1;
    process_text(&loop->command, buffer, size);
    loop->command.arguments[0] = program;
    return buffer;
}

static void count_done(struct loop *loop, const struct loop_step *step, double seconds)
{
    loop->seconds += seconds;
    loop->pace.done[step->cost] += step->units;
    loop->pace.seconds[step->cost] += seconds;
}

static enum willow_status dataset_rows(const char *folder, int64_t *rows, struct willow_error *error)
{
    struct willow_manifest manifest = {0};
    const enum willow_status status = willow_manifest_read(folder, &manifest, error);

    *rows = 0;
    for (size_t i = 0; status == WILLOW_OK && i < manifest.count; i++)
        *rows += (int64_t)manifest.shards[i].rows;
    willow_manifest_clear(&manifest);
    return status;
}

static enum willow_status finish(struct loop *loop, const struct loop_step *step, double seconds,
                                 struct willow_error *error)
{
    char path[PATH_MAX];
    int64_t rows = -1;
    enum willow_status status = loop_path(loop, path, error, "state.json");

    if (status == WILLOW_OK && step->dataset != NULL)
        status = dataset_rows(step->dataset, &rows, error);
    /* As the file keeps it, so that a resumed loop reports the same sums. */
    seconds = rint(seconds * 1e3) / 1e3;
    if (status == WILLOW_OK)
        status = loop_state_add(&loop->state, step->name, seconds, rows, error);
    if (status == WILLOW_OK)
        status = loop_state_write(path, &loop->state, error);
    count_done(loop, step, seconds);
    return status;
}

static void print_step(struct loop *loop, const struct loop_step *step, const char *command)
{
    const size_t prefix = strlen(loop->options.folder) + 1;

    printf("# %s\n%s%s%s\n", step->title, command, step->output == NULL ? "" : " > ",
           step->output == NULL ? "" : step->output + prefix);
}

/* What the state says of a step; true when nothing is left to do, and *status is what the step's call returns. */
static bool settled(struct loop *loop, const struct loop_step *step, enum willow_status *status,
                    struct willow_error *error)
{
    const struct loop_state_step *done = loop_state_find(&loop->state, step->name);

    *status = WILLOW_OK;
    if (done != NULL)
        count_done(loop, step, done->seconds);
    else if (loop->mode == LOOP_READ || willow_stop_get(loop->stop))
        *status = willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    return done != NULL || *status != WILLOW_OK;
}

enum willow_status step_run(struct loop *loop, const struct loop_step *step, struct willow_error *error)
{
    char log[PATH_MAX], command[32768], text[32800];
    enum willow_status status;

    if (loop->mode == LOOP_COUNT) {
        loop->pace.planned[step->cost] += step->units;
        return WILLOW_OK;
    }
    command_words(loop, command, sizeof command);
    if (loop->mode == LOOP_PRINT) {
        print_step(loop, step, command);
        return WILLOW_OK;
    }
    if (settled(loop, step, &status, error))
        return status;
    snprintf(text, sizeof text, "$ %s\n", command);
    snprintf(loop->doing, sizeof loop->doing, "%s", step->title);
    loop->began_ns = willow_clock_ns();
    loop->expected_seconds = step->units * rate_of(loop, step->cost);
    loop->report.disk_bytes = (double)folder_bytes(loop->options.folder);
    tick(loop);
    status = open_log(loop, step, text, log, error);
    if (status == WILLOW_OK)
        status = execute(loop, step, log, error);
    if (status == WILLOW_OK)
        status = finish(loop, step, step_elapsed(loop), error);
    loop->doing[0] = '\0';
    return status;
}

enum willow_status step_found(struct loop *loop, const struct loop_step *step, struct willow_error *error)
{
    return step_done(loop, step->name) ? WILLOW_OK : finish(loop, step, 0.0, error);
}

enum willow_status step_note(struct loop *loop, const char *name, struct willow_error *error)
{
    struct loop_step step = {.cost = LOOP_COST_START};

    snprintf(step.name, sizeof step.name, "%s", name);
    if (loop->mode == LOOP_COUNT || loop->mode == LOOP_PRINT || step_done(loop, name))
        return WILLOW_OK;
    if (loop->mode == LOOP_READ)
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    return finish(loop, &step, 0.0, error);
}

/* Prints "WORD PATH..." with paths as they are within the folder. */
static void print_words(struct loop *loop, const char *const *words)
{
    struct process_command *command = &loop->command;
    char text[2 * PATH_MAX + 64];

    *command = (struct process_command){.folder = loop->options.folder};
    for (; *words != NULL; words++)
        process_add(command, "%s", *words);
    printf("%s\n", process_text(command, text, sizeof text));
}

enum willow_status step_copy(struct loop *loop, const char *from, const char *to, struct willow_error *error)
{
    const char *const words[] = {"cp", from, to, NULL};

    if (loop->mode == LOOP_PRINT)
        print_words(loop, words);
    return loop->mode == LOOP_RUN ? folder_copy_file(from, to, error) : WILLOW_OK;
}

enum willow_status step_remove(struct loop *loop, const char *path, struct willow_error *error)
{
    const char *const words[] = {"rm", "-rf", path, NULL};

    if (loop->mode == LOOP_PRINT)
        print_words(loop, words);
    return loop->mode == LOOP_RUN ? folder_remove(path, error) : WILLOW_OK;
}

enum willow_status step_folder(struct loop *loop, const char *path, struct willow_error *error)
{
    const char *const words[] = {"mkdir", "-p", path, NULL};

    if (loop->mode == LOOP_PRINT)
        print_words(loop, words);
    return loop->mode == LOOP_RUN ? willow_folder_create(path, error) : WILLOW_OK;
}
