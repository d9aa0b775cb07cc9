/* Self-play games for tests that need some. */
#include "support/games.h"

enum willow_status games_play_pool(const struct run_config *config, struct willow_search *const *searches,
                                   uint64_t index, struct played_game *played)
{
    const struct willow_ruleset *ruleset;
    enum willow_status status = run_config_ruleset(config, &ruleset, NULL);
    if (status)
        return status;
    const struct openings_options drawing = {.kind = OPENINGS_RANDOM,
                                             .ruleset = ruleset,
                                             .seed = config->seed,
                                             .plies_min = config->opening_min,
                                             .plies_max = config->opening_max,
                                             .repeat = true};
    const struct play_options options = {.config = config, .ruleset = ruleset, .searches = searches};
    struct openings *openings;
    struct opening opening;
    status = openings_new(&drawing, &openings, NULL);
    if (status)
        return status;
    status = openings_take(openings, index, &opening, NULL);
    if (!status)
        status = play_game(&options, index, &opening, played, NULL);
    openings_free(openings);
    return status;
}

enum willow_status games_play(const struct run_config *config, struct willow_search *search, uint64_t index,
                              struct played_game *played)
{
    return games_play_pool(config, &search, index, played);
}
