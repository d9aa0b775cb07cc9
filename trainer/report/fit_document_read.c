/* Reads the document of a fit by libcyaml (JSON is YAML) straight into the report of a fit; see fit_document.h. Layer:
 * trainer (program).
 */
#include "fit_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>

#include <willow/file.h>
#include <willow/program.h>

enum { DOCUMENT_BYTES_MAX = 1 << 20 };

/* No sum of a thousand of these overflows. */
static const uint64_t count_max = UINT64_C(1) << 50;

enum document_kind { KIND_FIT, KIND_MEASUREMENT };

/* document.report points to `report`. */
struct loaded {
    struct fit_document document;
    struct fit_report report;
    uint64_t version;
    enum document_kind kind;
    char *tool, *command, *weights, *patterns, *ruleset;
    char **data;
    unsigned data_count;
};

/* What the schema takes the sums of the kinds of labels for. */
struct kinds {
    struct errors kind[SAMPLE_KINDS];
};

#define WANTED CYAML_FLAG_DEFAULT
#define STRICT CYAML_FLAG_STRICT
static const cyaml_strval_t kind_names[] = {{"fit", KIND_FIT}, {"measurement", KIND_MEASUREMENT}};
static const cyaml_strval_t part_names[] = {{"training", SAMPLE_TRAIN}, {"held_out", SAMPLE_HELD_OUT}};

static const cyaml_schema_value_t count_schema = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint64_t)};
static const cyaml_schema_value_t real_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t text_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, CYAML_UNLIMITED)};

static const cyaml_schema_field_t errors_fields[] = {
    CYAML_FIELD_UINT("rows", WANTED, struct errors, rows), CYAML_FIELD_FLOAT("mae", WANTED, struct errors, mae_discs),
    CYAML_FIELD_FLOAT("rmse", WANTED, struct errors, rmse_discs),
    CYAML_FIELD_FLOAT("bias", WANTED, struct errors, bias_discs), CYAML_FIELD_END};
static const cyaml_schema_field_t kinds_fields[] = {
    CYAML_FIELD_MAPPING("score", WANTED, struct kinds, kind[SAMPLE_SCORE], errors_fields),
    CYAML_FIELD_MAPPING("exact", WANTED, struct kinds, kind[SAMPLE_EXACT], errors_fields),
    CYAML_FIELD_MAPPING("result", WANTED, struct kinds, kind[SAMPLE_RESULT], errors_fields), CYAML_FIELD_END};

static const cyaml_schema_field_t point_fields[] = {
    CYAML_FIELD_INT("step", WANTED, struct solver_point, step),
    CYAML_FIELD_FLOAT("passes", WANTED, struct solver_point, epochs),
    CYAML_FIELD_FLOAT("train_loss", WANTED, struct solver_point, train.loss),
    CYAML_FIELD_FLOAT("train_mae", WANTED, struct solver_point, train.mae_discs),
    CYAML_FIELD_FLOAT("held_out_loss", WANTED, struct solver_point, held_out.loss),
    CYAML_FIELD_FLOAT("held_out_mae", WANTED, struct solver_point, held_out.mae_discs),
    CYAML_FIELD_END};
static const cyaml_schema_value_t point_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct solver_point, point_fields)};

static const cyaml_schema_field_t bin_fields[] = {
    CYAML_FIELD_UINT("rows", WANTED, struct judge_bin, rows),
    CYAML_FIELD_FLOAT("prediction", WANTED, struct judge_bin, prediction_discs),
    CYAML_FIELD_FLOAT("label", WANTED, struct judge_bin, label_discs), CYAML_FIELD_END};
static const cyaml_schema_value_t bin_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct judge_bin, bin_fields)};

