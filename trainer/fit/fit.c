/* The fit of a weights file: stage by stage, backwards, from datasets; see fit.h. Layer: trainer. */
#include "fit.h"

#include "provenance.h"

#include <stdio.h>
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
    int16_t *values;               /* all stages; becomes the result */
    double *start, *fitted, *base; /* one stage */
    bool *fixed;                   /* weights that are left out; null = none */
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

static void report_loading(void *context, uint64_t rows, uint64_t of)
{
    const struct fit *fit = context;
    const struct fit_progress progress = {.loading = true, .loaded = rows, .of = of};
    if (fit->options->progress)
        fit->options->progress(fit->options->context, &progress);
}

static enum willow_status load(struct fit *fit, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    const uint64_t start_ns = willow_clock_ns();
    const struct loading_options loading = {
        .ruleset = willow_weights_ruleset(fit->init),
        .first_ply = options->first_ply > options->window ? options->first_ply - options->window : 0,
        .last_ply =
            options->last_ply + options->window < SAMPLE_PLIES ? options->last_ply + options->window : SAMPLE_PLIES - 1,
        .rules = options->rules,
        .held_out = options->held_out,
        .has_seed = options->has_seed,
        .seed = options->seed,
        .stop = options->solver.stop,
        .progress = report_loading,
        .context = fit};
    const enum willow_status status =
        loading_run(fit->sources, options->folder_count, &loading, fit->samples, &fit->report->loading, error);
    fit->report->loading_seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return status;
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
    return solver_fit(&task, &solver, fit->fitted, report, error);
}

/* Of the held-out rows, or of the training rows where there are no others. fit->start has served its turn. */
static enum willow_status judge_stage(struct fit *fit, struct pass *pass, struct pass_rows train,
                                      struct pass_rows held_out, const int16_t *values, struct willow_error *error)
{
    struct fit_stage *stage = fit->current;
    const struct judge_task task = {.features = &fit->features,
                                    .samples = fit->samples,
                                    .rows = stage->rounding.held_out.all.rows > 0 ? held_out : train,
                                    .values = values,
                                    .sightings = fit->start,
                                    .threads = fit->options->solver.threads};
    const enum willow_status status = pass_counts(pass, train, false, fit->start, error);
    return status ? status : judge_run(&task, &stage->judgement, error);
}

static enum willow_status round_stage(struct fit *fit, int16_t *values, struct willow_error *error)
{
    struct fit_stage *stage = fit->current;
    struct pass_range train[SAMPLE_PLIES], held_out[SAMPLE_PLIES];
    const struct pass_rows train_rows = {train, ranges_of(SAMPLE_TRAIN, stage->first_ply, stage->last_ply, 0, train)};
    const struct pass_rows held_out_rows = {held_out,
                                            ranges_of(SAMPLE_HELD_OUT, stage->first_ply, stage->last_ply, 0, held_out)};
    struct pass *pass = NULL;
    enum willow_status status = pass_new(&fit->features, fit->samples, NULL, fit->options->solver.threads,
                                         fit->options->solver.clip_discs * WILLOW_SCORE_DISC, &pass, error);
    if (status == WILLOW_OK)
        status = rounding_run(pass, train_rows, held_out_rows, fit->fitted, values, &stage->rounding, error);
    if (status == WILLOW_OK)
        status = judge_stage(fit, pass, train_rows, held_out_rows, values, error);
    pass_free(pass);
    return status;
}

static void identify(const struct fit *fit, struct fit_stage *stage)
{
    uint64_t digest[2] = {0};
    for (int ply = stage->first_ply; ply <= stage->last_ply; ply++)
        samples_digest(fit->samples, ply, digest);
    snprintf(stage->data, sizeof stage->data, "%016llx%016llx", (unsigned long long)digest[0],
             (unsigned long long)digest[1]);
}

static uint64_t count_rows(const struct fit *fit, int first, int last, enum sample_part part)
{
    uint64_t rows = 0;
    for (int ply = first; ply <= last; ply++)
        rows += samples_rows(fit->samples, ply, part);
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
    const uint64_t training = count_rows(fit, stage->first_ply, stage->last_ply, SAMPLE_TRAIN);
    /* Without a training row there is nothing to fit, and measuring alone is not what was asked for. */
    if (training == 0)
        return WILLOW_OK;
    stage->rows = training + count_rows(fit, stage->first_ply, stage->last_ply, SAMPLE_HELD_OUT);
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
    all.rows = count_rows(fit, all.first_ply, all.last_ply, SAMPLE_TRAIN);
    fit->current = &all;
    memset(fit->start, 0, fit->features.weights * sizeof *fit->start);
    const enum willow_status status = solve(fit, all.first_ply, all.last_ply, 0, fit->start, &all.solver, error);
    if (status == WILLOW_OK)
        memcpy(fit->base, fit->fitted, fit->features.weights * sizeof *fit->base);
    solver_report_clear(&all.solver);
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

/* From the last to the first, so that a stage may start from the one after it. */
static enum willow_status fit_stages(struct fit *fit, struct willow_error *error)
{
    struct fit_report *report = fit->report;
    const uint64_t start_ns = willow_clock_ns();
    double absolute = 0.0;
    enum willow_status status = fit->options->start == FIT_START_BASE ? fit_base(fit, error) : WILLOW_OK;
    for (int i = report->count - 1; status == WILLOW_OK && i >= 0; i--) {
        fit->current = &report->stages[i];
        status = fit_one(fit, error);
        const struct errors *held_out = &fit->current->rounding.held_out.all;
        report->rows += fit->current->rows;
        report->held_out_rows += held_out->rows;
        absolute += held_out->mae_discs * (double)held_out->rows;
    }
    report->held_out_mae_discs = report->held_out_rows > 0 ? absolute / (double)report->held_out_rows : 0.0;
    report->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return status;
}

static enum willow_status check_rows(const struct fit *fit, struct willow_error *error)
{
    const struct fit_options *options = fit->options;
    if (count_rows(fit, options->first_ply, options->last_ply, SAMPLE_TRAIN) > 0)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_MISMATCH, options->folders[0], NULL,
                       "the data hold no position to fit in plies %d-%d", options->first_ply, options->last_ply);
}

static void fit_clear(struct fit *fit)
{
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
    const struct willow_ruleset *ruleset = NULL;
    char *provenance = NULL;
    *report = (struct fit_report){0};
    enum willow_status status = open_sources(&fit, &ruleset, error);
    if (status == WILLOW_OK)
        status = open_init(&fit, ruleset, error);
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
        status = fit_stages(&fit, error);
    }
    if (status == WILLOW_OK)
        status = provenance_write(options, report, fit.sources, fit.init, &provenance, error);
    if (status == WILLOW_OK)
        status = willow_weights_new(ruleset, willow_weights_patterns(fit.init), willow_weights_stages(fit.init),
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
