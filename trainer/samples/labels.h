/* What a row of a dataset says: its label, how much it counts, and whether it is used at all. Layer: trainer. Knows
 * nothing of files.
 */
#ifndef TRAINER_LABELS_H
#define TRAINER_LABELS_H

#include "samples.h"

#include <willow/dataset.h>

/* The label is the mean of what a row has (the score of a search or an exact score, never both, and the result of its
 * game), with these weights. What a row does not have is left out; beside an exact score of weight the result would add
 * nothing but noise, and is left out too.
 *
 * A result that a solver corrected (WILLOW_ROW_SOLVED_RESULT) is a result like any other: for most rows it is the value
 * of a later position of their game, for the last ones their own, and the flag does not say which. A row of the second
 * kind normally has the same value as its exact score, which is what is fitted. */
struct label_blend {
    float score, exact, result; /* 0..LABEL_BLEND_MAX */
};

/* What becomes of a row that has nothing of weight. */
enum label_missing {
    LABEL_MISSING_RESULT, /* its label is the result */
    LABEL_MISSING_DROP,   /* it is left out and counted */
    LABEL_MISSING_ERROR   /* the fit fails and names it */
};

/* Largest values that label_rules_check accepts; the least are 0. */
enum {
    LABEL_BLEND_MAX = 1000,
    LABEL_WEIGHT_MAX = 15,
    LABEL_DISTANCE_MAX = WILLOW_PLIES - 1,
    LABEL_GAP_MAX = 2 * WILLOW_SQUARES
};

struct label_rules {
    struct label_blend blend[SAMPLE_PLIES]; /* by ply of the row */
    enum label_missing missing;
    /* How much a row counts in the fit, by the kind of its label: SAMPLE_EXACT or SAMPLE_SCORE when such a score is
     * part of it, else SAMPLE_RESULT. Rounded to 1 / SAMPLE_WEIGHT_ONE; 0 = rows of this kind are left out. */
    double weight[SAMPLE_KINDS];
    /* Filters. */
    bool drop_random;    /* rows whose own move was not the search's: what follows says little of them */
    int random_distance; /* rows with fewer plies than this since the last move that was not the search's; 0 = none */
    double gap_discs;    /* rows whose score and result differ by more; 0 = none */
};

/* Score, else result; every row counts alike; no filter. */
struct label_rules label_rules_default(void);

/* WILLOW_ERR_ARGUMENT for a value outside its range or no number (the place names it), and when no kind has a weight.
 */
enum willow_status label_rules_check(const struct label_rules *rules, struct willow_error *error);

/* What was decided on a row; all but LABEL_KEPT are reasons to leave it out. Where several hold, the first one of the
 * filters counts, in the order of label_rules. */
enum label_verdict {
    LABEL_KEPT,
    LABEL_UNLABELLED, /* has nothing of weight */
    LABEL_KIND,       /* its label is of a kind that has no weight */
    LABEL_RANDOM_MOVE,
    LABEL_NEAR_RANDOM,
    LABEL_GAP,
    LABEL_VERDICTS
};

/* rules: as label_rules_check accepts them. since_random: plies since the last move that was not the search's (0: the
 * move before this position), or a large number where there was none. Fills *sample for LABEL_KEPT. */
enum label_verdict label_of_row(const struct label_rules *rules, const struct willow_row *row, int since_random,
                                struct sample *sample);

#endif
