/* Ranks: what all get is what one process alone would compute. Holds for any number of ranks; under mpirun every rank
 * runs all of it, in the same order. `test_ranks K` lets rank K fail in the end, and the ranks before it stop.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <willow/ranks.h>

static int failing; /* rank */

static struct willow_ranks *ranks_of(void **state)
{
    return *state;
}

/* Some number of a rank and a place, large enough for sums to wrap. */
static int64_t value_of(int rank, size_t place)
{
    return (int64_t)((uint64_t)(rank + 1) * UINT64_C(0x9E3779B97F4A7C15) * (2 * place + 1));
}

static void nobody_is_one_rank(void **state)
{
    (void)state;
    int64_t value = -7;
    size_t bytes = 99;
    void *all = NULL;
    bool arrived = true;
    struct willow_error error = {0};
    assert_int_equal(willow_ranks_self(NULL), 0);
    assert_int_equal(willow_ranks_count(NULL), 1);
    assert_int_equal(willow_ranks_sharing(NULL), 1);
    assert_int_equal(willow_ranks_agree(NULL, WILLOW_OK, &error), WILLOW_OK);
    assert_int_equal(willow_ranks_agree(NULL, WILLOW_ERR_BUSY, &error), WILLOW_ERR_BUSY);
    assert_int_equal(willow_ranks_broadcast(NULL, &value, sizeof value, &error), WILLOW_OK);
    assert_int_equal(willow_ranks_sum(NULL, &value, 1, &error), WILLOW_OK);
    assert_int_equal(value, -7);
    assert_int_equal(willow_ranks_gather(NULL, "abc", 3, &all, &bytes, &error), WILLOW_OK);
    assert_int_equal(bytes, 3);
    assert_memory_equal(all, "abc", 3);
    free(all);
    assert_int_equal(willow_ranks_gather(NULL, NULL, 0, &all, &bytes, &error), WILLOW_OK);
    assert_int_equal(bytes, 0);
    free(all);
    assert_int_equal(willow_ranks_send(NULL, 1, "abc", 3, &error), WILLOW_ERR_ARGUMENT);
    assert_int_equal(willow_ranks_receive(NULL, &value, sizeof value, &arrived, &error), WILLOW_OK);
    assert_false(arrived);
    willow_ranks_end(NULL);
}

static void numbers_are_in_range(void **state)
{
    struct willow_ranks *ranks = ranks_of(state);
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    assert_int_equal(willow_ranks_count(ranks), size ? atoi(size) : 1);
    assert_int_equal(willow_ranks_self(ranks), willow_ranks_launched());
    assert_in_range(willow_ranks_self(ranks), 0, willow_ranks_count(ranks) - 1);
    assert_in_range(willow_ranks_sharing(ranks), 1, willow_ranks_count(ranks));
}

/* Sums of no value, of one, and of more than is added up at once. */
static void sums_are_everybodys(void **state)
{
    static const size_t counts[] = {0, 1, 1000, (2 << 20) + 17};
    struct willow_ranks *ranks = ranks_of(state);
    const int self = willow_ranks_self(ranks), count = willow_ranks_count(ranks);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const size_t values_count = counts[c];
        size_t wrong = 0;
        int64_t *values = malloc((values_count + 1) * sizeof *values);
        assert_non_null(values);
        for (size_t i = 0; i <= values_count; i++)
            values[i] = value_of(self, i);
        assert_int_equal(willow_ranks_sum(ranks, values, values_count, NULL), WILLOW_OK);
        for (size_t i = 0; i < values_count; i++) {
            uint64_t sum = 0;
            for (int rank = 0; rank < count; rank++)
                sum += (uint64_t)value_of(rank, i);
            wrong += values[i] != (int64_t)sum;
        }
        assert_int_equal(wrong, 0);
        assert_true(values[values_count] == value_of(self, values_count)); /* beyond the end */
        free(values);
    }
}

/* Round r: rank k has (k + r) % count blocks' worth, so that each has nothing once, the longest too much for one send.
 */
static void blocks_are_gathered_in_order(void **state)
{
    static const size_t units[] = {1, 4096, (33 << 20) + 3};
    struct willow_ranks *ranks = ranks_of(state);
    const int self = willow_ranks_self(ranks), count = willow_ranks_count(ranks);
    for (int round = 0; round < count; round++) {
        const size_t unit = units[round % 3], own_bytes = (size_t)((self + round) % count) * unit;
        void *all = NULL;
        size_t all_bytes = 1, at = 0;
        unsigned char *own = malloc(own_bytes + 1);
        assert_non_null(own);
        memset(own, self + 1, own_bytes + 1);
        assert_int_equal(willow_ranks_gather(ranks, own, own_bytes, &all, &all_bytes, NULL), WILLOW_OK);
        for (int rank = 0; rank < count; rank++) {
            size_t wrong = 0;
            for (size_t end = at + (size_t)((rank + round) % count) * unit; at < end; at++)
                wrong += at >= all_bytes || ((unsigned char *)all)[at] != rank + 1;
            assert_int_equal(wrong, 0);
        }
        assert_int_equal(at, all_bytes);
        free(own);
        free(all);
    }
}

