/* HDF5 calls with this project's error reports: every refusal becomes one willow_error with file, object and HDF5's own
 * reason. Layer: selfplay/dataset, internal.
 */
#ifndef SELFPLAY_DATASET_H5_H
#define SELFPLAY_DATASET_H5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

/* Switches HDF5's printing of its error stack off for this thread. Every entry to the library calls it. */
void h5_quiet(void);

/* Status `status` with "cannot <action>: <innermost reason on HDF5's error stack>"; empties that stack. */
enum willow_status h5_fail(struct willow_error *error, enum willow_status status, const char *path, const char *place,
                           const char *action);

/* Drops one reference to an id of any kind; ignores invalid ids, so that it suits cleanup of half-built things. */
void h5_close(hid_t id);

/* Opens a file for reading. WILLOW_ERR_IO when the system refuses it, WILLOW_ERR_FORMAT when it is not sound HDF5. */
enum willow_status h5_open(const char *path, hid_t *file, struct willow_error *error);

/* Attributes of an object; `path` names the file in errors. Integers are 64 or 32 bits, unsigned, little endian. */
enum willow_status h5_attribute_write_u64(hid_t object, const char *path, const char *name, uint64_t value,
                                          struct willow_error *error);
enum willow_status h5_attribute_write_u32(hid_t object, const char *path, const char *name, uint32_t value,
                                          struct willow_error *error);
/* Variable length, UTF-8: other programs get it as text, not as bytes. */
enum willow_status h5_attribute_write_text(hid_t object, const char *path, const char *name, const char *text,
                                           struct willow_error *error);

/* Any unsigned integer type up to 64 bits is read; anything else is WILLOW_ERR_FORMAT. */
enum willow_status h5_attribute_read(hid_t object, const char *path, const char *name, uint64_t *value,
                                     struct willow_error *error);
/* WILLOW_ERR_FORMAT when the attribute is not text or does not fit into `size` bytes with its terminator. Text of
 * variable length is accepted only when `guarded`: the caller has had it checked (text_guard.h). */
enum willow_status h5_attribute_read_text(hid_t object, const char *path, const char *name, bool guarded, char *buffer,
                                          size_t size, struct willow_error *error);

/* A string type of `size` bytes with its terminator, or H5T_VARIABLE; UTF-8. Negative on failure. The caller closes it.
 */
hid_t h5_text_type(size_t size);

#endif
