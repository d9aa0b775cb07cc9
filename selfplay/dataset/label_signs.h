/* Whether the signs of scores agree with each other and with the results: a statistical check over many games, for
 * faults that no row shows by itself (scores of one colour turned, a column shifted). Opens no files. Layer:
 * selfplay/dataset, internal.
 *
 * Scores and results are taken from the side to move, less their mean of all rows of that ply in the shard, so that an
 * advantage of the side to move is no signal. A kind of pair is at fault when its covariance is negative and that is
 * no accident: games are the independent unit, so the sum over all games of each game's products is held against the
 * root of the sum of their squares. Scores without signal pass.
 */
#ifndef SELFPLAY_DATASET_LABEL_SIGNS_H
#define SELFPLAY_DATASET_LABEL_SIGNS_H

#include <willow/dataset.h>

/* What a score is compared with. */
enum label_pair {
    LABEL_PAIR_BLACK,      /* its result, black to move */
    LABEL_PAIR_WHITE,      /* its result, white to move */
    LABEL_PAIR_AFTER_PASS, /* its result, where the other side has just passed */
    LABEL_PAIR_NEXT,       /* the next ply's score in the same game, other side to move */
    LABEL_PAIR_NEXT_PASS,  /* the next ply's score, same side to move again or before */
    LABEL_PAIR_ROW_BEFORE, /* the result in the row before in the shard, of another game */
    LABEL_PAIR_ROW_BEHIND, /* the result in the row behind in the shard, of another game */
    LABEL_PAIRS
};

struct label_sum {
    uint64_t pairs, games;
    double product, x_square, y_square; /* sums over pairs; discs^2 */
    double game_square;                 /* sum over games of the square of the game's sum of products */
};

struct label_signs {
    struct label_sum sums[LABEL_PAIRS];
    /* Of the current shard. */
    const struct willow_row *rows;
    uint64_t count;
    double mean_score[WILLOW_PLIES], mean_result[WILLOW_PLIES];
};

/* Begins another shard; a zeroed struct is ready for the first one. The rows must stay until the next call. */
void label_signs_shard(struct label_signs *signs, const struct willow_row *rows, uint64_t count);

/* The rows of one game by their numbers in the shard, by ply. `white` tells of each whether white is to move; null =
 * white moves at odd plies, which is right but for games with passes. */
void label_signs_game(struct label_signs *signs, const uint32_t *numbers, uint32_t count, const bool *white);

/* Whether the position of `next` is what the move of `row` leads to, after a pass where it is flagged so. Two rows of
 * one game need not be neighbours there, and in data without games may be of two games of the same number. */
bool label_signs_follows(const struct willow_row *row, const struct willow_row *next);

/* Calls `fault` with a sentence for each thing that is wrong; returns how many there are. */
int label_signs_judge(const struct label_signs *signs, void (*fault)(void *context, const char *reason), void *context);

#endif
