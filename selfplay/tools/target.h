/* A dataset that is made from others (relabelled, merged, shuffled, imported): its folder, lock, shards and manifest.
 * Layer: selfplay. Used by one thread. Prints nothing.
 */
#ifndef WILLOW_SELFPLAY_TARGET_H
#define WILLOW_SELFPLAY_TARGET_H

#include <willow/dataset.h>

#define TARGET_ORIGIN_FILE "origin.yaml"

struct target_options {
    const char *folder;
    const char *configuration; /* how it is made; becomes origin.yaml and /configuration of every shard */
    const struct willow_ruleset *ruleset;
    uint64_t seed;       /* of the held-out choice */
    const char *tool;    /* version and commit, for the shards */
    const char *weights; /* checksum of those that gave the scores; "" = none or several */
    const char *labels;  /* what `score` means, in words */
    enum willow_shard_layout layout;
    int threads; /* that pack a shard; 0 = 1 */
};

struct target {
    struct target_options options;
    int lock_fd; /* -1 = not held */
    struct willow_manifest manifest;
    uint64_t rows, games, size_bytes; /* written so far, the shards that were found included */
    uint32_t found;                   /* sound shards 0 .. found - 1 of a making that was stopped, by the same text */
};

/* "compact", "plies". The second is false when there is no such name. */
const char *target_layout_name(enum willow_shard_layout layout);
bool target_layout_find(const char *name, enum willow_shard_layout *layout);

/* Creates the folder, locks it and writes origin.yaml. origin.yaml marks the folder as ours; the manifest is written
 * last, so a folder without one is unfinished. Shards that a stopped making of the same text left are read in full and
 * kept when `resume` (the caller makes the same rows again or skips them); those after a gap or a damaged one, and all
 * without `resume`, are removed. WILLOW_ERR_BUSY (the folder holds a dataset, shards of other origin, or another
 * process works there), _IO, _MEMORY; then nothing is held. The texts of `options` must outlive the target. */
enum willow_status target_open(struct target *target, const struct target_options *options, bool resume,
                               struct willow_error *error);

/* Writes the next shard, whose number is target->manifest.count; `rows` is sorted in place. games = null for none, else
 * by rising id. What willow_shard_write gives. */
enum willow_status target_add(struct target *target, struct willow_row *rows, uint64_t rows_count,
                              const struct willow_game_row *games, uint64_t games_count, struct willow_error *error);

/* Writes the manifest: from then on the folder is a dataset. One without rows gets one empty shard. */
enum willow_status target_finish(struct target *target, struct willow_error *error);

/* Ends the lock and frees; accepts a zeroed or closed target. */
void target_close(struct target *target);

#endif
