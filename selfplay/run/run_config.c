/* The configuration of a self-play run: defaults, limits, text. Does not parse files. Layer: selfplay. */
#include "run_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const label_names[] = {[RUN_LABEL_NONE] = "none", [RUN_LABEL_SEARCH] = "search"};
static const char *const opening_names[] = {
    [OPENINGS_RANDOM] = "random", [OPENINGS_ALL] = "all", [OPENINGS_LIST] = "list"};
static const char *const policy_names[] = {[RUN_POLICY_SEARCH] = "search", [RUN_POLICY_MOBILITY] = "mobility"};

static bool find_name(const char *name, const char *const *names, int count, int *found)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) {
            *found = i;
            return true;
        }
    return false;
}

bool run_label_find(const char *name, enum run_label *label)
{
    int found = 0;
    bool known = find_name(name, label_names, 2, &found);
    if (known)
        *label = (enum run_label)found;
    return known;
}

bool run_policy_find(const char *name, enum run_policy *policy)
{
    int found = 0;
    bool known = find_name(name, policy_names, 2, &found);
    if (known)
        *policy = (enum run_policy)found;
    return known;
}

bool run_opening_find(const char *name, enum openings_kind *kind)
{
    int found = 0;
    bool known = find_name(name, opening_names, 3, &found);
    if (known)
        *kind = (enum openings_kind)found;
    return known;
}

/* Random plies must tell thousands of games apart and leave most of each to play: 12 of 60, 8 of 32, 17 of 96. */
enum { OPENING_MIN = 4, OPENING_LEAST_PLIES = 5 * OPENING_MIN };

static int opening_max(int plies)
{
    return OPENING_MIN + plies / 7;
}

struct run_config run_config_default(void)
{
    return (struct run_config){.games = 4096,
                               .seed = 1,
                               .shard_games = 4096,
                               .depth = 6,
                               .exact = 14,
                               .selectivity = WILLOW_NOT_SELECTIVE,
                               .hash_mb = 4,
                               .opening = OPENINGS_RANDOM,
                               .opening_min = OPENING_MIN,
                               .opening_max = opening_max(WILLOW_PLIES - 1),
                               .pool_share = 0.5,
                               .ply_max = RUN_PLIES_MAX,
                               .keep = 1,
                               .label = RUN_LABEL_SEARCH,
                               .policy = RUN_POLICY_SEARCH};
}

static enum willow_status out_of_range(struct willow_error *error, const char *option, const char *limits)
{
    return willow_fail(error, WILLOW_ERR_ARGUMENT, option, NULL, "must be %s", limits);
}

/* Of a whole number that depends on the size of the build's boards. */
static enum willow_status check_whole(int value, int low, int high, const char *option, struct willow_error *error)
{
    if (value >= low && value <= high)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_ARGUMENT, option, NULL, "must be %d .. %d", low, high);
}

enum willow_status run_config_ruleset(const struct run_config *config, const struct willow_ruleset **ruleset,
                                      struct willow_error *error)
{
    struct willow_error fault = {0};
    *ruleset = willow_ruleset_default();
    if (config->ruleset[0] == '\0' || willow_ruleset_parse(config->ruleset, config->seed, ruleset, &fault) == WILLOW_OK)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_ARGUMENT, "ruleset", NULL, "%s", fault.reason);
}

enum willow_status run_config_scale(struct run_config *config, struct willow_error *error)
{
    const struct willow_ruleset *ruleset;
    enum willow_status status = run_config_ruleset(config, &ruleset, error);
    if (status)
        return status;
    const int placed = willow_bits_count(ruleset->placement), plies = willow_ruleset_squares(ruleset) - 4;
    config->opening_min = placed + (plies < OPENING_LEAST_PLIES ? OPENING_MIN / 2 : OPENING_MIN);
    config->opening_max = placed + opening_max(plies);
    return WILLOW_OK;
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high; /* false for a NaN */
}

static bool is_selectivity(int percent)
{
    for (int i = 0; i < WILLOW_SELECTIVITIES; i++)
        if (percent == willow_selectivities[i])
            return true;
    return false;
}

