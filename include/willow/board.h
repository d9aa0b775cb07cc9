/* The board as two bitboards: legal moves, flips, passes, final score, symmetries, hash.
 * Layer: rules. The board is always seen from the side to move. Inline SIMD kernels for hot loops are the engine's own
 * business; these functions are for everybody else.
 */
#ifndef WILLOW_BOARD_H
#define WILLOW_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/bits.h>

#ifdef __cplusplus
extern "C" {
#endif

struct willow_ruleset;

/* 0 = a1, 1 = b1, 7 = h1, 8 = a2, 63 = h8 (a1 is the top left square; a wide build has 9 = j1, 10 = a2, 99 = j10). A
 * smaller board lies in the corner at a1. */
typedef uint8_t willow_square;
enum { WILLOW_PASS = WILLOW_SQUARES, WILLOW_NO_SQUARE };

/* Scores are integers in 1/32 disc from the side to move, unless a name says discs. */
typedef int32_t willow_score;
enum { WILLOW_SCORE_DISC = 32, WILLOW_SCORE_MAX = WILLOW_SQUARES * WILLOW_SCORE_DISC };

/* Bit s = square s. No bit stands in both words. */
struct willow_board {
    willow_bits player, opponent; /* discs of the side to move, of the other side */
};

/* True while the first discs are placed freely: the ruleset has such a phase, and the board has discs on the squares of
 * it alone and room for more of them. */
bool willow_board_placing(const struct willow_ruleset *ruleset, struct willow_board board);

/* Mask of legal moves of the side to move; 0 = it must pass or the game is over. */
willow_bits willow_board_moves(const struct willow_ruleset *ruleset, struct willow_board board);

/* Mask of discs that the side to move turns by placing on an empty, playable square; 0 = illegal, but for moves of the
 * placement phase, which turn nothing. */
willow_bits willow_board_flips(struct willow_board board, willow_square square);

/* Whether placing on the square is among the legal moves; false for passes and what is no square. */
bool willow_board_legal(const struct willow_ruleset *ruleset, struct willow_board board, willow_square square);

/* The board after a legal move or WILLOW_PASS, seen from the next side. The caller has checked legality. */
struct willow_board willow_board_play(struct willow_board board, willow_square move);

/* True when neither side has a move. */
bool willow_board_over(const struct willow_ruleset *ruleset, struct willow_board board);

int willow_board_discs(struct willow_board board);
int willow_board_empties(const struct willow_ruleset *ruleset, struct willow_board board);

/* Final difference in discs for the side to move; the winner takes the empty playable squares, a draw stays 0; the sign
 * is turned where the fewest discs win. Meaningful on any board, right for the game only when it is over. */
int willow_board_final_discs(const struct willow_ruleset *ruleset, struct willow_board board);

/* Symmetry s in 0..7: bit 0 mirrors the columns (a<->h), then bit 1 mirrors the rows (1<->8), then bit 2 transposes
 * (a1-h8 diagonal stays), on the width and height of the ruleset's board. s = 0 is the identity. Passes and what is no
 * square stay what they are. */
enum { WILLOW_SYMMETRIES = 8 };
struct willow_board willow_board_symmetry(const struct willow_ruleset *ruleset, struct willow_board board,
                                          int symmetry);
willow_square willow_square_symmetry(const struct willow_ruleset *ruleset, willow_square square, int symmetry);
int willow_symmetry_inverse(int symmetry);

/* Whether the symmetry maps the playable squares of the ruleset onto themselves. */
bool willow_ruleset_symmetric(const struct willow_ruleset *ruleset, int symmetry);

/* The least of the images under the symmetries of the ruleset, compared by player, then opponent. *symmetry (may be
 * null) leads from board to it. */
struct willow_board willow_board_canonical(const struct willow_ruleset *ruleset, struct willow_board board,
                                           int *symmetry);

/* 64 well-mixed bits of the two words; the same on every machine and build. */
uint64_t willow_board_hash(struct willow_board board);

/* True when the words are disjoint and within the playable squares. */
bool willow_board_valid(const struct willow_ruleset *ruleset, struct willow_board board);

/* Leaves at `depth` plies. passes_free: a pass costs no ply. A game over before that counts as one leaf. */
uint64_t willow_perft(const struct willow_ruleset *ruleset, struct willow_board board, int depth, bool passes_free);

#ifdef __cplusplus
}
#endif
#endif
