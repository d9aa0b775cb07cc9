/* The folder of a self-play run: lock, configuration, weights, manifest, and which shards are still missing.
 * Layer: selfplay. Used by one thread.
 */
#ifndef WILLOW_SELFPLAY_RUN_FOLDER_H
#define WILLOW_SELFPLAY_RUN_FOLDER_H

#include <willow/dataset.h>
#include <willow/weights.h>

#include "run_config.h"

#define RUN_CONFIG_FILE "config.yaml"
#define RUN_WEIGHTS_FILE "weights.wlw"
#define RUN_POOL_FILE "pool-%02d.wlw" /* of the k-th of the pool, from 1 */
#define RUN_OPENINGS_FILE "openings.txt"

/* Called with a line for the user: something was repaired. */
typedef void run_note(void *context, const char *text);

struct run_folder {
    char path[2048];
    int lock_fd; /* -1 = not held */
    const struct run_config *config;
    const char *tool; /* version and commit, for the shards */
    const struct willow_ruleset *ruleset;
    struct willow_manifest manifest;
    char *configuration;
    uint32_t *missing; /* numbers, rising */
    size_t missing_count;
    run_note *note; /* null = none */
    void *context;
};

/* Creates the folder or takes up an earlier run of the same configuration; leftovers of a killed run are removed,
 * finished shards that the manifest does not list yet are checked in full and adopted. `config` is resolved; it and
 * `tool` must outlive the folder. WILLOW_ERR_BUSY (another run holds the lock), _MISMATCH (another configuration), _IO,
 * _MEMORY, and what a damaged manifest gives. */
enum willow_status run_folder_open(struct run_folder *folder, const char *path, const struct run_config *config,
                                   const struct willow_weights *weights, const char *tool, run_note *note,
                                   void *context, struct willow_error *error);
void run_folder_close(struct run_folder *folder);

/* Writes a shard and lists it; after this it is announced. The games are those of shard `number`, in order. */
enum willow_status run_folder_add(struct run_folder *folder, uint32_t number, struct willow_row *rows,
                                  uint64_t rows_count, const struct willow_game_row *games, struct willow_error *error);

#endif
