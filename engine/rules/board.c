/* Moves, score, symmetries and hash of a board, on top of the kernels.
 * Layer: rules.
 */
#include <willow/board.h>

#include <willow/ruleset.h>

#include "rules/fold.h"
#include "rules/kernel.h"

bool willow_board_placing(const struct willow_ruleset *ruleset, struct willow_board board)
{
    const willow_bits discs = board.player | board.opponent;
    return (discs & ~ruleset->placement) == 0 && (ruleset->placement & ~discs) != 0;
}

willow_bits willow_board_moves(const struct willow_ruleset *ruleset, struct willow_board board)
{
    if (willow_board_placing(ruleset, board))
        return ruleset->placement & ~(board.player | board.opponent);
    return kernel_moves(board.player, board.opponent) & ruleset->playable;
}

willow_bits willow_board_flips(struct willow_board board, willow_square square)
{
    return kernel_flips(board.player, board.opponent, square);
}

bool willow_board_legal(const struct willow_ruleset *ruleset, struct willow_board board, willow_square square)
{
    return square < WILLOW_SQUARES && (willow_board_moves(ruleset, board) >> square & 1) != 0;
}

struct willow_board willow_board_play(struct willow_board board, willow_square move)
{
    if (move == WILLOW_PASS)
        return (struct willow_board){.player = board.opponent, .opponent = board.player};
    const willow_bits flips = kernel_flips(board.player, board.opponent, move);
    return (struct willow_board){.player = board.opponent ^ flips, .opponent = board.player | flips | WILLOW_BIT(move)};
}

