/* The transposition table: bounds, depths, levels of selectivity, replacement, clearing, sizes down to one entry, and
 * threads that meet in one slot.
 */
#include "search/table.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <willow/random.h>

#include "support/sanitized.h"

/* The level that leaves out nothing. */
enum { STRICT = 5 };

static struct table new_table(size_t size_bytes)
{
    struct table table;
    assert_int_equal(table_init(&table, size_bytes, NULL), WILLOW_OK);
    return table;
}

static bool holds(const struct table *table, uint64_t player, uint64_t opponent)
{
    struct table_entry entry;
    return table_probe(table, player, opponent, &entry);
}

static struct table_entry found(const struct table *table, uint64_t player, uint64_t opponent)
{
    struct table_entry entry;
    assert_true(table_probe(table, player, opponent, &entry));
    return entry;
}

static void finds_what_was_stored(void **state)
{
    (void)state;
    struct table table = new_table(1 << 16);
    assert_false(holds(&table, 1, 2));
    table_store(&table, 1, 2, 5, STRICT, 10, 20, 15, 33);
    struct table_entry entry = found(&table, 1, 2);
    assert_int_equal(entry.lower, 15);
    assert_int_equal(entry.upper, 15);
    assert_int_equal(entry.depth, 5);
    assert_int_equal(entry.selectivity, STRICT);
    assert_int_equal(entry.move[0], 33);
    assert_int_equal(entry.move[1], WILLOW_NO_SQUARE);
    assert_false(holds(&table, 2, 1));
    assert_false(holds(&table, 1, 6));
    table_free(&table);
}

/* What is packed into one word comes out as it went in, at both ends of every range. */
static void extreme_values_come_back(void **state)
{
    (void)state;
    static const uint64_t boards[][2] = {
        {0, 0}, {~(uint64_t)0, 0}, {0, ~(uint64_t)0}, {0xAAAAAAAAAAAAAAAAu, 0x5555555555555555u}};
    static const int scores[] = {-WILLOW_SCORE_MAX, -WILLOW_SCORE_MAX + 1, -1, 0, 1, WILLOW_SCORE_MAX};
    static const int depths[] = {1, TABLE_EXACT - 1, TABLE_EXACT, TABLE_EXACT + 60};
    struct table table = new_table(64);
    for (size_t i = 0; i < 4 * 6 * 4 * (STRICT + 1) * 2; i++) {
        const uint64_t *board = boards[i % 4];
        int score = scores[i / 4 % 6], depth = depths[i / 24 % 4], level = (int)(i / 96 % (STRICT + 1));
        int move = i / 96 / (STRICT + 1) % 2 ? 63 : 0;
        table_clear(&table);
        table_store(&table, board[0], board[1], depth, level, -WILLOW_SCORE_MAX - 1, WILLOW_SCORE_MAX + 1, score, move);
        struct table_entry entry = found(&table, board[0], board[1]);
        assert_int_equal(entry.lower, score);
        assert_int_equal(entry.upper, score);
        assert_int_equal(entry.depth, depth);
        assert_int_equal(entry.selectivity, level);
        assert_int_equal(entry.move[0], move);
        assert_int_equal(entry.move[1], WILLOW_NO_SQUARE);
    }
    table_free(&table);
}

static void bounds_of_one_depth_meet(void **state)
{
    (void)state;
    struct table table = new_table(1 << 16);
    table_store(&table, 1, 2, 5, STRICT, 10, 11, 30, 7);
    assert_int_equal(found(&table, 1, 2).lower, 30);
    assert_int_equal(found(&table, 1, 2).upper, WILLOW_SCORE_MAX);
    table_store(&table, 1, 2, 5, STRICT, 40, 41, 36, 9);
    assert_int_equal(found(&table, 1, 2).lower, 30);
    assert_int_equal(found(&table, 1, 2).upper, 36);
    /* The failed search must not displace the move that succeeded. */
    assert_int_equal(found(&table, 1, 2).move[0], 7);
    table_store(&table, 1, 2, 5, STRICT, 31, 32, 34, 9);
    assert_int_equal(found(&table, 1, 2).move[0], 9);
    assert_int_equal(found(&table, 1, 2).move[1], 7);
    table_free(&table);
}

