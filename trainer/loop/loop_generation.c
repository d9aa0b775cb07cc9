/* One generation of the loop from start to verdict: its making, the gate match, yardsticks, and its line in the report.
 * Layer: trainer (program). How weights are made is in loop_making.c.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <willow/file.h>

#include "loop_folder.h"
#include "loop_making.h"
#include "loop_results.h"

static enum willow_status run_match(struct making *making, struct loop_step *step, const struct loop_match *match,
                                    const char *first, const char *second, int seed_offset, const char *output,
                                    struct willow_error *error)
{
    struct loop *loop = making->loop;
    struct process_command *command = command_begin(loop, loop->selfplay);

    step->cost = LOOP_COST_MATCH;
    step->units = match->pairs * making_depth_cost(match->depth);
    step->output = output;
    process_add(command, "match");
    process_add(command, "%s", first);
    process_add(command, "%s", second);
    command_integer(command, "--pairs", match->pairs);
    command_integer(command, "--depth", match->depth);
    command_integer(command, "--exact", match->exact);
    command_integer(command, "--seed", (int64_t)making_seed(loop, seed_offset));
    command_integer(command, "--threads", loop->threads);
    process_add(command, "--json");
    process_add(command, "--quiet");
    return step_run(loop, step, error);
}

static enum willow_status measure_yardsticks(struct making *making, struct report_generation *line,
                                             struct willow_error *error)
{
    struct loop *loop = making->loop;
    enum willow_status status = WILLOW_OK;

    for (int i = 0; i < loop->config->yardsticks && status == WILLOW_OK; i++) {
        struct loop_step step = {.cost = LOOP_COST_SOLVE, .units = 1.0};
        char output[PATH_MAX], name[32], title[64];

        snprintf(name, sizeof name, "yardstick-%02d", i + 1);
        snprintf(title, sizeof title, "yardstick %d", i + 1);
        making_name_step(&step, making->number, name, title);
        status = loop_path(loop, output, error, "%s.json", step.name);
        step.output = output;
        struct process_command *command = command_begin(loop, loop->willow);
        process_add(command, "solve");
        process_add(command, "%s", loop->config->yardstick[i]);
        command_integer(command, "--depth", 0);
        command_text(command, "--weights", making->weights);
        process_add(command, "--json");
        if (status == WILLOW_OK)
            status = step_run(loop, &step, error);
        if (status == WILLOW_OK && loop->mode == LOOP_RUN)
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

/* Reads what the fits of the generation reported. */
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
        if (status == WILLOW_OK)
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

static struct report_generation *begin_line(struct loop *loop, int number)
{
    struct report_generation *line = &loop->report.generations[loop->report.count++];

    *line = (struct report_generation){.number = number, .held_out = (double)NAN};
    for (int stage = 0; stage < WILLOW_STAGES_MAX; stage++)
        line->stage_held_out[stage] = (double)NAN;
    for (int i = 0; i < REPORT_YARDSTICKS_MAX; i++)
        line->yardstick[i] = line->yardstick_best[i] = (double)NAN;
    return line;
}

static enum willow_status begin_making(struct loop *loop, int number, struct making *making, struct willow_error *error)
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
    if (status == WILLOW_OK && loop->mode == LOOP_RUN)
        status = willow_folder_create(making->folder, error);
    return status;
}

/* Removes games that no later generation fits. */
static enum willow_status drop_games(struct loop *loop, int number, struct willow_error *error)
{
    const struct loop_config *config = loop->config;
    enum willow_status status = WILLOW_OK;

    if (config->keep_data || loop->mode != LOOP_RUN)
        return WILLOW_OK;
    for (int i = 0; i < number && status == WILLOW_OK; i++) {
        bool needed = false;
        char games[PATH_MAX];

        if (config->generations[i].kind == LOOP_SELFPLAY)
            for (int later = number + 1; later <= config->count; later++)
                needed = needed || making_window_start(config, later) <= i;
        if (needed)
            continue;
        status = loop_path(loop, games, error, "generation-%02d/games", i + 1);
        if (status == WILLOW_OK)
            status = folder_remove(games, error);
    }
    return status;
}

static enum willow_status publish_best(struct loop *loop, const char *weights, struct willow_error *error)
{
    char path[PATH_MAX];
    const enum willow_status status = loop_path(loop, path, error, "weights.wlw");

    return status == WILLOW_OK ? folder_copy_weights(weights, path, error) : status;
}

enum willow_status generation_start(struct loop *loop, struct willow_error *error)
{
    struct making making;
    struct report_generation *line = begin_line(loop, 0);
    struct loop_step step = {.cost = LOOP_COST_START, .units = 1.0};
    struct willow_weights *weights = NULL;
    enum willow_status status = begin_making(loop, 0, &making, error);

