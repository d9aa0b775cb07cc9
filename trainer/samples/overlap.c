/* Held-out positions that are fitted as well, and rows that repeat or contradict others; see overlap.h. Layer: trainer.
 *
 * A board has one ply, so each ply is looked at alone, several at once. The boards of a ply are dealt to as many
 * partitions by hash as memory asks for: a thread takes a ply and a partition, reads all fitted rows of the ply and
 * puts those of its partition into a table. Reading again costs less than it would to sort the rows by partition on the
 * disk, and with tens of millions of rows there is one partition.
 */
#include "overlap.h"

#include "board_table.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_DEFAULT = 256 << 20,
    BYTES_A_ROW = 64 * WILLOW_BITS_WORDS, /* of a table, at its least crowded */
    PLIES_AT_ONCE = 8                     /* whose held-out boards are in memory */
};

/* One ply. */
struct ply_check {
    int ply;
    /* The held-out rows. boards: canonical, of all ranks, of which those from `own` on, own_count, are this one's;
     * labels: of these. */
    struct willow_board *boards;
    size_t boards_count, own, own_count;
    int16_t *labels;
    bool *found; /* for each of boards: stands among the fitted rows of this rank */
    uint64_t partitions;
};

/* What the threads share. */
struct check {
    struct samples *samples;
    const struct overlap_options *options;
    struct ply_check plies[PLIES_AT_ONCE];
    int count;                 /* of plies */
    atomic_uint_fast64_t next; /* partition, counted through the plies */
    pthread_mutex_t lock;      /* on the report */
    struct overlap_report *report;
};

struct worker {
    struct check *check;
    struct board_table table;
    enum willow_status status;
    struct willow_error error;
    pthread_t thread;
    bool started;
    struct sample rows[SAMPLE_BLOCK_ROWS];
    /* Rows of the block that belong to the partition. */
    struct willow_board boards[SAMPLE_BLOCK_ROWS];
    uint64_t hashes[SAMPLE_BLOCK_ROWS];
    int16_t labels[SAMPLE_BLOCK_ROWS];
};

static int16_t label_of(const struct sample *row)
{
    return row->kind == SAMPLE_EXACT ? (int16_t)lrintf(row->label) : (int16_t)BOARD_TABLE_NO_LABEL;
}

/* By the upper bits of the hash; tables use the lower ones. */
static uint64_t partition_of(const struct ply_check *ply, uint64_t hash)
{
    return (hash >> 32) * ply->partitions >> 32;
}

static enum willow_status check_stop(const struct check *check, struct willow_error *error)
{
    if (check->options->stop && willow_stop_get(check->options->stop))
        return willow_fail(error, WILLOW_ERR_STOPPED, NULL, NULL, "stopped");
    return WILLOW_OK;
}

/* Puts the rows of one block that belong to the partition into the table. Returns their number in *count. */
static enum willow_status add_block(struct worker *worker, const struct ply_check *ply, size_t block,
                                    uint64_t partition, size_t *count)
{
    const struct check *check = worker->check;
    size_t rows = 0;
    *count = 0;
    enum willow_status status = check_stop(check, &worker->error);
    if (status == WILLOW_OK)
        status = samples_read(check->samples, ply->ply, SAMPLE_TRAIN, block, worker->rows, &rows, &worker->error);
    if (status != WILLOW_OK)
        return status;
    for (size_t i = 0; i < rows; i++) {
        const struct willow_board board = willow_board_canonical(check->options->ruleset, worker->rows[i].board, NULL);
        const uint64_t hash = willow_board_hash(board);
        if (partition_of(ply, hash) != partition)
            continue;
        board_table_prefetch(&worker->table, hash);
        worker->boards[*count] = board;
        worker->hashes[*count] = hash;
        worker->labels[(*count)++] = label_of(&worker->rows[i]);
    }
    for (size_t i = 0; status == WILLOW_OK && i < *count; i++)
        status = board_table_add(&worker->table, worker->boards[i], worker->hashes[i], true, worker->labels[i],
                                 &worker->error);
    return status;
}

/* After the fitted rows: which held-out boards of the partition are among them. The rows of this rank are then added
 * themselves, for what their labels contradict. */
