/* Signs of scores against results and against the next score. Layer: selfplay/dataset. */
#include "label_signs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below these there is no verdict. Five standard deviations of a sum of independent games happen by accident less than
 * once in three million tries. The correlation and the size of the scores keep out what is significant but no error: in
 * the first plies, where all positions are even, scores follow the whims of their search, and those of two plies by
 * random weights correlate down to -0.26. By the default weights they do with 0.88 to 0.99, turned where a colour is.
 */
enum { PAIRS_LEAST = 200, GAMES_LEAST = 30 };
static const double deviations_least = 5, discs_least = 2;
static const double result_correlation_least = 0.1, next_correlation_least = 0.4;

void label_signs_shard(struct label_signs *signs, const struct willow_row *rows, uint64_t count)
{
    uint64_t scored[WILLOW_PLIES] = {0};
    memset(signs->mean_score, 0, sizeof signs->mean_score);
    memset(signs->mean_result, 0, sizeof signs->mean_result);
    signs->rows = rows;
    signs->count = count;
    for (uint64_t i = 0; i < count; i++) {
        if (rows[i].score == WILLOW_SCORE_MISSING)
            continue;
        scored[rows[i].ply]++;
        signs->mean_score[rows[i].ply] += (double)rows[i].score / WILLOW_SCORE_DISC;
        signs->mean_result[rows[i].ply] += rows[i].result;
    }
    for (int ply = 0; ply < WILLOW_PLIES; ply++)
        if (scored[ply] > 0) {
            signs->mean_score[ply] /= (double)scored[ply];
            signs->mean_result[ply] /= (double)scored[ply];
        }
}

static double score_of(const struct label_signs *signs, const struct willow_row *row)
{
    return (double)row->score / WILLOW_SCORE_DISC - signs->mean_score[row->ply];
}

static double result_of(const struct label_signs *signs, const struct willow_row *row)
{
    return row->result - signs->mean_result[row->ply];
}

static void add(struct label_sum *sum, double x, double y)
{
    sum->pairs++;
    sum->product += x * y;
    sum->x_square += x * x;
    sum->y_square += y * y;
}

static void add_results(const struct label_signs *signs, struct label_sum game[LABEL_PAIRS], uint32_t number,
                        bool white)
{
    const struct willow_row *row = &signs->rows[number];
    double score = score_of(signs, row), result = result_of(signs, row);
    add(&game[white ? LABEL_PAIR_WHITE : LABEL_PAIR_BLACK], score, result);
    if (row->flags & WILLOW_ROW_AFTER_PASS)
        add(&game[LABEL_PAIR_AFTER_PASS], score, result);
    if (number > 0 && row[-1].game != row->game && row[-1].score != WILLOW_SCORE_MISSING)
        add(&game[LABEL_PAIR_ROW_BEFORE], score, result_of(signs, row - 1));
    if (number + 1 < signs->count && row[1].game != row->game && row[1].score != WILLOW_SCORE_MISSING)
        add(&game[LABEL_PAIR_ROW_BEHIND], score, result_of(signs, row + 1));
}

bool label_signs_follows(const struct willow_row *row, const struct willow_row *next)
{
    struct willow_board board = willow_board_play((struct willow_board){row->player, row->opponent}, row->move);
    if (next->flags & WILLOW_ROW_AFTER_PASS)
        board = willow_board_play(board, WILLOW_PASS);
    return board.player == next->player && board.opponent == next->opponent;
}

static void add_next(const struct label_signs *signs, struct label_sum game[LABEL_PAIRS], const struct willow_row *row,
                     const struct willow_row *next)
{
    if (next->score == WILLOW_SCORE_MISSING || !label_signs_follows(row, next))
        return;
    bool passed = next->flags & WILLOW_ROW_AFTER_PASS, either = passed || (row->flags & WILLOW_ROW_AFTER_PASS);
    double score = score_of(signs, next);
    add(&game[either ? LABEL_PAIR_NEXT_PASS : LABEL_PAIR_NEXT], score_of(signs, row), passed ? score : -score);
}

