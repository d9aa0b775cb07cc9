/* XXH3 checksums of memory and files (from xxHash). Layer: base. */
#ifndef WILLOW_CHECKSUM_H
#define WILLOW_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WILLOW_CHECKSUM_TEXT = 33 }; /* 32 hexadecimal digits and the terminator */

/* XXH3-64 with seed 0. */
uint64_t willow_checksum64(const void *data, size_t size_bytes);

/* The upper 53 bits of that as a number in [0, 1): a share of all keys lies below any limit. */
double willow_checksum_unit(const void *data, size_t size_bytes);

/* XXH3-128 with seed 0, as 32 lower-case hexadecimal digits (high half first, as xxhsum prints). */
void willow_checksum128_text(const void *data, size_t size_bytes, char text[WILLOW_CHECKSUM_TEXT]);

/* The same over a whole file, read in blocks. WILLOW_ERR_IO, WILLOW_ERR_MEMORY. */
enum willow_status willow_checksum_file(const char *path, char text[WILLOW_CHECKSUM_TEXT], struct willow_error *error);

#ifdef __cplusplus
}
#endif
#endif