static enum willow_status find_held_out(struct worker *worker, struct ply_check *ply, uint64_t partition)
{
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; status == WILLOW_OK && i < ply->boards_count; i++) {
        const uint64_t hash = willow_board_hash(ply->boards[i]);
        if (partition_of(ply, hash) != partition)
            continue;
        ply->found[i] = board_table_fitted(&worker->table, ply->boards[i], hash);
        if (i < ply->own || i - ply->own >= ply->own_count)
            continue;
        const int16_t label = ply->labels[i - ply->own];
        if (label != BOARD_TABLE_NO_LABEL)
            status = board_table_add(&worker->table, ply->boards[i], hash, false, label, &worker->error);
    }
    return status;
}

/* What the table of a partition says goes to the report: sums and a least one, whatever the order. */
static void report_partition(struct worker *worker, int ply, uint64_t rows)
{
    struct check *check = worker->check;
    struct overlap_report *report = check->report;
    const struct board_table *table = &worker->table;
    const struct board_entry *first = board_table_contradiction(table);
    pthread_mutex_lock(&check->lock);
    report->plies[ply].duplicates += rows - table->fitted;
    report->plies[ply].contradictory += table->contradictory;
    if (first && (report->all.contradictory == 0 || ply < report->ply ||
                  (ply == report->ply && board_less(first->board, report->board)))) {
        report->all.contradictory = 1; /* there is one; counted at the end */
        report->ply = ply;
        report->board = first->board;
        report->labels[0] = first->least;
        report->labels[1] = first->greatest;
    }
    pthread_mutex_unlock(&check->lock);
}

static enum willow_status check_partition(struct worker *worker, struct ply_check *ply, uint64_t partition)
{
    const struct samples *samples = worker->check->samples;
    const uint64_t all = samples_rows(samples, ply->ply, SAMPLE_TRAIN);
    uint64_t rows = 0;
    enum willow_status status = board_table_init(&worker->table, (size_t)(all / ply->partitions), &worker->error);
    for (size_t block = 0; status == WILLOW_OK && block < samples_blocks(samples, ply->ply, SAMPLE_TRAIN); block++) {
        size_t count;
        status = add_block(worker, ply, block, partition, &count);
        rows += count;
    }
    if (status == WILLOW_OK)
        status = find_held_out(worker, ply, partition);
    if (status == WILLOW_OK)
        report_partition(worker, ply->ply, rows);
    return status;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct check *check = worker->check;
    while (worker->status == WILLOW_OK) {
        uint64_t partition = atomic_fetch_add(&check->next, 1);
        int i = 0;
        for (; i < check->count && partition >= check->plies[i].partitions; i++)
            partition -= check->plies[i].partitions;
        if (i == check->count)
            break;
        worker->status = check_partition(worker, &check->plies[i], partition);
    }
    return NULL;
}

/* All partitions of the plies, on all threads, the caller being the first; one that cannot be started is not missed. */
static enum willow_status run_workers(struct check *check, struct worker *workers, struct willow_error *error)
{
    const int threads = check->options->threads;
    atomic_store(&check->next, 0);
    for (int i = 0; i < threads; i++) {
        workers[i].check = check;
        workers[i].status = WILLOW_OK;
    }
    for (int i = 1; i < threads; i++)
        workers[i].started = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    work(&workers[0]);
    for (int i = 1; i < threads; i++)
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < threads; i++)
        if (workers[i].status != WILLOW_OK) {
            if (error)
                *error = workers[i].error;
            return workers[i].status;
        }
    return WILLOW_OK;
}

/* So that the tables of all threads fit the memory. */
static uint64_t partitions_for(const struct check *check, int ply)
{
    const uint64_t memory = check->options->memory_bytes ? check->options->memory_bytes : MEMORY_DEFAULT;
    const uint64_t bytes = samples_rows(check->samples, ply, SAMPLE_TRAIN) * BYTES_A_ROW;
    return 1 + bytes * (uint64_t)check->options->threads / memory;
}

static void forget_held_out(struct check *check)
{
    for (int i = 0; i < check->count; i++) {
        free(check->plies[i].boards);
        free(check->plies[i].labels);
        free(check->plies[i].found);
        check->plies[i] = (struct ply_check){0};
    }
}