void label_signs_game(struct label_signs *signs, const uint32_t *numbers, uint32_t count, const bool *white)
{
    struct label_sum game[LABEL_PAIRS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct willow_row *row = &signs->rows[numbers[i]];
        if (row->score == WILLOW_SCORE_MISSING)
            continue;
        add_results(signs, game, numbers[i], white ? white[i] : row->ply % 2 != 0);
        if (i + 1 < count)
            add_next(signs, game, row, &signs->rows[numbers[i + 1]]);
    }
    for (int pair = 0; pair < LABEL_PAIRS; pair++) {
        struct label_sum *sum = &signs->sums[pair];
        if (game[pair].pairs == 0)
            continue;
        sum->games++;
        sum->pairs += game[pair].pairs;
        sum->product += game[pair].product;
        sum->x_square += game[pair].x_square;
        sum->y_square += game[pair].y_square;
        sum->game_square += game[pair].product * game[pair].product;
    }
}

static double correlation(const struct label_sum *sum)
{
    double squares = sum->x_square * sum->y_square;
    return squares > 0 ? sum->product / sqrt(squares) : 0;
}

/* How many standard deviations the sum lies from zero. */
static double deviations(const struct label_sum *sum)
{
    return sum->game_square > 0 ? sum->product / sqrt(sum->game_square) : 0;
}

static bool enough(const struct label_sum *sum)
{
    return sum->pairs >= PAIRS_LEAST && sum->games >= GAMES_LEAST &&
           sum->x_square >= (double)sum->pairs * discs_least * discs_least;
}

static bool negative(const struct label_signs *signs, int pair)
{
    const struct label_sum *sum = &signs->sums[pair];
    bool next = pair == LABEL_PAIR_NEXT || pair == LABEL_PAIR_NEXT_PASS;
    return enough(sum) && deviations(sum) <= -deviations_least &&
           correlation(sum) <= -(next ? next_correlation_least : result_correlation_least);
}

/* The scores say nothing of their own results, but something of those in a neighbouring row. */
static bool shifted(const struct label_signs *signs, int neighbour)
{
    const struct label_sum *other = &signs->sums[neighbour];
    return enough(other) && deviations(other) >= deviations_least && correlation(other) >= result_correlation_least &&
           deviations(&signs->sums[LABEL_PAIR_BLACK]) < 3 && deviations(&signs->sums[LABEL_PAIR_WHITE]) < 3;
}

int label_signs_judge(const struct label_signs *signs, void (*fault)(void *context, const char *reason), void *context)
{
    static const char *const words[LABEL_PAIRS] = {
        [LABEL_PAIR_BLACK] = "scores with black to move have the wrong sign against the results",
        [LABEL_PAIR_WHITE] = "scores with white to move have the wrong sign against the results",
        [LABEL_PAIR_AFTER_PASS] = "scores after a pass have the wrong sign against the results",
        [LABEL_PAIR_NEXT] = "scores of one ply have the wrong sign against those of the next",
        [LABEL_PAIR_NEXT_PASS] = "scores before or after a pass have the wrong sign against those of the next ply",
        [LABEL_PAIR_ROW_BEFORE] = "scores agree with the results in the rows before, not with their own",
        [LABEL_PAIR_ROW_BEHIND] = "scores agree with the results in the rows behind, not with their own",
    };
    int faults = 0;
    for (int pair = 0; pair < LABEL_PAIRS; pair++) {
        const struct label_sum *sum = &signs->sums[pair];
        bool neighbour = pair == LABEL_PAIR_ROW_BEFORE || pair == LABEL_PAIR_ROW_BEHIND;
        if (neighbour ? !shifted(signs, pair) : !negative(signs, pair))
            continue;
        char reason[256];
        (void)snprintf(reason, sizeof reason, "%s (correlation %.2f over %llu pairs of %llu games)", words[pair],
                       correlation(sum), (unsigned long long)sum->pairs, (unsigned long long)sum->games);
        fault(context, reason);
        faults++;
    }
    return faults;
}
