/* Finds equal positions: one pass over the rows for each range of keys whose positions fit into the memory.
 * Layer: selfplay. Touches no file but through the reader.
 *
 * A position's key is its ply and then a hash of its canonical board. A pass begins with all keys from where the last
 * one ended; when its table runs full, the end is lowered and the positions above it are left to the next pass. So
 * small data takes one pass, large data one for each group of plies, or for each part of a ply that is too large alone.
 */
#include "duplicates.h"

#include <stdlib.h>
#include <string.h>

#include "position_table.h"

/* BATCH keys are looked up together, so that their cache misses overlap. */
enum { BLOCK_ROWS = 4096, BATCH = 64, MEMORY_MIN = 1 << 20 };

static const uint64_t keys_end = POSITION_KEY(WILLOW_PLIES);

/* Equal positions that were met so far, in one entry of the table: a line of the cache. */
struct group {
    struct position_entry position;
    uint64_t number;         /* of the row that stays */
    int64_t scores, results; /* sums */
    uint32_t rows, scores_count;
    int16_t score;                                /* of the best labelled row */
    uint8_t depth, selectivity, flags, row_flags; /* of its score; those of the row that stays */
};

struct finder {
    const struct duplicates_options *options;
    struct duplicates_summary *summary;
    struct position_table table;
    struct willow_row *block;
    uint64_t first, end;            /* keys of this pass */
    uint64_t rows_done, rows_total; /* over all passes */
};

static const uint8_t score_flags = WILLOW_ROW_EXACT | WILLOW_ROW_SELECTIVE;

/* Greater for a better label; equal where only the order decides. */
static int label_rank(uint8_t flags, int16_t score, uint8_t depth, uint8_t selectivity)
{
    const int kind = flags & WILLOW_ROW_EXACT ? 2 : score != WILLOW_SCORE_MISSING;
    return kind << 16 | depth << 8 | selectivity;
}

static int row_rank(const struct willow_row *row)
{
    return label_rank(row->flags, row->score, row->depth, row->selectivity);
}

static void take_label(struct group *group, const struct willow_row *row)
{
    group->score = row->score;
    group->depth = row->depth;
    group->selectivity = row->selectivity;
    group->flags = row->flags & score_flags;
    group->scores = row->score;
    group->scores_count = row->score != WILLOW_SCORE_MISSING;
}

/* A new entry is zero but for its position. */
static void begin_group(struct group *group, const struct willow_row *row, uint64_t number)
{
    group->number = number;
    group->rows = 1;
    group->results += row->result;
    group->row_flags = row->flags;
    take_label(group, row);
}

static void join_by_rank(const struct duplicates_options *options, struct group *group, const struct willow_row *row,
                         uint64_t number)
{
    const bool better = row_rank(row) > label_rank(group->flags, group->score, group->depth, group->selectivity);
    options->drop(options->context, better ? group->number : number);
    if (!better)
        return;
    take_label(group, row);
    group->number = number;
}

static void join_by_mean(const struct duplicates_options *options, struct group *group, const struct willow_row *row,
                         uint64_t number)
{
    options->drop(options->context, number);
    if (group->rows == UINT32_MAX)
        return; /* the mean of four thousand million is good enough */
    group->rows++;
    group->results += row->result;
    if (!(row->flags & WILLOW_ROW_SOLVED_RESULT))
        group->row_flags &= (uint8_t)~WILLOW_ROW_SOLVED_RESULT;
    const int rank = row_rank(row), before = label_rank(group->flags, group->score, group->depth, group->selectivity);
    /* Of exact scores the first counts, whatever the depth. */
    if (group->flags & WILLOW_ROW_EXACT)
        return;
    if (rank > before) {
        take_label(group, row);
    } else if (rank == before && row->score != WILLOW_SCORE_MISSING) {
        group->scores += row->score;
        group->scores_count++;
    }
}

static int64_t rounded_mean(int64_t sum, int64_t count)
{
    return (sum + (sum < 0 ? -(count / 2) : count / 2)) / count;
}

