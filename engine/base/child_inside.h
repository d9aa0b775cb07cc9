/* What the parts of willow/child.h share: the child as its caller holds it, and what its watcher says.
 * Layer: base.
 */
#ifndef WILLOW_CHILD_INSIDE_H
#define WILLOW_CHILD_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <willow/child.h>

/* How the watcher is called: this name, the process number of the parent, the folder to start in ("" = here), then
 * the program and its arguments. Standard input, output and errors are those of the program to be. */
extern const char child_watcher_name[];
enum { WATCHER_PARENT = 1, WATCHER_FOLDER, WATCHER_PROGRAM };

/* The socket on which parent and watcher speak, a descriptor of the watcher. Its end ends everything. */
enum { WATCHER_CONTROL = 3 };

/* From the watcher. The first is always one of the first three. */
enum child_news {
    CHILD_STARTED,
    CHILD_NO_FOLDER,  /* value: errno */
    CHILD_NO_PROGRAM, /* value: errno */
    CHILD_ENDED       /* value: exit code, or 128 + signal */
};
struct child_report {
    int32_t news, value;
};

/* To the watcher: one byte that asks for SIGTERM to the group. */
static const char child_terminate_byte = 'T';

struct willow_child {
    pid_t watcher;
    int control;       /* nonblocking, as the next two */
    int input, output; /* of the program; -1 = none, or closed */
    bool ended;
    int exit_code;

    /* Bytes read and not handed out yet: text[start..used). There is no line end in text[start..seen). */
    size_t start, seen, used;
    bool skipping;                        /* the rest of a line that was too long */
    char text[WILLOW_CHILD_LINE_MAX + 3]; /* a line, CR LF, and the terminator of a last line without an end */
};

enum child_wake { CHILD_WAKE_READY, CHILD_WAKE_LATE, CHILD_WAKE_FAILED };

/* Waits until fd has one of `events` (or an error, or its end). A deadline that has passed still looks once. */
enum child_wake child_wait_for(int fd, short events, uint64_t deadline_ns);

#endif
