/* What a row of a dataset says: its label, how much it counts, and whether it is used at all. Layer: trainer. Knows
 * nothing of files.
 */
#ifndef TRAINER_LABELS_H
#define TRAINER_LABELS_H

#include "samples.h"

#include <willow/dataset.h>

/* The label is the mean of what a row has (the score of a search or an exact score, never both, and the result of its
 * game), with these weights, >= 0. What a row does not have is left out; beside an exact score of weight the result
 * would add nothing but noise, and is left out too. */
struct label_blend {
    float score, exact, result;
};

/* What becomes of a row that has nothing of weight. */
enum label_missing {
    LABEL_MISSING_RESULT, /* its label is the result */
    LABEL_MISSING_DROP,   /* it is left out and counted */
    LABEL_MISSING_ERROR   /* the fit fails and names it */
};

struct label_rules {
    struct label_blend blend[SAMPLE_PLIES]; /* by ply of the row */
    enum label_missing missing;
    /* How much a row counts in the fit, by what its label rests on; 0 <= weight <= 15, 0 = rows of this kind are left
     * out. */
    double weight[SAMPLE_KINDS];
    /* Filters. */
    bool drop_random;    /* rows whose own move was not the search's: what follows says little of them */
    int random_distance; /* rows with fewer plies than this since the last move that was not the search's; 0 = none */
    double gap_discs;    /* rows whose score and result differ by more; 0 = none */
};

/* Score, else result; every row counts alike; no filter. */
struct label_rules label_rules_default(void);

/* What was decided on a row; all but LABEL_KEPT are reasons to leave it out. */
enum label_verdict { LABEL_KEPT, LABEL_UNLABELLED, LABEL_RANDOM_MOVE, LABEL_NEAR_RANDOM, LABEL_GAP, LABEL_VERDICTS };

/* since_random: plies since the last move that was not the search's (0: the move before this position), or a large
 * number where there was none. Fills *sample for LABEL_KEPT. */
enum label_verdict label_of_row(const struct label_rules *rules, const struct willow_row *row, int since_random,
                                struct sample *sample);

#endif
