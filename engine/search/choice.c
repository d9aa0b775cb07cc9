/* How an engine chooses its moves: limits of a level, tightened by a clock, and the draw of a player that gives
 * something away on purpose. Searches itself in no way of its own. Layer: search.
 */
#include <willow/choice.h>
#include <willow/random.h>

/* A search to a depth is selective unless the caller said how: that looks much deeper in the same time. One without a
 * depth begins so by itself, and gets as far towards the whole truth as its limits allow. */
enum { DEPTH_SELECTIVITY = 73 };

struct willow_limits willow_choice_limits(const struct willow_choice *choice, int empties,
                                          const struct willow_timer *timer)
{
    struct willow_limits limits = choice->limits;
    if (choice->level > 0)
        willow_level_limit(choice->level, empties, &limits);
    else if (limits.depth > 0 && limits.selectivity == 0)
        limits.selectivity = DEPTH_SELECTIVITY;
    if (timer)
        willow_timer_limit(timer, empties, &limits);
    return limits;
}

/* The place in the list (best first) of the move that is played. A move within the bound gets the weight
 * (bound - loss + 1)^2 in 1/32 disc, so that half the bound is played a quarter as often as nothing lost, and the bound
 * itself hardly ever; whole numbers, so that every machine draws the same. At most 100 * 2049^2 in all: fits 32 bits.
 */
static int draw(const struct willow_choice *choice, struct willow_board board, int ply,
                const struct willow_scored_move *moves, int count)
{
    const double bound = choice->loss_discs < WILLOW_LOSS_MAX ? choice->loss_discs : WILLOW_LOSS_MAX;
    const int allowed = (int)(bound * WILLOW_SCORE_DISC);
    uint32_t weights[WILLOW_SQUARES], sum = 0;
    int within = 0;
    for (; within < count && moves[0].score - moves[within].score <= allowed; within++) {
        const uint32_t spare = (uint32_t)(allowed - (moves[0].score - moves[within].score) + 1);
        weights[within] = spare * spare;
        sum += weights[within];
    }
    struct willow_random random;
    /* Another stream for the same board at another ply: games that come back to it need not go on alike. */
    willow_random_init(&random, choice->seed, willow_board_hash(board) + (uint64_t)ply);
    uint32_t drawn = willow_random_below(&random, sum);
    int at = 0;
    while (drawn >= weights[at])
        drawn -= weights[at++];
    return at;
}

void willow_choice_run(const struct willow_choice *choice, struct willow_search *search,
                       const struct willow_ruleset *ruleset, struct willow_board board, int ply,
                       const struct willow_timer *timer, struct willow_result *result)
{
    const struct willow_limits limits = willow_choice_limits(choice, willow_board_empties(ruleset, board), timer);
    const willow_bits legal = willow_board_moves(ruleset, board);
    /* Nothing to draw from: no move, or one. */
    if (!(choice->loss_discs > 0) || (legal & (legal - 1)) == 0) {
        willow_search_run(search, board, &limits, result);
        return;
    }
    struct willow_scored_move moves[WILLOW_SQUARES];
    const int count = willow_search_moves_reached(search, board, &limits, moves, result);
    const struct willow_scored_move *chosen = &moves[draw(choice, board, ply, moves, count)];
    result->move = result->pv[0] = chosen->move;
    result->score = chosen->score;
    result->exact = chosen->exact;
}
