/* One shard file opened for reading, and the layout that writer and reader share. Layer: selfplay/dataset, internal. */
#ifndef SELFPLAY_DATASET_SHARD_H
#define SELFPLAY_DATASET_SHARD_H

#include <willow/dataset.h>

#include "column.h"
#include "row.h"
#include "shard_files.h"

/* The first ones are those of version 1. A wide shard has two more, and there is none of version 1. */
enum {
    SHARD_VERSION_FIRST = WILLOW_BITS_WORDS > 1 ? 2 : 1,
    SHARD_POSITION_COLUMNS = WILLOW_BITS_WORDS > 1 ? 12 : 10,
    SHARD_POSITION_COLUMNS_1 = 9,
    SHARD_GAME_COLUMNS = 7,
    SHARD_GAME_COLUMNS_1 = 5,
    SHARD_PATH_MAX = 4096
};

extern const struct column shard_position_columns[SHARD_POSITION_COLUMNS];
extern const struct column shard_game_columns[SHARD_GAME_COLUMNS];

#define SHARD_FORMAT_NARROW "willow-dataset"
#define SHARD_FORMAT_WIDE "willow-wide-dataset"
#ifdef WILLOW_WIDE
#define SHARD_FORMAT SHARD_FORMAT_WIDE
#else
#define SHARD_FORMAT SHARD_FORMAT_NARROW
#endif

/* Sanity limit of the counts in a header; keeps size arithmetic far from overflow. */
#define SHARD_ROWS_MAX ((uint64_t)1 << 32)

struct shard {
    char path[SHARD_PATH_MAX];
    const struct willow_ruleset *ruleset;
    struct willow_shard_info info; /* configuration is null */
    uint32_t version;
    struct row_layout layout;
    hid_t file;
    hid_t positions[SHARD_POSITION_COLUMNS], games[SHARD_GAME_COLUMNS];
    size_t positions_count, games_count; /* columns that this version has */
    void *scratch;
};

/* Opens and checks format, version, ruleset, completeness, shapes and the rows of each ply. The caller closes, also
 * after a failure. A shard that was closed or never opened must be all zero or closed before; shard_close accepts it.
 */
enum willow_status shard_open(struct shard *shard, const char *path, struct willow_error *error);
void shard_close(struct shard *shard);

/* Any number of rows; checked with row_fault and against the order of the shard. */
enum willow_status shard_rows(struct shard *shard, uint64_t first, uint64_t count, struct willow_row *rows,
                              struct willow_error *error);
enum willow_status shard_games(struct shard *shard, uint64_t first, uint64_t count, struct willow_game_row *games,
                               struct willow_error *error);

#endif