#define STAGE_COUNT(key, member) CYAML_FIELD_UINT(key, WANTED, struct fit_stage, member)
#define STAGE_INT(key, member) CYAML_FIELD_INT(key, WANTED, struct fit_stage, member)
#define STAGE_REAL(key, member) CYAML_FIELD_FLOAT(key, WANTED, struct fit_stage, member)
#define STAGE_COUNTS(key, member, count)                                                                               \
    CYAML_FIELD_SEQUENCE_FIXED(key, WANTED, struct fit_stage, judgement.member, &count_schema, count)
static const cyaml_schema_field_t stage_fields[] = {
    STAGE_INT("stage", stage), STAGE_INT("first_ply", first_ply), STAGE_INT("last_ply", last_ply),
    CYAML_FIELD_IGNORE("copied", WANTED), /* no rows */
    STAGE_COUNT("rows", rows), STAGE_COUNT("held_out_rows", rounding.held_out.all.rows),
    STAGE_REAL("held_out_mae", rounding.held_out.all.mae_discs),
    STAGE_REAL("held_out_rmse", rounding.held_out.all.rmse_discs),
    STAGE_REAL("held_out_mae_before", solver.held_out_before.mae_discs),
    /* Turned into the error before rounding once all is read. */
    STAGE_REAL("rounding_cost", solver.held_out_fitted.all.mae_discs),
    STAGE_REAL("train_mae", rounding.train.all.mae_discs), STAGE_REAL("train_rmse", rounding.train.all.rmse_discs),
    STAGE_REAL("train_mae_before", solver.train_before.mae_discs), STAGE_COUNT("unseen_weights", solver.unseen),
    STAGE_COUNT("rare_weights", solver.rare), STAGE_COUNT("saturated_weights", rounding.saturated),
    STAGE_INT("iterations", solver.iterations), STAGE_INT("passes", solver.passes), STAGE_REAL("seconds", seconds),
    CYAML_FIELD_STRING("data", WANTED, struct fit_stage, data, 0), STAGE_COUNT("train_rows", rounding.train.all.rows),
    STAGE_REAL("train_bias", rounding.train.all.bias_discs),
    STAGE_REAL("held_out_bias", rounding.held_out.all.bias_discs),
    CYAML_FIELD_MAPPING("train_by_kind", WANTED, struct fit_stage, rounding.train.by_kind, kinds_fields),
    CYAML_FIELD_MAPPING("held_out_by_kind", WANTED, struct fit_stage, rounding.held_out.by_kind, kinds_fields),
    STAGE_INT("steps", solver.steps),
    CYAML_FIELD_SEQUENCE_COUNT("curve", CYAML_FLAG_POINTER, struct fit_stage, solver.points, solver.point_count,
                               &point_schema, 0, FIT_DOCUMENT_POINTS_MAX),
    CYAML_FIELD_ENUM("judged", STRICT, struct fit_stage, judgement.part, part_names, CYAML_ARRAY_LEN(part_names)),
    STAGE_COUNT("judged_rows", judgement.rows),
    CYAML_FIELD_SEQUENCE_FIXED("calibration", WANTED, struct fit_stage, judgement.calibration, &bin_schema, JUDGE_BINS),
    STAGE_COUNTS("residuals", residuals, JUDGE_RESIDUALS), STAGE_COUNTS("sightings_weights", weights, JUDGE_SIGHTINGS),
    STAGE_COUNTS("sightings_lookups", lookups, JUDGE_SIGHTINGS), STAGE_COUNT("effect_rows", judgement.effect_rows),
    STAGE_COUNTS("effect_seen", effect_seen, JUDGE_SQUARES),
    CYAML_FIELD_SEQUENCE_FIXED("effect", WANTED, struct fit_stage, judgement.effect_discs, &real_schema, JUDGE_SQUARES),
    CYAML_FIELD_END};
static const cyaml_schema_value_t stage_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct fit_stage, stage_fields)};

