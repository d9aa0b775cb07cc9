/* The last four empty squares, where time per node is everything. The empties are tried by parity: a move into a
 * quadrant with an odd number of them tends to get the last word there. The unrolled part holds where the board is a
 * full square, for then the last move is among discs alone; others take the plain loop. It is made twice: for the
 * standard game, whose numbers are constants, and for the rest. Layer: search.
 */
#include "search/lastempties.h"

/* Below every score: the side to move has no move. */
enum { NO_MOVE = -WILLOW_SQUARES - 1 };

/* For functions that are made for `standard` false and true; in a wide build once, for its words of two registers would
 * make them very long. */
#ifdef WILLOW_WIDE
#define MADE_TWICE static
#else
#define MADE_TWICE static inline __attribute__((always_inline))
#endif

MADE_TWICE int squares_of(const struct worker *worker, bool standard)
{
    return standard ? WILLOW_SQUARES : worker->geometry.squares;
}

MADE_TWICE willow_bits playable_of(const struct worker *worker, bool standard)
{
    return standard ? WILLOW_BITS_ALL : worker->geometry.playable;
}

MADE_TWICE willow_bits odd_of(const struct worker *worker, bool standard, willow_bits empty)
{
    return odd_quadrants(empty, standard ? 0 : worker->geometry.centring);
}

MADE_TWICE bool is_settled(const struct worker *worker, bool standard, willow_bits player, willow_bits opponent,
                           int alpha, int *score)
{
    return stability_cut(&worker->search->stability, player, opponent, alpha, squares_of(worker, standard),
                         !standard && worker->fewest_wins, score);
}

static inline willow_bits square_bit(int square)
{
    return WILLOW_BIT(square);
}

/* Flips of a move, with the cheap test first. */
static inline willow_bits flips_at(const struct worker *worker, willow_bits player, willow_bits opponent, int square)
{
    return worker->neighbours[square] & opponent ? kernel_flips(player, opponent, square) : 0;
}

/* One empty square: the value, without playing the move. After it all squares are taken, so the score follows from the
 * number of own discs alone. */
MADE_TWICE int last_1(struct worker *worker, bool standard, willow_bits player, willow_bits opponent, int square)
{
    worker->nodes++;
    /* As if the empty square were the opponent's. */
    int score = 2 * kernel_count(player) - squares_of(worker, standard);
    int flips = kernel_last_flips(player, square);
    if (flips)
        score += 2 * flips + 2;
    else if ((flips = kernel_last_flips(opponent, square)))
        score -= 2 * flips;
    else if (!standard && worker->raw)
        score += 1;
    else if (score + 1 > 0) /* nobody can move: the winner takes the square */
        score += 2;
    return !standard && worker->fewest_wins ? -score : score;
}

MADE_TWICE int try_2(struct worker *worker, bool standard, willow_bits player, willow_bits opponent, int alpha,
                     int first, int second)
{
    int best = NO_MOVE;
    willow_bits flips = flips_at(worker, player, opponent, first);
    if (flips) {
        best = -last_1(worker, standard, opponent ^ flips, player ^ flips ^ square_bit(first), second);
        if (best > alpha)
            return best;
    }
    flips = flips_at(worker, player, opponent, second);
    if (flips) {
        int score = -last_1(worker, standard, opponent ^ flips, player ^ flips ^ square_bit(second), first);
        if (score > best)
            best = score;
    }
    return best;
}

MADE_TWICE int last_2(struct worker *worker, bool standard, willow_bits player, willow_bits opponent, int alpha,
                      int first, int second)
{
    worker->nodes++;
    int best = try_2(worker, standard, player, opponent, alpha, first, second);
    if (best != NO_MOVE)
        return best;
    best = try_2(worker, standard, opponent, player, -alpha - 1, first, second);
    return best != NO_MOVE ? -best : worker_final_discs(worker, player, opponent);
}

MADE_TWICE int try_3(struct worker *worker, bool standard, willow_bits player, willow_bits opponent, int alpha,
                     willow_bits empty)
{
    int best = NO_MOVE;
    willow_bits odd = empty & odd_of(worker, standard, empty);
    for (willow_bits group = odd ? odd : empty;;) {
        int square = kernel_first(group);
        willow_bits flips = flips_at(worker, player, opponent, square);
        if (flips) {
            willow_bits rest = empty ^ square_bit(square);
            int first = kernel_first(rest), second = kernel_first(rest & (rest - 1));
            int score = -last_2(worker, standard, opponent ^ flips, player ^ flips ^ square_bit(square), -alpha - 1,
                                first, second);
            if (score > alpha)
                return score;
            if (score > best)
                best = score;
        }
        group &= group - 1;
        if (!group) {
            group = empty & ~odd;
            if (!group || !odd)
                return best;
            odd = 0;
        }
    }
}

