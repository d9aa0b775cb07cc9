/* Multi-ProbCut: a shallow search whose score is beyond the window by a safe margin stands for the deep one. The
 * margins are multiples of the standard deviation that the weights file's model gives, about the mean that it gives.
 * Layer: search.
 */
#ifndef SEARCH_SELECTIVITY_H
#define SEARCH_SELECTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/bits.h>
#include <willow/weights.h>

struct worker;

/* Levels, the index into willow_selectivities; the last one leaves out nothing. */
enum { SELECTIVITY_NONE = 5 };

/* The lowest depth and number of empty squares at which a cut is tried. */
enum { SELECTIVE_DEPTH_MIN = 4, SELECTIVE_DEPTH_MAX = WILLOW_SQUARES, SELECTIVE_EMPTIES_MIN = 12 };

/* Where the deep score lies: mean and standard deviation of what it has more than the shallow one, in 1/32 disc. The
 * mean tells in searches to the end, where a score of even depth is too high by half a disc to one and a score of odd
 * depth too low: at 25 empties and 73% it takes the mean error from 1.60 to 1.38 discs for 9% more nodes. To a fixed
 * depth it makes no difference that could be measured, because shallow and deep are of one parity. */
struct selectivity_prediction {
    int16_t mean, sigma;
};

/* By discs on the board and depth: from the search that verifies, and from the evaluation alone. */
struct selectivity_margins {
    struct selectivity_prediction search[WILLOW_SQUARES + 1][SELECTIVE_DEPTH_MAX + 1],
        evaluation[WILLOW_SQUARES + 1][SELECTIVE_DEPTH_MAX + 1];
    struct selectivity_prediction search_exact[WILLOW_SQUARES + 1], evaluation_exact[WILLOW_SQUARES + 1];
};

/* squares: of the board that is played on. */
void selectivity_init(struct selectivity_margins *margins, const struct willow_probcut *probcut, int squares);

/* The level of a percentage; the next lower one for others, 0 as 100. */
int selectivity_level(int percent);

/* True when shallow searches say that the value of a search to `depth` is above alpha, or not above it, at the worker's
 * level of selectivity; *score is then alpha + 1 or alpha. alpha in 1/32 disc. The states at ply belong to the
 * position, which has a legal move. What it says after a stop is void. */
bool selectivity_cut(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int depth,
                     int *score);

/* The same for the end of the game; alpha is still in 1/32 disc. */
bool selectivity_cut_exact(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha,
                           int *score);

#endif
