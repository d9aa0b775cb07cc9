/* A self-play generation: labels for its games, unless the search that played made them, and one fit of all stages to
 * the data of the last generations. Layer: trainer (program).
 */
#include <stdio.h>
#include <string.h>

#include "loop_budget.h"
#include "loop_making.h"

/* Where the labelled data of a generation is. */
static enum willow_status data_path(const struct loop *loop, int number, char *path, struct willow_error *error)
{
    return loop_path(loop, path, error, "generation-%02d/%s", number,
                     loop->config->generations[number - 1].label_depth > 0 ? "labels" : "games");
}

static enum willow_status label_all(struct making *making, struct willow_error *error)
{
    struct loop_step step = {0};
    char labels[PATH_MAX], title[64], count[32];
    const double positions = budget_rows_labelled(making->plan, loop_config_plies(making->loop->config));
    enum willow_status status = data_path(making->loop, making->number, labels, error);
    const struct making_labels what = {
        .weights = making->best, .labels = labels, .first = -1, .last = -1, .positions = positions};

    snprintf(title, sizeof title, "label up to %s positions", report_number((uint64_t)positions, count));
    making_name_step(&step, making->number, "labels", title);
    if (status == WILLOW_OK)
        status = making_relabel(making, &what, &step, error);
    /* Unlabelled games are of no further use. */
    if (status == WILLOW_OK && !making->loop->config->keep_data)
        status = step_remove(making->loop, making->games, error);
    return status;
}

static enum willow_status fit_all(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    const struct loop_generation *plan = making->plan;
    struct loop_step step = {.cost = LOOP_COST_FIT};
    char output[PATH_MAX], data[PATH_MAX], fitted[PATH_MAX];
    double rows = 0.0;
    enum willow_status status;

    making_name_step(&step, making->number, "fit", "fit all stages");
    status = loop_path(loop, output, error, "generation-%02d/fit.json", making->number);
    if (status == WILLOW_OK)
        status = loop_path(loop, fitted, error, "generation-%02d/making/fitted.wlw", making->number);
    step.output = output;
    struct process_command *command = command_begin(loop, loop->train);
    process_add(command, "fit");
    for (int i = making_window_start(loop->config, making->number); i < making->number && status == WILLOW_OK; i++) {
        status = data_path(loop, i + 1, data, error);
        command_text(command, "--data", data);
        rows += budget_rows_labelled(&loop->config->generations[i], loop_config_plies(loop->config));
    }
    if (status != WILLOW_OK)
        return status;
    step.units = budget_fit(rows);
    if (plan->from_nothing) {
        command_text(command, "--patterns", loop->config->patterns);
        command_integer(command, "--stages", loop->config->stages);
    } else {
        command_text(command, "--init", making->best);
    }
    command_text(command, "--out", fitted);
    making_fit_options(command, making);
    status = step_run(loop, &step, error);
    memcpy(making->current, fitted, sizeof fitted);
    return status;
}

enum willow_status making_selfplay(struct making *making, struct willow_error *error)
{
    const enum willow_status status = making->plan->label_depth > 0 ? label_all(making, error) : WILLOW_OK;

    return status == WILLOW_OK ? fit_all(making, error) : status;
}
