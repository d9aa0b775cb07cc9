/* Writes the document of a fit; see fit_document.h. Layer: trainer (program). */
#include "fit_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>
#include <willow/program.h>

const char fit_document_mark[] = "{\"willow_fit_report\":";

const char *const fit_document_kinds[SAMPLE_KINDS] = {
    [SAMPLE_SCORE] = "score", [SAMPLE_EXACT] = "exact", [SAMPLE_RESULT] = "result"};

struct fit_document fit_document_of(const struct willow_weights *weights)
{
    const struct willow_pattern_set *set = willow_weights_patterns(weights);
    struct fit_document document = {.weights = willow_weights_checksum(weights),
                                    .patterns = willow_pattern_set_name(set),
                                    .ruleset = willow_weights_ruleset(weights)};
    const size_t count = (size_t)willow_weights_stages(weights)->count * willow_pattern_set_weights(set);
    willow_checksum128_text(willow_weights_values(weights), count * sizeof(int16_t), document.values);
    return document;
}

double fit_document_rounding_cost(const struct fit_stage *stage)
{
    const struct rounding_report *rounded = &stage->rounding;
    if (rounded->held_out.all.rows > 0)
        return rounded->held_out.all.mae_discs - stage->solver.held_out_fitted.all.mae_discs;
    return rounded->train.all.mae_discs - stage->solver.train_fitted.all.mae_discs;
}

/* Six decimals, and no minus before zero. */
static void put_real(FILE *stream, const char *key, double value)
{
    fprintf(stream, "\"%s\":%.6f,", key, fabs(value) < 5e-7 ? 0.0 : value);
}

static void put_count(FILE *stream, const char *key, uint64_t value)
{
    fprintf(stream, "\"%s\":%llu,", key, (unsigned long long)value);
}

static void put_counts(FILE *stream, const char *key, const uint64_t *values, int count)
{
    fprintf(stream, "\"%s\":", key);
    for (int i = 0; i < count; i++)
        fprintf(stream, "%c%llu", i == 0 ? '[' : ',', (unsigned long long)values[i]);
    fputs("],", stream);
}

/* A text with characters that could not be read again (a command line may hold any bytes) keeps its ASCII. */
static void put_string(FILE *stream, const char *text)
{
    char *plain = willow_config_text_valid(text) ? NULL : strdup(text);
    for (char *c = plain; c && *c; c++)
        if ((unsigned char)*c >= 0x7f)
            *c = '?';
    willow_json_string(stream, plain ? plain : text);
    free(plain);
}

static void put_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, "\"%s\":", key);
    put_string(stream, text);
    fputc(',', stream);
}

void fit_document_print_stage(FILE *stream, const struct fit_stage *stage)
{
    const struct solver_report *solver = &stage->solver;
    const struct errors *held_out = &stage->rounding.held_out.all, *train = &stage->rounding.train.all;
    fprintf(stream, "\"stage\":%d,\"first_ply\":%d,\"last_ply\":%d,\"copied\":%s,", stage->stage, stage->first_ply,
            stage->last_ply, stage->rows == 0 ? "true" : "false");
    put_count(stream, "rows", stage->rows);
    put_count(stream, "held_out_rows", held_out->rows);
    put_real(stream, "held_out_mae", held_out->mae_discs);
    put_real(stream, "held_out_rmse", held_out->rmse_discs);
    put_real(stream, "held_out_mae_before", solver->held_out_before.mae_discs);
    put_real(stream, "rounding_cost", fit_document_rounding_cost(stage));
    put_real(stream, "train_mae", train->mae_discs);
    put_real(stream, "train_rmse", train->rmse_discs);
    put_real(stream, "train_mae_before", solver->train_before.mae_discs);
    fprintf(stream, "\"unseen_weights\":%u,\"rare_weights\":%u,\"saturated_weights\":%u,", solver->unseen, solver->rare,
            stage->rounding.saturated);
    fprintf(stream, "\"iterations\":%d,\"passes\":%d,\"seconds\":%.3f", solver->iterations, solver->passes,
            stage->seconds);
}

