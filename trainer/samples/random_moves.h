/* How long ago the last move of a row's game was played that was not the search's, as the rows of a shard tell when
 * they come in its order (block of plies, game, ply). Reads no file. Layer: trainer.
 */
#ifndef TRAINER_RANDOM_MOVES_H
#define TRAINER_RANDOM_MOVES_H

#include <willow/dataset.h>

/* What is known of the games of a shard that had such a move: two lists by game. Zeroed storage is ready for use;
 * memory is bounded by the games of one shard. Opaque. */
struct random_moves {
    struct random_move *before, *now; /* of the games of the blocks before, and of those that were passed in this one */
    size_t before_count, before_room, now_count, now_room;
    size_t at; /* the first of `before` that was not passed */
    uint64_t game;
    int last, ply; /* of the current game: ply of the last such move before its current row; ply of that row */
    bool started, random;
};

void random_moves_clear(struct random_moves *moves);

/* Before the first row of each shard. */
void random_moves_restart(struct random_moves *moves);

/* Takes the next row. *since is the number of plies since the last such move before it, 0 where that was the last one,
 * and INT_MAX where none is known: a move counts when its own row is flagged WILLOW_ROW_RANDOM or the row after it
 * WILLOW_ROW_AFTER_RANDOM; moves of which no row says anything count as the search's. A pass is no ply.
 * WILLOW_ERR_MEMORY. */
enum willow_status random_moves_next(struct random_moves *moves, const struct willow_row *row, int *since,
                                     struct willow_error *error);

#endif
