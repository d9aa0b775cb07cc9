/* The fit of a weights file: stage by stage, backwards, from datasets; see fit.h. Layer: trainer. */
#include "fit.h"

#include "provenance.h"

#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

enum { DEFAULT_STAGES = 20 };

struct fit {
    const struct fit_options *options;
    struct fit_report *report;
    struct label_source *sources;
    struct willow_weights *init;
    struct samples *samples;
    struct features features;
    int16_t *values;  /* all stages; becomes the result */
    int16_t *scratch; /* one stage */
    struct fit_stage *current;
};

static enum willow_status open_sources(struct fit *fit, const struct willow_ruleset **ruleset,
                                       struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    fit->sources = calloc(options->folder_count, sizeof *fit->sources);
    if (!fit->sources)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    for (size_t i = 0; i < options->folder_count; i++) {
        enum willow_status status = label_source_open(options->folders[i], &fit->sources[i], error);
        if (status != WILLOW_OK)
            return status;
        *ruleset = willow_ruleset_by_id(fit->sources[i].ruleset);
        if (!*ruleset)
            return willow_fail(error, WILLOW_ERR_MISMATCH, options->folders[i], NULL,
                               "the dataset's ruleset (id %u) is not known to this build", fit->sources[i].ruleset);
        if (fit->sources[i].ruleset != fit->sources[0].ruleset)
            return willow_fail(error, WILLOW_ERR_MISMATCH, options->folders[i], NULL,
                               "the dataset is of ruleset %s, the one in %s is not", (*ruleset)->name,
                               options->folders[0]);
    }
    return WILLOW_OK;
}

static enum willow_status new_init(struct fit *fit, const struct willow_ruleset *ruleset, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    const struct willow_pattern_set *set = willow_pattern_set_default();
    if (options->patterns)
        set = willow_pattern_set_find(options->patterns);
    if (!set)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "there is no pattern set '%s'", options->patterns);
    struct willow_stages stages = willow_stages_even(options->stages > 0 ? options->stages : DEFAULT_STAGES);
    return willow_weights_new_zero(ruleset, set, &stages, &fit->init, error);
}

static enum willow_status open_init(struct fit *fit, const struct willow_ruleset *ruleset, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    if (!options->init)
        return new_init(fit, ruleset, error);
    enum willow_status status = willow_weights_open(options->init, &fit->init, error);
    if (status != WILLOW_OK)
        return status;
    const char *patterns = willow_pattern_set_name(willow_weights_patterns(fit->init));
    const int stages = willow_weights_stages(fit->init)->count;
    if (willow_weights_ruleset(fit->init) != ruleset)
        return willow_fail(error, WILLOW_ERR_MISMATCH, options->init, NULL,
                           "the weights are of ruleset %s, the data of %s", willow_weights_ruleset(fit->init)->name,
                           ruleset->name);
    if (options->patterns && strcmp(options->patterns, patterns) != 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, options->init, NULL,
                           "the weights have the pattern set %s, not %s", patterns, options->patterns);
    if (options->stages > 0 && options->stages != stages)
        return willow_fail(error, WILLOW_ERR_MISMATCH, options->init, NULL, "the weights have %d stages, not %d",
                           stages, options->stages);
    return WILLOW_OK;
}

static bool all_zero(const int16_t *values, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++)
        if (values[j] != 0)
            return false;
    return true;
}

static void report_progress(void *context, int iteration, double held_out_mae_discs)
{
    const struct fit *fit = context;
    const struct fit_progress progress = {.stage = fit->current->stage,
                                          .first_ply = fit->current->first_ply,
                                          .last_ply = fit->current->last_ply,
                                          .rows = fit->current->rows,
                                          .iteration = iteration,
                                          .held_out_mae_discs = held_out_mae_discs};
    if (fit->options->progress)
        fit->options->progress(fit->options->context, &progress);
}

