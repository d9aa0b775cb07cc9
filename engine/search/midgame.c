/* Principal-variation search to a fixed depth. Depth 0 to 2, where nearly all nodes are, goes without table and with
 * the cheapest order; above, the table and shallow searches decide the order. Layer: search.
 */
#include "search/midgame.h"

/* Where the table starts to pay, and where looking at every child in it does. */
enum { TABLE_DEPTH = 3, CHILD_CUT_DEPTH = 4 };

/* From here up the moves of a node are worth handing to other threads. */
enum { SHARE_DEPTH = 6 };

/* In 1/32 disc for each weighted move of the other side. */
enum { MOBILITY_WEIGHT = 32 };

static inline int evaluate(struct worker *worker, int ply, willow_bits player, willow_bits opponent)
{
    return model_evaluate(worker->weights, &worker->states[ply],
                          (struct willow_board){.player = player, .opponent = opponent});
}

static int leaf(struct worker *worker, int ply, willow_bits player, willow_bits opponent)
{
    worker->nodes++;
    if (worker_moves(worker, player, opponent))
        return evaluate(worker, ply, player, opponent);
    if (!worker_moves(worker, opponent, player))
        return worker_final_discs(worker, player, opponent) * WILLOW_SCORE_DISC;
    model_state_pass(&worker->states[ply], &worker->states[ply + 1]);
    return -evaluate(worker, ply + 1, opponent, player);
}

/* The side to move has no move: the value after its pass, or the final one. */
static int shallow_pass(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta,
                        int depth)
{
    if (!worker_moves(worker, opponent, player))
        return worker_final_discs(worker, player, opponent) * WILLOW_SCORE_DISC;
    model_state_pass(&worker->states[ply], &worker->states[ply + 1]);
    return -midgame_shallow(worker, ply + 1, opponent, player, -beta, -alpha, depth);
}

/* Takes its moves in this order: corners, ordinary squares, then the ones beside a corner. */
static int depth_1(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta)
{
    worker->nodes++;
    willow_bits legal = worker_moves(worker, player, opponent);
    if (!legal)
        return shallow_pass(worker, ply, player, opponent, alpha, beta, 1);
    const willow_bits corners = worker->geometry.corners, beside = worker->geometry.beside_corners;
    willow_bits groups[3] = {legal & corners, legal & ~(corners | beside), legal & beside};
    int best = -MIDGAME_INFINITE;
    for (int i = 0; i < 3; i++)
        for (willow_bits group = groups[i]; group; group &= group - 1) {
            struct move move = {.square = kernel_first(group)};
            move.flips = kernel_flips(player, opponent, move.square);
            midgame_play(worker, ply, &move);
            int score = -leaf(worker, ply + 1, moves_next_player(opponent, &move), moves_next_opponent(player, &move));
            if (score > best) {
                best = score;
                if (score >= beta)
                    return score;
            }
        }
    return best;
}

/* Mobility alone orders depth 2: an evaluation of each child would cost as much as searching half of them. */
static void order_by_mobility(const struct worker *worker, willow_bits player, willow_bits opponent,
                              struct move_list *list)
{
    for (int i = 0; i < list->count; i++) {
        struct move *move = &list->moves[i];
        willow_bits replies =
            worker_moves(worker, moves_next_player(opponent, move), moves_next_opponent(player, move));
        move->value = (worker->geometry.corners >> move->square & 1 ? 4 : 0) -
                      (worker->geometry.beside_corners >> move->square & 1 ? 2 : 0) -
                      worker_weighted_mobility(worker, replies);
    }
}

