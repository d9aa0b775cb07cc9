/* Lines to and from another program, with deadlines. Layer: base. Starts and ends nothing: see child.c.
 */
#include "child_inside.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <willow/clock.h>

/* Hands out the bytes up to `end` as a line; the next one begins at `next`. */
static void hand_out(struct willow_child *child, size_t end, size_t next, const char **line)
{
    char *text = child->text + child->start;
    size_t length = end - child->start;

    if (next > end && length > 0 && text[length - 1] == '\r')
        length--;
    for (char *null = text; (null = memchr(null, '\0', length - (size_t)(null - text))) != NULL;)
        *null = '?';
    text[length] = '\0';
    *line = text;
    child->start = child->seen = next;
}

/* Whether these bytes before a line end, or before more to come, are more than a line may have. */
static bool too_long(const struct willow_child *child, size_t end)
{
    const size_t length = end - child->start;

    return length > WILLOW_CHILD_LINE_MAX && (length > WILLOW_CHILD_LINE_MAX + 1 || child->text[end - 1] != '\r');
}

/* Hands out the beginning of a line that is too long. */
static enum willow_child_event cut_off(struct willow_child *child, size_t next, const char **line)
{
    const size_t end = child->start + WILLOW_CHILD_LINE_MAX;

    hand_out(child, end, end, line);
    child->start = child->seen = next;
    return WILLOW_CHILD_TOO_LONG;
}

/* The next line of what was read, TIMEOUT when there is no end of one. What is left of a line that was too long is
 * dropped on the way. */
static enum willow_child_event take_line(struct willow_child *child, const char **line)
{
    for (;;) {
        const char *found = memchr(child->text + child->seen, '\n', child->used - child->seen);
        if (found == NULL)
            break;
        const size_t end = (size_t)(found - child->text);
        if (!child->skipping) {
            if (too_long(child, end))
                return cut_off(child, end + 1, line);
            hand_out(child, end, end + 1, line);
            return WILLOW_CHILD_LINE;
        }
        child->skipping = false;
        child->start = child->seen = end + 1;
    }
    child->seen = child->used;
    if (child->skipping) {
        child->start = child->used;
    } else if (too_long(child, child->used)) {
        child->skipping = true;
        return cut_off(child, child->used, line);
    }
    return WILLOW_CHILD_TIMEOUT;
}

/* Moves what is left to the front. */
static void make_room(struct willow_child *child)
{
    memmove(child->text, child->text + child->start, child->used - child->start);
    child->used -= child->start;
    child->seen -= child->start;
    child->start = 0;
}

/* After the program closed its output: what it wrote after its last line end, then nothing more. */
static enum willow_child_event last_line(struct willow_child *child, const char **line)
{
    (void)close(child->output);
    child->output = -1;
    if (child->used == child->start)
        return WILLOW_CHILD_CLOSED;
    hand_out(child, child->used, child->used, line);
    return WILLOW_CHILD_LINE;
}

enum willow_child_event willow_child_read(struct willow_child *child, uint64_t deadline_ns, const char **line)
{
    *line = "";
    for (;;) {
        const enum willow_child_event event = take_line(child, line);
        if (event != WILLOW_CHILD_TIMEOUT)
            return event;
        if (child->output < 0)
            return WILLOW_CHILD_CLOSED;
        make_room(child);
        const ssize_t size = read(child->output, child->text + child->used, WILLOW_CHILD_LINE_MAX + 2 - child->used);
        if (size > 0) {
            child->used += (size_t)size;
            /* A program that writes without end and without a line must not hold the caller. */
            if (child->skipping && willow_clock_ns() >= deadline_ns)
                return take_line(child, line);
        } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
            return last_line(child, line);
        } else if (errno == EAGAIN) {
            const enum child_wake wake = child_wait_for(child->output, POLLIN, deadline_ns);
            if (wake != CHILD_WAKE_READY)
                return WILLOW_CHILD_TIMEOUT;
        }
    }
}

/* writev without SIGPIPE: the signal goes to the thread that writes, which blocks it and takes it back. */
static ssize_t write_quietly(int fd, const struct iovec *parts, int count)
{
    const struct timespec at_once = {0};
    sigset_t pipe_signal, before, pending;

    (void)sigemptyset(&pipe_signal);
    (void)sigaddset(&pipe_signal, SIGPIPE);
    (void)sigemptyset(&pending);
    (void)sigpending(&pending);
    (void)pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    const ssize_t size = writev(fd, parts, count);
    const int code = errno;
    /* One that was pending before is not ours to take. */
    if (size < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE))
        while (sigtimedwait(&pipe_signal, NULL, &at_once) < 0 && errno == EINTR)
            ;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return size;
}

enum willow_child_event willow_child_write(struct willow_child *child, uint64_t deadline_ns, const char *text)
{
    /* writev takes its bytes without const and does not change them. */
    struct iovec parts[] = {{.iov_base = (void *)(uintptr_t)text, .iov_len = strlen(text)},
                            {.iov_base = (void *)(uintptr_t) "\n", .iov_len = 1}};

    if (child->input < 0)
        return WILLOW_CHILD_CLOSED;
    while (parts[1].iov_len > 0) {
        const ssize_t size = write_quietly(child->input, parts, 2);
        if (size >= 0) {
            size_t done = (size_t)size;
            for (int i = 0; i < 2; i++) {
                const size_t part = done < parts[i].iov_len ? done : parts[i].iov_len;
                parts[i].iov_base = (char *)parts[i].iov_base + part;
                parts[i].iov_len -= part;
                done -= part;
            }
        } else if (errno == EAGAIN) {
            if (child_wait_for(child->input, POLLOUT, deadline_ns) != CHILD_WAKE_READY)
                return WILLOW_CHILD_TIMEOUT;
        } else if (errno != EINTR) {
            return WILLOW_CHILD_CLOSED;
        }
    }
    return WILLOW_CHILD_LINE;
}
