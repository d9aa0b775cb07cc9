/* The narrow interface through which the search reaches the evaluation: a state that follows the moves, and its value.
 * The search knows nothing of what is inside the state; another model kind may stand behind the same four functions.
 * Layer: eval.
 */
#ifndef WILLOW_EVAL_MODEL_H
#define WILLOW_EVAL_MODEL_H

#include <stdalign.h>
#include <stdint.h>

#include <willow/weights.h>

/* Pattern indices of one position from both sides' view, in the caller's storage (one per ply of the search stack). */
struct model_state {
    alignas(64) uint16_t own[WILLOW_PATTERN_FEATURES_MAX];   /* index with the side to move as digit 1 */
    alignas(64) uint16_t other[WILLOW_PATTERN_FEATURES_MAX]; /* index with the other side as digit 1 */
};

/* From scratch. */
void model_state_init(const struct willow_weights *weights, struct willow_board board, struct model_state *state);

/* to = from after the side to move of `from` placed on square and turned flips; seen from the next side. */
void model_state_play(const struct willow_weights *weights, const struct model_state *from, struct model_state *to,
                      int square, willow_bits flips);

/* to = from after a pass. */
void model_state_pass(const struct model_state *from, struct model_state *to);

/* Equals willow_evaluate(weights, board) when state belongs to board. */
willow_score model_evaluate(const struct willow_weights *weights, const struct model_state *state,
                            struct willow_board board);

#endif
