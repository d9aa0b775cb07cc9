/* The end of the game from ENDGAME_EVAL_EMPTIES - 1 empty squares down to the last few: null windows only, order by
 * mobility, parity and edges, a small table of the worker's own. Layer: search.
 *
 * The moves of a node are played on the board all at once, because their order needs the replies; the replies then are
 * the children's moves.
 */
#include "search/nearend.h"

#include "search/endgame.h"
#include "search/lastempties.h"

/* Order near the end: each weighted reply of the other side, a square of an odd quadrant,
 * each own corner and each own disc beside one along the edge. Corners need no other bonus. These and the numbers below
 * were chosen by nodes and time over the positions of 10 empty squares that searches of 20-24 empty squares met. */
enum { NEAR_MOBILITY = 4, NEAR_ODD = 1, NEAR_EDGE = 1, NEAR_PREFERRED = 1 << 12 };

/* From here up the limits are looked at, and results may be void: below, a node is done before anybody notices. */
enum { STOP_EMPTIES = 8 };

/* From here up the children are looked up in the table before any of them is searched. */
enum { CHILD_CUT_EMPTIES = 6 };

/* The boards after each move, from the side that is next. */
struct children {
    willow_bits players[ENDGAME_EVAL_EMPTIES - 1], opponents[ENDGAME_EVAL_EMPTIES - 1];
    willow_bits replies[ENDGAME_EVAL_EMPTIES - 1];
    struct near_slot *slots[ENDGAME_EVAL_EMPTIES - 1]; /* where the children have some */
    int values[ENDGAME_EVAL_EMPTIES - 1];              /* for ordering, higher first */
    int count;
};

/* own: after the move on the square. odd: quadrants with an odd number of empty squares before it. */
static inline int order_value(const struct worker *worker, willow_bits own, willow_bits replies, willow_bits odd,
                              int square)
{
    willow_bits corners = own & worker->geometry.corners;
    willow_bits beside =
        (corners << 1 | corners >> 1 | corners << WILLOW_SIDE | corners >> WILLOW_SIDE) & own & worker->geometry.edges;
    return (odd >> square & 1 ? NEAR_ODD : 0) - NEAR_MOBILITY * worker_weighted_mobility(worker, replies) +
           NEAR_EDGE * (kernel_count(corners) + kernel_count(beside));
}

void near_order(const struct worker *worker, willow_bits player, willow_bits opponent, struct move_list *list)
{
    willow_bits odd = odd_quadrants(worker_empty(worker, player, opponent), worker->geometry.centring);
    for (int i = 0; i < list->count; i++) {
        struct move *move = &list->moves[i];
        willow_bits next_player = moves_next_player(opponent, move), next_opponent = moves_next_opponent(player, move);
        move->value =
            order_value(worker, next_opponent, worker_moves(worker, next_player, next_opponent), odd, move->square);
    }
}

/* The arrays are apart because gcc 12 joins neighbouring stores to vectors, and loads of their parts then wait. Inline
 * because the search takes a quarter more time when gcc 12 makes this a function of its own. */
static inline void play_all(const struct worker *worker, willow_bits player, willow_bits opponent, willow_bits legal,
                            struct children *children)
{
    willow_bits odd = odd_quadrants(worker_empty(worker, player, opponent), worker->geometry.centring);
    int count = 0;
    for (; legal; legal &= legal - 1, count++) {
        int square = kernel_first(legal);
        willow_bits flips = kernel_flips(player, opponent, square);
        willow_bits next_player = opponent ^ flips, next_opponent = player ^ flips ^ (legal & (0 - legal));
        willow_bits replies = worker_moves(worker, next_player, next_opponent);
        children->players[count] = next_player;
        children->opponents[count] = next_opponent;
        children->replies[count] = replies;
        children->values[count] = order_value(worker, next_opponent, replies, odd, square);
    }
    children->count = count;
}

