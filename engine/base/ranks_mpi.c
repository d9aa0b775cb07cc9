/* Ranks under Open MPI. Waiting is done by asking now and then: Open MPI's own waiting takes a whole core, which
 * belongs to somebody's work: with other processes about, blocking sums took three times as long. Layer: base.
 */
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <willow/ranks.h>

/* A question takes some microseconds, so that one in a millisecond leaves the core to others. */
enum { MESSAGE_TAG = 1, WAIT_MAX_US = 1000 };

/* What is sent at once: a count is an int to Open MPI, and a sum takes other buffers of this size. */
enum { BLOCK_BYTES = 1 << 26, BLOCK_VALUES = 1 << 20 };

struct willow_ranks {
    int self, count, sharing;
    bool broken;                 /* the ranks cannot talk any more */
    struct willow_error failure; /* what all have agreed on; its status is WILLOW_OK before */
};

static enum willow_status check(struct willow_ranks *ranks, int code, const char *what, struct willow_error *error)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return WILLOW_OK;
    ranks->broken = true;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        text[0] = '\0';
    return willow_fail(error, WILLOW_ERR_IO, "Open MPI", NULL, "cannot %s: %s", what, text);
}

static enum willow_status out_of_memory(struct willow_error *error)
{
    return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
}

static enum willow_status wait_for(struct willow_ranks *ranks, MPI_Request *request, const char *what,
                                   struct willow_error *error)
{
    for (long pause_us = 10;;) {
        int done;
        enum willow_status status = check(ranks, MPI_Test(request, &done, MPI_STATUS_IGNORE), what, error);
        if (status || done)
            return status;
        (void)nanosleep(&(struct timespec){0, pause_us * 1000}, NULL);
        pause_us = pause_us < WAIT_MAX_US / 2 ? pause_us * 2 : WAIT_MAX_US;
    }
}

/* The launcher may have bound ranks to cores. Those of one machine that have the same cores share them. */
static enum willow_status count_sharing(struct willow_ranks *ranks, struct willow_error *error)
{
    MPI_Comm node;
    int size = 0;
    cpu_set_t own, *all = NULL;
    CPU_ZERO(&own);
    (void)sched_getaffinity(0, sizeof own, &own);
    enum willow_status status =
        check(ranks, MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
              "find the ranks of this machine", error);
    if (status)
        return status;
    status = check(ranks, MPI_Comm_size(node, &size), "count the ranks of this machine", error);
    if (!status && !(all = calloc((size_t)size, sizeof *all)))
        status = out_of_memory(error);
    if (!status)
        status = check(ranks, MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, node),
                       "compare the cores of this machine's ranks", error);
    for (int i = 0; !status && i < size; i++)
        ranks->sharing += CPU_EQUAL(&own, &all[i]);
    free(all);
    (void)MPI_Comm_free(&node);
    return status;
}

static enum willow_status join(struct willow_ranks *ranks, struct willow_error *error)
{
    int level;
    enum willow_status status = check(ranks, MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level), "start", error);
    if (status)
        return status;
    status = check(ranks, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "set its way of failing", error);
    if (!status && level < MPI_THREAD_FUNNELED)
        status = willow_fail(error, WILLOW_ERR_ARGUMENT, "Open MPI", NULL, "it was built without support of threads");
    if (!status)
        status = check(ranks, MPI_Comm_rank(MPI_COMM_WORLD, &ranks->self), "find this rank", error);
    if (!status)
        status = check(ranks, MPI_Comm_size(MPI_COMM_WORLD, &ranks->count), "count the ranks", error);
    return status ? status : count_sharing(ranks, error);
}

enum willow_status willow_ranks_start(struct willow_ranks **ranks, struct willow_error *error)
{
    *ranks = calloc(1, sizeof **ranks);
    if (!*ranks)
        return out_of_memory(error);
    if (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK")) {
        enum willow_status status = join(*ranks, error);
        if (!status)
            return WILLOW_OK;
        free(*ranks);
        *ranks = NULL;
        return status;
    }
    **ranks = (struct willow_ranks){.count = 1, .sharing = 1};
    return WILLOW_OK;
}

