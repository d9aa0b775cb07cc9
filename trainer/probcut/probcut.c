/* From datasets to weights with ProbCut constants; see probcut.h. Layer: trainer. */
#include "probcut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/checksum.h>
#include <willow/clock.h>

#include "fit/data_weights.h"
#include "fit/provenance.h"
#include "probcut_sample.h"
#include "samples/loading.h"

/* Orders errors by cell and completely, so that sums over them come out the same whatever the order of rows was. */
static int compare_errors(const void *left, const void *right)
{
    const struct probcut_error *a = left, *b = right;
    if ((a->deep == PROBCUT_EXACT) != (b->deep == PROBCUT_EXACT))
        return a->deep == PROBCUT_EXACT ? 1 : -1;
    if (a->deep != b->deep)
        return a->deep < b->deep ? -1 : 1;
    if (a->shallow != b->shallow)
        return a->shallow < b->shallow ? -1 : 1;
    if (a->discs != b->discs)
        return a->discs < b->discs ? -1 : 1;
    if (a->half != b->half)
        return a->half < b->half ? -1 : 1;
    return (a->discs_off > b->discs_off) - (a->discs_off < b->discs_off);
}

/* Depths of another parity differ by who moves last; the search pairs them only with the evaluation. */
static bool paired(int shallow, int deep)
{
    return shallow == 0 || (deep - shallow) % 2 == 0;
}

static struct probcut_error error_between(const struct probcut_position *position, int shallow, int deep)
{
    const willow_score score = deep == PROBCUT_EXACT ? position->exact : position->score[deep];
    return (struct probcut_error){.discs_off = (float)(score - position->score[shallow]) / WILLOW_SCORE_DISC,
                                  .discs = (uint8_t)(WILLOW_SQUARES - position->empties),
                                  .shallow = (uint8_t)shallow,
                                  .deep = (uint8_t)deep,
                                  .half = position->half};
}

static enum willow_status collect(const struct probcut_position *positions, size_t count, struct probcut_report *report,
                                  struct willow_error *error)
{
    size_t room = 1, used = 0;
    report->positions = count;
    for (size_t i = 0; i < count; i++) /* a pair for every two depths, and an exact one for each depth */
        room += (size_t)(positions[i].depth + 1) * (size_t)(positions[i].depth + 2) / 2;
    report->errors = calloc(room, sizeof *report->errors);
    if (!report->errors)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu pairs", room);
    for (size_t i = 0; i < count; i++)
        for (int shallow = 0; shallow <= positions[i].depth; shallow++) {
            for (int deep = shallow + 1; deep <= positions[i].depth; deep++)
                if (paired(shallow, deep))
                    report->errors[used++] = error_between(&positions[i], shallow, deep);
            if (positions[i].solved)
                report->errors[used++] = error_between(&positions[i], shallow, PROBCUT_EXACT);
            report->exact_errors += positions[i].solved;
        }
    for (size_t i = 0; i < count; i++)
        report->solved += positions[i].solved;
    report->midgame_errors = used - report->exact_errors;
    qsort(report->errors, used, sizeof *report->errors, compare_errors);
    return WILLOW_OK;
}

/* Replaces the constants of one part; without errors they stay. */
static enum willow_status fit_part(const struct probcut_error *errors, size_t count, float *sigma, int sigma_terms,
                                   float *mean, struct probcut_fit *fit, struct willow_error *error)
{
    if (count == 0)
        return WILLOW_OK;
    const enum willow_status status = probcut_fit(errors, count, sigma, mean, fit, error);
    for (int i = 0; status == WILLOW_OK && i < sigma_terms; i++)
        sigma[i] = (float)fit->sigma[i];
    for (int i = 0; status == WILLOW_OK && i < WILLOW_PROBCUT_MEAN_TERMS; i++)
        mean[i] = (float)fit->mean[i];
    return status;
}

