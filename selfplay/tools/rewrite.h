/* What merging and shuffling share: several datasets on one side, one in the making on the other. Layer: selfplay.
 * Prints nothing. */
#ifndef WILLOW_SELFPLAY_REWRITE_H
#define WILLOW_SELFPLAY_REWRITE_H

#include <willow/search.h>

#include "sources.h"
#include "target.h"

struct rewrite_options {
    const char *const *folders;
    size_t count;
    const char *target;
    uint64_t shard_rows; /* of a new shard, at least 1 */
    size_t memory_bytes;
    enum willow_shard_layout layout;
    int threads;                    /* that pack a shard; 0 = 1 */
    const char *tool;               /* version and commit, for the shards */
    const struct willow_stop *stop; /* null = none */
    sources_note *note;             /* null = none; with the context */
    void *context;
};

struct rewrite_summary {
    uint64_t source_rows, source_games, source_bytes;
    uint64_t rows, games, shards, size_bytes;
    uint64_t seed; /* of the result: that of the sources if all agree, else a hash of theirs */
    uint64_t time_ns;
};

/* Zeroed = nothing is open. */
struct rewrite {
    const struct rewrite_options *options;
    struct rewrite_summary *summary;
    struct sources sources;
    struct target target;
    char *origin;
    uint64_t start_ns;
};

/* WILLOW_ERR_ARGUMENT (shard_rows 0), and what sources_open and sources_check_target give. The caller closes, also
 * after a failure; *summary is complete then. */
enum willow_status rewrite_open(struct rewrite *rewrite, const struct rewrite_options *options,
                                struct rewrite_summary *summary, struct willow_error *error);

/* Opens the target; `head` is what sources_origin wants. What target_open gives. */
enum willow_status rewrite_begin(struct rewrite *rewrite, const char *head, struct willow_error *error);

/* WILLOW_ERR_STOPPED when that was asked for. */
enum willow_status rewrite_check_stop(const struct rewrite *rewrite, struct willow_error *error);
void rewrite_close(struct rewrite *rewrite);

#endif
