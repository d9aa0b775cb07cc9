/* The configuration of a self-play run: defaults, limits, text. Does not parse files. Layer: selfplay. */
#include "run_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const label_names[] = {[RUN_LABEL_NONE] = "none", [RUN_LABEL_SEARCH] = "search"};
static const char *const policy_names[] = {[RUN_POLICY_SEARCH] = "search", [RUN_POLICY_MOBILITY] = "mobility"};

bool run_label_find(const char *name, enum run_label *label)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(name, label_names[i]) == 0) {
            *label = (enum run_label)i;
            return true;
        }
    return false;
}

bool run_policy_find(const char *name, enum run_policy *policy)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(name, policy_names[i]) == 0) {
            *policy = (enum run_policy)i;
            return true;
        }
    return false;
}

struct run_config run_config_default(void)
{
    return (struct run_config){.games = 4096,
                               .seed = 1,
                               .shard_games = 4096,
                               .depth = 6,
                               .exact = 14,
                               .selectivity = WILLOW_NOT_SELECTIVE,
                               .opening_min = 4,
                               .opening_max = 12,
                               .noise = 0,
                               .noise_plies = 0,
                               .random_move = 0,
                               .ply_max = RUN_PLIES_MAX,
                               .keep = 1,
                               .label = RUN_LABEL_SEARCH,
                               .policy = RUN_POLICY_SEARCH,
                               .hash_mb = 4};
}

static enum willow_status out_of_range(struct willow_error *error, const char *option, const char *limits)
{
    return willow_fail(error, WILLOW_ERR_ARGUMENT, option, NULL, "must be %s", limits);
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high; /* false for a NaN */
}

enum willow_status run_config_check(const struct run_config *config, struct willow_error *error)
{
    if (config->games < 1 || config->games > (uint64_t)1 << 48)
        return out_of_range(error, "games", "1 .. 2^48");
    if (config->shard_games < 1 || config->shard_games > RUN_SHARD_GAMES_MAX)
        return out_of_range(error, "shard-games", "1 .. 1048576");
    if (run_config_shards(config) > RUN_SHARDS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "shard-games", NULL,
                           "too small: the run would have more than %d shards", (int)RUN_SHARDS_MAX);
    if (config->depth < 1 || config->depth > RUN_DEPTH_MAX)
        return out_of_range(error, "depth", "1 .. 60");
    if (config->exact < 0 || config->exact > 60)
        return out_of_range(error, "exact", "0 .. 60");
    if (config->opening_min < 0 || config->opening_max < config->opening_min || config->opening_max > RUN_PLIES_MAX)
        return out_of_range(error, "opening", "A-B with 0 <= A <= B <= 60");
    if (!within(config->noise, 0, RUN_NOISE_MAX))
        return out_of_range(error, "noise", "0 .. 64 discs");
    if (config->noise_plies < 0 || config->noise_plies > RUN_PLIES_MAX)
        return out_of_range(error, "noise-plies", "0 .. 60");
    if (!within(config->random_move, 0, 1))
        return out_of_range(error, "random-move", "0 .. 1");
    if (!within(config->keep, 0, 1))
        return out_of_range(error, "keep", "0 .. 1");
    if (config->hash_mb < 1 || config->hash_mb > RUN_HASH_MAX_MB)
        return out_of_range(error, "hash", "1 .. 65536 MB");
    if (config->policy == RUN_POLICY_MOBILITY && config->label != RUN_LABEL_NONE)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "policy", NULL, "mobility gives no scores: label must be none");
    return WILLOW_OK;
}

uint64_t run_config_shards(const struct run_config *config)
{
    return (config->games - 1) / config->shard_games + 1;
}

uint64_t run_config_shard_games(const struct run_config *config, uint64_t shard)
{
    uint64_t left = config->games - shard * config->shard_games;
    return left < config->shard_games ? left : config->shard_games;
}

/* The shortest decimal that reads back as the same number, so that a run's text does not depend on how it was typed. */
static const char *real_text(double value, char buffer[32])
{
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

/* In single quotes, inner ones doubled; the buffer holds 2 * RUN_NAME_MAX + 3 bytes. */
static const char *quoted_text(const char *text, char *buffer)
{
    char *to = buffer;
    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'')
            *to++ = '\'';
        *to++ = *text;
    }
    *to++ = '\'';
    *to = '\0';
    return buffer;
}

enum willow_status run_config_text(const struct run_config *config, char **text, struct willow_error *error)
{
    char noise[32], random_move[32], keep[32], weights[2 * RUN_NAME_MAX + 3];
    int length =
        asprintf(text,
                 "# Everything that decides the rows of this dataset. `willow selfplay run` takes it as it stands.\n"
                 "games: %" PRIu64 "\n"
                 "seed: %" PRIu64 "\n"
                 "shard_games: %" PRIu64 "\n"
                 "depth: %d\n"
                 "exact: %d\n"
                 "opening_min: %d\n"
                 "opening_max: %d\n"
                 "noise: %s\n"
                 "noise_plies: %d\n"
                 "random_move: %s\n"
                 "keep: %s\n"
                 "label: %s\n"
                 "policy: %s\n"
                 "hash: %d\n"
                 "weights: %s\n"
                 "weights_checksum: '%s'\n"
                 "ruleset: '%s'\n",
                 config->games, config->seed, config->shard_games, config->depth, config->exact, config->opening_min,
                 config->opening_max, real_text(config->noise, noise), config->noise_plies,
                 real_text(config->random_move, random_move), real_text(config->keep, keep), label_names[config->label],
                 policy_names[config->policy], config->hash_mb, quoted_text(config->weights, weights),
                 config->weights_checksum, config->ruleset);
    if (length < 0) {
        *text = NULL;
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    return WILLOW_OK;
}
