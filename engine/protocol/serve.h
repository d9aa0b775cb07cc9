/* The loop of a protocol: lines of input as they come, reports of a thinker as they come. Layer: protocol.
 * Knows no protocol. Lines may end in CR LF; a last line without an end counts. Bytes are handed on as they are.
 */
#ifndef PROTOCOL_SERVE_H
#define PROTOCOL_SERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/thinker.h"

/* A longer line is handed on as null. */
enum { SERVE_LINE_MAX = 1 << 16 };

struct server {
    void *context;

    /* One line without its end; zero bytes come as '?'. false = end. A line is handed on at once, whether the thinker
     * is busy or not: a protocol that must wait keeps it. */
    bool (*line)(void *context, const char *line);

    /* The input has ended: nothing more comes. false = end at once; true = go on until the thinker is idle. */
    bool (*end)(void *context);

    /* A report of the thinker. false = end. */
    bool (*report)(void *context, const struct think_report *report);

    /* Asked before each wait: whether the output failed, or for another reason to end. */
    bool (*done)(void *context);

    /* Asked before each line, and null for always: whether it can be taken now. While it cannot, the input is left
     * where it is, and whoever writes it waits. True whenever the thinker is idle. */
    bool (*ready)(void *context);
};

/* Serves until one of the functions says so or the input has ended. WILLOW_ERR_IO when the input cannot be read,
 * WILLOW_ERR_MEMORY. */
enum willow_status serve(const struct server *server, struct thinker *thinker, int input, struct willow_error *error);

#endif
