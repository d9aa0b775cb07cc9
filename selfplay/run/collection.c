/* Collects the games of a shard. Layer: selfplay. */
#include "collection.h"

#include <stdlib.h>
#include <string.h>

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for the games of a shard");
}

enum willow_status collection_add(struct collection *collection, uint64_t index, uint64_t games,
                                  const struct played_game *played, struct willow_error *error)
{
    if (!collection->games) {
        collection->games = calloc((size_t)games, sizeof *collection->games);
        if (!collection->games)
            return out_of_memory(error);
    }
    uint64_t needed = collection->rows_count + (uint64_t)played->count;
    if (needed > collection->rows_capacity) {
        uint64_t capacity = needed + needed / 2 + PLAY_ROWS_MAX;
        struct willow_row *grown = reallocarray(collection->rows, (size_t)capacity, sizeof *grown);
        if (!grown)
            return out_of_memory(error);
        collection->rows = grown;
        collection->rows_capacity = capacity;
    }
    collection->games[index] = played->game;
    if (played->count > 0)
        memcpy(collection->rows + collection->rows_count, played->rows, (size_t)played->count * sizeof *played->rows);
    collection->rows_count = needed;
    collection->games_done++;
    return WILLOW_OK;
}

void collection_reset(struct collection *collection)
{
    collection->games_done = collection->rows_count = 0;
}

void collection_clear(struct collection *collection)
{
    free(collection->rows);
    free(collection->games);
    *collection = (struct collection){0};
}
