/* The NBoard protocol, version 2, from the engine's side: what every line means and what is answered.
 * Layer: protocol. Reads and writes nothing and starts no threads: lines and reports of searches come in by calls,
 * output and requests for searches go out through the driver's functions.
 *
 * What the protocol leaves open is decided here:
 * - "set depth N": N plies in the midgame at 73%, and the endgame of the deepest level that looks N plies ahead at most
 *   (see willow/level.h), but exact from 12 empty squares on at any depth. "P%" searches to the end of the game at that
 *   confidence, "P%W" asks only who wins. A game with a clock (TI) is played within its time besides; without
 *   "set depth" the settings hold.
 * - A game that cannot be read, or an illegal move, is refused with a status line, and the board stays as it was. The
 *   other side now has another one: "go", "hint", "analyze" and "move" are refused, with a status line too, until the
 *   next "set game" that can be read. Text that names no square is no move, and changes nothing.
 * - A game of another board or type, "TY[6]" or "TY[8a]", is played from then on where this build has such a ruleset
 *   and the driver has weights for it; else it is refused.
 * - "go" where the game is over gives a status line and "=== PA"; a pass there changes nothing.
 * - Evaluations are discs, from the side to move; so are those of "analysis".
 * - Depths in "search" lines: plies, "P%" to the end of the game at that confidence, "100%" exact.
 * - Lines that are none of the protocol's, and "set contempt", are ignored. Nothing is learnt: "learned" comes at once.
 */
#ifndef PROTOCOL_NBOARD_H
#define PROTOCOL_NBOARD_H

#include <stdbool.h>

#include <willow/choice.h>

#include "protocol/thinker.h"

struct nboard;

struct nboard_settings {
    const struct willow_ruleset *ruleset; /* what is played at first */
    struct willow_choice choice;          /* without a clock; also for "analyze", which gives nothing away on purpose */
    struct willow_choice clocked;         /* in games with a clock, within its time */
    bool ponder;                          /* think while the other side does */
};

/* A longer line is cut. */
enum { NBOARD_LINE_MAX = 511 };

/* Each may be called within the calls below, and must not call back. */
struct nboard_driver {
    void *context;
    void (*write)(void *context, const char *line);                    /* at most NBOARD_LINE_MAX bytes, without end */
    void (*start)(void *context, const struct think_request *request); /* only while nothing runs */
    void (*stop)(void *context); /* asks for an early final report; nothing need come before it */

    /* Only while nothing runs: another ruleset is played from now on. After a failure all is as it was. */
    enum willow_status (*set_ruleset)(void *context, const struct willow_ruleset *ruleset, struct willow_error *error);
};

/* With the start of the ruleset on the board. WILLOW_ERR_MEMORY. */
enum willow_status nboard_new(const struct nboard_settings *settings, const struct nboard_driver *driver,
                              struct nboard **nboard, struct willow_error *error);
void nboard_free(struct nboard *nboard); /* null is accepted */

/* A line without its end; null = one that was too long to be read, which counts as a
 * game that cannot be read. A line that what runs must stop for is kept until
 * then, and no other may come before nboard_ready says so. False = the conversation has ended ("quit", or no memory):
 * nothing is to be called but nboard_free. */
bool nboard_line(struct nboard *nboard, const char *line);
bool nboard_ready(const struct nboard *nboard);

/* No line follows: a move and an analysis are brought to their end, and all that would not end by itself is stopped.
 * False = it has ended. */
bool nboard_end(struct nboard *nboard);

/* What a search reports, between start and its final report, as struct think_report says. False as above.
 *
 * To drive it all without threads: `start` keeps the request and `stop` does nothing. After each nboard_line that
 * returns true, as long as a request is kept: run it under a small limit of nodes and hand in a final report (of a
 * hint, with its moves). Or hand lines in between, as long as nboard_ready allows: the final report may be of anything
 * that the request allows. With pondering, `start` may be called after every line. */
bool nboard_report(struct nboard *nboard, const struct think_report *report);

#endif
