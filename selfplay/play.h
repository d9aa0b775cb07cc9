/* One game of self-play, fixed by configuration, weights and game index alone. Layer: selfplay. No threads, no files.
 */
#ifndef WILLOW_SELFPLAY_PLAY_H
#define WILLOW_SELFPLAY_PLAY_H

#include <willow/dataset.h>
#include <willow/search.h>

#include "run_config.h"

enum { PLAY_ROWS_MAX = 64 };

struct played_game {
    uint64_t ticket; /* of the run that hands it over; play_game leaves it alone */
    struct willow_game_row game;
    int count;
    struct willow_row rows[PLAY_ROWS_MAX];
};

/* Plays game `index` of the run with a cleared search. WILLOW_ERR_STOPPED when `stop` (may be null) ended it: *played
 * is then void. WILLOW_ERR_ARGUMENT when the search gave an illegal move, which is a defect. */
enum willow_status play_game(const struct run_config *config, const struct willow_ruleset *ruleset,
                             struct willow_search *search, uint64_t index, const struct willow_stop *stop,
                             struct played_game *played, struct willow_error *error);

#endif
