/* Figures over several stages; see fit_summary.h. Layer: trainer (program). */
#include "fit_summary.h"

#include <math.h>
#include <stdlib.h>

/* Whether no image of the square comes before it. */
static bool is_first_image(const struct willow_ruleset *ruleset, willow_square square)
{
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++)
        if (willow_ruleset_symmetric(ruleset, symmetry) && willow_square_symmetry(ruleset, square, symmetry) < square)
            return false;
    return true;
}

int fit_effect_squares(const struct willow_ruleset *ruleset, willow_square squares[WILLOW_SQUARES])
{
    int count = 0;
    for (willow_bits left = ruleset->playable; left; left &= left - 1) {
        const willow_square square = (willow_square)willow_bits_first(left);
        if (is_first_image(ruleset, square))
            squares[count++] = square;
    }
    return count;
}

const struct errors *fit_judged_errors(const struct fit_stage *stage)
{
    return stage->rounding.held_out.all.rows > 0 ? &stage->rounding.held_out.all : &stage->rounding.train.all;
}

const char *fit_judged_name(const struct fit_document *document, const struct fit_summary *summary)
{
    if (summary->held_out.rows == 0)
        return "training";
    /* With nothing fitted beside them, nothing is held out. */
    return document->measured && summary->train.rows == 0 ? "measured" : "held-out";
}

double fit_judged_before(const struct fit_stage *stage)
{
    return stage->rounding.held_out.all.rows > 0 ? stage->solver.held_out_before.mae_discs
                                                 : stage->solver.train_before.mae_discs;
}

double fit_judged_of_point(const struct fit_stage *stage, const struct solver_point *point)
{
    return stage->rounding.held_out.all.rows > 0 ? point->held_out.mae_discs : point->train.mae_discs;
}

const char *fit_verdict_text(enum label_verdict verdict)
{
    static const char *const texts[LABEL_VERDICTS] = {[LABEL_KEPT] = "kept",
                                                      [LABEL_UNLABELLED] = "without a label",
                                                      [LABEL_KIND] = "a kind of label without weight",
                                                      [LABEL_RANDOM_MOVE] = "the move played was random",
                                                      [LABEL_NEAR_RANDOM] = "soon after a random move",
                                                      [LABEL_GAP] = "score far from result"};
    return texts[verdict];
}

/* Sums, of which finish_errors makes means. */
static void add_errors(struct errors *sum, const struct errors *errors)
{
    const double rows = (double)errors->rows;
    sum->rows += errors->rows;
    sum->mae_discs += rows * errors->mae_discs;
    sum->rmse_discs += rows * errors->rmse_discs * errors->rmse_discs;
    sum->bias_discs += rows * errors->bias_discs;
}

static void finish_errors(struct errors *sum)
{
    if (sum->rows == 0)
        return;
    const double rows = (double)sum->rows;
    sum->mae_discs /= rows;
    sum->rmse_discs = sqrt(sum->rmse_discs / rows);
    sum->bias_discs /= rows;
}

struct errors fit_errors_of_kind(const struct fit_report *report, enum sample_part part, int kind)
{
    struct errors sum = {.rows = 0};
    for (int i = 0; i < report->count; i++) {
        const struct rounding_report *rounded = &report->stages[i].rounding;
        add_errors(&sum, part == SAMPLE_TRAIN ? &rounded->train.by_kind[kind] : &rounded->held_out.by_kind[kind]);
    }
    finish_errors(&sum);
    return sum;
}

static void add_judgement(struct judgement *sum, const struct judgement *judgement)
{
    sum->rows += judgement->rows;
    sum->effect_rows += judgement->effect_rows;
    for (int i = 0; i < JUDGE_BINS; i++) {
        struct judge_bin *bin = &sum->calibration[i];
        const struct judge_bin *more = &judgement->calibration[i];
        const double share = more->rows > 0 ? (double)more->rows / (double)(bin->rows + more->rows) : 0.0;
        bin->rows += more->rows;
        bin->prediction_discs += share * (more->prediction_discs - bin->prediction_discs);
        bin->label_discs += share * (more->label_discs - bin->label_discs);
    }
    for (int i = 0; i < JUDGE_RESIDUALS; i++)
        sum->residuals[i] += judgement->residuals[i];
    for (int i = 0; i < JUDGE_SIGHTINGS; i++)
        sum->lookups[i] += judgement->lookups[i];
}