static struct duplicates_labels mean_labels(const struct group *group)
{
    struct duplicates_labels labels = {.number = group->number,
                                       .score = group->score,
                                       .result = (int8_t)rounded_mean(group->results, group->rows),
                                       .depth = group->depth,
                                       .selectivity = group->selectivity,
                                       .flags = (uint8_t)((group->row_flags & ~score_flags) | group->flags)};
    if (group->scores_count > 1)
        labels.score = (int16_t)rounded_mean(group->scores, group->scores_count);
    return labels;
}

static int compare_numbers(const void *left, const void *right)
{
    const struct duplicates_labels *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

/* The labels are gathered in the memory of the table itself, which is done with: they are smaller than its entries and
 * written behind the place that is read. */
static enum willow_status give_labels(struct finder *finder, struct willow_error *error)
{
    struct position_table *table = &finder->table;
    unsigned char *out = table->slots;
    size_t count = 0;
    for (uint64_t i = 0; i < table->capacity; i++) {
        struct group group;
        const void *entry = position_table_at(table, i);
        if (!entry)
            continue;
        memcpy(&group, entry, sizeof group);
        if (group.rows < 2)
            continue;
        const struct duplicates_labels labels = mean_labels(&group);
        memcpy(out + count++ * sizeof labels, &labels, sizeof labels);
    }
    qsort(out, count, sizeof(struct duplicates_labels), compare_numbers);
    return finder->options->relabel(finder->options->context, (const void *)out, count, error);
}

static void join(struct finder *finder, uint64_t key, struct willow_board board, const struct willow_row *row,
                 uint64_t number)
{
    bool fresh;
    void *entry = position_table_take(&finder->table, key, board, &fresh);
    if (finder->options->rule == DUPLICATES_COUNT)
        return;
    if (fresh)
        begin_group(entry, row, number);
    else if (finder->options->rule == DUPLICATES_DROP)
        join_by_rank(finder->options, entry, row, number);
    else
        join_by_mean(finder->options, entry, row, number);
}

/* At most BATCH rows, of which `first_number` is the first. */
static enum willow_status look_up(struct finder *finder, const struct willow_row *rows, size_t count,
                                  uint64_t first_number, struct willow_error *error)
{
    struct willow_board boards[BATCH];
    uint64_t keys[BATCH];
    for (size_t i = 0; i < count; i++) {
        boards[i] = willow_board_canonical(finder->options->ruleset,
                                           (struct willow_board){rows[i].player, rows[i].opponent}, NULL);
        keys[i] = position_key(rows[i].ply, boards[i]);
        position_table_prefetch(&finder->table, keys[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (position_table_full(&finder->table) && !position_table_cut(&finder->table, finder->first, &finder->end))
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "the memory allowed is too little");
        if (keys[i] >= finder->first && keys[i] < finder->end)
            join(finder, keys[i], boards[i], &rows[i], first_number + i);
    }
    return WILLOW_OK;
}

static enum willow_status take_block(struct finder *finder, size_t count, uint64_t first_number,
                                     struct willow_error *error)
{
    const struct duplicates_options *options = finder->options;
    if (options->stop && willow_stop_get(options->stop))
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    for (size_t i = 0; finder->summary->passes == 1 && i < count; i++) {
        finder->summary->rows_by_ply[finder->block[i].ply]++;
        if (options->row)
            options->row(options->context, &finder->block[i]);
    }
    enum willow_status status = WILLOW_OK;
    for (size_t done = 0; !status && done < count; done += BATCH)
        status = look_up(finder, finder->block + done, count - done < BATCH ? count - done : BATCH, first_number + done,
                         error);
    finder->rows_done += count;
    if (!status && options->progress)
        options->progress(options->context, finder->rows_done, finder->rows_total);
    return status;
}

/* Rows of the keys from `key` on; those of a ply are spread evenly over its keys. */
static double rows_from(const struct duplicates_summary *summary, uint64_t key)
{
    double rows = 0;
    for (int ply = position_key_ply(key); ply < WILLOW_PLIES; ply++) {
        const uint64_t begin = key > POSITION_KEY(ply) ? key : POSITION_KEY(ply);
        rows += (double)summary->rows_by_ply[ply] *
                ((double)(POSITION_KEY(ply + 1) - begin) / (double)(UINT64_C(1) << POSITION_KEY_BITS));
    }
    return rows;
}

/* The end of a further pass: the greatest whose rows surely fit, as far as that is known. Chance may put some more
 * there; then the table is cut once more. */
static uint64_t choose_end(const struct finder *finder)
{
    const double limit = 0.98 * (double)finder->table.limit, all = rows_from(finder->summary, finder->first);
    if (all <= limit)
        return keys_end;
    uint64_t low = finder->first, high = keys_end;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (all - rows_from(finder->summary, middle) <= limit)
            low = middle;
        else
            high = middle;
    }
    return low > finder->first ? low : keys_end;
}

/* Rows have numbers by their order among all plies, so only counting may leave plies out, and not the first time. */
static enum willow_status open_pass(struct finder *finder, struct willow_reader **reader, struct willow_error *error)
{
    const struct duplicates_options *options = finder->options;
    const bool all = options->rule != DUPLICATES_COUNT || finder->summary->passes == 0;
    enum willow_status status = willow_reader_open(
        options->folders, options->count, all ? 0 : position_key_ply(finder->first),
        all ? WILLOW_PLIES - 1 : position_key_ply(finder->end - 1), options->ruleset, false, reader, error);
    if (status)
        return status;
    uint64_t rows = willow_reader_rows(*reader);
    if (finder->summary->passes++ == 0) {
        const size_t memory_bytes = options->memory_bytes - BLOCK_ROWS * sizeof *finder->block;
        finder->summary->rows = finder->rows_total = rows;
        if (options->rule == DUPLICATES_COUNT)
            return position_table_init(&finder->table, sizeof(uint64_t), rows, memory_bytes, error);
        /* A sixth is for qsort, which copies: 16 bytes for each of the 64 of a slot, if all three quarters have some.
         */
        return position_table_init(&finder->table, sizeof(struct group), rows, memory_bytes / 6 * 5, error);
    }
    const double passes = rows_from(finder->summary, finder->first) / (double)finder->table.limit;
    finder->rows_total = finder->rows_done + (uint64_t)((double)rows * (passes > 1 ? passes : 1));
    position_table_empty(&finder->table);
    return WILLOW_OK;
}

static enum willow_status run_pass(struct finder *finder, struct willow_error *error)
{
    struct willow_reader *reader = NULL;
    enum willow_status status = open_pass(finder, &reader, error);
    size_t count = 1;
    for (uint64_t number = 0; !status && count > 0; number += count) {
        status = willow_reader_next(reader, finder->block, BLOCK_ROWS, &count, error);
        if (!status && count > 0)
            status = take_block(finder, count, number, error);
    }
    willow_reader_free(reader);
    if (status)
        return status;
    for (uint64_t i = 0; i < finder->table.capacity; i++) {
        uint64_t key;
        const void *entry = position_table_at(&finder->table, i);
        if (!entry)
            continue;
        memcpy(&key, entry, sizeof key);
        finder->summary->distinct_by_ply[position_key_ply(key)]++;
    }
    finder->summary->distinct += finder->table.count;
    return finder->options->rule == DUPLICATES_AVERAGE ? give_labels(finder, error) : WILLOW_OK;
}

enum willow_status duplicates_find(const struct duplicates_options *options, struct duplicates_summary *summary,
                                   struct willow_error *error)
{
    *summary = (struct duplicates_summary){0};
    if (options->memory_bytes < MEMORY_MIN)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, "memory", NULL, "must be at least 1 MiB");
    struct finder finder = {.options = options, .summary = summary, .first = POSITION_KEY(0), .end = keys_end};
    finder.block = malloc(BLOCK_ROWS * sizeof *finder.block);
    enum willow_status status = WILLOW_OK;
    if (!finder.block)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    while (!status && finder.first < keys_end) {
        status = run_pass(&finder, error);
        finder.first = finder.end;
        finder.end = choose_end(&finder);
    }
    position_table_clear(&finder.table);
    free(finder.block);
    return status;
}
