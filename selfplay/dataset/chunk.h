/* One chunk of a column packed as HDF5's shuffle, deflate and Fletcher-32 filters would leave it, without HDF5, whose
 * one lock would let one thread pack at a time. Layer: selfplay/dataset, internal.
 */
#ifndef SELFPLAY_DATASET_CHUNK_H
#define SELFPLAY_DATASET_CHUNK_H

#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

struct chunk {
    unsigned char *data; /* malloc */
    size_t size_bytes;
};

/* `values`: `count` little-endian values of `value_bytes` each, all that the chunk has room for; `scratch`: as many
 * bytes. level: deflate's, 0 .. 9. Any number of threads at once. WILLOW_ERR_MEMORY. */
enum willow_status chunk_pack(const void *values, size_t value_bytes, size_t count, unsigned level, void *scratch,
                              struct chunk *chunk, struct willow_error *error);

#endif