/* A bound of a selective search proves nothing for a stricter one, so the two never meet in one entry. */
static void bounds_of_two_levels_do_not_meet(void **state)
{
    (void)state;
    struct table table = new_table(1 << 16);
    table_store(&table, 1, 2, 5, 2, 10, 11, 30, 7);
    table_store(&table, 1, 2, 5, 3, 40, 41, 36, 9);
    struct table_entry entry = found(&table, 1, 2);
    assert_int_equal(entry.selectivity, 3);
    assert_int_equal(entry.lower, -WILLOW_SCORE_MAX);
    assert_int_equal(entry.upper, 36);
    table_store(&table, 1, 2, 5, 0, 20, 21, 25, 9);
    entry = found(&table, 1, 2);
    /* Whichever of the two stays, its bounds are of its own level. */
    if (entry.selectivity == 0) {
        assert_int_equal(entry.lower, 25);
        assert_int_equal(entry.upper, WILLOW_SCORE_MAX);
    } else {
        assert_int_equal(entry.selectivity, 3);
        assert_int_equal(entry.lower, -WILLOW_SCORE_MAX);
        assert_int_equal(entry.upper, 36);
    }
    table_free(&table);
}

static void deeper_results_stay(void **state)
{
    (void)state;
    struct table table = new_table(1 << 16);
    table_store(&table, 1, 2, 8, STRICT, 0, 100, 50, 7);
    table_store(&table, 1, 2, 4, STRICT, 0, 100, 60, 9);
    assert_int_equal(found(&table, 1, 2).depth, 8);
    assert_int_equal(found(&table, 1, 2).lower, 50);
    table_store(&table, 1, 2, 4, 0, 0, 100, 60, 9);
    assert_int_equal(found(&table, 1, 2).depth, 8);
    assert_int_equal(found(&table, 1, 2).selectivity, STRICT);
    table_store(&table, 1, 2, 9, STRICT, 0, 100, 0, 9);
    assert_int_equal(found(&table, 1, 2).depth, 9);
    assert_int_equal(found(&table, 1, 2).lower, -WILLOW_SCORE_MAX);
    assert_int_equal(found(&table, 1, 2).upper, 0);
    table_free(&table);
}

/* Else an exact search could never keep what it finds below a selective one that went further. */
static void stricter_results_replace_deeper_ones(void **state)
{
    (void)state;
    struct table table = new_table(1 << 16);
    table_store(&table, 1, 2, TABLE_EXACT + 20, 0, 0, 100, 50, 7);
    table_store(&table, 1, 2, 9, STRICT, 0, 100, 60, 9);
    assert_int_equal(found(&table, 1, 2).depth, 9);
    assert_int_equal(found(&table, 1, 2).selectivity, STRICT);
    assert_int_equal(found(&table, 1, 2).lower, 60);
    /* The move stays worth a try. */
    assert_int_equal(found(&table, 1, 2).move[1], 7);
    table_free(&table);
}

static void clear_forgets_even_when_the_epoch_wraps(void **state)
{
    (void)state;
    struct table table = new_table(1 << 12);
    table_store(&table, 1, 2, 8, STRICT, 0, 100, 50, 7);
    table_clear(&table);
    assert_false(holds(&table, 1, 2));
    /* A table that has seen 2^32 - 1 clears: entries of the first epoch must not come back to life. */
    table_store(&table, 3, 4, 8, STRICT, 0, 100, 50, 7);
    uint32_t epoch = table.epoch;
    table.epoch = UINT32_MAX;
    table_store(&table, 5, 6, 8, STRICT, 0, 100, 50, 7);
    assert_true(holds(&table, 5, 6));
    table_clear(&table);
    for (; table.epoch <= epoch; table_clear(&table)) {
        assert_false(holds(&table, 1, 2));
        assert_false(holds(&table, 3, 4));
        assert_false(holds(&table, 5, 6));
    }
    table_free(&table);
}