    line->accepted = true;
    loop->stages = willow_stages_even(loop->config->stages);
    if (status != WILLOW_OK)
        return status;
    making_name_step(&step, 0, "weights", "weights to start from");
    if (strcmp(loop->config->start, "zero") == 0) {
        struct process_command *command = command_begin(loop, loop->willow);
        process_add(command, "weights");
        process_add(command, "zero");
        command_text(command, "--patterns", loop->config->patterns);
        command_integer(command, "--stages", loop->config->stages);
        command_text(command, "--out", making.weights);
        status = step_run(loop, &step, error);
    } else if (loop->mode == LOOP_PRINT) {
        printf("cp %s %s\n", loop->config->start, making.weights);
    } else if (loop->mode == LOOP_RUN && !step_done(loop, step.name)) {
        status = folder_copy_weights(loop->config->start, making.weights, error);
        if (status == WILLOW_OK)
            status = step_note(loop, step.name, error);
    }
    if (status == WILLOW_OK && loop->mode == LOOP_RUN)
        status = willow_weights_load(making.weights, &weights, error);
    if (weights != NULL)
        loop->stages = *willow_weights_stages(weights);
    willow_weights_free(weights);
    if (status == WILLOW_OK)
        status = measure_yardsticks(&making, line, error);
    /* Only once: a resumed loop must not put the beginner in the place of a later generation. */
    if (status == WILLOW_OK && loop->mode == LOOP_RUN && loop->config->count > 0 &&
        !step_done(loop, "generation-00/closed"))
        status = publish_best(loop, making.weights, error);
    if (status == WILLOW_OK)
        status = step_note(loop, "generation-00/closed", error);
    loop->report.stages = loop->stages;
    line->seconds = loop_seconds(loop, "generation-00/");
    return status;
}

static enum willow_status pass_gate(struct making *making, struct report_generation *line, struct willow_error *error)
{
    struct loop *loop = making->loop;
    struct loop_step step = {0};
    char output[PATH_MAX], title[64];

    snprintf(title, sizeof title, "match against generation %d", loop->best);
    making_name_step(&step, making->number, "match", title);
    enum willow_status status = loop_path(loop, output, error, "generation-%02d/match.json", making->number);
    if (status == WILLOW_OK)
        status =
            run_match(making, &step, &loop->config->gate, making->weights, making->best, making->number, output, error);
    line->opponent = loop->best;
    line->accepted = true;
    if (status == WILLOW_OK && loop->mode == LOOP_RUN)
        status = results_read_match(output, &line->match, error);
    if (status == WILLOW_OK && loop->mode == LOOP_RUN)
        line->accepted = line->match.score >= loop->config->gate.minimum;
    return status;
}

enum willow_status generation_run(struct loop *loop, int number, struct willow_error *error)
{
    struct making making;
    struct report_generation *line = begin_line(loop, number);
    char prefix[32], closed[LOOP_STEP_NAME];
    enum willow_status status = begin_making(loop, number, &making, error);

    if (status != WILLOW_OK)
        return status;
    line->kind = making.plan->kind == LOOP_BACKWARD ? REPORT_BACKWARD : REPORT_SELFPLAY;
    line->games = making.plan->games;
    status = making_learn(&making, error);
    if (status == WILLOW_OK && loop->mode == LOOP_RUN)
        status = read_fits(&making, line, error);
    if (status == WILLOW_OK)
        status = pass_gate(&making, line, error);
    if (status == WILLOW_OK)
        status = measure_yardsticks(&making, line, error);
    if (status != WILLOW_OK)
        return status;

    snprintf(prefix, sizeof prefix, "generation-%02d/", number);
    snprintf(closed, sizeof closed, "generation-%02d/closed", number);
    line->seconds = loop_seconds(loop, prefix);
    report_climb(&loop->report);
    if (line->accepted) {
        loop->best = number;
        if (loop->mode == LOOP_RUN && !step_done(loop, closed))
            status = publish_best(loop, making.weights, error);
    }
    loop->report.best = loop->best;
    if (status == WILLOW_OK)
        status = step_note(loop, closed, error);
    return status == WILLOW_OK ? drop_games(loop, number, error) : status;
}

enum willow_status generation_final(struct loop *loop, struct willow_error *error)
{
    struct making making;
    struct loop_step step = {.name = "final/match"};
    char first[PATH_MAX], output[PATH_MAX];

    if (loop->best == 0 && loop->mode == LOOP_RUN)
        return WILLOW_OK;
    enum willow_status status = begin_making(loop, loop->best, &making, error);
    if (status == WILLOW_OK)
        status = loop_path(loop, first, error, "generation-00/weights.wlw");
    if (status == WILLOW_OK)
        status = loop_path(loop, output, error, "final.json");
    snprintf(step.title, sizeof step.title, "match of generation %d against generation 0", loop->best);
    if (status == WILLOW_OK)
        status = run_match(&making, &step, &loop->config->final, making.best, first, LOOP_GENERATIONS_MAX + 1, output,
                           error);
    if (status == WILLOW_OK && loop->mode == LOOP_RUN)
        status = results_read_match(output, &loop->report.final, error);
    return status;
}
