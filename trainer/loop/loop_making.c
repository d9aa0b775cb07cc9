/* The steps that make a generation's weights: games, then either a backward pass (label a stage, fit it, on to the
 * stage before) or one fit of all stages to labels made in play. Layer: trainer (program).
 *
 * Every step reads only files that earlier steps published and that nothing changes later: a fit writes a new file
 * instead of its input, so that a step which is repeated after a kill starts from what it started from before. */
#include "loop_making.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <willow/dataset.h>
#include <willow/file.h>

#include "loop_folder.h"

/* A rough guess; only the estimate of the time left depends on it. */
double making_depth_cost(int depth)
{
    return pow(1.8, depth);
}

uint64_t making_seed(const struct loop *loop, int number)
{
    return (uint64_t)loop->config->seed * 1000 + (uint64_t)number;
}

struct process_command *command_begin(struct loop *loop, const char *program)
{
    struct process_command *command = &loop->command;

    /* A program records its command line in what it makes: the paths in it must not depend on where the folder stands.
     */
    command->folder = loop->folder;
    command->count = 0;
    command->used = 0;
    command->overflow = false;
    process_add(command, "%s", program);
    return command;
}

void command_text(struct process_command *command, const char *option, const char *value)
{
    process_add(command, "%s", option);
    process_add(command, "%s", value);
}

void command_integer(struct process_command *command, const char *option, int64_t value)
{
    process_add(command, "%s", option);
    process_add(command, "%lld", (long long)value);
}

static void command_real(struct process_command *command, const char *option, double value)
{
    process_add(command, "%s", option);
    process_add(command, "%.9g", value);
}

static void command_range(struct process_command *command, const char *option, int first, int last)
{
    process_add(command, "%s", option);
    process_add(command, "%d-%d", first, last);
}

void making_name_step(struct loop_step *step, int number, const char *name, const char *title)
{
    snprintf(step->name, sizeof step->name, "generation-%02d/%s", number, name);
    snprintf(step->title, sizeof step->title, "generation %d: %s", number, title);
}

static void add_fit_options(struct process_command *command, const struct making *making)
{
    if (making->plan->iterations != LOOP_ITERATIONS_OF_FIT)
        command_integer(command, "--iterations", making->plan->iterations);
    if (making->plan->prior >= 0.0)
        command_real(command, "--prior", making->plan->prior);
    command_real(command, "--result-weight", making->plan->kind == LOOP_SELFPLAY ? making->plan->result_weight : 0.0);
    command_integer(command, "--threads", making->loop->threads);
    process_add(command, "--json");
    process_add(command, "--quiet");
}

/* Self-play. A run that was killed is resumed: its finished shards stay. */
static enum willow_status play_games(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    const struct loop_generation *plan = making->plan;
    struct loop_step step = {.cost = LOOP_COST_GAMES, .units = (double)plan->games * making_depth_cost(plan->depth)};
    char manifest[PATH_MAX], title[64], count[32];

    snprintf(title, sizeof title, "%s games", report_number((uint64_t)plan->games, count));
    making_name_step(&step, making->number, "games", title);
    const enum willow_status status =
        willow_path_join(manifest, sizeof manifest, making->games, "manifest.json", error);
    if (status != WILLOW_OK)
        return status;
    struct process_command *command = command_begin(loop, loop->selfplay);
    if (loop->mode == LOOP_RUN && willow_file_exists(manifest)) {
        process_add(command, "resume");
        process_add(command, "%s", making->games);
        command_text(command, "--layout", "plies");
        command_integer(command, "--threads", loop->threads);
        process_add(command, "--quiet");
        return step_run(loop, &step, error);
    }
    process_add(command, "run");
    command_integer(command, "--games", plan->games);
    command_integer(command, "--seed", (int64_t)making_seed(loop, making->number));
    command_integer(command, "--depth", plan->depth);
    command_integer(command, "--exact", plan->exact);
    command_range(command, "--opening", plan->opening_first, plan->opening_last);
    command_real(command, "--noise", plan->noise);
    command_integer(command, "--noise-plies", plan->noise_plies);
    command_real(command, "--random-move", plan->random_move);
    command_real(command, "--keep", plan->keep);
    command_text(command, "--label", plan->kind == LOOP_BACKWARD ? "none" : "search");
    if (plan->policy == LOOP_POLICY_MOBILITY)
        command_text(command, "--policy", "mobility");
    command_text(command, "--weights", making->best);
    /* Nobody keeps these games, and each stage is read alone. */
    command_text(command, "--layout", "plies");
    command_text(command, "--out", making->games);
    command_integer(command, "--threads", loop->threads);
    process_add(command, "--quiet");
    step.fresh = making->games;
    return step_run(loop, &step, error);
}

