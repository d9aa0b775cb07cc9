/* Self-play games for tests that need some: the opening drawn and the game played in one call. */
#ifndef TESTS_SUPPORT_GAMES_H
#define TESTS_SUPPORT_GAMES_H

#include "selfplay/run/play.h"

/* Game `index` of a run of random openings with this configuration, as a run would play it. */
enum willow_status games_play(const struct run_config *config, struct willow_search *search, uint64_t index,
                              struct played_game *played);

/* The same with the searches of a pool: [0] of the run, [k] of the k-th of the pool. */
enum willow_status games_play_pool(const struct run_config *config, struct willow_search *const *searches,
                                   uint64_t index, struct played_game *played);

#endif
