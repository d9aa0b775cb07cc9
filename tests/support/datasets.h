/* Datasets for tests: games of random moves as rows, whole datasets of them, and all rows of a folder compared. */
#ifndef TESTS_DATASETS_H
#define TESTS_DATASETS_H

#include <stdbool.h>
#include <stddef.h>

#include <willow/dataset.h>

/* Games of random moves, ids first, first + 1, ..., and all their rows; some rows have a made-up score. The caller
 * frees both. Game and rows are fixed by seed and id. */
struct willow_row *datasets_random_games(uint64_t seed, uint64_t first, size_t games, struct willow_game_row **records,
                                         size_t *count);

/* The same by another ruleset than the build's default; of a placement phase there are moves and no rows. */
struct willow_row *datasets_games_of(const struct willow_ruleset *ruleset, uint64_t seed, uint64_t first, size_t games,
                                     struct willow_game_row **records, size_t *count);

/* Called for each row before it is written; may set score, depth, selectivity, result and flags. A score without a
 * selectivity gets 100. */
typedef void datasets_label(struct willow_row *row, void *context);

/* Writes folder (which must not exist, or be empty) with `shards` shards of `games` random games each and its manifest.
 * label may be null: rows then have results and no scores. False when something failed. */
bool datasets_write_random(const char *folder, uint64_t seed, uint32_t shards, uint32_t games, datasets_label *label,
                           void *context);
bool datasets_write_of(const struct willow_ruleset *ruleset, const char *folder, uint64_t seed, uint32_t shards,
                       uint32_t games, datasets_label *label, void *context);

/* The same with made-up scores and a layout for each shard; returns all rows in the order of the shards, as they were
 * before any of them was read. The caller frees. Ends the test program when something fails. */
struct willow_row *datasets_write_scored(const char *folder, uint64_t seed, const enum willow_shard_layout *layouts,
                                         uint32_t shards, uint32_t games, size_t *count);

/* All rows of a dataset in the reader's order; the caller frees. Ends the test program when the reader fails. */
struct willow_row *datasets_rows(const char *folder, size_t *count);

/* Field by field; reports the first difference on stderr. */
bool datasets_rows_equal(const struct willow_row *a, size_t a_count, const struct willow_row *b, size_t b_count);

#endif
