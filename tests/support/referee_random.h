/* Random boards of the referee: reachable ones, and patterns that no game reaches. Fixed by the random stream alone. */
#ifndef TESTS_REFEREE_RANDOM_H
#define TESTS_REFEREE_RANDOM_H

#include <willow/random.h>

#include "support/referee.h"

/* A position of a random game, somewhere between its start and its end (both included). The side to move may have to
 * pass. */
struct referee referee_random_game(struct willow_random *random);

/* Every square drawn alone; the shares of player, opponent and empty squares differ from call to call, so that long
 * lines, one-coloured and full boards all occur. */
struct referee referee_random_pattern(struct willow_random *random);

#endif
