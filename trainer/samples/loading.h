/* Reads datasets into samples: every row once, whatever its ply. The only part of the fit that reads HDF5 (from the
 * calling thread). Layer: trainer.
 */
#ifndef TRAINER_LOADING_H
#define TRAINER_LOADING_H

#include "labels.h"

#include <willow/search.h>

/* One dataset, as its manifest describes it. */
struct label_source {
    const char *folder; /* owned by the caller */
    uint32_t ruleset;
    uint64_t seed, rows;
};

struct loading_options {
    const struct willow_ruleset *ruleset;
    int first_ply, last_ply; /* rows of these plies alone */
    const struct label_rules *rules;
    double held_out; /* 0..1: share of the games that are held out */
    bool has_seed;   /* whether `seed` replaces the datasets' own in the choice of held-out games */
    uint64_t seed;
    const struct willow_stop *stop; /* null = none */
    /* Called now and then; null = none. */
    void (*progress)(void *context, uint64_t rows, uint64_t of);
    void *context;
};

struct loading_report {
    uint64_t rows;                     /* read */
    uint64_t verdicts[LABEL_VERDICTS]; /* how many had which fate */
};

/* Reads folder/manifest.json. The errors of willow_manifest_read. */
enum willow_status label_source_open(const char *folder, struct label_source *source, struct willow_error *error);

/* Appends the rows of all sources to samples. Peak memory does not depend on the number of rows. The errors of
 * willow_reader_* and samples_append, WILLOW_ERR_FORMAT for a row without a label where the rules say so, and
 * WILLOW_ERR_STOPPED. */
enum willow_status loading_run(const struct label_source *sources, size_t count, const struct loading_options *options,
                               struct samples *samples, struct loading_report *report, struct willow_error *error);

#endif
