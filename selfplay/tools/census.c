/* Counts what a dataset holds, in one pass of the reader. Layer: selfplay. */
#include "census.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dataset/shard_files.h"

enum { BLOCK_ROWS = 16384 };

static int bin_of(double discs)
{
    return (int)lround(discs / CENSUS_BIN_DISCS) + CENSUS_BINS / 2;
}

static void count_row(struct census *census, const struct willow_row *row)
{
    struct census_ply *ply = &census->plies[row->ply];
    ply->rows++;
    for (int bit = 0; bit < CENSUS_FLAGS; bit++)
        census->flags[bit] += row->flags >> bit & 1;
    census->results[bin_of(row->result)]++;
    if (row->score == WILLOW_SCORE_MISSING)
        return;
    double score = (double)row->score / WILLOW_SCORE_DISC;
    census->scored++;
    census->scores[bin_of(score)]++;
    ply->scored++;
    ply->exact += (row->flags & WILLOW_ROW_EXACT) != 0;
    ply->score_result_error += fabs(score - row->result);
}

static enum willow_status count_rows(const char *folder, struct census *census, struct willow_error *error)
{
    struct willow_reader *reader;
    enum willow_status status =
        willow_reader_open(&folder, 1, 0, CENSUS_PLIES - 1, census->ruleset, false, &reader, error);
    if (status)
        return status;
    struct willow_row *rows = calloc(BLOCK_ROWS, sizeof *rows);
    if (!rows)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    for (size_t count = 1; !status && count > 0;) {
        status = willow_reader_next(reader, rows, BLOCK_ROWS, &count, error);
        for (size_t i = 0; !status && i < count; i++)
            count_row(census, &rows[i]);
    }
    free(rows);
    willow_reader_free(reader);
    return status;
}

enum willow_status census_take(const char *folder, struct census *census, struct willow_error *error)
{
    struct willow_manifest manifest;
    memset(census, 0, sizeof *census);
    enum willow_status status = willow_manifest_read(folder, &manifest, error);
    if (status)
        return status;
    census->ruleset = willow_ruleset_by_id(manifest.ruleset);
    census->seed = manifest.seed;
    census->planned_games = manifest.planned_games;
    census->shards = manifest.count;
    for (size_t i = 0; i < manifest.count; i++) {
        census->rows += manifest.shards[i].rows;
        census->games += manifest.shards[i].games;
        census->size_bytes += shard_file_bytes(folder, manifest.shards[i].number);
    }
    willow_manifest_clear(&manifest);
    return count_rows(folder, census, error);
}
