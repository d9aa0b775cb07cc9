/* One conversation in the NBoard protocol without threads: what is written is kept, requests for searches are run when
 * the caller says so, or answered by reports of the caller's own.
 */
#ifndef TESTS_NBOARD_TALK_H
#define TESTS_NBOARD_TALK_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/nboard.h"

struct talk {
    struct nboard *nboard;
    struct willow_weights *weights;
    struct willow_search *search;
    struct think_request request;
    bool pending;                         /* a request waits for its final report */
    int stops;                            /* asked for since the request */
    bool goes_on;                         /* what the last call returned */
    bool refuses;                         /* another ruleset is refused */
    const struct willow_ruleset *ruleset; /* what is played */
    char *output;                         /* all lines since the last talk_clear */
    size_t size, capacity;
};

/* Null settings: depth 4, exact from 6 empty squares on, no pondering. */
void talk_open(struct talk *talk, const struct nboard_settings *settings);
void talk_close(struct talk *talk);
void talk_clear(struct talk *talk);

void talk_line(struct talk *talk, const char *line);

/* A report of the caller's own to the request that waits: a move (or hint) with that score and depth. */
void talk_report(struct talk *talk, bool final, willow_square move, willow_score score, int depth);

/* Runs what is asked for, and what that leads to, until nothing waits: moves by willow_choice_run with at most 20,000
 * nodes, hints to depth 3 with a report after each. */
void talk_settle(struct talk *talk);

/* A line, settled. */
void talk_say(struct talk *talk, const char *line);

/* The output: whether this line, whole, stands in it; how many of its lines begin so; what stands behind the last "===
 * ", null when there is none. */
bool talk_has(const struct talk *talk, const char *line);
int talk_count(const struct talk *talk, const char *prefix);
const char *talk_answer(const struct talk *talk);

/* The first line of the output (and what follows) that is none of the protocol's, which the other side could not read;
 * null when there is none. */
const char *talk_foreign(const struct talk *talk);

/* The line that puts a game from the standard start on the board. */
#define GAME(tags)                                                                                                     \
    "set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- "  \
    "-------- -------- *]" tags ";)"

#endif
