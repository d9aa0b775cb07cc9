/* Positions on which sets of weights are compared: from games played for the purpose, or from a file.
 * Layer: engine/cli (program willow). Prints nothing.
 */
#ifndef WILLOW_CLI_WEIGHTS_SAMPLE_H
#define WILLOW_CLI_WEIGHTS_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include <willow/board.h>
#include <willow/game.h>
#include <willow/status.h>
#include <willow/weights.h>

struct weights_position {
    struct willow_board board;
    enum willow_side side; /* to move */
};

struct weights_sample {
    struct weights_position *positions;
    size_t count;
    uint64_t games; /* that they come from; 0 = a file */
};

enum { WEIGHTS_SAMPLE_MAX = 10000000 };

/* Plays games from the start until `count` positions are found in which the side to move has a move, no two of them
 * alike under the symmetries of the board; fewer where the ruleset has no more that such games reach. Half of the moves
 * are random, half the best of one ply of lookahead with noise, by a and b in alternate games. The same arguments give
 * the same positions. 1 <= count <= WEIGHTS_SAMPLE_MAX; the sets share a ruleset. WILLOW_ERR_MEMORY. The caller clears
 * *sample. */
enum willow_status weights_sample_play(const struct willow_weights *a, const struct willow_weights *b, size_t count,
                                       uint64_t seed, struct weights_sample *sample, struct willow_error *error);

/* All positions of an OBF file of the ruleset, scores ignored, in its order. As solve_set_load. The caller clears
 * *sample. */
enum willow_status weights_sample_load(const char *path, const struct willow_ruleset *ruleset,
                                       struct weights_sample *sample, struct willow_error *error);

void weights_sample_clear(struct weights_sample *sample);

#endif