static double expected_rows(const struct loop_generation *plan, int plies)
{
    const double rows = (double)plan->games * plan->keep * plies;

    return plan->limit > 0 && rows > (double)plan->limit ? (double)plan->limit : rows;
}

static enum willow_status dataset_rows(const char *folder, uint64_t *rows, struct willow_error *error)
{
    struct willow_manifest manifest = {0};
    const enum willow_status status = willow_manifest_read(folder, &manifest, error);

    *rows = 0;
    for (size_t i = 0; status == WILLOW_OK && i < manifest.count; i++)
        *rows += manifest.shards[i].rows;
    willow_manifest_clear(&manifest);
    return status;
}

static enum willow_status label_stage(struct making *making, int stage, const char *labels, int first, int last,
                                      struct willow_error *error)
{
    struct loop *loop = making->loop;
    const struct loop_generation *plan = making->plan;
    struct loop_step step = {.cost = LOOP_COST_LABELS,
                             .units = expected_rows(plan, last - first + 1) * making_depth_cost(plan->label_depth),
                             .fresh = labels};
    char name[32], title[64];

    snprintf(name, sizeof name, "labels-%02d", stage);
    snprintf(title, sizeof title, "label stage %d of %d", stage, loop->stages.count);
    making_name_step(&step, making->number, name, title);
    struct process_command *command = command_begin(loop, loop->selfplay);
    process_add(command, "relabel");
    process_add(command, "%s", making->games);
    command_range(command, "--plies", first, last);
    command_integer(command, "--depth", plan->label_depth);
    command_integer(command, "--exact", plan->label_exact);
    command_integer(command, "--limit", plan->limit);
    command_text(command, "--layout", "plies");
    command_text(command, "--weights", making->current);
    command_text(command, "--out", labels);
    command_integer(command, "--threads", loop->threads);
    process_add(command, "--quiet");
    return step_run(loop, &step, error);
}

static enum willow_status fit_stage(struct making *making, int stage, const char *labels, const char *work, int first,
                                    int last, struct willow_error *error)
{
    struct loop *loop = making->loop;
    struct loop_step step = {.cost = LOOP_COST_FIT, .units = expected_rows(making->plan, last - first + 1)};
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
    command_integer(command, "--seed", (int64_t)making_seed(loop, making->number));
    /* Only stages that are still all zero start from the stage after them. */
    command_text(command, "--start", "next");
    add_fit_options(command, making);
    return step_run(loop, &step, error);
}

/* Labels and fits one stage. A stage without a position (rare openings) keeps its weights. Once the fit is noted,
 * labels and the former work file are of no use. */
static enum willow_status learn_stage(struct making *making, int stage, struct willow_error *error)
{
    struct loop *loop = making->loop;
    char labels[PATH_MAX], work[PATH_MAX], result[PATH_MAX], fit[LOOP_STEP_NAME];
    uint64_t rows = 1;
    int first, last;

