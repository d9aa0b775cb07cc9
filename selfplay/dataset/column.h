/* One field of an array of structs as one HDF5 dataset: how it is described, created, filled, opened and read in
 * blocks. Layer: selfplay/dataset, internal.
 */
#ifndef SELFPLAY_DATASET_COLUMN_H
#define SELFPLAY_DATASET_COLUMN_H

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

#include "chunk.h"

enum column_type { COLUMN_U64, COLUMN_I16, COLUMN_I8, COLUMN_U8 };

struct column {
    const char *name; /* full path in the file, "/positions/score" */
    size_t offset;    /* in the struct */
    enum column_type type;
    unsigned width; /* values an element; above 1 the dataset is 2-D */
};

enum {
    COLUMN_CHUNK_ROWS = 65536,        /* rows of a chunk, fewer where the column is shorter or wider */
    COLUMN_CHUNK_BYTES = 8 << 16,     /* of one that we write, at most */
    COLUMN_CHUNK_MAX_BYTES = 16 << 20 /* a reader refuses more: it keeps the chunks of one block of rows in memory */
};

/* Bytes of scratch memory that reading up to COLUMN_CHUNK_ROWS elements needs for any of the columns. */
size_t column_scratch_bytes(const struct column *columns, size_t columns_count);

/* Creates the dataset for `count` elements, packed by deflate at this level. The caller closes it. WILLOW_ERR_IO. */
enum willow_status column_create(hid_t file, const char *path, const struct column *column, unsigned level,
                                 uint64_t count, hid_t *dataset, struct willow_error *error);

/* Chunks of a column of `count` elements; 0 when it is empty. */
uint64_t column_chunks(const struct column *column, uint64_t count);

/* Packs chunk `number` of the field of all `count` structs, `stride` bytes apart. Calls no HDF5: any number of threads
 * at once, each with a scratch memory of 2 * COLUMN_CHUNK_BYTES. The caller frees the chunk's data. WILLOW_ERR_MEMORY.
 */
enum willow_status column_pack(const struct column *column, const void *base, size_t stride, uint64_t count,
                               uint64_t number, unsigned level, void *scratch, struct chunk *chunk,
                               struct willow_error *error);

/* Puts it into the dataset. WILLOW_ERR_IO. */
enum willow_status column_put(hid_t dataset, const char *path, const struct column *column, uint64_t count,
                              uint64_t number, const struct chunk *chunk, struct willow_error *error);

/* Opens a dataset and checks that it has this type, `count` elements and a bounded chunk. WILLOW_ERR_FORMAT. */
enum willow_status column_open(hid_t file, const char *path, const struct column *column, uint64_t count,
                               hid_t *dataset, struct willow_error *error);

/* Reads elements first .. first + count - 1 into the field of structs `stride` bytes apart; count <= COLUMN_CHUNK_ROWS.
 */
enum willow_status column_read(hid_t dataset, const char *path, const struct column *column, uint64_t first,
                               uint64_t count, void *base, size_t stride, void *scratch, struct willow_error *error);

#endif
