/* Weights of random values, for tests where the evaluation must see differences between positions. */
#ifndef TESTS_RANDOM_WEIGHTS_H
#define TESTS_RANDOM_WEIGHTS_H

#include <willow/weights.h>

/* Values of -most .. most steps, fixed by the seed; most <= 32767; for the set on the ruleset's board. Ends the test
 * program when that fails. */
struct willow_weights *random_weights_on(const struct willow_ruleset *ruleset, const struct willow_pattern_set *set,
                                         const struct willow_stages *stages, uint64_t seed, int most);

/* The same for willow_ruleset_default. */
struct willow_weights *random_weights(const struct willow_pattern_set *set, const struct willow_stages *stages,
                                      uint64_t seed, int most);

#endif
