/* Multi-ProbCut: levels, margins and the shallow searches. Layer: search. */
#include "search/selectivity.h"

#include <math.h>

#include <willow/probcut.h>
#include <willow/search.h>

#include "search/midgame.h"
#include "search/worker.h"

const int willow_selectivities[WILLOW_SELECTIVITIES] = {73, 87, 95, 98, 99, 100};

/* How many hundredths of a standard deviation hold the level's share of a normal distribution. */
static const int width_hundredths[SELECTIVITY_NONE] = {110, 151, 196, 233, 258};

/* A verifying search may itself be cut short by others, this many deep. One level costs 20 to 50% more nodes for 0.01
 * to 0.06 discs of accuracy, three save nothing more. */
enum { NESTED_MAX = 2 };

/* A verifying search is tried where the evaluation stands beyond alpha by these hundredths of its own deviation: closer
 * to alpha too many fail. Chosen, like the depths, by nodes and accuracy over hard-30 to depth 15 and hard-25 to 12 and
 * 14 plies at 73%. */
enum { PROMISE_HUNDREDTHS = 40 };

/* Somewhat less than half as deep and of the same parity: searches of odd and even depth differ by who moves last. */
static int shallow_depth(int depth)
{
    return 2 * ((depth - 2) / 4) + (depth & 1);
}

/* Chosen by the nodes of whole solutions of FFO 45 and 48-52. */
static int shallow_depth_exact(int empties)
{
    return empties / 4 * 2 - 2 + (empties & 1);
}

/* In 1/32 disc; sigma is rounded up. */
static struct selectivity_prediction to_prediction(double mean_discs, double sigma_discs)
{
    return (struct selectivity_prediction){.mean = (int16_t)lround(mean_discs * WILLOW_SCORE_DISC),
                                           .sigma =
                                               (int16_t)fmin(ceil(sigma_discs * WILLOW_SCORE_DISC), WILLOW_SCORE_MAX)};
}

static struct selectivity_prediction predict(const struct willow_probcut *probcut, int discs, int shallow, int deep)
{
    return to_prediction(willow_probcut_mean(probcut, discs, shallow, deep),
                         willow_probcut_sigma(probcut, discs, shallow, deep));
}

static struct selectivity_prediction predict_exact(const struct willow_probcut *probcut, int discs, int shallow)
{
    return to_prediction(willow_probcut_mean_exact(probcut, discs, shallow),
                         willow_probcut_sigma_exact(probcut, discs, shallow));
}

void selectivity_init(struct selectivity_margins *margins, const struct willow_probcut *probcut, int squares)
{
    *margins = (struct selectivity_margins){0};
    for (int discs = 0; discs <= squares; discs++) {
        int empties = squares - discs, counted = WILLOW_SQUARES - empties;
        for (int depth = SELECTIVE_DEPTH_MIN; depth <= SELECTIVE_DEPTH_MAX; depth++) {
            margins->search[discs][depth] = predict(probcut, counted, shallow_depth(depth), depth);
            margins->evaluation[discs][depth] = predict(probcut, counted, 0, depth);
        }
        if (empties >= SELECTIVE_EMPTIES_MIN) {
            margins->search_exact[discs] = predict_exact(probcut, counted, shallow_depth_exact(empties));
            margins->evaluation_exact[discs] = predict_exact(probcut, counted, 0);
        }
    }
}

int selectivity_level(int percent)
{
    int level = SELECTIVITY_NONE;
    if (percent <= 0)
        return level;
    while (level > 0 && willow_selectivities[level] > percent)
        level--;
    return level;
}

/* A score that a search can be asked to reach or to stay below, and that it need not. */
static bool within_scores(int score)
{
    return score > -WILLOW_SCORE_MAX && score < WILLOW_SCORE_MAX;
}

static bool cut(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int depth,
                struct selectivity_prediction by_search, struct selectivity_prediction by_evaluation, int *score)
{
    if (worker->verifications >= NESTED_MAX)
        return false;
    const int width = width_hundredths[worker->selectivity];
    const int margin = width * by_search.sigma / 100, promise = PROMISE_HUNDREDTHS * by_evaluation.sigma / 100;
    const struct willow_board board = {.player = player, .opponent = opponent};
    const int evaluation = model_evaluate(worker->weights, &worker->states[ply], board) + by_evaluation.mean;
    const int high = alpha + 1 + margin - by_search.mean, low = alpha - margin - by_search.mean;
    bool found = false;
    worker->verifications++;
    if (evaluation > alpha + promise && within_scores(high)) {
        found = midgame_null(worker, ply, player, opponent, high - 1, depth) >= high;
        *score = alpha + 1;
    } else if (evaluation <= alpha - promise && within_scores(low)) {
        found = midgame_null(worker, ply, player, opponent, low, depth) <= low;
        *score = alpha;
    }
    worker->verifications--;
    return found;
}

bool selectivity_cut(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int depth,
                     int *score)
{
    const struct selectivity_margins *margins = &worker->search->margins;
    const int discs = kernel_count(player | opponent);
    return cut(worker, ply, player, opponent, alpha, shallow_depth(depth), margins->search[discs][depth],
               margins->evaluation[discs][depth], score);
}

bool selectivity_cut_exact(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha,
                           int *score)
{
    const struct selectivity_margins *margins = &worker->search->margins;
    const int discs = kernel_count(player | opponent), empties = worker->geometry.squares - discs;
    return cut(worker, ply, player, opponent, alpha, shallow_depth_exact(empties), margins->search_exact[discs],
               margins->evaluation_exact[discs], score);
}
