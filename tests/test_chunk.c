/* Packed chunks against what HDF5's own filters make of the same values, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hdf5.h>

#include <willow/random.h>

#include "selfplay/dataset/chunk.h"

/* The same chunk by HDF5 in a file in memory. The caller frees. */
static unsigned char *packed_by_hdf5(const void *values, size_t value_bytes, size_t count, unsigned level,
                                     hsize_t *size_bytes)
{
    const hid_t type = value_bytes == 8 ? H5T_STD_U64LE : value_bytes == 2 ? H5T_STD_I16LE : H5T_STD_U8LE;
    const hsize_t extent = count, start = 0;
    uint32_t mask;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    assert_true(H5Pset_fapl_core(access, 1 << 20, 0) >= 0);
    hid_t file = H5Fcreate("packed.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t space = H5Screate_simple(1, &extent, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_chunk(properties, 1, &extent) >= 0 && H5Pset_shuffle(properties) >= 0 &&
                H5Pset_deflate(properties, level) >= 0 && H5Pset_fletcher32(properties) >= 0);
    hid_t dataset = H5Dcreate2(file, "values", type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Dflush(dataset) >= 0);
    assert_true(H5Dget_chunk_storage_size(dataset, &start, size_bytes) >= 0);
    unsigned char *data = malloc((size_t)*size_bytes);
    assert_non_null(data);
    assert_true(H5Dread_chunk(dataset, H5P_DEFAULT, &start, &mask, data) >= 0);
    assert_int_equal(mask, 0);
    (void)H5Dclose(dataset);
    (void)H5Pclose(properties);
    (void)H5Sclose(space);
    (void)H5Fclose(file);
    (void)H5Pclose(access);
    return data;
}

static void compare(const unsigned char *values, size_t value_bytes, size_t count, unsigned level)
{
    struct chunk chunk;
    void *scratch = malloc(value_bytes * count);
    hsize_t size_bytes;
    unsigned char *expected = packed_by_hdf5(values, value_bytes, count, level, &size_bytes);
    assert_non_null(scratch);
    assert_int_equal(chunk_pack(values, value_bytes, count, level, scratch, &chunk, NULL), WILLOW_OK);
    assert_int_equal(chunk.size_bytes, size_bytes);
    assert_memory_equal(chunk.data, expected, chunk.size_bytes);
    free(chunk.data);
    free(expected);
    free(scratch);
}

/* Noise, values that repeat, and all alike; odd and even sizes of what is packed. */
static void test_packed_as_by_hdf5(void **state)
{
    enum { BYTES_MAX = 8 << 16 };
    static const size_t sizes[] = {1, 2, 8}, counts[] = {1, 2, 3, 7, 359, 361, 720, 5000, 65536};
    unsigned char *values = malloc(BYTES_MAX);
    struct willow_random random;
    (void)state;
    assert_non_null(values);
    willow_random_init(&random, 1, 1);
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < BYTES_MAX; i++)
            values[i] = (unsigned char)(kind == 0   ? willow_random_below(&random, 256)
                                        : kind == 1 ? i % 16 < 12 ? 0 : i / 640
                                                    : 0xFF);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                for (unsigned level = 1; level <= 6; level += 5)
                    compare(values, sizes[s], counts[c], level);
    }
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_packed_as_by_hdf5)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
