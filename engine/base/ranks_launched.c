/* Which process of a launch this is, told by its environment; the same with and without Open MPI. Layer: base. */
#include <stdlib.h>

#include <willow/ranks.h>

int willow_ranks_launched(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank)
        rank = getenv("PMIX_RANK");
    return rank ? (int)strtol(rank, NULL, 10) : 0;
}