static enum willow_status check_size(const struct run_config *config, struct willow_error *error)
{
    if (config->games < 1 || config->games > (uint64_t)1 << 48)
        return out_of_range(error, "games", "1 .. 2^48");
    if (config->shard_games < 1 || config->shard_games > RUN_SHARD_GAMES_MAX)
        return out_of_range(error, "shard-games", "1 .. 1048576");
    if (run_config_shards(config) > RUN_SHARDS_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "shard-games", NULL,
                           "too small: the run would have more than %d shards", (int)RUN_SHARDS_MAX);
    if (config->hash_mb < 1 || config->hash_mb > RUN_HASH_MAX_MB)
        return out_of_range(error, "hash", "1 .. 65536 MB");
    return WILLOW_OK;
}

static enum willow_status check_shares(const struct run_config *config, struct willow_error *error)
{
    for (int plies = 0; plies < OPENINGS_SHARES; plies++) {
        double share = config->opening_shares[plies];
        if (!within(share, 0, RUN_SHARE_MAX))
            return out_of_range(error, "opening-shares", "0 .. 1e9 each");
        if (share > 0 && (plies < config->opening_min || plies > config->opening_max))
            return willow_fail(error, WILLOW_ERR_ARGUMENT, "opening-shares", NULL,
                               "one is of %d plies, which is not within %d-%d", plies, config->opening_min,
                               config->opening_max);
    }
    return WILLOW_OK;
}

enum willow_status run_config_set_shares(struct run_config *config, const double *shares, size_t count,
                                         struct willow_error *error)
{
    size_t wanted = (size_t)(config->opening_max - config->opening_min) + 1;
    double sum = 0;
    if (count != wanted)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "opening-shares", NULL,
                           "%zu for the %zu numbers of plies in %d-%d", count, wanted, config->opening_min,
                           config->opening_max);
    memset(config->opening_shares, 0, sizeof config->opening_shares);
    for (size_t i = 0; i < count; i++) {
        config->opening_shares[(size_t)config->opening_min + i] = shares[i];
        sum += shares[i];
    }
    if (sum == 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "opening-shares", NULL, "all of them are 0");
    return check_shares(config, error);
}

static enum willow_status check_opening(const struct run_config *config, struct willow_error *error)
{
    switch (config->opening) {
    case OPENINGS_ALL:
        if (config->opening_plies < 0 || config->opening_plies > OPENINGS_ALL_MAX)
            return out_of_range(error, "opening-plies", "0 .. 9");
        return WILLOW_OK;
    case OPENINGS_LIST:
        if (config->opening_list[0] == '\0')
            return willow_fail(error, WILLOW_ERR_ARGUMENT, "openings", NULL, "the name is empty");
        return WILLOW_OK;
    default:
        break;
    }
    if (config->opening_min < 0 || config->opening_max < config->opening_min ||
        config->opening_max > OPENINGS_PLIES_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "opening", NULL, "must be A-B with 0 <= A <= B <= %d",
                           (int)OPENINGS_PLIES_MAX);
    if (!within(config->opening_balance, 0, RUN_BALANCE_MAX))
        return out_of_range(error, "opening-balance", "0 .. 64 discs");
    return check_shares(config, error);
}