static void prefer(struct children *children, int square)
{
    for (int i = 0; i < children->count; i++)
        if ((children->players[i] | children->opponents[i]) >> square & 1)
            children->values[i] += NEAR_PREFERRED;
}

/* Index of the best of the children in the mask `left`, which is not empty; among equals the first. */
static int best_child(const struct children *children, unsigned left)
{
    int best = __builtin_ctz(left), value = children->values[best];
    for (left &= left - 1; left; left &= left - 1) {
        int other = __builtin_ctz(left);
        best = children->values[other] > value ? other : best;
        value = children->values[other] > value ? children->values[other] : value;
    }
    return best;
}

/* Begins to fetch the slots as well: the table is larger than the first cache. */
static void find_slots(const struct near_table *table, struct children *children)
{
    for (int i = 0; i < children->count; i++) {
        children->slots[i] = near_table_slot(table, children->players[i], children->opponents[i]);
        __builtin_prefetch(children->slots[i]);
    }
}

static bool child_cut(const struct near_table *table, const struct children *children, int alpha, int *score)
{
    for (int i = 0; i < children->count; i++) {
        const struct near_slot *slot = children->slots[i];
        if (near_table_holds(table, slot, children->players[i], children->opponents[i]) && -slot->upper > alpha) {
            *score = -slot->upper;
            return true;
        }
    }
    return false;
}

/* The same as near_search from LAST_EMPTIES + 1 empty squares up, given the legal moves and the slot of the position.
 */
static int search_node(struct worker *worker, willow_bits player, willow_bits opponent, int alpha, int empties,
                       willow_bits legal, struct near_slot *slot)
{
    worker->nodes++;
    if (empties >= STOP_EMPTIES && worker_stopped(worker))
        return 0;
    int score;
    if (endgame_stability_cut(worker, player, opponent, alpha, &score))
        return score;
    bool known = near_table_holds(&worker->near, slot, player, opponent);
    if (known && slot->lower > alpha)
        return slot->lower;
    if (known && slot->upper <= alpha)
        return slot->upper;
    if (!legal) {
        legal = worker_moves(worker, opponent, player);
        if (!legal)
            return worker_final_discs(worker, player, opponent);
        return -search_node(worker, opponent, player, -alpha - 1, empties, legal,
                            near_table_slot(&worker->near, opponent, player));
    }
    struct children children;
    play_all(worker, player, opponent, legal, &children);
    if (empties > LAST_EMPTIES + 1)
        find_slots(&worker->near, &children);
    if (known)
        prefer(&children, slot->move);
    if (empties >= CHILD_CUT_EMPTIES && child_cut(&worker->near, &children, alpha, &score))
        return score;
    int best = -ENDGAME_INFINITE, best_child_index = 0;
    unsigned left = (1u << children.count) - 1;
    while (left && best <= alpha) {
        int i = best_child(&children, left);
        left ^= 1u << i;
        willow_bits next_player = children.players[i], next_opponent = children.opponents[i];
        if (empties == LAST_EMPTIES + 1)
            score = -last_empties_moves(worker, next_player, next_opponent, -alpha - 1, children.replies[i]);
        else
            score = -search_node(worker, next_player, next_opponent, -alpha - 1, empties - 1, children.replies[i],
                                 children.slots[i]);
        if (empties > STOP_EMPTIES && worker_void(worker))
            return 0;
        if (score > best) {
            best = score;
            best_child_index = i;
        }
    }
    willow_bits move =
        (children.players[best_child_index] | children.opponents[best_child_index]) & ~(player | opponent);
    near_table_store(&worker->near, slot, player, opponent, alpha, best, kernel_first(move));
    return best;
}

int near_search(struct worker *worker, willow_bits player, willow_bits opponent, int alpha, int empties)
{
    if (empties <= LAST_EMPTIES)
        return last_empties(worker, player, opponent, alpha, empties);
    return search_node(worker, player, opponent, alpha, empties, worker_moves(worker, player, opponent),
                       near_table_slot(&worker->near, player, opponent));
}
