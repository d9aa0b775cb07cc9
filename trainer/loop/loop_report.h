/* The loop's report: what every generation learnt and won, as text and as one HTML page without outside resources.
 * Layer: trainer (program). Turns numbers into text; reads nothing, runs nothing.
 */
#ifndef WILLOW_TRAINER_LOOP_REPORT_H
#define WILLOW_TRAINER_LOOP_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/numbers.h"

#include <willow/weights.h>

enum { REPORT_GENERATIONS_MAX = 100, REPORT_YARDSTICKS_MAX = 16 };

enum report_kind { REPORT_START, REPORT_BACKWARD, REPORT_SELFPLAY };

/* A match seen from its first player. */
struct report_match {
    bool played;
    uint64_t wins, draws, losses;
    double score, score_low, score_high; /* 0..1, 95% bounds */
    double elo, elo_low, elo_high;
    double discs, discs_low, discs_high;
};

/* Errors are mean absolute errors in discs; NAN = not known. */
struct report_generation {
    int number;
    enum report_kind kind;
    int64_t games;
    uint64_t positions; /* labelled and fitted, the held-out ones included */
    double held_out;    /* on held-out games of its own data */
    int stages;
    double stage_held_out[WILLOW_STAGES_MAX];
    uint64_t stage_positions[WILLOW_STAGES_MAX];
    struct report_match match;              /* against the best before it */
    int opponent;                           /* number of that generation */
    bool accepted;                          /* it is the new best */
    double ladder, ladder_low, ladder_high; /* Elo above generation 0, summed over accepted steps */
    double seconds;
    double yardstick[REPORT_YARDSTICKS_MAX];      /* static error in discs on each yardstick */
    double yardstick_best[REPORT_YARDSTICKS_MAX]; /* how often the best static move is the best move, 0..1 */
};

struct report {
    const char *version;       /* of the programs */
    const char *configuration; /* resolved, as YAML */
    const char *weights;       /* file of the best weights */
    const char *patterns;
    const char *start; /* "zero" or the weights file that generation 0 is */
    int64_t seed;
    int planned; /* generations after number 0 */
    int count;   /* finished ones, number 0 included */
    struct report_generation generations[REPORT_GENERATIONS_MAX];
    int best;                    /* number of the best generation */
    struct willow_stages stages; /* count = 0 while unknown */
    int yardsticks;
    const char *yardstick_names[REPORT_YARDSTICKS_MAX];
    struct report_match final; /* best against generation 0 */
    int final_depth, gate_depth;
    double gate_minimum; /* score from which a generation is accepted, 0..1 */
    bool complete;       /* the loop is done */
    double seconds;
};

/* Fills ladder, ladder_low and ladder_high of the last generation from the one that it played against: differences add
 * up, and so do the squares of the bounds' half widths, since the matches are independent. */
void report_climb(struct report *report);

/* Both only print; the caller checks the stream. */
void report_text(FILE *out, const struct report *report);
void report_html(FILE *out, const struct report *report);

/* "+123"; "> +1200" at the clamp. buffer holds at least 16 bytes. Returns buffer. */
char *report_elo(double elo, char *buffer);

#endif
