/* Moves, score, symmetries and hash of a board, on top of the kernels.
 * Layer: rules.
 */
#include <willow/board.h>

#include <willow/ruleset.h>

#include "rules/kernel.h"

uint64_t willow_board_moves(const struct willow_ruleset *ruleset, struct willow_board board)
{
    return kernel_moves(board.player, board.opponent) & ruleset->playable;
}

uint64_t willow_board_flips(struct willow_board board, willow_square square)
{
    return kernel_flips(board.player, board.opponent, square);
}

struct willow_board willow_board_play(struct willow_board board, willow_square move)
{
    if (move == WILLOW_PASS)
        return (struct willow_board){.player = board.opponent, .opponent = board.player};
    const uint64_t flips = kernel_flips(board.player, board.opponent, move);
    return (struct willow_board){.player = board.opponent ^ flips,
                                 .opponent = board.player | flips | UINT64_C(1) << move};
}

bool willow_board_over(const struct willow_ruleset *ruleset, struct willow_board board)
{
    return (kernel_moves(board.player, board.opponent) & ruleset->playable) == 0 &&
           (kernel_moves(board.opponent, board.player) & ruleset->playable) == 0;
}

int willow_board_discs(struct willow_board board)
{
    return kernel_count(board.player | board.opponent);
}

int willow_board_empties(const struct willow_ruleset *ruleset, struct willow_board board)
{
    return kernel_count(ruleset->playable & ~(board.player | board.opponent));
}

int willow_board_final_discs(const struct willow_ruleset *ruleset, struct willow_board board)
{
    int difference = kernel_count(board.player) - kernel_count(board.opponent);
    if (difference > 0)
        difference += willow_board_empties(ruleset, board);
    else if (difference < 0)
        difference -= willow_board_empties(ruleset, board);
    return ruleset->fewest_wins ? -difference : difference;
}

/* Exchanges the bits under `mask` with those `shift` higher. */
static uint64_t exchange(uint64_t x, uint64_t mask, int shift)
{
    const uint64_t changed = (x >> shift ^ x) & mask;
    return x ^ changed ^ changed << shift;
}

static uint64_t mirror_columns(uint64_t x)
{
    x = (x >> 1 & UINT64_C(0x5555555555555555)) | (x & UINT64_C(0x5555555555555555)) << 1;
    x = (x >> 2 & UINT64_C(0x3333333333333333)) | (x & UINT64_C(0x3333333333333333)) << 2;
    return (x >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (x & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4;
}

/* Exchanges rows and columns: in every 2x2 block, then in 4x4 blocks of 2x2, then in the board of 4x4. */
static uint64_t transpose(uint64_t x)
{
    x = exchange(x, UINT64_C(0x00AA00AA00AA00AA), 7);
    x = exchange(x, UINT64_C(0x0000CCCC0000CCCC), 14);
    return exchange(x, UINT64_C(0x00000000F0F0F0F0), 28);
}

static uint64_t mask_symmetry(uint64_t x, int symmetry)
{
    if (symmetry & 1)
        x = mirror_columns(x);
    if (symmetry & 2)
        x = __builtin_bswap64(x); /* a byte is a row */
    if (symmetry & 4)
        x = transpose(x);
    return x;
}

struct willow_board willow_board_symmetry(struct willow_board board, int symmetry)
{
    return (struct willow_board){.player = mask_symmetry(board.player, symmetry),
                                 .opponent = mask_symmetry(board.opponent, symmetry)};
}

willow_square willow_square_symmetry(willow_square square, int symmetry)
{
    if (square >= 64)
        return square; /* a pass is a pass from every side */
    int column = square % 8, row = square / 8;
    if (symmetry & 1)
        column = 7 - column;
    if (symmetry & 2)
        row = 7 - row;
    return (willow_square)(symmetry & 4 ? 8 * column + row : 8 * row + column);
}

int willow_symmetry_inverse(int symmetry)
{
    /* Undoing a transposition first turns the mirror of the columns into that of the rows. */
    return symmetry & 4 ? 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 : symmetry;
}

/* All images of one word by number. Mirrors of the transposed word stand in for the transposed mirrors, so that one
 * transposition serves four images. */
static void mask_images(uint64_t x, uint64_t images[WILLOW_SYMMETRIES])
{
    images[0] = x;
    images[1] = mirror_columns(x);
    images[2] = __builtin_bswap64(x);
    images[3] = __builtin_bswap64(images[1]);
    images[4] = transpose(x);
    images[5] = __builtin_bswap64(images[4]);
    images[6] = mirror_columns(images[4]);
    images[7] = __builtin_bswap64(images[6]);
}

struct willow_board willow_board_canonical(struct willow_board board, int *symmetry)
{
    uint64_t players[WILLOW_SYMMETRIES], opponents[WILLOW_SYMMETRIES];
    mask_images(board.player, players);
    mask_images(board.opponent, opponents);
    uint64_t least = players[0];
    for (int s = 1; s < WILLOW_SYMMETRIES; s++)
        least = players[s] < least ? players[s] : least;
    /* Which images have that word: one, unless the discs of the side to move are symmetrical themselves. */
    unsigned candidates = 0;
    for (int s = 0; s < WILLOW_SYMMETRIES; s++)
        candidates |= (unsigned)(players[s] == least) << s;
    int best = __builtin_ctz(candidates);
    for (candidates &= candidates - 1; candidates; candidates &= candidates - 1) {
        const int s = __builtin_ctz(candidates);
        best = opponents[s] < opponents[best] ? s : best;
    }
    if (symmetry)
        *symmetry = best;
    return (struct willow_board){.player = least, .opponent = opponents[best]};
}

uint64_t willow_board_hash(struct willow_board board)
{
    /* Each word is spread by an odd multiplier (the golden ratio's and one of Steele and Vigna's, 2021), the second one
     * turned so that exchanging the words does not give the same sum; then the finaliser of SplitMix64. */
    const uint64_t a = (board.player ^ board.player >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    const uint64_t b = (board.opponent ^ board.opponent >> 32) * UINT64_C(0xD1342543DE82EF95);
    uint64_t hash = (a ^ a >> 29) + (b << 31 | b >> 33);
    hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
    return hash ^ hash >> 31;
}

bool willow_board_valid(const struct willow_ruleset *ruleset, struct willow_board board)
{
    return (board.player & board.opponent) == 0 && ((board.player | board.opponent) & ~ruleset->playable) == 0;
}