/* The empty board has words of zero, as unused memory has. */
static void unused_slots_hold_no_board(void **state)
{
    (void)state;
    struct table table = new_table(1 << 12);
    assert_false(holds(&table, 0, 0));
    assert_false(holds(&table, 0, ~(uint64_t)0));
    table_free(&table);
}

static void old_and_shallow_entries_give_way(void **state)
{
    (void)state;
    struct table table = new_table(2 * sizeof(struct table_slot));
    table_store(&table, 1, 2, 8, STRICT, 0, 100, 50, 7);
    table_store(&table, 3, 4, 3, STRICT, 0, 100, 50, 7);
    table_store(&table, 5, 6, 4, STRICT, 0, 100, 50, 7);
    assert_true(holds(&table, 1, 2));
    assert_false(holds(&table, 3, 4));
    assert_true(holds(&table, 5, 6));
    table.age++;
    table_store(&table, 7, 8, 1, STRICT, 0, 100, 50, 7);
    table_store(&table, 9, 10, 1, STRICT, 0, 100, 50, 7);
    assert_false(holds(&table, 1, 2));
    assert_false(holds(&table, 5, 6));
    assert_true(holds(&table, 7, 8));
    assert_true(holds(&table, 9, 10));
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
        int kept = 0;
        for (int n = 0; n < 1000; n++) {
            uint64_t player = willow_random_u64(&random), opponent = ~player;
            struct table_entry entry;
            table_store(&table, player, opponent, 1 + n % 40, STRICT, 0, 100, n % 100, 5);
            if (table_probe(&table, player, opponent, &entry)) {
                assert_int_equal(entry.depth, 1 + n % 40);
                kept++;
            }
        }
        /* The last one is always kept: the worst of a bucket gives way, never the newcomer. */
        assert_int_equal(kept, 1000);
        table_free(&table);
    }
}

/* Two sides of player's discs with two of opponent's: every mix of words is one of the four boards too. Every entry of
 * a board follows from the board and the depth; anything else that comes out was mixed from two stores. */
struct meeting {
    struct table *table;
    uint64_t seed;
    int rounds, hits, mixed;
};

static const uint64_t meeting_boards[4][2] = {{0x0000000810000000u, 0x0000001008000000u},
                                              {0x0000003810000000u, 0x0000001008000000u},
                                              {0x0000000810000000u, 0x0000081008000000u},
                                              {0x0000003810000000u, 0x0000081008000000u}};

static int meeting_score(int board, int depth)
{
    return 256 * board + depth;
}

/* Everything that comes out of the table for a board must have gone in for it. */
static bool is_whole(int board, struct table_entry entry)
{
    return entry.lower == entry.upper && entry.lower == meeting_score(board, entry.depth) &&
           entry.selectivity == entry.depth % (STRICT + 1) && entry.move[0] == 16 * board + entry.depth % 16 &&
           (entry.move[1] == WILLOW_NO_SQUARE || entry.move[1] / 16 == board);
}

static void store_meeting(struct table *table, int board, int depth)
{
    table_store(table, meeting_boards[board][0], meeting_boards[board][1], depth, depth % (STRICT + 1),
                -WILLOW_SCORE_MAX, WILLOW_SCORE_MAX, meeting_score(board, depth), 16 * board + depth % 16);
}

static void *meet(void *argument)
{
    struct meeting *meeting = argument;
    struct willow_random random;
    willow_random_init(&random, 2, meeting->seed);
    for (int round = 0; round < meeting->rounds; round++) {
        uint64_t draw = willow_random_u64(&random);
        int board = (int)(draw & 3), depth = 1 + (int)(draw >> 8 & 63);
        struct table_entry entry;
        if (draw >> 2 & 1)
            store_meeting(meeting->table, board, depth);
        if (!table_probe(meeting->table, meeting_boards[board][0], meeting_boards[board][1], &entry))
            continue;
        meeting->hits++;
        meeting->mixed += !is_whole(board, entry);
    }
    return NULL;
}

enum { WORDS = 2 * WILLOW_BITS_WORDS + 1 };

