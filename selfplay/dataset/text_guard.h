/* A checksum over the texts of an HDF5 file. Texts of variable length, which other programs get as text, lie in HDF5's
 * global heap: the one part of the format without a checksum, and HDF5 1.10 writes past its buffers when a size in
 * there is damaged. So the bytes of the heap are compared with their checksum before HDF5 looks at them. Layer:
 * selfplay/dataset, internal.
 */
#ifndef SELFPLAY_DATASET_TEXT_GUARD_H
#define SELFPLAY_DATASET_TEXT_GUARD_H

#include <hdf5.h>
#include <stddef.h>

#include <willow/status.h>

/* Finds the one heap in the bytes of a file that was flushed and holds no data yet, and writes the attributes
 * text_offset, text_bytes and text_checksum (XXH3-64) to its root. No text of variable length may be written after it.
 * WILLOW_ERR_IO. */
enum willow_status text_guard_write(hid_t file, const char *path, const void *data, size_t size,
                                    struct willow_error *error);

/* Compares. The file must have been opened from the disk. WILLOW_ERR_FORMAT, WILLOW_ERR_CHECKSUM, WILLOW_ERR_IO. */
enum willow_status text_guard_check(hid_t file, const char *path, struct willow_error *error);

#endif
