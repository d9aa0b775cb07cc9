/* What a run needs beside its configuration: its weights, the weights of its pool and its list of openings, loaded and
 * checked. Layer: selfplay.
 */
#ifndef WILLOW_SELFPLAY_RUN_INPUTS_H
#define WILLOW_SELFPLAY_RUN_INPUTS_H

#include <willow/weights.h>

#include "openings.h"
#include "run_config.h"

enum { RUN_INPUTS_PATH = 4096 };

struct run_inputs {
    const struct willow_ruleset *ruleset;             /* that is played */
    struct willow_weights *weights[1 + RUN_POOL_MAX]; /* [0] of the run, [k] the k-th of the pool, 1 .. pool_count */
    char *list;                                       /* text of the list of openings; null without one */
    char list_name[RUN_INPUTS_PATH];                  /* the file it was read from */
};

/* Loads what the names in the configuration mean, or with `folder` (null = none) the copies that a run keeps in it, and
 * resolves the configuration: fills the checksums and the ruleset, or refuses a file that is not the one they are of.
 * `config` is checked. WILLOW_ERR_MISMATCH (another file than that of the checksum; weights that do not
 * play the ruleset), _FORMAT (list), and what willow_weights_open and openings_read_list
 * return; *inputs is then cleared. */
enum willow_status run_inputs_load(struct run_inputs *inputs, struct run_config *config, const char *folder,
                                   struct willow_error *error);
void run_inputs_clear(struct run_inputs *inputs);

/* How a run draws its openings. Points into *inputs. */
struct openings_options run_inputs_openings(const struct run_inputs *inputs, const struct run_config *config);

#endif
