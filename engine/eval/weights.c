/* Sets of weights in memory: checked, copied, and spread out for play. Knows nothing of the file format.
 * Layer: eval.
 */
#include <willow/weights.h>

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/huge.h"
#include "eval/weight_table.h"

struct willow_stages willow_stages_even(int squares, int count)
{
    assert(count >= 1 && count <= WILLOW_STAGES_MAX);
    int width = (squares - 4 + count - 1) / count;
    struct willow_stages stages = {.squares = squares};
    /* A width that was rounded up may leave no discs for the last stages; those are not made. The full board, where the
     * game is over, has no stage of its own. */
    for (int disc = 4; disc < squares && stages.count < count; disc += width)
        stages.first_disc[stages.count++] = (uint8_t)disc;
    return stages;
}

int willow_stage_of_discs(const struct willow_stages *stages, int discs)
{
    int stage = 0;
    while (stage + 1 < stages->count && stages->first_disc[stage + 1] <= discs)
        stage++;
    return stage;
}

bool willow_stage_plies(const struct willow_stages *stages, int stage, int *first_ply, int *last_ply)
{
    enum { START_DISCS = 4 };
    const int full_discs = stages->squares;
    const int first = stages->first_disc[stage];
    const int next = stage + 1 < stages->count ? stages->first_disc[stage + 1] : full_discs;
    /* The first stage may also serve boards with fewer discs than a game starts with. */
    *first_ply = first > START_DISCS ? first - START_DISCS : 0;
    *last_ply = (next < full_discs ? next : full_discs) - 1 - START_DISCS;
    return *first_ply <= *last_ply;
}

static enum willow_status check_stages(const struct willow_ruleset *ruleset, const struct willow_stages *stages,
                                       struct willow_error *error)
{
    if (stages->squares != willow_ruleset_squares(ruleset))
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "stages for a board of %d squares, but %s has %d",
                           stages->squares, ruleset->name, willow_ruleset_squares(ruleset));
    if (stages->count < 1 || stages->count > WILLOW_STAGES_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "%d stages, not 1 to %d", stages->count,
                           WILLOW_STAGES_MAX);
    if (stages->first_disc[0] > 4)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                           "the first stage starts at %d discs, after the start", stages->first_disc[0]);
    for (int i = 1; i < stages->count; i++)
        if (stages->first_disc[i] <= stages->first_disc[i - 1] || stages->first_disc[i] > stages->squares)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "stage %d starts at %d discs, out of order", i,
                               stages->first_disc[i]);
    return WILLOW_OK;
}

static enum willow_status check_probcut(const struct willow_probcut *probcut, struct willow_error *error)
{
    if (probcut->count > WILLOW_PROBCUT_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "%u ProbCut constants, at most %d are known",
                           probcut->count, WILLOW_PROBCUT_MAX);
    for (uint32_t i = 0; i < probcut->count; i++)
        if (!isfinite(probcut->constant[i]))
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "ProbCut constant %u is not a finite number", i);
    return WILLOW_OK;
}

/* Programs print the text as it stands, so that it must not hold terminal controls. */
static enum willow_status check_provenance(const char *text, struct willow_error *error)
{
    size_t length = strnlen(text, WILLOW_PROVENANCE_MAX + 1);
    if (length > WILLOW_PROVENANCE_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "the provenance is longer than %d bytes",
                           WILLOW_PROVENANCE_MAX);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 32 && c != '\n' && c != '\t') || c == 127)
            return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL,
                               "the provenance has control character %u at byte %zu", c, i);
    }
    return WILLOW_OK;
}

enum willow_status weight_table_check(const struct willow_ruleset *ruleset, const struct willow_stages *stages,
                                      const struct willow_probcut *probcut, const char *provenance,
                                      struct willow_error *error)
{
    enum willow_status status = check_stages(ruleset, stages, error);
    if (status == WILLOW_OK)
        status = check_probcut(probcut, error);
    if (status == WILLOW_OK)
        status = check_provenance(provenance, error);
    return status;
}

/* Spreads the tied weights of every stage over all configurations. */
static void spread_values(struct willow_weights *weights)
{
    const struct willow_pattern_set *set = weights->set;
    const size_t tied = set->tied_count, scalars = set->scalar_entries;
    for (int stage = 0; stage < weights->stages.count; stage++) {
        const int16_t *values = weights->values + (size_t)stage * (tied + scalars);
        int16_t *full = weights->full + (size_t)stage * weights->full_stride;
        for (uint32_t i = 0; i < set->raw_count; i++)
            full[i] = values[set->tie[i]];
        memcpy(full + set->raw_count, values + tied, scalars * sizeof *full);
        memset(full + set->raw_count + scalars, 0, (weights->full_stride - set->raw_count - scalars) * sizeof *full);
    }
    for (int discs = 0; discs <= WILLOW_SQUARES; discs++)
        weights->full_of_discs[discs] =
            weights->full + (size_t)willow_stage_of_discs(&weights->stages, discs) * weights->full_stride;
}

