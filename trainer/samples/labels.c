/* Labels, weights and filters of rows; see labels.h. Layer: trainer. */
#include "labels.h"

#include <math.h>
#include <stdlib.h>

struct label_rules label_rules_default(void)
{
    struct label_rules rules = {.missing = LABEL_MISSING_RESULT, .weight = {1.0, 1.0, 1.0}};
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        rules.blend[ply] = (struct label_blend){.score = 1.0F, .exact = 1.0F};
    return rules;
}

static bool filtered(const struct label_rules *rules, const struct willow_row *row, int since_random,
                     enum label_verdict *verdict)
{
    if (rules->drop_random && row->flags & WILLOW_ROW_RANDOM)
        *verdict = LABEL_RANDOM_MOVE;
    else if (since_random < rules->random_distance)
        *verdict = LABEL_NEAR_RANDOM;
    else if (rules->gap_discs > 0.0 && row->score != WILLOW_SCORE_MISSING &&
             abs(row->score - row->result * WILLOW_SCORE_DISC) > rules->gap_discs * WILLOW_SCORE_DISC)
        *verdict = LABEL_GAP;
    else
        return false;
    return true;
}

enum label_verdict label_of_row(const struct label_rules *rules, const struct willow_row *row, int since_random,
                                struct sample *sample)
{
    enum label_verdict verdict;
    if (filtered(rules, row, since_random, &verdict))
        return verdict;
    const struct label_blend *blend = &rules->blend[row->ply];
    const bool has_score = row->score != WILLOW_SCORE_MISSING, exact = has_score && row->flags & WILLOW_ROW_EXACT;
    const float score_weight = exact ? blend->exact : has_score ? blend->score : 0.0F;
    float result_weight = exact && score_weight > 0.0F ? 0.0F : blend->result;
    if (score_weight + result_weight <= 0.0F) {
        if (rules->missing != LABEL_MISSING_RESULT)
            return LABEL_UNLABELLED;
        result_weight = 1.0F;
    }
    const enum sample_kind kind = score_weight <= 0.0F ? SAMPLE_RESULT : exact ? SAMPLE_EXACT : SAMPLE_SCORE;
    const long weight = lrint(rules->weight[kind] * SAMPLE_WEIGHT_ONE);
    if (weight <= 0)
        return LABEL_UNLABELLED;
    const float score = has_score ? (float)row->score : 0.0F, result = (float)row->result * WILLOW_SCORE_DISC;
    *sample = (struct sample){.board = {row->player, row->opponent},
                              .label = (score_weight * score + result_weight * result) / (score_weight + result_weight),
                              .weight = (uint16_t)weight,
                              .kind = (uint8_t)kind};
    return LABEL_KEPT;
}
