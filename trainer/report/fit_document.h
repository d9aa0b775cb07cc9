/* The report of a fit as a file beside its weights: OUT.report.json, one JSON document with everything that the page
 * and the text show. Written atomically, read with every range checked. Layer: trainer (program).
 */
#ifndef TRAINER_FIT_DOCUMENT_H
#define TRAINER_FIT_DOCUMENT_H

#include "fit/fit.h"

#include <stdio.h>

enum {
    FIT_DOCUMENT_VERSION = 1,
    FIT_DOCUMENT_POINTS_MAX = 64, /* of a learning curve */
    FIT_DOCUMENT_PATH_BYTES = 4096,
    FIT_DOCUMENT_LOSS_UNIT = WILLOW_SCORE_DISC * WILLOW_SCORE_DISC /* losses are squared discs there */
};

/* Every document begins like this; the version follows. */
extern const char fit_document_mark[];

struct fit_document {
    bool measured;       /* weights measured on data that they were not fitted to here: no steps, no curves */
    const char *tool;    /* program and version */
    const char *command; /* command line */
    const char *weights; /* checksum of the file that the fit wrote */
    char values[WILLOW_CHECKSUM_TEXT]; /* of the pattern weights alone: what probcut does to the file leaves it as it is
                                        */
    const char *patterns;
    const struct willow_ruleset *ruleset;
    const char *const *data; /* folders */
    size_t data_count;
    const struct fit_report *report;
};

/* A document that says whose it is, and nothing else yet; its pointers live as long as the weights. */
struct fit_document fit_document_of(const struct willow_weights *weights);

/* What `fit --json` says of a stage: members of a JSON object, without its braces. */
void fit_document_print_stage(FILE *stream, const struct fit_stage *stage);

/* The whole document. A curve of more than FIT_DOCUMENT_POINTS_MAX points loses some of them, evenly. The caller checks
 * the stream. */
void fit_document_print(FILE *stream, const struct fit_document *document);

/* "WEIGHTS.report.json". WILLOW_ERR_ARGUMENT when it is too long. */
enum willow_status fit_document_path(const char *weights, char path[FIT_DOCUMENT_PATH_BYTES],
                                     struct willow_error *error);

/* Whether the document of these weights may be written: what can be known before the fit. WILLOW_ERR_BUSY when
 * something else has its name; WILLOW_ERR_ARGUMENT, _IO. */
enum willow_status fit_document_check_target(const char *weights, struct willow_error *error);

/* Writes the document of weights in the file `weights`. The same errors, WILLOW_ERR_MEMORY. */
enum willow_status fit_document_save(const char *weights, const struct fit_document *document,
                                     struct willow_error *error);

/* Reads such a file; all strings are free of control characters. What the document does not hold is zero in the report
 * (rows and weights of the points, losses of the rounded weights). The caller frees *document. WILLOW_ERR_IO,
 * WILLOW_ERR_FORMAT, WILLOW_ERR_VERSION, WILLOW_ERR_MEMORY. */
enum willow_status fit_document_read(const char *path, struct fit_document **document, struct willow_error *error);
void fit_document_free(struct fit_document *document);

/* What rounding added to the error that a stage is judged by, in discs. */
double fit_document_rounding_cost(const struct fit_stage *stage);

/* Names of the kinds of labels, as the document has them. */
extern const char *const fit_document_kinds[SAMPLE_KINDS];

#endif
