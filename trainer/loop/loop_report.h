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

enum { REPORT_GENERATIONS_MAX = 100, REPORT_YARDSTICKS_MAX = 16, REPORT_PLAYERS_MAX = 16, REPORT_STEPS_MAX = 160 };

enum report_kind { REPORT_START, REPORT_BACKWARD, REPORT_SELFPLAY };

/* A match seen from its first player. */
struct report_match {
    bool played;
    uint64_t pairs, wins, draws, losses;
    double score, score_low, score_high; /* 0..1, 95% bounds */
    double elo, elo_low, elo_high;
    double nelo, nelo_low, nelo_high; /* normalised Elo */
    double discs, discs_low, discs_high;
};

/* What the sequential test of a gate match said. H0 is nelo0 of the report, H1 nelo1. */
enum report_verdict { REPORT_UNDECIDED, REPORT_H0, REPORT_H1 };
struct report_test {
    bool tested;
    double llr, lower, upper; /* log likelihood ratio of H1 to H0, and the bounds at which it decides */
    enum report_verdict verdict;
};

/* A player of the ladder. Elo above the anchor, 95% bounds; NAN = not rated. */
struct report_rating {
    uint64_t games;
    double elo, elo_low, elo_high;
};
struct report_player {
    const char *name;
    struct report_rating rating;
};

/* Games of two players of the ladder: numbers of generations, or REPORT_OPPONENT + index of a fixed opponent. */
enum { REPORT_OPPONENT = 1000 };
struct report_encounter {
    int a, b;
    uint64_t games;
    double score; /* of a, 0..1 */
};

/* What a generation's time goes into. */
enum report_work {
    REPORT_GAMES,
    REPORT_LABELS,
    REPORT_FIT,
    REPORT_PROBCUT,
    REPORT_GATE,
    REPORT_LADDER,
    REPORT_YARDSTICKS,
    REPORT_WORKS
};

/* Errors are mean absolute errors in discs; NAN = not known. */
struct report_generation {
    int number;
    enum report_kind kind;
    int64_t games;
    int depth, label_depth; /* of the searches that play and label; label_depth 0 = those that play label, too */
    uint64_t positions;     /* labelled and fitted, the held-out ones included */
    uint64_t labelled;      /* for this generation; 0 = not known. Fitted ones may be of earlier generations, too */
    double held_out;        /* on held-out games of its own data */
    int stages;
    double stage_held_out[WILLOW_STAGES_MAX];
    uint64_t stage_positions[WILLOW_STAGES_MAX];
    struct report_match match;   /* against the best before it */
    struct report_test test;     /* of that match */
    int opponent;                /* number of that generation */
    bool accepted;               /* it is the new best */
    struct report_rating ladder; /* from the newest ladder */
    double seconds;
    double spent[REPORT_WORKS];                   /* seconds of its finished steps */
    double yardstick[REPORT_YARDSTICKS_MAX];      /* static error in discs on each yardstick */
    double yardstick_best[REPORT_YARDSTICKS_MAX]; /* how often the best static move is the best move, 0..1 */
};

/* A finished step of the generation in the making. */
struct report_step {
    char title[96];
    double seconds;
};

struct report {
    const char *version;       /* of the programs */
    const char *configuration; /* resolved, as YAML */
    const char *weights;       /* file of the best weights */
    const char *ruleset, *patterns;
    const char *start; /* "zero" or the weights file that generation 0 is */
    int64_t seed;
    int planned; /* generations after number 0 */
    int count;   /* finished ones, number 0 included */
    struct report_generation generations[REPORT_GENERATIONS_MAX];
    bool unfinished; /* generations[count] is in the making: what its finished steps say, the rest not known */
    int steps;       /* finished ones of that generation; the latest when there are more */
    struct report_step step[REPORT_STEPS_MAX];
    int best;                    /* number of the best generation */
    struct willow_stages stages; /* count = 0 while unknown */
    int yardsticks;
    const char *yardstick_names[REPORT_YARDSTICKS_MAX];
    int gate_pairs, gate_depth; /* pairs at most; 0 = no gate */
    double gate_nelo0, gate_nelo1;
    int ladder_pairs, ladder_depth; /* of every two players; 0 = no ladder */
    const char *ladder_anchor;      /* the player whose Elo is zero: "g3" is generation 3 */
    int players;                    /* fixed opponents of the ladder */
    struct report_player player[REPORT_PLAYERS_MAX];
    int encounters; /* of the newest ladder; 0 = not known */
    const struct report_encounter *encounter;
    struct report_match final, final_first; /* best against generations 0 and 1 */
    int final_pairs, final_depth;
    bool complete; /* the loop is done */
    double seconds, seconds_left;
    double disk_bytes, disk_peak_bytes; /* taken now; estimated for the whole loop */
};

/* Both only print; the caller checks the stream. */
void report_text(FILE *out, const struct report *report);
void report_html(FILE *out, const struct report *report);

/* "start", "backward", "self-play" */
const char *report_kind_name(enum report_kind kind);

/* Mean error over the yardsticks; NAN when one is not known. */
double report_static_error(const struct report *report, const struct report_generation *generation);

/* "accepted" or "rejected", with a star when the test had not decided; nothing for generation 0. */
const char *report_gate_word(const struct report_generation *generation);

/* Rows labelled for a generation: all that are fitted when it is not known. */
uint64_t report_labelled(const struct report_generation *generation);

/* Characters of a file's name that are printed when there is room for `most`; its ending goes first. */
int report_name_length(const char *name, int most);

/* Depth of the searches that label. */
int report_label_depth(const struct report_generation *generation);

/* Lines of a table of generations: the finished ones and the one in the making. */
int report_rows(const struct report *report);

/* Whether any game of the ladder is known. */
bool report_has_ladder(const struct report *report);

extern const char *const report_work_names[REPORT_WORKS];

/* "+123"; for matches "> +1200" at their clamp. buffer holds at least 16 bytes. Returns buffer. */
char *report_ladder_elo(double rating, char *buffer);
char *report_elo(double elo, char *buffer);

#endif
