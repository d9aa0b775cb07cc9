/* Turns rows of datasets into samples: what a row's label is, which games are held out, and the decoding of one range
 * of plies into a samples store. The only part of the fit that reads HDF5 (from the calling thread). Layer: trainer.
 */
#ifndef TRAINER_LABELS_H
#define TRAINER_LABELS_H

#include "samples.h"

#include <willow/dataset.h>
#include <willow/search.h>

enum label_kind {
    LABEL_AUTO,  /* the score where there is one, else the result of the game */
    LABEL_SCORE, /* the score; a row without one is an error */
    LABEL_RESULT /* the result of the game */
};

/* One dataset, as its manifest describes it. */
struct label_source {
    const char *folder; /* owned by the caller */
    uint32_t ruleset;
    uint64_t seed, rows;
};

struct label_options {
    enum label_kind kind;
    double
        result_weight; /* 0..1: share of the result in the label of a row that has an inexact score; LABEL_AUTO only */
    double held_out;   /* 0..1: share of the games that are held out */
    bool has_seed;     /* whether `seed` replaces the datasets' own in the choice of held-out games */
    uint64_t seed;
    const struct willow_stop *stop; /* null = none */
};

/* Reads folder/manifest.json. The errors of willow_manifest_read. */
enum willow_status label_source_open(const char *folder, struct label_source *source, struct willow_error *error);

/* The label of a row in 1/32 disc. WILLOW_ERR_FORMAT when it must have a score and has none. */
enum willow_status label_of_row(const struct label_options *options, const struct willow_row *row, float *label,
                                struct willow_error *error);

/* Replaces the contents of samples by the rows of plies first..last of all sources, in the sources' order. Peak memory
 * does not depend on the number of rows. The errors of willow_reader_*, label_of_row and samples_append, and
 * WILLOW_ERR_STOPPED. */
enum willow_status labels_load(const struct label_source *sources, size_t count, int first_ply, int last_ply,
                               const struct willow_ruleset *ruleset, const struct label_options *options,
                               struct samples *samples, struct willow_error *error);

#endif
