/* Counts what a dataset holds: rows by ply, labels, flags, errors of scores against results. Layer: selfplay. Prints
 * nothing. */
#ifndef WILLOW_SELFPLAY_CENSUS_H
#define WILLOW_SELFPLAY_CENSUS_H

#include <willow/dataset.h>

enum { CENSUS_PLIES = 61, CENSUS_BINS = 17, CENSUS_BIN_DISCS = 8, CENSUS_FLAGS = 4 };

struct census_ply {
    uint64_t rows, scored, exact;
    double score_result_error; /* sum of |score - result| in discs over scored rows */
};

struct census {
    const struct willow_ruleset *ruleset;
    uint64_t seed, planned_games, shards, games, rows, size_bytes;
    uint64_t flags[CENSUS_FLAGS];  /* rows with bit 0 .. 3 of willow_row.flags */
    uint64_t results[CENSUS_BINS]; /* bin b holds results nearest to 8 * (b - 8) discs */
    uint64_t scores[CENSUS_BINS];  /* the same of scores */
    uint64_t scored;
    struct census_ply plies[CENSUS_PLIES];
};

/* Reads all rows of the folder once. What willow_manifest_read and the reader give. */
enum willow_status census_take(const char *folder, struct census *census, struct willow_error *error);

#endif
