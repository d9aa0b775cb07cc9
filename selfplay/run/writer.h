/* The thread that packs, writes, checks and lists shards, so that games are played and collected meanwhile. It alone
 * uses the folder and HDF5 while it runs. Layer: selfplay.
 */
#ifndef WILLOW_SELFPLAY_WRITER_H
#define WILLOW_SELFPLAY_WRITER_H

#include <stdatomic.h>

#include "collection.h"
#include "queue.h"
#include "run_folder.h"

struct writer {
    struct run_folder *folder;
    struct gate *gate;      /* raised as shards are written */
    struct queue *finished; /* closed when writing failed, so that whoever waits there wakes */
    size_t window;          /* collections at most between the first unwritten shard and the last one begun */
    struct queue jobs, done;
    bool *written;               /* [window], by position modulo window */
    uint64_t next;               /* position in folder->missing of the first shard not written */
    atomic_uint_fast64_t shards; /* listed since the start; relaxed, for progress alone */
    pthread_t thread;
    bool started, made_jobs, made_done;
    enum willow_status status; /* read after the thread has been joined */
    struct willow_error error;
};

/* Starts the thread. `jobs_max` bounds what may ever be handed over. The rest as the fields. WILLOW_ERR_MEMORY, _IO. */
enum willow_status writer_start(struct writer *writer, struct run_folder *folder, struct gate *gate,
                                struct queue *finished, size_t window, size_t jobs_max, struct willow_error *error);

/* Hands over the whole shard at a position of folder->missing. Its collection is the writer's until the gate has been
 * raised beyond that position. WILLOW_ERR_MEMORY. */
enum willow_status writer_write(struct writer *writer, size_t position, struct collection *collection,
                                struct willow_error *error);

/* Lists a shard that another rank wrote. WILLOW_ERR_MEMORY. */
enum willow_status writer_list(struct writer *writer, const struct willow_manifest_shard *entry,
                               struct willow_error *error);

/* The next shard that was written here, on a rank but the first, and not yet given out; false when there is none now.
 */
bool writer_take_entry(struct writer *writer, struct willow_manifest_shard *entry);

/* Writes what was handed over, ends the thread and returns how it went. Entries can be taken after it. */
enum willow_status writer_finish(struct writer *writer, struct willow_error *error);
void writer_clear(struct writer *writer);

#endif
