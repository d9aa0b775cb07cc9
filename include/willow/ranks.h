/* The processes of one program under mpirun, and what they do together. Layer: base. Prints nothing.
 * A library of its own, willow_ranks: with WILLOW_MPI it talks through Open MPI; without, there is one rank, and nobody
 * to talk to. Null stands for a process alone everywhere: all calls succeed at once. Only the thread that called
 * willow_ranks_start may call any of these.
 *
 * Calls marked "together" are made by all ranks, in the same order; each waits for the others without using a core. A
 * rank that fails while the others go on calls willow_ranks_agree once, at any time before willow_ranks_end: whichever
 * of these calls the others make next returns that failure and its report, instead of waiting for a rank that will not
 * come. Once several ranks have agreed on a failure, all further calls but willow_ranks_end return it at once.
 *
 * When a call fails because the ranks cannot talk (WILLOW_ERR_IO), they cannot agree on it either: willow_ranks_end
 * then waits for nobody, and mpirun ends the others when this process exits.
 */
#ifndef WILLOW_RANKS_H
#define WILLOW_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct willow_ranks;

/* The number that mpirun gave this process, 0 where it was started alone. For what happens before willow_ranks_start,
 * or when that fails: of many processes that say the same, rank 0 speaks. */
int willow_ranks_launched(void);

/* Joins the others when mpirun (or srun with PMIx) started this process; otherwise a single rank that needs no
 * launcher. Every rank calls it once. WILLOW_ERR_ARGUMENT: started by mpirun, but built without Open MPI; _IO, _MEMORY.
 * *ranks is null after a failure, and may be null after a success. */
enum willow_status willow_ranks_start(struct willow_ranks **ranks, struct willow_error *error);

/* Together, after a failure too. Accepts null. */
void willow_ranks_end(struct willow_ranks *ranks);

int willow_ranks_self(const struct willow_ranks *ranks);  /* 0 .. count - 1 */
int willow_ranks_count(const struct willow_ranks *ranks); /* 1 for null too */

/* How many ranks use the cores that this one may use, itself included. */
int willow_ranks_sharing(const struct willow_ranks *ranks);

/* Together. WILLOW_OK when it is everybody's `own`; else all get status and report of the first rank that failed. One
 * that was merely asked to stop (WILLOW_ERR_STOPPED) counts only when no other failed at the same time. WILLOW_ERR_IO.
 */
enum willow_status willow_ranks_agree(struct willow_ranks *ranks, enum willow_status own, struct willow_error *error);

/* Together, with the same size: everybody gets the bytes of rank 0. WILLOW_ERR_IO. */
enum willow_status willow_ranks_broadcast(struct willow_ranks *ranks, void *data, size_t size_bytes,
                                          struct willow_error *error);

/* Together, with the same count: every value becomes the sum of all ranks' values in its place, modulo 2^64, so the
 * order in which they are added does not matter. WILLOW_ERR_IO. */
enum willow_status willow_ranks_sum(struct willow_ranks *ranks, int64_t *values, size_t count,
                                    struct willow_error *error);

/* Together: everybody gets the blocks of all ranks, of any lengths, one after another in the order of ranks. The caller
 * frees *all, which is null after a failure and may be null when nobody has a byte. WILLOW_ERR_MEMORY (on all), _IO. */
enum willow_status willow_ranks_gather(struct willow_ranks *ranks, const void *own, size_t own_bytes, void **all,
                                       size_t *all_bytes, struct willow_error *error);

/* Sends a message of at most a few KiB to one rank; returns when `data` may be changed again. Messages between two
 * ranks arrive in order, whatever else they do together; all messages of a program have one size. WILLOW_ERR_IO;
 * WILLOW_ERR_ARGUMENT: there is no such rank. */
enum willow_status willow_ranks_send(struct willow_ranks *ranks, int to, const void *data, size_t size_bytes,
                                     struct willow_error *error);

/* The next message that has arrived; *arrived = false when there is none. Does not wait. WILLOW_ERR_IO. */
enum willow_status willow_ranks_receive(struct willow_ranks *ranks, void *data, size_t size_bytes, bool *arrived,
                                        struct willow_error *error);

#ifdef __cplusplus
}
#endif
#endif