    if (!willow_stage_plies(&loop->stages, stage, &first, &last))
        return WILLOW_OK;
    snprintf(fit, sizeof fit, "generation-%02d/fit-%02d", making->number, stage);
    enum willow_status status = loop_path(loop, labels, error, "generation-%02d/labels-%02d", making->number, stage);
    if (status == WILLOW_OK)
        status = loop_path(loop, work, error, "generation-%02d/work-%02d.wlw", making->number, stage);
    if (status == WILLOW_OK)
        status = loop_path(loop, result, error, "%s.json", fit);
    if (status == WILLOW_OK)
        status = label_stage(making, stage, labels, first, last, error);
    const bool fitted = loop->mode == LOOP_RUN && step_done(loop, fit);
    if (status == WILLOW_OK && loop->mode == LOOP_RUN && !fitted)
        status = dataset_rows(labels, &rows, error);
    if (status != WILLOW_OK)
        return status;
    const bool empty = fitted ? !willow_file_exists(result) : rows == 0;
    status = empty ? step_note(loop, fit, error) : fit_stage(making, stage, labels, work, first, last, error);
    if (status != WILLOW_OK || loop->mode == LOOP_COUNT)
        return status;
    if (loop->mode == LOOP_RUN)
        status = folder_remove(labels, error);
    if (!empty && loop->mode == LOOP_RUN && status == WILLOW_OK && strcmp(making->current, making->best) != 0)
        status = folder_remove(making->current, error);
    if (!empty)
        memcpy(making->current, work, sizeof work);
    return status;
}

/* A backward pass: from the last stage to the first, so that the labels of each are searches into the one fitted before
 * it. */
static enum willow_status learn_backward(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    char name[LOOP_STEP_NAME];
    enum willow_status status = WILLOW_OK;

    memcpy(making->current, making->best, sizeof making->best);
    for (int stage = loop->stages.count - 1; stage >= 0 && status == WILLOW_OK; stage--)
        status = learn_stage(making, stage, error);
    snprintf(name, sizeof name, "generation-%02d/weights", making->number);
    if (status != WILLOW_OK || loop->mode == LOOP_COUNT)
        return status;
    if (loop->mode == LOOP_PRINT) {
        printf("cp %s %s\n", making->current, making->weights);
        return WILLOW_OK;
    }
    if (!step_done(loop, name))
        status = folder_copy_weights(making->current, making->weights, error);
    if (status == WILLOW_OK)
        status = step_note(loop, name, error);
    return status == WILLOW_OK ? folder_remove_matching(making->folder, "work-", error) : status;
}

int making_window_start(const struct loop_config *config, int number)
{
    int start = number - config->generations[number - 1].window;

    while (start < 0 || config->generations[start].kind != LOOP_SELFPLAY)
        start++;
    return start;
}

static enum willow_status fit_all(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    struct loop_step step = {.cost = LOOP_COST_FIT};
    char output[PATH_MAX], data[PATH_MAX];
    enum willow_status status;

    making_name_step(&step, making->number, "fit", "fit all stages");
    status = loop_path(loop, output, error, "generation-%02d/fit.json", making->number);
    step.output = output;
    struct process_command *command = command_begin(loop, loop->train);
    process_add(command, "fit");
    for (int i = making_window_start(loop->config, making->number); i < making->number && status == WILLOW_OK; i++) {
        status = loop_path(loop, data, error, "generation-%02d/games", i + 1);
        command_text(command, "--data", data);
        step.units += expected_rows(&loop->config->generations[i], 60);
    }
    if (status != WILLOW_OK)
        return status;
    command_text(command, "--init", making->best);
    command_text(command, "--out", making->weights);
    command_integer(command, "--seed", (int64_t)making_seed(loop, making->number));
    add_fit_options(command, making);
    return step_run(loop, &step, error);
}

enum willow_status making_learn(struct making *making, struct willow_error *error)
{
    const enum willow_status status = play_games(making, error);

    if (status != WILLOW_OK)
        return status;
    return making->plan->kind == LOOP_BACKWARD ? learn_backward(making, error) : fit_all(making, error);
}
