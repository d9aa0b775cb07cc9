/* The loop of a protocol: one poll over the input, the thinker's descriptor and, at the end, the output.
 * Knows no protocol, starts and stops nothing. Layer: protocol.
 */
#include "protocol/serve.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_sound(const struct serve_output *output)
{
    return output->error.status == WILLOW_OK;
}

/* Waits for room in the output. */
static int await_room(int descriptor)
{
    struct pollfd room = {.fd = descriptor, .events = POLLOUT};
    return poll(&room, 1, -1) < 0 && errno != EINTR ? errno : 0;
}

bool serve_write(struct serve_output *output, const char *text, size_t length)
{
    int failure = 0;
    while (is_sound(output) && length > 0 && failure == 0) {
        const ssize_t written = write(output->descriptor, text, length);
        if (written >= 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            failure = await_room(output->descriptor);
        } else if (errno != EINTR) {
            failure = errno;
        }
    }
    if (failure != 0)
        (void)willow_fail_errno(&output->error, "standard output", "write", failure);
    return is_sound(output);
}

/* Bytes that were read and not handed on yet. */
struct input {
    int descriptor;
    bool ended;
    bool skipping;        /* the rest of a line that is too long */
    size_t begin, length; /* of what waits; it holds no line end before `scanned` */
    size_t scanned;
    char bytes[2 * SERVE_LINE_MAX + 1];
};

/* Reads once what there is. */
static enum willow_status fill(struct input *input, struct willow_error *error)
{
    if (input->begin > 0) {
        memmove(input->bytes, input->bytes + input->begin, input->length);
        input->begin = 0;
    }
    const ssize_t got = read(input->descriptor, input->bytes + input->length, sizeof input->bytes - 1 - input->length);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN ? WILLOW_OK
                                                 : willow_fail_errno(error, "standard input", "read", errno);
    input->ended = got == 0;
    input->length += (size_t)got;
    return WILLOW_OK;
}

/* Takes `length` bytes and the line end behind them as a line. */
static char *cut(struct input *input, size_t length, size_t behind)
{
    char *line = input->bytes + input->begin;
    input->begin += length + behind;
    input->length -= length + behind;
    input->scanned = 0;
    if (length > 0 && line[length - 1] == '\r')
        length--;
    for (size_t i = 0; i < length; i++)
        if (line[i] == '\0')
            line[i] = '?';
    line[length] = '\0';
    return line;
}

/* The next line: false when none is complete. *line is null for one that was too long. */
static bool next_line(struct input *input, const char **line)
{
    for (;;) {
        char *from = input->bytes + input->begin;
        const char *end = memchr(from + input->scanned, '\n', input->length - input->scanned);
        const size_t length = end ? (size_t)(end - from) : input->length;
        const bool whole = end || (input->ended && length > 0);
        input->scanned = length;
        if (!input->skipping && length > SERVE_LINE_MAX) {
            /* Told once, at once; what belongs to it is dropped as it comes. */
            input->skipping = true;
            *line = NULL;
            return true;
        }
        if (!input->skipping) {
            if (whole)
                *line = cut(input, length, end != NULL);
            return whole;
        }
        (void)cut(input, length, end != NULL);
        if (!end)
            return false;
        input->skipping = false;
    }
}

/* Hands lines on as long as they are wanted. False = end. */
static bool hand_on(const struct server *server, struct input *input, const struct serve_output *output)
{
    const char *line;
    while ((!server->ready || server->ready(server->context)) && next_line(input, &line))
        if (!server->line(server->context, line) || !is_sound(output))
            return false;
    return true;
}

static bool take_reports(const struct server *server, struct thinker *thinker, const struct serve_output *output)
{
    struct think_report report;
    while (thinker_take(thinker, &report))
        if (!server->report(server->context, &report) || !is_sound(output))
            return false;
    return true;
}

/* Waits for input, where it is wanted, and for reports. An output that nobody reads counts only when the input has
 * ended: a named pipe may be opened anew for each answer. */
static enum willow_status wait_for(const struct thinker *thinker, const struct input *input, bool wanted,
                                   const struct serve_output *output, bool *readable, struct willow_error *error)
{
    struct pollfd descriptors[3] = {{.fd = thinker_descriptor(thinker), .events = POLLIN},
                                    {.fd = wanted ? input->descriptor : -1, .events = POLLIN},
                                    {.fd = input->ended ? output->descriptor : -1, .events = 0}};
    const int count = poll(descriptors, 3, -1);
    if (count < 0 && errno != EINTR)
        return willow_fail_errno(error, NULL, "wait for input", errno);
    if (count > 0 && descriptors[2].revents != 0)
        return willow_fail(error, WILLOW_ERR_IO, "standard output", NULL, "nobody reads it any more");
    /* An error or a closed end shows when it is read. */
    *readable = count > 0 && descriptors[1].revents != 0;
    return WILLOW_OK;
}

static enum willow_status loop(const struct server *server, struct thinker *thinker, struct input *input,
                               const struct serve_output *output, struct willow_error *error)
{
    bool ending = false;
    for (;;) {
        if (!take_reports(server, thinker, output) || !hand_on(server, input, output))
            return WILLOW_OK;
        const bool empty = input->length == 0 || input->skipping;
        if (input->ended && empty && !ending) {
            ending = true;
            if (!server->end(server->context))
                return WILLOW_OK;
        }
        if (ending && !thinker_busy(thinker))
            return WILLOW_OK;
        /* What waits here already has its turn before more is read. */
        const bool wanted = !input->ended && (!server->ready || server->ready(server->context));
        bool readable = false;
        enum willow_status status = wait_for(thinker, input, wanted, output, &readable, error);
        if (status == WILLOW_OK && readable)
            status = fill(input, error);
        if (status != WILLOW_OK)
            return status;
    }
}

enum willow_status serve(const struct server *server, struct thinker *thinker, int input, struct serve_output *output,
                         struct willow_error *error)
{
    struct input *buffered = calloc(1, sizeof *buffered);
    if (!buffered)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for lines of input");
    buffered->descriptor = input;
    const enum willow_status status = loop(server, thinker, buffered, output, error);
    free(buffered);
    if (is_sound(output))
        return status;
    if (error)
        *error = output->error;
    return output->error.status;
}
