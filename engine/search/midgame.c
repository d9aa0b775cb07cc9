/* Principal-variation search to a fixed depth. Depth 0 to 2, where nearly all nodes are, goes without table and with
 * the cheapest order; above, the table and shallow searches decide the order. Layer: search.
 */
#include "search/midgame.h"

/* Where the table starts to pay, and where looking at every child in it does. */
enum { TABLE_DEPTH = 3, CHILD_CUT_DEPTH = 4 };

/* In 1/32 disc for each weighted move of the other side. */
enum { MOBILITY_WEIGHT = 32 };

enum { PREFERRED_FIRST = 1 << 30, PREFERRED_SECOND = 1 << 29 };

/* Depth 1 takes its moves in this order: corners, ordinary squares, then the ones beside a corner. */
#define BESIDE_CORNERS 0x42C300000000C342u

static inline int evaluate(struct willow_search *search, int ply, uint64_t player, uint64_t opponent)
{
    return model_evaluate(search->weights, &search->states[ply],
                          (struct willow_board){.player = player, .opponent = opponent});
}

static int leaf(struct willow_search *search, int ply, uint64_t player, uint64_t opponent)
{
    search->nodes++;
    if (handle_moves(search, player, opponent))
        return evaluate(search, ply, player, opponent);
    if (!handle_moves(search, opponent, player))
        return handle_final_discs(search, player, opponent) * WILLOW_SCORE_DISC;
    model_state_pass(&search->states[ply], &search->states[ply + 1]);
    return -evaluate(search, ply + 1, opponent, player);
}

/* The side to move has no move: the value after its pass, or the final one. */
static int shallow_pass(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int beta,
                        int depth)
{
    if (!handle_moves(search, opponent, player))
        return handle_final_discs(search, player, opponent) * WILLOW_SCORE_DISC;
    model_state_pass(&search->states[ply], &search->states[ply + 1]);
    return -midgame_shallow(search, ply + 1, opponent, player, -beta, -alpha, depth);
}

static int depth_1(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int beta)
{
    search->nodes++;
    uint64_t legal = handle_moves(search, player, opponent);
    if (!legal)
        return shallow_pass(search, ply, player, opponent, alpha, beta, 1);
    uint64_t groups[3] = {legal & MOVES_CORNERS, legal & ~(MOVES_CORNERS | BESIDE_CORNERS), legal & BESIDE_CORNERS};
    int best = -MIDGAME_INFINITE;
    for (int i = 0; i < 3; i++)
        for (uint64_t group = groups[i]; group; group &= group - 1) {
            struct move move = {.square = kernel_first(group)};
            move.flips = kernel_flips(player, opponent, move.square);
            midgame_play(search, ply, &move);
            int score = -leaf(search, ply + 1, moves_next_player(opponent, &move), moves_next_opponent(player, &move));
            if (score > best) {
                best = score;
                if (score >= beta)
                    return score;
            }
        }
    return best;
}

/* Mobility alone orders depth 2: an evaluation of each child would cost as much as searching half of them. */
static void order_by_mobility(const struct willow_search *search, uint64_t player, uint64_t opponent,
                              struct move_list *list)
{
    for (int i = 0; i < list->count; i++) {
        struct move *move = &list->moves[i];
        uint64_t replies = handle_moves(search, moves_next_player(opponent, move), moves_next_opponent(player, move));
        move->value = (MOVES_CORNERS >> move->square & 1 ? 4 : 0) - (BESIDE_CORNERS >> move->square & 1 ? 2 : 0) -
                      moves_weighted_mobility(replies);
    }
}

