/* Counts rows, in one pass over the data that the search for duplicates shares. Layer: selfplay. */
#include "census.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dataset/shard_files.h"
#include "duplicates.h"

enum { BLOCK_ROWS = 16384, PATH_BYTES = 4096 };

/* Halves go away from zero, so that the two sides are counted alike. */
static int bin_of(int score)
{
    enum { WIDTH = CENSUS_BIN_DISCS * WILLOW_SCORE_DISC };
    return (score + (score < 0 ? -WIDTH / 2 : WIDTH / 2)) / WIDTH + CENSUS_BINS / 2;
}

static void count_fit(struct census_fit *fit, int64_t score, int64_t result)
{
    int64_t difference = result - score;
    fit->rows++;
    fit->score += score;
    fit->result += result;
    fit->score_square += (uint64_t)(score * score);
    fit->result_square += (uint64_t)(result * result);
    fit->product += score * result;
    fit->absolute_difference += (uint64_t)(difference < 0 ? -difference : difference);
    fit->difference_square += (uint64_t)(difference * difference);
}

static void count_row(struct census *census, const struct willow_row *row)
{
    struct census_ply *ply = &census->plies[row->ply];
    int result = row->result * WILLOW_SCORE_DISC;
    ply->rows++;
    for (int bit = 0; bit < CENSUS_FLAGS; bit++)
        census->flags[bit] += row->flags >> bit & 1;
    census->results[bin_of(result)]++;
    if (row->score == WILLOW_SCORE_MISSING)
        return;
    int bin = bin_of(row->score);
    census->scores[bin]++;
    census->density[bin][bin_of(result)]++;
    census->result_by_score[bin] += row->result;
    count_fit(&ply->fit, row->score, result);
    ply->selective += (row->flags & WILLOW_ROW_SELECTIVE) != 0;
    if (row->flags & WILLOW_ROW_EXACT) {
        ply->exact++;
    } else {
        ply->searched++;
        ply->depth += row->depth;
        census->kinds[row->depth][row->selectivity]++;
    }
}

struct counting {
    struct census *census;
    const struct census_options *options;
};

static void count_given_row(void *context, const struct willow_row *row)
{
    count_row(((struct counting *)context)->census, row);
}

static void pass_progress_on(void *context, uint64_t rows_done, uint64_t rows_total)
{
    const struct census_options *options = ((struct counting *)context)->options;
    options->progress(options->context, rows_done, rows_total);
}

static enum willow_status count_distinct(const struct census_options *options, struct census *census,
                                         struct willow_error *error)
{
    struct counting counting = {census, options};
    struct duplicates_summary summary;
    struct duplicates_options search = {.folders = options->folders,
                                        .count = options->count,
                                        .ruleset = census->ruleset,
                                        .memory_bytes = options->memory_bytes,
                                        .stop = options->stop,
                                        .row = count_given_row,
                                        .progress = options->progress ? pass_progress_on : NULL,
                                        .context = &counting};
    enum willow_status status = duplicates_find(&search, &summary, error);
    if (status)
        return status;
    census->duplicates = true;
    census->distinct = summary.distinct;
    for (int ply = 0; ply < WILLOW_PLIES; ply++)
        census->plies[ply].distinct = summary.distinct_by_ply[ply];
    return WILLOW_OK;
}

static enum willow_status count_rows(const struct census_options *options, struct census *census,
                                     struct willow_error *error)
{
    struct willow_reader *reader;
    enum willow_status status = willow_reader_open(options->folders, options->count, 0, WILLOW_PLIES - 1,
                                                   census->ruleset, false, &reader, error);
    if (status)
        return status;
    struct willow_row *rows = calloc(BLOCK_ROWS, sizeof *rows);
    if (!rows)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    uint64_t done = 0;
    for (size_t count = 1; !status && count > 0;) {
        status = options->stop && willow_stop_get(options->stop)
                     ? willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped")
                     : willow_reader_next(reader, rows, BLOCK_ROWS, &count, error);
        for (size_t i = 0; !status && i < count; i++)
            count_row(census, &rows[i]);
        done += count;
        if (!status && options->progress)
            options->progress(options->context, done, willow_reader_rows(reader));
    }
    free(rows);
    willow_reader_free(reader);
    return status;
}

static bool same_origin(const struct willow_shard_info *a, const struct willow_shard_info *b)
{
    return strcmp(a->tool, b->tool) == 0 && strcmp(a->weights, b->weights) == 0 && strcmp(a->labels, b->labels) == 0;
}