static enum willow_status check_moves(const struct run_config *config, struct willow_error *error)
{
    enum willow_status status = check_whole(config->depth, 1, RUN_DEPTH_MAX, "depth", error);
    if (!status)
        status = check_whole(config->exact, 0, RUN_EMPTIES_MAX, "exact", error);
    if (!status)
        status = check_whole(config->noise_plies, 0, RUN_PLIES_MAX, "noise-plies", error);
    if (status)
        return status;
    if (!is_selectivity(config->selectivity))
        return out_of_range(error, "selectivity", "73, 87, 95, 98, 99 or 100");
    if (!within(config->noise, 0, RUN_NOISE_MAX))
        return out_of_range(error, "noise", "0 .. 64 discs");
    if (!within(config->random_move, 0, 1))
        return out_of_range(error, "random-move", "0 .. 1");
    if (config->pool_count < 0 || config->pool_count > RUN_POOL_MAX)
        return out_of_range(error, "pool", "16 files at most");
    if (!within(config->pool_share, 0, 1))
        return out_of_range(error, "pool-share", "0 .. 1");
    for (int i = 0; i < config->pool_count; i++)
        if (config->pool[i][0] == '\0')
            return willow_fail(error, WILLOW_ERR_ARGUMENT, "pool", NULL, "the name is empty");
    if (config->policy == RUN_POLICY_MOBILITY && config->label != RUN_LABEL_NONE)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "policy", NULL, "mobility gives no scores: label must be none");
    if (config->policy == RUN_POLICY_MOBILITY && config->pool_count > 0)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "policy", NULL, "mobility asks no weights: a pool has no use");
    return WILLOW_OK;
}

static enum willow_status check_rows(const struct run_config *config, struct willow_error *error)
{
    if (config->ply_min < 0 || config->ply_max < config->ply_min || config->ply_max > RUN_PLIES_MAX)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "plies", NULL, "must be A-B with 0 <= A <= B <= %d",
                           (int)RUN_PLIES_MAX);
    if (!within(config->keep, 0, 1))
        return out_of_range(error, "keep", "0 .. 1");
    enum willow_status status = check_whole(config->positions, 0, RUN_PLIES_MAX, "positions", error);
    return status ? status : check_whole(config->tail, 0, RUN_EMPTIES_MAX, "tail", error);
}

/* What the build could do, but not on the ruleset's board. */
static enum willow_status check_board(const struct run_config *config, struct willow_error *error)
{
    const struct willow_ruleset *ruleset;
    enum willow_status status = run_config_ruleset(config, &ruleset, error);
    if (status)
        return status;
    const int moves = willow_board_empties(ruleset, ruleset->start), last_ply = willow_ruleset_squares(ruleset) - 4;
    const int opening = config->opening == OPENINGS_ALL      ? config->opening_plies
                        : config->opening == OPENINGS_RANDOM ? config->opening_max
                                                             : 0;
    if (opening >= moves)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, config->opening == OPENINGS_ALL ? "opening-plies" : "opening",
                           NULL, "%d plies leave nothing to play: %s has %d", opening, ruleset->name, moves);
    if (config->ply_min > last_ply)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "plies", NULL, "there are none of %d-%d: %s has 0-%d",
                           config->ply_min, config->ply_max, ruleset->name, last_ply);
    return WILLOW_OK;
}