bool willow_board_over(const struct willow_ruleset *ruleset, struct willow_board board)
{
    return willow_board_moves(ruleset, board) == 0 &&
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

#ifdef WILLOW_WIDE

/* Row by row: wide boards are kept out of everything that is in a hurry. */
static const willow_bits ROW_MASK = (WILLOW_BIT(WILLOW_SIDE) - 1);

static willow_bits mirror_columns(willow_bits x)
{
    willow_bits mirrored = 0;
    for (; x != 0; x &= x - 1) {
        const int square = willow_bits_first(x), column = square % WILLOW_SIDE;
        mirrored |= WILLOW_BIT(square - column + WILLOW_SIDE - 1 - column);
    }
    return mirrored;
}

static willow_bits mirror_rows(willow_bits x)
{
    willow_bits mirrored = 0;
    for (int row = 0; row < WILLOW_SIDE; row++)
        mirrored = mirrored << WILLOW_SIDE | (x >> WILLOW_SIDE * row & ROW_MASK);
    return mirrored;
}

static willow_bits transpose(willow_bits x)
{
    willow_bits transposed = 0;
    for (; x != 0; x &= x - 1) {
        const int square = willow_bits_first(x);
        transposed |= WILLOW_BIT(WILLOW_SIDE * (square % WILLOW_SIDE) + square / WILLOW_SIDE);
    }
    return transposed;
}

#else

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

static uint64_t mirror_rows(uint64_t x)
{
    return __builtin_bswap64(x); /* a byte is a row */
}

/* Exchanges rows and columns: in every 2x2 block, then in 4x4 blocks of 2x2, then in the board of 4x4. */
static uint64_t transpose(uint64_t x)
{
    x = exchange(x, UINT64_C(0x00AA00AA00AA00AA), 7);
    x = exchange(x, UINT64_C(0x0000CCCC0000CCCC), 14);
    return exchange(x, UINT64_C(0x00000000F0F0F0F0), 28);
}

#endif

/* What the mirrors of the whole word move too far, for a board in its corner. */
static int columns_shift(const struct willow_ruleset *ruleset)
{
    return WILLOW_SIDE - ruleset->width;
}

static int rows_shift(const struct willow_ruleset *ruleset)
{
    return WILLOW_SIDE * (WILLOW_SIDE - ruleset->height);
}

static willow_bits mask_symmetry(const struct willow_ruleset *ruleset, willow_bits x, int symmetry)
{
    if (symmetry & 1)
        x = mirror_columns(x) >> columns_shift(ruleset);
    if (symmetry & 2)
        x = mirror_rows(x) >> rows_shift(ruleset);
    if (symmetry & 4)
        x = transpose(x);
    return x;
}

struct willow_board willow_board_symmetry(const struct willow_ruleset *ruleset, struct willow_board board, int symmetry)
{
    return (struct willow_board){.player = mask_symmetry(ruleset, board.player, symmetry),
                                 .opponent = mask_symmetry(ruleset, board.opponent, symmetry)};
}

willow_square willow_square_symmetry(const struct willow_ruleset *ruleset, willow_square square, int symmetry)
{
    if (square >= WILLOW_SQUARES)
        return square; /* a pass is a pass from every side */
    int column = square % WILLOW_SIDE, row = square / WILLOW_SIDE;
    if (symmetry & 1)
        column = ruleset->width - 1 - column;
    if (symmetry & 2)
        row = ruleset->height - 1 - row;
    return (willow_square)(symmetry & 4 ? WILLOW_SIDE * column + row : WILLOW_SIDE * row + column);
}

int willow_symmetry_inverse(int symmetry)
{
    /* Undoing a transposition first turns the mirror of the columns into that of the rows. */
    return symmetry & 4 ? 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 : symmetry;
}

bool willow_ruleset_symmetric(const struct willow_ruleset *ruleset, int symmetry)
{
    /* A transposed board is as high as it was wide. */
    return ((symmetry & 4) == 0 || ruleset->width == ruleset->height) &&
           mask_symmetry(ruleset, ruleset->playable, symmetry) == ruleset->playable;
}

/* All images of one word by number. Mirrors of the transposed word stand in for the transposed mirrors, so that one
 * transposition serves four images; they are mirrors of a square board. */
static void mask_images(const struct willow_ruleset *ruleset, willow_bits x, willow_bits images[WILLOW_SYMMETRIES])
{
    const int columns = columns_shift(ruleset), rows = rows_shift(ruleset);
    images[0] = x;
    images[1] = mirror_columns(x) >> columns;
    images[2] = mirror_rows(x) >> rows;
    images[3] = mirror_rows(images[1]) >> rows;
    images[4] = transpose(x);
    images[5] = mirror_rows(images[4]) >> rows;
    images[6] = mirror_columns(images[4]) >> columns;
    images[7] = mirror_rows(images[6]) >> rows;
}

/* The symmetries of the ruleset as bits; all eight where every square of a square board exists, as nearly always. */
static unsigned symmetries(const struct willow_ruleset *ruleset)
{
    if (ruleset->playable == WILLOW_BITS_ALL)
        return (1u << WILLOW_SYMMETRIES) - 1u;
    unsigned set = 0;
    for (int s = 0; s < WILLOW_SYMMETRIES; s++)
        set |= (unsigned)willow_ruleset_symmetric(ruleset, s) << s;
    return set;
}

struct willow_board willow_board_canonical(const struct willow_ruleset *ruleset, struct willow_board board,
                                           int *symmetry)
{
    const unsigned allowed = symmetries(ruleset);
    willow_bits players[WILLOW_SYMMETRIES], opponents[WILLOW_SYMMETRIES];
    mask_images(ruleset, board.player, players);
    mask_images(ruleset, board.opponent, opponents);
    willow_bits least = players[0];
    for (int s = 1; s < WILLOW_SYMMETRIES; s++)
        least = (allowed >> s & 1) != 0 && players[s] < least ? players[s] : least;
    /* Which images have that word: one, unless the discs of the side to move are symmetrical themselves. */
    unsigned candidates = 0;
    for (int s = 0; s < WILLOW_SYMMETRIES; s++)
        candidates |= (unsigned)(players[s] == least) << s;
    candidates &= allowed;
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
    const uint64_t player = fold(board.player), opponent = fold(board.opponent);
    const uint64_t a = (player ^ player >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    const uint64_t b = (opponent ^ opponent >> 32) * UINT64_C(0xD1342543DE82EF95);
    uint64_t hash = (a ^ a >> 29) + (b << 31 | b >> 33);
    hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
    return hash ^ hash >> 31;
}

bool willow_board_valid(const struct willow_ruleset *ruleset, struct willow_board board)
{
    return (board.player & board.opponent) == 0 && ((board.player | board.opponent) & ~ruleset->playable) == 0;
}
