/* Weights that play with a purpose and need no training. */
#ifndef TESTS_MOBILITY_WEIGHTS_H
#define TESTS_MOBILITY_WEIGHTS_H

#include <willow/weights.h>

/* Weights of one stage for willow_ruleset_default that are sure of one thing only: a move more is worth so many steps,
 * and a move less for the other side. Ends the test program when that fails. */
struct willow_weights *mobility_weights(int worth);

#endif
