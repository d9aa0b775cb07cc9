/* What test support does when the test's surroundings fail it: one line, and the test program ends. */
#ifndef TESTS_REQUIRE_H
#define TESTS_REQUIRE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline void require(bool condition, const char *what)
{
    if (condition)
        return;
    (void)fprintf(stderr, "test support: %s\n", what);
    exit(99);
}

#endif