enum willow_status weight_table_new(const struct willow_ruleset *ruleset, const struct willow_pattern_set *set,
                                    const struct willow_stages *stages, int16_t *values,
                                    const struct willow_probcut *probcut, const char *provenance,
                                    struct willow_weights **weights, struct willow_error *error)
{
    struct willow_weights *made = calloc(1, sizeof *made);
    if (made == NULL) {
        free(values);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for weights");
    }
    made->values = values;
    made->ruleset = ruleset;
    made->set = set;
    made->stages.squares = stages->squares;
    made->stages.count = stages->count;
    memcpy(made->stages.first_disc, stages->first_disc, (size_t)stages->count);
    made->probcut.count = probcut->count;
    memcpy(made->probcut.constant, probcut->constant, probcut->count * sizeof probcut->constant[0]);

    /* The product is small: at most 61 stages of 64 tables of 3^10 entries. */
    made->full_stride = ((size_t)set->raw_count + set->scalar_entries + 2 + 31) / 32 * 32;
    made->provenance = strdup(provenance);
    made->full = huge_alloc((size_t)stages->count * made->full_stride * sizeof *made->full);
    if (made->provenance == NULL || made->full == NULL) {
        willow_weights_free(made);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for weights");
    }
    spread_values(made);
    *weights = made;
    return WILLOW_OK;
}

enum willow_status willow_weights_new(const struct willow_ruleset *ruleset, const struct willow_pattern_set *set,
                                      const struct willow_stages *stages, const int16_t *values,
                                      const struct willow_probcut *probcut, const char *provenance,
                                      struct willow_weights **weights, struct willow_error *error)
{
    const struct willow_probcut no_probcut = {.count = 0};
    probcut = probcut != NULL ? probcut : &no_probcut;
    provenance = provenance != NULL ? provenance : "";
    enum willow_status status = weight_table_check(ruleset, stages, probcut, provenance, error);
    if (status != WILLOW_OK)
        return status;
    set = willow_pattern_set_on(set, ruleset);
    if (set == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for a pattern set");

    const size_t count = (size_t)stages->count * willow_pattern_set_weights(set);
    int16_t *copy = huge_alloc(count * sizeof *copy);
    if (copy == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory for weights");
    if (values != NULL)
        memcpy(copy, values, count * sizeof *copy);
    else
        memset(copy, 0, count * sizeof *copy);
    struct willow_weights *made = NULL;
    status = weight_table_new(ruleset, set, stages, copy, probcut, provenance, &made, error);
    if (status == WILLOW_OK)
        status = weights_file_encode(made, error);
    if (status != WILLOW_OK) {
        willow_weights_free(made);
        return status;
    }
    *weights = made;
    return WILLOW_OK;
}

enum willow_status willow_weights_new_zero(const struct willow_ruleset *ruleset, const struct willow_pattern_set *set,
                                           const struct willow_stages *stages, struct willow_weights **weights,
                                           struct willow_error *error)
{
    return willow_weights_new(ruleset, set, stages, NULL, NULL, NULL, weights, error);
}

void willow_weights_free(struct willow_weights *weights)
{
    if (weights == NULL)
        return;
    free(weights->provenance);
    free(weights->values);
    free(weights->full);
    free(weights->file);
    free(weights);
}

const struct willow_ruleset *willow_weights_ruleset(const struct willow_weights *weights)
{
    return weights->ruleset;
}

const struct willow_pattern_set *willow_weights_patterns(const struct willow_weights *weights)
{
    return weights->set;
}

const struct willow_stages *willow_weights_stages(const struct willow_weights *weights)
{
    return &weights->stages;
}

const int16_t *willow_weights_values(const struct willow_weights *weights)
{
    return weights->values;
}

const struct willow_probcut *willow_weights_probcut(const struct willow_weights *weights)
{
    return &weights->probcut;
}

const char *willow_weights_provenance(const struct willow_weights *weights)
{
    return weights->provenance;
}

const char *willow_weights_checksum(const struct willow_weights *weights)
{
    return weights->checksum;
}
