/* Exact search above the last six empty squares. From ENDGAME_EVAL_EMPTIES up: the main table, order by evaluation and
 * shallow search, cuts from the children's entries; below: a small table, order by mobility and parity. Stable discs
 * cut in both. Layer: search.
 */
#include "search/endgame.h"

#include "search/lastempties.h"
#include "search/midgame.h"
#include "search/moves.h"

enum { CHILD_CUT_EMPTIES = 12 };

/* Order near the end, in quarters of a disc or so: each weighted reply of the other side, and a square of an odd
 * quadrant. Corners need no bonus of their own. These and the next were chosen by node counts over FFO 20-29, 16
 * positions of hard-20 and 300 positions of play with 14 empty squares, with trained weights. */
enum { NEAR_MOBILITY = 8, NEAR_ODD = 3 };

/* Order further up, in 1/32 disc for each weighted reply: a narrow tree beats a better score. */
enum { FAR_MOBILITY = 128 };

/* A test of the stable discs costs about as much as a node near the end; it pays only when alpha is high for what is
 * still to be won. */
static inline bool stability_pays(int alpha, int empties)
{
    return alpha >= 3 * empties / 2 - 8;
}

/* True when the other side's stable discs alone keep the value at or below alpha. */
static inline bool stability_cut(const struct willow_search *search, uint64_t player, uint64_t opponent, int alpha,
                                 int empties, int *score)
{
    if (!search->standard || !stability_pays(alpha, empties))
        return false;
    int stable = kernel_count(stability_discs(&search->stability, opponent, player));
    *score = 64 - 2 * stable;
    return *score <= alpha;
}

static void order_near(const struct willow_search *search, uint64_t player, uint64_t opponent, struct move_list *list)
{
    uint64_t odd = odd_quadrants(handle_empty(search, player, opponent));
    for (int i = 0; i < list->count; i++) {
        struct move *move = &list->moves[i];
        uint64_t replies = handle_moves(search, moves_next_player(opponent, move), moves_next_opponent(player, move));
        move->value = (odd >> move->square & 1 ? NEAR_ODD : 0) - NEAR_MOBILITY * moves_weighted_mobility(replies);
    }
}

static int order_depth(int empties)
{
    return empties >= 20 ? 2 : empties >= 16 ? 1 : 0;
}

static inline struct table *table_for(struct willow_search *search, int empties)
{
    return empties >= ENDGAME_EVAL_EMPTIES ? &search->table : &search->near;
}

static void prepare(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, uint64_t legal,
                    int empties, const struct table_entry *entry, struct move_list *list)
{
    moves_generate(list, player, opponent, legal);
    if (list->count == 1)
        return;
    if (empties >= ENDGAME_EVAL_EMPTIES)
        midgame_order(search, ply, player, opponent, list, order_depth(empties), FAR_MOBILITY);
    else
        order_near(search, player, opponent, list);
    if (entry)
        midgame_prefer(list, entry);
}

static inline void play(struct willow_search *search, int ply, const struct move *move, int empties)
{
    if (empties > ENDGAME_EVAL_EMPTIES)
        midgame_play(search, ply, move);
}

static inline void pass(struct willow_search *search, int ply, int empties)
{
    if (empties >= ENDGAME_EVAL_EMPTIES)
        model_state_pass(&search->states[ply], &search->states[ply + 1]);
}

/* Bounds in the table are exact ones only at TABLE_EXACT and above; there they are whole discs. */
static inline bool table_cut(const struct table_entry *entry, int alpha, int *score)
{
    if (!entry || entry->depth < TABLE_EXACT)
        return false;
    int lower = entry->lower / WILLOW_SCORE_DISC, upper = entry->upper / WILLOW_SCORE_DISC;
    *score = lower > alpha ? lower : upper;
    return lower > alpha || upper <= alpha;
}

static bool child_cut(const struct willow_search *search, uint64_t player, uint64_t opponent,
                      const struct move_list *list, int alpha, int *score)
{
    for (int i = 0; i < list->count; i++) {
        const struct move *move = &list->moves[i];
        const struct table_entry *entry =
            table_probe(&search->table, moves_next_player(opponent, move), moves_next_opponent(player, move));
        if (entry && entry->depth >= TABLE_EXACT && -entry->upper / WILLOW_SCORE_DISC > alpha) {
            *score = -entry->upper / WILLOW_SCORE_DISC;
            return true;
        }
    }
    return false;
}

