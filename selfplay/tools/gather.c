/* A shard of a new dataset while its rows and games come together, in memory. Layer: selfplay. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

static enum willow_status grow(void **data, uint64_t *capacity, uint64_t needed, size_t size,
                               struct willow_error *error)
{
    if (needed <= *capacity)
        return WILLOW_OK;
    /* By a quarter: these are the largest pieces of memory that there are. */
    const uint64_t wanted = *capacity + *capacity / 4 > needed ? *capacity + *capacity / 4 : needed;
    void *grown = reallocarray(*data, (size_t)wanted, size);
    if (!grown)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    *data = grown;
    *capacity = wanted;
    return WILLOW_OK;
}

enum willow_status gather_reserve(struct gather *gather, uint64_t rows, uint64_t games, struct willow_error *error)
{
    void *data = gather->rows;
    enum willow_status status = grow(&data, &gather->rows_capacity, rows, sizeof *gather->rows, error);
    gather->rows = data;
    if (status)
        return status;
    data = gather->games;
    status = grow(&data, &gather->games_capacity, games, sizeof *gather->games, error);
    gather->games = data;
    return status;
}

enum willow_status gather_rows(struct gather *gather, const struct willow_row *rows, uint64_t count,
                               struct willow_error *error)
{
    enum willow_status status = gather_reserve(gather, gather->rows_count + count, 0, error);
    if (status)
        return status;
    if (count > 0)
        memcpy(gather->rows + gather->rows_count, rows, (size_t)count * sizeof *rows);
    gather->rows_count += count;
    return WILLOW_OK;
}

enum willow_status gather_game(struct gather *gather, const struct willow_game_row *game, struct willow_error *error)
{
    enum willow_status status = gather_reserve(gather, 0, gather->games_count + 1, error);
    if (!status)
        gather->games[gather->games_count++] = *game;
    return status;
}

static int compare_games(const void *left, const void *right)
{
    const struct willow_game_row *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

enum willow_status gather_write(struct gather *gather, struct target *target, struct willow_error *error)
{
    if (gather->games_count > 0)
        qsort(gather->games, (size_t)gather->games_count, sizeof *gather->games, compare_games);
    enum willow_status status =
        target_add(target, gather->rows, gather->rows_count, gather->games, gather->games_count, error);
    gather->rows_count = gather->games_count = 0;
    return status;
}

void gather_clear(struct gather *gather)
{
    free(gather->rows);
    free(gather->games);
    *gather = (struct gather){0};
}