#define LOADING_COUNT(key, member) CYAML_FIELD_UINT(key, WANTED, struct fit_report, member)
static const cyaml_schema_field_t loading_fields[] = {
    LOADING_COUNT("read", loading.rows),
    LOADING_COUNT("kept", loading.verdicts[LABEL_KEPT]),
    LOADING_COUNT("unlabelled", loading.verdicts[LABEL_UNLABELLED]),
    LOADING_COUNT("kind", loading.verdicts[LABEL_KIND]),
    LOADING_COUNT("random_move", loading.verdicts[LABEL_RANDOM_MOVE]),
    LOADING_COUNT("near_random", loading.verdicts[LABEL_NEAR_RANDOM]),
    LOADING_COUNT("gap", loading.verdicts[LABEL_GAP]),
    LOADING_COUNT("duplicates", overlap.all.duplicates),
    LOADING_COUNT("held_out_dropped", overlap.all.dropped),
    LOADING_COUNT("contradictory", overlap.all.contradictory),
    CYAML_FIELD_FLOAT("seconds", WANTED, struct fit_report, loading_seconds),
    CYAML_FIELD_END};

#define TEXT(key) CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_POINTER, struct loaded, key, 0, CYAML_UNLIMITED)
static const cyaml_schema_field_t document_fields[] = {
    CYAML_FIELD_UINT("willow_fit_report", WANTED, struct loaded, version),
    CYAML_FIELD_ENUM("kind", STRICT, struct loaded, kind, kind_names, CYAML_ARRAY_LEN(kind_names)),
    TEXT(tool),
    TEXT(command),
    TEXT(weights),
    CYAML_FIELD_STRING("values", WANTED, struct loaded, document.values, 0),
    TEXT(patterns),
    TEXT(ruleset),
    CYAML_FIELD_SEQUENCE("data", CYAML_FLAG_POINTER, struct loaded, data, &text_schema, 0, CYAML_UNLIMITED),
    CYAML_FIELD_MAPPING("loading", WANTED, struct loaded, report, loading_fields),
    CYAML_FIELD_UINT("rows", WANTED, struct loaded, report.rows),
    CYAML_FIELD_UINT("held_out_rows", WANTED, struct loaded, report.held_out_rows),
    CYAML_FIELD_FLOAT("held_out_mae", WANTED, struct loaded, report.held_out_mae_discs),
    CYAML_FIELD_FLOAT("seconds", WANTED, struct loaded, report.seconds),
    CYAML_FIELD_SEQUENCE_COUNT("stages", WANTED, struct loaded, report.stages, report.count, &stage_schema, 0,
                               WILLOW_STAGES_MAX),
    CYAML_FIELD_END};
static const cyaml_schema_value_t document_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct loaded, document_fields)};

/* Which range a figure of a stage left. */
static enum willow_status out_of_range(const char *path, const struct fit_stage *stage, const char *what,
                                       struct willow_error *error)
{
    char place[48];
    snprintf(place, sizeof place, "stage %d", stage->stage);
    return willow_fail(error, WILLOW_ERR_FORMAT, path, place, "%s out of range", what);
}

/* The sum, or UINT64_MAX when one of them is too large. */
static uint64_t sum_of(const uint64_t *counts, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        if (counts[i] > count_max)
            return UINT64_MAX;
        sum += counts[i];
    }
    return sum;
}

static bool error_fits(double discs)
{
    return discs >= 0.0 && discs <= 2.0 * WILLOW_SQUARES;
}

static bool errors_fit(const struct errors *errors)
{
    return errors->rows <= count_max && error_fits(errors->mae_discs) && error_fits(errors->rmse_discs) &&
           error_fits(fabs(errors->bias_discs));
}

static bool result_fits(const struct pass_result *result)
{
    uint64_t rows = 0;
    for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
        if (!errors_fit(&result->by_kind[kind]))
            return false;
        rows += result->by_kind[kind].rows;
    }
    return errors_fit(&result->all) && rows == result->all.rows;
}

