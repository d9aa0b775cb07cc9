/* What becomes of the rows of several datasets, by number of the row. Layer: selfplay. Its file is never seen by
 * others: it has lost its name before anything is written.
 */
#include "amendments.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/file.h>

enum { PATH_BYTES = 4096, BLOCK_LABELS = 1024 };

#define LABEL_BYTES sizeof(struct duplicates_labels)

struct amendments_run {
    uint64_t first, count; /* in labels from the begin of the file */
};

size_t amendments_bytes(uint64_t rows)
{
    return (size_t)(rows / 64 + 1) * sizeof(uint64_t);
}

enum willow_status amendments_init(struct amendments *amendments, uint64_t rows, const char *folder,
                                   struct willow_error *error)
{
    *amendments = (struct amendments){.rows = rows, .fd = -1, .folder = folder};
    amendments->dropped = calloc(1, amendments_bytes(rows));
    return amendments->dropped ? WILLOW_OK : willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

void amendments_clear(struct amendments *amendments)
{
    if (amendments->dropped && amendments->fd >= 0)
        (void)close(amendments->fd);
    free(amendments->dropped);
    free(amendments->runs);
    *amendments = (struct amendments){.fd = -1};
}

void amendments_drop(struct amendments *amendments, uint64_t number)
{
    amendments->dropped[number / 64] |= UINT64_C(1) << number % 64;
}

static bool is_dropped(const struct amendments *amendments, uint64_t number)
{
    return amendments->dropped[number / 64] >> number % 64 & 1;
}

static enum willow_status open_file(struct amendments *amendments, struct willow_error *error)
{
    char path[PATH_BYTES];
    enum willow_status status = willow_path_join(path, sizeof path, amendments->folder, "labels-XXXXXX", error);
    if (status)
        return status;
    amendments->fd = mkostemp(path, O_CLOEXEC);
    if (amendments->fd < 0)
        return willow_fail_errno(error, path, "create", errno);
    if (unlink(path) != 0)
        return willow_fail_errno(error, path, "remove", errno);
    return WILLOW_OK;
}

static enum willow_status write_all(const struct amendments *amendments, const void *data, size_t size,
                                    struct willow_error *error)
{
    const unsigned char *bytes = data;
    for (size_t done = 0; done < size;) {
        const ssize_t written = write(amendments->fd, bytes + done, size - done);
        if (written < 0 && errno != EINTR)
            return willow_fail_errno(error, amendments->folder, "write a temporary file", errno);
        if (written > 0)
            done += (size_t)written;
    }
    return WILLOW_OK;
}

static enum willow_status read_labels(const struct amendments *amendments, uint64_t first, size_t count,
                                      struct duplicates_labels *labels, struct willow_error *error)
{
    unsigned char *bytes = (unsigned char *)labels;
    for (size_t done = 0; done < count * LABEL_BYTES;) {
        const ssize_t got =
            pread(amendments->fd, bytes + done, count * LABEL_BYTES - done, (off_t)(first * LABEL_BYTES + done));
        if (got < 0 && errno != EINTR)
            return willow_fail_errno(error, amendments->folder, "read a temporary file", errno);
        if (got == 0)
            return willow_fail(error, WILLOW_ERR_IO, amendments->folder, NULL, "a temporary file became shorter");
        if (got > 0)
            done += (size_t)got;
    }
    return WILLOW_OK;
}

enum willow_status amendments_add(struct amendments *amendments, const struct duplicates_labels *labels, size_t count,
                                  struct willow_error *error)
{
    if (count == 0)
        return WILLOW_OK;
    if (amendments->runs_count == amendments->runs_capacity) {
        const size_t capacity = amendments->runs_capacity ? amendments->runs_capacity * 2 : 16;
        struct amendments_run *grown = reallocarray(amendments->runs, capacity, sizeof *grown);
        if (!grown)
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
        amendments->runs = grown;
        amendments->runs_capacity = capacity;
    }
    enum willow_status status = amendments->fd < 0 ? open_file(amendments, error) : WILLOW_OK;
    if (!status)
        status = write_all(amendments, labels, count * LABEL_BYTES, error);
    if (status)
        return status;
    amendments->runs[amendments->runs_count++] = (struct amendments_run){amendments->labels_count, count};
    amendments->labels_count += count;
    return WILLOW_OK;
}

/* *first becomes the index, from the begin of the file, of the first label of a run with this number or a greater. */
static enum willow_status find_label(const struct amendments *amendments, const struct amendments_run *run,
                                     uint64_t number, uint64_t *first, struct willow_error *error)
{
    uint64_t low = run->first, high = run->first + run->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        struct duplicates_labels labels;
        enum willow_status status = read_labels(amendments, middle, 1, &labels, error);
        if (status)
            return status;
        if (labels.number < number)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    return WILLOW_OK;
}

static enum willow_status apply_run(const struct amendments *amendments, const struct amendments_run *run,
                                    uint64_t first_number, struct willow_row *rows, uint64_t count,
                                    struct willow_error *error)
{
    struct duplicates_labels labels[BLOCK_LABELS] = {0};
    uint64_t next, end = run->first + run->count;
    enum willow_status status = find_label(amendments, run, first_number, &next, error);
    while (!status && next < end) {
        const size_t part = end - next < BLOCK_LABELS ? (size_t)(end - next) : BLOCK_LABELS;
        status = read_labels(amendments, next, part, labels, error);
        for (size_t i = 0; !status && i < part; i++) {
            if (labels[i].number - first_number >= count)
                return WILLOW_OK;
            struct willow_row *row = &rows[labels[i].number - first_number];
            row->score = labels[i].score;
            row->result = labels[i].result;
            row->depth = labels[i].depth;
            row->selectivity = labels[i].selectivity;
            row->flags = labels[i].flags;
        }
        next += part;
    }
    return status;
}

enum willow_status amendments_apply(const struct amendments *amendments, uint64_t first_number, struct willow_row *rows,
                                    uint64_t *count, struct willow_error *error)
{
    for (size_t i = 0; i < amendments->runs_count; i++) {
        enum willow_status status = apply_run(amendments, &amendments->runs[i], first_number, rows, *count, error);
        if (status)
            return status;
    }
    uint64_t kept = 0;
    for (uint64_t i = 0; i < *count; i++)
        if (!is_dropped(amendments, first_number + i))
            rows[kept++] = rows[i];
    *count = kept;
    return WILLOW_OK;
}
