/* Ranks without Open MPI: one process alone. Layer: base. */
#include <stdlib.h>
#include <string.h>

#include <willow/ranks.h>

enum willow_status willow_ranks_start(struct willow_ranks **ranks, struct willow_error *error)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    *ranks = NULL;
    if (!size || strtol(size, NULL, 10) <= 1)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_ARGUMENT, "mpirun", NULL,
                       "this program was built without Open MPI (WILLOW_MPI=ON); start it once");
}

void willow_ranks_end(struct willow_ranks *ranks)
{
    (void)ranks;
}

int willow_ranks_self(const struct willow_ranks *ranks)
{
    (void)ranks;
    return 0;
}

int willow_ranks_count(const struct willow_ranks *ranks)
{
    (void)ranks;
    return 1;
}

int willow_ranks_sharing(const struct willow_ranks *ranks)
{
    (void)ranks;
    return 1;
}

enum willow_status willow_ranks_agree(struct willow_ranks *ranks, enum willow_status own, struct willow_error *error)
{
    (void)ranks;
    (void)error;
    return own;
}

enum willow_status willow_ranks_broadcast(struct willow_ranks *ranks, void *data, size_t size_bytes,
                                          struct willow_error *error)
{
    (void)ranks;
    (void)data;
    (void)size_bytes;
    (void)error;
    return WILLOW_OK;
}

enum willow_status willow_ranks_sum(struct willow_ranks *ranks, int64_t *values, size_t count,
                                    struct willow_error *error)
{
    (void)ranks;
    (void)values;
    (void)count;
    (void)error;
    return WILLOW_OK;
}

enum willow_status willow_ranks_gather(struct willow_ranks *ranks, const void *own, size_t own_bytes, void **all,
                                       size_t *all_bytes, struct willow_error *error)
{
    (void)ranks;
    *all_bytes = 0;
    *all = malloc(own_bytes + 1);
    if (!*all)
        return willow_fail(error, WILLOW_ERR_MEMORY, NULL, NULL, "out of memory");
    if (own_bytes > 0)
        memcpy(*all, own, own_bytes);
    *all_bytes = own_bytes;
    return WILLOW_OK;
}

enum willow_status willow_ranks_send(struct willow_ranks *ranks, int to, const void *data, size_t size_bytes,
                                     struct willow_error *error)
{
    (void)ranks;
    (void)data;
    (void)size_bytes;
    return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "there is no rank %d", to);
}

enum willow_status willow_ranks_receive(struct willow_ranks *ranks, void *data, size_t size_bytes, bool *arrived,
                                        struct willow_error *error)
{
    (void)ranks;
    (void)data;
    (void)size_bytes;
    (void)error;
    *arrived = false;
    return WILLOW_OK;
}