/* The loss may be that of weights which ran away. */
static bool curve_fits(const struct solver_report *solver)
{
    for (size_t i = 0; i < solver->point_count; i++) {
        const struct solver_point *point = &solver->points[i];
        const double loss_max = 1e9;
        if (point->step < 0 || !(point->epochs >= 0.0 && point->epochs <= 1e9) ||
            (i > 0 && point->epochs < solver->points[i - 1].epochs) || !error_fits(point->train.mae_discs) ||
            !error_fits(point->held_out.mae_discs) || !(point->train.loss >= 0.0 && point->train.loss <= loss_max) ||
            !(point->held_out.loss >= 0.0 && point->held_out.loss <= loss_max))
            return false;
    }
    return true;
}

static bool judgement_fits(const struct judgement *judgement)
{
    uint64_t rows = 0;
    for (int i = 0; i < JUDGE_BINS; i++) {
        const struct judge_bin *bin = &judgement->calibration[i];
        if (bin->rows > count_max || !(fabs(bin->prediction_discs) <= WILLOW_SQUARES) ||
            !(fabs(bin->label_discs) <= WILLOW_SQUARES))
            return false;
        rows += bin->rows;
    }
    for (int i = 0; i < JUDGE_SQUARES; i++)
        if (!(fabs(judgement->effect_discs[i]) <= 1e5))
            return false;
    return judgement->rows <= count_max && rows == judgement->rows &&
           sum_of(judgement->residuals, JUDGE_RESIDUALS) == judgement->rows &&
           sum_of(judgement->weights, JUDGE_SIGHTINGS) < UINT64_MAX &&
           sum_of(judgement->lookups, JUDGE_SIGHTINGS) < UINT64_MAX &&
           sum_of(judgement->effect_seen, JUDGE_SQUARES) < UINT64_MAX && judgement->effect_rows <= judgement->rows;
}

static enum willow_status check_stage(const char *path, const struct fit_stage *stage, int after,
                                      struct willow_error *error)
{
    const struct solver_report *solver = &stage->solver;
    if (stage->stage <= after || stage->stage >= WILLOW_STAGES_MAX || stage->first_ply < 0 ||
        stage->last_ply < stage->first_ply || stage->last_ply >= SAMPLE_PLIES)
        return out_of_range(path, stage, "its number or its plies are", error);
    if (!result_fits(&stage->rounding.train) || !result_fits(&stage->rounding.held_out) ||
        !error_fits(solver->train_before.mae_discs) || !error_fits(solver->held_out_before.mae_discs) ||
        !error_fits(fabs(solver->held_out_fitted.all.mae_discs)))
        return out_of_range(path, stage, "its errors are", error);
    if (stage->rows > 2 * count_max || solver->iterations < 0 || solver->steps < 0 || solver->passes < 0 ||
        !(stage->seconds >= 0.0 && stage->seconds <= 1e9))
        return out_of_range(path, stage, "one of its counts is", error);
    if (!curve_fits(solver))
        return out_of_range(path, stage, "its learning curve is", error);
    if (!judgement_fits(&stage->judgement))
        return out_of_range(path, stage, "its judgement is", error);
    return WILLOW_OK;
}

/* From the units of the document to those of the report. */
static void set_units(struct fit_stage *stage)
{
    struct solver_report *solver = &stage->solver;
    const struct rounding_report *rounded = &stage->rounding;
    const double cost = solver->held_out_fitted.all.mae_discs;
    solver->held_out_fitted.all.mae_discs = rounded->held_out.all.mae_discs - cost;
    solver->train_fitted.all.mae_discs = rounded->train.all.mae_discs - cost;
    for (size_t i = 0; i < solver->point_count; i++) {
        solver->points[i].train.loss *= FIT_DOCUMENT_LOSS_UNIT;
        solver->points[i].held_out.loss *= FIT_DOCUMENT_LOSS_UNIT;
    }
}

