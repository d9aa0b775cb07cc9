/* Tracks the random moves of games through the rows of a shard; see random_moves.h. Layer: trainer.
 *
 * The games of a block come in rising order, so the list of what was known before is walked along with the rows, and
 * the list of what is known now grows in the same order: nothing is searched.
 */
#include "random_moves.h"

#include <limits.h>
#include <stdlib.h>

enum { NO_PLY = -1000 }; /* farther than any distance */

struct random_move {
    uint64_t game;
    int ply;
};

void random_moves_clear(struct random_moves *moves)
{
    free(moves->before);
    free(moves->now);
    *moves = (struct random_moves){0};
}

void random_moves_restart(struct random_moves *moves)
{
    moves->before_count = moves->now_count = moves->at = 0;
    moves->started = false;
}

static enum willow_status remember(struct random_moves *moves, uint64_t game, int ply, struct willow_error *error)
{
    if (moves->now_count == moves->now_room) {
        const size_t room = moves->now_room > 0 ? 2 * moves->now_room : 256;
        struct random_move *now = reallocarray(moves->now, room, sizeof *now);
        if (!now)
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for the games of a shard");
        moves->now = now;
        moves->now_room = room;
    }
    moves->now[moves->now_count++] = (struct random_move){game, ply};
    return WILLOW_OK;
}

/* The row before was the last one of its game in this block. */
static enum willow_status leave_game(struct random_moves *moves, struct willow_error *error)
{
    const int last = moves->random ? moves->ply : moves->last;
    if (!moves->started || last == NO_PLY)
        return WILLOW_OK;
    return remember(moves, moves->game, last, error);
}

/* Keeps what is known of games before `game` that have no row in this block; end = all of them. */
static enum willow_status skip_games(struct random_moves *moves, uint64_t game, bool end, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (; !status && moves->at < moves->before_count && (end || moves->before[moves->at].game < game); moves->at++)
        status = remember(moves, moves->before[moves->at].game, moves->before[moves->at].ply, error);
    return status;
}

static enum willow_status end_block(struct random_moves *moves, struct willow_error *error)
{
    const enum willow_status status = skip_games(moves, 0, true, error);
    if (status)
        return status;
    struct random_move *freed = moves->before;
    const size_t room = moves->before_room;
    moves->before = moves->now;
    moves->before_room = moves->now_room;
    moves->before_count = moves->now_count;
    moves->now = freed;
    moves->now_room = room;
    moves->now_count = moves->at = 0;
    return WILLOW_OK;
}

static enum willow_status enter_game(struct random_moves *moves, uint64_t game, struct willow_error *error)
{
    enum willow_status status = leave_game(moves, error);
    /* Only where a block begins do ids fall. A block that begins with a greater one changes nothing: its rows continue
     * the lists. */
    if (!status && moves->started && game < moves->game)
        status = end_block(moves, error);
    if (!status)
        status = skip_games(moves, game, false, error);
    moves->started = true;
    moves->game = game;
    moves->last = NO_PLY;
    moves->random = false;
    if (moves->at < moves->before_count && moves->before[moves->at].game == game)
        moves->last = moves->before[moves->at++].ply;
    return status;
}

enum willow_status random_moves_next(struct random_moves *moves, const struct willow_row *row, int *since,
                                     struct willow_error *error)
{
    if (!moves->started || row->game != moves->game) {
        const enum willow_status status = enter_game(moves, row->game, error);
        if (status)
            return status;
    } else if (moves->random && row->ply > moves->ply) {
        moves->last = moves->ply;
        moves->random = false;
    }
    if (row->flags & WILLOW_ROW_AFTER_RANDOM && moves->last < row->ply - 1)
        moves->last = row->ply - 1;
    moves->ply = row->ply;
    moves->random = moves->random || row->flags & WILLOW_ROW_RANDOM;
    *since = moves->last == NO_PLY ? INT_MAX : row->ply - 1 - moves->last;
    return WILLOW_OK;
}
