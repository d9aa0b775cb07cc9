/* The fit of a weights file: stage by stage, backwards, from datasets; see fit.h. Layer: trainer. */
#include "fit.h"

#include "data_weights.h"
#include "fit_inside.h"
#include "provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/clock.h>

enum { DEFAULT_STAGES = 20 };

static enum willow_status new_init(struct fit *fit, struct willow_error *error)
{
    const struct willow_ruleset *ruleset = fit->ruleset;
    const struct fit_options *options = fit->options;
    const struct willow_pattern_set *set = willow_pattern_set_default();
    if (options->patterns)
        set = willow_pattern_set_find(options->patterns);
    if (!set)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "there is no pattern set '%s'", options->patterns);
    struct willow_stages stages =
        willow_stages_even(willow_ruleset_squares(ruleset), options->stages > 0 ? options->stages : DEFAULT_STAGES);
    return willow_weights_new_zero(ruleset, set, &stages, &fit->init, error);
}

static enum willow_status open_init(struct fit *fit, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    const struct willow_ruleset *ruleset = fit->ruleset;
    if (!options->init)
        return new_init(fit, error);
    enum willow_status status = data_weights_open(options->init, ruleset, &fit->init, error);
    if (status != WILLOW_OK)
        return status;
    const char *patterns = willow_pattern_set_name(willow_weights_patterns(fit->init));
    const int stages = willow_weights_stages(fit->init)->count;
    if (options->patterns && strcmp(options->patterns, patterns) != 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, options->init, NULL,
                           "the weights have the pattern set %s, not %s", patterns, options->patterns);
    if (options->stages > 0 && options->stages != stages)
        return willow_fail(error, WILLOW_ERR_MISMATCH, options->init, NULL, "the weights have %d stages, not %d",
                           stages, options->stages);
    return WILLOW_OK;
}

static void report_loading(void *context, uint64_t rows, uint64_t of)
{
    const struct fit *fit = context;
    const struct fit_progress progress = {.loading = true, .loaded = rows, .of = of};
    if (fit->options->progress)
        fit->options->progress(fit->options->context, &progress);
}

/* Once it is clear which rows there are. */
static enum willow_status sum_rows(struct fit *fit, struct willow_error *error)
{
    int64_t sums[sizeof fit->all / sizeof(int64_t)];
    for (int ply = 0; ply < SAMPLE_PLIES; ply++) {
        uint64_t digest[2] = {0};
        samples_digest(fit->samples, ply, digest);
        for (int part = 0; part < SAMPLE_PARTS; part++)
            fit->all.count[ply][part] = (int64_t)samples_rows(fit->samples, ply, (enum sample_part)part);
        for (int i = 0; i < 2; i++)
            fit->all.digest[ply][i] = (int64_t)digest[i];
    }
    memcpy(sums, &fit->all, sizeof sums);
    const enum willow_status status = willow_ranks_sum(fit->options->ranks, sums, sizeof sums / sizeof *sums, error);
    memcpy(&fit->all, sums, sizeof sums);
    return status;
}

