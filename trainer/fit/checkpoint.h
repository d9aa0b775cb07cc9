/* The file that an unfinished fit leaves: blocks of bytes under a name of the fit they belong to, whole or not at all.
 * Layer: trainer. Knows nothing of what the blocks hold.
 */
#ifndef TRAINER_CHECKPOINT_H
#define TRAINER_CHECKPOINT_H

#include <stddef.h>

#include <willow/checksum.h>
#include <willow/status.h>

enum { CHECKPOINT_BLOCKS_MAX = 256 };

struct checkpoint_block {
    const void *data;
    size_t size;
};

/* A checkpoint in memory. Zeroed = none. */
struct checkpoint {
    unsigned char *file;
    size_t count;
    struct checkpoint_block blocks[CHECKPOINT_BLOCKS_MAX]; /* within file, each at a multiple of 16 bytes */
};

/* Writes path.tmp and puts it in the place of path, so that a kill or a full disk costs at most this save. identity:
 * of the fit: its data, settings and program. WILLOW_ERR_IO; WILLOW_ERR_BUSY when path holds anything but a checkpoint.
 */
enum willow_status checkpoint_save(const char *path, const char identity[WILLOW_CHECKSUM_TEXT],
                                   const struct checkpoint_block *blocks, size_t count, struct willow_error *error);

/* Reads path; *checkpoint stays empty where there is no such file. The caller clears *checkpoint. WILLOW_ERR_MISMATCH
 * when it is of another fit; WILLOW_ERR_FORMAT, _CHECKSUM, _IO, _MEMORY. */
enum willow_status checkpoint_load(const char *path, const char identity[WILLOW_CHECKSUM_TEXT],
                                   struct checkpoint *checkpoint, struct willow_error *error);
void checkpoint_clear(struct checkpoint *checkpoint);

#endif
