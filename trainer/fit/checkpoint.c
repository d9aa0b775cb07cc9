/* The checkpoint file; see checkpoint.h. Layer: trainer.
 *
 * Native byte order: a checkpoint is for the program that wrote it, whose version is part of the identity.
 *     0  magic, 8 bytes
 *     8  identity, 32 hexadecimal digits
 *    40  u64 number of blocks, and for each its size and XXH3-64
 *        then the blocks, each padded to 16 bytes
 */
#include "checkpoint.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <willow/file.h>

static const unsigned char magic[8] = {0x89, 'W', 'L', 'C', '\r', '\n', 0x1a, '\n'};
enum { IDENTITY_AT = 8, IDENTITY_BYTES = 32, COUNT_AT = 40, TABLE_AT = 48, ALIGN = 16, PATH_BYTES = 4096 };
static const size_t file_limit = (size_t)1 << 36;

/* Rounded up to the next block. */
static size_t padded(size_t size)
{
    return (size + ALIGN - 1) / ALIGN * ALIGN;
}

static bool put(FILE *stream, const void *data, size_t size)
{
    return size == 0 || fwrite(data, size, 1, stream) == 1;
}

static bool write_blocks(FILE *stream, const char *identity, const struct checkpoint_block *blocks, size_t count)
{
    static const unsigned char zeros[ALIGN];
    const uint64_t number = count;
    bool good = put(stream, magic, sizeof magic) && put(stream, identity, IDENTITY_BYTES) &&
                put(stream, &number, sizeof number);
    for (size_t i = 0; good && i < count; i++) {
        const uint64_t entry[2] = {blocks[i].size, willow_checksum64(blocks[i].data, blocks[i].size)};
        good = put(stream, entry, sizeof entry);
    }
    for (size_t i = 0; good && i < count; i++)
        good =
            put(stream, blocks[i].data, blocks[i].size) && put(stream, zeros, padded(blocks[i].size) - blocks[i].size);
    return good;
}

enum willow_status checkpoint_save(const char *path, const char identity[WILLOW_CHECKSUM_TEXT],
                                   const struct checkpoint_block *blocks, size_t count, struct willow_error *error)
{
    char temporary[PATH_BYTES];
    enum willow_status status = willow_file_check_mark(path, magic, sizeof magic, "checkpoint", error);
    if (status != WILLOW_OK)
        return status;
    const int length = snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (length < 0 || length >= PATH_BYTES)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, path, NULL, "the name is too long");
    FILE *stream = fopen(temporary, "wbe");
    if (!stream)
        return willow_fail_errno(error, temporary, "create", errno);
    bool good = write_blocks(stream, identity, blocks, count);
    int saved = errno;
    if (fclose(stream) != 0 && good) {
        good = false;
        saved = errno;
    }
    status = good ? willow_file_publish(temporary, path, error)
                  : willow_fail_errno(error, temporary, "write", saved ? saved : EIO);
    if (status != WILLOW_OK)
        (void)unlink(temporary);
    return status;
}

static enum willow_status bad(const char *path, struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_FORMAT, path, NULL, "this is not a whole checkpoint; --fresh starts anew");
}

/* Finds the blocks in a file of `size` bytes. */
static enum willow_status find_blocks(const char *path, struct checkpoint *checkpoint, size_t size,
                                      struct willow_error *error)
{
    uint64_t count;
    memcpy(&count, checkpoint->file + COUNT_AT, sizeof count);
    if (count > CHECKPOINT_BLOCKS_MAX || TABLE_AT + 16 * count > size)
        return bad(path, error);
    size_t at = TABLE_AT + 16 * (size_t)count;
    for (size_t i = 0; i < count; i++) {
        uint64_t entry[2];
        memcpy(entry, checkpoint->file + TABLE_AT + 16 * i, sizeof entry);
        if (entry[0] > size - at || padded((size_t)entry[0]) > size - at)
            return bad(path, error);
        if (willow_checksum64(checkpoint->file + at, (size_t)entry[0]) != entry[1])
            return willow_fail(error, WILLOW_ERR_CHECKSUM, path, NULL,
                               "the checkpoint is damaged; --fresh starts anew");
        checkpoint->blocks[i] = (struct checkpoint_block){checkpoint->file + at, (size_t)entry[0]};
        at += padded((size_t)entry[0]);
    }
    checkpoint->count = (size_t)count;
    return at == size ? WILLOW_OK : bad(path, error);
}

enum willow_status checkpoint_load(const char *path, const char identity[WILLOW_CHECKSUM_TEXT],
                                   struct checkpoint *checkpoint, struct willow_error *error)
{
    size_t size = 0;
    *checkpoint = (struct checkpoint){0};
    if (!willow_file_exists(path))
        return WILLOW_OK;
    enum willow_status status = willow_file_read(path, file_limit, &checkpoint->file, &size, error);
    if (status == WILLOW_OK && (size < TABLE_AT || memcmp(checkpoint->file, magic, sizeof magic) != 0))
        status = bad(path, error);
    else if (status == WILLOW_OK && memcmp(checkpoint->file + IDENTITY_AT, identity, IDENTITY_BYTES) != 0)
        status = willow_fail(error, WILLOW_ERR_MISMATCH, path, NULL,
                             "this is what another fit left (other data, settings or program); --fresh forgets it");
    if (status == WILLOW_OK)
        status = find_blocks(path, checkpoint, size, error);
    if (status != WILLOW_OK)
        checkpoint_clear(checkpoint);
    return status;
}

void checkpoint_clear(struct checkpoint *checkpoint)
{
    free(checkpoint->file);
    *checkpoint = (struct checkpoint){0};
}