static int depth_2(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta)
{
    worker->nodes++;
    willow_bits legal = worker_moves(worker, player, opponent);
    if (!legal)
        return shallow_pass(worker, ply, player, opponent, alpha, beta, 2);
    struct move_list list;
    moves_generate(&list, player, opponent, legal);
    order_by_mobility(worker, player, opponent, &list);
    int best = -MIDGAME_INFINITE;
    for (int i = 0; i < list.count; i++) {
        const struct move *move = moves_pick(&list, i);
        midgame_play(worker, ply, move);
        int score = -depth_1(worker, ply + 1, moves_next_player(opponent, move), moves_next_opponent(player, move),
                             -beta, -alpha);
        if (score > best) {
            best = score;
            if (score >= beta)
                return score;
            if (score > alpha)
                alpha = score;
        }
    }
    return best;
}

int midgame_shallow(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta,
                    int depth)
{
    if (depth == 0)
        return leaf(worker, ply, player, opponent);
    if (depth == 1)
        return depth_1(worker, ply, player, opponent, alpha, beta);
    return depth_2(worker, ply, player, opponent, alpha, beta);
}

void midgame_order(struct worker *worker, const struct node *node, struct move_list *list, int depth,
                   int mobility_weight)
{
    if (list->count - node->preferred <= 1)
        return;
    for (int i = node->preferred; i < list->count; i++) {
        struct move *move = &list->moves[i];
        willow_bits player = moves_next_player(node->opponent, move),
                    opponent = moves_next_opponent(node->player, move);
        midgame_play(worker, node->ply, move);
        int score =
            midgame_shallow(worker, node->ply + 1, player, opponent, -MIDGAME_INFINITE, MIDGAME_INFINITE, depth);
        willow_bits replies = worker_moves(worker, player, opponent);
        move->value = -score - mobility_weight * worker_weighted_mobility(worker, replies);
    }
}

int midgame_prefer(struct move_list *list, const struct table_entry *entry)
{
    int count = moves_bring(list, 0, entry->move[0]);
    return count + moves_bring(list, count, entry->move[1]);
}

/* How deep to look for the order of moves at a node of this depth. */
static int order_depth(int depth)
{
    return depth >= 9 ? 2 : depth >= 6 ? 1 : 0;
}

static void order(struct worker *worker, const struct node *node, struct move_list *list)
{
    if (node->depth > 1)
        midgame_order(worker, node, list, order_depth(node->depth), MOBILITY_WEIGHT);
}

static bool reaches(const struct worker *worker, const struct table_entry *entry, int depth)
{
    return entry->depth >= depth && entry->selectivity >= worker->selectivity;
}

/* A child that the table knows to be bad enough for the other side settles the node before anything is searched. */
static bool child_cut(const struct worker *worker, willow_bits player, willow_bits opponent,
                      const struct move_list *list, int alpha, int depth, int *score)
{
    struct table_entry entry;
    for (int i = 0; i < list->count; i++) {
        const struct move *move = &list->moves[i];
        if (table_probe(worker->table, moves_next_player(opponent, move), moves_next_opponent(player, move), &entry) &&
            reaches(worker, &entry, depth - 1) && -entry.upper > alpha) {
            *score = -entry.upper;
            return true;
        }
    }
    return false;
}

static int child_null(struct worker *worker, const struct node *node, const struct move *move, int alpha, bool first)
{
    (void)first;
    midgame_play(worker, node->ply, move);
    return -midgame_null(worker, node->ply + 1, moves_next_player(node->opponent, move),
                         moves_next_opponent(node->player, move), -alpha - 1, node->depth - 1);
}

