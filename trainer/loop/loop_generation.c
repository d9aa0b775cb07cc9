/* One generation of the loop from start to verdict: its making, yardsticks, gate and ladder, and its line in the
 * report. Layer: trainer (program). How weights are made is in loop_making.c, how they are judged in loop_match.c.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <willow/file.h>

#include "loop_folder.h"
#include "loop_making.h"
#include "loop_results.h"

static enum willow_status measure_yardsticks(struct making *making, struct report_generation *line,
                                             struct willow_error *error)
{
    struct loop *loop = making->loop;
    enum willow_status status = WILLOW_OK;

    for (int i = 0; i < loop->config->yardsticks && status == WILLOW_OK; i++) {
        struct loop_step step = {.cost = LOOP_COST_SOLVE, .units = 1.0};
        char output[PATH_MAX], positions[PATH_MAX], name[32], title[64];

        snprintf(name, sizeof name, "yardstick-%02d", i + 1);
        snprintf(title, sizeof title, "static error on %.40s",
                 loop_config_input_name(loop->config, loop->config->yardstick[i]));
        making_name_step(&step, making->number, name, title);
        status = loop_path(loop, output, error, "%s.json", step.name);
        if (status == WILLOW_OK)
            status = loop_input_path(loop, positions, loop->config->yardstick[i], error);
        if (status != WILLOW_OK)
            return status;
        step.output = output;
        struct process_command *command = command_begin(loop, loop->willow);
        process_add(command, "solve");
        process_add(command, "%s", positions);
        command_text(command, "--ruleset", loop->config->ruleset->name);
        command_integer(command, "--depth", 0);
        command_text(command, "--weights", making->weights);
        process_add(command, "--json");
        status = step_run(loop, &step, error);
        if (status == WILLOW_OK && (loop->mode == LOOP_RUN || loop->mode == LOOP_READ))
            status = results_read_yardstick(output, &line->yardstick[i], &line->yardstick_best[i], error);
    }
    return status;
}

static void take_fit(const struct fit_results *fit, struct report_generation *line, double *held_out_sum,
                     uint64_t *held_out_rows)
{
    for (int i = 0; i < fit->count; i++) {
        const int stage = fit->stages[i].stage;

        if (fit->stages[i].rows == 0)
            continue;
        line->stage_held_out[stage] = fit->stages[i].held_out;
        line->stage_positions[stage] = fit->stages[i].rows;
        line->positions += fit->stages[i].rows;
        if (!isnan(fit->stages[i].held_out)) {
            *held_out_sum += fit->stages[i].held_out * (double)fit->stages[i].held_out_rows;
            *held_out_rows += fit->stages[i].held_out_rows;
        }
    }
}

/* Reads what the fits of the generation reported; of one in the making, those that are done. */
static enum willow_status read_fits(const struct making *making, struct report_generation *line,
                                    struct willow_error *error)
{
    const struct loop *loop = making->loop;
    struct fit_results fit;
    double held_out_sum = 0.0;
    uint64_t held_out_rows = 0;
    char path[PATH_MAX];
    enum willow_status status = WILLOW_OK;

    line->stages = loop->stages.count;
    if (making->plan->kind == LOOP_SELFPLAY) {
        status = loop_path(loop, path, error, "generation-%02d/fit.json", making->number);
        if (status != WILLOW_OK || !willow_file_exists(path))
            return status;
        status = results_read_fit(path, &fit, error);
        if (status == WILLOW_OK)
            take_fit(&fit, line, &held_out_sum, &held_out_rows);
    } else {
        for (int stage = 0; stage < loop->stages.count && status == WILLOW_OK; stage++) {
            status = loop_path(loop, path, error, "generation-%02d/fit-%02d.json", making->number, stage);
            if (status != WILLOW_OK || !willow_file_exists(path))
                continue;
            status = results_read_fit(path, &fit, error);
            if (status == WILLOW_OK)
                take_fit(&fit, line, &held_out_sum, &held_out_rows);
        }
    }
    if (held_out_rows > 0)
        line->held_out = held_out_sum / (double)held_out_rows;
    return status;
}

/* The line of the generation in the making; it counts once it is closed. */
static struct report_generation *begin_line(struct loop *loop, int number)
{
    struct report_generation *line = &loop->report.generations[number];
    const struct report_rating unrated = {.elo = (double)NAN, .elo_low = (double)NAN, .elo_high = (double)NAN};

    *line = (struct report_generation){.number = number, .held_out = (double)NAN, .ladder = unrated};
    for (int stage = 0; stage < WILLOW_STAGES_MAX; stage++)
        line->stage_held_out[stage] = (double)NAN;
    for (int i = 0; i < REPORT_YARDSTICKS_MAX; i++)
        line->yardstick[i] = line->yardstick_best[i] = (double)NAN;
    return line;
}