static int depth_2(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int beta)
{
    search->nodes++;
    uint64_t legal = handle_moves(search, player, opponent);
    if (!legal)
        return shallow_pass(search, ply, player, opponent, alpha, beta, 2);
    struct move_list list;
    moves_generate(&list, player, opponent, legal);
    order_by_mobility(search, player, opponent, &list);
    int best = -MIDGAME_INFINITE;
    for (int i = 0; i < list.count; i++) {
        const struct move *move = moves_pick(&list, i);
        midgame_play(search, ply, move);
        int score = -depth_1(search, ply + 1, moves_next_player(opponent, move), moves_next_opponent(player, move),
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

int midgame_shallow(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int beta,
                    int depth)
{
    if (depth == 0)
        return leaf(search, ply, player, opponent);
    if (depth == 1)
        return depth_1(search, ply, player, opponent, alpha, beta);
    return depth_2(search, ply, player, opponent, alpha, beta);
}

void midgame_order(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, struct move_list *list,
                   int depth, int mobility_weight)
{
    for (int i = 0; i < list->count; i++) {
        struct move *move = &list->moves[i];
        uint64_t next_player = moves_next_player(opponent, move), next_opponent = moves_next_opponent(player, move);
        midgame_play(search, ply, move);
        int score =
            midgame_shallow(search, ply + 1, next_player, next_opponent, -MIDGAME_INFINITE, MIDGAME_INFINITE, depth);
        uint64_t replies = handle_moves(search, next_player, next_opponent);
        move->value = -score - mobility_weight * moves_weighted_mobility(replies);
    }
}

void midgame_prefer(struct move_list *list, const struct table_entry *entry)
{
    for (int i = 0; i < list->count; i++) {
        if (list->moves[i].square == entry->move[0])
            list->moves[i].value = PREFERRED_FIRST;
        else if (list->moves[i].square == entry->move[1])
            list->moves[i].value = PREFERRED_SECOND;
    }
}

/* How deep to look for the order of moves at a node of this depth. */
static int order_depth(int depth)
{
    return depth >= 9 ? 2 : depth >= 6 ? 1 : 0;
}

static void prepare(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, uint64_t legal,
                    int depth, const struct table_entry *entry, struct move_list *list)
{
    moves_generate(list, player, opponent, legal);
    if (list->count == 1 || depth == 1)
        return;
    midgame_order(search, ply, player, opponent, list, order_depth(depth), MOBILITY_WEIGHT);
    if (entry)
        midgame_prefer(list, entry);
}

/* A child that the table knows to be bad enough for the other side settles the node before anything is searched. */
static bool child_cut(const struct willow_search *search, uint64_t player, uint64_t opponent,
                      const struct move_list *list, int alpha, int depth, int *score)
{
    for (int i = 0; i < list->count; i++) {
        const struct move *move = &list->moves[i];
        const struct table_entry *entry =
            table_probe(&search->table, moves_next_player(opponent, move), moves_next_opponent(player, move));
        if (entry && entry->depth >= depth - 1 && -entry->upper > alpha) {
            *score = -entry->upper;
            return true;
        }
    }
    return false;
}

/* Tests whether the value is above alpha. Fail-soft. */
static int midgame_null(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int depth)
{
    if (depth < TABLE_DEPTH)
        return midgame_shallow(search, ply, player, opponent, alpha, alpha + 1, depth);
    search->nodes++;
    if (handle_stopped(search))
        return 0;
    const struct table_entry *entry = table_probe(&search->table, player, opponent);
    if (entry && entry->depth >= depth) {
        if (entry->lower > alpha)
            return entry->lower;
        if (entry->upper <= alpha)
            return entry->upper;
    }
    uint64_t legal = handle_moves(search, player, opponent);
    if (!legal) {
        if (!handle_moves(search, opponent, player))
            return handle_final_discs(search, player, opponent) * WILLOW_SCORE_DISC;
        model_state_pass(&search->states[ply], &search->states[ply + 1]);
        return -midgame_null(search, ply + 1, opponent, player, -alpha - 1, depth);
    }
    struct move_list list;
    prepare(search, ply, player, opponent, legal, depth, entry, &list);
    int best = -MIDGAME_INFINITE, best_square = WILLOW_NO_SQUARE;
    if (depth >= CHILD_CUT_DEPTH && child_cut(search, player, opponent, &list, alpha, depth, &best))
        return best;
    for (int i = 0; i < list.count && best <= alpha; i++) {
        const struct move *move = moves_pick(&list, i);
        midgame_play(search, ply, move);
        int score = -midgame_null(search, ply + 1, moves_next_player(opponent, move), moves_next_opponent(player, move),
                                  -alpha - 1, depth - 1);
        if (search->stopped)
            return 0;
        if (score > best) {
            best = score;
            best_square = move->square;
        }
    }
    table_store(&search->table, player, opponent, depth, alpha, alpha + 1, best, best_square);
    return best;
}

static int pv_pass(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int beta,
                   int depth)
{
    if (!handle_moves(search, opponent, player))
        return handle_final_discs(search, player, opponent) * WILLOW_SCORE_DISC;
    model_state_pass(&search->states[ply], &search->states[ply + 1]);
    int score = -midgame_pv(search, ply + 1, opponent, player, -beta, -alpha, depth);
    handle_extend_line(search, ply, WILLOW_PASS);
    return score;
}

/* The table orders the moves here but never cuts: the line of best play must come out whole. What it saves below, in
 * the null windows, is nearly all of it. */
int midgame_pv(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int beta,
               int depth)
{
    search->lines[ply].length = 0;
    if (depth == 0)
        return leaf(search, ply, player, opponent);
    search->nodes++;
    if (handle_stopped(search))
        return 0;
    uint64_t legal = handle_moves(search, player, opponent);
    if (!legal)
        return pv_pass(search, ply, player, opponent, alpha, beta, depth);
    const struct table_entry *entry = depth >= TABLE_DEPTH ? table_probe(&search->table, player, opponent) : NULL;
    struct move_list list;
    prepare(search, ply, player, opponent, legal, depth, entry, &list);
    int best = -MIDGAME_INFINITE, best_square = WILLOW_NO_SQUARE, lower = alpha;
    for (int i = 0; i < list.count && best < beta; i++) {
        const struct move *move = moves_pick(&list, i);
        uint64_t next_player = moves_next_player(opponent, move), next_opponent = moves_next_opponent(player, move);
        midgame_play(search, ply, move);
        search->lines[ply + 1].length = 0;
        int score = beta;
        if (i > 0)
            score = -midgame_null(search, ply + 1, next_player, next_opponent, -lower - 1, depth - 1);
        if (i == 0 || (score > lower && score < beta))
            score = -midgame_pv(search, ply + 1, next_player, next_opponent, -beta, -lower, depth - 1);
        if (search->stopped)
            return 0;
        if (score > best) {
            best = score;
            best_square = move->square;
            if (score > lower) {
                lower = score;
                handle_raise(search, ply, move->square, score);
            }
        }
    }
    if (depth >= TABLE_DEPTH)
        table_store(&search->table, player, opponent, depth, alpha, beta, best, best_square);
    return best;
}
