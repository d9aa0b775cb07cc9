/* Reads datasets into samples: every row once, whatever its ply. The only part of the fit that reads HDF5 (from the
 * calling thread). Layer: trainer.
 */
#ifndef TRAINER_LOADING_H
#define TRAINER_LOADING_H

#include "labels.h"

#include <willow/ranks.h>
#include <willow/search.h>

/* One dataset, as its manifest describes it. */
struct label_source {
    const char *folder; /* owned by the caller */
    uint32_t ruleset;
    uint64_t seed, rows;
};

struct loading_options {
    const struct willow_ruleset *ruleset;
    int first_ply, last_ply;         /* rows of these plies alone; with rules->random_distance the flags of so many
                                        plies before them are read too */
    const struct label_rules *rules; /* as label_rules_check accepts them */
    double held_out;                 /* 0..1: share of the games that are held out */
    bool has_seed;                   /* whether `seed` replaces the datasets' own in the choice of held-out games */
    uint64_t seed;
    struct willow_ranks *ranks;     /* each reads its share of the shards; null = all */
    const struct willow_stop *stop; /* null = none */
    /* Called every fifth of a second of work or so, and at the end; null = none. Counts rows that were read, kept or
     * not, of those that this rank will read. */
    void (*progress)(void *context, uint64_t rows, uint64_t of);
    void *context;
};

/* Of all ranks. */
struct loading_report {
    uint64_t rows;                     /* of the plies asked for */
    uint64_t verdicts[LABEL_VERDICTS]; /* how many had which fate */
};

/* Reads folder/manifest.json. The errors of willow_manifest_read. */
enum willow_status label_source_open(const char *folder, struct label_source *source, struct willow_error *error);

/* The same of `count` folders, at least one, which must all be of one ruleset that this build knows. The caller frees
 * *sources, after a failure too. The same errors, WILLOW_ERR_MISMATCH, WILLOW_ERR_MEMORY. */
enum willow_status label_sources_open(const char *const *folders, size_t count, struct label_source **sources,
                                      const struct willow_ruleset **ruleset, struct willow_error *error);

/* Together. Appends the rows of all sources to samples: the same rows in the same order in every list, but for the
 * shares of ranks. Peak memory does not depend on the number of rows. The errors of willow_reader_* and samples_append,
 * also of other ranks; WILLOW_ERR_FORMAT for a row without a label where the rules say so; WILLOW_ERR_MISMATCH when
 * there are rows and all are left out, with the reasons; WILLOW_ERR_STOPPED. */
enum willow_status loading_run(const struct label_source *sources, size_t count, const struct loading_options *options,
                               struct samples *samples, struct loading_report *report, struct willow_error *error);

#endif
