/* Random positions and the plain negamax that tests compare the search with. */
#include "support/positions.h"

const struct willow_board positions_over[POSITIONS_OVER] = {
    {.player = 0xFFFFFFFF00000000u, .opponent = 0x00000000FFFFFFFFu}, /* full, a draw */
    {.player = ~(uint64_t)0, .opponent = 0},                          /* full of one colour */
    {.player = 0, .opponent = 0x0000001818000000u},                   /* wiped out */
    {.player = 0x0000001818000000u, .opponent = 0},
    {.player = 1, .opponent = 0x8000000000000000u}, /* far apart */
    {.player = 0, .opponent = 0},
};

struct willow_board position_from_play(const struct willow_ruleset *ruleset, struct willow_random *random, int empties)
{
    struct willow_board board = ruleset->start;
    while (willow_board_empties(ruleset, board) > empties && !willow_board_over(ruleset, board)) {
        uint64_t legal = willow_board_moves(ruleset, board);
        board = willow_board_play(board, (willow_square)(legal ? willow_random_bit(random, legal) : WILLOW_PASS));
    }
    return board;
}

/* The player holds the squares of `player`, the opponent the rest, except for `empties` random ones. */
static struct willow_board fill_board(const struct willow_ruleset *ruleset, struct willow_random *random,
                                      uint64_t player, int empties)
{
    struct willow_board board = {.player = ruleset->playable & player, .opponent = ruleset->playable & ~player};
    while (willow_board_empties(ruleset, board) < empties) {
        uint64_t bit = (uint64_t)1 << willow_random_bit(random, board.player | board.opponent);
        board.player &= ~bit;
        board.opponent &= ~bit;
    }
    return board;
}

struct willow_board position_from_noise(const struct willow_ruleset *ruleset, struct willow_random *random, int empties)
{
    return fill_board(ruleset, random, willow_random_u64(random), empties);
}

struct willow_board position_from_lopsided_noise(const struct willow_ruleset *ruleset, struct willow_random *random,
                                                 int empties)
{
    uint64_t many = willow_random_u64(random) | willow_random_u64(random) | willow_random_u64(random);
    return fill_board(ruleset, random, willow_random_below(random, 2) ? many : ~many, empties);
}

willow_score position_negamax(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                              struct willow_board board, int depth)
{
    uint64_t legal = willow_board_moves(ruleset, board);
    if (!legal) {
        if (willow_board_over(ruleset, board))
            return willow_board_final_discs(ruleset, board) * WILLOW_SCORE_DISC;
        return -position_negamax(weights, ruleset, willow_board_play(board, WILLOW_PASS), depth);
    }
    if (depth == 0)
        return willow_evaluate(weights, board);
    willow_score best = -WILLOW_SCORE_MAX - 1;
    for (; legal; legal &= legal - 1) {
        struct willow_board next = willow_board_play(board, (willow_square)__builtin_ctzll(legal));
        willow_score score = -position_negamax(weights, ruleset, next, depth - 1);
        if (score > best)
            best = score;
    }
    return best;
}
