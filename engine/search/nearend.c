/* The end of the game from ENDGAME_EVAL_EMPTIES - 1 empty squares down to the last few: null windows only, order by
 * mobility and parity, a small table of the worker's own. Layer: search.
 */
#include "search/nearend.h"

#include "search/lastempties.h"
#include "search/midgame.h"

/* Order near the end, in quarters of a disc or so: each weighted reply of the other side, and a square of an odd
 * quadrant. Corners need no bonus of their own. These and the next were chosen by node counts over FFO 20-29, 16
 * positions of hard-20 and 300 positions of play with 14 empty squares, with trained weights. */
enum { NEAR_MOBILITY = 8, NEAR_ODD = 3 };

void near_order(const struct worker *worker, uint64_t player, uint64_t opponent, struct move_list *list)
{
    uint64_t odd = odd_quadrants(worker_empty(worker, player, opponent));
    for (int i = 0; i < list->count; i++) {
        struct move *move = &list->moves[i];
        uint64_t replies = worker_moves(worker, moves_next_player(opponent, move), moves_next_opponent(player, move));
        move->value = (odd >> move->square & 1 ? NEAR_ODD : 0) - NEAR_MOBILITY * moves_weighted_mobility(replies);
    }
}

int near_search(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, int empties)
{
    if (empties <= LAST_EMPTIES)
        return last_empties(worker, player, opponent, alpha, empties);
    worker->nodes++;
    if (worker_stopped(worker))
        return 0;
    int score;
    if (endgame_stability_cut(worker, player, opponent, alpha, empties, &score))
        return score;
    struct table_entry entry;
    bool known = table_probe(&worker->near, player, opponent, &entry);
    if (known && endgame_table_cut(worker, &entry, alpha, &score))
        return score;
    uint64_t legal = worker_moves(worker, player, opponent);
    if (!legal) {
        if (!worker_moves(worker, opponent, player))
            return worker_final_discs(worker, player, opponent);
        return -near_search(worker, opponent, player, -alpha - 1, empties);
    }
    struct move_list list;
    moves_generate(&list, player, opponent, legal);
    const int preferred = known ? midgame_prefer(&list, &entry) : 0;
    near_order(worker, player, opponent, &list);
    for (int i = 0; i < preferred; i++)
        list.moves[i].value = INT32_MAX - i;
    int best = -ENDGAME_INFINITE, best_square = WILLOW_NO_SQUARE;
    for (int i = 0; i < list.count && best <= alpha; i++) {
        const struct move *move = moves_pick(&list, i);
        score = -near_search(worker, moves_next_player(opponent, move), moves_next_opponent(player, move), -alpha - 1,
                             empties - 1);
        if (worker_void(worker))
            return 0;
        if (score > best) {
            best = score;
            best_square = move->square;
        }
    }
    endgame_store(&worker->near, player, opponent, empties, SELECTIVITY_NONE, alpha, alpha + 1, best, best_square);
    return best;
}
