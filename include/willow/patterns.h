/* Pattern sets as data: which squares the evaluation looks at, and how a board becomes indices into weights.
 * Layer: eval. The trainer and the engine use this one description; there is no other.
 */
#ifndef WILLOW_PATTERNS_H
#define WILLOW_PATTERNS_H

#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/ruleset.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Upper bounds over all sets: pattern instances on the board, further scalar terms, squares of one pattern. */
enum { WILLOW_PATTERN_FEATURES_MAX = 64, WILLOW_SCALAR_FEATURES_MAX = 8, WILLOW_PATTERN_SQUARES_MAX = 10 };
enum { WILLOW_FEATURES_MAX = WILLOW_PATTERN_FEATURES_MAX + WILLOW_SCALAR_FEATURES_MAX };

/* A set as it lies on a board. Constant, lives as long as the program, shared by all threads; for the same set on the
 * same board there is one pointer.
 *
 * A set has shapes (edge and X squares, 3x3 corner, ...), each placed on the board in 1 to 8 orientations (features).
 * All features of a shape share one table of weights, but for those that have squares in a hole. A configuration is a
 * base-3 number over the squares of the shape, the first square being the most significant digit; digit 0 = empty, 1 =
 * side to move, 2 = the other side. Where a symmetry of the board maps a shape to itself, mirrored configurations share
 * one weight ("tied"). Scalar terms (parity of the ply, mobility of either side) are small tables looked up by their
 * value, so that the evaluation is a plain sum of weights. */
struct willow_pattern_set;

/* By name or id; null when there is none. willow_pattern_set_at lists them (null past the end). They are laid on the
 * board of willow_ruleset_default. All are null when there is no memory. */
const struct willow_pattern_set *willow_pattern_set_find(const char *name);
const struct willow_pattern_set *willow_pattern_set_by_id(uint32_t id);
const struct willow_pattern_set *willow_pattern_set_at(int index);
const struct willow_pattern_set *willow_pattern_set_default(void);

/* The same set laid on the board of a ruleset. Straight lines from edge to edge are whole lines there, which begin
 * where they begin on 8x8, seen from the corner; other shapes keep to the corners and edges they have on 8x8: squares
 * that are further than the fifth from one edge are counted from the other, those that meet are one. Squares that do
 * not exist never enter an index: an orientation of a shape that lost squares to a hole has a table of its own, shared
 * only by those that a symmetry of the ruleset maps onto it. Orientations of fewer than three squares, or with the
 * squares of another feature, are left out. Name and id are those of the set. Rulesets with the same playable squares
 * get the same pointer. Derived when first asked for, then kept; any thread. Null when there is no memory. */
const struct willow_pattern_set *willow_pattern_set_on(const struct willow_pattern_set *set,
                                                       const struct willow_ruleset *ruleset);

const char *willow_pattern_set_name(const struct willow_pattern_set *set);
uint32_t willow_pattern_set_id(const struct willow_pattern_set *set);

/* Terms of the sum for one position: pattern features plus scalar features, 1..WILLOW_FEATURES_MAX. */
int willow_pattern_set_features(const struct willow_pattern_set *set);

/* Tied weights of one stage. */
uint32_t willow_pattern_set_weights(const struct willow_pattern_set *set);

/* Fills index[0 .. features-1] with tied weight indices (0 .. weights-1), from scratch. The evaluation before rounding
 * is the sum of weight[index[i]] over i. This is the trainer's view; it equals the engine's incremental one (tested).
 * index has room for WILLOW_FEATURES_MAX; what stands behind the features afterwards means nothing. */
void willow_pattern_set_indices(const struct willow_pattern_set *set, struct willow_board board, uint32_t *index);

/* The same before weights are tied, for who looks up a table of all configurations: raw indices (0 .. raw-1), and the
 * tied index of each of them (an array of `raw`, which lives as long as the program). */
uint32_t willow_pattern_set_raw(const struct willow_pattern_set *set);
void willow_pattern_set_raw_indices(const struct willow_pattern_set *set, struct willow_board board, uint32_t *index);
const uint32_t *willow_pattern_set_tie(const struct willow_pattern_set *set);

/* The parts of a set, its tables (a shape each, "corner3x3", or what a hole left of it, "corner3x3-c3" without its c3)
 * and then its scalar terms: the name of part `index` and its stretch of tied weights
 * (either pointer may be null). Null past the end. */
const char *willow_pattern_set_part(const struct willow_pattern_set *set, int index, uint32_t *first, uint32_t *count);

/* A part that is such a table: its squares in one of its placements (room for WILLOW_PATTERN_SQUARES_MAX), the most
 * significant digit first, and the first of its 3^squares raw indices. Returns the number of squares; 0 for a scalar
 * term and past the end. */
int willow_pattern_set_squares(const struct willow_pattern_set *set, int index, uint8_t *squares, uint32_t *first_raw);

/* One-line description of a tied weight for reports, e.g. "corner3x3 X.O...XX." or "mobility 7"; returns buffer. */
char *willow_pattern_set_describe(const struct willow_pattern_set *set, uint32_t weight, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
