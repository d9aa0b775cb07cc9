/* The rows of one shard put in the order of its games, in time proportional to both. Layer: selfplay. */
#include "by_game.h"

#include <inttypes.h>
#include <stdlib.h>

/* The index of a row's game. Within a block of plies the games of the rows rise, so the search goes on from the last
 * answer and begins anew where the next block does. */
static uint64_t find_game(const struct by_game *sorted, uint64_t id, uint64_t last)
{
    uint64_t game = last;
    if (game == sorted->games_count || sorted->games[game].id > id)
        game = 0;
    while (game < sorted->games_count && sorted->games[game].id < id)
        game++;
    return game;
}

static enum willow_status count_rows(struct by_game *sorted, const struct willow_row *rows, uint64_t count,
                                     const char *folder, struct willow_error *error)
{
    for (uint64_t g = 1; g < sorted->games_count; g++)
        if (sorted->games[g].id <= sorted->games[g - 1].id)
            return willow_fail(error, WILLOW_ERR_FORMAT, folder, "/games", "the ids of the games do not rise");
    for (uint64_t i = 0, game = 0; i < count; i++) {
        game = find_game(sorted, rows[i].game, game);
        if (game == sorted->games_count || sorted->games[game].id != rows[i].game)
            return willow_fail(error, WILLOW_ERR_FORMAT, folder, "/positions", "game %" PRIu64 " is not in /games",
                               rows[i].game);
        sorted->start[game + 1]++;
    }
    for (uint64_t g = 0; g < sorted->games_count; g++)
        sorted->start[g + 1] += sorted->start[g];
    return WILLOW_OK;
}

enum willow_status by_game_sort(struct by_game *sorted, const struct willow_row *rows, uint64_t count,
                                const struct willow_game_row *games, uint64_t games_count, const char *folder,
                                struct willow_error *error)
{
    *sorted = (struct by_game){.games = games, .games_count = games_count};
    sorted->start = calloc((size_t)games_count + 1, sizeof *sorted->start);
    sorted->rows = calloc((size_t)count + 1, sizeof *sorted->rows);
    uint64_t *next = calloc((size_t)games_count + 1, sizeof *next);
    if (!sorted->start || !sorted->rows || !next) {
        free(next);
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    }
    enum willow_status status = count_rows(sorted, rows, count, folder, error);
    for (uint64_t i = 0, game = 0; !status && i < count; i++) {
        game = find_game(sorted, rows[i].game, game);
        sorted->rows[sorted->start[game] + next[game]++] = rows[i];
    }
    free(next);
    return status;
}

void by_game_clear(struct by_game *sorted)
{
    free(sorted->rows);
    free(sorted->start);
    *sorted = (struct by_game){0};
}