/* The held-out rows of this rank. */
static enum willow_status collect(struct check *check, struct ply_check *ply, struct sample *rows,
                                  struct willow_error *error)
{
    const size_t all = (size_t)samples_rows(check->samples, ply->ply, SAMPLE_HELD_OUT);
    ply->boards = malloc(all * sizeof *ply->boards + 1);
    ply->labels = malloc(all * sizeof *ply->labels + 1);
    if (!ply->boards || !ply->labels)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu held-out boards", all);
    enum willow_status status = check_stop(check, error);
    for (size_t block = 0; status == WILLOW_OK && block < samples_blocks(check->samples, ply->ply, SAMPLE_HELD_OUT);
         block++) {
        size_t count = 0;
        status = samples_read(check->samples, ply->ply, SAMPLE_HELD_OUT, block, rows, &count, error);
        for (size_t i = 0; status == WILLOW_OK && i < count; i++, ply->own_count++) {
            ply->boards[ply->own_count] = willow_board_canonical(check->options->ruleset, rows[i].board, NULL);
            ply->labels[ply->own_count] = label_of(&rows[i]);
        }
    }
    ply->boards_count = ply->own_count;
    return status;
}

/* Together. The boards of all ranks instead of this one's. */
static enum willow_status gather(struct willow_ranks *ranks, struct ply_check *ply, struct willow_error *error)
{
    /* Where those of this rank begin: after those of the ranks before it. */
    const uint64_t own = ply->own_count;
    void *counts = NULL, *boards = NULL;
    size_t counts_bytes, boards_bytes;
    enum willow_status status = willow_ranks_gather(ranks, &own, sizeof own, &counts, &counts_bytes, error);
    for (int rank = 0; status == WILLOW_OK && rank < willow_ranks_self(ranks); rank++)
        ply->own += (size_t)((const uint64_t *)counts)[rank];
    free(counts);
    if (status == WILLOW_OK)
        status = willow_ranks_gather(ranks, ply->boards, ply->own_count * sizeof *ply->boards, &boards, &boards_bytes,
                                     error);
    if (status != WILLOW_OK)
        return status;
    free(ply->boards);
    ply->boards = boards;
    ply->boards_count = boards_bytes / sizeof *ply->boards;
    return WILLOW_OK;
}

static enum willow_status find(struct check *check, struct worker *workers, struct willow_error *error)
{
    for (int i = 0; i < check->count; i++) {
        struct ply_check *ply = &check->plies[i];
        ply->partitions = partitions_for(check, ply->ply);
        ply->found = calloc(ply->boards_count + 1, sizeof *ply->found);
        if (!ply->found)
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %zu held-out boards",
                               ply->boards_count);
    }
    return run_workers(check, workers, error);
}

/* Together. What any rank found. */
static enum willow_status combine(struct willow_ranks *ranks, struct ply_check *ply, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (size_t first = 0, count; status == WILLOW_OK && first < ply->boards_count; first += count) {
        int64_t sums[4096];
        const size_t left = ply->boards_count - first, room = sizeof sums / sizeof *sums;
        count = left < room ? left : room;
        for (size_t i = 0; i < count; i++)
            sums[i] = ply->found[first + i];
        status = willow_ranks_sum(ranks, sums, count, error);
        for (size_t i = 0; i < count; i++)
            ply->found[first + i] = sums[i] > 0;
    }
    return status;
}

static enum willow_status drop(struct check *check, const struct ply_check *ply, struct willow_error *error)
{
    struct overlap_counts *counts = &check->report->plies[ply->ply];
    const bool *found = ply->found + ply->own;
    counts->training = samples_rows(check->samples, ply->ply, SAMPLE_TRAIN);
    counts->held_out = ply->own_count;
    for (size_t i = 0; i < ply->own_count; i++)
        counts->dropped += found[i];
    return counts->dropped > 0 ? samples_drop(check->samples, ply->ply, SAMPLE_HELD_OUT, found, error) : WILLOW_OK;
}

