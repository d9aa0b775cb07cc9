/* Search to the end of the game where it is still far, from ENDGAME_EVAL_EMPTIES empty squares up: the main table,
 * order by evaluation and shallow search, cuts from the children's entries, selective cuts. Layer: search.
 */
#include "search/endgame.h"

#include "search/lastempties.h"
#include "search/midgame.h"
#include "search/moves.h"
#include "search/nearend.h"

enum { CHILD_CUT_EMPTIES = 13 };

/* From here up the moves of a node are worth handing to other threads. */
enum { SHARE_EMPTIES = 13 };

/* Order further up, in 1/32 disc for each weighted reply: a narrow tree beats a better score. */
enum { FAR_MOBILITY = 128 };

static int order_depth(int empties)
{
    return empties >= 20 ? 2 : empties >= 16 ? 1 : 0;
}

static bool child_cut(const struct worker *worker, uint64_t player, uint64_t opponent, const struct move_list *list,
                      int alpha, int *score)
{
    struct table_entry entry;
    for (int i = 0; i < list->count; i++) {
        const struct move *move = &list->moves[i];
        if (table_probe(worker->table, moves_next_player(opponent, move), moves_next_opponent(player, move), &entry) &&
            entry.depth >= TABLE_EXACT && entry.selectivity >= worker->selectivity &&
            -entry.upper / WILLOW_SCORE_DISC > alpha) {
            *score = -entry.upper / WILLOW_SCORE_DISC;
            return true;
        }
    }
    return false;
}

/* From ENDGAME_EVAL_EMPTIES up, tests whether the value is above alpha. Fail-soft. */
static int endgame_null(struct worker *worker, int ply, uint64_t player, uint64_t opponent, int alpha, int empties);

/* Where the evaluation stands this far below alpha, in 1/32 disc, hardly a move will settle the node, and an order by
 * mobility does as well as the evaluation of every child: 4% less time over FFO 45 and 46. Further from the end the
 * order is worth its price. */
enum { HOPELESS = 4 * 32, HOPELESS_EMPTIES = 15 };

static bool is_hopeless(const struct worker *worker, const struct node *node)
{
    if (node->pv || node->depth > HOPELESS_EMPTIES)
        return false;
    const struct willow_board board = {.player = node->player, .opponent = node->opponent};
    return model_evaluate(worker->weights, &worker->states[node->ply], board) <
           node->alpha * WILLOW_SCORE_DISC - HOPELESS;
}

static void order_far(struct worker *worker, const struct node *node, struct move_list *list)
{
    if (is_hopeless(worker, node)) {
        near_order(worker, node->player, node->opponent, list);
        return;
    }
    midgame_order(worker, node, list, order_depth(node->depth), FAR_MOBILITY);
}

static int child_null(struct worker *worker, const struct node *node, const struct move *move, int alpha, bool first)
{
    (void)first;
    uint64_t player = moves_next_player(node->opponent, move), opponent = moves_next_opponent(node->player, move);
    if (node->depth == ENDGAME_EVAL_EMPTIES)
        return -near_search(worker, player, opponent, -alpha - 1, node->depth - 1);
    midgame_play(worker, node->ply, move);
    return -endgame_null(worker, node->ply + 1, player, opponent, -alpha - 1, node->depth - 1);
}

