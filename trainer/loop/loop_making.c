/* What every generation is made with: command lines, games, labels, and the disposal of data.
 * Layer: trainer (program).
 *
 * Every step reads only files that earlier steps published and that nothing changes later: a fit writes a new file
 * instead of its input, so that a step which is repeated after a kill starts from what it started from before. The
 * programs go on themselves where a kill left a dataset or a match; the command is the same. */
#include "loop_making.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <willow/file.h>

#include "loop_budget.h"

enum willow_status making_begin(struct loop *loop, int number, struct making *making, struct willow_error *error)
{
    *making = (struct making){
        .loop = loop, .number = number, .plan = number > 0 ? &loop->config->generations[number - 1] : NULL};
    enum willow_status status = loop_path(loop, making->folder, error, "generation-%02d", number);
    if (status == WILLOW_OK)
        status = loop_path(loop, making->games, error, "generation-%02d/games", number);
    if (status == WILLOW_OK)
        status = loop_path(loop, making->weights, error, "generation-%02d/weights.wlw", number);
    if (status == WILLOW_OK)
        status = loop_path(loop, making->best, error, "generation-%02d/weights.wlw", loop->best);
    if (status == WILLOW_OK)
        status = step_folder(loop, making->folder, error);
    memcpy(making->current, making->best, sizeof making->best);
    return status;
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
    command->folder = loop->options.folder;
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

void command_real(struct process_command *command, const char *option, double value)
{
    process_add(command, "%s", option);
    process_add(command, "%.9g", value);
}

void command_range(struct process_command *command, const char *option, int first, int last)
{
    process_add(command, "%s", option);
    process_add(command, "%d-%d", first, last);
}

void making_name_step(struct loop_step *step, int number, const char *name, const char *title)
{
    snprintf(step->name, sizeof step->name, "generation-%02d/%s", number, name);
    snprintf(step->title, sizeof step->title, "generation %d: %s", number, title);
}

void making_fit_options(struct process_command *command, const struct making *making)
{
    const struct loop_fit *fit = &making->plan->fit;

    for (int i = 0; i < LOOP_FIT_NUMBERS; i++)
        if (!isnan(fit->number[i]))
            command_real(command, loop_fit_options[i].option, fit->number[i]);
    if (fit->start != NULL)
        command_text(command, "--start", fit->start);
    if (fit->solver != NULL)
        command_text(command, "--solver", fit->solver);
    /* No --seed: which games are held out then depends on each dataset's own. With another seed a later generation
     * would hold out games that its start was fitted to, which look learnt already, so that the fit would end at once.
     */
    command_real(command, "--result-weight", making->plan->result_weight);
    command_integer(command, "--threads", making->loop->options.threads);
    process_add(command, "--json");
    process_add(command, "--quiet");
}

static enum willow_status play_games(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    const struct loop_generation *plan = making->plan;
    const bool label_later = plan->label_depth > 0;
    struct loop_step step = {
        .cost = LOOP_COST_GAMES,
        .units = 0.1 + (double)plan->games * loop_config_plies(loop->config) *
                           budget_search(loop_config_plies(loop->config), plan->depth, plan->exact, plan->selectivity)};
    char title[64], count[32], openings[PATH_MAX];
    enum willow_status status = WILLOW_OK;

    snprintf(title, sizeof title, "%s games", report_number((uint64_t)plan->games, count));
    making_name_step(&step, making->number, "games", title);
    step.dataset = making->games;
    struct process_command *command = command_begin(loop, loop->selfplay);
    process_add(command, "run");
    command_text(command, "--ruleset", loop->config->ruleset->name);
    command_integer(command, "--games", plan->games);
    command_integer(command, "--seed", (int64_t)making_seed(loop, making->number));
    command_integer(command, "--depth", plan->depth);
    command_integer(command, "--exact", plan->exact);
    command_integer(command, "--selectivity", plan->selectivity);
    if (plan->openings != LOOP_NO_INPUT) {
        status = loop_input_path(loop, openings, plan->openings, error);
        command_text(command, "--openings", openings);
    } else {
        command_range(command, "--opening", plan->opening_first, plan->opening_last);
    }
    command_real(command, "--noise", plan->noise);
    command_integer(command, "--noise-plies", plan->noise_plies);
    command_real(command, "--random-move", plan->random_move);
    command_real(command, "--keep", plan->keep);
    command_text(command, "--label", label_later ? "none" : "search");
    if (plan->policy == LOOP_POLICY_MOBILITY)
        command_text(command, "--policy", "mobility");
    command_text(command, "--weights", making->best);
    /* A fit reads every stage alone, and so does the labelling of one. */
    command_text(command, "--layout", "plies");
    command_text(command, "--out", making->games);
    command_integer(command, "--threads", loop->options.threads);
    process_add(command, "--quiet");
    return status == WILLOW_OK ? step_run(loop, &step, error) : status;
}

enum willow_status making_relabel(struct making *making, const struct making_labels *what, struct loop_step *step,
                                  struct willow_error *error)
{
    struct loop *loop = making->loop;
    const struct loop_generation *plan = making->plan;
    char manifest[PATH_MAX];
    enum willow_status status = willow_path_join(manifest, sizeof manifest, what->labels, "manifest.json", error);

