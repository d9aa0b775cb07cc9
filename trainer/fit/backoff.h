/* What configurations of a pattern set share with their relatives, so that a rare one gets the value that those
 * suggest: a linear map from shared parts to weights, and its adjoint. Knows nothing of rows or solvers.
 * Layer: trainer.
 *
 * For each shape and each square, two squares and three squares of it there is a table of 3, 9 and 27 entries.
 * Configurations that have these squares in common share an entry, and a configuration's share is the sum of its
 * entries; a weight that several mirrored configurations have in common gets the mean of theirs. Scalar terms share
 * nothing.
 *
 * A table holds only what its squares say together and not fewer of them: 2, 4 and 8 parts stand for its entries,
 * coefficients of functions that are orthogonal to each other and to all functions of fewer of its squares. Orthogonal
 * in the sum over the rows and the prior, so that a quadratic function of the parts that are fitted is as round as a
 * choice of coordinates for each table makes it: without this a fit takes three times as many steps.
 */
#ifndef TRAINER_BACKOFF_H
#define TRAINER_BACKOFF_H

#include <stddef.h>

#include "team.h"

#include <willow/patterns.h>
#include <willow/status.h>

enum { BACKOFF_SQUARES_MAX = 3 };

struct backoff;

/* Tables of up to `squares` squares (1 .. BACKOFF_SQUARES_MAX). prior: of each entry, in rows, > 0. team: does the
 * work, and outlives the back-off; no result depends on its threads. WILLOW_ERR_MEMORY. */
enum willow_status backoff_new(const struct willow_pattern_set *patterns, int squares, double prior, struct team *team,
                               struct backoff **backoff, struct willow_error *error);
void backoff_free(struct backoff *backoff);

size_t backoff_parts(const struct backoff *backoff);

/* Chooses the functions for counts, one a weight: how often it is in the rows. Comes before all of the following. pace
 * receives for each part how far a solver should go for a slope of 1: the curvature by the part itself is 1, but parts
 * of few squares have many that say nearly the same. */
void backoff_prepare(struct backoff *backoff, const double *counts, double *pace);

/* weights += S parts. No two calls at once on the same backoff, here and below. */
void backoff_add(struct backoff *backoff, const double *parts, double *weights);

/* parts = S^T slope + share * R point, where R is the curvature of half the priors: sum over entries of prior *
 * entry^2 / 2. */
void backoff_gather(struct backoff *backoff, const double *slope, double share, const double *point, double *parts);

#endif