/* The words of a slot that a reader compares. */
static void words_of(struct table_slot *slot, _Atomic uint64_t *words[WORDS])
{
    for (int i = 0; i < WILLOW_BITS_WORDS; i++) {
        words[i] = &slot->player[i];
        words[WILLOW_BITS_WORDS + i] = &slot->opponent[i];
    }
    words[WORDS - 1] = &slot->packed;
}

/* What a reader may see while a slot is overwritten, made by hand: each word from the old store or from the new one. */
static void mixed_words_hold_no_board(void **state)
{
    (void)state;
    struct table table = new_table(0);
    for (int pair = 0; pair < 16; pair++)
        for (int depths = 0; depths < 64; depths++)
            for (unsigned words = 0; words < 1u << WORDS; words++) {
                struct table_slot *slot = table.slots;
                table_clear(&table);
                store_meeting(&table, pair / 4, 1 + depths / 8);
                _Atomic uint64_t *at[WORDS];
                uint64_t old[WORDS];
                words_of(slot, at);
                for (int i = 0; i < WORDS; i++)
                    old[i] = *at[i];
                table_clear(&table);
                store_meeting(&table, pair % 4, 1 + depths % 8);
                for (int i = 0; i < WORDS; i++)
                    *at[i] = words >> i & 1 ? old[i] : *at[i];
                for (int board = 0; board < 4; board++) {
                    struct table_entry entry;
                    if (table_probe(&table, meeting_boards[board][0], meeting_boards[board][1], &entry))
                        assert_true(is_whole(board, entry));
                }
            }
    table_free(&table);
}

static void threads_never_read_a_mixed_entry(void **state)
{
    (void)state;
    /* One bucket of one slot, then of two. */
    for (size_t slots = 1; slots <= 2; slots++) {
        struct table table = new_table(slots * sizeof(struct table_slot));
        struct meeting meetings[3];
        pthread_t threads[3];
        for (int i = 0; i < 3; i++) {
            meetings[i] =
                (struct meeting){.table = &table, .seed = (uint64_t)i, .rounds = SANITIZED ? 100000 : 2000000};
            assert_int_equal(pthread_create(&threads[i], NULL, meet, &meetings[i]), 0);
        }
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (int i = 0; i < 3; i++) {
            assert_true(meetings[i].hits > meetings[i].rounds / 10);
            assert_int_equal(meetings[i].mixed, 0);
        }
        table_free(&table);
    }
}

static void touch_all(struct table *table)
{
    size_t at_bytes = 0;
    while (table_touch(table, &at_bytes))
        ;
}

/* A table of its own pages, fresh from the system, is all there afterwards, and holds what it held. */
static void touched_memory_is_there(void **state)
{
    (void)state;
    enum { BYTES = 8 << 20, PAGES = BYTES / 4096 };
    struct table table = new_table(BYTES);
    unsigned char there[PAGES];
    table_store(&table, 1, 2, 5, STRICT, 10, 20, 15, 33);
    touch_all(&table);
    assert_int_equal(mincore(table.slots, BYTES, there), 0);
    for (long page = 0; page < BYTES / sysconf(_SC_PAGESIZE); page++)
        assert_true((there[page] & 1) != 0);
    assert_int_equal(found(&table, 1, 2).lower, 15);
    table_clear(&table);
    touch_all(&table);
    assert_false(holds(&table, 1, 2));
    table_free(&table);
    for (size_t bytes = 1; bytes <= 1 << 14; bytes *= 2) {
        table = new_table(bytes);
        touch_all(&table);
        table_free(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_stored),
        cmocka_unit_test(extreme_values_come_back),
        cmocka_unit_test(bounds_of_one_depth_meet),
        cmocka_unit_test(bounds_of_two_levels_do_not_meet),
        cmocka_unit_test(deeper_results_stay),
        cmocka_unit_test(stricter_results_replace_deeper_ones),
        cmocka_unit_test(clear_forgets_even_when_the_epoch_wraps),
        cmocka_unit_test(unused_slots_hold_no_board),
        cmocka_unit_test(old_and_shallow_entries_give_way),
        cmocka_unit_test(every_size_works),
        cmocka_unit_test(mixed_words_hold_no_board),
        cmocka_unit_test(threads_never_read_a_mixed_entry),
        cmocka_unit_test(touched_memory_is_there),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
