/* The game that an NBoard program has on its board, as "set game" and "move" tell it, with the clocks of both sides.
 * Layer: protocol. Knows nothing of searches.
 */
#ifndef PROTOCOL_NBOARD_GAME_H
#define PROTOCOL_NBOARD_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include <willow/game.h>
#include <willow/status.h>
#include <willow/timer.h>

struct nboard_game {
    struct willow_game game;
    bool clocked;                  /* the game says what time there is */
    struct willow_timer timers[2]; /* by side; meaningful when clocked */
    uint64_t extension_ms[2];      /* what a side gets once when its time is over */
};

/* The start of the ruleset without a clock. */
void nboard_game_init(struct nboard_game *nboard, const struct willow_ruleset *ruleset);

/* Reads the first game of a GGF text: its moves, its clock (TI) and the times of the moves. It is one of the ruleset
 * that is played where it can be one, else of the first of the table that its type and board are those of.
 * WILLOW_ERR_FORMAT with the place; *nboard is unchanged then. A clock that cannot be read counts as none; one without
 * a main time begins with the extension, or with one increment. */
enum willow_status nboard_game_read(const struct willow_ruleset *played, const char *ggf, struct nboard_game *nboard,
                                    struct willow_error *error);

/* Plays a move of the side to move, with the pass before it where that was left out, and books the time that it took;
 * negative = not known. WILLOW_ERR_ARGUMENT when it is illegal; nothing is changed then. */
enum willow_status nboard_game_move(struct nboard_game *nboard, willow_square move, double seconds,
                                    struct willow_error *error);

#endif
