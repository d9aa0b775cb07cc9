/* What a run needs beside its configuration. Layer: selfplay. */
#include "run_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <willow/file.h>

#include "run_folder.h"

/* A balanced opening is one that a search of so many plies calls even. The number only has to see past the next
 * exchange, and every candidate costs such a search. */
enum { JUDGE_DEPTH = 2 };

/* Keeps the checksum, or refuses a file whose checksum is not the one kept. */
static enum willow_status match_checksum(char kept[WILLOW_CHECKSUM_TEXT], const char *checksum, const char *name,
                                         const char *what, struct willow_error *error)
{
    if (kept[0] && strcmp(kept, checksum) != 0)
        return willow_fail(error, WILLOW_ERR_MISMATCH, name, NULL,
                           "these are not the %s whose checksum the configuration names", what);
    memcpy(kept, checksum, WILLOW_CHECKSUM_TEXT);
    return WILLOW_OK;
}

static enum willow_status load_weights(struct run_inputs *inputs, struct run_config *config, const char *name,
                                       struct willow_error *error)
{
    enum willow_status status = willow_weights_open(name, inputs->ruleset, &inputs->weights[0], error);
    return status ? status
                  : match_checksum(config->weights_checksum, willow_weights_checksum(inputs->weights[0]),
                                   name ? name : "the default weights", "weights", error);
}

static enum willow_status load_pool(struct run_inputs *inputs, struct run_config *config, int index, const char *name,
                                    struct willow_error *error)
{
    enum willow_status status = willow_weights_open(name, inputs->ruleset, &inputs->weights[1 + index], error);
    return status ? status
                  : match_checksum(config->pool_checksums[index], willow_weights_checksum(inputs->weights[1 + index]),
                                   name, "weights", error);
}

static enum willow_status load_list(struct run_inputs *inputs, struct run_config *config, struct willow_error *error)
{
    size_t size;
    char checksum[WILLOW_CHECKSUM_TEXT];
    enum willow_status status = openings_read_list(inputs->list_name, &inputs->list, &size, error);
    if (status)
        return status;
    willow_checksum128_text(inputs->list, size, checksum);
    return match_checksum(config->opening_checksum, checksum, inputs->list_name, "openings", error);
}

/* A bad list is refused before a run begins to keep it. */
static enum willow_status check_list(const struct run_inputs *inputs, const struct run_config *config,
                                     struct willow_error *error)
{
    const struct openings_options options = run_inputs_openings(inputs, config);
    struct openings *openings;
    enum willow_status status = openings_new(&options, &openings, error);
    openings_free(openings);
    return status;
}

/* Where to find an input: in the folder under the name of its copy, or under its own. */
static enum willow_status place_of(char path[RUN_INPUTS_PATH], const char *folder, const char *copy, const char *name,
                                   struct willow_error *error)
{
    if (folder)
        return willow_path_join(path, RUN_INPUTS_PATH, folder, copy, error);
    (void)snprintf(path, RUN_INPUTS_PATH, "%s", name);
    return WILLOW_OK;
}

static enum willow_status load_all(struct run_inputs *inputs, struct run_config *config, const char *folder,
                                   struct willow_error *error)
{
    char path[RUN_INPUTS_PATH], copy[32];
    enum willow_status status = run_config_ruleset(config, &inputs->ruleset, error);
    if (status)
        return status;
    (void)snprintf(config->ruleset, sizeof config->ruleset, "%s", inputs->ruleset->name);
    status = place_of(path, folder, RUN_WEIGHTS_FILE, config->weights, error);
    if (!status)
        status = load_weights(inputs, config, path[0] ? path : NULL, error);
    for (int i = 0; !status && i < config->pool_count; i++) {
        (void)snprintf(copy, sizeof copy, RUN_POOL_FILE, i + 1);
        status = place_of(path, folder, copy, config->pool[i], error);
        if (!status)
            status = load_pool(inputs, config, i, path, error);
    }
    if (status || config->opening != OPENINGS_LIST)
        return status;
    status = place_of(inputs->list_name, folder, RUN_OPENINGS_FILE, config->opening_list, error);
    if (!status)
        status = load_list(inputs, config, error);
    return status ? status : check_list(inputs, config, error);
}

enum willow_status run_inputs_load(struct run_inputs *inputs, struct run_config *config, const char *folder,
                                   struct willow_error *error)
{
    *inputs = (struct run_inputs){0};
    enum willow_status status = load_all(inputs, config, folder, error);
    if (status)
        run_inputs_clear(inputs);
    return status;
}

void run_inputs_clear(struct run_inputs *inputs)
{
    for (int i = 0; i <= RUN_POOL_MAX; i++)
        willow_weights_free(inputs->weights[i]);
    free(inputs->list);
    *inputs = (struct run_inputs){0};
}

struct openings_options run_inputs_openings(const struct run_inputs *inputs, const struct run_config *config)
{
    const bool all = config->opening == OPENINGS_ALL;
    const bool balanced = config->opening == OPENINGS_RANDOM && config->opening_balance > 0;
    struct openings_options options = {.kind = config->opening,
                                       .ruleset = inputs->ruleset,
                                       .seed = config->seed,
                                       .plies_min = config->opening_min,
                                       .plies_max = all ? config->opening_plies : config->opening_max,
                                       .judge = balanced ? inputs->weights[0] : NULL,
                                       .judge_depth = JUDGE_DEPTH,
                                       .soft_discs = balanced ? config->opening_balance : 0,
                                       .list = inputs->list,
                                       .list_name = inputs->list ? inputs->list_name : NULL,
                                       .group = config->shard_games,
                                       .total = config->games,
                                       .repeat = true};
    memcpy(options.shares, config->opening_shares, sizeof options.shares);
    return options;
}