static enum willow_status fit_parts(const struct willow_probcut *old, struct probcut_report *report,
                                    struct willow_error *error)
{
    report->probcut = willow_probcut_in_force(old);
    float *constant = report->probcut.constant;
    enum willow_status status =
        fit_part(report->errors, report->midgame_errors, constant + WILLOW_PROBCUT_AT, WILLOW_PROBCUT_TERMS,
                 constant + WILLOW_PROBCUT_AT_MEAN, &report->midgame, error);
    if (status == WILLOW_OK)
        status =
            fit_part(report->errors + report->midgame_errors, report->exact_errors, constant + WILLOW_PROBCUT_AT_EXACT,
                     WILLOW_PROBCUT_TERMS_EXACT, constant + WILLOW_PROBCUT_AT_MEAN_EXACT, &report->exact, error);
    return status;
}

static enum willow_status make_weights(const struct probcut_options *options, const struct willow_weights *old,
                                       const struct probcut_report *report, struct willow_weights **weights,
                                       struct willow_error *error)
{
    char data[WILLOW_CHECKSUM_TEXT], line[256], *provenance = NULL;
    const size_t errors = report->midgame_errors + report->exact_errors;
    willow_checksum128_text(report->errors, errors * sizeof *report->errors, data);
    snprintf(line, sizeof line,
             "positions %zu solved %zu seed %llu pairs %zu held-out loss %.4f exact pairs %zu held-out loss %.4f "
             "data %s",
             report->positions, report->solved, (unsigned long long)options->seed, report->midgame_errors,
             report->midgame.held_out.loss, report->exact_errors, report->exact.held_out.loss, data);
    enum willow_status status = provenance_with_probcut(willow_weights_provenance(old), options->command, options->tool,
                                                        line, &provenance, error);
    if (status == WILLOW_OK)
        status =
            willow_weights_new(willow_weights_ruleset(old), willow_weights_patterns(old), willow_weights_stages(old),
                               willow_weights_values(old), &report->probcut, provenance, weights, error);
    free(provenance);
    return status;
}

enum willow_status probcut_run(const struct probcut_options *options, struct willow_weights **weights,
                               struct probcut_report *report, struct willow_error *error)
{
    const uint64_t start_ns = willow_clock_ns();
    struct willow_weights *old = NULL;
    struct probcut_position *positions = NULL;
    size_t count = 0;
    struct label_source *sources = NULL;
    const struct willow_ruleset *ruleset = NULL;
    *report = (struct probcut_report){0};
    enum willow_status status = label_sources_open(options->folders, options->folder_count, &sources, &ruleset, error);
    free(sources);
    if (status == WILLOW_OK)
        status = data_weights_open(options->weights, ruleset, &old, error);
    if (status == WILLOW_OK)
        status = probcut_sample(options->folders, options->folder_count, ruleset, options->seed, options->positions,
                                options->stop, &positions, &count, error);
    if (status == WILLOW_OK && count == 0)
        status = willow_fail(error, WILLOW_ERR_ARGUMENT, options->folders[0], NULL, "there is no position to search");
    if (status == WILLOW_OK) {
        const struct probcut_search search = {.depth = options->depth,
                                              .exact_low = PROBCUT_EXACT_LOW,
                                              .exact_high = options->exact,
                                              .threads = options->threads,
                                              .stop = options->stop,
                                              .progress = options->progress,
                                              .context = options->context};
        status = probcut_search(old, &search, positions, count, error);
    }
    if (status == WILLOW_OK)
        status = collect(positions, count, report, error);
    free(positions);
    if (status == WILLOW_OK)
        status = fit_parts(willow_weights_probcut(old), report, error);
    if (status == WILLOW_OK)
        status = make_weights(options, old, report, weights, error);
    willow_weights_free(old);
    report->seconds = (double)(willow_clock_ns() - start_ns) * 1e-9;
    return status;
}

void probcut_report_clear(struct probcut_report *report)
{
    free(report->errors);
    *report = (struct probcut_report){0};
}
