/* A GTP session across the table: lines are said, answers and requests for searches are kept, and the test answers the
 * searches, with a move of its choice or by a search in its own thread.
 */
#ifndef TESTS_GTP_TABLE_H
#define TESTS_GTP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/gtp.h"

struct gtp_table {
    struct gtp *gtp;
    struct think_request request; /* the last one */
    bool running;
    int started, stopped, cleared, threads;
    bool deaf;                            /* the output fails */
    bool refuses;                         /* another ruleset is refused */
    const struct willow_ruleset *ruleset; /* what the session has asked for last; null = nothing yet */
    struct willow_weights *weights;       /* of that, all zero */
    uint64_t now_ns;                      /* the time that the session is told */
    size_t length;
    char output[1 << 16];
};

/* Group set-up: the weights, and a small search. */
int gtp_table_set_up(void **state);
int gtp_table_tear_down(void **state);

/* A new session at level 3, exact from 10 empty squares on a clock, one thread, named "Tree 1.2". */
struct gtp_table *gtp_table_new(void);
struct gtp_table *gtp_table_new_pondering(void); /* the same with pondering */
void gtp_table_free(struct gtp_table *table);

/* The settings of such a session, and a session with others in place of the present one. */
struct gtp_settings gtp_table_settings(struct gtp_table *table);
void gtp_table_open(struct gtp_table *table, const struct gtp_settings *settings);

/* What is written for this line. */
const char *table_say(struct gtp_table *table, const char *line);
void table_expect(struct gtp_table *table, const char *line, const char *answer);

/* The final report of what runs; its answer is added to the output. False when the session has ended. */
bool table_report(struct gtp_table *table, willow_square move);

/* The same by a shallow search. */
void gtp_table_think(struct gtp_table *table);

/* Moves of both sides in turn, passes left out; a line that asks for a move, and the move that comes of it. */
void table_play_all(struct gtp_table *table, const char *moves);
void table_genmove(struct gtp_table *table, const char *line, const char *move);

#endif
