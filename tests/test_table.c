/* The transposition table: bounds, depths, replacement, clearing, and sizes down to one entry. */
#include "search/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <willow/random.h>

static struct table new_table(size_t size_bytes)
{
    struct table table;
    assert_int_equal(table_init(&table, size_bytes, NULL), WILLOW_OK);
    return table;
}

static void finds_what_was_stored(void **state)
{
    (void)state;
    struct table table = new_table(1 << 16);
    assert_null(table_probe(&table, 1, 2));
    table_store(&table, 1, 2, 5, 10, 20, 15, 33);
    const struct table_entry *entry = table_probe(&table, 1, 2);
    assert_non_null(entry);
    assert_int_equal(entry->lower, 15);
    assert_int_equal(entry->upper, 15);
    assert_int_equal(entry->depth, 5);
    assert_int_equal(entry->move[0], 33);
    assert_int_equal(entry->move[1], WILLOW_NO_SQUARE);
    assert_null(table_probe(&table, 2, 1));
    assert_null(table_probe(&table, 1, 6));
    table_free(&table);
}

static void bounds_of_one_depth_meet(void **state)
{
    (void)state;
    struct table table = new_table(1 << 16);
    table_store(&table, 1, 2, 5, 10, 11, 30, 7);
    assert_int_equal(table_probe(&table, 1, 2)->lower, 30);
    assert_int_equal(table_probe(&table, 1, 2)->upper, WILLOW_SCORE_MAX);
    table_store(&table, 1, 2, 5, 40, 41, 36, 9);
    assert_int_equal(table_probe(&table, 1, 2)->lower, 30);
    assert_int_equal(table_probe(&table, 1, 2)->upper, 36);
    /* The failed search must not displace the move that succeeded. */
    assert_int_equal(table_probe(&table, 1, 2)->move[0], 7);
    table_store(&table, 1, 2, 5, 31, 32, 34, 9);
    assert_int_equal(table_probe(&table, 1, 2)->move[0], 9);
    assert_int_equal(table_probe(&table, 1, 2)->move[1], 7);
    table_free(&table);
}

static void deeper_results_stay(void **state)
{
    (void)state;
    struct table table = new_table(1 << 16);
    table_store(&table, 1, 2, 8, 0, 100, 50, 7);
    table_store(&table, 1, 2, 4, 0, 100, 60, 9);
    assert_int_equal(table_probe(&table, 1, 2)->depth, 8);
    assert_int_equal(table_probe(&table, 1, 2)->lower, 50);
    table_store(&table, 1, 2, 9, 0, 100, 0, 9);
    assert_int_equal(table_probe(&table, 1, 2)->depth, 9);
    assert_int_equal(table_probe(&table, 1, 2)->lower, -WILLOW_SCORE_MAX);
    assert_int_equal(table_probe(&table, 1, 2)->upper, 0);
    table_free(&table);
}

static void clear_forgets_even_when_the_epoch_wraps(void **state)
{
    (void)state;
    struct table table = new_table(1 << 12);
    table_store(&table, 1, 2, 8, 0, 100, 50, 7);
    table_clear(&table);
    assert_null(table_probe(&table, 1, 2));
    /* A table that has seen 2^32 - 1 clears: entries of the first epoch must not come back to life. */
    table_store(&table, 3, 4, 8, 0, 100, 50, 7);
    uint32_t epoch = table.epoch;
    table.epoch = UINT32_MAX;
    table_store(&table, 5, 6, 8, 0, 100, 50, 7);
    table_clear(&table);
    for (; table.epoch <= epoch; table_clear(&table)) {
        assert_null(table_probe(&table, 1, 2));
        assert_null(table_probe(&table, 3, 4));
        assert_null(table_probe(&table, 5, 6));
    }
    table_free(&table);
}

static void old_and_shallow_entries_give_way(void **state)
{
    (void)state;
    struct table table = new_table(2 * sizeof(struct table_entry));
    table_store(&table, 1, 2, 8, 0, 100, 50, 7);
    table_store(&table, 3, 4, 3, 0, 100, 50, 7);
    table_store(&table, 5, 6, 4, 0, 100, 50, 7);
    assert_non_null(table_probe(&table, 1, 2));
    assert_null(table_probe(&table, 3, 4));
    assert_non_null(table_probe(&table, 5, 6));
    table.age++;
    table_store(&table, 7, 8, 1, 0, 100, 50, 7);
    table_store(&table, 9, 10, 1, 0, 100, 50, 7);
    assert_null(table_probe(&table, 1, 2));
    assert_null(table_probe(&table, 5, 6));
    assert_non_null(table_probe(&table, 7, 8));
    assert_non_null(table_probe(&table, 9, 10));
    table_free(&table);
}

static void every_size_works(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 31, 32, 63, 64, 100, 4096};
    static const uint64_t entries[] = {1, 1, 1, 1, 1, 2, 2, 128};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct table table = new_table(sizes[i]);
        assert_int_equal(table.mask + 1, entries[i]);
        struct willow_random random;
        willow_random_init(&random, 1, i);
        for (int n = 0; n < 1000; n++) {
            uint64_t player = willow_random_u64(&random), opponent = ~player;
            table_store(&table, player, opponent, 1 + n % 40, 0, 100, n % 100, 5);
            const struct table_entry *entry = table_probe(&table, player, opponent);
            if (entry)
                assert_int_equal(entry->depth, 1 + n % 40);
        }
        table_free(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_stored),
        cmocka_unit_test(bounds_of_one_depth_meet),
        cmocka_unit_test(deeper_results_stay),
        cmocka_unit_test(clear_forgets_even_when_the_epoch_wraps),
        cmocka_unit_test(old_and_shallow_entries_give_way),
        cmocka_unit_test(every_size_works),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
