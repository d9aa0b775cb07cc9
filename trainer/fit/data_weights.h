/* Weights that are to play the game of a dataset. Layer: trainer. */
#ifndef TRAINER_DATA_WEIGHTS_H
#define TRAINER_DATA_WEIGHTS_H

#include <willow/ruleset.h>
#include <willow/weights.h>

/* As willow_weights_open, for the ruleset of the data. Weights of another game are WILLOW_ERR_MISMATCH in words about
 * the data: no option helps there. */
enum willow_status data_weights_open(const char *name, const struct willow_ruleset *ruleset,
                                     struct willow_weights **weights, struct willow_error *error);

#endif
