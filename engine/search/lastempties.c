/* The last four empty squares, where time per node is everything. The empties are tried by parity: a move into a
 * quadrant with an odd number of them tends to get the last word there. The unrolled part holds where all 64 squares
 * are playable and most discs win; other rulesets take the plain loop. Layer: search.
 */
#include "search/lastempties.h"

/* Below every score: the side to move has no move. */
enum { NO_MOVE = -65 };

static inline uint64_t square_bit(int square)
{
    return (uint64_t)1 << square;
}

/* Flips of a move, with the cheap test first. */
static inline uint64_t flips_at(const struct worker *worker, uint64_t player, uint64_t opponent, int square)
{
    return worker->neighbours[square] & opponent ? kernel_flips(player, opponent, square) : 0;
}

/* One empty square: the value, without playing the move. After it all squares are taken, so the score follows from the
 * number of own discs alone. */
static inline int last_1(struct worker *worker, uint64_t player, uint64_t opponent, int square)
{
    worker->nodes++;
    int own = 2 * kernel_count(player) - 64;
    int flips = kernel_last_flips(player, square);
    if (flips)
        return own + 2 * flips + 2;
    flips = kernel_last_flips(opponent, square);
    if (flips)
        return own - 2 * flips;
    /* Nobody can: 63 discs, the winner takes the empty square. */
    return own + 1 > 0 ? own + 2 : own;
}

static inline int try_2(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, int first, int second)
{
    int best = NO_MOVE;
    uint64_t flips = flips_at(worker, player, opponent, first);
    if (flips) {
        best = -last_1(worker, opponent ^ flips, player ^ flips ^ square_bit(first), second);
        if (best > alpha)
            return best;
    }
    flips = flips_at(worker, player, opponent, second);
    if (flips) {
        int score = -last_1(worker, opponent ^ flips, player ^ flips ^ square_bit(second), first);
        if (score > best)
            best = score;
    }
    return best;
}

static inline int last_2(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, int first, int second)
{
    worker->nodes++;
    int best = try_2(worker, player, opponent, alpha, first, second);
    if (best != NO_MOVE)
        return best;
    best = try_2(worker, opponent, player, -alpha - 1, first, second);
    return best != NO_MOVE ? -best : worker_final_discs(worker, player, opponent);
}

static inline int try_3(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, uint64_t empty)
{
    int best = NO_MOVE;
    uint64_t odd = empty & odd_quadrants(empty);
    for (uint64_t group = odd ? odd : empty;;) {
        int square = kernel_first(group);
        uint64_t flips = flips_at(worker, player, opponent, square);
        if (flips) {
            uint64_t rest = empty ^ square_bit(square);
            int first = kernel_first(rest), second = kernel_first(rest & (rest - 1));
            int score =
                -last_2(worker, opponent ^ flips, player ^ flips ^ square_bit(square), -alpha - 1, first, second);
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

static inline int last_3(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, uint64_t empty)
{
    worker->nodes++;
    int score;
    if (stability_cut(&worker->search->stability, player, opponent, alpha, &score))
        return score;
    int best = try_3(worker, player, opponent, alpha, empty);
    if (best != NO_MOVE)
        return best;
    best = try_3(worker, opponent, player, -alpha - 1, empty);
    return best != NO_MOVE ? -best : worker_final_discs(worker, player, opponent);
}

/* All the moves given are legal, at least one. */
static int try_4(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, uint64_t empty, uint64_t legal)
{
    int best = NO_MOVE;
    uint64_t odd = legal & odd_quadrants(empty);
    for (uint64_t group = odd ? odd : legal;;) {
        int square = kernel_first(group);
        uint64_t flips = kernel_flips(player, opponent, square);
        int score = -last_3(worker, opponent ^ flips, player ^ flips ^ square_bit(square), -alpha - 1,
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

static int last_4(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, uint64_t legal)
{
    worker->nodes++;
    int score;
    if (stability_cut(&worker->search->stability, player, opponent, alpha, &score))
        return score;
    uint64_t empty = ~(player | opponent);
    if (legal)
        return try_4(worker, player, opponent, alpha, empty, legal);
    legal = kernel_moves(opponent, player);
    return legal ? -try_4(worker, opponent, player, -alpha - 1, empty, legal)
                 : worker_final_discs(worker, player, opponent);
}

/* Any ruleset, any number of empties: parity order, nothing else. */
static int last_many(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, int empties)
{
    worker->nodes++;
    uint64_t empty = worker_empty(worker, player, opponent);
    uint64_t legal = kernel_moves(player, opponent) & empty;
    if (!legal) {
        if (!(kernel_moves(opponent, player) & empty))
            return worker_final_discs(worker, player, opponent);
        return -last_empties(worker, opponent, player, -alpha - 1, empties);
    }
    int best = NO_MOVE;
    uint64_t odd = legal & odd_quadrants(empty);
    uint64_t groups[2] = {odd, legal & ~odd};
    for (int i = 0; i < 2; i++)
        for (uint64_t group = groups[i]; group; group &= group - 1) {
            int square = kernel_first(group);
            uint64_t flips = kernel_flips(player, opponent, square);
            int score =
                -last_empties(worker, opponent ^ flips, player ^ flips ^ square_bit(square), -alpha - 1, empties - 1);
            if (score > alpha)
                return score;
            if (score > best)
                best = score;
        }
    return best;
}

int last_empties(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, int empties)
{
    if (!worker->standard)
        return last_many(worker, player, opponent, alpha, empties);
    uint64_t empty = ~(player | opponent);
    int first;
    switch (empties) {
    case 4:
        return last_4(worker, player, opponent, alpha, kernel_moves(player, opponent));
    case 3:
        return last_3(worker, player, opponent, alpha, empty);
    case 2:
        first = kernel_first(empty);
        return last_2(worker, player, opponent, alpha, first, kernel_first(empty & (empty - 1)));
    case 1:
        return last_1(worker, player, opponent, kernel_first(empty));
    default:
        return worker_final_discs(worker, player, opponent);
    }
}

int last_empties_moves(struct worker *worker, uint64_t player, uint64_t opponent, int alpha, uint64_t legal)
{
    return worker->standard ? last_4(worker, player, opponent, alpha, legal)
                            : last_many(worker, player, opponent, alpha, LAST_EMPTIES);
}
