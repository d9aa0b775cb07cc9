/* The loop's matches: a generation's gate, the ladder of all generations, and the last word against number 0.
 * Layer: trainer (program). What is made of a result is said here; how matches are played is the program's affair.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop_budget.h"
#include "loop_making.h"
#include "loop_results.h"

/* Numbers of the seeds of matches that belong to no generation. */
enum { SEED_OF_FINAL = LOOP_GENERATIONS_MAX + 1, SEED_OF_LADDER };

static void add_player(struct process_command *command, const char *folder, const char *name, const char *weights)
{
    const size_t prefix = strlen(folder);
    const bool inside = strncmp(weights, folder, prefix) == 0 && weights[prefix] == '/';

    process_add(command, "%s=%s", name, inside ? weights + prefix + 1 : weights);
}

/* Begins "match"; players and options of the kind of match follow. */
static struct process_command *begin_match(struct loop *loop, const struct loop_match *match, int seed,
                                           const char *folder)
{
    struct process_command *command = command_begin(loop, loop->selfplay);

    process_add(command, "match");
    command_text(command, "--ruleset", loop->config->ruleset->name);
    command_integer(command, "--pairs", match->pairs);
    command_integer(command, "--depth", match->depth);
    command_integer(command, "--exact", match->exact);
    command_integer(command, "--selectivity", match->selectivity);
    command_integer(command, "--seed", (int64_t)making_seed(loop, seed));
    command_integer(command, "--threads", loop->options.threads);
    command_text(command, "--out", folder);
    process_add(command, "--json");
    process_add(command, "--quiet");
    return command;
}

static void add_generation(struct process_command *command, int number)
{
    process_add(command, "g%d=generation-%02d/weights.wlw", number, number);
}

/* Undecided when the pairs are used up: what is the more likely stands. */
static bool passes(const struct report_test *test)
{
    return test->verdict == REPORT_H1 || (test->verdict == REPORT_UNDECIDED && test->llr > 0.0);
}

enum willow_status match_gate(struct making *making, struct report_generation *line, struct willow_error *error)
{
    struct loop *loop = making->loop;
    const struct loop_match *gate = &loop->config->gate;
    const struct loop_sprt *sprt = &loop->config->sprt;
    struct loop_step step = {.cost = LOOP_COST_MATCH, .units = budget_match(loop->config, gate, 1)};
    char output[PATH_MAX], folder[PATH_MAX], title[64];

    line->opponent = loop->best;
    line->accepted = true;
    if (gate->pairs == 0)
        return WILLOW_OK;
    snprintf(title, sizeof title, "match against generation %d", loop->best);
    making_name_step(&step, making->number, "match", title);
    enum willow_status status = loop_path(loop, output, error, "generation-%02d/match.json", making->number);
    if (status == WILLOW_OK)
        status = loop_path(loop, folder, error, "generation-%02d/match", making->number);
    step.output = output;
    struct process_command *command = begin_match(loop, gate, making->number, folder);
    process_add(command, "--sprt");
    process_add(command, "%.9g,%.9g", sprt->nelo0, sprt->nelo1);
    command_real(command, "--alpha", sprt->alpha);
    command_real(command, "--beta", sprt->beta);
    add_generation(command, making->number);
    add_generation(command, loop->best);
    if (status == WILLOW_OK)
        status = step_run(loop, &step, error);
    if (status == WILLOW_OK && (loop->mode == LOOP_RUN || loop->mode == LOOP_READ)) {
        status = results_read_match(output, &line->match, &line->test, error);
        line->accepted = passes(&line->test);
    }
    return status;
}

/* Whether a generation plays in the ladder; `line` is its line in the report. */
static bool in_ladder(const struct loop *loop, const struct report_generation *line)
{
    return line->accepted || loop->config->ladder.rejected;
}

static enum willow_status read_ladder(struct loop *loop, const char *path, struct willow_error *error)
{
    struct report *report = &loop->report;
    struct results_player players[REPORT_GENERATIONS_MAX + REPORT_PLAYERS_MAX];
    int count = 0;

