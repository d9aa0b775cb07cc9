/* The linear model behind the narrow interface: pattern indices that follow the moves, and the sum of their weights.
 * Layer: eval.
 */
#include "eval/model.h"

#include <string.h>

#include "eval/lanes.h"
#include "eval/weight_table.h"

_Static_assert((int)WILLOW_PATTERN_FEATURES_MAX == (int)LANES, "a state holds one lane a pattern feature");

void model_state_init(const struct willow_weights *weights, struct willow_board board, struct model_state *state)
{
    lanes_init(weights->set->chunks, board.player, board.opponent, state->own, state->other);
}

void model_state_play(const struct willow_weights *weights, const struct model_state *from, struct model_state *to,
                      int square, willow_bits flips)
{
    lanes_play(weights->set->chunks, from->own, from->other, to->own, to->other, square, flips);
}

void model_state_pass(const struct model_state *from, struct model_state *to)
{
    memcpy(to->own, from->other, sizeof to->own);
    memcpy(to->other, from->own, sizeof to->other);
}

willow_score model_evaluate(const struct willow_weights *weights, const struct model_state *state,
                            struct willow_board board)
{
    const struct willow_pattern_set *set = weights->set;
    const int16_t *table = weights->full_of_discs[willow_bits_count(board.player | board.opponent)];
    /* At most 72 terms of 16 bits: the sum cannot overflow. */
    int32_t sum = lanes_sum(table, set->lane_begin, state->own);
    const int16_t *scalar_table = table + set->raw_count;
    for (int i = 0; i < set->scalar_count; i++) {
        sum += scalar_table[pattern_scalar_value(&set->scalars[i], board)];
        scalar_table += set->scalars[i].size;
    }
    const int32_t bound = WILLOW_SCORE_MAX - 1;
    return sum > bound ? bound : sum < -bound ? -bound : sum;
}

willow_score willow_evaluate(const struct willow_weights *weights, struct willow_board board)
{
    struct model_state state;
    model_state_init(weights, board, &state);
    return model_evaluate(weights, &state, board);
}