static void broadcasts_are_those_of_rank_0(void **state)
{
    enum { BYTES = (64 << 20) + 5 };
    struct willow_ranks *ranks = ranks_of(state);
    size_t wrong = 0;
    unsigned char *data = malloc(BYTES + 1);
    assert_non_null(data);
    memset(data, willow_ranks_self(ranks) + 1, BYTES + 1);
    assert_int_equal(willow_ranks_broadcast(ranks, data, BYTES, NULL), WILLOW_OK);
    for (size_t i = 0; i < BYTES; i++)
        wrong += data[i] != 1;
    assert_int_equal(wrong, 0);
    assert_int_equal(data[BYTES], willow_ranks_self(ranks) + 1);
    assert_int_equal(willow_ranks_broadcast(ranks, NULL, 0, NULL), WILLOW_OK);
    free(data);
}

/* Everybody sends to its neighbour, and hears each message once, in order. */
static void messages_arrive_in_order(void **state)
{
    enum { MESSAGES = 100 };
    struct willow_ranks *ranks = ranks_of(state);
    const int self = willow_ranks_self(ranks), count = willow_ranks_count(ranks);
    int message[200] = {0};
    bool arrived = true;
    if (count > 1) {
        for (int i = 0; i < MESSAGES; i++) {
            message[0] = i;
            message[199] = self;
            assert_int_equal(willow_ranks_send(ranks, (self + 1) % count, message, sizeof message, NULL), WILLOW_OK);
        }
        for (int heard = 0; heard < MESSAGES; heard += arrived) {
            assert_int_equal(willow_ranks_receive(ranks, message, sizeof message, &arrived, NULL), WILLOW_OK);
            assert_true(!arrived || (message[0] == heard && message[199] == (self + count - 1) % count));
        }
    }
    assert_int_equal(willow_ranks_receive(ranks, message, sizeof message, &arrived, NULL), WILLOW_OK);
    assert_false(arrived);
}

/* Everybody but one goes on, each time with another call, and all get its failure. */
static void a_failure_is_everybodys(void **state)
{
    struct willow_ranks *ranks = ranks_of(state);
    const int self = willow_ranks_self(ranks);
    struct willow_error error = {0};
    int64_t value = 7;
    size_t bytes;
    void *all;
    char wanted[32];
    assert_int_equal(willow_ranks_agree(ranks, WILLOW_OK, &error), WILLOW_OK);
    enum willow_status status;
    if (self == failing)
        status = willow_ranks_agree(
            ranks, willow_fail(&error, WILLOW_ERR_FORMAT, "file", "place", "rank %d failed", self), &error);
    else if (self < failing)
        status =
            willow_ranks_agree(ranks, willow_fail(&error, WILLOW_ERR_STOPPED, NULL, NULL, "rank %d", self), &error);
    else if ((self - failing) % 3 == 1)
        status = willow_ranks_sum(ranks, &value, 1, &error);
    else if ((self - failing) % 3 == 2)
        status = willow_ranks_gather(ranks, &value, sizeof value, &all, &bytes, &error);
    else
        status = willow_ranks_broadcast(ranks, &value, sizeof value, &error);
    (void)snprintf(wanted, sizeof wanted, "rank %d failed", failing);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(status, WILLOW_ERR_FORMAT);
        assert_int_equal(error.status, WILLOW_ERR_FORMAT);
        assert_string_equal(error.file, "file");
        assert_string_equal(error.place, "place");
        assert_string_equal(error.reason, wanted);
        assert_int_equal(value, 7);
        if (willow_ranks_count(ranks) == 1)
            return;
        memset(&error, 0, sizeof error);
        status = again == 0 && self == 0 ? willow_ranks_sum(ranks, &value, 1, &error)
                                         : willow_ranks_agree(ranks, WILLOW_ERR_BUSY, &error);
    }
}

#ifndef WILLOW_MPI
static void a_launch_without_open_mpi_is_refused(void **state)
{
    (void)state;
    struct willow_ranks *ranks;
    struct willow_error error;
    assert_int_equal(setenv("OMPI_COMM_WORLD_SIZE", "3", 1), 0);
    assert_int_equal(setenv("OMPI_COMM_WORLD_RANK", "2", 1), 0);
    assert_int_equal(willow_ranks_start(&ranks, &error), WILLOW_ERR_ARGUMENT);
    assert_null(ranks);
    assert_int_equal(willow_ranks_launched(), 2);
    assert_int_equal(setenv("OMPI_COMM_WORLD_SIZE", "1", 1), 0);
    assert_int_equal(willow_ranks_start(&ranks, &error), WILLOW_OK);
    willow_ranks_end(ranks);
    assert_int_equal(unsetenv("OMPI_COMM_WORLD_SIZE"), 0);
    assert_int_equal(unsetenv("OMPI_COMM_WORLD_RANK"), 0);
    assert_int_equal(willow_ranks_launched(), 0);
}
#endif

static int start(void **state)
{
    struct willow_ranks *ranks;
    struct willow_error error;
    if (willow_ranks_start(&ranks, &error) != WILLOW_OK)
        return -1;
    *state = ranks;
    return 0;
}

static int end(void **state)
{
    willow_ranks_end(*state);
    return 0;
}

int main(int argc, char **argv)
{
    failing = argc > 1 ? atoi(argv[1]) : 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_one_rank),
        cmocka_unit_test(numbers_are_in_range),
        cmocka_unit_test(sums_are_everybodys),
        cmocka_unit_test(blocks_are_gathered_in_order),
        cmocka_unit_test(broadcasts_are_those_of_rank_0),
        cmocka_unit_test(messages_arrive_in_order),
        cmocka_unit_test(a_failure_is_everybodys),
#ifndef WILLOW_MPI
        cmocka_unit_test(a_launch_without_open_mpi_is_refused),
#endif
    };
    return cmocka_run_group_tests(tests, start, end);
}
