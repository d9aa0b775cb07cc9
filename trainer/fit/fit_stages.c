/* The stages of a fit, one after the other; see fit_inside.h. Layer: trainer. */
#include "fit_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

static bool all_zero(const int16_t *values, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++)
        if (values[j] != 0)
            return false;
    return true;
}

static void report_stage(void *context, const struct solver_point *point)
{
    const struct fit *fit = context;
    const struct fit_progress progress = {.stage = fit->current->stage,
                                          .first_ply = fit->current->first_ply,
                                          .last_ply = fit->current->last_ply,
                                          .rows = fit->current->rows,
                                          .point = *point};
    if (fit->options->progress)
        fit->options->progress(fit->options->context, &progress);
}

/* The rows of plies first .. last, and with less weight those of `window` plies around them. Returns their number. */
static size_t ranges_of(enum sample_part part, int first, int last, int window, struct pass_range *ranges)
{
    size_t count = 0;
    for (int ply = 0; ply < SAMPLE_PLIES; ply++) {
        const int distance = ply < first ? first - ply : ply > last ? ply - last : 0;
        if (distance <= window)
            ranges[count++] = (struct pass_range){.ply = ply,
                                                  .part = part,
                                                  .blocks = SIZE_MAX,
                                                  .factor = (float)(window + 1 - distance) / (float)(window + 1)};
    }
    return count;
}

/* Fits plies first .. last from `start`; the weights go to fit->fitted. */
static enum willow_status solve(struct fit *fit, int first, int last, int window, const double *start,
                                struct solver_report *report, struct willow_error *error)
{
    struct pass_range train[SAMPLE_PLIES], held_out[SAMPLE_PLIES];
    const struct solver_task task = {.features = &fit->features,
                                     .patterns = willow_weights_patterns(fit->init),
                                     .samples = fit->samples,
                                     .train = {train, ranges_of(SAMPLE_TRAIN, first, last, window, train)},
                                     .held_out = {held_out, ranges_of(SAMPLE_HELD_OUT, first, last, 0, held_out)},
                                     .start = start,
                                     .fixed = fit->fixed};
    struct solver_options solver = fit->options->solver;
    solver.progress = report_stage;
    solver.context = fit;
    solver.ranks = fit->options->ranks;
    if (fit->options->checkpoint) {
        solver.save = fit_state_save_solver;
        solver.save_seconds = fit->options->checkpoint_seconds;
    }
    if (fit->solver_restored) {
        const struct checkpoint_block *state = &fit->restored.blocks[fit->restored.count - 1];
        solver.resume = state->data;
        solver.resume_size = state->size;
    }
    const enum willow_status status = solver_fit(&task, &solver, fit->fitted, report, error);
    fit->solver_restored = false;
    return status;
}

/* Of the held-out rows, or of the training rows where there are no others. */
static enum willow_status judge_stage(const struct fit *fit, struct pass_rows train, struct pass_rows held_out,
                                      const int16_t *values, struct willow_error *error)
{
    struct fit_stage *stage = fit->current;
    const struct judge_task task = {.features = &fit->features,
                                    .ruleset = fit->ruleset,
                                    .samples = fit->samples,
                                    .rows = stage->rounding.held_out.all.rows > 0 ? held_out : train,
                                    .values = values,
                                    .sightings = stage->solver.sightings,
                                    .threads = fit->options->solver.threads,
                                    .ranks = fit->options->ranks};
    const enum willow_status status = judge_run(&task, &stage->judgement, error);
    free(stage->solver.sightings); /* nobody asks for them later */
    stage->solver.sightings = NULL;
    return status;
}

