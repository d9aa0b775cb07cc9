/* A handle whose threads search together, for tests in which their number matters. */
#ifndef TESTS_THREADED_SEARCH_H
#define TESTS_THREADED_SEARCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <willow/search.h>

/* The caller frees it. */
static inline struct willow_search *threaded_search(const struct willow_weights *weights, size_t hash_bytes,
                                                    int threads)
{
    struct willow_search *search = NULL;
    assert_int_equal(willow_search_new(weights, hash_bytes, &search, NULL), WILLOW_OK);
    assert_int_equal(willow_search_set_threads(search, threads, NULL), WILLOW_OK);
    return search;
}

#endif
