/* Compact labelled rows in an unnamed scratch file; see samples.h. Knows nothing of datasets or weights.
 * Layer: trainer.
 *
 * The file is an array of full blocks in the order in which they became full, whatever their list; each list knows the
 * places of its own. The last block of a list stays in memory until it is full.
 */
#include "samples.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct sample) == sizeof(struct willow_board) + 8 + SAMPLE_PADDING - 1,
               "a row has no padding of the compiler's");
enum { BLOCK_BYTES = SAMPLE_BLOCK_ROWS * (int)sizeof(struct sample) };

struct block {
    uint64_t place; /* in the file, in blocks */
    uint64_t checksum;
};

struct list {
    struct block *blocks;
    size_t count, room;
    struct sample *tail; /* rows after the last full block; null before the first row */
    size_t tail_rows;
    uint64_t digest[2]; /* of the full blocks */
};

struct samples {
    int fd;
    uint64_t places; /* blocks in the file */
    struct list lists[SAMPLE_PLIES][SAMPLE_PARTS];
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
    for (int ply = 0; ply < SAMPLE_PLIES; ply++)
        for (int part = 0; part < SAMPLE_PARTS; part++) {
            free(samples->lists[ply][part].blocks);
            free(samples->lists[ply][part].tail);
        }
    free(samples);
}

static off_t offset_of(uint64_t place)
{
    return (off_t)place * BLOCK_BYTES;
}

static enum willow_status write_block(struct samples *samples, uint64_t place, const struct sample *rows,
                                      struct willow_error *error)
{
    const char *bytes = (const char *)rows;
    size_t done = 0;
    while (done < BLOCK_BYTES) {
        ssize_t written = pwrite(samples->fd, bytes + done, BLOCK_BYTES - done, offset_of(place) + (off_t)done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return willow_fail_errno(error, samples->folder, "write the scratch file in this folder",
                                     written < 0 ? errno : ENOSPC);
        done += (size_t)written;
    }
    return WILLOW_OK;
}

/* Each row is one number, mixed twice: what leaves one sum alike changes the other. */
static void add_digest(const struct sample *rows, size_t count, uint64_t digest[2])
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t hash = willow_checksum64(&rows[i], sizeof *rows);
        digest[0] += hash;
        digest[1] += hash * (hash >> 32 | 1);
    }
}

/* Gives the full tail a place in the file. */
static enum willow_status store_tail(struct samples *samples, struct list *list, struct willow_error *error)
{
    if (list->count == list->room) {
        const size_t room = list->room > 0 ? 2 * list->room : 16;
        struct block *blocks = reallocarray(list->blocks, room, sizeof *blocks);
        if (!blocks)
            return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for the list of scratch blocks");
        list->blocks = blocks;
        list->room = room;
    }
    const enum willow_status status = write_block(samples, samples->places, list->tail, error);
    if (status != WILLOW_OK)
        return status;
    add_digest(list->tail, SAMPLE_BLOCK_ROWS, list->digest);
    list->blocks[list->count++] =
        (struct block){.place = samples->places++, .checksum = willow_checksum64(list->tail, BLOCK_BYTES)};
    list->tail_rows = 0;
    return WILLOW_OK;
}

enum willow_status samples_append(struct samples *samples, int ply, enum sample_part part, const struct sample *rows,
                                  size_t count, struct willow_error *error)
{
    assert(ply >= 0 && ply < SAMPLE_PLIES);
    struct list *list = &samples->lists[ply][part];
    if (!list->tail && !(list->tail = malloc(BLOCK_BYTES)))
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for a block of rows");
    for (size_t done = 0; done < count;) {
        const size_t room = SAMPLE_BLOCK_ROWS - list->tail_rows, left = count - done, take = left < room ? left : room;
        memcpy(list->tail + list->tail_rows, rows + done, take * sizeof *rows);
        list->tail_rows += take;
        done += take;
        if (list->tail_rows == SAMPLE_BLOCK_ROWS) {
            const enum willow_status status = store_tail(samples, list, error);
            if (status != WILLOW_OK)
                return status;
        }
    }
    return WILLOW_OK;
}

uint64_t samples_rows(const struct samples *samples, int ply, enum sample_part part)
{
    const struct list *list = &samples->lists[ply][part];
    return (uint64_t)list->count * SAMPLE_BLOCK_ROWS + list->tail_rows;
}

size_t samples_blocks(const struct samples *samples, int ply, enum sample_part part)
{
    const struct list *list = &samples->lists[ply][part];
    return list->count + (list->tail_rows > 0);
}

