/* The files of a dataset's folder by name: which are shards, which are leftovers of a killed writer. Layer:
 * selfplay/dataset, internal.
 */
#ifndef SELFPLAY_DATASET_SHARD_FILES_H
#define SELFPLAY_DATASET_SHARD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

enum { SHARD_FILE_NAME = 32 };

/* "shard-000012.h5"; returns name. */
char *shard_file_name(uint32_t number, char name[SHARD_FILE_NAME]);

/* Whether a name is that of a shard, and of which. */
bool shard_file_number(const char *name, uint32_t *number);

/* "folder/shard-000012.h5". WILLOW_ERR_ARGUMENT when it does not fit. */
enum willow_status shard_path(char *buffer, size_t size, const char *folder, uint32_t number,
                              struct willow_error *error);

/* Removes temporary files that a killed writer left (of shards, the manifest, configurations, weights); *shards tells
 * whether finished shards lie there. WILLOW_ERR_IO. The caller holds the folder's lock. */
enum willow_status shard_files_sweep(const char *folder, bool *shards, struct willow_error *error);

/* Removes the finished shards numbered `first` and up. WILLOW_ERR_IO. */
enum willow_status shard_files_remove(const char *folder, uint32_t first, struct willow_error *error);

/* Size of a shard's file; 0 when it is not there. */
uint64_t shard_file_bytes(const char *folder, uint32_t number);

/* WILLOW_ERR_MISMATCH: a file is of a ruleset that this build does not know. */
enum willow_status shard_refuse_ruleset(const char *path, const char *ruleset, struct willow_error *error);

#endif
