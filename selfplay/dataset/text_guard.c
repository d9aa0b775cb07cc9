/* A checksum over the texts of an HDF5 file: where its global heap lies, and what is in it. Knows none of the texts.
 * Layer: selfplay/dataset.
 */
#include "text_guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/checksum.h>

#include "h5.h"

/* A heap begins with these four letters, version 1, three zeros, and its size in 64 bits, little endian. */
enum { HEAD_BYTES = 16, SIZE_AT = 8, HEAP_MAX_BYTES = 1 << 20 };

static const unsigned char signature[SIZE_AT] = {'G', 'C', 'O', 'L', 1};

static uint64_t heap_size(const unsigned char *head)
{
    uint64_t size = 0;
    for (int i = 0; i < 8; i++)
        size |= (uint64_t)head[SIZE_AT + i] << (8 * i);
    return size;
}

enum willow_status text_guard_write(hid_t file, const char *path, const void *data, size_t size,
                                    struct willow_error *error)
{
    const unsigned char *bytes = data, *heap = memmem(data, size, signature, sizeof signature);
    const size_t at = heap ? (size_t)(heap - bytes) : size;
    const uint64_t length = size - at >= HEAD_BYTES ? heap_size(heap) : 0;
    if (length < HEAD_BYTES || length > size - at || length > HEAP_MAX_BYTES ||
        memmem(heap + length, size - at - (size_t)length, signature, sizeof signature))
        return willow_fail(error, WILLOW_ERR_IO, path, NULL, "cannot tell where HDF5 has put its texts");
    enum willow_status status = h5_attribute_write_u64(file, path, "text_offset", at, error);
    if (!status)
        status = h5_attribute_write_u64(file, path, "text_bytes", length, error);
    if (!status)
        status = h5_attribute_write_u64(file, path, "text_checksum", willow_checksum64(heap, (size_t)length), error);
    return status;
}

/* Through HDF5's own descriptor, so that both see the same file. */
static enum willow_status read_bytes(hid_t file, const char *path, uint64_t at, unsigned char *bytes, size_t size,
                                     struct willow_error *error)
{
    int *fd = NULL;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&fd) < 0)
        return h5_fail(error, WILLOW_ERR_IO, path, NULL, "reach its bytes");
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(*fd, bytes + done, size - done, (off_t)(at + done));
        if (got < 0 && errno != EINTR)
            return willow_fail_errno(error, path, "read", errno);
        if (got == 0)
            return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "it ends before its texts do");
        done += got > 0 ? (size_t)got : 0;
    }
    return WILLOW_OK;
}

enum willow_status text_guard_check(hid_t file, const char *path, struct willow_error *error)
{
    static const char *const names[] = {"text_offset", "text_bytes", "text_checksum"};
    uint64_t values[3];
    for (int i = 0; i < 3; i++) {
        enum willow_status status = h5_attribute_read(file, path, names[i], &values[i], error);
        if (status)
            return status;
    }
    if (values[0] > INT64_MAX - HEAP_MAX_BYTES || values[1] > HEAP_MAX_BYTES)
        return willow_fail(error, WILLOW_ERR_FORMAT, path, names[1], "the place of the texts cannot be");
    unsigned char *bytes = malloc((size_t)values[1] + 1);
    if (!bytes)
        return willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "out of memory");
    enum willow_status status = read_bytes(file, path, values[0], bytes, (size_t)values[1], error);
    if (!status && willow_checksum64(bytes, (size_t)values[1]) != values[2])
        status = willow_fail(error, WILLOW_ERR_CHECKSUM, path, names[2], "the texts do not match their checksum");
    free(bytes);
    return status;
}