static enum willow_status load(struct fit *fit, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    const uint64_t start_ns = willow_clock_ns();
    const struct loading_options loading = {
        .ruleset = fit->ruleset,
        .first_ply = options->first_ply > options->window ? options->first_ply - options->window : 0,
        .last_ply =
            options->last_ply + options->window < SAMPLE_PLIES ? options->last_ply + options->window : SAMPLE_PLIES - 1,
        .rules = options->rules,
        .held_out = options->held_out,
        .has_seed = options->has_seed,
        .seed = options->seed,
        .ranks = options->ranks,
        .stop = options->solver.stop,
        .progress = report_loading,
        .context = fit};
    const struct overlap_options overlap = {.ruleset = fit->ruleset,
                                            .threads = options->solver.threads,
                                            .ranks = options->ranks,
                                            .stop = options->solver.stop};
    enum willow_status status =
        loading_run(fit->sources, options->folder_count, &loading, fit->samples, &fit->report->loading, error);
    if (status == WILLOW_OK)
        status = overlap_run(fit->samples, &overlap, &fit->report->overlap, error);
    if (status == WILLOW_OK)
        status = sum_rows(fit, error);
    fit->report->loading_seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return status;
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

static enum willow_status allocate(struct fit *fit, struct willow_error *error)
{
    const size_t stages = (size_t)willow_weights_stages(fit->init)->count;
    fit->features = features_of_patterns(willow_weights_patterns(fit->init));
    const size_t weights = fit->features.weights;
    fit->values = calloc(stages * weights, sizeof *fit->values);
    fit->start = calloc(weights, sizeof *fit->start);
    fit->fitted = calloc(weights, sizeof *fit->fitted);
    fit->base = calloc(weights, sizeof *fit->base);
    if (!fit->values || !fit->start || !fit->fitted || !fit->base)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu stages", stages);
    memcpy(fit->values, willow_weights_values(fit->init), stages * weights * sizeof *fit->values);
    return WILLOW_OK;
}

/* Marks the weights of the part with this name. False when there is none. */
static bool fix_part(struct fit *fit, const char *name, size_t length)
{
    const struct willow_pattern_set *set = willow_weights_patterns(fit->init);
    const char *part;
    uint32_t first, count;
    for (int i = 0; (part = willow_pattern_set_part(set, i, &first, &count)) != NULL; i++)
        if (strlen(part) == length && strncmp(part, name, length) == 0) {
            for (uint32_t j = first; j < first + count; j++)
                fit->fixed[j] = true;
            return true;
        }
    return false;
}

static enum willow_status fix_parts(struct fit *fit, struct willow_error *error)
{
    const char *names = fit->options->without;
    if (!names)
        return WILLOW_OK;
    fit->fixed = calloc(fit->features.weights, sizeof *fit->fixed);
    if (!fit->fixed)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    while (*names) {
        const size_t length = strcspn(names, ",");
        if (!fix_part(fit, names, length))
            return willow_fail(error, WILLOW_ERR_ARGUMENT, "--without", NULL, "the pattern set %s has no part '%.*s'",
                               willow_pattern_set_name(willow_weights_patterns(fit->init)), (int)length, names);
        names += length + (names[length] == ',');
    }
    return WILLOW_OK;
}

static enum willow_status check_rows(const struct fit *fit, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    if (fit_count_rows(fit, options->first_ply, options->last_ply, SAMPLE_TRAIN) > 0)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_MISMATCH, options->folders[0], NULL,
                       "the data hold no position to fit in plies %d-%d", options->first_ply, options->last_ply);
}

static void sum_up(struct fit_report *report)
{
    double absolute = 0.0;
    for (int i = 0; i < report->count; i++) {
        const struct errors *held_out = &report->stages[i].rounding.held_out.all;
        report->rows += report->stages[i].rows;
        report->held_out_rows += held_out->rows;
        absolute += held_out->mae_discs * (double)held_out->rows;
    }
    report->held_out_mae_discs = report->held_out_rows > 0 ? absolute / (double)report->held_out_rows : 0.0;
}

static void fit_clear(struct fit *fit)
{
    checkpoint_clear(&fit->restored);
    free(fit->values);
    free(fit->start);
    free(fit->fitted);
    free(fit->base);
    free(fit->fixed);
    free(fit->sources);
    samples_free(fit->samples);
    willow_weights_free(fit->init);
}

enum willow_status fit_run(const struct fit_options *options, struct willow_weights **weights,
                           struct fit_report *report, struct willow_error *error)
{
    struct fit fit = {.options = options, .report = report};
    char *provenance = NULL;
    const uint64_t start_ns = willow_clock_ns();
    *report = (struct fit_report){0};
    enum willow_status status =
        label_sources_open(options->folders, options->folder_count, &fit.sources, &fit.ruleset, error);
    if (status == WILLOW_OK && options->ruleset && options->ruleset != fit.ruleset)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, options->folders[0], NULL,
                             "the dataset is of ruleset %s, not of %s as --ruleset says", fit.ruleset->name,
                             options->ruleset->name);
    if (status == WILLOW_OK)
        status = open_init(&fit, error);
    if (status == WILLOW_OK)
        status = samples_new(options->scratch, &fit.samples, error);
    if (status == WILLOW_OK)
        status = allocate(&fit, error);
    if (status == WILLOW_OK)
        status = fix_parts(&fit, error);
    if (status == WILLOW_OK)
        status = load(&fit, error);
    if (status == WILLOW_OK)
        status = check_rows(&fit, error);
    if (status == WILLOW_OK) {
        choose_stages(&fit);
        fit.next = report->count - 1;
        fit.base_done = options->start != FIT_START_BASE;
        status = fit_state_restore(&fit, error);
    }
    if (status == WILLOW_OK)
        status = fit_stages_run(&fit, error);
    if (status == WILLOW_OK) {
        sum_up(report);
        report->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    }
    if (status == WILLOW_OK)
        status = provenance_write(options, report, fit.sources, fit.ruleset, fit.init, &provenance, error);
    if (status == WILLOW_OK)
        status = willow_weights_new(fit.ruleset, willow_weights_patterns(fit.init), willow_weights_stages(fit.init),
                                    fit.values, willow_weights_probcut(fit.init), provenance, weights, error);
    free(provenance);
    fit_clear(&fit);
    return status;
}

void fit_report_clear(struct fit_report *report)
{
    for (int i = 0; i < report->count; i++)
        solver_report_clear(&report->stages[i].solver);
}