void willow_ranks_end(struct willow_ranks *ranks)
{
    int started = 0;
    if (!ranks)
        return;
    if (MPI_Initialized(&started) == MPI_SUCCESS && started && !ranks->broken) {
        MPI_Request all;
        if (MPI_Ibarrier(MPI_COMM_WORLD, &all) == MPI_SUCCESS)
            (void)wait_for(ranks, &all, "wait for the other ranks", NULL);
        (void)MPI_Finalize();
    }
    free(ranks);
}

int willow_ranks_self(const struct willow_ranks *ranks)
{
    return ranks ? ranks->self : 0;
}

int willow_ranks_count(const struct willow_ranks *ranks)
{
    return ranks ? ranks->count : 1;
}

int willow_ranks_sharing(const struct willow_ranks *ranks)
{
    return ranks ? ranks->sharing : 1;
}

/* Together; from `root` to all. */
static enum willow_status spread(struct willow_ranks *ranks, int root, void *data, size_t size_bytes,
                                 struct willow_error *error)
{
    static const char what[] = "tell all ranks";
    enum willow_status status = WILLOW_OK;
    for (size_t done = 0; !status && done < size_bytes;) {
        const size_t block = size_bytes - done < BLOCK_BYTES ? size_bytes - done : BLOCK_BYTES;
        MPI_Request request;
        status = check(ranks, MPI_Ibcast((char *)data + done, (int)block, MPI_BYTE, root, MPI_COMM_WORLD, &request),
                       what, error);
        if (!status)
            status = wait_for(ranks, &request, what, error);
        done += block;
    }
    return status;
}

static enum willow_status give_failure(const struct willow_ranks *ranks, struct willow_error *error)
{
    if (error)
        *error = ranks->failure;
    return ranks->failure.status;
}

enum willow_status willow_ranks_agree(struct willow_ranks *ranks, enum willow_status own, struct willow_error *error)
{
    static const char what[] = "ask all ranks";
    if (willow_ranks_count(ranks) == 1 || (own && ranks->broken))
        return own;
    if (ranks->broken)
        return willow_fail(error, WILLOW_ERR_IO, "Open MPI", NULL, "the ranks cannot talk any more");
    if (ranks->failure.status)
        return give_failure(ranks, error);
    /* The lowest wins: a failure by its rank, then a stop by its rank, then a success. */
    const int count = ranks->count;
    int first, mine = own == WILLOW_OK ? 2 * count : own == WILLOW_ERR_STOPPED ? count + ranks->self : ranks->self;
    MPI_Request request;
    enum willow_status status =
        check(ranks, MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request), what, error);
    if (!status)
        status = wait_for(ranks, &request, what, error);
    if (status || first == 2 * count)
        return status;
    struct willow_error report = {.status = own};
    if (error && own)
        report = *error;
    report.status = own;
    status = spread(ranks, first % count, &report, sizeof report, error);
    if (status)
        return status;
    ranks->failure = report;
    return give_failure(ranks, error);
}

enum willow_status willow_ranks_broadcast(struct willow_ranks *ranks, void *data, size_t size_bytes,
                                          struct willow_error *error)
{
    if (willow_ranks_count(ranks) == 1)
        return WILLOW_OK;
    enum willow_status status = willow_ranks_agree(ranks, WILLOW_OK, error);
    return status ? status : spread(ranks, 0, data, size_bytes, error);
}

enum willow_status willow_ranks_sum(struct willow_ranks *ranks, int64_t *values, size_t count,
                                    struct willow_error *error)
{
    static const char what[] = "add up what all ranks have";
    if (willow_ranks_count(ranks) == 1)
        return WILLOW_OK;
    enum willow_status status = willow_ranks_agree(ranks, WILLOW_OK, error);
    for (size_t done = 0; !status && done < count;) {
        const size_t block = count - done < BLOCK_VALUES ? count - done : BLOCK_VALUES;
        MPI_Request request;
        /* Unsigned, because these may overflow. */
        status = check(
            ranks,
            MPI_Iallreduce(MPI_IN_PLACE, values + done, (int)block, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request),
            what, error);
        if (!status)
            status = wait_for(ranks, &request, what, error);
        done += block;
    }
    return status;
}