static enum willow_status round_stage(struct fit *fit, int16_t *values, struct willow_error *error)
{
    struct fit_stage *stage = fit->current;
    struct pass_range train[SAMPLE_PLIES], held_out[SAMPLE_PLIES];
    const struct pass_rows train_rows = {train, ranges_of(SAMPLE_TRAIN, stage->first_ply, stage->last_ply, 0, train)};
    const struct pass_rows held_out_rows = {held_out,
                                            ranges_of(SAMPLE_HELD_OUT, stage->first_ply, stage->last_ply, 0, held_out)};
    struct pass *pass = NULL;
    enum willow_status status =
        pass_new(&fit->features, fit->samples, fit->options->ranks, fit->options->solver.threads,
                 fit->options->solver.clip_discs * WILLOW_SCORE_DISC, &pass, error);
    if (status == WILLOW_OK)
        status =
            rounding_run(pass, train_rows, held_out_rows, fit->fitted, fit->fixed, values, &stage->rounding, error);
    if (status == WILLOW_OK)
        status = judge_stage(fit, train_rows, held_out_rows, values, error);
    pass_free(pass);
    return status;
}

static void identify(const struct fit *fit, struct fit_stage *stage)
{
    uint64_t digest[2] = {0};
    for (int ply = stage->first_ply; ply <= stage->last_ply; ply++)
        for (int i = 0; i < 2; i++)
            digest[i] += (uint64_t)fit->all.digest[ply][i];
    snprintf(stage->data, sizeof stage->data, "%016llx%016llx", (unsigned long long)digest[0],
             (unsigned long long)digest[1]);
}

uint64_t fit_count_rows(const struct fit *fit, int first, int last, enum sample_part part)
{
    uint64_t rows = 0;
    for (int ply = first; ply <= last; ply++)
        rows += (uint64_t)fit->all.count[ply][part];
    return rows;
}

static void set_start(struct fit *fit, const int16_t *values)
{
    for (uint32_t j = 0; j < fit->features.weights; j++)
        fit->start[j] = values[j];
}

/* Fits fit->current in place. */
static enum willow_status fit_one(struct fit *fit, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    struct fit_stage *stage = fit->current;
    const uint64_t start_ns = willow_clock_ns();
    const uint32_t weights = fit->features.weights;
    const uint64_t training = fit_count_rows(fit, stage->first_ply, stage->last_ply, SAMPLE_TRAIN);
    /* Without a training row there is nothing to fit, and measuring alone is not what was asked for. */
    if (training == 0)
        return WILLOW_OK;
    stage->rows = training + fit_count_rows(fit, stage->first_ply, stage->last_ply, SAMPLE_HELD_OUT);
    identify(fit, stage);

    int16_t *values = fit->values + (size_t)stage->stage * weights;
    set_start(fit, values);
    if (all_zero(values, weights)) {
        if (options->start == FIT_START_BASE)
            memcpy(fit->start, fit->base, weights * sizeof *fit->start);
        else if (options->start == FIT_START_NEXT && stage->stage + 1 < willow_weights_stages(fit->init)->count)
            set_start(fit, values + weights);
    }
    enum willow_status status =
        solve(fit, stage->first_ply, stage->last_ply, options->window, fit->start, &stage->solver, error);
    if (status == WILLOW_OK)
        status = round_stage(fit, values, error);
    stage->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return status;
}

/* One fit to everything, from zero. */
static enum willow_status fit_base(struct fit *fit, struct willow_error *error)
{
    struct fit_stage all = {.stage = -1, .first_ply = fit->options->first_ply, .last_ply = fit->options->last_ply};
    all.rows = fit_count_rows(fit, all.first_ply, all.last_ply, SAMPLE_TRAIN);
    fit->current = &all;
    memset(fit->start, 0, fit->features.weights * sizeof *fit->start);
    const enum willow_status status = solve(fit, all.first_ply, all.last_ply, 0, fit->start, &all.solver, error);
    if (status == WILLOW_OK)
        memcpy(fit->base, fit->fitted, fit->features.weights * sizeof *fit->base);
    fit->base_done = status == WILLOW_OK;
    solver_report_clear(&all.solver);
    return status;
}

enum willow_status fit_stages_run(struct fit *fit, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    if (!fit->base_done) {
        status = fit_base(fit, error);
        if (status == WILLOW_OK)
            fit_state_save(fit);
    }
    /* From the last to the first, so that a stage may start from the one after it. */
    while (status == WILLOW_OK && fit->next >= 0) {
        fit->current = &fit->report->stages[fit->next];
        status = fit_one(fit, error);
        if (status != WILLOW_OK)
            break;
        fit->next--;
        fit_state_save(fit);
    }
    return status;
}
