/* One game of self-play, fixed by configuration, weights, opening and game index alone. Layer: selfplay. No threads, no
 * files.
 */
#ifndef WILLOW_SELFPLAY_PLAY_H
#define WILLOW_SELFPLAY_PLAY_H

#include <willow/dataset.h>
#include <willow/search.h>

#include "openings.h"
#include "run_config.h"

enum { PLAY_ROWS_MAX = WILLOW_SQUARES };

struct played_game {
    uint64_t ticket; /* of the run that hands it over; play_game leaves it alone */
    struct willow_game_row game;
    int count;
    struct willow_row rows[PLAY_ROWS_MAX];
};

struct play_options {
    const struct run_config *config; /* resolved and checked */
    const struct willow_ruleset *ruleset;
    struct willow_search *const
        *searches;                  /* [0] with the run's weights, [k] with the k-th of the pool, 1 .. pool_count */
    const struct willow_stop *stop; /* null = none */
};

/* Plays game `index` of the run from its opening with cleared searches. WILLOW_ERR_STOPPED when `stop` ended it:
 * *played is then void. WILLOW_ERR_ARGUMENT when a search gave an illegal move, which is a defect. */
enum willow_status play_game(const struct play_options *options, uint64_t index, const struct opening *opening,
                             struct played_game *played, struct willow_error *error);

#endif
