/* Packs a chunk as HDF5's filters do (the HDF5 file format specification, filters 1 to 3). Layer: selfplay/dataset. */
#include "chunk.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* What memory holds goes to the file as it is. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "shards are little endian");

enum { CHECKSUM_BYTES = 4 };

/* The first bytes of all values, then the second ones, and so on. */
static void shuffle(const unsigned char *values, size_t value_bytes, size_t count, unsigned char *to)
{
    for (size_t byte = 0; byte < value_bytes; byte++)
        for (size_t i = 0; i < count; i++)
            to[byte * count + i] = values[i * value_bytes + byte];
}

static uint32_t fold(uint32_t sum)
{
    return (sum & 0xFFFF) + (sum >> 16);
}

/* Fletcher's checksum over big-endian words of 16 bits, an odd byte at the end being the upper half of a word. 360
 * words are what a sum of 32 bits can take before it must be folded. */
static uint32_t fletcher32(const unsigned char *data, size_t size_bytes)
{
    enum { BLOCK = 2 * 360 };
    uint32_t first = 0, second = 0;
    for (size_t at = 0; at < size_bytes; at += BLOCK) {
        size_t end = size_bytes - at < BLOCK ? size_bytes : at + BLOCK;
        for (size_t i = at; i < end; i += 2) {
            first += (uint32_t)data[i] << 8 | (i + 1 < end ? data[i + 1] : 0);
            second += first;
        }
        first = fold(first);
        second = fold(second);
    }
    return fold(second) << 16 | fold(first);
}

enum willow_status chunk_pack(const void *values, size_t value_bytes, size_t count, unsigned level, void *scratch,
                              struct chunk *chunk, struct willow_error *error)
{
    const size_t bytes = value_bytes * count;
    uLongf packed = compressBound(bytes);
    const unsigned char *shuffled = values;
    *chunk = (struct chunk){.data = malloc(packed + CHECKSUM_BYTES)};
    if (value_bytes > 1) {
        shuffle(values, value_bytes, count, scratch);
        shuffled = scratch;
    }
    if (!chunk->data || compress2(chunk->data, &packed, shuffled, bytes, (int)level) != Z_OK) {
        free(chunk->data);
        chunk->data = NULL;
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "no memory to pack a column");
    }
    const uint32_t checksum = fletcher32(chunk->data, packed);
    memcpy(chunk->data + packed, &checksum, CHECKSUM_BYTES);
    chunk->size_bytes = packed + CHECKSUM_BYTES;
    return WILLOW_OK;
}
