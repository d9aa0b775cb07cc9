/* A backward pass: label a stage by a search that ends in the stage fitted a moment before, fit it, on to the one
 * before. Layer: trainer (program).
 */
#include <stdio.h>
#include <string.h>

#include "loop_budget.h"
#include "loop_making.h"

static enum willow_status fit_stage(struct making *making, int stage, const char *labels, const char *work, int first,
                                    int last, struct willow_error *error)
{
    struct loop *loop = making->loop;
    struct loop_step step = {.cost = LOOP_COST_FIT,
                             .units = budget_fit(budget_rows_labelled(making->plan, last - first + 1))};
    char name[32], title[64], output[PATH_MAX];

    snprintf(name, sizeof name, "fit-%02d", stage);
    snprintf(title, sizeof title, "fit stage %d of %d", stage, loop->stages.count);
    making_name_step(&step, making->number, name, title);
    const enum willow_status status = loop_path(loop, output, error, "%s.json", step.name);
    if (status != WILLOW_OK)
        return status;
    step.output = output;
    struct process_command *command = command_begin(loop, loop->train);
    process_add(command, "fit");
    command_text(command, "--data", labels);
    command_range(command, "--plies", first, last);
    command_text(command, "--init", making->current);
    command_text(command, "--out", work);
    making_fit_options(command, making);
    return step_run(loop, &step, error);
}

/* Whether a finished labelling found no position. */
static bool is_empty(const struct loop *loop, const char *name)
{
    const struct loop_state_step *done = loop_state_find(&loop->state, name);

    return done != NULL && done->rows == 0;
}

/* Labels and fits one stage. A stage without a position (rare openings) keeps its weights. Once the fit is noted,
 * labels and the former work file are of no use. */
static enum willow_status learn_stage(struct making *making, int stage, struct willow_error *error)
{
    struct loop *loop = making->loop;
    char labels[PATH_MAX], work[PATH_MAX], name[32], title[64];
    struct making_labels what = {.weights = making->current, .labels = labels};
    struct loop_step step = {0};

    if (!willow_stage_plies(&loop->stages, stage, &what.first, &what.last))
        return WILLOW_OK;
    what.positions = budget_rows_labelled(making->plan, what.last - what.first + 1);
    enum willow_status status =
        loop_path(loop, labels, error, "generation-%02d/making/labels-%02d", making->number, stage);
    if (status == WILLOW_OK)
        status = loop_path(loop, work, error, "generation-%02d/making/work-%02d.wlw", making->number, stage);
    snprintf(name, sizeof name, "labels-%02d", stage);
    snprintf(title, sizeof title, "label stage %d of %d", stage, loop->stages.count);
    making_name_step(&step, making->number, name, title);
    if (status == WILLOW_OK)
        status = making_relabel(making, &what, &step, error);
    const bool empty = is_empty(loop, step.name);
    if (status == WILLOW_OK && !empty)
        status = fit_stage(making, stage, labels, work, what.first, what.last, error);
    if (status == WILLOW_OK)
        status = step_remove(loop, labels, error);
    if (empty || status != WILLOW_OK)
        return status;
    if (strcmp(making->current, making->best) != 0)
        status = step_remove(loop, making->current, error);
    memcpy(making->current, work, sizeof work);
    return status;
}

enum willow_status making_backward(struct making *making, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;

    for (int stage = making->loop->stages.count - 1; stage >= 0 && status == WILLOW_OK; stage--)
        status = learn_stage(making, stage, error);
    return status;
}
