/* Random positions and the plain negamax that tests compare the search with. */
#include "support/positions.h"

/* The upper half of the board of the build, and two discs of one colour in the middle of it. */
#define UPPER_HALF (WILLOW_BITS_ALL >> WILLOW_SQUARES / 2)
#define TWO_DISCS ((willow_bits)3 << (WILLOW_SQUARES / 2 + WILLOW_SIDE / 2 - 1))

const struct willow_board positions_over[POSITIONS_OVER] = {
    {.player = WILLOW_BITS_ALL & ~UPPER_HALF, .opponent = UPPER_HALF}, /* full, a draw */
    {.player = WILLOW_BITS_ALL, .opponent = 0},                        /* full of one colour */
    {.player = 0, .opponent = TWO_DISCS},                              /* wiped out */
    {.player = TWO_DISCS, .opponent = 0},
    {.player = 1, .opponent = WILLOW_BIT(WILLOW_SQUARES - 1)}, /* far apart */
    {.player = 0, .opponent = 0},
};

/* Every square with a chance of a half. */
static willow_bits half_of_all(struct willow_random *random)
{
    willow_bits bits = 0;
    for (int word = 0; word < WILLOW_BITS_WORDS; word++)
        bits |= willow_bits_of_word(willow_random_u64(random), word);
    return bits & WILLOW_BITS_ALL;
}

struct willow_board position_from_play(const struct willow_ruleset *ruleset, struct willow_random *random, int empties)
{
    struct willow_board board = ruleset->start;
    while (willow_board_empties(ruleset, board) > empties && !willow_board_over(ruleset, board)) {
        willow_bits legal = willow_board_moves(ruleset, board);
        board = willow_board_play(board, (willow_square)(legal ? willow_random_bit(random, legal) : WILLOW_PASS));
    }
    return board;
}

/* The player holds the squares of `player`, the opponent the rest, except for `empties` random ones. */
static struct willow_board fill_board(const struct willow_ruleset *ruleset, struct willow_random *random,
                                      willow_bits player, int empties)
{
    struct willow_board board = {.player = ruleset->playable & player, .opponent = ruleset->playable & ~player};
    while (willow_board_empties(ruleset, board) < empties) {
        willow_bits bit = WILLOW_BIT(willow_random_bit(random, board.player | board.opponent));
        board.player &= ~bit;
        board.opponent &= ~bit;
    }
    return board;
}

struct willow_board position_from_noise(const struct willow_ruleset *ruleset, struct willow_random *random, int empties)
{
    return fill_board(ruleset, random, half_of_all(random), empties);
}

struct willow_board position_from_lopsided_noise(const struct willow_ruleset *ruleset, struct willow_random *random,
                                                 int empties)
{
    willow_bits many = half_of_all(random) | half_of_all(random) | half_of_all(random);
    return fill_board(ruleset, random, willow_random_below(random, 2) ? many : ~many, empties);
}

willow_score position_negamax(const struct willow_weights *weights, const struct willow_ruleset *ruleset,
                              struct willow_board board, int depth)
{
    willow_bits legal = willow_board_moves(ruleset, board);
    if (!legal) {
        if (willow_board_over(ruleset, board))
            return willow_board_final_discs(ruleset, board) * WILLOW_SCORE_DISC;
        return -position_negamax(weights, ruleset, willow_board_play(board, WILLOW_PASS), depth);
    }
    if (depth == 0)
        return willow_evaluate(weights, board);
    willow_score best = -WILLOW_SCORE_MAX - 1;
    for (; legal; legal &= legal - 1) {
        struct willow_board next = willow_board_play(board, (willow_square)willow_bits_first(legal));
        willow_score score = -position_negamax(weights, ruleset, next, depth - 1);
        if (score > best)
            best = score;
    }
    return best;
}
