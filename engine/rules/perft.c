/* Counts the leaves of the game tree, to check move generation against known tables.
 * Layer: rules. Bulk counting: at the last ply the legal moves are counted, not played.
 */
#include <willow/board.h>

#include <willow/ruleset.h>

#include "rules/kernel.h"

struct perft {
    uint64_t playable;
    int pass_plies; /* what a pass costs: 1 or 0 */
};

static uint64_t count_leaves(const struct perft *perft, uint64_t player, uint64_t opponent, int depth)
{
    if (depth <= 0)
        return 1;
    uint64_t moves = kernel_moves(player, opponent) & perft->playable;
    if (moves == 0) {
        if ((kernel_moves(opponent, player) & perft->playable) == 0)
            return 1;
        return count_leaves(perft, opponent, player, depth - perft->pass_plies);
    }
    if (depth == 1)
        return (uint64_t)kernel_count(moves);

    uint64_t leaves = 0;
    for (; moves; moves &= moves - 1) {
        const int square = kernel_first(moves);
        const uint64_t flips = kernel_flips(player, opponent, square);
        leaves += count_leaves(perft, opponent ^ flips, player | flips | UINT64_C(1) << square, depth - 1);
    }
    return leaves;
}

uint64_t willow_perft(const struct willow_ruleset *ruleset, struct willow_board board, int depth, bool passes_free)
{
    const struct perft perft = {.playable = ruleset->playable, .pass_plies = passes_free ? 0 : 1};
    return count_leaves(&perft, board.player, board.opponent, depth);
}