struct fit_summary fit_summary_of(const struct fit_report *report, int first_ply, int last_ply)
{
    struct fit_summary summary = {.stages = 0};
    /* Stages that have no held-out rows where others do are not judged together with those. */
    const enum sample_part part = report->held_out_rows > 0 ? SAMPLE_HELD_OUT : SAMPLE_TRAIN;
    summary.judgement.part = part;
    double cost = 0.0, judged = 0.0;
    for (int i = 0; i < report->count; i++) {
        const struct fit_stage *stage = &report->stages[i];
        if (stage->rows == 0 || stage->first_ply < first_ply || stage->first_ply > last_ply)
            continue;
        const double rows = (double)fit_judged_errors(stage)->rows;
        summary.stages++;
        add_errors(&summary.train, &stage->rounding.train.all);
        add_errors(&summary.held_out, &stage->rounding.held_out.all);
        for (int bin = 0; bin < JUDGE_SIGHTINGS; bin++)
            summary.judgement.weights[bin] += stage->judgement.weights[bin];
        if (stage->judgement.part != part)
            continue;
        add_judgement(&summary.judgement, &stage->judgement);
        cost += rows * fit_document_rounding_cost(stage);
        judged += rows;
    }
    finish_errors(&summary.train);
    finish_errors(&summary.held_out);
    summary.rounding_cost = judged > 0.0 ? cost / judged : 0.0;
    for (int i = 0; i < JUDGE_SIGHTINGS; i++)
        summary.weights += summary.judgement.weights[i];
    return summary;
}

struct fit_residuals fit_residuals_of(const struct judgement *judgement, double least)
{
    struct fit_residuals residuals = {.reach = 1};
    const int middle = JUDGE_RESIDUALS / 2;
    const double rows = judgement->rows > 0 ? (double)judgement->rows : 1.0;
    for (int i = 0; i < JUDGE_RESIDUALS; i++)
        if ((double)judgement->residuals[i] >= least * rows && abs(i - middle) > residuals.reach)
            residuals.reach = abs(i - middle);
    for (int i = 0; i < JUDGE_RESIDUALS; i++) {
        const int at = i - middle + residuals.reach, last = 2 * residuals.reach;
        residuals.share[at < 0 ? 0 : at > last ? last : at] += (double)judgement->residuals[i] / rows;
    }
    return residuals;
}

double fit_rounded(double value, int decimals)
{
    return fabs(value) < 0.5 * pow(10.0, -decimals) ? 0.0 : value;
}

char *fit_sightings_text(int bin, char buffer[FIT_SIGHTINGS_TEXT])
{
    static const char units[] = " kMGTPE";
    uint64_t first, last;
    int unit = 0;
    judge_sightings_range(bin, &first, &last);
    if (last == UINT64_MAX) {
        snprintf(buffer, FIT_SIGHTINGS_TEXT, "more");
        return buffer;
    }
    for (; last >= 1024; last /= 1024)
        unit++;
    snprintf(buffer, FIT_SIGHTINGS_TEXT, unit > 0 ? "%d%c" : "%d", (int)last, units[unit]);
    return buffer;
}

int fit_sightings_bins(const struct judgement *judgement)
{
    int bins = JUDGE_SIGHTINGS;
    while (bins > 1 && judgement->weights[bins - 1] == 0)
        bins--;
    return bins;
}

bool fit_effect_known(const struct willow_ruleset *ruleset, const struct judgement *judgement, int square)
{
    uint64_t seen = 0;
    if (!(ruleset->playable & WILLOW_BIT(square)))
        return false;
    for (int symmetry = 0; symmetry < WILLOW_SYMMETRIES; symmetry++)
        if (willow_ruleset_symmetric(ruleset, symmetry))
            seen += judgement->effect_seen[willow_square_symmetry(ruleset, (willow_square)square, symmetry)];
    return seen > 0;
}
