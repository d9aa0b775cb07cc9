/* What stands in for a thinker where a protocol is fuzzed: it keeps a request until the harness wants its report, and
 * plays moves without thinking. Checks that the protocol keeps the thinker's rules.
 */
#ifndef TESTS_FUZZ_SESSION_H
#define TESTS_FUZZ_SESSION_H

#include <stdbool.h>

#include <willow/weights.h>

#include "protocol/thinker.h"

struct fuzz_thinker {
    bool busy, stopped;
    bool bad_move; /* the next THINK_MOVE ends in a move that is none */
    uint64_t now_ns;
    struct think_request request;
    struct think_report report;
};

/* As those of a thinker. */
void fuzz_thinker_start(struct fuzz_thinker *thinker, const struct think_request *request);
void fuzz_thinker_stop(struct fuzz_thinker *thinker);

/* The final report of what runs, which it ends. */
const struct think_report *fuzz_thinker_finish(struct fuzz_thinker *thinker);

/* The next line of an input: a terminated text without its end, and how it comes. Leading marks: '~' it comes while the
 * engine is busy with what was asked for before; '^' the move that is reported next is bad; '+' it comes 20 seconds
 * later; '!' it is too long to be read. False at the end. Lines are cut in the text. */
struct fuzz_line {
    bool while_busy;
    const char *text; /* null = too long */
};
bool fuzz_next_line(char **rest, struct fuzz_thinker *thinker, struct fuzz_line *line);

/* A set that knows nothing, made once. */
const struct willow_weights *fuzz_weights(void);

#endif