/* Fits fit->current in place. */
static enum willow_status fit_one(struct fit *fit, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    struct fit_stage *stage = fit->current;
    const uint64_t start_ns = willow_clock_ns();
    const uint32_t weights = fit->features.weights;
    enum willow_status status = labels_load(fit->sources, options->folder_count, stage->first_ply, stage->last_ply,
                                            willow_weights_ruleset(fit->init), &options->labels, fit->samples, error);
    if (status != WILLOW_OK)
        return status;
    /* Without a training row there is nothing to fit, and measuring alone is not what was asked for. */
    if (samples_rows(fit->samples) == samples_held_out(fit->samples))
        return WILLOW_OK;
    stage->rows = samples_rows(fit->samples);
    memcpy(stage->data, samples_checksum(fit->samples), sizeof stage->data);

    int16_t *values = fit->values + (size_t)stage->stage * weights;
    const int16_t *start = values;
    if (options->from_next && stage->stage + 1 < willow_weights_stages(fit->init)->count && all_zero(values, weights))
        start = values + weights;
    struct solver_options solver = options->solver;
    solver.stop = options->labels.stop;
    solver.progress = report_progress;
    solver.context = fit;
    status = solver_fit(&fit->features, fit->samples, start, &solver, fit->scratch, &stage->solver, error);
    if (status != WILLOW_OK)
        return status;
    memcpy(values, fit->scratch, weights * sizeof *values);
    stage->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return WILLOW_OK;
}

/* The stages that the plies touch, rising. */
static void choose_stages(struct fit *fit)
{
    const struct fit_options *options = fit->options;
    const struct willow_stages *stages = willow_weights_stages(fit->init);
    for (int s = 0; s < stages->count; s++) {
        int first, last;
        if (!willow_stage_plies(stages, s, &first, &last) || last < options->first_ply || first > options->last_ply)
            continue;
        fit->report->stages[fit->report->count++] =
            (struct fit_stage){.stage = s,
                               .first_ply = first > options->first_ply ? first : options->first_ply,
                               .last_ply = last < options->last_ply ? last : options->last_ply};
    }
}

/* From the last to the first, so that a stage may start from the one after it. */
static enum willow_status fit_stages(struct fit *fit, struct willow_error *error)
{
    struct fit_report *report = fit->report;
    const uint64_t start_ns = willow_clock_ns();
    const struct willow_stages *stages = willow_weights_stages(fit->init);
    fit->features = features_of_patterns(willow_weights_patterns(fit->init));
    const size_t weights = fit->features.weights;
    fit->values = calloc((size_t)stages->count * weights, sizeof *fit->values);
    fit->scratch = calloc(weights, sizeof *fit->scratch);
    if (!fit->values || !fit->scratch)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %d stages", stages->count);
    memcpy(fit->values, willow_weights_values(fit->init), (size_t)stages->count * weights * sizeof *fit->values);
    choose_stages(fit);
    double absolute = 0.0;
    for (int i = report->count - 1; i >= 0; i--) {
        fit->current = &report->stages[i];
        enum willow_status status = fit_one(fit, error);
        if (status != WILLOW_OK)
            return status;
        const struct errors *held_out = &fit->current->solver.held_out;
        report->rows += fit->current->rows;
        report->held_out_rows += held_out->rows;
        absolute += held_out->mae_discs * (double)held_out->rows;
    }
    if (report->rows == 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, fit->options->folders[0], NULL,
                           "the data hold no position to fit in plies %d-%d", fit->options->first_ply,
                           fit->options->last_ply);
    report->held_out_mae_discs = report->held_out_rows > 0 ? absolute / (double)report->held_out_rows : 0.0;
    report->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return WILLOW_OK;
}

enum willow_status fit_run(const struct fit_options *options, struct willow_weights **weights,
                           struct fit_report *report, struct willow_error *error)
{
    struct fit fit = {.options = options, .report = report};
    const struct willow_ruleset *ruleset = NULL;
    char *provenance = NULL;
    *report = (struct fit_report){0};
    enum willow_status status = open_sources(&fit, &ruleset, error);
    if (status == WILLOW_OK)
        status = open_init(&fit, ruleset, error);
    if (status == WILLOW_OK)
        status = samples_new(options->scratch, &fit.samples, error);
    if (status == WILLOW_OK)
        status = fit_stages(&fit, error);
    if (status == WILLOW_OK)
        status = provenance_write(options, report, fit.sources, fit.init, &provenance, error);
    if (status == WILLOW_OK)
        status = willow_weights_new(ruleset, willow_weights_patterns(fit.init), willow_weights_stages(fit.init),
                                    fit.values, willow_weights_probcut(fit.init), provenance, weights, error);
    free(provenance);
    free(fit.values);
    free(fit.scratch);
    free(fit.sources);
    samples_free(fit.samples);
    willow_weights_free(fit.init);
    return status;
}