    /* The line in the making has its rating, too, though it is not counted yet. */
    for (int i = 0; i <= report->count && i < REPORT_GENERATIONS_MAX; i++) {
        players[count] = (struct results_player){.number = i, .rating = &report->generations[i].ladder};
        snprintf(players[count++].name, sizeof players->name, "g%d", i);
    }
    for (int i = 0; i < report->players; i++) {
        players[count] = (struct results_player){.number = REPORT_OPPONENT + i, .rating = &report->player[i].rating};
        snprintf(players[count++].name, sizeof players->name, "%s", report->player[i].name);
    }
    free(loop->encounters);
    const enum willow_status status =
        results_read_ladder(path, players, count, &loop->encounters, &report->encounters, error);
    report->encounter = loop->encounters;
    return status;
}

enum willow_status match_ladder(struct making *making, struct willow_error *error)
{
    struct loop *loop = making->loop;
    const struct loop_ladder *ladder = &loop->config->ladder;
    const struct report_generation *lines = loop->report.generations;
    struct loop_step step = {.cost = LOOP_COST_MATCH};
    char output[PATH_MAX], folder[PATH_MAX], weights[PATH_MAX];
    int players = 0;

    if (ladder->match.pairs == 0 || !in_ladder(loop, &lines[making->number]))
        return WILLOW_OK;
    making_name_step(&step, making->number, "ladder", "ladder");
    enum willow_status status = loop_path(loop, output, error, "generation-%02d/ladder.json", making->number);
    if (status == WILLOW_OK)
        status = loop_path(loop, folder, error, "ladder");
    step.output = output;
    struct process_command *command = begin_match(loop, &ladder->match, SEED_OF_LADDER, folder);
    command_text(command, "--anchor", ladder->anchor);
    for (int number = 0; number <= making->number; number++)
        if (in_ladder(loop, &lines[number])) {
            add_generation(command, number);
            players++;
        }
    for (int i = 0; i < ladder->opponents && status == WILLOW_OK; i++) {
        const struct loop_opponent *opponent = &ladder->opponent[i];

        snprintf(weights, sizeof weights, "default");
        if (opponent->weights != LOOP_NO_INPUT)
            status = loop_input_path(loop, weights, opponent->weights, error);
        add_player(command, loop->options.folder, opponent->name, weights);
    }
    /* Pairs on record are not played again: all that is new are the encounters of this generation. */
    step.units = budget_match(loop->config, &ladder->match, players - 1 + ladder->opponents);
    if (status == WILLOW_OK)
        status = step_run(loop, &step, error);
    if (status == WILLOW_OK && (loop->mode == LOOP_RUN || loop->mode == LOOP_READ))
        status = read_ladder(loop, output, error);
    return status;
}

/* The best generation against number `opponent`. */
static enum willow_status play_final(struct loop *loop, int opponent, const char *name, struct report_match *match,
                                     struct willow_error *error)
{
    const struct loop_match *final = &loop->config->final;
    struct loop_step step = {.cost = LOOP_COST_MATCH, .units = budget_match(loop->config, final, 1)};
    struct report_test test;
    char output[PATH_MAX], folder[PATH_MAX];
    enum willow_status status = loop_path(loop, output, error, "%s.json", name);

    if (status == WILLOW_OK)
        status = loop_path(loop, folder, error, "%s", name);
    snprintf(step.name, sizeof step.name, "%s/match", name);
    snprintf(step.title, sizeof step.title, "match of generation %d against generation %d", loop->best, opponent);
    step.output = output;
    struct process_command *command = begin_match(loop, final, SEED_OF_FINAL, folder);
    add_generation(command, loop->best);
    add_generation(command, opponent);
    if (status == WILLOW_OK)
        status = step_run(loop, &step, error);
    if (status == WILLOW_OK && (loop->mode == LOOP_RUN || loop->mode == LOOP_READ))
        status = results_read_match(output, match, &test, error);
    return status;
}

enum willow_status generation_final(struct loop *loop, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;

    if (loop->config->final.pairs == 0)
        return WILLOW_OK;
    if (loop->best > 0)
        status = play_final(loop, 0, "final", &loop->report.final, error);
    if (status == WILLOW_OK && loop->best > 1)
        status = play_final(loop, 1, "final-first", &loop->report.final_first, error);
    return status;
}
