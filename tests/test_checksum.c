/* Checksums: published answers, and files read in blocks against the same bytes in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/checksum.h>

#include "support/scratch.h"

/* XXH3 of the empty input, as xxhsum prints it for an empty file (xxHash 0.8). */
static void known_answers(void **state)
{
    (void)state;
    char text[WILLOW_CHECKSUM_TEXT];
    assert_int_equal(willow_checksum64("", 0), UINT64_C(0x2d06800538d394c2));
    willow_checksum128_text("", 0, text);
    assert_string_equal(text, "99aa06d3014798d86001c324468d497f");
}

static void unit_is_uniform(void **state)
{
    (void)state;
    enum { KEYS = 40000 };
    int below = 0;
    for (uint32_t key = 0; key < KEYS; key++) {
        const double unit = willow_checksum_unit(&key, sizeof key);
        assert_true(unit >= 0 && unit < 1);
        below += unit < 0.25;
    }
    assert_in_range(below, KEYS / 4 - 400, KEYS / 4 + 400); /* standard deviation 87 */
}

static void one_bit_changes_it(void **state)
{
    (void)state;
    unsigned char data[100] = {0};
    char before[WILLOW_CHECKSUM_TEXT], after[WILLOW_CHECKSUM_TEXT];
    willow_checksum128_text(data, sizeof data, before);
    const uint64_t before64 = willow_checksum64(data, sizeof data);
    data[99] ^= 1;
    willow_checksum128_text(data, sizeof data, after);
    assert_string_not_equal(before, after);
    assert_true(before64 != willow_checksum64(data, sizeof data));
}

static void file_equals_memory(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};
    char folder[SCRATCH_PATH], path[SCRATCH_PATH];
    scratch_make(folder);
    scratch_join(path, folder, "file");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *data = malloc(sizes[i] + 1);
        assert_non_null(data);
        for (size_t n = 0; n < sizes[i]; n++)
            data[n] = (unsigned char)(n * 7 + n / 251);
        scratch_write(path, data, sizes[i]);

        char expected[WILLOW_CHECKSUM_TEXT], text[WILLOW_CHECKSUM_TEXT];
        willow_checksum128_text(data, sizes[i], expected);
        assert_int_equal(willow_checksum_file(path, text, NULL), WILLOW_OK);
        assert_string_equal(text, expected);
        free(data);
    }
    scratch_remove(folder);
}

static void unreadable_files_are_reported(void **state)
{
    (void)state;
    char text[WILLOW_CHECKSUM_TEXT];
    struct willow_error error;
    assert_int_equal(willow_checksum_file("/nowhere/file", text, &error), WILLOW_ERR_IO);
    assert_string_equal(error.file, "/nowhere/file");
    assert_int_equal(willow_checksum_file("/", text, &error), WILLOW_ERR_IO);
    assert_non_null(strstr(error.reason, "cannot read"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(unit_is_uniform),
        cmocka_unit_test(one_bit_changes_it),
        cmocka_unit_test(file_equals_memory),
        cmocka_unit_test(unreadable_files_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