/* What a terminal would take for a command becomes a question mark. libyaml lets through nothing but UTF-8. */
static void tame(char *text)
{
    for (; *text; text++) {
        const unsigned char *c = (unsigned char *)text;
        if (*c == '\n' || *c == '\t')
            *text = ' ';
        else if (*c < ' ' || *c == 0x7f)
            *text = '?';
        else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
            text[0] = text[1] = '?';
    }
}

static void set_texts(struct loaded *loaded)
{
    char *const texts[] = {loaded->tool, loaded->command, loaded->weights, loaded->patterns};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        tame(texts[i]);
    for (unsigned i = 0; i < loaded->data_count; i++)
        tame(loaded->data[i]);
    for (int i = 0; i < loaded->report.count; i++)
        tame(loaded->report.stages[i].data);
    tame(loaded->document.values);
    struct fit_document *document = &loaded->document;
    document->measured = loaded->kind == KIND_MEASUREMENT;
    document->tool = loaded->tool;
    document->command = loaded->command;
    document->weights = loaded->weights;
    document->patterns = loaded->patterns;
    document->ruleset = willow_ruleset_find(loaded->ruleset);
    document->data = (const char *const *)loaded->data;
    document->data_count = loaded->data_count;
    document->report = &loaded->report;
}

static enum willow_status check_document(const char *path, struct loaded *loaded, struct willow_error *error)
{
    struct fit_report *report = &loaded->report;
    if (!error_fits(report->held_out_mae_discs) || !(report->seconds >= 0.0 && report->seconds <= 1e9) ||
        !(report->loading_seconds >= 0.0 && report->loading_seconds <= 1e9))
        return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "its error or its time is out of range");
    tame(loaded->ruleset);
    if (!willow_ruleset_find(loaded->ruleset))
        return willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL, "is of ruleset '%s', which this build does not know",
                           loaded->ruleset);
    for (int i = 0; i < report->count; i++) {
        const enum willow_status status =
            check_stage(path, &report->stages[i], i > 0 ? report->stages[i - 1].stage : -1, error);
        if (status != WILLOW_OK)
            return status;
    }
    return WILLOW_OK;
}

/* A foreign file is named as such, and a later version before its new keys are met. */
static enum willow_status check_mark(const char *path, struct willow_error *error)
{
    const size_t length = strlen(fit_document_mark);
    unsigned char *data = NULL;
    size_t size = 0;
    enum willow_status status = willow_file_read(path, DOCUMENT_BYTES_MAX, &data, &size, error);
    if (status != WILLOW_OK)
        return status;
    if (strncmp((const char *)data, fit_document_mark, length) != 0)
        status = willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "is not the report of a fit");
    else if (strtol((const char *)data + length, NULL, 10) != FIT_DOCUMENT_VERSION)
        status = willow_fail(error, WILLOW_ERR_VERSION, path, NULL, "is of another version; this build reads %d",
                             FIT_DOCUMENT_VERSION);
    free(data);
    return status;
}

enum willow_status fit_document_read(const char *path, struct fit_document **document, struct willow_error *error)
{
    *document = NULL;
    void *value = NULL;
    enum willow_status status = check_mark(path, error);
    if (status == WILLOW_OK)
        status = willow_config_load(path, &document_schema, &value, error);
    if (status != WILLOW_OK)
        return status;
    struct loaded *loaded = value;
    status = check_document(path, loaded, error);
    if (status != WILLOW_OK) {
        willow_config_free(&document_schema, loaded);
        return status;
    }
    for (int i = 0; i < loaded->report.count; i++)
        set_units(&loaded->report.stages[i]);
    set_texts(loaded);
    *document = &loaded->document; /* the first member: fit_document_free goes back to `loaded` */
    return WILLOW_OK;
}

void fit_document_free(struct fit_document *document)
{
    willow_config_free(&document_schema, document);
}
