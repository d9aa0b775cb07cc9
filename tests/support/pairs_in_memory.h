/* Games of a match read from memory, as a file that has no name. */
#ifndef TESTS_PAIRS_IN_MEMORY_H
#define TESTS_PAIRS_IN_MEMORY_H

#include <sys/mman.h>
#include <unistd.h>

#include "selfplay/match/pair_file.h"
#include "support/require.h"

/* What pair_file_read returns for a file "games" of these bytes. */
static inline enum willow_status pairs_in_memory(const void *data, size_t size, uint64_t *whole_bytes,
                                                 struct willow_error *error)
{
    const int fd = memfd_create("games", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no file in memory");
    const enum willow_status status =
        pair_file_read(fd, "games", willow_ruleset_default(), NULL, NULL, whole_bytes, error);
    (void)close(fd);
    return status;
}

#endif