/* Together; begins with what may have failed on one rank alone (`status`), and ends with what all have. */
static enum willow_status check_plies(struct check *check, struct worker *workers, enum willow_status status,
                                      struct willow_error *error)
{
    struct willow_ranks *ranks = check->options->ranks;
    const bool alone = willow_ranks_count(ranks) == 1;
    for (int i = 0; status == WILLOW_OK && i < check->count; i++)
        status = collect(check, &check->plies[i], workers[0].rows, error);
    status = willow_ranks_agree(ranks, status, error);
    for (int i = 0; status == WILLOW_OK && !alone && i < check->count; i++)
        status = gather(ranks, &check->plies[i], error);
    if (status != WILLOW_OK)
        return status;
    status = willow_ranks_agree(ranks, find(check, workers, error), error);
    for (int i = 0; status == WILLOW_OK && !alone && i < check->count; i++)
        status = combine(ranks, &check->plies[i], error);
    return status;
}

/* Together. */
static enum willow_status sum_report(struct overlap_report *report, struct willow_ranks *ranks,
                                     struct willow_error *error)
{
    enum { FIELDS = sizeof(struct overlap_counts) / sizeof(uint64_t) };
    int64_t sums[SAMPLE_PLIES * FIELDS];
    _Static_assert(sizeof sums == sizeof report->plies, "counts are 64 bits wide each");
    memcpy(sums, report->plies, sizeof sums);
    const enum willow_status status = willow_ranks_sum(ranks, sums, sizeof sums / sizeof *sums, error);
    memcpy(report->plies, sums, sizeof sums);
    report->all = (struct overlap_counts){0};
    for (int ply = 0; ply < SAMPLE_PLIES; ply++) {
        const struct overlap_counts *counts = &report->plies[ply];
        report->all.training += counts->training;
        report->all.duplicates += counts->duplicates;
        report->all.held_out += counts->held_out;
        report->all.dropped += counts->dropped;
        report->all.contradictory += counts->contradictory;
    }
    return status;
}

/* Together. The first contradiction of all ranks, where one has any. */
static enum willow_status choose_contradiction(struct overlap_report *report, struct willow_ranks *ranks,
                                               struct willow_error *error)
{
    struct found {
        struct willow_board board;
        int64_t ply, labels[2];
    };
    const struct found own = {report->board, report->ply, {report->labels[0], report->labels[1]}};
    void *all = NULL;
    size_t all_bytes = 0;
    const enum willow_status status =
        willow_ranks_gather(ranks, &own, report->all.contradictory > 0 ? sizeof own : 0, &all, &all_bytes, error);
    const struct found *found = all, *least = found;
    for (size_t i = 1; status == WILLOW_OK && i < all_bytes / sizeof *found; i++)
        if (found[i].ply < least->ply || (found[i].ply == least->ply && board_less(found[i].board, least->board)))
            least = &found[i];
    if (status == WILLOW_OK && all_bytes > 0) {
        report->board = least->board;
        report->ply = (int)least->ply;
        report->labels[0] = (int)least->labels[0];
        report->labels[1] = (int)least->labels[1];
    }
    free(all);
    return status;
}

enum willow_status overlap_run(struct samples *samples, const struct overlap_options *options,
                               struct overlap_report *report, struct willow_error *error)
{
    struct check check = {.samples = samples, .options = options, .report = report, .lock = PTHREAD_MUTEX_INITIALIZER};
    *report = (struct overlap_report){0};
    struct worker *workers = calloc((size_t)options->threads, sizeof *workers);
    enum willow_status status = WILLOW_OK;
    if (!workers)
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for %d threads", options->threads);
    bool agreed = false; /* a failure that all ranks know of */
    for (int first = 0; !agreed && first < SAMPLE_PLIES; first += check.count) {
        check.count = SAMPLE_PLIES - first < PLIES_AT_ONCE ? SAMPLE_PLIES - first : PLIES_AT_ONCE;
        for (int i = 0; i < check.count; i++)
            check.plies[i].ply = first + i;
        status = check_plies(&check, workers, status, error);
        agreed = status != WILLOW_OK;
        for (int i = 0; status == WILLOW_OK && i < check.count; i++)
            status = drop(&check, &check.plies[i], error);
        forget_held_out(&check);
    }
    for (int i = 0; workers && i < options->threads; i++)
        board_table_clear(&workers[i].table);
    free(workers);
    pthread_mutex_destroy(&check.lock);
    if (!agreed)
        status = willow_ranks_agree(options->ranks, status, error);
    if (status == WILLOW_OK)
        status = choose_contradiction(report, options->ranks, error);
    if (status == WILLOW_OK)
        status = sum_report(report, options->ranks, error);
    return status;
}
