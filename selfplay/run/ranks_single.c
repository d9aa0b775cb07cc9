/* One process alone. Layer: selfplay. */
#include "ranks.h"

#include <stdlib.h>

enum willow_status ranks_start(struct ranks **ranks, struct willow_error *error)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    *ranks = NULL;
    if (!size || atoi(size) <= 1)
        return WILLOW_OK;
    return willow_fail(error, WILLOW_ERR_ARGUMENT, "mpirun", NULL,
                       "this program was built without Open MPI (WILLOW_MPI=ON); use --part, or start it once");
}

void ranks_end(struct ranks *ranks)
{
    (void)ranks;
}

int ranks_self(const struct ranks *ranks)
{
    (void)ranks;
    return 0;
}

int ranks_count(const struct ranks *ranks)
{
    (void)ranks;
    return 1;
}

int ranks_sharing(const struct ranks *ranks)
{
    (void)ranks;
    return 1;
}

enum willow_status ranks_agree(struct ranks *ranks, enum willow_status own, struct willow_error *error)
{
    (void)ranks;
    (void)error;
    return own;
}

enum willow_status ranks_broadcast(struct ranks *ranks, void *data, size_t size_bytes, struct willow_error *error)
{
    (void)ranks;
    (void)data;
    (void)size_bytes;
    (void)error;
    return WILLOW_OK;
}

enum willow_status ranks_send(struct ranks *ranks, int to, const struct ranks_message *message,
                              struct willow_error *error)
{
    (void)ranks;
    (void)message;
    return willow_fail(error, WILLOW_ERR_ARGUMENT, NULL, NULL, "there is no rank %d", to);
}

enum willow_status ranks_receive(struct ranks *ranks, struct ranks_message *message, bool *arrived,
                                 struct willow_error *error)
{
    (void)ranks;
    (void)message;
    (void)error;
    *arrived = false;
    return WILLOW_OK;
}
