/* Openings for tests: options, takes that must succeed, and the check of every pair under the referee's eyes. A failure
 * fails the running test.
 */
#ifndef TESTS_OPENINGS_CHECK_H
#define TESTS_OPENINGS_CHECK_H

#include "selfplay/run/openings.h"

/* Of the standard game, in rounds. */
struct openings_options openings_random(uint64_t seed, int plies_min, int plies_max);
struct openings_options openings_all(uint64_t seed, int plies);

struct openings *openings_made(const struct openings_options *options);
void openings_taken(struct openings *openings, uint64_t index, struct opening *opening);

bool openings_images_equal(struct willow_board a, struct willow_board b);

/* The referee's view after the moves of a record, each of which it finds legal, with the pass that may be due made. */
struct willow_board openings_replay(const struct opening *opening);

/* Takes openings first .. first + count - 1, replays them and compares every pair. The caller frees their boards. */
struct willow_board *openings_take_distinct(struct openings *openings, uint64_t first, size_t count);

#endif
