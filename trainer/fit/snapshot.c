/* Blocks of memory as bytes; see snapshot.h. Layer: trainer. */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

#include <willow/checksum.h>

/* What the bytes begin with; the rest is content. */
struct header {
    uint64_t magic, identity;
    uint64_t checksum; /* of the two above and the content */
};

static const uint64_t magic = UINT64_C(0x31746966776f6c77);

static size_t content_of(const struct snapshot_block *blocks, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += blocks[i].size;
    return sum;
}

/* Chained, so that the content is not copied to be summed. */
static uint64_t checksum_of(struct header header, const unsigned char *content, size_t size)
{
    header.checksum = willow_checksum64(content, size);
    return willow_checksum64(&header, sizeof header);
}

enum willow_status snapshot_write(uint64_t identity, const struct snapshot_block *blocks, size_t count,
                                  unsigned char **bytes, size_t *size, struct willow_error *error)
{
    struct header header = {.magic = magic, .identity = identity};
    const size_t content = content_of(blocks, count);
    unsigned char *made = malloc(sizeof header + content), *next = made + sizeof header;
    if (!made)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory for the state of the fit");
    for (size_t i = 0; i < count; next += blocks[i++].size)
        if (blocks[i].size > 0)
            memcpy(next, blocks[i].data, blocks[i].size);
    header.checksum = checksum_of(header, made + sizeof header, content);
    memcpy(made, &header, sizeof header);
    *bytes = made;
    *size = sizeof header + content;
    return WILLOW_OK;
}

size_t snapshot_content(size_t size)
{
    return size > sizeof(struct header) ? size - sizeof(struct header) : 0;
}

enum willow_status snapshot_read(uint64_t identity, const struct snapshot_block *blocks, size_t count,
                                 const void *bytes, size_t size, struct willow_error *error)
{
    struct header header;
    const unsigned char *content = (const unsigned char *)bytes + sizeof header;
    if (size < sizeof header || snapshot_content(size) != content_of(blocks, count))
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL, "the saved state of the fit is cut or of another fit");
    memcpy(&header, bytes, sizeof header);
    if (header.magic != magic || header.checksum != checksum_of(header, content, snapshot_content(size)))
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL, "the saved state of the fit is damaged");
    if (header.identity != identity)
        return willow_fail(error, WILLOW_ERR_FORMAT, NULL, NULL, "the saved state is that of another fit");
    for (size_t i = 0; i < count; content += blocks[i++].size)
        if (blocks[i].size > 0)
            memcpy(blocks[i].data, content, blocks[i].size);
    return WILLOW_OK;
}
