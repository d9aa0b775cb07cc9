/* The processes of one run under mpirun, and what they say to each other. Layer: selfplay. Prints nothing.
 * ranks_mpi.c is compiled with WILLOW_MPI, else ranks_single.c, where there is one rank and nobody to talk to. Only the
 * thread that called ranks_start may call any of these.
 */
#ifndef WILLOW_SELFPLAY_RANKS_H
#define WILLOW_SELFPLAY_RANKS_H

#include <stdbool.h>

#include <willow/dataset.h>

struct ranks;

/* Joins the others when mpirun (or srun with PMIx) started this process; otherwise a single rank that needs no
 * launcher. Every rank calls it once. WILLOW_ERR_ARGUMENT: started by mpirun, but built without Open MPI; _IO, _MEMORY.
 */
enum willow_status ranks_start(struct ranks **ranks, struct willow_error *error);

/* Waits for all ranks. Accepts null. */
void ranks_end(struct ranks *ranks);

int ranks_self(const struct ranks *ranks);  /* 0 .. count - 1 */
int ranks_count(const struct ranks *ranks); /* 1 for null too */

/* How many ranks use the cores that this one may use, itself included. */
int ranks_sharing(const struct ranks *ranks);

/* All ranks call these two together, and wait for each other without using a core.
 * ranks_agree returns WILLOW_OK when it is everybody's `own`, else the status of the first rank that failed, with its
 * report. ranks_broadcast gives everybody the bytes of rank 0. WILLOW_ERR_IO when the ranks cannot talk. */
enum willow_status ranks_agree(struct ranks *ranks, enum willow_status own, struct willow_error *error);
enum willow_status ranks_broadcast(struct ranks *ranks, void *data, size_t size_bytes, struct willow_error *error);

enum ranks_kind {
    RANKS_PROGRESS, /* games and rows so far */
    RANKS_SHARD,    /* the sender has written `shard` */
    RANKS_DONE,     /* the sender has nothing more to do; status and error say how it ended */
    RANKS_STOP      /* to the others: end now */
};

struct ranks_message {
    enum ranks_kind kind;
    int rank; /* of the sender */
    uint64_t games, rows;
    struct willow_manifest_shard shard;
    enum willow_status status;
    struct willow_error error;
};

/* Sends to one rank; returns when it may be sent again. Messages between two ranks arrive in order. WILLOW_ERR_IO. */
enum willow_status ranks_send(struct ranks *ranks, int to, const struct ranks_message *message,
                              struct willow_error *error);

/* The next message that has arrived; *arrived = false when there is none. Does not wait. WILLOW_ERR_IO. */
enum willow_status ranks_receive(struct ranks *ranks, struct ranks_message *message, bool *arrived,
                                 struct willow_error *error);

#endif
