/* The files of a dataset's folder by name: which are shards, which are leftovers of a killed writer. Layer: selfplay.
 */
#ifndef WILLOW_SELFPLAY_SHARD_FILES_H
#define WILLOW_SELFPLAY_SHARD_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/status.h>

enum { SHARD_FILE_NAME = 32 };

/* "shard-000012.h5"; returns name. */
char *shard_file_name(uint32_t number, char name[SHARD_FILE_NAME]);
bool shard_file_parse(const char *name, uint32_t *number);

/* Removes temporary files that a killed writer left (of shards, the manifest, configurations, weights); *shards tells
 * whether finished shards lie there. WILLOW_ERR_IO. The caller holds the folder's lock. */
enum willow_status shard_files_sweep(const char *folder, bool *shards, struct willow_error *error);

/* Removes every finished shard. WILLOW_ERR_IO. */
enum willow_status shard_files_remove(const char *folder, struct willow_error *error);

/* Size of a shard's file; 0 when it is not there. */
uint64_t shard_file_bytes(const char *folder, uint32_t number);

#endif
