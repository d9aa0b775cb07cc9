/* Writes the columns of a shard, packed by several threads. Layer: selfplay/dataset, internal. */
#ifndef SELFPLAY_DATASET_SHARD_COLUMNS_H
#define SELFPLAY_DATASET_SHARD_COLUMNS_H

#include <hdf5.h>

#include "column.h"

/* The columns of one array of structs. */
struct shard_table {
    const struct column *columns;
    size_t columns_count;
    const void *base;
    size_t stride;
    uint64_t count;
};

/* Creates the columns of all tables and fills them. threads: that pack, this one included; fewer when no more can be
 * started. Only this one calls HDF5. WILLOW_ERR_MEMORY, _IO. */
enum willow_status shard_columns_write(hid_t file, const char *path, const struct shard_table *tables,
                                       size_t tables_count, unsigned level, int threads, struct willow_error *error);

#endif