static void store(struct table *table, uint64_t player, uint64_t opponent, int empties, int alpha, int beta, int score,
                  int square)
{
    table_store(table, player, opponent, TABLE_EXACT + empties, alpha * WILLOW_SCORE_DISC, beta * WILLOW_SCORE_DISC,
                score * WILLOW_SCORE_DISC, square);
}

/* Tests whether the value is above alpha. Fail-soft. */
static int endgame_null(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha,
                        int empties)
{
    if (empties <= LAST_EMPTIES)
        return last_empties(search, player, opponent, alpha, empties);
    search->nodes++;
    if (handle_stopped(search))
        return 0;
    int score;
    if (stability_cut(search, player, opponent, alpha, empties, &score))
        return score;
    struct table *table = table_for(search, empties);
    const struct table_entry *entry = table_probe(table, player, opponent);
    if (table_cut(entry, alpha, &score))
        return score;
    uint64_t legal = handle_moves(search, player, opponent);
    if (!legal) {
        if (!handle_moves(search, opponent, player))
            return handle_final_discs(search, player, opponent);
        pass(search, ply, empties);
        return -endgame_null(search, ply + 1, opponent, player, -alpha - 1, empties);
    }
    struct move_list list;
    prepare(search, ply, player, opponent, legal, empties, entry, &list);
    if (empties >= CHILD_CUT_EMPTIES && child_cut(search, player, opponent, &list, alpha, &score))
        return score;
    int best = -ENDGAME_INFINITE, best_square = WILLOW_NO_SQUARE;
    for (int i = 0; i < list.count && best <= alpha; i++) {
        const struct move *move = moves_pick(&list, i);
        play(search, ply, move, empties);
        score = -endgame_null(search, ply + 1, moves_next_player(opponent, move), moves_next_opponent(player, move),
                              -alpha - 1, empties - 1);
        if (search->stopped)
            return 0;
        if (score > best) {
            best = score;
            best_square = move->square;
        }
    }
    store(table, player, opponent, empties, alpha, alpha + 1, best, best_square);
    return best;
}

static int pv_pass(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int beta,
                   int empties)
{
    if (!handle_moves(search, opponent, player))
        return handle_final_discs(search, player, opponent);
    pass(search, ply, empties);
    int score = -endgame_pv(search, ply + 1, opponent, player, -beta, -alpha, empties);
    handle_extend_line(search, ply, WILLOW_PASS);
    return score;
}

/* As in the midgame, the table orders the moves here but never cuts, so that the line reaches the end of the game. */
int endgame_pv(struct willow_search *search, int ply, uint64_t player, uint64_t opponent, int alpha, int beta,
               int empties)
{
    search->lines[ply].length = 0;
    search->nodes++;
    if (handle_stopped(search))
        return 0;
    uint64_t legal = handle_moves(search, player, opponent);
    if (!legal)
        return pv_pass(search, ply, player, opponent, alpha, beta, empties);
    struct table *table = table_for(search, empties);
    struct move_list list;
    prepare(search, ply, player, opponent, legal, empties, table_probe(table, player, opponent), &list);
    int best = -ENDGAME_INFINITE, best_square = WILLOW_NO_SQUARE, lower = alpha;
    for (int i = 0; i < list.count && best < beta; i++) {
        const struct move *move = moves_pick(&list, i);
        uint64_t next_player = moves_next_player(opponent, move), next_opponent = moves_next_opponent(player, move);
        play(search, ply, move, empties);
        search->lines[ply + 1].length = 0;
        int score = beta;
        if (i > 0)
            score = -endgame_null(search, ply + 1, next_player, next_opponent, -lower - 1, empties - 1);
        if (i == 0 || (score > lower && score < beta))
            score = -endgame_pv(search, ply + 1, next_player, next_opponent, -beta, -lower, empties - 1);
        if (search->stopped)
            return 0;
        if (score > best) {
            best = score;
            best_square = move->square;
            if (score > lower) {
                lower = score;
                handle_raise(search, ply, move->square, score * WILLOW_SCORE_DISC);
            }
        }
    }
    if (empties > LAST_EMPTIES)
        store(table, player, opponent, empties, alpha, beta, best, best_square);
    return best;
}