static void put_kinds(FILE *stream, const char *key, const struct pass_result *result)
{
    fprintf(stream, "\"%s\":{", key);
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        const struct errors *errors = &result->by_kind[kind];
        fprintf(stream, "%s\"%s\":{", kind > 0 ? "," : "", fit_document_kinds[kind]);
        put_count(stream, "rows", errors->rows);
        put_real(stream, "mae", errors->mae_discs);
        put_real(stream, "rmse", errors->rmse_discs);
        fprintf(stream, "\"bias\":%.6f}", errors->bias_discs);
    }
    fputs("},", stream);
}

static void put_curve(FILE *stream, const struct solver_report *solver)
{
    const size_t count = solver->point_count;
    const size_t kept = count < FIT_DOCUMENT_POINTS_MAX ? count : FIT_DOCUMENT_POINTS_MAX;
    fputs("\"curve\":[", stream);
    for (size_t i = 0; i < kept; i++) {
        /* The first and the last point stay. */
        const struct solver_point *point = &solver->points[kept > 1 ? i * (count - 1) / (kept - 1) : 0];
        fprintf(stream, "%s{\"step\":%d,", i > 0 ? "," : "", point->step);
        put_real(stream, "passes", point->epochs);
        put_real(stream, "train_loss", point->train.loss / FIT_DOCUMENT_LOSS_UNIT);
        put_real(stream, "train_mae", point->train.mae_discs);
        put_real(stream, "held_out_loss", point->held_out.loss / FIT_DOCUMENT_LOSS_UNIT);
        fprintf(stream, "\"held_out_mae\":%.6f}", point->held_out.mae_discs);
    }
    fputs("],", stream);
}

static void put_judgement(FILE *stream, const struct judgement *judgement)
{
    put_text(stream, "judged", judgement->part == SAMPLE_HELD_OUT ? "held_out" : "training");
    put_count(stream, "judged_rows", judgement->rows);
    fputs("\"calibration\":[", stream);
    for (int i = 0; i < JUDGE_BINS; i++) {
        const struct judge_bin *bin = &judgement->calibration[i];
        fprintf(stream, "%s{", i > 0 ? "," : "");
        put_count(stream, "rows", bin->rows);
        put_real(stream, "prediction", bin->prediction_discs);
        fprintf(stream, "\"label\":%.6f}", bin->label_discs);
    }
    fputs("],", stream);
    put_counts(stream, "residuals", judgement->residuals, JUDGE_RESIDUALS);
    put_counts(stream, "sightings_weights", judgement->weights, JUDGE_SIGHTINGS);
    put_counts(stream, "sightings_lookups", judgement->lookups, JUDGE_SIGHTINGS);
    put_count(stream, "effect_rows", judgement->effect_rows);
    put_counts(stream, "effect_seen", judgement->effect_seen, JUDGE_SQUARES);
    fputs("\"effect\":[", stream);
    for (int i = 0; i < JUDGE_SQUARES; i++)
        fprintf(stream, "%s%.6f", i > 0 ? "," : "", judgement->effect_discs[i]);
    fputs("]", stream);
}

static void put_stage(FILE *stream, const struct fit_stage *stage)
{
    fputs("{", stream);
    fit_document_print_stage(stream, stage);
    fputs(",", stream);
    put_text(stream, "data", stage->data);
    put_count(stream, "train_rows", stage->rounding.train.all.rows);
    put_real(stream, "train_bias", stage->rounding.train.all.bias_discs);
    put_real(stream, "held_out_bias", stage->rounding.held_out.all.bias_discs);
    put_kinds(stream, "train_by_kind", &stage->rounding.train);
    put_kinds(stream, "held_out_by_kind", &stage->rounding.held_out);
    fprintf(stream, "\"steps\":%d,", stage->solver.steps);
    put_curve(stream, &stage->solver);
    put_judgement(stream, &stage->judgement);
    fputs("}", stream);
}

