/* For tests that open damaged shards: HDF5 1.10.8 loses an object header whenever it refuses a damaged one. Leaks of
 * our own are still reported. Included by the test program itself. */
#ifndef TESTS_HDF5_LEAKS_H
#define TESTS_HDF5_LEAKS_H

#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5_serial\n";
}
#endif

#endif
