/* What stands in for a thinker where a protocol is fuzzed: it keeps a request until the harness wants its report, and
 * plays moves without thinking. Checks that the protocol keeps the thinker's rules.
 */
#ifndef TESTS_FUZZ_SESSION_H
#define TESTS_FUZZ_SESSION_H

#include <stdbool.h>

#include <willow/weights.h>

#include "protocol/thinker.h"

struct fuzz_thinker {
    const struct willow_ruleset *ruleset;
    bool busy, stopped;
    bool bad_move;     /* the next THINK_MOVE ends in a move that is none, */
    bool always_legal; /* unless the protocol counts on moves */
    uint64_t now_ns;
    struct think_request request;
    struct think_report report;
};

/* As those of a thinker. */
void fuzz_thinker_start(struct fuzz_thinker *thinker, const struct think_request *request);
void fuzz_thinker_stop(struct fuzz_thinker *thinker);

/* Another ruleset, but for some of them, which are refused. */
enum willow_status fuzz_thinker_set_ruleset(struct fuzz_thinker *thinker, const struct willow_ruleset *ruleset,
                                            struct willow_error *error);

/* The final report of what runs, which it ends. */
const struct think_report *fuzz_thinker_finish(struct fuzz_thinker *thinker);

/* A protocol's session as the input drives it. Each but `ready` returns false when the session has ended. */
struct fuzz_protocol {
    void *session;
    struct fuzz_thinker *thinker;
    bool (*say)(void *session, const char *line); /* null = a line that is too long to be read */
    bool (*report)(void *session);                /* hands in what fuzz_thinker_finish gives */
    bool (*ready)(void *session);                 /* for a line while the thinker is busy */
};

/* Says the lines of an input, and reports whatever was asked for; false when the session has ended. Marks in front of a
 * line: '~' it comes while the engine is busy with what was asked for before; '^' the move that is reported next is
 * bad;
 * '+' it comes 20 seconds later; '!' it is too long to be read. */
bool fuzz_converse(const struct fuzz_protocol *protocol, const uint8_t *data, size_t size);

/* Reports as long as something runs. */
bool fuzz_report_all(const struct fuzz_protocol *protocol);

/* A set for the ruleset that knows nothing, made once. */
const struct willow_weights *fuzz_weights(const struct willow_ruleset *ruleset);

#endif
