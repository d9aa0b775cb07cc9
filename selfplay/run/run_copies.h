/* What a run keeps in its folder so that it can be finished when nothing else is left: configuration, weights, pool and
 * list of openings. Layer: selfplay.
 */
#ifndef WILLOW_SELFPLAY_RUN_COPIES_H
#define WILLOW_SELFPLAY_RUN_COPIES_H

#include "run_config.h"
#include "run_inputs.h"

/* Writes what is missing; a file that is there must be the same, whoever wrote it. The configuration, whose text is
 * given, comes last: where it lies, the others do. The caller sees to it that nobody else writes there meanwhile.
 * WILLOW_ERR_MISMATCH (a file of that name is another), _IO, _MEMORY. */
enum willow_status run_copies_keep(const char *folder, const struct run_config *config, const struct run_inputs *inputs,
                                   const char *configuration, struct willow_error *error);

#endif
