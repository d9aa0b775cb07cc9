/* Memory for large tables: aligned, writable to its end, refused where there cannot be so much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/huge.h"

static void any_size_is_aligned_and_whole(void **state)
{
    (void)state;
    enum { HUGE_PAGE = 2 << 20 };
    static const size_t sizes[] = {0, 1, 64, 65, HUGE_PAGE - 1, HUGE_PAGE, HUGE_PAGE + 1, 3 * HUGE_PAGE + 100};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *memory = huge_alloc(sizes[i]);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % (sizes[i] >= HUGE_PAGE ? HUGE_PAGE : 64), 0);
        memset(memory, 0xa5, sizes[i]);
        for (size_t at = 0; at < sizes[i]; at += 4093)
            assert_int_equal(memory[at], 0xa5);
        free(memory);
    }
}

static void too_much_is_refused(void **state)
{
    (void)state;
    assert_null(huge_alloc(SIZE_MAX));
    assert_null(huge_alloc(SIZE_MAX - 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_size_is_aligned_and_whole),
        cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests_name("huge", tests, NULL, NULL);
}
