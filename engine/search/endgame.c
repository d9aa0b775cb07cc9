/* Search to the end of the game where it is still far, from ENDGAME_EVAL_EMPTIES empty squares up: the main table,
 * order by evaluation and shallow search, cuts from the children's entries, selective cuts. Layer: search.
 */
#include "search/endgame.h"

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
    return empties >= 20 ? 2 : 1;
}

/* Bounds in the table are those of a search to the end only at TABLE_EXACT and above; there they are whole discs. */
static bool table_cut(const struct worker *worker, const struct table_entry *entry, int alpha, int *score)
{
    if (entry->depth < TABLE_EXACT || entry->selectivity < worker->selectivity)
        return false;
    int lower = entry->lower / WILLOW_SCORE_DISC, upper = entry->upper / WILLOW_SCORE_DISC;
    *score = lower > alpha ? lower : upper;
    return lower > alpha || upper <= alpha;
}

/* So far from the end a board is looked up as the least of its images. */
static bool is_folded(const struct worker *worker, int empties)
{
    return empties >= worker->fold_empties;
}

static bool probe(const struct worker *worker, willow_bits player, willow_bits opponent, int empties,
                  struct table_entry *entry)
{
    if (!is_folded(worker, empties))
        return table_probe(worker->table, player, opponent, entry);
    const struct willow_ruleset *ruleset = worker->search->ruleset;
    int symmetry;
    const struct willow_board board =
        willow_board_canonical(ruleset, (struct willow_board){.player = player, .opponent = opponent}, &symmetry);
    if (!table_probe(worker->table, board.player, board.opponent, entry))
        return false;
    for (int i = 0; i < 2; i++)
        entry->move[i] = willow_square_symmetry(ruleset, entry->move[i], willow_symmetry_inverse(symmetry));
    return true;
}

static void store(const struct worker *worker, willow_bits player, willow_bits opponent, int empties, int alpha,
                  int beta, int score, int square)
{
    if (is_folded(worker, empties)) {
        const struct willow_ruleset *ruleset = worker->search->ruleset;
        int symmetry;
        const struct willow_board board =
            willow_board_canonical(ruleset, (struct willow_board){.player = player, .opponent = opponent}, &symmetry);
        player = board.player;
        opponent = board.opponent;
        square = willow_square_symmetry(ruleset, (willow_square)square, symmetry);
    }
    table_store(worker->table, player, opponent, TABLE_EXACT + empties, worker->selectivity, alpha * WILLOW_SCORE_DISC,
                beta * WILLOW_SCORE_DISC, score * WILLOW_SCORE_DISC, square);
}

static bool child_cut(const struct worker *worker, willow_bits player, willow_bits opponent,
                      const struct move_list *list, int alpha, int empties, int *score)
{
    struct table_entry entry;
    for (int i = 0; i < list->count; i++) {
        const struct move *move = &list->moves[i];
        if (probe(worker, moves_next_player(opponent, move), moves_next_opponent(player, move), empties - 1, &entry) &&
            entry.depth >= TABLE_EXACT && entry.selectivity >= worker->selectivity &&
            -entry.upper / WILLOW_SCORE_DISC > alpha) {
            *score = -entry.upper / WILLOW_SCORE_DISC;
            return true;
        }
    }
    return false;
}

/* From ENDGAME_EVAL_EMPTIES up, tests whether the value is above alpha. Fail-soft. */
static int endgame_null(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha,
                        int empties);

/* Closer to the end than DEEP_ORDER_EMPTIES the evaluation of every child costs too much. Where the evaluation of the
 * node stands HOPELESS (1/32 disc) below alpha, hardly a move will settle it, and mobility alone orders as well;
 * elsewhere only moves that leave the other side at most CLOSE_REPLIES more replies than the best one are evaluated.
 * Together 8% less time over FFO 45, 46 and 51, and 3% fewer nodes. */
enum { DEEP_ORDER_EMPTIES = 18, HOPELESS = 4 * 32, CLOSE_REPLIES = 1 };

static bool is_hopeless(const struct worker *worker, const struct node *node)
{
    const struct willow_board board = {.player = node->player, .opponent = node->opponent};
    return model_evaluate(worker->weights, &worker->states[node->ply], board) <
           node->alpha * WILLOW_SCORE_DISC - HOPELESS;
}

