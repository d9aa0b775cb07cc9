/* The folder of a self-play run: locks, manifest, which shards are still missing, and shards written. Layer: selfplay.
 * Used by one thread at a time.
 *
 * A whole run locks the folder. A part of a run locks the numbers of its shards and leaves the manifest alone, so that
 * other parts may work beside it. Under mpirun rank 0 locks like a whole run and lists what all ranks write.
 */
#ifndef WILLOW_SELFPLAY_RUN_FOLDER_H
#define WILLOW_SELFPLAY_RUN_FOLDER_H

#include <willow/dataset.h>

#include "run_config.h"
#include "run_inputs.h"

#define RUN_CONFIG_FILE "config.yaml"
#define RUN_WEIGHTS_FILE "weights.wlw"
#define RUN_POOL_FILE "pool-%02d.wlw" /* of the k-th of the pool, from 1 */
#define RUN_OPENINGS_FILE "openings.txt"

/* Called with a line for the user: something was repaired, or should be known. By the thread that called run_dataset.
 */
typedef void run_note(void *context, const char *text);

struct run_folder_options {
    const char *path;
    const struct run_config *config; /* resolved */
    const struct run_inputs *inputs;
    enum willow_shard_layout layout;
    int threads;          /* that pack a shard */
    const char *tool;     /* version and commit, for the shards */
    uint32_t part, parts; /* the part-th of `parts`, from 1; 0 of 0 = the whole run */
    int rank, ranks;      /* under mpirun; 0 of 1 otherwise */
    run_note *note;       /* null = none */
    void *context;        /* of note */
};

struct run_folder {
    struct run_folder_options options; /* what it points to must outlive the folder */
    int lock_fd;                       /* -1 = not held */
    const struct willow_ruleset *ruleset;
    struct willow_manifest manifest; /* of a part: its shards; of a rank but the first: what it wrote itself */
    bool stored;                     /* manifest.json says the same */
    char *configuration;
    uint32_t *missing; /* numbers, rising */
    size_t missing_count;
};

/* The shards of a part, first .. end - 1; those of all parts are all shards of the run, each in one part. */
void run_part_shards(const struct run_config *config, uint32_t part, uint32_t parts, uint32_t *first, uint32_t *end);

/* Creates the folder or takes up an earlier run of the same configuration; leftovers of a killed run are removed,
 * finished shards that the manifest does not list yet are checked in full and adopted. A listed shard need only be
 * there. On a rank but the first: locks its own number and leaves `missing` empty.
 * WILLOW_ERR_BUSY (another run holds the lock), _MISMATCH (another configuration, weights or shards of another run),
 * _IO, _MEMORY, and what a damaged manifest gives. */
enum willow_status run_folder_open(struct run_folder *folder, const struct run_folder_options *options,
                                   struct willow_error *error);
void run_folder_close(struct run_folder *folder);

/* Writes a shard and lists it; after this it is announced. The games are those of shard `number`, in order. *entry is
 * what was listed. */
enum willow_status run_folder_add(struct run_folder *folder, uint32_t number, struct willow_row *rows,
                                  uint64_t rows_count, const struct willow_game_row *games,
                                  struct willow_manifest_shard *entry, struct willow_error *error);

/* Lists a shard that another rank has written. */
enum willow_status run_folder_list(struct run_folder *folder, const struct willow_manifest_shard *entry,
                                   struct willow_error *error);

#endif