static enum willow_status read_shard(struct census *census, struct census_folder *folder, uint32_t number,
                                     struct census_hashes *hashes, struct willow_error *error)
{
    char path[PATH_BYTES];
    struct willow_shard_info info;
    struct willow_game_row *games = NULL;
    enum willow_status status = shard_path(path, sizeof path, folder->path, number, error);
    if (!status)
        status = willow_shard_read(path, &info, NULL, &games, error);
    if (!status) {
        if (folder->shards == 0)
            folder->first = info;
        folder->shards_differ = folder->shards_differ || !same_origin(&folder->first, &info);
        folder->shards++;
        folder->rows += info.rows;
        folder->games += info.games;
        folder->size_bytes += shard_file_bytes(folder->path, number);
        status = census_games_add(&census->games, hashes, census->ruleset, games, info.games, error);
    }
    free(games);
    return status;
}

static enum willow_status read_folder(const struct census_options *options, struct census *census,
                                      struct census_folder *folder, struct census_hashes *hashes,
                                      struct willow_error *error)
{
    struct willow_manifest manifest;
    enum willow_status status = willow_manifest_read(folder->path, &manifest, error);
    if (status)
        return status;
    const struct willow_ruleset *ruleset = willow_ruleset_by_id(manifest.ruleset);
    if (!census->ruleset)
        census->ruleset = ruleset;
    if (census->ruleset != ruleset)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, folder->path, NULL, "the dataset is of ruleset %s, not of %s",
                             ruleset->name, census->ruleset->name);
    folder->seed = manifest.seed;
    folder->planned_games = manifest.planned_games;
    for (size_t i = 0; !status && i < manifest.count; i++)
        status = options->stop && willow_stop_get(options->stop)
                     ? willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped")
                     : read_shard(census, folder, manifest.shards[i].number, hashes, error);
    willow_manifest_clear(&manifest);
    census->shards += folder->shards;
    census->rows += folder->rows;
    census->size_bytes += folder->size_bytes;
    return status;
}

enum willow_status census_take(const struct census_options *options, struct census *census, struct willow_error *error)
{
    struct census_hashes hashes = {0};
    memset(census, 0, sizeof *census);
    census->folders = calloc(options->count, sizeof *census->folders);
    if (!census->folders)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    census->folders_count = options->count;
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; !status && i < options->count; i++) {
        census->folders[i].path = options->folders[i];
        status = read_folder(options, census, &census->folders[i], &hashes, error);
    }
    census_games_finish(&census->games, &hashes);
    if (status)
        return status;
    return options->duplicates ? count_distinct(options, census, error) : count_rows(options, census, error);
}

void census_clear(struct census *census)
{
    if (!census)
        return;
    free(census->folders);
    census->folders = NULL;
    census->folders_count = 0;
}

static void add_fit(struct census_fit *sum, const struct census_fit *fit)
{
    sum->rows += fit->rows;
    sum->score += fit->score;
    sum->result += fit->result;
    sum->score_square += fit->score_square;
    sum->result_square += fit->result_square;
    sum->product += fit->product;
    sum->absolute_difference += fit->absolute_difference;
    sum->difference_square += fit->difference_square;
}

struct census_ply census_plies(const struct census *census, int first, int last)
{
    struct census_ply sum = {0};
    for (int ply = first; ply <= last; ply++) {
        const struct census_ply *at = &census->plies[ply];
        sum.rows += at->rows;
        sum.exact += at->exact;
        sum.selective += at->selective;
        sum.searched += at->searched;
        sum.depth += at->depth;
        sum.distinct += at->distinct;
        add_fit(&sum.fit, &at->fit);
    }
    return sum;
}

double census_mean_error(const struct census_fit *fit)
{
    return fit->rows ? (double)fit->absolute_difference / (double)fit->rows / WILLOW_SCORE_DISC : 0;
}

double census_rms_error(const struct census_fit *fit)
{
    return fit->rows ? sqrt((double)fit->difference_square / (double)fit->rows) / WILLOW_SCORE_DISC : 0;
}

double census_bias(const struct census_fit *fit)
{
    return fit->rows ? (double)(fit->result - fit->score) / (double)fit->rows / WILLOW_SCORE_DISC : 0;
}

double census_correlation(const struct census_fit *fit)
{
    if (fit->rows == 0)
        return 0;
    double rows = (double)fit->rows, score = (double)fit->score / rows, result = (double)fit->result / rows;
    double score_variance = (double)fit->score_square / rows - score * score;
    double result_variance = (double)fit->result_square / rows - result * result;
    double covariance = (double)fit->product / rows - score * result;
    /* Rounding may leave a little where nothing varies; the least true variance of so many rows is far above. */
    if (score_variance < 1e-6 || result_variance < 1e-6)
        return 0;
    return fmax(-1, fmin(1, covariance / sqrt(score_variance * result_variance)));
}
