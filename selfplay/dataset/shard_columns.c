/* Writes the columns of a shard. The chunks of a batch are packed by all threads, each taking the next one that nobody
 * has; then they are handed to HDF5 in order, so the file does not depend on the threads. Layer: selfplay/dataset.
 */
#include "shard_columns.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "chunk.h"
#include "h5.h"

/* Bounds what is packed and not yet in the file to 128 MiB. */
enum { BATCH_CHUNKS = 256, THREADS_MAX = 64 };

struct job {
    const struct shard_table *table;
    const struct column *column;
    hid_t dataset;
    uint64_t number; /* of the chunk in its column */
    struct chunk chunk;
};

struct batch {
    struct job jobs[BATCH_CHUNKS];
    size_t count;
    atomic_size_t next;
    unsigned level;
    const char *path;
};

struct packer {
    struct batch *batch;
    pthread_t thread;
    enum willow_status status; /* read after the thread has been joined */
    struct willow_error error;
};

static void *pack(void *context)
{
    struct packer *packer = context;
    struct batch *batch = packer->batch;
    void *scratch = malloc(2 * (size_t)COLUMN_CHUNK_BYTES);
    if (!scratch)
        packer->status =
            willow_fail(&packer->error, WILLOW_ERR_MEMORY, batch->path, NULL, "no memory to pack a column");
    while (!packer->status) {
        size_t at = atomic_fetch_add_explicit(&batch->next, 1, memory_order_relaxed);
        if (at >= batch->count)
            break;
        struct job *job = &batch->jobs[at];
        const struct shard_table *table = job->table;
        packer->status = column_pack(job->column, table->base, table->stride, table->count, job->number, batch->level,
                                     scratch, &job->chunk, &packer->error);
    }
    free(scratch);
    return NULL;
}

static enum willow_status pack_batch(struct batch *batch, int threads, struct willow_error *error)
{
    struct packer packers[THREADS_MAX] = {{.batch = batch}};
    int started = 1, wanted = threads < THREADS_MAX ? threads : THREADS_MAX;
    atomic_store_explicit(&batch->next, 0, memory_order_relaxed);
    for (; started < wanted && (size_t)started < batch->count; started++) {
        packers[started].batch = batch;
        if (pthread_create(&packers[started].thread, NULL, pack, &packers[started]) != 0)
            break;
    }
    (void)pack(&packers[0]);
    enum willow_status status = WILLOW_OK;
    for (int i = 0; i < started; i++) {
        if (i > 0)
            (void)pthread_join(packers[i].thread, NULL);
        if (packers[i].status && !status) {
            status = packers[i].status;
            if (error)
                *error = packers[i].error;
        }
    }
    return status;
}

/* Packs what has come together and puts it into the file. */
static enum willow_status flush(struct batch *batch, int threads, struct willow_error *error)
{
    enum willow_status status = pack_batch(batch, threads, error);
    for (size_t i = 0; i < batch->count; i++) {
        struct job *job = &batch->jobs[i];
        if (!status)
            status =
                column_put(job->dataset, batch->path, job->column, job->table->count, job->number, &job->chunk, error);
        free(job->chunk.data);
    }
    batch->count = 0;
    return status;
}

static enum willow_status add_column(struct batch *batch, const struct shard_table *table, const struct column *column,
                                     hid_t dataset, int threads, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    uint64_t chunks = column_chunks(column, table->count);
    for (uint64_t number = 0; !status && number < chunks; number++) {
        batch->jobs[batch->count++] =
            (struct job){.table = table, .column = column, .dataset = dataset, .number = number};
        if (batch->count == BATCH_CHUNKS)
            status = flush(batch, threads, error);
    }
    return status;
}

static enum willow_status write_all(hid_t file, struct batch *batch, const struct shard_table *tables,
                                    size_t tables_count, hid_t *datasets, int threads, struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (size_t t = 0; !status && t < tables_count; t++)
        for (size_t i = 0; !status && i < tables[t].columns_count; i++, datasets++) {
            const struct column *column = &tables[t].columns[i];
            status = column_create(file, batch->path, column, batch->level, tables[t].count, datasets, error);
            if (!status)
                status = add_column(batch, &tables[t], column, *datasets, threads, error);
        }
    return status ? status : flush(batch, threads, error);
}

enum willow_status shard_columns_write(hid_t file, const char *path, const struct shard_table *tables,
                                       size_t tables_count, unsigned level, int threads, struct willow_error *error)
{
    size_t columns = 0;
    for (size_t t = 0; t < tables_count; t++)
        columns += tables[t].columns_count;
    hid_t *datasets = calloc(columns + 1, sizeof *datasets);
    struct batch *batch = calloc(1, sizeof *batch);
    enum willow_status status = WILLOW_OK;
    for (size_t i = 0; datasets && i < columns; i++)
        datasets[i] = H5I_INVALID_HID;
    if (!datasets || !batch) {
        status = willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    } else {
        batch->level = level;
        batch->path = path;
        status = write_all(file, batch, tables, tables_count, datasets, threads, error);
    }
    for (size_t i = 0; datasets && i < columns; i++)
        h5_close(datasets[i]);
    free(batch);
    free(datasets);
    return status;
}
