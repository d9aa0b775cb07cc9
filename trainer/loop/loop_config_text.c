/* The loop's configuration as YAML, with every default filled in.
 * Layer: trainer (program).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "loop_config.h"

static void write_fit(FILE *out, const struct loop_fit *fit)
{
    const char *before = "    fit: {";

    for (int i = 0; i < LOOP_FIT_NUMBERS; i++) {
        if (isnan(fit->number[i]))
            continue;
        fprintf(out, "%s%s: %.9g", before, loop_fit_options[i].key, fit->number[i]);
        before = ", ";
    }
    if (fit->start != NULL) {
        fprintf(out, "%sstart: %s", before, fit->start);
        before = ", ";
    }
    if (fit->solver != NULL) {
        fprintf(out, "%ssolver: %s", before, fit->solver);
        before = ", ";
    }
    if (before[0] == ',')
        fprintf(out, "}\n");
}

static void write_generation(FILE *out, const struct loop_config *config, const struct loop_generation *generation)
{
    fprintf(out, "  - games: %lld\n    depth: %d\n    exact: %d\n    selectivity: %d\n", (long long)generation->games,
            generation->depth, generation->exact, generation->selectivity);
    if (generation->openings != LOOP_NO_INPUT)
        fprintf(out, "    openings: \"inputs/%s\"\n", loop_config_input_name(config, generation->openings));
    else
        fprintf(out, "    opening: \"%d-%d\"\n", generation->opening_first, generation->opening_last);
    fprintf(out, "    noise: %.9g\n    noise_plies: %d\n    random_move: %.9g\n    keep: %.9g\n", generation->noise,
            generation->noise_plies, generation->random_move, generation->keep);
    fprintf(out, "    label_depth: %d\n    label_exact: %d\n    label_selectivity: %d\n    limit: %lld\n",
            generation->label_depth, generation->label_exact, generation->label_selectivity,
            (long long)generation->limit);
    write_fit(out, &generation->fit);
    fprintf(out, "    probcut: {positions: %d, depth: %d, exact: %d}\n", generation->probcut.positions,
            generation->probcut.depth, generation->probcut.exact);
    if (generation->kind == LOOP_BACKWARD)
        fprintf(out, "    policy: %s\n", generation->policy == LOOP_POLICY_MOBILITY ? "mobility" : "search");
    else
        fprintf(out, "    result_weight: %.9g\n    window: %d\n    from: %s\n", generation->result_weight,
                generation->window, generation->from_nothing ? "nothing" : "best");
}

static void write_kind(FILE *out, const struct loop_config *config, enum loop_kind kind, const char *key)
{
    bool any = false;

    for (int i = 0; i < config->count; i++) {
        if (config->generations[i].kind != kind)
            continue;
        if (!any)
            fprintf(out, "%s:\n", key);
        any = true;
        write_generation(out, config, &config->generations[i]);
    }
}

static void write_match(FILE *out, const char *key, const struct loop_match *match)
{
    fprintf(out, "%s:\n  pairs: %d\n  depth: %d\n  exact: %d\n  selectivity: %d\n", key, match->pairs, match->depth,
            match->exact, match->selectivity);
}

static void write_ladder(FILE *out, const struct loop_config *config)
{
    const struct loop_ladder *ladder = &config->ladder;

    write_match(out, "ladder", &ladder->match);
    fprintf(out, "  rejected: %s\n  anchor: %s\n", ladder->rejected ? "true" : "false", ladder->anchor);
    if (ladder->opponents > 0)
        fprintf(out, "  opponents:\n");
    for (int i = 0; i < ladder->opponents; i++) {
        const int weights = ladder->opponent[i].weights;

        if (weights == LOOP_NO_INPUT)
            fprintf(out, "    - {name: %s, weights: default}\n", ladder->opponent[i].name);
        else
            fprintf(out, "    - {name: %s, weights: \"inputs/%s\"}\n", ladder->opponent[i].name,
                    loop_config_input_name(config, weights));
    }
}

enum willow_status loop_config_text(const struct loop_config *config, char **text, struct willow_error *error)
{
    size_t size;
    FILE *out = open_memstream(text, &size);

    if (out == NULL)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    fprintf(out, "seed: %lld\nruleset: \"%s\"\npatterns: \"%s\"\nstages: %d\nkeep_data: %s\n", (long long)config->seed,
            config->ruleset->name, config->patterns, config->stages, config->keep_data ? "true" : "false");
    if (config->start == LOOP_NO_INPUT)
        fprintf(out, "start: zero\n");
    else
        fprintf(out, "start: \"inputs/%s\"\n", loop_config_input_name(config, config->start));
    write_kind(out, config, LOOP_BACKWARD, "backward");
    write_kind(out, config, LOOP_SELFPLAY, "generations");
    write_match(out, "gate", &config->gate);
    fprintf(out, "  nelo0: %.9g\n  nelo1: %.9g\n  alpha: %.9g\n  beta: %.9g\n", config->sprt.nelo0, config->sprt.nelo1,
            config->sprt.alpha, config->sprt.beta);
    write_ladder(out, config);
    write_match(out, "final", &config->final);
    fprintf(out, "budget: {disk_gb: %.9g, hours: %.9g}\n", config->limits.disk_gb, config->limits.hours);
    if (config->yardsticks > 0)
        fprintf(out, "yardsticks:\n");
    for (int i = 0; i < config->yardsticks; i++)
        fprintf(out, "  - \"inputs/%s\"\n", loop_config_input_name(config, config->yardstick[i]));
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(*text);
        *text = NULL;
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    return WILLOW_OK;
}
