/* The ProbCut model: how far the score of a shallow search lies from that of a deep one or from the exact score.
 * Layer: eval. Pure functions of constants that stand in the weights file (`willow train probcut` fits them).
 */
#ifndef WILLOW_PROBCUT_H
#define WILLOW_PROBCUT_H

#include <willow/weights.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every sigma lies within these bounds, in discs, whatever the constants. */
#define WILLOW_PROBCUT_SIGMA_MIN 0.1
#define WILLOW_PROBCUT_SIGMA_MAX 32.0

/* What a struct willow_probcut holds: the number of the model, then a constant for each term of the midgame, then of
 * the exact model. log(sigma) = sum of constant * term. */
enum {
    WILLOW_PROBCUT_MODEL = 1,
    WILLOW_PROBCUT_TERMS = 8,
    WILLOW_PROBCUT_TERMS_EXACT = 4,
    WILLOW_PROBCUT_COUNT = 1 + WILLOW_PROBCUT_TERMS + WILLOW_PROBCUT_TERMS_EXACT
};

/* Standard deviation, in discs, of (score of a search to `deep` plies) - (score of a search to `shallow` plies) of the
 * same position with so many discs on the board. shallow = 0 is the static evaluation; 0 <= shallow < deep <= 60, discs
 * 4..64 (others are taken as the nearest). Constants of a count or model that this build does not know, count = 0
 * above all, are replaced by those of the default weights. Not for inner loops: tabulate it. */
double willow_probcut_sigma(const struct willow_probcut *probcut, int discs, int shallow, int deep);

/* The same of (exact final score) - (score of a search to `shallow` plies). */
double willow_probcut_sigma_exact(const struct willow_probcut *probcut, int discs, int shallow);

/* The WILLOW_PROBCUT_COUNT - 1 constants in force: those of probcut after its first, or the default weights' own where
 * probcut has none that this build knows. Lives as long as probcut. */
const float *willow_probcut_constants(const struct willow_probcut *probcut);

/* The terms, for who fits them. The same ranges. */
void willow_probcut_terms(int discs, int shallow, int deep, double terms[WILLOW_PROBCUT_TERMS]);
void willow_probcut_terms_exact(int discs, int shallow, double terms[WILLOW_PROBCUT_TERMS_EXACT]);

#ifdef __cplusplus
}
#endif
#endif
