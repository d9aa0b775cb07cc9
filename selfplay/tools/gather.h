/* A shard of a new dataset while its rows and games come together. Layer: selfplay. */
#ifndef WILLOW_SELFPLAY_GATHER_H
#define WILLOW_SELFPLAY_GATHER_H

#include "target.h"

/* Zeroed = empty. */
struct gather {
    struct willow_row *rows;
    struct willow_game_row *games;
    uint64_t rows_count, games_count, rows_capacity, games_capacity;
};

/* WILLOW_ERR_MEMORY; nothing is added then. */
enum willow_status gather_reserve(struct gather *gather, uint64_t rows, uint64_t games, struct willow_error *error);
enum willow_status gather_rows(struct gather *gather, const struct willow_row *rows, uint64_t count,
                               struct willow_error *error);
enum willow_status gather_game(struct gather *gather, const struct willow_game_row *game, struct willow_error *error);

/* Writes what was gathered as the next shard, games by rising id, and empties it. What target_add gives. */
enum willow_status gather_write(struct gather *gather, struct target *target, struct willow_error *error);
void gather_clear(struct gather *gather);

#endif
