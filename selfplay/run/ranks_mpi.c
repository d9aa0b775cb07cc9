/* Ranks under Open MPI. Waiting is done by asking now and then: Open MPI's own waiting takes a whole core, which
 * belongs to somebody's search. Layer: selfplay.
 */
#include "ranks.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MESSAGE_TAG = 1, WAIT_MAX_US = 10000 };

struct ranks {
    int self, count, sharing;
};

static enum willow_status check(int code, const char *what, struct willow_error *error)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return WILLOW_OK;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        text[0] = '\0';
    return willow_fail(error, WILLOW_ERR_IO, "Open MPI", NULL, "cannot %s: %s", what, text);
}

static enum willow_status wait_for(MPI_Request *request, const char *what, struct willow_error *error)
{
    for (long pause_us = 10;;) {
        int done;
        enum willow_status status = check(MPI_Test(request, &done, MPI_STATUS_IGNORE), what, error);
        if (status || done)
            return status;
        (void)nanosleep(&(struct timespec){0, pause_us * 1000}, NULL);
        pause_us = pause_us < WAIT_MAX_US / 2 ? pause_us * 2 : WAIT_MAX_US;
    }
}

/* The launcher may have bound ranks to cores. Those of one machine that have the same cores share them. */
static enum willow_status count_sharing(struct ranks *ranks, struct willow_error *error)
{
    MPI_Comm node;
    int size = 0;
    cpu_set_t own, *all = NULL;
    CPU_ZERO(&own);
    (void)sched_getaffinity(0, sizeof own, &own);
    enum willow_status status =
        check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
              "find the ranks of this machine", error);
    if (status)
        return status;
    status = check(MPI_Comm_size(node, &size), "count the ranks of this machine", error);
    if (!status && !(all = calloc((size_t)size, sizeof *all)))
        status = willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (!status)
        status = check(MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, node),
                       "compare the cores of this machine's ranks", error);
    for (int i = 0; !status && i < size; i++)
        ranks->sharing += CPU_EQUAL(&own, &all[i]);
    free(all);
    (void)MPI_Comm_free(&node);
    return status;
}

static enum willow_status join(struct ranks *ranks, struct willow_error *error)
{
    int level;
    enum willow_status status = check(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level), "start", error);
    if (status)
        return status;
    status = check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "set its way of failing", error);
    if (!status && level < MPI_THREAD_FUNNELED)
        status = willow_fail(error, WILLOW_ERR_ARGUMENT, "Open MPI", NULL, "it was built without support of threads");
    if (!status)
        status = check(MPI_Comm_rank(MPI_COMM_WORLD, &ranks->self), "find this rank", error);
    if (!status)
        status = check(MPI_Comm_size(MPI_COMM_WORLD, &ranks->count), "count the ranks", error);
    return status ? status : count_sharing(ranks, error);
}

enum willow_status ranks_start(struct ranks **ranks, struct willow_error *error)
{
    *ranks = calloc(1, sizeof **ranks);
    if (!*ranks)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK")) {
        enum willow_status status = join(*ranks, error);
        if (!status)
            return WILLOW_OK;
        free(*ranks);
        *ranks = NULL;
        return status;
    }
    **ranks = (struct ranks){.count = 1, .sharing = 1};
    return WILLOW_OK;
}

void ranks_end(struct ranks *ranks)
{
    int started = 0;
    if (!ranks)
        return;
    if (MPI_Initialized(&started) == MPI_SUCCESS && started) {
        MPI_Request all;
        if (MPI_Ibarrier(MPI_COMM_WORLD, &all) == MPI_SUCCESS)
            (void)wait_for(&all, "wait for the other ranks", NULL);
        (void)MPI_Finalize();
    }
    free(ranks);
}

int ranks_self(const struct ranks *ranks)
{
    return ranks ? ranks->self : 0;
}

int ranks_count(const struct ranks *ranks)
{
    return ranks ? ranks->count : 1;
}

int ranks_sharing(const struct ranks *ranks)
{
    return ranks ? ranks->sharing : 1;
}

static enum willow_status broadcast_from(int root, void *data, size_t size_bytes, struct willow_error *error)
{
    static const char what[] = "tell all ranks";
    /* In blocks, because a count is an int. */
    for (size_t done = 0; done < size_bytes;) {
        size_t block = size_bytes - done < (1 << 20) ? size_bytes - done : 1 << 20;
        MPI_Request request;
        enum willow_status status =
            check(MPI_Ibcast((char *)data + done, (int)block, MPI_BYTE, root, MPI_COMM_WORLD, &request), what, error);
        if (!status)
            status = wait_for(&request, what, error);
        if (status)
            return status;
        done += block;
    }
    return WILLOW_OK;
}

enum willow_status ranks_broadcast(struct ranks *ranks, void *data, size_t size_bytes, struct willow_error *error)
{
    return ranks_count(ranks) > 1 ? broadcast_from(0, data, size_bytes, error) : WILLOW_OK;
}

enum willow_status ranks_agree(struct ranks *ranks, enum willow_status own, struct willow_error *error)
{
    static const char what[] = "ask all ranks";
    if (ranks_count(ranks) == 1)
        return own;
    int first, failed = own ? ranks->self : ranks->count;
    MPI_Request request;
    enum willow_status status =
        check(MPI_Iallreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request), what, error);
    if (!status)
        status = wait_for(&request, what, error);
    if (status || first == ranks->count)
        return status;
    struct willow_error report = {.status = own};
    if (error && own)
        report = *error;
    status = broadcast_from(first, &report, sizeof report, error);
    if (status)
        return status;
    if (error)
        *error = report;
    return report.status;
}

enum willow_status ranks_send(struct ranks *ranks, int to, const struct ranks_message *message,
                              struct willow_error *error)
{
    /* Two ranks may send to each other at the same time: a message is far below the size up to which Open MPI sends
     * without waiting for the receiver. */
    static const char what[] = "send to another rank";
    MPI_Request request;
    (void)ranks;
    enum willow_status status =
        check(MPI_Isend(message, sizeof *message, MPI_BYTE, to, MESSAGE_TAG, MPI_COMM_WORLD, &request), what, error);
    return status ? status : wait_for(&request, what, error);
}

enum willow_status ranks_receive(struct ranks *ranks, struct ranks_message *message, bool *arrived,
                                 struct willow_error *error)
{
    static const char what[] = "receive from another rank";
    int there = 0;
    *arrived = false;
    if (ranks_count(ranks) == 1)
        return WILLOW_OK;
    enum willow_status status =
        check(MPI_Iprobe(MPI_ANY_SOURCE, MESSAGE_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), what, error);
    if (!status && there)
        status = check(MPI_Recv(message, sizeof *message, MPI_BYTE, MPI_ANY_SOURCE, MESSAGE_TAG, MPI_COMM_WORLD,
                                MPI_STATUS_IGNORE),
                       what, error);
    *arrived = !status && there;
    return status;
}
