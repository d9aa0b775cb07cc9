/* Whether held-out positions are unseen: takes those out whose board also stands among the fitted rows, turned or
 * mirrored, and counts rows that say the same or contradict each other. Layer: trainer.
 */
#ifndef TRAINER_OVERLAP_H
#define TRAINER_OVERLAP_H

#include "samples.h"

#include <willow/ranks.h>
#include <willow/ruleset.h>
#include <willow/search.h>

struct overlap_options {
    const struct willow_ruleset *ruleset;
    int threads;         /* 1.. */
    size_t memory_bytes; /* for tables of boards, about; 0 = 256 MiB. Rows beyond that cost more readings */
    struct willow_ranks *ranks;
    const struct willow_stop *stop; /* null = none */
};

/* "The same board": up to symmetry. Of all ranks. */
struct overlap_counts {
    uint64_t training;      /* fitted rows */
    uint64_t duplicates;    /* those of them whose board an earlier one has too; of the same rank */
    uint64_t held_out;      /* held-out rows as they were loaded */
    uint64_t dropped;       /* those of them whose board a fitted row has, of any rank */
    uint64_t contradictory; /* boards for which two rows, of whatever part but of the same rank, have different labels
                               of the kind SAMPLE_EXACT */
};

struct overlap_report {
    struct overlap_counts plies[SAMPLE_PLIES], all;
    /* When all.contradictory > 0: the one of the first ply, and there the least canonical board by player and opponent;
     * the least and the greatest of its labels, 1/32 disc. */
    int ply, labels[2];
    struct willow_board board;
};

/* Together. Drops these rows from the held-out lists, whatever is left of them; for the opening plies that may be
 * nothing. The result does not depend on threads or memory. Beside the tables: the boards and 3 bytes for each held-out
 * row of eight plies, of all ranks. WILLOW_ERR_MEMORY, _STOPPED, and what samples_read, samples_drop and ranks give,
 * also of other ranks; the held-out lists of some plies may be shorter then. */
enum willow_status overlap_run(struct samples *samples, const struct overlap_options *options,
                               struct overlap_report *report, struct willow_error *error);

#endif
