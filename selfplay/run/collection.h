/* A shard whose games are still coming in, in whatever order they are finished. Layer: selfplay. */
#ifndef WILLOW_SELFPLAY_COLLECTION_H
#define WILLOW_SELFPLAY_COLLECTION_H

#include "play.h"

struct collection {
    uint64_t games_done, rows_count, rows_capacity;
    struct willow_row *rows;       /* in order of arrival; a shard's writer sorts them */
    struct willow_game_row *games; /* in order of games */
};

/* Copies the game to its place `index` among the shard's `games`. WILLOW_ERR_MEMORY. */
enum willow_status collection_add(struct collection *collection, uint64_t index, uint64_t games,
                                  const struct played_game *played, struct willow_error *error);

/* Empties it for another shard; the memory is kept. */
void collection_reset(struct collection *collection);
void collection_clear(struct collection *collection);

#endif
