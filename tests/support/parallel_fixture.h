/* What the tests of searches by several threads share: weights, positions with a move, searches to the end, and what an
 * exact line must hold. Its own checks are cmocka's: a failure ends the test.
 */
#ifndef TESTS_PARALLEL_FIXTURE_H
#define TESTS_PARALLEL_FIXTURE_H

#include <willow/random.h>
#include <willow/search.h>

/* The numbers of threads that are tried. */
enum { PARALLEL_COUNTS = 4 };
extern const int parallel_counts[PARALLEL_COUNTS];

/* The default weights, from group set-up to tear-down. */
extern struct willow_weights *parallel_weights;
int parallel_set_up(void **state);
int parallel_tear_down(void **state);

struct willow_result parallel_run(struct willow_search *search, struct willow_board board, struct willow_limits limits);

/* To the end, without limits. */
struct willow_result parallel_solve(struct willow_search *search, struct willow_board board);

/* From random play, with so many empty squares and a move. */
struct willow_board parallel_board(struct willow_random *random, int empties);

/* The line of an exact score is legal, reaches the end of the game and gives the score. */
void parallel_check_line(struct willow_board board, const struct willow_result *result);

#endif
