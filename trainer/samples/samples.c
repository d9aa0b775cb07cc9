/* Compact labelled rows in an unnamed scratch file; see samples.h. Knows nothing of datasets or weights.
 * Layer: trainer.
 */
#include "samples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct samples {
    int fd;
    uint64_t rows, held_out;
    char checksum[WILLOW_CHECKSUM_TEXT];
    char folder[480]; /* for error messages */
};

/* Where the file system cannot make a file without a name, a named one is unlinked at once. */
static int open_scratch(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
        return fd;
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/willow-scratch-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0 && unlink(path) != 0) {
        int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    return fd;
}

enum willow_status samples_new(const char *folder, struct samples **samples, struct willow_error *error)
{
    struct samples *made = calloc(1, sizeof *made);
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    made->fd = open_scratch(folder);
    if (made->fd < 0) {
        int saved = errno;
        free(made);
        return willow_fail_errno(error, folder, "create a scratch file in this folder", saved);
    }
    snprintf(made->folder, sizeof made->folder, "%s", folder);
    *samples = made;
    return WILLOW_OK;
}

void samples_free(struct samples *samples)
{
    if (!samples)
        return;
    close(samples->fd); /* nothing to lose: the file has no name */
    free(samples);
}

enum willow_status samples_clear(struct samples *samples, struct willow_error *error)
{
    if (ftruncate(samples->fd, 0) != 0)
        return willow_fail_errno(error, samples->folder, "empty the scratch file in this folder", errno);
    samples->rows = 0;
    samples->held_out = 0;
    memset(samples->checksum, 0, sizeof samples->checksum);
    return WILLOW_OK;
}

/* Each append's checksum goes into the next: the order counts, and nothing is read twice. */
static void chain_checksum(struct samples *samples, const struct sample *rows, size_t count)
{
    char pair[2 * WILLOW_CHECKSUM_TEXT];
    memcpy(pair, samples->checksum, WILLOW_CHECKSUM_TEXT);
    willow_checksum128_text(rows, count * sizeof *rows, pair + WILLOW_CHECKSUM_TEXT);
    willow_checksum128_text(pair, sizeof pair, samples->checksum);
}

enum willow_status samples_append(struct samples *samples, const struct sample *rows, size_t count,
                                  struct willow_error *error)
{
    const char *bytes = (const char *)rows;
    size_t size = count * sizeof *rows, done = 0;
    off_t start = (off_t)(samples->rows * sizeof *rows);
    while (done < size) {
        ssize_t written = pwrite(samples->fd, bytes + done, size - done, start + (off_t)done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return willow_fail_errno(error, samples->folder, "write the scratch file in this folder",
                                     written < 0 ? errno : ENOSPC);
        done += (size_t)written;
    }
    for (size_t i = 0; i < count; i++)
        samples->held_out += rows[i].held_out;
    samples->rows += count;
    chain_checksum(samples, rows, count);
    return WILLOW_OK;
}

const char *samples_checksum(const struct samples *samples)
{
    return samples->checksum;
}

uint64_t samples_rows(const struct samples *samples)
{
    return samples->rows;
}

uint64_t samples_held_out(const struct samples *samples)
{
    return samples->held_out;
}

enum willow_status samples_read(const struct samples *samples, uint64_t first, size_t count, struct sample *rows,
                                struct willow_error *error)
{
    char *bytes = (char *)rows;
    size_t size = count * sizeof *rows, done = 0;
    off_t start = (off_t)(first * sizeof *rows);
    while (done < size) {
        ssize_t got = pread(samples->fd, bytes + done, size - done, start + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return willow_fail_errno(error, samples->folder, "read the scratch file in this folder", errno);
        if (got == 0)
            return willow_fail(error, WILLOW_ERR_IO, samples->folder, NULL,
                               "the scratch file in this folder ended early");
        done += (size_t)got;
    }
    return WILLOW_OK;
}