/* What the state says of a generation: seconds by kind of work, and positions labelled for it. */
static void take_steps(const struct loop *loop, struct report_generation *line)
{
    static const struct {
        const char *name;
        enum report_work work;
    } kinds[] = {{"games", REPORT_GAMES},         {"labels", REPORT_LABELS}, {"fit", REPORT_FIT},
                 {"probcut", REPORT_PROBCUT},     {"match", REPORT_GATE},    {"ladder", REPORT_LADDER},
                 {"yardstick", REPORT_YARDSTICKS}};
    char prefix[32];
    uint64_t played = 0, labelled = 0;

    snprintf(prefix, sizeof prefix, "generation-%02d/", line->number);
    const size_t length = strlen(prefix);
    for (size_t i = 0; i < loop->state.count; i++) {
        const struct loop_state_step *step = &loop->state.steps[i];

        if (strncmp(step->name, prefix, length) != 0)
            continue;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strncmp(step->name + length, kinds[k].name, strlen(kinds[k].name)) == 0)
                line->spent[kinds[k].work] += step->seconds;
        if (step->rows >= 0 && strncmp(step->name + length, "labels", strlen("labels")) == 0)
            labelled += (uint64_t)step->rows;
        else if (step->rows >= 0)
            played += (uint64_t)step->rows;
    }
    line->labelled = line->label_depth > 0 ? labelled : played;
    line->seconds = loop_seconds(loop, prefix);
}

/* Notes the end of a generation. Its weights are published for the user before, when they are the best, and only once:
 * a resumed loop must not put them in the place of a later generation's. */
static enum willow_status close_generation(struct making *making, struct report_generation *line,
                                           struct willow_error *error)
{
    struct loop *loop = making->loop;
    char closed[LOOP_STEP_NAME];
    enum willow_status status = WILLOW_OK;

    snprintf(closed, sizeof closed, "generation-%02d/closed", making->number);
    take_steps(loop, line);
    if (line->accepted) {
        loop->best = making->number;
        if (!step_done(loop, closed))
            status = step_copy(loop, making->weights, loop->weights, error);
    }
    if (status == WILLOW_OK)
        status = step_note(loop, closed, error);
    if (status != WILLOW_OK)
        return status;
    loop->report.best = loop->best;
    loop->report.count++;
    if (loop->mode == LOOP_RUN)
        live_generation(&loop->live, &loop->report);
    return WILLOW_OK;
}

static enum willow_status start_weights(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    struct loop_step step = {.cost = LOOP_COST_START, .units = 0.1};
    char start[PATH_MAX];
    enum willow_status status;

    making_name_step(&step, 0, "weights", "weights to start from");
    if (loop->config->start != LOOP_NO_INPUT) {
        status = loop_input_path(loop, start, loop->config->start, error);
        if (status == WILLOW_OK && !step_done(loop, step.name))
            status = step_copy(loop, start, making->weights, error);
        return status == WILLOW_OK ? step_note(loop, step.name, error) : status;
    }
    struct process_command *command = command_begin(loop, loop->willow);
    process_add(command, "weights");
    process_add(command, "zero");
    command_text(command, "--ruleset", loop->config->ruleset->name);
    command_text(command, "--patterns", loop->config->patterns);
    command_integer(command, "--stages", loop->config->stages);
    command_text(command, "--out", making->weights);
    return step_run(loop, &step, error);
}

enum willow_status generation_start(struct loop *loop, struct willow_error *error)
{
    struct making making;
    struct report_generation *line = begin_line(loop, 0);
    enum willow_status status = making_begin(loop, 0, &making, error);

    line->accepted = true;
    if (status == WILLOW_OK)
        status = start_weights(&making, error);
    if (status == WILLOW_OK)
        status = measure_yardsticks(&making, line, error);
    return status == WILLOW_OK ? close_generation(&making, line, error) : status;
}

enum willow_status generation_run(struct loop *loop, int number, struct willow_error *error)
{
    struct making making;
    struct report_generation *line = begin_line(loop, number);
    enum willow_status status = making_begin(loop, number, &making, error);

    if (status != WILLOW_OK)
        return status;
    line->kind = making.plan->kind == LOOP_BACKWARD ? REPORT_BACKWARD : REPORT_SELFPLAY;
    line->games = making.plan->games;
    line->depth = making.plan->depth;
    line->label_depth = making.plan->label_depth;
    status = making_learn(&making, error);
    if (loop->mode == LOOP_READ || (loop->mode == LOOP_RUN && status == WILLOW_OK)) {
        const enum willow_status read = read_fits(&making, line, error);
        status = status == WILLOW_OK ? read : status;
    }
    if (status == WILLOW_OK)
        status = measure_yardsticks(&making, line, error);
    if (status == WILLOW_OK)
        status = match_gate(&making, line, error);
    if (status == WILLOW_OK)
        status = match_ladder(&making, error);
    if (status == WILLOW_OK)
        status = close_generation(&making, line, error);
    else if (loop->mode == LOOP_READ)
        take_steps(loop, line);
    return status == WILLOW_OK ? making_drop_data(loop, number, error) : status;
}
