/* Measurement of weights; see measure.h. Layer: trainer. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include <willow/clock.h>

struct measure {
    const struct measure_options *options;
    struct fit_report *report;
    struct label_source *sources;
    const struct willow_ruleset *ruleset; /* of the data */
    struct samples *samples;
    struct features features;
    struct pass *pass;
    double *counts; /* one stage */
    uint32_t *sightings;
};

static enum willow_status open_data(struct measure *measure, struct willow_error *error)
{
    const struct measure_options *options = measure->options;
    const struct willow_ruleset *wanted = willow_weights_ruleset(options->weights);
    const enum willow_status status =
        label_sources_open(options->folders, options->folder_count, &measure->sources, &measure->ruleset, error);
    if (status != WILLOW_OK)
        return status;
    if (!willow_ruleset_same_play(measure->ruleset, wanted))
        return willow_fail(error, WILLOW_ERR_MISMATCH, options->folders[0], NULL,
                           "the dataset is of ruleset %s, the weights are of %s", measure->ruleset->name, wanted->name);
    return samples_new(options->scratch, &measure->samples, error);
}

static enum willow_status load(struct measure *measure, struct willow_error *error)
{
    const struct measure_options *options = measure->options;
    const uint64_t start_ns = willow_clock_ns();
    const struct loading_options loading = {.ruleset = measure->ruleset,
                                            .first_ply = options->first_ply,
                                            .last_ply = options->last_ply,
                                            .rules = options->rules,
                                            .held_out = options->held_out,
                                            .has_seed = options->has_seed,
                                            .seed = options->seed,
                                            .stop = options->stop,
                                            .progress = options->progress,
                                            .context = options->context};
    const struct overlap_options overlap = {
        .ruleset = measure->ruleset, .threads = options->threads, .stop = options->stop};
    enum willow_status status = loading_run(measure->sources, options->folder_count, &loading, measure->samples,
                                            &measure->report->loading, error);
    /* As a fit does it, so that the same rows are held out. */
    if (status == WILLOW_OK)
        status = overlap_run(measure->samples, &overlap, &measure->report->overlap, error);
    measure->report->loading_seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return status;
}

static enum willow_status allocate(struct measure *measure, struct willow_error *error)
{
    const struct measure_options *options = measure->options;
    const double clip = 24.0 * WILLOW_SCORE_DISC; /* of the loss, which is not reported */
    measure->features = features_of_patterns(willow_weights_patterns(options->weights));
    measure->counts = calloc(measure->features.weights, sizeof *measure->counts);
    measure->sightings = calloc(measure->features.weights, sizeof *measure->sightings);
    if (!measure->counts || !measure->sightings)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    return pass_new(&measure->features, measure->samples, NULL, options->threads, clip, &measure->pass, error);
}

static enum willow_status count_sightings(struct measure *measure, struct pass_rows rows, struct willow_error *error)
{
    const enum willow_status status = pass_counts(measure->pass, rows, false, measure->counts, error);
    for (uint32_t j = 0; status == WILLOW_OK && j < measure->features.weights; j++)
        measure->sightings[j] = (uint32_t)fmin(measure->counts[j], (double)UINT32_MAX);
    return status;
}

/* Measures a stage in place, where it has a row. */
static enum willow_status measure_stage(struct measure *measure, struct fit_stage *stage, struct willow_error *error)
{
    const uint64_t start_ns = willow_clock_ns();
    const int16_t *values =
        willow_weights_values(measure->options->weights) + (size_t)stage->stage * measure->features.weights;
    struct pass_range ranges[SAMPLE_PARTS][SAMPLE_PLIES];
    uint64_t part_rows[SAMPLE_PARTS] = {0};
    const size_t count = (size_t)(stage->last_ply - stage->first_ply + 1);
    for (int part = 0; part < SAMPLE_PARTS; part++)
        for (size_t i = 0; i < count; i++) {
            const int ply = stage->first_ply + (int)i;
            ranges[part][i] =
                (struct pass_range){.ply = ply, .part = (enum sample_part)part, .blocks = SIZE_MAX, .factor = 1.0F};
            part_rows[part] += samples_rows(measure->samples, ply, (enum sample_part)part);
        }
    stage->rows = part_rows[SAMPLE_TRAIN] + part_rows[SAMPLE_HELD_OUT];
    if (stage->rows == 0)
        return WILLOW_OK;
    const struct pass_rows train = {ranges[SAMPLE_TRAIN], count}, held_out = {ranges[SAMPLE_HELD_OUT], count};
    const struct judge_task task = {.features = &measure->features,
                                    .ruleset = measure->ruleset,
                                    .samples = measure->samples,
                                    .rows = part_rows[SAMPLE_HELD_OUT] > 0 ? held_out : train,
                                    .values = values,
                                    .sightings = measure->sightings,
                                    .threads = measure->options->threads};
    enum willow_status status = pass_rounded(measure->pass, train, values, &stage->rounding.train, error);
    if (status == WILLOW_OK)
        status = pass_rounded(measure->pass, held_out, values, &stage->rounding.held_out, error);
    if (status == WILLOW_OK)
        status = count_sightings(measure, train, error);
    if (status == WILLOW_OK)
        status = judge_run(&task, &stage->judgement, error);
    stage->solver.train_fitted = stage->rounding.train; /* nothing was rounded */
    stage->solver.held_out_fitted = stage->rounding.held_out;
    stage->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return status;
}

static enum willow_status measure_stages(struct measure *measure, struct willow_error *error)
{
    const struct measure_options *options = measure->options;
    const struct willow_stages *stages = willow_weights_stages(options->weights);
    struct fit_report *report = measure->report;
    double absolute = 0.0;
    enum willow_status status = WILLOW_OK;
    for (int s = 0; status == WILLOW_OK && s < stages->count; s++) {
        int first, last;
        if (!willow_stage_plies(stages, s, &first, &last) || last < options->first_ply || first > options->last_ply)
            continue;
        struct fit_stage *stage = &report->stages[report->count++];
        *stage = (struct fit_stage){.stage = s,
                                    .first_ply = first > options->first_ply ? first : options->first_ply,
                                    .last_ply = last < options->last_ply ? last : options->last_ply};
        status = measure_stage(measure, stage, error);
        report->rows += stage->rows;
        report->held_out_rows += stage->rounding.held_out.all.rows;
        absolute += stage->rounding.held_out.all.mae_discs * (double)stage->rounding.held_out.all.rows;
        if (status == WILLOW_OK && options->stop && willow_stop_get(options->stop))
            status = willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    }
    if (report->held_out_rows > 0)
        report->held_out_mae_discs = absolute / (double)report->held_out_rows;
    if (status == WILLOW_OK && report->rows == 0)
        status =
            willow_fail(error, WILLOW_ERR_MISMATCH, options->folders[0], NULL,
                        "the data hold no position to measure in plies %d-%d", options->first_ply, options->last_ply);
    return status;
}

enum willow_status measure_run(const struct measure_options *options, struct fit_report *report,
                               struct willow_error *error)
{
    struct measure measure = {.options = options, .report = report};
    const uint64_t start_ns = willow_clock_ns();
    *report = (struct fit_report){0};
    enum willow_status status = open_data(&measure, error);
    if (status == WILLOW_OK)
        status = allocate(&measure, error);
    if (status == WILLOW_OK)
        status = load(&measure, error);
    if (status == WILLOW_OK)
        status = measure_stages(&measure, error);
    report->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    pass_free(measure.pass);
    free(measure.counts);
    free(measure.sightings);
    samples_free(measure.samples);
    free(measure.sources);
    return status;
}
