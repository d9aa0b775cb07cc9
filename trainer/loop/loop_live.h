/* The loop as it is seen in a terminal: a table that grows by a line a generation, above a block with the step at work.
 * Layer: trainer (program). On standard error; elsewhere than on a terminal sparse lines, with `quiet` nothing.
 */
#ifndef WILLOW_TRAINER_LOOP_LIVE_H
#define WILLOW_TRAINER_LOOP_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "loop_report.h"

struct live {
    FILE *out;
    bool quiet, terminal;
    int columns; /* of the terminal; 0 = it is asked anew each time, since windows are resized */
    uint64_t last_ns;
    int rows;      /* of the table, printed so far */
    bool shown;    /* the block stands below the cursor */
    bool separate; /* a column for every yardstick, not their mean alone */
};

/* What is going on at an instant. */
struct live_moment {
    const char *step;                  /* in words: "generation 3: fit stage 19" */
    int generation, planned;           /* the one in the making, of so many; 0 and planned + 1 stand outside */
    double step_share;                 /* of the step's expected time that has passed, 0..1; NAN = not known */
    double used_seconds, left_seconds; /* of the whole loop */
    double disk_bytes;                 /* taken by the loop; NAN = not known */
};

/* On standard error. Everything is drawn at once and no line is ever left half-drawn; the cursor rests on an empty line
 * between table and block, so that a terminal may be resized, and a killed loop leaves no mess. */
void live_begin(struct live *live, bool quiet);

/* On another stream: a terminal or not. */
void live_begin_on(struct live *live, FILE *out, bool terminal);

/* Cheap to call often: five times a second it draws, every ten seconds it prints where there is no terminal. */
void live_tick(struct live *live, const struct live_moment *moment);

/* The last generation of the report is closed: its line, the table's head before the first. */
void live_generation(struct live *live, const struct report *report);

/* Wipes the block: what is printed next stands below the table. Also before an error is printed. */
void live_end(struct live *live);

#endif
