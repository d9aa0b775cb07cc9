/* Positions for tests of the search, and a search so plain that it is right: made with the public functions of the
 * rules alone.
 */
#ifndef TESTS_POSITIONS_H
#define TESTS_POSITIONS_H

#include <willow/board.h>
#include <willow/random.h>
#include <willow/ruleset.h>
#include <willow/weights.h>

/* A random game from the start, stopped at `empties` empty squares or at its end, seen from either side. */
struct willow_board position_from_play(const struct willow_ruleset *ruleset, struct willow_random *random, int empties);

/* Random discs on all but `empties` random squares: passes and wipe-outs that play seldom reaches. */
struct willow_board position_from_noise(const struct willow_ruleset *ruleset, struct willow_random *random,
                                        int empties);

/* As noise, but seven of eight discs belong to one side: squares that nobody can fill, wipe-outs, scores that stable
 * discs bound exactly. */
struct willow_board position_from_lopsided_noise(const struct willow_ruleset *ruleset, struct willow_random *random,
                                                 int empties);

/* Finished games of the largest board: full boards, boards of one colour, wipe-outs, sides that are too far apart to
 * move, nothing at all.
 */
enum { POSITIONS_OVER = 6 };
extern const struct willow_board positions_over[POSITIONS_OVER];

/* Value by plain negamax in 1/32 disc: evaluation at depth 0, finished games by their discs, passes free. weights may
 * be null when depth reaches the end of every line. */
willow_score position_negamax(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                              struct willow_board board, int depth);

#endif