    step->cost = LOOP_COST_LABELS;
    step->dataset = what->labels;
    step->units = 0.1 + what->positions * budget_search(loop_config_plies(loop->config), plan->label_depth,
                                                        plan->label_exact, plan->label_selectivity);
    struct process_command *command = command_begin(loop, loop->selfplay);
    process_add(command, "relabel");
    process_add(command, "%s", making->games);
    if (what->first >= 0)
        command_range(command, "--plies", what->first, what->last);
    command_integer(command, "--depth", plan->label_depth);
    command_integer(command, "--exact", plan->label_exact);
    command_integer(command, "--selectivity", plan->label_selectivity);
    if (plan->limit > 0)
        command_integer(command, "--limit", plan->limit);
    command_text(command, "--layout", "plies");
    command_text(command, "--weights", what->weights);
    command_text(command, "--out", what->labels);
    command_integer(command, "--threads", loop->options.threads);
    process_add(command, "--quiet");
    if (status != WILLOW_OK)
        return status;
    /* The manifest comes last, and a relabelling that is finished refuses to be repeated. */
    if (loop->mode == LOOP_RUN && willow_file_exists(manifest))
        return step_found(loop, step, error);
    return step_run(loop, step, error);
}

/* Margins that fit the new weights, into a new file. */
static enum willow_status measure_margins(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    const struct loop_probcut *probcut = &making->plan->probcut;
    struct loop_step step = {.cost = LOOP_COST_PROBCUT, .units = budget_probcut(loop->config, probcut)};
    char data[PATH_MAX], output[PATH_MAX];
    const bool labels = making->plan->kind == LOOP_SELFPLAY && making->plan->label_depth > 0;

    making_name_step(&step, making->number, "probcut", "margins of selective search");
    enum willow_status status =
        loop_path(loop, data, error, "generation-%02d/%s", making->number, labels ? "labels" : "games");
    if (status == WILLOW_OK)
        status = loop_path(loop, output, error, "generation-%02d/probcut.json", making->number);
    if (status != WILLOW_OK)
        return status;
    step.output = output;
    struct process_command *command = command_begin(loop, loop->train);
    process_add(command, "probcut");
    command_text(command, "--data", data);
    command_text(command, "--weights", making->current);
    command_text(command, "--out", making->weights);
    command_integer(command, "--positions", probcut->positions);
    command_integer(command, "--depth", probcut->depth);
    command_integer(command, "--exact", probcut->exact);
    command_integer(command, "--seed", (int64_t)making_seed(loop, making->number));
    command_integer(command, "--threads", loop->options.threads);
    process_add(command, "--json");
    process_add(command, "--quiet");
    return step_run(loop, &step, error);
}

/* The newest weights become those of the generation, with what the fit of all stages says of itself. */
static enum willow_status publish(struct making *making, struct willow_error *error)
{
    char from[PATH_MAX], to[PATH_MAX];
    enum willow_status status = WILLOW_OK;

    if (making->plan->probcut.positions == 0)
        status = step_copy(making->loop, making->current, making->weights, error);
    if (status != WILLOW_OK || making->plan->kind == LOOP_BACKWARD)
        return status;
    status = loop_path(making->loop, from, error, "generation-%02d/making/fitted.wlw.report.json", making->number);
    if (status == WILLOW_OK)
        status = loop_path(making->loop, to, error, "generation-%02d/weights.wlw.report.json", making->number);
    return status == WILLOW_OK ? step_copy(making->loop, from, to, error) : status;
}

enum willow_status making_learn(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    char name[LOOP_STEP_NAME], work[PATH_MAX];
    enum willow_status status = loop_path(loop, work, error, "generation-%02d/making", making->number);

    snprintf(name, sizeof name, "generation-%02d/weights", making->number);
    const bool done = step_done(loop, name);
    if (status == WILLOW_OK && !done)
        status = step_folder(loop, work, error);
    if (status == WILLOW_OK)
        status = play_games(making, error);
    if (status == WILLOW_OK)
        status = making->plan->kind == LOOP_BACKWARD ? making_backward(making, error) : making_selfplay(making, error);
    if (status == WILLOW_OK && making->plan->probcut.positions > 0)
        status = measure_margins(making, error);
    if (status == WILLOW_OK && !done)
        status = publish(making, error);
    if (status == WILLOW_OK)
        status = step_note(loop, name, error);
    return status == WILLOW_OK ? step_remove(loop, work, error) : status;
}

int making_window_start(const struct loop_config *config, int number)
{
    int start = number - config->generations[number - 1].window;

    while (start < 0 || config->generations[start].kind != LOOP_SELFPLAY)
        start++;
    return start;
}

static bool data_needed(const struct loop_config *config, int index, int number)
{
    if (config->generations[index].kind == LOOP_BACKWARD)
        return false;
    for (int later = number + 1; later <= config->count; later++)
        if (making_window_start(config, later) <= index)
            return true;
    return false;
}

enum willow_status making_drop_data(struct loop *loop, int number, struct willow_error *error)
{
    const struct loop_config *config = loop->config;
    enum willow_status status = WILLOW_OK;

    if (config->keep_data)
        return WILLOW_OK;
    for (int i = 0; i < number && status == WILLOW_OK; i++) {
        char path[PATH_MAX];

        /* What was dropped after an earlier generation is not there any more, and not worth a command. */
        if (data_needed(config, i, number) || (i < number - 1 && !data_needed(config, i, number - 1)))
            continue;
        status = loop_path(loop, path, error, "generation-%02d/games", i + 1);
        if (status == WILLOW_OK)
            status = step_remove(loop, path, error);
        if (status != WILLOW_OK || config->generations[i].kind == LOOP_BACKWARD ||
            config->generations[i].label_depth == 0)
            continue;
        status = loop_path(loop, path, error, "generation-%02d/labels", i + 1);
        if (status == WILLOW_OK)
            status = step_remove(loop, path, error);
    }
    return status;
}