/* lengths[rank] of all, which are zero before, and their sum. */
static enum willow_status gather_lengths(struct willow_ranks *ranks, size_t own_bytes, int64_t *lengths, size_t *sum,
                                         struct willow_error *error)
{
    lengths[ranks->self] = (int64_t)own_bytes;
    enum willow_status status = willow_ranks_sum(ranks, lengths, (size_t)ranks->count, error);
    *sum = 0;
    for (int i = 0; !status && i < ranks->count; i++)
        if (__builtin_add_overflow(*sum, (size_t)lengths[i], sum))
            status = out_of_memory(error);
    return status;
}

static enum willow_status gather_blocks(struct willow_ranks *ranks, const void *own, const int64_t *lengths, char *all,
                                        struct willow_error *error)
{
    enum willow_status status = WILLOW_OK;
    for (int i = 0; !status && i < ranks->count; i++) {
        const size_t length = (size_t)lengths[i];
        if (i == ranks->self && length > 0)
            memcpy(all, own, length);
        if (ranks->count > 1)
            status = spread(ranks, i, all, length, error);
        all += length;
    }
    return status;
}

enum willow_status willow_ranks_gather(struct willow_ranks *ranks, const void *own, size_t own_bytes, void **all,
                                       size_t *all_bytes, struct willow_error *error)
{
    struct willow_ranks alone = {.count = 1};
    if (!ranks)
        ranks = &alone;
    *all = NULL;
    *all_bytes = 0;
    size_t sum = 0;
    char *made = NULL;
    int64_t *lengths = calloc((size_t)ranks->count, sizeof *lengths);
    enum willow_status status = willow_ranks_agree(ranks, lengths ? WILLOW_OK : out_of_memory(error), error);
    if (!status)
        status = gather_lengths(ranks, own_bytes, lengths, &sum, error);
    if (!status) {
        made = malloc(sum + (sum == 0));
        status = willow_ranks_agree(ranks, made ? WILLOW_OK : out_of_memory(error), error);
    }
    if (!status)
        status = gather_blocks(ranks, own, lengths, made, error);
    free(lengths);
    if (status) {
        free(made);
        return status;
    }
    *all = made;
    *all_bytes = sum;
    return WILLOW_OK;
}

enum willow_status willow_ranks_send(struct willow_ranks *ranks, int to, const void *data, size_t size_bytes,
                                     struct willow_error *error)
{
    /* Two ranks may send to each other at the same time: a message is far below the size up to which Open MPI sends
     * without waiting for the receiver. */
    static const char what[] = "send to another rank";
    MPI_Request request;
    if (willow_ranks_count(ranks) == 1)
        return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "there is no rank %d", to);
    enum willow_status status = check(
        ranks, MPI_Isend(data, (int)size_bytes, MPI_BYTE, to, MESSAGE_TAG, MPI_COMM_WORLD, &request), what, error);
    return status ? status : wait_for(ranks, &request, what, error);
}

enum willow_status willow_ranks_receive(struct willow_ranks *ranks, void *data, size_t size_bytes, bool *arrived,
                                        struct willow_error *error)
{
    static const char what[] = "receive from another rank";
    int there = 0;
    *arrived = false;
    if (willow_ranks_count(ranks) == 1)
        return WILLOW_OK;
    enum willow_status status =
        check(ranks, MPI_Iprobe(MPI_ANY_SOURCE, MESSAGE_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), what, error);
    if (!status && there)
        status = check(
            ranks,
            MPI_Recv(data, (int)size_bytes, MPI_BYTE, MPI_ANY_SOURCE, MESSAGE_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
            what, error);
    *arrived = !status && there;
    return status;
}
