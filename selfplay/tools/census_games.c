/* Counts games: openings, repetitions, results, passes, how earlier weights did. Layer: selfplay. */
#include <stdlib.h>
#include <string.h>

#include "census.h"

static enum willow_status reserve(struct census_hashes *hashes, uint64_t more, struct willow_error *error)
{
    if (hashes->capacity - hashes->count >= more)
        return WILLOW_OK;
    /* Shards hold less than 2^33 games each, so the sum does not overflow. */
    size_t capacity = hashes->count + hashes->count / 2 + (size_t)more;
    uint64_t *openings = reallocarray(hashes->openings, capacity, sizeof *openings);
    if (openings)
        hashes->openings = openings;
    uint64_t *games = reallocarray(hashes->games, capacity, sizeof *games);
    if (games)
        hashes->games = games;
    if (!openings || !games)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, "games", "out of memory");
    hashes->capacity = capacity;
    return WILLOW_OK;
}

/* Of the position that the opening leads to, up to symmetry. Moves that cannot be played (verify names them) end it. */
static uint64_t hash_opening(const struct willow_ruleset *ruleset, const struct willow_game_row *row)
{
    struct willow_game game;
    willow_game_init(&game, ruleset);
    for (int i = 0, plies = 0; i < row->length && plies < row->opening_plies; i++) {
        if (willow_game_play(&game, row->moves[i], NULL) != WILLOW_OK)
            break;
        plies += row->moves[i] != WILLOW_PASS;
    }
    return willow_board_hash(willow_board_canonical(ruleset, willow_game_board(&game), NULL));
}

/* Of the moves, in the image whose moves come first in order: all images of a game under the symmetries of the board
 * have the same. */
static uint64_t hash_game(const struct willow_ruleset *ruleset, const struct willow_game_row *row)
{
    willow_square least[WILLOW_GAME_MAX], image[WILLOW_GAME_MAX];
    memcpy(least, row->moves, row->length);
    for (int symmetry = 1; symmetry < WILLOW_SYMMETRIES; symmetry++) {
        if (!willow_ruleset_symmetric(ruleset, symmetry))
            continue;
        for (int i = 0; i < row->length; i++)
            image[i] =
                row->moves[i] == WILLOW_PASS ? row->moves[i] : willow_square_symmetry(ruleset, row->moves[i], symmetry);
        if (memcmp(image, least, row->length) < 0)
            memcpy(least, image, row->length);
    }
    return willow_checksum64(least, row->length);
}

static void count_pool(struct census_games *census, const struct willow_game_row *row)
{
    if (row->black_weights && row->white_weights) {
        census->pool_both++;
        return;
    }
    if (!row->black_weights && !row->white_weights)
        return;
    int result = row->black_weights ? row->result : -row->result;
    struct census_pool *pool = &census->pool[row->black_weights | row->white_weights];
    pool->games++;
    pool->wins += result > 0;
    pool->draws += result == 0;
    pool->discs += result;
}

static void count_game(struct census_games *census, const struct willow_game_row *row)
{
    uint64_t passes = 0;
    for (int i = 0; i < row->length; i++)
        passes += row->moves[i] == WILLOW_PASS;
    census->games++;
    census->openings[row->opening_plies < WILLOW_PLIES ? row->opening_plies : WILLOW_PLIES - 1]++;
    census->black_wins += row->result > 0;
    census->draws += row->result == 0;
    census->discs += row->result;
    census->moves += row->length - passes;
    census->passes += passes;
    census->passed += passes > 0;
    count_pool(census, row);
}

enum willow_status census_games_add(struct census_games *census, struct census_hashes *hashes,
                                    const struct willow_ruleset *ruleset, const struct willow_game_row *games,
                                    uint64_t count, struct willow_error *error)
{
    enum willow_status status = reserve(hashes, count, error);
    for (uint64_t i = 0; !status && i < count; i++) {
        count_game(census, &games[i]);
        hashes->openings[hashes->count] = hash_opening(ruleset, &games[i]);
        hashes->games[hashes->count++] = hash_game(ruleset, &games[i]);
    }
    return status;
}

static int compare_hashes(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static uint64_t count_distinct(uint64_t *hashes, size_t count)
{
    if (count == 0)
        return 0;
    qsort(hashes, count, sizeof *hashes, compare_hashes);
    uint64_t distinct = 1;
    for (size_t i = 1; i < count; i++)
        distinct += hashes[i] != hashes[i - 1];
    return distinct;
}

void census_games_finish(struct census_games *census, struct census_hashes *hashes)
{
    census->distinct_openings = count_distinct(hashes->openings, hashes->count);
    census->distinct = count_distinct(hashes->games, hashes->count);
    free(hashes->openings);
    free(hashes->games);
    memset(hashes, 0, sizeof *hashes);
}
