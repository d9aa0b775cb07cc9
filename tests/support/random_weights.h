/* Weights of random small values, for tests where the search must see differences between positions. */
#ifndef TESTS_RANDOM_WEIGHTS_H
#define TESTS_RANDOM_WEIGHTS_H

#include <willow/weights.h>

/* One stage, the default pattern set, values of -32 .. 32 steps. Ends the
 * test program when that fails. */
struct willow_weights *random_weights(uint64_t seed);

#endif
