/* The ProbCut model: where the score of a deep search or the exact score lies, seen from that of a shallow one: so much
 * higher in the mean, and with such a standard deviation.
 * Layer: eval. Pure functions of constants that stand in the weights file (`willow train probcut` fits them).
 */
#ifndef WILLOW_PROBCUT_H
#define WILLOW_PROBCUT_H

#include <willow/weights.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every sigma and mean lies within these bounds, in discs, whatever the constants. */
#define WILLOW_PROBCUT_SIGMA_MIN 0.1
#define WILLOW_PROBCUT_SIGMA_MAX 32.0
#define WILLOW_PROBCUT_MEAN_MAX 16.0

/* What a struct willow_probcut holds: the number of the model, then a constant for each term, in this order.
 * log(sigma) = sum of constant * term, and so is the mean itself. Model 1, in older files, has no mean. */
enum {
    WILLOW_PROBCUT_MODEL = 2,
    WILLOW_PROBCUT_TERMS = 8,
    WILLOW_PROBCUT_TERMS_EXACT = 4,
    WILLOW_PROBCUT_MEAN_TERMS = 4, /* of the midgame's mean and of the exact one */
    WILLOW_PROBCUT_AT = 1,
    WILLOW_PROBCUT_AT_EXACT = WILLOW_PROBCUT_AT + WILLOW_PROBCUT_TERMS,
    WILLOW_PROBCUT_AT_MEAN = WILLOW_PROBCUT_AT_EXACT + WILLOW_PROBCUT_TERMS_EXACT,
    WILLOW_PROBCUT_AT_MEAN_EXACT = WILLOW_PROBCUT_AT_MEAN + WILLOW_PROBCUT_MEAN_TERMS,
    WILLOW_PROBCUT_COUNT = WILLOW_PROBCUT_AT_MEAN_EXACT + WILLOW_PROBCUT_MEAN_TERMS,
    WILLOW_PROBCUT_COUNT_WITHOUT_MEAN = WILLOW_PROBCUT_AT_MEAN /* of model 1 */
};

/* Discs below are those of a full board of WILLOW_SQUARES with as many empty squares: on a smaller board or one with a
 * hole WILLOW_SQUARES - willow_board_empties, the number of discs on others.
 *
 * Standard deviation, in discs, of (score of a search to `deep` plies) - (score of a search to `shallow` plies) of the
 * same position with so many discs on the board. shallow = 0 is the static evaluation; 0 <= shallow < deep <=
 * WILLOW_SQUARES - 4, discs 4 .. WILLOW_SQUARES (others are taken as the nearest). Not for inner loops: tabulate it. */
double willow_probcut_sigma(const struct willow_probcut *probcut, int discs, int shallow, int deep);

/* The same of (exact final score) - (score of a search to `shallow` plies). */
double willow_probcut_sigma_exact(const struct willow_probcut *probcut, int discs, int shallow);

/* Means of the same differences, in discs: what to add to the shallow score. */
double willow_probcut_mean(const struct willow_probcut *probcut, int discs, int shallow, int deep);
double willow_probcut_mean_exact(const struct willow_probcut *probcut, int discs, int shallow);

/* The constants in force, all WILLOW_PROBCUT_COUNT of them: those of probcut, with a mean of zero for model 1.
 * Constants of a count or model that this build does not know, count = 0 above all, are replaced by those of the
 * default weights.
 */
struct willow_probcut willow_probcut_in_force(const struct willow_probcut *probcut);

/* The terms, for who fits them. The same ranges. */
void willow_probcut_terms(int discs, int shallow, int deep, double terms[WILLOW_PROBCUT_TERMS]);
void willow_probcut_terms_exact(int discs, int shallow, double terms[WILLOW_PROBCUT_TERMS_EXACT]);
void willow_probcut_mean_terms(int discs, int shallow, int deep, double terms[WILLOW_PROBCUT_MEAN_TERMS]);
void willow_probcut_mean_terms_exact(int discs, int shallow, double terms[WILLOW_PROBCUT_MEAN_TERMS]);

#ifdef __cplusplus
}
#endif
#endif
