/* Memory for large tables that are read at random. Layer: base. */
#include "huge.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };

void *huge_alloc(size_t bytes)
{
    const size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : CACHE_LINE;
    if (bytes > SIZE_MAX - alignment)
        return NULL;
    const size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, whole > 0 ? whole : alignment);
    /* Only a wish. */
    if (memory && bytes >= HUGE_PAGE)
        (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
}