enum willow_status run_config_check(const struct run_config *config, struct willow_error *error)
{
    enum willow_status status = check_size(config, error);
    if (!status)
        status = check_opening(config, error);
    if (!status)
        status = check_moves(config, error);
    if (!status)
        status = check_rows(config, error);
    return status ? status : check_board(config, error);
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
static void put_real(FILE *text, double value)
{
    char buffer[32];
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(buffer, sizeof buffer, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    (void)fputs(buffer, text);
}

/* Length of the line break that YAML sees at `at` beside line feed and carriage return, and its escape; 0 = none. */
static size_t unicode_break(const char *at, const char **escape)
{
    static const struct {
        const char *bytes, *escape;
    } breaks[] = {{"\xC2\x85", "\\N"}, {"\xE2\x80\xA8", "\\L"}, {"\xE2\x80\xA9", "\\P"}};
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        size_t length = strlen(breaks[i].bytes);
        if (strncmp(at, breaks[i].bytes, length) == 0) {
            *escape = breaks[i].escape;
            return length;
        }
    }
    return 0;
}

/* A name as the user gave it, whatever stands in it: double quotes are the only YAML style that can hold line breaks
 * unchanged. */
static void put_name(FILE *text, const char *prefix, const char *name)
{
    const char *escape = NULL;
    (void)fprintf(text, "%s\"", prefix);
    for (size_t length; *name; name += length) {
        unsigned char byte = (unsigned char)*name;
        length = unicode_break(name, &escape);
        if (length > 0) {
            (void)fputs(escape, text);
            continue;
        }
        length = 1;
        if (byte < 0x20)
            (void)fprintf(text, "\\x%02x", byte);
        else
            (void)fprintf(text, "%s%c", byte == '"' || byte == '\\' ? "\\" : "", byte);
    }
    (void)fputs("\"\n", text);
}

static bool has_shares(const struct run_config *config)
{
    for (int plies = 0; plies < OPENINGS_SHARES; plies++)
        if (config->opening_shares[plies] > 0)
            return true;
    return false;
}

/* Only the keys of the kind of opening: others decide nothing, and leaving them out keeps one meaning one text. */
static void put_opening(FILE *text, const struct run_config *config)
{
    (void)fprintf(text, "opening: %s\n", opening_names[config->opening]);
    if (config->opening == OPENINGS_ALL) {
        (void)fprintf(text, "opening_plies: %d\n", config->opening_plies);
        return;
    }
    if (config->opening == OPENINGS_LIST) {
        put_name(text, "openings: ", config->opening_list);
        put_name(text, "openings_checksum: ", config->opening_checksum);
        return;
    }
    (void)fprintf(text, "opening_min: %d\nopening_max: %d\n", config->opening_min, config->opening_max);
    for (int plies = config->opening_min; has_shares(config) && plies <= config->opening_max; plies++) {
        (void)fputs(plies == config->opening_min ? "opening_shares: [" : ", ", text);
        put_real(text, config->opening_shares[plies]);
        (void)fputs(plies == config->opening_max ? "]\n" : "", text);
    }
    (void)fputs("opening_balance: ", text);
    put_real(text, config->opening_balance);
    (void)fputs("\n", text);
}

static void put_pool(FILE *text, const struct run_config *config)
{
    if (config->pool_count == 0)
        return;
    (void)fputs("pool:\n", text);
    for (int i = 0; i < config->pool_count; i++)
        put_name(text, "  - ", config->pool[i]);
    (void)fputs("pool_checksums:\n", text);
    for (int i = 0; i < config->pool_count; i++)
        put_name(text, "  - ", config->pool_checksums[i]);
    (void)fputs("pool_share: ", text);
    put_real(text, config->pool_share);
    (void)fputs("\n", text);
}

static void put_config(FILE *text, const struct run_config *config)
{
    (void)fprintf(text,
                  "# Everything that decides the rows of this dataset. `willow selfplay run` takes it as it stands.\n"
                  "games: %" PRIu64 "\nseed: %" PRIu64 "\nshard_games: %" PRIu64 "\n",
                  config->games, config->seed, config->shard_games);
    (void)fprintf(text, "depth: %d\nexact: %d\nselectivity: %d\n", config->depth, config->exact, config->selectivity);
    put_opening(text, config);
    (void)fputs("noise: ", text);
    put_real(text, config->noise);
    (void)fprintf(text, "\nnoise_plies: %d\nrandom_move: ", config->noise_plies);
    put_real(text, config->random_move);
    (void)fputs("\n", text);
    put_pool(text, config);
    (void)fprintf(text, "plies: %d-%d\nkeep: ", config->ply_min, config->ply_max);
    put_real(text, config->keep);
    (void)fprintf(text, "\npositions: %d\nlabel: %s\ntail: %d\npolicy: %s\nhash: %d\n", config->positions,
                  label_names[config->label], config->tail, policy_names[config->policy], config->hash_mb);
    put_name(text, "weights: ", config->weights);
    put_name(text, "weights_checksum: ", config->weights_checksum);
    put_name(text, "ruleset: ", config->ruleset);
}

enum willow_status run_config_text(const struct run_config *config, char **text, struct willow_error *error)
{
    size_t size;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (stream)
        put_config(stream, config);
    bool failed = !stream || ferror(stream) != 0;
    if (stream && fclose(stream) != 0)
        failed = true;
    if (!failed)
        return WILLOW_OK;
    free(*text);
    *text = NULL;
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}
