/* Writes the shards of a run in a thread of its own. Layer: selfplay. */
#include "writer.h"

#include <stdlib.h>

/* A shard to write, or with no collection one to list; afterwards, one that was written. */
struct job {
    size_t position;
    struct collection *collection;
    struct willow_manifest_shard entry;
};

static void open_gate(struct writer *writer, size_t position)
{
    writer->written[position % writer->window] = true;
    while (writer->written[writer->next % writer->window]) {
        writer->written[writer->next % writer->window] = false;
        writer->next++;
    }
    gate_raise(writer->gate, (writer->next + writer->window) * writer->folder->options.config->shard_games);
}

static enum willow_status do_job(struct writer *writer, struct job *job)
{
    struct collection *collection = job->collection;
    if (!collection)
        return run_folder_list(writer->folder, &job->entry, &writer->error);
    enum willow_status status = run_folder_add(writer->folder, writer->folder->missing[job->position], collection->rows,
                                               collection->rows_count, collection->games, &job->entry, &writer->error);
    if (status)
        return status;
    collection_reset(collection);
    open_gate(writer, job->position);
    return WILLOW_OK;
}

static void *work(void *context)
{
    struct writer *writer = context;
    struct job *job;
    while (!writer->status && (job = queue_pop(&writer->jobs)) != NULL) {
        /* Rank 0 lists what the others write. */
        bool tell = writer->folder->options.rank > 0;
        writer->status = do_job(writer, job);
        if (!writer->status)
            atomic_fetch_add_explicit(&writer->shards, 1, memory_order_relaxed);
        if (writer->status || !tell || !queue_push(&writer->done, job))
            free(job);
    }
    if (writer->status) {
        gate_close(writer->gate);
        queue_close(writer->finished);
        queue_close(&writer->jobs);
    }
    return NULL;
}

enum willow_status writer_start(struct writer *writer, struct run_folder *folder, struct gate *gate,
                                struct queue *finished, size_t window, size_t jobs_max, struct willow_error *error)
{
    *writer = (struct writer){.folder = folder, .gate = gate, .finished = finished, .window = window};
    writer->written = calloc(window, sizeof *writer->written);
    if (!writer->written)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    enum willow_status status = queue_init(&writer->jobs, jobs_max, error);
    writer->made_jobs = !status;
    if (!status)
        status = queue_init(&writer->done, jobs_max, error);
    writer->made_done = !status;
    if (status)
        return status;
    int failed = pthread_create(&writer->thread, NULL, work, writer);
    writer->started = failed == 0;
    return failed ? willow_fail_errno(error, NULL, "start a thread", failed) : WILLOW_OK;
}

/* A closed queue means that writing failed; its report comes from writer_finish. */
static enum willow_status hand_over(struct writer *writer, const struct job *job, struct willow_error *error)
{
    struct job *copy = malloc(sizeof *copy);
    if (!copy)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    *copy = *job;
    if (!queue_push(&writer->jobs, copy))
        free(copy);
    return WILLOW_OK;
}

enum willow_status writer_write(struct writer *writer, size_t position, struct collection *collection,
                                struct willow_error *error)
{
    return hand_over(writer, &(struct job){.position = position, .collection = collection}, error);
}

enum willow_status writer_list(struct writer *writer, const struct willow_manifest_shard *entry,
                               struct willow_error *error)
{
    return hand_over(writer, &(struct job){.entry = *entry}, error);
}

bool writer_take_entry(struct writer *writer, struct willow_manifest_shard *entry)
{
    struct job *job = queue_pop_within(&writer->done, 0);
    if (!job)
        return false;
    *entry = job->entry;
    free(job);
    return true;
}

enum willow_status writer_finish(struct writer *writer, struct willow_error *error)
{
    if (writer->started) {
        queue_close(&writer->jobs);
        (void)pthread_join(writer->thread, NULL);
        writer->started = false;
    }
    if (writer->status && error)
        *error = writer->error;
    return writer->status;
}

static void clear_jobs(struct queue *queue)
{
    for (struct job *job; (job = queue_pop_within(queue, 0)) != NULL;)
        free(job);
    queue_clear(queue);
}

void writer_clear(struct writer *writer)
{
    (void)writer_finish(writer, NULL);
    if (writer->made_jobs)
        clear_jobs(&writer->jobs);
    if (writer->made_done)
        clear_jobs(&writer->done);
    free(writer->written);
    *writer = (struct writer){0};
}
