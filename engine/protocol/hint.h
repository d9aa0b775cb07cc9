/* The best moves of a position with their lines, ever deeper. Layer: protocol. Runs in the caller's thread.
 */
#ifndef PROTOCOL_HINT_H
#define PROTOCOL_HINT_H

#include "protocol/thinker.h"

/* Searches up to the limits, which hold for all of it together, and hands on what is known after each depth as a report
 * of THINK_HINT that is not final. *report is the last of them then, to be completed by the caller, with the nodes and
 * the time of everything; of a game that is over it has no moves, of a side that must pass the pass. */
void hint_run(struct willow_search *search, const struct willow_ruleset *ruleset, struct willow_board board,
              const struct willow_limits *limits, int count,
              void (*emit)(void *context, const struct think_report *report), void *context,
              struct think_report *report);

#endif
