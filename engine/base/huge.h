/* Memory for large tables that are read at random. Layer: base. */
#ifndef BASE_HUGE_H
#define BASE_HUGE_H

#include <stddef.h>

/* As malloc, and free gives it back. At least a cache line's alignment; from 2 MiB on in huge pages where the system
 * has them to give: they come 500 times as fast as small ones do, and more of them fit the processor's page cache. */
void *huge_alloc(size_t bytes);

#endif
