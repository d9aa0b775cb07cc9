/* A game record: start, moves with passes, undo. Layer: rules. */
#ifndef WILLOW_GAME_H
#define WILLOW_GAME_H

#include <stdbool.h>

#include <willow/board.h>
#include <willow/ruleset.h>
#include <willow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum willow_side { WILLOW_BLACK = 0, WILLOW_WHITE = 1 };
enum { WILLOW_GAME_MAX = 2 * WILLOW_SQUARES }; /* moves and passes of the longest game, with room to spare */

/* In the caller's storage; no resources behind it, so plain assignment copies it. boards[i] is the position before
 * moves[i]; boards[length] is the current one, seen from `side`. */
struct willow_game {
    const struct willow_ruleset *ruleset;
    enum willow_side start_side, side;
    int length;
    willow_square moves[WILLOW_GAME_MAX];
    struct willow_board boards[WILLOW_GAME_MAX + 1];
};

void willow_game_init(struct willow_game *game, const struct willow_ruleset *ruleset);

/* Starts from another position. WILLOW_ERR_ARGUMENT when the board is not valid for the ruleset. */
enum willow_status willow_game_init_board(struct willow_game *game, const struct willow_ruleset *ruleset,
                                          struct willow_board board, enum willow_side side, struct willow_error *error);

/* True when the game begins as its ruleset says: at its start, black to move. */
bool willow_game_starts_usually(const struct willow_game *game);

struct willow_board willow_game_board(const struct willow_game *game);

/* Plays a move, or WILLOW_PASS when (and only when) the side to move has none and the game is not over.
 * WILLOW_ERR_ARGUMENT with the reason otherwise; the game is unchanged then. */
enum willow_status willow_game_play(struct willow_game *game, willow_square move, struct willow_error *error);

/* Takes back the last move or pass; false at the start. */
bool willow_game_undo(struct willow_game *game);

bool willow_game_over(const struct willow_game *game);

/* Final difference in discs for black, the winner takes the empties. */
int willow_game_final_discs(const struct willow_game *game);

#ifdef __cplusplus
}
#endif
#endif