_Static_assert(LABEL_VERDICTS == LABEL_GAP + 1, "every fate of a row is written and read");

static void put_loading(FILE *stream, const struct fit_report *report)
{
    fputs("\"loading\":{", stream);
    put_count(stream, "read", report->loading.rows);
    put_count(stream, "kept", report->loading.verdicts[LABEL_KEPT]);
    put_count(stream, "unlabelled", report->loading.verdicts[LABEL_UNLABELLED]);
    put_count(stream, "kind", report->loading.verdicts[LABEL_KIND]);
    put_count(stream, "random_move", report->loading.verdicts[LABEL_RANDOM_MOVE]);
    put_count(stream, "near_random", report->loading.verdicts[LABEL_NEAR_RANDOM]);
    put_count(stream, "gap", report->loading.verdicts[LABEL_GAP]);
    put_count(stream, "duplicates", report->overlap.all.duplicates);
    put_count(stream, "held_out_dropped", report->overlap.all.dropped);
    put_count(stream, "contradictory", report->overlap.all.contradictory);
    fprintf(stream, "\"seconds\":%.3f},\n", report->loading_seconds);
}

void fit_document_print(FILE *stream, const struct fit_document *document)
{
    const struct fit_report *report = document->report;
    fprintf(stream, "%s%d,\n", fit_document_mark, FIT_DOCUMENT_VERSION);
    put_text(stream, "kind", document->measured ? "measurement" : "fit");
    put_text(stream, "tool", document->tool);
    put_text(stream, "command", document->command);
    put_text(stream, "weights", document->weights);
    put_text(stream, "values", document->values);
    put_text(stream, "patterns", document->patterns);
    put_text(stream, "ruleset", document->ruleset->name);
    fputs("\n\"data\":[", stream);
    for (size_t i = 0; i < document->data_count; i++) {
        fputs(i > 0 ? "," : "", stream);
        put_string(stream, document->data[i]);
    }
    fputs("],\n", stream);
    put_loading(stream, report);
    put_count(stream, "rows", report->rows);
    put_count(stream, "held_out_rows", report->held_out_rows);
    put_real(stream, "held_out_mae", report->held_out_mae_discs);
    fprintf(stream, "\"seconds\":%.3f,\n\"stages\":[", report->seconds);
    for (int i = 0; i < report->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", stream);
        put_stage(stream, &report->stages[i]);
    }
    fputs("\n]}\n", stream);
}

enum willow_status fit_document_path(const char *weights, char path[FIT_DOCUMENT_PATH_BYTES],
                                     struct willow_error *error)
{
    const int length = snprintf(path, FIT_DOCUMENT_PATH_BYTES, "%s.report.json", weights);
    if (length < 0 || length >= FIT_DOCUMENT_PATH_BYTES)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, weights, NULL, "the name is too long");
    return WILLOW_OK;
}

enum willow_status fit_document_check_target(const char *weights, struct willow_error *error)
{
    char path[FIT_DOCUMENT_PATH_BYTES];
    const enum willow_status status = fit_document_path(weights, path, error);
    return status
               ? status
               : willow_file_check_mark(path, fit_document_mark, strlen(fit_document_mark), "report of a fit", error);
}

enum willow_status fit_document_save(const char *weights, const struct fit_document *document,
                                     struct willow_error *error)
{
    char path[FIT_DOCUMENT_PATH_BYTES];
    enum willow_status status = fit_document_check_target(weights, error);
    if (status == WILLOW_OK)
        status = fit_document_path(weights, path, error);
    if (status != WILLOW_OK)
        return status;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    fit_document_print(stream, document);
    bool failed = ferror(stream) != 0;
    failed = fclose(stream) != 0 || failed;
    status = failed ? willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory")
                    : willow_file_replace(path, text, size, error);
    free(text);
    return status;
}
