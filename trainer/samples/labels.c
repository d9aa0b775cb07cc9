/* Labels, weights and filters of rows; see labels.h. Layer: trainer. */
#include "labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct label_rules label_rules_default(void)
{
    struct label_rules rules = {.missing = LABEL_MISSING_RESULT, .weight = {1.0, 1.0, 1.0}};
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        rules.blend[ply] = (struct label_blend){.score = 1.0F, .exact = 1.0F};
    return rules;
}

/* In 1 / SAMPLE_WEIGHT_ONE. */
static long weight_of(const struct label_rules *rules, enum sample_kind kind)
{
    return lrint(rules->weight[kind] * SAMPLE_WEIGHT_ONE);
}

/* False for what is no number, too. */
static bool within(double value, double most)
{
    return value >= 0.0 && value <= most;
}

static enum willow_status check_blend(const struct label_rules *rules, int ply, struct willow_error *error)
{
    const struct label_blend *blend = &rules->blend[ply];
    if (within(blend->score, LABEL_BLEND_MAX) && within(blend->exact, LABEL_BLEND_MAX) &&
        within(blend->result, LABEL_BLEND_MAX))
        return WILLOW_OK;
    char place[32];
    snprintf(place, sizeof place, "blend of ply %d", ply);
    return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, place, "a weight is not within 0-%d", LABEL_BLEND_MAX);
}

static enum willow_status check_weights(const struct label_rules *rules, struct willow_error *error)
{
    static const char *const places[SAMPLE_KINDS] = {[SAMPLE_SCORE] = "weight of scores",
                                                     [SAMPLE_EXACT] = "weight of exact scores",
                                                     [SAMPLE_RESULT] = "weight of results"};
    bool some = false;
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        const double weight = rules->weight[kind];
        if (!within(weight, LABEL_WEIGHT_MAX))
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, places[kind], "%g is not within 0-%d", weight,
                               LABEL_WEIGHT_MAX);
        /* What rounding would make of it is something else: rows left out. */
        if (weight > 0.0 && weight_of(rules, (enum sample_kind)kind) == 0)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, places[kind], "%g is neither 0 nor at least 1/%d",
                               weight, SAMPLE_WEIGHT_ONE);
        some = some || weight > 0.0;
    }
    if (!some)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, "weights", "no kind of label has a weight above 0");
    return WILLOW_OK;
}

enum willow_status label_rules_check(const struct label_rules *rules, struct willow_error *error)
{
    enum willow_status status = check_weights(rules, error);
    for (int ply = 0; status == WILLOW_OK && ply < SAMPLE_PLIES; ply++)
        status = check_blend(rules, ply, error);
    if (status != WILLOW_OK)
        return status;
    if (rules->random_distance < 0 || rules->random_distance > LABEL_DISTANCE_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, "random distance", "%d is not within 0-%d",
                           rules->random_distance, LABEL_DISTANCE_MAX);
    if (!within(rules->gap_discs, LABEL_GAP_MAX))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, "gap", "%g is not within 0-%d", rules->gap_discs,
                           LABEL_GAP_MAX);
    return WILLOW_OK;
}

static enum label_verdict filter(const struct label_rules *rules, const struct willow_row *row, int since_random)
{
    if (rules->drop_random && row->flags & WILLOW_ROW_RANDOM)
        return LABEL_RANDOM_MOVE;
    if (since_random < rules->random_distance)
        return LABEL_NEAR_RANDOM;
    if (rules->gap_discs > 0.0 && row->score != WILLOW_SCORE_MISSING &&
        abs(row->score - row->result * WILLOW_SCORE_DISC) > rules->gap_discs * WILLOW_SCORE_DISC)
        return LABEL_GAP;
    return LABEL_KEPT;
}

enum label_verdict label_of_row(const struct label_rules *rules, const struct willow_row *row, int since_random,
                                struct sample *sample)
{
    const enum label_verdict verdict = filter(rules, row, since_random);
    if (verdict != LABEL_KEPT)
        return verdict;
    const struct label_blend *blend = &rules->blend[row->ply];
    const bool has_score = row->score != WILLOW_SCORE_MISSING, exact = has_score && row->flags & WILLOW_ROW_EXACT;
    const double score_weight = exact ? (double)blend->exact : has_score ? (double)blend->score : 0.0;
    double result_weight = exact && score_weight > 0.0 ? 0.0 : (double)blend->result;
    if (score_weight + result_weight <= 0.0) {
        if (rules->missing != LABEL_MISSING_RESULT)
            return LABEL_UNLABELLED;
        result_weight = 1.0;
    }
    const enum sample_kind kind = score_weight <= 0.0 ? SAMPLE_RESULT : exact ? SAMPLE_EXACT : SAMPLE_SCORE;
    const long weight = weight_of(rules, kind);
    if (weight <= 0)
        return LABEL_KIND;
    /* A label of one part is that part to the last bit. */
    const double share = result_weight / (score_weight + result_weight);
    const double score = share < 1.0 ? row->score : 0.0, result = row->result * WILLOW_SCORE_DISC;
    *sample = (struct sample){.board = {row->player, row->opponent},
                              .label = (float)((1.0 - share) * score + share * result),
                              .weight = (uint16_t)weight,
                              .kind = (uint8_t)kind};
    return LABEL_KEPT;
}
