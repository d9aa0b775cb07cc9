/* The state of a fit as bytes, so that it can go on after a stop: blocks of memory with an identity and a checksum. The
 * bytes are for the build that wrote them. Layer: trainer.
 */
#ifndef TRAINER_SNAPSHOT_H
#define TRAINER_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

struct snapshot_block {
    void *data;
    size_t size;
};

/* *bytes is allocated and holds the blocks in their order. identity: what the state belongs to. WILLOW_ERR_MEMORY. */
enum willow_status snapshot_write(uint64_t identity, const struct snapshot_block *blocks, size_t count,
                                  unsigned char **bytes, size_t *size, struct willow_error *error);

/* Bytes that the blocks of a snapshot of this size hold together; 0 for a size that none has. */
size_t snapshot_content(size_t size);

/* Fills the blocks. WILLOW_ERR_FORMAT, and nothing is changed, unless the bytes are whole, of this identity and of the
 * size of the blocks together. */
enum willow_status snapshot_read(uint64_t identity, const struct snapshot_block *blocks, size_t count,
                                 const void *bytes, size_t size, struct willow_error *error);

#endif