MADE_TWICE int last_3(struct worker *worker, bool standard, willow_bits player, willow_bits opponent, int alpha,
                      willow_bits empty)
{
    worker->nodes++;
    int score;
    if (is_settled(worker, standard, player, opponent, alpha, &score))
        return score;
    int best = try_3(worker, standard, player, opponent, alpha, empty);
    if (best != NO_MOVE)
        return best;
    best = try_3(worker, standard, opponent, player, -alpha - 1, empty);
    return best != NO_MOVE ? -best : worker_final_discs(worker, player, opponent);
}

/* All the moves given are legal, at least one. */
MADE_TWICE int try_4(struct worker *worker, bool standard, willow_bits player, willow_bits opponent, int alpha,
                     willow_bits empty, willow_bits legal)
{
    int best = NO_MOVE;
    willow_bits odd = legal & odd_of(worker, standard, empty);
    for (willow_bits group = odd ? odd : legal;;) {
        int square = kernel_first(group);
        willow_bits flips = kernel_flips(player, opponent, square);
        int score = -last_3(worker, standard, opponent ^ flips, player ^ flips ^ square_bit(square), -alpha - 1,
                            empty ^ square_bit(square));
        if (score > alpha)
            return score;
        if (score > best)
            best = score;
        group &= group - 1;
        if (!group) {
            group = legal & ~odd;
            if (!group || !odd)
                return best;
            odd = 0;
        }
    }
}

MADE_TWICE int last_4(struct worker *worker, bool standard, willow_bits player, willow_bits opponent, int alpha,
                      willow_bits legal)
{
    worker->nodes++;
    int score;
    if (is_settled(worker, standard, player, opponent, alpha, &score))
        return score;
    willow_bits empty = playable_of(worker, standard) & ~(player | opponent);
    if (legal)
        return try_4(worker, standard, player, opponent, alpha, empty, legal);
    legal = kernel_moves(opponent, player) & playable_of(worker, standard);
    return legal ? -try_4(worker, standard, opponent, player, -alpha - 1, empty, legal)
                 : worker_final_discs(worker, player, opponent);
}

/* Any ruleset, any number of empties: parity order, nothing else. */
static int last_many(struct worker *worker, willow_bits player, willow_bits opponent, int alpha, int empties)
{
    worker->nodes++;
    willow_bits empty = worker_empty(worker, player, opponent);
    willow_bits legal = kernel_moves(player, opponent) & empty;
    if (!legal) {
        if (!(kernel_moves(opponent, player) & empty))
            return worker_final_discs(worker, player, opponent);
        return -last_empties(worker, opponent, player, -alpha - 1, empties);
    }
    int best = NO_MOVE;
    willow_bits odd = legal & odd_quadrants(empty, worker->geometry.centring);
    willow_bits groups[2] = {odd, legal & ~odd};
    for (int i = 0; i < 2; i++)
        for (willow_bits group = groups[i]; group; group &= group - 1) {
            int square = kernel_first(group);
            willow_bits flips = kernel_flips(player, opponent, square);
            int score =
                -last_empties(worker, opponent ^ flips, player ^ flips ^ square_bit(square), -alpha - 1, empties - 1);
            if (score > alpha)
                return score;
            if (score > best)
                best = score;
        }
    return best;
}

MADE_TWICE int last(struct worker *worker, bool standard, willow_bits player, willow_bits opponent, int alpha,
                    int empties)
{
    const willow_bits playable = playable_of(worker, standard), empty = playable & ~(player | opponent);
    int first;
    switch (empties) {
    case 4:
        return last_4(worker, standard, player, opponent, alpha, kernel_moves(player, opponent) & playable);
    case 3:
        return last_3(worker, standard, player, opponent, alpha, empty);
    case 2:
        first = kernel_first(empty);
        return last_2(worker, standard, player, opponent, alpha, first, kernel_first(empty & (empty - 1)));
    case 1:
        return last_1(worker, standard, player, opponent, kernel_first(empty));
    default:
        return worker_final_discs(worker, player, opponent);
    }
}

int last_empties(struct worker *worker, willow_bits player, willow_bits opponent, int alpha, int empties)
{
    if (worker->standard)
        return last(worker, true, player, opponent, alpha, empties);
    return worker->geometry.full ? last(worker, false, player, opponent, alpha, empties)
                                 : last_many(worker, player, opponent, alpha, empties);
}

int last_empties_moves(struct worker *worker, willow_bits player, willow_bits opponent, int alpha, willow_bits legal)
{
    if (worker->standard)
        return last_4(worker, true, player, opponent, alpha, legal);
    return worker->geometry.full ? last_4(worker, false, player, opponent, alpha, legal)
                                 : last_many(worker, player, opponent, alpha, LAST_EMPTIES);
}
