/* The loop of a protocol: lines of input as they come, reports of a thinker as they come, and where the answers go.
 * Knows no protocol. Lines may end in CR LF; a last line without an end counts. Bytes are handed on as they are.
 * Layer: protocol.
 */
#ifndef PROTOCOL_SERVE_H
#define PROTOCOL_SERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/thinker.h"

/* A longer line is handed on as null. */
enum { SERVE_LINE_MAX = 1 << 16 };

/* Where the answers go. */
struct serve_output {
    int descriptor;
    struct willow_error error; /* of the first write that failed; until then its status is WILLOW_OK */
};

/* Writes all of it at once, and waits for room even where the descriptor does not: O_NONBLOCK is a property of the
 * open file, and whoever shares it may set it. False when it failed, or another write before it has. */
bool serve_write(struct serve_output *output, const char *text, size_t length);

struct server {
    void *context;

    /* One line without its end; zero bytes come as '?'. false = end. A line is handed on at once, whether the thinker
     * is busy or not: a protocol that must wait keeps it. */
    bool (*line)(void *context, const char *line);

    /* The input has ended: nothing more comes. false = end at once; true = go on until the thinker is idle. */
    bool (*end)(void *context);

    /* A report of the thinker. false = end. */
    bool (*report)(void *context, const struct think_report *report);

    /* Asked before each line, and null for always: whether it can be taken now. While it cannot, the input is left
     * where it is, and whoever writes it waits. True whenever the thinker is idle. */
    bool (*ready)(void *context);
};

/* Serves until one of the functions says so, the input has ended or the output has failed. A search that is waited for
 * after the end of the input is given up once nobody reads the output either: whoever asked has gone. WILLOW_ERR_IO for
 * input that cannot be read and for the output, WILLOW_ERR_MEMORY. */
enum willow_status serve(const struct server *server, struct thinker *thinker, int input, struct serve_output *output,
                         struct willow_error *error);

#endif