int midgame_null(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int depth)
{
    if (depth < TABLE_DEPTH)
        return midgame_shallow(worker, ply, player, opponent, alpha, alpha + 1, depth);
    worker->nodes++;
    if (worker_stopped(worker))
        return 0;
    struct table_entry entry;
    bool known = table_probe(worker->table, player, opponent, &entry);
    if (known && reaches(worker, &entry, depth)) {
        if (entry.lower > alpha)
            return entry.lower;
        if (entry.upper <= alpha)
            return entry.upper;
    }
    willow_bits legal = worker_moves(worker, player, opponent);
    if (!legal) {
        if (!worker_moves(worker, opponent, player))
            return worker_final_discs(worker, player, opponent) * WILLOW_SCORE_DISC;
        model_state_pass(&worker->states[ply], &worker->states[ply + 1]);
        return -midgame_null(worker, ply + 1, opponent, player, -alpha - 1, depth);
    }
    int score;
    if (worker->selectivity < SELECTIVITY_NONE && depth >= SELECTIVE_DEPTH_MIN &&
        selectivity_cut(worker, ply, player, opponent, alpha, depth, &score))
        return score;
    struct move_list list;
    moves_generate(&list, player, opponent, legal);
    if (depth >= CHILD_CUT_DEPTH && child_cut(worker, player, opponent, &list, alpha, depth, &score))
        return score;
    struct node node = {.player = player,
                        .opponent = opponent,
                        .ply = ply,
                        .depth = depth,
                        .alpha = alpha,
                        .beta = alpha + 1,
                        .best = -MIDGAME_INFINITE,
                        .best_square = WILLOW_NO_SQUARE,
                        .unit = 1,
                        .child = child_null,
                        .preferred = known ? midgame_prefer(&list, &entry) : 0,
                        .order = order};
    if (!split_search(worker, &node, &list, depth >= SHARE_DEPTH))
        return 0;
    table_store(worker->table, player, opponent, depth, worker->selectivity, alpha, alpha + 1, node.best,
                node.best_square);
    return node.best;
}

static int pv_pass(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta,
                   int depth)
{
    if (!worker_moves(worker, opponent, player))
        return worker_final_discs(worker, player, opponent) * WILLOW_SCORE_DISC;
    model_state_pass(&worker->states[ply], &worker->states[ply + 1]);
    int score = -midgame_pv(worker, ply + 1, opponent, player, -beta, -alpha, depth);
    worker_extend_line(worker, ply, WILLOW_PASS);
    return score;
}

static int child_pv(struct worker *worker, const struct node *node, const struct move *move, int alpha, bool first)
{
    int ply = node->ply, depth = node->depth - 1, score = node->beta;
    willow_bits player = moves_next_player(node->opponent, move), opponent = moves_next_opponent(node->player, move);
    midgame_play(worker, ply, move);
    worker->lines[ply + 1].length = 0;
    if (!first)
        score = -midgame_null(worker, ply + 1, player, opponent, -alpha - 1, depth);
    if (first || (score > alpha && score < node->beta))
        score = -midgame_pv(worker, ply + 1, player, opponent, -node->beta, -alpha, depth);
    return score;
}

/* The table orders the moves here but never cuts: the line of best play must come out whole. What it saves below, in
 * the null windows, is nearly all of it. */
int midgame_pv(struct worker *worker, int ply, willow_bits player, willow_bits opponent, int alpha, int beta, int depth)
{
    worker->lines[ply].length = 0;
    if (depth == 0)
        return leaf(worker, ply, player, opponent);
    worker->nodes++;
    if (worker_stopped(worker))
        return 0;
    willow_bits legal = worker_moves(worker, player, opponent);
    if (!legal)
        return pv_pass(worker, ply, player, opponent, alpha, beta, depth);
    struct table_entry entry;
    bool known = depth >= TABLE_DEPTH && table_probe(worker->table, player, opponent, &entry);
    struct move_list list;
    moves_generate(&list, player, opponent, legal);
    struct node node = {.player = player,
                        .opponent = opponent,
                        .ply = ply,
                        .depth = depth,
                        .alpha = alpha,
                        .beta = beta,
                        .best = -MIDGAME_INFINITE,
                        .best_square = WILLOW_NO_SQUARE,
                        .unit = 1,
                        .pv = true,
                        .child = child_pv,
                        .preferred = known ? midgame_prefer(&list, &entry) : 0,
                        .order = order};
    if (!split_search(worker, &node, &list, depth >= SHARE_DEPTH))
        return 0;
    if (depth >= TABLE_DEPTH)
        table_store(worker->table, player, opponent, depth, worker->selectivity, alpha, beta, node.best,
                    node.best_square);
    return node.best;
}