static int endgame_null(struct worker *worker, int ply, uint64_t player, uint64_t opponent, int alpha, int empties)
{
    if (empties < ENDGAME_EVAL_EMPTIES)
        return near_search(worker, player, opponent, alpha, empties);
    worker->nodes++;
    if (worker_stopped(worker))
        return 0;
    int score;
    if (endgame_stability_cut(worker, player, opponent, alpha, &score))
        return score;
    struct table_entry entry;
    bool known = table_probe(worker->table, player, opponent, &entry);
    if (known && endgame_table_cut(worker, &entry, alpha, &score))
        return score;
    uint64_t legal = worker_moves(worker, player, opponent);
    if (!legal) {
        if (!worker_moves(worker, opponent, player))
            return worker_final_discs(worker, player, opponent);
        model_state_pass(&worker->states[ply], &worker->states[ply + 1]);
        return -endgame_null(worker, ply + 1, opponent, player, -alpha - 1, empties);
    }
    if (worker->selectivity < SELECTIVITY_NONE && empties >= SELECTIVE_EMPTIES_MIN &&
        selectivity_cut_exact(worker, ply, player, opponent, alpha * WILLOW_SCORE_DISC, &score))
        return score > alpha * WILLOW_SCORE_DISC ? alpha + 1 : alpha;
    struct move_list list;
    moves_generate(&list, player, opponent, legal);
    if (empties >= CHILD_CUT_EMPTIES && child_cut(worker, player, opponent, &list, alpha, &score))
        return score;
    struct node node = {.player = player,
                        .opponent = opponent,
                        .ply = ply,
                        .depth = empties,
                        .alpha = alpha,
                        .beta = alpha + 1,
                        .best = -ENDGAME_INFINITE,
                        .best_square = WILLOW_NO_SQUARE,
                        .unit = WILLOW_SCORE_DISC,
                        .child = child_null,
                        .preferred = known ? midgame_prefer(&list, &entry) : 0,
                        .order = order_far};
    if (!split_search(worker, &node, &list, empties >= SHARE_EMPTIES))
        return 0;
    endgame_store(worker->table, player, opponent, empties, worker->selectivity, alpha, alpha + 1, node.best,
                  node.best_square);
    return node.best;
}

static int pv_pass(struct worker *worker, int ply, uint64_t player, uint64_t opponent, int alpha, int beta, int empties)
{
    if (!worker_moves(worker, opponent, player))
        return worker_final_discs(worker, player, opponent);
    if (empties >= ENDGAME_EVAL_EMPTIES)
        model_state_pass(&worker->states[ply], &worker->states[ply + 1]);
    int score = -endgame_pv(worker, ply + 1, opponent, player, -beta, -alpha, empties);
    worker_extend_line(worker, ply, WILLOW_PASS);
    return score;
}

static int child_pv(struct worker *worker, const struct node *node, const struct move *move, int alpha, bool first)
{
    int ply = node->ply, empties = node->depth - 1, score = node->beta;
    uint64_t player = moves_next_player(node->opponent, move), opponent = moves_next_opponent(node->player, move);
    if (empties >= ENDGAME_EVAL_EMPTIES)
        midgame_play(worker, ply, move);
    worker->lines[ply + 1].length = 0;
    if (!first)
        score = -endgame_null(worker, ply + 1, player, opponent, -alpha - 1, empties);
    if (first || (score > alpha && score < node->beta))
        score = -endgame_pv(worker, ply + 1, player, opponent, -node->beta, -alpha, empties);
    return score;
}

static void order_pv(struct worker *worker, const struct node *node, struct move_list *list)
{
    if (node->depth >= ENDGAME_EVAL_EMPTIES)
        order_far(worker, node, list);
    else
        near_order(worker, node->player, node->opponent, list);
}

/* As in the midgame, the table orders the moves here but never cuts, so that the line reaches the end of the game. */
int endgame_pv(struct worker *worker, int ply, uint64_t player, uint64_t opponent, int alpha, int beta, int empties)
{
    worker->lines[ply].length = 0;
    worker->nodes++;
    if (worker_stopped(worker))
        return 0;
    uint64_t legal = worker_moves(worker, player, opponent);
    if (!legal)
        return pv_pass(worker, ply, player, opponent, alpha, beta, empties);
    struct move_list list;
    struct table_entry entry;
    bool far = empties >= ENDGAME_EVAL_EMPTIES;
    bool known = far && table_probe(worker->table, player, opponent, &entry);
    moves_generate(&list, player, opponent, legal);
    struct node node = {.player = player,
                        .opponent = opponent,
                        .ply = ply,
                        .depth = empties,
                        .alpha = alpha,
                        .beta = beta,
                        .best = -ENDGAME_INFINITE,
                        .best_square = WILLOW_NO_SQUARE,
                        .unit = WILLOW_SCORE_DISC,
                        .pv = true,
                        .child = child_pv,
                        .preferred = known ? midgame_prefer(&list, &entry) : 0,
                        .order = order_pv};
    if (!split_search(worker, &node, &list, empties >= SHARE_EMPTIES))
        return 0;
    if (far)
        endgame_store(worker->table, player, opponent, empties, worker->selectivity, alpha, beta, node.best,
                      node.best_square);
    return node.best;
}
