/* A document of a fit; see fit_documents.h. */
#include "support/fit_documents.h"

#include <stdlib.h>
#include <string.h>

#include <willow/random.h>

#include "support/require.h"

static uint64_t draw(struct willow_random *random, uint64_t most)
{
    return willow_random_below(random, (uint32_t)most + 1);
}

static void set_errors(struct willow_random *random, struct pass_result *result)
{
    for (int kind = 0; kind < SAMPLE_KINDS - 1; kind++) {
        result->by_kind[kind] = (struct errors){.rows = 10 + draw(random, 1000),
                                                .mae_discs = 1.0 + willow_random_unit(random),
                                                .rmse_discs = 3.0 + willow_random_unit(random),
                                                .bias_discs = willow_random_unit(random) - 0.5};
        result->all.rows += result->by_kind[kind].rows;
    }
    result->all.mae_discs = 1.5 + willow_random_unit(random);
    result->all.rmse_discs = 3.5 + willow_random_unit(random);
    result->all.bias_discs = willow_random_unit(random) - 0.5;
}

/* As many points as no document keeps. */
static void set_curve(struct willow_random *random, struct solver_report *solver)
{
    solver->point_count = FIT_DOCUMENT_POINTS_MAX + 7;
    solver->points = calloc(solver->point_count, sizeof *solver->points);
    require(solver->points != NULL, "memory");
    for (size_t i = 0; i < solver->point_count; i++) {
        const double off = 5.0 / (1.0 + (double)i) + willow_random_unit(random) / 10.0;
        solver->points[i] = (struct solver_point){
            .step = (int)i,
            .epochs = 2.5 * (double)i,
            .train = {.loss = 1024.0 * (9.0 + off), .mae_discs = 2.0 + off},
            .held_out = {.loss = 1024.0 * (10.0 + off), .mae_discs = 2.2 + off},
        };
    }
}

static void set_judgement(struct willow_random *random, struct judgement *judgement)
{
    judgement->part = SAMPLE_HELD_OUT;
    for (int i = 2; i < JUDGE_BINS - 2; i++) {
        const double middle = -64.0 + JUDGE_BIN_DISCS * (i + 0.5);
        judgement->calibration[i] = (struct judge_bin){20 + draw(random, 500), middle, 0.9 * middle};
        judgement->rows += judgement->calibration[i].rows;
    }
    uint64_t left = judgement->rows;
    for (int i = 20; i < 44; i++) {
        judgement->residuals[i] = left / 8;
        left -= left / 8;
    }
    judgement->residuals[44] = left;
    for (int i = 0; i < 12; i++) {
        judgement->weights[i] = draw(random, 5000);
        judgement->lookups[i] = draw(random, 90000);
    }
    judgement->effect_rows = judgement->rows / 2;
    for (int square = 0; square < JUDGE_SQUARES; square++) {
        judgement->effect_seen[square] = draw(random, 1000);
        judgement->effect_discs[square] = 8.0 * (willow_random_unit(random) - 0.4);
    }
}

struct fit_document *fit_documents_make(int stages, bool measured)
{
    static const char *const data[] = {"games", "more <games> & \"others\""};
    struct willow_random random;
    struct fit_report *report = calloc(1, sizeof *report);
    struct fit_document *document = calloc(1, sizeof *document);
    require(report && document, "memory");
    willow_random_init(&random, 3, (uint64_t)stages);
    const struct willow_stages even = willow_stages_even(WILLOW_SQUARES, stages);
    report->count = even.count;
    report->loading = (struct loading_report){.rows = 12345, .verdicts = {[LABEL_KEPT] = 12300, [LABEL_GAP] = 45}};
    report->overlap.all = (struct overlap_counts){.duplicates = 4321, .dropped = 21, .contradictory = 2};
    report->held_out_mae_discs = 2.125;
    report->seconds = 83.25;
    report->loading_seconds = 1.5;
    for (int i = 0; i < report->count; i++) {
        struct fit_stage *stage = &report->stages[i];
        stage->stage = i;
        require(willow_stage_plies(&even, i, &stage->first_ply, &stage->last_ply), "stages");
        if (i == 1)
            continue;
        set_errors(&random, &stage->rounding.train);
        set_errors(&random, &stage->rounding.held_out);
        stage->rows = stage->rounding.train.all.rows + stage->rounding.held_out.all.rows;
        report->rows += stage->rows;
        report->held_out_rows += stage->rounding.held_out.all.rows;
        set_judgement(&random, &stage->judgement);
        strcpy(stage->data, "0123456789abcdef0123456789abcdef");
        if (measured)
            continue;
        set_curve(&random, &stage->solver);
        stage->solver.train_before.mae_discs = 9.0;
        stage->solver.held_out_before.mae_discs = 9.5;
        stage->solver.held_out_fitted.all.mae_discs = stage->rounding.held_out.all.mae_discs - 0.01;
        stage->solver.iterations = 12;
        stage->solver.steps = 17;
        stage->solver.passes = 20;
        stage->solver.unseen = 77;
        stage->solver.rare = 7;
        stage->seconds = 4.0;
    }
    *document = (struct fit_document){.measured = measured,
                                      .tool = "0.1.0 (test)",
                                      .command = "willow train fit --out 'a<b>&c \033[31m\xc2\x9b\n\"\\'",
                                      .weights = "00112233445566778899aabbccddeeff",
                                      .values = "ffeeddccbbaa99887766554433221100",
                                      .patterns = "p62",
                                      .ruleset = willow_ruleset_default(),
                                      .data = data,
                                      .data_count = 2,
                                      .report = report};
    return document;
}

void fit_documents_free(struct fit_document *document)
{
    struct fit_report *report = (struct fit_report *)document->report;
    fit_report_clear(report);
    free(report);
    free(document);
}
