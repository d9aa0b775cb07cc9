/* The inside of struct willow_weights, shared by the files of the evaluation, and its encoding as a .wlw file.
 * Layer: eval, internal.
 */
#ifndef WILLOW_EVAL_WEIGHT_TABLE_H
#define WILLOW_EVAL_WEIGHT_TABLE_H

#include <willow/checksum.h>
#include <willow/weights.h>

#include "eval/pattern_sets.h"

struct willow_weights {
    const struct willow_ruleset *ruleset;
    const struct willow_pattern_set *set; /* on the board of the ruleset */
    struct willow_stages stages;
    struct willow_probcut probcut;
    char *provenance;
    int16_t *values; /* tied, stage after stage */

    /* For play: one table a stage of all raw configurations, the scalar tables and two zero entries, of which idle
     * lanes read the first; the second lets a gather read past it. */
    int16_t *full;
    size_t full_stride;                               /* entries a stage */
    const int16_t *full_of_discs[WILLOW_SQUARES + 1]; /* the table for a number of discs */

    /* The file as read or as it would be written: save is a copy, and the checksum its identity. */
    unsigned char *file;
    size_t file_bytes;
    char checksum[WILLOW_CHECKSUM_TEXT];
};

/* What can be wrong with them. WILLOW_ERR_ARGUMENT. */
enum willow_status weight_table_check(const struct willow_ruleset *ruleset, const struct willow_stages *stages,
                                      const struct willow_probcut *probcut, const char *provenance,
                                      struct willow_error *error);

/* Makes a set whose `file` is still missing, of what is known to be right, the pattern set lying on the board of the
 * ruleset. The values, from malloc, become the set's, or are freed. WILLOW_ERR_MEMORY. */
enum willow_status weight_table_new(const struct willow_ruleset *ruleset, const struct willow_pattern_set *set,
                                    const struct willow_stages *stages, int16_t *values,
                                    const struct willow_probcut *probcut, const char *provenance,
                                    struct willow_weights **weights, struct willow_error *error);

/* Fills file, file_bytes and checksum from the rest. WILLOW_ERR_MEMORY. */
enum willow_status weights_file_encode(struct willow_weights *weights, struct willow_error *error);

/* The id of the ruleset that a sound file states. */
uint32_t weights_file_ruleset(const unsigned char *file);

#endif
