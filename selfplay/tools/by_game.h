/* The rows of one shard put in the order of its games. Layer: selfplay. */
#ifndef WILLOW_SELFPLAY_BY_GAME_H
#define WILLOW_SELFPLAY_BY_GAME_H

#include <willow/dataset.h>

struct by_game {
    struct willow_row *rows;
    uint64_t *start;                     /* those of game g are rows start[g] .. start[g + 1] - 1, by rising ply */
    const struct willow_game_row *games; /* as given */
    uint64_t games_count;
};

/* The rows are in a shard's order, the ids of the games rise. WILLOW_ERR_FORMAT (a row whose game is not there, ids
 * that do not rise; names the folder), _MEMORY. The caller clears, also after a failure. */
enum willow_status by_game_sort(struct by_game *sorted, const struct willow_row *rows, uint64_t count,
                                const struct willow_game_row *games, uint64_t games_count, const char *folder,
                                struct willow_error *error);
void by_game_clear(struct by_game *sorted);

#endif
