/* Lines to and from another program, within a deadline and as long as nobody stops the match. Layer: selfplay. */
#include "client.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <willow/clock.h>

static const uint64_t NS_PER_MS = 1000000;

/* The longest wait between two looks at the stop, and for the end of a program that has closed its output. */
enum { SLICE_MS = 50, EXIT_MS = 200 };

enum player_fault client_fault(struct client *client, enum player_fault fault, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(client->reason, PLAYER_REASON, format, arguments) < 0)
        client->reason[0] = '\0';
    va_end(arguments);
    for (char *c = client->reason; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return fault;
}

static enum player_fault closed(struct client *client)
{
    int code = 0;

    if (!willow_child_wait(client->child, willow_clock_ns() + EXIT_MS * NS_PER_MS, &code))
        return client_fault(client, PLAYER_CRASHED, "the program closed its input or output");
    /* Exit codes above those of signals are the program's own, 255 of exit(-1) for one. */
    if (code > 128 && code - 128 < NSIG)
        return client_fault(client, PLAYER_CRASHED, "the program was killed by signal %d", code - 128);
    return client_fault(client, PLAYER_CRASHED, "the program ended with exit code %d", code);
}

static bool stopped(const struct client *client)
{
    return client->stop != NULL && willow_stop_get(client->stop);
}

enum player_fault client_send(struct client *client, const char *format, ...)
{
    char *text;
    va_list arguments;

    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return client_fault(client, PLAYER_CRASHED, "no memory for a command");
    /* A few hundred bytes go into the pipe at once unless the program has read nothing for a long time. */
    const enum willow_child_event event = willow_child_write(client->child, client->deadline_ns, text);
    free(text);
    if (event == WILLOW_CHILD_LINE)
        return PLAYER_FINE;
    if (event == WILLOW_CHILD_TIMEOUT)
        return client_fault(client, PLAYER_HUNG, "the program did not read its input in time");
    return closed(client);
}

enum player_fault client_receive(struct client *client, const char *awaited, const char **line)
{
    for (;;) {
        /* Looked at for every line: a program that never stops talking must not get more time than a silent one. */
        const uint64_t now_ns = willow_clock_ns();
        if (stopped(client))
            return PLAYER_STOPPED;
        if (now_ns >= client->deadline_ns)
            return client_fault(client, PLAYER_HUNG, "no %s in time", awaited);
        const uint64_t slice_ns = now_ns + SLICE_MS * NS_PER_MS;
        switch (
            willow_child_read(client->child, slice_ns < client->deadline_ns ? slice_ns : client->deadline_ns, line)) {
        case WILLOW_CHILD_LINE:
            return PLAYER_FINE;
        case WILLOW_CHILD_TIMEOUT:
            break;
        case WILLOW_CHILD_TOO_LONG:
            return client_fault(client, PLAYER_GARBLED, "a line of more than %d bytes instead of the %s",
                                WILLOW_CHILD_LINE_MAX, awaited);
        case WILLOW_CHILD_CLOSED:
            return closed(client);
        }
    }
}
