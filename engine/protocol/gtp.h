/* The Go Text Protocol, version 2, as Othello programs speak it: one session. Layer: protocol.
 * It has no input, no thread and no clock of its own: lines, reports of searches and the time are handed to it, so that
 * a test or a fuzzer can drive it in one thread:
 *
 *     gtp_line(gtp, "genmove b", now);            calls engine.start, which keeps the request, and returns
 *     gtp_line(gtp, "name", now);                 waits in the session, and where it ponders calls engine.stop
 *     gtp_report(gtp, &report, now);              writes the answers of both
 *
 * Every engine.start is followed by one call of gtp_report with a final report of the request's kind, but never from
 * within it. A THINK_MOVE needs result.move (any number is taken: what is illegal ends in an error for the controller),
 * a THINK_HINT its moves and lines, of legal moves; a THINK_PONDER nothing.
 *
 * What is played is changed by "boardsize" and by commands that name a ruleset; each begins a new game.
 */
#ifndef PROTOCOL_GTP_H
#define PROTOCOL_GTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/thinker.h"

struct gtp;

/* Whoever searches: a thinker, or what takes its place. Called from within the functions below. */
struct gtp_engine {
    void *context;
    void (*start)(void *context, const struct think_request *request); /* nothing runs */
    void (*stop)(void *context);                                       /* something runs, perhaps stopped already */
    void (*clear)(void *context);                                      /* nothing runs: forget former positions */
    enum willow_status (*set_threads)(void *context, int threads, struct willow_error *error); /* nothing runs */

    /* Nothing runs: goes on with another ruleset, and knows nothing of what was before. *weights: those that play it,
     * valid until the next call. After a failure all is as it was. */
    enum willow_status (*set_ruleset)(void *context, const struct willow_ruleset *ruleset,
                                      const struct willow_weights **weights, struct willow_error *error);
};

struct gtp_settings {
    const char *name, *version;           /* one line each */
    const struct willow_ruleset *ruleset; /* what is played at first, and by preference on a board of its size */
    const struct willow_weights *weights; /* that play it */
    struct willow_choice choice;          /* how it moves without a clock, */
    struct willow_choice choice_clocked;  /* and with one */
    int threads;                          /* as the engine has them; 1 .. WILLOW_SEARCH_THREADS_MAX */
    bool ponder;                          /* think while the opponent does */
    bool files;                           /* loadsgf and printsgf may open them */
    struct gtp_engine engine;

    /* Takes the bytes of a whole answer, and sends them at once. False ends the session (gtp_failed). */
    bool (*write)(void *output, const char *text, size_t length);
    void *output;
};

/* The settings are copied, what they point to must outlive the session. WILLOW_ERR_MEMORY. */
enum willow_status gtp_new(const struct gtp_settings *settings, struct gtp **gtp, struct willow_error *error);
void gtp_free(struct gtp *gtp);

/* One line of input without its end, of at most SERVE_LINE_MAX bytes; null for a longer one. now_ns: willow_clock_ns,
 * or any time that does not go back. False after "quit": nothing more is answered. */
bool gtp_line(struct gtp *gtp, const char *line, uint64_t now_ns);

/* Whether another line can be kept; true when nothing runs. */
bool gtp_ready(const struct gtp *gtp);

/* A report of what runs. False after "quit". */
bool gtp_report(struct gtp *gtp, const struct think_report *report, uint64_t now_ns);

/* No line will follow. What was asked for is still answered, by gtp_report; what nobody asked for is stopped. */
void gtp_end(struct gtp *gtp);

/* True once the output could not be written. */
bool gtp_failed(const struct gtp *gtp);

#endif