void samples_digest(const struct samples *samples, int ply, uint64_t digest[2])
{
    for (int part = 0; part < SAMPLE_PARTS; part++) {
        const struct list *list = &samples->lists[ply][part];
        uint64_t sums[2] = {list->digest[0], list->digest[1]};
        add_digest(list->tail, list->tail_rows, sums);
        /* A row that changes sides changes the digest. */
        for (int i = 0; i < 2; i++)
            digest[i] += sums[i] * (part == SAMPLE_TRAIN ? 1 : 3);
    }
}

static enum willow_status read_block(const struct samples *samples, const struct block *block, struct sample *rows,
                                     struct willow_error *error)
{
    char *bytes = (char *)rows;
    size_t done = 0;
    while (done < BLOCK_BYTES) {
        ssize_t got = pread(samples->fd, bytes + done, BLOCK_BYTES - done, offset_of(block->place) + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return willow_fail_errno(error, samples->folder, "read the scratch file in this folder", errno);
        if (got == 0)
            return willow_fail(error, WILLOW_ERR_IO, samples->folder, NULL,
                               "the scratch file in this folder ended early");
        done += (size_t)got;
    }
    if (willow_checksum64(rows, BLOCK_BYTES) != block->checksum)
        return willow_fail(error, WILLOW_ERR_CHECKSUM, samples->folder, NULL,
                           "the scratch file in this folder does not hold what was written to it");
    return WILLOW_OK;
}

enum willow_status samples_read(const struct samples *samples, int ply, enum sample_part part, size_t block,
                                struct sample *rows, size_t *count, struct willow_error *error)
{
    const struct list *list = &samples->lists[ply][part];
    assert(block < samples_blocks(samples, ply, part));
    if (block < list->count) {
        *count = SAMPLE_BLOCK_ROWS;
        return read_block(samples, &list->blocks[block], rows, error);
    }
    *count = list->tail_rows;
    memcpy(rows, list->tail, list->tail_rows * sizeof *rows);
    return WILLOW_OK;
}

void samples_prefetch(const struct samples *samples, int ply, enum sample_part part, size_t block)
{
    const struct list *list = &samples->lists[ply][part];
    if (block < list->count) /* advice alone: whether it is taken changes nothing */
        (void)posix_fadvise(samples->fd, offset_of(list->blocks[block].place), BLOCK_BYTES, POSIX_FADV_WILLNEED);
}

/* The rows that stay, block by block; a block is written where an old block of the list stood that has been read. The
 * new list cannot overtake the old one, which it is a part of. */
static enum willow_status keep_rows(struct samples *samples, struct list *list, const bool *drop, struct sample *rows,
                                    struct sample *kept, struct willow_error *error)
{
    const size_t old_count = list->count, old_tail = list->tail_rows;
    size_t filled = 0;
    list->count = 0;
    memset(list->digest, 0, sizeof list->digest);
    for (size_t block = 0; block < old_count + (old_tail > 0); block++) {
        const bool full = block < old_count, *out = drop + block * SAMPLE_BLOCK_ROWS;
        enum willow_status status = full ? read_block(samples, &list->blocks[block], rows, error) : WILLOW_OK;
        if (status != WILLOW_OK)
            return status;
        const struct sample *from = full ? rows : list->tail;
        for (size_t i = 0, count = full ? SAMPLE_BLOCK_ROWS : old_tail; i < count; i++) {
            if (out[i])
                continue;
            kept[filled++] = from[i];
            if (filled < SAMPLE_BLOCK_ROWS)
                continue;
            status = write_block(samples, list->blocks[list->count].place, kept, error);
            if (status != WILLOW_OK)
                return status;
            add_digest(kept, SAMPLE_BLOCK_ROWS, list->digest);
            list->blocks[list->count++].checksum = willow_checksum64(kept, BLOCK_BYTES);
            filled = 0;
        }
    }
    memcpy(list->tail, kept, filled * sizeof *kept);
    list->tail_rows = filled;
    return WILLOW_OK;
}

enum willow_status samples_drop(struct samples *samples, int ply, enum sample_part part, const bool *drop,
                                struct willow_error *error)
{
    struct list *list = &samples->lists[ply][part];
    if (!list->tail)
        return WILLOW_OK;
    struct sample *rows = malloc(2 * (size_t)BLOCK_BYTES);
    if (!rows)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for a block of rows");
    const enum willow_status status = keep_rows(samples, list, drop, rows, rows + SAMPLE_BLOCK_ROWS, error);
    free(rows);
    return status;
}
