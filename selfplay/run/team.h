/* The ranks of a run at work: rank 0 deals the missing shards, lists what the others have written and knows how all are
 * getting on. Layer: selfplay. A team of one is silent.
 */
#ifndef WILLOW_SELFPLAY_TEAM_H
#define WILLOW_SELFPLAY_TEAM_H

#include <willow/ranks.h>

#include "run_folder.h"
#include "writer.h"

enum team_message_kind {
    TEAM_PROGRESS, /* games and rows so far */
    TEAM_SHARD,    /* the sender has written `shard` */
    TEAM_DONE,     /* the sender has nothing more to do; status and error say how it ended */
    TEAM_STOP      /* to the others: end now */
};

struct team_message {
    enum team_message_kind kind;
    int rank; /* of the sender */
    uint64_t games, rows;
    struct willow_manifest_shard shard;
    enum willow_status status;
    struct willow_error error;
};

struct team_rank {
    uint64_t games, rows; /* as it last said */
    bool done;
};

struct team {
    struct willow_ranks *ranks;
    struct team_rank *others;  /* [count], on rank 0 */
    int done;                  /* how many of the others */
    bool ended;                /* rank 0 has told the others to stop */
    bool broken;               /* the ranks cannot talk any more */
    enum willow_status status; /* of the first of the others that failed */
    struct willow_error error;
    uint64_t told_ns;
};

/* Gives every rank the missing shards that are its own, in turn, after making sure that all ranks play the same run.
 * `own` is how opening the folder went here; all ranks get the first failure. WILLOW_ERR_MISMATCH, _IO, _MEMORY. */
enum willow_status team_deal(struct willow_ranks *ranks, struct run_folder *folder, enum willow_status own,
                             struct willow_error *error);

enum willow_status team_init(struct team *team, struct willow_ranks *ranks, struct willow_error *error);
void team_clear(struct team *team);

/* Says and hears what there is, without waiting. WILLOW_ERR_STOPPED when rank 0 ended the run; on rank 0 what ended
 * another rank. */
enum willow_status team_talk(struct team *team, struct writer *writer, uint64_t games, uint64_t rows,
                             struct willow_error *error);

/* Rank 0: tells the others to stop, once. */
enum willow_status team_end(struct team *team, struct willow_error *error);

/* Rank 0: whether all others have left. */
bool team_alone(const struct team *team);

/* The others: the last shards and how it ended; after the writer has finished. */
enum willow_status team_leave(struct team *team, struct writer *writer, uint64_t games, uint64_t rows,
                              enum willow_status own, const struct willow_error *report, struct willow_error *error);

/* Games and rows of the others. */
void team_sum(const struct team *team, uint64_t *games, uint64_t *rows);

#endif
