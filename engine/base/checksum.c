/* XXH3 checksums of memory and of files read in blocks.
 * Layer: base.
 */
#include <willow/checksum.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

enum { BLOCK_BYTES = 1 << 16 };

uint64_t willow_checksum64(const void *data, size_t size_bytes)
{
    return XXH3_64bits(data, size_bytes);
}

double willow_checksum_unit(const void *data, size_t size_bytes)
{
    return (double)(willow_checksum64(data, size_bytes) >> 11) * 0x1p-53;
}

static void format_checksum(XXH128_hash_t hash, char text[WILLOW_CHECKSUM_TEXT])
{
    const uint64_t halves[2] = {hash.high64, hash.low64};
    for (int i = 0; i < 32; i++)
        text[i] = "0123456789abcdef"[halves[i / 16] >> (60 - i % 16 * 4) & 15];
    text[32] = '\0';
}

void willow_checksum128_text(const void *data, size_t size_bytes, char text[WILLOW_CHECKSUM_TEXT])
{
    format_checksum(XXH3_128bits(data, size_bytes), text);
}

/* Feeds the whole of fd to state. Returns 0 or an errno value. */
static int digest_descriptor(int fd, XXH3_state_t *state)
{
    unsigned char block[BLOCK_BYTES];
    for (;;) {
        const ssize_t got = read(fd, block, sizeof block);
        if (got == 0)
            return 0;
        if (got > 0)
            (void)XXH3_128bits_update(state, block, (size_t)got); /* fails for null pointers only */
        else if (errno != EINTR)
            return errno;
    }
}

enum willow_status willow_checksum_file(const char *path, char text[WILLOW_CHECKSUM_TEXT], struct willow_error *error)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return willow_fail_errno(error, path, "open", errno);

    enum willow_status status = WILLOW_OK;
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        status = willow_fail(error, WILLOW_ERR_MEMORY, path, NULL, "not enough memory for a checksum");
        goto cleanup;
    }
    (void)XXH3_128bits_reset(state);
    const int failure = digest_descriptor(fd, state);
    if (failure)
        status = willow_fail_errno(error, path, "read", failure);
    else
        format_checksum(XXH3_128bits_digest(state), text);
cleanup:
    (void)XXH3_freeState(state); /* accepts null */
    (void)close(fd);             /* nothing was written */
    return status;
}