/* Adds the evaluation of the close moves, whose values are so far those of mobility; the others stay behind. */
static void add_evaluation(struct worker *worker, const struct node *node, struct move_list *list)
{
    int best = INT32_MIN;
    for (int i = node->preferred; i < list->count; i++)
        best = list->moves[i].value > best ? list->moves[i].value : best;
    for (int i = node->preferred; i < list->count; i++) {
        struct move *move = &list->moves[i];
        if (move->value < best - CLOSE_REPLIES * FAR_MOBILITY) {
            move->value -= 2 * MIDGAME_INFINITE;
            continue;
        }
        midgame_play(worker, node->ply, move);
        move->value -= midgame_shallow(worker, node->ply + 1, moves_next_player(node->opponent, move),
                                       moves_next_opponent(node->player, move), -MIDGAME_INFINITE, MIDGAME_INFINITE, 0);
    }
}

static void order_far(struct worker *worker, const struct node *node, struct move_list *list)
{
    if (list->count - node->preferred <= 1)
        return;
    if (node->depth >= DEEP_ORDER_EMPTIES) {
        midgame_order(worker, node, list, order_depth(node->depth), FAR_MOBILITY);
        return;
    }
    if (node->pv || !is_hopeless(worker, node))
        add_evaluation(worker, node, list);
}

/* The moves of a node in the order of squares, valued by mobility. Meanwhile the children's entries are on their way
 * from memory: waiting for them was a tenth of the time. */
static void generate_far(struct worker *worker, willow_bits player, willow_bits opponent, willow_bits legal,
                         struct move_list *list)
{
    moves_generate(list, player, opponent, legal);
    for (int i = 0; i < list->count; i++) {
        const struct move *move = &list->moves[i];
        table_prefetch(worker->table, moves_next_player(opponent, move), moves_next_opponent(player, move));
    }
    for (int i = 0; i < list->count; i++) {
        struct move *move = &list->moves[i];
        willow_bits replies =
            worker_moves(worker, moves_next_player(opponent, move), moves_next_opponent(player, move));
        move->value = -FAR_MOBILITY * worker_weighted_mobility(worker, replies);
    }
}

static int child_null(struct worker *worker, const struct node *node, const struct move *move, int alpha, bool first)
{
    (void)first;
    willow_bits player = moves_next_player(node->opponent, move), opponent = moves_next_opponent(node->player, move);
    if (node->depth == ENDGAME_EVAL_EMPTIES)
        return -near_search(worker, player, opponent, -alpha - 1, node->depth - 1);
    midgame_play(worker, node->ply, move);
    return -endgame_null(worker, node->ply + 1, player, opponent, -alpha - 1, node->depth - 1);
}

static int endgame_null(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha,
                        int empties)
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
    bool known = probe(worker, player, opponent, empties, &entry);
    if (known && table_cut(worker, &entry, alpha, &score))
        return score;
    willow_bits legal = worker_moves(worker, player, opponent);
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
    generate_far(worker, player, opponent, legal, &list);
    if (empties >= CHILD_CUT_EMPTIES && child_cut(worker, player, opponent, &list, alpha, empties, &score))
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
    store(worker, player, opponent, empties, alpha, alpha + 1, node.best, node.best_square);
    return node.best;
}

static int pv_pass(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta,
                   int empties)
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
    willow_bits player = moves_next_player(node->opponent, move), opponent = moves_next_opponent(node->player, move);
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
int endgame_pv(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta,
               int empties)
{
    worker->lines[ply].length = 0;
    worker->nodes++;
    if (worker_stopped(worker))
        return 0;
    willow_bits legal = worker_moves(worker, player, opponent);
    if (!legal)
        return pv_pass(worker, ply, player, opponent, alpha, beta, empties);
    struct move_list list;
    struct table_entry entry;
    bool far = empties >= ENDGAME_EVAL_EMPTIES;
    bool known = far && probe(worker, player, opponent, empties, &entry);
    if (far)
        generate_far(worker, player, opponent, legal, &list);
    else
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
        store(worker, player, opponent, empties, alpha, beta, node.best, node.best_square);
    return node.best;
}
