/* The text block of a weights file that says where the weights came from, as lines "key: value". Layer: trainer. */
#ifndef TRAINER_PROVENANCE_H
#define TRAINER_PROVENANCE_H

#include "fit.h"

/* Keys: command, tool, seed, ruleset, init, data (one line a dataset), rows, and one line `stage N` for each stage that
 * has ever been fitted: the lines of stages that this fit did not touch are taken over from the weights it started
 * from, and so are those of their ProbCut constants. *text is allocated and the caller frees it; at most
 * WILLOW_PROVENANCE_MAX bytes: datasets beyond that are counted, not named. WILLOW_ERR_MEMORY. */
enum willow_status provenance_write(const struct fit_options *options, const struct fit_report *report,
                                    const struct label_source *sources, const struct willow_ruleset *ruleset,
                                    const struct willow_weights *init, char **text, struct willow_error *error);

/* The provenance `old` with new lines for the ProbCut constants: keys probcut (the command), probcut tool, probcut fit.
 * As above. */
enum willow_status provenance_with_probcut(const char *old, const char *command, const char *tool, const char *fit,
                                           char **text, struct willow_error *error);

#endif
